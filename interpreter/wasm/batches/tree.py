"""Where a search tree stands in linear memory: a block of words, nodes, edges, a hash table, a path.

Behind the rows of a batch lie the parts of the tree; the block at a fixed address says where, and how many
there is room for. All numbers are little-endian; addresses are absolute.
"""

from __future__ import annotations

from typing import Final

from interpreter.ir.position_words import stretches
from interpreter.wasm.batches.rows import BatchRows
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import F64, I32, I64
from interpreter.wasm.emit.operands import Operand, Variable, const

WORDS: Final = (
    "worlds",
    "iteration",
    "faulted",
    "nodes",
    "most_nodes",
    "used_nodes",
    "edges",
    "last_edge",
    "used_edges",
    "buckets",
    "bucket_mask",
    "path",
    "most_depth",
    "logs",
    "known",
    "values",
    "sides",
    "number_of_sides",
    "deepest",
    "solving",
    "ended",
    "got",
    "decided",
    "open_numbers",
    "root",
    "begun",
)
"""Words of 32 bits: how many worlds there are, the next iteration, how many have ended in a fault; then
addresses, capacities (of nodes in number, of edges as the address behind the last), and what is in use. At
last whether positions are proven, whether the path has come to an end of the rules, the result of the first
side in half wins, whether the result of the root is proven, how many numbers are open at least, the
node of the decision that is searched or 0, and the address of what seats remember there."""
WIDE: Final = ("seed",)
FLOATS: Final = (
    "exploration",
    "share",
    "margin",
    "least_margin",
    "greatest_margin",
    "least",
    "greatest",
    "bootstrap",
    "variance_bonus",
)
"""The constant of exploration, the weights of a win and of the margin, the range of margins and of values,
the weight of the best choice in what goes up from a node, and what is added to the variance of a choice for
not knowing it."""

NODE: Final = 48
KEY, CHAIN, FIRST_EDGE, VISITS, NODE_SEAT = 0, 8, 12, 16, 20
POSITION: Final = 32
LAST: Final = 40
"""A node: its key of 64 bits, the next one in its bucket, its first edge, its visits, the deciding seat, what
is proven of it, the hash of the position of which that is proven, and the last iteration that came to it,
counted from 1."""
EDGE: Final = 32
ACTION, NEXT, TAKEN, OFFERED, SUM = 0, 4, 8, 12, 16
"""An edge: its action, the next edge of the node by action, how often it was taken and could have been, the
sum of the values that the deciding seat got, and what is proven of it."""
OPEN: Final = 26
"""In an edge: whether it may be taken, a byte (`widening.py`)."""
FLOOR, CEILING, LENGTH = 24, 25, 28
"""In nodes and edges: the least and the greatest result that the side of the deciding seat can come to, in
bytes, and if they are equal, in how many choices at most that is."""
WON: Final = 2
"""Results are half wins: 0 is lost, 1 is drawn, 2 is won."""
STEP: Final = 16
KNOWN, CERTAIN = 8, 12
"""A step of a path: the node, the edge, whether the position is the one of which the node has proofs, and
whether no chance has come behind the choice."""
FACTOR: Final = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: the multiplier of the hash of keys (Knuth, TAOCP 3, 6.4)."""


def block_bytes() -> int:
    return 8 * (len(WIDE) + len(FLOATS)) + 4 * len(WORDS)


def offset_of(name: str) -> int:
    """The bytes from the beginning of the block to a word."""
    if name in WORDS:
        return 8 * (len(WIDE) + len(FLOATS)) + 4 * WORDS.index(name)
    return 8 * (*WIDE, *FLOATS).index(name)


class TreeBlock:
    """The words of the block as operands."""

    def __init__(self, rows: BatchRows) -> None:
        self.at = rows.builder.map["tree"]

    def word(self, name: str) -> Operand:
        address = const(0)
        if name in WORDS:
            return address.load(self.at + offset_of(name))
        if name in FLOATS:
            return address.load_float(self.at + offset_of(name))
        return address.load64(self.at + offset_of(name))

    def put(self, b: Body, name: str, value: Operand | int) -> None:
        kind = value.kind if isinstance(value, Operand) else None
        store = {I64: "i64.store", F64: "f64.store"}.get(kind or 0, "i32.store")
        b.write(const(0), value, self.at + offset_of(name), store)


def mix(h: Operand, word: Operand) -> Operand:
    """A hash with a further word of 64 bits; its upper half still has to be folded in."""
    return (h ^ word) * FACTOR


def fold(b: Body, h: Variable, word: Operand) -> None:
    """A hash takes in a word of 64 bits."""
    b.assign(h, mix(h, word))
    b.assign(h, h ^ h >> 32)


def fold_words(b: Body, h: Variable, s: Operand, words: tuple[int, ...]) -> None:
    """A hash takes in words of a state, two at a time; at the end of an odd stretch, one."""
    for first, last in stretches(words):
        pairs = (last - first) // 2
        with b.temporaries(I32, I32) as (at, end):
            b.assign(at, s + 4 * first)
            b.assign(end, at + 8 * pairs)
            with b.until(at.ge_u(end)):
                fold(b, h, at.load64())
                b.assign(at, at + 8)
            if (last - first) % 2:
                fold(b, h, at.load().widened())
