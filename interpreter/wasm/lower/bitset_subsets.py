"""Whether all places of one of several known sets have a value: `any(row where complete(row, me))`.

Where `complete` asks for the value at `row.first`, at `row.second` and so on, each row is a set of places
that is known beforehand, and the places that have the value are one set. What else is asked of a row, as that
a point is one of its places, chooses among the rows that a table has for each point. On a board of few places
a table says for each set whether a row is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.fold import both, conjuncts
from interpreter.ir.visit import substitute
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower import (
    bitset_lines,
    bitset_loads,
    bitsets,
    columns,
    const_eval,
    coverage,
    known_sets,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Range

MOST_IN_TABLE = 12
"""The most places of which a table has all sets."""
PLACE = ir.Reg(-3)
"""Stands for the place in what is asked of it."""


@dataclass(frozen=True, slots=True)
class AskedPlace:
    """What is asked of a place, and of which one."""

    load: ir.Load
    value: ir.Expr
    place: int


@dataclass(frozen=True, slots=True)
class Subsets:
    """Sets of places of an interval, in a row for each key; without a key there is one row.

    `load` at a place and `value` are what is compared.
    """

    load: ir.Load
    value: ir.Expr
    r: Range
    key: ir.Expr | None
    keys: Range
    rows: tuple[tuple[int, ...], ...]


# ---- finding them


def subsets_of(fx: FunctionContext, e: ir.Fold) -> Subsets | None:
    """The sets of places, if `any` asks the same of all places of each."""
    if fx.one_by_one or fx.builder.config.explains or coverage.notes(fx, e):
        return None
    asked: list[AskedPlace] = []
    masks: list[int] = []
    others: list[ir.Expr] = []
    for condition in bitset_lines.alternatives(fx, e):
        mask, rest = 0, None
        for part in _parts(fx, condition):
            found = _asked(fx, part)
            if found is None:
                rest = both(rest, part)
            elif asked and (found.load, found.value) != (asked[0].load, asked[0].value):
                return None
            else:
                asked.append(found)
                mask |= 1 << found.place
        if not mask:
            return None
        masks.append(mask)
        others.append(ir.Const(1) if rest is None else rest)
    if not asked or max(mask.bit_count() for mask in masks) < 2:
        return None
    return _subsets(fx, asked[0], masks, others)


def _subsets(
    fx: FunctionContext, asked: AskedPlace, masks: Sequence[int], others: Sequence[ir.Expr]
) -> Subsets | None:
    words = fx.builder.words_of(asked.load.address.base)
    assert words is not None
    board = fx.builder.boards[words.name]
    r = Range(board.lo, board.size)
    if columns.board_of(fx, asked.load, PLACE.index, r) is None:
        return None
    if all(const_eval.constant(fx, other) == 1 for other in others):
        rows = bitset_lines.padded([masks], r) if r.size > MOST_IN_TABLE else (tuple(masks),)
        return None if rows is None else Subsets(asked.load, asked.value, r, None, Range(0, 1), rows)
    known = known_sets.tables(fx, others)
    if known is None:
        return None
    key, keys, tables = known
    chosen = [[m for m, met in zip(masks, row, strict=True) if met] for row in zip(*tables, strict=True)]
    padded = bitset_lines.padded(chosen, r) if any(chosen) else None
    return None if padded is None else Subsets(asked.load, asked.value, r, key, keys, padded)


def _parts(fx: FunctionContext, e: ir.Expr) -> list[ir.Expr]:
    """What a condition joins by `and`, its names replaced by what they stand for."""
    while isinstance(e, ir.Let):
        e = substitute(e.body, e.reg, e.value)
    parts = conjuncts(e)
    return parts if parts == [e] else [inner for part in parts for inner in _parts(fx, part)]


def _asked(fx: FunctionContext, e: ir.Expr) -> AskedPlace | None:
    """The comparison of what a known place has with a value that does not depend on the place."""
    load, value = (e.left, e.right) if isinstance(e, ir.Op) and e.op == "==" else (e, ir.Const(1))
    if not isinstance(load, ir.Load):
        return None
    words = fx.builder.words_of(load.address.base)
    board = fx.builder.boards.get(words.name) if words is not None else None
    if board is None or (board.words.kind == "mark") != (value == ir.Const(1)):
        return None
    for term in load.address.terms:
        place = const_eval.constant(fx, term.index)
        if place is not None and board.lo <= place < board.lo + board.size:
            terms = tuple(replace(t, index=PLACE) if t is term else t for t in load.address.terms)
            there = replace(load, address=replace(load.address, terms=terms))
            if columns.board_of(fx, there, PLACE.index, Range(board.lo, board.size)) is not None:
                return AskedPlace(there, value, place - board.lo)
    return None


# ---- looking for them


def push_subsets(fx: FunctionContext, subsets: Subsets) -> None:
    """Leaves whether one of the sets has all that is asked."""
    b = fx.b
    found = bitset_loads.load_set(fx, subsets.load, subsets.value, PLACE.index, subsets.r)
    if subsets.key is not None:
        with b.temporaries(I32) as (row,):
            bitset_lines.assign_row(fx, row, subsets.key, subsets.keys)
            bitset_lines.push_is_any_within(fx, subsets.rows, row, found)
    elif subsets.r.size <= MOST_IN_TABLE:
        _push_from_table(fx, subsets, found)
    else:
        every = [bitsets.holds(found, mask) for mask in subsets.rows[0]]
        b.push(reduce(or_, every))
    bitsets.free_bits(fx, found)


def _push_from_table(fx: FunctionContext, subsets: Subsets, found: Bits) -> None:
    """A bit for each set of places: whether one of the known sets is in it."""
    [masks], sets = subsets.rows, 1 << subsets.r.size
    truths = [any(places & mask == mask for mask in masks) for places in range(sets)]
    table = bitsets.row_table(fx, [bitsets.bits_of(truths)], -(-sets // 64))
    with fx.b.temporaries(I32) as (at,):
        fx.b.assign(at, found[0].wrapped())
        fx.b.push((at >> 5).entry_of(table) >> (at & 31) & 1)
