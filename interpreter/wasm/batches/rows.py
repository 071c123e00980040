"""Where the rows of many matches stand in linear memory, and the codes in them.

The words of a block at a fixed address hold the addresses, so that a step of all matches is one call without
arguments.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from interpreter import ir
from interpreter.wasm.abi import RECORD
from interpreter.wasm.batches.observe import Observed
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import Operand, word_at
from interpreter.wasm.option_codec import Numbering, row_bytes

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
    "totals",
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
    "first",
    "last",
    "seen_stride",
    "watcher",
)
"""The words of the block: the next fresh seed, the generator of random choices, how many matches there are,
whether those that are over begin anew, the bytes of a state with what stands before it, where rows are,
whether observations are wanted, the seat that is asked first while seats choose together; where rows are for
what was seen last of matches that have ended, or 0, the bytes from one observation to the next, and the seat
that sees the last of a match, or -1 for the one that chose last."""
OUTCOMES = "outcomes"
"""The last word of the block in games whose ends have names."""
RUNNING, FINISHED, FAULTED = range(3)
"""Codes of a match."""
REFUSED, BROKEN, ENDED = -102, -101, -100
"""What a step of one match returns if it does not go on; otherwise the seat that decides, inverted."""
FRESH, RENEWS = 1, 2
"""What `settle` is told: the options of the decision are in the buffer; a match that is over begins anew."""
EACH_BYTE = 0x0101010101010101
"""As a factor: a copy of a byte in each byte, or the sums of the bytes up to each."""


def row_sizes(n: int, seats: int, stride: int, mask: int) -> dict[str, int]:
    """The bytes of the rows of `n` matches, whose states have `stride` bytes and whose masks `mask`."""
    return {
        "states": n * stride,
        "choices": 8 * n,
        "masks": n * mask,
        "totals": 4 * n,
        "nodes": 4 * n,
        "seats": 4 * n,
        "codes": 4 * n,
        "over": n,
        "scores": 4 * n * seats,
        "winners": n * seats,
        "outcomes": 4 * n,
        "observations": 0,
        "last": 0,
        "branches": 4 * n,
        "faults": 20 * n,
        "seeds": 8 * n,
    }


def row_addresses(first: int, sizes: Mapping[str, int]) -> tuple[dict[str, int], int]:
    """Where rows of these sizes stand from an address on, one behind the other, and what is behind them."""
    found, end = {}, first
    for name, size in sizes.items():
        found[name] = end = (end + 63) // 64 * 64
        end += size
    return found, (end + 63) // 64 * 64


def fields(machine: ir.Machine) -> tuple[str, ...]:
    """The words of the block of a game."""
    return (*FIELDS, OUTCOMES) if machine.ended else FIELDS


class BatchRows:
    """What stands in memory for each match of a batch: its rows, their sizes in bytes, and its decisions.

    `decisions` are those at which a match can wait, if only some are: others are made with an action.
    """

    def __init__(
        self,
        builder: ModuleBuilder,
        every: list[Numbering],
        seen: Observed | None,
        waiting: Collection[int] | None = None,
    ) -> None:
        self.builder = builder
        self.decisions = [x for x in every if waiting is None or x.node in waiting]
        self.seen = seen
        self.actions = max((x.total for x in every), default=1)
        seats = builder.machine.seats
        self.sizes = {
            "masks": row_bytes(self.actions),
            "totals": 4,
            "nodes": 4,
            "seats": 4,
            "codes": 4,
            "over": 1,
            "branches": 4,
            "scores": 4 * seats,
            "winners": seats,
            "faults": 4 * RECORD,
            "seeds": 8,
        }
        if builder.machine.ended:
            self.sizes[OUTCOMES] = 4
        self.seen_bytes = 4 * seen.size if seen is not None else 0

    def field(self, name: str) -> Operand:
        return word_at(self.builder.map["batch"] + 4 * fields(self.builder.machine).index(name))

    def row(self, name: str, i: Operand) -> Operand:
        """The address of a row of match `i`."""
        size = self.sizes[name]
        return self.field(name) + (i * size if size > 1 else i)

    def seen_row(self, name: str, i: Operand) -> Operand:
        """The address of what is seen of match `i`, now or as the last of it."""
        return self.field(name) + i * self.field("seen_stride")

    def choice(self, i: Operand) -> Operand:
        """The address of the action that was chosen in match `i`, of 64 bits."""
        return self.field("choices") + i * 8

    def state(self, i: Operand) -> Operand:
        """The address of the state of match `i`."""
        return self.field("states") + i * self.field("stride")
