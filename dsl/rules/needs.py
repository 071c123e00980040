"""The needs with which a routine begins, and the parameters that they wait for."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.operators import Connective
from dsl.rules.visit import walk

Needs = dict[int, list[r.Precondition]]
"""Preconditions by the number of the last parameter that they read; -1: they read none."""


def leading_needs(routine: r.Routine) -> tuple[Needs, r.Block]:
    """The preconditions at the beginning of a block, and the rest of it."""
    order = {var: i for i, p in enumerate(routine.parameters) for var in held_by(p)}
    needs: Needs = {}
    for i, line in enumerate(routine.block):
        if not isinstance(line, r.Precondition):
            return needs, routine.block[i:]
        read = [
            order[x.var] for x in walk(line.condition) if isinstance(x, r.Read | r.HeldSet) and x.var in order
        ]
        needs.setdefault(max(read, default=-1), []).append(line)
    return needs, ()


def held_by(parameter: r.Parameter) -> tuple[r.Var, ...]:
    """The variables that hold a parameter: one, or as many as can be chosen together."""
    return (parameter.var,) if parameter.several is None else parameter.several.whole.picks


def conjuncts(condition: r.Expr) -> Iterator[r.Expr]:
    """The parts of a condition that must all hold, in the order in which they are tested."""
    return operands(condition, "and")


def operands(condition: r.Expr, op: Connective) -> Iterator[r.Expr]:
    """The parts of a chain of one connective; the condition itself, if it is none."""
    match condition:
        case r.Both(op=own, left=left, right=right) if own == op:
            yield from operands(left, op)
            yield from operands(right, op)
        case _:
            yield condition
