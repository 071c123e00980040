"""An analysis of a game: which matches are played for each part of the page, in order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported
from dsl.option_sets import sampled_sets
from dsl.rules import Option, Rules
from rulewright.experiments.arena import Met, meeting_job
from rulewright.experiments.numbers import Number, numbers_of, with_numbers
from rulewright.experiments.rounds import carried_out
from rulewright.experiments.rulesets import Ruleset, RulesetGames
from rulewright.experiments.running import JobRunner
from rulewright.experiments.time_limit import UNLIMITED, TimeLimit
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
from validators.experiments.jobs import Job, MatchJob, PairJob, Side, StudyJob, Variant
from validators.experiments.players import UNIFORM
from validators.experiments.study import StudyTally
from validators.experiments.tallies import FaultTally, MatchTally, PairTally, Tally, total

MOST_COURSES = 300
"""The most matches of whose course the chances are estimated."""
MOST_VALUES = 8
"""The most values of an option that are tried."""
COSTLY = 4
"""Where bots think, one of so many matches is played again; to follow one costs little beside it."""
TOGETHER = 8
"""How many other values are played in turns; each has a game of its own, and workers keep some."""


@dataclass(frozen=True)
class AnalysisPlan:
    """What is analysed: the rules, the bots of the main part, how many matches and the first seed.

    `doubled` are the iterations of `search` whose doublings are compared. Where the bots think long, parts
    with many comparisons are played by uniform bots, unless `thorough`.
    """

    ruleset: Ruleset
    variant: Variant
    rules: Rules
    seats: tuple[str, ...]
    bots: tuple[str, ...]
    first: int
    number: int
    doubled: tuple[int, ...]
    thorough: bool = False
    most_choices: int = MOST_CHOICES
    endings: tuple[str, ...] = ()
    """The ends of a match that have a name."""
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

    def plainly_played(self, kind: Kind) -> bool:
        """Whether an effect of the kind rests on uniform bots, though those of the main part are others."""
        return kind is not Kind.SEAT and self.plain != self.side

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
    """What was played so far, part by part.

    `against_random` are pairs of the bots of the main part against bots that choose at random.
    `left_out` are numbers with which it is no game, `unplayed` other values for which there was no time, and
    `unforbidden` choices.
    `playing` is the part that is being played, or in which it ended by Ctrl-C, by `failure`; none at the end.
    """

    plan: AnalysisPlan
    study: StudyTally = field(default_factory=StudyTally)
    uniform: MatchTally | None = None
    against_random: Met | None = None
    skill: dict[int, Met] = field(default_factory=dict)
    restricted: dict[str, list[PairTally]] = field(default_factory=dict)
    alternatives: list[Alternative] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    unplayed: list[str] = field(default_factory=list)
    unforbidden: list[str] = field(default_factory=list)
    playing: str = ""
    interrupted: bool = False
    failure: Diagnostic | None = None

    @property
    def main(self) -> MatchTally:
        return self.study.matches

    @property
    def luck(self) -> PairTally:
        return self.study.luck

    @property
    def course(self) -> CourseTally:
        return self.study.course

    @property
    def faults(self) -> dict[str, PairTally]:
        """What came to faults in other parts than the main one, under the rules as they are, by the part."""
        counted = {seed for fault in self.main.faults.values() for seed in fault.seeds}
        again = {
            text: FaultTally({seed: made for seed, made in fault.seeds.items() if seed not in counted})
            for text, fault in self.luck.faults.items()
        }
        met = [*self.skill.values(), *([self.against_random] if self.against_random is not None else [])]
        parts: dict[str, list[Mapping[str, FaultTally]]] = {
            "luck": [{text: fault for text, fault in again.items() if fault.seeds}],
            "matches of random bots": [self.uniform.faults] if self.uniform is not None else [],
            "doubled budgets": [one.tally.faults for one in met],
            "forbidden choices": [tally.faults for seats in self.restricted.values() for tally in seats],
        }
        whole = {
            name: total([PairTally(), *(PairTally(faults=faults) for faults in seen)])
            for name, seen in parts.items()
        }
        return {name: tally for name, tally in whole.items() if tally.faults}

    @property
    def effects(self) -> list[Effect]:
        """All effects that are tested, corrected together."""
        seats = self.plan.seats
        found = seat_effects(self.main, seats)
        found += [restriction_effect(name, tallies) for name, tallies in self.restricted.items()]
        for one in self.alternatives:
            found += pair_effects(one.kind, one.name, one.tally, seats)
        return corrected([effect for effect in found if effect.n])


@dataclass(frozen=True)
class AnalysisRun:
    """An analysis while it is carried out: the limit of the part, and who is told whenever there is more."""

    where: JobRunner
    found: Analysed
    limit: TimeLimit = UNLIMITED
    seen: Callable[[], None] = lambda: None
    first_limit: TimeLimit | None = None
    """How long the first result is waited for, if that is longer."""

    def play(self, jobs: Sequence[Job], bots: Sequence[str]) -> Iterator[tuple[int, Tally]]:
        """The number of a job with the tally of further seeds."""
        for number, tally in carried_out(self.where, jobs, bots, self.limit, self.first_limit):
            yield number, tally
            self.seen()


def analyse(
    where: JobRunner,
    plan: AnalysisPlan,
    now: Callable[[str], None] = lambda _: None,
    limit: TimeLimit = UNLIMITED,
    seen: Callable[[Analysed], None] = lambda _: None,
    parts: Sequence[str] | None = None,
) -> Analysed:
    """Plays one part after the other, each within its share of the time; what is left then goes to matches.

    `now` is told what is played, `seen` whenever there is more to see. Ctrl-C ends it with what there is, and
    so does a worker or a cluster that is lost.
    """
    found = Analysed(plan)
    left = [part for name, part in PARTS.items() if parts is None or name in parts]
    try:
        while left:
            weight = left[0].weight / math.fsum(part.weight for part in left)
            part = left.pop(0)
            found.playing = part.name
            now(part.name)
            first = None if found.main.matches else limit
            part.play(AnalysisRun(where, found, limit.share(weight), lambda: seen(found), first))
        if limit.limited:
            _go_on(AnalysisRun(where, found, limit, lambda: seen(found)), now, parts)
        found.playing = ""
    except KeyboardInterrupt:
        found.interrupted = True
    except DiagnosticError as error:
        found.failure = error.diagnostic
    return found


def _go_on(run: AnalysisRun, now: Callable[[str], None], parts: Sequence[str] | None) -> None:
    """Goes on with the parts that bots play in time that other parts did not need."""
    again = [PARTS[name] for name in ("doubled budgets", "matches") if parts is None or name in parts]
    while again:
        part = again.pop(0)
        run.found.playing = part.name
        now(part.name)
        part.play(replace(run, limit=run.limit.share(1 / (1 + len(again)))))


# ---- parts


def _seeds_played(tally: MatchTally | PairTally) -> int:
    """Of how many seeds a tally knows: of those that ended in a fault, too."""
    if isinstance(tally, PairTally):
        return tally.pairs + tally.failed
    return tally.matches + sum(len(fault.seeds) for fault in tally.faults.values())


def _study(run: AnalysisRun) -> None:
    """Matches; a part of them tells more, as it costs more."""
    found, plan = run.found, run.found.plan
    each = 1 if plan.uniform else COSTLY
    followed = max(1, -(-plan.number // MOST_COURSES))
    job = StudyJob(plan.side, plan.first, plan.number, followed, each if plan.chance else 0)
    played = _seeds_played(found.main)
    for _, tally in run.play([job.part(played, plan.number - played)], plan.bots):
        assert isinstance(tally, StudyTally)
        found.study += tally


def _uniform(run: AnalysisRun) -> None:
    """The seats under random play, to see what play makes of them."""
    found, plan = run.found, run.found.plan
    if plan.uniform:
        return
    side = replace(plan.side, bots=(UNIFORM,) * len(plan.seats))
    for _, tally in run.play([MatchJob(side, plan.first, max(1000, plan.number))], side.bots):
        assert isinstance(tally, MatchTally)
        found.uniform = found.uniform + tally if found.uniform is not None else tally


def _skill(run: AnalysisRun) -> None:
    """Each budget against the doubled one, in pairs with swapped seats."""
    found, plan = run.found, run.found.plan
    if len(plan.seats) == 1 or not plan.doubled:
        return
    number = max(20, plan.number // 10)
    named = [(f"search:{2 * budget}", f"search:{budget}") for budget in plan.doubled]
    met = [found.skill[budget].tally if budget in found.skill else PairTally() for budget in plan.doubled]
    jobs = [
        meeting_job(plan.variant, bots, plan.first, number).part(played, number - played)
        for bots, played in zip(named, map(_seeds_played, met), strict=True)
    ]
    for i, tally in run.play(jobs, named[0]):
        assert isinstance(tally, PairTally)
        budget = plan.doubled[i]
        before = found.skill[budget].tally if budget in found.skill else PairTally()
        found.skill[budget] = Met(before + tally, (before + tally).pairs)


def _against_random(run: AnalysisRun) -> None:
    """The bots against random ones, in pairs with swapped seats: how much does it help to think at all?"""
    found, plan = run.found, run.found.plan
    if len(plan.seats) == 1 or UNIFORM in plan.bots or len(set(plan.bots)) > 1:
        return
    number = max(20, plan.number // 20)
    job = meeting_job(plan.variant, (plan.bots[0], UNIFORM), plan.first, number)
    for _, tally in run.play([job], plan.bots):
        assert isinstance(tally, PairTally)
        before = found.against_random.tally if found.against_random is not None else PairTally()
        found.against_random = Met(before + tally, (before + tally).pairs)


def _restricted(run: AnalysisRun) -> None:
    """Pairs in which one seat may not take a choice on the new side."""
    found, plan, side = run.found, run.found.plan, run.found.plan.plain
    seats = range(len(plan.seats))
    if len(seats) == 1 or not found.main.matches:
        return
    number = max(1, plan.number // len(seats))
    names = choices_to_try(found.main, len(seats), plan.most_choices)
    pairs = [(name, seat) for name in names for seat in seats]
    jobs = [
        PairJob(side, replace(side, forbidden=((seat, name),)), plan.first, number) for name, seat in pairs
    ]
    for i, tally in run.play(jobs, side.bots):
        assert isinstance(tally, PairTally)
        name, seat = pairs[i]
        found.restricted.setdefault(name, [PairTally() for _ in seats])[seat] += tally
    found.unforbidden = [name for name in names if name not in found.restricted]


def _readings(run: AnalysisRun) -> None:
    """Options of words, flags and rulings with their other values."""
    plan = run.found.plan
    _alternatives(
        run,
        [
            _Tried(
                Kind.READING, f"{option.name} = {value}", option.readings.get(value, ""), option.name, value
            )
            for option in plan.rules.options.values()
            for value in _other_values(option, plan.options.get(option.name), len(plan.seats))[:MOST_VALUES]
        ],
    )


def _other_values(option: Option, chosen: str | None, seats: int) -> list[str]:
    """The other words that an option may have, or some of the other sets."""
    if option.sets:
        default = option.text(option.sets[seats].default)
        now = chosen if chosen is not None else default
        return [text for text in map(option.text, sampled_sets(option, seats)) if text != now]
    values = option.values
    now = chosen if chosen is not None else (values[option.default] if values else "")
    return [value for value in values if value != now]


def _numbers(run: AnalysisRun) -> None:
    """Options with a range and constants, each a little lower and a little higher."""
    plan, tried = run.found.plan, []
    for number in numbers_of(plan.rules, len(plan.seats)):
        if number.name in plan.options:
            number = replace(number, value=int(plan.options[number.name]))
        tried += [
            _Tried(Kind.NUMBER, f"{number.name} = {value}", f"{number.value} now", number, value)
            for value in _near(number)
        ]
    _alternatives(run, tried)


def _near(number: Number) -> list[int]:
    step = max(1, round(abs(number.value) / 10))
    values = (number.value - step, number.value + step)
    return [value for value in values if number.low <= value <= number.high]


# ---- other values


@dataclass(frozen=True)
class _Tried:
    """Another value of an option, by its name, or of a number: what is said of it, and what is changed."""

    kind: Kind
    name: str
    about: str
    what: str | Number
    value: str | int

    def variant(self, run: AnalysisRun) -> Variant:
        """The rules with it, known to the workers. Raises `ErrorsReported` or `DiagnosticError`."""
        plan, ruleset, options = run.found.plan, run.found.plan.ruleset, run.found.plan.options
        if isinstance(self.what, Number):
            changed = with_numbers(plan.ruleset, plan.options, {self.what: int(self.value)})
            ruleset, options = changed.ruleset, dict(changed.options)
        else:
            options = {**options, self.what: str(self.value)}
        run.where.learn([ruleset])
        variant = Variant(ruleset.digest, len(plan.seats), tuple(sorted(options.items())))
        RulesetGames([ruleset]).game(variant, "reference")
        return variant


def _alternatives(run: AnalysisRun, tried: Sequence[_Tried]) -> None:
    """Pairs of the rules as they are and with each other value, some values at a time."""
    for i in range(0, len(tried), TOGETHER):
        some = tried[i : i + TOGETHER]
        share = len(some) / (len(tried) - i)
        _some_alternatives(replace(run, limit=run.limit.share(share)), some)


def _some_alternatives(run: AnalysisRun, tried: Sequence[_Tried]) -> None:
    found, plan = run.found, run.found.plan
    compiling = run.limit.share(0.5)
    known: list[tuple[_Tried, PairJob]] = []
    for one in tried:
        if compiling.left() <= 0:
            found.unplayed.append(one.name)
            continue
        try:
            side = replace(plan.plain, variant=one.variant(run))
            known.append((one, PairJob(plan.plain, side, plan.first, plan.number)))
        except (ErrorsReported, DiagnosticError):
            found.left_out.append(one.name)
    tallies: dict[int, PairTally] = {}
    before = list(found.alternatives)
    for number, tally in run.play([job for _, job in known], plan.plain.bots):
        assert isinstance(tally, PairTally)
        tallies[number] = tallies.get(number, PairTally()) + tally
        played = [(known[k][0], tallies[k]) for k in sorted(tallies)]
        found.alternatives = before + [Alternative(t.kind, t.name, t.about, seen) for t, seen in played]
    found.unplayed += [one.name for k, (one, _) in enumerate(known) if k not in tallies]


@dataclass(frozen=True)
class AnalysisPart:
    """A part of an analysis: what is told of it, and how much of the time it is worth."""

    name: str
    play: Callable[[AnalysisRun], None]
    weight: float


PARTS: Mapping[str, AnalysisPart] = {
    part.name: part
    for part in (
        AnalysisPart("matches", _study, 8),
        AnalysisPart("matches of random bots", _uniform, 1),
        AnalysisPart("bots against random ones", _against_random, 1),
        AnalysisPart("doubled budgets", _skill, 3),
        AnalysisPart("forbidden choices", _restricted, 5),
        AnalysisPart("options and readings", _readings, 2),
        AnalysisPart("numbers", _numbers, 2),
    )
}
"""The parts by what is told of them, in the order in which they are played."""
