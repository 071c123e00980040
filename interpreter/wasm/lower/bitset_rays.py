"""Sets that are shifted along links: neighbours, floods, beginnings of rays."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import or_

from interpreter import ir
from interpreter.ir.visit import walk
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select
from interpreter.wasm.lower import bitset_select, bitsets, chosen_sets, const_eval
from interpreter.wasm.lower.bitset_select import Behind
from interpreter.wasm.lower.collection_order import MIXED, UP, goes
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Constant, InLocal, Range, Value

MOST_STARTS = 2
"""The most places from which a flood looks at one place after the other."""
MOST_ONE_BY_ONE = 32
"""The places that it looks at then, before all others are moved at once."""
MOST_ASKED = 8
"""The places that are asked one after the other whether they are what is looked for."""

# ---- links


def shift_along(
    fx: FunctionContext, links: list[list[int]], lo: int, start: Bits, to: Bits, through: Bits | None
) -> None:
    """`to` gains the places that links lead to from `start`, as far as they lie in `through`.

    Links of equal length are one shift. `start` may be `to`: then one round may lead over several links.
    """
    by_length: dict[int, int] = {}
    for i, row in enumerate(links):
        for v in row:
            by_length[v - lo - i] = by_length.get(v - lo - i, 0) | 1 << i
    for length, sources in by_length.items():
        shift_by(fx, length, sources, start, to, through, len(links))


def shift_by(
    fx: FunctionContext,
    length: int,
    sources: int,
    start: Bits,
    to: Bits,
    through: Bits | None,
    size: int,
    possible: int | None = None,
) -> None:
    """`to`, of so many places, gains those of `start` that are in `sources`, moved up by `length`.

    `possible` has all that can be in `start`; without it, as many places as `to` has.
    """
    b, every = fx.b, (1 << size) - 1
    others = (every if possible is None else possible) & ~sources
    stray, led = (x << length if length > 0 else x >> -length for x in (others, sources))
    parts = start
    if stray & every:
        parts = [b.local(I64) for _ in start]
        for i, (part, word) in enumerate(zip(parts, start, strict=True)):
            b.assign(part, word & (sources >> 64 * i & bitsets.WORD))
        stray = 0
    for i, word in enumerate(to):
        if not (led | stray) >> 64 * i & bitsets.WORD:
            continue
        gained = shifted(parts, i, length)
        if stray >> 64 * i & bitsets.WORD:
            gained &= every >> 64 * i & bitsets.WORD
        if through is not None:
            gained &= through[i]
        b.assign(word, word | gained)
    if parts is not start:
        b.release(*parts)


def shifted(parts: list[Variable], i: int, length: int) -> Operand:
    """The i-th word of a set whose bits have been moved up by `length`."""
    terms: list[Operand] = []
    for j, part in enumerate(parts):
        move = 64 * (j - i) + length
        if -64 < move < 64:
            terms.append(part << move if move > 0 else part >> -move if move else part)
    return reduce(or_, terms) if terms else const(0, I64)


def _differ(left: Bits, right: Bits) -> Operand:
    """Whether two sets are not the same."""
    return reduce(or_, (x ^ y for x, y in zip(left, right, strict=True))).ne(0)


def _meet(left: Bits, right: Bits) -> Operand:
    """Whether two sets have a value in common."""
    return reduce(or_, (x & y for x, y in zip(left, right, strict=True))).ne(0)


def linked_set(fx: FunctionContext, e: ir.Fold, r: Range) -> Bits:
    """The places with a neighbour for which a condition holds: the set of those, led over the links."""
    assert isinstance(e.source, ir.Linked)
    found = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, found, r.all)
    if e.where is not None:
        fx.keep(e.where, e.reg, r, found)
    links: list[list[int]] = [[] for _ in e.source.links]
    for i, row in enumerate(e.source.links):
        for v in row:
            links[v - e.source.lo].append(i + e.source.lo)
    led = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, led, 0)
    shift_along(fx, links, e.source.lo, found, led, None)
    bitsets.free_bits(fx, found)
    return led


# ---- floods


def spread_set(fx: FunctionContext, source: ir.Spread, r: Range, found: Bits) -> None:
    """`found` becomes the set of the places reached: a fixpoint of the links, within `through`."""
    b = fx.b
    few = _has_few_starts(source) or (r.words > 1 and isinstance(source.start, ir.Linked))
    bitsets.move_into(fx, found, fx.source_bits(source.start, r))
    with b.if_(bitsets.is_any(found)):
        through, before = fx.source_bits(source.through, r), bitsets.new_bits(fx, r)
        bitsets.intersect(fx, found, through)
        if few:
            _spread_one_by_one(fx, source, r, found, through, before)
        with b.if_(bitsets.is_any(before if few else found)):
            again = b.loop()
            bitsets.copy_bits(fx, before, found)
            shift_along(fx, [list(row) for row in source.links], source.lo, found, found, through)
            b.br_if(again, _differ(before, found) & _differ(found, through))
            b.end()
    bitsets.free_bits(fx, before)
    bitsets.free_bits(fx, through)


class _Flood:
    """A flood that looks at one place after the other; `waiting` are those that it has not looked at.

    What lies around a place are a few words of a table; to move all places along all links takes as long as
    to look at many.
    """

    def __init__(self, fx: FunctionContext, source: ir.Spread, r: Range, found: Bits, through: Bits) -> None:
        self.fx, self.r, self.through = fx, r, through
        around = [sum(1 << v - source.lo for v in row) for row in source.links]
        self.rows = bitsets.row_table(fx, around, r.words)
        self.rest, self.waiting = bitsets.copy_of(fx, through, r), bitsets.copy_of(fx, found, r)
        bitsets.minus(fx, self.rest, found)

    def add_around(self, place: Variable) -> None:
        """What is linked to a place, and can be reached, waits from now on. `place` is changed."""
        b, size = self.fx.b, 8 * self.r.words
        b.assign(place, (place - self.r.lo) * size)
        with b.temporaries(I64) as (new,):
            for i, (free, word) in enumerate(zip(self.rest, self.waiting, strict=True)):
                b.assign(new, place.load64(self.rows + 8 * i) & free)
                b.assign(free, free ^ new)
                b.assign(word, word | new)

    def put_reached(self, found: Bits) -> None:
        """`found` becomes all that has been reached."""
        for to, every, free in zip(found, self.through, self.rest, strict=True):
            self.fx.b.assign(to, every ^ free)

    def release(self) -> None:
        bitsets.free_bits(self.fx, self.rest)
        bitsets.free_bits(self.fx, self.waiting)


def _spread_one_by_one(
    fx: FunctionContext, source: ir.Spread, r: Range, found: Bits, through: Bits, waiting: Bits
) -> None:
    """`found` gains what is linked to one of its places after the other, up to a number of them.

    Those that are `waiting` when it ends have not been looked at.
    """
    b = fx.b
    flood = _Flood(fx, source, r, found, through)
    with b.temporaries(I32, I32) as (place, left):
        b.assign(left, MOST_ONE_BY_ONE)
        with b.until(bitsets.is_any(flood.waiting).eqz()) as out:
            b.br_if(out, left.eqz())
            bitsets.take_first(fx, flood.waiting, place, r)
            flood.add_around(place)
            b.assign(left, left - 1)
    flood.put_reached(found)
    bitsets.copy_bits(fx, waiting, flood.waiting)
    flood.release()


def reaches(fx: FunctionContext, source: ir.Spread, reg: int, where: ir.Expr, r: Range) -> None:
    """Leaves whether a place that meets a condition is reached; the flood ends as soon as one is.

    From a few places one after the other is asked, if the set of all that meet the condition takes long to
    find; what lies further off is found by moving all places at once.
    """
    b = fx.b
    out = b.block(I32)
    near = r.words >= chosen_sets.WIDE and _has_few_starts(source) and _goes_round(where)
    if near:
        _reaches_at_once(fx, source, reg, where, r, out)
    through, found = fx.source_bits(source.through, r), fx.source_bits(source.start, r)
    bitsets.intersect(fx, found, through)
    if near:
        _reaches_near(fx, source, reg, where, r, found, through, out)
    goal, before = bitsets.copy_of(fx, through, r), bitsets.new_bits(fx, r)
    fx.keep(where, reg, r, goal)
    b.push(0)
    b.br_if(out, bitsets.is_any(goal).eqz())
    b.drop()
    b.push(1)
    b.br_if(out, _meet(goal, found))
    b.drop()
    again = b.loop(I32)
    bitsets.copy_bits(fx, before, found)
    shift_along(fx, [list(row) for row in source.links], source.lo, found, found, through)
    b.push(1)
    b.br_if(out, _meet(goal, found))
    b.drop()
    b.br_if(again, _differ(before, found))
    b.push(0)
    b.end()
    b.end()
    for bits in (through, goal, found, before):
        bitsets.free_bits(fx, bits)


def _goes_round(condition: ir.Expr) -> bool:
    return any(isinstance(part, ir.Fold) for part in walk(condition))


def _has_few_starts(source: ir.Spread) -> bool:
    return isinstance(source.start, ir.Listed) and len(source.start.items) <= MOST_STARTS


def _reaches_at_once(
    fx: FunctionContext, source: ir.Spread, reg: int, where: ir.Expr, r: Range, out: Label
) -> None:
    """Leads out with 1 if one of the first places is itself what is looked for."""
    within = source.through
    if (
        not isinstance(within, ir.Filtered)
        or within.where is None
        or within.source != ir.Values(tuple(range(r.lo, r.lo + r.size)))
    ):
        return
    assert isinstance(source.start, ir.Listed)
    b = fx.b
    for item in source.start.items:
        held = const_eval.operand(fx, item)
        if isinstance(held, Constant):
            continue
        no = b.block()
        inside = r.lo <= held.span[0] and held.span[1] < r.lo + r.size
        if not inside:
            b.br_if(no, bitsets.in_range(held.operand, r).eqz())
        with fx.reg(within.reg, held):
            fx.num(within.where)
        b.br_if(no, STACK.eqz())
        b.push(1)
        with fx.reg(reg, held):
            fx.num(where)
        b.br_if(out)
        b.drop()
        b.end()
        fx.drop(held)


def _reaches_near(
    fx: FunctionContext,
    source: ir.Spread,
    reg: int,
    where: ir.Expr,
    r: Range,
    found: Bits,
    through: Bits,
    out: Label,
) -> None:
    """Leads out with the answer if it is found at the first places; else `found` are all that are reached."""
    b = fx.b
    with b.temporaries(I32, I32) as (place, left):
        b.assign(left, MOST_ASKED)
        flood = _Flood(fx, source, r, found, through)
        with b.until(left.eqz()):
            b.push(0)
            b.br_if(out, bitsets.is_any(flood.waiting).eqz())
            b.drop()
            bitsets.take_first(fx, flood.waiting, place, r)
            b.push(1)
            with fx.reg(reg, InLocal(place, (r.lo, r.lo + r.size - 1))):
                fx.num(where)
            b.br_if(out)
            b.drop()
            flood.add_around(place)
            b.assign(left, left - 1)
        flood.put_reached(found)
        flood.release()


# ---- beginnings of rays


def begins_set(fx: FunctionContext, e: ir.Expr, firsts: list[int], r: Range) -> Bits:
    """The places whose rays begin with a value that meets the condition."""
    assert isinstance(e, ir.Size)
    assert isinstance(e.source, ir.Prefix)
    found = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, found, r.all)
    fx.keep(e.source.where, e.source.reg, r, found)
    led = _shift_back(fx, found, firsts, r)
    bitsets.free_bits(fx, found)
    return led


def _shift_back(fx: FunctionContext, found: Bits, firsts: list[int], r: Range) -> Bits:
    """The places whose first, towards which they look, is in a set."""
    links: list[list[int]] = [[] for _ in range(r.size)]
    for i, first in enumerate(firsts):
        if first >= 0:
            links[first - r.lo].append(i + r.lo)
    led = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, led, 0)
    shift_along(fx, links, r.lo, found, led, None)
    return led


def behind_set(fx: FunctionContext, behind: Behind, r: Range) -> Bits:
    """The places that look over passed ones at one that meets a condition.

    Those whose first meets it are looked for first; then, again and again, those whose first is passed
    and looks at such a one. No ray has more places than rounds.
    """
    passed, ends = bitsets.new_bits(fx, r), bitsets.new_bits(fx, r)
    for bits, condition, reg in (
        (passed, behind.prefix.where, behind.prefix.reg),
        (ends, behind.ends, behind.reg),
    ):
        bitsets.set_bits(fx, bits, r.all)
        fx.keep(condition, reg, r, bits)
    bitsets.minus(fx, ends, passed)
    found = _shift_back(fx, ends, behind.firsts, r)
    for _ in range(behind.longest - 1):
        bitsets.intersect(fx, found, passed)
        bitsets.unite(fx, found, ends)
        bitsets.move_into(fx, found, _shift_back(fx, found, behind.firsts, r))
    bitsets.free_bits(fx, passed)
    bitsets.free_bits(fx, ends)
    return found


def beginning_set(fx: FunctionContext, source: ir.Prefix, r: Range) -> Bits:
    """The values before the first that fails the condition, or with `until` up to the first that meets it."""
    rays, index = source.source, None
    way = bitset_select.direction(fx, source, r)
    if isinstance(rays, ir.Linked) and way == MIXED:
        index = const_eval.operand(fx, rays.index)
        rays = _under(fx, rays, index)
    stops = fx.source_bits(rays, r)
    found = bitsets.copy_of(fx, stops, r)
    fx.keep(source.where, source.reg, r, found)
    if source.until:
        stops, found = found, stops
    else:
        for stop, word in zip(stops, found, strict=True):
            fx.b.assign(stop, stop ^ word)
    if index is None:
        masks = _masks(stops, r, way == UP, source.until)
    else:
        assert isinstance(rays, ir.Linked)
        upward = index.operand.entry_of(fx.builder.table(int(goes(row, True)) for row in rays.links), rays.lo)
        both = (_masks(stops, r, up, source.until) for up in (True, False))
        masks = [select(x, y, upward) for x, y in zip(*both, strict=True)]
        fx.drop(index)
    for word, mask in zip(found, masks, strict=True):
        fx.b.assign(word, word & mask)
    bitsets.free_bits(fx, stops)
    return found


def _masks(stops: Bits, r: Range, up: bool, until: bool) -> list[Operand]:
    """For each word of a set, what stands before the lowest bit of another set, or above its highest.

    Without `until`, the bits of the other set are not in what it is a mask of.
    """
    masks: list[Operand] = []
    passed: list[Variable] = []
    words = list(enumerate(stops))
    for i, stop in words if up else words[::-1]:
        full = r.size >= 64 * (i + 1)
        mask = _up_to_lowest(stop, until) if up else _down_to_highest(stop, until, full)
        if passed:
            mask &= const(0, I64) - reduce(or_, passed).eqz().widened()
        masks.append(mask)
        passed.append(stop)
    return masks if up else masks[::-1]


def _up_to_lowest(stop: Operand, until: bool) -> Operand:
    """The bits below the lowest one that is set, with `until` that one too; all if none is.

    Without `until` there are others in it, above one that is set.
    """
    return stop ^ (stop - 1) if until else stop - 1


def _down_to_highest(stop: Operand, until: bool, full: bool) -> Operand:
    """The bits above the highest one that is set, with `until` that one too; all if none is.

    A word that is not `full` does not use its highest bit: all bits moved up by one with a bit below them
    are never none.
    """
    if not full:
        below = const(-1, I64) >> ((stop << 1) | const(1, I64)).clz()
        return (below >> (2 if until else 1)) ^ -1
    mask = const(-1 if until else -2, I64) << const(63, I64) - stop.clz()
    return select(const(-1, I64), mask, stop.eqz())


def count_beginning(fx: FunctionContext, source: ir.Prefix, r: Range) -> tuple[int, int]:
    """Leaves how many values a beginning has."""
    found = beginning_set(fx, source, r)
    fx.b.push(bitsets.size(found))
    bitsets.free_bits(fx, found)
    assert isinstance(source.source, ir.Linked)
    return (0, max(map(len, source.source.links), default=0))


def _under(fx: FunctionContext, rays: ir.Linked, index: Value) -> ir.Linked:
    """The same rays with an index that is already evaluated."""
    if isinstance(index, Constant):
        return replace(rays, index=ir.Const(index.value))
    spare = max(fx.regs, default=0) + 1000
    fx.regs[spare] = index
    return replace(rays, index=ir.Reg(spare))
