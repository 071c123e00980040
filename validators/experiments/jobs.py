"""Jobs: pure functions of rules, options, bots and a range of seeds to tallies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from interpreter.game import ExecutorKind, Game
from validators.experiments.choice_names import ChoiceNames
from validators.experiments.course import CourseTally, courses
from validators.experiments.players import UNIFORM, player
from validators.experiments.playing import Ended, Line, Observers, play
from validators.experiments.recorder import Recorder, fault_tallies
from validators.experiments.tallies import CrossMoments, MatchTally, PairTally, Tally

BLOCK = 256
"""How many matches of uniform bots are played side by side."""
COURSES = 16
"""How many matches are played side by side whose positions are kept."""


@dataclass(frozen=True)
class Variant:
    """Rules by the hash of their content, the number of seats, and the options that are not as by default."""

    digest: str
    seats: int
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Side:
    """How matches are played: the variant, a bot for each seat, what seats may not choose, the bots' salt.

    `forbidden` has names of choices by the number of the seat.
    """

    variant: Variant
    bots: tuple[str, ...]
    forbidden: tuple[tuple[int, str], ...] = ()
    salt: int = 0

    @property
    def executor(self) -> ExecutorKind:
        """What referees: bots that are asked one by one want the fast one."""
        return "reference" if set(self.bots) <= {UNIFORM} else "wasm"


class Games(Protocol):
    """Where the compiled games of variants come from."""

    def game(self, variant: Variant, executor: ExecutorKind) -> Game: ...


class Job(Protocol):
    """A pure function of its fields, given the rules that its variants name."""

    @property
    def variants(self) -> tuple[Variant, ...]: ...

    @property
    def seeds(self) -> range: ...

    def part(self, first: int, number: int) -> Job:
        """The same for fewer seeds, counted from the first."""
        ...

    def run(self, games: Games) -> Tally: ...


@dataclass(frozen=True)
class MatchJob:
    """Matches of one side, one for each seed."""

    side: Side
    first: int
    number: int

    @property
    def variants(self) -> tuple[Variant, ...]:
        return (self.side.variant,)

    @property
    def seeds(self) -> range:
        return range(self.first, self.first + self.number)

    def part(self, first: int, number: int) -> MatchJob:
        return replace(self, first=self.first + first, number=number)

    def run(self, games: Games) -> MatchTally:
        line = _line(self.side, games)
        found = MatchTally()
        for seeds in _blocks(self.seeds):
            recorder = Recorder(line.names, len(seeds), line.game.machine.seats)
            found += recorder.tally(play(line, seeds, Observers(recorder)), line.game, seeds)
        return found


@dataclass(frozen=True)
class PairJob:
    """Pairs of matches, one on each side, with the same seed: the same chance until they differ."""

    old: Side
    new: Side
    first: int
    number: int

    @property
    def variants(self) -> tuple[Variant, ...]:
        return (self.old.variant, self.new.variant)

    @property
    def seeds(self) -> range:
        return range(self.first, self.first + self.number)

    def part(self, first: int, number: int) -> PairJob:
        return replace(self, first=self.first + first, number=number)

    def run(self, games: Games) -> PairTally:
        old, new = _line(self.old, games), _line(self.new, games)
        found = PairTally()
        for seeds in _blocks(self.seeds):
            found += paired(play(old, seeds), play(new, seeds), seeds)
        return found


@dataclass(frozen=True)
class CourseJob:
    """Matches of one side, whose chances are estimated at points of their course by playouts."""

    side: Side
    first: int
    number: int
    playouts: int = 32

    @property
    def variants(self) -> tuple[Variant, ...]:
        return (self.side.variant,)

    @property
    def seeds(self) -> range:
        return range(self.first, self.first + self.number)

    def part(self, first: int, number: int) -> CourseJob:
        return replace(self, first=self.first + first, number=number)

    def run(self, games: Games) -> CourseTally:
        line = _line(self.side, games)
        found = CourseTally()
        for seeds in _blocks(self.seeds, COURSES):
            found += courses(line, seeds, self.playouts)
        return found


def paired(old: Ended, new: Ended, seeds: range) -> PairTally:
    """The tally of matches of both sides under the same seeds."""
    whole = np.flatnonzero(old.complete & new.complete)
    keys = (old.winners[whole] << 16 | new.winners[whole]).tolist()
    columns = np.column_stack([old.lengths[whole], new.lengths[whole], old.totals[whole], new.totals[whole]])
    same = (
        (old.winners == new.winners) & (old.lengths == new.lengths) & (old.totals == new.totals).all(axis=1)
        if old.totals.shape == new.totals.shape
        else np.zeros(len(old.winners), dtype=bool)
    )
    faults = PairTally(faults=fault_tallies(old, seeds)) + PairTally(faults=fault_tallies(new, seeds))
    return PairTally(
        pairs=len(whole),
        same=int(same[whole].sum()),
        winners={key: keys.count(key) for key in set(keys)},
        measures=CrossMoments(
            len(whole),
            tuple(int(x) for x in columns.sum(axis=0)),
            tuple(tuple(int(x) for x in row) for row in columns.T @ columns),
        ),
        faults=faults.faults,
    )


def _blocks(seeds: range, size: int = BLOCK) -> list[range]:
    return [seeds[i : i + size] for i in range(0, len(seeds), size)]


def _line(side: Side, games: Games) -> Line:
    game = games.game(side.variant, side.executor)
    forbidden: dict[int, frozenset[str]] = {}
    for seat, name in side.forbidden:
        forbidden[seat] = forbidden.get(seat, frozenset()) | {name}
    players = tuple(player(name) for name in side.bots)
    return Line(game, players, ChoiceNames(game), forbidden, side.salt)
