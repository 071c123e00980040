"""`rulewright schema`: JSON Schemas for the files of a ruleset."""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.files import durable
from rulewright.files.rescue import writing
from rulewright.terminal.parameters import named_path

KINDS = ("game", "look", "about", "labels", "rulebook", "translation", "scenarios", "mutants", "small")


@click.command(short_help="Write JSON Schemas for the files of a ruleset.")
@click.argument("kind", required=False, type=click.Choice(KINDS))
@click.option(
    "--into",
    "folder",
    callback=named_path,
    metavar="DIR",
    help="Write the schema, or all of them, into a folder.",
)
def schema(kind: str | None, folder: str | None) -> None:
    """Write JSON Schemas for the files of a ruleset, by which editors complete and check YAML.

    KIND is `game` for game.yaml, `look`, `about`, `labels`, `rulebook`, `translation` for
    its clauses in another language, `scenarios`, `mutants` or `small`. With neither KIND nor --into the kinds
    are listed. What a schema accepts may still have mistakes that
    `rulewright check` finds.

    \b
    Examples:
      rulewright schema
      rulewright schema game
      rulewright schema --into my_game/schemas
    """
    from rulewright.editors import schemas

    if folder is not None:
        target = Path(folder)
        for name in [kind] if kind is not None else KINDS:
            _write(target / f"{name}.json", schemas.schema_text(name))
    elif kind is not None:
        click.echo(schemas.schema_text(kind), nl=False)
    else:
        for name, (title, _, usual) in schemas.KINDS.items():
            click.echo(f"  {name:<13}{usual:<18}{title}")


def _write(path: Path, text: str) -> None:
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        durable.write(path, text.encode())
    click.echo(f"written: {path}")
