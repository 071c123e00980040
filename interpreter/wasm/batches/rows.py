"""Where the rows of many matches stand in linear memory, and the codes in them.

The words of a block at a fixed address tell it, so that a step of all matches is one call without arguments.
"""

from __future__ import annotations

from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.module_builder import ModuleBuilder

FIELDS = (
    "next_low",
    "next_high",
    "random_low",
    "random_high",
    "number",
    "automatic",
    "stride",
    "states",
    "choices",
    "masks",
    "nodes",
    "seats",
    "codes",
    "over",
    "scores",
    "winners",
    "observations",
    "branches",
    "faults",
    "seeds",
    "observing",
)
"""The words of the block: the next fresh seed, the generator of random choices, how many matches there are,
whether those that are over begin anew, the bytes of a state with what stands before it, where rows are,
whether observations are wanted."""
RUNNING, FINISHED, FAULTED = range(3)
"""Codes of a match."""
REFUSED, BROKEN, ENDED = -102, -101, -100
"""What a step of one match gives that does not go on; otherwise the seat that decides, inverted."""


class Block:
    """A body with the words of the block at hand."""

    def __init__(self, builder: ModuleBuilder, b: Body) -> None:
        self.builder, self.b = builder, b

    def field(self, name: str) -> None:
        self.b.i32(0)
        self.b.load(self.builder.map["batch"] + 4 * FIELDS.index(name))

    def row(self, name: str, i: int, size: int) -> None:
        """Leaves the address of the row of a match, whose number is in a local."""
        self.field(name)
        self.b.get(i)
        if size > 1:
            self.b.i32(size)
            self.b.op("i32.mul")
        self.b.op("i32.add")

    def state(self, i: int) -> None:
        """Leaves the address of a match's state."""
        self.field("states")
        self.b.get(i)
        self.field("stride")
        self.b.op("i32.mul", "i32.add")
