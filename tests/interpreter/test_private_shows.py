"""What a seat is shown alone: nobody else learns that it happened, or to whom."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dsl.load import Folder, load
from interpreter import events as ev, ir, undo
from interpreter.compile.program import compile_rules
from interpreter.event_rows import EventRows
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from interpreter.redacted_log import entries, notated
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.library import folder
from rulewright.presentation.position import position
from rulewright.presentation.scores import scores
from tests.properties.shown import everything
from validators.secrecy.noninterference import leaks

MOONLIGHT = Path(__file__).parents[1] / "generality" / "moonlight"


def moonlight(seats: int = 4, executor: ExecutorKind = "reference") -> Game:
    rules, report = load(folder(MOONLIGHT))
    assert not list(report)
    return Game(rules, compile_rules(rules, seats), executor)


def a_night(made: Game, aims: tuple[int, ...] = (1, 2, 3, 0)) -> Match:
    """A match behind the first night, in which each seat has named the one with that number."""
    match = Match(made, outcomes={"deck": ["villager", "wolf", "villager", "seer"]}).start()
    for seat, aim in enumerate(aims):
        match.choose(made.names.seat(seat), made.names.seat(aim))
    return match


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_only_who_is_shown_something_reads_of_it(executor: ExecutorKind) -> None:
    """D is the seer and looks at A, who does not learn of it either."""
    match = a_night(moonlight(4, executor))
    lines = {viewer: notated(match, viewer) for viewer in (REFEREE, SPECTATOR, 0, 1, 2, 3)}
    assert "D is shown villager" in lines[3]
    assert "D is shown villager" in lines[REFEREE]
    for viewer in (SPECTATOR, 0, 1, 2):
        assert not any("shown" in line for line in lines[viewer])
        told = [event for entry in entries(match, viewer) for event in entry.events]
        assert not any(isinstance(event, ev.Shown) for event in told)
        assert "shown" not in str(position(match, viewer))


def test_what_others_are_told_is_the_same_whoever_the_seer_is() -> None:
    """Entries, views, and what can be taken back: the others read the same of both nights."""
    made = moonlight()
    dealt = [["villager", "wolf", "villager", "seer"], ["villager", "wolf", "seer", "villager"]]
    seen: list[object] = []
    for outcome in dealt:
        match = Match(made, outcomes={"deck": list(outcome)}).start()
        for seat, aim in zip("ABCD", "BCDA", strict=True):
            match.choose(seat, aim)
        told = [
            (len(entries(match, v)), entries(match, v), made.views.view(match.state, v)) for v in (-1, 0, 1)
        ]
        seen.append((told, match.undo_depth(), match.why_no_undo()))
    assert seen[0] == seen[1]


TELLER = """game: teller
seats: 2..3
rules: [demo.rules]
counters:
  trust: {of: seat, range: 0..3, start: 1, seen_by: owner}
  told: {of: seat, range: 0..9}
flow:
  turn: {seat: rotates, do: [act], then: {over: end, otherwise: turn}}
  end: {score: highest}
"""
TOLD = """
value over = sum(told of seat for seat) > 6
procedure act
    do one of ask, wait, call, brag
action ask(seat from opponents)
    told of me += 1
    if trust of seat > 1
        show trust of seat to me
action call(seat from opponents)
    told of me += 1
    show trust of seat to me openly
action brag
    told of me += 1
    show trust of me to all
action wait
    told of me += 1
score told = told of me
"""


def teller(rules: str = TOLD, seats: int = 3, executor: ExecutorKind = "reference") -> Game:
    files = {"game.yaml": TELLER.encode(), "demo.rules": rules.encode()}
    made, report = load(Folder("teller", files.__getitem__))
    assert not list(report), [m.message for m in report]
    return Game(made, compile_rules(made, seats), executor)


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_shown_openly_all_read_that_it_is_shown(executor: ExecutorKind) -> None:
    match = Match(teller(executor=executor)).start()
    match.choose("A", "call B")
    assert "A is shown trust of B: 1" in notated(match, 0)
    assert "A is shown trust of B: 1" in notated(match, 1), "its own"
    for viewer in (SPECTATOR, 2):
        assert "A is shown trust of B" in notated(match, viewer)
    match.choose("B", "brag")
    assert "everybody is shown trust of B: 1" in notated(match, SPECTATOR)


def test_taking_back_tells_nobody_whether_something_was_shown() -> None:
    """It may have been shown after `ask`, whatever has happened; after `wait` nothing can have been."""
    made = teller()
    for number in (1, 2):
        match = Match.from_position(made, {"trust of B": number})
        match.choose("A", "ask B")
        assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.MAY_BE_SHOWN, frozenset("ABC"))
    match = Match(made).start()
    match.choose("A", "wait")
    assert match.why_no_undo() is None
    match = Match(made).start()
    match.choose("A", "call B")
    assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.SHOWN, frozenset("ABC"))


THROUGH = """
value over = sum(told of seat for seat) > 6
procedure act
    do one of ask, stop_first, call_it
action ask(seat from opponents)
    note
    if told of me > 1
        look(seat)
action stop_first(seat from opponents)
    ask_me
    show trust of seat to me
action call_it(seat from opponents)
    note
procedure ask_me
    choose number from 1..2
    told of me += number
procedure note
    told of me += 1
procedure look(seat)
    show trust of seat to me
score told = told of me
"""


def test_what_may_be_shown_is_followed_through_calls_up_to_the_next_choice() -> None:
    made = teller(THROUGH)
    shows = made.views.private_shows
    names = {made.machine.routines[number].name for number in shows.routines}
    assert names >= {"ask", "look"}
    assert names.isdisjoint({"stop_first", "ask_me", "call_it", "note"})
    asked = {made.machine.decision(number).name for number in shows.behind}
    assert asked == {"ask.seat", "number"}


SMUGGLED = """game: smuggled
seats: 3
rules: [demo.rules]
components: {jewel: {count: 3}}
zones:
  mine: {holds: jewel, seen_by: nobody, start: all}
  purse: {holds: jewel, of: seat, seen_by: owner}
  belt: {holds: jewel, of: seat, seen_by: others, counted_by: others}
  heap: {holds: jewel, seen_by: all}
counters: {turns: {range: 0..30}}
flow:
  turn: {seat: rotates, do: [act], then: {turns > 20: end, otherwise: turn}}
  end: {score: none}
"""
SMUGGLING = """
procedure act
    turns += 1
    do one of dig, plant, drop, lay, wait
action dig
    move up to 1 from mine to purse of me
action plant
    move up to 1 from mine to belt of me
action drop
    move up to 1 from purse of me to mine
action lay
    move up to 1 from purse of me to heap
action wait
    nothing
"""


def smuggled() -> Game:
    files = {"game.yaml": SMUGGLED.encode(), "demo.rules": SMUGGLING.encode()}
    made, report = load(Folder("smuggled", files.__getitem__))
    assert not list(report), [m.message for m in report]
    return Game(made, compile_rules(made, 3))


def test_taking_back_tells_nobody_whether_a_piece_was_moved() -> None:
    """Whether a jewel was left in the mine is known to nobody; with `dig` to the seat that has found one."""
    made = smuggled()
    for jewels in (0, 3):
        for action in ("dig", "plant"):
            places = {"mine": jewels, "heap": 3 - jewels}
            match = Match.from_position(made, places)
            match.choose("A", action)
            assert match.why_no_undo() == undo.UndoBlocker(undo.UndoReason.MAY_BE_SHOWN, frozenset("ABC"))
    for action in ("drop", "wait"):
        match = Match.from_position(made, {"mine": 2, "purse of A": 1})
        match.choose("A", action)
        assert match.why_no_undo() is None


def test_the_law_of_secrecy_holds_for_moves_that_not_all_notice() -> None:
    for seed in range(6):
        assert [str(leak) for leak in leaks(smuggled(), seed, 25)] == []


@pytest.mark.parametrize("seats", [3, 4])
def test_the_law_of_secrecy_holds_for_what_is_shown_to_one(seats: int) -> None:
    for seed in range(6):
        assert [str(leak) for leak in leaks(moonlight(seats), seed, 25)] == []


@pytest.mark.parametrize("seed", [0, 1])
def test_what_programs_show_of_it_tells_no_more(seed: int) -> None:
    """The replay of a seat and the terminal: its story, who is called to the screen, the current score."""
    assert [str(leak) for leak in leaks(moonlight(4), seed, 14, extra=everything)] == []


def test_a_score_that_reads_the_card_of_whom_a_pointer_names_is_known_to_nobody() -> None:
    match = a_night(moonlight())
    match.choose("A", "B")
    for viewer in (SPECTATOR, 0, 3):
        assert [dict(sheet["lines"])["right"] for sheet in scores(match, viewer)] == [None] * 4


WRITE = EventRows.write


def _told(self: EventRows, events: Iterable[ev.Event]) -> array[int]:
    """As it was before: everybody is told to whom something is shown."""
    return WRITE(self, [replace(e, openly=True) if isinstance(e, ev.Shown) else e for e in events])


def test_a_referee_that_tells_to_whom_something_is_shown_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EventRows, "write", _told)
    assert any(_leaks())


def _leaks() -> Iterator[bool]:
    for seed in range(12):
        yield from (True for _ in leaks(moonlight(4), seed, 25))


def test_a_referee_that_takes_back_by_what_was_shown_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choices that may be taken back unless something was shown tell who was shown something."""

    def reveals(entry: undo.HistoryEntry) -> str:
        shown = any(isinstance(e, ev.Shown) for step in entry.steps for e in step.events)
        return undo.UndoReason.SHOWN if shown else None

    monkeypatch.setattr(undo.HistoryEntry, "reveals", reveals)
    assert any(_leaks())


def test_a_look_is_over_before_the_seat_is_asked_what_all_are_asked() -> None:
    """Who is asked is public: the same for all, whoever the seer is."""
    match = Match(moonlight(), outcomes={"deck": ["seer", "wolf", "villager", "villager"]}).start()
    assert [decision.seat for decision in match.decisions()] == ["A", "B", "C", "D"]
    assert match.state[ir.FORKED]
