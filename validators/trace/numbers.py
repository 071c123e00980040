"""Numbers of sentences against those of the rules, and against those of another translation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from dsl import rules as r
from dsl.diagnostics import Label, Mistake
from validators.trace.accounts import Account
from validators.trace.constants import numbers_of
from validators.trace.messages import NeedlessReason, OtherNumbers, TranslationsDiffer
from validators.trace.numerals import numbers_in
from validators.trace.sites import Site

MOST_PLACES = 3


def number_findings(
    rules: r.Rules, accounts: Sequence[Account], rendered: Mapping[str, tuple[Site, ...]]
) -> tuple[Mistake, ...]:
    """Numbers that stand in a sentence and in no line of its clauses; numbers that translations disagree on.

    A sentence that several clauses claim may have its number in the lines of any of them. How many may play
    is known to all. A number that a clause gives a reason for is not looked for.
    """
    constants = {mark: numbers_of(rules, lines) for mark, lines in rendered.items()}
    return (
        *(m for account in accounts for m in _unknown(rules, account, rendered, constants)),
        *_apart(rules, accounts),
        *_needless(rules, accounts),
    )


def _unknown(
    rules: r.Rules,
    account: Account,
    rendered: Mapping[str, tuple[Site, ...]],
    constants: Mapping[str, frozenset[int]],
) -> Iterator[Mistake]:
    seats = frozenset(range(rules.seats[0], rules.seats[1] + 1))
    for one in account.sentences:
        clauses = [rules.clauses[mark] for mark in account.claims.of_sentence(one.number)]
        bound = [clause for clause in clauses if clause.id in rendered and clause.kind != "flavour"]
        known = seats.union(*(constants[c.id] for c in bound), *(c.numbers for c in clauses))
        for number in numbers_in(one.text, account.text.language) if bound else ():
            if number not in known:
                lines = [line for clause in bound for line in rendered[clause.id]]
                labels = tuple(Label(s.span.first_line(), "renders it") for s in lines[:MOST_PLACES])
                marks = ", ".join(f"`{clause.id}`" for clause in bound)
                yield OtherNumbers(one.span, one.number, account.text.name, number, marks, labels)


def _named(account: Account, clause: r.Clause) -> frozenset[int]:
    language = account.text.language
    return frozenset(n for one in account.of(clause.id) for n in numbers_in(one.text, language))


def _apart(rules: r.Rules, accounts: Sequence[Account]) -> Iterator[Mistake]:
    """Clauses whose sentences say one number in one text, and do not in another."""
    for clause in rules.clauses.values():
        told = [(a, _named(a, clause)) for a in accounts if clause.at.get(a.text.name)]
        for (first, one), (second, other) in pairwise(told):
            for number in sorted((one ^ other) - clause.numbers.keys()):
                says, not_ = (first, second) if number in one else (second, first)
                place = says.of(clause.id)[0].span
                yield TranslationsDiffer(place, clause.id, number, says.text.name, not_.text.name)


def _needless(rules: r.Rules, accounts: Sequence[Account]) -> Iterator[Mistake]:
    """Reasons for numbers that no sentence has; said only if all texts of the clause are at hand."""
    names = {account.text.name for account in accounts}
    for clause in rules.clauses.values():
        if clause.numbers and set(clause.at) <= names:
            named = frozenset[int]().union(*(_named(account, clause) for account in accounts))
            for number in sorted(clause.numbers.keys() - named):
                yield NeedlessReason(clause.span, clause.id, f"no sentence of it says {number}")
