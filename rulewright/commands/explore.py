"""`rulewright explore`: explores all positions of a game, and reports what is wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from dsl.wording import counted
from interpreter.game import ExecutorKind, Game
from interpreter.log import write
from interpreter.match import Match
from rulewright.commands.explore_sample import show_sample
from rulewright.library import open_game
from rulewright.matches.log_file import save_log
from rulewright.matches.position_file import PositionFile, read_position
from rulewright.messages import BadBound
from rulewright.processes.interrupts import INTERRUPTED
from rulewright.terminal.output import activity, complain, diagnostic_objects, echo_json, progress
from rulewright.terminal.parameters import (
    MOST,
    SEED,
    Real,
    Whole,
    executor_option,
    json_option,
    named_path,
    position_option,
    set_up_options,
    settings,
)
from validators.explore.explore import Exploration, explore
from validators.explore.findings import ExploreFinding
from validators.explore.messages import unseen
from validators.explore.playouts import Sample, play
from validators.explore.search import Bounds
from validators.explore.witness import ExploreWitness, moves_on, replayable, witness

FINDINGS = 1
LONG = 40
"""The largest number of moves of a path that are printed."""


@click.command("explore")
@click.argument("game")
@set_up_options
@position_option
@click.option("--depth", type=Whole(least=-MOST), metavar="D", help="Maximal number of moves from the start.")
@click.option(
    "--states",
    type=Whole(least=-MOST),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Maximal number of positions.",
)
@click.option("--seconds", type=Real(), metavar="S", help="Maximal time.")
@click.option(
    "--outcomes",
    type=Whole(least=-MOST),
    metavar="N",
    help="Follow at most N deals or throws between two decisions (default: all; 16 if they are too many).",
)
@click.option("--small", metavar="NAME|FILE", help="Explore a smaller game: a preset of GAME, or a file.")
@executor_option("wasm", "What carries out the moves.")
@click.option(
    "--playouts",
    type=Whole(least=-MOST),
    metavar="N",
    help="Play N matches at random instead: this proves nothing.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="The seed of the first playout.")
@click.option(
    "--symmetry/--no-symmetry",
    "fold",
    default=None,
    help="Merge symmetric positions, or do not (default: unless that takes longer than it saves).",
)
@click.option(
    "--log",
    "log",
    callback=named_path,
    metavar="FILE",
    help="Write the path to the first finding, as a log that can be replayed.",
)
@json_option
@click.pass_context
def explore_game(
    ctx: click.Context,
    game: str,
    seats: int | None,
    options: tuple[str, ...],
    position: str | None,
    depth: int | None,
    states: int,
    seconds: float | None,
    outcomes: int | None,
    small: str | None,
    executor: ExecutorKind,
    playouts: int | None,
    seed: int,
    fold: bool | None,
    log: str | None,
    as_json: bool,
) -> None:
    """Visit every reachable position.

    Follows all choices and all random outcomes from the start, or from a position, the nearest
    positions first. Finds faults, positions from which no end can be reached, promises that are broken, and
    what never happens, each with the shortest path to it.

    Exits with 1 if something is found.

    \b
    Examples:
      rulewright explore GAME
      rulewright explore GAME --small tiny
      rulewright explore GAME --position endgame.yaml
      rulewright explore my_game --states 200000 --log broken.log
    """
    bounds = _bounds(depth, states, seconds, outcomes)
    begins = read_position(position) if position is not None else None
    chosen = {**(begins.options if begins is not None else {}), **settings(options)}
    count = begins.seats if begins is not None and seats is None else seats
    with activity(f"compiling {game}"):
        opened = open_game(game, count, chosen, "reference", small)
    if begins is not None:
        opened = begins.game(opened)
    if playouts is not None:
        sample = _sample(opened, playouts, seed, executor)
        show_sample(opened, sample, as_json)
        if log is not None and sample.failed:
            _save(log, replayable(opened, sample.failed[0].moves), chosen, small, begins)
        ctx.exit(INTERRUPTED if sample.interrupted else FINDINGS if sample.failed else 0)
    whole = small is None and begins is None
    with activity("exploring") as told:
        exploration = explore(opened, bounds, executor, whole, fold, lambda n, d: told(_so_far(n, d)))
        witnesses = [_witness(exploration, finding) for finding in exploration.findings]
    if as_json:
        echo_json(_object(exploration, witnesses))
    else:
        _show(exploration, witnesses)
    first = next((path for path in witnesses if path), None)
    if log is not None and first is not None:
        _save(log, replayable(opened, first.moves), chosen, small, begins)
    elif log is not None:
        click.echo(f"`{log}` is not written: there is no path to show", err=True)
    stopped = exploration.found.stopped == "interrupted"
    ctx.exit(INTERRUPTED if stopped else FINDINGS if exploration.findings else 0)


def _sample(game: Game, number: int, seed: int, executor: ExecutorKind) -> Sample:
    """So many matches of random choices. Raises `DiagnosticError` if there are to be none."""
    _check_bound("--playouts", number, 1)
    with progress(f"playing {number}", number) as done:
        return play(game, number, seed, executor, done=done)


def _so_far(positions: int, depth: int) -> str:
    return f"{counted(positions, 'position')}, {counted(depth, 'move')} deep"


def _save(
    log: str, match: Match, options: dict[str, str], small: str | None, begins: PositionFile | None
) -> None:
    match.opening = begins.opening if begins is not None else None
    save_log(Path(log), write(match, options, [], small))


def _bounds(depth: int | None, states: int, seconds: float | None, outcomes: int | None) -> Bounds:
    """The bounds of the search. Raises `DiagnosticError` if nothing is left to explore."""
    counts = (("depth", depth), ("states", states), ("outcomes", outcomes))
    for name, value, least in (*((name, value, 1) for name, value in counts), ("seconds", seconds, 0.01)):
        _check_bound(f"--{name}", value, least)
    return Bounds(depth, states, seconds, outcomes)


def _check_bound(name: str, value: float | None, least: float) -> None:
    if value is not None and not value >= least:
        raise DiagnosticError(BadBound(NOWHERE, name, f"{value:g}", f"{least:g}"))


def _witness(exploration: Exploration, finding: ExploreFinding) -> ExploreWitness | None:
    if finding.path is None:
        return None
    return witness(exploration.game, moves_on(exploration.steps, finding.path, finding.last))


# ---- output


def _show(exploration: Exploration, witnesses: list[ExploreWitness | None]) -> None:
    found = exploration.found
    click.echo("\n".join(_statistics(exploration)))
    for finding, path in zip(exploration.findings, witnesses, strict=True):
        click.echo()
        complain([finding.diagnostic], err=False)
        if path is not None:
            click.echo("\n".join(_steps(path)))
    if exploration.unseen:
        why = "some paths stop at a fault" if found.faults else "the game was made smaller"
        why = why if found.exhaustive else "not all was explored"
        click.echo(f"\nnot seen, which proves nothing because {why}:")
        for diagnostic in exploration.unseen:
            click.echo(f"  {unseen(diagnostic)}")
    what = counted(len(exploration.findings), "finding")
    click.echo(f"\n{what}; {'all positions were explored' if found.exhaustive else 'not all was explored'}")


def _statistics(exploration: Exploration) -> list[str]:
    found, graph = exploration.found, exploration.found.graph
    return [
        f"{exploration.game.rules.title}: {counted(len(graph), 'position')}, {counted(found.finals, 'end')}, "
        f"{counted(len(graph.targets), 'transition')}, {counted(found.depth, 'move')} deep",
        f"  {_completeness(exploration)}",
        *_symmetries(exploration),
        f"  {found.seconds:.1f} s, {graph.looked_at / max(found.seconds, 1e-9):,.0f} positions/s"
        + (f", {memory:,.0f} MB" if (memory := _memory()) is not None else ""),
    ]


def _symmetries(exploration: Exploration) -> list[str]:
    """The symmetries that were proved, and those that were refuted."""
    lines = [f"  proved symmetry: {x.words(exploration.game.rules)}" for x in exploration.proved]
    if exploration.dear:
        lines.append("  symmetries were not used: they cost more than they save")
    return lines + [f"  not a symmetry: {x.words(exploration.game.rules)}" for x in exploration.dropped]


WHY = {
    "depth": "stopped by --depth",
    "states": "stopped by --states",
    "seconds": "stopped by --seconds",
    "interrupted": "interrupted",
}


def _completeness(exploration: Exploration) -> str:
    found = exploration.found
    if found.exhaustive:
        return "exhaustive: every reachable position was explored"
    left = f"{counted(found.left_out, 'outcome')} of chance left out (`--outcomes` follows more)"
    why = [left] if found.left_out else []
    why += [WHY[found.stopped], f"{counted(found.open, 'position')} left open"] if found.stopped else []
    return f"not exhaustive: {', '.join(why)}"


def _memory() -> float | None:
    """The peak memory of the process so far, in megabytes; none where the system does not say."""
    try:
        import resource
    except ImportError:  # not on every system
        return None
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)


def _steps(path: ExploreWitness) -> list[str]:
    if not path.words:
        return ["  at the start"]
    shown = (
        path.words
        if len(path.words) <= LONG
        else (*path.words[: LONG // 2], "...", *path.words[-LONG // 2 :])
    )
    return [f"  the shortest path to it, {counted(len(path.words), 'move')}: {' · '.join(shown)}"]


def _object(exploration: Exploration, witnesses: list[ExploreWitness | None]) -> dict[str, object]:
    found, graph, mc = exploration.found, exploration.found.graph, exploration.game.machine
    return {
        "game": mc.name,
        "rules": mc.digest,
        "seats": mc.seats,
        "exhaustive": found.exhaustive,
        "stopped": found.stopped or None,
        "positions": len(graph),
        "ends": found.finals,
        "transitions": len(graph.targets),
        "depth": found.depth,
        "open": found.open,
        "left_out": found.left_out,
        "symmetries": [x.words(exploration.game.rules) for x in exploration.proved],
        "not_symmetries": [x.words(exploration.game.rules) for x in exploration.dropped],
        "seconds": round(found.seconds, 3),
        "megabytes": _memory(),
        "findings": [_finding(f, w) for f, w in zip(exploration.findings, witnesses, strict=True)],
        "not_seen": [unseen(diagnostic) for diagnostic in exploration.unseen],
    }


def _finding(finding: ExploreFinding, path: ExploreWitness | None) -> dict[str, object]:
    (found,) = diagnostic_objects([finding.diagnostic])
    return {**found, "path": list(path.words) if path is not None else None}
