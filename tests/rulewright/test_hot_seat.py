"""Several people at one screen: whether somebody is called to it tells nobody what others do not see."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from interpreter.match import Match
from interpreter.position import Position
from rulewright.library import open_game
from rulewright.tui.game_loop import play
from rulewright.tui.screen import Screen
from rulewright.tui.session import Session, SessionConfig
from tests.rulewright.test_play_terminal import Terminal

YAML = """
game: reactions
seats: 2
rules: [reactions.rules]
types:
  kind: [shield, sword, rose]
components:
  card: {kinds: kind, count: 4}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  table: {holds: card, seen_by: all}
counters:
  points: {of: seat, range: 0..99, at_edge: clamp}
flow:
  deal: {do: [deal], then: turn}
  turn: {seat: rotates, do: [{may keep doing: [attack, rest], named: acts}], then: turn}
  last: {score: highest}
"""
RULES = """
procedure deal
    each seat in turn
        move 2 from deck to hand of me

action rest
    gain 1 points

action parry(card from hand of me where card is shield)
    gain 1 points

action feint
    needs any(card in hand of me where card is shield)
    gain 1 points

action hold
    gain 2 points

score points = points of me

action attack
"""
FORMS = {
    "may choose": """
    opponent may choose card from hand of opponent where card is shield
        gain 1 points
""",
    "choose if any": """
    opponent chooses card from hand of opponent where card is shield if any
        gain 1 points
""",
    "may keep choosing": """
    opponent may keep choosing card from hand of opponent where card is shield
        move card to table
""",
    "may do": """
    opponent may do parry
""",
    "may do what needs it": """
    opponent may do feint
""",
    "may keep doing": """
    opponent may keep doing feint
""",
    "do one of": """
    opponent does one of parry, hold
""",
    "numbers up to what the hand holds": """
    opponent chooses number from 0..count(card in hand of opponent where card is shield)
    gain number points
""",
    "a local": """
    let shields = count(card in hand of opponent where card is shield)
    opponent may choose number from 1..2 where number <= shields
        gain 1 points
""",
    "a procedure": """
    opponent may do defend(count(card in hand of opponent where card is shield))

action defend(shields: 0..9, number from 1..2)
    needs number <= shields
    gain 1 points
""",
}
HANDS = (["shield", "rose"], ["sword", "rose"])


def folder(tmp_path: Path, form: str) -> Path:
    (tmp_path / "game.yaml").write_text(YAML)
    (tmp_path / "reactions.rules").write_text(RULES + FORMS[form].lstrip("\n"))
    return tmp_path


class People:
    """Two people at one screen who say what a script says, and what both of them can tell."""

    def __init__(self, match: Match, *lines: str) -> None:
        self.out, self.public = io.StringIO(), list[str]()
        self.says: Iterator[str] = iter(lines)
        console = Console(file=self.out, width=80, height=24, force_terminal=True, color_system=None)
        self.session = Session(match, SessionConfig(["human", "human"], {}), Screen(console, self._ask))

    def _ask(self, prompt: str) -> str:
        """Who is asked, and that the screen is handed over, is seen by both."""
        self.public.append(prompt)
        if "press Enter" in prompt:
            return ""
        return next(self.says)


def match_with(game: Path, hand: list[str]) -> Match:
    position = Position(open_game(str(game), 2))
    position.set_pieces(position.place("hand of A"), ["sword", "sword"], False)
    position.set_pieces(position.place("hand of B"), hand, False)
    match = Match(position.game, seed=3)
    match.state = position.state
    return match.run_from(position.stand_at("turn.acts", 0))


@pytest.mark.parametrize("form", FORMS)
def test_the_others_are_called_whatever_they_hold(form: str, tmp_path: Path) -> None:
    told = []
    for hand in HANDS:
        people = People(match_with(folder(tmp_path, form), hand), "attack")
        with pytest.raises(StopIteration):
            play(people.session)
        told.append(people.public)
    assert told[0] == told[1]
    assert told[0][-1] == "B> "


def test_a_choice_that_all_know_to_be_the_only_one_is_taken(tmp_path: Path) -> None:
    """The number of cards is open, so one card of each is no secret; what it is is one."""
    game = folder(tmp_path, "may choose")
    text = "    opponent chooses number from 1..1\n    gain number points\n"
    (game / "reactions.rules").write_text(RULES + text)
    people = People(match_with(game, HANDS[0]), "attack")
    with pytest.raises(StopIteration):
        play(people.session)
    assert [step.text for step in people.session.match.steps if step.seat] == ["attack", "1"]


@pytest.mark.parametrize("hand", [0, 1], ids=["with a shield", "without one"])
def test_the_screen_is_handed_over_at_a_terminal(hand: int, tmp_path: Path) -> None:
    game = folder(tmp_path, "may choose")
    terminal = Terminal(str(game), "--seats", "human,human", "--seed", str(seed_with(game, hand)))
    terminal.until("press Enter. ")
    terminal.type("\n")
    terminal.until("A> ")
    terminal.type("attack\n")
    assert "B, it is your turn." in terminal.until("press Enter. ")
    terminal.type("\n")
    terminal.until("B> ")
    terminal.type("\x04")
    assert terminal.end() == 0


def seed_with(game: Path, hand: int) -> int:
    """The first match in which B has a shield, or none."""
    for seed in range(100):
        found = Match(open_game(str(game), 2), seed).start().view(1).zones["hand of B"]
        assert isinstance(found, list)
        if ("shield" in found) == (hand == 0):
            return seed
    raise AssertionError
