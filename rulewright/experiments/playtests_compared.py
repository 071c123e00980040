"""What rose and fell from the playtests of one version of the rules to those of another.

A match is one observation: how often players were held up at a clause in it, whether an action was taken
back, the median of the times of an action. p-values are corrected for being many.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rulewright.experiments.playtests import Actions, answers_of, hindrances
from rulewright.matches.playtests import PlaytestRecord
from validators.experiments.statistics import (
    ALPHA,
    Interval,
    fisher_exact,
    holm,
    mann_whitney,
    shares_apart,
)

FEW = 30
"""Of fewer matches of a version it is said that they are few."""
What = Literal["clause", "time", "undo", "hint", "minutes", "answer"]
Records = Collection[PlaytestRecord]


@dataclass(frozen=True, slots=True)
class PlaytestChange:
    """A share of matches, a median, or a mean number in a match, with one version and another, of so many
    observations each.

    `apart` is the interval of the difference of shares; `p` is corrected for all that was compared.
    """

    what: What
    name: str
    old: float
    new: float
    observed: tuple[int, int]
    p: float
    apart: Interval | None = None

    @property
    def verdict(self) -> Literal["rose", "fell", ""]:
        """Empty if it may be chance."""
        if self.p > ALPHA or self.old == self.new:
            return ""
        return "rose" if self.new > self.old else "fell"


@dataclass(frozen=True, slots=True)
class ComparedRules:
    """Two versions by their digests, their matches, and what was compared, the least likely chance first."""

    old: str
    new: str
    matches: tuple[int, int]
    changes: tuple[PlaytestChange, ...]

    @property
    def few(self) -> bool:
        return min(self.matches) < FEW


def compared(
    versions: Mapping[str, Mapping[str, PlaytestRecord]], actions: Actions
) -> tuple[ComparedRules, ...]:
    """Each version with the last one."""
    *olds, new = versions
    return tuple(
        _comparison(old, new, list(versions[old].values()), list(versions[new].values()), actions)
        for old in olds
    )


def _comparison(old: str, new: str, before: Records, after: Records, actions: Actions) -> ComparedRules:
    found = [
        *_held_up(before, after),
        *_shares("undo", before, after, lambda record: _names(record, "undo", actions)),
        *_shares("hint", before, after, lambda record: _names(record, "hint", actions)),
        *_medians("time", _times(before, actions), _times(after, actions)),
        *_medians("minutes", {"": [one.minutes for one in before]}, {"": [one.minutes for one in after]}),
        *_medians("answer", _answered(before), _answered(after)),
    ]
    corrected = zip(found, holm([change.p for change in found]), strict=True)
    changes = (replace(change, p=p) for change, p in corrected)
    ordered = sorted(changes, key=lambda one: (one.p, one.what, one.name))
    return ComparedRules(old, new, (len(before), len(after)), tuple(ordered))


def _held_up(before: Records, after: Records) -> list[PlaytestChange]:
    """Of each clause, how often players were held up there in a match."""
    old, new = [_hindered(record) for record in before], [_hindered(record) for record in after]
    found = []
    for name in sorted({name for match in (*old, *new) for name in match}):
        first, second = [match[name] for match in old], [match[name] for match in new]
        means = statistics.mean(first), statistics.mean(second)
        found.append(
            PlaytestChange("clause", name, *means, (len(old), len(new)), mann_whitney(first, second))
        )
    return found


def _shares(
    what: What, before: Records, after: Records, names: Callable[[PlaytestRecord], set[str]]
) -> list[PlaytestChange]:
    """Of each name, the share of matches that have it."""
    old, new = (Counter(name for record in records for name in names(record)) for records in (before, after))
    found = []
    for name in sorted(old.keys() | new.keys()):
        first, second = (old[name], len(before)), (new[name], len(after))
        apart = shares_apart(first, second)
        shares = old[name] / len(before), new[name] / len(after)
        found.append(
            PlaytestChange(what, name, *shares, (len(before), len(after)), fisher_exact(first, second), apart)
        )
    return found


def _medians(
    what: What, before: Mapping[str, Sequence[float]], after: Mapping[str, Sequence[float]]
) -> list[PlaytestChange]:
    """Of each name that both have, the median of its values."""
    found = []
    for name in sorted(before.keys() & after.keys()):
        old, new = before[name], after[name]
        medians = statistics.median(old), statistics.median(new)
        found.append(PlaytestChange(what, name, *medians, (len(old), len(new)), mann_whitney(old, new)))
    return found


def _hindered(record: PlaytestRecord) -> Counter[str]:
    return Counter(clause for one in hindrances(record) for clause in one.clauses or ("",))


def _names(record: PlaytestRecord, kind: Literal["undo", "hint"], actions: Actions) -> set[str]:
    return {actions.name(one.choice) for one in record.of(kind) if one.choice}


def _times(records: Records, actions: Actions) -> dict[str, list[float]]:
    """By action, the median of each match that has it."""
    found: dict[str, list[float]] = defaultdict(list)
    for record in records:
        times: dict[str, list[float]] = defaultdict(list)
        for one in record.of("time"):
            times[actions.name(one.choice)].append(one.seconds)
        for name, seconds in times.items():
            found[name].append(statistics.median(seconds))
    return found


def _answered(records: Records) -> dict[str, Sequence[float]]:
    return {one.question: one.numbers for one in answers_of(records) if one.numbers}
