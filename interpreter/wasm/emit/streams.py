"""Where the numbers of chance stand: before each state 80 bytes for every stream.

They are its key, the group of four blocks whose numbers are at hand, and these sixteen numbers. They are no
part of the state: its counter and the seed give them again.
"""

from __future__ import annotations

from interpreter.wasm.emit.body import Body

STREAM = 80
"""Bytes for a stream: two words of key, the group at hand, one to spare, sixteen numbers."""
FIRST = 4
"""The first numbers of a stream, one block, which are there when a playout begins."""


def next_number(b: Body, record: int, counter: int) -> None:
    """Leaves the number at hand that a counter means, as 64 bits. The stream's address is in a local."""
    b.get(record)
    b.get(counter)
    b.i32(3)
    b.op("i32.and")
    b.i32(4)
    b.op("i32.shl")
    b.get(counter)
    b.i32(12)
    b.op("i32.and", "i32.or", "i32.add")
    b.mem("i32.load", 16)
    b.op("i64.extend_i32_u")
