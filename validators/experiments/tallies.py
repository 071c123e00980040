"""Results of matches, as whole numbers; they are added in any order."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import reduce
from typing import Any, TypeVar

from validators.experiments.statistics import Evidence

Added = TypeVar("Added", bound="Tally")


def unit(seats: int) -> int:
    """A win in whole parts, so that each number of seats can share it."""
    return math.lcm(*range(1, seats + 1))


def plus(a: Any, b: Any) -> Any:
    """The sum of two values of a tally: numbers, tuples of them, counts by name, tallies, the least seed."""
    match a:
        case Tally():
            return type(a)(*(plus(getattr(a, f.name), getattr(b, f.name)) for f in fields(a)))
        case int():
            return a + b
        case tuple():
            return tuple(plus(x, y) for x, y in zip(a, b, strict=True)) if a and b else a or b
        case Mapping():
            return {**a, **{key: plus(a[key], value) if key in a else value for key, value in b.items()}}
    raise TypeError(f"{type(a).__name__} does not add up")


@dataclass(frozen=True)
class Tally:
    """A value that can be added to another of its kind, field by field."""

    def __add__(self: Added, other: Added) -> Added:
        found: Added = plus(self, other)
        return found

    def encoded(self) -> bytes:
        """The same bytes for the same tally, however it was added up."""
        return json.dumps(_plain(self), sort_keys=True, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    match value:
        case Tally():
            return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        case tuple():
            return [_plain(x) for x in value]
        case Mapping():
            return {str(key): _plain(x) for key, x in value.items()}
    return value


def total(tallies: Iterable[Added]) -> Added:
    """The sum of one or more tallies."""
    return reduce(lambda a, b: a + b, tallies)


# ---- parts


@dataclass(frozen=True)
class Moments(Tally):
    """How many numbers, their sum and the sum of their squares."""

    n: int = 0
    sum: int = 0
    squares: int = 0

    @classmethod
    def of(cls, numbers: Iterable[int]) -> Moments:
        found = [int(x) for x in numbers]
        return cls(len(found), sum(found), sum(x * x for x in found))

    def evidence(self, unit: float = 1) -> Evidence:
        """Mean and variance, in units of so much."""
        if not self.n:
            return Evidence(0, math.nan, math.nan)
        mean = self.sum / self.n
        spread = (self.n * self.squares - self.sum**2) / self.n**2
        return Evidence(self.n, mean / unit, spread / unit**2)


@dataclass(frozen=True)
class CrossMoments(Tally):
    """Sums and products of several numbers that belong together, one row of them for each match."""

    n: int = 0
    sums: tuple[int, ...] = ()
    products: tuple[tuple[int, ...], ...] = ()

    def contrast(self, weights: Sequence[float]) -> Evidence:
        """Mean and variance of a sum with weights."""
        if not self.n:
            return Evidence(0, math.nan, math.nan)
        mean = sum(w * s for w, s in zip(weights, self.sums, strict=True)) / self.n
        square = sum(
            x * y * p
            for x, row in zip(weights, self.products, strict=True)
            for y, p in zip(weights, row, strict=True)
        )
        return Evidence(self.n, mean, max(0.0, square / self.n - mean * mean))


@dataclass(frozen=True)
class FaultTally(Tally):
    """Matches that came to the same fault, by seed: how many decisions each had had."""

    seeds: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ChoiceTally(Tally):
    """How often a choice was offered and taken, and what the match was worth to its seat.

    The four sums of a match: the seat's share of the win for each time that the choice was taken, how often
    it was taken, the share for each time that it was declined, and how often that was. Matches are what is
    drawn at random, so the error follows from how these sums vary between matches.
    """

    matches: int = 0
    sums: tuple[int, ...] = (0, 0, 0, 0)
    products: tuple[tuple[int, ...], ...] = ((0,) * 4,) * 4

    @property
    def taken(self) -> int:
        return self.sums[1]

    @property
    def offered(self) -> int:
        return self.sums[1] + self.sums[3]

    def worth(self, unit: int) -> Evidence | None:
        """The mean share after it was taken less that after it was declined; none if one never happened.

        A difference of two ratios, linearised. Source: Cochran, "Sampling Techniques" (1977), chapter 6.
        """
        won, taken, kept, declined = self.sums
        if not taken or not declined:
            return None
        after, otherwise = won / taken, kept / declined
        weights = (1 / taken, -after / taken, -1 / declined, otherwise / declined)
        spread = sum(
            x * y * self.products[i][j] for i, x in enumerate(weights) for j, y in enumerate(weights)
        )
        n = max(1, self.matches)
        return Evidence(n, (after - otherwise) / unit, max(0.0, spread) * n / unit**2)


# ---- whole tallies


@dataclass(frozen=True)
class MatchTally(Tally):
    """Matches under one set of rules, by the same bots.

    By seat: `shares` of the win in parts of `unit(seats)`, `places` (1 for the best) and `scores` with how
    often each came. `margins`: how far the best total of a match is from the next. `lengths` in decisions,
    `widths` the number of choices of decisions, `course` by place, from the first decision to the last, their
    choices; `endings` by the number of the end with a name; `winners` by their set as bits. `choices`
    by name. `openings` by seat and name: the share of the win after the first decision of a seat that is one.
    `faults` by code and text.
    """

    matches: int = 0
    shares: tuple[Moments, ...] = ()
    places: tuple[Mapping[int, int], ...] = ()
    scores: tuple[Mapping[int, int], ...] = ()
    winners: Mapping[int, int] = field(default_factory=dict)
    lengths: Mapping[int, int] = field(default_factory=dict)
    widths: Mapping[int, int] = field(default_factory=dict)
    course: Mapping[int, Moments] = field(default_factory=dict)
    endings: Mapping[int, int] = field(default_factory=dict)
    choices: Mapping[str, ChoiceTally] = field(default_factory=dict)
    openings: Mapping[str, Moments] = field(default_factory=dict)
    margins: Mapping[int, int] = field(default_factory=dict)
    faults: Mapping[str, FaultTally] = field(default_factory=dict)


@dataclass(frozen=True)
class PairTally(Tally):
    """Pairs of matches with the same chance, one on each side.

    `winners`: how often which sets of seats have won on both sides, as bits, `old << 16 | new`.
    `measures`: cross moments of decisions on the old and the new side, then of the totals of the seats on the
    old, then on the new side. `same` pairs had the same end. A pair with a fault on one side is not counted.
    """

    pairs: int = 0
    same: int = 0
    winners: Mapping[int, int] = field(default_factory=dict)
    measures: CrossMoments = CrossMoments()
    faults: Mapping[str, FaultTally] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """How many pairs ended in a fault."""
        return len({seed for fault in self.faults.values() for seed in fault.seeds})

    def share(self, old: Sequence[float], new: Sequence[float], drawn: bool = False) -> Evidence:
        """Mean and variance of a sum of the seats' shares of the win, with weights for each side.

        With `drawn`, a match that nobody wins is shared by all; otherwise nobody has a share of it.
        """
        if not self.pairs:
            return Evidence(0, math.nan, math.nan)
        values = [(times, _sum(key, old, new, drawn)) for key, times in self.winners.items()]
        mean = math.fsum(times * value for times, value in values) / self.pairs
        spread = math.fsum(times * (value - mean) ** 2 for times, value in values) / self.pairs
        return Evidence(self.pairs, mean, spread)

    def distribution(self, old: Sequence[float], new: Sequence[float]) -> dict[float, int]:
        """How often such a sum had which value: for two seats that are swapped, the pentanomial of pairs."""
        found: Counter[float] = Counter()
        for key, times in self.winners.items():
            found[round(_sum(key, old, new, drawn=True), 6)] += times
        return dict(sorted(found.items()))


def _sum(key: int, old: Sequence[float], new: Sequence[float], drawn: bool) -> float:
    return _share(key >> 16, old, drawn) + _share(key & 0xFFFF, new, drawn)


def _share(winners: int, weights: Sequence[float], drawn: bool) -> float:
    if not winners:
        return sum(weights) / len(weights) if drawn else 0.0
    return sum(w for seat, w in enumerate(weights) if winners >> seat & 1) / winners.bit_count()
