"""Other seats as searches: how likely each of their choices is, for what is believed of what they hold."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.beliefs.opponents import UNIFORM, mixed
from interpreter.bots.budget import Budget
from interpreter.bots.dealing import dealt
from interpreter.bots.messages import ArraysNotInstalled
from interpreter.bots.settings import SearchSettings
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game

A_STEP = 8
"""How many iterations are about as much work as a step of the rules."""
WORLDS = 16
UNIFORM_SHARE = 0.25
"""How often a seat is taken to choose at random instead: no search is like all players."""


@dataclass(frozen=True, slots=True)
class SearchModel:
    """Each option is as likely as a search of so many `iterations` tries it; a part of all choices is random.

    The search knows what the seat that chooses sees of the position, not what came before it. While seats
    choose together, and among pieces that the seat does not see, it chooses uniformly. Use it for what is
    believed of others (`OpponentModel`). Raises `DiagnosticError` with `ArraysNotInstalled`.
    """

    iterations: int = 100
    uniform_share: float = UNIFORM_SHARE
    settings: SearchSettings = field(default_factory=lambda: SearchSettings(worlds=WORLDS))

    @property
    def name(self) -> str:
        return (
            f"others are taken to choose by a search of {self.iterations} iterations,"
            f" and {self.uniform_share:.0%} of the time uniformly"
        )

    @property
    def cost(self) -> int:
        """How many steps a question counts as."""
        return 1 + self.iterations // A_STEP

    def weights(self, game: Game, state: array[int], waiting: Waiting) -> Sequence[float]:
        if state[ir.FORKED] or not UNIFORM.is_open(game, state, waiting):
            return UNIFORM.weights(game, state, waiting)
        tried = self._tried(game, state, waiting)
        plain = (1 / len(waiting.options),) * len(waiting.options)
        return mixed(plain, [tried.get(option, 0) for option in waiting.options], self.uniform_share)

    def _tried(self, game: Game, state: array[int], waiting: Waiting) -> dict[Option, int]:
        """How often a search from what the seat sees tries each option."""
        try:
            from interpreter.bots.tree_search import TreeSearch
        except ImportError as error:
            raise DiagnosticError(ArraysNotInstalled(NOWHERE)) from error
        bare = state[:]
        base, streams = game.machine.stream_base, len(game.machine.streams)
        bare[base : base + streams] = array("i", bytes(4 * streams))
        worlds = dealt(game, bare, waiting.seat, self.settings.worlds, 0)
        search = TreeSearch(game, waiting.seat, worlds, 0, self.settings, self.iterations)
        Budget(iterations=self.iterations).spend(search.run)
        root = search.root()
        edges = root.edges if root is not None else ()
        tried = {search.batch.option(waiting.node, edge.action): edge.taken for edge in edges}
        search.close()
        return tried
