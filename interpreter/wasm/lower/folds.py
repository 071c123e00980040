"""Folds over collections: `any`, `all`, counts, sums, extremes; sizes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial, reduce
from itertools import takewhile
from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.fold import both, conjuncts
from interpreter.ir.operators import NEGATED, Comparison, is_comparison
from interpreter.ir.pairs import one_of_each_pair
from interpreter.ir.picked_values import over_picked
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK, STACK_64, const
from interpreter.wasm.lower import (
    addresses,
    arithmetic,
    bitset_conditions,
    bitset_lines,
    bitset_loads,
    bitset_pieces,
    bitset_rays,
    bitset_select,
    bitset_subsets,
    bitsets,
    chosen_sets,
    const_eval,
    coverage,
    expressions,
    if_conversion,
    known_sets,
    piece_loops,
    presence,
)
from interpreter.wasm.lower.collection_order import joined_parts
from interpreter.wasm.lower.condition_forms import normal_conjuncts, normal_form
from interpreter.wasm.lower.context import FunctionContext, Visit
from interpreter.wasm.lower.loops import FEW
from interpreter.wasm.lower.values import (
    ONE,
    TRUTH,
    WIDE,
    Bits,
    InLocal,
    Interval,
    Lazy,
    Range,
    Value,
)

MEMBER = (1 << 24) + 4
"""The register of what may stand in joined collections, which nothing else binds."""
NO_LINE = ("<", "<=", "!=")
"""Comparisons of a number of places that hold where there is no line."""
NONE_THERE = {("==", 0), ("<", 1), ("<=", 0)}
ANY_THERE = {("!=", 0), (">", 0), (">=", 1)}
"""Comparisons of a size that ask whether there is nothing, or anything."""


def logic(fx: FunctionContext, e: ir.Op) -> Interval:
    if e.op == "and":
        e = _quick_first(fx, e)
    if e.op == "or" and (lines := bitset_lines.lines_of(fx, e)) is not None:
        return fx.safely(partial(_lines, fx, lines), partial(arithmetic.short_circuit, fx, e), I32)
    if e.op == "or" or not fx.builder.boards or fx.one_by_one:
        return arithmetic.short_circuit(fx, e)
    b = fx.b
    rest = bitset_loads.test_places(fx, e)
    if rest is e:
        return arithmetic.short_circuit(fx, e)
    if rest is not None:
        with b.if_(STACK, I32):
            arithmetic.truth(fx, rest)
            b.otherwise()
            b.push(0)
    return TRUTH


def _quick_first(fx: FunctionContext, e: ir.Op) -> ir.Op:
    """The same with what is quick before what floods, if neither can fault."""
    parts = conjuncts(e)
    long = next((i for i, part in enumerate(parts) if fx.builder.floods(part)), len(parts))
    quick = [part for part in parts[long + 1 :] if if_conversion.is_quick(fx, part)]
    if not quick or fx.one_by_one or fx.builder.config.explains:
        return e
    passed = [part for part in parts[long:] if part not in quick]

    def ask() -> None:
        for part in passed:
            fx.num(part)
            fx.b.drop()

    if fx.breaks_rules(ask):
        return e
    found = reduce(both, [*parts[:long], *quick, *passed])
    assert isinstance(found, ir.Op)
    return found


def compare(fx: FunctionContext, e: ir.Op) -> Interval:
    """Whether there is a best one is whether there is any; a long beginning of a ray is a line."""
    assert is_comparison(e.op)
    lines = bitset_lines.lines_of(fx, replace(e, op=NEGATED[e.op]) if e.op in NO_LINE else e)
    if lines is not None:
        return fx.safely(partial(_lines, fx, lines, e.op), partial(arithmetic.comparison, fx, e), I32)
    if isinstance(e.left, ir.Size) and _is_anything_there(fx, e.op, e.left.source, e.right):
        return TRUTH
    if isinstance(e.left, ir.Let) and not fx.reads(e.right, e.left.reg):
        held = const_eval.operand(fx, e.left.value)
        with fx.reg(e.left.reg, held):
            compare(fx, replace(e, left=e.left.body))
        fx.drop(held)
        return TRUTH
    if isinstance(e.left, ir.Fold) and _is_any_above_zero(fx, e.op, e.left, e.right):
        return TRUTH
    if e.op in ("==", "!=") and const_eval.constant(fx, e.right) == NONE:
        best = _lazy_value(fx, e.left)
        if isinstance(best, ir.Best) and not coverage.notes(fx, best.keys):
            fx.fold(ir.Fold("any", best.reg, best.source, best.where, None))
            if e.op == "==":
                fx.b.push(STACK.eqz())
            return TRUTH
    return arithmetic.comparison(fx, e)


def _is_anything_there(fx: FunctionContext, op: Comparison, source: ir.Source, right: ir.Expr) -> bool:
    """Leaves whether pieces lie on some places, if that is all that a comparison of their number asks."""
    asked = op, const_eval.constant(fx, right)
    if asked not in NONE_THERE | ANY_THERE or coverage.notes(fx, source):
        return False
    r = bitset_pieces.worthwhile(fx, source, -1, None)
    if r is None:
        return False
    slow = partial(_any_one_by_one, fx, ir.Fold("any", 0, source, None, None))
    fx.safely(partial(_any_class, fx, source, -1, None, r), slow, I32)
    if asked in NONE_THERE:
        fx.b.push(STACK.eqz())
    return True


def _is_any_above_zero(fx: FunctionContext, op: Comparison, total: ir.Fold, right: ir.Expr) -> bool:
    """Leaves how a sum of numbers none of which is below 0 compares with 0: whether any is above."""
    asked = op, const_eval.constant(fx, right)
    if total.kind != "sum" or asked not in NONE_THERE | ANY_THERE or expressions.is_kept(fx, total):
        return False
    if total.body is None or not _is_safe_sum(fx, total):
        return False
    where = both(total.where, ir.Op(">", total.body, ir.Const(0)))
    fx.fold(ir.Fold("any", total.reg, total.source, where, None))
    if asked in NONE_THERE:
        fx.b.push(STACK.eqz())
    return True


def _is_safe_sum(fx: FunctionContext, total: ir.Fold) -> bool:
    """Whether what is added up cannot fault, and is never below 0."""
    if fx.one_by_one or coverage.notes(fx, total):
        return False
    spans: list[Interval] = []
    faults = fx.breaks_rules(lambda: spans.append(_total_one_by_one(fx, total)))
    return not faults and spans[0][0] >= 0


def _lazy_value(fx: FunctionContext, e: ir.Expr) -> ir.Expr:
    """The expression behind a lazy word of a virtual frame."""
    if isinstance(e, ir.Local):
        value = fx.slots.get(e.slot)
        if isinstance(value, Lazy):
            return value.expr
    return e


# ---- folds


def fold(fx: FunctionContext, e: ir.Fold) -> Interval:
    match e.kind:
        case "any":
            return _any(fx, e)
        case "all":
            return _all(fx, e)
        case "count" | "sum":
            return _total(fx, e)
        case "min" | "max":
            return _of_all(fx, e, _extreme)
        case "distinct":
            return _of_all(fx, e, _distinct)
    assert_never(e.kind)


def _of_all(
    fx: FunctionContext, e: ir.Fold, lower: Callable[[FunctionContext, ir.Fold, Range | None], Interval]
) -> Interval:
    """A fold that visits every value, by a set of them or one by one."""
    r = bitset_select.worthwhile(fx, e.source, e.reg, e.where)
    if r is None or not fx.breaks_rules(partial(chosen_sets.dry_run, fx, e.source, e.reg, e.where, r)):
        return lower(fx, e, r)
    return fx.safely(partial(lower, fx, e, r), partial(lower, fx, e, None), I32)


def _each_chosen(fx: FunctionContext, e: ir.Fold, visit: Visit, r: Range | None = None) -> None:
    """The collection's values that meet the fold's `where`, each bound to its register.

    A condition that may fault is asked of a value just before that is visited, unless all are
    found as a set of an interval.
    """
    whole = r is not None
    if r is None:
        r = bitset_select.worthwhile(fx, e.source, e.reg, e.where)
    if r is not None and (
        whole or not fx.breaks_rules(partial(chosen_sets.dry_run, fx, e.source, e.reg, e.where, r))
    ):
        bits = chosen_sets.chosen_bits(fx, e.source, e.reg, e.where, r)

        def at(value: InLocal) -> None:
            with fx.reg(e.reg, value), presence.when(fx, e.where, True):
                visit(value, ONE)

        bitsets.each_bit(fx, bits, r, at)
        bitsets.free_bits(fx, bits)
        return
    cost = fx.builder.node_count(e.where) + fx.builder.node_count(e.body) + 4
    source, where = bitset_pieces.split(fx, e.source, e.reg, e.where)

    def one(value: Value, n: Value) -> None:
        with fx.reg(e.reg, value), expressions.common_subexpressions(fx, where, e.body):
            known = const_eval.known_or_pushed(fx, where)
            if known is False:
                return
            with fx.b.if_(STACK) if known is None else nullcontext(), presence.when(fx, e.where, True):
                visit(value, n)

    with bitset_conditions.loop_invariants(fx, e.reg, e.where, e.body):
        fx.each(source, one, cost)


def _any(fx: FunctionContext, e: ir.Fold) -> Interval:
    """Whether any value meets the condition; values after the first such one are not tested."""
    e = _one_of_each_pair(fx, e, e.where)
    lines = bitset_lines.lines_of(fx, e)
    if lines is not None:
        return fx.safely(partial(_lines, fx, lines), partial(_any_one_by_one, fx, e), I32)
    subsets = bitset_subsets.subsets_of(fx, e)
    if subsets is not None:
        return fx.safely(partial(_subsets, fx, subsets), partial(_any_one_by_one, fx, e), I32)
    classes = None if coverage.notes(fx, e) else bitset_pieces.worthwhile(fx, e.source, e.reg, e.where)
    if classes is not None:
        lies = partial(_any_class, fx, e.source, e.reg, e.where, classes)
        return fx.safely(lies, partial(_any_one_by_one, fx, e), I32)
    r = bitset_select.worthwhile(fx, e.source, e.reg, e.where, once=False)
    if r is None:
        return _any_looked_up(fx, e)
    if isinstance(e.source, ir.Spread) and e.where is not None:
        quick: Callable[[], Interval] = partial(_reached, fx, e.source, e.reg, e.where, r)
    else:
        quick = partial(_any_of_set, fx, e.source, e.reg, e.where, r)
    return fx.safely(quick, partial(_any_one_by_one, fx, e), I32)


def _any_looked_up(fx: FunctionContext, e: ir.Fold) -> Interval:
    """By the set of what is looked up for the values, if nothing else is asked of them; else one by one."""
    found = _over_picked(fx, e.where, e)
    if found is None:
        return _any_one_by_one(fx, e)
    quick = partial(_any_of_set, fx, *found)
    return fx.safely(quick, partial(_any_one_by_one, fx, e), I32)


def _over_picked(
    fx: FunctionContext, condition: ir.Expr | None, e: ir.Fold
) -> tuple[ir.Source, int, ir.Expr, Range] | None:
    """The values that are looked up for those of a fold, and the condition on them, if they are a set."""
    if condition is None or not isinstance(e.source, ir.Values) or fx.builder.config.explains:
        return None
    found = over_picked(condition, e.reg, e.source.values)
    if found is None:
        return None
    where, values = found
    r = bitset_select.worthwhile(fx, ir.Values(values), e.reg, where, once=False)
    return None if r is None else (ir.Values(values), e.reg, where, r)


def _lines(fx: FunctionContext, lines: bitset_lines.Lines, op: Comparison | None = None) -> Interval:
    bitset_lines.push_lines(fx, lines)
    if op in NO_LINE:
        fx.b.push(STACK.eqz())
    return TRUTH


def _subsets(fx: FunctionContext, subsets: bitset_subsets.Subsets) -> Interval:
    bitset_subsets.push_subsets(fx, subsets)
    return TRUTH


def _one_of_each_pair(fx: FunctionContext, e: ir.Fold, condition: ir.Expr | None) -> ir.Fold:
    """The fold over fewer values, if a condition asks the same of two of them. `explains` tells of each."""
    if not isinstance(e.source, ir.Values) or condition is None:
        return e
    if fx.mc.cover or fx.builder.config.explains:
        return e
    enough = one_of_each_pair(condition, e.reg, e.source.values)
    return e if enough is None else replace(e, source=ir.Values(enough))


def _reached(fx: FunctionContext, source: ir.Spread, reg: int, where: ir.Expr, r: Range) -> Interval:
    bitset_rays.reaches(fx, source, reg, where, r)
    return TRUTH


def _any_of_set(
    fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, r: Range
) -> Interval:
    first, rest = _set_and_rest(fx, where, reg, r)
    bits = chosen_sets.chosen_bits(fx, source, reg, first, r)
    if rest is None:
        fx.b.push(bitsets.is_any(bits))
    else:
        _push_any_asked(fx, bits, reg, first, rest, r)
    bitsets.free_bits(fx, bits)
    return TRUTH


def _set_and_rest(
    fx: FunctionContext, where: ir.Expr | None, reg: int, r: Range
) -> tuple[ir.Expr | None, ir.Expr | None]:
    """The first parts of a condition, which are sets, and those that are asked of each value of their set."""
    if where is None or bitset_select.settable(fx, where, reg, r):
        return where, None
    form = normal_form(fx, where, reg)
    if bitset_select.condition_behind(fx, form, reg, r) is not None:
        return where, None
    parts = list(normal_conjuncts(fx, where, reg))
    sets = list(takewhile(lambda part: bitset_select.settable(fx, part, reg, r), parts))
    rest = parts[len(sets) :]
    return reduce(both, sets) if sets else None, reduce(both, rest) if rest else None


def _push_any_asked(
    fx: FunctionContext, bits: Bits, reg: int, given: ir.Expr | None, asked: ir.Expr, r: Range
) -> None:
    """Leaves whether a condition holds for any value of a set; those behind the first are not asked."""
    b = fx.b
    out = b.block(I32)

    def one(value: InLocal) -> None:
        with fx.reg(reg, value), expressions.common_subexpressions(fx, asked):
            fx.num(asked)
        with b.if_(STACK):
            b.push(1)
            b.br(out)

    with (
        b.if_(bitsets.is_any(bits)),
        presence.when(fx, given, True),
        bitset_conditions.loop_invariants(fx, reg, asked),
    ):
        bitsets.each_bit(fx, bits, r, one)
    b.push(0)
    b.end()


def _any_class(fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, r: Range) -> Interval:
    bits = bitset_pieces.class_bits(fx, ir.Filtered(reg, source, where), r)
    fx.b.push(bitsets.is_any(bits))
    bitsets.free_bits(fx, bits)
    return TRUTH


def _any_one_by_one(fx: FunctionContext, e: ir.Fold) -> Interval:
    b = fx.b
    out = b.block(I32)

    def one(_: Value, __: Value) -> None:
        b.push(1)
        b.br(out)

    _each_chosen(fx, e, one)
    b.push(0)
    b.end()
    return TRUTH


def _all(fx: FunctionContext, e: ir.Fold) -> Interval:
    """Whether all values meet the condition; values after the first that fails are not tested."""
    body = e.body
    assert body is not None
    if e.where is None:
        e = _one_of_each_pair(fx, e, body)
    failing = ir.Not(body) if e.where is None else ir.Op("and", e.where, ir.Not(body))
    classes = None if coverage.notes(fx, e) else bitset_pieces.worthwhile(fx, e.source, e.reg, failing)
    if classes is not None:

        def lies() -> Interval:
            _any_class(fx, e.source, e.reg, failing, classes)
            fx.b.push(STACK.eqz())
            return TRUTH

        return fx.safely(lies, partial(_all_one_by_one, fx, e, body), I32)
    r = None if coverage.notes(fx, e) else bitset_select.worthwhile(fx, e.source, e.reg, failing, once=False)
    found = _over_picked(fx, failing, e) if r is None else (e.source, e.reg, failing, r)
    if found is None:
        return _all_one_by_one(fx, e, body)

    def quick() -> Interval:
        _any_of_set(fx, *found)
        fx.b.push(STACK.eqz())
        return TRUTH

    return fx.safely(quick, partial(_all_one_by_one, fx, e, body), I32)


def _all_one_by_one(fx: FunctionContext, e: ir.Fold, body: ir.Expr) -> Interval:
    b = fx.b
    out = b.block(I32)

    def one(_: Value, __: Value) -> None:
        fx.num(body)
        with b.if_(STACK.eqz()):
            b.push(0)
            b.br(out)

    _each_chosen(fx, e, one)
    b.push(1)
    b.end()
    return TRUTH


def _total(fx: FunctionContext, e: ir.Fold) -> Interval:
    if e.kind == "sum":
        return _of_all(fx, e, _total_one_by_one)
    classes = None if coverage.notes(fx, e) else bitset_pieces.worthwhile(fx, e.source, e.reg, e.where)
    if classes is not None and bitset_pieces.is_counted(fx, e.source):

        def number() -> Interval:
            bitset_pieces.count(fx, e.source, e.reg, e.where, classes)
            return (0, WIDE[1])

        return fx.safely(number, partial(_total_one_by_one, fx, e), I32)
    if isinstance(e.source, ir.Joined):
        r = bitset_select.worthwhile_together(fx, e.source, e.reg, e.where)
        if r is not None:
            together = partial(_count_of_parts, fx, e.source, e.reg, e.where, r)
            return fx.safely(together, partial(_total_one_by_one, fx, e), I32)
    r = bitset_select.worthwhile(fx, e.source, e.reg, e.where)
    if r is None:
        return _total_one_by_one(fx, e)

    def quick() -> Interval:
        bits = chosen_sets.chosen_bits(fx, e.source, e.reg, e.where, r)
        fx.b.push(bitsets.size(bits))
        bitsets.free_bits(fx, bits)
        return (0, r.size)

    return fx.safely(quick, partial(_total_one_by_one, fx, e), I32)


def _count_of_parts(
    fx: FunctionContext, source: ir.Joined, reg: int, where: ir.Expr | None, r: Range
) -> Interval:
    """How many values of joined collections meet a condition: a value counts once for each it stands in."""
    b = fx.b
    sources = joined_parts(source)
    row = _row_of_parts(fx, source, r)
    if row is not None:
        met = known_sets.relation_set(fx, row, r)
        if where is not None:
            fx.keep(where, reg, r, met)
        b.push(bitsets.size(met))
        bitsets.free_bits(fx, met)
        return (0, max(x.bit_count() for x in row.rows))
    parts = [fx.source_bits(part, r) for part in sources]
    met = bitsets.copy_of(fx, parts[0], r)
    for part in parts[1:]:
        bitsets.unite(fx, met, part)
    if where is not None:
        fx.keep(where, reg, r, met)
    for number, part in enumerate(parts):
        bitsets.intersect(fx, part, met)
        b.push(STACK + bitsets.size(part) if number else bitsets.size(part))
        bitsets.free_bits(fx, part)
    bitsets.free_bits(fx, met)
    known = known_sets.most(fx, sources)
    return (0, len(parts) * r.size if known is None else known)


def _row_of_parts(fx: FunctionContext, source: ir.Joined, r: Range) -> known_sets.Relation | None:
    """The values of joined collections, if they follow from few things by tables and none stands in two."""
    stands: list[ir.Expr] = [ir.Contains(ir.Reg(MEMBER), part) for part in joined_parts(source)]
    times = reduce(partial(ir.Op, "+"), stands)
    often = known_sets.relation(fx, ir.Op(">", times, ir.Const(1)), MEMBER, r)
    if often is None or any(often.rows):
        return None
    return known_sets.relation(fx, ir.Op(">", times, ir.Const(0)), MEMBER, r)


def _total_one_by_one(fx: FunctionContext, e: ir.Fold, r: Range | None = None) -> Interval:
    """The sum is kept in 64 bits, which no sum of so few numbers leaves."""
    b, number = fx.b, STACK.extended()
    counted, spans = e.kind == "count", list[Interval]()
    with b.temporaries(I32 if counted else I64) as (total,):
        b.assign(total, const(0) if counted else const(0).extended())

        def add(_: Value, n: Value) -> None:
            if counted:
                b.assign(total, total + n.operand)
                return
            assert e.body is not None
            b.push(total)
            spans.append(fx.num(e.body))
            b.assign(total, STACK_64 + (number if n is ONE else number * n.operand.extended()))

        _each_chosen(fx, e, add, r)
        b.push(total)
        most = _most(e.source)
        if counted:
            return (0, WIDE[1] if most is None else most)
        if most is None or not spans:
            arithmetic.narrow(fx, total)
            return WIDE
        low, high = min(0, most * min(x for x, _ in spans)), max(0, most * max(y for _, y in spans))
        if low < WIDE[0] or WIDE[1] < high:
            arithmetic.narrow(fx, total)
            return (max(low, WIDE[0]), min(high, WIDE[1]))
        b.push(STACK_64.wrapped())
    return (low, high)


def _most(source: ir.Source) -> int | None:
    """The most values that a collection can have, if that is known."""
    match source:
        case ir.Values(values=values):
            return len(values)
        case ir.Linked(links=links):
            return max(map(len, links), default=0)
        case ir.Filtered(source=inner) | ir.Prefix(source=inner):
            return _most(inner)
        case ir.Spread(links=links):
            return len(links)
        case ir.Bits(size=size):
            return size
        case ir.Listed(items=items):
            return len(items)
    return None


def _extreme(fx: FunctionContext, e: ir.Fold, r: Range | None = None) -> Interval:
    b, body = fx.b, e.body
    assert body is not None
    with b.temporaries(I32, I32, I32) as (best, has, v):
        b.assign(has, best.tee(const(0)))

        def keep_if_better(_: Value, __: Value) -> None:
            fx.num(body)
            new = v.tee(STACK)
            better = new.lt_s(best) if e.kind == "min" else new.gt_s(best)
            with b.if_(better | has.eqz()):
                b.assign(best, v)
                b.assign(has, 1)

        _each_chosen(fx, e, keep_if_better, r)
        b.push(best)
    return WIDE


def _distinct(fx: FunctionContext, e: ir.Fold, r: Range | None = None) -> Interval:
    """Appends each value that is not yet there to a list in the scratch; leaves its length."""
    b, top, body = fx.b, global_("top"), e.body
    assert body is not None
    with b.temporaries(I32, I32) as (first, v):
        b.assign(first, top)

        def collect(_: Value, __: Value) -> None:
            fx.evaluate(v, body)
            b.push(fx.builder.call("distinct", first, v, results=()))

        _each_chosen(fx, e, collect, r)
        b.push(top - first >> 2)
        b.assign(top, first)
    return (0, WIDE[1])


# ---- sizes


def size(fx: FunctionContext, source: ir.Source) -> Interval:
    if isinstance(source, ir.Prefix):
        entry = bitset_select.way_of(fx, source)
        if entry is not None:
            slow = partial(_total_one_by_one, fx, ir.Fold("count", 0, source, None, None))
            return fx.safely(partial(bitset_rays.count_beginning, fx, source, entry[0]), slow, I32)
    if isinstance(source, ir.Linked):
        return addresses.pick(fx, tuple(map(len, source.links)), source.index, source.lo)
    if isinstance(source, ir.Bits):
        return _number_in_set(fx, source)
    if isinstance(source, ir.Pieces) and not (
        piece_loops.keeps_sets(fx, source) and bitset_pieces.is_counted(fx, source)
    ):
        words = _numbers_kept(fx, source)
        if words:
            return _lengths(fx, source, words)
    return _total(fx, ir.Fold("count", 0, source, None, None))


def _number_in_set(fx: FunctionContext, source: ir.Bits) -> Interval:
    for number, word in enumerate(source.words):
        fx.num(word)
        fx.b.push(STACK.popcnt())
        if number:
            fx.b.push(STACK + STACK)
    return (0, source.size)


def _numbers_kept(fx: FunctionContext, node: ir.Pieces) -> int:
    """How many words of each place add up to its number of pieces, if they are few; else 0."""
    match fx.mc.places[node.first].kind:
        case ir.ORDERED | ir.BLANK:
            return 1
        case ir.COUNTS:
            return node.classes if node.classes <= FEW else 0
    return 0


def _lengths(fx: FunctionContext, node: ir.Pieces, words: int) -> Interval:
    """Places that keep their own number of pieces, in so many words."""
    b = fx.b
    with b.temporaries(I32) as (total,):
        b.assign(total, 0)

        def add(k: Value) -> None:
            with piece_loops.place_address(fx, node, k) as (at, offset):
                b.assign(total, sum((at.load(offset + 4 * i) for i in range(words)), start=total))

        piece_loops.each_place(fx, node, add)
        b.push(total)
    return (0, WIDE[1])
