"""What each seat has seen and chosen since the root of a tree, as a hash: by it seats find their nodes."""

from __future__ import annotations

from typing import Final

from interpreter.wasm.batch import Batch
from interpreter.wasm.batches.tree import FACTOR, ONE_CHOICE

MASK: Final = (1 << 64) - 1


class Knowledge:
    """The hashes of the seats in the first match of a batch, of 64 bits each.

    `Batch.recall` says what is in them: the choices of all; the position and how many choices led there; or
    what a seat has seen and chosen at its decisions.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.recall = batch.recall
        self.known = [0] * batch.machine.seats

    def key(self) -> int:
        """What the deciding seat knows, with the decision that it makes: the key of its node."""
        batch = self.batch
        key = fold(self.known[self._knower()], int(batch.nodes[0]))
        if self.recall == "choices":
            return key
        row = batch.observations[0].tobytes()
        for at in range(0, len(row), 8):
            key = fold(key, int.from_bytes(row[at : at + 8], "little"))
        return key

    def choose(self, action: int) -> None:
        """The deciding seat remembers what it has chosen. To be called before the match goes on."""
        if self.recall == "position":
            self.known[0] += ONE_CHOICE
        else:
            self.known[self._knower()] = fold(self.key(), action)

    def _knower(self) -> int:
        return int(self.batch.seats[0]) if self.recall == "history" else 0


def fold(key: int, word: int) -> int:
    """A hash of 64 bits takes in a word."""
    key = (key ^ word) * FACTOR & MASK
    return key ^ key >> 32
