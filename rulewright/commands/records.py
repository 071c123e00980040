"""`rulewright records`: records of real play, followed under the rules of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click

from dsl.diagnostics import Diagnostic
from dsl.wording import counted
from interpreter import log
from interpreter.game import ExecutorKind
from interpreter.replay import replay
from rulewright.matches.log_file import save_log
from rulewright.matches.saves import check_game, options_of, read_log_or_notation
from rulewright.records import NO_NOTATION, RecordGame
from rulewright.terminal.output import activity, complain, diagnostic_objects, echo_json
from rulewright.terminal.parameters import Whole, executor_option, json_option, make_folder
from validators.records.notation import Notation
from validators.records.replaying import Followed

SHOWN = 20


@click.command(short_help="Follow records of real play under the rules.")
@click.argument("game")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--notation", metavar="NAME", help="In which notation they are, if the file's name does not say."
)
@click.option("--into", metavar="FOLDER", help="Write the log of each record that agrees to a folder.")
@click.option("--write", metavar="NAME", help="Write FILE, the log of a match, as a record in a notation.")
@click.option(
    "--most", type=Whole(), default=SHOWN, show_default=True, help="So many disagreements are shown."
)
@executor_option("wasm", "What plays them.")
@json_option
@click.pass_context
def records(
    ctx: click.Context,
    game: str,
    files: tuple[str, ...],
    notation: str | None,
    into: str | None,
    write: str | None,
    most: int,
    executor: ExecutorKind,
    as_json: bool,
) -> None:
    """Follow records of real play under the rules: does the referee offer what was played?

    The folder `records` of a game says how its notations are read. FILE is a file of records or a folder of
    them; without one, the notations of the game are listed. Of each record that does not agree, the first
    play that the rules do not offer is shown, with the reason and its place. Exits with 1 if there is one.

    With --into, the records that agree become logs, for `replay`, `dataset --logs` and a server.

    \b
    Examples:
      rulewright records my_game games.txt
      rulewright records my_game games/ --into logs/
      rulewright records my_game --write short match.log
    """
    opened = RecordGame(game, executor)
    wanted = opened.notation(notation) if notation is not None else None
    if write is not None:
        if into is not None or as_json:
            raise click.UsageError("--write prints a record: leave out --into and --json")
        _write(opened, opened.notation(write), files)
        return
    if not files:
        _list(opened, as_json)
        return
    tally = _Tally()
    for file in files:
        for kind, source in opened.sources(file, wanted):
            shown = list[Followed]()
            with activity(f"following {source.name}") as told:
                for found in opened.follow(kind, source):
                    tally.add(found)
                    told(f"{tally.records} records")
                    if not found.agreed and tally.refused <= most:
                        shown.append(found)
                    if found.agreed and into is not None:
                        _save(found, Path(into), f"{Path(source.name).stem}-{tally.records}.log")
            for found in shown if not as_json else ():
                complain([*_shown(found)], err=False)
                click.echo()
    if as_json:
        echo_json(tally.object())
    else:
        click.echo(tally.summary(most))
    ctx.exit(1 if tally.refused else 0)


def _shown(found: Followed) -> Iterator[Diagnostic]:
    if found.diagnostic is not None:
        yield found.diagnostic


@dataclass
class _Tally:
    """How many records agree, and what the others disagree about."""

    records: int = 0
    plays: int = 0
    wrong: list[Followed] = field(default_factory=list)

    @property
    def refused(self) -> int:
        return len(self.wrong)

    def add(self, found: Followed) -> None:
        self.records += 1
        self.plays += found.plays
        if not found.agreed:
            self.wrong.append(Followed(found.span, found.plays, found.diagnostic))

    def summary(self, most: int) -> str:
        agreed = self.records - self.refused
        text = f"{counted(self.records, 'record')}, {counted(self.plays, 'play')}: {agreed:,} agreed"
        if self.refused:
            text += f", {self.refused:,} did not"
        return text + (f", of which {most:,} are shown" if self.refused > most else "")

    def object(self) -> dict[str, object]:
        wrong = [{"plays": one.plays, **diagnostic_objects([*_shown(one)])[0]} for one in self.wrong]
        agreed = self.records - self.refused
        return {"records": self.records, "plays": self.plays, "agreed": agreed, "disagreements": wrong}


def _list(opened: RecordGame, as_json: bool) -> None:
    if as_json:
        echo_json(
            [{"name": one.name, "title": one.title, "files": list(one.files)} for one in opened.notations]
        )
        return
    for one in opened.notations:
        endings = ", ".join(f"*.{ending}" for ending in one.files)
        click.echo(f"{one.name}: {one.title}{f' ({endings})' if endings else ''}")
    if not opened.notations:
        click.echo(f"{opened.rules.name} has no notation of records: {NO_NOTATION}")


def _save(found: Followed, folder: Path, name: str) -> None:
    """Write the log of a record."""
    assert found.setting is not None
    match = found.match()
    make_folder(folder)
    players = ["human"] * match.game.machine.seats
    save_log(folder / name, log.write(match, found.setting.options, players), match)


def _write(opened: RecordGame, notation: Notation, files: tuple[str, ...]) -> None:
    from validators.records.writing import written

    if len(files) != 1:
        raise click.UsageError("--write wants one log: rulewright records GAME --write NAME LOG")
    saved, _ = read_log_or_notation(files[0])
    check_game(saved, opened.rules)
    replayer = opened.replayer(notation)
    with options_of(saved):
        game = replayer.compiled(saved.seats, saved.options)
    click.echo(written(replayer, replay(game, saved).match, saved.options), nl=False)
