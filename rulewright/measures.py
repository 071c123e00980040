"""How long matches of a game are and how heavy it is, measured in matches of bots, kept with the library.

All seats are bots that search by 50 iterations. *Length* is the mean number of decisions with more than one
choice, of all seats together; the minutes are estimated from it: a person takes `SECONDS` for each decision,
and `A_BIT` more for each doubling of the choices, and those who are asked at once think at the same time.

*Weight* adds up doublings. `nodes` is how many nodes the machine of the rules has: what there is to learn.
`bits` is the mean of log2 of the choices at decisions: how many there are to compare. `depth` is at how many
of the sizes 1, 16, 64 and 256 a search still gains from more iterations: at some of the decisions, what it
chooses is judged by a search of 1,024, and a size counts if its choices lose more than `GAIN` of a win on
average. The load is `RULES · log2(nodes) + CHOICES · bits + depth`. It is a cheap measure: it says that one
game asks for more than another one, not how much more, and two that are near each other may change places.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

from interpreter.bots.bot import Bot
from interpreter.bots.budget import Budget
from interpreter.bots.random import RandomBot
from interpreter.bots.search import Problem, SearchBot
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import bundled_folder, open_game, read_rules

Weight: TypeAlias = Literal["light", "medium", "heavy"]
PlayedBy: TypeAlias = Literal["search", "random"]
WEIGHTS: tuple[tuple[Weight, float], ...] = (("light", 14.0), ("medium", 17.5), ("heavy", math.inf))
"""The weights, each with the number below which it lies."""
RULES, CHOICES = 2.0, 0.5
SECONDS, A_BIT = 2.0, 2.0
MATCHES, POSITIONS = 5, 24
MOST_SECONDS = 16.0
"""Seconds of the processor for the matches of one number of seats, and for the positions."""
PLAYER, STEPS, JUDGE = 50, (1, 16, 64, 256), 1_024
GAIN = 0.02
FILE = "measures.json"


@dataclass(frozen=True, slots=True)
class Length:
    """Matches of so many seats: the mean number of decisions, and the minutes that people may take."""

    seats: int
    decisions: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Measures:
    """What was measured of a game; `digest` is that of the rules. `lengths` are with the fewest seats and
    with the most.

    `by` is `random` where the bots could not end one match in the time.
    """

    digest: str
    lengths: tuple[Length, ...]
    nodes: int
    bits: float
    depth: int
    by: PlayedBy = "search"

    @property
    def has_lengths(self) -> bool:
        """Whether the lengths are those of people: matches at random last much longer."""
        return self.by == "search"

    @property
    def load(self) -> float:
        """The number that the weight is made from."""
        return RULES * math.log2(max(1, self.nodes)) + CHOICES * self.bits + self.depth

    @property
    def weight(self) -> Weight:
        return next(weight for weight, below in WEIGHTS if self.load < below)

    def length(self, seats: int) -> Length:
        """The length with so many seats, on a line between the two that were measured."""
        first, last = self.lengths[0], self.lengths[-1]
        if first.seats == last.seats:
            return replace(first, seats=seats)
        part = (seats - first.seats) / (last.seats - first.seats)
        decisions = first.decisions + part * (last.decisions - first.decisions)
        minutes = first.minutes + part * (last.minutes - first.minutes)
        return Length(seats, max(1, round(decisions)), max(1, round(minutes)))


# ---- kept


@lru_cache(1)
def kept_measures() -> Mapping[str, Measures]:
    """What was measured of the bundled games, by name; empty where that file is missing."""
    try:
        found: dict[str, Any] = json.loads((bundled_folder() / FILE).read_text("utf-8"))
    except OSError:
        return {}
    return {name: _from_json(one) for name, one in found.items()}


def measures_of(name: str, digest: str) -> Measures | None:
    """What was measured of a bundled game; None if its rules have changed since."""
    found = kept_measures().get(name)
    return found if found is not None and found.digest == digest else None


def measures_text(found: Mapping[str, Measures]) -> str:
    """The file of measures, a line for each game."""
    lines = (f"{json.dumps(name)}: {json.dumps(asdict(found[name]))}" for name in sorted(found))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _from_json(one: dict[str, Any]) -> Measures:
    return Measures(**{**one, "lengths": tuple(Length(**length) for length in one["lengths"])})


def measures_path() -> Path:
    """The file of measures of the bundled games."""
    return bundled_folder() / FILE


# ---- measuring


@dataclass
class _Matches:
    """Matches that were played: what was counted of each, and some decisions out of them."""

    decisions: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    bits: list[float] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    drawn: Random = field(default_factory=lambda: Random(0))

    def note(self, number: int, problem: Callable[[], Problem]) -> None:
        """Count a decision with so many choices, and keep it with the chance that each one has."""
        self.bits.append(math.log2(number))
        if len(self.problems) < POSITIONS:
            self.problems.append(problem())
        elif (place := self.drawn.randrange(len(self.bits))) < POSITIONS:
            self.problems[place] = problem()


def measure(name: str) -> Measures:
    """Measure a game by name or path. Raises `DiagnosticError` or `ErrorsReported`."""
    rules, _ = read_rules(name)
    played: list[tuple[int, _Matches]] = []
    by: PlayedBy = "search"
    nodes = 0
    for seats in sorted(set(rules.seats)):
        game = open_game(name, seats)
        nodes = len(game.machine.nodes)
        found = _played(game, SearchBot(Budget(iterations=PLAYER)))
        if not found.decisions:
            by, found = "random", _played(game, RandomBot())
        played.append((seats, found))
    bits = [bit for _, found in played for bit in found.bits]
    return Measures(
        rules.digest,
        tuple(_length(seats, found) for seats, found in played),
        nodes,
        round(sum(bits) / max(1, len(bits)), 2),
        _depth([problem for _, found in played for problem in found.problems]),
        by,
    )


def _length(seats: int, found: _Matches) -> Length:
    number = max(1, len(found.decisions))
    minutes = sum(found.seconds) / number / 60
    return Length(seats, max(1, round(sum(found.decisions) / number)), max(1, round(minutes)))


def _played(game: Game, bot: Bot) -> _Matches:
    """Matches in which all seats are a bot, as many as the time allows."""
    found, end = _Matches(), time.process_time() + MOST_SECONDS
    searching = SearchBot(Budget(iterations=JUDGE))
    for seed in range(MATCHES):
        match, decisions, seconds = Match(game, seed=seed).start(), 0, 0.0
        while not match.over and time.process_time() < end:
            asked = match.waiting()
            waiting = asked[0]
            number = len(waiting.options) + sum(one.size for one in waiting.ranges)
            if number > 1:
                found.note(number, partial(searching.problem, match, waiting, seed))
                decisions, seconds = decisions + 1, seconds + (SECONDS + A_BIT * found.bits[-1]) / len(asked)
            match.take(waiting, bot.choose(match, waiting, seed))
        if match.over:
            found.decisions.append(decisions)
            found.seconds.append(seconds)
    return found


def _depth(problems: Sequence[Problem]) -> int:
    """How many of the smaller searches choose what is worth less to the largest one."""
    losses: list[list[float]] = []
    end = time.process_time() + MOST_SECONDS
    for problem in problems:
        if time.process_time() > end:
            break
        judged = problem.solve(Budget(iterations=JUDGE), deadline=2.0)
        values = {thought.choice.text: thought.value for thought in judged.choices if thought.visits}
        if judged.solved:
            values = {thought.choice.text: thought.value for thought in judged.choices}
        if len(values) > 1:
            smaller = (problem.solve(Budget(iterations=step), deadline=2.0) for step in STEPS)
            best, worst = judged.choices[0].value, min(values.values())
            losses.append([max(0.0, best - values.get(one.best.text, worst)) for one in smaller])
    return sum(sum(step) / len(step) > GAIN for step in zip(*losses, strict=True))
