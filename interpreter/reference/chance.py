"""Chance nodes: where an outcome is drawn, and the possible outcomes."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from interpreter import ir
from interpreter.ir.costs import cost_of_each
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
        return [(i, 1) for i in range(linker.linked(node.most)(s, context.registers))]
    if node.picked is not None:
        return list(_values(linker, s, node.picked))
    assert node.place is not None
    place = context.machine.places[linker.linked(node.place)(s, context.registers)]
    return [(c, n) for c in range(place.classes) if (n := s[place.base + c])]


def _values(linker: ExprLinker, s: array[int], total: ir.Fold) -> Iterator[tuple[int, int]]:
    """The possible values with their weights, in the order of their collection."""
    e, stream = linker.context.registers, linker.sources.stream(total.source, cost_of_each(total))
    where = linker.number(total.where) if total.where is not None else None
    assert total.body is not None
    weight = linker.number(total.body)
    for value, number in stream(s, e):
        e[total.reg] = value
        if (where is None or where(s, e)) and (each := weight(s, e)):
            yield value, each * number
