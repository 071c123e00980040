"""`rulewright rules`: the rules of a game as a rulebook that people can play from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from rulewright.library import read_rules
from rulewright.rulebook.configured import configured_book
from rulewright.rulebook.document import Book
from rulewright.rulebook.html import html
from rulewright.rulebook.markdown import markdown
from rulewright.terminal.output import activity
from rulewright.terminal.parameters import language_option, print_or_write, reading_options, settings

WRITERS: dict[str, Callable[[Book], str]] = {"md": markdown, "html": html}
SUFFIXES = {".html": "html", ".htm": "html"}


@click.command(short_help="Write the rules as a rulebook.")
@click.argument("game")
@language_option("The language of labels and clauses (default: the game's first).")
@click.option(
    "--format", "form", type=click.Choice(list(WRITERS)),
    help="How it is written (default: as the name of the file says, else md).",
)  # fmt: skip
@reading_options
@click.option("--into", metavar="FILE", help="The file to write (default: standard output).")
def rules(
    game: str,
    language: str | None,
    form: str | None,
    seats: int | None,
    options: tuple[str, ...],
    into: str | None,
) -> None:
    """Write the rules of a game as a rulebook.

    Everything is generated from the rules that the referee plays by: the game in short, set-up, phases and
    actions with their conditions and an example, the end; then for reference what each card does, rulings,
    and an index of the rulebook's clauses. With `--seats` it is written for that number of players, else for
    all.

    \b
    Examples:
      rulewright rules GAME
      rulewright rules GAME --seats 2 --into rules.html
      rulewright rules GAME --language hu --option NAME=VALUE
    """
    with activity(f"reading {game}") as told:
        found, _ = read_rules(game)
        told("writing its rulebook")
        book = configured_book(game, found, seats, settings(options), language)
        text = WRITERS[form or SUFFIXES.get(Path(into or "").suffix.lower(), "md")](book)
    print_or_write(into, text)
