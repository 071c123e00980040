"""Klondike, as its rulebook tells it."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.agree.referees.stops import Ask, Draw, End, Play

SUITS = ["clubs", "diamonds", "hearts", "spades"]
RANKS = [
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
]
TURNED, MOST_CHOICES = 3, 500
Card = tuple[int, str]


def said(card: Card) -> str:
    return f"{card[1]}_{RANKS[card[0]]}"


@dataclass
class Table:
    """Cards from the bottom to the top; of a column those face down, then those face up."""

    covered: list[list[Card]] = field(default_factory=lambda: [[] for _ in range(7)])
    columns: list[list[Card]] = field(default_factory=lambda: [[] for _ in range(7)])
    stock: list[Card] = field(default_factory=list)
    waste: list[Card] = field(default_factory=list)
    foundations: dict[str, list[Card]] = field(default_factory=lambda: {suit: [] for suit in SUITS})

    def fits(self, card: Card, column: list[Card]) -> bool:
        if not column:
            return card[0] == len(RANKS) - 1
        rank, suit = column[-1]
        return rank == card[0] + 1 and (suit in SUITS[1:3]) != (card[1] in SUITS[1:3])

    def targets(self, card: Card) -> dict[str, list[Card]]:
        return {str(i): column for i, column in enumerate(self.columns, 1) if self.fits(card, column)}

    def free(self) -> dict[str, tuple[Card, list[Card]]]:
        """The cards that may be moved, with what they lie in, by the words for them."""
        found = {f"{said(card)} waste": (card, self.waste) for card in self.waste[-1:]}
        for i, column in enumerate(self.columns, 1):
            found |= {f"{said(card)} tableau {i}": (card, column) for card in column}
        return found

    def words(self) -> dict[str, tuple[Card, list[Card]] | None]:
        words: dict[str, tuple[Card, list[Card]] | None] = {}
        for word, (card, pile) in self.free().items():
            if card == pile[-1] and card[0] == len(self.foundations[card[1]]):
                words[f"put_away {word}"] = card, pile
            if self.targets(card):
                words[f"build {word}"] = card, pile
        for suit, pile in self.foundations.items():
            if pile and self.targets(pile[-1]):
                words[f"take_back {suit}"] = pile[-1], pile
        if self.stock:
            words["turn_over"] = None
        elif self.waste:
            words["redeal"] = None
        if not self.stock:
            words["give_up"] = None
        return words

    def turn_up(self) -> None:
        for hidden, column in zip(self.covered, self.columns, strict=True):
            if hidden and not column:
                column.append(hidden.pop())


def play(seats: list[str]) -> Play:
    table, (seat,) = Table(), seats
    pack = {said(card): card for card in ((rank, suit) for suit in SUITS for rank in range(13))}
    for i in range(7):
        for pile in [table.covered[i]] * i + [table.columns[i]]:
            pile.append(pack.pop((yield Draw(list(pack)))))
    while pack:
        table.stock.append(pack.pop((yield Draw(list(pack)))))
    for _ in range(MOST_CHOICES):
        words = table.words()
        likely = [word for word in words if word.startswith(("put_away", "turn_over"))] or [
            word for word in words if word != "give_up"
        ]
        word = yield Ask(seat, list(words), likely)
        moved = words[word]
        if moved is not None:
            card, pile = moved
            target = table.foundations[card[1]]
            if not word.startswith("put_away"):
                targets = table.targets(card)
                target = targets[(yield Ask(seat, list(targets)))]
            at = pile.index(card)
            target += pile[at:]
            del pile[at:]
            table.turn_up()
        elif word == "turn_over":
            for _ in range(min(TURNED, len(table.stock))):
                table.waste.append(table.stock.pop())
        elif word == "redeal":
            table.stock, table.waste = table.waste[::-1], []
        else:
            return End([], name="given_up")
        if all(len(pile) == 13 for pile in table.foundations.values()):
            return End([seat], {seat: 52}, "solved")
    return End([], name="too_long")
