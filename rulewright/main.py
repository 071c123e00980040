"""The command `rulewright`: its subcommands, and how errors, interrupts and closed pipes are handled."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from dsl.characters import forbidden, named
from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported, did_you_mean
from dsl.messages import CannotRead
from dsl.source import NOWHERE
from interpreter.garbage import garbage_collection_paused
from interpreter.messages import Aborted, Fault
from rulewright.files.reading import why_not
from rulewright.messages import CannotWrite, ForbiddenWord, OutOfMemory, SystemRefused
from rulewright.processes.interrupts import INTERRUPTED, listen
from rulewright.terminal.output import complain, located, on_command_line
from rulewright.terminal.streams import discard_output, escaped_output, kept_output

FINDINGS, USAGE, PIPE_CLOSED = 1, 2, 141
"""Exit codes beside `INTERRUPTED`; 0 means success."""
WRITING = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT, errno.EROFS)
"""Errors of writing: without the name of a file, they are those of the output."""
NOT_UTF_8 = re.compile(r"[\udc80-\udcff]")
"""Bytes of a file name that are not UTF-8. Such files can be opened; their names are shown with escapes."""


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Prints the version. What finds it out takes long to import, for the sake of this option alone."""
    if not asked:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("rulewright")
    except PackageNotFoundError:
        found = "not installed"
    click.echo(f"rulewright, version {found}")
    ctx.exit()


GROUPS = {
    "Play": {
        "list": "list_games",
        "play": "play",
        "replay": "replay",
        "records": "records",
        "arena": "arena",
    },
    "Write": {
        "new": "new",
        "studio": "studio",
        "format": "format_rules",
        "words": "words",
        "labels": "labels",
        "sheets": "sheets",
        "update": "update",
        "explain": "explain",
        "schema": "schema",
        "grammar": "grammar",
    },
    "Check": {
        "check": "check",
        "test": "test",
        "questions": "questions",
        "mutate": "mutate",
        "trace": "trace",
        "locate": "locate",
        "diff": "diff",
        "explore": "explore_game",
        "graph": "graph",
    },
    "Experiment": {
        "simulate": "simulate",
        "analyse": "analyse",
        "compare": "compare",
        "tune": "tune",
        "dataset": "dataset",
        "profile": "profile",
    },
    "Publish": {"rules": "rules", "print": "print_game", "export": "export"},
    "Serve": {"serve": "serve", "lsp": "lsp", "mcp": "mcp"},
}
"""Functions by command, in groups. Each is in the module of the command's name, which is imported on use."""
COMMANDS = {name: function for group in GROUPS.values() for name, function in group.items()}


FIRST_STEPS = """
\b
First steps:
  rulewright play pig              a short game, against a bot
  rulewright serve pig             the same in a browser
  rulewright new my_game           begin a ruleset of your own
  rulewright check my_game         find its mistakes

`rulewright COMMAND --help` explains a command, with examples.
"""


class CliGroup(click.Group):
    """A group that turns every mistake into one clear diagnostic. Only our own bugs show a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        with garbage_collection_paused():
            found = getattr(import_module(f"rulewright.commands.{cmd_name}"), COMMANDS[cmd_name])
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        longest = max(map(len, COMMANDS))
        for group, names in GROUPS.items():
            found = ((name, self.get_command(ctx, name)) for name in names)
            with formatter.section(group):
                formatter.write_dl(
                    [
                        (name.ljust(longest), one.get_short_help_str(formatter.width - longest - 6))
                        for name, one in found
                        if one is not None
                    ]
                )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            hint = did_you_mean(args[0], list(COMMANDS))
            if not hint:
                raise
            raise click.UsageError(f"{error.message} {hint[0].upper()}{hint[1:]}", error.ctx) from None

    def main(self, *args: Any, **kwargs: Any) -> Any:
        with escaped_output():
            return super().main(*args, **kwargs)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        words = ("rulewright", *args)
        try:
            return super().make_context(info_name, args, parent, **extra)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            discard_output()
            raise click.exceptions.Exit(PIPE_CLOSED) from None
        except OSError as error:  # of the help or the version, which are printed here
            discard_output()
            raise click.exceptions.Exit(_report(words, [_system_error(error)])) from None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.obj = ("rulewright", *args)
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        listen()
        with kept_output() as output:
            try:
                result, code = self._answer(ctx), 0
            except click.exceptions.Exit as stop:
                result, code = None, stop.exit_code
            if output is not None and output.failure is not None:
                _rescue(output.text, output.failure, ctx)
                code = code or FINDINGS
            if code:
                ctx.exit(code)
            return result

    def _answer(self, ctx: click.Context) -> Any:
        """What the command returns; every mistake and what ends it early has been reported."""
        try:
            _check_words(ctx.obj[1:])
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except ErrorsReported as stop:
            ctx.exit(_report(ctx.obj, list(stop.report)))
        except (DiagnosticError, Fault, Aborted) as error:
            ctx.exit(_report(ctx.obj, [error.diagnostic]))
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            discard_output()
            ctx.exit(PIPE_CLOSED)
        except MemoryError:
            ctx.exit(_report(ctx.obj, [OutOfMemory(NOWHERE)]))
        except OSError as error:
            ctx.exit(_report(ctx.obj, [_system_error(error)]))


def _rescue(text: str, error: OSError, ctx: click.Context) -> None:
    """Keeps elsewhere what could not be printed, and says where."""
    from rulewright.files.rescue import rescue_output

    complain([rescue_output(text, error, f"{ctx.invoked_subcommand or 'answer'}.txt")])


def _check_words(words: Sequence[str]) -> None:
    """Raises `DiagnosticError` for an argument with control characters, which a message would repeat."""
    for word in words:
        text = NOT_UTF_8.sub("", word)
        offset = forbidden(text)
        strange = text[offset] if offset is not None else next((c for c in text if c in "\t\n"), None)
        if strange is not None:
            raise DiagnosticError(ForbiddenWord(NOWHERE, word, named(strange)))


def _system_error(error: OSError) -> Diagnostic:
    """A diagnostic for a file; without one, for the output if writing failed, else for the system."""
    if error.filename is not None:
        return CannotRead(NOWHERE, str(error.filename), why_not(error))
    if error.errno in WRITING:
        return CannotWrite(NOWHERE, "the output", why_not(error))
    return SystemRefused(NOWHERE, why_not(error))


def _report(words: Sequence[str], diagnostics: list[Diagnostic]) -> int:
    """Prints diagnostics. Returns `USAGE` if all are about the command line, else `FINDINGS`."""
    found = [located(m, words) for m in diagnostics]
    complain(found)
    return USAGE if all(on_command_line(m) for m in found) else FINDINGS


@click.group(
    cls=CliGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=FIRST_STEPS,
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Turns a board game's rulebook into a program that referees it.

    A game is a folder of data: its parts in YAML, its rules in a small language. GAME is
    the name of a bundled game or the path of such a folder.
    """
