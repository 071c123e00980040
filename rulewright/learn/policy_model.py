"""Other seats as a trained policy: how likely each of their choices is, for what is believed of them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from interpreter.beliefs.opponents import UNIFORM, mixed
from interpreter.executor_protocol import Waiting
from interpreter.game import Game
from rulewright.learn.onnx_files import OnnxPolicy
from rulewright.learn.policy_bot import play_of

UNIFORM_SHARE: Final = 0.1
"""How often a seat is taken to choose at random instead: a policy may be sure of what others doubt."""


@dataclass(frozen=True, slots=True)
class PolicyModel:
    """Each option is as likely as a policy takes it; a part of all choices is random.

    The policy sees what the seat that chooses sees. Among pieces that the seat does not see, it chooses
    uniformly. A model of others for what is believed of them (`interpreter.beliefs.opponents`).
    """

    policy: OnnxPolicy
    uniform_share: float = UNIFORM_SHARE
    cost: int = 4

    @property
    def name(self) -> str:
        file = Path(self.policy.path).name
        random = f"{self.uniform_share:.0%} of the time uniformly"
        return f"others are taken to choose as {file} does, and {random}"

    def check(self, game: Game) -> None:
        """Raises `DiagnosticError` with `ForeignModel` if the policy was trained for another game."""
        play_of(game, self.policy)

    def weights(self, game: Game, state: array[int], waiting: Waiting) -> Sequence[float]:
        """Raises `DiagnosticError` with `ForeignModel` if the policy was trained for another game."""
        play = play_of(game, self.policy)
        play.place(state)
        if not play.ask(waiting.seat) or not UNIFORM.is_open(game, state, waiting):
            return UNIFORM.weights(game, state, waiting)
        mask = play.mask()
        chances = self.policy.chances(play.observation()[None], mask[None])[0]
        found = {
            play.batch.option(waiting.node, play.local(action)): float(chances[action])
            for action in mask.nonzero()[0].tolist()
        }
        plain = (1 / len(waiting.options),) * len(waiting.options)
        return mixed(plain, [found.get(option, 0.0) for option in waiting.options], self.uniform_share)
