"""`python -m benchmarks`: measures, prints tables, and writes them as JSON and a picture."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks import chart, machine, playouts
from benchmarks.contestants.lineup import LINEUP
from benchmarks.games import ALL, ENTRIES, Entry
from benchmarks.sections import SECTIONS
from benchmarks.slices import FEWEST_RUNS, Pace
from benchmarks.table import Table, render

NAMES = ("playouts", *(section.name for section in SECTIONS))
KNOWN = (*ALL, *(entry for section in SECTIONS for entry in section.games if entry not in ALL))
BUILD = Path(__file__).parent / "build"


@click.command()
@click.option("--only", "only", multiple=True, type=click.Choice(NAMES), help="A section; may be repeated.")
@click.option("--game", "games", multiple=True, help="A game; may be repeated. All of a section, else.")
@click.option("--contestant", "who", multiple=True, type=click.Choice([c.name for c in LINEUP]))
@click.option("--runs", type=click.IntRange(min=FEWEST_RUNS), default=7, show_default=True)
@click.option("--seconds", type=float, default=0.25, show_default=True, help="How long a slice lasts.")
@click.option("--into", type=click.Path(path_type=Path), default=BUILD, show_default="benchmarks/build")
def main(
    only: tuple[str, ...], games: tuple[str, ...], who: tuple[str, ...], runs: int, seconds: float, into: Path
) -> None:
    """Measure Rulewright beside its peers on this machine."""
    named = _named(games)
    pace = Pace(runs, seconds)
    into.mkdir(parents=True, exist_ok=True)
    found: list[Table] = []
    if not only or "playouts" in only:
        found += _playouts(named or ENTRIES, who, pace, into)
    for section in SECTIONS:
        if not only or section.name in only:
            print(f"{section.what} …", file=sys.stderr, flush=True)
            found += _shown(section.measure(named or section.games, pace))
    _write(found, into / "results.json")


def _named(games: Sequence[str]) -> list[Entry]:
    unknown = set(games) - {entry.name for entry in KNOWN}
    if unknown:
        raise click.UsageError(f"no such game: {', '.join(sorted(unknown))}")
    return [entry for entry in KNOWN if entry.name in games]


def _playouts(entries: Sequence[Entry], who: Sequence[str], pace: Pace, into: Path) -> list[Table]:
    found = playouts.measure(entries, [c for c in LINEUP if not who or c.name in who], pace)
    if found.courses:
        chart.draw(found, into / "playouts.png")
    return _shown(playouts.tables(found))


def _shown(tables: list[Table]) -> list[Table]:
    for table in tables:
        click.echo(render(table) + "\n")
    return tables


def _write(found: Sequence[Table], path: Path) -> None:
    whole = {"machine": machine.description(), "tables": [table.data() for table in found]}
    path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
