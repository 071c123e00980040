"""Carillon, as its rulebook tells it."""

from __future__ import annotations

from benchmarks.agree.referees.stops import Ask, Draw, End, Play

BELLS = ("bronze", "iron", "silver", "glass")
PACK = [
    f"{bell}_{tone}"
    for bell in BELLS
    for tone, copies in enumerate((3, 3, 2, 2, 2, 1), 1)
    for _ in range(copies)
]
HINTS, CRACKS, GOAL = 7, 3, 18

Card = tuple[str, str]
"""A bell and a tone."""


class Tower:
    """What lies open, what everybody holds, and what was said about it."""

    def __init__(self, seats: list[str]) -> None:
        self.seats = seats
        self.deck = sorted(PACK)
        self.places = 5 if len(seats) < 4 else 4
        self.hand: dict[str, list[Card | None]] = {seat: [None] * self.places for seat in seats}
        self.told: set[tuple[str, int, int]] = set()
        self.height = dict.fromkeys(BELLS, 0)
        self.hints, self.cracks = HINTS, 0

    def news(self, holder: str, part: int) -> set[str]:
        """The bells (part 0) or tones (part 1) of which something new can be said."""
        cards = enumerate(self.hand[holder])
        return {card[part] for i, card in cards if card and (holder, i, part) not in self.told}

    def tell(self, holder: str, part: int, word: str) -> None:
        cards = enumerate(self.hand[holder])
        self.told |= {(holder, i, part) for i, card in cards if card and card[part] == word}

    def fits(self, card: Card | None) -> bool:
        return card is not None and int(card[1]) == self.height[card[0]] + 1

    def choices(self, seat: str) -> list[str]:
        others = [other for other in self.seats if other != seat]
        hints = [("hint_bell", 0), ("hint_tone", 1)] if self.hints else []
        words = [f"{word} {other}" for word, part in hints for other in others if self.news(other, part)]
        held = [i + 1 for i, card in enumerate(self.hand[seat]) if card]
        words += [f"strike {i}" for i in held]
        return words + ([f"muffle {i}" for i in held] if self.hints < HINTS else [])

    def likely(self, seat: str) -> list[str]:
        """What somebody would do who saw the own cards too."""
        fitting = [f"strike {i}" for i, card in enumerate(self.hand[seat], 1) if self.fits(card)]
        return fitting or [word for word in self.choices(seat) if not word.startswith("strike")]

    def strike(self, card: Card) -> None:
        if not self.fits(card):
            self.cracks += 1
            return
        self.height[card[0]] += 1
        if card[1] == "6":
            self.hints = min(HINTS, self.hints + 1)

    def rung(self) -> int:
        return sum(self.height.values())

    def end(self, name: str) -> End:
        won = name in ("perfect", "concert")
        return End(self.seats if won else [], dict.fromkeys(self.seats, self.rung()), name)


def play(seats: list[str]) -> Play:
    tower = Tower(seats)
    for seat in seats:
        for place in range(tower.places):
            yield from refill(tower, seat, place)
    turn, encores = 0, 0
    while True:
        encores += not tower.deck
        seat = seats[turn % len(seats)]
        what, _, which = (yield Ask(seat, tower.choices(seat), tower.likely(seat))).partition(" ")
        if what.startswith("hint"):
            part = ("hint_bell", "hint_tone").index(what)
            tower.tell(which, part, (yield Ask(seat, tower.news(which, part))))
            tower.hints -= 1
        else:
            place = int(which) - 1
            card = tower.hand[seat][place]
            assert card
            if what == "strike":
                tower.strike(card)
            else:
                tower.hints += 1
            if tower.rung() == 24:
                return tower.end("perfect")
            if tower.cracks == CRACKS:
                return tower.end("cracked")
            yield from refill(tower, seat, place)
        if encores == len(seats):
            return tower.end("concert" if tower.rung() >= GOAL else "faint")
        turn += 1


def refill(tower: Tower, seat: str, place: int) -> Play:
    """Another card from the deck, of which nothing was said, as long as there is one."""
    tower.told -= {(seat, place, 0), (seat, place, 1)}
    tower.hand[seat][place] = None
    if tower.deck:
        drawn = yield Draw(tower.deck)
        tower.deck.remove(drawn)
        bell, _, tone = drawn.partition("_")
        tower.hand[seat][place] = (bell, tone)
    return None
