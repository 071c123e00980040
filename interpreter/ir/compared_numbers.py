"""Comparisons of a number with known ones: one for each number, outside the names that it is made of.

`let n = row(x)`, then `n is 5 or n > 5`, asks whether `row(x) >= 5`.
"""

from __future__ import annotations

from itertools import product

from dsl.domains import NONE
from interpreter.ir.expressions import Const, Let, Op, Reg
from interpreter.ir.fold import calculate
from interpreter.ir.operators import NEGATED, is_comparison
from interpreter.ir.program import Machine
from interpreter.ir.visit import Part, inside_out, mapped, reads_register


def numbers_compared_once(mc: Machine) -> Machine:
    """The same machine with comparisons of the same number joined."""
    change = inside_out(_changed)
    return mc.with_nodes(mapped(node, change) for node in mc.nodes)


def _changed(part: Part) -> Part:
    match part:
        case Op(op="and" | "or"):
            return joined(part)
        case Let(reg=reg, value=value, body=Op(op=op, left=left, right=Const() as known)):
            if is_comparison(op) and reads_register(left, reg):
                return Op(op, value if left == Reg(reg) else Let(reg, value, left), known)
    return part


def joined(e: Op) -> Op:
    """One comparison that says the same as two of the same number, if there is one."""
    match e.left, e.right:
        case Op(op=first, left=x, right=Const(value=c)), Op(op=second, left=y, right=Const(value=d)):
            if x != y or NONE in (c, d) or not is_comparison(first) or not is_comparison(second):
                return e
            near = (c - 1, c, c + 1, d - 1, d, d + 1)
            holds = {v: calculate(e.op, calculate(first, v, c), calculate(second, v, d)) for v in near}
            for op, known in product(NEGATED, (c, d)):
                if all(calculate(op, v, known) == expected for v, expected in holds.items()):
                    return Op(op, x, Const(known))
    return e
