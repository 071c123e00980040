"""Which executor runs the matches of a game at a server."""

from __future__ import annotations

from typing import Any

from interpreter.match import Match
from interpreter.reference.executor import ReferenceExecutor
from interpreter.wasm.executor import WasmExecutor
from rulewright.library import find
from rulewright.serve.games.compiled import Games


def opened(games: Games, source: str, seats: int, **options: str) -> Match:
    return Match(games.game(games.read(source).archive.digest, seats, options), seed=4).start()


def test_only_a_game_whose_choices_take_long_has_the_fast_one() -> None:
    games = Games()
    assert isinstance(opened(games, "go", 2).game.executor, WasmExecutor)
    assert isinstance(opened(games, "tic_tac_toe", 2).game.executor, ReferenceExecutor)


def test_rules_of_strangers_keep_the_plain_one() -> None:
    games = Games(is_stranger=lambda source: source == str(find("go")))
    assert isinstance(opened(games, str(find("go")), 2).game.executor, ReferenceExecutor)


def test_what_an_open_game_lets_take_back_asks_for_no_choices(monkeypatch: Any) -> None:
    match = opened(Games(), "go", 2)
    waiting = match.waiting()[0]
    match.take(waiting, waiting.options[0])

    def refuse(*_: object) -> None:
        raise AssertionError("asked for choices")

    monkeypatch.setattr(match.game.executor, "waiting", refuse)
    assert match.why_no_undo(1) is None
