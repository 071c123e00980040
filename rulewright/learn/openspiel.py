"""OpenSpiel: `pyspiel.load_game("python_rulewright(game=...)")`, once this module is imported.

Source of the interface: Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games"
(arXiv:1908.09453). A node is a decision, simultaneous where seats choose together, or an outcome of chance
with its probability. Information states have perfect recall: all that a seat was told and has chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.game import Game
from rulewright.learn.libraries import library, required
from rulewright.learn.messages import BadEnvironmentSetting
from rulewright.learn.positions import Position, PositionTree, TreeSetting, tree_of

pyspiel: Final = library("pyspiel")
SpielGame: Any = getattr(pyspiel, "Game", object)
SpielState: Any = getattr(pyspiel, "State", object)

NAME: Final = "python_rulewright"
PARAMETERS: Final[dict[str, Any]] = {
    "game": "",
    "seats": 0,
    "options": "",
    "small": "",
    "reward": "win",
    "zero_sum": False,
    "together": True,
}


def load_game(game: str, **parameters: Any) -> Any:
    """The game as `pyspiel.Game`: a bundled game, or the path of a folder.

    `seats`, `options` (as `name=value;name=value`), `small` (a preset) and `reward` are as elsewhere.
    `zero_sum` promises that rewards sum to 0, which solvers want to know; a match that breaks it raises
    `ValueError`. Without `together`, seats that choose together act one after the other, unseen.

    Raises `ErrorsReported` or `DiagnosticError` for a game that there is not or a setting that is not
    possible; `DiagnosticError` with `LibraryNotInstalled` without the library.
    """
    required(pyspiel, "pyspiel", "openspiel")
    unknown = [name for name in parameters if name not in PARAMETERS]
    if unknown:
        hint = f"parameters: {', '.join(PARAMETERS)}"
        raise DiagnosticError(BadEnvironmentSetting(NOWHERE, "parameters", unknown[0], hint))
    return RulewrightGame({"game": game, **parameters})


def _options(written: str) -> dict[str, str]:
    found = {}
    for pair in filter(None, written.split(";")):
        name, equals, value = pair.partition("=")
        if not equals:
            hint = "write `name=value;name=value`"
            raise DiagnosticError(BadEnvironmentSetting(NOWHERE, "options", repr(written), hint))
        found[name.strip()] = value.strip()
    return found


def _type(tree: PositionTree | None, zero_sum: bool) -> Any:
    """The type of a game; without a tree that of all, as it is registered."""
    kinds = pyspiel.GameType
    mc = tree.game.machine if tree is not None else None
    chance = mc is None or any(isinstance(node, ir.Chance) for node in mc.nodes)
    forks = mc is None or (bool(mc.branches) and tree is not None and tree.together)
    hides = mc is None or (tree is not None and _hides(tree))
    dynamics = kinds.Dynamics.SIMULTANEOUS if forks else kinds.Dynamics.SEQUENTIAL
    mode = kinds.ChanceMode.EXPLICIT_STOCHASTIC if chance else kinds.ChanceMode.DETERMINISTIC
    known = kinds.Information.IMPERFECT_INFORMATION if hides else kinds.Information.PERFECT_INFORMATION
    utility = kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM
    return kinds(
        short_name=NAME,
        long_name="A ruleset of Rulewright",
        dynamics=dynamics,
        chance_mode=mode,
        information=known,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=64 if mc is None else mc.seats,
        min_num_players=1 if mc is None else mc.seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    )


def _hides(tree: PositionTree) -> bool:
    views, mc = tree.game.views, tree.game.machine
    secret = any(
        not views.may_read(layout, layout.base + k, seat)
        for layout in mc.variables.values()
        for k in range(layout.size)
        for seat in range(mc.seats)
    )
    return secret or bool(mc.branches) or views.hides_pieces


class RulewrightGame(SpielGame):  # type: ignore[misc]
    """A game of OpenSpiel from a ruleset; parameters as `load_game` has them."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        if not given["game"]:
            hint = f"write `{NAME}(game=NAME)`, with the name or path of a ruleset"
            raise DiagnosticError(BadEnvironmentSetting(NOWHERE, "game", "empty", hint))
        setting = TreeSetting(
            given["game"],
            given["seats"] or None,
            tuple(sorted(_options(given["options"]).items())),
            given["small"] or None,
            given["reward"],
            bool(given["together"]),
        )
        self.tree = tree_of(setting)
        game = self.tree.game
        alone = len(set(self.tree.rewards.sides)) == game.machine.seats > 1
        self.zero_sum = bool(given["zero_sum"]) or (given["reward"] == "win" and alone)
        super().__init__(_type(self.tree, self.zero_sum), self._info(game), dict(params or {}))

    def _info(self, game: Game) -> Any:
        least, most = self.tree.rewards.bounds
        return pyspiel.GameInfo(
            num_distinct_actions=self.tree.space.actions,
            max_chance_outcomes=self.tree.most_outcomes,
            num_players=game.machine.seats,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if self.zero_sum else None,
            max_game_length=game.machine.longest,
        )

    def new_initial_state(self, state_str: str | None = None) -> RulewrightState:
        return RulewrightState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> PositionObserver:
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return PositionObserver(self.tree, kind.perfect_recall)


class RulewrightState(SpielState):  # type: ignore[misc]
    """A state of OpenSpiel: a position of the tree. Copies share it."""

    def __init__(self, game: RulewrightGame) -> None:
        super().__init__(game)
        self.tree = game.tree
        self.zero_sum = game.zero_sum
        self.position: Position = game.tree.root

    def current_player(self) -> int:
        at = self.position
        if at.chance or at.pick is not None:
            return int(pyspiel.PlayerId.CHANCE)
        if at.over:
            return int(pyspiel.PlayerId.TERMINAL)
        asked = self.tree.seats_asked(at)
        if self.tree.together and at.state[ir.FORKED]:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return asked[0]

    def is_terminal(self) -> bool:
        return self.position.over

    def _legal_actions(self, player: int) -> list[int]:
        if player not in self.tree.seats_asked(self.position):
            return []
        return list(self.tree.offers(self.position, player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.tree.outcomes(self.position)

    def _apply_action(self, action: int) -> None:
        at = self.position
        if at.chance or at.pick is not None:
            self.position = self.tree.resolve(at, action)
        else:
            seat = self.tree.seats_asked(at)[0]
            if action not in self.tree.offers(at, seat):
                raise ValueError(f"action {action} is not offered to player {seat}")
            self.position = self.tree.take(at, seat, action)

    def _apply_actions(self, actions: list[int]) -> None:
        at = self.position
        asked = self.tree.seats_asked(at)
        for seat in asked:
            if actions[seat] not in self.tree.offers(at, seat):
                raise ValueError(f"action {actions[seat]} is not offered to player {seat}")
        self.position = self.tree.take_all(at, [(seat, actions[seat]) for seat in asked])

    def _action_to_string(self, player: int, action: int) -> str:
        return self.tree.action_words(self.position, player, action)

    def returns(self) -> list[float]:
        if not self.position.over:
            return [0.0] * self.tree.seats
        found = self.tree.returns(self.position)
        if self.zero_sum and abs(sum(found)) > 1e-6:
            raise ValueError(f"rewards {found} do not sum to 0: load the game without `zero_sum`")
        return found

    def information_state_string(self, player: int | None = None) -> str:
        return self.tree.information(self.position, self.current_player() if player is None else player)

    def __str__(self) -> str:
        words = self.position.state[self.tree.game.machine.saved_from : self.tree.game.machine.saved_to]
        return " ".join(map(str, words))


class PositionObserver:
    """What a player observes: with perfect recall as text, else as columns of numbers too."""

    def __init__(self, tree: PositionTree, recalls: bool) -> None:
        self.tree = tree
        self.recalls = recalls
        self.tensor = None if recalls else np.zeros(tree.space.width, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: RulewrightState, player: int) -> None:
        if self.tensor is not None:
            self.tensor[:] = self.tree.observation(state.position, player)

    def string_from(self, state: RulewrightState, player: int) -> str:
        if self.recalls:
            return self.tree.information(state.position, player)
        row = self.tree.observation(state.position, player)
        columns = zip(self.tree.space.catalogue.columns, row.tolist(), strict=True)
        return "\n".join(f"{name}: {value}" for (name, _, _), value in columns if value)


if pyspiel is not None and NAME not in pyspiel.registered_names():
    pyspiel.register_game(_type(None, False), RulewrightGame)
