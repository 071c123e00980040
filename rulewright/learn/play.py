"""One match as learners see it: flat actions with a mask, observations, rewards at its end.

It is stepped inside the module, without words and history. `vector` plays many.
"""

from __future__ import annotations

from array import array
from collections import Counter
from typing import Final

import numpy as np

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.chance import stream_key
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match
from interpreter.unseen import numbers_of
from interpreter.wasm.batch import Stepper
from rulewright.learn.messages import ActionNotOffered
from rulewright.learn.rewards import Floats, RewardKind, Rewards
from rulewright.learn.space import DecisionIndex, Mask, Row, Space

FEW: Final = 512
"""Masks of fewer actions are copied whole; of longer ones only what is offered is looked at."""
SHOWN: Final = 12
"""How many of the offered actions are listed in a message."""


class LearnMatch:
    """A match that is stepped by actions of the catalogue.

    A `Match` that is given to `reset` is played beside it: for bots that look at one, or for other chance.
    """

    def __init__(self, space: Space, reward: RewardKind = "win") -> None:
        self.space = space
        self.game = space.game
        self.rewards = Rewards(space.game, reward)
        self.stepper = Stepper(space.game)
        self.batch = self.stepper.batch
        self.match: Match | None = None
        self._mask: Mask = self.stepper.mask.view(np.int8)
        self._offers = self.stepper.mask.view(np.bool_)
        self._seed = 0
        self._offered: dict[int, int] | None = None
        self.seat = -1
        """Who decides, -1 for nobody."""
        self._at = next(iter(space.decisions.values()), None)

    # ---- beginning

    def reset(self, seed: int, match: Match | None = None) -> int:
        """Restarts under a seed: who decides first, -1 if the match is over at once.

        With a `match`, which has been started, it goes on from there, and plays that one beside itself.
        """
        self._seed, self.match = seed, match
        if match is None:
            return self._arrived(self.stepper.reset(seed))
        self.batch.put(0, match.state)
        return self._arrived(self.stepper.seat)

    def place(self, state: array[int]) -> int:
        """Takes up a position, to look at it: who decides there, -1 if the match is over."""
        self.match = None
        self.batch.put(0, state)
        return self._arrived(self.stepper.seat)

    def _arrived(self, seat: int) -> int:
        self.seat = seat
        self._offered = None
        self._at = self.space.decisions[self.stepper.node] if seat >= 0 else None
        if self._at is not None:
            hidden = self._at.hidden.get(seat)
            if hidden is not None and self._mask[hidden].any():
                state = array("i", self.stepper.state.tobytes())
                self._offered = numbered(self.space, self._at, state, seat, self._seed)
        return seat

    @property
    def over(self) -> bool:
        return self.stepper.over

    # ---- what is seen

    def mask(self) -> Mask:
        """[actions]: a new array, 1 where the deciding seat may choose an action."""
        at = self._at
        if at is None:
            return np.zeros(self.space.actions, dtype=np.int8)
        if self._offered is None and at.straight:
            return self._mask.copy()
        mask = np.zeros(self.space.actions, dtype=np.int8)
        if self._offered is not None:
            mask[list(self._offered)] = 1
        elif at.unique and at.total < FEW:
            mask[at.ids] = self._mask[: at.total]
        else:
            mask[at.ids[self._offers[: at.total].nonzero()[0]]] = 1
        return mask

    def observation(self) -> Row:
        """[columns]: what the deciding seat may see, a new array."""
        at = self._at
        if at is None:
            return self.observation_of(0)
        return self.space.row(self.stepper.observation, at.number, False)

    def observation_of(self, seat: int) -> Row:
        """[columns]: what any seat may see."""
        if seat == self.seat:
            return self.observation()
        return self.space.row(self.batch.observe(0, seat), 0, self.over)

    def rewards_now(self) -> Floats:
        """[seats]: what the match that is over is worth to each seat."""
        return self.rewards.of(self.stepper.scores, self.stepper.winners)

    # ---- choices

    def step(self, action: int) -> int:
        """The deciding seat takes an action: who decides next, -1 if the match is over.

        Raises `DiagnosticError` with `ActionNotOffered` if it is not offered; nothing has changed then.
        Raises the `Fault` that the match comes to.
        """
        local = self.local(action)
        if self.match is None:
            return self._arrived(self.stepper.step(local))
        waiting = self.waiting()
        self.match.take(waiting, self.batch.option(waiting.node, local))
        self.batch.put(0, self.match.state)
        return self._arrived(self.stepper.seat)

    def local(self, action: int) -> int:
        """The number of an action in the batch. Raises `DiagnosticError` with `ActionNotOffered`."""
        at = self._at
        if at is not None and isinstance(action, int | np.integer):
            if self._offered is not None:
                if action in self._offered:
                    return self._offered[action]
            else:
                for local in at.locals.get(action, ()):
                    if self._mask[local]:
                        return local
        raise self.refusal(action)

    def refusal(self, action: object) -> DiagnosticError:
        """The error for an action that is not offered."""
        keys = self.space.catalogue.actions
        words = ""
        if isinstance(action, int | np.integer) and 0 <= action < len(keys):
            words = f" ({keys[int(action)]})"
        offered = self.mask().nonzero()[0].tolist()
        shown = ", ".join(f"{i} ({keys[i]})" for i in offered[:SHOWN])
        shown += ", ..." if len(offered) > SHOWN else ""
        return DiagnosticError(
            ActionNotOffered(
                NOWHERE, f"{shown_action(action)}{words}", f"seat {self.seat}", shown or "nothing"
            )
        )

    def action_of(self, option: Option) -> int:
        """The action of the catalogue that an option of the decision that waits means."""
        at = self._at
        assert at is not None
        local = self.batch.action(at.actions.node, option)
        if self._offered is not None:
            for action, meant in self._offered.items():
                if meant == local:
                    return action
        return int(at.ids[local])

    def ask(self, seat: int) -> bool:
        """Whether a seat is asked now, and if so, that it is the one that decides."""
        self.batch.ask_first(seat)
        with self.batch.opened() as instance:
            instance.functions["look"](0)
        self._arrived(self.stepper.seat)
        return self.seat == seat

    def waiting(self) -> Waiting:
        """The decision that waits in the match that is played beside."""
        assert self.match is not None
        assert self._at is not None
        node = self._at.actions.node
        return next(w for w in self.match.waiting() if w.seat == self.seat and w.node == node)


def shown_action(action: object) -> str:
    """What somebody gave as an action, in words; whole numbers of numpy are shown as numbers."""
    return str(int(action)) if isinstance(action, np.integer) else repr(action)


def numbered(space: Space, at: DecisionIndex, state: array[int], seat: int, seed: int) -> dict[int, int]:
    """The actions that a seat is offered where it does not see all pieces, with their numbers in the batch.

    Pieces that it does not see have numbers, in an order that says nothing of them: `interpreter.unseen`.
    """
    game, actions = space.game, at.actions
    waiting = next(w for w in game.executor.waiting(state) if w.seat == seat and w.node == actions.node)
    key, _ = stream_key(seed ^ state[ir.DECISIONS], "0")
    hidden: dict[tuple[int, int], bool] = {}
    groups: dict[tuple[str, int], list[int]] = {}
    offered: dict[int, int] = {}
    for option in waiting.options:
        local = at.local_of(option)
        alike = option[0], actions.places[local]
        if alike not in hidden:
            hidden[alike] = game.views.hides_option(state, waiting, option)
        if hidden[alike]:
            groups.setdefault((actions.unseen[local], alike[1]), []).append(local)
        else:
            offered.setdefault(int(at.ids[local]), local)
    numbers: Counter[str] = Counter()
    for (words, place), found in groups.items():
        for i in numbers_of(game, state, seat, key, place, [actions.classes[local] for local in found]):
            numbers[words] += 1
            offered.setdefault(space.ids[f"{words} {numbers[words]}"], found[i])
    return offered
