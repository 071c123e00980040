"""What surrounds the rules: the game as a whole, clauses, words that people read, findings allowed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from dsl.declare.enumerations import LETTERS
from dsl.rules import Allowed, Clause, Rules
from validators.diff.changes import Fact
from validators.diff.kinds import Facet, Kind, said
from validators.diff.names import apart
from validators.diff.sides import Side

# ---- the game


def _game(side: Side, rules: Rules) -> Iterator[Facet]:
    low, high = rules.seats
    yield said("name", rules.name)
    yield said("title", rules.title)
    yield said("seats", f"{low}" if low == high else f"{low}..{high}")
    names = rules.types["seat"].names
    yield said("seats are called", ", ".join(names) if "".join(names) != LETTERS[: len(names)] else "")
    yield said("longest", rules.longest)


def _orders(old: Side, a: Rules, new: Side, b: Rules) -> Iterator[Fact]:
    """The order of tie-breaks, as far as the same are there."""
    before = [apart(old.names, "tiebreak", s.name) for s in a.scores if s.kind == "tiebreak"]
    now = [s.name for s in b.scores if s.kind == "tiebreak"]
    stay = [[n for n in names if n in before and n in now] for names in (before, now)]
    if stay[0] != stay[1]:
        yield Fact("order of tie-breaks", ", ".join(stay[0]), ", ".join(stay[1]))


GAME = Kind(
    "game",
    lambda *_: "game",
    lambda rules: {"": rules},
    _game,
    both=_orders,
    clauses=lambda side, rules: rules.types["seat"].clauses,
    called=lambda key, rules: rules.name,
    named=False,
)

# ---- clauses

APART = ("id", "span")


def _clause(side: Side, clause: Clause) -> Iterator[Facet]:
    """Everything that the rulebook file says of a clause."""
    for field in fields(clause):
        if field.name not in APART:
            value = getattr(clause, field.name)
            yield said(field.name, _words(value))


def _words(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_words(item)}" for key, item in value.items())
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


CLAUSES = Kind(
    "clauses",
    lambda *_: "clause",
    lambda rules: rules.clauses,
    _clause,
    clauses=lambda side, clause: (clause.id,),
    named=False,
)

# ---- words


def _label(side: Side, texts: tuple[str, str]) -> Iterator[Facet]:
    label, help_ = texts
    yield said("label", label)
    yield said("help", help_)


def _texts(rules: Rules) -> dict[str, tuple[str, str]]:
    names = dict.fromkeys((*rules.labels, *rules.helps))
    return {name: (rules.labels.get(name, ""), rules.helps.get(name, "")) for name in names}


LABELS = Kind(
    "words",
    lambda *_: "label",
    _texts,
    _label,
    span=lambda texts: None,
    today=lambda side, name: side.names.word(name),
    named=False,
    renames=False,
)

# ---- findings that are allowed


def _allowed(side: Side, allowed: Allowed) -> Iterator[Facet]:
    yield said("why", allowed.why)


ALLOWED = Kind(
    "findings",
    lambda *_: "allow",
    lambda rules: {f"{one.code} {one.about}": one for one in rules.allowed},
    _allowed,
    named=False,
)
