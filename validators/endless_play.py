"""What play shows about a cycle: repeated positions, and what progresses in every round.

The graph of a machine has cycles on which nothing certainly changes. Some matches tell whether play can stay
there. They are the same each time: their number does not depend on a clock.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from interpreter import ir
from interpreter.executor_protocol import PASS
from interpreter.messages import Fault
from validators.explore.state_key import StateKey, key
from validators.explore.stepping import WORLD, Move, StepExecutor, step_executor
from validators.flow.cycles import OpenCycle, phase_at, phase_of
from validators.flow.graph import Flow
from validators.flow.path_text import cycle_name

LONGEST = 1500
"""The most stops of a match."""
MATCHES = 3
"""How many matches are played by each way of choosing."""
MOST, ENOUGH = 60, 1000
"""How many matches there are by the ends of what is offered, unless fewer have so many stops."""
SAMPLES = 4
"""How many positions of a match are tried for a way back to them, or for what passing leads to."""
BUILT_UP, STOPS, LONG, POSITIONS = 63, 8000, 3, 20
"""How many matches there are in which everybody acts, and how many stops in all of them; how many of the
longest are looked at, and from how many positions of each on all decline."""
WAY_BACK, WIDEST = 12, 40
"""The most moves of a way back to a position, and how many choices are compared at each."""
TESTED = 400
"""In how many positions a decision is tested with one number of seats."""
FEWEST = 10
"""The fewest rounds from which something is concluded."""

T = TypeVar("T")
Chooser = Callable[[random.Random, tuple[Move, ...]], Move]


def _any(chooser: random.Random, moves: tuple[Move, ...]) -> Move:
    return chooser.choice(moves)


def _eager(chooser: random.Random, moves: tuple[Move, ...]) -> Move:
    return chooser.choice([move for move in moves if move.option != PASS] or moves)


def _declining(chooser: random.Random, moves: tuple[Move, ...]) -> Move:
    return next((move for move in moves if move.option == PASS), None) or chooser.choice(moves)


def _at_an_end(chooser: random.Random, moves: tuple[Move, ...]) -> Move:
    return chooser.choice((moves[0], moves[-1]))


@dataclass(frozen=True, slots=True)
class PlayedStop:
    """A stop of a match: its state, the phases entered on the way to it, whether somebody acted on it."""

    state: bytes
    entered: frozenset[str]
    acted: bool


@dataclass(eq=False)
class EndlessPlay:
    """Some matches of one machine."""

    flow: Flow
    _steps: list[StepExecutor] = field(default_factory=list)
    _inside: dict[OpenCycle, frozenset[int]] = field(default_factory=dict)
    _kept_words: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def machine(self) -> ir.Machine:
        return self.flow.machine

    # ---- questions

    def declines_for_ever(self, cycle: OpenCycle) -> bool:
        """Whether seats that decline everything stay in a cycle, from some position of some match on."""
        begins = [stop.state for match in self.matches for stop in _sample(match)]
        for match in sorted(self._built_up(), key=len)[-LONG:]:
            begins += [stop.state for stop in match[:: 1 + len(match) // POSITIONS]]
        for seed, state in enumerate(begins):
            match = self._played(_declining, seed, state)
            idle = len(match) - max((i for i, stop in enumerate(match) if stop.acted), default=0)
            if (len(match) > LONGEST and idle > LONGEST // 2) or self._comes_again(match, cycle, idle=True):
                return True
        return not begins

    def moves_on(self, cycle: OpenCycle) -> bool:
        """Whether in all rounds of the cycle that were played something moved on, and never back.

        Every seat may have a round or two without it.
        """
        runs = [run for match in self.matches for run in self._rounds(match, cycle)]
        names = [n for n in sorted(self._names) if n in cycle.one_way or self._is_one_way(runs, n)]
        measured = [[tuple(self._measured(state, n) for n in names) for state in run] for run in runs]
        seats = self.machine.seats
        return any(_always_changes(measured, rounds) for rounds in (1, seats, 2 * seats))

    def _is_one_way(self, runs: list[list[bytes]], name: str) -> bool:
        """Whether what a name stands for never moved in both directions, in all rounds that were played."""
        signs: set[bool] = set()
        for run in runs:
            values = [self._measured(state, name) for state in run]
            signs |= {a < b for a, b in pairwise(values) if a != b}
        return len(signs) == 1

    def returns(self, cycle: OpenCycle) -> bool:
        """Whether a position of a cycle comes again: by chance, or when all seats try."""
        if any(self._comes_again(match, cycle) for match in self.matches):
            return True
        tried = (
            self._way_back(stop.state, seed) for match in self.matches for seed, stop in _sample_of(match)
        )
        return any(self._comes_again(match, cycle) for match in tried)

    def first_found(
        self, matches: Iterable[list[PlayedStop]], test: Callable[[bytes, tuple[Move, ...]], T]
    ) -> dict[int, tuple[list[PlayedStop], T]]:
        """For each decision of which a test of a position and its moves once finds something: what it finds.

        It comes with the shortest match that leads there. A decision is tested in `TESTED` positions at most,
        and only where a seat has to choose and no other one does.
        """
        found: dict[int, tuple[list[PlayedStop], T]] = {}
        tried = Counter[int]()
        for match in matches:
            for number, stop in enumerate(match, 1):
                self.flow.tick()
                moves = self.steps.moves(stop.state)
                together = memoryview(stop.state).cast("i")[ir.FORKED]
                if len(moves) < 2 or moves[0].branch == WORLD or together:
                    continue
                node = moves[0].node
                tried[node] += 1
                shorter = node not in found or number < len(found[node][0])
                if tried[node] <= TESTED and shorter and (result := test(stop.state, moves)):
                    found[node] = match[:number], result
        return found

    # ---- play

    @cached_property
    def matches(self) -> list[list[PlayedStop]]:
        """Matches by random choices, by whoever acts if it may, and by whoever declines if it may."""
        ways: tuple[Chooser, ...] = (_any, _eager, _declining)
        return [self._played(way, seed) for way in ways for seed in range(MATCHES)]

    @cached_property
    def at_ends(self) -> list[list[PlayedStop]]:
        """Matches by the first and the last of what is offered: mistakes lie where numbers end."""
        found: list[list[PlayedStop]] = []
        while len(found) < 2 * MATCHES or (len(found) < MOST and sum(map(len, found)) < ENOUGH):
            found.append(self._played(_at_an_end, len(found)))
        return found

    def _built_up(self) -> Iterator[list[PlayedStop]]:
        """Matches in which everybody acts."""
        stops = 0
        for seed in range(MATCHES, BUILT_UP):
            match = self._played(_eager, seed)
            yield match
            stops += len(match)
            if stops > STOPS:
                return

    @property
    def steps(self) -> StepExecutor:
        if not self._steps:
            self._steps.append(step_executor(self.machine, "wasm"))
        return self._steps[0]

    def _played(self, way: Chooser, seed: int, state: bytes | None = None) -> list[PlayedStop]:
        """A match to its end, to a fault, or to the most stops."""
        found: list[PlayedStop] = []
        chooser = random.Random(seed)
        try:
            here = PlayedStop(state, frozenset(), True) if state is not None else self._first()
            while len(found) <= LONGEST:
                self.flow.tick()
                found.append(here)
                moves = self.steps.moves(here.state)
                if not moves:
                    break
                here = self._after(here.state, way(chooser, moves))
        except Fault:
            return found
        return found

    def _first(self) -> PlayedStop:
        self.steps.trails.clear()
        return PlayedStop(self.steps.first(), self._entered(), True)

    def _after(self, state: bytes, move: Move) -> PlayedStop:
        self.steps.trails.clear()
        after = self.steps.after(state, move)
        return PlayedStop(after, self._entered(), move.branch != WORLD and move.option != PASS)

    def _entered(self) -> frozenset[str]:
        """The phases entered by the last step."""
        trails = [memoryview(trail).cast("i") for trail in self.steps.trails]
        marks = enumerate(self.steps.marks)
        return frozenset(m.name for i, m in marks if m.kind == "phase" and any(t[i] for t in trails))

    def _way_back(self, state: bytes, seed: int) -> list[PlayedStop]:
        """A match from a position on in which all seats, and chance, try to come back to it."""
        chooser, home = random.Random(seed), self._kept(state)
        found = [PlayedStop(state, frozenset(), True)]
        away = 1 + seed % 2
        try:
            for number in range(WAY_BACK):
                self.flow.tick()
                moves = self.steps.moves(found[-1].state)
                if not moves:
                    break
                tried = chooser.sample(moves, min(WIDEST, len(moves))) if number >= away else ()
                reached = [stop for stop in (self._tried(found[-1].state, move) for move in tried) if stop]
                if number < away:
                    found.append(self._after(found[-1].state, _eager(chooser, moves)))
                elif reached:
                    found.append(min(reached, key=lambda stop: _distance(self._kept(stop.state), home)))
                if self._kept(found[-1].state) == home:
                    break
        except Fault:
            return found
        return found

    def _tried(self, state: bytes, move: Move) -> PlayedStop | None:
        try:
            return self._after(state, move)
        except Fault:
            return None

    # ---- positions

    @cached_property
    def _key(self) -> StateKey:
        return StateKey(self.machine)

    def _kept(self, state: bytes) -> bytes:
        """What matters of a state, over or not."""
        return b"".join([state[part] for part in self._key.live])

    def _comes_again(self, match: list[PlayedStop], cycle: OpenCycle, idle: bool = False) -> bool:
        """Whether a position comes again after a round of the cycle; `idle`: in which nobody acted."""
        last: dict[bytes, int] = {}
        passed, acted = 0, 0
        rounds, acts = [0], [0]
        for stop in match[1:]:
            passed += self._passes(stop, cycle)
            acted += stop.acted
            rounds.append(passed)
            acts.append(acted)
        for i, stop in enumerate(match):
            name = key(self._kept(stop.state))
            j = last.setdefault(name, i)
            if rounds[i] > rounds[j] and not (idle and acts[i] > acts[j]) and not stop.state[0]:
                return True
        return False

    def _passes(self, stop: PlayedStop, cycle: OpenCycle) -> bool:
        """Whether a round of a cycle begins: its phase is entered, or play stops where it stops."""
        phase = phase_of(self.machine, cycle.edges)
        return phase in stop.entered if phase is not None else self._stops_in(stop.state, cycle.nodes)

    def _leaves(self, stop: PlayedStop, cycle: OpenCycle) -> bool:
        """Whether play has left the part of the graph in which a cycle is."""
        phases = {phase_at(self.machine, number) for number in cycle.nodes}
        if stop.entered - phases:
            return True
        return phases == {None} and not self._stops_in(stop.state, self._nodes_of(cycle))

    def _stops_in(self, state: bytes, nodes: frozenset[int]) -> bool:
        """Whether somebody is asked, or chance decides, at one of some nodes."""
        s = memoryview(state).cast("i")
        if s[ir.STATUS]:
            return False
        at = [n for _, n in self.machine.waiting_branches(s)] if s[ir.FORKED] else [s[ir.PC]]
        return any(n in nodes for n in at)

    def _nodes_of(self, cycle: OpenCycle) -> frozenset[int]:
        """The nodes of the part of the graph in which a cycle is, with those of the routines called there."""
        if cycle not in self._inside:
            edges = (edge for number in cycle.nodes for edge in self.flow.edges[number])
            called = self.flow.called(edge.runs[0] for edge in edges if edge.runs is not None)
            self._inside[cycle] = cycle.nodes | frozenset(self.flow.nodes_in(called))
        return self._inside[cycle]

    # ---- rounds

    def _rounds(self, match: list[PlayedStop], cycle: OpenCycle) -> list[list[bytes]]:
        """The states in which rounds of a cycle begin, those in a row together."""
        runs: list[list[bytes]] = [[]]
        for stop in match:
            if self._leaves(stop, cycle):
                runs.append([])
            if self._passes(stop, cycle):
                runs[-1].append(stop.state)
        return runs

    @cached_property
    def _names(self) -> frozenset[str]:
        """Whatever may move on: counters, marks, pointers, histories, zones."""
        histories = (history.name for history in self.machine.histories)
        return frozenset({*self.machine.variables, *histories, *self.machine.place_components})

    def _measured(self, state: bytes, name: str) -> int:
        s = memoryview(state).cast("i")
        return sum(s[word] for word in self._words(name))

    def _words(self, name: str) -> Iterable[int]:
        """The words whose sum tells how far a counter, mark, pointer, history or zone has come."""
        if name not in self._kept_words:
            self._kept_words[name] = tuple(self._found_words(name))
        return self._kept_words[name]

    def _found_words(self, name: str) -> Iterator[int]:
        if name in self.machine.variables:
            words = self.machine.variables[name]
            yield from range(words.base, words.base + words.size)
        yield from (history.base for history in self.machine.histories if history.name == name)
        for place in self.machine.places:
            if place.zone == name:
                several = place.words if place.kind == ir.COUNTS else 1
                yield from range(place.base, place.base + several)


def _always_changes(runs: list[list[tuple[int, ...]]], rounds: int) -> bool:
    """Whether so many rounds in a row always change something, in as many cases as it takes to conclude."""
    pairs = [pair for run in runs for pair in zip(run, run[rounds:], strict=False)]
    return len(pairs) >= FEWEST and all(before != after for before, after in pairs)


def settled(
    told: dict[str, bool],
    play: EndlessPlay,
    tried: bool,
    ends: Callable[[EndlessPlay, OpenCycle], bool],
    cycle: OpenCycle,
) -> bool:
    """What `ends` says of a cycle: asked once for each name, and again for other seats if `tried`."""
    name = cycle_name(play.flow, cycle.edges)
    if name not in told or (told[name] and tried):
        told[name] = ends(play, cycle)
    return told[name]


def _sample(match: list[PlayedStop]) -> list[PlayedStop]:
    """Some stops of a match, from its first half to its end."""
    return [match[len(match) * (2 * i + 1) // (2 * SAMPLES)] for i in range(SAMPLES)] if match else []


def _sample_of(match: list[PlayedStop]) -> Iterator[tuple[int, PlayedStop]]:
    for stop in _sample(match):
        yield from ((seed, stop) for seed in range(2))


def _distance(one: bytes, other: bytes) -> int:
    """In how many bytes two states differ."""
    apart = int.from_bytes(one, "little") ^ int.from_bytes(other, "little")
    return len(one) - apart.to_bytes(len(one), "little").count(0)
