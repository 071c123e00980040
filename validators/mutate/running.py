"""What the scenarios of a ruleset say of its mutants."""

from __future__ import annotations

import hashlib
import io
import pickle
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from dsl import rules as r
from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported
from dsl.domains import FlagType, IntType
from dsl.load import load_for_questions
from dsl.messages import BadOption
from dsl.source import Source, Span
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind
from interpreter.messages import RunsForEver, TooLong
from validators.coverage import Performed, concerned, perform
from validators.mutate.generate import generate_mutants
from validators.mutate.mutant import Mutant, in_memory, mutated
from validators.scenarios.reading import read_scenarios
from validators.scenarios.running import ScenarioRunner
from validators.scenarios.scenario import Scenario


class Outcome(StrEnum):
    """What has become of a mutant."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"
    UNREACHED = "not reached"
    SAME = "same"
    NO_GAME = "not a game"


@dataclass(frozen=True, slots=True)
class MutantVerdict:
    """What has become of a mutant, and by which scenario, or for which reason."""

    outcome: Outcome
    by: str = ""

    @property
    def noticed(self) -> bool:
        return self.outcome in (Outcome.KILLED, Outcome.TIMED_OUT)

    @property
    def survived(self) -> bool:
        return self.outcome in (Outcome.SURVIVED, Outcome.UNREACHED)


@dataclass
class MutationRunner:
    """A ruleset's files and scenarios, ready to judge its mutants.

    `scenarios` are the texts of its files of scenarios. Raises `ErrorsReported` or `DiagnosticError` if the
    ruleset or a scenario has mistakes.
    """

    name: str
    files: Mapping[str, bytes]
    scenario_texts: tuple[Source, ...]
    executor: ExecutorKind = "reference"
    rules: r.Rules = field(init=False)
    scenarios: tuple[Scenario, ...] = field(init=False)
    generate_mutants: tuple[Mutant, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._folder = in_memory(self.name, self.files)
        self.rules, _, self._questions = load_for_questions(self._folder)
        found = [read_scenarios(text, self.rules) for text in self.scenario_texts]
        self.scenarios = tuple(scenario for file in found for scenario in file)
        self.mutants = generate_mutants(self.rules, self._folder)

    @cached_property
    def performed(self) -> tuple[Performed, ...]:
        """How the scenarios go in the ruleset as it is, and which points of it they reach."""
        runner = ScenarioRunner(self.rules, self._questions, cover=True)
        return tuple(perform(runner, scenario) for scenario in self.scenarios)

    def judge(self, mutant: Mutant) -> MutantVerdict:
        """Runs the scenarios on a mutant that can notice it, until one of them does not hold."""
        try:
            rules, _, questions = load_for_questions(mutated(self._folder, mutant))
            compile_rules(rules)
        except (ErrorsReported, DiagnosticError):
            return MutantVerdict(Outcome.NO_GAME)
        runner = ScenarioRunner(rules, questions, executor=self.executor)
        able = self._able(mutant)
        for scenario in able:
            if self._no_game(runner, scenario):
                return MutantVerdict(Outcome.NO_GAME)
            result = runner.run(scenario)
            if not result.holds:
                return MutantVerdict(_how(result.diagnostic), scenario.name)
        if self._is_same(rules):
            return MutantVerdict(Outcome.SAME)
        return MutantVerdict(Outcome.SURVIVED if able else Outcome.UNREACHED)

    def _able(self, mutant: Mutant) -> list[Scenario]:
        """The scenarios that come to where a mutant is changed.

        Those that cite a clause of it stand first, then those that are set up as most are: what is made for
        one can be used for the next.
        """
        points = [concerned(self._points, edit.span) for edit in mutant.edits]
        known = [some for some in points if some is not None]
        wanted = frozenset[int]().union(*known) if len(known) == len(points) else None
        found = zip(self.scenarios, self.performed, strict=True)
        able = [s for s, one in found if wanted is None or wanted & one.reached]
        return sorted(able, key=lambda s: (not set(mutant.clauses) & set(s.cites), -self._alike[_setting(s)]))

    @cached_property
    def _points(self) -> tuple[ir.CoveragePoint, ...]:
        return compile_rules(self.rules, cover=True).cover

    @cached_property
    def _alike(self) -> Counter[tuple[int | None, frozenset[tuple[str, str]]]]:
        """How many scenarios are set up with the same seats and options."""
        return Counter(_setting(scenario) for scenario in self.scenarios)

    @staticmethod
    def _no_game(runner: ScenarioRunner, scenario: Scenario) -> bool:
        """Whether the rules have no machine for what a scenario wants. Options that are gone are noticed."""
        try:
            runner.game(scenario)
        except ErrorsReported as stop:
            return not all(isinstance(diagnostic, BadOption) for diagnostic in stop.report)
        return False

    # ---- mutants that are none

    def _is_same(self, rules: r.Rules) -> bool:
        """Whether other rules come to the same machine for all seats and each setting of one option."""
        try:
            found = ((setting, _print(rules, *setting)) for setting in _settings(self.rules))
            return all(print_ == self._prints[setting] for setting, print_ in found)
        except ErrorsReported:
            return False

    @cached_property
    def _prints(self) -> dict[tuple[int, tuple[tuple[str, str], ...]], bytes]:
        return {setting: _print(self.rules, *setting) for setting in _settings(self.rules)}


def _setting(scenario: Scenario) -> tuple[int | None, frozenset[tuple[str, str]]]:
    return scenario.seats, frozenset(scenario.options.items())


def _how(diagnostic: Diagnostic | None) -> Outcome:
    return Outcome.TIMED_OUT if isinstance(diagnostic, RunsForEver | TooLong) else Outcome.KILLED


def _settings(rules: r.Rules) -> Iterator[tuple[int, tuple[tuple[str, str], ...]]]:
    """The numbers of seats with every option as it is, and with each other value of each option.

    Of an option that is a range of numbers, its ends.
    """
    for seats in range(rules.seats[0], rules.seats[1] + 1):
        yield seats, ()
        for name, option in rules.options.items():
            for value in _values(option):
                yield seats, ((name, value),)


def _values(option: r.Option) -> tuple[str, ...]:
    match option.type:
        case FlagType():
            return ("false", "true")
        case IntType(lo, hi):
            return (str(lo), str(hi))
        case _:
            return option.values


class _Nameless(pickle.Pickler):
    """Writes values as they are, without the places in the source that they come from."""

    def reducer_override(self, value: Any) -> Any:
        return (str, ()) if isinstance(value, Span) else NotImplemented


def _print(rules: r.Rules, seats: int, options: tuple[tuple[str, str], ...]) -> bytes:
    """A hash of a machine, the same for machines that differ only in where they were written."""
    machine = replace(compile_rules(rules, seats, dict(options)), digest="")
    whole = io.BytesIO()
    pickler = _Nameless(whole)
    pickler.fast = True
    pickler.dump(machine)
    return hashlib.blake2b(whole.getvalue()).digest()
