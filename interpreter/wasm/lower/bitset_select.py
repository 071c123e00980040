"""Which conditions and collections can be lowered to sets, and whether it is worth it. Nothing is emitted."""

from __future__ import annotations

from dataclasses import replace

from dsl.domains import NONE
from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.fold import both, conjuncts
from interpreter.ir.operators import MIRRORED, Comparison, Operator, is_comparison
from interpreter.ir.visit import node_count, substitute
from interpreter.wasm.emit.bit_boards import FEWEST, MOST
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower import columns, const_eval, coverage, loops, value_tables
from interpreter.wasm.lower.collection_order import Direction, direction_of, joined_parts, stands_once
from interpreter.wasm.lower.column_tests import column_test
from interpreter.wasm.lower.condition_forms import guarded, loads_in, normal_conjuncts, normal_form
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.known_sets import relation
from interpreter.wasm.lower.values import Constant, InLocal, Range
from interpreter.wasm.sets.costs import length, operations, work

MOST_COUNTED = 6
"""The largest number that a count is compared with by sets."""
FEW_VALUES = 8
"""Values that may be asked one by one, where a set of them takes more."""
WRITTEN_OUT = 900
"""The most parts that a fold over known values may come to when it is written out as a set."""


ORDERS = ("<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class Behind:
    """A condition that joins others and one on the place behind the beginning of a ray.

    Its parts before and after that one, the beginning, the first of each ray (-1: none), and what is asked of
    the place behind it.
    """

    before: tuple[ir.Expr, ...]
    prefix: ir.Prefix
    firsts: list[int]
    ends: ir.Expr
    reg: int
    after: tuple[ir.Expr, ...]

    @property
    def others(self) -> tuple[ir.Expr, ...]:
        return (*self.before, *self.after)

    @property
    def longest(self) -> int:
        """The most places of a ray."""
        assert isinstance(self.prefix.source, ir.Linked)
        return max(map(len, self.prefix.source.links))


@dataclass(frozen=True, slots=True)
class Image:
    """A condition on a register that is the image of a collection.

    `value` is what an element is mapped to, `table` what it is compared with for each value of the interval,
    or none if that is the value itself. It holds if the number of elements that meet `where` and are mapped
    to that lies from `least` on, and below `below` if that is given.
    """

    source: ir.Source
    reg: int
    where: ir.Expr | None
    value: ir.Expr
    table: tuple[int, ...] | None
    least: int
    below: int | None


# ---- intervals


def range_of(
    fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, once: bool
) -> Range | None:
    """The interval of a collection, if it is small enough: that of a bit board which is asked, if any.

    `once`: each value must stand in the collection once.
    """
    if once and not stands_once(fx, source):
        return None
    asked = _asked(fx, where, reg)
    if asked is not None:
        return asked
    match source:
        case ir.Values(values=values) if values:
            lo, hi = min(values), max(values)
        case ir.Linked(links=links) if (span := fx.builder.links(links).span) is not None:
            lo, hi = span
        case (
            ir.Filtered(source=inner, reg=reg_, where=where_)
            | ir.Prefix(source=inner, reg=reg_, where=where_)
        ):
            return range_of(fx, inner, reg_, where_, once)
        case ir.Joined(parts=parts):
            return _common_range(fx, parts)
        case ir.Either(then=then, otherwise=otherwise):
            return _common_range(fx, (then, otherwise))
        case ir.Spread(links=links, lo=lo_):
            lo, hi = lo_, lo_ + len(links) - 1
        case ir.Bits(lo=lo_, size=size):
            lo, hi = lo_, lo_ + size - 1
        case _:
            return None
    return Range(lo, hi - lo + 1) if FEWEST <= hi - lo + 1 <= MOST else None


def _common_range(fx: FunctionContext, parts: tuple[ir.Source, ...]) -> Range | None:
    """The interval of several collections together; lists of single values stand in any."""
    parts = tuple(p for p in parts if not isinstance(p, ir.Listed))
    found = [range_of(fx, p, -1, None, False) for p in parts]
    known = [r for r in found if r is not None]
    if not known or len(known) < len(found):
        return None
    lo, hi = min(r.lo for r in known), max(r.lo + r.size for r in known)
    return Range(lo, hi - lo) if hi - lo <= MOST else None


def _asked(fx: FunctionContext, e: ir.Expr | None, reg: int) -> Range | None:
    """The indices of what a condition asks at a register."""
    for part in loads_in(fx, e):
        words = fx.builder.words_of(part.address.base)
        board = fx.builder.boards.get(words.name) if words is not None else None
        if board is not None and columns.board_of(fx, part, reg, Range(board.lo, board.size)) is not None:
            return Range(board.lo, board.size)
        moving = [t for t in part.address.terms if t.index == ir.Reg(reg)]
        if len(moving) == 1 and FEWEST <= moving[0].hi - moving[0].lo + 1 <= MOST:
            r = Range(moving[0].lo, moving[0].hi - moving[0].lo + 1)
            if columns.is_column(fx, part, reg, r):
                return r
    return None


# ---- conditions


def settable(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> bool:
    """Whether a condition becomes a set by operations on sets alone."""
    return settable_whole(fx, e, reg, r) or fx.form(e, reg, r) is not None


def settable_whole(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> bool:
    """Whether a condition becomes a set in one piece, or from parts that do."""
    fx.count()
    if not fx.reads(e, reg) or (fx.sets and (id(fx.builder.first_equal(e)), reg, r) in fx.sets):
        return True
    e = normal_form(fx, e, reg)
    match e:
        case ir.Op(op="and" | "or", left=left, right=right):
            if settable_whole(fx, left, reg, r) and settable_whole(fx, right, reg, r):
                return True
            behind = condition_behind(fx, e, reg, r)
            return behind is not None and all(
                settable_whole(fx, x, reg, r) for x in (*behind.before, *behind.after)
            )
        case ir.Not(operand=operand):
            return settable_whole(fx, operand, reg, r)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return all(settable_whole(fx, x, reg, r) for x in (condition, then, otherwise))
        case ir.Let(reg=inner, value=value, body=body):
            if not fx.reads(value, reg):
                return settable_whole(fx, body, reg, r)
            return value_tables.tabular(fx, value, reg) and settable_whole(
                fx, substitute(body, inner, value), reg, r
            )
        case ir.Load():
            return columns.board_of(fx, e, reg, r) is not None
        case ir.Op(op="<" | "<=" | ">" | ">=") if ordered_table(fx, e, reg, r) is not None:
            return True
        case ir.Op(op="<" | "<=" | ">" | ">=", left=ir.Load() as load, right=right):
            column = not fx.reads(right, reg) and columns.is_column(fx, load, reg, r)
            return column or column_test(fx, e, reg, r) is not None
        case ir.Op(op="==" | "!=", left=left, right=right):
            return (
                _equality(fx, left, right, reg, r)
                or _equality(fx, right, left, reg, r)
                or value_tables.is_known(fx, e, reg, r)
                or relation(fx, e, reg, r) is not None
                or image_of(fx, e, reg, r) is not None
                or column_test(fx, e, reg, r) is not None
            )
        case ir.Contains(item=item, source=source):
            return (
                relation(fx, e, reg, r) is not None
                or _membership(fx, item, source, reg, r)
                or column_test(fx, e, reg, r) is not None
            )
        case ir.Fold(kind="any" | "all"):
            return (
                relation(fx, e, reg, r) is not None
                or _folds(fx, e, reg, r)
                or image_of(fx, e, reg, r) is not None
                or (fx.form(e, reg, r) is None and fx.joins(as_any(e), reg, r))
            )
    return (
        value_tables.is_known(fx, e, reg, r)
        or relation(fx, e, reg, r) is not None
        or image_of(fx, e, reg, r) is not None
        or column_test(fx, e, reg, r) is not None
    )


def ordered_table(
    fx: FunctionContext, e: ir.Expr, reg: int, r: Range
) -> tuple[Comparison, tuple[int, ...], ir.Expr] | None:
    """What a known function of the register is compared with: how, its table, and the other side."""
    if not isinstance(e, ir.Op) or not is_comparison(e.op) or e.op not in ORDERS:
        return None
    for op, known, value in ((e.op, e.left, e.right), (MIRRORED[e.op], e.right, e.left)):
        if fx.reads(known, reg) and not fx.reads(value, reg):
            table = value_tables.table_of(fx, known, reg, r)
            return (op, table, value) if table is not None and NONE not in table else None
    return None


def _equality(fx: FunctionContext, left: ir.Expr, right: ir.Expr, reg: int, r: Range) -> bool:
    if fx.reads(right, reg):
        return False
    if right == ir.Const(0) and ray_firsts(fx, left, reg, r) is not None:
        return True
    if isinstance(left, ir.Load):
        return columns.board_of(fx, left, reg, r) is not None or columns.is_column(fx, left, reg, r)
    return left == ir.Reg(reg) or value_tables.table_of(fx, left, reg, r) is not None


def _membership(fx: FunctionContext, item: ir.Expr, source: ir.Source, reg: int, r: Range) -> bool:
    if item == ir.Reg(reg):
        if fx.reads(source, reg):
            return False
        return set_of(fx, source, r)
    return (
        isinstance(source, ir.Linked)
        and source.index == ir.Reg(reg)
        and not fx.reads(item, reg)
        and len(source.links) == r.size
        and source.lo == r.lo
    )


def _folds(fx: FunctionContext, e: ir.Fold, reg: int, r: Range) -> bool:
    parts = [x for x in (e.where, e.body) if x is not None]
    source = e.source
    if reached_from(fx, e, reg, r):
        return True
    if isinstance(source, ir.Values):
        cost = len(source.values) * (node_count(e.where) + node_count(e.body) + 4)
        return (
            cost <= WRITTEN_OUT
            and fx.builder.written_out(e) <= loops.MOST_COPIES
            and _begin_settable(fx, e, parts, reg, r)
        )
    return (
        isinstance(source, ir.Linked)
        and source.index == ir.Reg(reg)
        and (source.lo, len(source.links)) == (r.lo, r.size)
        and not any(fx.reads(x, reg) for x in parts)
        and (inner := range_of(fx, source, e.reg, None, True)) is not None
        and inner.lo >= r.lo
        and inner.lo + inner.size <= r.lo + r.size
        and all(settable(fx, x, e.reg, r) for x in parts)
    )


def as_any(e: ir.Fold) -> ir.Fold:
    """Whether there is a value for which a fold holds, or, of one over all values, fails."""
    return (
        e
        if e.kind == "any"
        else replace(e, kind="any", where=both(e.where, ir.Not(e.body or ir.Const(1))), body=None)
    )


def reached_from(fx: FunctionContext, e: ir.Fold, reg: int, r: Range) -> bool:
    """Whether a fold asks if places that meet a condition can be reached from the value of the register.

    As links lead back, those are the places that can be reached from the ones that meet it.
    """
    source = e.source
    return (
        isinstance(source, ir.Spread)
        and source.start == ir.Listed((ir.Reg(reg),))
        and (source.lo, len(source.links)) == (r.lo, r.size)
        and fx.builder.links(source.links).lead_back(r.lo)
        and e.kind == "any"
        and e.where is not None
        and not fx.reads(source.through, reg)
        and not fx.reads(e.where, reg)
        and set_of(fx, source.through, r)
        and settable(fx, e.where, e.reg, r)
    )


def _begin_settable(fx: FunctionContext, e: ir.Fold, parts: list[ir.Expr], reg: int, r: Range) -> bool:
    """Whether the condition of a written out fold is a set, or begins with one: the rest is asked."""
    for value in e.source.values if isinstance(e.source, ir.Values) else ():
        with fx.reg(e.reg, Constant(value)):
            for part in parts:
                rest = guarded(fx, normal_form(fx, part, reg), reg)[1]
                if rest is None or settable_whole(fx, rest, reg, r):
                    continue
                first = normal_form(fx, conjuncts(rest)[0], reg)
                while isinstance(first, ir.Op) and first.op == "and":
                    first = normal_form(fx, first.left, reg)
                if e.kind != "any" or not settable_whole(fx, first, reg, r):
                    return False
    return True


# ---- images


def image_of(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> Image | None:
    """The image that a condition on a register is, if it is one."""
    match e:
        case ir.Fold(kind="any" | "all") if _folds(fx, e, reg, r):
            return None
        case ir.Fold(kind="any", where=where):
            return _image(fx, e, where, reg, r, 1, None)
        case ir.Fold(kind="all", body=body) if body is not None:
            return _image(fx, e, both(e.where, ir.Not(body)), reg, r, 0, 1)
        case ir.Op(op=op, left=ir.Fold(kind="count") as fold, right=right):
            number = const_eval.constant(fx, right)
            span = None if number is None else _span(op, number)
            return None if span is None else _image(fx, fold, fold.where, reg, r, *span)
    return None


def _span(op: Operator, number: int) -> tuple[int, int | None] | None:
    """The numbers for which a comparison holds: the least, and the one behind the last if there is one."""
    if not 0 <= number < MOST_COUNTED:
        return None
    match op:
        case ">=":
            return number, None
        case ">":
            return number + 1, None
        case "<":
            return 0, number
        case "<=":
            return 0, number + 1
        case "==":
            return number, number + 1
        case "!=":
            return (1, None) if number == 0 else None
    return None


def _image(
    fx: FunctionContext,
    e: ir.Fold,
    where: ir.Expr | None,
    reg: int,
    r: Range,
    least: int,
    below: int | None,
) -> Image | None:
    if where is None or fx.reads(e.source, reg):
        return None
    compared, rest = None, None
    for part in normal_conjuncts(fx, where, e.reg):
        if not fx.reads(part, reg):
            rest = both(rest, part)
            continue
        part = normal_form(fx, part, reg)
        if compared is not None or not isinstance(part, ir.Op) or part.op != "==":
            return None
        compared = part
    if compared is None:
        return None
    for mapped, value in ((compared.left, compared.right), (compared.right, compared.left)):
        if fx.reads(mapped, reg) or fx.reads(value, e.reg):
            continue
        if value == ir.Reg(reg):
            return Image(e.source, e.reg, rest, mapped, None, least, below)
        table = value_tables.table_of(fx, value, reg, r)
        if table is not None:
            return Image(e.source, e.reg, rest, mapped, table, least, below)
    return None


# ---- collections


def set_of(fx: FunctionContext, source: ir.Source, r: Range) -> bool:
    """Whether a collection becomes a set of an interval without a loop."""
    match source:
        case ir.Values(values=values):
            return all(r.lo <= v < r.lo + r.size for v in values)
        case ir.Filtered(reg=reg, source=inner, where=where):
            return set_of(fx, inner, r) and (where is None or settable(fx, where, reg, r))
        case ir.Linked(links=links):
            return fx.builder.links(links).within(r.lo, r.size)
        case ir.Listed(items=items):
            return len(items) <= 8
        case ir.Joined(parts=parts):
            return all(set_of(fx, p, r) for p in parts)
        case ir.Prefix():
            return direction(fx, source, r) is not None
        case ir.Either(then=then, otherwise=otherwise):
            return set_of(fx, then, r) and set_of(fx, otherwise, r)
        case ir.Bits(lo=lo, size=size):
            return lo == r.lo and size <= r.size
        case ir.Spread(links=links, lo=lo, start=start, through=through):
            inside = r.lo == lo and r.size == len(links)
            return inside and set_of(fx, start, r) and set_of(fx, through, r)
    return False


def worthwhile(
    fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, once: bool = True
) -> Range | None:
    """The interval, if a collection and its condition are better found as a set."""
    if fx.one_by_one or coverage.notes(fx, (source, where)):
        return None
    r = range_of(fx, source, reg, where, once)
    if r is None or not set_of(fx, source, r):
        return None
    if not isinstance(source, ir.Values | ir.Linked | ir.Joined | ir.Listed):
        return r
    if where is None or is_sooner_asked(fx, source, reg, where, r):
        return None
    first = normal_form(fx, where, reg)
    while isinstance(first, ir.Op) and first.op == "and":
        first = normal_form(fx, first.left, reg)
    asked = first if fx.reads(first, reg) else where
    if settable_whole(fx, asked, reg, r):
        return r
    form = fx.form(asked, reg, r)
    return r if form is not None and operations(form, r) <= length(source) * work(asked) else None


def is_sooner_asked(
    fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, r: Range
) -> bool:
    """Whether a condition is sooner asked of each of a few values, by sets of what it goes through.

    As a set of these values it would ask all that it goes through one by one.
    """
    if not isinstance(source, ir.Values) or len(source.values) > FEW_VALUES or not isinstance(where, ir.Fold):
        return False
    if where.kind not in ("any", "all") or not fx.reads(where, reg):
        return False
    together, asked = fx.form(where, reg, r), as_any(where)
    within = range_of(fx, asked.source, asked.reg, asked.where, False)
    if together is None or within is None or asked.where is None or not set_of(fx, asked.source, within):
        return False
    with fx.b.temporaries(I32) as (value,), fx.reg(reg, InLocal(value, fx.domain(source))):
        alone = fx.form(asked.where, asked.reg, within)
    if alone is None:
        return False
    return len(source.values) * operations(alone, within) < operations(together, r)


def worthwhile_together(
    fx: FunctionContext, source: ir.Joined, reg: int, where: ir.Expr | None
) -> Range | None:
    """The interval, if each of the joined collections is a set without repetitions, and the condition one."""
    if fx.one_by_one or coverage.notes(fx, (source, where)):
        return None
    parts = joined_parts(source)
    r = range_of(fx, source, reg, where, False)
    if r is None or not all(set_of(fx, p, r) and (stands_once(fx, p) or _is_single(p)) for p in parts):
        return None
    return r if where is None or settable(fx, where, reg, r) else None


def _is_single(source: ir.Source) -> bool:
    return isinstance(source, ir.Listed) and len(source.items) == 1


# ---- rays


def ray_firsts(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> list[int] | None:
    """For each place of an interval the first of the ray whose beginning is counted, or none (-1)."""
    if not isinstance(e, ir.Size) or not isinstance(e.source, ir.Prefix):
        return None
    prefix, rays = e.source, e.source.source
    if prefix.until or not isinstance(rays, ir.Linked) or fx.reads(prefix.where, reg):
        return None
    rows = value_tables.table_of(fx, rays.index, reg, r, most=1 << 16)
    if rows is None or not settable(fx, prefix.where, prefix.reg, r):
        return None
    if any(not rays.lo <= row < rays.lo + len(rays.links) for row in rows):
        return None
    ends = [rays.links[row - rays.lo][:1] for row in rows]
    if any(not r.lo <= v < r.lo + r.size for end in ends for v in end):
        return None
    return [end[0] if end else -1 for end in ends]


def condition_behind(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> Behind | None:
    """A condition that there is a place behind the beginning of a ray, and on what stands there."""
    parts = normal_conjuncts(fx, e, reg)
    for asked in parts:
        if not isinstance(asked, ir.Op) or asked.op != "==" or not isinstance(asked.left, ir.Load):
            continue
        moving = [t for t in asked.left.address.terms if fx.reads(t.index, reg)]
        if len(moving) != 1 or fx.reads(asked.right, reg):
            continue
        place = moving[0].index
        there = ir.Op("!=", place, ir.Const(NONE))
        if there not in parts[: parts.index(asked)]:
            continue
        prefix = _passed(fx, place)
        firsts = None if prefix is None else ray_firsts(fx, ir.Size(prefix), reg, r)
        if prefix is None or firsts is None or not _leads_on(fx, prefix, firsts, reg, r):
            continue
        address = asked.left.address
        terms = tuple(replace(t, index=ir.Reg(reg)) if t is moving[0] else t for t in address.terms)
        ends = replace(asked, left=replace(asked.left, address=replace(address, terms=terms)))
        if settable(fx, ends, reg, r):
            before = [x for x in parts[: parts.index(asked)] if x != there]
            after = parts[parts.index(asked) + 1 :]
            return Behind(tuple(before), prefix, firsts, ends, reg, tuple(after))
    return None


def _leads_on(fx: FunctionContext, prefix: ir.Prefix, firsts: list[int], reg: int, r: Range) -> bool:
    """Whether each ray continues as the ray of its first place."""
    rays = prefix.source
    assert isinstance(rays, ir.Linked)
    rows = value_tables.table_of(fx, rays.index, reg, r, most=1 << 16)
    assert rows is not None
    ray = [rays.links[row - rays.lo] for row in rows]
    return all(first < 0 or ray[i][1:] == ray[first - r.lo] for i, first in enumerate(firsts))


def way_of(fx: FunctionContext, source: ir.Prefix) -> tuple[Range, Direction] | None:
    """The interval of a beginning whose condition is a set, and the direction of its rays."""
    if fx.one_by_one or coverage.notes(fx, source) or not isinstance(source.source, ir.Linked):
        return None
    r = range_of(fx, source.source, source.reg, source.where, True)
    if r is None or not stands_once(fx, source.source):
        return None
    found = direction(fx, source, r)
    return None if found is None else (r, found)


def direction(fx: FunctionContext, source: ir.Prefix, r: Range) -> Direction | None:
    """In which direction a ray goes whose beginning becomes a set; none if it does not become one."""
    rays = source.source
    if isinstance(rays, ir.Filtered):
        inner = replace(source, source=rays.source)
        settled = rays.where is None or settable(fx, rays.where, rays.reg, r)
        return direction(fx, inner, r) if settled else None
    if not isinstance(rays, ir.Linked | ir.Values) or not set_of(fx, rays, r):
        return None
    way = direction_of(fx, rays)
    return way if way is not None and settable(fx, source.where, source.reg, r) else None


def member_range(fx: FunctionContext, source: ir.Source) -> Range | None:
    """The interval of a collection that is better made a set to ask whether a value is in it."""
    if fx.one_by_one or isinstance(source, ir.Values | ir.Listed | ir.Bits | ir.Spread):
        return None
    if coverage.notes(fx, source):
        return None
    r = range_of(fx, source, -1, None, False)
    return r if r is not None and set_of(fx, source, r) else None


def _passed(fx: FunctionContext, place: ir.Expr) -> ir.Prefix | None:
    """The beginning of a ray, if a place is the one behind it, or none if the ray ends there."""
    match place:
        case ir.Pick(
            table=table,
            index=ir.Op(
                op="+",
                left=ir.Op(op="*", left=heading, right=ir.Const(steps)),
                right=ir.Op(
                    op="+", left=ir.Size(ir.Prefix(source=ir.Linked() as rays) as prefix), right=ir.Const(1)
                ),
            ),
            lo=0,
        ) if (rays.index, rays.lo) == (heading, 0) and not prefix.until:
            name = ("steps", id(table), id(rays.links), steps)
            if name not in fx.builder.relations:
                fx.builder.relations[name] = table, rays.links, _are_steps(table, rays.links, steps)
            return prefix if fx.builder.relations[name][2] else None
    return None


def _are_steps(table: tuple[int, ...], links: tuple[tuple[int, ...], ...], steps: int) -> bool:
    """Whether a table has for each row of links its places one after another, and none behind them."""
    if len(table) != steps * len(links) or not all(len(row) + 1 < steps for row in links):
        return False
    ends = [table[i * steps + 1 :][: len(row) + 1] for i, row in enumerate(links)]
    return all(end == (*row, NONE) for end, row in zip(ends, links, strict=True))
