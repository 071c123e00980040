"""Everything that a ruleset has declared, while it is being read; and how nodes of YAML are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import ParamSpec, TypeVar

from dsl.diagnostics import Failed, Mistake, Report, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import HIGHEST_WRITTEN
from dsl.messages.names import DefinitionsInCircle, NameTaken, ReservedWord, UnknownClause, UnknownName
from dsl.messages.shapes import MissingKey, UnknownKey, WrongShape
from dsl.rules import (
    Clause,
    Component,
    Constant,
    Counter,
    Mark,
    Option,
    Pointer,
    Store,
    Table,
    TypeDecl,
    Zone,
)
from dsl.source import NOWHERE, Source, Span

P = ParamSpec("P")
T = TypeVar("T")

BUILT_IN = {
    "me": "the acting seat",
    "active": "the seat whose turn it is",
    "self": "the acting piece",
    "opponent": "the other seat",
    "opponents": "the other seats",
    "seats": "all seats",
    "seats_playing": "the number of seats",
    "next": "a function",
    "previous": "a function",
    "neighbours": "a function",
    "size": "a function",
    "pass": "the word for declining",
}
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
RANGE = re.compile(rf"({WHOLE.pattern})\.\.({WHOLE.pattern})")
MOST_DIGITS = 12


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
    broken: dict[str, Mistake] = field(default_factory=dict)
    """Names whose declaration has failed: whatever needs one of them fails with the same mistake."""
    cells: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    cell_spans: dict[tuple[str, tuple[str, ...]], Span] = field(default_factory=dict)
    pending: dict[str, Callable[[], None]] = field(default_factory=dict)
    """Types and boards that are not declared yet, for those that need one of them first."""
    begun: set[Span] = field(default_factory=set)
    lifetimes: list[tuple[Scalar, str | None]] = field(default_factory=list)
    """What `lasts` says, to be checked when the phases are known; and the `of` beside it."""
    conditions: list[Scalar] = field(default_factory=list)
    """The conditions that the flow asks, to be looked up when the values are known."""
    _owners: dict[str, list[TypeDecl]] | None = None

    # ---- mistakes

    def attempt(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Do one piece of work; a mistake in it goes to the report and the next piece follows."""
        try:
            return work(*args, **kwargs)
        except Failed as failed:
            self.report.add(failed.mistake)
            return None

    def fail(self, mistake: Mistake) -> None:
        self.report.add(mistake)

    def unknown(self, node: Scalar, what: str, known: Iterable[str], hint: str = "") -> Failed:
        """Why a name leads nowhere: its own declaration has failed, or nothing has declared it."""
        if node.text in self.broken:
            return Failed(self.broken[node.text])
        hint = did_you_mean(node.text, (k for k in known if WORD.fullmatch(k))) or hint
        return Failed(UnknownName(node.span, node.text, what, hint))

    # ---- names

    def declare(self, name: str, what: str, span: Span) -> None:
        """Take a name for one thing. Raises `Failed` if it is taken, reserved or no word."""
        self.usable(name, span)
        if name in self.names:
            taken, first = self.names[name]
            raise Failed(NameTaken(span, name, taken, first))
        self.names[name] = (what, span)

    def usable(self, name: str, span: Span) -> None:
        """Raises `Failed` if a name is no word, or a word of the language."""
        if not WORD.fullmatch(name):
            raise Failed(
                WrongShape(span, f"the name `{shortened(name)}`", "a word of letters, digits and `_`")
            )
        if self.is_reserved(name):
            raise Failed(ReservedWord(span, name))

    def is_reserved(self, name: str) -> bool:
        return name in self.reserved or name in BUILT_IN

    def owners(self, value: str) -> list[TypeDecl]:
        """The whole types that have a value of this name. To be asked when all types are declared."""
        if self._owners is None:
            self._owners = {}
            for decl in self.types.values():
                for name in decl.names if decl.base is None else ():
                    self._owners.setdefault(name, []).append(decl)
        return self._owners.get(value, [])

    def places(self, store: Store) -> int:
        """How many places a store has at most."""
        return self.index_size(store.of) * self.index_size(store.at)

    def index_size(self, index: str | None) -> int:
        if index is None:
            return 1
        return self.types[index].size if index in self.types else len(self.components[index].classes)

    def type_named(self, node: Scalar) -> TypeDecl:
        """Raises `Failed` if there is no such type, or if it needs itself."""
        if node.text not in self.types and node.text in self.pending:
            self.pending.pop(node.text)()
        if node.text not in self.types or not WORD.fullmatch(node.text):
            if self.names.get(node.text, ("",))[0] in ("a type", "a board") and node.text not in self.broken:
                raise Failed(DefinitionsInCircle(node.span, node.text, node.text, ()))
            raise self.unknown(node, "type", self.types)
        return self.types[node.text]

    # ---- clauses

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
            hint = did_you_mean(mark, self.clauses) or "list it in the rulebook file, or correct the mark"
            self.fail(UnknownClause(span, mark, hint))

    # ---- files

    def open(self, node: Scalar) -> Source:
        """The file that a node names. Raises `Failed`, with the node's place, if it cannot be read."""
        try:
            return self.open_file(node.text)
        except Failed as failed:
            raise Failed(replace(failed.mistake, span=node.span)) from None


# ---- nodes


def word(node: Node | None, where: str) -> Scalar:
    """A node that is one word or text. Raises `Failed` otherwise, as all the readers below."""
    if not isinstance(node, Scalar):
        raise Failed(WrongShape(_span(node), where, "one word"))
    return node


def words(node: Node | None, where: str) -> tuple[Scalar, ...]:
    if not isinstance(node, Sequence):
        one = isinstance(node, Scalar) and WORD.fullmatch(node.text)
        hint = f"write `[{node.text}]`" if one and isinstance(node, Scalar) else "write `[one, two]`"
        raise Failed(WrongShape(_span(node), where, "a list", hint))
    return tuple(word(item, f"an item of {where}") for item in node.items)


def mapping(node: Node | None, where: str) -> Mapping:
    if not isinstance(node, Mapping):
        raise Failed(WrongShape(_span(node), where, "a mapping of keys to values", "write `{key: value}`"))
    return node


def number(node: Node | None, where: str) -> int:
    scalar = word(node, where)
    value = whole(scalar.text)
    if value is None:
        raise Failed(WrongShape(scalar.span, where, "a whole number"))
    if abs(value) > HIGHEST_WRITTEN:
        raise Failed(WrongShape(scalar.span, where, f"within -{HIGHEST_WRITTEN}..{HIGHEST_WRITTEN}"))
    return value


def whole(text: str) -> int | None:
    """A whole number in plain digits, or nothing. What has too many digits is just very large."""
    if not WHOLE.fullmatch(text):
        return None
    return int(text[:MOST_DIGITS])


def is_range(text: str) -> bool:
    return RANGE.fullmatch(text) is not None


def interval(node: Node | None, where: str) -> tuple[int, int]:
    """`0..6`, or one number."""
    scalar = word(node, where)
    low, dots, high = scalar.text.partition("..")
    lo, hi = whole(low), whole(high if dots else low)
    if lo is None or hi is None:
        raise Failed(WrongShape(scalar.span, where, "a range like `0..6`"))
    if abs(lo) > HIGHEST_WRITTEN or abs(hi) > HIGHEST_WRITTEN:
        raise Failed(WrongShape(scalar.span, where, f"within -{HIGHEST_WRITTEN}..{HIGHEST_WRITTEN}"))
    if lo > hi:
        raise Failed(WrongShape(scalar.span, where, "a range from low to high", f"write `{hi}..{lo}`"))
    return lo, hi


def flag(node: Node | None, where: str) -> bool:
    return one_of(node, where, ("true", "false")) == "true"


def one_of(node: Node | None, where: str, allowed: tuple[str, ...]) -> str:
    scalar = word(node, where)
    if scalar.text not in allowed:
        wanted = listed([f"`{a}`" for a in allowed], "or")
        raise Failed(WrongShape(scalar.span, where, wanted, did_you_mean(scalar.text, allowed)))
    return scalar.text


def keys(world: World, node: Node | None, where: str, allowed: Iterable[str]) -> Mapping:
    """A mapping whose unknown keys are reported, each with the nearest known one."""
    found = mapping(node, where)
    known = tuple(allowed)
    for key, _ in found.pairs:
        if key.text not in known:
            hint = did_you_mean(key.text, known) or f"its keys are {listed([f'`{k}`' for k in known], 'and')}"
            world.fail(UnknownKey(key.span, shortened(key.text), where, hint))
    return found


def needed(found: Mapping, key: str, where: str) -> Node:
    node = found.get(key)
    if node is None:
        raise Failed(MissingKey(found.span.first_line(), where, f"`{key}`"))
    return node


def listed(texts: list[str], last: str) -> str:
    """`a, b and c`."""
    return f" {last} ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


def shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _span(node: Node | None) -> Span:
    return node.span.first_line() if node is not None else NOWHERE


@dataclass(frozen=True)
class Entry:
    """The keys of one declaration. `where` names it in messages: "zone `hand`".

    Each method reads one key, or gives its default if the key is not there; a method that is asked for
    what must be there raises `Failed`.
    """

    world: World
    found: Mapping
    where: str

    @property
    def span(self) -> Span:
        return self.found.span.first_line()

    def of(self, key: str) -> str:
        return f"`{key}` of {self.where}"

    def get(self, key: str) -> Node | None:
        return self.found.get(key)

    def has(self, key: str) -> bool:
        return self.found.get(key) is not None

    def needed(self, key: str) -> Node:
        return needed(self.found, key, self.where)

    def word(self, key: str) -> Scalar:
        return word(self.needed(key), self.of(key))

    def text(self, key: str) -> str | None:
        node = self.get(key)
        return word(node, self.of(key)).text if node is not None else None

    def count(self, key: str, default: int, most: int) -> int:
        """A number of things: at least one."""
        node = self.get(key)
        if node is None:
            return default
        value = number(node, self.of(key))
        if not 1 <= value <= most:
            raise Failed(WrongShape(node.span, self.of(key), f"within 1..{most}"))
        return value

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str | None:
        node = self.get(key)
        return one_of(node, self.of(key), allowed) if node is not None else None

    def words(self, key: str) -> tuple[Scalar, ...]:
        return words(self.needed(key), self.of(key))

    def marks(self) -> tuple[str, ...]:
        return self.world.clause_marks(self.get("clause"))


def entry(world: World, node: Node | None, where: str, allowed: Iterable[str]) -> Entry:
    """A declaration that is a mapping; its unknown keys are reported."""
    return Entry(world, keys(world, node, where, allowed), where)
