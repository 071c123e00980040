"""What a name means at one place of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from dsl import syntax as s
from dsl.declare.world import BUILT_IN, World
from dsl.diagnostics import Failed, did_you_mean
from dsl.domains import SEAT, Elem, Piece, Type
from dsl.messages import NameTaken, ReservedWord, UnknownName
from dsl.rules import Parameter, Var
from dsl.source import Span


class Signatures(Protocol):
    """What the definitions around a place look like from outside."""

    def value(self, name: str, span: Span) -> tuple[tuple[Var, ...], Type] | None: ...

    def routine(self, name: str) -> tuple[str, tuple[Parameter, ...]] | None: ...

    def names(self) -> tuple[str, ...]: ...


@dataclass
class Scope:
    """One place: the world, the definitions, the locals, and what is known to exist there."""

    world: World
    signatures: Signatures
    locals: dict[str, Var] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    me: Var | None = None
    free: dict[str, Var] | None = None
    in_effect: bool = False
    stopped: list[tuple[str, Span]] = field(default_factory=list)
    fixed: frozenset[str] = frozenset()
    together: bool = False
    trusting: bool = False
    """Questions may ask about what may not be there; the answer is then a fault of the asker."""

    @contextmanager
    def inner(self) -> Iterator[None]:
        """A block: names that are made in it end with it, and so does what is known."""
        before, known = dict(self.locals), self.known
        try:
            yield
        finally:
            self.locals, self.known = before, known

    @contextmanager
    def knowing(self, facts: frozenset[str]) -> Iterator[None]:
        known = self.known
        self.known = known | facts
        try:
            yield
        finally:
            self.known = known

    def bind(self, word: s.Word, kind: Type) -> Var:
        """A new name for this block. Raises `Failed` if the word is taken or reserved."""
        name = word.text
        if name in self.world.reserved or (name in BUILT_IN and name != "distinct"):
            raise Failed(ReservedWord(word.span, name))
        if name in self.locals:
            raise Failed(NameTaken(word.span, name, "a name of this block", self.locals[name].span))
        taken = self.world.names.get(name)
        if taken is not None and taken[0] not in ("a type", "a board", "a component", "an effect", "a procedure",
                                                  "an action"):  # fmt: skip
            raise Failed(NameTaken(word.span, name, taken[0], taken[1]))
        var = Var(name, kind, word.span)
        self.locals[name] = var
        self.known = frozenset(k for k in self.known if name not in k.replace(".", " ").split())
        return var

    def type_of_name(self, word: s.Word) -> Type:
        """The type that a bare name stands for: `disc` is a place, `card` a piece, `seat` a seat."""
        if word.text in self.world.types:
            return SEAT if word.text == "seat" else Elem(word.text)
        if word.text in self.world.components:
            return Piece(word.text)
        hint = did_you_mean(word.text, (*self.world.types, *self.world.components))
        raise Failed(
            UnknownName(
                word.span,
                word.text,
                "type",
                hint or "name a type, or say `x in ...` or `x from ...`",
            )
        )

    def unknown(self, name: str, span: Span, what: str = "name") -> Failed:
        world = self.world
        known = (
            *self.locals, *world.names, *self.signatures.names(), *BUILT_IN,
            *(n for t in world.types.values() for n in t.names),
        )  # fmt: skip
        return Failed(UnknownName(span, name, what, did_you_mean(name, known)))


def key_of(node: s.Expr) -> str:
    """How a place remembers that something exists: its words with single blanks."""
    return " ".join(node.span.text.split())


def facts(node: s.Expr | None, truth: bool = True) -> frozenset[str]:
    """What must exist if a condition is true (or false)."""
    match node:
        case s.Exists(operand=operand) if truth:
            return frozenset({key_of(operand)})
        case s.Compare(op="is", left=left, right=right):
            nothing = isinstance(right, s.Constant) and right.value == "none"
            return frozenset({key_of(left)}) if truth != nothing else frozenset()
        case s.Compare(op="is not", left=left, right=s.Constant(value="none")):
            return frozenset({key_of(left)}) if truth else frozenset()
        case s.IsEmpty(operand=operand, negated=negated):
            return frozenset({key_of(operand)}) if truth == negated else frozenset()
        case s.Not(operand=operand):
            return facts(operand, not truth)
        case s.Logic(op=op, left=left, right=right):
            if (op == "and") == truth:
                return facts(left, truth) | facts(right, truth)
    return frozenset()
