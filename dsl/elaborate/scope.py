"""Scopes: what a name means at a place of the rules, and which facts hold there (flow typing)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from dsl import syntax as s
from dsl.declare.symbol_table import BUILT_IN, SymbolTable
from dsl.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from dsl.domains import SEAT, EnumType, PieceType, Type
from dsl.messages.names import NameTaken, ReservedWord, UnknownName
from dsl.rules import Collection, Expr, InZone, NamedCollection, Parameter, PickOf, Read, SlotPiece, Var
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

    def routine(self, name: str) -> Signature | None: ...

    def names(self) -> tuple[str, ...]: ...

    def reads(self, name: str) -> frozenset[str]: ...


@dataclass
class Scope:
    """A place of the rules: symbols, definitions, locals, and the facts that are known to hold.

    `known` holds what is known to exist, by its text, and what is known to be another value. `broken` are
    locals whose own statement has failed: using one fails with the same diagnostic. `open_types` collects
    the types that the header of a trigger leaves open. `effect` is the name of the effect around the place.
    """

    symbols: SymbolTable
    signatures: Signatures
    locals: dict[str, Var] = field(default_factory=dict)
    broken: dict[str, Diagnostic] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    me: Var | None = None
    open_types: dict[str, Var] | None = None
    effect: str | None = None
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
        known = self.known
        self.known = known | facts
        try:
            yield
        finally:
            self.known &= known

    def learn(self, facts: frozenset[str]) -> None:
        self.known |= facts

    def forget(self, names: Iterable[str]) -> None:
        """Drop the facts and origins that depend on any of these names, because they have been written."""
        gone = set(names)
        for name in gone & self.locals.keys():
            self.origins.pop(self.locals[name], None)
        self.known = frozenset(fact for fact in self.known if gone.isdisjoint(self._read_by(fact)))

    def _read_by(self, fact: str) -> set[str]:
        """The names on which a fact depends: its words, and what the values among them read."""
        words = set(re.findall(r"\w+", fact))
        return words.union(*(self.signatures.reads(word) for word in words - self.locals.keys()))

    def forget_about(self, name: str) -> None:
        """Drop the facts about a name whose referent has changed, except that it exists."""
        there = self.known & {name}
        self.known = frozenset(fact for fact in self.known if name not in re.findall(r"\w+", fact)) | there

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
        self.locals[name] = var
        self.broken.pop(name, None)
        self.forget([name])
        return var

    def type_of_name(self, word: s.Word) -> Type:
        """The type that a bare name stands for: `disc` is a place, `card` a piece, `seat` a seat."""
        if word.text in self.symbols.types:
            return SEAT if word.text == "seat" else EnumType(word.text)
        if word.text in self.symbols.components:
            return PieceType(word.text)
        known = (*self.symbols.types, *self.symbols.components)
        hint = did_you_mean(word.text, (n for n in known if " " not in n))
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
        values = (n for t in symbols.types.values() for n in t.names)
        known = (*self.locals, *symbols.names, *self.signatures.names(), *BUILT_IN, *values)
        return DiagnosticError(UnknownName(span, name, what, did_you_mean(name, known) or hint))


def address_parts(node: s.Expr) -> tuple[s.Expr, s.Expr | None, s.Expr | None]:
    """Head, `of` and `at` of an address; another expression is a head alone."""
    return (node.head, node.of, node.at) if isinstance(node, s.Address) else (node, None, None)


def key_of(node: s.Node) -> str:
    """The fact that an expression exists: its text with single blanks."""
    return " ".join(node.span.text.split())


def other_than(left: str, right: str) -> str:
    """The fact that an expression is not a certain value."""
    return f"{left} is not {right}"


def facts(node: s.Expr | None, truth: bool = True) -> frozenset[str]:
    """The facts that follow from a condition being true, or false."""
    match node:
        case s.Exists(operand=operand) if truth:
            return frozenset({key_of(operand)})
        case s.Compare(op="is", left=left, right=right):
            nothing = isinstance(right, s.Constant) and right.value == "none"
            if truth or nothing:
                return frozenset({key_of(left)}) if truth != nothing else frozenset()
            return frozenset({other_than(key_of(left), key_of(right))})
        case s.Compare(op="is not", left=left, right=s.Constant(value="none")):
            return frozenset({key_of(left)}) if truth else frozenset()
        case s.Compare(op="is not", left=left, right=right) if truth:
            return frozenset({other_than(key_of(left), key_of(right))})
        case s.IsEmpty(operand=operand, negated=negated):
            return frozenset({key_of(operand)}) if truth == negated else frozenset()
        case s.Not(operand=operand):
            return facts(operand, not truth)
        case s.Logic(op=op, left=left, right=right):
            if (op == "and") == truth:
                return facts(left, truth) | facts(right, truth)
    return frozenset()


def zones_of(collection: Collection) -> frozenset[str] | None:
    """The zones that a collection of pieces comes from; none if it may be any zone."""
    parts = list(sources(collection))
    zones = frozenset(part.zone for part in parts if isinstance(part, InZone))
    return zones if all(isinstance(part, InZone) for part in parts) else None
