"""`rulewright export`: a game as one HTML file to play from, or for other tables."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click
from click.core import ParameterSource

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from dsl.wording import counted
from rulewright.learn.messages import LibraryNotInstalled
from rulewright.tabletops import Table
from rulewright.tabletops.messages import PicturesNotInstalled
from rulewright.terminal.output import activity
from rulewright.terminal.parameters import (
    SEED,
    Whole,
    check_folder,
    check_new,
    language_option,
    set_up_options,
    settings,
    write_folder,
    write_new,
)

if TYPE_CHECKING:
    from interpreter.game import Game
    from rulewright.tabletops.exports import Exported


Target = Literal["html"] | Table
TARGETS = ("html", *get_args(Table))
FOR_TABLES = ("seed", "dpi", "fonts")
"""Options that a game as one HTML file does not have."""


@click.command(short_help="Write a game as one HTML file to play from, or for other tables.")
@click.argument("game")
@click.option(
    "--to", "table", type=click.Choice(TARGETS), default="html", show_default=True, help="For what."
)
@click.option("--into", required=True, metavar="PATH", help="The file to write, or `-`; else the folder.")
@click.option("--address", metavar="PREFIX", help="Where the pictures will lie on the web (with --to tts).")
@click.option("--seed", type=SEED, default=0, show_default=True, help="How it is dealt (with --to).")
@click.option(
    "--dpi", type=Whole(72, 600), default=300, show_default=True, help="Pixels of an inch (with --to)."
)
@click.option("--font", "fonts", multiple=True, metavar="FILE", help="Another TrueType font (with --to).")
@click.option("--overwrite", is_flag=True, help="Replace the file if there is one.")
@language_option("The language of labels, clauses and messages (default: the game's first).")
@click.option(
    "--companion", is_flag=True, help="Put in the referee of a physical table, too: about 5 kB more."
)
@click.option("--policy", metavar="FILE", help="Put in a trained policy, an ONNX file, as an opponent.")
@click.option(
    "--greedy", is_flag=True, help="The policy takes what it thinks best, and draws nothing (with --policy)."
)
@set_up_options
@click.pass_context
def export(
    ctx: click.Context,
    game: str,
    table: Target,
    into: str,
    address: str | None,
    seed: int,
    dpi: int,
    fonts: tuple[str, ...],
    overwrite: bool,
    language: str | None,
    companion: bool,
    policy: str | None,
    greedy: bool,
    seats: int | None,
    options: tuple[str, ...],
) -> None:
    """Write a game as one HTML file that needs nothing else, or as pictures and set-ups for other tables.

    The file opens in any current browser, from a disk or from anywhere on the web. In it are the table, the
    rulebook and a referee, for people at one screen and bots that try out their choices. It fetches nothing
    and sends nothing. A match is kept in the browser, and its log, saved, is one that `rulewright replay`
    reads. The file is for one number of seats and one setting of the options. With --companion it also
    follows a match with real dice and cards, entered by its players. With --policy a trained policy plays,
    computed in the page: it draws by its chances or, with --greedy, takes the likeliest.

    With --to images all cards, tokens and boards are written as PNG files into a folder; with --to tts
    there is also a save of Tabletop Simulator, with --to playground a package of Tabletop Playground, with
    --to screentop the lists of its editor, in which everything lies as the rules set it up. Needs the extra
    `images`.

    \b
    Examples:
      rulewright export GAME --into game.html
      rulewright export GAME --seats 4 --option NAME=VALUE --into game.html
      rulewright export GAME --language hu --into game.html
      rulewright export GAME --companion --into game.html
      rulewright export GAME --policy policy.onnx --into game.html
      rulewright export GAME --to images --into pictures
      rulewright export GAME --to tts --address https://example.org/game/ --seats 4 --into table
    """
    _check_usage(ctx, table, into, address, trained=policy is not None)
    if table != "html":
        made = _exported(
            game, table, into, address, seed, dpi, fonts, language, seats, settings(options), overwrite
        )
        click.echo(f"{into} holds {counted(len(made.files), 'file')}: {counted(made.pictures, 'picture')}")
        for remark in made.remarks:
            click.echo(f"  {remark}")
        return
    check_new(into, overwrite)
    with activity(f"making one file of {game}"):
        data = _made(game, seats, settings(options), language, companion, policy, greedy)
    write_new(into, data, overwrite)
    shown, apart = ("standard output", True) if into == "-" else (into, False)
    click.echo(f"{shown} holds the game: {(len(data) + 999) // 1000} kB", err=apart)


def _check_usage(ctx: click.Context, table: Target, into: str, address: str | None, *, trained: bool) -> None:
    """Raises `click.UsageError` for options that do not go together."""
    if ctx.params["greedy"] and not trained:
        raise click.UsageError("--greedy: only a policy is greedy; add --policy FILE")
    if address is not None and table != "tts":
        raise click.UsageError("--address: only a save of Tabletop Simulator has one; add --to tts")
    if address is not None and not address.startswith(("http://", "https://", "file://")):
        raise click.UsageError("--address: it begins with `https://`, as in `https://example.org/my_game/`")
    if table == "html":
        given = [x for x in FOR_TABLES if ctx.get_parameter_source(x) is not ParameterSource.DEFAULT]
        if given:
            raise click.UsageError(f"--{given[0].rstrip('s')}: only other tables have it; add --to images")
        return
    if ctx.params["companion"] or trained:
        raise click.UsageError("--companion and --policy: only a game as one HTML file has them")
    if into == "-":
        raise click.UsageError("--into: `-` is standard output, and a folder cannot go there: name one")


def _exported(
    name: str, table: Table, into: str, address: str | None,
    seed: int, dpi: int, fonts: tuple[str, ...], language: str | None, seats: int | None,
    options: dict[str, str], overwrite: bool,
) -> Exported:  # fmt: skip
    """Writes a game for another table into a folder. Raises `DiagnosticError` or `ErrorsReported`."""
    for library in ("fpdf", "pypdfium2"):
        if find_spec(library) is None:
            raise DiagnosticError(PicturesNotInstalled(NOWHERE, library.replace("fpdf", "fpdf2")))
    from interpreter.compile.program import compile_rules
    from rulewright.library import in_language, read_rules
    from rulewright.rulebook.configured import configured_book
    from rulewright.sentences.worded_game import worded_game
    from rulewright.tabletops.exports import export_to

    check_folder(into, overwrite)
    with activity(f"drawing {name}"):
        rules = in_language(read_rules(name)[0], language)
        machine = compile_rules(rules, seats, options)
        book = configured_book(name, rules, machine.seats, options)
        made = export_to(
            table, rules.name, worded_game(rules, machine), book, Path(into), address,
            seed=seed, dpi=dpi, fonts=tuple(map(Path, fonts)),
        )  # fmt: skip
    write_folder(into, made.files, overwrite)
    return made


def _made(
    name: str,
    seats: int | None,
    options: dict[str, str],
    language: str | None,
    companion: bool,
    policy: str | None,
    greedy: bool,
) -> bytes:
    """The file. Raises `DiagnosticError` or `ErrorsReported`."""
    from interpreter.compile.program import compile_rules
    from rulewright.bundling.game_file import one_file
    from rulewright.library import in_language, read_rules
    from rulewright.rulebook.configured import configured_book
    from rulewright.rulebook.html import html
    from rulewright.sentences.worded_game import worded_game

    rules = in_language(read_rules(name)[0], language)
    machine = compile_rules(rules, seats, options)
    rulebook = html(configured_book(name, rules, machine.seats, options))
    made = worded_game(rules, machine)
    trained = _policy(made, policy, greedy) if policy is not None else None
    return one_file(made, rulebook, rules.language, companion=companion, policy=trained)


def _policy(game: Game, path: str, greedy: bool) -> dict[str, Any]:
    """A trained policy for the page. Raises `DiagnosticError`."""
    try:
        from rulewright.learn.page_policy import page_policy
    except ImportError as error:
        raise DiagnosticError(LibraryNotInstalled(NOWHERE, str(error.name), "policy")) from error
    return page_policy(game, path, greedy)
