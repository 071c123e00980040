"""The mutation score: by clause, and as one number."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from dsl.rules import Clause
from validators.mutate.mutant import Mutant
from validators.mutate.running import MutantVerdict


@dataclass(frozen=True, slots=True)
class JudgedMutant:
    """A mutant, its verdict, and the reason of its entry in `mutants.yaml`, if it has one."""

    mutant: Mutant
    verdict: MutantVerdict
    excuse: str = ""

    @property
    def counts(self) -> bool:
        """Whether it counts in the score."""
        return self.noticed or self.survived

    @property
    def noticed(self) -> bool:
        return self.verdict.noticed

    @property
    def survived(self) -> bool:
        """Whether no scenario has detected it, and it has no entry."""
        return self.verdict.survived and not self.excuse


@dataclass(frozen=True, slots=True)
class ClauseScore:
    """The score of one clause; of mutants without a clause if it is empty."""

    clause: str
    noticed: int
    total: int
    survivors: tuple[JudgedMutant, ...]


def score(mutants: Iterable[JudgedMutant]) -> float:
    """The share of detected mutants, in percent, without equivalents and invalid games."""
    counted = [mutant.noticed for mutant in mutants if mutant.counts]
    return 100 * sum(counted) / len(counted) if counted else 100.0


def by_clause(mutants: Collection[JudgedMutant], clauses: Mapping[str, Clause]) -> list[ClauseScore]:
    """A score for each clause with mutants, in the rulebook's order. A mutant may belong to several."""
    named = dict.fromkeys(clause for mutant in mutants for clause in mutant.mutant.clauses)
    order = [*(c for c in clauses if c in named), *(c for c in named if c not in clauses)]
    lines = [
        _line(clause, [mutant for mutant in mutants if clause in mutant.mutant.clauses]) for clause in order
    ]
    lines.append(_line("", [mutant for mutant in mutants if not mutant.mutant.clauses]))
    return [line for line in lines if line.total]


def _line(clause: str, mutants: Iterable[JudgedMutant]) -> ClauseScore:
    counted = [mutant for mutant in mutants if mutant.counts]
    survivors = tuple(mutant for mutant in counted if mutant.survived)
    return ClauseScore(clause, len(counted) - len(survivors), len(counted), survivors)
