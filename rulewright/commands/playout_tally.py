"""What playouts come to, counted: wins, scores, how long they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.match import Match
from interpreter.wasm.abi import OUTCOME_AT
from rulewright.commands.simulate_bots import BotMatch

if TYPE_CHECKING:
    from interpreter.wasm.program import Rows


@dataclass
class Tally:
    """The statistics of playouts.

    `won` is how often each set of seats has won, `ended` how often a match has ended by an end with a name,
    `scores` the totals by seat. `decisions` and `outcomes` are
    numbers per playout. `asked` is the number of all decisions, `offered` of all their choices, `widest` the
    largest number of choices of a decision.
    """

    won: Counter[tuple[str, ...]] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    scores: dict[str, list[int]] = field(default_factory=dict)
    decisions: list[int] = field(default_factory=list)
    outcomes: list[int] = field(default_factory=list)
    asked: int = 0
    offered: int = 0
    widest: int = 0
    seconds: float = 0.0

    @property
    def wins(self) -> dict[str, float]:
        """Wins by seat; a win shared by k seats counts 1/k for each."""
        found = dict.fromkeys(self.scores, 0.0)
        for winners, times in sorted(self.won.items()):
            for seat in winners:
                found[seat] += times / len(winners)
        return found

    @property
    def won_by_nobody(self) -> int:
        return self.won[()]

    def add(self, match: Match) -> None:
        """Counts a match that is over. Raises `Fault` if its score cannot be computed."""
        self.won[tuple(match.winners())] += 1
        if (outcome := match.outcome()) is not None:
            self.ended[outcome] += 1
        for account in match.accounts():
            self.scores.setdefault(account.seat, []).append(account.total)
        self.decisions.append(sum(step.seat is not None for step in match.steps))
        self.outcomes.append(sum(step.stream is not None for step in match.steps))

    def add_of_bots(self, found: BotMatch) -> None:
        """Counts a match between bots that is over."""
        self.won[found.winners] += 1
        if found.ending is not None:
            self.ended[found.ending] += 1
        for seat, total in found.totals.items():
            self.scores.setdefault(seat, []).append(total)
        self.decisions.append(found.decisions)
        self.outcomes.append(found.outcomes)
        for offered in found.offered:
            self.count_decision(offered)

    def count_decision(self, offered: int) -> None:
        """Counts a decision with that many choices."""
        self.asked += 1
        self.offered += offered
        self.widest = max(self.widest, offered)

    def take(self, rows: Rows, seats: Sequence[str], endings: Sequence[str] = ()) -> None:
        """Counts playouts of a module."""
        decisions, outcomes, winners, *totals = (
            rows.words[i :: 3 + len(seats)] for i in range(3 + len(seats))
        )
        self.decisions.extend(decisions)
        self.outcomes.extend(outcomes)
        for mask, times in Counter(winners).items():
            self.won[tuple(seat for i, seat in enumerate(seats) if mask >> i & 1)] += times
            if outcome := mask >> OUTCOME_AT:
                self.ended[endings[outcome - 1]] += times
        for seat, scores in zip(seats, totals, strict=True):
            if scores:
                self.scores.setdefault(seat, []).extend(scores)
        self.asked += sum(decisions)
        self.offered += rows.offered
        self.widest = max(self.widest, rows.widest)


@dataclass(frozen=True)
class Figures:
    """Statistics of numbers. There may be millions of them, with few distinct values."""

    least: int
    median: float
    mean: float
    most: int

    @classmethod
    def of(cls, numbers: list[int]) -> Figures:
        counts = Counter(numbers)
        values, half = sorted(counts), (len(numbers) - 1) // 2
        middle = (_at(counts, values, half), _at(counts, values, len(numbers) // 2))
        mean = sum(value * times for value, times in counts.items()) / len(numbers)
        return cls(values[0], sum(middle) / 2, mean, values[-1])


def _at(counts: Mapping[int, int], values: list[int], place: int) -> int:
    """The number at an index of the sorted numbers."""
    for value in values:
        place -= counts[value]
        if place < 0:
            return value
    raise IndexError(place)
