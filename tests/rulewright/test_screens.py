"""The screens of two small games, a hand and a throw of dice, as a person at the terminal sees them."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import Choice
from interpreter.match import Match
from interpreter.sights import REFEREE
from interpreter.unseen import as_offered
from rulewright.sentences.worded_game import worded_game
from rulewright.tui.board import board
from rulewright.tui.menu import keys_of, menu_of
from rulewright.tui.prompt import Prompt, some_keys
from rulewright.tui.screen import Screen
from rulewright.tui.session import Session, SessionConfig

HAND = """\
game: hand
seats: 4
labels: {en: en.yaml}
rules: [hand.rules]
types: {rank: 1..13}
components: {card: {kinds: rank, count: 4}}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  table: {holds: card, of: seat, seen_by: all}
counters:
  coins: {of: seat, range: 0..99, start: 40}
  secret_tally: {range: 0..99}
flow:
  deal: {do: [deal], then: turn}
  turn: {seat: rotates, do: [throw_away, {do one of: [bid, fold]}, reveal], then: {over: f, otherwise: turn}}
  f: {score: highest}
"""
HAND_RULES = """\
value over = any(seat where coins of seat < 5)
procedure deal
    for seat
        move 8 from deck to hand of seat
procedure throw_away
    repeat 3 times
        choose card from hand of me
        move card to deck
    secret_tally += 1
action bid(number: 1..30 where number <= coins of me)
    pay number coins
action fold
    nothing
procedure reveal
    for seat
        move all from hand of seat to table of seat
    for seat
        move all from table of seat to hand of seat
score coins = coins of me
"""
LABELS = "A: Ann\nB: Ben\ncoins: coins\nsecret_tally: ''\n"


class Table:
    """A person with bots at a terminal of some width; what is typed is fixed."""

    def __init__(self, width: int = 80, people: int = 1, seed: int = 3) -> None:
        files = {"game.yaml": HAND, "hand.rules": HAND_RULES, "en.yaml": LABELS}
        rules, _ = load(Folder("hand", lambda name: files[name].encode()))
        self.match = Match(worded_game(rules, compile_rules(rules)), seed=seed).start()
        self.out, self.asked = io.StringIO(), list[str]()
        console = Console(file=self.out, width=width, height=40, force_terminal=True, color_system=None)
        kinds = ["human"] * people + ["random"] * (4 - people)
        self.session = Session(self.match, SessionConfig(kinds, {}), Screen(console, self._ask))

    def _ask(self, prompt: str) -> str:
        self.asked.append(prompt)
        return ""

    def choose(self, words: str) -> None:
        decision = self.match.decisions()[0]
        choice = next(c for c in decision.choices if words in ("", c.text))
        self.session.take(decision, choice)

    def drawn(self) -> str:
        decision = self.match.decisions()[0]
        self.out.truncate(0)
        Prompt(self.session, as_offered(self.match, decision)).draw()
        return self.out.getvalue()


@pytest.mark.parametrize("width", [80, 120])
def test_ones_own_hand_comes_first_and_whole(width: int) -> None:
    table = Table(width)
    cards = table.match.view(0).zones["hand of A"]
    assert isinstance(cards, list)
    lines = table.drawn().splitlines()
    (first,) = [line for line in lines if line.startswith("hand 8:")]
    assert all(card in first for card in cards)
    (row,) = [line for line in lines if line.split()[:1] == ["hand"] and line != first]
    assert row.split() == ["hand", "8", "8", "8", "8"]
    assert lines.index(first) < lines.index(row)


def test_a_seat_has_one_name() -> None:
    table = Table(people=2)
    said = table.drawn()
    assert "Ann chooses" in said
    assert "▶Ann you" in said
    assert "A chooses" not in said
    for _ in range(3):
        table.choose("")
    table.choose("fold")
    assert any(line.startswith("Ann: fold") for line in table.session.story.all(0))


def test_how_many_are_left_is_said() -> None:
    table = Table()
    assert ", 3 more" in table.drawn()
    table.choose("")
    assert ", 2 more" in table.drawn()
    table.choose("")
    assert " more" not in table.drawn().replace("more kinds", "")


def test_a_typed_number_is_an_amount() -> None:
    table = Table()
    for _ in range(3):
        table.choose("")
    decision = table.match.decisions()[0]
    keys = {item.choice.text: item.key for item in menu_of(table.match.game, decision).items}
    assert not any(key.isdigit() for key in keys.values())
    said = table.drawn()
    assert "1–30 type the number" in said
    prompt = Prompt(table.session, decision)
    prompt.answer("30")
    assert table.match.steps[-1].text == "bid 30"


@pytest.mark.parametrize(
    ("texts", "keys"),
    [
        (["c4", "c5", "cq"], ["1", "2", "3"]),
        (["place a1", "place b1", "pass"], ["a1", "b1", "0"]),
        (["place a1", "place b1", "swap"], ["a1", "b1", "swap"]),
        (["place a1", "move a1", "move b1"], ["1", "2", "3"]),
    ],
)
def test_keys_are_of_one_kind(texts: list[str], keys: list[str]) -> None:
    choices = [Choice((0, i), tuple(text.split()), text) for i, text in enumerate(texts)]
    assert keys_of(choices) == keys


def test_an_action_beside_squares_has_a_number_where_its_name_is_not_shown() -> None:
    for label, key in (("hire a worker", "hire"), ("munkás felfogadása", "1")):
        choices = [Choice((0, 0), ("hire",), label), Choice((1, 0), ("send", "a1"), "send a1")]
        assert keys_of(choices) == [key, "a1"]


def test_many_choices_beside_amounts_have_letters() -> None:
    texts = [f"bet {number}" for number in range(1, 60)] + ["call", "pass"]
    choices = [Choice((0, i), tuple(text.split()), text) for i, text in enumerate(texts)]
    keys = keys_of(choices, frozenset(texts[:59]))
    assert len(set(keys)) == len(keys)
    assert keys[0] == "a"
    assert keys[-1] == "p"
    assert not any(key.isdigit() for key in keys)


def test_what_lay_open_for_a_moment_waits_for_the_person() -> None:
    table = Table()
    table.drawn()
    assert table.asked == []
    for _ in range(3):
        table.choose("")
    table.choose("fold")
    while table.match.decisions()[0].seat != "A":
        table.choose("")
    table.drawn()
    assert table.asked == ["press Enter to go on "]


def test_names_with_an_empty_label_are_told_to_nobody() -> None:
    table = Table(people=0)
    for _ in range(3):
        table.choose("")
    told = "\n".join(table.session.story.all(REFEREE))
    assert "0 -> 1" not in told
    assert "Ann — " in told
    assert ": hand → deck" in told


def test_a_picture_is_as_wide_as_the_terminal() -> None:
    files = {
        "game.yaml": (
            "game: wide\nseats: 1\nrules: [w.rules]\nboards: {field: {grid: [1, 16], drawn: whole}}\n"
            "counters: {coins: {at: field, range: 0..9, start: 1}}\n"
            "flow:\n  turn: {seat: rotates, do: [{do one of: [go]}], then: {over: f, otherwise: turn}}\n"
            "  f: {score: none}\n"
        ),
        "w.rules": "value over = false\naction go(field)\n    coins at field = 2\n",
    }
    rules, _ = load(Folder("wide", lambda name: files[name].encode()))
    match = Match(worded_game(rules, compile_rules(rules)), seed=1).start()
    heights = []
    for width in (120, 240):
        console = Console(file=io.StringIO(), width=width, height=60, force_terminal=True, color_system=None)
        screen = Screen(console)
        session = Session(match, SessionConfig(["human"], {}), screen)
        lines = screen.lines(board(session.view_model(0, 8), console, screen.width), wide=True)
        heights.append(max(line.cell_len for line in lines))
    assert heights[1] > 120 >= heights[0]


# ---- what is typed, and what is answered

SUITS = """\
game: suits
seats: 2
labels: {en: en.yaml}
rules: [suits.rules]
types:
  suit: [clubs, hearts]
  rank: [two, three]
  face: {product: [suit, rank]}
components: {card: {kinds: face, count: 1}}
zones:
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  table: {holds: card, seen_by: all}
  deck: {holds: card, seen_by: count, order: shuffled, start: all}
counters: {number: {range: 0..99}}
flow:
  deal: {do: [deal], then: turn}
  turn: {seat: rotates, do: [{do one of: [play]}], then: {number > 1: f, otherwise: turn}}
  f: {score: highest}
"""
SUITS_RULES = """\
procedure deal
    move 4 from deck to hand of A
action play(card from hand of me where card.suit is clubs)
    move card to table
    number += 1
score number = number
"""


def at_the_table_of_suits() -> tuple[Prompt, io.StringIO]:
    labels = "play: lay\nphrases:\n  face: '{rank} of {suit}'\n"
    files = {"game.yaml": SUITS, "suits.rules": SUITS_RULES, "en.yaml": labels}
    rules, _ = load(Folder("suits", lambda name: files[name].encode()))
    match = Match(worded_game(rules, compile_rules(rules)), seed=1).start()
    out = io.StringIO()
    console = Console(file=out, width=80, height=40, force_terminal=True, color_system=None)
    session = Session(
        match, SessionConfig(["human", "random"], {}, None, False), Screen(console, lambda _: "")
    )
    return Prompt(session, as_offered(match, match.decisions()[0])), out


def test_columns_that_say_what_the_choice_is_called_are_left_out() -> None:
    prompt, out = at_the_table_of_suits()
    prompt.draw()
    assert "two of clubs" in out.getvalue()
    assert "rank" not in out.getvalue()


def test_why_not_is_answered_to_the_name_of_a_thing_alone() -> None:
    prompt, out = at_the_table_of_suits()
    prompt.why("Two of Hearts")
    said = " ".join(out.getvalue().split())
    assert "`lay Two of Hearts` cannot be chosen" in said
    assert "clubs" in said


def test_an_unknown_number_is_answered_with_the_keys_there_are() -> None:
    prompt, out = at_the_table_of_suits()
    prompt.answer("9")
    assert "unknown choice 9: choose from" in " ".join(out.getvalue().split())


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (["a", "b", "2", "3", "4"], "a, b, 2–4"),
        (["e1", "c2"], "e1, c2"),
        (["1", "3", "5"], "1, 3, 5"),
        (list("abcdefgh"), "a, b, c, d, e, f, …"),
    ],
)
def test_keys_are_listed_shortly(keys: list[str], said: str) -> None:
    assert some_keys(keys) == said


def test_a_number_that_is_too_high_is_answered_with_those_there_are() -> None:
    table = Table()
    for _ in range(3):
        table.choose("")
    prompt = Prompt(table.session, as_offered(table.match, table.match.decisions()[0]))
    table.out.truncate(0)
    prompt.why("bid 77")
    assert "`bid 77` cannot be chosen: it is not among the values here, 1–30" in table.out.getvalue()
