"""Options and argument types shared by several commands, and writing to files named by an argument."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import click

from dsl.characters import visible
from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from dsl.wording import shortened
from rulewright.files import durable
from rulewright.files.rescue import not_written, writing
from rulewright.messages import FileIsThere, MalformedOption
from rulewright.terminal.streams import print_bytes

if TYPE_CHECKING:
    from interpreter.game import ExecutorKind

MOST = 10**9
"""The largest number of matches, positions, players or steps."""
Command = TypeVar("Command", bound=Callable[..., Any])
T = TypeVar("T")


class Whole(click.IntRange):
    """An integer argument in decimal digits, with a lower and an upper bound."""

    name = "integer"
    DIGITS = re.compile(r"[+-]?[0-9]{1,80}")

    def __init__(self, least: int = 0, most: int = MOST) -> None:
        super().__init__(least, most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not self.DIGITS.fullmatch(value):
            self.fail(f"{shortened(value)!r} is not a whole number of at most 80 digits.", param, ctx)
        number = click.INT.convert(value, param, ctx)
        assert self.min is not None
        assert self.max is not None
        if not self.min <= number <= self.max:
            bounds = f"{_as_power(self.min)}<=x<={_as_power(self.max)}"
            self.fail(f"{number} is not in the range {bounds}.", param, ctx)
        return number

    def _describe_range(self) -> str:
        """As Click shows it in help: only bounds that are there for a reason."""
        if self.max not in (MOST, MOST_SEED):
            return f"{_as_power(self.min)}<=x<={_as_power(self.max)}"
        return f"x>={_as_power(self.min)}" if self.min is not None and self.min > 0 else ""


def _as_power(bound: float | None) -> str:
    """`10^9` for a thousand millions, `(2^8-1)` for 255; a bound that is small or no power as it is."""
    assert bound is not None
    size, sign = abs(int(bound)), "-" if bound < 0 else ""
    for base, less in ((10, 0), (2, 0), (2, 1)) if size >= MOST else ():
        exponent = round(math.log(size + less, base))
        if base**exponent == size + less:
            return f"{sign}({base}^{exponent}-1)" if less else f"{sign}{base}^{exponent}"
    return str(int(bound))


class Real(click.FloatRange):
    """A decimal number as an argument."""

    DIGITS = re.compile(r"[+-]?[0-9]{1,80}(\.[0-9]{0,80})?(e[+-]?[0-9]{1,2})?")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not self.DIGITS.fullmatch(value):
            self.fail(f"{shortened(value)!r} is not a number.", param, ctx)
        return super().convert(value, param, ctx)

    def _describe_range(self) -> str:
        """As Click shows it in help and errors; nothing if there are no bounds."""
        return "" if self.min is None and self.max is None else super()._describe_range()


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic in newer releases only
    """A time as an argument, in seconds: `90s`, `15m`, `2h`; a number alone is in seconds."""

    name = "time"
    FORM = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(s|m|h|)")
    UNITS: ClassVar[dict[str, float]] = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
    MOST = 30 * 86400.0

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, float):
            return value
        found = self.FORM.fullmatch(value.strip())
        if found is None:
            self.fail(f"{shortened(value)!r} is not a time; write it as 90s, 15m or 2h.", param, ctx)
        seconds = float(found[1]) * self.UNITS[found[2]]
        if not 1 <= seconds <= self.MOST:
            self.fail(f"{shortened(value)!r} is not between a second and thirty days.", param, ctx)
        return seconds


MOST_SEED = (1 << 128) - 1
SEED = Whole(-MOST_SEED, MOST_SEED)
"""The seed of a match or sample: up to 128 bits, as many as `play` draws from the system."""


game_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Sets an option or ruling of the game; may be repeated.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="For programs: JSON on standard output.")


def set_up_options(command: Command) -> Command:
    """`--seats` and `--option`; by default the smallest number of seats."""
    return _seats_option("the fewest")(game_option(command))


def reading_options(command: Command) -> Command:
    """`--seats` and `--option`; by default every number of seats."""
    return _seats_option("all numbers")(game_option(command))


def _seats_option(default: str) -> Callable[[Command], Command]:
    return click.option("--seats", type=Whole(), metavar="N", help=f"How many play (default: {default}).")


position_option = click.option(
    "--position",
    type=click.Path(),
    metavar="FILE",
    help="Begin from a position: a file with what `given` of a scenario has.",
)


def jobs_option(most: int, help_text: str) -> Callable[[Command], Command]:
    return click.option("--jobs", type=Whole(1, most), default=1, show_default=True, help=help_text)


def language_option(help_text: str, required: bool = False) -> Callable[[Command], Command]:
    """`--language`: the word for it in all commands."""
    return click.option("--language", metavar="CODE", required=required, help=help_text)


def executor_option(default: ExecutorKind, help_text: str) -> Callable[[Command], Command]:
    """`--executor`, with the default listed first."""
    other: ExecutorKind = "reference" if default == "wasm" else "wasm"
    choice = click.Choice([default, other])
    return click.option("--executor", type=choice, default=default, show_default=True, help=help_text)


def settings(pairs: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` arguments as a dictionary. Raises `DiagnosticError` for a malformed one."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise DiagnosticError(MalformedOption(NOWHERE, pair))
        found[name.strip()] = value.strip()
    return found


def print_or_write(path: str | None, text: str) -> None:
    """Writes a text to a file, or prints it without a path or for `-`. Raises `DiagnosticError`."""
    if path is None or path == "-":
        click.echo(text, nl=False)
    else:
        write_text(path, text)


def check_new(path: str, overwrite: bool) -> None:
    """What `write_new` would refuse, before long work. `-` is standard output.

    Raises `DiagnosticError` with `FileIsThere` or `CannotWrite`.
    """
    if path == "-":
        return
    if not overwrite and os.path.lexists(path):
        raise DiagnosticError(FileIsThere(NOWHERE, path))
    check_writable(path)


def write_new(path: str, data: bytes, overwrite: bool | None = None) -> None:
    """Writes a file named on the command line that must not be there yet, unless it may be replaced.

    `overwrite` is None where the command has no such option. `-` is standard output.

    Raises `DiagnosticError` with `FileIsThere` or `CannotWrite`.
    """
    if path == "-":
        print_bytes(data)
        return
    with writing(path):
        if overwrite:
            durable.write(Path(path), data)
        elif not durable.create(Path(path), data, 0o644):
            there = FileIsThere(NOWHERE, path)
            raise DiagnosticError(
                there if overwrite is not None else replace(there, hint="choose another name")
            )


def check_folder(path: str, overwrite: bool) -> None:
    """What `write_folder` would refuse, before long work. Raises `DiagnosticError`."""
    target = Path(path)
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise DiagnosticError(FileIsThere(NOWHERE, path, "it is no folder: choose another name"))
    if not overwrite:
        raise DiagnosticError(FileIsThere(NOWHERE, path))


def write_folder(path: str, files: Mapping[str, bytes], overwrite: bool) -> None:
    """Writes files into a folder named on the command line, which is new: as a whole, or not at all.

    With `overwrite` it may be there; what else is in it stays. Raises `DiagnosticError`.
    """
    check_folder(path, overwrite)
    target = Path(path)
    with writing(path):
        if not target.exists():
            target.absolute().parent.mkdir(parents=True, exist_ok=True)
            durable.make_folder(target.absolute(), files)
            return
        for name, data in files.items():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            durable.write(target / name, data)


def make_folder(path: Path) -> None:
    """Makes a folder named on the command line, if it is not there. Raises `DiagnosticError`."""
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)


def named_path(ctx: click.Context, param: click.Parameter, value: T) -> T:
    """The callback of an option for what cannot go to standard output: several files, or one rewritten."""
    if str(value) == "-":
        raise click.BadParameter("`-` is standard output, and this cannot go there: name it", ctx, param)
    return value


def page_option(help_text: str) -> Callable[[Command], Command]:
    """`--html`, for a command that prints something else."""
    return click.option("--html", callback=named_path, metavar="FILE", help=help_text)


def check_writable(path: str | Path) -> None:
    """Raises `DiagnosticError` with `CannotWrite`, before long work, if a file cannot be written there."""
    with writing(path):
        durable.check(Path(path))


def write_text(path: str, text: str) -> None:
    """Writes a text to a file named on the command line. Raises `DiagnosticError` on failure.

    Control characters are escaped: they would act on a terminal that prints the file, and XML forbids them.
    """
    data = visible(text).encode()
    try:
        durable.write(Path(path), data)
    except (OSError, ValueError) as error:
        raise DiagnosticError(not_written(path, data, error)) from None
