"""Jobs: pure functions of rules, options, bots and a range of seeds to tallies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from interpreter.game import ExecutorKind, Game
from validators.experiments.choice_names import ChoiceNames
from validators.experiments.course import Positions, courses
from validators.experiments.players import UNIFORM, player
from validators.experiments.playing import Ended, Line, Observers, play
from validators.experiments.recorder import Recorder, fault_tallies
from validators.experiments.study import StudyTally
from validators.experiments.tallies import CrossMoments, MatchTally, PairTally, Tally

BLOCK = 256
"""How many matches of uniform bots are played side by side."""
OneJob = TypeVar("OneJob", bound="SeededJob")


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


class SeededJob:
    """What jobs have in common that play a match, or a pair, for each of `number` seeds from `first` on."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    first: int
    number: int

    @property
    def sides(self) -> tuple[Side, ...]:
        raise NotImplementedError

    @property
    def variants(self) -> tuple[Variant, ...]:
        return tuple(side.variant for side in self.sides)

    @property
    def seeds(self) -> range:
        return range(self.first, self.first + self.number)

    def part(self: OneJob, first: int, number: int) -> OneJob:
        return replace(self, first=self.first + first, number=number)


@dataclass(frozen=True)
class MatchJob(SeededJob):
    """Matches of one side, one for each seed."""

    side: Side
    first: int
    number: int

    @property
    def sides(self) -> tuple[Side, ...]:
        return (self.side,)

    def run(self, games: Games) -> MatchTally:
        line = _line(self.side, games)
        found = MatchTally()
        for seeds in _blocks(self.seeds):
            recorder = Recorder(line.names, len(seeds), line.game.machine.seats)
            found += recorder.tally(play(line, seeds, Observers(recorder)), line.game, seeds)
        return found


@dataclass(frozen=True)
class PairJob(SeededJob):
    """Pairs of matches, one on each side, with the same seed: the same chance until they differ."""

    old: Side
    new: Side
    first: int
    number: int

    @property
    def sides(self) -> tuple[Side, ...]:
        return (self.old, self.new)

    def run(self, games: Games) -> PairTally:
        old, new = _line(self.old, games), _line(self.new, games)
        found = PairTally()
        for seeds in _blocks(self.seeds):
            found += paired(play(old, seeds), play(new, seeds), seeds)
        return found


@dataclass(frozen=True)
class StudyJob(SeededJob):
    """Matches of one side, of which some tell more: each is played once, whatever it tells.

    Of the seeds that `followed` divides, the chances at points of the match are estimated by playouts. Those
    that `repeated` divides are played again with the same chance and other choices. 0 is for none.
    """

    side: Side
    first: int
    number: int
    followed: int = 1
    repeated: int = 1
    playouts: int = 32

    @property
    def sides(self) -> tuple[Side, ...]:
        return (self.side,)

    def run(self, games: Games) -> StudyTally:
        line = _line(self.side, games)
        found = StudyTally()
        for seeds in _blocks(self.seeds):
            found += self._studied(line, seeds)
        return found

    def _studied(self, line: Line, seeds: range) -> StudyTally:
        recorder = Recorder(line.names, len(seeds), line.game.machine.seats)
        positions = Positions(_divided(seeds, self.followed))
        ended = play(line, seeds, Observers(recorder, positions))
        return StudyTally(
            recorder.tally(ended, line.game, seeds),
            courses(line, seeds, ended, positions, self.playouts),
            self._repeated(line, seeds, ended),
        )

    def _repeated(self, line: Line, seeds: range, ended: Ended) -> PairTally:
        other = replace(line, salt=line.salt + 1)
        if self.repeated == 1:
            return paired(ended, play(other, seeds), seeds)
        found = PairTally()
        for row in _divided(seeds, self.repeated):
            seed = seeds[row : row + 1]
            found += paired(ended.row(row), play(other, seed), seed)
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


def _blocks(seeds: range) -> list[range]:
    return [seeds[i : i + BLOCK] for i in range(0, len(seeds), BLOCK)]


def _divided(seeds: range, divisor: int) -> list[int]:
    """The rows of the seeds that a number divides."""
    return [row for row, seed in enumerate(seeds) if seed % divisor == 0] if divisor else []


def _line(side: Side, games: Games) -> Line:
    game = games.game(side.variant, side.executor)
    forbidden: dict[int, frozenset[str]] = {}
    for seat, name in side.forbidden:
        forbidden[seat] = forbidden.get(seat, frozenset()) | {name}
    players = tuple(player(name) for name in side.bots)
    return Line(game, players, ChoiceNames(game), forbidden, side.salt)
