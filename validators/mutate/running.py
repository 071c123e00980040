"""The runner of mutants: which of them the scenarios of a ruleset detect."""

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
from dsl.domains import FlagType, IntType, SetType
from dsl.load import load_for_questions
from dsl.messages import BadOption
from dsl.option_sets import sampled_sets
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
    """The fate of a mutant."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"
    UNREACHED = "not reached"
    SAME = "same"
    NO_GAME = "not a game"


@dataclass(frozen=True, slots=True)
class MutantVerdict:
    """The outcome for a mutant, and the scenario that has detected it."""

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
    """A ruleset with its scenarios and mutants.

    `scenario_texts` are the files of scenarios. Raises `ErrorsReported` or `DiagnosticError` if the ruleset
    or a scenario has errors.
    """

    name: str
    files: Mapping[str, bytes]
    scenario_texts: tuple[Source, ...]
    executor: ExecutorKind = "reference"
    rules: r.Rules = field(init=False)
    scenarios: tuple[Scenario, ...] = field(init=False)
    mutants: tuple[Mutant, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._folder = in_memory(self.name, self.files)
        self.rules, _, self._questions = load_for_questions(self._folder)
        found = [read_scenarios(text, self.rules) for text in self.scenario_texts]
        self.scenarios = tuple(scenario for file in found for scenario in file)
        self.mutants = generate_mutants(self.rules, self._folder)

    @cached_property
    def performed(self) -> tuple[Performed, ...]:
        """The results of the scenarios in the unchanged ruleset, and the points that they reach."""
        runner = ScenarioRunner(self.rules, self._questions, cover=True)
        return tuple(perform(runner, scenario) for scenario in self.scenarios)

    def judge(self, mutant: Mutant) -> MutantVerdict:
        """Runs the scenarios that can detect a mutant, until one of them fails."""
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
                return MutantVerdict(_killed_or_timed_out(result.diagnostic), scenario.name)
        if self._is_same(rules):
            return MutantVerdict(Outcome.SAME)
        return MutantVerdict(Outcome.SURVIVED if able else Outcome.UNREACHED)

    def _able(self, mutant: Mutant) -> list[Scenario]:
        """The scenarios that reach the change of a mutant.

        Those that cite one of its clauses come first, then those with the commonest set-up, so that one
        compiled game serves many.
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
        """How many scenarios have the same seats and options."""
        return Counter(_setting(scenario) for scenario in self.scenarios)

    @staticmethod
    def _no_game(runner: ScenarioRunner, scenario: Scenario) -> bool:
        """Whether the rules do not compile for a scenario. A missing option counts as detected instead."""
        try:
            runner.game(scenario)
        except ErrorsReported as stop:
            return not all(isinstance(diagnostic, BadOption) for diagnostic in stop.report)
        return False

    # ---- equivalent machines

    def _is_same(self, rules: r.Rules) -> bool:
        """Whether other rules compile to the same machines, for all seats and each value of one option."""
        try:
            found = ((setting, _fingerprint(rules, *setting)) for setting in _settings(self.rules))
            return all(fingerprint == self._fingerprints[setting] for setting, fingerprint in found)
        except ErrorsReported:
            return False

    @cached_property
    def _fingerprints(self) -> dict[tuple[int, tuple[tuple[str, str], ...]], bytes]:
        return {setting: _fingerprint(self.rules, *setting) for setting in _settings(self.rules)}


def _setting(scenario: Scenario) -> tuple[int | None, frozenset[tuple[str, str]]]:
    return scenario.seats, frozenset(scenario.options.items())


def _killed_or_timed_out(diagnostic: Diagnostic | None) -> Outcome:
    return Outcome.TIMED_OUT if isinstance(diagnostic, RunsForEver | TooLong) else Outcome.KILLED


def _settings(rules: r.Rules) -> Iterator[tuple[int, tuple[tuple[str, str], ...]]]:
    """Each number of seats with the defaults, and with each value of each option alone.

    Of an option with a range of numbers, its ends; of one that holds a set, some.
    """
    for seats in rules.seat_counts:
        yield seats, ()
        for name, option in rules.options.items():
            for value in _values(option, seats):
                yield seats, ((name, value),)


def _values(option: r.Option, seats: int) -> tuple[str, ...]:
    match option.type:
        case SetType():
            return tuple(map(option.text, sampled_sets(option, seats)))
        case FlagType():
            return ("false", "true")
        case IntType(lo, hi):
            return (str(lo), str(hi))
        case _:
            return option.values


class _SpanlessPickler(pickle.Pickler):
    """Pickles values without their spans."""

    def reducer_override(self, value: Any) -> Any:
        return (str, ()) if isinstance(value, Span) else NotImplemented


def _fingerprint(rules: r.Rules, seats: int, options: tuple[tuple[str, str], ...]) -> bytes:
    """A hash of a machine that does not depend on spans."""
    machine = replace(compile_rules(rules, seats, dict(options)), digest="")
    buffer = io.BytesIO()
    pickler = _SpanlessPickler(buffer)
    pickler.fast = True
    pickler.dump(machine)
    return hashlib.blake2b(buffer.getvalue()).digest()
