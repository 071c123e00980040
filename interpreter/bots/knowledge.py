"""What each seat has seen and chosen since the root of a tree, as a hash: by it seats find their nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from interpreter.ir.position_words import deciding_words, stretches
from interpreter.wasm.batch import Batch
from interpreter.wasm.batches.tree import FACTOR

MASK: Final = (1 << 64) - 1


class Knowledge:
    """What the seats know in the first match of a batch, as hashes of 64 bits.

    `Batch.recall` says what is in them: the position, or what a seat has seen and chosen at its decisions.
    """

    def __init__(self, batch: Batch, known: Sequence[int] = ()) -> None:
        """`known`: what the seats remember of decisions before this one."""
        self.batch = batch
        self.recall = batch.recall
        self.known = list(known) or [0] * batch.machine.seats
        self.words = deciding_words(batch.machine) if self.recall == "position" else ()

    def key(self) -> int:
        """What the deciding seat knows, with the decision that it makes: the key of its node."""
        batch = self.batch
        if self.recall == "position":
            return fold_words(0, batch.states[0], self.words)
        key = fold(self.known[int(batch.seats[0])], int(batch.nodes[0]))
        row = batch.observations[0]
        return fold_words(key, row, range(len(row)))

    def choose(self, action: int) -> None:
        """The deciding seat remembers what it has chosen. To be called before the match goes on."""
        if self.recall == "history":
            self.known[int(self.batch.seats[0])] = fold(self.key(), action)


def fold_words(key: int, row: npt.NDArray[np.int32], words: Sequence[int]) -> int:
    """A hash takes in words of a row, two at a time; behind an odd number next to each other one."""
    for first, last in stretches(words):
        part = row[first:last].tobytes()
        for at in range(0, len(part), 8):
            key = fold(key, int.from_bytes(part[at : at + 8], "little"))
    return key


def fold(key: int, word: int) -> int:
    """A hash of 64 bits takes in a word."""
    key = (key ^ word) * FACTOR & MASK
    return key ^ key >> 32
