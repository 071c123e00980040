"""An analysis of a game: which matches are played for each part of the page, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.rules import Option, Rules
from rulewright.experiments.arena import Met, meeting_job
from rulewright.experiments.numbers import Number, numbers_of, with_numbers
from rulewright.experiments.rulesets import Ruleset, RulesetGames
from rulewright.experiments.running import JobRunner, run_jobs
from validators.experiments.course import CourseTally
from validators.experiments.findings import (
    MOST_CHOICES,
    Effect,
    Kind,
    choices_to_try,
    corrected,
    pair_effects,
    restriction_effect,
    seat_effects,
)
from validators.experiments.jobs import CourseJob, Job, MatchJob, PairJob, Side, Variant
from validators.experiments.players import UNIFORM
from validators.experiments.tallies import MatchTally, PairTally, Tally

MOST_COURSES = 300
"""The most matches of whose course the chances are estimated."""
MOST_VALUES = 8
"""The most values of an option that are tried."""


@dataclass(frozen=True)
class AnalysisPlan:
    """What is analysed: the rules, the bots of the main part, how many matches and the first seed.

    `budgets` are the budgets of `search` whose doublings are compared. Where the bots think long, parts with
    many comparisons are played by uniform bots, unless `thorough`.
    """

    ruleset: Ruleset
    variant: Variant
    rules: Rules
    seats: tuple[str, ...]
    bots: tuple[str, ...]
    first: int
    number: int
    budgets: tuple[int, ...]
    thorough: bool = False
    most_choices: int = MOST_CHOICES
    chance: bool = True
    """Whether the rules have any."""

    @property
    def side(self) -> Side:
        return Side(self.variant, self.bots)

    @property
    def uniform(self) -> bool:
        return set(self.bots) <= {UNIFORM}

    @property
    def plain(self) -> Side:
        """How parts with many comparisons are played."""
        if self.uniform or self.thorough:
            return self.side
        return replace(self.side, bots=(UNIFORM,) * len(self.seats))

    @property
    def options(self) -> dict[str, str]:
        return dict(self.variant.options)


@dataclass(frozen=True)
class Alternative:
    """Another value of an option, reading of a ruling, or number: what it is called, and its pairs."""

    kind: Kind
    name: str
    about: str
    tally: PairTally


@dataclass
class Analysed:
    """What was played, part by part; parts that were not reached are not there."""

    plan: AnalysisPlan
    main: MatchTally = field(default_factory=MatchTally)
    uniform: MatchTally | None = None
    luck: PairTally | None = None
    course: CourseTally | None = None
    skill: list[tuple[int, Met]] = field(default_factory=list)
    restricted: dict[str, list[PairTally]] = field(default_factory=dict)
    alternatives: list[Alternative] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    interrupted: bool = False

    @property
    def effects(self) -> list[Effect]:
        """All effects that are tested, corrected together."""
        seats = self.plan.seats
        found = seat_effects(self.main, seats)
        found += [restriction_effect(name, tallies) for name, tallies in self.restricted.items()]
        for one in self.alternatives:
            found += pair_effects(one.kind, one.name, one.tally, seats)
        return corrected(found)


def analyse(where: JobRunner, plan: AnalysisPlan, now: Callable[[str], None] = lambda _: None) -> Analysed:
    """Plays one part after the other. `now` is told what is played. Ctrl-C ends it with what there is."""
    found = Analysed(plan)
    try:
        for what, part in PARTS.items():
            now(what)
            part(where, found)
    except KeyboardInterrupt:
        found.interrupted = True
    return found


# ---- parts


def _played(where: JobRunner, jobs: Sequence[Job], bots: Sequence[str]) -> list[Tally]:
    return list(run_jobs(where, jobs, bots))


def _main(where: JobRunner, found: Analysed) -> None:
    plan = found.plan
    (tally,) = _played(where, [MatchJob(plan.side, plan.first, plan.number)], plan.bots)
    assert isinstance(tally, MatchTally)
    found.main = tally


def _uniform(where: JobRunner, found: Analysed) -> None:
    """The seats under random play, to see what play makes of them."""
    plan = found.plan
    if plan.uniform:
        return
    side = replace(plan.side, bots=(UNIFORM,) * len(plan.seats))
    (tally,) = _played(where, [MatchJob(side, plan.first, max(1000, plan.number))], side.bots)
    assert isinstance(tally, MatchTally)
    found.uniform = tally


def _luck(where: JobRunner, found: Analysed) -> None:
    """The same chance with other choices."""
    plan = found.plan
    if not plan.chance:
        return
    number = plan.number if plan.uniform else -(-plan.number // 4)
    job = PairJob(plan.side, replace(plan.side, salt=1), plan.first, number)
    (tally,) = _played(where, [job], plan.bots)
    assert isinstance(tally, PairTally)
    found.luck = tally


def _course(where: JobRunner, found: Analysed) -> None:
    plan = found.plan
    number = min(MOST_COURSES, plan.number if plan.uniform else -(-plan.number // 4))
    (tally,) = _played(where, [CourseJob(plan.side, plan.first, number)], plan.bots)
    assert isinstance(tally, CourseTally)
    found.course = tally


def _skill(where: JobRunner, found: Analysed) -> None:
    """Each budget against the doubled one, in pairs with swapped seats."""
    plan = found.plan
    if len(plan.seats) == 1:
        return
    for budget in plan.budgets:
        bots = (f"search:{2 * budget}", f"search:{budget}")
        number = max(20, plan.number // 10)
        job = meeting_job(plan.variant, bots, plan.first, number)
        (tally,) = _played(where, [job], bots)
        assert isinstance(tally, PairTally)
        found.skill.append((budget, Met(tally, number)))


def _restricted(where: JobRunner, found: Analysed) -> None:
    """Pairs in which one seat may not take a choice on the new side."""
    plan, side = found.plan, found.plan.plain
    seats = range(len(plan.seats))
    if len(seats) == 1:
        return
    number = max(1, plan.number // len(seats))
    for name in choices_to_try(found.main, len(seats), plan.most_choices):
        jobs = [PairJob(side, replace(side, forbidden=((seat, name),)), plan.first, number) for seat in seats]
        tallies = [t for t in _played(where, jobs, side.bots) if isinstance(t, PairTally)]
        found.restricted[name] = tallies


def _readings(where: JobRunner, found: Analysed) -> None:
    """Options of words, flags and rulings with their other values."""
    plan = found.plan
    for option in plan.rules.options.values():
        for value in _other_values(option, plan.options.get(option.name))[:MOST_VALUES]:
            about = option.readings.get(value, "")
            options = {**plan.options, option.name: value}
            named = Kind.READING, f"{option.name} = {value}", about
            _alternative(where, found, named, plan.ruleset, options)


def _other_values(option: Option, chosen: str | None) -> list[str]:
    values = option.values
    now = chosen if chosen is not None else (values[option.default] if values else "")
    return [value for value in values if value != now]


def _numbers(where: JobRunner, found: Analysed) -> None:
    """Options with a range and constants, each a little lower and a little higher."""
    plan = found.plan
    for number in numbers_of(plan.rules, len(plan.seats)):
        if number.name in plan.options:
            number = replace(number, value=int(plan.options[number.name]))
        for value in _near(number):
            name = f"{number.name} = {value}"
            try:
                changed = with_numbers(plan.ruleset, plan.options, {number: value})
                where.learn([changed.ruleset])
                named = Kind.NUMBER, name, f"{number.value} now"
                _alternative(where, found, named, changed.ruleset, changed.options)
            except (ErrorsReported, DiagnosticError):
                found.left_out.append(name)


def _near(number: Number) -> list[int]:
    step = max(1, round(abs(number.value) / 10))
    values = (number.value - step, number.value + step)
    return [value for value in values if number.low <= value <= number.high]


def _alternative(
    where: JobRunner,
    found: Analysed,
    named: tuple[Kind, str, str],
    ruleset: Ruleset,
    options: Mapping[str, str],
) -> None:
    plan = found.plan
    variant = Variant(ruleset.digest, len(plan.seats), tuple(sorted(options.items())))
    RulesetGames([ruleset]).game(variant, "reference")
    job = PairJob(plan.plain, replace(plan.plain, variant=variant), plan.first, plan.number)
    (tally,) = _played(where, [job], plan.plain.bots)
    assert isinstance(tally, PairTally)
    found.alternatives.append(Alternative(*named, tally))


PARTS: Mapping[str, Callable[[JobRunner, Analysed], None]] = {
    "matches": _main,
    "matches of random bots": _uniform,
    "the same chance with other choices": _luck,
    "the course of matches": _course,
    "doubled budgets": _skill,
    "forbidden choices": _restricted,
    "options and readings": _readings,
    "numbers": _numbers,
}
"""The parts by what is told of them, in the order in which they are played."""
