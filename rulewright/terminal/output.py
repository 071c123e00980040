"""Output of commands: diagnostics as snippets, JSON, and progress; colours only on a terminal."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from itertools import count
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dsl.diagnostics import Diagnostic, Report, Severity
from dsl.messages import BadOption
from dsl.render import as_json, snippets
from dsl.source import NOWHERE, Source, Span
from dsl.wording import counted
from interpreter.bots.messages import BadBudget
from rulewright.messages import CannotWrite

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

Subject = TypeVar("Subject")
PART = re.compile(r"[^,=]+")
STYLES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"^error(\[\w+\])?:"), lambda m: click.style(m[0], fg="red", bold=True)),
    (re.compile(r"^warning(\[\w+\])?:"), lambda m: click.style(m[0], fg="yellow", bold=True)),
    (re.compile(r"^hint(\[[\w-]+\])?:"), lambda m: click.style(m[0], fg="cyan", bold=True)),
    (re.compile(r"^  --> .*"), lambda m: click.style(m[0], fg="blue")),
    (re.compile(r"^(?P<gutter> +\| )(?P<mark> *\^+.*)"), lambda m: m[1] + click.style(m[2], fg="red")),
    (re.compile(r"^  help:"), lambda m: click.style(m[0], fg="green", bold=True)),
)


# ---- diagnostics

MESSAGES = "RULEWRIGHT_MESSAGES"
"""The variable of the environment by which a program asks for diagnostics as JSON."""


def painted(text: str) -> str:
    """Snippets with colours; `click.echo` removes them if the output is not a terminal."""
    return "\n".join(_painted_line(line) for line in text.split("\n"))


def _painted_line(line: str) -> str:
    for pattern, paint in STYLES:
        line = pattern.sub(paint, line)
    return line


def complain(diagnostics: Sequence[Diagnostic], err: bool = True) -> None:
    """Prints diagnostics as snippets, on the error stream unless they are the result of the command.

    A program that has set `MESSAGES` in the environment to `json` gets those on the error stream as a line of
    JSON.
    """
    if err and os.environ.get(MESSAGES) == "json":
        click.echo(json.dumps(diagnostic_objects(diagnostics)), err=True)
        return
    click.echo(painted(snippets(Report(diagnostics))), err=err)


def located(diagnostic: Diagnostic, words: Sequence[str]) -> Diagnostic:
    """The diagnostic; if it has no place, it points to the argument that it is about."""
    span = diagnostic.span
    chosen = isinstance(diagnostic, BadOption) and span == span.source.beginning
    if span is not NOWHERE and not chosen:
        return diagnostic
    source = Source("command line", shlex.join(words))
    number = _argument_index(diagnostic, words)
    span = _part_span(source, diagnostic, words) if number is None else _span(source, words, number)
    return replace(diagnostic, span=span)


def on_command_line(diagnostic: Diagnostic) -> bool:
    return diagnostic.span.source.name == "command line"


def _argument_index(diagnostic: Diagnostic, words: Sequence[str]) -> int | None:
    """The index of the argument that a diagnostic is about, if it is known."""
    if isinstance(diagnostic, BadBudget):
        return None
    values = _values(diagnostic)
    indices = range(1, len(words))
    for i in (
        reversed(indices) if isinstance(diagnostic, CannotWrite) else indices
    ):  # what is read comes first
        word = words[i]
        if word in values or f"`{word.partition('=')[0]}`" in diagnostic.message:
            return i
    if isinstance(diagnostic, BadOption) and "--seats" in words[:-1]:
        return list(words).index("--seats") + 1
    return None


def _values(diagnostic: Diagnostic) -> set[str]:
    return {str(getattr(diagnostic, f.name)).strip("`") for f in fields(diagnostic) if f.name != "span"}


def _part_span(source: Source, diagnostic: Diagnostic, words: Sequence[str]) -> Span:
    """The part of an argument that a diagnostic is about, in a list with commas; or the whole line.

    Of `policy:FILE` and `search:500` what stands behind the colon counts, too, and of a budget only that.
    """
    values = _values(diagnostic)
    for i, word in enumerate(words[1:], start=1):
        for part in PART.finditer(word):
            behind = part[0].partition(":")[2]
            about = {behind, behind.partition("+")[0]} - {""}
            if not isinstance(diagnostic, BadBudget):
                about.add(part[0])
            if about & values:
                span = _span(source, words, i)
                return span if shlex.quote(word) != word else _inside(span, part)
    return _span(source, words, None)


def _inside(span: Span, part: re.Match[str]) -> Span:
    return Span(span.source, span.start + part.start(), span.start + part.end())


def _span(source: Source, words: Sequence[str], number: int | None) -> Span:
    if number is None:
        return Span(source, 0, len(source.text))
    start = len(shlex.join(words[:number])) + 1
    return Span(source, start, start + len(shlex.quote(words[number])))


# ---- JSON


def json_text(value: object) -> str:
    """A value as indented JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def echo_json(value: object) -> None:
    """Prints a value as indented JSON."""
    click.echo(json_text(value))


def diagnostic_objects(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Diagnostics as JSON objects, as `check --format json` prints them."""
    found: list[dict[str, Any]] = json.loads(as_json(Report(diagnostics)))
    return found


# ---- words


def tally(diagnostics: Sequence[Diagnostic]) -> str:
    """`1 error and 2 warnings`"""
    errors = sum(m.severity is Severity.ERROR for m in diagnostics)
    warnings = len(diagnostics) - errors
    parts = [counted(n, noun) for n, noun in ((errors, "error"), (warnings, "warning")) if n]
    return " and ".join(parts) or "no mistakes"


# ---- progress


SOON = 1.0
"""After so many seconds a line says what takes so long."""
RARELY = 60.0
"""Where there is no terminal, such as in a log, a line in so many seconds says how far it has come."""


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on the error stream. Yields a function to call for each part.

    If that stream is no terminal, a line now and then says how far it has come, unless a program reads it.
    """
    if not sys.stderr.isatty():
        parts, machine = count(1), os.environ.get(MESSAGES) == "json"
        said = now_and_then(lambda n: click.echo(f"{what}: {n} of {total}", err=True), RARELY, RARELY)
        yield lambda: None if machine else said(next(parts))
        return
    if total < 2:
        with activity(what):
            yield lambda: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with _transient(*columns) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


def now_and_then(do: Callable[[Subject], None], first: float, after: float) -> Callable[[Subject], None]:
    """A function that does it at most once in `after` seconds, and not in the `first` seconds."""
    following = monotonic() + first

    def asked(subject: Subject) -> None:
        nonlocal following
        if monotonic() >= following:
            do(subject)
            following = monotonic() + after

    return asked


@contextmanager
def activity(what: str) -> Iterator[Callable[[str], None]]:
    """A line on the error stream that says what takes so long, and for how long, if that is a terminal.

    It appears after a moment. Yields a function that says what it has come to.
    """
    if not sys.stderr.isatty():
        yield lambda now: None
        return
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = _transient(SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    task = bar.add_task(what, total=None)
    later = Timer(SOON, bar.start)
    later.start()
    try:
        yield lambda now: bar.update(task, description=f"{what}: {now}")
    finally:
        later.cancel()
        later.join()
        bar.stop()


def _transient(*columns: ProgressColumn) -> Progress:
    """A display that is gone when it ends."""
    from rich.progress import Progress

    from rulewright.terminal.renderables import EscapingConsole

    behind = getattr(sys.stderr, "rich_proxied_file", sys.stderr)
    return Progress(*columns, console=EscapingConsole(file=behind), transient=True)
