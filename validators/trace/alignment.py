"""The alignment of a text with the fingerprints of its sentences in the rulebook file."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from dsl.sequences import matching_blocks
from validators.trace.fingerprints import LIKELY, similarity

IN_PLACE = 13
"""The most different bits for a sentence beside one that has not changed."""
ELSEWHERE = 4
"""The most for a sentence anywhere in the text; `LIKELY` holds for a gap of at most `WIDEST_GAP`."""
WIDEST_GAP = 12
MOST_COMPARED = 400_000
"""The most pairs of sentences whose similarity is worked out."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where the located sentences are in a text. All numbers count from 1.

    `found` maps each located sentence to the one of the text with the same words, `changed` to the one that
    has most likely replaced it; `gone` are the others, with the most similar sentence and how many of the 32
    bits of the SimHash differ; `new` are the sentences of the text that are not located.
    """

    found: dict[int, int]
    changed: dict[int, int]
    gone: dict[int, tuple[int, int] | None]
    new: tuple[int, ...]

    @property
    def moved(self) -> dict[int, int]:
        """Sentences with the same words and another number."""
        return {old: now for old, now in self.found.items() if old != now}

    @property
    def fits(self) -> bool:
        return not (self.changed or self.gone or self.new or self.moved)

    def now(self, old: int) -> int | None:
        """The number of a located sentence in the text, changed or not."""
        return self.found.get(old, self.changed.get(old))


def align(located: Sequence[str], text: Sequence[str]) -> Alignment:
    """Aligns located fingerprints with those of a text.

    First the sentences in the same order, then those that moved, then by similarity those that changed. Of
    very many that changed, similar ones are only looked for where they are expected.
    """
    old, new = [f[:8] for f in located], [f[:8] for f in text]
    found = _in_order(old, new)
    found |= _moved(old, new, found)
    changed = _changed(located, text, found)
    rest = [n for n in range(len(located)) if n not in found and n not in changed]
    taken = {*found.values(), *changed.values()}
    marks = list(map(similarity, text))
    few = len(rest) * len(text) <= MOST_COMPARED
    return Alignment(
        _from_one(found),
        _from_one(changed),
        {n + 1: _nearest(similarity(located[n]), marks, taken) if few else None for n in rest},
        tuple(n + 1 for n in range(len(text)) if n not in taken),
    )


def _from_one(pairs: dict[int, int]) -> dict[int, int]:
    return {a + 1: b + 1 for a, b in sorted(pairs.items())}


def _in_order(old: list[str], new: list[str]) -> dict[int, int]:
    return {a + n: b + n for a, b, size in matching_blocks(old, new) for n in range(size)}


def _moved(old: list[str], new: list[str], found: dict[int, int]) -> dict[int, int]:
    free: defaultdict[str, deque[int]] = defaultdict(deque)
    taken = set(found.values())
    for n, mark in enumerate(new):
        if n not in taken:
            free[mark].append(n)
    moved: dict[int, int] = {}
    for n, mark in enumerate(old):
        if n not in found and free[mark]:
            moved[n] = free[mark].popleft()
    return moved


def _changed(located: Sequence[str], text: Sequence[str], found: dict[int, int]) -> dict[int, int]:
    """The most similar pairs first; each sentence once."""
    taken = set(found.values())
    free = [b for b in range(len(text)) if b not in taken]
    left, places = [a for a in range(len(located)) if a not in found], sorted(found)
    waiting = set(free)
    anywhere = free if len(left) * len(free) <= MOST_COMPARED else []
    old, new = list(map(similarity, located)), list(map(similarity, text))
    pairs = sorted(
        (bits, a, b)
        for a in left
        for gap in [_gap(a, found, places, len(text))]
        for b in anywhere or _near(a, gap, found) & waiting
        for bits in [(old[a] ^ new[b]).bit_count()]
        if bits <= IN_PLACE and bits <= _limit(a, b, gap, found)
    )
    changed: dict[int, int] = {}
    used: set[int] = set()
    for _, a, b in pairs:
        if a not in changed and b not in used:
            changed[a] = b
            used.add(b)
    return changed


def _near(a: int, gap: range, found: dict[int, int]) -> set[int]:
    """Where a sentence is, if it is beside one that has not changed or in a narrow gap."""
    beside = {found[a - 1] + 1} if a - 1 in found else set()
    beside |= {found[a + 1] - 1} if a + 1 in found else set()
    return beside | set(gap if len(gap) <= WIDEST_GAP else ())


def _limit(a: int, b: int, gap: range, found: dict[int, int]) -> int:
    """How many bits may differ: more where the place is more certain."""
    if found.get(a - 1, -2) == b - 1 or found.get(a + 1, -2) == b + 1:
        return IN_PLACE
    return LIKELY if b in gap and len(gap) <= WIDEST_GAP else ELSEWHERE


def _gap(a: int, found: dict[int, int], places: Sequence[int], news: int) -> range:
    """The range in which a sentence is expected, between the found ones around it, of sorted `places`."""
    after = bisect(places, a)
    first = found[places[after - 1]] + 1 if after else 0
    return range(first, found[places[after]] if after < len(places) else news)


def _nearest(mark: int, text: Sequence[int], taken: set[int]) -> tuple[int, int] | None:
    """The most similar sentence, preferably one that is not aligned with another."""
    bits = [(mark ^ other).bit_count() for other in text]
    best = min(((n in taken and bits[n] > LIKELY, bits[n], n) for n in range(len(text))), default=None)
    return (best[2] + 1, best[1]) if best is not None else None
