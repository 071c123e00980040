"""What parts of the lowering of expressions need of the whole."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from dsl import rules as r
from dsl.source import Span
from interpreter import ir

T = TypeVar("T")


class LowersExpressions(Protocol):
    """Lowers typed expressions and collections, as `expressions.Lowering` does."""

    rules: r.Rules
    seats: int
    reg: int
    env: dict[r.Var, ir.Expr | ir.Bits]

    def expr(self, node: r.Expr) -> ir.Expr:
        """A value."""

    def words(self, node: r.Expr) -> tuple[ir.Expr, ...]:
        """A value, or the words of a set."""

    def collection(self, node: r.Collection) -> ir.Source:
        """Several values."""

    def key(self, key: r.Expr | None, decl: r.TypeDecl) -> ir.Expr:
        """A value of a type; one that is only known to be a number is checked."""

    def register(self) -> AbstractContextManager[int]:
        """A register that is free for a while."""

    def numbers(self, low: int, high: int, span: Span) -> tuple[int, ...]:
        """All numbers between two, as a table."""

    def once(self, key: object, span: Span, build: Callable[[], T]) -> T:
        """What is built once for each key."""

    def covered(self, part: object, value: ir.Expr, yes: int = ..., no: int = ...) -> ir.Expr:
        """A value whose evaluation is noted."""

    def asked(self, part: object, condition: r.Expr) -> ir.Expr:
        """A condition whose outcome is noted."""

    def bind_once(self, var: r.Var, words: tuple[ir.Expr, ...], lets: list[tuple[int, ir.Expr]]) -> None:
        """Binds a variable; what is no atom is evaluated once, by one of the `lets`."""
