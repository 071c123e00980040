"""What the end of a match is worth to each seat, as floating-point numbers that a search adds up."""

from __future__ import annotations

from interpreter.wasm.batches.rows import BatchRows
from interpreter.wasm.batches.tree import TreeBlock
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import F64, I32
from interpreter.wasm.emit.operands import Operand, Variable, float_const, select

NEVER = -(1 << 31)


def write_values(rows: BatchRows, tree: TreeBlock) -> None:
    """values(i): for each seat `share` times its share of the win plus `margin` times its margin.

    Sides that win share the win; if nobody does, all sides share it, but a single side has lost. The margin
    is the total of a seat less the best of another side, on a scale from the least to the greatest so far.
    `got` becomes the result of the first side in half wins.
    """
    mc = rows.builder.machine
    b = rows.builder.body("tree values", (I32,), ())
    (i,) = b.arguments()
    won, winning = b.variables(I32, I32)
    margins = b.variables(*(I32,) * mc.seats)
    value = b.local(F64)
    _count_winners(rows, tree, b, i, won, winning)
    for seat in range(mc.seats):
        _margin(rows, tree, b, i, seat, margins[seat])
        _widen(tree, b, "least_margin", "greatest_margin", margins[seat].floating())
    for seat in range(mc.seats):
        share = _share(tree, b, seat, won, winning)
        if seat == 0:
            half, zero = float_const(0.5), float_const(0.0)
            tree.put(b, "got", share.compare("gt", zero) + share.compare("gt", half))
        b.assign(value, tree.word("share") * share + tree.word("margin") * _scaled(tree, margins[seat]))
        b.write(tree.word("values"), value, 8 * seat, "f64.store")
    for seat in range(mc.seats):
        _widen(tree, b, "least", "greatest", tree.word("values").load_float(8 * seat))


def _side(tree: TreeBlock, seat: int) -> Operand:
    """The seats of a seat's side, as bits."""
    return tree.word("sides").load(4 * seat)


def _count_winners(
    rows: BatchRows, tree: TreeBlock, b: Body, i: Variable, won: Variable, winning: Variable
) -> None:
    """The seats that have won, as bits, and how many sides they are."""
    seats = rows.builder.machine.seats
    b.assign(won, 0)
    for seat in range(seats):
        b.assign(won, won | rows.row("winners", i).load8(seat) << seat)
    b.assign(winning, 0)
    for seat in range(seats):
        first = _side(tree, seat).ctz().eq(seat)
        b.assign(winning, winning + (first & (_side(tree, seat) & won).ne(0)))


def _share(tree: TreeBlock, b: Body, seat: int, won: Variable, winning: Variable) -> Operand:
    sides = tree.word("number_of_sides")
    drawn = select(float_const(0.0), float_const(1.0) / sides.floating(), sides.eq(1))
    mine = select(float_const(1.0) / winning.floating(), float_const(0.0), (_side(tree, seat) & won).ne(0))
    return select(mine, drawn, won)


def _margin(rows: BatchRows, tree: TreeBlock, b: Body, i: Variable, seat: int, margin: Variable) -> None:
    """The total of a seat less the best of the other sides; where there is none, the total."""
    mc = rows.builder.machine
    if mc.best == "none":
        b.assign(margin, 0)
        return
    sign = 1 if mc.best == "highest" else -1
    totals = rows.row("scores", i)
    with b.temporaries(I32, I32) as (other, total):
        b.assign(other, NEVER)
        for rival in range(mc.seats):
            if rival == seat:
                continue
            b.assign(total, totals.load(4 * rival) * sign)
            apart = (_side(tree, seat) >> rival & 1).eqz()
            b.assign(other, select(total, other, apart & total.gt_s(other)))
        own = totals.load(4 * seat) * sign
        b.assign(margin, select(own, own - other, other.eq(NEVER)))


def _widen(tree: TreeBlock, b: Body, least: str, greatest: str, value: Operand) -> None:
    """A range comes to hold a value."""
    with b.temporaries(F64) as (kept,):
        b.assign(kept, value)
        tree.put(b, least, tree.word(least).least(kept))
        tree.put(b, greatest, tree.word(greatest).greatest(kept))


def _scaled(tree: TreeBlock, margin: Variable) -> Operand:
    """A margin within its range, from 0 to 1; a half while the range is a point."""
    width = tree.word("greatest_margin") - tree.word("least_margin")
    inside = (margin.floating() - tree.word("least_margin")) / width
    return select(inside, float_const(0.5), width.compare("gt", float_const(0.0)))
