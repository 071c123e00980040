"""Matches of a batch as bytes: the record of a position in a module, and saved matches with their seal."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from interpreter import ir
from interpreter.wasm.arguments import SAVED, STATES, not_possible, shown, wrong_kind
from interpreter.wasm.emit.bit_boards import (
    Board,
    board_bytes,
    boards,
    first_byte,
    piece_bytes,
    piece_sets,
)

SEAL: Final = 16
"""The bytes of a seal."""
SEED: Final = 8
"""The bytes of the seed of a match."""


class MatchRecords:
    """The records of the matches of one game, and how many bytes one has with its streams of chance."""

    def __init__(self, machine: ir.Machine, stride: int) -> None:
        self.machine, self.stride = machine, stride

    def record(self, state: Sequence[int]) -> bytes:
        """A position, given as the words of a state, with the sets that stand behind it.

        Raises `ValueError` if it is not the state of a match of this game that waits or is over.
        """
        mc = self.machine
        try:
            words = array("i", state)
        except (TypeError, ValueError, OverflowError):
            raise wrong_kind(f"a state is a list of whole numbers, not {shown(state)}", STATES) from None
        if len(state) != mc.size:
            raise not_possible(f"a state of this game has {mc.size} words, not {len(state)}", STATES)
        if state[ir.STATUS] not in (0, 1):
            raise not_possible("this is not the state of a match that waits or is over", STATES)
        sets = board_bytes(self._boards, state) + piece_bytes(mc, self._piece_sets, state)
        return words.tobytes() + bytes(self._first_set - 4 * len(words)) + sets

    def saved(self, seed: int, data: bytes) -> bytes:
        """A match and its seed, sealed."""
        whole = seed.to_bytes(SEED, "little") + data
        return self._seal(whole) + whole

    def unsealed(self, saved: bytes) -> tuple[int, bytes]:
        """The seed and the match that `saved` was given. Raises `ValueError` for any other bytes."""
        size = SEAL + SEED + self.stride
        if not isinstance(saved, bytes | bytearray | memoryview):
            raise wrong_kind(f"a saved match is bytes, not {shown(saved)}", SAVED)
        if len(saved) != size:
            raise not_possible(f"a saved match of this game has {size} bytes, not {len(saved)}", SAVED)
        whole = bytes(saved[SEAL:])
        if saved[:SEAL] != self._seal(whole):
            raise not_possible("these bytes are not a saved match of this game", SAVED)
        return int.from_bytes(whole[:SEED], "little"), whole[SEED:]

    def _seal(self, data: bytes) -> bytes:
        mc = self.machine
        game = f"{mc.digest} {mc.seats} {sorted(mc.options.items())} {mc.size}"
        key = hashlib.blake2b(game.encode(), digest_size=SEAL).digest()
        return hashlib.blake2b(data, digest_size=SEAL, key=key).digest()

    @cached_property
    def _first_set(self) -> int:
        return first_byte(self.machine)

    @cached_property
    def _boards(self) -> dict[str, Board]:
        return boards(self.machine)

    @cached_property
    def _piece_sets(self) -> dict[int, int]:
        return piece_sets(self.machine, self._first_set + sum(x.bytes for x in self._boards.values()))
