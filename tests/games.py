"""The bundled games, each read and compiled once in a process, and the tables at which they are played."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

import pytest

from dsl.diagnostics import Report
from dsl.domains import IntType
from dsl.load import Questions, load_for_questions
from dsl.rules import Option, Rules
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from rulewright.library import bundled, find, folder

Table = tuple[str, int, tuple[tuple[str, str], ...]]
"""A bundled game, the number of seats, and options that are not as by default."""


TRIED_EACH_TIME = frozenset(
    {
        "augustus",
        "backgammon",
        "breakthrough",
        "connect_four",
        "constantinopolis",
        "hex",
        "kalah",
        "kuhn_poker",
        "leduc_poker",
        "nine_mens_morris",
        "othello",
        "oware",
        "pig",
        "roll_through_the_ages",
        "roma",
        "tic_tac_toe",
        "trajan",
        "yacht",
    }
)
"""The games that every test tries. The others are the library: see `tests/library`."""
EACH_TIME = tuple(sorted(TRIED_EACH_TIME))
LIBRARY = frozenset(bundled()) - TRIED_EACH_TIME


@cache
def loaded(name: str) -> tuple[Rules, Report, Questions]:
    return load_for_questions(folder(find(name)))


def rules_of(name: str) -> Rules:
    return loaded(name)[0]


@cache
def compiled(table: Table) -> ir.Machine:
    name, seats, options = table
    return compile_rules(rules_of(name), seats, dict(options))


def seated(table: Table) -> tuple[Rules, ir.Machine]:
    return rules_of(table[0]), compiled(table)


@cache
def game_of(name: str, seats: int, options: tuple[tuple[str, str], ...] = ()) -> Game:
    """A game on the reference executor, shared by all tests of a process."""
    return Game(*seated((name, seats, options)))


def lines_of(name: str) -> int:
    """The lines of `game.yaml` and the rules, without blank ones and comments."""
    path = find(name)
    texts = [p.read_text("utf-8") for p in (path / "game.yaml", *path.glob("*.rules"))]
    return sum(bool(re.sub(r"#.*", "", line).strip()) for text in texts for line in text.splitlines())


def named(table: Table) -> str:
    name, seats, options = table
    return " ".join([name, str(seats), *(f"{k}={v}" for k, v in options)])


# ---- which tables


def of_the_library(value: object) -> bool:
    """Whether the value of a parameter is a game of the library, or a table at which one is played."""
    name = value[0] if isinstance(value, tuple) and value else value
    return isinstance(name, str) and name in LIBRARY


def tables() -> list[Table]:
    """Every bundled game with every number of seats."""
    limits = [(name, *seats_of(name)) for name in bundled()]
    return [(name, seats, ()) for name, low, high in limits for seats in range(low, high + 1)]


def ends() -> list[Table]:
    """Every bundled game with its fewest and its most seats."""
    return [(name, seats, ()) for name in bundled() for seats in dict.fromkeys(seats_of(name))]


def fewest() -> list[Table]:
    """Every bundled game with its fewest seats."""
    return [(name, seats_of(name)[0], ()) for name in bundled()]


def few() -> list[Table]:
    """Every bundled game with its fewest seats, but at least two where so many can play."""
    return [(name, sorted((2, *seats_of(name)))[1], ()) for name in bundled()]


def switched(ranges: bool = False) -> list[Table]:
    """Every bundled game with each option and ruling set to each other value, one at a time.

    Options that are numbers are left alone, or with `ranges` set to the ends of their ranges.
    """
    return [
        (name, seats_of(name)[1], ((option, value),))
        for name in bundled()
        for option, values in _others(name, ranges).items()
        for value in values
    ]


def mixed(ranges: bool = False) -> list[Table]:
    """Every bundled game with all its options and rulings at other values at once: each value is met once."""
    found: list[Table] = []
    for name in bundled():
        others = _others(name, ranges)
        for k in range(max(map(len, others.values()), default=0)):
            chosen = tuple((option, values[k % len(values)]) for option, values in others.items())
            found.append((name, seats_of(name)[1], chosen))
    return found


def _others(name: str, ranges: bool) -> dict[str, list[str]]:
    """The options and rulings of a game, each with its values that are not the default."""
    found = {option.name: _values(option, ranges) for option in rules_of(name).options.values()}
    return {option: values for option, values in found.items() if values}


def _values(option: Option, ranges: bool) -> list[str]:
    if isinstance(option.type, IntType):
        limits = (option.type.lo, option.type.hi) if ranges else ()
        return [str(n) for n in limits if n != option.default]
    return [value for i, value in enumerate(option.values) if i != option.default]


def seats_of(name: str) -> tuple[int, int]:
    """The fewest seats of a game, and the most."""
    return rules_of(name).seats


LARGE = ("constantinopolis", "trajan")
"""Games whose modules take long to make. Where smaller ones show the same, they are left to the long mode."""


def smaller(found: Iterable[Table]) -> list[Table]:
    return [table for table in found if table[0] not in LARGE]


long_mode = True
"""Whether tests of the long mode are wanted; set before any are collected."""


def sample(every: Iterable[Any], kept: Collection[Any]) -> list[Any]:
    """Values of one parameter: a test tries those that are kept each time, the others in the long mode."""
    wanted = [one for one in every if long_mode or one in kept]
    return [pytest.param(one, marks=() if one in kept else pytest.mark.long) for one in wanted]
