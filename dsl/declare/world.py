"""Everything that a ruleset has declared, while it is being read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from dsl.diagnostics import Failed, Mistake, Report, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import Type
from dsl.messages import (
    MissingKey,
    NameTaken,
    ReservedWord,
    UnknownClause,
    UnknownKey,
    UnknownName,
    WrongShape,
)
from dsl.rules import (
    Clause,
    Component,
    Constant,
    Counter,
    Mark,
    Option,
    Pointer,
    Table,
    TypeDecl,
    Zone,
)
from dsl.source import NOWHERE, Source, Span

BUILT_IN = {
    "me": "the acting seat", "active": "the seat whose turn it is", "self": "the acting piece",
    "opponent": "the other seat", "opponents": "the other seats", "seats": "all seats",
    "seats_playing": "the number of seats", "next": "a function", "previous": "a function",
    "neighbours": "a function", "size": "a function", "distinct": "a function",
    "pass": "the word for declining",
}  # fmt: skip


@dataclass
class World:
    """Declarations by name, the report they go to, and how to read a file beside `game.yaml`."""

    report: Report
    reserved: frozenset[str]
    open_file: Callable[[str], Source]
    span: Span = NOWHERE
    seats: tuple[int, int] = (2, 2)
    types: dict[str, TypeDecl] = field(default_factory=dict)
    components: dict[str, Component] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    counters: dict[str, Counter] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    pointers: dict[str, Pointer] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    options: dict[str, Option] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)
    clauses: dict[str, Clause] | None = None
    names: dict[str, tuple[str, Span]] = field(default_factory=dict)
    cells: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    cell_spans: dict[tuple[str, tuple[str, ...]], Span] = field(default_factory=dict)

    def attempt(self, work: Callable[[], None]) -> None:
        """Do one piece of work; a mistake in it goes to the report and the next piece follows."""
        try:
            work()
        except Failed as failed:
            self.report.add(failed.mistake)

    def fail(self, mistake: Mistake) -> None:
        self.report.add(mistake)

    def declare(self, name: str, what: str, span: Span) -> None:
        """Take a name for one thing. Raises `Failed` if it is taken, reserved or no word."""
        if not name.isidentifier() or not name.isascii():
            raise Failed(WrongShape(span, f"the name `{name}`", "a word of letters, digits and `_`"))
        if name in self.reserved or name in BUILT_IN:
            raise Failed(ReservedWord(span, name))
        if name in self.names:
            taken, first = self.names[name]
            raise Failed(NameTaken(span, name, taken, first))
        self.names[name] = (what, span)

    def clause_marks(self, node: Node | None) -> tuple[str, ...]:
        """The `§` marks of a `clause:` key."""
        if node is None:
            return ()
        marks = tuple(word(node, "`clause`").text.split())
        for mark in marks:
            self.cite(mark, node.span)
        return marks

    def cite(self, mark: str, span: Span) -> None:
        if not mark.startswith("§"):
            self.fail(WrongShape(span, "a clause mark", "like `§4.3`"))
        elif self.clauses is not None and mark not in self.clauses:
            self.fail(UnknownClause(span, mark, did_you_mean(mark, self.clauses)))

    def type_named(self, node: Scalar) -> TypeDecl:
        if node.text not in self.types:
            hint = did_you_mean(node.text, self.types)
            raise Failed(UnknownName(node.span, node.text, "type", hint))
        return self.types[node.text]


def word(node: Node | None, where: str) -> Scalar:
    if not isinstance(node, Scalar):
        raise Failed(WrongShape(node.span if node else NOWHERE, where, "one word"))
    return node


def words(node: Node, where: str) -> tuple[Scalar, ...]:
    if not isinstance(node, Sequence):
        raise Failed(WrongShape(node.span, where, "a list", "write `[one, two]`"))
    return tuple(word(item, f"an item of {where}") for item in node.items)


def mapping(node: Node | None, where: str) -> Mapping:
    if not isinstance(node, Mapping):
        raise Failed(WrongShape(node.span if node else NOWHERE, where, "a mapping of keys to values"))
    return node


def number(node: Node | None, where: str) -> int:
    scalar = word(node, where)
    try:
        value = int(scalar.text)
    except ValueError:
        raise Failed(WrongShape(scalar.span, where, "a whole number")) from None
    if not -(2**30) <= value <= 2**30:
        raise Failed(WrongShape(scalar.span, where, "a number between -2^30 and 2^30"))
    return value


def is_range(text: str) -> bool:
    low, dots, high = text.partition("..")
    return bool(dots) and low.lstrip("-").isdigit() and high.lstrip("-").isdigit()


def interval(node: Node | None, where: str) -> tuple[int, int]:
    """`0..6`, or one number."""
    scalar = word(node, where)
    text = scalar.text
    low, dots, high = text.partition("..")
    try:
        lo, hi = int(low), int(high if dots else low)
    except ValueError:
        raise Failed(WrongShape(scalar.span, where, "a range like `0..6`")) from None
    if lo > hi or not -(2**30) <= lo <= hi <= 2**30:
        raise Failed(WrongShape(scalar.span, where, "a range from low to high, within 2^30"))
    return lo, hi


def flag(node: Node | None, where: str) -> bool:
    scalar = word(node, where)
    if scalar.text not in ("true", "false"):
        raise Failed(WrongShape(scalar.span, where, "`true` or `false`"))
    return scalar.text == "true"


def keys(world: World, node: Node | None, where: str, allowed: Iterable[str]) -> Mapping:
    """A mapping whose unknown keys are reported, each with the nearest known one."""
    found = mapping(node, where)
    known = tuple(allowed)
    for key, _ in found.pairs:
        if key.text not in known:
            hint = did_you_mean(key.text, known) or f"its keys are {', '.join(f'`{k}`' for k in known)}"
            world.fail(UnknownKey(key.span, key.text, where, hint))
    return found


def needed(found: Mapping, key: str, where: str) -> Node:
    node = found.get(key)
    if node is None:
        raise Failed(MissingKey(found.span, where, key))
    return node


def one_of(node: Node | None, where: str, allowed: tuple[str, ...]) -> str:
    scalar = word(node, where)
    if scalar.text not in allowed:
        hint = did_you_mean(scalar.text, allowed)
        wanted = "one of " + ", ".join(f"`{a}`" for a in allowed)
        raise Failed(WrongShape(scalar.span, where, wanted, hint))
    return scalar.text
