"""The alignment of a text with the fingerprints of its sentences in the rulebook file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from validators.trace.fingerprints import LIKELY, difference

IN_PLACE = 13
"""The most different bits for a sentence beside one that has not changed."""
ELSEWHERE = 4
"""The most for a sentence anywhere in the text; `LIKELY` holds for a gap of at most `WIDEST_GAP`."""
WIDEST_GAP = 12


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

    First the sentences in the same order, then those that moved, then by similarity those that changed.
    """
    old, new = [f[:8] for f in located], [f[:8] for f in text]
    found = _in_order(old, new)
    found |= _moved(old, new, found)
    changed = _changed(located, text, found)
    rest = [n for n in range(len(located)) if n not in found and n not in changed]
    taken = {*found.values(), *changed.values()}
    return Alignment(
        _from_one(found),
        _from_one(changed),
        {n + 1: _nearest(located[n], text, taken) for n in rest},
        tuple(n + 1 for n in range(len(text)) if n not in taken),
    )


def _from_one(pairs: dict[int, int]) -> dict[int, int]:
    return {a + 1: b + 1 for a, b in sorted(pairs.items())}


def _in_order(old: list[str], new: list[str]) -> dict[int, int]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return {a + n: b + n for a, b, size in matcher.get_matching_blocks() for n in range(size)}


def _moved(old: list[str], new: list[str], found: dict[int, int]) -> dict[int, int]:
    free: dict[str, list[int]] = {}
    taken = set(found.values())
    for n, mark in enumerate(new):
        if n not in taken:
            free.setdefault(mark, []).append(n)
    moved: dict[int, int] = {}
    for n, mark in enumerate(old):
        if n not in found and free.get(mark):
            moved[n] = free[mark].pop(0)
    return moved


def _changed(located: Sequence[str], text: Sequence[str], found: dict[int, int]) -> dict[int, int]:
    """The most similar pairs first; each sentence once."""
    taken = set(found.values())
    free = [b for b in range(len(text)) if b not in taken]
    pairs = sorted(
        (bits, a, b)
        for a in range(len(located))
        if a not in found
        for gap in [_gap(a, found, len(text))]
        for b in free
        for bits in [difference(located[a], text[b])]
        if bits <= _limit(a, b, gap, found)
    )
    changed: dict[int, int] = {}
    used: set[int] = set()
    for _, a, b in pairs:
        if a not in changed and b not in used:
            changed[a] = b
            used.add(b)
    return changed


def _limit(a: int, b: int, gap: range, found: dict[int, int]) -> int:
    """How many bits may differ: more where the place is more certain."""
    if found.get(a - 1, -2) == b - 1 or found.get(a + 1, -2) == b + 1:
        return IN_PLACE
    return LIKELY if b in gap and len(gap) <= WIDEST_GAP else ELSEWHERE


def _gap(a: int, found: dict[int, int], news: int) -> range:
    """The range in which a sentence is expected, between the found ones around it."""
    before = max((n for n in found if n < a), default=None)
    after = min((n for n in found if n > a), default=None)
    first = 0 if before is None else found[before] + 1
    return range(first, news if after is None else found[after])


def _nearest(mark: str, text: Sequence[str], taken: set[int]) -> tuple[int, int] | None:
    """The most similar sentence, preferably one that is not aligned with another."""
    found = [
        (n in taken and difference(mark, other) > LIKELY, difference(mark, other), n)
        for n, other in enumerate(text)
    ]
    best = min(found, default=None)
    return (best[2] + 1, best[1]) if best is not None else None
