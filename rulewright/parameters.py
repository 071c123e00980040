"""What several commands take: options of a game, numbers, files to write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from dsl.diagnostics import Failed
from dsl.source import NOWHERE
from rulewright.messages import CannotWrite, MalformedOption
from rulewright.reading import why_not

Command = TypeVar("Command", bound=Callable[..., Any])


def set_up_options(command: Command) -> Command:
    """`--seats` and `--option`, for the fewest that may play if nothing is said."""
    return _set_up_options(command, "the fewest")


def reading_options(command: Command) -> Command:
    """`--seats` and `--option`, for all numbers of players if nothing is said."""
    return _set_up_options(command, "all numbers")


def _set_up_options(command: Command, default: str) -> Command:
    seats = click.option("--seats", type=int, metavar="N", help=f"How many play (default: {default}).")
    option = click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="Sets an option or ruling of the game; may be repeated.",
    )
    return seats(option(command))


def json_option(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="For programs: JSON on standard output.")(
        command
    )


def settings(pairs: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` pairs as a mapping. Raises `Failed` for what is no pair."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise Failed(MalformedOption(NOWHERE, pair))
        found[name.strip()] = value.strip()
    return found


def write_text(path: str, text: str) -> None:
    """Writes a file that was named on the command line. Raises `Failed` if that cannot be done."""
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise Failed(CannotWrite(NOWHERE, path, why_not(error))) from None
