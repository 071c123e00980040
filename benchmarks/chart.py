"""The playouts as a picture: a row for each game, a dot for each contestant."""

from __future__ import annotations

from pathlib import Path
from statistics import geometric_mean
from typing import Any

from benchmarks.playouts import Course, Playouts, ratios

LOOK = {
    "wasm": ("#c2410c", "o", 110, "Rulewright, fast"),
    "reference": ("#fdba74", "o", 60, "Rulewright, reference"),
    "c": ("#111827", "D", 52, "plain C, gcc -O3"),
    "openspiel-c++": ("#1d4ed8", "s", 52, "OpenSpiel, C++ rollouts"),
    "openspiel-python": ("#93c5fd", "s", 46, "OpenSpiel from Python"),
    "pettingzoo": ("#16a34a", "^", 52, "PettingZoo"),
    "pgx-1": ("#c4b5fd", "v", 52, "pgx, one match"),
    "pgx-1024": ("#6d28d9", "v", 52, "pgx, 1,024 matches"),
}
"""Colour, marker, size and name of each contestant."""


def draw(found: Playouts, path: Path) -> None:
    """Writes the picture. Courses whose rates mean something else are hollow."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    games = list(dict.fromkeys(course.game for course in found.courses))
    figure, axes = pyplot.subplots(figsize=(10, 1.9 + 0.46 * len(games)), layout="constrained")
    _rows(axes, found, games)
    _legend(axes, found)
    _frame(axes, games)
    figure.suptitle(
        "Uniformly random playouts per second, one core", x=0.012, ha="left", fontsize=14, weight="bold"
    )
    axes.annotate(
        _subtitle(found),
        xy=(0.012, 1.012),
        xycoords=("figure fraction", "axes fraction"),
        fontsize=9.5,
        color="#4b5563",
    )
    figure.savefig(path, dpi=160)
    pyplot.close(figure)


def _rows(axes: Any, found: Playouts, games: list[str]) -> None:
    for row, game in enumerate(games):
        courses = [course for course in found.courses if course.game == game]
        rates = [course.task.rate for course in courses]
        axes.hlines(row, min(rates), max(rates), color="#d1d5db", linewidth=1.4, zorder=1)
        for course in courses:
            _dot(axes, row, course)


def _dot(axes: Any, row: int, course: Course) -> None:
    colour, marker, size, _ = LOOK[course.contestant]
    face = "white" if course.other_game else colour
    front = 4 if course.contestant == "wasm" else 3
    axes.scatter(
        course.task.rate,
        row,
        s=size,
        marker=marker,
        facecolor=face,
        edgecolor=colour,
        linewidth=1.3,
        zorder=front,
    )


def _legend(axes: Any, found: Playouts) -> None:
    present = {course.contestant for course in found.courses}
    for name, (colour, marker, size, label) in LOOK.items():
        if name in present:
            axes.scatter([], [], s=size, marker=marker, color=colour, label=label)
    if any(course.other_game for course in found.courses):
        axes.scatter(
            [], [], s=50, facecolor="white", edgecolor="#6b7280", label="hollow: other choices or rules"
        )
    axes.figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=9, handletextpad=0.3)


def _frame(axes: Any, games: list[str]) -> None:
    axes.set_xscale("log")
    axes.set_yticks(range(len(games)), [game.replace("_", " ") for game in games])
    axes.set_ylim(len(games) - 0.4, -0.6)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")
    axes.grid(axis="x", which="major", color="#e5e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="both", which="both", length=0)
    for side in axes.spines.values():
        side.set_visible(False)


def _subtitle(found: Playouts) -> str:
    names = {"c": "plain C", "openspiel-c++": "OpenSpiel's C++", "openspiel-python": "OpenSpiel from Python"}
    parts = []
    for right, name in names.items():
        times = ratios(found, "wasm", right)
        if times:
            parts.append(f"{geometric_mean(times.values()):.2g} × {name} ({len(times)} games)")
    return f"Rulewright's fast executor, geometric means: {', '.join(parts)}" if parts else ""
