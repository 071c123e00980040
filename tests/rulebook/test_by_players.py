"""What a rulebook for several numbers of players says of numbers that depend on how many play."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.load import load
from rulewright.library import folder
from rulewright.rulebook.markdown import markdown
from tests.rulebook.test_prose import book

GAME = """\
game: pond
seats: 2..4
rules: [pond.rules]
constants: {most: {by_seats: {2: 6, 3: 6, 4: 4}}, nets: {by_seats: {2: 6, 3: 5, 4: 4}}}
types: {fish: [carp, pike]}
components:
  boat: {count: seats}
  oar: {count: 2 * seats}
  stake: {count: seats + 1}
  net: {count: nets}
  rod: {count: 7}
  catch: {kinds: fish, copies: {carp: 3, pike: seats}}
  scale: {kinds: fish, count: seats}
  lot: {die: 1..6, count: seats}
zones:
  boats: {holds: boat, start: all, seen_by: all}
  oars: {holds: oar, start: all, seen_by: all}
  stakes: {holds: stake, start: all, seen_by: all}
  nets_left: {holds: net, start: all, seen_by: all}
  rods: {holds: rod, start: all, seen_by: all}
  water: {holds: catch, start: all, seen_by: all}
  scales: {holds: scale, start: all, seen_by: all}
  cup: {holds: lot, start: all, seen_by: all}
  jetty: {holds: boat, size: seats, seen_by: all}
counters:
  rounds: {range: 0..seats * 2, start: seats}
  nets_drawn: {range: 0..most, at_edge: clamp}
  bait: {of: seat, range: 0..99, start: 12 - seats}
flow: {play: {seat: rotates, do: [act], then: final}, final: {score: highest}}
"""
RULES = "procedure act\n    gain 1 bait\nscore points = bait of me\n"


@pytest.fixture
def page(tmp_path: Path) -> Callable[..., str]:
    def write(seats: int | None = None) -> str:
        for name, text in {"game.yaml": GAME, "pond.rules": RULES}.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        return markdown(book(load(folder(tmp_path, "pond"))[0], seats))

    return write


@pytest.mark.parametrize(
    "row",
    [
        "* **Boats**: 1 for each player.",
        "* **Oars**: 2 for each player.",
        "* **Stakes**: 1 for each player and 1 more.",
        "* **Nets**: 6 with 2 players, 5 with 3 players and 4 with 4 players.",
        "* **Rods**: 7.",
        "* **Catches**: 3 carp and 1 pike for each player.",
        "* **Scales**: 1 for each player, each of carp and pike.",
        "* **Lots**: 1 for each player, each with the numbers 1 to 6.",
        "* **Nets drawn**: 0 to 6 with 2 or 3 players and 0 to 4 with 4 players; what has no room is lost.",
        "| Catches | 5 | 6 | 7 |",
    ],
)
def test_a_number_that_depends_on_the_players_is_told_for_all(page: Callable[..., str], row: str) -> None:
    assert row in page().splitlines()


def test_what_each_player_has_one_of_is_not_counted_again(page: Callable[..., str]) -> None:
    assert "| Boats |" not in page()


def test_what_counters_begin_with_is_told_for_each_number_of_players(page: Callable[..., str]) -> None:
    text = page()
    assert "With 2 players, the rounds begin at 2; with 3 players, the rounds begin at 3; with" in text
    assert "With 2 players, each player begins with 10 bait; with 3 players, each player begins" in text


def test_for_one_number_of_players_the_number_is_told(page: Callable[..., str]) -> None:
    lines = page(3).splitlines()
    assert "* **Nets**: 5." in lines
    assert "* **Boats**: 3." in lines
    assert "* **Catches**: 6: 3 each of carp and pike." in lines
