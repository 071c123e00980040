"""The test of noninterference: indistinguishable states and the same steps must look the same to a seat."""

from __future__ import annotations

import random
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from dsl.source import Span
from interpreter import ir
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.redacted_log import notated
from interpreter.sights import REFEREE
from validators.secrecy.indistinguishable_states import IndistinguishableStates
from validators.secrecy.laid_open import laid_open
from validators.secrecy.observations import ANSWER, OFFERED, Extra, addresses, asked, observations, refusals
from validators.secrecy.recorded_run import RecordedRun
from validators.secrecy.shadow_run import RunsDiverged, ShadowRun
from validators.secrecy.visibility import SPECTATOR, Visibility

LENGTHS = (0, 1, 1, 2, 3)
"""The numbers of steps that are compared, drawn at random."""
WORDS = 8
"""How many choices that are not offered are tried at a decision."""


@dataclass(frozen=True, slots=True)
class Leak:
    """Something that a seat, or the spectator, learns about what it cannot see.

    `one` and `other` are what it is shown in two states that it should not distinguish; `hidden` lists their
    differences by address. `decision` is where that appeared, `log` the log of the first run. `about` is the
    action or decision that reveals it, `node` its node; `way` are the choices that lead there, each with its
    node.
    """

    seat: str
    what: str
    one: str
    other: str
    decision: str
    log: tuple[str, ...]
    about: str = ""
    node: int = -1
    way: tuple[tuple[int, str], ...] = ()
    hidden: tuple[tuple[str, str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.seat} at {self.decision}: {self.what} is\n  {self.one}\nor\n  {self.other}"


def leaks(
    game: Game,
    seed: int,
    steps: int,
    meant: Collection[str] = (),
    extra: Extra | None = None,
    at_table: bool = False,
) -> Iterator[Leak]:
    """Plays a random match and tests noninterference for every watcher at every stop.

    It is lazy: it plays only as far as leaks are requested. `meant` names actions and decisions that reveal
    something on purpose: their options and effects are not compared. `extra` is what else a program shows of
    a match. `at_table`: seats are asked about first, and what all of them see is told to spectators.
    """
    return _Test(game, seed, frozenset(meant), extra, at_table).play(steps)


class _Test:
    """The test of one random match."""

    def __init__(
        self, game: Game, seed: int, meant: frozenset[str], extra: Extra | None, at_table: bool
    ) -> None:
        self.game, self.seed, self.meant, self.extra, self.at_table = game, seed, meant, extra, at_table
        self.visibility = Visibility(game)
        self.states = IndistinguishableStates(game, self.visibility)
        self.laid_open = laid_open(game)
        self.chooser = random.Random(seed)
        self.log: list[str] = []
        self.made: list[tuple[int, str]] = []
        self.words = {code.name for code in game.machine.routines if code.kind in ("action", "effect")}
        self.words |= {"pass", "nothing of this kind 99"}

    def play(self, steps: int) -> Iterator[Leak]:
        match = Match(self.game, self.seed)
        yield from self._watched(match, None)
        match.start()
        for _ in range(steps):
            self.log = notated(match, REFEREE)
            yield from self._watched(match, match.state)
            if match.over:
                return
            waiting = self.chooser.choice(match.waiting())
            step = match.take(waiting, self.chooser.choice(waiting.options))
            self.made.append((waiting.node, f"{step.seat}: {step.text}"))

    def _watched(self, match: Match, s: array[int] | None) -> Iterator[Leak]:
        """The leaks to every watcher of a run from a position on; without one, of the set-up."""
        watchers: Sequence[int] = range(SPECTATOR, self.game.machine.seats)
        watchers = [*watchers[1:], SPECTATOR] if self.at_table else watchers
        hiding = [watcher for watcher in watchers if self.states.hides(match.state, watcher)]
        if not hiding:
            return
        length = self.chooser.choice(LENGTHS) if s is not None else 0
        run = RecordedRun(self.game, self.visibility, self.seed, s, length, self.chooser, self.at_table)
        for watcher in hiding:
            try:
                leak = self._compare(run, watcher)
            except Fault:
                continue
            if leak is not None and leak.about not in self.meant:
                yield leak

    def _compare(self, run: RecordedRun, watcher: int) -> Leak | None:
        """The first difference between a run and its shadow run."""
        known, state = run.known(watcher), run.moments[0].state
        shadow = ShadowRun(run, self.visibility, watcher, known, self.chooser, self.laid_open)
        start = self.states.other(state, watcher, known, self.chooser)
        if not self._can_be(run, start):
            return None
        other = shadow.begin(start[:])
        if other.state == state and not (state[ir.FORKED] or any(step.draws for step in run.steps)):
            return None
        for number, one in enumerate(run.moments):
            found = self._difference(one, other, watcher) if one.steps else None
            if found is not None:
                leak = self._leak(run, number, watcher, *found)
                states = (state, start) if run.moments[0].steps else (one.state, other.state)
                return replace(leak, hidden=tuple(_differences(self.game, *states)))
            if number == len(run.steps) or self._is_meant(run, number):
                return None
            try:
                shadow.follow(number)
            except RunsDiverged:
                return None
        return None

    def _can_be(self, run: RecordedRun, state: array[int]) -> bool:
        """Whether a position of play keeps the promises of the rules."""
        if not run.moments[0].steps or state[ir.FORKED]:
            return True
        try:
            self.game.reference.check_promises(state[:])
        except Fault:
            return False
        return True

    def _is_meant(self, run: RecordedRun, number: int) -> bool:
        step = run.moments[number + 1].steps[len(run.moments[number].steps)]
        choice = run.steps[number].choice
        if choice is None:
            return False
        return is_meant(self.game, choice.waiting.node, step.text, self.meant)

    def _difference(self, one: Match, other: Match, watcher: int) -> LookDifference | None:
        """The first observation that differs: what it is, and its two values."""
        mine, others = one.view(watcher), other.view(watcher)
        if mine != others:
            return _first(addresses(mine), addresses(others))
        here, there = observations(one, watcher, self.extra), observations(other, watcher, self.extra)
        if here != there:
            return _first(here, there)
        for found in self._answers(one, other, watcher):
            if found[1] != found[2]:
                return found
        return None

    def _answers(self, one: Match, other: Match, watcher: int) -> Iterator[LookDifference]:
        """The answers in both states to the same words at the decisions of a watcher."""
        here, there = one.decisions(), other.decisions()
        texts = {c.text for d in (*here, *there) for c in d.choices}
        self.words |= texts
        pairs = zip(asked(self.game, here, watcher), asked(self.game, there, watcher), strict=True)
        for mine, theirs in pairs:
            words = sorted(self.words - texts)
            words = sorted(texts) + self.chooser.sample(words, min(WORDS, len(words)))
            found, found_there = refusals(one, mine, words), refusals(other, theirs, words)
            for what in found | found_there:
                yield what, found.get(what, "offered"), found_there.get(what, "offered")

    # ---- description of a leak

    def _leak(self, run: RecordedRun, number: int, watcher: int, what: str, here: str, there: str) -> Leak:
        match, steps = run.moments[number], run.steps[:number]
        seat = "the spectator" if watcher < 0 else self.game.names.seat(watcher)
        asked_for = ", ".join(f"{d.seat}: {d.name}" for d in match.decisions()) or "the end"
        log = (*self.log, *notated(match, REFEREE))
        chosen = [step.text for step in match.steps if step.seat is not None]
        made = [
            (c.waiting.node, f"{self.game.names.seat(c.waiting.seat)}: {t}")
            for c, t in zip([s.choice for s in steps if s.choice is not None], chosen, strict=True)
        ]
        way = (*self.made, *made)
        about, node = self._revealed_by(match, way if made else (), watcher, what, here, there)
        if steps and not made and what != OFFERED and not what.startswith(ANSWER):
            about, node = next(iter(self.game.rules.phases)), self.game.machine.start
        return Leak(seat, what, here, there, asked_for, log, about, node, way)

    def _revealed_by(
        self, match: Match, way: Sequence[tuple[int, str]], watcher: int, what: str, here: str, there: str
    ) -> tuple[str, int]:
        """What reveals it, and its node: what is offered or refused now, else what was done last."""
        waiting = match.waiting()
        own = [w.node for w in waiting if w.seat == watcher]
        if own and what == OFFERED:
            lines = set(here.splitlines()) ^ set(there.splitlines())
            return revealing(self.game, own[0], min(lines, default="")), own[0]
        if own and what.startswith(ANSWER):
            return revealing(self.game, own[0], what.removeprefix(ANSWER).strip("`")), own[0]
        if way:
            node, text = way[-1]
            return revealing(self.game, node, text.partition(": ")[2]), node
        if not waiting:
            return self.game.machine.name, -1
        return revealing(self.game, waiting[0].node, ""), waiting[0].node


def is_meant(game: Game, number: int, text: str, meant: Collection[str]) -> bool:
    """Whether a choice reveals something on purpose: its action, its decision or the routine of that."""
    name = game.machine.decision(number).name
    names = {text.partition(" ")[0], name, name.rpartition(".")[2], revealing(game, number, text)}
    return not names.isdisjoint(meant)


def revealing(game: Game, number: int, text: str) -> str:
    """The action that words at a decision begin with; else the routine of the decision, or its name."""
    node, machine = game.machine.decision(number), game.machine
    first = text.partition(" ")[0]
    if isinstance(node, ir.Offer) and first in {code.name for code in machine.routines}:
        return first
    before = [c for c in machine.routines if c.kind != "branch" and _begins_before(c.span, node.span)]
    inside = max(before, key=lambda code: code.span.start, default=None)
    if inside is not None and inside.kind in ("action", "effect", "procedure"):
        return inside.name
    return node.name.rpartition(".")[2]


LookDifference = tuple[str, str, str]
"""What differs, and its values in two states."""


def _begins_before(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start


def _first(here: dict[str, str], there: dict[str, str]) -> LookDifference:
    what = next(what for what in here | there if here.get(what) != there.get(what))
    return what, here.get(what, ""), there.get(what, "")


def _differences(game: Game, one: array[int], other: array[int]) -> Iterator[LookDifference]:
    """What differs between two states, by address: pieces, then counters, marks and pointers."""
    here, there = (game.views.view(s, REFEREE) for s in (one, other))
    for address, found in here.zones.items():
        if found != there.zones[address]:
            yield address, _pieces(found), _pieces(there.zones[address])
    mine, others = addresses(here), addresses(there)
    for address in (*here.counters, *here.marks, *here.pointers):
        value, another = (known[f"the view of {address}"] for known in (mine, others))
        if value != another:
            yield address, value, another


def _pieces(found: list[str] | int | None) -> str:
    return ", ".join(found) or "empty" if isinstance(found, list) else str(found)
