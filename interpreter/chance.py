"""Named streams of random numbers, each a keyed counter: Philox 4x32-10.

Source: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011). The
counter of a stream lives in the state, so a copy of a state goes on with the same numbers, and one
stream never disturbs another.
"""

from __future__ import annotations

import hashlib

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


def stream_key(seed: int, stream: str) -> tuple[int, int]:
    """The key of a named stream: 64 bits of a hash of the seed and the name."""
    digest = hashlib.blake2b(f"{seed}/{stream}".encode(), digest_size=8).digest()
    return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:], "little")


def below(total: int, counter: int, key: tuple[int, int]) -> tuple[int, int]:
    """A number in 0..total-1, each equally likely, and the counter after it.

    Source: Lemire, "Fast Random Integer Generation in an Interval" (2019), with rejection.
    """
    threshold = (1 << 32) % total
    while True:
        number = philox((counter & MASK, counter >> 32, 0, 0), key)[0]
        counter += 1
        product = number * total
        if product & MASK >= threshold:
            return product >> 32, counter
