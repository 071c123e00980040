"""Whether enough places in a row meet a condition: `any(way where 1 + line(way) + line(opposite(way)) >= 4)`.

What meets it is one set, and so is where it goes on for two, four, … places: the set, and the set moved by
as many steps. What lies in the row through a place is known beforehand, so a row of a table says where a line
through it may begin. No line is followed step by step, and none has a branch of its own.

Where the places of a ray are not equally far apart, the lines through each place are known as sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.visit import substitute
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import STACK, Operand, Variable
from interpreter.wasm.lower import (
    addresses,
    bitset_rays,
    bitset_select,
    bitsets,
    const_eval,
    coverage,
    known_sets,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Range

MOST_LINES = 24
"""The most lines through a place that are looked at one by one."""
MOST_BYTES = 1 << 17
"""The most bytes of a table."""


@dataclass(frozen=True, slots=True)
class Way:
    """The one or two rays whose beginnings are counted together: their indices, and how many are enough.

    `exactly`: more are too many.
    """

    indices: tuple[ir.Expr, ...]
    enough: int
    exactly: bool


@dataclass(frozen=True, slots=True)
class EvenWay:
    """A way in which all rays have the same step, and the places where a line may begin, for each key.

    `longer` are those where a line of one more place may begin, if that would be too many.
    """

    step: int
    places: int
    starts: tuple[int, ...]
    longer: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines through the place that a key stands for. `middles` has the set of that place alone.

    `steps` are the ways in which a line is found by moving sets. Without them, `rows` has all lines through
    it, some more than once where it has fewer than others.
    """

    prefix: ir.Prefix
    r: Range
    key: ir.Expr
    keys: Range
    middles: tuple[int, ...]
    steps: tuple[EvenWay, ...]
    rows: tuple[tuple[int, ...], ...]


# ---- finding them


def lines_of(fx: FunctionContext, e: ir.Expr) -> Lines | None:
    """The lines that a condition asks for, if it asks for nothing else."""
    if fx.one_by_one or fx.builder.config.explains:
        return None
    ways: list[Way] = []
    prefixes: list[ir.Prefix] = []
    for condition in _any_of(fx, e):
        way, parts = _way(fx, condition)
        if way is None:
            return None
        ways.append(way)
        prefixes += parts
    if not ways or not _are_alike(prefixes) or coverage.notes(fx, e):
        return None
    prefix = prefixes[0]
    entry = bitset_select.range_of(fx, prefix.source, prefix.reg, prefix.where, False)
    if entry is None or not bitset_select.settable(fx, prefix.where, prefix.reg, entry):
        return None
    return _lines(fx, prefix, entry, ways)


def _any_of(fx: FunctionContext, e: ir.Expr) -> Iterator[ir.Expr]:
    """The conditions of which one is enough. The largest of several numbers is enough if any of them is."""
    match e:
        case ir.Fold():
            for one in alternatives(fx, e):
                yield from _any_of(fx, one)
        case ir.Op(op="or", left=left, right=right):
            yield from _any_of(fx, left)
            yield from _any_of(fx, right)
        case ir.Op(op=">=" | ">", left=ir.Op(op="max", left=one, right=other)):
            yield from _any_of(fx, replace(e, left=one))
            yield from _any_of(fx, replace(e, left=other))
        case ir.Op(op=">=" | ">", left=ir.Let(reg=reg, value=value, body=body)):
            yield from _any_of(fx, replace(e, left=substitute(body, reg, value)))
        case ir.Op(op=">=" | ">", left=ir.Fold(kind="max", where=None, body=body) as largest) if body:
            over = ir.Fold("any", largest.reg, largest.source, replace(e, left=body), None)
            yield from _any_of(fx, over)
        case _:
            yield e


def alternatives(fx: FunctionContext, e: ir.Fold) -> Iterator[ir.Expr]:
    """What `any` asks of each of its values, if they are known and few."""
    if e.kind != "any" or e.where is None:
        return
    match e.source:
        case ir.Values(values=values):
            known: Sequence[int | None] = values
        case ir.Listed(items=items):
            known = [const_eval.constant(fx, item) for item in items]
        case _:
            return
    found = [value for value in known if value is not None]
    if len(found) == len(known) <= MOST_LINES:
        for value in found:
            yield substitute(e.where, e.reg, ir.Const(value))


def _way(fx: FunctionContext, e: ir.Expr) -> tuple[Way | None, list[ir.Prefix]]:
    """A comparison of the number of places at the beginning of one ray or two, and these beginnings."""
    if not isinstance(e, ir.Op) or e.op not in (">=", ">", "=="):
        return None, []
    least = const_eval.constant(fx, e.right)
    counted: list[ir.Prefix] = []
    number = _sum(fx, e.left, counted)
    if least is None or number is None or not 1 <= len(counted) <= 2:
        return None, []
    enough = least - number + (e.op == ">")
    indices = tuple(x.source.index for x in counted if isinstance(x.source, ir.Linked))
    way = Way(indices, enough, e.op == "==")
    return (way if len(indices) == len(counted) and enough > 0 else None), counted


def _sum(fx: FunctionContext, e: ir.Expr, counted: list[ir.Prefix]) -> int | None:
    """The known part of a sum; the beginnings whose places are counted in it are put into a list."""
    match e:
        case ir.Op(op="+", left=left, right=right):
            one, other = _sum(fx, left, counted), _sum(fx, right, counted)
            return None if one is None or other is None else one + other
        case ir.Let(reg=reg, value=value, body=body):
            return _sum(fx, substitute(body, reg, value), counted)
        case ir.Size(source=ir.Prefix(until=False) as prefix):
            counted.append(prefix)
            return 0
    return const_eval.constant(fx, e)


def _are_alike(prefixes: Sequence[ir.Prefix]) -> bool:
    """Whether beginnings of rays over the same links ask the same of each place."""
    first = prefixes[0]
    return all(
        isinstance(x.source, ir.Linked)
        and isinstance(first.source, ir.Linked)
        and (x.source.links is first.source.links or x.source.links == first.source.links)
        and x.source.lo == first.source.lo
        and substitute(x.where, x.reg, ir.Reg(first.reg)) == first.where
        for x in prefixes
    )


def _lines(fx: FunctionContext, prefix: ir.Prefix, r: Range, ways: Sequence[Way]) -> Lines | None:
    rays = prefix.source
    assert isinstance(rays, ir.Linked)
    known = known_sets.tables(fx, [index for way in ways for index in way.indices])
    if known is None or not fx.builder.links(rays.links).within(r.lo, r.size):
        return None
    key, keys, tables = known
    indices = iter(tables)
    steps: list[EvenWay] = []
    middles: tuple[int, ...] | None = (0,) * keys.size
    listed = True
    lines: list[list[int]] = [[] for _ in range(keys.size)]
    for way in ways:
        columns = [next(indices) for _ in way.indices]
        if any(not rays.lo <= i < rays.lo + len(rays.links) for column in columns for i in column):
            return None
        pairs = [_pair(rays, columns, k) for k in range(keys.size)]
        through = [_through(pair, way.enough) for pair in pairs]
        if not any(through):
            continue
        for k, found_lines in enumerate(through):
            lines[k] += [sum(1 << v - r.lo for v in set(line)) for line in found_lines]
        exactly = way.exactly and max(len(one) + len(other) for one, other in pairs) > way.enough
        listed = listed and not exactly
        found = _steps(pairs, way.enough, exactly, r)
        middles = None if found is None else _same_middles(middles, found[1])
        if found is not None:
            steps.append(found[0])
    if not any(lines):
        return None
    sets = 1 + sum(1 if way.longer is None else 2 for way in steps)
    if middles is not None and keys.size * sets * r.words * 8 <= MOST_BYTES:
        return Lines(prefix, r, key, keys, middles, tuple(steps), ())
    rows = padded(lines, r) if listed else None
    return None if rows is None else Lines(prefix, r, key, keys, (), (), rows)


def padded(lines: Sequence[Sequence[int]], r: Range) -> tuple[tuple[int, ...], ...] | None:
    """Rows of sets that go into a table, all of one length: some twice, or one that is in no set."""
    most, none = max(map(len, lines)), (1 << 64 * r.words) - 1
    if most > MOST_LINES or len(lines) * most * r.words * 8 > MOST_BYTES:
        return None
    if none == r.all and not all(lines):
        return None
    return tuple((*row, *[row[0] if row else none] * (most - len(row))) for row in lines)


def _pair(rays: ir.Linked, columns: Sequence[Sequence[int]], k: int) -> tuple[tuple[int, ...], ...]:
    rows = [rays.links[column[k] - rays.lo] for column in columns]
    return (rows[0], rows[1] if len(rows) > 1 else ())


def _through(pair: tuple[tuple[int, ...], ...], enough: int) -> list[tuple[int, ...]]:
    """The beginnings of two rays that have enough places together, and not one more."""
    one, other = pair
    numbers = range(max(0, enough - len(other)), min(enough, len(one)) + 1)
    return [one[:n] + other[: enough - n] for n in numbers]


def _steps(
    pairs: Sequence[tuple[tuple[int, ...], ...]], enough: int, exactly: bool, r: Range
) -> tuple[EvenWay, tuple[int, ...]] | None:
    """A way as steps, if all its rays have the same one, and the places in the middle for each key."""
    step = next((found for found in map(_step, pairs) if found), 0)
    if not step:
        return None
    starts: list[list[int]] = [[], []]
    middles = []
    for pair in pairs:
        up, down = pair if step > 0 else pair[::-1]
        length = abs(step)
        middle = up[0] - length if up else down[0] + length if down else None
        if middle is None:
            starts[0].append(0)
            starts[1].append(0)
            middles.append(0)
            continue
        if up != tuple(middle + length * (i + 1) for i in range(len(up))):
            return None
        if down != tuple(middle - length * (i + 1) for i in range(len(down))):
            return None
        if not r.lo <= middle < r.lo + r.size:
            return None
        for sets, number in zip(starts, (enough, enough + 1), strict=True):
            before = range(max(0, number - len(up)), min(number, len(down)) + 1)
            sets.append(sum(1 << middle - length * n - r.lo for n in before))
        middles.append(1 << middle - r.lo)
    longer = tuple(starts[1]) if exactly else None
    return EvenWay(abs(step), enough + 1, tuple(starts[0]), longer), tuple(middles)


def _step(pair: tuple[tuple[int, ...], ...]) -> int:
    """The step from each place of a line to the next, as its first ray goes; 0 if it cannot be seen."""
    one, other = pair
    if len(one) > 1:
        return one[1] - one[0]
    if len(other) > 1:
        return other[0] - other[1]
    return (one[0] - other[0]) // 2 if one and other else 0


def _same_middles(one: tuple[int, ...] | None, other: tuple[int, ...]) -> tuple[int, ...] | None:
    """The places in the middle for each key, if two ways do not have different ones."""
    if one is None or any(x and y and x != y for x, y in zip(one, other, strict=True)):
        return None
    return tuple(x | y for x, y in zip(one, other, strict=True))


# ---- looking for them


def push_lines(fx: FunctionContext, lines: Lines) -> None:
    """Leaves whether there is a line."""
    r, found = lines.r, bitsets.new_bits(fx, lines.r)
    bitsets.set_bits(fx, found, r.all)
    fx.keep(lines.prefix.where, lines.prefix.reg, r, found)
    with fx.b.temporaries(I32) as (row,):
        assign_row(fx, row, lines.key, lines.keys)
        if lines.steps:
            _push_by_steps(fx, lines, row, found)
        else:
            push_is_any_within(fx, lines.rows, row, found)
    bitsets.free_bits(fx, found)


def assign_row(fx: FunctionContext, row: Variable, key: ir.Expr, keys: Range) -> None:
    """`row` becomes the number of a key among all that it can be."""
    span = fx.num(key)
    addresses.within(fx, span, keys.lo, keys.lo + keys.size - 1)
    fx.b.assign(row, STACK - keys.lo if keys.lo else STACK)


def _push_by_steps(fx: FunctionContext, lines: Lines, row: Variable, found: Bits) -> None:
    """Each way moves the set by its steps; what is left are the places where enough others follow."""
    b, words = fx.b, lines.r.words
    columns = [lines.middles]
    for way in lines.steps:
        columns += [way.starts] if way.longer is None else [way.starts, way.longer]
    table = bitsets.row_table(fx, [sets[k] for k in range(lines.keys.size) for sets in columns], words)
    b.assign(row, row * (8 * words * len(columns)))
    at = iter(range(table, table + 8 * words * len(columns), 8 * words))

    def within(places: Bits, first: int) -> Operand:
        return reduce(or_, (word & row.load64(first + 8 * i) for i, word in enumerate(places)))

    first = next(at)
    for i, word in enumerate(found):
        b.assign(word, word | row.load64(first + 8 * i))
    with b.temporaries(I64, I32) as (begun, result):
        b.assign(begun, 0)
        b.assign(result, 0)
        for way in lines.steps:
            follow = bitsets.copy_of(fx, found, lines.r)
            _follow(fx, follow, follow, way.step, 1, way.places)
            if way.longer is None:
                b.assign(begun, begun | within(follow, next(at)))
            else:
                enough = within(follow, next(at)).ne(0)
                b.push(enough)
                _follow(fx, follow, found, way.step, way.places, way.places + 1)
                b.assign(result, STACK & within(follow, next(at)).eqz() | result)
            bitsets.free_bits(fx, follow)
        b.push(begun.ne(0) | result)


def _follow(fx: FunctionContext, follow: Bits, every: Bits, step: int, places: int, wanted: int) -> None:
    """`follow` keeps those of its places behind which as many places of a set follow as are wanted.

    So many do already; `every` is that set, or `follow` itself.
    """
    while places < wanted:
        more = min(places, wanted - places)
        ahead = step * (places if every is not follow else more)
        moved = [bitset_rays.shifted(every, i, -ahead) for i in range(len(follow))]
        for word, other in zip(follow, moved, strict=True):
            fx.b.assign(word, word & other)
        places += more


def push_is_any_within(
    fx: FunctionContext, rows: Sequence[Sequence[int]], row: Variable, found: Bits
) -> None:
    """Leaves whether one of the sets in a row of a table is within a set. `row` is changed."""
    b, words = fx.b, len(found)
    number = len(rows[0])
    table = bitsets.row_table(fx, [line for row_ in rows for line in row_], words)
    b.assign(row, row * (8 * words * number))
    with b.temporaries(I32) as (result,):
        b.assign(result, 0)
        for at in range(number):
            missing = [(word ^ -1) & row.load64(table + 8 * (at * words + i)) for i, word in enumerate(found)]
            b.assign(result, result | reduce(or_, missing).eqz())
        b.push(result)
