"""Scenarios while rules are edited: which of them run what was edited, and which do not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic

from dsl.diagnostics import Diagnostic, ErrorsReported
from dsl.load import Questions
from dsl.rules import Rules
from dsl.sequences import common_ends
from dsl.source import Source
from interpreter import ir
from interpreter.compile.coverage import points
from interpreter.compile.program import configure
from rulewright.studio.rpc import Json
from validators.coverage import Performed, concerned, perform
from validators.diff.compare import Comparison, compare
from validators.diff.log_replay.attribution import Attribution
from validators.scenarios.reading import Faulty, ScenarioFile, read_file
from validators.scenarios.running import Result, ScenarioRunner, Setting
from validators.scenarios.scenario import Scenario
from validators.trace.executed import Watched

SHOWN_LINES = 4_000
"""The most lines for which the scenarios that run them are told."""
SHOWN_EVERY = 0.5
"""Seconds between what is told while scenarios are run."""


@dataclass(frozen=True)
class Edited:
    """What was edited between two versions: the points that it concerns, and its comparison."""

    points: frozenset[int]
    unknown: bool
    """Whether something was edited of which no point is known: then each scenario may be concerned."""


@dataclass(frozen=True)
class PastRun:
    """What each scenario reached when all were run last: the points of then, and numbers of points by
    scenario."""

    points: tuple[str, ...]
    reached: Mapping[str, frozenset[int]]


@dataclass
class ScenarioRun:
    """A run of all scenarios of a version, those first that concern what was edited."""

    rules: Rules
    runner: ScenarioRunner
    points: tuple[ir.CoveragePoint, ...]
    edited: Edited | None
    """None, if nothing is known of an edit."""
    past: PastRun | None = None
    results: dict[int, list[Json]] = field(default_factory=dict)
    """By the number of the scenario; under -1 those that cannot be read."""
    reached: dict[str, frozenset[int]] = field(default_factory=dict)
    performed: dict[int, tuple[Scenario, Result, frozenset[int]]] = field(default_factory=dict)

    @property
    def watched(self) -> Watched:
        """What the scenarios executed; no playouts are among it."""
        return Watched(self.points, (), 0, tuple(one for _, one in sorted(self.performed.items())))

    def carry_out(self, tests: Mapping[str, str]) -> Iterator[Json]:
        """What is known so far, again and again; `left` scenarios are not run yet."""
        read: list[tuple[str, Scenario]] = []
        for path, text in sorted(tests.items()):
            file = read_file(Source(f"{self.rules.name}/{path}", text), self.rules)
            read += [(path, scenario) for scenario in file.scenarios]
            self.results[-1] = self.results.get(-1, []) + [_faulty(one, path) for one in file.faulty]
        likely = self._likely()
        concerned = [number for number, one in enumerate(read) if likely(_key(*one))]
        first = self._together(concerned, read)
        rest = sorted(set(range(len(read))).difference(first))
        shown = monotonic()
        for done, number in enumerate((*first, *rest)):
            if (done and done in (1, len(first)) and first) or monotonic() - shown > SHOWN_EVERY:
                yield self._so_far(len(read) - done)
                shown = monotonic()
            self._perform(number, *read[number])
        yield self._so_far(0)

    def _together(self, numbers: Sequence[int], read: Sequence[tuple[str, Scenario]]) -> list[int]:
        """Some scenarios, those of one setting together, those of the most frequent first.

        Each setting has a machine, which takes as long to compile as tens of scenarios to run.
        """
        settings: dict[Setting | None, list[int]] = {}
        for number in numbers:
            settings.setdefault(self._setting(read[number][1]), []).append(number)
        return [number for some in sorted(settings.values(), key=len, reverse=True) for number in some]

    def _setting(self, scenario: Scenario) -> Setting | None:
        try:
            return self.runner.setting(scenario)
        except ErrorsReported:
            return None

    def _likely(self) -> Callable[[str], bool]:
        """Whether a scenario ran what was edited when it was run last; all that are new might."""
        if self.edited is None or self.past is None:
            return lambda key: False
        before = earlier_points(self.past.points, keys_of(self.points), self.edited.points)
        reached = self.past.reached
        return lambda key: key not in reached or not before.isdisjoint(reached[key])

    def _perform(self, number: int, path: str, scenario: Scenario) -> None:
        done = perform(self.runner, scenario)
        self.performed[number] = scenario, done.result, done.ran
        self.reached[_key(path, scenario)] = done.reached
        concerns = self.edited is not None and _concerns(done, self.edited)
        self.results[number] = [_result(scenario, path, done.result, concerns)]

    def _so_far(self, left: int) -> Json:
        results: list[Json] = []
        lines: dict[int, list[int]] = {}
        for number, some in sorted(self.results.items()):
            for point in self.performed[number][2] if number in self.performed else ():
                lines.setdefault(point, []).append(len(results))
            results += some
        return {
            "results": results,
            "edited": self.edited is not None,
            "lines": dict(list(self._by_place(lines).items())[:SHOWN_LINES]),
            "left": left,
        }

    def _by_place(self, lines: Mapping[int, list[int]]) -> dict[str, list[int]]:
        """The numbers of the results that run each line, `file:line`."""
        found: dict[str, set[int]] = {}
        for point, numbers in lines.items():
            span = self.points[point].span
            found.setdefault(f"{span.source.name}:{span.line}", set()).update(numbers)
        return {place: sorted(numbers) for place, numbers in found.items()}


def _key(path: str, scenario: Scenario) -> str:
    return f"{path} {scenario.name}"


def keys_of(points: Iterable[ir.CoveragePoint]) -> tuple[str, ...]:
    """What points are known by in other versions."""
    return tuple(f"{point.kind} {point.name} {point.span.text}" for point in points)


def earlier_points(old: Sequence[str], new: Sequence[str], numbers: frozenset[int]) -> frozenset[int]:
    """The points of an old version that some points of a new one were.

    Between the first point that differs and the last, these are all; if there is none, those of the same
    definitions.
    """
    same, last = common_ends(old, new)
    more = len(new) - len(old)
    touched = {n for n in numbers if same <= n < len(new) - last}
    outside = {n if n < same else n - more for n in numbers - touched}
    if not touched:
        return frozenset(outside)
    names = {_definition(new[n]) for n in touched}
    around = (n for n, key in enumerate(old) if _definition(key) in names)
    return frozenset(outside | set(range(same, len(old) - last) or around))


def _definition(key: str) -> str:
    """The definition of a point, by its key."""
    return key.split(" ", 2)[1]


def scenario_run(
    rules: Rules, questions: Questions, old: Rules | None, past: PastRun | None = None
) -> ScenarioRun:
    """A run of the scenarios. With the rules as they were before, it says which run what was edited."""
    found = _points(rules)
    edited = edited_points(found, compare(old, rules)) if old is not None else None
    return ScenarioRun(rules, ScenarioRunner(rules, questions, cover=True), found, edited, past)


def broken_scenarios(
    old: tuple[Rules, Questions], new: tuple[Rules, Questions], tests: Mapping[str, str]
) -> list[Json]:
    """The results of the scenarios that hold under old rules, and not under new ones."""
    before, after = ScenarioRunner(*old), ScenarioRunner(*new)
    found: list[Json] = []
    for path, text in sorted(tests.items()):
        source = Source(f"{old[0].name}/{path}", text)
        held = {one.name: one for one in read_file(source, old[0]).scenarios}
        file = read_file(source, new[0])
        faulty = [_faulty(one, path) for one in file.faulty if one.name in held]
        results = [(one, after.run(one)) for one in file.scenarios if one.name in held]
        failing = [_result(one, path, result, True) for one, result in results if not result.holds]
        found += [one for one in (*faulty, *failing) if before.run(held[one["name"]]).holds]
    return found


def _points(rules: Rules) -> tuple[ir.CoveragePoint, ...]:
    try:
        numbered = points(rules.configured(*configure(rules, None, {})))
    except ErrorsReported:
        return ()
    return tuple(point for _, point in numbered)


def edited_points(points: tuple[ir.CoveragePoint, ...], comparison: Comparison) -> Edited:
    """The points that the changes between two versions concern: their own lines, and what reads them."""
    attribution = Attribution(comparison)
    found = {number for number, point in enumerate(points) if attribution.line("new", point.span)}
    unknown = False
    for change in comparison.changes:
        spans = [edit.span for edit in change.edits if edit.sign == "+"]
        spans += [change.new] if change.new is not None and not spans else []
        for span in spans:
            inside = concerned(points, span)
            if inside is not None:
                found |= inside
        named = any(attribution.named(change.name)) or bool(spans)
        unknown = unknown or not named
    return Edited(frozenset(found), unknown)


def _concerns(done: Performed, edited: Edited) -> bool:
    return edited.unknown or not edited.points.isdisjoint(done.reached)


def _result(scenario: Scenario, path: str, result: Result, concerns: bool) -> Json:
    failed = [
        {"text": f"{d.what}: wanted {d.wanted}, found {d.found}", "hint": d.hint, "line": d.span.line}
        for d in result.differences
    ]
    if result.diagnostic is not None:
        failed.append(_said(result.diagnostic))
    return {
        "name": scenario.name,
        "path": path,
        "line": scenario.span.line,
        "cites": list(scenario.cites),
        "holds": result.holds,
        "concerns": concerns,
        "failed": failed,
        "doubts": [doubt.message for doubt in result.doubts],
    }


def result_of(runner: ScenarioRunner, file: ScenarioFile) -> tuple[Json, frozenset[int]]:
    """The result of the only scenario of a file, and the points that it runs, in a runner with `cover`."""
    if file.faulty:
        return _faulty(file.faulty[0], ""), frozenset()
    (scenario,) = file.scenarios
    done = perform(runner, scenario)
    return _result(scenario, "", done.result, False), done.ran


def _faulty(faulty: Faulty, path: str) -> Json:
    """A scenario that cannot be read."""
    return {
        "name": faulty.name or "a scenario without a name",
        "path": path,
        "line": faulty.diagnostics[0].span.line,
        "cites": [],
        "holds": False,
        "concerns": True,
        "failed": [_said(diagnostic) for diagnostic in faulty.diagnostics],
        "doubts": [],
    }


def _said(diagnostic: Diagnostic) -> Json:
    return {"text": diagnostic.message, "hint": diagnostic.help, "line": diagnostic.span.line}
