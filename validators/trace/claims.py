"""Which clauses claim which sentences of a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dsl.rules import Rules
from validators.trace.alignment import Alignment


@dataclass(frozen=True, slots=True)
class Claims:
    """The clauses of each sentence of a text, by its current number."""

    text: str
    by_sentence: dict[int, tuple[str, ...]]

    @staticmethod
    def of(rules: Rules, text: str, alignment: Alignment | None) -> Claims:
        """The claims of all clauses; with an alignment, in the numbers of another copy of the text."""
        claims: dict[int, list[str]] = {}
        for clause in rules.clauses.values():
            for number in clause.at.get(text, ()):
                now = alignment.now(number) if alignment is not None else number
                if now is not None:
                    claims.setdefault(now, []).append(clause.id)
        return Claims(text, {n: tuple(dict.fromkeys(marks)) for n, marks in sorted(claims.items())})

    def of_sentence(self, number: int) -> tuple[str, ...]:
        return self.by_sentence.get(number, ())

    def of_clause(self, mark: str) -> tuple[int, ...]:
        return tuple(n for n, marks in self.by_sentence.items() if mark in marks)


def numbers_as_ranges(numbers: Iterable[int]) -> str:
    """`[3..5, 8]`: numbers as in `at` of a clause."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "[" + ", ".join(f"{r[0]}..{r[-1]}" if len(r) > 1 else str(r[0]) for r in runs) + "]"
