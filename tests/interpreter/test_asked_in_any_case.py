"""Who can react with hidden pieces is asked in any case, by both executors and in every form."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.game import ExecutorKind
from interpreter.match import Match
from interpreter.position import Position
from interpreter.wasm.program import Program
from rulewright.library import open_game
from tests.rulewright.test_hot_seat import FORMS, HANDS, folder


def asked(game: Path, executor: ExecutorKind, hand: list[str]) -> tuple[list[tuple[str, str]], str]:
    """Who is asked for what after an attack, and how the match stands when all has been declined."""
    position = Position(open_game(str(game), 2))
    position.set_pieces(position.place("hand of A"), ["sword", "sword"], False)
    position.set_pieces(position.place("hand of B"), hand, False)
    match = Match(open_game(str(game), 2, executor=executor), seed=3)
    match.state = position.state
    match.run_from(position.stand_at("turn.acts", 0))
    match.choose("A", "attack")
    found = [(decision.seat, decision.name) for decision in match.decisions()]
    while match.waiting()[0].seat == 1:
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[-1])
    return found, match.hash()


@pytest.mark.parametrize("form", FORMS)
def test_both_executors_ask_whatever_lies_hidden(form: str, tmp_path: Path) -> None:
    game = folder(tmp_path, form)
    reference = [asked(game, "reference", hand) for hand in HANDS]
    assert reference == [asked(game, "wasm", hand) for hand in HANDS]
    assert reference[0][0] == reference[1][0]
    assert [seat for seat, _ in reference[0][0]] == ["B"]


def test_a_choice_if_any_is_declined_only_where_there_is_none(tmp_path: Path) -> None:
    offered = []
    for hand in HANDS:
        position = Position(open_game(str(folder(tmp_path, "choose if any")), 2))
        position.set_pieces(position.place("hand of B"), hand, False)
        match = Match(position.game)
        match.state = position.state
        match.run_from(position.stand_at("turn.acts", 0))
        match.choose("A", "attack")
        offered.append([choice.text for choice in match.decisions()[0].choices])
    assert offered == [["shield"], ["pass"]]


def test_playouts_go_through_it(tmp_path: Path) -> None:
    text = folder(tmp_path, "choose if any") / "game.yaml"
    acts = "do: [{may keep doing: [attack, rest], named: acts}]"
    ends = f"turn: {{seat: rotates, {acts}, then: {{over: last, otherwise: turn}}}}"
    text.write_text(text.read_text().replace(text.read_text().splitlines()[-2].strip(), ends))
    rules = tmp_path / "reactions.rules"
    rules.write_text(rules.read_text() + "\nvalue over = points of A > 9\n")
    assert Program(open_game(str(tmp_path), 2).machine).playouts(50, 0).playouts == 50
