"""Chance: what the world may choose."""

from __future__ import annotations

from array import array

from interpreter import machine as m
from interpreter.reference.closures import NodeFn
from interpreter.reference.codes import CHANCE, OK
from interpreter.reference.context import Context
from interpreter.reference.expressions import ExprLinker


class Chance:
    """Stops at chance nodes and lists their outcomes."""

    def __init__(self, context: Context, linker: ExprLinker) -> None:
        self.context, self.linker = context, linker

    def stop(self, number: int) -> NodeFn:
        """The node. A trial has succeeded when it comes to chance."""
        context = self.context

        def run(s: array[int]) -> int:
            if context.trial:
                return OK
            s[m.PC] = number
            return CHANCE

        return run

    def outcomes(self, s: array[int], node: m.Chance) -> list[tuple[int, int]]:
        """The outcomes of a node with their weights."""
        context = self.context
        if node.faces is not None:
            return [(face, 1) for face in range(node.faces)]
        if node.most is not None:
            return [(i, 1) for i in range(self.linker.number(node.most)(s, context.registers))]
        assert node.place is not None
        at = self.linker.number(node.place)(s, context.registers)
        place = context.machine.places[at]
        return [(c, n) for c in range(context.classes_of[at]) if (n := s[place.base + c])]
