"""`rulewright dataset`: matches as a Parquet file, with a datasheet beside it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from dsl.wording import counted
from interpreter.game import Game
from interpreter.messages import Fault
from rulewright.commands.experiment_arguments import check_installed, command_line, complain_of_faults
from rulewright.experiments.bots import check_bot, named_bots
from rulewright.library import open_game, read_rules
from rulewright.messages import NotAsManyBots, NothingForDataset
from rulewright.processes.early_end import EarlyEnd
from rulewright.terminal.exit_codes import exit_code
from rulewright.terminal.output import complain, progress
from rulewright.terminal.parameters import SEED, Whole, check_writable, named_path, set_up_options, settings

if TYPE_CHECKING:
    from rulewright.learn.dataset import MatchRows
    from rulewright.learn.space import Space

FINDINGS = 1
SHEET = """# {file}

{matches} and {rows} of {title} (`{game}`, {seats}), written by Rulewright.

* **rules**: digest `{rules}`; options: {options}
* **catalogue**: digest `{digest}`; it is in the metadata of the file, under `catalogue`
* **layout for networks**: digest `{layout}`; it is there under `layout`
* **players**: {players}
* **seeds**: {seeds}
{notes}* **command**: `{command}`

A row is a decision. `observation` is what its seat might see, the columns of the catalogue; `offered` are
the actions that it might choose, `action` the one that it chose, in `words`. `won`, `total` and `reward`
(1 to -1) are what the end of the match was to the seat. But for `seed`, from which all chance follows,
nothing that the seat did not know is in its rows. The same command writes the same rows.
"""


@dataclass(frozen=True)
class DatasetArgs:
    """The arguments of the command."""

    game: str
    seats: int | None
    options: tuple[str, ...]
    number: int
    bots: str
    logs: Path | None
    into: Path
    seed: int

    def command(self, number: int | None = None) -> str:
        """The command that writes the same file, or the first so many of its matches."""
        words = ["rulewright", "dataset", self.game]
        words += ["--seats", str(self.seats)] if self.seats is not None else []
        words += [word for pair in self.options for word in ("--option", pair)]
        if self.logs is not None:
            return command_line([*words, "--logs", str(self.logs), "--into", str(self.into)])
        words += [
            "-n",
            str(self.number if number is None else number),
            "--bots",
            self.bots,
            "--seed",
            str(self.seed),
        ]
        return command_line([*words, "--into", str(self.into)])


@click.command(short_help="Write matches as a table for learning.")
@click.argument("game")
@set_up_options
@click.option("-n", "number", type=Whole(1), default=1_000, show_default=True, help="How many matches.")
@click.option(
    "--bots",
    default="random",
    show_default=True,
    metavar="NAME[,NAME]",
    help="Who plays: one for all seats, or one for each; `policy:FILE` is a trained one.",
)
@click.option(
    "--logs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Take saved matches from a folder instead.",
)
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    callback=named_path,
    required=True,
    metavar="FILE",
    help="The Parquet file.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="The seed of the first match.")
@click.pass_context
def dataset(
    ctx: click.Context,
    game: str,
    seats: int | None,
    options: tuple[str, ...],
    number: int,
    bots: str,
    logs: Path | None,
    into: Path,
    seed: int,
) -> None:
    """Write matches as a Parquet file: a row for each decision, what its seat saw, was offered and chose.

    The matches are played by bots, or read from a folder of logs. What actions and columns mean is in the
    metadata of the file. A datasheet is written beside it, FILE.md: rules, players, seeds, the command.

    Ctrl-C stops it, and keeps the matches that have ended; the datasheet says so.

    \b
    Examples:
      rulewright dataset my_game -n 1000 --into random.parquet
      rulewright dataset my_game -n 200 --bots search:500,random --into search.parquet
      rulewright dataset my_game --logs saved --into people.parquet
    """
    check_installed()
    ctx.exit(_dataset(DatasetArgs(game, seats, options, number, bots, logs, into, seed)))


Faults = dict[str, list[int]]
"""The seeds of the matches that came to each fault, by its text."""


def _dataset(args: DatasetArgs) -> int:
    from rulewright.files.rescue import write_or_rescue
    from rulewright.learn.dataset import check_library, parquet
    from rulewright.learn.planes import NetworkLayout
    from rulewright.learn.space import Space

    check_library()
    game = open_game(args.game, args.seats, settings(args.options), executor="wasm")
    space, faults, end = Space.of(game), Faults(), EarlyEnd()
    layout = NetworkLayout.of(game)
    check_writable(args.into)
    if args.logs is not None:
        matches, players = _saved(args, game, space), "those of the logs"
    else:
        names = _names(args.bots, game)
        matches, players = _played(args, space, names, faults), ", ".join(names)
    about = {
        "game": args.game,
        "rules": game.machine.digest,
        "command": args.command(),
        "layout": layout.text(),
        "layout_digest": layout.digest,
    }
    with closing(matches):
        data, number, rows = parquet(matches, space.catalogue, about, end)
    if end.early and not number:
        click.echo(f"{end.why} before a match had ended: `{args.into}` is not written")
        return exit_code(end, FINDINGS, FINDINGS)
    sheet = _sheet(args, space, layout.digest, players, (number, rows), faults, end)
    problem = write_or_rescue({args.into: data, args.into.with_name(args.into.name + ".md"): sheet.encode()})
    click.echo(f"{counted(rows, 'decision')} of {counted(number, 'match')} in {args.into}")
    if end.early:
        click.echo(f"{end.why}: {_stopped(args, number, faults)}")
    complain_of_faults(faults, _beside(args))
    if problem is not None:
        complain([problem])
    return exit_code(end, FINDINGS, FINDINGS if faults or problem is not None else 0)


def _beside(args: DatasetArgs) -> Callable[[int], str]:
    """The command that plays the match of a seed alone, and leaves the file of all as it is."""
    into = args.into.with_name(f"{args.into.stem}-fault{args.into.suffix}")
    return lambda seed: replace(args, number=1, seed=seed, into=into).command()


def _stopped(args: DatasetArgs, number: int, faults: Faults) -> str:
    """How far it has come."""
    if args.logs is not None:
        return f"{counted(number, 'log')} of the folder"
    return f"these are the first {number + _failed(faults):,} of {counted(args.number, 'match')}"


def _failed(faults: Faults) -> int:
    """How many matches ended in a fault."""
    return sum(map(len, faults.values()))


def _names(written: str, game: Game) -> Sequence[str]:
    names, seats = named_bots(written), game.machine.seats
    for name in dict.fromkeys(names):
        check_bot(name)
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        hint = f"name one for all seats, or {seats}"
        raise DiagnosticError(NotAsManyBots(NOWHERE, written, f"are {len(names)}, for {seats} seats", hint))
    return names


def _played(
    args: DatasetArgs, space: Space, names: Sequence[str], faults: Faults
) -> Generator[MatchRows, None, None]:
    """The matches of bots, one for each seed; those that fault are left out, and noted."""
    from rulewright.learn.dataset import played
    from rulewright.learn.opponents import player_of
    from rulewright.learn.policy_names import player_named
    from validators.experiments.playing import described

    players = [player_of(name if name == "random" else player_named(name)) for name in names]
    with progress(f"playing {counted(args.number, 'match')}", args.number) as count:
        for seed in range(args.seed, args.seed + args.number):
            try:
                found = played(space, players, names, seed)
            except Fault as fault:
                faults.setdefault(described(fault), []).append(seed)
            else:
                yield found
            count()


def _saved(args: DatasetArgs, game: Game, space: Space) -> Generator[MatchRows, None, None]:
    """The matches in a folder of logs, by name. Raises what reading and replaying them raises."""
    from interpreter.replay import replay
    from rulewright.learn.dataset import from_match
    from rulewright.matches import saves

    assert args.logs is not None
    paths = sorted(args.logs.glob("*.log"))
    if not paths:
        raise DiagnosticError(NothingForDataset(NOWHERE, str(args.logs), "it has no file `*.log`"))
    rules = read_rules(args.game)[0]
    with progress(f"reading {counted(len(paths), 'log')}", len(paths)) as count:
        for path in paths:
            saved = saves.read_log(path)
            saves.check_game(saved, rules)
            if saved.seats != game.machine.seats:
                why = f"`{path.name}` has {saved.seats} seats, not {game.machine.seats}"
                raise DiagnosticError(NothingForDataset(NOWHERE, str(args.logs), why))
            yield from_match(space, replay(game, saved).match, path.name, saved.players)
            count()


def _sheet(
    args: DatasetArgs,
    space: Space,
    layout: str,
    players: str,
    size: tuple[int, int],
    faults: Faults,
    end: EarlyEnd,
) -> str:
    """The datasheet; `layout` is a digest, `size` is how many matches and rows are in the file."""
    (number, rows), game = size, space.game
    taken = number + _failed(faults)
    notes = ""
    if faults:
        seeds = ", ".join(map(str, sorted(seed for some in faults.values() for seed in some)))
        notes += f"* **left out**: the matches of seeds {seeds}, which ended in a fault\n"
    if end.early:
        notes += f"* **stopped**: {end.why}; {_stopped(args, number, faults)}\n"
    return SHEET.format(
        file=args.into.name,
        matches=counted(number, "match"),
        rows=counted(rows, "decision"),
        title=game.rules.title,
        game=args.game,
        seats=counted(game.machine.seats, "seat"),
        rules=game.machine.digest,
        options=", ".join(f"{k}={v}" for k, v in sorted(settings(args.options).items())) or "as by default",
        digest=space.catalogue.digest,
        layout=layout,
        players=players,
        seeds="those of the logs" if args.logs is not None else f"{args.seed} to {args.seed + taken - 1}",
        notes=notes,
        command=args.command(taken),
    )
