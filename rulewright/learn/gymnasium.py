"""Gymnasium environments: one seat against others, and many matches side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.bots.names import RANDOM
from interpreter.game import Game
from rulewright.learn.arguments import demand, refused
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.composed import Composed
from rulewright.learn.libraries import library, required
from rulewright.learn.messages import BadEnvironmentSetting, EnvironmentNotReady
from rulewright.learn.observed import LayoutName, Numbers, Observed
from rulewright.learn.opponents import BotPlayer, Opponent, PolicyPlayer, players_of
from rulewright.learn.play import LearnMatch
from rulewright.learn.rewards import RewardKind
from rulewright.learn.setting import (
    CONTROLS,
    Illegal,
    game_of,
    one_of,
    options_of,
    reset_match,
    seed_of,
)
from rulewright.learn.space import Space
from rulewright.learn.vector import BatchPlay, shown_row

gymnasium: Final = library("gymnasium")
spaces: Final = library("gymnasium.spaces")
vector: Final = library("gymnasium.vector")
SingleEnv: Any = getattr(gymnasium, "Env", object)
ManyEnvs: Any = getattr(vector, "VectorEnv", object)

ActionForm = Literal["flat", "composed"]
"""Actions as numbers of the catalogue, or as pairs of what is done and with what."""
ROTATE: Final = "rotate"
ENV_ID: Final = "rulewright/Match-v0"


def env(
    game: str | Game,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    **settings: Any,
) -> SeatEnvironment:
    """One seat of a game, by name, path or compiled; `settings` as `SeatEnvironment` has them.

    Raises `ErrorsReported` or `DiagnosticError` for a game that there is not or a setting that is not
    possible; `DiagnosticError` with `LibraryNotInstalled` without the library.
    """
    return SeatEnvironment(game_of(game, seats, options), **settings)


def vector_env(
    game: str | Game,
    number: int,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    **settings: Any,
) -> VectorEnvironment:
    """Many matches side by side; `settings` as `VectorEnvironment` has them. Raises what `env` raises."""
    return VectorEnvironment(game_of(game, seats, options), number, **settings)


def _check(illegal: str, seat: object, seats: int) -> None:
    required(gymnasium, "gymnasium", "gymnasium")
    one_of("illegal", illegal, get_args(Illegal))
    hint = f"seats are 0 to {seats - 1}"
    demand("seat", seat, (int, np.integer, str), hint)
    if seat != ROTATE and seat not in range(seats):
        raise refused("seat", seat, hint)


class SeatEnvironment(SingleEnv):  # type: ignore[misc]
    """One seat of a match; opponents play the others.

    `seat`: a number, or `rotate`, the next one in each match; a seed says which, so that the same seed gives
    the same match. `opponents`: `random`, the name of a bot, `policy:FILE`, a bot, a policy, or one for
    each of the other seats. `actions`: `flat` or `composed`. `layout`: as `VectorEnvironment` has it.
    `info` has the `action_mask` and the `seat`, after the end the `rewards` of all seats.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str | Game,
        seat: int | str = 0,
        opponents: Opponent | Mapping[int, Opponent] | Sequence[Opponent] = "random",
        reward: RewardKind = "win",
        illegal: Illegal = "error",
        actions: ActionForm = "flat",
        catalogue: SpaceCatalogue | None = None,
        render_mode: str | None = None,
        seats: int | None = None,
        options: Mapping[str, str | int] | None = None,
        layout: LayoutName = "columns",
    ) -> None:
        self.game = game_of(game, seats, options)
        _check(illegal, seat, self.game.machine.seats)
        self.play = LearnMatch(Space.of(self.game, catalogue), reward)
        self.catalogue = self.play.space.catalogue
        self.render_mode = render_mode
        self.loses = illegal == "lose"
        self._seat_setting = seat
        self.seat = 0 if seat == ROTATE else int(seat)
        self.players = players_of(opponents, self.catalogue)
        self._beside = any(isinstance(player, BotPlayer) for player in self.players.values())
        one_of("actions", actions, get_args(ActionForm))
        if render_mode is not None:
            one_of("render_mode", render_mode, self.metadata["render_modes"])
        self.composed = Composed.of(self.catalogue) if actions == "composed" else None
        space = self.play.space
        self._observed = Observed.of(space, layout)
        self.layout = self._observed.layout
        self.observation_space = self._observed.box()
        shape = self.composed.shape if self.composed is not None else None
        self.action_space = spaces.MultiDiscrete(shape) if shape else spaces.Discrete(space.actions)
        self._begun = self._rotates = False

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """A new match, at the learner's first decision.

        `options` may have `seat`, and what `setting.reset_match` takes to control chance. A match that ends
        before the learner has decided anything is left out.
        """
        given = options_of(options, ("seat", *CONTROLS))
        super().reset(seed=None if seed is None else seed_of(seed))
        if self._seat_setting == ROTATE and seed is not None:
            self.seat = seed % self.game.machine.seats
        elif self._seat_setting == ROTATE and self._rotates:
            self.seat = (self.seat + 1) % self.game.machine.seats
        if given.get("seat") is not None:
            demand("seat", given["seat"], (int, np.integer), "it is a number")
            _check("error", given["seat"], self.game.machine.seats)
            self.seat = int(given["seat"])
        for _ in range(1000):
            number = int(self.np_random.integers(1 << 62))
            reset_match(self.play, number, given, self._beside)
            self._others()
            if not self.play.over:
                break
        self._begun = self._rotates = True
        return self._seen(), self._info()

    def _seen(self) -> Numbers:
        return self._observed.row(self.play.observation_of(self.seat))

    def _others(self) -> None:
        """The opponents choose until the learner's seat is asked, or the match is over."""
        play = self.play
        while play.seat >= 0 and play.seat != self.seat:
            play.step(self._player(play.seat).act_in(play, self.np_random))

    def _player(self, seat: int) -> BotPlayer | PolicyPlayer:
        """The opponent at a seat. A list counts from the seat behind the learner's."""
        if 0 in self.players:
            return self.players[seat]
        return self.players[(seat - self.seat) % self.game.machine.seats]

    def _info(self) -> dict[str, Any]:
        play = self.play
        info: dict[str, Any] = {"seat": self.seat}
        if play.over:
            info["action_mask"] = np.zeros(play.space.actions, dtype=np.int8)
            info["rewards"] = play.rewards_now()
        else:
            info["action_mask"] = play.mask()
        if self.composed is not None:
            info["action_mask"] = self.composed.mask(info["action_mask"])
        return info

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """The learner acts, then opponents until it is asked again.

        Raises `DiagnosticError` with `ActionNotOffered`, unless illegal actions lose; nothing has changed
        then.
        """
        if not self._begun or self.play.over:
            raise DiagnosticError(EnvironmentNotReady(NOWHERE, "there is no match", "call `reset` first"))
        try:
            self.play.step(self._flat(action))
        except DiagnosticError:
            if not self.loses:
                raise
            self._begun = False
            info = self._info() | {"illegal": True}
            return self._seen(), -1.0, True, False, info
        self._others()
        info = self._info()
        reward = float(info["rewards"][self.seat]) if self.play.over else 0.0
        return self._seen(), reward, self.play.over, False, info

    def _flat(self, action: Any) -> int:
        if self.composed is not None:
            return self.composed.action(action)
        try:
            return int(action.__index__())
        except (AttributeError, TypeError):
            raise self.play.refusal(action) from None

    def close(self) -> None:
        """There is no match any more; `reset` begins another one."""
        self._begun = False

    def render(self) -> str | None:
        """The position as the learner's seat sees it, in words."""
        if self.render_mode != "ansi":
            return None
        return shown_row(self.catalogue, self.play.observation_of(self.seat), self.play.mask())


class VectorEnvironment(ManyEnvs):  # type: ignore[misc]
    """Many matches side by side, in the arrays of a batch.

    Without a `seat` the learner chooses for every seat (self-play): the reward is that of the seat that has
    chosen, and `info["rewards"]` [n, seats] are those of all. With one, policies or `random` play the others.
    A match that ends restarts in the same step: `info["final_obs"]` is what the seat saw last, its mask
    `_final_obs` says where; with `final_obs=False` it is left out, which is faster. `info["action_mask"]` is
    [n, actions], `info["seat"]` [n] who decides. `layout`: `columns`, or `network`, numbers from 0 to 1
    that `self.layout.parted` makes planes of. With `copy=False`, observations and masks may stand in the same
    arrays after each step, which is faster.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": [],
        "autoreset_mode": vector.AutoresetMode.SAME_STEP if vector is not None else None,
    }

    def __init__(
        self,
        game: str | Game,
        number: int,
        seat: int | None = None,
        opponents: Opponent | Mapping[int, Opponent] | Sequence[Opponent] = "random",
        reward: RewardKind = "win",
        illegal: Illegal = "error",
        catalogue: SpaceCatalogue | None = None,
        final_obs: bool = True,
        seats: int | None = None,
        options: Mapping[str, str | int] | None = None,
        seed: int = 0,
        layout: LayoutName = "columns",
        copy: bool = True,
    ) -> None:
        self.game = game_of(game, seats, options)
        if seat is not None:
            demand("seat", seat, (int, np.integer), "it is a number, or `None` for all seats")
        _check(illegal, 0 if seat is None else seat, self.game.machine.seats)
        if not isinstance(number, int | np.integer) or number < 1:
            raise refused("number", number, "give a number of matches from 1")
        for name, given in (("final_obs", final_obs), ("copy", copy)):
            demand(name, given, (bool, np.bool_), "it is `True` or `False`")
        number, seed = int(number), seed_of(seed)
        if seat is None and not (isinstance(opponents, str) and opponents == RANDOM):
            raise refused("opponents", opponents, "give a `seat` too: without one, the learner plays all")
        space = Space.of(self.game, catalogue)
        self._observed = Observed.of(space, layout)
        self.layout = self._observed.layout
        players = players_of(opponents, space.catalogue) if seat is not None else {}
        if any(isinstance(player, BotPlayer) for player in players.values()):
            hint = "only `random` and policies play in many matches at once; `env` has bots"
            raise DiagnosticError(
                BadEnvironmentSetting(NOWHERE, "opponents", "a bot that looks at its match", hint)
            )
        policies = {s: p.policy for s, p in players.items() if isinstance(p, PolicyPlayer)}
        self.play = BatchPlay(
            space,
            number,
            seed,
            reward,
            seat,
            policies,
            illegal == "lose",
            final_obs,
            copy,
        )
        self.catalogue = space.catalogue
        self.num_envs = number
        self.single_observation_space = self._observed.box()
        self.single_action_space = spaces.Discrete(space.actions)
        self.observation_space = self._observed.box(number)
        self.action_space = spaces.MultiDiscrete(np.full(number, space.actions))

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """All matches restart: match `i` has the seed `seed + i`."""
        self._check_open()
        for name in options_of(options):
            if name in CONTROLS:
                raise refused("options", name, "chance and position are given to one match only: `env`")
        number = None if seed is None else seed_of(seed)
        super().reset(seed=number)
        self.play.reset(int(self.np_random.integers(1 << 62)) if number is None else number)
        return self._observed.rows(self.play.observations()), self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.play.masks(), "seat": self.play.batch.seats.copy()}

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        Numbers, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """An action in every match: observations, rewards, ended, truncated (never), infos.

        Raises `DiagnosticError` with `EnvironmentNotReady` if the environment is closed.
        Raises `DiagnosticError` with `ActionNotOffered` if one is not offered; nothing has changed then. With
        `illegal="lose"`, a match in which one is not offered ends with the reward -1 and restarts.
        """
        self._check_open()
        play = self.play
        who = play.batch.seats.copy() if play.seat is None else np.full(self.num_envs, play.seat)
        found = play.step(actions)
        info = self._info()
        info["rewards"] = found.rewards
        if found.last is not None:
            info["final_obs"] = self._observed.some(found.last, found.ended)
            info["_final_obs"] = found.ended
        seen = self._observed.rows(play.observations())
        rewards, which = np.zeros(self.num_envs), np.flatnonzero(found.ended)
        rewards[which] = found.rewards[which, who[which]]
        return seen, rewards, found.ended, np.zeros(self.num_envs, np.bool_), info

    def sample(self) -> npt.NDArray[np.int64]:
        """[n]: an action of each match, each of its options with equal chance.

        The module draws them, faster than from masks. The same seed draws the same.
        """
        self._check_open()
        return self.play.sample()

    def _check_open(self) -> None:
        if self.play.batch.closed:
            hint = "make another one with `vector_env`"
            raise DiagnosticError(EnvironmentNotReady(NOWHERE, "the environment is closed", hint))

    def close_extras(self, **kwargs: Any) -> None:
        self.play.batch.close()


if gymnasium is not None and ENV_ID not in gymnasium.registry:
    gymnasium.register(id=ENV_ID, entry_point=SeatEnvironment, disable_env_checker=True)
