"""`rulewright sheets`: tables of a ruleset that are published at an address."""

from __future__ import annotations

from pathlib import Path

import click

from dsl.diagnostics import DiagnosticError
from dsl.folder import LARGEST_FILE, Folder
from dsl.source import NOWHERE, Source
from rulewright.files import durable
from rulewright.files.reading import inner_file, plain_file, why_not
from rulewright.files.rescue import writing
from rulewright.library import find
from rulewright.messages import SheetNotRefreshed
from rulewright.terminal.output import activity
from rulewright.updates.published_tables import (
    FILE,
    PublishedSheet,
    digest_of,
    fetched,
    published_sheets,
    with_digests,
)


@click.command(short_help="List tables that are published at an address, and fetch them anew.")
@click.argument("game")
@click.option("--refresh", is_flag=True, help="Fetch each table, and keep it in the folder.")
@click.option("--overwrite", is_flag=True, help="Fetch also what was edited here since; that is lost then.")
@click.option("--http", is_flag=True, help="Allow addresses that are not encrypted.")
def sheets(game: str, refresh: bool, overwrite: bool, http: bool) -> None:
    """List the tables of a ruleset that are published at an address, and fetch them anew with --refresh.

    The file `sheets.yaml` of the ruleset says which: `cards.csv: https://...`, such as the address at which
    Google Sheets publishes a sheet as CSV. What was fetched is an ordinary file of the ruleset; nothing is
    fetched while a game is checked or played.

    \b
    Examples:
      rulewright sheets my_game
      rulewright sheets my_game --refresh
    """
    root = find(game)
    source = _listed(root)
    for sheet in published_sheets(source):
        kept = _kept(root, sheet.path)
        edited = kept is not None and digest_of(kept) != sheet.digest
        if not refresh:
            state = "edited here" if edited else "as it was fetched"
            state = state if kept is not None and sheet.digest else "not fetched yet"
            click.echo(f"{sheet.path}  {state}  {sheet.address}")
            continue
        with activity(f"fetching {sheet.path}"):
            data = fetched(sheet, ("https", "http") if http else ("https",))
        if edited and data != kept and not overwrite:
            why = "it was edited here since" if sheet.digest else "there is such a file already"
            hint = "move it away, or give `--overwrite`: it is overwritten then"
            raise DiagnosticError(SheetNotRefreshed(NOWHERE, sheet.path, why, hint))
        source = _keep(root, source, sheet, data)
        click.echo(f"{sheet.path}: {'as it was' if data == kept else f'fetched, {len(data):,} bytes'}")


def _listed(root: Path) -> Source:
    """`sheets.yaml` of a ruleset. Raises `DiagnosticError`."""
    folder = Folder(root.name, lambda path: inner_file(root, path, LARGEST_FILE + 1))
    if not folder.holds(FILE):
        hint = f"list them in `{root / FILE}`: `cards.csv: https://...`"
        raise DiagnosticError(SheetNotRefreshed(NOWHERE, FILE, "the ruleset has no list of addresses", hint))
    return folder.source(FILE)


def _kept(root: Path, path: str) -> bytes | None:
    """The file of a table; none if there is none. Raises `DiagnosticError` if it is a link, or no file."""
    try:
        return plain_file(root / path, LARGEST_FILE)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        hint = "put a regular file in its place"
        raise DiagnosticError(SheetNotRefreshed(NOWHERE, path, why_not(error), hint)) from None


def _keep(root: Path, source: Source, sheet: PublishedSheet, data: bytes) -> Source:
    """Writes a table, then its digest into the list, which is returned as it is now."""
    text = with_digests(source, {sheet.path: digest_of(data)})
    for path, content in ((sheet.path, data), (FILE, text.encode())):
        with writing(root / path):
            durable.write(root / path, content)
    return Source(source.name, text)
