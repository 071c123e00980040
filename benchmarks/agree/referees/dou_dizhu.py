"""Dou Dizhu, as its rulebook tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.agree.referees.stops import Ask, Draw, End, Play

RANKS = [
    *("three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
    *("two", "small_joker", "big_joker"),
]
JOKERS, HIGHEST_OF_A_ROW, DEALS = RANKS[-2:], 11, 4
SHAPES = {
    "single": (1, 1, 1, 0, 0),
    "pair": (2, 1, 1, 0, 0),
    "triplet": (3, 1, 1, 0, 0),
    "chain": (1, 5, 12, 0, 0),
    "pair_chain": (2, 3, 10, 0, 0),
    "plane": (3, 2, 6, 0, 0),
    "triplet_and_single": (3, 1, 1, 1, 1),
    "triplet_and_pair": (3, 1, 1, 1, 2),
    "plane_and_singles": (3, 2, 5, 1, 1),
    "plane_and_pairs": (3, 2, 4, 1, 2),
    "four_and_singles": (4, 1, 1, 2, 1),
    "four_and_pairs": (4, 1, 1, 2, 2),
}
"""How many cards of each rank, from how many to how many ranks, how many beside each, and of what width."""

Body = tuple[str, int, int]
"""A shape, and the numbers of its lowest and highest rank."""


@dataclass
class Deal:
    hands: dict[str, Counter[str]]
    stake: int = 0
    landlord: str = ""
    last: str = ""
    beaten: Body | None = None
    bomb: int = -1
    plays: Counter[str] = field(default_factory=Counter)

    def bodies(self, seat: str) -> Iterator[Body]:
        """What the seat may play but bombs: with enough cards of each rank, and beside."""
        fresh, hand = self.last in ("", seat), self.hands[seat]
        for shape, (cards, fewest, most, sides, width) in SHAPES.items():
            for low in range(len(RANKS)):
                for top in range(low, len(RANKS) if fewest == 1 else HIGHEST_OF_A_ROW + 1):
                    body, ranks = (shape, low, top), RANKS[low : top + 1]
                    if not fewest <= len(ranks) <= most or any(hand[rank] < cards for rank in ranks):
                        continue
                    if not fresh and not self.beats(body):
                        continue
                    if len(self.beside(hand, body, width)) >= sides * len(ranks):
                        yield body

    def beats(self, body: Body) -> bool:
        if self.bomb >= 0 or self.beaten is None:
            return False
        shape, low, top = self.beaten
        return body[0] == shape and body[1] > low and body[2] - body[1] == top - low

    @staticmethod
    def beside(hand: Counter[str], body: Body, width: int) -> list[str]:
        around = RANKS[: body[1]] + RANKS[body[2] + 1 :]
        return [rank for rank in around if width and hand[rank] >= width]

    def bombs(self, seat: str) -> dict[str, list[str]]:
        hand, least = self.hands[seat], -1 if self.last in ("", seat) else self.bomb
        found = {f"bomb {r}": [r] * 4 for i, r in enumerate(RANKS) if hand[r] == 4 and i > least}
        return found | ({"rocket": JOKERS} if all(hand[joker] for joker in JOKERS) else {})


def play(seats: list[str]) -> Play:
    purses = dict.fromkeys(seats, 0)
    for _ in range(DEALS):
        pack = Counter({rank: 1 if rank in JOKERS else 4 for rank in RANKS})
        deal = Deal({seat: Counter() for seat in seats})
        for seat in seats:
            for _ in range(17):
                card = yield Draw([rank for rank in RANKS if pack[rank]])
                pack[card] -= 1
                deal.hands[seat][card] += 1
        first = seats.index((yield Draw(seats)))
        yield from auction(deal, seats[first:] + seats[:first])
        if deal.landlord:
            deal.hands[deal.landlord] += pack
            yield from tricks(deal, seats)
            settle(deal, purses)
    return End([seat for seat in seats if purses[seat] == max(purses.values())], purses)


def auction(deal: Deal, order: list[str]) -> Play:
    passes, turn = 0, 0
    while deal.stake < 3 and passes < (2 if deal.stake else 3):
        seat = order[turn % 3]
        word = yield Ask(seat, [str(n) for n in range(deal.stake + 1, 4)] + ["pass"])
        passes = passes + 1 if word == "pass" else 0
        if word != "pass":
            deal.stake, deal.landlord = int(word), seat
        turn += 1
    return None


def tricks(deal: Deal, seats: list[str]) -> Play:
    turn = seats.index(deal.landlord)
    while True:
        seat = seats[turn % 3]
        if deal.last == seat:
            deal.last = ""
        if not deal.last:
            deal.beaten, deal.bomb = None, -1
        yield from one_turn(deal, seat)
        if not +deal.hands[seat]:
            return None
        turn += 1


def one_turn(deal: Deal, seat: str) -> Play:
    hand, bodies, bombs = deal.hands[seat], list(deal.bodies(seat)), deal.bombs(seat)
    starts = {f"{'play_with' if SHAPES[shape][3] else 'play'} {shape}" for shape, _, _ in bodies}
    word = yield Ask(seat, [*starts, *bombs, *(["pass"] if deal.last else [])])
    if word == "pass":
        return None
    if word in bombs:
        cards = bombs[word]
        deal.stake *= 2
        deal.bomb = RANKS.index(cards[0]) if len(cards) == 4 else len(RANKS)
    else:
        shape = word.split()[1]
        bodies = [body for body in bodies if body[0] == shape]
        low = RANKS.index((yield Ask(seat, {RANKS[body[1]] for body in bodies})))
        top = RANKS.index((yield Ask(seat, {RANKS[body[2]] for body in bodies if body[1] == low})))
        deal.beaten = shape, low, top
        each, _, _, sides, width = SHAPES[shape]
        cards = RANKS[low : top + 1] * each
        left, wanted = deal.beside(hand, deal.beaten, width), sides * (top - low + 1)
        for number in range(wanted, 0, -1):
            side = yield Ask(seat, left[: len(left) - number + 1])
            left = left[left.index(side) + 1 :]
            cards += [side] * width
    hand.subtract(cards)
    assert min(hand.values()) >= 0
    deal.last = seat
    deal.plays[seat] += 1
    return None


def settle(deal: Deal, purses: dict[str, int]) -> None:
    farmers = [seat for seat in purses if seat != deal.landlord]
    spring = deal.plays[deal.landlord] == 1 or not any(deal.plays[seat] for seat in farmers)
    stake = deal.stake * (2 if spring else 1) * (-1 if +deal.hands[deal.landlord] else 1)
    for seat in farmers:
        purses[seat] -= stake
        purses[deal.landlord] += stake
