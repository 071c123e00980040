"""Accounts of a text of the rulebook: the clauses of each sentence, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl import rules as r
from dsl.diagnostics import Diagnostic, Label
from dsl.source import Source
from validators.trace.alignment import Alignment, align
from validators.trace.claims import Claims, numbers_as_ranges
from validators.trace.fingerprints import LIKELY, fingerprint
from validators.trace.messages import Changed, Gone, Moved, NotLocated, Unclaimed
from validators.trace.sentences import Sentence, sentences

MOST_MOVES = 12
"""The most moves of sentences that are listed."""


@dataclass(frozen=True, slots=True)
class Account:
    """A text with its sentences, their alignment with the located ones, and their clauses."""

    text: r.Text
    sentences: tuple[Sentence, ...]
    alignment: Alignment
    claims: Claims

    @property
    def claimed(self) -> int:
        """How many sentences some clause claims."""
        return sum(bool(self.claims.of_sentence(sentence.number)) for sentence in self.sentences)

    def of(self, clause: str) -> tuple[Sentence, ...]:
        """The sentences of this text that a clause claims."""
        return tuple(self.sentences[n - 1] for n in self.claims.of_clause(clause))


def account_of(rules: r.Rules, text: r.Text, source: Source) -> Account:
    """A text compared with the rulebook file; without fingerprints, its sentences are the located ones."""
    numbered = sentences(source, text.language)
    fingerprints = tuple(fingerprint(sentence.text) for sentence in numbered)
    alignment = align(text.fingerprints or fingerprints, fingerprints)
    return Account(text, numbered, alignment, Claims.of(rules, text.name, alignment))


# ---- findings


def text_findings(rules: r.Rules, account: Account) -> tuple[Diagnostic, ...]:
    """Drift first, then sentences without clauses, and clauses without sentences."""
    return (*_drift(rules, account), *_unclaimed(account), *_not_located(rules, account))


def _drift(rules: r.Rules, account: Account) -> Iterator[Diagnostic]:
    name, alignment = account.text.name, account.alignment
    claimants = _claimants(rules, name)
    for old, now in alignment.changed.items():
        moved = f", and is sentence {now} now" if now != old else ""
        labels = tuple(Label(clause.span, "claims it") for clause in claimants.get(old, ()))
        yield Changed(
            account.sentences[now - 1].span, old, name, moved, _claimed_by(claimants.get(old)), labels
        )
    for old, nearest in alignment.gone.items():
        clauses = claimants.get(old, [])
        span = clauses[0].span if clauses else account.text.span
        yield Gone(span, old, name, _claimed_by(clauses), _nearest(nearest))
    if alignment.moved:
        yield Moved(account.text.span, name, _moves(alignment.moved))


def _claimants(rules: r.Rules, text: str) -> dict[int, list[r.Clause]]:
    """For each located sentence of a text, the clauses that claim it."""
    by_sentence: dict[int, list[r.Clause]] = {}
    for clause in rules.clauses.values():
        for number in clause.at.get(text, ()):
            by_sentence.setdefault(number, []).append(clause)
    return by_sentence


def _claimed_by(clauses: list[r.Clause] | None) -> str:
    if not clauses:
        return "no clause claims it"
    return "claimed by " + ", ".join(f"`{clause.id}`" for clause in clauses)


def _nearest(nearest: tuple[int, int] | None) -> str:
    if nearest is None:
        return "the text has no sentences at all"
    number, bits = nearest
    like = "much like it" if bits <= LIKELY else "not very like it"
    return f"the nearest is sentence {number}, {like}: {bits} of 32 bits differ"


def _moves(moved: dict[int, int]) -> str:
    """`57..60 to 58..61, 70 to 12`: sentences that moved together are one move."""
    runs: list[tuple[int, int, int]] = []
    for old, now in moved.items():
        if runs and old == runs[-1][1] + 1 and now - old == runs[-1][2]:
            runs[-1] = (runs[-1][0], old, now - old)
        else:
            runs.append((old, old, now - old))
    shown = [f"{_range(a, b)} to {_range(a + by, b + by)}" for a, b, by in runs[:MOST_MOVES]]
    more = len(runs) - MOST_MOVES
    return ", ".join(shown) + (f", and {more} more moves" if more > 0 else "")


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}..{last}"


def _unclaimed(account: Account) -> Iterator[Diagnostic]:
    free = [s for s in account.sentences if not account.claims.of_sentence(s.number)]
    if free:
        count = "1 sentence is" if len(free) == 1 else f"{len(free)} sentences are"
        numbers = numbers_as_ranges(s.number for s in free)[1:-1]
        yield Unclaimed(free[0].span, account.text.name, count, numbers)


def _not_located(rules: r.Rules, account: Account) -> Iterator[Diagnostic]:
    """Clauses without a place in a text, except rulings and those that `at` excludes from it."""
    for clause in rules.clauses.values():
        is_located = account.text.name in clause.at and any(clause.at.values())
        if clause.kind != "ruling" and not is_located:
            yield NotLocated(clause.span, clause.id, account.text.name)
