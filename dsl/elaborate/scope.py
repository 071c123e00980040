"""Scopes: what a name means at a place of the rules, and which facts hold there (flow typing)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from dsl import syntax as s
from dsl.declare.enumerations import called
from dsl.declare.symbol_table import BUILT_IN, SymbolTable
from dsl.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from dsl.domains import SEAT, EnumType, PieceType, Type
from dsl.elaborate.presence import Cause, Pointers, facts, implied
from dsl.index.symbols import declared
from dsl.messages.names import NameTaken, ReservedWord, UnknownName
from dsl.rules import (
    Collection,
    Expr,
    InZone,
    NamedCollection,
    Parameter,
    Picked,
    PickOf,
    Read,
    SlotPiece,
    Var,
)
from dsl.rules.visit import sources
from dsl.source import Span

SHAREABLE = frozenset({"a type", "a board", "a component", "an effect", "a procedure", "an action"})
"""The kinds of declarations whose names a local may shadow, such as a parameter `card` of type `card`."""

Signature = tuple[str, tuple[Parameter, ...]]
"""The kind of a routine, and its parameters."""


class Signatures(Protocol):
    """The values and routines that a scope can refer to."""

    def value(self, name: str, span: Span) -> tuple[tuple[Var, ...], Type] | None: ...

    def collection(self, name: str, span: Span) -> NamedCollection | None: ...

    def routine(self, name: str, tried: Span | None = None) -> Signature | None: ...

    def names(self) -> tuple[str, ...]: ...

    def reads(self, name: str) -> frozenset[str]: ...

    def condition(self, name: str) -> s.Value | None:
        """The definition of a value that is one expression and is not modified; none for other names."""

    def presence(self, name: str) -> Pointers | None:
        """The pointers that must never be none for a value to exist; none if it may be none all the same."""


GROUPS = {
    "seats": "all seats; their number is `seats_playing`",
    "opponents": "the other seats; their number is `size(opponents)`",
}
"""Collections of seats, which some take for one seat or a number."""
OTHERWISE = {
    "pass": "no action: `may do` and `may keep doing` offer to pass",
    **dict.fromkeys(("player", "players"), "use `seat`, `me` for who acts, or `seats` for all"),
    **dict.fromkeys(("top", "bottom"), "`move 1 from top of deck to hand`, or as a value `top(pile)`"),
    "partners": "declare who plays with whom: `teams: {first: [A, C], second: [B, D]}`",
    **dict.fromkeys(("turn", "current"), "use `me` for who acts, or `active` for whose turn it is"),
}
"""Words that the language has no name for, with what says the same."""
DECLARE = "declare it in `game.yaml`, define it as a `value`, or bind it with `let`, a loop or a choice"


@dataclass
class Scope:
    """A place of the rules: symbols, definitions, locals, and the facts that are known to hold.

    `known` holds what is tested to exist, by its text, and what is tested to be another value; `present` what
    exists without a test of its own, each with the pointers that must never be none for that. `broken` are
    locals whose own statement has failed: using one fails with the same diagnostic. `open_types` collects
    the types that the header of a trigger leaves open. `effect` is the name of the effect around the place.
    """

    symbols: SymbolTable
    signatures: Signatures
    locals: dict[str, Var] = field(default_factory=dict)
    broken: dict[str, Diagnostic] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    present: dict[str, Pointers] = field(default_factory=dict)
    lost: dict[str, tuple[Cause, str]] = field(default_factory=dict)
    """The facts that do not hold any more, each with why, and the name that has been written."""
    me: Var | None = None
    open_types: dict[str, Var] | None = None
    effect: str | None = None
    picked: dict[Var, Picked] = field(default_factory=dict)
    """What the names of chosen sets stand for."""
    origins: dict[Var, Collection] = field(default_factory=dict)
    """The collections that the pieces of locals come from, where that is known."""
    assume_present: bool = False
    """Questions of scenarios may read what may be none; if it is, evaluating the question fails."""

    # ---- blocks

    @contextmanager
    def inner(self) -> Iterator[None]:
        """A block: its names and the facts learned in it end with it."""
        before, broken, origins = dict(self.locals), dict(self.broken), dict(self.origins)
        with self.assuming(frozenset()):
            try:
                yield
            finally:
                self.locals, self.broken = before, broken
                self.origins = {
                    var: collection
                    for var, collection in origins.items()
                    if self.origins.get(var) is collection
                }

    @contextmanager
    def assuming(self, facts: frozenset[str]) -> Iterator[None]:
        """A part of the text in which more facts hold. Those that it invalidates do not hold after it."""
        known, present, lost = self.known, self.present, self.lost
        self.known, self.present = known | facts, dict(present)
        try:
            yield
        finally:
            held = lost.keys() | known | present.keys()
            self.lost = {fact: why for fact, why in self.lost.items() if fact in held}
            self.known &= known
            self.present = {fact: on for fact, on in present.items() if self.present.get(fact) == on}

    @contextmanager
    def given(self, condition: s.Expr | None, truth: bool = True) -> Iterator[None]:
        """A part of the text in which a condition is true, or false."""
        more = implied(self, condition, truth)
        with self.assuming(facts(condition, truth)):
            self.add_present(more)
            yield

    def learn(self, facts: frozenset[str]) -> None:
        self.known |= facts

    def learn_given(self, condition: s.Expr | None, truth: bool = True) -> None:
        """From here on a condition is true, or false."""
        self.learn(facts(condition, truth))
        self.add_present(implied(self, condition, truth))

    def add_present(self, facts: Iterable[str], on: Pointers = frozenset()) -> None:
        """From here on facts hold, if some pointers are never none."""
        self.present = self.present | dict.fromkeys(facts, on)

    def forget(self, names: Iterable[str], cause: Cause | None = "changed") -> None:
        """Drop the facts and origins that depend on any of these names, because they have been written.

        `cause` is what is remembered of it; nothing for a name that now means something else.
        """
        gone = set(names)
        for name in filter(self.locals.__contains__, gone):
            self.origins.pop(self.locals[name], None)
        before = self.known | self.present.keys()
        self.known = frozenset(fact for fact in self.known if gone.isdisjoint(self._read_by(fact)))
        state = {name for name in gone if name not in self.locals}
        self.present = {
            fact: on
            for fact, on in self.present.items()
            if gone.isdisjoint(re.findall(r"\w+", fact)) and state.isdisjoint(self._read_by(fact))
        }
        if cause is not None:
            dropped = sorted(before - self.known - self.present.keys())
            self._lose({fact: (cause, min(gone & self._read_by(fact))) for fact in dropped})

    def _lose(self, facts: dict[str, tuple[Cause, str]]) -> None:
        self.lost = self.lost | facts

    def _read_by(self, fact: str) -> set[str]:
        """The names on which a fact depends: its words, and what the values among them read."""
        words = set(re.findall(r"\w+", fact))
        return words.union(*(self.signatures.reads(word) for word in words if word not in self.locals))

    def forget_about(self, name: str, cause: Cause = "changed") -> None:
        """Drop the facts about a name whose referent has changed, except that it exists."""
        about = (f for f in self.known | self.present.keys() if f != name and name in re.findall(r"\w+", f))
        self._lose(dict.fromkeys(about, (cause, name)))
        there = self.known & {name}
        self.known = frozenset(fact for fact in self.known if name not in re.findall(r"\w+", fact)) | there
        self.present = {
            fact: on
            for fact, on in self.present.items()
            if fact == name or name not in re.findall(r"\w+", fact)
        }

    # ---- where pieces lie

    def origin(self, piece: Expr) -> Collection | None:
        """The collection that a piece comes from, or none if that is not known."""
        match piece:
            case Read(var=var):
                return self.origins.get(var)
            case SlotPiece(zone=zone):
                return zone
            case PickOf(binder=binder):
                return binder.collection
        return None

    # ---- names

    def bind(self, word: s.Word, kind: Type) -> Var:
        """A new name for this block. Raises `DiagnosticError` if the word is taken or reserved."""
        name = word.text
        if self.symbols.is_reserved(name):
            raise DiagnosticError(ReservedWord(word.span, name))
        if name in self.locals:
            raise DiagnosticError(NameTaken(word.span, name, "a name of this block", self.locals[name].span))
        what, first = self.symbols.names.get(name, ("a type", word.span))
        if what not in SHAREABLE:
            raise DiagnosticError(NameTaken(word.span, name, what, first))
        var = Var(name, kind, word.span)
        self.symbols.resolve(word.span, self.symbols.local(var))
        self.symbols.local_types[word.span] = kind
        self.locals[name] = var
        self.broken.pop(name, None)
        self.forget([name], None)
        return var

    def type_of_name(self, word: s.Word) -> Type:
        """The type that a bare name stands for: `disc` is a place, `card` a piece, `seat` a seat."""
        self.symbols.resolve(word.span, declared(word.text))
        if word.text in self.symbols.types:
            return SEAT if word.text == "seat" else EnumType(word.text)
        if word.text in self.symbols.components:
            return PieceType(word.text)
        known = (*self.symbols.types, *self.symbols.components)
        hint = did_you_mean(word.text, (n for n in known if " " not in n))
        if (what := self.symbols.names.get(word.text)) is not None:
            hint = f"it is {what[0]}: name its elements, as in `x in {word.text}`"
        raise DiagnosticError(
            UnknownName(
                word.span, word.text, "type", hint or "name a type, or write `x in ...` or `x from ...`"
            )
        )

    def unknown(self, name: str, span: Span, what: str = "name", hint: str = "") -> DiagnosticError:
        """The error of an unknown name, or that of the statement that should have bound it."""
        if name in self.broken:
            return DiagnosticError(self.broken[name])
        symbols = self.symbols
        if (cause := symbols.cause(name)) is not None:
            return DiagnosticError(cause)
        values = (n for t in symbols.types.values() for n in t.names)
        known = (*self.locals, *symbols.names, *self.signatures.names(), *BUILT_IN, *values)
        named = next(filter(None, (called(t, name) for t in symbols.types.values())), "")
        named = named or self._known_otherwise(name)
        others = (other for other in known if other != name)
        help = named or did_you_mean(name, others) or hint or DECLARE
        return DiagnosticError(UnknownName(span, name, what, help))

    def _known_otherwise(self, name: str) -> str:
        """A hint for a name that means something, but not in this place."""
        if name == "opponent":
            return "`opponent` stands alone: the other seat of two; a neighbour of a seat is `next(seat)`"
        if name in GROUPS:
            return f"`{name}` are {GROUPS[name]}"
        if name in OTHERWISE:
            return OTHERWISE[name]
        what, _ = self.symbols.names.get(name, ("", None))
        decl = self.symbols.types.get(name)
        if decl is not None and decl.names:
            first = f"`{decl.names[0]}`"
            search = f"or search: `first(x in {name} where ...)`"
            return f"`{name}` is {what}; name one of its values, such as {first}, {search}"
        return f"`{name}` is {what}" if what else ""


def address_parts(node: s.Expr) -> tuple[s.Expr, s.Expr | None, s.Expr | None]:
    """Head, `of` and `at` of an address; another expression is a head alone."""
    return (node.head, node.of, node.at) if isinstance(node, s.Address) else (node, None, None)


def zones_of(collection: Collection) -> frozenset[str] | None:
    """The zones that a collection of pieces comes from; none if it may be any zone."""
    parts = list(sources(collection))
    zones = frozenset(part.zone for part in parts if isinstance(part, InZone))
    return zones if all(isinstance(part, InZone) for part in parts) else None
