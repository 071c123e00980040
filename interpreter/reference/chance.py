"""Chance nodes: where an outcome is drawn, and the possible outcomes."""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.reference.closures import NodeFn
from interpreter.reference.codes import CHANCE, OK
from interpreter.reference.context import RunContext
from interpreter.reference.expressions import ExprLinker


def chance_stop(context: RunContext, number: int) -> NodeFn:
    """The closure of a chance node. A trial that reaches it has succeeded."""

    def run(s: array[int]) -> int:
        if context.trial:
            return OK
        s[ir.PC] = number
        return CHANCE

    return run


def outcomes(linker: ExprLinker, s: array[int], node: ir.Chance) -> list[tuple[int, int]]:
    """The outcomes of a chance node with their weights."""
    context = linker.context
    if node.faces is not None:
        return [(face, 1) for face in range(node.faces)]
    if node.most is not None:
        return [(i, 1) for i in range(linker.number(node.most)(s, context.registers))]
    assert node.place is not None
    place = context.machine.places[linker.number(node.place)(s, context.registers)]
    return [(c, n) for c in range(place.classes) if (n := s[place.base + c])]
