"""Proximal policy optimisation in torch: one file that learns a game by self-play, on a processor or a GPU.

    python -m examples.policy_gradient_torch connect_four --into connect_four.onnx
    python -m examples.policy_gradient_torch roll_through_the_ages --seats 2 --device cuda
    rulewright arena --game connect_four --bots policy:connect_four.onnx,random -n 200

Many matches lie side by side in one vector environment, and the network chooses for all seats. Advantages
are estimated along the choices of each seat: what follows a choice is the next choice of the same seat. In
half of the matches only one seat learns, and the others play at random: a network that plays nobody but
itself goes in circles. Needs torch, and the extras `gymnasium` and `policy`. Sources: Schulman et al.,
"Proximal Policy Optimization Algorithms" (arXiv:1707.06347) and "High-Dimensional Continuous Control Using
Generalized Advantage Estimation" (ICLR 2016); Huang et al., "CleanRL" (JMLR 23, 2022); Huang, Ontañón, "A
Closer Look at Invalid Action Masking in Policy Gradient Algorithms" (FLAIRS 2022).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np
import torch
from torch import Tensor, nn

from examples.keeping import Progress, check, until_stopped, write
from interpreter.game import Game
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.features import MOST_VALUES, Features
from rulewright.learn.gymnasium import VectorEnvironment, vector_env
from rulewright.learn.planes import SEAT, NetworkLayout

MASKED = -1e9
"""The logit of an action that is not offered."""


@dataclass(frozen=True)
class Setting:
    """How it learns; the names are those of the paper and of CleanRL."""

    matches: int = 128
    steps: int = 64
    hidden: int = 128
    rate: float = 1e-3
    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value_weight: float = 0.5
    epochs: int = 3
    minibatches: int = 4
    most_norm: float = 0.5
    seen: str = "features"
    """`planes` (a layout), `features` (a column of few values becomes one for each), or plain `rows`."""
    strangers: float = 0.5
    """The part of the matches in which all seats but one play at random."""


class Agent(nn.Module):
    """Observations to logits of actions and a value, with two hidden layers each."""

    def __init__(self, features: Features | NetworkLayout, catalogue: SpaceCatalogue, hidden: int) -> None:
        super().__init__()
        self.features = features
        self.register_buffer("columns", torch.from_numpy(features.columns))
        self.register_buffer("values", torch.from_numpy(features.values))
        self.register_buffer("scales", torch.from_numpy(features.scales))
        self.actor = layers(features.size, hidden, len(catalogue.actions), 0.01)
        self.critic = layers(features.size, hidden, 1, 1.0)

    def seen(self, rows: Tensor) -> Tensor:
        """[n, features] from observations [n, columns], as `of_rows` of the features or the layout."""
        if isinstance(self.features, NetworkLayout):
            seats = rows[:, SEAT].long().clamp(0, self.features.seats - 1)
            columns = self.columns[seats]
            apart = rows.gather(1, columns.clamp(0)).float() - self.values[seats]
            found = torch.where(self.scales > 0, apart * self.scales, (apart == 0).float())
            return found.masked_fill(columns < 0, 0)
        apart = rows[:, self.columns] - self.values
        return torch.where(self.scales > 0, apart * self.scales, (apart == 0).float())

    def logits(self, rows: Tensor, masks: Tensor) -> Tensor:
        return self.actor(self.seen(rows)).masked_fill(masks == 0, MASKED)

    def forward(self, rows: Tensor, masks: Tensor) -> tuple[torch.distributions.Categorical, Tensor]:
        """The chances of actions, and values [n]."""
        seen = self.seen(rows)
        logits = self.actor(seen).masked_fill(masks == 0, MASKED)
        return torch.distributions.Categorical(logits=logits), self.critic(seen)[:, 0]

    def weights(self) -> dict[str, np.ndarray]:
        """The actor, as `save_policy` takes it."""
        found = {}
        for number, layer in enumerate((x for x in self.actor if isinstance(x, nn.Linear)), 1):
            found[f"w{number}"] = layer.weight.detach().cpu().numpy().T
            found[f"b{number}"] = layer.bias.detach().cpu().numpy()
        return found


def seen_as(kind: str, game: Game, catalogue: SpaceCatalogue) -> Features | NetworkLayout:
    """How the network sees observations: a layout, values apart, or the numbers of the rows as they are."""
    if kind == "planes":
        return NetworkLayout.of(game, catalogue)
    found = Features.of(catalogue, MOST_VALUES if kind == "features" else 0)
    return found if kind == "features" else replace(found, scales=np.ones_like(found.scales))


def layers(inputs: int, hidden: int, outputs: int, scale: float) -> nn.Sequential:
    """Two hidden layers, begun with orthogonal weights."""
    sizes = [(inputs, hidden, 2**0.5), (hidden, hidden, 2**0.5), (hidden, outputs, scale)]
    found: list[nn.Module] = []
    for rows, columns, gain in sizes:
        linear = nn.Linear(rows, columns)
        nn.init.orthogonal_(linear.weight, gain)
        nn.init.zeros_(linear.bias)
        found += [linear, nn.ReLU()]
    return nn.Sequential(*found[:-1])


@dataclass(frozen=True)
class Choices:
    """What was seen, offered and chosen in [steps, matches], and what became of it."""

    rows: Tensor
    masks: Tensor
    actions: Tensor
    logs: Tensor
    values: Tensor
    seats: Tensor
    rewards: Tensor
    """[steps, matches, seats]: zero but where a match has ended."""
    ended: Tensor
    own: Tensor
    """Whether the network has chosen."""

    def advantages(self, seat: Tensor, value: Tensor, setting: Setting) -> tuple[Tensor, Tensor]:
        """[steps, matches]: advantages, and for which choices the same seat's next one or the end is known.

        `seat` and `value` [matches]: who decides behind the last step, and what that position is worth.
        """
        steps, matches, seats = self.rewards.shape
        each = torch.arange(matches, device=self.rewards.device)
        nothing = torch.zeros(matches, seats, device=self.rewards.device)
        next_value, total, due = nothing.clone(), nothing.clone(), nothing.clone()
        known = nothing.bool()
        next_value[each, seat], known[each, seat] = value, True
        found, which = torch.zeros_like(self.values), torch.zeros_like(self.ended)
        for t in reversed(range(steps)):
            over = self.ended[t][:, None]
            next_value, total = next_value.masked_fill(over, 0), total.masked_fill(over, 0)
            due, known = torch.where(over, self.rewards[t], due), known | over
            at = each, self.seats[t]
            error = due[at] + setting.gamma * next_value[at] - self.values[t]
            found[t] = error + setting.gamma * setting.gae_lambda * total[at]
            which[t] = known[at]
            next_value[at], total[at], due[at], known[at] = self.values[t], found[t], 0.0, True
        return found, which & self.own


class Learner:
    """Plays against itself, and learns from that."""

    def __init__(self, game: str, seats: int | None, setting: Setting, device: str, seed: int) -> None:
        torch.manual_seed(seed)
        self.setting, self.device = setting, torch.device(device)
        self.envs: VectorEnvironment = vector_env(game, setting.matches, seats, final_obs=False)
        seen = seen_as(setting.seen, self.envs.game, self.envs.catalogue)
        self.agent = Agent(seen, self.envs.catalogue, setting.hidden).to(self.device)
        self.optimiser = torch.optim.Adam(self.agent.parameters(), lr=setting.rate, eps=1e-5)
        each = torch.arange(setting.matches, device=self.device)
        self.alone = each < int(setting.strangers * setting.matches)
        self.seat = each % self.envs.game.machine.seats
        self.rows, self.info = self.envs.reset(seed=seed)

    def tensor(self, array: np.ndarray) -> Tensor:
        """An array of the environment: the same memory on the processor, a copy on another device."""
        return torch.from_dlpack(array).to(self.device)

    @torch.no_grad()
    def play(self) -> tuple[Choices, Tensor, Tensor]:
        """Some steps of all matches; then who decides, and what that is worth."""
        kept: list[tuple[Tensor, ...]] = []
        for _ in range(self.setting.steps):
            rows, masks = self.tensor(self.rows), self.tensor(self.info["action_mask"])
            seats = self.tensor(self.info["seat"].astype(np.int64))
            chances, values = self.agent(rows, masks)
            own = ~self.alone | (seats == self.seat)
            uniform = torch.multinomial(masks.float(), 1)[:, 0]
            actions = torch.where(own, chances.sample(), uniform)
            self.rows, _, ended, _, self.info = self.envs.step(actions.cpu().numpy())
            rewards = self.tensor(self.info["rewards"].astype(np.float32))
            logs = chances.log_prob(actions)
            over = torch.from_numpy(ended).to(self.device)
            kept.append((rows, masks, actions, logs, values, seats, rewards, over, own))
        stacked = (torch.stack(each) for each in zip(*kept, strict=True))
        _, value = self.agent(self.tensor(self.rows), self.tensor(self.info["action_mask"]))
        return Choices(*stacked), self.tensor(self.info["seat"].astype(np.int64)), value

    def learn(self, rate: float = 1.0) -> None:
        """Plays, and goes some steps up the clipped gradient; `rate` is the share of the learning rate."""
        played, seat, value = self.play()
        advantages, which = played.advantages(seat, value, self.setting)
        used = which.flatten().nonzero()[:, 0]
        returns = advantages + played.values
        data = (played.rows, played.masks, played.actions, played.logs, advantages, returns)
        flat = [each.flatten(0, 1)[used] for each in data]
        for group in self.optimiser.param_groups:
            group["lr"] = self.setting.rate * rate
        size = -(-len(used) // self.setting.minibatches)
        for _ in range(self.setting.epochs):
            for some in torch.randperm(len(used), device=self.device).split(size):
                self._step(*(each[some] for each in flat))

    def _step(
        self, rows: Tensor, masks: Tensor, actions: Tensor, logs: Tensor, advantages: Tensor, returns: Tensor
    ) -> None:
        setting = self.setting
        chances, values = self.agent(rows, masks)
        ratio = (chances.log_prob(actions) - logs).exp()
        scaled = (advantages - advantages.mean()) / (advantages.std(unbiased=False) + 1e-8)
        clipped = ratio.clamp(1 - setting.clip, 1 + setting.clip)
        loss = -torch.min(scaled * ratio, scaled * clipped).mean()
        loss = loss + setting.value_weight * 0.5 * (values - returns).square().mean()
        loss = loss - setting.entropy * chances.entropy().mean()
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.agent.parameters(), setting.most_norm)
        self.optimiser.step()

    @torch.no_grad()
    def best(self, rows: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """[n]: what the network thinks best."""
        found: np.ndarray = self.agent.logits(self.tensor(rows), self.tensor(masks)).argmax(1).cpu().numpy()
        return found


def share_of_wins(learner: Learner, matches: int) -> float:
    """How many of its matches against random play the network wins, at each seat by turns."""
    game, total = learner.envs.game, 0.0
    number = game.machine.seats
    progress = Progress()
    for seat in range(number):
        envs = vector_env(game, 64, seat=seat, reward="victory")
        rows, info = envs.reset(seed=1000 + seat)
        done, won = 0, 0.0
        while done < matches // number:
            progress.tell(f"seat {seat}: {done} of {matches // number} matches against random play")
            rows, _, ended, _, info = envs.step(learner.best(rows, info["action_mask"]))
            for rewards in info["rewards"][ended]:
                won += rewards[seat] / max(1.0, rewards.sum()) if rewards.any() else 1 / number
            done += int(ended.sum())
        total += won / done
    return total / number


def train(learner: Learner, updates: int, matches: int, points: int = 10) -> list[tuple[int, float, float]]:
    """Learns; choices so far, seconds, the share of wins against random play: at first and `points` times."""
    course, spent, every = [], 0.0, max(1, updates // points)
    print("update   choices  seconds  share of the wins against random")
    for update in range(updates + 1):
        if update % every == 0:
            choices = update * learner.setting.steps * learner.setting.matches
            course.append((choices, spent, share_of_wins(learner, matches)))
            print(f"{update:6} {choices:9,}  {spent:7.1f}  {course[-1][2]:.3f}", flush=True)
        if update < updates:
            began = perf_counter()
            learner.learn(1 - update / updates)
            spent += perf_counter() - began
    return course


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", help="a bundled game, or the path of a ruleset")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--updates", type=int, default=120)
    parser.add_argument("--matches", type=int, default=Setting.matches, help="side by side")
    parser.add_argument("--steps", type=int, default=Setting.steps, help="of each match between updates")
    parser.add_argument("--hidden", type=int, default=Setting.hidden, help="units in each layer")
    parser.add_argument("--rate", type=float, default=Setting.rate, help="of Adam; it goes down to none")
    parser.add_argument("--entropy", type=float, default=Setting.entropy, help="weight of its bonus")
    parser.add_argument(
        "--strangers", type=float, default=Setting.strangers, help="the part of matches against random play"
    )
    parser.add_argument("--seen", default=Setting.seen, choices=("planes", "features", "rows"))
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--into", type=Path, help="write the policy as ONNX, for `rulewright play`")
    given = parser.parse_args()
    check(parser, given.game, given.seats, given.into)
    sizes = given.matches, given.steps, given.hidden, given.rate
    setting = Setting(*sizes, entropy=given.entropy, strangers=given.strangers, seen=given.seen)
    learner = Learner(given.game, given.seats, setting, given.device, given.seed)
    with until_stopped():
        train(learner, given.updates, 400)
    write(given.into, learner.envs.catalogue, learner.agent.features, learner.agent.weights())


if __name__ == "__main__":
    main()
