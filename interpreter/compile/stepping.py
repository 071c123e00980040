"""Lowering of values derived from others of their type: by order, by product parts, by steps on boards."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import NONE, IntType
from interpreter import ir
from interpreter.compile.directions import onward
from interpreter.compile.lowers import LowersExpressions
from interpreter.ir.fold import operation, pick


def ordinal(lower: LowersExpressions, node: r.Ordinal) -> ir.Expr:
    decl = lower.rules.types[node.decl]
    value = lower.expr(node.operand)
    if len(decl.members) == decl.size and decl.members == tuple(range(decl.lo, decl.hi + 1)):
        return operation("-", value, ir.Const(decl.lo - 1))
    places = {member: place for place, member in enumerate(decl.members, 1)}
    return pick(tuple(places.get(v, 0) for v in range(decl.lo, decl.hi + 1)), value, decl.lo)


def combined(lower: LowersExpressions, node: r.Combined) -> ir.Expr:
    """A value of a product; each part that is only known to be a number is checked."""
    index: ir.Expr = ir.Const(0)
    for part, (_, name) in zip(node.parts, lower.rules.types[node.decl].parts, strict=True):
        decl = lower.rules.types[name]
        place = operation("-", lower.key(part, decl), ir.Const(decl.lo))
        index = operation("+", operation("*", index, ir.Const(decl.size)), place)
    return index


def combinations(lower: LowersExpressions, node: r.Combinations) -> ir.Source:
    """The values of a product whose parts are among the given ones, by the columns of the product."""
    decl = lower.rules.types[node.decl]
    values = decl.present(lower.seats)
    tests: list[ir.Expr] = []
    with lower.register() as reg:
        for part, (column, name) in zip(node.parts, decl.parts, strict=True):
            cells = decl.columns[column].values
            if isinstance(part, r.OfType) and part.decl == name:
                continue
            mine = pick(cells, ir.Reg(reg), decl.lo)
            if isinstance(part, r.Collection):
                tests.append(ir.Contains(mine, lower.collection(part)))
                continue
            value = lower.key(part, lower.rules.types[name])
            if isinstance(value, ir.Const):
                values = tuple(v for v in values if cells[v - decl.lo] == value.value)
            else:
                tests.append(operation("==", mine, value))
    if not tests:
        return ir.Values(values)
    where = tests[0]
    for test in tests[1:]:
        where = operation("and", where, test)
    return ir.Filtered(reg, ir.Values(values), where)


def between(lower: LowersExpressions, name: str, low: ir.Expr, high: ir.Expr) -> ir.Source:
    """The present values of a type with an order between two of them."""
    present = lower.rules.types[name].present(lower.seats)
    if isinstance(low, ir.Const) and isinstance(high, ir.Const):
        return ir.Values(tuple(v for v in present if low.value <= v <= high.value))
    if len(present) == lower.rules.types[name].size:
        return ir.Between(low, high)
    with lower.register() as reg:
        above, below = (operation("<=", low, ir.Reg(reg)), operation("<=", ir.Reg(reg), high))
        return ir.Filtered(reg, ir.Values(present), operation("and", above, below))


def step(lower: LowersExpressions, node: r.Successor) -> ir.Expr:
    decl = lower.rules.types[node.decl]
    table = lower.once((decl.name, node.by), node.span, lambda: _shifted(lower, decl, node.by))
    return pick(table, lower.expr(node.operand), decl.lo)


def _shifted(lower: LowersExpressions, decl: r.TypeDecl, by: int) -> tuple[int, ...]:
    """For each value of a type the value `by` steps later, or none."""
    order = decl.present(lower.seats) if decl.name != "seat" else tuple(range(lower.seats))
    ring = decl.shape == "ring" or decl.name == "seat"
    table = [NONE] * decl.size
    for i, value in enumerate(order):
        j = i + by
        if ring or 0 <= j < len(order):
            table[value - decl.lo] = order[j % len(order)]
    return tuple(table)


def toward(lower: LowersExpressions, node: r.DirectedStep) -> ir.Expr:
    """A look-up by place, direction and, unless it is constant, number of steps."""
    place = heading(lower, node)
    if node.number is None:
        return pick(_onward(lower, node, (1,)), place, 0)
    number = lower.expr(node.number)
    if isinstance(number, ir.Const) and 0 <= number.value <= node.most:
        return pick(_onward(lower, node, (number.value,)), place, 0)
    steps = lower.numbers(0, node.most, node.span)
    kind = node.number.type
    if not isinstance(kind, IntType) or kind.lo < 0 or kind.hi > node.most:
        number = pick(steps, number, 0)
    index = operation("+", operation("*", place, ir.Const(len(steps))), number)
    return pick(_onward(lower, node, steps), index, 0)


def _onward(lower: LowersExpressions, node: r.DirectedStep, steps: tuple[int, ...]) -> tuple[int, ...]:
    directions = lower.rules.types[node.decl].directions[node.directions]
    return lower.once((node.decl, node.directions, steps), node.span, lambda: onward(directions, steps))


def heading(lower: LowersExpressions, node: r.DirectedStep | r.Ray) -> ir.Expr:
    """A place and a direction as one number: `place * directions + direction`."""
    size = lower.rules.types[node.directions].size
    place = operation("-", lower.expr(node.place), ir.Const(lower.rules.types[node.decl].lo))
    return operation("+", operation("*", place, ir.Const(size)), lower.expr(node.direction))
