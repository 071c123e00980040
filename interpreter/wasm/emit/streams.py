"""Buffers of random numbers: before each state 80 bytes for every stream.

They hold its key, the group of four blocks whose numbers are at hand, and these sixteen numbers. They are no
part of the state: they follow from its counter and the seed.
"""

from __future__ import annotations

from interpreter.wasm.emit.operands import Operand

STREAM = 80
"""Bytes for a stream: two words of key, the group at hand, one to spare, sixteen numbers."""
FIRST = 4
"""The first numbers of a stream, one block, which are there when a playout begins."""


def next_number(record: Operand, counter: Operand) -> Operand:
    """The number that a counter means, as 64 bits. `record` is the stream's buffer; the group is at hand."""
    return (record + ((counter & 3) << 4 | counter & 12)).load(16).widened()
