"""OpenSpiel: `pyspiel.load_game("python_rulewright(game=...)")`, once this module is imported.

Source of the interface: Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games"
(arXiv:1908.09453). A node is a decision, simultaneous where seats choose together, or an outcome of chance
with its probability. Information states have perfect recall: all that a seat was told and has chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.game import Game
from rulewright.learn.arguments import demand, refused
from rulewright.learn.libraries import library, required
from rulewright.learn.messages import BadEnvironmentSetting
from rulewright.learn.moments import recalled
from rulewright.learn.observed import Numbers, Observed
from rulewright.learn.planes import Floats
from rulewright.learn.position_text import position_text
from rulewright.learn.positions import Position, PositionTree, TreeSetting, tree_of
from rulewright.learn.resampling import resampled
from rulewright.learn.space import Row

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
    "moments": 0,
    "layout": "columns",
}
KINDS: Final[dict[type, tuple[type, ...]]] = {
    str: (str,),
    int: (int, np.integer),
    bool: (bool, int, np.bool_),
}
LARGEST: Final = (1 << 31) - 1
"""The largest number that the library holds."""
NAMES_OF_KINDS: Final = {str: "text", int: "a whole number", bool: "`True` or `False`"}
PLAYERS: Final = getattr(pyspiel, "PlayerId", None)
CHANCE, TERMINAL, SIMULTANEOUS = (
    (int(PLAYERS.CHANCE), int(PLAYERS.TERMINAL), int(PLAYERS.SIMULTANEOUS))
    if PLAYERS is not None
    else (-1, -4, -2)
)
FLAT: Final = "flat numbers"
"""The name of what is in no plane of a layout; no board has a name of two words."""
MOST_MOMENTS: Final = 64
"""Games that are never longer have information states as tensors without being asked."""


def load_game(game: str, **parameters: Any) -> Any:
    """The game as `pyspiel.Game`: a bundled game, or the path of a folder.

    `seats`, `options` (as `name:value;name:value`), `small` (a preset) and `reward` are as elsewhere.
    `zero_sum` promises that rewards sum to 0, which solvers want to know; a match that breaks it raises
    `ValueError`. Without `together`, seats that choose together act one after the other, unseen.

    `moments` is for how many decisions a tensor of an information state has room; a match that has more
    raises `ValueError` when one is asked for. By default those of the longest match, if these are at most 64,
    else there are no such tensors. With the `layout` `network`, tensors hold numbers from 0 to 1 instead of
    columns: planes by board, and `flat numbers`.

    Raises `ErrorsReported` or `DiagnosticError` for a game that there is not or a setting that is not
    possible; `DiagnosticError` with `LibraryNotInstalled` without the library.
    """
    required(pyspiel, "pyspiel", "openspiel")
    unknown = [name for name in parameters if name not in PARAMETERS]
    if unknown:
        hint = f"parameters: {', '.join(PARAMETERS)}"
        raise DiagnosticError(BadEnvironmentSetting(NOWHERE, "parameters", unknown[0], hint))
    return RulewrightGame({**PARAMETERS, "game": game, **parameters})


def _options(written: str) -> dict[str, str]:
    found = {}
    for pair in filter(None, written.split(";")):
        name, colon, value = pair.replace("=", ":").partition(":")
        if not colon:
            hint = "write `name:value;name:value`"
            raise refused("options", written, hint)
        found[name.strip()] = value.strip()
    return found


def _type(tree: PositionTree | None, zero_sum: bool, moments: int = 1) -> Any:
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
        provides_information_state_tensor=moments > 0,
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


def _moments(given: int, game: Game) -> int:
    """For how many decisions a tensor has room; 0 for no tensor."""
    if given < 0:
        hint = "give the number of decisions that a match may have"
        raise refused("moments", given, hint)
    longest = game.machine.longest
    return min(given, longest) if given else longest if longest <= MOST_MOMENTS else 0


def _plain(name: str, given: Any) -> Any:
    """A parameter as the library takes it. Raises `DiagnosticError` with `BadEnvironmentSetting`."""
    kind = type(PARAMETERS[name])
    hint = f"it is {NAMES_OF_KINDS[kind]}"
    demand(name, given, KINDS[kind], hint)
    most = {str: None, int: LARGEST, bool: 1}[kind]
    if most is not None and abs(int(given)) > most:
        raise refused(name, given, hint)
    if name == "options":  # in a written game, `=` stands between a parameter and its value
        return given.replace("=", ":")
    return kind(given)


class RulewrightGame(SpielGame):  # type: ignore[misc]
    """A game of OpenSpiel from a ruleset; parameters as `load_game` has them."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        params = {name: _plain(name, value) for name, value in (params or {}).items()}
        given = {**PARAMETERS, **params}
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
        self.moments = _moments(given["moments"], game)
        self.observed = Observed.of(self.tree.space, given["layout"])
        self.layout = self.observed.layout
        super().__init__(_type(self.tree, self.zero_sum, self.moments), self._info(game), params)

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
        """Raises `ValueError` for parts of what is recalled, and for what all players see together."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        private = kind.private_info != pyspiel.PrivateInfoType.NONE
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("no observer shows what all players see together")
        if kind.perfect_recall and not (kind.public_info and private):
            raise ValueError("with perfect recall, an observer shows all that a player sees")
        return PositionObserver(
            self.tree, self.observed, kind.perfect_recall, self.moments, kind.public_info, private
        )


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
            return CHANCE
        if not at.asked:
            return TERMINAL
        if self.tree.together and at.state[ir.FORKED]:
            return SIMULTANEOUS
        return at.asked[0].seat

    def is_terminal(self) -> bool:
        return self.position.over

    def is_chance_node(self) -> bool:
        at = self.position
        return at.chance or at.pick is not None

    def is_simultaneous_node(self) -> bool:
        return self.current_player() == SIMULTANEOUS

    def legal_actions(self, player: int | None = None) -> list[int]:
        """As the library has it, without a way through its C++."""
        at = self.position
        if player is None and (at.chance or at.pick is not None):
            return [outcome for outcome, _ in self.tree.outcomes(at)]
        return list(self._legal_actions(self.current_player() if player is None else player))

    def _legal_actions(self, player: int) -> list[int]:
        """The actions of a player or, at a simultaneous node, the numbers of all joint actions."""
        at = self.position
        if player == SIMULTANEOUS:
            return list(range(prod(len(choices) for choices in self._joint())))
        return self.tree.actions(at, player) if player in self.tree.seats_asked(at) else []

    def _joint(self) -> list[list[int]]:
        """The choices of each seat that decides."""
        at = self.position
        return [self.tree.actions(at, seat) for seat in sorted(self.tree.seats_asked(at))]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.tree.outcomes(self.position)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> RulewrightState:
        """A state that the player cannot tell from this one; its history is that of this state.

        Raises `ValueError` if none is found soon.
        """
        found: RulewrightState = self.clone()
        found.position = resampled(self.tree, self.position, player, sampler)
        return found

    def apply_actions(self, actions: list[int]) -> None:
        """The actions of all players; where one decides alone, only its own counts."""
        if self.is_simultaneous_node():
            super().apply_actions(actions)
        else:
            self.apply_action(actions[self.current_player()])

    def _apply_action(self, action: int) -> None:
        at = self.position
        if at.chance or at.pick is not None:
            self.position = self.tree.resolve(at, action)
        elif self.tree.together and at.state[ir.FORKED]:
            self._apply_actions(self._separate(action))
        else:
            seat = at.asked[0].seat
            if action not in self.tree.actions(at, seat):
                raise ValueError(f"action {action} is not offered to player {seat}")
            self.position = self.tree.take(at, seat, action)

    def _separate(self, joint: int) -> list[int]:
        """The action of each player by the number of a joint one: the first seat's is the lowest digit."""
        actions = [0] * self.tree.seats
        for seat, choices in zip(sorted(self.tree.seats_asked(self.position)), self._joint(), strict=True):
            joint, digit = divmod(joint, len(choices))
            actions[seat] = choices[digit]
        return actions

    def _apply_actions(self, actions: list[int]) -> None:
        at = self.position
        asked = self.tree.seats_asked(at)
        for seat in asked:
            if actions[seat] not in self.tree.actions(at, seat):
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
        """The whole position, secrets too, in lines; other positions have other lines."""
        return position_text(self.tree, self.position)


class PositionObserver:
    """What a player observes, as text and as numbers: columns, with perfect recall those of each moment.

    A moment is a decision that was made, or the position now: an observation, and in front of it which
    action was taken there, from 1, or 0 where the player does not know. Moments to come are zeros. So it is
    a history of observations and actions (Kovařík et al., "Rethinking formal models of partially observable
    multiagent decision making", Artificial Intelligence 303, 2022).

    `public` is what all players see alike, `private` what else this one sees; without one of them, its
    columns are zeros. `dict` has `observation` [columns], or `moments` [moments + 1, 1 + columns]. In a
    layout, a number is shown if its column is, and what is public alone is laid out as the first seat looks:
    `dict` has planes [planes, rows, columns] by board and `flat numbers`, or `moments` of all numbers.
    """

    def __init__(
        self,
        tree: PositionTree,
        observed: Observed,
        recalls: bool,
        moments: int,
        public: bool = True,
        private: bool = True,
    ) -> None:
        self.tree, self.observed = tree, observed
        self.recalls = recalls
        self.public, self.private = public, private
        width = observed.size
        shape = (moments + 1, 1 + width) if recalls else (width,)
        self.tensor = None if recalls and not moments else np.zeros(shape, np.float32).ravel()
        self.dict = {} if self.tensor is None else self._named(self.tensor.reshape(shape))

    def _named(self, tensor: Floats) -> dict[str, Floats]:
        """Parts of the tensor by name, in order."""
        layout = self.observed.layout
        if self.recalls or layout is None:
            return {"moments" if self.recalls else "observation": tensor}
        planes, flat = layout.parted(tensor[None])
        return {**{board: numbers[0] for board, numbers in planes.items()}, FLAT: flat[0]}

    def set_from(self, state: RulewrightState, player: int) -> None:
        if self.tensor is None:
            return
        if not self.recalls:
            self.tensor[:] = self._numbers(state, player)
            return
        rows, found = self.dict["moments"], recalled(self.tree, state.position, player)
        if len(found) > len(rows):
            raise ValueError(f"the match has more than {len(rows) - 1} decisions: load with more `moments`")
        rows[:] = 0
        for row, (action, position) in zip(rows, found, strict=False):
            row[0] = action + 1
            row[1:] = self.observed.row(self.tree.observation(position, player))

    def _row(self, state: RulewrightState, player: int) -> Row:
        """[columns], zeros where it does not show them."""
        row = self.tree.observation(state.position, player)
        return row if self.public and self.private else np.where(self._shown(state, row), row, 0)

    def _shown(self, state: RulewrightState, row: Row) -> npt.NDArray[np.bool_]:
        """[columns]: which of the row it shows, where that is not all."""
        alike = np.ones(len(row), dtype=np.bool_)
        for seat in range(self.tree.seats):
            alike &= self.tree.observation(state.position, seat) == row
        return alike if self.public else ~alike & self.private

    def _numbers(self, state: RulewrightState, player: int) -> Numbers:
        """[size], zeros where it does not show a column."""
        layout = self.observed.layout
        if layout is None or (self.public and self.private):
            return self.observed.row(self._row(state, player))
        looks = player if self.private else 0
        row = self.tree.observation(state.position, looks)
        return np.where(self._shown(state, row)[layout.columns[looks]], layout.of_row(row), 0)

    def string_from(self, state: RulewrightState, player: int) -> str:
        if self.recalls:
            return self.tree.information(state.position, player)
        row = self._row(state, player)
        columns = zip(self.tree.space.catalogue.columns, row.tolist(), strict=True)
        return "\n".join(f"{name}: {value}" for (name, _, _), value in columns if value)


if pyspiel is not None and NAME not in pyspiel.registered_names():
    pyspiel.register_game(_type(None, False), RulewrightGame)
