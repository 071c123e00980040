"""What environments have in common: games by name, and control of chance when a match begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import index
from os import PathLike
from typing import Any, Final, Literal

import numpy as np

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.source import NOWHERE
from interpreter.chance import ChanceSource, below, stream_key
from interpreter.game import Game
from interpreter.match import Match
from rulewright.learn.arguments import refused
from rulewright.learn.messages import BadEnvironmentSetting
from rulewright.learn.play import LearnMatch
from rulewright.library import open_game

Illegal = Literal["error", "lose"]


CONTROLS: Final = ("outcomes", "seeds", "chance", "position")
"""What the options of a `reset` may have, to control chance and where the match begins."""
GIVEN: Final = ("set", "at", "seat", "prepared", "spare", "carried")
"""What a position may have, as `given` of a scenario has it."""


def game_of(game: str | Game, seats: int | None, options: Mapping[str, str | int] | None) -> Game:
    """A game by name or path, or one that is compiled. Raises `ErrorsReported` or `DiagnosticError`."""
    if not isinstance(game, str | PathLike | Game):
        raise refused("game", game, "give a name, a path, or what `open_game` gives")
    if seats is not None and not isinstance(seats, int):
        raise refused("seats", seats, "give a whole number")
    if options is not None and not isinstance(options, Mapping):
        raise refused("options", options, "give a dictionary of options and their values")
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


def seed_of(seed: object) -> int:
    """A seed as a whole number from 0. Raises `DiagnosticError` with `BadEnvironmentSetting`."""
    try:
        found = index(seed)  # type: ignore[arg-type]
    except TypeError:
        raise refused("seed", seed, "give a whole number from 0") from None
    if found < 0:
        raise refused("seed", seed, "give a whole number from 0")
    return found


def one_of(name: str, value: object, known: Sequence[str]) -> None:
    """Raises `DiagnosticError` with `BadEnvironmentSetting` for a value that is none of the known ones."""
    if not isinstance(value, str) or value not in known:
        raise refused(name, value, f"one of {', '.join(known)}")


def options_of(options: object, known: Sequence[str] = CONTROLS) -> dict[str, Any]:
    """The options of a `reset`.

    Names that nobody knows do not matter, as the libraries want it, unless they are nearly known ones: those
    raise `DiagnosticError` with `BadEnvironmentSetting`, and so does what is not a mapping. A slip keeps the
    first letter: PettingZoo's own tests give `options`, which is no `position`.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise refused("options", options, f"give a dictionary with some of {', '.join(known)}")
    for name in options:
        near = [one for one in known if one[0] == str(name)[:1]]
        if name not in known and (hint := did_you_mean(str(name), near)):
            raise refused("options", name, hint)
    return dict(options)


def reset_match(play: LearnMatch, seed: int, options: Mapping[str, Any] | None, beside: bool = False) -> int:
    """A new match: who decides first.

    `options` may have `outcomes`, lists of outcomes by stream that come first; `seeds`, a seed for each of
    some streams; `chance`, a `ChanceSource` that is asked for every outcome; `position`, a dictionary with
    the arguments of `Match.from_position`, its values as `set`. With one of them, or `beside`, a `Match` is
    played beside the fast one, which is slower.

    Raises `DiagnosticError` with `BadEnvironmentSetting` for a stream that the game does not have or
    for what is not such a list, seed, source or position, and `Fault` for an outcome or a position that is
    not possible.
    """
    given = options or {}
    outcomes = _by_stream(play, "outcomes", given.get("outcomes"), "lists of outcomes by stream")
    seeds = _by_stream(play, "seeds", given.get("seeds"), "seeds by stream")
    for stream, found in outcomes.items():
        if isinstance(found, str) or not isinstance(found, Sequence):
            raise refused("outcomes", found, f"give a list of outcomes of {stream}")
    for found in seeds.values():
        if not isinstance(found, int | np.integer):
            raise refused("seeds", found, "a seed is a whole number")
    chooser = given.get("chance")
    if chooser is not None and not hasattr(chooser, "pick"):
        raise refused("chance", chooser, "give an object with `pick(stream, outcomes)`")
    position = given.get("position")
    if not (outcomes or seeds or chooser is not None or position is not None or beside):
        return play.reset(seed)
    chance = None
    if outcomes or seeds or chooser is not None:
        lists = {name: list(map(str, found)) for name, found in outcomes.items()}
        own = {name: int(found) for name, found in seeds.items()}
        chance = ControlledChance(seed, lists, own, chooser)
    if position is None:
        return play.reset(seed, Match(play.game, seed, chance=chance).start())
    values, where = _position(position)
    return play.reset(seed, Match.from_position(play.game, values, seed=seed, chance=chance, **where))


def _position(given: object) -> tuple[Mapping[str, object], dict[str, Any]]:
    """What a position sets, and the other arguments of `Match.from_position`."""
    if not isinstance(given, Mapping) or not isinstance(given.get("set", {}), Mapping):
        raise refused(
            "position", given, "give a dictionary with `set`, and `at` and `seat` if they are needed"
        )
    for name in given:
        if name not in GIVEN:
            raise refused(
                "position", name, did_you_mean(str(name), GIVEN) or f"it may have {', '.join(GIVEN)}"
            )
    where = dict(given)
    return where.pop("set", {}), where


def _by_stream(play: LearnMatch, name: str, given: object, form: str) -> dict[str, Any]:
    """What is given for some streams of the game."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise refused(name, given, f"give {form}")
    found: dict[str, Any] = dict(given)
    streams = play.game.machine.streams
    for stream in found:
        if stream not in streams:
            hint = did_you_mean(str(stream), streams) or f"streams: {', '.join(streams) or 'none'}"
            raise DiagnosticError(BadEnvironmentSetting(NOWHERE, name, str(stream), hint))
    return found
