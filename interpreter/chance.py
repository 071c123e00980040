"""Named streams of random numbers, each a keyed counter: Philox 4x32-10.

Source: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011). The
counter of a stream is part of the state, so a copy of a state draws the same numbers, and one stream does
not affect another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Protocol

M0, M1 = 0xD2511F53, 0xCD9E8D57
W0, W1 = 0x9E3779B9, 0xBB67AE85
MASK = 0xFFFFFFFF


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Four 32-bit numbers for a 128-bit counter and a 64-bit key; ten rounds."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p0, p1 = M0 * c0, M1 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & MASK, (p0 >> 32) ^ c3 ^ k1, p0 & MASK
        k0, k1 = (k0 + W0) & MASK, (k1 + W1) & MASK
    return c0, c1, c2, c3


ROOT = (0x52756C65, 0x77726974)
"""The key with which stream keys are derived from seeds and names."""


def name_words(name: str) -> tuple[int, int]:
    """A hash of a stream's name: 64 bits as two words."""
    digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
    return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:], "little")


def seed_words(seed: int) -> tuple[int, int]:
    """A seed as two 32-bit words; a negative or longer one is hashed."""
    if not 0 <= seed < 1 << 64:
        return name_words(str(seed))
    return seed & MASK, seed >> 32


def stream_key(seed: int, stream: str) -> tuple[int, int]:
    """The key of a named stream of a match: 64 bits as two words."""
    return philox((*seed_words(seed), *name_words(stream)), ROOT)[:2]


def below(total: int, counter: int, key: tuple[int, int]) -> tuple[int, int]:
    """A uniform random number in 0..total-1, and the counter after it.

    Each block of four numbers serves four counters. Source: Lemire, "Fast Random Integer Generation in an
    Interval" (2019), with rejection.
    """
    threshold = (1 << 32) % total
    while True:
        block = counter >> 2
        number = philox((block & MASK, block >> 32, 0, 0), key)[counter & 3]
        counter += 1
        product = number * total
        if product & MASK >= threshold:
            return product >> 32, counter


def merged(outcomes: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Outcomes with their weights, each once: an outcome that stands there twice gets both weights."""
    found: dict[int, int] = {}
    for outcome, weight in outcomes:
        found[outcome] = found.get(outcome, 0) + weight
    return list(found.items())


class Choosing:
    """The generator of choices in playouts: PCG-XSH-RR 64/32, seeded like a stream of the match.

    Source: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
    Number Generation" (2014). Choices are not chance of the rules, so a copy of a state need not repeat them.
    """

    MULTIPLIER, INCREMENT = 6364136223846793005, 1442695040888963407

    def __init__(self, seed: int) -> None:
        low, high = stream_key(seed, "choices")
        self.state = high << 32 | low

    def below(self, total: int) -> int:
        """A random number in 0..total-1; if `total` is 1, nothing is drawn."""
        if total == 1:
            return 0
        x = self.state
        self.state = (x * self.MULTIPLIER + self.INCREMENT) & (1 << 64) - 1
        bits = ((x ^ x >> 18) >> 27) & MASK
        turn = x >> 59
        number = (bits >> turn | bits << (-turn & 31)) & MASK
        return number * total >> 32


class ChanceSource(Protocol):
    """Random outcomes that come from elsewhere than the seed of a match."""

    def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        """One of the outcomes of a stream, each a name with its weight."""
        ...
