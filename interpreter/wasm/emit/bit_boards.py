"""Bit boards: pointers and marks of places kept as sets beside the state, one set for each value.

A set is a row of 64-bit words with a bit for each index. The sets stand behind the words of the state and are
changed with them, so a condition like `stone at cell is me` over all cells is one load.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl.domains import NONE
from interpreter import ir

FEWEST, MOST = 5, 448
"""Indices that a bit board is kept for."""
MOST_VALUES = 9


@dataclass(frozen=True, slots=True)
class Board:
    """The sets of one pointer or mark. `first` is the byte behind the state's address at which they stand."""

    words: ir.VarLayout
    lo: int
    size: int
    rows: int
    values: int
    low: int
    first: int

    @property
    def wide(self) -> int:
        """64-bit words of a set."""
        return (self.size + 63) // 64

    @property
    def row_bytes(self) -> int:
        return 8 * self.wide * self.values

    @property
    def bytes(self) -> int:
        return self.rows * self.row_bytes

    def index(self, value: int) -> int:
        """The number of the set of a value: none first, then the values in order; a mark has one set."""
        if self.words.kind == "mark":
            return 0
        return 0 if value == NONE else value - self.low + 1


def boards(mc: ir.Machine) -> dict[str, Board]:
    """The bit boards of a machine, by the name of the pointer or mark."""
    found: dict[str, Board] = {}
    first = (4 * mc.size + 15) // 16 * 16
    for words in mc.variables.values():
        if words.kind == "counter" or (words.of is None and words.at is None):
            continue
        by_at = words.at is not None
        size, lo = (words.at_size, words.at_lo) if by_at else (words.of_size, words.of_lo)
        low, high = words.ranges[0]
        values = 1 if words.kind == "mark" else high - low + 2
        if FEWEST <= size <= MOST and values <= MOST_VALUES:
            board = Board(words, lo, size, words.of_size if by_at else 1, values, low, first)
            found[words.name] = board
            first += board.bytes
    return found


def board_of_words(found: dict[str, Board], address: int, count: int) -> Board | None:
    """The bit board that has a row for some adjacent words of the state."""
    for board in found.values():
        row, rest = divmod(address - board.words.base, board.size)
        if count == board.size and not rest and 0 <= row < board.rows:
            return board
    return None


def board_bytes(found: dict[str, Board], state: Sequence[int]) -> bytes:
    """The sets for the words of a state, as they stand behind it."""
    data = bytearray()
    for board in found.values():
        sets = [0] * (board.rows * board.values)
        for i in range(board.rows * board.size):
            value = state[board.words.base + i]
            if board.words.kind == "pointer" or value:
                sets[i // board.size * board.values + board.index(value)] |= 1 << i % board.size
        for bits in sets:
            data += bits.to_bytes(8 * board.wide, "little")
    return bytes(data)
