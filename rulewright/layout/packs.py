"""Playing cards: a rank and a suit in two corners, and as many pips as the rank says, or one large sign."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import NONE, EnumType, IntType
from dsl.frozen import dataclass
from dsl.numbers import NUMBER_WORDS
from rulewright.layout.signs import signs

FEWEST_RANKS = 5
"""A component with fewer values in each of its columns is no pack of cards."""
FEWEST_CARDS = 16
PLAYERS = frozenset({"seat", "team"})
MOST_PIPS = 10
SUITS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
"""The signs of suits that everybody knows by their names."""
RED = frozenset("♦♥")


@dataclass(frozen=True, slots=True)
class PackCard:
    """What a playing card shows: signs of rank and suit, and a number of pips, 0 for a court card."""

    rank: str
    suit: str
    pips: int


def pack_of(rules: r.Rules, component: r.Component) -> tuple[str, str] | None:
    """The columns with rank and suit, if each value of one is there with each of another, and no more."""
    kinds = [
        c
        for c in component.columns.values()
        if isinstance(c.type, EnumType) and c.type.type not in PLAYERS and c.keyed_by is None
        if NONE not in c.values and len(set(c.values)) < len(component.classes)
    ]
    if component.die is not None or component.per_seat or len(kinds) != 2:
        return None
    numbers = [len(set(c.values)) for c in kinds]
    cells = set(zip(kinds[0].values, kinds[1].values, strict=True))
    if len(component.classes) != len(cells) or len(cells) != numbers[0] * numbers[1]:
        return None
    if len(cells) < FEWEST_CARDS or max(numbers) < FEWEST_RANKS or min(numbers) < 2:
        return None
    ordered = [isinstance(c.type, EnumType) and rules.types[c.type.type].ordered for c in kinds]
    rank = ordered.index(True) if ordered.count(True) == 1 else numbers.index(max(numbers))
    return kinds[rank].name, kinds[1 - rank].name


def known_suits(rules: r.Rules, component: r.Component, pack: tuple[str, str]) -> dict[str, str]:
    """The sign of the suit of each class; none if the suits of a pack have other names."""
    suit = component.columns[pack[1]]
    assert isinstance(suit.type, EnumType)
    decl = rules.types[suit.type.type]
    names = [decl.names[value - decl.lo] for value in suit.values]
    found = [SUITS.get(name) or SUITS.get(f"{name}s", "") for name in names]
    return dict(zip(component.classes, found, strict=True)) if all(found) else {}


def pack_cards(
    rules: r.Rules, component: r.Component, pack: tuple[str, str], icons: dict[str, str]
) -> dict[str, PackCard]:
    """What each class shows. `icons` stand for its suit; a class that lacks one of the two is not in it."""
    rank, suit = (component.columns[name] for name in pack)
    ranks, suits = _signs(rules, rank), _signs(rules, suit)
    return {
        name: PackCard(ranks[a], icons.get(name) or suits[b], _pips(ranks[a]))
        for name, a, b in zip(component.classes, rank.values, suit.values, strict=True)
        if a != NONE and b != NONE
    }


def _signs(rules: r.Rules, column: r.Column) -> dict[int, str]:
    """A sign for each value of a column: a number, or letters of its name."""
    if isinstance(column.type, IntType):
        return {value: str(value) for value in column.values}
    assert isinstance(column.type, EnumType)
    decl = rules.types[column.type.type]
    names = {value: decl.names[value - decl.lo] for value in sorted(set(column.values) - {NONE})}
    letters = signs([name for name in names.values() if name not in NUMBER_WORDS])
    return {
        value: str(NUMBER_WORDS.index(name)) if name in NUMBER_WORDS else letters[name]
        for value, name in names.items()
    }


def _pips(sign: str) -> int:
    number = int(sign) if sign.isdigit() else 0
    return number if number <= MOST_PIPS else 0
