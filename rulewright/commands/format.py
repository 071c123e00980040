"""`rulewright format`: rules files in their one form."""

from __future__ import annotations

from pathlib import Path

import click

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.folder import LARGEST_FILE
from dsl.source import NOWHERE, Source, Span
from dsl.workspace.formatting import formatted
from rulewright import durable
from rulewright.library import find
from rulewright.messages import CannotWrite, NotFormatted
from rulewright.reading import read_source, why_not
from rulewright.terminal import complain


@click.command(name="format", short_help="Write rules files in their one form.")
@click.argument("places", nargs=-1, required=True, metavar="PLACE...")
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit with 1 if something would.")
@click.pass_context
def format_rules(ctx: click.Context, places: tuple[str, ...], only_check: bool) -> None:
    """Write rules files in their one form: blanks, indentation, the column of clause marks.

    PLACE is a `.rules` file, a folder with some, or a bundled game. No word is changed, no line is broken
    or joined, and comments stay where they are. A definition with a syntax error is left alone.

    \b
    Examples:
      rulewright format my_game
      rulewright format my_game/my_game.rules --check
    """
    wrong: list[Diagnostic] = []
    for path in dict.fromkeys(path for place in places for path in _files(place)):
        source = read_source(str(path), LARGEST_FILE)
        text = formatted(source)
        if text == source.text:
            continue
        if only_check:
            wrong.append(NotFormatted(_first_change(source, text), str(path)))
            continue
        _write(path, text)
        click.echo(f"formatted: {path}")
    if wrong:
        complain(wrong)
    ctx.exit(1 if wrong else 0)


def _first_change(source: Source, text: str) -> Span:
    """The first line of a file that would change."""
    new = text.split("\n")
    number = next((n for n, line in enumerate(source.text.split("\n")) if n >= len(new) or line != new[n]), 0)
    return source.span_of_line(number + 1)


def _files(place: str) -> list[Path]:
    """The rules files of a place. Raises `DiagnosticError` if there is no such place."""
    path = Path(place)
    if path.suffix == ".rules" and path.is_file():
        return [path]
    return sorted(find(place).rglob("*.rules"))


def _write(path: Path, text: str) -> None:
    try:
        durable.write(path, text.encode())
    except OSError as error:
        raise DiagnosticError(CannotWrite(NOWHERE, str(path), why_not(error))) from None
