"""The interface of the lowering of expressions, for the modules that it is divided into."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from dsl import rules as r
from dsl.domains import Type
from dsl.source import Span
from interpreter import ir
from interpreter.compile.layout import Layout

T = TypeVar("T")


class LowersExpressions(Protocol):
    """Lowers typed expressions and collections, as `expressions.Lowering` does."""

    rules: r.Rules
    seats: int
    options: dict[str, int]
    layout: Layout
    me: ir.Expr
    reg: int
    env: dict[r.Var, ir.Expr | ir.Bits]

    def expr(self, node: r.Expr) -> ir.Expr:
        """A value."""

    def if_any(self, node: r.Expr | None) -> ir.Expr | None:
        """A value, if there is an expression."""

    def words(self, node: r.Expr) -> tuple[ir.Expr, ...]:
        """A value, or the words of a set."""

    def collection(self, node: r.Collection) -> ir.Source:
        """Several values."""

    def candidates(self, binder: r.Binder) -> tuple[ir.Source, int, ir.Expr | None]:
        """The collection of a binder, the register of its variable, and its condition."""

    def members(self, decl: str) -> tuple[int, ...]:
        """The values of a type that exist with this number of seats."""

    def classes(self, kind: Type) -> int:
        """How many classes the pieces of a type have."""

    def index(self, index: r.Expr, declared: str) -> ir.Expr:
        """An index of a declared type; a piece is the index of its class."""

    def key(self, key: r.Expr | None, decl: r.TypeDecl) -> ir.Expr:
        """A value of a type; one that is only known to be a number is checked."""

    def register(self) -> AbstractContextManager[int]:
        """A register that is free for a while."""

    def bound(self, var: r.Var, value: ir.Expr) -> AbstractContextManager[None]:
        """Bind a variable for a while."""

    def numbers(self, low: int, high: int, span: Span) -> tuple[int, ...]:
        """All numbers between two, as a table."""

    def once(self, key: object, span: Span, build: Callable[[], T]) -> T:
        """What is built once for each key."""

    def covered(self, part: object, value: ir.Expr, yes: int = ..., no: int = ...) -> ir.Expr:
        """A value whose evaluation is noted."""

    def asked(self, part: object, condition: r.Expr) -> ir.Expr:
        """A condition whose outcome is noted."""

    def bind_once(self, var: r.Var, words: tuple[ir.Expr, ...], lets: list[tuple[int, ir.Expr]]) -> None:
        """Bind a variable; what is not an atom is evaluated once, by one of the `lets`."""
