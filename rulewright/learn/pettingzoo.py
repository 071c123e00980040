"""PettingZoo environments: seats act one after the other (AEC), or all that are asked at once (parallel).

Source of the interfaces: Terry et al., "PettingZoo: Gym for Multi-Agent Reinforcement Learning"
(NeurIPS 2021).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

import numpy as np

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.game import Game
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.libraries import library, required
from rulewright.learn.messages import BadEnvironmentSetting, EnvironmentNotReady
from rulewright.learn.play import LearnMatch, Mask, Row, Space
from rulewright.learn.rewards import RewardKind
from rulewright.learn.setting import Illegal, game_of, reset_match
from rulewright.learn.vector import shown_row

pettingzoo: Final = library("pettingzoo")
spaces: Final = library("gymnasium.spaces")
AECEnv: Any = getattr(pettingzoo, "AECEnv", object)
ParallelEnv: Any = getattr(pettingzoo, "ParallelEnv", object)

MaskIn = Literal["info", "observation"]
"""Where the action mask is: `info["action_mask"]`, or a dictionary `observation`, `action_mask`."""
NOT_BEGUN: Final = "call `reset` first"


def env(
    game: str | Game,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    **settings: Any,
) -> AecEnvironment:
    """An AEC environment of a game, by name, path or compiled; `settings` as `AecEnvironment` has them.

    Raises `ErrorsReported` or `DiagnosticError` for a game that there is not, or a setting that is not
    possible; `DiagnosticError` with `LibraryNotInstalled` without the library.
    """
    return AecEnvironment(game_of(game, seats, options), **settings)


def parallel_env(
    game: str | Game,
    seats: int | None = None,
    options: Mapping[str, str | int] | None = None,
    **settings: Any,
) -> ParallelEnvironment:
    """A parallel environment of a game; raises what `env` raises."""
    return ParallelEnvironment(game_of(game, seats, options), **settings)


def _check(illegal: str, mask_in: str) -> None:
    required(pettingzoo and spaces, "pettingzoo", "pettingzoo")
    for name, value, known in (
        ("illegal", illegal, get_args(Illegal)),
        ("mask_in", mask_in, get_args(MaskIn)),
    ):
        if value not in known:
            raise DiagnosticError(
                BadEnvironmentSetting(NOWHERE, name, repr(value), f"one of {', '.join(known)}")
            )


class AgentSpaces:
    """The names of agents and their spaces, which are the same for all."""

    def __init__(self, space: Space, mask_in: MaskIn) -> None:
        self.agents = [f"player_{seat}" for seat in range(space.game.machine.seats)]
        self.in_info = mask_in == "info"
        self.observations: dict[str, Any] = {agent: self._observed(space) for agent in self.agents}
        self.actions: dict[str, Any] = {agent: spaces.Discrete(space.actions) for agent in self.agents}

    def _observed(self, space: Space) -> Any:
        box = spaces.Box(space.lows, space.highs, dtype=np.int32)
        if self.in_info:
            return box
        mask = spaces.Box(0, 1, (space.actions,), dtype=np.int8)
        return spaces.Dict({"observation": box, "action_mask": mask})

    def observed(self, row: Row, mask: Mask) -> Any:
        return row if self.in_info else {"observation": row, "action_mask": mask}


class AecEnvironment(AECEnv):  # type: ignore[misc]
    """A match whose seats act one after the other; while seats choose together, in the order of seats.

    `reward`: what an end is worth (`rewards.RewardKind`). `illegal`: an action that is not offered raises
    (`error`), or loses the match (`lose`). `mask_in`: where the mask is. `catalogue`: the one that a
    model was trained with, extended by what is new. `render_mode`: `ansi` gives the position in words.
    """

    metadata: Final = {"name": "rulewright_v0", "render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(
        self,
        game: Game,
        reward: RewardKind = "win",
        illegal: Illegal = "error",
        mask_in: MaskIn = "info",
        catalogue: SpaceCatalogue | None = None,
        render_mode: str | None = None,
    ) -> None:
        _check(illegal, mask_in)
        super().__init__()
        self.game = game
        self.play = LearnMatch(Space.of(game, catalogue), reward)
        self.catalogue = self.play.space.catalogue
        self.loses = illegal == "lose"
        self.render_mode = render_mode
        self._spaces = AgentSpaces(self.play.space, mask_in)
        self.possible_agents = list(self._spaces.agents)
        self.observation_spaces = self._spaces.observations
        self.action_spaces = self._spaces.actions
        self._names = self.possible_agents
        self._rng = np.random.default_rng()
        self.agents: list[str] = []
        self.rewards: dict[str, float] = {}
        self._zero = dict.fromkeys(self.possible_agents, 0.0)

    def __str__(self) -> str:
        return f"rulewright_{self.catalogue.game}_v0"

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """A new match. The same seed gives the same chance; without one, it follows from the last one given.

        `options`: `outcomes` and `seeds` by stream control chance, as `setting.reset_match` says.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        number = int(self._rng.integers(1 << 63)) if seed is None else seed
        seat = reset_match(self.play, number, options)
        self.agents = list(self._names)
        self.rewards = dict(self._zero)
        self._cumulative_rewards = dict(self._zero)
        self.terminations = dict.fromkeys(self._names, False)
        self.truncations = dict.fromkeys(self._names, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self._names}
        self.agent_selection = self._names[max(seat, 0)]
        self._arrive(seat)

    def _arrive(self, seat: int) -> None:
        """What the seat that decides is told; at the end all agents have ended."""
        if seat >= 0:
            self.agent_selection = agent = self._names[seat]
            if self._spaces.in_info:
                self.infos[agent] = {"action_mask": self.play.mask()}
            return
        self._end([float(x) for x in self.play.rewards_now()])

    def _end(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(self._names, rewards, strict=True))
        self.terminations = dict.fromkeys(self._names, True)
        self.infos = {agent: {} for agent in self._names}
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def observe(self, agent: str) -> Any:
        """What an agent may see: its observation, and with `mask_in="observation"` its mask."""
        play = self.play
        seat = self._names.index(agent)
        row = play.observation() if seat == play.seat else play.observation_of(seat)
        if self._spaces.in_info:
            return row
        return {"observation": row, "action_mask": self._mask_of(seat)}

    def _mask_of(self, seat: int) -> Mask:
        if seat == self.play.seat and not self.terminations[self._names[seat]]:
            return self.play.mask()
        return np.zeros(self.play.space.actions, dtype=np.int8)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the agent whose turn it is sees, its reward since its last turn, whether it has ended."""
        if not self.agents:
            raise DiagnosticError(EnvironmentNotReady(NOWHERE, "there is no match", NOT_BEGUN))
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: int | None) -> None:
        """The agent whose turn it is acts; one that has ended steps with none and leaves.

        Raises `DiagnosticError` with `ActionNotOffered`, unless illegal actions lose; nothing has changed
        then.
        """
        if not self.agents:
            raise DiagnosticError(EnvironmentNotReady(NOWHERE, "there is no match", NOT_BEGUN))
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                hint = "step an agent that has ended with `None`"
                raise DiagnosticError(EnvironmentNotReady(NOWHERE, f"{agent} has ended", hint))
            self._was_dead_step(None)
            return
        try:
            chosen = action.__index__()  # type: ignore[union-attr]
        except (AttributeError, TypeError):
            raise self.play.refusal(action) from None
        try:
            seat = self.play.step(chosen)
        except DiagnosticError:
            if not self.loses:
                raise
            self._cumulative_rewards[agent] = 0.0
            self._end([-1.0 if name == agent else 0.0 for name in self._names])
            return
        self._cumulative_rewards[agent] = 0.0
        self._arrive(seat)

    def render(self) -> str | None:
        """The position as the agent whose turn it is sees it, in words."""
        if self.render_mode != "ansi":
            return None
        return shown_row(self.catalogue, self.play.observation(), self.play.mask())

    def close(self) -> None:
        self.agents = []


class ParallelEnvironment(ParallelEnv):  # type: ignore[misc]
    """A match in which all seats that are asked act in one step.

    The last action of the space is to wait: it is the only one of an agent that is not asked. While seats
    choose together, each is asked, and none sees what the others do in the same step. Settings as
    `AecEnvironment` has them.
    """

    metadata: Final = {"name": "rulewright_v0", "render_modes": ["ansi"]}

    def __init__(
        self,
        game: Game,
        reward: RewardKind = "win",
        illegal: Illegal = "error",
        mask_in: MaskIn = "observation",
        catalogue: SpaceCatalogue | None = None,
        render_mode: str | None = None,
    ) -> None:
        _check(illegal, mask_in)
        self.game = game
        self.play = LearnMatch(Space.of(game, catalogue), reward)
        self.catalogue = self.play.space.catalogue
        self.wait = self.play.space.actions
        self.loses = illegal == "lose"
        self.render_mode = render_mode
        self.in_info = mask_in == "info"
        self.possible_agents = [f"player_{seat}" for seat in range(game.machine.seats)]
        self.agents: list[str] = []
        box = spaces.Box(self.play.space.lows, self.play.space.highs, dtype=np.int32)
        mask = spaces.Box(0, 1, (self.wait + 1,), dtype=np.int8)
        both = spaces.Dict({"observation": box, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, box if self.in_info else both)
        self.action_spaces = {agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """A new match, as in `AecEnvironment.reset`: observations and infos of all agents."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        number = int(self._rng.integers(1 << 63)) if seed is None else seed
        reset_match(self.play, number, options)
        self.agents = list(self.possible_agents)
        return self._seen()

    def _seen(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Observations and infos of the agents. It finds out who is asked."""
        observations: dict[str, Any] = {}
        infos: dict[str, dict[str, Any]] = {}
        self.asked: dict[int, Mask] = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = np.zeros(self.wait + 1, dtype=np.int8)
            if not self.play.over and self.play.ask(seat):
                mask[: self.wait] = self.play.mask()
                self.asked[seat] = mask
                row = self.play.observation()
            else:
                mask[self.wait] = 1
                row = self.play.observation_of(seat)
            observations[agent] = row if self.in_info else {"observation": row, "action_mask": mask}
            infos[agent] = {"action_mask": mask} if self.in_info else {}
        return observations, infos

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """All agents that are asked act.

        Raises `DiagnosticError` with `ActionNotOffered`, and nothing has changed.

        If illegal actions lose, those who have taken one get -1, all others 0, and the match has ended.
        """
        if not self.agents:
            raise DiagnosticError(EnvironmentNotReady(NOWHERE, "there is no match", NOT_BEGUN))
        chosen = {seat: actions.get(agent) for seat, agent in enumerate(self.possible_agents)}
        wrong = [seat for seat in chosen if not self._offered(seat, chosen[seat])]
        if wrong and not self.loses:
            if self.play.seat != wrong[0]:
                self.play.ask(wrong[0])
            raise self.play.refusal(chosen[wrong[0]])
        if wrong:
            return self._ended([-1.0 if seat in wrong else 0.0 for seat in chosen])
        for seat in list(self.asked):
            if self.play.over or not self.play.ask(seat):
                break
            action = chosen[seat]
            assert action is not None
            self.play.step(int(action))
        if self.play.over:
            return self._ended([float(x) for x in self.play.rewards_now()])
        observations, infos = self._seen()
        no = dict.fromkeys(self.agents, False)
        return observations, dict.fromkeys(self.agents, 0.0), no, dict(no), infos

    def _offered(self, seat: int, action: int | None) -> bool:
        if seat not in self.asked:
            return action is None or action == self.wait
        return action is not None and 0 <= action <= self.wait and bool(self.asked[seat][int(action)])

    def _ended(
        self, rewards: list[float]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        observations, infos = self._seen()
        names = self.possible_agents
        self.agents = []
        yes, no = dict.fromkeys(names, True), dict.fromkeys(names, False)
        return observations, dict(zip(names, rewards, strict=True)), yes, no, infos

    def render(self) -> str | None:
        """The position as the seat that decides sees it, in words."""
        if self.render_mode != "ansi":
            return None
        return shown_row(self.catalogue, self.play.observation(), self.play.mask())

    def close(self) -> None:
        self.agents = []
