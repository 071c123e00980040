"""What several commands take: options of a game, numbers, files to write."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from dsl.characters import visible
from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from dsl.wording import shortened
from rulewright import durable
from rulewright.messages import CannotWrite, MalformedOption
from rulewright.reading import why_not

MOST = 10**9
"""No number of matches, positions, players or steps is larger."""
Command = TypeVar("Command", bound=Callable[..., Any])


class Whole(click.IntRange):
    """A whole number of the command line, in plain digits, bounded on both sides."""

    DIGITS = re.compile(r"[+-]?[0-9]{1,80}")

    def __init__(self, least: int = 0, most: int = MOST) -> None:
        super().__init__(least, most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not self.DIGITS.fullmatch(value):
            self.fail(f"{shortened(value)!r} is not a whole number of at most 80 digits.", param, ctx)
        return super().convert(value, param, ctx)


class Real(click.FloatRange):
    """A number of the command line, in plain digits."""

    DIGITS = re.compile(r"[+-]?[0-9]{1,80}(\.[0-9]{0,80})?(e[+-]?[0-9]{1,2})?")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not self.DIGITS.fullmatch(value):
            self.fail(f"{shortened(value)!r} is not a number.", param, ctx)
        return super().convert(value, param, ctx)


MOST_SEED = 1 << 128
SEED = Whole(1 - MOST_SEED, MOST_SEED - 1)
"""What can be a seed: as much as `play` draws from the system, 128 bits."""
"""The seed of a match or of a sample."""


def set_up_options(command: Command) -> Command:
    """`--seats` and `--option`, for the fewest that may play if nothing is said."""
    return _set_up_options(command, "the fewest")


def reading_options(command: Command) -> Command:
    """`--seats` and `--option`, for all numbers of players if nothing is said."""
    return _set_up_options(command, "all numbers")


def _set_up_options(command: Command, default: str) -> Command:
    seats = click.option("--seats", type=Whole(), metavar="N", help=f"How many play (default: {default}).")
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
    """`NAME=VALUE` pairs as a mapping. Raises `DiagnosticError` for what is no pair."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise DiagnosticError(MalformedOption(NOWHERE, pair))
        found[name.strip()] = value.strip()
    return found


def write_text(path: str, text: str) -> None:
    """Writes a file that was named on the command line. Raises `DiagnosticError` if that cannot be done.

    A reader may print it: it holds nothing that a terminal would act on, and nothing that XML forbids.
    """
    try:
        durable.write(Path(path), visible(text).encode())
    except (OSError, ValueError) as error:
        raise DiagnosticError(CannotWrite(NOWHERE, path, why_not(error))) from None
