"""The runner of scenarios: plays them and compares what they assert."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import assert_never

from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported, Report, did_you_mean
from dsl.load import Questions
from dsl.messages import BadOption
from dsl.numbers import whole
from dsl.rules import Rules
from dsl.source import NOWHERE, Span
from interpreter import ir
from interpreter.compile.program import compile_rules, configure
from interpreter.compile.rule_reads import RuleReads
from interpreter.formatting import fitting, outcome_name
from interpreter.game import ExecutorKind, Game, MatchStep
from interpreter.match import Match
from interpreter.messages import BadScenario, Fault
from interpreter.queries import QueryEvaluator
from validators.scenarios.assertions import Compared, ShownValue, compare
from validators.scenarios.falsify import falsified
from validators.scenarios.findings import AssertsNothing, Doubt, StillHolds
from validators.scenarios.look import Look, Table
from validators.scenarios.placing import broken_promise, set_up
from validators.scenarios.refusals import falsified as falsified_refusals, judge
from validators.scenarios.scenario import (
    Assertion,
    Choose,
    Expect,
    Line,
    NotHappened,
    NotOffered,
    Possible,
    Refused,
    Repeat,
    Scenario,
    bad_scenario,
    written,
)
from validators.scenarios.vocabulary import outcomes
from validators.scenarios.weaknesses import doubts

Setting = tuple[int, tuple[tuple[str, int], ...]]
"""A number of seats, and the value of each option."""
MOST_LINES = 2_000
"""The most lines of one scenario that are played, counting repetitions."""
MOST_FORCED = 100
"""The most decisions with a single choice that are taken automatically before one line."""


UNUSED = "remove what nothing draws, as `rulewright update` does, or write `allow: [unused outcomes]`"


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a scenario asserts and that does not hold."""

    what: str
    wanted: str
    found: str
    span: Span
    hint: str = ""
    unused: tuple[str, int] | None = None
    """The stream of chance, and how many of its last outcomes nothing has drawn."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a scenario: it holds without a difference and without a diagnostic.

    `doubts` are reasons why it might hold by accident. `asserted` counts comparisons, `changes` the false
    assertions that were tried.
    """

    scenario: Scenario
    differences: tuple[Difference, ...] = ()
    diagnostic: Diagnostic | None = None
    doubts: tuple[Doubt, ...] = ()
    asserted: int = 0
    changes: int = 0

    @property
    def holds(self) -> bool:
        return not self.differences and self.diagnostic is None


@dataclass
class ScenarioRunner:
    """Runs scenarios of one ruleset and caches its compiled games.

    With `cover` its games record coverage. With `falsify` each assertion is also made false, in each way.
    """

    rules: Rules
    questions: Questions
    tables: dict[tuple[int, tuple[tuple[str, int], ...], bool], Table] = field(default_factory=dict)
    watch: Callable[[Match], None] | None = None
    executor: ExecutorKind = "reference"
    cover: bool = False
    falsify: bool = False

    def game(self, scenario: Scenario) -> Game:
        """The game with a scenario's seats and options. Raises `ErrorsReported` if there is none."""
        return self.table(scenario).game

    def table(self, scenario: Scenario) -> Table:
        """The table that a scenario is played at; its state has all that the scenario sets."""
        table = self._table(scenario, whole=False)
        named = {name for address, _ in scenario.position for name in address.text.split()[:1]}
        return self._table(scenario, whole=True) if named & table.game.machine.excluded else table

    def setting(self, scenario: Scenario) -> Setting:
        """The seats and options of a scenario, also those that it does not name.

        Raises `ErrorsReported` if there are none such.
        """
        report = Report()
        try:
            seats, options = configure(self.rules, scenario.seats, scenario.options)
        except DiagnosticError as failed:
            report.add(failed.diagnostic)
            report.stop_on_errors()
            raise
        return seats, tuple(sorted(options.items()))

    @cached_property
    def _reads(self) -> RuleReads:
        return RuleReads(self.rules)

    def _table(self, scenario: Scenario, whole: bool) -> Table:
        key = (*self.setting(scenario), whole)
        if key not in self.tables:
            machine = compile_rules(
                self.rules,
                scenario.seats,
                scenario.options,
                cover=self.cover,
                whole=whole,
                reads=self._reads,
            )
            game = Game(self.rules, machine, self.executor)
            questions = self.questions.configured(machine.seats, dict(machine.options))
            self.tables[key] = Table(game, QueryEvaluator(game), questions)
        return self.tables[key]

    def run(self, scenario: Scenario) -> Result:
        """Plays one scenario. Errors of the scenario itself are part of the result."""
        performance: _Performance | None = None
        try:
            performance = _Performance(scenario, self.table(scenario), self.falsify)
            performance.begin()
            if self.watch is not None:
                self.watch(performance.match)
            performance.play()
        except ErrorsReported as stop:
            return Result(scenario, diagnostic=_of_scenario(scenario, stop.report.first))
        except (DiagnosticError, Fault) as error:
            return _result(scenario, performance, error.diagnostic)
        return _result(scenario, performance, None)


def _of_scenario(scenario: Scenario, diagnostic: Diagnostic) -> Diagnostic:
    """The diagnostic at the scenario, if the scenario asks for unknown seats or options."""
    return replace(diagnostic, span=scenario.span) if isinstance(diagnostic, BadOption) else diagnostic


def _result(scenario: Scenario, played: _Performance | None, diagnostic: Diagnostic | None) -> Result:
    if played is None:
        return Result(scenario, diagnostic=diagnostic)
    nothing = () if scenario.asserts else (AssertsNothing(scenario.span),)
    return Result(
        scenario,
        tuple(played.differences),
        diagnostic,
        tuple(dict.fromkeys((*nothing, *played.doubts))),
        played.asserted,
        played.changes,
    )


@dataclass
class _WatchedMatch(Match):
    """A match that records the possible outcomes of chance where a scenario asserts something of them."""

    expected: dict[str, list[Possible]] = field(default_factory=dict)
    drawn_from: list[tuple[Possible, tuple[str, ...]]] = field(default_factory=list)

    def draw(self) -> tuple[int, MatchStep]:
        node = self._chance()
        stream = self.game.machine.streams[node.stream]
        for expected in self.expected.pop(stream, ()):
            possible = self.game.executor.outcomes(self.state)
            names = tuple(outcome_name(node, outcome) for outcome, weight in possible if weight)
            self.drawn_from.append((expected, names))
        return super().draw()


class _Performance:
    """One run of one scenario."""

    def __init__(self, scenario: Scenario, table: Table, falsify: bool) -> None:
        self.scenario = scenario
        self.table = table
        self.falsify = falsify
        self.differences: list[Difference] = []
        self.doubts: list[Doubt] = []
        self.asserted = self.changes = self.lines = 0
        possible = outcomes(table.game)
        for stream, names in scenario.chance.items():
            self._check_outcomes(stream, tuple(names), possible, scenario.span)
        supplied: dict[str, list[str | None]] = {k: list(v) for k, v in scenario.chance.items()}
        self.match = _WatchedMatch(table.game, seed=1, outcomes=supplied)
        self.possible = possible
        self.look = Look(table, self.match, self.match.state, scenario.cites)

    def _check_outcomes(
        self, stream: str, names: tuple[str, ...], possible: dict[str, tuple[str, ...]], span: Span
    ) -> None:
        if not possible.get(stream):
            possible = {name: found for name, found in possible.items() if found}
            some = (
                f"the streams are {', '.join(possible)}" if possible else "remove it: this game has no chance"
            )
            raise bad_scenario(span, f"unknown stream of chance `{stream}`", some)
        wrong = next((name for name in names if name not in possible[stream]), None)
        if wrong is not None:
            hint = did_you_mean(wrong, possible[stream]) or f"it can be {', '.join(possible[stream][:8])}"
            raise bad_scenario(span, f"`{wrong}` is not a possible outcome of `{stream}`", hint)

    def _unlikely(self, line: Possible) -> Iterator[str]:
        """The outcomes of a line, but of a stream of numbers no number: it may be a face that a die lacks."""
        numbers = all(whole(name) is not None for name in self.possible.get(line.stream, ()))
        return (name for name in line.outcomes if not (numbers and whole(name) is not None))

    # ---- the position

    def begin(self) -> None:
        """Sets up the position and runs to the first stop."""
        state, node = set_up(self.scenario, self.table.game)
        self.look.before = state[:]
        self.match.state = state
        try:
            self.match.run_from(node)
        except Fault as fault:
            raise DiagnosticError(self._no_start(fault.diagnostic)) from None
        broken_promise(self.scenario, self.table.game, self.match.state)

    def _no_start(self, diagnostic: Diagnostic) -> Diagnostic:
        """A fault at the start, as an error of the scenario and not of the rules."""
        at = self.scenario.at
        where = diagnostic.span.place if diagnostic.span is not NOWHERE else "play"
        why = f"play cannot start in this position: {diagnostic.message}, at {where}"
        hint = "set what the first steps need, or start at another step"
        return BadScenario(at.span if at is not None else self.scenario.span, why, hint)

    # ---- what happens

    def play(self) -> None:
        for line in self.scenario.lines:
            self._line(line)
        self._compare(self.scenario.then)
        self._outcomes_used()

    def _line(self, line: Line) -> None:
        self.lines += 1
        if self.lines > MOST_LINES:
            raise bad_scenario(line.span, f"more than {MOST_LINES} lines are played with this one")
        match line:
            case Choose():
                self._choose(line)
            case Refused():
                self._refused(line)
            case Expect(assertions=assertions):
                self._compare(assertions)
            case Possible():
                known = line.outcomes if line.exactly else tuple(self._unlikely(line))
                self._check_outcomes(line.stream, known, self.possible, line.span)
                self.match.expected.setdefault(line.stream, []).append(line)
            case Repeat(times=times, lines=lines):
                for _ in range(times):
                    for inner in lines:
                        self._line(inner)
            case _:
                assert_never(line)
        self._drawn()

    def _choose(self, line: Choose) -> None:
        self.look.span = line.span
        self.look.seat(line.seat)
        for _ in range(MOST_FORCED):
            if self._offered(line) or not self._forced():
                break
        try:
            self.match.choose(line.seat, line.written)
        except Fault as fault:
            if fault.diagnostic.span is NOWHERE:
                raise Fault(replace(fault.diagnostic, span=line.span)) from None
            raise
        self._check_promises()

    def _check_promises(self) -> None:
        """Raises `Fault` if play has broken a promise of the rules. Not tested within `together`."""
        if "impossible position" not in self.scenario.allow and not self.match.state[ir.FORKED]:
            self.table.game.reference.check_promises(self.match.state)

    def _offered(self, line: Choose) -> bool:
        return bool(
            fitting(line.written, [choice.words for choice in self.look.choices(line.seat, line.written)])
        )

    def _forced(self) -> bool:
        """Takes a waiting decision with a single option; whether there was one."""
        for waiting in self.match.waiting():
            if len(waiting.options) == 1:
                self.match.take(waiting, waiting.options[0])
                return True
        return False

    # ---- what must be true

    def _refused(self, line: Refused) -> None:
        self.look.span = line.span
        judged = judge(line, self.look)
        self._note(f"{line.seat}: {line.written}", judged.compared, line.span)
        if judged.compared.holds:
            self.doubts += judged.doubts
            for other in falsified_refusals(line, self.look) if self.falsify else ():
                said = f"refused: {other.written}, because: {', '.join(other.because) or 'anything'}"
                self._try(line.span, said, partial(_judged, other, self.look))

    def _compare(self, assertions: tuple[Assertion, ...]) -> None:
        for assertion in assertions:
            self.look.span = assertion.span
            compared = compare(assertion.claim, self.look)
            about_now = not isinstance(assertion.claim, NotHappened | NotOffered)
            self._note(assertion.key, compared, assertion.span, self._left_open() if about_now else "")
            if compared.holds:
                self.doubts += doubts(assertion, self.look)
                for other in falsified(assertion.claim, self.look) if self.falsify else ():
                    self._try(assertion.span, written(other), partial(compare, other, self.look))

    def _try(self, span: Span, said: str, false: Callable[[], Compared]) -> None:
        """Reports a false assertion that holds; one that raises an error does not hold."""
        self.changes += 1
        try:
            holds = false().holds
        except (DiagnosticError, Fault):
            holds = False
        if holds:
            self.doubts.append(StillHolds(span, said))

    def _note(self, what: str, compared: Compared, span: Span, hint: str = "") -> None:
        self.asserted += 1
        if not compared.holds:
            wanted, found = shown(compared.wanted), shown(compared.found)
            self.differences.append(Difference(what, wanted, found, span, hint))

    def _left_open(self) -> str:
        """A hint about a waiting decision with a single choice: what follows it has not happened yet."""
        for decision in self.match.decisions():
            if len(decision.choices) == 1:
                seat, only = decision.seat, decision.choices[0].text
                return f"{seat} still has to choose `{only}`, the only option: `- {seat}: {only}`"
        return ""

    # ---- chance

    def _drawn(self) -> None:
        """Compares the possible outcomes of chance with what the scenario asserts."""
        for line, names in self.match.drawn_from:
            self._note(f"chance of {line.stream}", _possible(line, names, self.possible), line.span)
            if self.falsify:
                for other in _other_possible(line, names):
                    said = f"{'possible' if other.exactly else 'impossible'}: {', '.join(other.outcomes)}"
                    self._try(line.span, said, partial(_possible, other, names, self.possible))
        self.match.drawn_from.clear()

    def _outcomes_used(self) -> None:
        self._drawn()
        for line in (one for lines in self.match.expected.values() for one in lines):
            compared = Compared("drawn from after this line", "never drawn from after this line")
            self._note(f"chance of {line.stream}", compared, line.span)
        if "unused outcomes" in self.scenario.allow:
            return
        for stream in self.scenario.chance:
            left = [text for text in self.match.outcomes.get(stream, ()) if text is not None]
            if left:
                found = f"left with {', '.join(left)}"
                what, span, unused = f"chance of {stream}", self.scenario.span, (stream, len(left))
                self.asserted += 1
                self.differences.append(Difference(what, "used up", found, span, UNUSED, unused))


def _judged(line: Refused, look: Look) -> Compared:
    return judge(line, look).compared


def _possible(line: Possible, names: tuple[str, ...], known: dict[str, tuple[str, ...]]) -> Compared:
    if line.exactly:
        order = known[line.stream]
        return Compared(*([n for n in order if n in found] for found in (line.outcomes, names)))
    return Compared([], [name for name in line.outcomes if name in names])


def _other_possible(line: Possible, names: tuple[str, ...]) -> Iterator[Possible]:
    if line.exactly:
        yield replace(line, outcomes=line.outcomes[:-1])
    else:
        yield replace(line, outcomes=(*line.outcomes, names[0]))


def shown(value: ShownValue) -> str:
    """A value as a scenario writes it."""
    return value if isinstance(value, str) else f"[{', '.join(value)}]"
