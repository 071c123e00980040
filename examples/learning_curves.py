"""Learning curves of both policy gradients as a picture: the share of wins against random play.

    python -m examples.learning_curves --into docs/images/learning.svg

Needs matplotlib, torch, and the extra `gymnasium`. The lines are the same on every machine, but for what a
library computes otherwise; what is behind them is printed while they are made.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from examples import policy_gradient, policy_gradient_torch

MATCHES = 400
"""Of each point: the share is known to about 0.03."""
GREY = "#7d8590"
"""Of all words and lines beside the curves: it can be read on white and on black."""
LOOK = {"REINFORCE, numpy": ("#d97706", "o"), "PPO, torch": ("#2b8fd9", "s")}
"""Colour and marker of each learner."""


@dataclass(frozen=True)
class Panel:
    """A game, and how many updates each learner makes."""

    title: str
    game: str
    seats: int | None
    plain: int
    proximal: int


PANELS = (
    Panel("Connect Four", "connect_four", None, 300, 80),
    Panel("Roll Through the Ages, 2 seats", "roll_through_the_ages", 2, 80, 30),
)
Curves = dict[str, list[tuple[int, float, float]]]


def learned(panel: Panel) -> Curves:
    """The course of each learner: choices, seconds, share of wins."""
    print(f"{panel.title}, REINFORCE")
    plain = policy_gradient.Learner(panel.game, panel.seats, 128, 64, 1)
    first = policy_gradient.train(plain, panel.game, panel.seats, policy_gradient.Setting(panel.plain))
    print(f"{panel.title}, PPO")
    setting = policy_gradient_torch.Setting()
    proximal = policy_gradient_torch.Learner(panel.game, panel.seats, setting, "cpu", 1)
    second = policy_gradient_torch.train(proximal, panel.proximal, MATCHES)
    return dict(zip(LOOK, (first, second), strict=True))


def draw(found: list[tuple[str, Curves]], path: Path) -> None:
    """Writes the picture, without a background of its own."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "learning"
    figure, axes = pyplot.subplots(
        1, len(found), figsize=(4.6 * len(found), 3.4), sharey=True, layout="constrained", squeeze=False
    )
    for panel, (title, curves) in zip(axes[0], found, strict=True):
        _panel(panel, title, curves)
    axes[0][0].set_ylabel("share of wins against random play", color=GREY)
    axes[0][-1].legend(loc="lower right", frameon=False, labelcolor=GREY)
    figure.savefig(path, transparent=True, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def _panel(axes: Any, title: str, curves: Curves) -> None:
    for name, course in curves.items():
        colour, marker = LOOK[name]
        choices, _, shares = zip(*course, strict=True)
        thousands = [number / 1000 for number in choices]
        axes.plot(thousands, shares, color=colour, marker=marker, markersize=4, linewidth=1.8, label=name)
    shape(axes, title)


def shape(axes: Any, title: str) -> None:
    """A title, a scale for shares, and lines in grey."""
    axes.set_title(title, color=GREY, fontsize=11, loc="left")
    axes.set_xlabel("thousands of choices", color=GREY)
    axes.set_ylim(0.45, 1.0)
    axes.grid(axis="y", color=GREY, alpha=0.3, linewidth=0.6)
    axes.tick_params(colors=GREY)
    for name, spine in axes.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(GREY)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--into", type=Path, required=True, help="the picture: an SVG or PNG file")
    given = parser.parse_args()
    draw([(panel.title, learned(panel)) for panel in PANELS], given.into)
    print(f"written to {given.into}")


if __name__ == "__main__":
    main()
