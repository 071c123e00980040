"""`docs/language-constructs.md` says which games use what, and what no game uses is shown by an example.

`--bless` writes the page anew.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

import tests.spec.written
from dsl.declare import boards, components, flow, links, state_vars, zones
from dsl.declare.presets import CHANGED
from dsl.declare.sections import SECTIONS
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Sequence, read
from dsl.grammar import parse_question
from dsl.source import Source
from dsl.syntax import Definition, Expr, Line
from rulewright.library import bundled, bundled_folder, folder
from tests.conftest import Golden
from tests.spec.catalogue import CHAPTERS
from tests.spec.constructs import constructs
from tests.spec.test_spec import CASES, Case, folder_of
from tests.spec.written import written

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "language-constructs.md"
DECISION = ROOT / "docs" / "decisions" / "0014-constructs-of-one-game.md"
LARGE = {
    "roma": "Roma",
    "roll_through_the_ages": "Roll Through the Ages",
    "trajan": "Trajan",
    "augustus": "Augustus",
    "constantinopolis": "Constantinopolis",
}
CHAPTER = re.compile(r"(?<=^# Which games use what\n).*\Z", re.MULTILINE | re.DOTALL)
INTRODUCTION = """
Of the five large games, which use what. `+2` says that two of the small games use it too; where no large \
game does, they are named or counted. What no bundled game uses is shown by an example in `tests/spec` or \
`tests/generality`, and [decision 0014](decisions/0014-constructs-of-one-game.md) says why it is there, as \
it does of what one game alone uses. This page is computed from the rulesets.
"""


@cache
def uses() -> dict[str, frozenset[str]]:
    """What each bundled game uses."""
    return {name: constructs(folder(bundled_folder() / name)) for name in bundled()}


@cache
def shown() -> frozenset[str]:
    """What examples use that are played: cases with scenarios, and the games of `tests/generality`."""
    others = [folder(path.parent) for path in (ROOT / "tests" / "generality").glob("*/game.yaml")]
    cases = [case for case in CASES if case.scenarios]
    found = [constructs(f) for f in (*others, *(folder_of(case) for case in cases))]
    return frozenset().union(*found, *(asked(case) for case in cases))


def asked(case: Case) -> set[str]:
    """What the questions of a case's scenarios use."""
    found: set[str] = set()
    for text in case.scenarios:
        scenarios = read(Source("scenario", text))
        for scenario in scenarios.items if isinstance(scenarios, Sequence) else ():
            then = scenario.get("then") if isinstance(scenario, Mapping) else None
            for key, _ in then.pairs if isinstance(then, Mapping) else ():
                try:
                    found.update(written(parse_question(Source("question", key.text))))
                except DiagnosticError:
                    continue
    return found


# ---- the page


def chapter() -> str:
    return INTRODUCTION + "".join(table(name, rows) for name, rows in CHAPTERS.items()) + "\n"


def table(name: str, rows: tuple[str, ...]) -> str:
    """The constructs by the games that use them, those of many games first."""
    found: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        found.setdefault(users(row), []).append(row)
    lines = [f"| {said(group)} | {', '.join(map(cell, found[group]))} |" for group in sorted(found, key=rank)]
    return "\n".join(["", f"| {name} of | |", "|---|---|", *lines, ""])


def users(row: str) -> tuple[str, ...]:
    """The large games that use a construct; or else `small` if a small one does."""
    large = tuple(game for game in LARGE if row in uses()[game])
    return large or (("small",) if small(row) else ())


def rank(group: tuple[str, ...]) -> tuple[int, list[int]]:
    order = [*LARGE, "small"]
    return (-len(group), [order.index(game) for game in group])


def said(group: tuple[str, ...]) -> str:
    missing = [name for game, name in LARGE.items() if game not in group]
    match len(group):
        case 0:
            return "no game"
        case 5:
            return "all five"
        case 4:
            return f"all but {missing[0]}"
    return ", ".join(LARGE.get(game, "small games") for game in group)


def cell(row: str) -> str:
    """A construct, and how many small games use it; their names if nobody else does."""
    games = small(row)
    if users(row) == ("small",):
        return f"{row} ({', '.join(map(title, games)) if len(games) <= 2 else len(games)})"
    return f"{row} +{len(games)}" if games and users(row) else row


def small(row: str) -> list[str]:
    return [game for game in uses() if game not in LARGE and row in uses()[game]]


def title(name: str) -> str:
    text = (bundled_folder() / name / "game.yaml").read_text("utf-8")
    found = re.search(r"^title: (.*)$", text, re.MULTILINE)
    return found[1].strip("\"'") if found else name


def test_the_page_says_which_games_use_what(golden: Golden) -> None:
    page = PAGE.read_text("utf-8")
    assert CHAPTER.search(page), "the page has lost its title"
    golden(PAGE, CHAPTER.sub(lambda _: chapter().rstrip() + "\n", page))


def test_what_one_game_uses_has_its_reason() -> None:
    decided = DECISION.read_text("utf-8")
    rare = [row for row in listed() if sum(row in used for used in uses().values()) < 2]
    assert [row for row in rare if row not in decided] == []


# ---- the list of constructs


def listed() -> list[str]:
    return [row for rows in CHAPTERS.values() for row in rows]


def test_every_construct_is_listed_once() -> None:
    assert len(set(listed())) == len(listed())
    assert frozenset().union(shown(), *uses().values()) - set(listed()) == set()


@pytest.mark.parametrize("row", listed())
def test_every_construct_is_used(row: str) -> None:
    """By a bundled game, or else by an example that is played."""
    assert row in shown() or any(row in used for used in uses().values())


PLAIN = {
    "game",
    "language",
    "title",
    "rules",
    "flow",
    "do",
    "then",
    "seat",
    "holds",
    "range",
    "to",
    "over",
    "rows",
    "columns",
}
PLAIN |= {*CHANGED} - {"rulings"}
PLAIN |= {"of", "at", "orthogonal", "error", "open", "unlimited"}
"""What no game can do without, what is said by other words, and values that are the defaults."""


def keys() -> set[str]:
    """Every key of `game.yaml`, and every word that a key may have."""
    of_boards = {key for found in boards.KEYS.values() for key in found} | {*boards.SHAPES, *links.STEPS}
    of_components = {key for found in components.KEYS.values() for key in found} | {*components.KEYS} - {""}
    of_zones = {*zones.ZONE, *zones.ORDERS, *zones.SEEN, *state_vars.SIGHTS}
    of_stores = {
        *state_vars.COUNTER,
        *state_vars.EDGES,
        *state_vars.LIFETIMES,
        *state_vars.SHARED,
        *state_vars.KEYS,
    }
    return (
        {*SECTIONS, *flow.PHASE, *flow.BEST, *flow.STRENGTHS}
        | of_boards
        | of_components
        | of_zones
        | of_stores
    )


@pytest.mark.parametrize("key", sorted(keys() - PLAIN))
def test_every_key_is_in_the_list(key: str) -> None:
    rows = " ".join(CHAPTERS["Declarations"])
    assert re.search(rf"\b{key}\b", rows)


@pytest.mark.parametrize("part", [*get_args(Definition), *get_args(Line), *get_args(Expr)])
def test_every_part_of_the_syntax_has_its_constructs(part: type) -> None:
    assert part.__name__ in vars(tests.spec.written), "`_of_part` does not know it"
