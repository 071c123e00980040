"""Sums of words that lie side by side, four at a time: `sum(seeds at pit for pit where pit.owner is seat)`.

Which words count is known for each value of what else the condition reads, and so is what each of them is
multiplied by. So a sum is that of the products of all words with a row of numbers, 0 for those left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.wasm.emit.encoding import I32, V128
from interpreter.wasm.emit.operands import STACK, Operand, const
from interpreter.wasm.lower import addresses, columns, const_eval, coverage, known_sets, value_tables
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.known_sets import Relation
from interpreter.wasm.lower.values import Interval, Range

FEWEST, MOST = 3, 64
"""Words that are added together."""
LARGEST = 1 << 31


@dataclass(frozen=True, slots=True)
class ColumnSum:
    """The words of an interval, by what each counts, and which of them do for each value of the keys."""

    load: ir.Load
    reg: int
    r: Range
    weights: tuple[int, ...]
    chosen: Relation
    words: Interval
    """What a word can be."""

    @property
    def rows(self) -> list[list[int]]:
        """For each value of the keys what each word is multiplied by."""
        return [[w if row >> i & 1 else 0 for i, w in enumerate(self.weights)] for row in self.chosen.rows]

    def span(self, rows: Sequence[Sequence[int]]) -> Interval:
        """The interval of the sums by some rows."""
        ends = [[sum(sorted(w * x for x in self.words)[k] for w in row) for row in rows] for k in (0, -1)]
        return min(ends[0]), max(ends[1])


def column_sum(fx: FunctionContext, e: ir.Fold) -> ColumnSum | None:
    """The sum of a column that a fold is, if every such sum fits in 32 bits."""
    if fx.one_by_one or coverage.notes(fx, e) or not isinstance(e.source, ir.Values) or e.body is None:
        return None
    values = e.source.values
    if len(set(values)) < max(len(values), FEWEST):
        return None
    r = Range(min(values), max(values) - min(values) + 1)
    parts = _weighted(fx, e.body, e.reg, r)
    if parts is None or r.size > MOST:
        return None
    load, weights = parts
    words = fx.builder.words_of(load.address.base)
    if words is None or not columns.is_column(fx, load, e.reg, r):
        return None
    chosen = Relation((), (), ((1 << r.size) - 1,))
    if e.where is not None:
        known = known_sets.relation(fx, e.where, e.reg, r)
        if known is None:
            return None
        chosen = known
    present = sum(1 << v - r.lo for v in values)
    chosen = Relation(chosen.keys, chosen.spans, tuple(row & present for row in chosen.rows))
    bounds = [bound for ends in words.ranges for bound in ends]
    if max(map(abs, bounds)) * sum(map(abs, weights)) >= LARGEST:
        return None
    return ColumnSum(load, e.reg, r, weights, chosen, (min(bounds), max(bounds)))


def load_of_column(fx: FunctionContext, e: ir.Fold) -> ir.Load | None:
    """What a sum adds up, if its numbers lie side by side, none is below 0, and each counts."""
    found = column_sum(fx, e)
    return found.load if found is not None and found.words[0] >= 0 and min(found.weights) > 0 else None


def _weighted(
    fx: FunctionContext, body: ir.Expr, reg: int, r: Range
) -> tuple[ir.Load, tuple[int, ...]] | None:
    """What is added, as a word and what it is multiplied by for each value of the register."""
    match body:
        case ir.Load():
            return body, (1,) * r.size
        case (
            ir.Op(op="*", left=ir.Load() as load, right=factor)
            | ir.Op(op="*", left=factor, right=ir.Load() as load)
        ):
            table = value_tables.table_of(fx, factor, reg, r, most=LARGEST)
            return None if table is None else (load, table)
    return None


def push_sum(fx: FunctionContext, found: ColumnSum) -> Interval:
    """Leaves the sum."""
    b, load, r = fx.b, found.load, found.r
    [moving] = [t for t in load.address.terms if t.index == ir.Reg(found.reg)]
    rest = ir.Address(load.address.base, tuple(t for t in load.address.terms if t is not moving))
    vectors = -(-r.size // 4)
    rows = [row + [0] * (4 * vectors - r.size) for row in _possible_rows(fx, found)]
    plain = all(weight == 1 for weight in found.weights)
    used = [i for i in range(vectors) if any(any(row[4 * i : 4 * i + 4]) for row in rows)]
    if not used:
        b.push(0)
        return (0, 0)
    table = fx.builder.table(-x if plain else x for row in rows for x in row)
    with b.temporaries(I32, I32, V128) as (at, row_at, total):
        if len(rows) > 1:
            known_sets.assign_row(fx, found.chosen, row_at)
            b.assign(row_at, row_at * (16 * vectors))
        row_address = row_at if len(rows) > 1 else const(0)
        offset = addresses.address(fx, rest) + 4 * (r.lo - moving.lo)
        b.assign(at, STACK)
        for number, i in enumerate(used):
            words, weights = at.load_vector(offset + 16 * i), row_address.load_vector(table + 16 * i)
            part: Operand = words & weights if plain else words * weights
            b.assign(total, total + part if number else part)
        b.assign(total, total + total.lanes(total, 2, 3, 0, 1))
        b.push((total + total.lanes(total, 1, 0, 3, 2)).first_lane())
    return found.span(rows)


def _possible_rows(fx: FunctionContext, found: ColumnSum) -> list[list[int]]:
    """What each word is multiplied by: one row where all keys are known, and inside what they can be."""
    number, rows = 0, found.rows
    for key, span in zip(found.chosen.keys, found.chosen.spans, strict=True):
        known = const_eval.constant(fx, key)
        if known is None or not span.lo <= known < span.lo + span.size:
            return rows
        number = number * span.size + known - span.lo
    return [rows[number]]
