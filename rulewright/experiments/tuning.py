"""The smallest change of numbers that reaches a target: looked for, then confirmed with fresh seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported
from rulewright.experiments.numbers import Number, with_numbers
from rulewright.experiments.rulesets import Ruleset
from rulewright.experiments.running import LOST, JobRunner, run_parts
from validators.experiments.comparing import looks
from validators.experiments.jobs import MatchJob, Side, Variant
from validators.experiments.statistics import Evidence
from validators.experiments.tallies import MatchTally
from validators.experiments.targets import Target

Values = tuple[int, ...]
"""A value for each of the numbers that may change."""


@dataclass(frozen=True)
class TuningPlan:
    """What is tuned: the rules, the bots, the numbers, the target; how many matches a candidate has.

    `confirm` is how many matches with fresh seeds confirm an answer at most.
    """

    ruleset: Ruleset
    seats: int
    options: Mapping[str, str]
    bots: tuple[str, ...]
    numbers: tuple[Number, ...]
    target: Target
    first: int
    number: int
    confirm: int

    @property
    def start(self) -> Values:
        return tuple(number.value for number in self.numbers)

    def size(self, values: Values) -> int:
        """How much is changed: steps of all numbers together."""
        return sum(abs(a - b) for a, b in zip(values, self.start, strict=True))

    def changed(self, values: Values) -> int:
        """How many numbers are changed."""
        return sum(a != b for a, b in zip(values, self.start, strict=True))


@dataclass(frozen=True)
class Candidate:
    """Values of the numbers, and what matches with them came to; none if they make no game.

    `failed` has the seeds of the matches that came to each fault, by its text. `stopped`: play ended before
    all of its matches were played.
    """

    values: Values
    seen: Evidence | None
    failed: Mapping[str, Sequence[int]] = field(default_factory=dict)
    stopped: bool = False

    @property
    def faults(self) -> int:
        """How many matches ended in a fault."""
        return sum(map(len, self.failed.values()))

    @property
    def first_fault(self) -> tuple[int, str] | None:
        """The seed of the first match that ended in a fault, and the text of the fault."""
        return min(((min(seeds), text) for text, seeds in self.failed.items()), default=None)


@dataclass
class Tuned:
    """What was found. `answer` is confirmed if its interval lies in the range, on fresh seeds."""

    plan: TuningPlan
    where: JobRunner
    tried: dict[Values, Candidate] = field(default_factory=dict)
    answer: Candidate | None = None
    confirmed: bool = False
    refuted: list[Candidate] = field(default_factory=list)
    playing: Candidate | None = None
    """The candidate that is being played, as far as it has got."""
    interrupted: bool = False
    failure: Diagnostic | None = None
    """What has ended it before its time."""

    @property
    def beside(self) -> tuple[Candidate | None, Candidate | None]:
        """The candidates whose measures are the nearest below the range and above it."""
        known = [(c.seen.mean, c) for c in self.tried.values() if c.seen is not None]
        target = self.plan.target
        below = [one for one in known if one[0] < target.low]
        above = [one for one in known if one[0] > target.high]
        least, most = (
            min(side, key=lambda one: (target.distance(one[0]), self.plan.size(one[1].values)), default=None)
            for side in (below, above)
        )
        return least[1] if least is not None else None, most[1] if most is not None else None

    @property
    def nearest(self) -> Candidate | None:
        """The candidate whose measure is the nearest to the range."""
        known = [c for c in self.tried.values() if c.seen is not None]
        target = self.plan.target
        return min(
            known,
            key=lambda c: (target.distance(c.seen.mean if c.seen else 0.0), self.plan.size(c.values)),
            default=None,
        )


def tune(where: JobRunner, plan: TuningPlan, done: Callable[[str], None] = lambda _: None) -> Tuned:
    """Tries the values as they are, then changes, and confirms the smallest that reaches the target."""
    found = Tuned(plan, where)
    try:
        if _side(found, plan.start, done) == 0:
            _confirm(found, plan.start, done)
        if found.answer is None:
            _search(found, done)
    except KeyboardInterrupt:
        found.interrupted = True
    except DiagnosticError as error:
        found.failure = error.diagnostic
    return found


def _search(found: Tuned, done: Callable[[str], None]) -> None:
    """In each direction outwards by doubled steps, and back to the smallest change that does it."""
    plan = found.plan
    reaching = {values for way in directions(len(plan.numbers)) for values in _along(found, way, done)}
    for values in sorted(reaching, key=lambda v: (plan.size(v), plan.changed(v), v)):
        _confirm(found, values, done)
        if found.answer is not None:
            return


def directions(numbers: int) -> list[Values]:
    """Ways to change numbers: each alone, then several together, up or down or not at all."""
    ways = [way for way in product((0, 1, -1), repeat=numbers) if any(way)]
    return sorted(ways, key=lambda way: (sum(map(abs, way)), way))


def _along(found: Tuned, way: Values, done: Callable[[str], None]) -> Iterator[Values]:
    """The values on a way that reach the target: the smallest change, and up to two steps further."""

    def side(step: int) -> int | None:
        """On which side of the target the measure is, 0 if it is reached; none where there is no game."""
        values = _moved(found.plan, way, step)
        return _side(found, values, done) if values is not None else None

    bracket = _bracket(found.plan, way, side)
    if bracket is None:
        return
    reached = _first(*bracket, side)
    for step in range(reached, reached + 3) if reached is not None else ():
        values = _moved(found.plan, way, step)
        if values is not None and _side(found, values, done) == 0:
            yield values


def _bracket(plan: TuningPlan, way: Values, side: Callable[[int], int | None]) -> tuple[int, int] | None:
    """A step that does not reach the target and a later one that does, or that lies beyond it."""
    failed, step = 0, 1
    while _moved(plan, way, step) is not None:
        here, before = side(step), side(failed)
        if here == 0 or (here is not None and before is not None and here != before):
            return failed, step
        failed, step = step, _next_step(plan, way, step)
        if step == failed:
            return None
    return None


def _first(failed: int, beyond: int, side: Callable[[int], int | None]) -> int | None:
    """The smallest step of a bracket that reaches the target, by halving; none if it is jumped over."""
    start = side(failed)
    while beyond - failed > 1:
        middle = (failed + beyond) // 2
        if side(middle) == start:
            failed = middle
        else:
            beyond = middle
    return beyond if side(beyond) == 0 else None


def _next_step(plan: TuningPlan, way: Values, step: int) -> int:
    """Twice as far, or as far as the bounds allow."""
    room = [
        (number.high - number.value if sign > 0 else number.value - number.low)
        for number, sign in zip(plan.numbers, way, strict=True)
        if sign
    ]
    return min(2 * step, *room) if len(room) > 1 else min(2 * step, room[0])


def _moved(plan: TuningPlan, way: Values, step: int) -> Values | None:
    """So many steps on a way; none beyond the bounds of a number."""
    values = tuple(number.value + sign * step for number, sign in zip(plan.numbers, way, strict=True))
    inside = all(n.low <= v <= n.high for n, v in zip(plan.numbers, values, strict=True))
    return values if inside else None


def _side(found: Tuned, values: Values, done: Callable[[str], None]) -> int | None:
    """Whether the measure is below the target (-1), in it (0) or above; none if the values are no game."""
    if values not in found.tried:
        done(", ".join(f"{n.name} {v}" for n, v in zip(found.plan.numbers, values, strict=True)))
        found.tried[values] = _judged(found, values, found.plan.first, found.plan.number)
    seen, target = found.tried[values].seen, found.plan.target
    if seen is None:
        return None
    return (seen.mean > target.high) - (seen.mean < target.low)


def _confirm(found: Tuned, values: Values, done: Callable[[str], None]) -> None:
    """Plays with fresh seeds until the interval lies in the range or outside of it."""
    plan = found.plan
    done("confirming " + ", ".join(f"{n.name} {v}" for n, v in zip(plan.numbers, values, strict=True)))
    again = _judged(found, values, plan.first + plan.number, plan.confirm, plan.target)
    if again.seen is None or not plan.target.reached(again.seen.mean):
        found.refuted.append(again)
        return
    interval = again.seen.anytime()
    found.answer = again
    found.confirmed = plan.target.reached(interval.low) and plan.target.reached(interval.high)


def _judged(found: Tuned, values: Values, first: int, number: int, until: Target | None = None) -> Candidate:
    """Matches with some values, all of them or until it is known whether they reach a target."""
    plan = found.plan
    changes = {n: v for n, v in zip(plan.numbers, values, strict=True) if n.value != v}
    try:
        changed = with_numbers(plan.ruleset, plan.options, changes)
        found.where.learn([changed.ruleset])
        variant = Variant(changed.ruleset.digest, plan.seats, tuple(sorted(changed.options.items())))
        tally, played = MatchTally(), 0
        for look in looks(number) if until is not None else [number]:
            job = MatchJob(Side(variant, plan.bots), first + played, look - played)
            for _, more in run_parts(found.where, job, plan.bots):
                assert isinstance(more, MatchTally)
                tally += more
                found.playing = _candidate(plan, values, tally, stopped=True)
            played = look
            if until is not None and _settled(until, until.evidence(tally) if tally.matches else None):
                break
    except (ErrorsReported, DiagnosticError) as error:
        if isinstance(error, DiagnosticError) and isinstance(error.diagnostic, LOST):
            raise
        return Candidate(values, None)
    found.playing = None
    return _candidate(plan, values, tally)


def _candidate(plan: TuningPlan, values: Values, tally: MatchTally, stopped: bool = False) -> Candidate:
    failed = {text: sorted(fault.seeds) for text, fault in tally.faults.items()}
    seen = plan.target.evidence(tally) if tally.matches else None
    return Candidate(values, seen, failed, stopped)


def _settled(target: Target, seen: Evidence | None) -> bool:
    """Whether an interval lies within a range or outside of it."""
    if seen is None:
        return False
    interval = seen.anytime()
    inside = target.reached(interval.low) and target.reached(interval.high)
    return inside or interval.high < target.low or interval.low > target.high


def by_size(found: Tuned) -> Sequence[Candidate]:
    """What was tried, the smallest change first, and what was being tried when play ended."""
    playing = [found.playing] if found.playing is not None and found.playing.values not in found.tried else []
    return sorted((*found.tried.values(), *playing), key=lambda c: (found.plan.size(c.values), c.values))
