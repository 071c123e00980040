"""Trains the policies of `examples/baselines`: PPO on layouts for networks, and beside it on plain rows.

    python -m examples.train_baselines --into build/layouts
    python -m examples.train_baselines --into build/baselines --seen planes --seeds 1 --updates 120

Each run leaves its policy, `GAME-SEEN-SEED.onnx`, and its learning curve, `GAME-SEEN-SEED.json`, in the
folder; a run that is there with as many updates is not made again. At the end both kinds of observations are
compared: by their curves, and by matches between the policies of the same seed. The files in
`examples/baselines` are `GAME-planes-1.onnx` of the second command. Needs torch, the extras `gymnasium` and
`policy`, and matplotlib for `--picture`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import torch

from examples.keeping import write
from examples.meeting import share_between
from examples.policy_gradient_torch import Learner, Setting, train
from rulewright.learn.onnx_files import load_policy

GAMES = ("connect_four", "breakthrough", "othello", "leduc_poker", "liars_dice", "nim")
"""Three on boards, three without."""
SEEN = ("planes", "rows")
"""Layouts for networks, and the numbers of the rows as they are."""
SETTING = Setting(hidden=64, rate=2.5e-3, entropy=0.03, strangers=0.2)
"""Of all runs: more self-play and more entropy than by default, for these small networks stop at one plan."""
UPDATES, POINTS = 16, 4
"""How many updates, and how often the policy meets random play on the way."""
MATCHES = 400
"""Of each point of a curve: the share is known to about 0.03."""
QUANTILES = (0.0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
"""Of Student's distribution, 0.975, by degrees of freedom; the last is a bound for more."""


@dataclass(frozen=True)
class Run:
    """One training: the share of wins against random play by choices, and how many weights the actor has."""

    game: str
    seen: str
    seed: int
    choices: list[int]
    shares: list[float]
    weights: int

    @property
    def early(self) -> float:
        """The mean share behind the beginning: how soon it learns."""
        return mean(self.shares[1:])

    @property
    def late(self) -> float:
        """The share at the end."""
        return self.shares[-1]


def path_of(folder: Path, game: str, seen: str, seed: int, kind: str) -> Path:
    return folder / f"{game}-{seen}-{seed}.{kind}"


def trained(folder: Path, game: str, seen: str, seed: int, updates: int) -> Run:
    """Trains, and leaves a policy and a curve; or reads the curve that is there."""
    curve = path_of(folder, game, seen, seed, "json")
    if curve.exists():
        known = Run(**json.loads(curve.read_text("utf-8")))
        if known.choices[-1] == updates * SETTING.matches * SETTING.steps:
            return known
    print(f"{game}, {seen}, seed {seed}", flush=True)
    learner = Learner(game, None, replace(SETTING, seen=seen), "cpu", seed)
    course = train(learner, updates, MATCHES, POINTS)
    weights = learner.agent.weights()
    write(path_of(folder, game, seen, seed, "onnx"), learner.envs.catalogue, learner.agent.features, weights)
    choices, _, shares = zip(*course, strict=True)
    run = Run(game, seen, seed, list(choices), list(shares), sum(each.size for each in weights.values()))
    curve.write_text(json.dumps(asdict(run)) + "\n", "utf-8")
    return run


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and how far its interval of 95 % goes to each side, by Student's distribution."""
    if len(values) < 2:
        return values[0], float("inf")
    return mean(values), QUANTILES[min(len(values), len(QUANTILES)) - 1] * stdev(values) / len(values) ** 0.5


def compared(folder: Path, runs: Sequence[Run], rounds: int) -> Iterator[str]:
    """A row of a table for each game: layouts beside rows, seeds in pairs."""
    yield "| game | layout: all | rows: all | difference | layout: end | rows: end | difference | points |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for game in dict.fromkeys(run.game for run in runs):
        kinds = [{run.seed: run for run in runs if (run.game, run.seen) == (game, seen)} for seen in SEEN]
        seeds = sorted(kinds[0].keys() & kinds[1].keys())
        if not seeds:
            continue
        planes, rows = ([kind[seed] for seed in seeds] for kind in kinds)
        cells = [game]
        for by in ("early", "late"):
            first, second = ([getattr(run, by) for run in some] for some in (planes, rows))
            cells += [f"{mean(first):.3f}", f"{mean(second):.3f}"]
            cells.append(_signed(interval([a - b for a, b in zip(first, second, strict=True)])))
        paths = [[str(path_of(folder, game, seen, seed, "onnx")) for seen in SEEN] for seed in seeds]
        met = [share_between(game, load_policy(a), load_policy(b), rounds) for a, b in paths]
        cells.append("{:.3f} ± {:.3f}".format(*interval(met)))
        yield f"| {' | '.join(cells)} |"


def _signed(found: tuple[float, float]) -> str:
    return f"{found[0]:+.3f} ± {found[1]:.3f}"


def draw(runs: Sequence[Run], path: Path) -> None:
    """Writes a picture of the curves: the mean over seeds, and behind it the range from least to most."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    from examples.learning_curves import GREY, shape

    matplotlib.rcParams["svg.hashsalt"] = "baselines"
    games = list(dict.fromkeys(run.game for run in runs))
    rows = -(-len(games) // 3)
    figure, axes = pyplot.subplots(
        rows, 3, figsize=(10.5, 2.9 * rows), sharey=True, layout="constrained", squeeze=False
    )
    colours = dict(zip(SEEN, ("#2b8fd9", "#d97706"), strict=True))
    names = dict(zip(SEEN, ("layout for networks", "rows"), strict=True))
    for panel, game in zip(axes.flat, games, strict=False):
        for seen in SEEN:
            some = [run for run in runs if (run.game, run.seen) == (game, seen)]
            if not some:
                continue
            thousands = [number / 1000 for number in some[0].choices]
            shares = np.array([run.shares for run in some])
            panel.fill_between(thousands, shares.min(0), shares.max(0), color=colours[seen], alpha=0.2, lw=0)
            panel.plot(thousands, shares.mean(0), color=colours[seen], linewidth=1.8, label=names[seen])
        shape(panel, game.replace("_", " ").title())
    for empty in axes.flat[len(games) :]:
        empty.set_visible(False)
    for left in axes[:, 0]:
        left.set_ylabel("share of wins against random play", color=GREY, fontsize=8)
    axes.flat[0].legend(loc="lower right", frameon=False, labelcolor=GREY)
    figure.savefig(path, transparent=True, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--into", type=Path, required=True, help="the folder for policies and curves")
    parser.add_argument("--games", default=",".join(GAMES), help="names of games, separated by commas")
    parser.add_argument("--seen", default=",".join(SEEN), help="kinds of observations: planes,features,rows")
    parser.add_argument("--seeds", type=int, default=3, help="how many")
    parser.add_argument("--updates", type=int, default=UPDATES, help="of 8,192 choices each")
    parser.add_argument("--rounds", type=int, default=4, help="of 64 matches at each seat, when two meet")
    parser.add_argument("--picture", type=Path, help="the curves as an SVG or PNG file")
    given = parser.parse_args()
    torch.set_num_threads(1)
    given.into.mkdir(parents=True, exist_ok=True)
    runs = [
        trained(given.into, game, seen, seed, given.updates)
        for seed in range(1, given.seeds + 1)
        for game in given.games.split(",")
        for seen in given.seen.split(",")
    ]
    for line in compared(given.into, runs, given.rounds):
        print(line, flush=True)
    if given.picture is not None:
        draw(runs, given.picture)
        print(f"written to {given.picture}")


if __name__ == "__main__":
    main()
