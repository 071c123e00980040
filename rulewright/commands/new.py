"""`rulewright new`: a small ruleset that works, to begin with."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from shlex import join
from unicodedata import normalize

import click

from dsl.diagnostics import DiagnosticError
from dsl.render import printable
from dsl.source import NOWHERE
from rulewright.files import durable
from rulewright.files.reading import why_not
from rulewright.messages import AlreadyThere, BadName, CannotWrite
from rulewright.terminal.parameters import named_path

NAME = "my_game"
"""The name of the template's game, in its texts and file names."""
TITLE = "My game"
NEXT = {
    "studio": "change it in a browser, beside a table at which you play it",
    "play": "play it in the terminal",
    "check": "find its mistakes",
    "test": "run its scenarios",
    "simulate": "play it many times: who wins, how long it takes",
}
"""The commands that go on from here, each with what it is for."""


@click.command(short_help="Begin a ruleset of your own.")
@click.argument("name")
@click.option(
    "--into",
    default=".",
    callback=named_path,
    metavar="DIR",
    help="Where the new folder is made (default: here).",
)
@click.option(
    "--from",
    "sheet",
    metavar="TABLE",
    help="Begin with the cards of a table: .csv, .tsv, .xlsx or .ods; `cards.xlsx#Sheet` names a sheet.",
)
def new(name: str, into: str, sheet: str | None) -> None:
    """Begin a ruleset of your own: a small game of dice that works at once.

    Makes a folder NAME with all the files that a ruleset has, each with a comment that says what it is for.
    Change them step by step, in a browser with `rulewright studio` or in any editor; `rulewright check` and
    `rulewright test` say whether it still works.

    With --from it is a small game of the cards in a table, which is copied as it is, with the pictures that
    it names: its columns are declared as what is in them, numbers, a few words, flags, text or pictures.

    \b
    Examples:
      rulewright new my_game
      rulewright new my_game --into rulesets
      rulewright new my_game --from cards.xlsx
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,59}", name):
        raise DiagnosticError(BadName(NOWHERE, name, _hint(name)))
    target = Path(into) / name
    try:
        made, remarks = _make(name, target, sheet)
    except FileExistsError:
        raise DiagnosticError(AlreadyThere(NOWHERE, str(target))) from None
    except OSError as error:
        raise DiagnosticError(CannotWrite(NOWHERE, str(target), why_not(error))) from None
    click.echo(f"{target} holds a new ruleset:\n")
    click.echo("\n".join(f"  {path}" for path in made))
    if remarks:
        click.echo("\nin the table:\n")
        click.echo("\n".join(f"  {printable(remark)}" for remark in remarks))
    click.echo("\nwhat to do next:\n")
    width = max(map(len, NEXT)) + len(f"  rulewright  {target}")
    tested = any(path.startswith("scenarios/") for path in made)
    for command, why in NEXT.items():
        if tested or command != "test":
            click.echo(f"{f'  rulewright {command} {target}':{width}}  {why}")


def _hint(name: str) -> str:
    """A name near to what was written; of a path, its last part, with the option for the folders before."""
    before, _, last = name.rstrip("/\\").replace("\\", "/").rpartition("/")
    plain = normalize("NFKD", last).encode("ascii", "ignore").decode().lower()
    made = re.sub(r"\W+", "_", plain).strip("_")[:60].lstrip("0123456789_") or NAME
    if before or name.startswith(("/", "\\")):
        command = join(["rulewright", "new", made, "--into", before or "/"])
        return f"give the folder apart: `{command}`"
    return f"for example `{made}`: small letters, digits and `_`"


def _make(name: str, target: Path, sheet: str | None) -> tuple[list[str], list[str]]:
    """Creates the folder, which must not exist, with all its files. Returns their paths within it, and
    remarks on the table.

    Raises `DiagnosticError` if the table cannot be read, `OSError` if the folder cannot be made.
    """
    from rulewright.editors.schemas import KINDS, schema_text

    template = sorted(_files(files("rulewright").joinpath("template")))
    made = {path.replace(NAME, name): _renamed(text, name).encode() for path, text in template}
    made |= {f"schemas/{kind}.json": schema_text(kind).encode() for kind in KINDS}
    remarks: list[str] = []
    if sheet is not None:
        of_dice = [path for path in made if path.startswith("scenarios/")]
        of_sheet, remarks = _of_sheet(name, sheet)
        made = {path: data for path, data in made.items() if path not in of_dice} | of_sheet
    durable.make_folder(target, made)
    return list(made), remarks


def _of_sheet(name: str, sheet: str) -> tuple[dict[str, bytes], list[str]]:
    """The files of a game with the cards of a table, and remarks on it. Raises `DiagnosticError`."""
    from dsl.folder import LARGEST_FILE
    from dsl.messages import CannotRead
    from dsl.pictures import LARGEST_ART
    from dsl.sheets.delimited import is_table, table_path
    from rulewright.editors.sheet_game import sheet_game
    from rulewright.files.reading import inner_file, read_bytes

    path, named = table_path(sheet)
    if not is_table(path):
        hint = "name a table: .csv, .tsv, .xlsx or .ods"
        raise DiagnosticError(CannotRead(NOWHERE, path, "its name is not that of a table", hint))

    def beside(inner: str) -> bytes | None:
        with suppress(OSError, ValueError):
            folder = Path(path).parent
            content = inner_file(folder, _spelt(folder, inner), LARGEST_ART + 1)
            return content if len(content) <= LARGEST_ART else None
        return None

    made = sheet_game(name, _title(name), path, read_bytes(path, LARGEST_FILE), named, beside)
    return made.files, made.remarks


def _spelt(folder: Path, inner: str) -> str:
    """The path of a file in a folder as the file is called, if it is only written in other capitals."""
    if (folder / inner).exists():
        return inner
    at = Path()
    for part in Path(inner).parts:
        alike = (name for name in os.listdir(folder / at) if name.casefold() == part.casefold())
        at /= next(alike, part)
    return str(at)


def _files(folder: Traversable, before: str = "") -> list[tuple[str, str]]:
    """The files of the template: path and text."""
    found = []
    for item in folder.iterdir():
        if item.is_dir():
            found.extend(_files(item, f"{before}{item.name}/"))
        else:
            found.append((before + item.name, item.read_text(encoding="utf-8")))
    return found


def _renamed(text: str, name: str) -> str:
    return text.replace(NAME, name).replace(TITLE, _title(name))


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()
