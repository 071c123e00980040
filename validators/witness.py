"""The search for faults by random play, and a witness for each."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, count
from time import thread_time
from weakref import WeakKeyDictionary

from dsl.diagnostics import Diagnostic, Label
from dsl.rules import Rules
from dsl.wording import plural
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import BrokenInvariant, Fault, TooLong
from interpreter.sights import REFEREE
from interpreter.views import View
from interpreter.wasm.program import Program
from validators.check import CheckContext, OutOfTime

SECONDS = 0.25
"""How long each machine is played, after the fewest matches."""
FEWEST, FIRST, MOST = 256, 64, 1 << 14
"""The matches that are played in any case; those of the first stretch; those of the longest."""
ENOUGH = 100_000
"""The decisions of a machine after which, if the time is over, fewer matches do."""
LEAST = 10.0
"""Seconds that the search gets even if the time for all checks is over; hardly ever are they needed."""
LONGEST = 20_000
"""The most choices of a match, unless the game has a lower limit."""
FAULTS = 8
"""The faults after which the search stops; they may all be the same."""
PROMISED, CHOICES = 4, 400
"""The matches in which every promise is tested, and the most choices of each."""
SHOWN, REPLAYED = 4, 4000
"""The number of last choices shown, and the longest match that is replayed for them."""


@dataclass(frozen=True)
class Witness:
    """A fault in a random match, and the match that leads to it."""

    diagnostic: Diagnostic
    rules: Rules
    machine: ir.Machine
    seed: int

    @property
    def match(self) -> str:
        return match_in_words(self.machine.seats, self.seed)

    def last_choices(self) -> tuple[Label, ...]:
        """The choices before the fault, if the match is not too long."""
        return self.replayed()[0]

    def replayed(self) -> tuple[tuple[Label, ...], View | None]:
        """The choices before the fault, and the position in which it happens, if it is not too long."""
        labels: deque[Label] = deque(maxlen=SHOWN)
        checked = isinstance(self.diagnostic, BrokenInvariant)
        game = Game(self.rules, self.machine).in_parts
        match = Match(game, seed=self.seed, keep_history=False, checked=checked)
        state = match.state
        try:
            for number, label in enumerate(_played_on(match)):
                labels.append(label)
                state = match.state
                if number > REPLAYED:
                    return (), None
        except Fault:
            return tuple(labels), game.views.view(state, REFEREE)
        return (), None


def match_in_words(seats: int, seed: int) -> str:
    """A random match with default options, in words: its seats and its seed."""
    return f"{plural(seats, 'seat')}, seed {seed}"


@dataclass
class WitnessSearch:
    """The results of random play: the faults by place and code, and the number of matches.

    `undecided` are the machines that have decisions, but whose matches all ended before the first one.
    `complete`: it has done what it must.
    """

    witnesses: dict[tuple[object, str], Witness] = field(default_factory=dict)
    matches: int = 0
    undecided: list[ir.Machine] = field(default_factory=list)
    complete: bool = False


_kept: WeakKeyDictionary[CheckContext, WitnessSearch] = WeakKeyDictionary()


def played(subject: CheckContext, seconds: float = SECONDS) -> WitnessSearch:
    """Plays every machine with default options for some time, once for all checks.

    Every machine plays at least one match, however late it is. Of several faults at one place the first is
    kept. What has been interrupted is not begun again.
    """
    if subject not in _kept:
        _kept[subject] = WitnessSearch()
        _play(subject, seconds, _kept[subject])
    return _kept[subject]


def witnesses(subject: CheckContext) -> Iterator[Witness]:
    """The faults that random play has found. Raises `OutOfTime` after them if it was interrupted."""
    search = played(subject)
    yield from search.witnesses.values()
    if not search.complete:
        raise OutOfTime


def _play(subject: CheckContext, seconds: float, search: WitnessSearch) -> None:
    for machine in subject.machines:
        decisions = 0
        for stretch in chain(_faults(subject, machine, seconds), _broken(subject, machine)):
            search.matches += stretch.matches
            decisions += stretch.decisions
            if stretch.fault is not None:
                diagnostic = stretch.fault.diagnostic
                witness = Witness(diagnostic, subject.rules, machine, stretch.seed)
                search.witnesses.setdefault((diagnostic.span, diagnostic.code), witness)
                decisions += 1
        if not decisions and any(isinstance(node, ir.Decide | ir.Offer) for node in machine.nodes):
            search.undecided.append(machine)
    search.complete = True


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some matches with successive seeds from `seed` on; of a fault, `seed` is that of its match."""

    fault: Fault | None
    seed: int
    matches: int
    decisions: int = 0


# ---- fast


def _faults(subject: CheckContext, machine: ir.Machine, seconds: float) -> Iterator[Stretch]:
    """Stretches of playouts until the time is over, or there are enough faults."""
    try:
        program = Program(replace(machine, longest=min(machine.longest, LONGEST)))
    except Fault as fault:
        yield Stretch(fault, 0, 0)
        return
    until, seed, faults, decisions = thread_time() + seconds, 0, 0, 0
    number = 1 if subject.late else FIRST
    while faults < FAULTS:
        late = subject.late
        enough = seed >= FEWEST or (late and seed > 0 and decisions >= ENOUGH)
        if enough and (late or thread_time() >= until):
            return
        try:
            tally = program.playouts(number, seed)
        except Fault as fault:
            first = _first(program, seed, number)
            broken_off = isinstance(fault.diagnostic, TooLong) and machine.longest > LONGEST
            yield Stretch(None if broken_off else fault, first, first - seed, int(broken_off))
            seed, number, faults = first + 1, 1 if broken_off else FIRST, faults + (not broken_off)
            decisions += LONGEST if broken_off else 0
        else:
            yield Stretch(None, seed, number, tally.decisions)
            seed, number, decisions = seed + number, min(2 * number, MOST), decisions + tally.decisions


def _first(program: Program, seed: int, number: int) -> int:
    """The first seed of a stretch whose playout has a fault."""

    def fails(playouts: int) -> bool:
        try:
            program.playouts(playouts, seed)
        except Fault:
            return True
        return False

    return seed + bisect_left(range(1, number), True, key=fails)


# ---- with every promise


def _broken(subject: CheckContext, machine: ir.Machine) -> Iterator[Stretch]:
    """The first fault, if there is one, in some matches with tests of every promise."""
    if not subject.rules.invariants:
        return
    game = Game(subject.rules, machine).in_parts
    for seed in range(1 if subject.late else PROMISED):
        match = Match(game, seed=seed, keep_history=False, checked=True)
        try:
            for number, _ in zip(count(1), _played_on(match), strict=False):
                if number >= CHOICES:
                    break
        except Fault as fault:
            yield Stretch(fault, seed, 1)
            return
        yield Stretch(None, seed, 1)


def _played_on(match: Match) -> Iterator[Label]:
    """The choices of a match, as playouts make them, each before it is made. Raises `Fault`."""
    below = Choosing(match.seed).below
    names, machine = match.game.names, match.game.machine
    match.start()
    while not match.over:
        waiting = match.waiting()
        one = waiting[below(len(waiting))]
        option = one.options[below(len(one.options))]
        node = machine.decision(one.node)
        yield Label(
            node.span, f"{names.seat(one.seat)} chooses `{' '.join(names.choice(node, option, one.what))}`"
        )
        match.take(one, option)


def random_match(game: Game, seed: int, most: int = REPLAYED) -> Match:
    """The random match of a seed as playouts play it, up to its end, a fault or so many choices."""
    match = Match(game, seed=seed)
    with suppress(Fault):
        for number, _ in enumerate(_played_on(match), 1):
            if number > most:
                break
    return match
