"""Stops of matches in words: what was chosen before, and what is offered."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from dsl.diagnostics import Label
from dsl.rules import Rules
from dsl.wording import plural
from interpreter.executor_protocol import Waiting
from interpreter.game import Game
from validators.endless_play import EndlessPlay, PlayedStop
from validators.explore.stepping import WORLD, Move

SHOWN, NAMED = 4, 6
"""How many choices before a stop are shown, and how many of its own are named."""


class StopsInWords:
    """The stops of matches of one machine in words."""

    def __init__(self, rules: Rules, play: EndlessPlay) -> None:
        self.game, self.play = Game(rules, play.machine), play

    def match(self, stops: Sequence[PlayedStop]) -> str:
        """How long a match was when it came to its last stop."""
        return f"with {plural(self.play.machine.seats, 'seat')} after {plural(len(stops) - 1, 'step')}"

    def choices(self, stop: PlayedStop, moves: Sequence[Move] = ()) -> str:
        """The first of some choices that are offered at a stop, or of all."""
        named = moves or self.play.steps.moves(stop.state)
        texts = [f"`{self._text(stop.state, move)}`" for move in named[:NAMED]]
        return ", ".join([*texts, *(["…"] if len(named) > NAMED else [])])

    def before(self, stops: Sequence[PlayedStop]) -> tuple[Label, ...]:
        """The choices that led to the last stop, as many as are shown."""
        last = stops[-SHOWN - 1 :]
        return tuple(filter(None, map(self._taken, last, last[1:])))

    def _taken(self, stop: PlayedStop, after: PlayedStop) -> Label | None:
        """The choice that led from a stop to the next; none of a random outcome."""
        for move in self.play.steps.moves(stop.state):
            if move.branch != WORLD and self.play.steps.after(stop.state, move) == after.state:
                node = self.game.machine.decision(move.node)
                return Label(
                    node.span, f"{self._seat(stop.state, move)} chooses `{self._text(stop.state, move)}`"
                )
        return None

    def _text(self, state: bytes, move: Move) -> str:
        names, node = self.game.names, self.game.machine.decision(move.node)
        return " ".join(names.choice(node, move.option, self._waiting(state, move).what))

    def _seat(self, state: bytes, move: Move) -> str:
        return self.game.names.seat(self._waiting(state, move).seat)

    def _waiting(self, state: bytes, move: Move) -> Waiting:
        waiting = self.game.reference.waiting(array("i", state))
        return next(w for w in waiting if (w.node, w.branch) == (move.node, move.branch))
