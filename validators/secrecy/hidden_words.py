"""Counters, marks and pointers that a seat does not see, in an indistinguishable state."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator

from dsl.domains import NONE, EnumType
from interpreter import ir
from interpreter.game import Game
from validators.secrecy.visibility import Visibility


class HiddenWords:
    """Gives other values to the words of one game that a seat does not see."""

    def __init__(self, game: Game, visibility: Visibility) -> None:
        self.game, self.machine, self.visibility = game, game.machine, visibility
        self._layouts = [self.machine.variables[name] for name in game.rules.hidden_words]

    def hidden(self, s: array[int], seat: int) -> Iterator[int]:
        """The addresses of the words that a seat does not see.

        Within `together`, only those that have not changed since then, or are its own.
        """
        for words in self._layouts:
            yield from self._of(s, words, seat)

    def _of(self, s: array[int], words: ir.VarLayout, seat: int) -> Iterator[int]:
        for offset in range(words.size):
            address = words.base + offset
            if self.visibility.reads(s, words, offset, seat):
                continue
            if not s[ir.FORKED] or words.owner(address) == seat or self._is_unchanged(s, address):
                yield address

    def _is_unchanged(self, s: array[int], address: int) -> bool:
        return s[address] == s[self.visibility.saved(address)]

    def exchange(
        self, s: array[int], t: array[int], seat: int, known: frozenset[int], chooser: random.Random
    ) -> None:
        """Writes other values for the words that a seat does not see, but for those it knows or learns.

        Values of one variable are exchanged, or drawn again within their range. A pointer that is none stays
        so: whether something was chosen is not hidden by what.
        """
        for words in self._layouts:
            free = [a for a in self._of(s, words, seat) if a not in known and s[a] != NONE]
            values = [s[a] for a in free]
            if chooser.random() < 0.5:
                chooser.shuffle(values)
            else:
                values = [
                    v if chooser.random() < 0.3 else self._any(words, a, chooser)
                    for a, v in zip(free, values, strict=True)
                ]
            for address, value in zip(free, values, strict=True):
                lo, hi = words.bounds(address)
                if lo <= value <= hi:
                    self._write(s, t, address, value)

    def _any(self, words: ir.VarLayout, address: int, chooser: random.Random) -> int:
        if isinstance(words.type, EnumType):
            return chooser.choice(self.game.rules.types[words.type.type].present(self.machine.seats))
        lo, hi = words.bounds(address)
        return chooser.randint(lo, hi)

    def _write(self, s: array[int], t: array[int], address: int, value: int) -> None:
        """Writes a word, and its copy from before `together`."""
        if s[ir.FORKED] and self._is_unchanged(s, address):
            t[self.visibility.saved(address)] = value
        t[address] = value
