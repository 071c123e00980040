"""Bots by name for the seats of a game."""

from __future__ import annotations

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.game import Game
from rulewright.learn.policy_names import player_named
from rulewright.messages import NotAsManyBots


def named_bots(written: str) -> list[str]:
    """The names in a list with commas. A name with a colon has its budget behind it."""
    return [name.strip() for name in written.split(",")]


def seated_bots(written: str, game: Game) -> tuple[str, ...]:
    """A bot for each seat. Raises `DiagnosticError` with `NotAsManyBots`, or what `check_bot` raises."""
    names = named_bots(written)
    seats = game.machine.seats
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        hint = f"name one for all seats, or {seats}"
        raise DiagnosticError(NotAsManyBots(NOWHERE, written, f"are {len(names)}, for {seats} seats", hint))
    for name in dict.fromkeys(names):
        check_bot(name)
    return tuple(names)


def check_bot(name: str) -> None:
    """Raises what `player_named` raises."""
    player_named(name)
