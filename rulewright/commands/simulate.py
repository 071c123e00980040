"""`rulewright simulate`: many matches by random choices or by bots, and what they show."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from interpreter.game import ExecutorKind, Game
from interpreter.log import write
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.commands.playout_log import play_out, play_out_in_numbers
from rulewright.commands.playout_tally import Tally
from rulewright.commands.simulate_bots import (
    Bounded,
    SeatsOrBots,
    bot_match,
    checked_bots,
    is_repeatable,
    play_matches,
)
from rulewright.commands.simulate_text import MOST_FAILED, FailedPlayout, Heading, show
from rulewright.library import open_game
from rulewright.processes.early_end import EarlyEnd
from rulewright.terminal.exit_codes import exit_code
from rulewright.terminal.output import activity, progress
from rulewright.terminal.parameters import (
    SEED,
    Whole,
    check_writable,
    game_option,
    jobs_option,
    json_option,
    named_path,
    position_option,
    settings,
)

if TYPE_CHECKING:
    from interpreter.wasm.build_config import BuildConfig
    from interpreter.wasm.cache import CacheEntry
    from rulewright.matches.position_file import PositionFile

FINDINGS = 1
MOST_JOBS = 256
PARTS = 100
"""The number of steps in which progress is shown."""


@dataclass(frozen=True)
class SimulateArgs:
    """The arguments of the command."""

    game: str
    seats: int | None
    options: tuple[str, ...]
    executor: ExecutorKind
    checked: bool
    jobs: int
    number: int
    seed: int
    position: str | None = None
    begins: PositionFile | None = None
    bots: tuple[str, ...] = ()

    @property
    def chosen(self) -> dict[str, str]:
        """The options: those of the command come before those of the position."""
        return {**(self.begins.options if self.begins is not None else {}), **settings(self.options)}

    @property
    def standalone(self) -> bool:
        """Whether a module plays without stopping at decisions."""
        return self.executor != "reference" and not self.bots

    @cached_property
    def reference_game(self) -> Game:
        """The game with its rules. Raises `ErrorsReported` or `DiagnosticError`."""
        return self._opened("reference")

    def opened(self) -> Game:
        """The game with its rules, for bots that are asked. Raises `ErrorsReported` or `DiagnosticError`."""
        return self._opened(self.executor)

    def _opened(self, executor: ExecutorKind) -> Game:
        if self.begins is None:
            return open_game(self.game, self.seats, settings(self.options), executor)
        seats = self.seats if self.seats is not None else self.begins.seats
        return self.begins.game(open_game(self.game, seats, self.chosen), executor)

    @property
    def flavour(self) -> BuildConfig:
        """What the module does."""
        from interpreter.wasm.build_config import CHECKED, PLAYOUT

        return CHECKED if self.checked else PLAYOUT


@dataclass(frozen=True)
class StandalonePlayer:
    """A module that plays without stopping, and a function that opens the game to explain a fault."""

    entry: CacheEntry
    jobs: int
    reference_game: Callable[[], Game]


@click.command()
@click.argument("game")
@click.option("-n", "number", type=Whole(1), default=100, show_default=True, help="How many playouts.")
@click.option(
    "--seats",
    type=SeatsOrBots(),
    metavar="N|BOT,BOT,…",
    help="How many play, or which bots: `search:100,policy:FILE` (default: the fewest, at random).",
)
@game_option
@position_option
@click.option("--seed", type=SEED, default=0, show_default=True, help="The seed of the first playout.")
@jobs_option(MOST_JOBS, "How many threads play, or with bots processes.")
@click.option(
    "--executor",
    type=click.Choice(["reference", "wasm"]),
    default="wasm",
    show_default=True,
    help="What plays.",
)
@click.option("--checked", is_flag=True, help="Check promises and lost pieces at every stop (slower).")
@click.option(
    "--log",
    "log",
    callback=named_path,
    metavar="FILE",
    help="Write the last playout, or the one that fails, as a log.",
)
@json_option
@click.pass_context
def simulate(
    ctx: click.Context,
    game: str,
    number: int,
    seats: int | tuple[str, ...] | None,
    options: tuple[str, ...],
    position: str | None,
    seed: int,
    jobs: int,
    executor: ExecutorKind,
    checked: bool,
    log: str | None,
    as_json: bool,
) -> None:
    """Play many matches by random choices, or by bots.

    Shows who wins, the scores, how long matches are and how fast they run. The first playout has the seed
    SEED, the next one SEED + 1, so any of them can be played again alone; neither the executor nor the number
    of threads changes its result. Faults of the rules, such as a counter that leaves its range, are counted
    and shown with their seeds; all other playouts still count.

    Where `--seats` names bots or policies, as in `rulewright play`, they make the choices. With iterations
    (`search:100`) a seed always gives the same match, with time (`search:2s`) it does not. `rulewright arena`
    says which bot is better.

    Ctrl-C stops it, and shows the playouts that have ended.

    \b
    Examples:
      rulewright simulate GAME -n 1000 --seats 3
      rulewright simulate GAME -n 1000000 --jobs 4
      rulewright simulate GAME -n 50 --seats search:100,random --jobs 2
      rulewright simulate GAME --checked --seed 7 --option NAME=VALUE
      rulewright simulate GAME -n 1 --seed 42 --log match.log
    """
    begins = _begins(position) if position is not None else None
    named = seats if isinstance(seats, tuple) else ()
    bots, players = checked_bots(named), len(named) if isinstance(seats, tuple) else seats
    args = SimulateArgs(game, players, options, executor, checked, jobs, number, seed, position, begins, bots)
    if jobs > 1 and not args.standalone and not bots:
        raise click.UsageError("--jobs needs --executor wasm")
    if log is not None and not is_repeatable(bots):
        raise click.UsageError("--log needs matches that can be repeated: give bots iterations, not time")
    with activity(f"compiling {game}"):
        player, heading = _open_player(args)
    if log is not None:
        check_writable(log)
    end = EarlyEnd()
    with progress(f"simulating {number}", min(number, PARTS) if args.standalone else number) as done:
        if bots:
            tally, failed = _run_bots(args, player, done, end)
        else:
            tally, failed = run_playouts(player, number, seed, checked, done, end)
    command = _repro_command(args, heading, failed[0]) if failed else ""
    show(heading, tally, failed, command, end, as_json)
    if log is not None and not end.early:
        _save(args, log, failed[0].seed if failed else seed + number - 1)
    ctx.exit(exit_code(end, FINDINGS, FINDINGS if failed else 0))


def _save(args: SimulateArgs, log: str, seed: int) -> None:
    """Writes the playout of a seed as a log."""
    from rulewright.matches.log_file import save_log

    match = _played(args.reference_game, seed, args.checked, args.bots)
    match.opening = args.begins.opening if args.begins is not None else None
    save_log(Path(log), write(match, args.chosen, []))


def _begins(position: str) -> PositionFile:
    """The position of a file. What reads it is imported here, as few simulations begin from one."""
    from rulewright.matches.position_file import read_position

    return read_position(position)


def _open_player(args: SimulateArgs) -> tuple[Game | StandalonePlayer, Heading]:
    """A module, or a game to be played step by step."""
    if not args.standalone:
        game = args.opened() if args.bots else args.reference_game.in_parts
        machine = game.machine
        return game, Heading(
            game.rules.title, machine.name, machine.digest, machine.seats, args.number, args.seed, args.bots
        )
    from rulewright.cache import entry

    if args.begins is not None:
        found = _entry_of(args.reference_game, args.flavour)
    else:
        found = entry(args.game, args.seats, settings(args.options), args.flavour, _refused)
    facts = found.facts
    heading = Heading(facts.title, facts.name, facts.digest, len(facts.seats), args.number, args.seed)
    return StandalonePlayer(found, args.jobs, lambda: args.reference_game), heading


def _entry_of(game: Game, flavour: BuildConfig) -> CacheEntry:
    """The module of a game that begins from a position; it is not kept."""
    from interpreter.wasm.cache import CacheEntry, Facts
    from interpreter.wasm.program import lowered

    machine = game.machine
    seats = tuple(game.names.seat(i) for i in range(machine.seats))
    facts = Facts(game.rules.title, machine.name, machine.digest, seats)
    return CacheEntry(facts, lowered(machine, flavour))


def _refused(file: Path, fault: Fault) -> None:
    diagnostic = fault.diagnostic
    click.echo(
        f"warning[{diagnostic.code}]: {diagnostic.message}; `{file}` is compiled again from the rules",
        err=True,
    )


# ---- playing


def run_playouts(
    player: Game | StandalonePlayer,
    number: int,
    seed: int,
    checked: bool,
    done: Callable[[], None] = lambda: None,
    end: EarlyEnd | None = None,
) -> tuple[Tally, list[FailedPlayout]]:
    """Plays with the seeds `seed`, `seed + 1`, ...; those that fault are not counted.

    After many faults it ends. `done` is called after each playout, or for a module after each hundredth of
    them. `end` notes what ends it before its time; the first playouts are counted all the same.
    """
    began, end = perf_counter(), end if end is not None else EarlyEnd()
    if isinstance(player, StandalonePlayer):
        tally, failed = _run_standalone(player, range(seed, seed + number), checked, done, end)
    else:
        tally, failed = _run_steps(player, range(seed, seed + number), checked, done, end)
    tally.seconds = tally.seconds or perf_counter() - began
    return tally, failed


def _run_steps(
    game: Game, seeds: range, checked: bool, done: Callable[[], None], end: EarlyEnd
) -> tuple[Tally, list[FailedPlayout]]:
    tally, failed = Tally(), list[FailedPlayout]()
    with end.noted():
        for i, seed in enumerate(seeds):
            match = Bounded(game, seed, checked=checked, keep_history=False)
            offered: list[int] = []
            try:
                play_out(match, offered.append)
                tally.add(match)
            except Fault as fault:
                failed.append(FailedPlayout(i + 1, seed, fault, _decisions(match)))
                if len(failed) == MOST_FAILED:
                    break
            else:
                for choices in offered:
                    tally.count_decision(choices)
            done()
    return tally, failed


def _run_standalone(
    player: StandalonePlayer, seeds: range, checked: bool, done: Callable[[], None], end: EarlyEnd
) -> tuple[Tally, list[FailedPlayout]]:
    from interpreter.wasm.program import SharedRun

    tally, began, count = Tally(), perf_counter(), _progress_in_parts(len(seeds), done)
    records: list[tuple[int, tuple[int, ...]]] = []
    played = 0
    while played < len(seeds) and len(records) < MOST_FAILED and not end.early:
        run = SharedRun(player.entry.code, len(seeds) - played, seeds[played], count)
        with end.noted():
            run.play(player.jobs)
        for rows in run.finished():
            tally.take(rows, player.entry.facts.seats, player.entry.facts.endings)
            played += rows.played
            if rows.record is not None:
                records.append((played, rows.record))
                played += 1
    if played == len(seeds):
        end.all_done()
    tally.seconds = perf_counter() - began
    return tally, list(_explained(player, records, seeds.start, checked))


def _run_bots(
    args: SimulateArgs, game: Game | StandalonePlayer, done: Callable[[], None], end: EarlyEnd
) -> tuple[Tally, list[FailedPlayout]]:
    """Plays matches between bots, as `run_playouts` does by random choices."""
    assert isinstance(game, Game)
    tally, failed, began = Tally(), list[FailedPlayout](), perf_counter()
    seeds = range(args.seed, args.seed + args.number)
    with end.noted():
        for i, found in enumerate(play_matches(args, seeds, args.jobs, game)):
            if found.failed is None:
                tally.add_of_bots(found)
            else:
                failed.append(FailedPlayout(i + 1, seeds[i], Fault(found.failed), found.decisions))
            if len(failed) == MOST_FAILED:
                break
            done()
    tally.seconds = perf_counter() - began
    return tally, failed


def _explained(
    player: StandalonePlayer, records: list[tuple[int, tuple[int, ...]]], seed: int, checked: bool
) -> Iterator[FailedPlayout]:
    """The faults of playouts of a module. The first of each kind at each place is replayed, to explain it."""
    known: dict[tuple[int, ...], FailedPlayout] = {}
    for i, record in records:
        first = known.get(record[:2])
        if first is None:
            first = known[record[:2]] = _replay_fault(player.reference_game(), i, seed, record, checked)
            yield first
        else:
            yield FailedPlayout(i + 1, seed + i, first.fault)


def _progress_in_parts(number: int, done: Callable[[], None]) -> Callable[[int], None]:
    """A function that counts playouts and calls `done` after each hundredth of them."""
    played = reported = 0

    def count(more: int) -> None:
        nonlocal played, reported
        played += more
        while reported < played * min(number, PARTS) // number:
            reported += 1
            done()

    return count


def _replay_fault(
    game: Game, played: int, seed: int, record: tuple[int, ...], checked: bool
) -> FailedPlayout:
    """Replays the playout of a module with a fault step by step, to explain it in full."""
    from interpreter.wasm.faults import fault

    game = game.in_parts
    match = Bounded(game, seed + played, keep_history=False, checked=checked)
    try:
        play_out(match)
        match.winners()
        match.accounts()
    except Fault as found:
        return FailedPlayout(played + 1, seed + played, found, _decisions(match))
    return FailedPlayout(played + 1, seed + played, fault(game.machine, *record), _decisions(match))


def _decisions(match: Match) -> int:
    return sum(step.seat is not None for step in match.steps)


def _played(game: Game, seed: int, checked: bool, bots: tuple[str, ...]) -> Match:
    """Replays a playout with the history that a log needs, up to its fault if it has one."""
    match = Bounded(game, seed, checked=checked)
    with suppress(Fault):
        if bots:
            bot_match(match, bots, lambda _: None)
        elif game.in_parts is game:
            play_out(match)
        else:
            play_out_in_numbers(match, Bounded(game.in_parts, seed, checked=checked, keep_history=False))
    return match


def _repro_command(args: SimulateArgs, heading: Heading, failed: FailedPlayout) -> str:
    """The command that reproduces a fault."""
    seats = ",".join(args.bots) or str(heading.seats)
    words = ["rulewright", "simulate", args.game, "-n", "1", "--seats", seats]
    words += ["--seed", str(failed.seed)]
    words += [word for pair in args.options for word in ("--option", pair)]
    words += ["--position", args.position] if args.position is not None else []
    words += ["--executor", args.executor] if args.executor != "wasm" else []
    return shlex.join([*words, *(["--checked"] if args.checked else [])])
