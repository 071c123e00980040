"""Where a condition can hold is bounded from above, and closely where tables say all."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FLAT
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.functions import measuring
from interpreter.wasm.sets import vectors
from tests.wasm.lockstep import small_rules

SIZE = 5
FIRST, SECOND, BOUND = 1_000, 1_001, 1_002
VALUES = range(SIZE)
PAIRS = [(x, y) for x in VALUES for y in VALUES]
COLUMNS = {FIRST: tuple(x for x, _ in PAIRS), SECOND: tuple(y for _, y in PAIRS)}


def context() -> FunctionContext:
    rules = small_rules("counters: {points: {range: 0..9}}\n", "action act\n  points += 1\n")
    return measuring(ModuleBuilder(compile_rules(rules), FLAT))


def holds(e: ir.Expr, regs: dict[int, int]) -> int:
    """What a condition on registers is."""
    match e:
        case ir.Const(value=value):
            return value
        case ir.Reg(index=index):
            return regs[index]
        case ir.Not(operand=operand):
            return int(not holds(operand, regs))
        case ir.Pick(table=table, index=index_):
            return table[holds(index_, regs)]
        case ir.Op(op=op, left=left, right=right):
            a, b = holds(left, regs), holds(right, regs)
            return int({"==": a == b, "!=": a != b, "and": a and b, "or": a or b}[op])
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return holds(then if holds(condition, regs) else otherwise, regs)
        case ir.Let(reg=reg, value=value_, body=body):
            return holds(body, {**regs, reg: holds(value_, regs)})
        case ir.Fold(reg=reg, source=source, where=where) if where is not None:
            return int(any(holds(where, {**regs, reg: x}) for x in listed(source, regs)))
        case ir.Contains(item=item, source=source):
            return int(holds(item, regs) in listed(source, regs))
    raise AssertionError(e)


def listed(source: ir.Source, regs: dict[int, int]) -> list[int]:
    match source:
        case ir.Values(values=values):
            return list(values)
        case ir.Listed(items=items):
            return [holds(item, regs) for item in items]
        case ir.Linked(links=links, index=index):
            return list(links[holds(index, regs)])
        case ir.Filtered(reg=reg, source=inner, where=where) if where is not None:
            return [x for x in listed(inner, regs) if holds(where, {**regs, reg: x})]
        case ir.Prefix(reg=reg, source=inner, where=where) if where is not None:
            found = []
            for x in listed(inner, regs):
                if not holds(where, {**regs, reg: x}):
                    break
                found.append(x)
            return found
        case ir.Joined(parts=parts):
            return [x for part in parts for x in listed(part, regs)]
    raise AssertionError(source)


def number(pick: Random, regs: list[int]) -> ir.Expr:
    reg = ir.Reg(pick.choice(regs))
    table = tuple(pick.choice(VALUES) for _ in VALUES)
    return pick.choice((reg, ir.Const(pick.choice(VALUES)), ir.Pick(table, reg, 0)))


def collection(pick: Random, regs: list[int], depth: int) -> ir.Source:
    rows = tuple(tuple(pick.sample(VALUES, pick.randrange(4))) for _ in VALUES)
    linked = ir.Linked(rows, ir.Reg(pick.choice(regs)), 0)
    if depth <= 0:
        return linked
    where = condition(pick, [*regs, BOUND + depth], depth - 1)
    match pick.randrange(4):
        case 0:
            return ir.Filtered(BOUND + depth, linked, where)
        case 1:
            return ir.Prefix(BOUND + depth, linked, where)
        case 2:
            return ir.Joined((linked, collection(pick, regs, depth - 1)))
    return ir.Listed((number(pick, regs), number(pick, regs)))


def condition(pick: Random, regs: list[int], depth: int) -> ir.Expr:
    if depth <= 0:
        return ir.Op(pick.choice(("==", "!=")), number(pick, regs), number(pick, regs))
    inner, bound = BOUND + 10 * depth, [*regs, BOUND + 10 * depth]
    match pick.randrange(7):
        case 0:
            return ir.Not(condition(pick, regs, depth - 1))
        case 1:
            return ir.Op("and", condition(pick, regs, depth - 1), condition(pick, regs, depth - 1))
        case 2:
            return ir.Op("or", condition(pick, regs, depth - 1), condition(pick, regs, depth - 1))
        case 3:
            return ir.If(*(condition(pick, regs, depth - 1) for _ in range(3)))
        case 4:
            return ir.Let(inner, number(pick, regs), condition(pick, bound, depth - 1))
        case 5:
            values = ir.Values(tuple(pick.sample(VALUES, 3)))
            return ir.Fold("any", inner, values, condition(pick, bound, depth - 1), None)
    return ir.Contains(number(pick, regs), collection(pick, regs, depth - 1))


@pytest.mark.parametrize("seed", range(60))
def test_what_can_hold_is_not_left_out(seed: int) -> None:
    pick, fx = Random(seed), context()
    e = condition(pick, [FIRST, SECOND], 4)
    possible = vectors.possible(fx, e, COLUMNS)
    for (x, y), may in zip(PAIRS, possible, strict=True):
        assert may or not holds(e, {FIRST: x, SECOND: y}), (e, x, y)


def test_what_is_asked_beside_a_distance_does_not_widen_it() -> None:
    """However much is asked of a jump: only places a step apart are related."""
    fx = context()
    steps = tuple((x + 1) % SIZE for x in VALUES)
    far = ir.Op("==", ir.Pick(steps, ir.Reg(FIRST), 0), ir.Reg(SECOND))
    unknown: ir.Expr = ir.Op("==", ir.Head(ir.ACTIVE), ir.Const(1))
    for _ in range(14):
        unknown = ir.Op("or", unknown, unknown)
    e = ir.Fold("any", BOUND, ir.Listed((ir.Const(2), ir.Const(4))), ir.Op("and", unknown, far), None)
    assert sum(vectors.possible(fx, e, COLUMNS)) == SIZE
