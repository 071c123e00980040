"""What several commands take: options of a game, files to read and to write."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from dsl.diagnostics import Failed
from dsl.messages import CannotRead, TooLarge
from dsl.source import NOWHERE
from rulewright import durable
from rulewright.messages import CannotWrite, MalformedOption

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


MOST_SEED = 1 << 128
SEED = click.IntRange(1 - MOST_SEED, MOST_SEED - 1)
"""What can be a seed: as much as `play` draws from the system, 128 bits."""


def settings(pairs: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` pairs as a mapping. Raises `Failed` for what is no pair."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise Failed(MalformedOption(NOWHERE, pair))
        found[name.strip()] = value.strip()
    return found


def read_bytes(path: str, most: int) -> bytes:
    """A file that was named on the command line, or with `-` standard input.

    Raises `Failed` if it cannot be read or has more than `most` bytes.
    """
    try:
        data = _bytes(path, most + 1)
    except (OSError, ValueError) as error:
        raise Failed(CannotRead(NOWHERE, path, why_not(error), "check its name")) from None
    if len(data) > most:
        raise Failed(TooLarge(NOWHERE, path, len(data), most))
    return data


def _bytes(path: str, most: int) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read(most)
    with Path(path).open("rb") as file:
        return file.read(most)


def write_text(path: str, text: str) -> None:
    """Writes a file that was named on the command line, all of it. Raises `Failed` if that cannot be done;
    what was there before is still there then."""
    try:
        durable.write(Path(path), text.encode())
    except (OSError, ValueError) as error:
        raise Failed(CannotWrite(NOWHERE, path, why_not(error))) from None


def why_not(error: OSError | ValueError) -> str:
    """The system's reason, as the end of a sentence."""
    reason = (error.strerror if isinstance(error, OSError) else str(error)) or "it is not there"
    return reason[0].lower() + reason[1:]
