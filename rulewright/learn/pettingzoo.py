"""PettingZoo environments: seats act one after the other (AEC), or all that are asked at once (parallel).

Source of the interfaces: Terry et al., "PettingZoo: Gym for Multi-Agent Reinforcement Learning"
(NeurIPS 2021).
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any, Final, Literal, get_args

import numpy as np

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.game import Game
from rulewright.learn.arguments import refused
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.libraries import library, required
from rulewright.learn.messages import EnvironmentNotReady
from rulewright.learn.observed import LayoutName, Observed
from rulewright.learn.play import LearnMatch
from rulewright.learn.rewards import RewardKind
from rulewright.learn.setting import Illegal, game_of, one_of, options_of, reset_match, seed_of
from rulewright.learn.space import Mask, Row, Space
from rulewright.learn.vector import shown_row

pettingzoo: Final = library("pettingzoo")
spaces: Final = library("gymnasium.spaces")
AECEnv: Any = getattr(pettingzoo, "AECEnv", object)
ParallelEnv: Any = getattr(pettingzoo, "ParallelEnv", object)

MaskIn = Literal["info", "observation"]
"""Where the action mask is: `info["action_mask"]`, or a dictionary `observation`, `action_mask`."""
RENDER_MODES: Final = ("ansi",)
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


class SeatedMatch:
    """What both environments hold: a match, how it is shown, what ends it, the seeds of matches to come.

    `waits`: there is one action more, to wait. Settings as `AecEnvironment` has them.

    Raises `DiagnosticError` with `BadEnvironmentSetting` or `LibraryNotInstalled`.
    """

    def __init__(
        self,
        game: Game,
        reward: RewardKind,
        illegal: Illegal,
        mask_in: MaskIn,
        catalogue: SpaceCatalogue | None,
        render_mode: str | None,
        layout: LayoutName,
        waits: bool,
    ) -> None:
        required(pettingzoo and spaces, "pettingzoo", "pettingzoo")
        one_of("illegal", illegal, get_args(Illegal))
        one_of("mask_in", mask_in, get_args(MaskIn))
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        self.play = LearnMatch(Space.of(game, catalogue), reward)
        self.catalogue = self.play.space.catalogue
        self.seen = Observed.of(self.play.space, layout)
        self.loses, self.in_info, self.render_mode = illegal == "lose", mask_in == "info", render_mode
        self.agents = [f"player_{seat}" for seat in range(game.machine.seats)]
        self._seats: dict[object, int] = {agent: seat for seat, agent in enumerate(self.agents)}
        self.size = self.play.space.actions + waits
        self.observation_spaces: dict[str, Any] = {agent: self._observed() for agent in self.agents}
        self.action_spaces: dict[str, Any] = {agent: spaces.Discrete(self.size) for agent in self.agents}
        self._rng = np.random.default_rng()

    def _observed(self) -> Any:
        box = self.seen.box()
        if self.in_info:
            return box
        mask = spaces.Box(0, 1, (self.size,), dtype=np.int8)
        return spaces.Dict({"observation": box, "action_mask": mask})

    def begin(self, seed: int | None, options: Mapping[str, Any] | None) -> int:
        """A new match: who decides first, -1 if it is over at once."""
        given = options_of(options)
        if seed is not None:
            self._rng = np.random.default_rng(seed_of(seed))
        number = int(self._rng.integers(1 << 63)) if seed is None else seed_of(seed)
        return reset_match(self.play, number, given)

    def seat(self, agent: object) -> int:
        """The seat of an agent. Raises `DiagnosticError` with `BadEnvironmentSetting` for what is none."""
        try:
            return self._seats[agent]
        except (KeyError, TypeError):
            raise refused("agent", agent, f"one of {', '.join(self.agents)}") from None

    def shown(self) -> str | None:
        """The position as the seat that decides sees it, in words."""
        if self.render_mode is None:
            return None
        return shown_row(self.catalogue, self.play.observation(), self.play.mask())

    def observed(self, row: Row, mask: Mask | None) -> Any:
        """A row as the space of observations has it, with the mask where that stands in it."""
        numbers = self.seen.row(row)
        return numbers if self.in_info else {"observation": numbers, "action_mask": mask}


class AecEnvironment(AECEnv):  # type: ignore[misc]
    """A match whose seats act one after the other; while seats choose together, in the order of seats.

    `reward`: what an end is worth (`rewards.RewardKind`). `illegal`: an action that is not offered raises
    (`error`), or loses the match (`lose`). `mask_in`: where the mask is. `catalogue`: the one that a
    model was trained with, extended by what is new. `render_mode`: `ansi` gives the position in words.
    `layout`: `columns`, or `network`, numbers from 0 to 1 that `self.layout.parted` makes planes of.
    """

    metadata: Final = {"name": "rulewright_v0", "render_modes": list(RENDER_MODES), "is_parallelizable": True}

    def __init__(
        self,
        game: Game,
        reward: RewardKind = "win",
        illegal: Illegal = "error",
        mask_in: MaskIn = "info",
        catalogue: SpaceCatalogue | None = None,
        render_mode: str | None = None,
        layout: LayoutName = "columns",
    ) -> None:
        super().__init__()
        self._held = held = SeatedMatch(
            game, reward, illegal, mask_in, catalogue, render_mode, layout, waits=False
        )
        self.game, self.play, self.catalogue = game, held.play, held.catalogue
        self.layout = held.seen.layout
        self.render_mode = render_mode
        self.possible_agents = list(held.agents)
        self.observation_spaces, self.action_spaces = held.observation_spaces, held.action_spaces
        self._names = held.agents
        self.agents: list[str] = []
        self.rewards: dict[str, float] = {}
        self._zero = dict.fromkeys(self.possible_agents, 0.0)

    def __str__(self) -> str:
        return f"rulewright_{self.catalogue.game}_v0"

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[self._names[self._held.seat(agent)]]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[self._names[self._held.seat(agent)]]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """A new match. The same seed gives the same chance; without one, it follows from the last one given.

        `options`: `outcomes` and `seeds` by stream control chance, as `setting.reset_match` says.
        """
        seat = self._held.begin(seed, options)
        self.agents = list(self._names)
        self.rewards = dict(self._zero)
        self._cumulative_rewards = dict(self._zero)
        self.terminations = dict.fromkeys(self._names, False)
        self.truncations = dict.fromkeys(self._names, False)
        self.infos: dict[str, dict[str, Any]] = {agent: self._nothing_offered() for agent in self._names}
        self.agent_selection = self._names[max(seat, 0)]
        self._arrive(seat)

    def _arrive(self, seat: int) -> None:
        """What the seat that decides is told; at the end all agents have ended."""
        if seat >= 0:
            self.agent_selection = agent = self._names[seat]
            if self._held.in_info:
                self.infos[agent] = {"action_mask": self.play.mask()}
            return
        self._end([float(x) for x in self.play.rewards_now()])

    def _end(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(self._names, rewards, strict=True))
        self.terminations = dict.fromkeys(self._names, True)
        self.infos = {agent: self._nothing_offered() for agent in self._names}
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _nothing_offered(self) -> dict[str, Any]:
        """The info of an agent that is asked nothing: a mask of zeros, unless masks stand in observations."""
        mask = np.zeros(self.play.space.actions, dtype=np.int8)
        return {"action_mask": mask} if self._held.in_info else {}

    def observe(self, agent: str) -> Any:
        """What an agent may see: its observation, and with `mask_in="observation"` its mask."""
        play = self.play
        seat = self._held.seat(agent)
        row = play.observation() if seat == play.seat else play.observation_of(seat)
        return self._held.observed(row, None if self._held.in_info else self._mask_of(seat))

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
            if not self._held.loses:
                raise
            self._cumulative_rewards[agent] = 0.0
            self._end([-1.0 if name == agent else 0.0 for name in self._names])
            return
        self._cumulative_rewards[agent] = 0.0
        self._arrive(seat)

    def render(self) -> str | None:
        """The position as the agent whose turn it is sees it, in words."""
        return self._held.shown()

    def close(self) -> None:
        self.agents = []


class ParallelEnvironment(ParallelEnv):  # type: ignore[misc]
    """A match in which all seats that are asked act in one step.

    The last action of the space is to wait: it is the only one of an agent that is not asked. While seats
    choose together, each is asked, and none sees what the others do in the same step. Settings as
    `AecEnvironment` has them.
    """

    metadata: Final = {"name": "rulewright_v0", "render_modes": list(RENDER_MODES)}

    def __init__(
        self,
        game: Game,
        reward: RewardKind = "win",
        illegal: Illegal = "error",
        mask_in: MaskIn = "observation",
        catalogue: SpaceCatalogue | None = None,
        render_mode: str | None = None,
        layout: LayoutName = "columns",
    ) -> None:
        self._held = held = SeatedMatch(
            game, reward, illegal, mask_in, catalogue, render_mode, layout, waits=True
        )
        self.game, self.play, self.catalogue = game, held.play, held.catalogue
        self.layout = held.seen.layout
        self.wait = self.play.space.actions
        self.render_mode = render_mode
        self.possible_agents = list(held.agents)
        self._names = held.agents
        self.observation_spaces, self.action_spaces = held.observation_spaces, held.action_spaces
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[self._names[self._held.seat(agent)]]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[self._names[self._held.seat(agent)]]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """A new match, as in `AecEnvironment.reset`: observations and infos of all agents."""
        self._held.begin(seed, options)
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
            observations[agent] = self._held.observed(row, mask)
            infos[agent] = {"action_mask": mask} if self._held.in_info else {}
        return observations, infos

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """All agents that are asked act.

        Raises `DiagnosticError` with `ActionNotOffered`, or with `EnvironmentNotReady` for what is no
        dictionary, and nothing has changed.

        If illegal actions lose, those who have taken one get -1, all others 0, and the match has ended.
        """
        if not self.agents:
            raise DiagnosticError(EnvironmentNotReady(NOWHERE, "there is no match", NOT_BEGUN))
        if not isinstance(actions, Mapping):
            hint = "give a dictionary of agents and their actions"
            raise DiagnosticError(
                EnvironmentNotReady(NOWHERE, f"{actions!r} are not actions of agents", hint)
            )
        for agent in actions:
            self._held.seat(agent)
        chosen = {seat: actions.get(agent) for seat, agent in enumerate(self.possible_agents)}
        wrong = [seat for seat in chosen if not self._offered(seat, chosen[seat])]
        if wrong and not self._held.loses:
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

    def _offered(self, seat: int, action: object) -> bool:
        """Whether an agent may take an action: one that is asked, or not asked and waits."""
        if action is None:
            return seat not in self.asked
        try:
            number = index(action)  # type: ignore[arg-type]
        except TypeError:
            return False
        if seat not in self.asked:
            return number == self.wait
        return 0 <= number <= self.wait and bool(self.asked[seat][number])

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
        return self._held.shown()

    def close(self) -> None:
        self.agents = []
