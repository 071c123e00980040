"""Lowering of typed collections to sources of values."""

from __future__ import annotations

from typing import assert_never

from dsl import rules as r
from dsl.domains import EnumType
from dsl.rules.option_members import members_of
from interpreter import ir
from interpreter.compile import excluded, stepping
from interpreter.compile.directions import rays
from interpreter.compile.lowers import LowersExpressions
from interpreter.ir.fold import operation

MOST_LISTED = 4096
"""Numbers that an interval with known ends may have to become a table."""


def source_of(lower: LowersExpressions, node: r.Collection) -> ir.Source:
    """The source of the values of a collection, in its order."""
    match node:
        case r.InZone(zone=zone) if zone in lower.layout.excluded:
            return _excluded_pieces(lower, node)
        case r.InZone():
            return pieces_at(lower, node)
        case r.OfType(decl=decl):
            return ir.Values(lower.members(decl))
        case r.Interval(low=low, high=high, item=EnumType(name)):
            return stepping.between(lower, name, lower.expr(low), lower.expr(high))
        case r.Interval(low=low, high=high):
            a, b = lower.expr(low), lower.expr(high)
            if isinstance(a, ir.Const) and isinstance(b, ir.Const) and b.value - a.value < MOST_LISTED:
                return ir.Values(lower.numbers(a.value, b.value, node.span))
            return ir.Between(a, b)
        case r.Items(items=items):
            return ir.Listed(tuple(lower.expr(i) for i in items))
        case r.Sum(parts=parts):
            return ir.Joined(tuple(lower.collection(p) for p in parts))
        case r.Filtered(binder=binder):
            source, reg, where = lower.candidates(binder)
            return ir.Filtered(reg, source, where)
        case r.Prefix(binder=binder, condition=condition):
            return _prefix(lower, binder, condition, node.until)
        case r.Ranked():
            return _ranked(lower, node)
        case r.Either(condition=condition, then=then, otherwise=otherwise):
            test = lower.expr(condition)
            if isinstance(test, ir.Const):
                return lower.collection(then if test.value else otherwise)
            return ir.Either(test, lower.collection(then), lower.collection(otherwise))
        case r.Opponents():
            return ir.Others(lower.me, lower.seats)
        case r.Neighbours(decl=decl, operand=operand):
            return ir.Linked(lower.rules.types[decl].links, lower.expr(operand), lower.rules.types[decl].lo)
        case r.Incident(decl=decl, what=what, operand=operand):
            board = lower.rules.types[decl]
            return ir.Linked(board.incident[what].rows, lower.expr(operand), board.lo)
        case r.Ray():
            directions = lower.rules.types[node.decl].directions[node.directions]
            index = stepping.heading(lower, node)
            table = lower.once((node.decl, node.directions), node.span, lambda: rays(directions))
            return ir.Linked(table, index, 0)
        case r.Spread(edges=str()):
            return _along(lower, node)
        case r.Spread(decl=name, start=start, through=through):
            board = lower.rules.types[name]
            return ir.Spread(board.links, board.lo, lower.collection(start), lower.collection(through))
        case r.Combinations():
            return stepping.combinations(lower, node)
        case r.OptionSet(name=name):
            return ir.Values(members_of(lower.rules, name, lower.options[name]))
        case r.HeldSet(var=var):
            held = lower.env[var]
            assert isinstance(held, ir.Bits)
            return held
        case r.UseCollection(value=name, collection=inner):
            ran = lower.covered(lower.rules.collections[name], ir.Const(1))
            found = lower.collection(inner)
            return found if isinstance(ran, ir.Const) else ir.Either(ran, found, ir.Values(()))
    assert_never(node)


def _along(lower: LowersExpressions, node: r.Spread) -> ir.Source:
    """What is reached over edges: in the graph of places and edges, of which only places are kept.

    An edge is numbered from behind the places on, where the numbers of its board are others.
    """
    board, edges = lower.rules.types[node.decl], lower.rules.types[node.edges or ""]
    edges = lower.rules.types[edges.base or edges.name]
    to, back = (_leading(board, edges.name), _leading(edges, board.name))
    behind = board.hi + 1 - edges.lo
    links = (*(tuple(value + behind for value in row) for row in to), *back)
    passed = _raised(lower, lower.collection(node.through), edges, behind)
    through = ir.Joined((ir.Values(board.members), passed))
    reached = ir.Spread(links, board.lo, lower.collection(node.start), through)
    with lower.register() as reg:
        return ir.Filtered(reg, reached, operation("<=", ir.Reg(reg), ir.Const(board.hi)))


def _leading(decl: r.TypeDecl, target: str) -> tuple[tuple[int, ...], ...]:
    return next(incidence.rows for incidence in decl.incident.values() if incidence.target == target)


def _raised(lower: LowersExpressions, source: ir.Source, decl: r.TypeDecl, behind: int) -> ir.Source:
    """Each value of a collection of a type, `behind` higher."""
    if not behind:
        return source
    raised = ir.Values(tuple(value + behind for value in decl.members))
    with lower.register() as reg:
        own = operation("-", ir.Reg(reg), ir.Const(behind))
        return ir.Filtered(reg, raised, ir.Contains(own, source))


def _ranked(lower: LowersExpressions, node: r.Ranked) -> ir.Source:
    number = lower.if_any(node.number)
    source = lower.collection(node.binder.collection)
    with lower.register() as reg, lower.bound(node.binder.var, ir.Reg(reg)):
        where = lower.if_any(node.binder.where)
        keys = tuple(lower.expr(k) for k in node.keys)
    return ir.Ranked(node.kind == "highest", reg, source, where, keys, number)


def _prefix(lower: LowersExpressions, binder: r.Binder, condition: r.Expr, until: bool) -> ir.Source:
    source = lower.collection(binder.collection)
    with lower.register() as reg, lower.bound(binder.var, ir.Reg(reg)):
        where = lower.if_any(binder.where)
        lasting = lower.expr(condition)
    return ir.Prefix(reg, source if where is None else ir.Filtered(reg, source, where), lasting, until)


def _excluded_pieces(lower: LowersExpressions, node: r.InZone) -> ir.Source:
    """The pieces that lie at the places that an address names, and stay there."""
    var, classes = lower.rules.zones[node.zone].var, lower.classes(node.item)
    source = excluded.pieces(lower.layout, node.zone, classes)
    for key, index, declared in (("of", node.of, var.of), ("at", node.at, var.at)):
        if index is None or declared is None:
            continue
        with lower.register() as reg:
            own = ir.PlaceIndex(ir.Reg(reg), classes, excluded.indices(lower.layout, key))
            if isinstance(index, r.Collection):
                where: ir.Expr = ir.Contains(own, lower.collection(index))
            else:
                where = operation("==", own, lower.index(index, declared))
            source = ir.Filtered(reg, source, where)
    return source


def pieces_at(lower: LowersExpressions, node: r.InZone) -> ir.Pieces:
    """The pieces at the places that an address names."""
    var = lower.rules.zones[node.zone].var
    first, _ = lower.layout.zone_places[node.zone]
    return ir.Pieces(
        first, _indices(lower, node.of, var.of), _indices(lower, node.at, var.at), lower.classes(node.item)
    )


def _indices(
    lower: LowersExpressions, index: r.Expr | r.Collection | None, declared: str | None
) -> ir.Indices:
    lo, size = lower.layout.axis(declared)
    if declared is None:
        return ir.Indices(ir.Const(0), None, 0, 1)
    if index is None:
        return ir.Indices(None, None, lo, size)
    if not isinstance(index, r.Collection):
        return ir.Indices(lower.index(index, declared), None, lo, size)
    source = lower.collection(index)
    if declared not in lower.rules.types:
        source = ir.Classed(source, len(lower.layout.classes(declared)))
    return ir.Indices(None, source, lo, size)
