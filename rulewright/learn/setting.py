"""What environments have in common: games by name, and control of chance when a match begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.source import NOWHERE
from interpreter.chance import ChanceSource, below, stream_key
from interpreter.game import Game
from interpreter.match import Match
from rulewright.learn.messages import BadEnvironmentSetting
from rulewright.learn.play import LearnMatch
from rulewright.library import open_game

Illegal = Literal["error", "lose"]


def game_of(game: str | Game, seats: int | None, options: Mapping[str, str | int] | None) -> Game:
    """A game by name or path, or one that is compiled. Raises `ErrorsReported` or `DiagnosticError`."""
    return game if isinstance(game, Game) else open_game(game, seats, options, executor="wasm")


@dataclass
class ControlledChance:
    """Outcomes of chance by stream: those that are given, in order, then drawn by a seed of the stream.

    `chooser`, if there is one, is asked first: it gets the stream and its outcomes with their weights, and
    gives one of them, or none.
    """

    seed: int
    outcomes: dict[str, list[str]] = field(default_factory=dict)
    seeds: Mapping[str, int] = field(default_factory=dict)
    chooser: ChanceSource | None = None
    drawn: dict[str, int] = field(default_factory=dict)

    def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        if self.chooser is not None:
            return self.chooser.pick(stream, outcomes)
        if self.outcomes.get(stream):
            return self.outcomes[stream].pop(0)
        key = stream_key(self.seeds.get(stream, self.seed), stream)
        ends = list(accumulate(weight for _, weight in outcomes))
        number, self.drawn[stream] = below(ends[-1], self.drawn.get(stream, 0), key)
        return next(name for (name, _), end in zip(outcomes, ends, strict=True) if number < end)


def reset_match(play: LearnMatch, seed: int, options: Mapping[str, Any] | None, beside: bool = False) -> int:
    """A new match: who decides first.

    `options` may have `outcomes`, lists of outcomes by stream that come first; `seeds`, a seed for each of
    some streams; `chance`, a `ChanceSource` that is asked for every outcome. What else stands there does not
    matter. With one of them, or `beside`, a `Match` is played beside the fast one, which is slower.

    Raises `DiagnosticError` with `BadEnvironmentSetting` for a stream that the game does not have or
    for what is no such list, seed or source, and `Fault` for an outcome that is not possible.
    """
    given = options or {}
    for name, form in (("outcomes", "lists of outcomes by stream"), ("seeds", "seeds by stream")):
        if not isinstance(given.get(name) or {}, Mapping):
            raise DiagnosticError(BadEnvironmentSetting(NOWHERE, name, repr(given[name]), f"give {form}"))
    streams = play.game.machine.streams
    outcomes, seeds = dict(given.get("outcomes") or {}), dict(given.get("seeds") or {})
    for name in (*outcomes, *seeds):
        if name not in streams:
            hint = did_you_mean(name, streams) or f"streams: {', '.join(streams) or 'none'}"
            raise DiagnosticError(
                BadEnvironmentSetting(NOWHERE, "outcomes" if name in outcomes else "seeds", name, hint)
            )
    chooser = given.get("chance")
    if chooser is not None and not hasattr(chooser, "pick"):
        hint = "give an object with `pick(stream, outcomes)`"
        raise DiagnosticError(BadEnvironmentSetting(NOWHERE, "chance", repr(chooser), hint))
    if not (outcomes or seeds or chooser is not None or beside):
        return play.reset(seed)
    chance = None
    if outcomes or seeds or chooser is not None:
        lists = {name: list(map(str, found)) for name, found in outcomes.items()}
        chance = ControlledChance(seed, lists, seeds, chooser)
    return play.reset(seed, Match(play.game, seed, chance=chance).start())
