"""Where expressions and collections stand in the rules: those of a machine have no place of their own."""

from __future__ import annotations

from typing import Protocol

from dsl import rules as r
from dsl.source import Span
from interpreter import ir
from interpreter.compile.expressions import ATOMS
from interpreter.compile.layout import Layout
from interpreter.compile.statements import Statements


class Places(Protocol):
    """What keeps the places of expressions."""

    def note(self, part: object, span: Span) -> None:
        """A part stands at a place. The places of the parts within it are noted before."""


class LocatedStatements(Statements):
    """The same lowering, which notes where each expression stands.

    What is only read, such as the acting seat, is shared by many expressions, and costs next to nothing.
    """

    def __init__(
        self, rules: r.Rules, seats: int, options: dict[str, int], layout: Layout, places: Places
    ) -> None:
        super().__init__(rules, seats, options, layout)
        self.places = places

    def raw(self, node: r.Expr) -> ir.Expr:
        found = super().raw(node)
        if not isinstance(found, ATOMS):
            self.places.note(found, node.span)
        return found

    def collection(self, node: r.Collection) -> ir.Source:
        found = super().collection(node)
        self.places.note(found, node.span)
        return found
