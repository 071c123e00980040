"""Choices that only lose: never better than the others, whatever is hidden and whatever chance brings.

Nothing is predicted: a position is compared only if nobody decides anything between it and what is compared.
"""

from __future__ import annotations

import random
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from operator import sub

from dsl.rules import Rules
from interpreter import ir
from interpreter.executor_protocol import PASS
from interpreter.game import Game
from interpreter.ir.position_words import position_words
from interpreter.messages import Fault
from interpreter.reference import pieces
from validators.endless_play import EndlessPlay
from validators.explore.state_key import slices
from validators.explore.stepping import WORLD, Move, won
from validators.secrecy.indistinguishable_states import IndistinguishableStates, Known, tokens_of
from validators.secrecy.visibility import SPECTATOR, Visibility

WORLDS = 60
"""How many deals of what is hidden are tried besides the one that is."""
LONGEST = 60
"""The most stops, of chance or with one choice, between a choice and what it comes to."""

Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Worth:
    """What a stop is worth to a seat, or the least or most of several; the higher each number, the better.

    `account`: whether it has won, and its total. `owned`: the total of the others negated, each of its
    counters, how many pieces it has.
    """

    account: Numbers
    owned: Numbers


@dataclass(frozen=True, slots=True)
class Course:
    """The stops after a choice: to the end of the match (`over`), or to the next one where a seat decides.

    Chance chooses the same at the same place of the rules in all courses with one seed.
    """

    stops: tuple[bytes, ...]
    over: bool


class Dominance:
    """Compares the choices in positions of one machine."""

    def __init__(self, rules: Rules, play: EndlessPlay) -> None:
        self.play, self.machine = play, play.machine
        self.game = Game(rules, play.machine)
        self.visibility = Visibility(self.game)
        self.states = IndistinguishableStates(self.game, self.visibility)

    def lesser(self, state: bytes, moves: Sequence[Move]) -> tuple[Move, ...]:
        """The choices of one kind that only lose: each is worse than all others, and none is ever better.

        Kinds are the actions of a decision, and to decline. All choices lead to the end of the match, or
        sometimes all to one position in which only numbers of seats differ.
        """
        kinds = defaultdict[int, list[int]](list)
        for i, move in enumerate(moves):
            kinds[move.part if move.option != PASS else PASS[0]].append(i)
        trial = _Trial(self, moves)
        try:
            found = trial.worst(kinds.values()) if len(kinds) > 1 and self._tried(trial, state, kinds) else []
        except Fault:
            return ()
        return tuple(moves[i] for i in found)

    def _tried(self, trial: _Trial, state: bytes, kinds: dict[int, list[int]]) -> bool:
        """Whether the choices can be compared in a position, and in all that look the same to everybody."""
        if not trial.play(state, 0) or not trial.could(kinds.values()):
            return False
        chooser = random.Random(1)
        s = array("i", state)
        known = Known(tokens_of(self.game, s))
        for number in range(1, WORLDS + 1):
            other = self.states.other(s, SPECTATOR, known, chooser).tobytes()
            if self.play.steps.moves(other) != trial.moves or not trial.play(other, number):
                return False
            if not trial.could(kinds.values()):
                return False
        return True

    def course(self, state: bytes, move: Move, seed: int) -> Course | None:
        """What follows a choice by itself; none if that is too long."""
        steps, stops, visits = self.play.steps, [self.play.steps.after(state, move)], Counter[int]()
        while len(stops) <= LONGEST:
            self.play.flow.tick()
            moves = steps.moves(stops[-1])
            if not moves or (len(moves) > 1 and moves[0].branch != WORLD):
                return Course(tuple(stops), not moves)
            node = moves[0].node
            visits[node] += 1
            chooser = random.Random(hash((seed, node, visits[node])))
            stops.append(steps.after(stops[-1], chooser.choice(moves)))
        return None

    # ---- what a position is worth

    def seat(self, state: bytes, move: Move) -> int:
        """The seat that is asked."""
        waiting = self.game.reference.waiting(array("i", state))
        return next(w.seat for w in waiting if (w.node, w.branch) == (move.node, move.branch))

    def worth(self, state: bytes, seat: int) -> Worth:
        """What a stop is worth to a seat."""
        s = array("i", state)
        has_won = won(self.game.reference, s) >> seat & 1 if s[ir.STATUS] else 0
        totals = [self._total(s, x) for x in range(self.machine.seats)]
        counted = (s[word] for word in self._counters[seat])
        held = sum(pieces.count(s, self.machine.places[number]) for number in self._places[seat])
        return Worth((has_won, totals[seat]), (totals[seat] - sum(totals), *counted, held))

    def rest(self, state: bytes) -> bytes:
        """What matters of a position besides the counters of seats and the banks that they are paid from."""
        return b"".join([state[part] for part in self._rest])

    def _total(self, s: array[int], seat: int) -> int:
        total = sum(value for code, value in self.game.reference.score(s, seat) if code.kind == "score")
        return -total if self.machine.best == "lowest" else total

    @cached_property
    def _counters(self) -> dict[int, list[int]]:
        """The words of each seat's counters."""
        found = defaultdict[int, list[int]](list)
        for var in self.machine.variables.values():
            for word in range(var.base, var.base + var.size):
                owner = var.owner(word)
                if var.kind == "counter" and owner is not None:
                    found[owner].append(word)
        return found

    @cached_property
    def _rest(self) -> tuple[slice, ...]:
        counters = self.game.rules.counters
        own = {
            var.name for var in self.machine.variables.values() if var.kind == "counter" and var.of == "seat"
        }
        names = own | {counters[name].bank for name in own}
        variables = [var for name, var in self.machine.variables.items() if name in names]
        gone = {word for var in variables for word in range(var.base, var.base + var.size)}
        return slices(word for word in position_words(self.machine) if word not in gone)

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        """The places of each seat."""
        found = defaultdict[int, list[int]](list)
        for number in range(len(self.machine.places)):
            owner = self.visibility.owner(number)
            if owner is not None:
                found[owner].append(number)
        return found


class _Trial:
    """What some choices of one seat have come to so far: for each the least and the most."""

    def __init__(self, dominance: Dominance, moves: Sequence[Move]) -> None:
        self.dominance, self.moves = dominance, moves
        self.bounds: dict[int, tuple[Worth, Worth]] = {}
        self.open, self.over = set[int](), False
        self.seat: int | None = None

    def play(self, state: bytes, seed: int) -> bool:
        """Tries each choice once more, and says whether what they come to can still be compared."""
        courses: list[Course] = []
        common: list[bytes] | None = None
        for move in self.moves:
            course = self.dominance.course(state, move, seed)
            if course is None:
                return False
            if not course.over:
                rests = [self.dominance.rest(stop) for stop in course.stops]
                common = rests if common is None else [rest for rest in common if rest in rests]
                if not common:
                    return False
            courses.append(course)
        if self.seat is None:
            self.seat = self.dominance.seat(state, self.moves[0])
        going = {i: course for i, course in enumerate(courses) if not course.over}
        self.open.update(going)
        self.over |= len(going) < len(courses)
        met = self._met(list(going.values()), common[0]) if common and len(going) > 1 else []
        ended = [(i, course.stops[-1]) for i, course in enumerate(courses) if course.over]
        for i, stop in (*ended, *zip(going, met, strict=False)):
            worth = self._worth(stop)
            least, most = self.bounds.get(i, (worth, worth))
            self.bounds[i] = _of_each(min, (least, worth)), _of_each(max, (most, worth))
        return True

    def _met(self, courses: Sequence[Course], rest: bytes) -> list[bytes]:
        """The stops at which courses meet: the first of those from which on the same happens in all of them.

        There something may still differ that no rule reads any more before it is written.
        """
        at = [next(i for i, x in enumerate(c.stops) if self.dominance.rest(x) == rest) for c in courses]
        back, met = 0, [course.stops[i] for course, i in zip(courses, at, strict=True)]
        while back < min(at):
            before = [course.stops[i - back - 1] for course, i in zip(courses, at, strict=True)]
            if len({memoryview(stop).cast("i")[ir.PC] for stop in before}) > 1 or self._differ(before, met):
                break
            back, met = back + 1, before
        return met

    def _differ(self, before: Sequence[bytes], after: Sequence[bytes]) -> bool:
        """Whether something else has changed in one course than in the others."""
        pairs = [(self._worth(a), self._worth(b)) for a, b in zip(before, after, strict=True)]
        changes = {tuple(map(sub, b.account + b.owned, a.account + a.owned)) for a, b in pairs}
        return len(changes) > 1

    def _worth(self, stop: bytes) -> Worth:
        return self.dominance.worth(stop, self.seat or 0)

    def could(self, kinds: Iterable[Sequence[int]]) -> bool:
        """Whether the choices of a kind have never been better than the others."""
        bounds = self.bounds
        return any(all(not _less(bounds[y][0], bounds[x][1]) for x, y in self._pairs(kind)) for kind in kinds)

    def worst(self, kinds: Iterable[Sequence[int]]) -> Sequence[int]:
        """The choices of the kind that was never better than the others, and sometimes worse than each."""
        if len(self.bounds) < len(self.moves) or 0 < len(self.open) < len(self.moves):
            return []
        for kind in kinds:
            if all(self._is_worse(x, y) for x, y in self._pairs(kind)):
                return kind
        return []

    def _is_worse(self, one: int, other: int) -> bool:
        """Whether one choice comes to no more than another, and once to less.

        At the end of a match it comes to as much if the other one fails: a certain gain may be left there.
        """
        (_, most), (least, best) = self.bounds[one], self.bounds[other]
        certain = least.account != most.account
        return not _less(least, most) and best.account != most.account and not (certain and self.over)

    def _pairs(self, kind: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Each choice of a kind with each other one, of those that have come to something."""
        others = (i for i in range(len(self.moves)) if i not in kind and i in self.bounds)
        return product((i for i in kind if i in self.bounds), others)


def _of_each(pick: Callable[[Iterable[int]], int], worths: Sequence[Worth]) -> Worth:
    """The least or the most of each number."""
    parts = zip(*((worth.account, worth.owned) for worth in worths), strict=True)
    account, owned = (tuple(map(pick, zip(*part, strict=True))) for part in parts)
    return Worth(account, owned)


def _less(one: Worth, other: Worth) -> bool:
    pairs = zip(one.account + one.owned, other.account + other.owned, strict=True)
    return any(a < b for a, b in pairs)
