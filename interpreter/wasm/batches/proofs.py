"""What a search proves of positions: bounds of results, which go up from the ends of matches.

Sources: Winands, Björnsson, Saito, "Monte-Carlo Tree Search Solver" (CG 2008): proven wins and losses go up
the tree. Cazenave, Saffidine, "Score Bounded Monte-Carlo Tree Search" (CG 2010): bounds where there are
draws, and what cannot be better than what a seat can have anyway is not searched.

A result is in half wins of a side: 0 is lost, 1 is drawn, 2 is won. Bounds of a node and of its edges are
those of the side that decides there; for the other side they are turned round. So there are proofs for two
sides, and for one; in a single world, where nothing is hidden. Behind a choice after which chance has come
nothing is proven. A node has proofs of one position, and where another one is meant by the same key, they
are not used. Ways may lead round in circles: each bound follows from others that were there before it, so
it holds all the same.
"""

from __future__ import annotations

from dsl.frozen import dataclass
from interpreter.ir.position_words import deciding_words, position_words
from interpreter.wasm.batches.recall import recall
from interpreter.wasm.batches.rows import BatchRows
from interpreter.wasm.batches.tree import (
    CEILING,
    CERTAIN,
    FIRST_EDGE,
    FLOOR,
    KNOWN,
    LENGTH,
    NEXT,
    POSITION,
    WON,
    TreeBlock,
    fold_words,
)
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import F64, I32, I64
from interpreter.wasm.emit.operands import Operand, Variable, const, float_const, select

ENDLESS = (1 << 31) - 1


def has_proofs(rows: BatchRows) -> bool:
    """Whether positions of a game can be proven at all."""
    return rows.seen is not None and recall(rows.builder.machine, rows.seen) != "history"


def write_proofs(rows: BatchRows, tree: TreeBlock) -> None:
    """What the functions of a search call to prove positions."""
    if has_proofs(rows):
        _write_prove(rows)
        _write_known(rows, tree)


def _write_prove(rows: BatchRows) -> None:
    """prove(node): the bounds of a node follow from those of its edges.

    If the result is proven, so is how long it takes: who wins takes the shortest way, otherwise it is the
    longest.
    """
    b = rows.builder.body("tree prove", (I32,), ())
    (node,) = b.arguments()
    at, floor, ceiling, length = b.variables(*(I32,) * 4)
    b.assign(at, node.load(FIRST_EDGE))
    with b.until(at.eqz()):
        b.assign(floor, _greater(at.load8(FLOOR), floor))
        b.assign(ceiling, _greater(at.load8(CEILING), ceiling))
        b.assign(at, at.load(NEXT))
    b.write(node, floor, FLOOR, "i32.store8")
    b.write(node, ceiling, CEILING, "i32.store8")
    with b.if_(floor.ne(ceiling)):
        b.ret()
    b.assign(at, node.load(FIRST_EDGE))
    b.assign(length, select(ENDLESS, 0, floor.eq(WON)))
    with b.until(at.eqz()):
        with b.if_(at.load8(FLOOR).eq(floor) & (at.load(LENGTH).lt_s(length) ^ floor.ne(WON))):
            b.assign(length, at.load(LENGTH))
        b.assign(at, at.load(NEXT))
    b.write(node, length, LENGTH)


def _greater(one: Operand, other: Operand) -> Operand:
    return select(one, other, one.gt_s(other))


# ---- of which position something is proven


def _write_known(rows: BatchRows, tree: TreeBlock) -> None:
    """known(node, s): whether the position of a state is that of which a node has proofs.

    Where the key of a node is the whole position, it is. Otherwise it is the first position in which the node
    was visited.
    """
    builder = rows.builder
    b = builder.body("tree known", (I32, I32), (I32,))
    node, s = b.arguments()
    b.ret_if(0, tree.word("solving").eqz())
    words = position_words(builder.machine)
    if words == deciding_words(builder.machine):
        b.push(1)
        return
    h = b.local(I64)
    fold_words(b, h, s, words)
    with b.if_(node.load64(POSITION).eq(0)):
        b.write(node, h, POSITION, "i64.store")
    b.push(node.load64(POSITION).eq(h))


def is_known(rows: BatchRows, node: Operand, s: Operand) -> Operand:
    """Whether the proofs of a node are about the position of a state."""
    return rows.builder.call("tree known", node, s) if has_proofs(rows) else const(0)


def draws_so_far(rows: BatchRows, s: Operand) -> Operand:
    """The sum of the counters of a state's streams: while it stays the same, no chance comes."""
    mc, found = rows.builder.machine, const(0)
    for stream in range(len(mc.streams)):
        found = found + s.load(4 * (mc.stream_base + stream))
    return found


# ---- what is worth a search


def worth_taking(at: Operand, bar: Operand, solved: Operand) -> Operand:
    """Whether an edge may lead to more than a seat can have anyway; in a solved node, whether it has that."""
    return select(at.load8(FLOOR).ge_s(bar), at.load8(CEILING).gt_s(bar), solved)


def unproven(b: Body, record: Operand) -> None:
    """A fresh node or edge, of which nothing is known."""
    b.write(record, 0, FLOOR, "i32.store8")
    b.write(record, WON, CEILING, "i32.store8")
    b.write(record, 0, LENGTH)


# ---- on the way up


@dataclass(frozen=True, slots=True)
class Below:
    """What is proven of the position behind a choice: bounds for the side of a seat, and the length."""

    floor: Variable
    ceiling: Variable
    length: Variable
    seat: Variable

    @classmethod
    def at_the_end(cls, tree: TreeBlock, b: Body) -> Below:
        """An end of the rules is its result; of a position from which random choices were made nothing is
        known."""
        found = cls(*b.variables(*(I32,) * 4))
        b.assign(found.floor, select(tree.word("got"), 0, tree.word("ended")))
        b.assign(found.ceiling, select(tree.word("got"), WON, tree.word("ended")))
        b.assign(found.length, 0)
        b.assign(found.seat, 0)
        return found

    def turn(self, tree: TreeBlock, b: Body, seat: Variable) -> None:
        """The bounds become those of the side of another seat."""
        with b.if_((side_of(tree, self.seat) >> seat & 1).eqz()), b.temporaries(I32) as (floor,):
            b.assign(floor, self.floor)
            b.assign(self.floor, const(WON) - self.ceiling)
            b.assign(self.ceiling, const(WON) - floor)

    def take(self, b: Body, node: Variable, seat: Variable, known: Operand) -> None:
        """A node, at which a seat decides, becomes what is below."""
        b.assign(self.floor, select(node.load8(FLOOR), 0, known))
        b.assign(self.ceiling, select(node.load8(CEILING), WON, known))
        b.assign(self.length, node.load(LENGTH))
        b.assign(self.seat, seat)


def pass_on(
    rows: BatchRows,
    tree: TreeBlock,
    b: Body,
    step: Variable,
    edge: Variable,
    seat: Variable,
    below: Below,
    got: Variable,
) -> None:
    """One step up: the edge learns what is below, the node what follows, the result is kept in bounds."""
    node = step.load()
    with b.if_(step.load(KNOWN)):
        with b.if_(step.load(CERTAIN)):
            below.turn(tree, b, seat)
            better = below.floor.gt_s(edge.load8(FLOOR)) | below.ceiling.lt_s(edge.load8(CEILING))
            with b.if_(better):
                b.write(edge, below.floor, FLOOR, "i32.store8")
                b.write(edge, below.ceiling, CEILING, "i32.store8")
                b.write(edge, below.length + 1, LENGTH)
                b.push(rows.builder.call("tree prove", node, results=()))
        _keep_in_bounds(rows, tree, b, edge, seat, got)


def _keep_in_bounds(
    rows: BatchRows, tree: TreeBlock, b: Body, edge: Variable, seat: Variable, got: Variable
) -> None:
    """A result that random choices have come to, but good ones cannot, becomes the nearest possible one."""
    with b.temporaries(I32, I32, I32) as (mine, had, more):
        b.assign(mine, side_of(tree, const(0)) >> seat & 1)
        b.assign(had, select(got, const(WON) - got, mine))
        b.assign(more, select(edge.load8(FLOOR), had, edge.load8(FLOOR).gt_s(had)))
        b.assign(more, select(edge.load8(CEILING), more, edge.load8(CEILING).lt_s(more)) - had)
        with b.if_(more):
            b.assign(more, select(more, const(0) - more, mine))
            b.assign(got, got + more)
            with b.temporaries(F64) as (change,):
                b.assign(change, tree.word("share") * (more.floating() * float_const(0.5)))
                change_values(rows, tree, b, side_of(tree, const(0)), change)


def change_values(rows: BatchRows, tree: TreeBlock, b: Body, side: Operand, change: Variable) -> None:
    """The seats of a side got so much more, those of the other one less."""
    for seat in range(rows.builder.machine.seats):
        value = tree.word("values").load_float(8 * seat)
        b.write(
            tree.word("values"),
            select(value + change, value - change, side >> seat & 1),
            8 * seat,
            "f64.store",
        )


def side_of(tree: TreeBlock, seat: Operand) -> Operand:
    """The seats of a seat's side, as bits."""
    return (tree.word("sides") + (seat << 2)).load()
