"""Scenarios that begin within `each seat in turn`: with the seat with which play would begin there."""

from __future__ import annotations

import pytest

from dsl.diagnostics import ErrorsReported
from dsl.folder import Folder
from dsl.load import load_for_questions
from dsl.source import Source
from interpreter.log import read, write
from interpreter.match import Match
from interpreter.replay import replay
from validators.scenarios.reading import read_scenarios
from validators.scenarios.running import Result, ScenarioRunner

GAME = """\
game: quartet
seats: 4
rules: [quartet.rules]
teams: {north_south: [A, C], east_west: [B, D]}
counters:
  age: {of: seat, range: 0..9}
  won: {of: team, range: 0..9}
marks:
  out: {of: seat}
pointers:
  leader: {to: seat, start: A}
flow:
  trick:
    do:
      - each seat in turn from leader where not out of me:
          - think
          - {do one of: [nod, shake]}
    then: bids
  bids:
    do: [{each seat in turn by -(age of seat): [{do one of: [nod], named: bid}]}]
    then: turn
  turn:
    seat: rotates
    do:
      - {do one of: [nod], named: lead}
      - {each seat in turn from next(active) where seat is not active: [{do one of: [shake], named: answer}]}
    then: {over: final, otherwise: turn}
  final: {score: highest}
"""
RULES = """\
procedure think
    if age of me > 8
        age of me = 0
action nod
    age of me = 1
action shake
    age of me = 2
value over = all(age of seat is 2 for seat)
score age = age of me
"""
RUNNER = ScenarioRunner(
    *(lambda loaded: (loaded[0], loaded[2]))(
        load_for_questions(
            Folder("quartet", {"game.yaml": GAME.encode(), "quartet.rules": RULES.encode()}.__getitem__)
        )
    )
)


def play(given: str, then: str, when: str = "") -> Result:
    text = f"- scenario: test\n  given: {{{given}}}\n  when: [{when}]\n  then: {{{then}}}\n"
    return RUNNER.run(read_scenarios(Source("test.yaml", text), RUNNER.rules)[0])


STEP = "at: trick.nod"
ROUNDS = [
    ("at: trick, set: {leader: C}", "nod", "CDAB"),
    (f"{STEP}, set: {{leader: C}}", "nod", "CDAB"),
    ("at: trick.think, set: {leader: C}", "nod", "CDAB"),
    (f"{STEP}, set: {{leader: C, out of C: true, out of A: true}}", "nod", "DB"),
    (f"{STEP}, seat: D, set: {{leader: C}}", "nod", "DAB"),
    (STEP, "nod", "ABCD"),
    ("at: bids.bid, set: {age of D: 3, age of B: 2}", "nod", "DBAC"),
    ("at: bids.bid, seat: B, set: {age of D: 3, age of B: 2}", "nod", "BAC"),
    ("at: turn.answer, seat: C", "shake", "DAB"),
    ("at: turn.answer", "shake", "BCD"),
]


@pytest.mark.parametrize(("given", "word", "seats"), ROUNDS)
def test_begins_with_the_seat_that_play_would_begin_with(given: str, word: str, seats: str) -> None:
    lines = [f"{{expect: {{asked: {seat}, active: {seat}}}}}, {{{seat}: {word}}}" for seat in seats]
    result = play(given, "over: false", ", ".join(lines))
    assert result.holds, (result.diagnostic, result.differences)


MISTAKES = [
    (
        f"{STEP}, seat: C, set: {{leader: D, out of C: true}}",
        "C has no turn in `trick.nod` here: those who have one are D, A, B",
        "name one of them in `seat`, or leave `seat` out to begin with D",
    ),
    (
        f"{STEP}, set: {{out: {{A: true, B: true, C: true, D: true}}}}",
        "no seat has a turn in `trick.nod` here: `where` leaves all of them out",
        "set what `where` reads, or start at another step",
    ),
    (
        f"{STEP}, seat: north_south",
        "unknown seat `north_south`",
        "`north_south` is a team, and its seats are A, C: name a seat",
    ),
    (
        f"{STEP}, set: {{leader: east_west}}",
        "unknown seat `east_west`",
        "`east_west` is a team, and its seats are B, D: name a seat",
    ),
    (f"{STEP}, set: {{won of B: 3}}", "`B` is not a `team`", "`B` is a seat: write its team, `east_west`"),
    (f"{STEP}, seat: North", "unknown seat `North`", "the seats are A, B, C, D"),
]


@pytest.mark.parametrize(("given", "why", "hint"), MISTAKES)
def test_mistakes(given: str, why: str, hint: str) -> None:
    diagnostic = play(given, "over: false").diagnostic
    assert diagnostic is not None
    assert (diagnostic.message, diagnostic.help) == (why, hint)


def test_a_team_wins_nothing_by_its_name() -> None:
    diagnostic = play(STEP, "winner: north_south").diagnostic
    assert diagnostic is not None
    assert diagnostic.help == "`north_south` is a team, and its seats are A, C: name a seat"


@pytest.mark.parametrize("line", ["{north_south: nod}", "{refused: {north_south: nod}}"])
def test_no_team_chooses(line: str) -> None:
    with pytest.raises(ErrorsReported) as stop:
        play(STEP, "over: false", line)
    (diagnostic,) = stop.value.report
    assert "one of A, B, C, ... and no team" in diagnostic.help


def test_a_match_from_a_position_begins_likewise_and_so_does_its_log() -> None:
    game = RUNNER.game(read_scenarios(Source("test.yaml", "- scenario: test\n"), RUNNER.rules)[0])
    for seat, first in ((None, "D"), ("A", "A")):
        match = Match.from_position(game, {"leader": "C", "out of C": True}, at="trick.nod", seat=seat)
        assert [decision.seat for decision in match.decisions()] == [first]
        match.choose(first, "nod")
        verdict = replay(game, read(Source("test.log", write(match, {}, []))))
        assert verdict.match.state == match.state
