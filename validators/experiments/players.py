"""Bots by name, and the uniform one for many matches at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from interpreter.bots.bot import Bot
from interpreter.bots.names import bot_named
from interpreter.bots.random import pick
from interpreter.chance import M0, M1, MASK, ROOT, W0, W1, below, name_words, seed_words
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match

Words = npt.NDArray[np.uint64]
Choose = Callable[[Match, Waiting, int], Option]
SALT = 64
"""Seeds of bots differ from those of matches above this bit, unless the salt is 0."""
UNIFORM = "random"


class SeatedBot:
    """A bot at a seat. The uniform one can also be asked for many matches at once."""

    def __init__(self, name: str, choose: Choose) -> None:
        self.name = name
        self.choose = choose

    @property
    def uniform(self) -> bool:
        return self.name == UNIFORM


_further: dict[str, Callable[[str], Bot]] = {}


def add_players(prefix: str, named: Callable[[str], Bot]) -> None:
    """Names that begin with a prefix are those of other players, which a function gives."""
    _further[prefix] = named


def player(name: str) -> SeatedBot:
    """A bot by name. Raises `DiagnosticError` with `UnknownBot` or `BadBudget`, or what others raise."""
    if name == UNIFORM:
        return SeatedBot(name, lambda match, waiting, seed: pick(seed, match.state, waiting))
    for prefix, named in _further.items():
        if name.startswith(prefix):
            return SeatedBot(name, named(name).choose)
    return SeatedBot(name, bot_named(name).choose)


def bot_seed(seed: int, salt: int) -> int:
    """The seed of bots in a match: that of the match, or another one with the same chance of the rules."""
    return seed + (salt << SALT) if salt else seed


# ---- the uniform bot for many matches at once


def philox(counter: Sequence[Words], key: Sequence[Words]) -> tuple[Words, ...]:
    """Philox 4x32-10 of many counters with many keys, as `interpreter.chance.philox` has it for one."""
    mask, shift = np.uint64(MASK), np.uint64(32)
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p0, p1 = np.uint64(M0) * c0, np.uint64(M1) * c2
        c0, c1, c2, c3 = (p1 >> shift) ^ c1 ^ k0, p1 & mask, (p0 >> shift) ^ c3 ^ k1, p0 & mask
        k0, k1 = (k0 + np.uint64(W0)) & mask, (k1 + np.uint64(W1)) & mask
    return c0, c1, c2, c3


def uniform_keys(seeds: Sequence[int], seats: int) -> Words:
    """[matches, seats, 2]: the keys from which the uniform bot draws."""
    words = np.array([seed_words(seed) for seed in seeds], dtype=np.uint64).T
    root = [np.full(len(seeds), word, dtype=np.uint64) for word in ROOT]
    found = np.empty((len(seeds), seats, 2), dtype=np.uint64)
    for seat in range(seats):
        name = [np.full(len(seeds), word, dtype=np.uint64) for word in name_words(f"bot/{seat}")]
        found[:, seat, 0], found[:, seat, 1], *_ = philox([*words, *name], root)
    return found


def uniform_numbers(totals: Words, decisions: Words, keys: Words) -> Words:
    """For each match a uniform number below its total, as `interpreter.bots.random.pick` draws it.

    `decisions` is how many there have been, `keys` [matches, 2] those of the deciding seats.
    """
    mask, zero = np.uint64(MASK), np.zeros_like(decisions)
    block = (decisions << np.uint64(30)) & mask, decisions >> np.uint64(2)
    drawn = philox([*block, zero, zero], [keys[:, 0], keys[:, 1]])[0] * totals
    found = drawn >> np.uint64(32)
    for i in np.flatnonzero((drawn & mask) < np.uint64(1 << 32) % totals):
        key = int(keys[i, 0]), int(keys[i, 1])
        found[i] = below(int(totals[i]), int(decisions[i]) << 32, key)[0]
    return found
