"""Comparison of the numbers in sentences with those of the rules, and of another translation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dsl import rules as r
from dsl.diagnostics import Diagnostic, Label
from dsl.wording import quoted
from validators.scenarios.scenario import Scenario
from validators.trace.accounts import Account
from validators.trace.constants import numbers_of
from validators.trace.examples import numbers_told
from validators.trace.messages import BriefNumber, NeedlessReason, OtherNumbers, TranslationsDiffer
from validators.trace.numerals import numbers_in
from validators.trace.sentences import Sentence
from validators.trace.sites import RuleSite

MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class Grounds:
    """What numbers are compared with: the sites of each clause, and the scenarios of examples."""

    rules: r.Rules
    rendered: Mapping[str, tuple[RuleSite, ...]]
    played: Mapping[str, tuple[Scenario, ...]]

    def rendering(self, clauses: Iterable[r.Clause]) -> list[r.Clause]:
        return [clause for clause in clauses if clause.id in self.rendered and clause.kind != "flavour"]

    def playing(self, clauses: Iterable[r.Clause]) -> list[r.Clause]:
        return [clause for clause in clauses if clause.kind == "example" and self.played[clause.id]]

    def known(self, clauses: Sequence[r.Clause]) -> frozenset[int]:
        """The numbers in the lines and scenarios of some clauses, and the numbers of seats."""
        lines = [site for clause in self.rendering(clauses) for site in self.rendered[clause.id]]
        scenarios = [scenario for clause in self.playing(clauses) for scenario in self.played[clause.id]]
        return numbers_of(self.rules, lines) | numbers_told(scenarios) | frozenset(self.rules.seat_counts)


def number_findings(accounts: Sequence[Account], grounds: Grounds) -> tuple[Diagnostic, ...]:
    """Numbers of a sentence that are in no line of its clauses; numbers that translations disagree on.

    The number may be in the lines of any clause that claims the sentence; of an example, in a scenario that
    plays it. A number for which a clause gives a reason is not searched.
    """
    differences = tuple(_differences(accounts, grounds))
    return (
        *(m for account in accounts for m in _unknown(account, grounds)),
        *_apart(differences),
        *_needless(accounts, grounds, differences),
    )


def brief_findings(rules: r.Rules, rule_sites: Iterable[RuleSite]) -> Iterator[Diagnostic]:
    """Numbers in the lines that sum up the game which no line and no declaration has."""
    if not rules.brief:
        return
    expected = numbers_of(rules, rule_sites) | frozenset(rules.seat_counts)
    for key, line in rules.brief.items():
        for number in numbers_in(" ".join(line.parts[::2]), _language(rules)):
            if number not in expected:
                yield BriefNumber(line.span, key, number)


def _language(rules: r.Rules) -> str:
    """The language of the lines: that of the game's labels; without any, English."""
    return "en" if rules.language == r.NO_LANGUAGE else rules.language.partition("-")[0]


def _unknown(account: Account, grounds: Grounds) -> Iterator[Diagnostic]:
    for sentence in account.sentences:
        clauses = _claiming(account, grounds, sentence)
        if not (grounds.rendering(clauses) or grounds.playing(clauses)):
            continue
        expected = grounds.known(clauses).union(*(clause.numbers for clause in clauses))
        for number in numbers_in(sentence.text, account.text.language):
            if number not in expected:
                where, labels = _where(grounds, clauses)
                yield OtherNumbers(sentence.span, sentence.number, account.text.name, number, where, labels)


def _claiming(account: Account, grounds: Grounds, sentence: Sentence) -> list[r.Clause]:
    return [grounds.rules.clauses[mark] for mark in account.claims.of_sentence(sentence.number)]


def _where(grounds: Grounds, clauses: Sequence[r.Clause]) -> tuple[str, tuple[Label, ...]]:
    """The lines and scenarios that were searched, in words and as labels."""
    rendering, playing = grounds.rendering(clauses), grounds.playing(clauses)
    kinds = (("line", rendering), ("scenario", playing))
    searched = [f"{kind} of {quoted([c.id for c in kept], 'and')}" for kind, kept in kinds if kept]
    lines = [line for clause in rendering for line in grounds.rendered[clause.id]]
    scenarios = [scenario for clause in playing for scenario in grounds.played[clause.id]]
    labels = [Label(site.span.first_line(), "renders it") for site in lines[:MOST_PLACES]]
    labels += [Label(scenario.span.first_line(), "plays it") for scenario in scenarios[:MOST_PLACES]]
    return " and no ".join(searched), tuple(labels)


@dataclass(frozen=True, slots=True)
class NumberDifference:
    """A number that a sentence of one text has for some clauses, and another text does not."""

    sentence: Sentence
    clauses: tuple[r.Clause, ...]
    number: int
    says: str
    silent: str

    @property
    def about(self) -> str:
        marks = quoted([clause.id for clause in self.clauses], "and")
        return f"clause {marks}" if len(self.clauses) == 1 else f"clauses {marks}"


def _differences(accounts: Sequence[Account], grounds: Grounds) -> Iterator[NumberDifference]:
    """The differences between each text and the next. Texts may divide their contents differently."""
    for pair in pairwise(accounts):
        for says, silent in (pair, pair[::-1]):
            for sentence in says.sentences:
                clauses = tuple(c for c in _claiming(says, grounds, sentence) if silent.of(c.id))
                said = frozenset[int]().union(*(_named(silent, c) for c in clauses))
                for number in numbers_in(sentence.text, says.text.language) if clauses else ():
                    if number not in said:
                        yield NumberDifference(sentence, clauses, number, says.text.name, silent.text.name)


def _apart(differences: Iterable[NumberDifference]) -> Iterator[Diagnostic]:
    """A finding for each number and its clauses, unless one of them gives a reason."""
    reported: set[tuple[str, int, str, str]] = set()
    for difference in differences:
        key = (difference.about, difference.number, difference.says, difference.silent)
        if key not in reported and not any(
            difference.number in clause.numbers for clause in difference.clauses
        ):
            reported.add(key)
            yield TranslationsDiffer(difference.sentence.span, *key)


def _named(account: Account, clause: r.Clause) -> frozenset[int]:
    language = account.text.language
    return frozenset(n for sentence in account.of(clause.id) for n in numbers_in(sentence.text, language))


def _needless(
    accounts: Sequence[Account], grounds: Grounds, differences: Sequence[NumberDifference]
) -> Iterator[Diagnostic]:
    """Reasons for numbers that no sentence has, or that the rules and all texts have, if all are given."""
    names = {account.text.name for account in accounts}
    apart = {(clause.id, difference.number) for difference in differences for clause in difference.clauses}
    for clause in grounds.rules.clauses.values():
        if clause.numbers and set(clause.at) <= names:
            for number in clause.numbers:
                naming = [s for account in accounts for s in _naming(account, grounds, clause, number)]
                if not naming:
                    yield NeedlessReason(clause.span, clause.id, f"no sentence of it says {number}")
                elif (clause.id, number) not in apart and all(number in grounds.known(c) for c in naming):
                    yield NeedlessReason(clause.span, clause.id, f"{number} is where it is expected")


def _naming(account: Account, grounds: Grounds, clause: r.Clause, number: int) -> Iterator[list[r.Clause]]:
    """For each sentence of a clause with a number, all the clauses that claim it."""
    for sentence in account.of(clause.id):
        if number in numbers_in(sentence.text, account.text.language):
            yield _claiming(account, grounds, sentence)
