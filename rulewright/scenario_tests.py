"""The scenarios of rulesets as tests: which there are, and why one does not hold."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.diagnostics import Diagnostic
from dsl.load import load_for_questions
from interpreter.game import ExecutorKind
from rulewright.library import find, folder, scenario_sources
from rulewright.messages import DoesNotHold
from rulewright.records import mistakes
from validators.scenarios.reading import Faulty, read_file
from validators.scenarios.running import Result, ScenarioRunner
from validators.scenarios.scenario import Scenario


@dataclass(frozen=True)
class Case:
    """A scenario of a game with its runner."""

    game: str
    runner: ScenarioRunner
    scenario: Scenario

    def matches(self, text: str) -> bool:
        """Whether a text occurs in its name, its clauses or the name of its file."""
        words = (self.scenario.name, *self.scenario.cites, self.scenario.span.source.name)
        return any(text.lower() in word.lower() for word in words)


@dataclass
class Collected:
    """The scenarios of the named games, and those that cannot be read."""

    cases: list[Case] = field(default_factory=list)
    faulty: list[tuple[str, Faulty]] = field(default_factory=list)


def collect(found: Collected, game: str, executor: ExecutorKind, falsify: bool) -> None:
    """Raises `ErrorsReported` if the ruleset has mistakes, `DiagnosticError` if there is no such game."""
    path = find(game)
    rules, _, questions = load_for_questions(folder(path))
    runner = ScenarioRunner(rules, questions, executor=executor, falsify=falsify)
    for source in scenario_sources(
        path, lambda diagnostic: found.faulty.append((game, Faulty("", (diagnostic,))))
    ):
        file = read_file(source, rules)
        found.cases += [Case(game, runner, scenario) for scenario in file.scenarios]
        found.faulty += [(game, one) for one in file.faulty]
    found.faulty += [
        (game, Faulty(diagnostic.span.source.name, (diagnostic,))) for diagnostic in mistakes(path, rules)
    ]


def diagnostics_of(result: Result) -> list[Diagnostic]:
    """Why a scenario does not hold: the assertions that fail, then its own mistake."""
    found: list[Diagnostic] = [
        DoesNotHold(d.span, d.what, d.wanted, d.found, d.hint) for d in result.differences
    ]
    return [*found, *([result.diagnostic] if result.diagnostic is not None else [])]
