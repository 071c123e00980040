"""Conditions on all values of an interval at once: sets of bits instead of loops.

A condition with a free register is turned into the set of the values for which it holds. What compares a
pointer or mark of a place is read off its bit board; what depends on the value alone is known beforehand;
`and`, `or`, `not`, `any` and `all` are operations on sets; the rest is asked of each value that is still in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TypeGuard

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.fold import calculate
from interpreter.ir.operators import Comparison, is_comparison
from interpreter.ir.visit import node_count, substitute, walk
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, select
from interpreter.wasm.lower import (
    addresses,
    arithmetic,
    bitset_images,
    bitset_joins,
    bitset_loads,
    bitset_pieces,
    bitset_rays,
    bitset_select,
    bitsets,
    chosen_sets,
    collection_order,
    collections,
    column_tests,
    columns,
    const_eval,
    coverage,
    expressions,
    held_sets,
    known_sets,
    presence,
    value_tables,
)
from interpreter.wasm.lower.condition_forms import guarded, normal_form
from interpreter.wasm.lower.const_eval import plain
from interpreter.wasm.lower.context import FunctionContext, Visit
from interpreter.wasm.lower.values import ONE, Bits, Constant, InLocal, Range
from interpreter.wasm.sets import emission
from interpreter.wasm.sets.costs import operations
from interpreter.wasm.sets.forms import names_of


def each(fx: FunctionContext, source: ir.Source, visit: Visit, cost: int = 0) -> None:
    inner, reg, where = source, -1, None
    if isinstance(source, ir.Filtered):
        inner, reg, where = source.source, source.reg, source.where
    chosen, rest = bitset_pieces.split(fx, inner, reg, where)
    if isinstance(chosen, ir.Filtered) and chosen is not inner:
        bitset_pieces.each_chosen(fx, chosen, rest, visit, cost)
        return
    r = bitset_select.worthwhile(fx, inner, reg, where)
    if fx.in_order and not collection_order.ascends(fx, inner):
        r = None
    if r is None or fx.breaks_rules(partial(chosen_sets.dry_run, fx, inner, reg, where, r)):
        collections.each_one_by_one(fx, source, visit, cost)
        return
    in_order, fx.in_order = fx.in_order, False
    bits = chosen_sets.chosen_bits(fx, inner, reg, where, r)
    fx.in_order = in_order
    bitsets.each_bit(fx, bits, r, lambda value: visit(value, ONE))
    bitsets.free_bits(fx, bits)


# ---- conditions that keep some of a set


def keep(fx: FunctionContext, e: ir.Expr, reg: int, r: Range, bits: Bits) -> None:
    """The set keeps the values for which a condition holds."""
    if not fx.reads(e, reg):
        known = const_eval.constant(fx, e)
        if known is not None:
            if not known:
                bitsets.set_bits(fx, bits, 0)
            return
        arithmetic.truth(fx, e)
        with fx.b.if_(STACK.eqz()):
            bitsets.set_bits(fx, bits, 0)
        return
    before = fx.sets.get((id(fx.builder.first_equal(e)), reg, r)) if fx.sets else None
    if before is not None:
        bitsets.intersect(fx, bits, before)
        return
    known_set = known_sets.relation(fx, e, reg, r)
    if known_set is not None:
        found = known_sets.relation_set(fx, known_set, r)
        bitsets.intersect(fx, bits, found)
        bitsets.free_bits(fx, found)
        return
    e = normal_form(fx, e, reg)
    if isinstance(e, ir.Op) and e.op == "and" and not _is_formed(fx, e, reg, r):
        behind = bitset_select.condition_behind(fx, e, reg, r)
        if behind is None:
            fx.keep(e.left, reg, r, bits)
            _keep_too(fx, e.right, reg, r, bits, e.left)
            return
        for part in behind.before:
            _keep_too(fx, part, reg, r, bits)
        found = bitset_rays.behind_set(fx, behind, r)
        bitsets.intersect(fx, bits, found)
        bitsets.free_bits(fx, found)
        for part in behind.after:
            _keep_too(fx, part, reg, r, bits)
        return
    if not bitset_select.settable(fx, e, reg, r):
        _keep_by_asking(fx, e, reg, r, bits)
        return
    found = _set(fx, e, reg, r, bits)
    bitsets.intersect(fx, bits, found)
    bitsets.free_bits(fx, found)


def _is_formed(fx: FunctionContext, e: ir.Op, reg: int, r: Range) -> bool:
    """Whether two conditions are found together, though they cannot be one by one."""
    if bitset_select.settable_whole(fx, e, reg, r):
        return False
    if all(bitset_select.settable(fx, x, reg, r) for x in (e.left, e.right)):
        return False
    return fx.form(e, reg, r) is not None


def _keep_too(
    fx: FunctionContext, e: ir.Expr, reg: int, r: Range, bits: Bits, given: ir.Expr | None = None
) -> None:
    """The set keeps values for which a further condition holds, which is not evaluated in vain.

    All of them meet the condition `given`.
    """
    if plain(e) or _cannot_fault(fx, e, reg, r):
        fx.keep(e, reg, r, bits)
        return
    with fx.b.if_(bitsets.is_any(bits)), presence.when(fx, given, True):
        fx.keep(e, reg, r, bits)


def _cannot_fault(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> bool:
    """Whether a condition may be evaluated though no value needs it."""
    match e:
        case ir.Op(op="==" | "!=", left=ir.Load() as load, right=ir.Const() | ir.Local()):
            return columns.board_of(fx, load, reg, r) is not None and len(load.address.terms) == 1
        case ir.Load():
            return columns.board_of(fx, e, reg, r) is not None and len(e.address.terms) == 1
    return value_tables.tabular(fx, e, reg)


def _keep_by_asking(fx: FunctionContext, e: ir.Expr, reg: int, r: Range, bits: Bits) -> None:
    """Each value that is still in is asked for itself."""
    b = fx.b
    left, kept = bitsets.new_bits(fx, r), bitsets.new_bits(fx, r)
    bitsets.copy_bits(fx, left, bits)
    bitsets.set_bits(fx, kept, 0)

    def one(value: InLocal) -> None:
        with fx.reg(reg, value), expressions.common_subexpressions(fx, e):
            fx.num(e)
        with b.if_(STACK):
            bitsets.add_bit(fx, kept, value, r)

    with loop_invariants(fx, reg, e):
        bitsets.each_bit(fx, left, r, one)
    bitsets.copy_bits(fx, bits, kept)
    bitsets.free_bits(fx, left)
    bitsets.free_bits(fx, kept)


# ---- what is the same in every round of a loop


Selection = ir.Prefix | ir.Best
"""What looks for where a collection ends, or begins."""
SMALL_CONDITION = 8
"""Parts of a condition whose set is found again as quickly as it is kept."""


def loop_invariants(
    fx: FunctionContext, reg: int, *conditions: ir.Expr | None
) -> AbstractContextManager[None]:
    """What does not depend on the register is evaluated once: numbers when they are needed, sets here."""
    selections = _selections(fx, conditions)
    if not selections:
        return expressions.loop_invariants(fx, reg, *conditions)
    return _sets_and_numbers(fx, reg, selections, conditions)


@contextmanager
def _sets_and_numbers(
    fx: FunctionContext,
    reg: int,
    selections: list[Selection],
    conditions: tuple[ir.Expr | None, ...],
) -> Iterator[None]:
    with _invariant_sets(fx, reg, selections), expressions.loop_invariants(fx, reg, *conditions):
        yield


@contextmanager
def _invariant_sets(fx: FunctionContext, reg: int, selections: list[Selection]) -> Iterator[None]:
    outer, before = fx.regs.keys() - {reg}, fx.sets
    made: list[Bits] = []
    for part in selections:
        where = part.where
        if where is None:
            continue
        r = bitset_select.range_of(fx, part.source, part.reg, part.where, False)
        if r is None or not fx.builder.free_registers(where) <= outer | {part.reg}:
            continue
        name = (id(fx.builder.first_equal(where)), part.reg, r)
        if name in fx.sets:
            continue
        if not bitset_select.settable(fx, where, part.reg, r):
            continue
        every = ir.Values(tuple(range(r.lo, r.lo + r.size)))
        if not fx.breaks_rules(partial(chosen_sets.dry_run, fx, every, part.reg, where, r)):
            made.append(chosen_sets.chosen_bits(fx, every, part.reg, where, r))
            fx.sets = fx.sets | {name: made[-1]}
    yield
    fx.sets = before
    for bits in made:
        bitsets.free_bits(fx, bits)


def _is_selection(part: object) -> TypeGuard[Selection]:
    """Whether a part looks for what ends, or begins, in a collection."""
    return isinstance(part, ir.Prefix) or (
        isinstance(part, ir.Best) and part.first and part.where is not None
    )


def _selections(fx: FunctionContext, conditions: tuple[ir.Expr | None, ...]) -> list[Selection]:
    """The beginnings in some conditions for whose own conditions it is worth to keep a set."""
    found: list[Selection] = []
    for condition in conditions if not fx.one_by_one else ():
        name = ("selections", id(condition))
        if name not in fx.builder.relations:
            parts = [x for x in walk(condition) if _is_selection(x)]
            large = [x for x in parts if node_count(x.where) > SMALL_CONDITION]
            fx.builder.relations[name] = condition, [x for x in large if not coverage.notes(fx, x)]
        found += fx.builder.relations[name][1]
    return found


# ---- sets of conditions

ONE_VALUE = 6
"""Instructions for one of the values of a fold, on average, where those are gone through."""


def _set(fx: FunctionContext, e: ir.Expr, reg: int, r: Range, within: Bits) -> Bits:
    """The values for which a condition holds; `within` are those that matter, and stay as they are."""
    b = fx.b
    e = normal_form(fx, e, reg)
    if not bitset_select.settable_whole(fx, e, reg, r) or _is_sooner_formed(fx, e, reg, r):
        form = fx.form(e, reg, r)
        if form is not None:
            names = tuple(named.value for named in names_of(form))
            with _invariant_sets(fx, reg, _selections(fx, names)):
                return emission.set_of(fx, form, r)
    if not fx.reads(e, reg):
        found = bitsets.new_bits(fx, r)
        arithmetic.truth(fx, e)
        fx.b.assign(found[0], STACK.widened())
        return bitsets.spread_truth(fx, found)
    known_set = known_sets.relation(fx, e, reg, r)
    if known_set is not None:
        return known_sets.relation_set(fx, known_set, r)
    image = bitset_select.image_of(fx, e, reg, r)
    if image is not None:
        return bitset_images.image_set(fx, image, r)
    test = column_tests.column_test(fx, e, reg, r)
    if test is not None:
        return column_tests.tested_set(fx, test, reg, r)
    match e:
        case ir.Op(op="and"):
            found = bitsets.copy_of(fx, within, r)
            fx.keep(e, reg, r, found)
            return found
        case ir.Op(op="or", left=left, right=right):
            return _either(fx, left, right, reg, r, within)
        case ir.Not(operand=operand):
            found = _set(fx, operand, reg, r, within)
            bitsets.invert(fx, found)
            return found
        case ir.If(condition=condition) if fx.reads(condition, reg):
            return _choice_set(fx, e, reg, r, within)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            found = bitsets.new_bits(fx, r)
            fx.num(condition)
            with b.if_(STACK):
                with presence.when(fx, condition, True):
                    bitsets.move_into(fx, found, _set(fx, then, reg, r, within))
                b.otherwise()
                with presence.when(fx, condition, False):
                    bitsets.move_into(fx, found, _set(fx, otherwise, reg, r, within))
            return found
        case ir.Let(reg=inner, value=value, body=body):
            if fx.reads(value, reg):
                return _set(fx, substitute(body, inner, value), reg, r, within)
            with expressions.within_let(fx, e) as rest:
                return _set(fx, rest, reg, r, within)
        case ir.Fold():
            return _fold_set(fx, e, reg, r, within)
        case ir.Contains(item=item, source=source):
            return _contains_set(fx, item, source, reg, r)
    return _leaf(fx, e, reg, r)


def _is_sooner_formed(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> bool:
    """Whether a fold over known values is sooner found by moving sets than value by value."""
    if not isinstance(e, ir.Fold) or not isinstance(e.source, ir.Values):
        return False
    form = fx.form(e, reg, r)
    return form is not None and operations(form, r) <= ONE_VALUE * r.words * len(e.source.values)


def _either(fx: FunctionContext, left: ir.Expr, right: ir.Expr, reg: int, r: Range, within: Bits) -> Bits:
    found = _set(fx, left, reg, r, within)
    rest = bitsets.copy_of(fx, within, r)
    bitsets.minus(fx, rest, found)
    if not _cannot_fault(fx, right, reg, r):
        with fx.b.if_(bitsets.is_any(rest)), presence.when(fx, left, False):
            fx.keep(right, reg, r, rest)
    else:
        fx.keep(right, reg, r, rest)
    bitsets.unite(fx, found, rest)
    bitsets.free_bits(fx, rest)
    return found


def _choice_set(fx: FunctionContext, e: ir.If, reg: int, r: Range, within: Bits) -> Bits:
    """Of the values that meet a condition those that meet one more, of the others those that meet another."""
    found = bitsets.copy_of(fx, within, r)
    fx.keep(e.condition, reg, r, found)
    rest = bitsets.copy_of(fx, within, r)
    bitsets.minus(fx, rest, found)
    for bits, part, holds in ((found, e.then, True), (rest, e.otherwise, False)):
        if _cannot_fault(fx, part, reg, r):
            fx.keep(part, reg, r, bits)
            continue
        with fx.b.if_(bitsets.is_any(bits)), presence.when(fx, e.condition, holds):
            fx.keep(part, reg, r, bits)
    bitsets.unite(fx, found, rest)
    bitsets.free_bits(fx, rest)
    return found


def _leaf(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> Bits:
    """A comparison, or a condition on the value alone."""
    if value_tables.tabular(fx, e, reg):
        found = bitsets.new_bits(fx, r)
        bitsets.set_bits(fx, found, _known_bits(fx, e, reg, r))
        return found
    if isinstance(e, ir.Load):
        return bitset_loads.load_set(fx, e, ir.Const(1), reg, r)
    ordered = bitset_select.ordered_table(fx, e, reg, r)
    if ordered is not None:
        return _ordered_set(fx, *ordered, r)
    assert isinstance(e, ir.Op)
    assert is_comparison(e.op)
    left, right = e.left, e.right
    if fx.reads(right, reg):
        left, right = right, left
    firsts = bitset_select.ray_firsts(fx, left, reg, r) if right == ir.Const(0) else None
    if isinstance(left, ir.Load) and (columns.board_of(fx, left, reg, r) is None or e.op not in ("==", "!=")):
        return bitset_loads.column_set(fx, e.op, left, right, reg, r)
    if isinstance(left, ir.Load):
        found = bitset_loads.load_set(fx, left, right, reg, r)
    elif firsts is not None:
        found = bitset_rays.begins_set(fx, left, firsts, r)
        bitsets.invert(fx, found)
    elif left == ir.Reg(reg):
        found = _equal_set(fx, right, r)
    else:
        found = _table_set(fx, left, right, reg, r)
    if e.op == "!=":
        bitsets.invert(fx, found)
    return found


def _known_bits(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> int:
    """The set of a condition on the value alone."""
    bits = 0
    for i in range(r.size):
        with fx.reg(reg, Constant(r.lo + i)):
            if const_eval.constant(fx, e):
                bits |= 1 << i
    return bits


def _equal_set(fx: FunctionContext, value: ir.Expr, r: Range) -> Bits:
    found = bitsets.new_bits(fx, r)
    known = const_eval.constant(fx, value)
    if known is not None:
        inside = r.lo <= known < r.lo + r.size
        bitsets.set_bits(fx, found, 1 << known - r.lo if inside else 0)
        return found
    held = const_eval.operand(fx, value)
    assert isinstance(held, InLocal)
    bitsets.set_bits(fx, found, 0)
    inside = r.lo <= held.span[0] and held.span[1] < r.lo + r.size
    with nullcontext() if inside else fx.b.if_(bitsets.in_range(held.operand, r)):
        bitsets.add_bit(fx, found, held, r)
    fx.drop(held)
    return found


def _table_set(fx: FunctionContext, e: ir.Expr, value: ir.Expr, reg: int, r: Range) -> Bits:
    """The values for which a known function gives something: a row of sets for all that it can give."""
    table = value_tables.table_of(fx, e, reg, r)
    assert table is not None
    rows, lo, none = bitset_images.rows_of(table)
    hi = lo + len(rows) - 1
    found = bitsets.new_bits(fx, r)
    known = const_eval.constant(fx, value)
    if known is not None:
        bitsets.set_bits(fx, found, none if known == NONE else rows[known - lo] if lo <= known <= hi else 0)
        return found
    held = const_eval.operand(fx, value)
    assert isinstance(held, InLocal)
    b, number = fx.b, held.operand
    with b.if_((number - lo).le_u(hi - lo)):
        bitsets.row(fx, rows, number, lo, found)
        b.otherwise()
        bitsets.set_bits(fx, found, 0)
        if none:
            with b.if_(number.eq(NONE)):
                bitsets.set_bits(fx, found, none)
    fx.drop(held)
    return found


def _ordered_set(
    fx: FunctionContext, op: Comparison, table: tuple[int, ...], value: ir.Expr, r: Range
) -> Bits:
    """The values for which a known function comes before or behind something: a row for all it can be."""
    b, (lo, hi) = fx.b, (min(table), max(table))
    # beyond either end it is for all values, or for none
    lo, hi = (lo, hi + 1) if op in ("<", ">=") else (lo - 1, hi)
    rows = [sum(calculate(op, v, x) << i for i, v in enumerate(table)) for x in range(lo, hi + 1)]
    found = bitsets.new_bits(fx, r)
    held = const_eval.operand(fx, value)
    if isinstance(held, Constant):
        bitsets.set_bits(fx, found, rows[min(max(held.value, lo), hi) - lo])
        return found
    first, last = held.span
    with b.temporaries(I32) as (number,):
        b.assign(number, held.operand)
        if first < lo:
            b.assign(number, select(lo, number, number.lt_s(lo)))
        if last > hi:
            b.assign(number, select(hi, number, number.gt_s(hi)))
        bitsets.row(fx, rows, number, lo, found)
    fx.drop(held)
    return found


# ---- sets of folds and memberships


def _fold_set(fx: FunctionContext, e: ir.Fold, reg: int, r: Range, within: Bits) -> Bits:
    if e.kind == "all":
        found = _fold_set(fx, bitset_select.as_any(e), reg, r, within)
        bitsets.invert(fx, found)
        return found
    if isinstance(e.source, ir.Linked) and (e.where is None or not fx.reads(e.where, reg)):
        return bitset_rays.linked_set(fx, e, r)
    if bitset_select.reached_from(fx, e, reg, r):
        assert isinstance(e.source, ir.Spread)
        found = bitsets.new_bits(fx, r)
        starts = ir.Filtered(e.reg, e.source.through, e.where)
        bitset_rays.spread_set(fx, replace(e.source, start=starts), r, found)
        return found
    join = bitset_joins.join_of(fx, e, reg, r)
    if join is not None and (join.known or not isinstance(e.source, ir.Values)):
        return bitset_joins.joined_set(fx, join, reg, r, within)
    assert isinstance(e.source, ir.Values)
    found = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, found, 0)
    with _invariant_sets(fx, e.reg, _selections(fx, (e.where,))):
        for value in e.source.values:
            with fx.reg(e.reg, Constant(value)):
                if e.where is None:
                    bitsets.set_bits(fx, found, r.all)
                    break
                _add_where(fx, e.where, reg, r, within, found)
    return found


def _add_where(fx: FunctionContext, where: ir.Expr, reg: int, r: Range, within: Bits, found: Bits) -> None:
    """`found` gains the values of `within` for which a condition holds."""
    guard, rest = guarded(fx, normal_form(fx, where, reg), reg)
    known = const_eval.constant(fx, guard) if guard is not None else 1
    if known == 0:
        return
    if guard is not None and known is None:
        arithmetic.truth(fx, guard)
    with fx.b.if_(STACK) if known is None else nullcontext():
        if rest is None:
            bitsets.unite(fx, found, within)
        else:
            part = bitsets.copy_of(fx, within, r)
            with presence.when(fx, guard, True):
                fx.keep(rest, reg, r, part)
            bitsets.unite(fx, found, part)
            bitsets.free_bits(fx, part)


def _contains_set(fx: FunctionContext, item: ir.Expr, source: ir.Source, reg: int, r: Range) -> Bits:
    if item == ir.Reg(reg):
        return fx.source_bits(source, r)
    assert isinstance(source, ir.Linked)
    rows = [0] * r.size
    for i, row in enumerate(source.links):
        for v in row:
            if r.lo <= v < r.lo + r.size:
                rows[v - r.lo] |= 1 << i
    found = bitsets.new_bits(fx, r)
    held = const_eval.operand(fx, item)
    if isinstance(held, Constant):
        inside = r.lo <= held.value < r.lo + r.size
        bitsets.set_bits(fx, found, rows[held.value - r.lo] if inside else 0)
        return found
    with fx.b.if_(bitsets.in_range(held.operand, r)):
        bitsets.row(fx, rows, held.operand, r.lo, found)
        fx.b.otherwise()
        bitsets.set_bits(fx, found, 0)
    fx.drop(held)
    return found


# ---- sets of collections


def source_bits(fx: FunctionContext, source: ir.Source, r: Range) -> Bits:
    """The set of a collection's values."""
    found = bitsets.new_bits(fx, r)
    match source:
        case ir.Values(values=values):
            bitsets.set_bits(fx, found, sum(1 << v - r.lo for v in set(values)))
        case ir.Filtered(reg=reg, source=inner, where=where):
            bitsets.move_into(fx, found, chosen_sets.chosen_bits(fx, inner, reg, where, r))
        case ir.Linked(links=links, index=index, lo=lo):
            _linked_row(fx, links, index, lo, r, found)
        case ir.Listed(items=items):
            bitsets.set_bits(fx, found, 0)
            for item in items:
                one = _equal_set(fx, item, r)
                bitsets.unite(fx, found, one)
                bitsets.free_bits(fx, one)
        case ir.Joined(parts=parts):
            bitsets.set_bits(fx, found, 0)
            for part in parts:
                more = fx.source_bits(part, r)
                bitsets.unite(fx, found, more)
                bitsets.free_bits(fx, more)
        case ir.Prefix():
            bitsets.move_into(fx, found, bitset_rays.beginning_set(fx, source, r))
        case ir.Either(condition=condition, then=then, otherwise=otherwise):
            fx.num(condition)
            with fx.b.if_(STACK):
                with presence.when(fx, condition, True):
                    bitsets.move_into(fx, found, fx.source_bits(then, r))
                fx.b.otherwise()
                with presence.when(fx, condition, False):
                    bitsets.move_into(fx, found, fx.source_bits(otherwise, r))
        case ir.Spread():
            bitset_rays.spread_set(fx, source, r, found)
        case ir.Bits():
            held_sets.held_bits(fx, source, found)
        case _:
            raise AssertionError(source)
    return found


def _linked_row(
    fx: FunctionContext, links: tuple[tuple[int, ...], ...], index: ir.Expr, lo: int, r: Range, found: Bits
) -> None:
    held = const_eval.operand(fx, index)
    if isinstance(held, Constant) and 0 <= held.value - lo < len(links):
        bitsets.set_bits(fx, found, _bits_of_row(links[held.value - lo], r))
        return
    with fx.b.temporaries(I32) as (i,):
        fx.put(held)
        addresses.within(fx, held.span, lo, lo + len(links) - 1)
        fx.b.assign(i, STACK)
        bitsets.row(fx, table_of_links(fx, links, r), i, lo, found)
    fx.drop(held)


def table_of_links(fx: FunctionContext, links: tuple[tuple[int, ...], ...], r: Range) -> int:
    """The address of the sets of all rows of links."""
    name = ("links", id(fx.builder.links(links)), r)
    found: int | None = fx.builder.relations.get(name)
    if found is None:
        rows = [_bits_of_row(row, r) for row in links]
        found = fx.builder.relations[name] = bitsets.row_table(fx, rows, r.words)
    return found


def _bits_of_row(row: tuple[int, ...], r: Range) -> int:
    bits = 0
    for v in row:
        bits |= 1 << v - r.lo
    return bits
