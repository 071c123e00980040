"""`rulewright export`: a game as one HTML file to play it from, without a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.learn.messages import LibraryNotInstalled
from rulewright.terminal.output import activity
from rulewright.terminal.parameters import check_new, language_option, set_up_options, settings, write_new

if TYPE_CHECKING:
    from interpreter.game import Game


@click.command(short_help="Write a game as one HTML file to play from.")
@click.argument("game")
@click.option("--into", required=True, metavar="FILE", help="The file to write, or `-`.")
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
def export(
    game: str,
    into: str,
    overwrite: bool,
    language: str | None,
    companion: bool,
    policy: str | None,
    greedy: bool,
    seats: int | None,
    options: tuple[str, ...],
) -> None:
    """Write a game as one HTML file that needs nothing else.

    The file opens in any current browser, from a disk or from anywhere on the web. In it are the table, the
    rulebook and a referee, for people at one screen and bots that try out their choices. It fetches nothing
    and sends nothing. A match is kept in the browser, and its log, saved, is one that `rulewright replay`
    reads. The file is for one number of seats and one setting of the options. With --companion it also
    follows a match with real dice and cards, entered by its players. With --policy a trained policy plays,
    computed in the page: it draws by its chances or, with --greedy, takes the likeliest.

    \b
    Examples:
      rulewright export GAME --into game.html
      rulewright export GAME --seats 4 --option NAME=VALUE --into game.html
      rulewright export GAME --language hu --into game.html
      rulewright export GAME --companion --into game.html
      rulewright export GAME --policy policy.onnx --into game.html
    """
    if greedy and policy is None:
        raise click.UsageError("--greedy: only a policy is greedy; add --policy FILE")
    check_new(into, overwrite)
    with activity(f"making one file of {game}"):
        data = _made(game, seats, settings(options), language, companion, policy, greedy)
    write_new(into, data, overwrite)
    shown, apart = ("standard output", True) if into == "-" else (into, False)
    click.echo(f"{shown} holds the game: {(len(data) + 999) // 1000} kB", err=apart)


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
