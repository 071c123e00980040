"""A policy gradient in numpy: it learns a game by playing itself, and is measured against random play.

    python -m examples.policy_gradient connect_four --into connect_four.onnx
    python -m examples.policy_gradient roll_through_the_ages --seats 2

REINFORCE with a learned baseline and an entropy bonus, over a network with one hidden layer. Sources:
Williams, "Simple Statistical Gradient-Following Algorithms" (Machine Learning 8, 1992); Kingma, Ba, "Adam"
(ICLR 2015).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

import numpy as np
import numpy.typing as npt

from examples.keeping import Progress, check, until_stopped, write
from rulewright.learn.features import Features
from rulewright.learn.gymnasium import vector_env

Floats = npt.NDArray[np.float32]
DISCOUNT = 0.97
"""What a result counts less for each choice that was made before the last one."""
Measured = tuple[int, float, float]
"""Choices that were learned from, seconds, and the share of wins against random play."""


@dataclass(frozen=True)
class Setting:
    """How it learns: from at least so many choices for each update."""

    updates: int = 50
    rate: float = 0.002
    least: int = 2_000
    entropy: float = 0.003


@dataclass
class Network:
    """Features to logits of actions and a value; one hidden layer of rectified units."""

    weights: dict[str, Floats]
    moments: dict[str, tuple[Floats, Floats]] = field(default_factory=dict)
    steps: int = 0

    @classmethod
    def fresh(cls, inputs: int, hidden: int, actions: int, rng: np.random.Generator) -> Network:
        def layer(rows: int, columns: int, scale: float) -> Floats:
            return (rng.standard_normal((rows, columns)) * scale / np.sqrt(rows)).astype(np.float32)

        shapes = {
            "w1": layer(inputs, hidden, 1.4),
            "w2": layer(hidden, actions, 0.1),
            "v": layer(hidden, 1, 0.1),
        }
        shapes |= {"b1": np.zeros(hidden, np.float32), "b2": np.zeros(actions, np.float32)}
        return cls(shapes | {"c": np.zeros(1, np.float32)})

    def forward(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Hidden units, logits and values."""
        w = self.weights
        hidden = np.maximum(x @ w["w1"] + w["b1"], 0)
        return hidden, hidden @ w["w2"] + w["b2"], (hidden @ w["v"] + w["c"])[:, 0]

    def update(self, gradients: dict[str, Floats], rate: float) -> None:
        """A step of Adam."""
        self.steps += 1
        for name, gradient in gradients.items():
            m, v = self.moments.get(name, (np.zeros_like(gradient), np.zeros_like(gradient)))
            m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient**2
            self.moments[name] = m, v
            step = m / (1 - 0.9**self.steps) / (np.sqrt(v / (1 - 0.999**self.steps)) + 1e-8)
            self.weights[name] -= rate * step


def probabilities(logits: Floats, masks: npt.NDArray[np.int8]) -> Floats:
    """The policy: softmax over what is offered."""
    masked = np.where(masks > 0, logits, -1e9)
    odds = np.exp(masked - masked.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


@dataclass
class NetworkPolicy:
    """A policy that environments take as an opponent."""

    network: Network
    features: Features
    best: bool = False
    """Takes what it thinks best, instead of drawing by its chances."""

    def act(self, rows: np.ndarray, masks: npt.NDArray[np.int8], rng: np.random.Generator) -> np.ndarray:
        odds = probabilities(self.network.forward(self.features.of_rows(rows))[1], masks)
        if self.best:
            return odds.argmax(1)
        ends = odds.cumsum(1)
        return (ends > rng.random((len(ends), 1)) * ends[:, -1:]).argmax(1)


@dataclass
class Trace:
    """What has been seen and done in one match, by seat, until its end."""

    rows: list[np.ndarray] = field(default_factory=list)
    masks: list[np.ndarray] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)


class Learner:
    """Plays many matches side by side against itself, and learns from each that has ended."""

    def __init__(self, game: str, seats: int | None, number: int, hidden: int, seed: int) -> None:
        self.envs = vector_env(game, number, seats)
        self.features = Features.of(self.envs.catalogue)
        self.rng = np.random.default_rng(seed)
        actions = len(self.envs.catalogue.actions)
        self.network = Network.fresh(self.features.size, hidden, actions, self.rng)
        self.policy = NetworkPolicy(self.network, self.features)
        self.traces = [Trace() for _ in range(number)]
        self.rows, self.info = self.envs.reset(seed=seed)

    def play(self, least: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Plays until so many choices of complete matches are there: rows, masks, actions, returns."""
        rows, masks, actions, returns = [], [], [], []
        progress = Progress()
        while len(actions) < least:
            under_way = sum(len(trace.actions) for trace in self.traces)
            progress.tell(f"{len(actions):,} of {least:,} choices, {under_way:,} in matches that go on")
            seats, mask = self.info["seat"], self.info["action_mask"]
            chosen = self.policy.act(self.rows, mask, self.rng)
            for i, trace in enumerate(self.traces):
                trace.rows.append(self.rows[i])
                trace.masks.append(mask[i])
                trace.actions.append(int(chosen[i]))
                trace.seats.append(int(seats[i]))
            self.rows, _, ended, _, self.info = self.envs.step(chosen)
            for i in np.flatnonzero(ended):
                trace, self.traces[i] = self.traces[i], Trace()
                rows += trace.rows
                masks += trace.masks
                actions += trace.actions
                left = np.arange(len(trace.seats))[::-1]
                rewards = self.info["rewards"][i, np.array(trace.seats)]
                returns += (rewards * DISCOUNT**left).tolist()
        return np.stack(rows), np.stack(masks), np.array(actions), np.array(returns, dtype=np.float32)

    def learn(self, least: int, rate: float, entropy: float) -> int:
        """Plays, and goes one step up the gradient; from how many choices."""
        rows, masks, actions, returns = self.play(least)
        x = self.features.of_rows(rows)
        hidden, logits, values = self.network.forward(x)
        odds = probabilities(logits, masks)
        advantages = returns - values
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        n = np.float32(len(actions))
        wrong = odds.copy()
        wrong[np.arange(len(actions)), actions] -= 1
        d_logits = wrong * advantages[:, None]
        logs = np.log(np.maximum(odds, 1e-9))
        d_logits += entropy * odds * (logs - (odds * logs).sum(1, keepdims=True))
        d_logits /= n
        d_values = ((values - returns) / n)[:, None]
        w = self.network.weights
        d_hidden = (d_logits @ w["w2"].T + d_values @ w["v"].T) * (hidden > 0)
        gradients = {"w1": x.T @ d_hidden, "b1": d_hidden.sum(0), "w2": hidden.T @ d_logits}
        gradients |= {"b2": d_logits.sum(0), "v": hidden.T @ d_values, "c": d_values.sum(0)}
        self.network.update({name: g.astype(np.float32) for name, g in gradients.items()}, rate)
        return len(actions)


def share_of_wins(learner: Learner, game: str, seats: int | None, matches: int) -> float:
    """How many of its matches against random play the policy wins, at each seat by turns."""
    total, number = 0.0, learner.envs.game.machine.seats
    policy = NetworkPolicy(learner.network, learner.features, best=True)
    progress = Progress()
    for seat in range(number):
        envs = vector_env(game, 64, seats, seat=seat, reward="victory")
        rows, info = envs.reset(seed=1000 + seat)
        done, won = 0, 0.0
        while done < matches // number:
            progress.tell(f"seat {seat}: {done} of {matches // number} matches against random play")
            chosen = policy.act(rows, info["action_mask"], learner.rng)
            rows, _, ended, _, info = envs.step(chosen)
            for rewards in info["rewards"][ended]:
                won += rewards[seat] / max(1.0, rewards.sum()) if rewards.any() else 1 / number
            done += int(ended.sum())
        total += won / done
    return total / number


def train(learner: Learner, game: str, seats: int | None, setting: Setting) -> list[Measured]:
    """Learns, and measures the share of wins against random play eleven times."""
    course: list[Measured] = []
    began, choices, every = process_time(), 0, max(1, setting.updates // 10)
    print("update  seconds  share of the wins against random")
    for update in range(setting.updates + 1):
        if update % every == 0:
            share = share_of_wins(learner, game, seats, 400)
            course.append((choices, process_time() - began, share))
            print(f"{update:6}  {process_time() - began:7.1f}  {share:.3f}", flush=True)
        if update < setting.updates:
            choices += learner.learn(setting.least, setting.rate, setting.entropy)
    return course


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", help="a bundled game, or the path of a ruleset")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--updates", type=int, default=Setting.updates)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--rate", type=float, default=Setting.rate, help="of the steps up the gradient")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", type=Path, help="write the policy as ONNX, for `rulewright play`")
    given = parser.parse_args()
    check(parser, given.game, given.seats, given.into)
    learner = Learner(given.game, given.seats, 128, given.hidden, given.seed)
    with until_stopped():
        train(learner, given.game, given.seats, Setting(given.updates, given.rate))
    write(given.into, learner.envs.catalogue, learner.features, learner.network.weights)


if __name__ == "__main__":
    main()
