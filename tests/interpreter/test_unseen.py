"""Choices among pieces that the chooser does not see: nothing that it reads names them."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from dsl.load import Folder, load
from dsl.source import Source
from interpreter import ir, log
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.redacted_log import notated
from interpreter.replay import replay
from rulewright.main import main
from rulewright.tui.game_loop import play
from rulewright.tui.screen import Screen
from rulewright.tui.session import Session, SessionConfig
from tests.properties import secrets

YAML = """
game: blind
seats: 2
rules: [blind.rules]
types:
  kind: [crown, rose, thorn]
components:
  card: {kinds: kind, count: 4}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, HAND}
  kept: {holds: card, of: seat, seen_by: owner, counted_by: all}
  table: {holds: card, seen_by: all}
counters:
  coins: {of: seat, range: 0..9}
flow:
  begin: {do: [deal], then: turn}
  turn: {seat: rotates, do: [{may do: [play, look, spend]}], then: turn}
  last: {score: highest}
"""
RULES = """
procedure deal
    each seat in turn
        move 3 from deck to hand of me
        move 1 from deck to kept of me

action play(card from hand of me)
    move card to table

action look(card from hand of me)
    move card to kept of me

action spend(card from hand of me)
    move card to deck

score coins = coins of me
"""
KINDS = ("crown", "rose", "thorn")
NOBODY, UNCOUNTED = "seen_by: nobody, counted_by: all", "seen_by: nobody"


def text_of(hand: str) -> dict[str, bytes]:
    return {"game.yaml": YAML.replace("HAND", hand).encode(), "blind.rules": RULES.encode()}


def game(hand: str = NOBODY) -> Game:
    rules, _ = load(Folder("blind", text_of(hand).__getitem__))
    return Game(rules, compile_rules(rules))


def words(match: Match, seat: int = 0) -> list[str]:
    return [choice.text for decision in match.offered_to(seat) for choice in decision.choices]


def test_each_piece_is_a_number() -> None:
    for seed in range(6):
        match = Match(game(), seed).start()
        assert words(match) == [f"{a} ? {n}" for a in ("play", "look", "spend") for n in (1, 2, 3)] + ["pass"]
        assert words(match, 1) == []


def test_what_cannot_be_counted_is_one_for_all() -> None:
    match = Match(game(UNCOUNTED), 1).start()
    assert words(match) == ["play ? 1", "look ? 1", "spend ? 1", "pass"]


def test_the_numbers_say_nothing_of_the_pieces() -> None:
    """The first number is each kind about as often as it lies in the hand."""
    first: Counter[str] = Counter()
    for seed in range(150):
        match = Match(game(), seed).start()
        match.choose("A", "play ? 1")
        first[match.view(-1).zones["table"][0]] += 1  # type: ignore[index]
    assert all(first[kind] > 25 for kind in KINDS)


def test_all_three_pieces_are_there() -> None:
    for seed in range(6):
        match = Match(game(), seed).start()
        hand = match.view(-2).zones["hand of A"]
        assert isinstance(hand, list)
        found = [match.offered_to(0)[0].choices[n].option[1] % 3 for n in range(3)]
        assert sorted(KINDS[class_] for class_ in found) == sorted(hand)


def test_what_is_seen_later_is_named_then() -> None:
    match = Match(game(), 2).start()
    match.choose("A", "look ? 2")
    lines = notated(match, 0)
    assert "A: look ?" in lines
    assert any(line.endswith("hand of A -> kept of A") and line.split(":")[0] in KINDS for line in lines)
    assert not any(kind in line for line in notated(match, 1)[4:] for kind in KINDS if "kept of A" in line)


def test_what_stays_hidden_is_told_to_nobody() -> None:
    match = Match(game(), 2).start()
    before = [len(notated(match, seat)) for seat in (-1, 0, 1)]
    match.choose("A", "spend ? 2")
    for seat, length in zip((-1, 0, 1), before, strict=True):
        assert not any(kind in line for line in notated(match, seat)[length:] for kind in KINDS)


@pytest.mark.parametrize("written", ["play", "play crown", "play rose", "play thorn", "crown", "play ? 9"])
def test_a_refusal_names_nothing(written: str) -> None:
    told = set()
    for seed in range(12):
        match = Match(game(), seed).start()
        why, hint = match.game.refusals.why(match.state[:], match.waiting()[0], written)
        told.add((why, hint))
        assert not any(kind in text.replace(written, "") for text in (why, hint) for kind in KINDS)
    assert len(told) == 1


def test_a_number_that_is_not_there_is_refused() -> None:
    with pytest.raises(Fault):
        Match(game(), 1).start().choose("A", "play ? 4")


def test_the_log_names_what_was_chosen_and_replays() -> None:
    match = Match(game(), 5).start()
    match.choose("A", "play ? 3")
    text = log.write(match, {}, ["human", "human"])
    chosen = json.loads(text.splitlines()[-1])["choose"]
    assert chosen.removeprefix("play ") in KINDS
    again = replay(match.game, log.read(Source("match.log", text)))
    assert again.match.hash() == match.hash()


def test_a_seats_replay_names_nothing(tmp_path: Path) -> None:
    for name, data in text_of(NOBODY).items():
        (tmp_path / name).write_bytes(data)
    match = Match(game(), 5).start()
    match.choose("A", "spend ? 3")
    match.choose("B", "pass")
    file = tmp_path / "match.log"
    file.write_text(log.write(match, {}, ["human", "human"]))
    for more in ([], ["--json"]):
        said = CliRunner().invoke(
            main, ["replay", str(file), "--game", str(tmp_path), "--seat", "A", "--no-verify", *more]
        )
        assert said.exit_code == 0, said.output
        own = match.view(0).zones["kept of A"]
        assert isinstance(own, list)
        assert not any(kind in said.output for kind in KINDS if kind not in own)
        assert "play ? 1" in said.output


def test_a_screen_names_nothing() -> None:
    """Menu, questions and explanations; what the seat holds openly is another matter."""
    match, out = Match(game(), 5).start(), io.StringIO()
    lines = iter(["? 1", "? play", "why play", "play", "? 2", "log all", "score", "view"])

    def ask(prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    console = Console(file=out, width=100, height=40, force_terminal=True, color_system=None)
    with pytest.raises(EOFError):
        play(Session(match, SessionConfig(["human", "random"], {}), Screen(console, ask)))
    own = match.view(0).zones["kept of A"]
    assert isinstance(own, list)
    assert "? 1" in out.getvalue()
    assert not any(kind in out.getvalue() for kind in KINDS if kind not in own)


GIVEN = """
action play
    let one = place of me at 1
    let two = place of me at 2
    if one exists and two exists
        do one of lay(one), lay(two)

action lay(card)
    gain 1 coins

action look
    gain 1 coins

action spend
    gain 1 coins

score coins = coins of me
"""


@pytest.mark.parametrize(("sight", "own"), [("owner", True), ("nobody", False)])
def test_arguments_that_are_hidden_pieces_are_told_only_to_who_sees_them(sight: str, own: bool) -> None:
    """`lay rose`: what is offered twice is told apart by what it is given."""
    places = f"  place: {{holds: card, of: seat, at: slot, size: 1, seen_by: {sight}, counted_by: all}}\n"
    deal = (
        "\nprocedure deal\n    each seat in turn\n        for slot\n"
        "            move 1 from deck to place of me at slot\n"
    )
    files = {
        "game.yaml": YAML.replace("HAND", NOBODY)
        .replace("  kind: [", "  slot: 1..2\n  kind: [")
        .replace("  kept:", f"{places}  kept:")
        .encode(),
        "blind.rules": (deal + GIVEN).encode(),
    }
    rules, _ = load(Folder("blind", files.__getitem__))
    for seed in range(8):
        match = Match(Game(rules, compile_rules(rules)), seed).start()
        match.choose("A", "play")
        named = {kind for text in words(match) for kind in KINDS if kind in text}
        assert bool(named) == own
        first = len(match.steps)
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])
        for seat in (-1, 1) if own else (-1, 0, 1):
            assert not any(kind in line for line in notated(match, seat, first) for kind in KINDS)


def test_what_is_half_chosen_is_in_the_view() -> None:
    """The first parameter of an action, until it is complete; a piece unseen by others is not named."""
    match = Match(secrets.game(), seed=3).start()
    seen = 0
    for number in range(60):
        waiting = match.waiting()[number % len(match.waiting())]
        match.take(waiting, waiting.options[number % len(waiting.options)])
        own, others = (match.view(seat).chosen for seat in (waiting.seat, 1 - waiting.seat))
        if not match.state[ir.FORKED] and "lay.card" in own:
            assert own["lay.card"].startswith("c")
            assert others == {"lay.card": "?"}
            seen += 1
        if not match.state[ir.FORKED] and match.decisions()[0].name == "acts":
            assert own == others == {}
    assert seen


SEVERAL = """
action rob(2 card from hand of opponent as taken)
    move all from taken to kept of me
"""
FOURS = (("crown", "crown", "crown", "crown"), ("crown", "crown", "rose", "thorn"))


@pytest.mark.parametrize("hand", FOURS, ids=" ".join)
def test_a_set_of_unseen_pieces_says_nothing_of_them(hand: tuple[str, ...]) -> None:
    """The sorts are chosen in their order, so not every piece could be the first one, nor the second."""
    text = text_of("seen_by: owner, counted_by: all")
    files = {
        "game.yaml": text["game.yaml"].replace(b"[play, look, spend]", b"[rob]"),
        "blind.rules": text["blind.rules"] + SEVERAL.encode(),
    }
    rules, _ = load(Folder("blind", files.__getitem__))
    match = Match.from_position(Game(rules, compile_rules(rules)), {"hand of B": list(hand)}, at="turn")
    assert words(match) == ["rob ? 1", "rob ? 2", "rob ? 3", "rob ? 4", "pass"]
    match.choose("A", "rob ? 4")
    assert words(match) == ["? 1", "? 2", "? 3", "? 4"]
    match.choose("A", "? 4")
    assert match.view("A").zones["hand of B"] == 2
    assert len(match.view("A").zones["kept of A"]) == 2
