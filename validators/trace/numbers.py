"""Numbers of sentences against those of the rules, and against those of another translation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dsl import rules as r
from dsl.diagnostics import Label, Mistake
from dsl.wording import quoted
from validators.scenarios import Scenario
from validators.trace.accounts import Account
from validators.trace.constants import numbers_of
from validators.trace.examples import numbers_told
from validators.trace.messages import NeedlessReason, OtherNumbers, TranslationsDiffer
from validators.trace.numerals import numbers_in
from validators.trace.sentences import Sentence
from validators.trace.sites import Site

MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class Grounds:
    """What numbers of sentences are held against: lines by clause, and the scenarios that play examples."""

    rules: r.Rules
    rendered: Mapping[str, tuple[Site, ...]]
    played: Mapping[str, tuple[Scenario, ...]]

    def rendering(self, clauses: Iterable[r.Clause]) -> list[r.Clause]:
        return [clause for clause in clauses if clause.id in self.rendered and clause.kind != "flavour"]

    def playing(self, clauses: Iterable[r.Clause]) -> list[r.Clause]:
        return [clause for clause in clauses if clause.kind == "example" and self.played[clause.id]]

    def known(self, clauses: Sequence[r.Clause]) -> frozenset[int]:
        """The numbers in the lines and scenarios of some clauses; how many may play is known to all."""
        low, high = self.rules.seats
        lines = [site for clause in self.rendering(clauses) for site in self.rendered[clause.id]]
        scenarios = [one for clause in self.playing(clauses) for one in self.played[clause.id]]
        return numbers_of(self.rules, lines) | numbers_told(scenarios) | frozenset(range(low, high + 1))


def number_findings(accounts: Sequence[Account], grounds: Grounds) -> tuple[Mistake, ...]:
    """Numbers that stand in a sentence and in no line of its clauses; numbers that translations disagree on.

    A sentence that several clauses claim may have its number in the lines of any of them; if it belongs to
    an example, in a scenario that plays it. A number that a clause gives a reason for is not looked for.
    """
    return (
        *(m for account in accounts for m in _unknown(account, grounds)),
        *_apart(grounds, accounts),
        *_needless(accounts, grounds),
    )


def _unknown(account: Account, grounds: Grounds) -> Iterator[Mistake]:
    for one in account.sentences:
        clauses = _claiming(account, grounds, one)
        if not (grounds.rendering(clauses) or grounds.playing(clauses)):
            continue
        known = grounds.known(clauses).union(*(clause.numbers for clause in clauses))
        for number in numbers_in(one.text, account.text.language):
            if number not in known:
                where, labels = _where(grounds, clauses)
                yield OtherNumbers(one.span, one.number, account.text.name, number, where, labels)


def _claiming(account: Account, grounds: Grounds, one: Sentence) -> list[r.Clause]:
    return [grounds.rules.clauses[mark] for mark in account.claims.of_sentence(one.number)]


def _where(grounds: Grounds, clauses: Sequence[r.Clause]) -> tuple[str, tuple[Label, ...]]:
    """The lines and scenarios in which a number was looked for, in words and as places."""
    rendering, playing = grounds.rendering(clauses), grounds.playing(clauses)
    kinds = (("line", rendering), ("scenario", playing))
    said = [f"{kind} of {quoted([c.id for c in kept], 'and')}" for kind, kept in kinds if kept]
    lines = [line for clause in rendering for line in grounds.rendered[clause.id]]
    scenarios = [one for clause in playing for one in grounds.played[clause.id]]
    labels = [Label(site.span.first_line(), "renders it") for site in lines[:MOST_PLACES]]
    labels += [Label(one.span.first_line(), "plays it") for one in scenarios[:MOST_PLACES]]
    return " and no ".join(said), tuple(labels)


def _apart(grounds: Grounds, accounts: Sequence[Account]) -> Iterator[Mistake]:
    """Numbers that a text says of some clauses, and that the text beside it does not say of them."""
    for one, other in pairwise(accounts):
        yield from _only_in(grounds, one, other)
        yield from _only_in(grounds, other, one)


def _only_in(grounds: Grounds, says: Account, silent: Account) -> Iterator[Mistake]:
    """Each number once for the same clauses. Texts may divide what they say into other sentences."""
    told: set[tuple[str, int]] = set()
    for one in says.sentences:
        clauses = [c for c in _claiming(says, grounds, one) if silent.of(c.id)]
        marks = quoted([clause.id for clause in clauses], "and")
        said = f"clause {marks}" if len(clauses) == 1 else f"clauses {marks}"
        known = frozenset[int]().union(*(_named(silent, c) | c.numbers.keys() for c in clauses))
        for number in numbers_in(one.text, says.text.language) if clauses else ():
            if number not in known and (marks, number) not in told:
                told.add((marks, number))
                yield TranslationsDiffer(one.span, said, number, says.text.name, silent.text.name)


def _named(account: Account, clause: r.Clause) -> frozenset[int]:
    language = account.text.language
    return frozenset(n for one in account.of(clause.id) for n in numbers_in(one.text, language))


def _needless(accounts: Sequence[Account], grounds: Grounds) -> Iterator[Mistake]:
    """Reasons for numbers that no sentence has, or that stand in the rules; said if all texts are at hand."""
    names = {account.text.name for account in accounts}
    for clause in grounds.rules.clauses.values():
        if clause.numbers and set(clause.at) <= names:
            for number in clause.numbers:
                naming = [s for account in accounts for s in _naming(account, grounds, clause, number)]
                if not naming:
                    yield NeedlessReason(clause.span, clause.id, f"no sentence of it says {number}")
                elif all(number in grounds.known(clauses) for clauses in naming):
                    yield NeedlessReason(clause.span, clause.id, f"{number} stands where it is wanted")


def _naming(account: Account, grounds: Grounds, clause: r.Clause, number: int) -> Iterator[list[r.Clause]]:
    """For each sentence of a clause that says a number, all the clauses that claim it."""
    for one in account.of(clause.id):
        if number in numbers_in(one.text, account.text.language):
            yield _claiming(account, grounds, one)
