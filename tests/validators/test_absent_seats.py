"""The check that a match ends without some of its players."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from tests.games import rules_of
from validators.check import CheckContext, OutOfTime
from validators.checks.absent_seats import AbsentSeats, find

GAME = """
game: demo
seats: 2
longest: LONGEST
rules: [demo.rules]
counters:
  points: {of: seat, range: 0..3, at_edge: clamp}
  turns: {range: 0..99999}
ABSENT
flow:
  turn: {seat: rotates, do: [note, {may do: [take]}], then: {taken: final, otherwise: turn}}
  final: {score: highest}
"""
RULES = """
procedure note
    turns += 1

action take
    gain 1 points

value taken = TAKEN or turns is 99999
score points = points of me
"""
ONE = "any(seat where points of seat > 0)"
SAME = "(turns > 100 and all(points of seat is points of A for seat))"


def findings(taken: str, absent: str = "", longest: int = 1000) -> list[AbsentSeats]:
    game = GAME.replace("ABSENT", absent).replace("LONGEST", str(longest))
    texts = {"game.yaml": game.encode(), "demo.rules": RULES.replace("TAKEN", taken).encode()}
    return list(find(CheckContext(load(Folder("demo", texts.__getitem__))[0])))  # type: ignore[arg-type]


def test_a_match_of_nobody_that_does_not_end_is_found() -> None:
    (found,) = findings(ONE)
    assert (found.who, found.about, found.number) == ("everybody", "take", 1000)


def test_so_is_one_that_a_single_seat_holds_up() -> None:
    """If all are away they have equally many, but who is alone takes more and more."""
    (found,) = findings(SAME)
    assert found.who == "A"


def test_a_default_that_leads_to_the_end_is_quiet() -> None:
    assert findings(ONE, "absent: {take: take}") == []


def test_a_limit_that_no_match_reaches_is_cut() -> None:
    (found,) = findings(ONE, longest=50_000)
    assert found.number == 20_000


def test_a_game_that_does_not_end_anyway_is_left_to_others() -> None:
    assert findings("turns > 90000") == []


@pytest.mark.parametrize("game", ["roma", "kuhn_poker", "pig", "roll_through_the_ages"])
def test_bundled_games_end(game: str) -> None:
    assert list(find(CheckContext(rules_of(game)))) == []


def test_the_time_is_kept() -> None:
    with pytest.raises(OutOfTime):
        list(find(CheckContext(rules_of("pig"), until=0.0)))
