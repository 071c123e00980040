"""`rulewright format`: the files of a ruleset in their one form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.folder import LARGEST_FILE
from rulewright.editors.form import files_with_form, first_change, in_form, unparsed
from rulewright.files import durable
from rulewright.files.reading import read_source
from rulewright.files.rescue import writing
from rulewright.messages import NotFormatted
from rulewright.terminal.output import activity, complain


@click.command(name="format", short_help="Write the files of a ruleset in their one form.")
@click.argument("places", nargs=-1, required=True, metavar="PLACE...")
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit with 1 if something would.")
@click.pass_context
def format_rules(ctx: click.Context, places: tuple[str, ...], only_check: bool) -> None:
    """Write rules and YAML in their one form: blanks, indentation, the column of clause marks.

    PLACE is a `.rules` or `.yaml` file, a folder of a ruleset, or a bundled game. No word is changed, no
    line is broken or joined, and comments stay where they are. A definition with a syntax error is left
    alone and reported, and so is a file that is not YAML; with --check both are mistakes.

    \b
    Examples:
      rulewright format my_game
      rulewright format my_game/my_game.rules --check
    """
    wrong: list[Diagnostic] = []
    formatted: list[Path] = []
    left_alone: list[str] = []
    try:
        with activity("formatting") as told:
            for path in dict.fromkeys(path for place in places for path in files_with_form(place)):
                told(str(path))
                try:
                    source = read_source(str(path), LARGEST_FILE)
                except DiagnosticError as error:  # the others are still written, or shown
                    wrong.append(error.diagnostic)
                    continue
                text = in_form(source)
                if only_check:
                    wrong += unparsed(source)
                else:
                    left_alone += _left_alone(path, unparsed(source))
                if text == source.text:
                    continue
                if only_check:
                    wrong.append(NotFormatted(first_change(source, text), str(path)))
                    continue
                with writing(path):
                    durable.write(path, text.encode())
                formatted.append(path)
    finally:
        for line in left_alone:
            click.echo(line, err=True)
        for path in formatted:
            click.echo(f"formatted: {path}")
    if wrong:
        complain(wrong)
    ctx.exit(1 if wrong else 0)


def _left_alone(path: Path, found: Iterable[Diagnostic]) -> Iterator[str]:
    for mistake in found:
        yield f"left alone: {path}:{mistake.span.line}: {mistake.message} [{mistake.code}]"
