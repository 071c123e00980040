"""News at the table, where all choose at once."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from rulewright.tui.story import Story

FILES = {
    "game.yaml": (
        "game: small\nseats: 2\nrules: [small.rules]\ncounters: {gold: {of: seat, range: 0..99}}\n"
        "flow: {main: {do: [run], score: highest}}\n"
    ),
    "small.rules": (
        "procedure run\n    repeat 3 times\n        each seat together\n"
        "            repeat 2 times\n                choose x from 1..3\n                gain x gold\n"
    ),
}


@pytest.fixture
def match() -> Match:
    written = {name: text.encode() for name, text in FILES.items()}
    rules, _ = load(Folder("small", written.__getitem__))
    return Match(Game(rules, compile_rules(rules)), seed=1).start()


def chosen(story: Story, seat: str, text: str) -> None:
    match = story.match
    first = len(match.steps)
    match.choose(seat, text)
    story.record(first)


def said(lines: list[str], seat: str) -> list[str]:
    return [line for line in lines if line.startswith(seat)]


def test_what_others_did_is_told_when_all_have_finished(match: Match) -> None:
    """Also where all begin anew in the same step."""
    story = Story(match, [0, 1])
    for seat, text in (("B", "1"), ("A", "2"), ("B", "3")):
        chosen(story, seat, text)
    assert said(story.unread(0), "B") == []
    chosen(story, "A", "3")
    chosen(story, "B", "2")
    assert said(story.unread(0), "B") == ["B — gold: 0 → 1", "B — gold: 1 → 4"]
    assert said(story.unread(1), "A") == ["A — gold: 0 → 2", "A — gold: 2 → 5"]


def test_who_comes_back_hears_what_it_could_not_hear_before(match: Match) -> None:
    story = Story(match, [0, 1])
    for seat, text in (("B", "1"), ("B", "3"), ("A", "2")):
        chosen(story, seat, text)
    again = Story(match, [0, 1])
    assert again.all(0) == story.all(0)
    assert said(again.unread(0), "B") == []
    chosen(again, "A", "1")
    assert said(again.unread(0), "B") == ["B — gold: 0 → 1", "B — gold: 1 → 4"]


def test_what_is_taken_back_is_not_told(match: Match) -> None:
    story = Story(match, [0, 1])
    chosen(story, "B", "1")
    match.undo()
    story.take_back()
    for seat, text in (("B", "2"), ("B", "2"), ("A", "1"), ("A", "1")):
        chosen(story, seat, text)
    assert said(story.unread(0), "B") == ["B — gold: 0 → 2", "B — gold: 2 → 4"]
