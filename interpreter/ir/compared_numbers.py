"""Comparisons of a number with known ones: one for each number, outside the names that it is made of.

`let n = row(x)`, then `n is 5 or n > 5`, asks whether `row(x) >= 5`. Where there are two seats, `stone at x
exists and stone at x is not me` asks for the other one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product

from dsl.domains import NONE
from interpreter.ir.expressions import Const, Expr, Let, Load, Op, Pick, Reg
from interpreter.ir.flood_rules import values_of
from interpreter.ir.fold import calculate, operation
from interpreter.ir.operators import NEGATED, Comparison, is_comparison
from interpreter.ir.program import Machine
from interpreter.ir.visit import Part, inside_out, mapped, reads_register


def numbers_compared_once(mc: Machine) -> Machine:
    """The same machine with comparisons of the same number joined."""
    change = inside_out(partial(_changed, mc))
    return mc.with_nodes(mapped(node, change) for node in mc.nodes)


def _changed(mc: Machine, part: Part) -> Part:
    match part:
        case Op(op="and" | "or"):
            return the_other(mc, joined(part))
        case Let(reg=reg, value=value, body=Op(op=op, left=left, right=Const() as known)):
            if is_comparison(op) and reads_register(left, reg):
                return Op(op, value if left == Reg(reg) else Let(reg, value, left), known)
    return part


def the_other(mc: Machine, e: Op) -> Op:
    """Of what points to one of two, such as seats, or to none: neither none nor the one is the other."""
    op: Comparison = "==" if e.op == "and" else "!="
    for pair in ((e.left, _checked_behind(e.right)), (e.right, e.left)):
        match pair:
            case (
                Op(op=first, left=Load(address=address) as load, right=Const(value=value)),
                Op(op=second, left=other, right=one),
            ) if first == second == NEGATED[op] and load == other and value == NONE:
                words, values = mc.words_at(address.base), values_of(mc, one, {})
                if words is None or values is None or not values <= {0, 1}:
                    return e
                if words.kind == "pointer" and words.ranges == ((0, 1),):
                    return Op(op, load, operation("-", Const(1), one))
    return e


def _checked_behind(e: Expr) -> Expr:
    """A comparison of one of two without a check that it is one of them, as it is not none."""
    match e:
        case Op(left=Pick(table=(0, 1), index=index, lo=0)):
            return replace(e, left=index)
    return e


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
