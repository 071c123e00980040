"""Turnpike, as its rulebook tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field

from benchmarks.agree.referees.stops import Ask, Draw, End, Play, Together

COSTS = {
    **{"penny": 0, "florin": 3, "shrine": 2, "tower": 5, "ferry": 3, "crossroads": 3, "pedlar": 3},
    **{"fair": 5, "smith": 4, "brigands": 4, "hound": 2, "decoy": 3},
}
COINS, POINTS = {"penny": 1, "florin": 2}, {"shrine": 1, "tower": 3}
BRINGS = {
    **{"ferry": (2, 0, 0, 0), "crossroads": (1, 2, 0, 0), "pedlar": (0, 0, 1, 2), "fair": (1, 1, 1, 1)},
    **{"smith": (0, 0, 0, 0), "brigands": (0, 0, 0, 2), "hound": (1, 0, 0, 0), "decoy": (0, 0, 0, 1)},
}
"""Of each deed the cards, deeds, purchases and coins."""
REACTIONS, ROUNDS = ("hound", "decoy"), 25
Drawn = Generator[Ask | Draw | Together, str, None]


@dataclass
class Owner:
    deck: list[str] = field(default_factory=lambda: ["penny"] * 7 + ["shrine"] * 3)
    hand: list[str] = field(default_factory=list)
    laid_away: list[str] = field(default_factory=list)
    played: list[str] = field(default_factory=list)

    def draw(self, number: int) -> Drawn:
        for _ in range(number):
            if not self.deck:
                self.deck, self.laid_away = self.laid_away, []
            if not self.deck:
                return
            card = yield Draw(self.deck)
            self.deck.remove(card)
            self.hand.append(card)

    def lay_away(self, card: str) -> None:
        self.hand.remove(card)
        self.laid_away.append(card)

    def all(self) -> list[str]:
        return self.deck + self.hand + self.laid_away + self.played


def play(seats: list[str]) -> Play:
    many = {"penny": 60 - 7 * len(seats), "florin": 24, "shrine": 20 - 3 * len(seats)}
    supply = Counter(dict.fromkeys(COSTS, 8) | many)
    owners = {seat: Owner() for seat in seats}
    for owner in owners.values():
        yield from owner.draw(5)
    for turn in range(ROUNDS * len(seats)):
        first = turn % len(seats)
        yield from one_turn(supply, owners, seats[first:] + seats[:first])
        if not supply["tower"] or sum(not supply[sort] for sort in COSTS) >= 3:
            break
    totals = {s: sum(POINTS.get(card, 0) for card in owner.all()) for s, owner in owners.items()}
    places = {seat: (totals[seat], -len(owner.all())) for seat, owner in owners.items()}
    return End([seat for seat in seats if places[seat] == max(places.values())], totals)


def one_turn(supply: Counter[str], owners: dict[str, Owner], order: list[str]) -> Play:
    me, deeds, buys, coins = owners[order[0]], 1, 1, 0
    while deeds and me.hand:
        word = yield Ask(order[0], [f"play {card}" for card in me.hand if card in BRINGS] + ["pass"])
        if word == "pass":
            break
        card = word.split()[1]
        me.hand.remove(card)
        me.played.append(card)
        cards, more, purchases, money = BRINGS[card]
        deeds, buys, coins = deeds - 1 + more, buys + purchases, coins + money
        yield from me.draw(cards)
        if card == "smith":
            yield from forge(supply, me, order[0])
        if card == "brigands":
            for seat in order[1:]:
                yield from suffer(owners[seat], seat)
    coins += sum(COINS.get(card, 0) for card in me.hand)
    while buys:
        words = [f"buy {sort}" for sort, cost in COSTS.items() if supply[sort] and cost <= coins]
        word = (yield Ask(order[0], [*words, "pass"])) if words else "pass"
        if word == "pass":
            break
        buys, coins = buys - 1, coins - COSTS[word.split()[1]]
        take(supply, me, word.split()[1])
    me.laid_away += me.hand + me.played
    me.hand, me.played = [], []
    yield from me.draw(5)
    return None


def take(supply: Counter[str], owner: Owner, sort: str) -> None:
    supply[sort] -= 1
    owner.laid_away.append(sort)


def forge(supply: Counter[str], owner: Owner, seat: str) -> Play:
    if not owner.hand:
        return None
    card = yield Ask(seat, set(owner.hand))
    owner.hand.remove(card)
    sort = yield Ask(seat, [s for s, cost in COSTS.items() if supply[s] and cost <= COSTS[card] + 2])
    take(supply, owner, sort)
    return None


def suffer(owner: Owner, seat: str) -> Play:
    if not owner.hand:
        return None
    card = yield Ask(seat, [*(card for card in REACTIONS if card in owner.hand), "pass"])
    if card == "hound":
        return None
    if card == "decoy":
        owner.lay_away(card)
        yield from owner.draw(2)
    while len(owner.hand) > 3:
        owner.lay_away((yield Ask(seat, set(owner.hand))))
    return None
