"""A match that comes to a line of the rules, found by random play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import monotonic

from dsl.rules import Rules
from dsl.source import Source
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.log import read
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.wasm.program import CoveredProgram
from rulewright.studio.playing import follow

FROM_HERE = 24
"""How often random play goes on from the match that is there, before it begins anew."""
SLOWLY = 0.5
"""The part of the time that is spent in the reference executor before the fast one is made."""
LONGEST = 2_000
"""The most choices of one match."""
PLAYOUTS = 20_000


@dataclass
class LineSearch:
    """A search for a match that runs a line. `tried` counts matches, `why` says why there is none."""

    rules: Rules
    seats: int
    options: Mapping[str, str]
    file: str
    line: int
    tried: int = 0
    why: str = ""
    points: frozenset[int] = field(init=False)
    game: Game = field(init=False)

    def __post_init__(self) -> None:
        machine = compile_rules(self.rules, self.seats, self.options, cover=True)
        self.game = Game(self.rules, machine)
        self.points = points_at(machine.cover, self.file, self.line)

    def carry_out(self, until: float, log: Source | None) -> Match | None:
        """The match up to the choice that first runs the line; none if none was found in time."""
        if not self.points:
            self.why = "nothing is run on this line: put the cursor on a line of an action, phase or value"
            return None
        began = monotonic()
        slow = began + (until - began) * SLOWLY
        for match in self._begun(log):
            self.tried += 1
            if self._reached(match, slow):
                return match
            if monotonic() >= slow:
                break
        return self._fast(until)

    def _begun(self, log: Source | None) -> Iterator[Match]:
        """Matches from which random play goes on: some from the match that is there, then new ones."""
        if log is not None:
            for seed in range(FROM_HERE):
                known = read(log)
                self.game.executor.clear_cover()
                match = follow(self.game, known, known.entries).match
                if not match.over:
                    yield self._continued(match, seed)
        for seed in range(PLAYOUTS):
            yield self._continued(Match(self.game, seed), seed)

    def _continued(self, match: Match, seed: int) -> Match:
        self._choosing = Choosing(seed)
        self.game.executor.clear_cover()
        if not match.steps:
            match.start()
        return match

    def _reached(self, match: Match, until: float) -> bool:
        """Play at random until the line is run, the match ends or fails, or the time is over."""
        try:
            for _ in range(LONGEST):
                if self._is_run():
                    return True
                if match.over:
                    match.accounts()
                    return self._is_run()
                if monotonic() >= until:
                    return False
                waiting = match.waiting()
                one = waiting[self._choosing.below(len(waiting))]
                match.take(one, one.options[self._choosing.below(len(one.options))])
        except Fault:
            return False
        return False

    def _is_run(self) -> bool:
        covered = self.game.executor.covered()
        return any(covered[number] & ir.RAN for number in self.points)

    def _fast(self, until: float) -> Match | None:
        """Playouts in the module of the game, and the one that runs the line played again step by step."""
        program = CoveredProgram(self.game.machine)
        for seed in range(PLAYOUTS):
            if monotonic() >= until:
                break
            self.tried += 1
            _, outcomes = program.playout(seed)
            if any(outcomes[number] & ir.RAN for number in self.points):
                match = self._continued(Match(self.game, seed), seed)
                return match if self._reached(match, until + (until - monotonic()) + 5) else None
        self.why = f"random play did not come to this line in {self.tried} matches"
        return None


def points_at(points: tuple[ir.CoveragePoint, ...], file: str, line: int) -> frozenset[int]:
    """The points of a line: those that begin on it, else the innermost ones around it."""
    places = [
        (number, point.span.line, point)
        for number, point in enumerate(points)
        if point.span.source.name == file and point.kind != "cell"
    ]
    here = frozenset(number for number, first, _ in places if first == line)
    if here:
        return here
    around = [
        (first, number)
        for number, first, point in places
        if first <= line <= point.span.source.position(max(point.span.start, point.span.end - 1))[0]
    ]
    innermost = max((first for first, _ in around), default=None)
    return frozenset(number for first, number in around if first == innermost)
