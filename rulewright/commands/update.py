"""`rulewright update`: a ruleset of an older version of the language, rewritten."""

from __future__ import annotations

import difflib
from pathlib import Path

import click

from dsl.diagnostics import DiagnosticError
from dsl.folder import LARGEST_FILE
from dsl.source import NOWHERE
from rulewright import durable
from rulewright.library import find
from rulewright.messages import CannotWrite, NotARuleset, NothingToUpdate
from rulewright.reading import read_source, why_not
from rulewright.updating import updated


@click.command(short_help="Rewrite a ruleset of an older version of the language.")
@click.argument("folder")
@click.option("--write", "writes", is_flag=True, help="Change the files; without it, changes are shown.")
def update(folder: str, writes: bool) -> None:
    """Rewrite a ruleset of an older version of the language, so that it means the same now.

    A number of pieces, `move 3 from deck to hand of me`, meant as many as there are, at most three. Now it
    means exactly three, and `move up to 3 from deck` is what it meant. Every such line gets `up to`; where
    exactly that many are meant, take it away again.

    \b
    Examples:
      rulewright update my_game
      rulewright update my_game --write
    """
    found = find(folder)
    if not (found / "game.yaml").is_file():
        raise DiagnosticError(NotARuleset(NOWHERE, folder))
    changed = {path: text for path in sorted(found.rglob("*.rules")) if (text := _changed(path))}
    if not changed:
        raise DiagnosticError(NothingToUpdate(NOWHERE, folder))
    for path, text in changed.items():
        if writes:
            _write(path, text)
            click.echo(f"rewritten: {path}")
        else:
            old = read_source(str(path), LARGEST_FILE).text.splitlines()
            for line in difflib.unified_diff(old, text.splitlines(), str(path), str(path), "", "", 0, ""):
                click.echo(line)
    if not writes:
        click.echo("\nnothing is changed yet: `--write` changes the files")


def _changed(path: Path) -> str:
    """The new text of a file; empty if it stays as it is."""
    source = read_source(str(path), LARGEST_FILE)
    text = updated(source)
    return text if text != source.text else ""


def _write(path: Path, text: str) -> None:
    try:
        durable.write(path, text.encode())
    except OSError as error:
        raise DiagnosticError(CannotWrite(NOWHERE, str(path), why_not(error))) from None
