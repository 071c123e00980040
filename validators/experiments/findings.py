"""What an analysis has found: effects with intervals and p-values corrected for being many, and flags."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from validators.experiments.statistics import (
    ALPHA,
    Evidence,
    Interval,
    correlation_interval,
    holm,
    p_value,
    wilson,
)
from validators.experiments.tallies import ChoiceTally, MatchTally, Moments, PairTally, total, unit

MARGIN = 0.02
"""The least difference of a share of the win that is flagged."""
LEAST = 30
"""The fewest observations that a finding rests on: of fewer, errors are not known well enough."""
ENOUGH = 10
"""The fewest matches that say anything of what goes together with a choice, and pairs for a headline."""
MOST_CHOICES = 24
"""Of how many choices it is tried what forbidding them changes."""
OFTEN = 50
"""A choice was often offered if it was so many times."""
SPREAD = 0.1
"""The least difference of a length or a total that is flagged, in standard deviations."""
FEW = 5
"""What was chosen less often, or all else together, is not compared with the rest."""
HARDLY = 0.05
"""A choice is hardly taken if it is less often than this where it is offered."""
RARE = 0.005
"""A choice is rare if it is taken less often than this for each match and seat."""
MOST_FAILED = 0.01
"""The part of the pairs that may fault: if more are left out, what is left is another selection."""


class Kind(StrEnum):
    """What an effect is about."""

    SEAT = "seat"
    CHOICE = "choice"
    OPENING = "opening"
    COMPANY = "company"
    READING = "reading"
    NUMBER = "number"


@dataclass(frozen=True)
class Effect:
    """A difference of a share of the win, of a length in decisions or of a total: estimate, error, interval.

    `p` is corrected for all effects of the analysis; `margin` is the least difference that is flagged;
    `failed` observations ended in a fault and are not counted.
    """

    kind: Kind
    name: str
    measure: str
    n: int
    interval: Interval
    error: float
    margin: float
    p: float = 1.0
    failed: int = 0

    @property
    def flagged(self) -> bool:
        """Whether it is significant after the correction, large enough to matter, and seen often enough."""
        large = self.p < ALPHA and abs(self.interval.estimate) >= self.margin
        return large and self.n >= LEAST and not self.selected

    @property
    def selected(self) -> bool:
        """Whether so many observations ended in a fault that those without one say little of all."""
        return self.failed > MOST_FAILED * self.n


def effect(kind: Kind, name: str, measure: str, seen: Evidence, margin: float = MARGIN) -> Effect:
    """An effect from observations, not corrected yet. Few equal observations are no certainty."""
    sure = seen.regularized
    interval = sure.interval()
    if measure.startswith("share"):
        interval = interval.within(-1.0, 1.0)
    return Effect(kind, name, measure, seen.n, interval, sure.error, margin)


def corrected(effects: Sequence[Effect]) -> list[Effect]:
    """The effects with p-values by Holm's correction over all of them."""
    raw = [p_value(e.interval.estimate, e.error) if e.n else 1.0 for e in effects]
    return [replace(e, p=p) for e, p in zip(effects, holm(raw), strict=True)]


def findings(effects: Sequence[Effect]) -> list[Effect]:
    """The flagged effects: seats, then choices, those that change most first, then the rest."""

    def place(effect: Effect) -> tuple[int, float]:
        if effect.kind is Kind.CHOICE:
            return 1, -abs(effect.interval.estimate)
        return (0 if effect.kind is Kind.SEAT else 2), 0.0

    return sorted((effect for effect in effects if effect.flagged), key=place)


def too_few(effects: Sequence[Effect]) -> bool:
    """Whether nothing was seen often enough to be a finding: that there is none then says nothing."""
    return all(effect.n < LEAST for effect in effects)


# ---- effects of each kind


def seat_effects(tally: MatchTally, seats: Sequence[str]) -> list[Effect]:
    """How far the share of each seat is from an even one of what is won at all.

    Of two seats the second lacks what the first has, so the first says all.
    """
    if len(seats) == 1 or not tally.matches:
        return []
    nobody = tally.winners.get(0, 0) / tally.matches
    even = (1 - nobody) / len(seats)
    effects = []
    independent = seats if len(seats) > 2 else seats[:1]
    for name, moments in zip(independent, tally.shares, strict=False):
        seen = moments.evidence(unit(len(seats)))
        centred = Evidence(seen.n, seen.mean - even, seen.variance)
        effects.append(effect(Kind.SEAT, name, f"share of {name} beyond even", centred))
    return effects


def restriction_effect(name: str, tallies: Sequence[PairTally]) -> Effect:
    """What a choice is worth: what a seat loses if it alone may not take it, on the mean of all seats.

    `tallies` has for each seat the pairs in which that seat may not take it on the new side.
    """
    size = len(tallies)
    seen = []
    for seat, tally in enumerate(tallies):
        weights = [float(i == seat) for i in range(size)]
        seen.append(tally.share(weights, [-x for x in weights]))
    n = sum(e.n for e in seen)
    if not all(e.n for e in seen):
        return effect(Kind.CHOICE, name, "share of its seat", Evidence(0, math.nan, math.nan))
    mean = math.fsum(e.mean for e in seen) / size
    spread = math.fsum(e.regular / e.n for e in seen) / size**2
    mean_effect = effect(Kind.CHOICE, name, "share of its seat", Evidence(n, mean, spread * n))
    return replace(mean_effect, failed=sum(tally.failed for tally in tallies))


def pair_effects(kind: Kind, name: str, tally: PairTally, seats: Sequence[str]) -> list[Effect]:
    """What another reading or number changes: the shares of the seats but the last, and the length.

    Of a single seat, which has no share, it is the total.
    """
    size = len(seats)
    effects = []
    for seat in range(max(1, size - 1) if size > 1 else 0):
        weights = [float(i == seat) for i in range(size)]
        seen = tally.share([-x for x in weights], weights)
        effects.append(effect(kind, name, f"share of {seats[seat]}", seen))
    if tally.measures.sums:
        effects.append(_changed(kind, name, "length", tally, (0, 1)))
        if size == 1:
            effects.append(_changed(kind, name, "total", tally, (2, 3)))
    return [replace(each, failed=tally.failed) for each in effects]


def _changed(kind: Kind, name: str, measure: str, tally: PairTally, columns: tuple[int, int]) -> Effect:
    """How a measure differs between its columns on the old and on the new side."""
    width, (before, after) = len(tally.measures.sums), columns
    old = tally.measures.contrast([float(i == before) for i in range(width)])
    change = [float(i == after) - float(i == before) for i in range(width)]
    margin = SPREAD * math.sqrt(old.variance) if old.variance else 1.0
    return effect(kind, name, measure, tally.measures.contrast(change), margin)


def opening_effects(tally: MatchTally, seat: str, seats: int, most: int) -> list[Effect]:
    """The share of a seat after each of its openings, less that after all its others, corrected together."""
    mine = {n.removeprefix(f"{seat}: "): m for n, m in tally.openings.items() if n.startswith(f"{seat}: ")}
    whole = total(mine.values()) if mine else Moments()
    effects = []
    for name, moments in sorted(mine.items(), key=lambda item: (-item[1].n, item[0]))[:most]:
        rest = Moments(whole.n - moments.n, whole.sum - moments.sum, whole.squares - moments.squares)
        if min(moments.n, rest.n) >= FEW:
            with_it, without = moments.evidence(unit(seats)), rest.evidence(unit(seats))
            spread = with_it.regular / with_it.n + without.regular / without.n
            seen = Evidence(with_it.n, with_it.mean - without.mean, spread * with_it.n)
            effects.append(effect(Kind.OPENING, name, f"share of {seat}", seen))
    return corrected(effects)


def company_effects(tally: MatchTally, names: Sequence[str], seats: int) -> list[Effect]:
    """The share of a seat after taking each choice, less that after declining it, corrected together.

    What was taken or declined only a few times is left out: its error is not known.
    """
    effects = []
    for name in names:
        choice = tally.choices[name]
        seen = choice.worth(unit(seats))
        few = min(choice.taken, choice.offered - choice.taken) < FEW
        if seen is not None and seen.n >= ENOUGH and not few:
            effects.append(effect(Kind.COMPANY, name, "share of its seat", seen))
    return corrected(effects)


# ---- figures of a whole


def win_share(moments: Moments, seats: int) -> Interval:
    """The share of the win of a seat with its interval."""
    seen = moments.evidence(unit(seats))
    return wilson(seen.mean * seen.n, seen.n) if seen.n else Interval(0, 0, 1)


def luck(tally: PairTally, seats: int) -> Interval | None:
    """The correlation of the first seat's share between matches with the same chance and other choices.

    None where too little was played, or the result is always the same.
    """
    if tally.pairs < 4 or seats < 2:
        return None
    first_seat, no_seat = [float(i == 0) for i in range(seats)], [0.0] * seats
    old, new = tally.share(first_seat, no_seat).variance, tally.share(no_seat, first_seat).variance
    if not old or not new:
        return None
    both = tally.share(first_seat, first_seat).variance
    return correlation_interval((both - old - new) / (2 * (old * new) ** 0.5), tally.pairs)


# ---- which choices are looked at


def ends_with_number(choice: str) -> bool:
    """Whether a choice ends with a number, or a place that letters and a number name: `bid 3`, `move c2`.

    A name that has a number, as that of the card `knight_2`, is a name.
    """
    return re.search(r"(^| )([a-z]{0,2}|-)\d+$", choice) is not None


def hardly_taken(tally: MatchTally, most: int) -> list[str]:
    """The choices that were often offered and are the least often taken of all, the least first."""
    enough = max(OFTEN, RARE * tally.matches)
    often = [
        (choice.taken / choice.offered, name)
        for name, choice in tally.choices.items()
        if choice.offered >= enough
    ]
    return [name for part, name in sorted(often) if part < HARDLY][:most]


def choices_to_try(tally: MatchTally, seats: int, most: int = MOST_CHOICES) -> list[str]:
    """The choices that are taken most often, of those that can be declined and are not passing.

    Things with a name, as cards, come before numbers, as dice and places.
    """
    enough = max(1.0, RARE * tally.matches * seats)

    def chosen(item: tuple[str, ChoiceTally]) -> bool:
        name, choice = item
        declined = choice.offered - choice.taken
        return choice.taken >= enough and declined >= enough and not name.startswith("pass ")

    def place(item: tuple[str, ChoiceTally]) -> tuple[bool, int, str]:
        name, choice = item
        return ends_with_number(name), -choice.taken, name

    return [name for name, _ in sorted(filter(chosen, tally.choices.items()), key=place)[:most]]
