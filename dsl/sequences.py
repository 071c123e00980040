"""What two versions of a sequence have in common, in time that grows with them.

Short ones are compared by the longest parts that they share (Ratcliff, Metzener 1988), whose time may grow
with the third power. Long ones are cut where items stand that occur once in both (the "patience diff" of Bram
Cohen); where there are none, items of the same value are paired in their order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher

SHORT = 40_000
"""The product of two lengths up to which the longest common parts are searched for."""
Pairs = list[tuple[int, int]]
"""Indices of the first and of the second sequence, both increasing."""


def common_ends(old: Sequence[Hashable], new: Sequence[Hashable]) -> tuple[int, int]:
    """How many items are the same from the beginning on, and how many of the others up to the end."""
    shorter = min(len(old), len(new))
    start = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - start
    return start, next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)


def differences(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[bool, range, range]]:
    """The parts of both in their order, and whether they are the same; one of two others may be empty."""
    i = j = 0
    for a, b, size in matching_blocks(old, new):
        if (i, j) != (a, b):
            yield False, range(i, a), range(j, b)
        if size:
            yield True, range(a, a + size), range(b, b + size)
        i, j = a + size, b + size


def matching_blocks(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    """Where the same items begin in both, and how many; at last the ends of both, with no items."""
    blocks: list[tuple[int, int, int]] = []
    for i, j in (*sorted(_pairs(old, new)), (len(old), len(new))):
        size = 1 if i < len(old) else 0
        if size and blocks and (i, j) == (blocks[-1][0] + blocks[-1][2], blocks[-1][1] + blocks[-1][2]):
            blocks[-1] = (*blocks[-1][:2], blocks[-1][2] + 1)
        else:
            blocks.append((i, j, size))
    return blocks


def _pairs(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    parts = [(0, len(old), 0, len(new))]
    while parts:
        first, last, low, high = parts.pop()
        if (last - first) * (high - low) <= SHORT:
            matcher = SequenceMatcher(None, old[first:last], new[low:high], autojunk=False)
            for i, j, size in matcher.get_matching_blocks():
                yield from ((first + i + n, low + j + n) for n in range(size))
            continue
        head, tail = common_ends(old[first:last], new[low:high])
        yield from ((first + n, low + n) for n in range(head))
        yield from ((last - n, high - n) for n in range(1, tail + 1))
        first, last, low, high = first + head, last - tail, low + head, high - tail
        inner_old, inner_new = old[first:last], new[low:high]
        anchors = _in_order(_unique(inner_old), _unique(inner_new))
        if not anchors:
            found = _in_order(_numbered(inner_old), _numbered(inner_new))
            yield from ((first + i, low + j) for i, j in found)
            continue
        i, j = first, low
        for a, b in anchors:
            yield first + a, low + b
            parts.append((i, first + a, j, low + b))
            i, j = first + a + 1, low + b + 1
        parts.append((i, last, j, high))


def _unique(items: Sequence[Hashable]) -> dict[Hashable, int]:
    """The index of each item that occurs once."""
    times = Counter(items)
    return {item: index for index, item in enumerate(items) if times[item] == 1}


def _numbered(items: Sequence[Hashable]) -> dict[Hashable, int]:
    """The index of each item by its value, and by how many of the same value stand before it."""
    times: Counter[Hashable] = Counter()
    found: dict[Hashable, int] = {}
    for index, item in enumerate(items):
        found[item, times[item]] = index
        times[item] += 1
    return found


def _in_order(old: dict[Hashable, int], new: dict[Hashable, int]) -> Pairs:
    """As many pairs of the same items as stand in one order in both: a longest increasing subsequence."""
    pairs = [(index, new[item]) for item, index in old.items() if item in new]
    lasts: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(lasts, j)
        before.append(ends[length - 1] if length else -1)
        if length == len(lasts):
            lasts.append(j)
            ends.append(number)
        else:
            lasts[length], ends[length] = j, number
    found: Pairs = []
    at = ends[-1] if ends else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]
