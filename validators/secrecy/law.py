"""The law: two positions that a seat cannot tell apart, and the same steps from there, are the same to it."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from interpreter import machine as m
from interpreter.match import Game, Match
from interpreter.messages import Fault
from interpreter.story import story
from interpreter.views import REFEREE
from validators.secrecy.course import Course
from validators.secrecy.looks import Extra, addresses, asked, looks, refusals
from validators.secrecy.sight import SPECTATOR, Sight
from validators.secrecy.twin import Apart, Twin
from validators.secrecy.worlds import Worlds

LENGTHS = (0, 1, 1, 2, 3)
"""How many steps are compared from a position on."""
WORDS = 8
"""How many words are asked for at a decision that do not come from what is offered."""


@dataclass(frozen=True, slots=True)
class Leak:
    """Something that a seat, or the spectator, can tell from what it cannot see.

    `one` and `other` are what it is told in two worlds that it should not tell apart. `decision` is
    where that appeared, and `log` says all that had happened in the first of them.
    """

    seat: str
    what: str
    one: str
    other: str
    decision: str
    log: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.seat} at {self.decision}: {self.what} is\n  {self.one}\nor\n  {self.other}"


def leaks(
    game: Game, seed: int, steps: int, meant: Collection[str] = (), extra: Extra | None = None
) -> list[Leak]:
    """Plays a random match and looks at every stop for something that a watcher should not know.

    `meant` names actions and decisions that tell a secret by their consequences on purpose: what comes
    of them is not compared. `extra` is what else a program shows of a match.
    """
    return list(_Law(game, seed, frozenset(meant), extra).play(steps))


class _Law:
    """One random match under examination."""

    def __init__(self, game: Game, seed: int, meant: frozenset[str], extra: Extra | None) -> None:
        self.game, self.seed, self.meant, self.extra = game, seed, meant, extra
        self.sight = Sight(game)
        self.worlds = Worlds(game, self.sight)
        self.chooser = random.Random(seed)
        self.log: list[str] = []
        self.words = {code.name for code in game.machine.routines if code.kind in ("action", "effect")}
        self.words |= {"pass", "nothing of this kind 99"}

    def play(self, steps: int) -> Iterator[Leak]:
        match = Match(self.game, self.seed).start()
        for _ in range(steps):
            self.log = story(match, REFEREE)
            yield from self._stop(match)
            if match.over:
                return
            waiting = self.chooser.choice(match.waiting())
            match.take(waiting, self.chooser.choice(waiting.options))

    def _stop(self, match: Match) -> Iterator[Leak]:
        """Every watcher at one stop."""
        watchers = range(SPECTATOR, self.game.machine.seats)
        hiding = [watcher for watcher in watchers if self.worlds.hides(match.state, watcher)]
        if not hiding:
            return
        length = self.chooser.choice(LENGTHS)
        course = Course(self.game, self.sight, self.seed, match.state, length, self.chooser)
        for watcher in hiding:
            try:
                leak = self._compare(course, watcher)
            except Fault:
                continue
            if leak is not None:
                yield leak

    def _compare(self, course: Course, watcher: int) -> Leak | None:
        """The first difference between a course and the same one in another world."""
        known, state = course.known(watcher), course.moments[0].state
        twin = Twin(course, self.sight, watcher, known, self.chooser)
        other = twin.begin(self.worlds.other(state, watcher, known, self.chooser))
        if other.state == state and not (state[m.FORKED] or any(step.outcomes for step in course.steps)):
            return None
        for number, one in enumerate(course.moments):
            leak = self._difference(one, other, watcher)
            if leak is not None or number == len(course.steps) or self._is_meant(course, number):
                return leak
            try:
                twin.follow(number)
            except Apart:
                return None
        return None

    def _is_meant(self, course: Course, number: int) -> bool:
        step = course.moments[number + 1].steps[len(course.moments[number].steps)]
        name = self.game.machine.nodes[course.steps[number].waiting.node]
        assert isinstance(name, m.Decide | m.Offer)
        return bool(self.meant & {step.text.partition(" ")[0], name.name, name.name.rpartition(".")[2]})

    def _difference(self, one: Match, other: Match, watcher: int) -> Leak | None:
        mine, others = one.view(watcher), other.view(watcher)
        if mine != others:
            return self._first(one, watcher, addresses(mine), addresses(others))
        here, there = looks(one, watcher, self.extra), looks(other, watcher, self.extra)
        if here != there:
            return self._first(one, watcher, here, there)
        for what, answer, another in self._answers(one, other, watcher):
            if answer != another:
                return self._leak(one, watcher, what, answer, another)
        return None

    def _answers(self, one: Match, other: Match, watcher: int) -> Iterator[tuple[str, str, str]]:
        """What both worlds answer to the same words at the decisions of a watcher."""
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

    def _first(self, match: Match, watcher: int, here: dict[str, str], there: dict[str, str]) -> Leak:
        """The first thing that is not the same."""
        what = next(what for what in here | there if here.get(what) != there.get(what))
        return self._leak(match, watcher, what, here.get(what, ""), there.get(what, ""))

    def _leak(self, match: Match, watcher: int, what: str, here: str, there: str) -> Leak:
        seat = "the spectator" if watcher < 0 else self.game.names.seat(watcher)
        asked_for = ", ".join(f"{d.seat}: {d.name}" for d in match.decisions()) or "the end"
        return Leak(seat, what, here, there, asked_for, (*self.log, *story(match, REFEREE)))
