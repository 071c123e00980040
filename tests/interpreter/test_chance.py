"""The generator gives the published numbers, and its streams do not disturb each other."""

from __future__ import annotations

from collections import Counter

import pytest

from interpreter.chance import below, philox, stream_key

# Known-answer vectors of Philox 4x32-10, from the distribution of the paper's library Random123.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        (0xFFFFFFFF,) * 4,
        (0xFFFFFFFF,) * 2,
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "wanted"), KNOWN)
def test_known_answers(counter: tuple, key: tuple, wanted: tuple) -> None:
    assert philox(counter, key) == wanted


def test_below_is_within_and_even() -> None:
    key, counter = stream_key(7, "dice"), 0
    found: Counter[int] = Counter()
    for _ in range(60_000):
        number, counter = below(6, counter, key)
        found[number] += 1
    assert set(found) == set(range(6))
    assert max(found.values()) - min(found.values()) < 700


def test_streams_differ_by_seed_and_name() -> None:
    keys = {stream_key(seed, name) for seed in range(20) for name in ("dice", "deck", "bag")}
    assert len(keys) == 60
