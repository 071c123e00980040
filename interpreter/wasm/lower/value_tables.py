"""Expressions that depend on one register alone: what they are for each of its values."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.domains import NONE
from dsl.operators import Connective
from interpreter import ir
from interpreter.ir.operators import Operator
from interpreter.wasm.lower import const_eval
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Constant, Range


def tabular(fx: FunctionContext, node: ir.Expr, reg: int) -> bool:
    """Whether an expression reads nothing but a register and what is known."""
    match node:
        case ir.Const():
            return True
        case ir.Reg(index=index):
            return index == reg or isinstance(fx.regs.get(index), Constant)
        case ir.Op(left=left, right=right):
            return tabular(fx, left, reg) and tabular(fx, right, reg)
        case ir.Not(operand=operand):
            return tabular(fx, operand, reg)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return all(tabular(fx, x, reg) for x in (condition, then, otherwise))
        case ir.Pick(index=index_) | ir.Size(source=ir.Linked(index=index_)):
            return tabular(fx, index_, reg)
    return False


def is_known(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> bool:
    """Whether a condition is known for every value of the interval."""
    return tabular(fx, e, reg) and None not in _column(fx, e, reg, r)


def table_of(fx: FunctionContext, e: ir.Expr, reg: int, r: Range, most: int = 64) -> tuple[int, ...] | None:
    """What an expression is for each value, if it depends on nothing else and takes few values."""
    if not tabular(fx, e, reg):
        return None
    found = tuple(value for value in _column(fx, e, reg, r) if value is not None)
    if len(found) < r.size:
        return None
    real = [v for v in found if v != NONE]
    return found if not real or max(real) - min(real) < most else None


Column = Sequence[int | None]
"""What an expression is for each value of an interval; none where that is not known."""


def _column(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> Column:
    """The column of a tabular expression, as `const_eval.constant` has it value by value."""
    if fx.builder.free_registers(e) != {reg}:
        return _evaluated(fx, e, reg, r)
    name = ("column", id(e), reg, r)
    if name not in fx.builder.relations:
        fx.builder.relations[name] = e, _evaluated(fx, e, reg, r)
    column: Column = fx.builder.relations[name][1]
    return column


def _evaluated(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> Column:
    match e:
        case ir.Const(value=value):
            return (value,) * r.size
        case ir.Reg(index=index):
            known = fx.regs.get(index)
            if index == reg or not isinstance(known, Constant):
                return range(r.lo, r.lo + r.size)
            return (known.value,) * r.size
        case ir.Op(op="and" | "or" as op, left=left, right=right):
            sides = zip(_evaluated(fx, left, reg, r), _evaluated(fx, right, reg, r), strict=True)
            simple = const_eval.plain(left)
            return [_logic(op, a, b, simple) for a, b in sides]
        case ir.Op(op=op, left=left, right=right):
            sides = zip(_evaluated(fx, left, reg, r), _evaluated(fx, right, reg, r), strict=True)
            return [const_eval.result(op, a, b) for a, b in sides]
        case ir.Not(operand=operand):
            return [None if a is None else int(not a) for a in _evaluated(fx, operand, reg, r)]
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            parts = (_evaluated(fx, x, reg, r) for x in (condition, then, otherwise))
            return [None if a is None else b if a else c for a, b, c in zip(*parts, strict=True)]
        case ir.Pick(table=table, index=index_, lo=lo):
            return _looked_up(table, _evaluated(fx, index_, reg, r), lo)
        case ir.Size(source=ir.Linked(links=links, index=index_, lo=lo)):
            return _looked_up(tuple(map(len, links)), _evaluated(fx, index_, reg, r), lo)
    raise AssertionError(e)


def result(op: Operator, a: int | None, b: int | None) -> int | None:
    """What an operator comes to, where one of its sides may not be known."""
    return _logic(op, a, b, False) if op in ("and", "or") else const_eval.result(op, a, b)


def _logic(op: Connective, a: int | None, b: int | None, simple: bool) -> int | None:
    """`and` or `or`; `simple`: the right side may be asked where the left one is not known."""
    if a is not None and const_eval.settles(op, a):
        return int(bool(a))
    if a is None:
        return int(bool(b)) if simple and b is not None and const_eval.settles(op, b) else None
    return const_eval.result(op, a, b)


def _looked_up(table: tuple[int, ...], column: Column, lo: int) -> Column:
    return [None if i is None or not 0 <= i - lo < len(table) else table[i - lo] for i in column]
