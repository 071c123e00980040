"""Saved matches: a match is saved by writing its log, and resumed by replaying it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.messages import BadOption
from dsl.rules import Rules
from dsl.source import Source
from interpreter import log
from interpreter.companion_log import ToldLog
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind
from interpreter.match import Match
from interpreter.messages import BrokenLog, Fault, OtherRules
from interpreter.notation import is_notation, notation_of
from interpreter.replay import replay
from rulewright.files.reading import read_bytes, read_found
from rulewright.matches.log_file import LARGEST_LOG, Head, save_log
from rulewright.matches.messages import CannotResume
from rulewright.matches.seats import KINDS, is_kind, read_kinds
from rulewright.sentences.worded_game import worded_game


def save(path: Path, match: Match, head: Head) -> None:
    """Writes the log of a match. Raises `DiagnosticError`."""
    text = log.write(match, head.options, list(head.players), head.small, head.nonce)
    save_log(path, text, match)


def read_log(path: Path | str, trusted: bool = False, found: bool = False) -> log.Log:
    """A log from disk; its seals are checked unless it is `trusted`.

    A log that was `found` in a folder is not read through a link. Raises `DiagnosticError` if it cannot be
    read, `Fault` with `BrokenLog` if it is damaged.
    """
    data = read_found(Path(path), LARGEST_LOG) if found else read_bytes(str(path), LARGEST_LOG)
    return log.read(Source(str(path), log.text_of(data)), trusted)


def read_log_or_notation(path: str, trusted: bool = False) -> tuple[log.Log, str]:
    """A log, or a notation, from disk, and its notation. Raises as `read_log` does."""
    source = Source(path, log.text_of(read_bytes(path, LARGEST_LOG)))
    if is_notation(source.text):
        return log.read_notation(source), source.text
    lines, _ = log.whole_lines(source, trusted)
    return log.read(source, trusted), notation_of([line for line, _ in lines])


def check_game(saved: log.Log | ToldLog, rules: Rules) -> None:
    """Raises `DiagnosticError` if a log is of another game, `Fault` if it is of other rules."""
    if saved.game != rules.name:
        why = f"this log is of `{saved.game}`, not of `{rules.name}`"
        companion = " --companion" if isinstance(saved, ToldLog) else ""
        hint = f"resume it with `rulewright play {saved.game}{companion} --resume FILE`"
        raise DiagnosticError(CannotResume(saved.span, why, hint))
    if saved.digest != rules.digest:
        raise Fault(OtherRules(saved.span, saved.game))


def resumed(rules: Rules, saved: log.Log, executor: ExecutorKind) -> Match:
    """The saved match, replayed and compared with the log at each step. Raises `Fault`."""
    with options_of(saved):
        game = worded_game(rules, compile_rules(rules, saved.seats, saved.options), executor)
    return replay(game, saved).match


@contextmanager
def options_of(saved: log.Log | ToldLog) -> Iterator[None]:
    """Raises `Fault` with `BrokenLog` if the game does not accept the seats or options of the log."""
    try:
        yield
    except ErrorsReported as stop:
        wrong = next((m for m in stop.report if isinstance(m, BadOption)), None)
        if wrong is None:
            raise
        raise Fault(BrokenLog(saved.span, wrong.message, wrong.help)) from None


def kinds_of(saved: log.Log, seats: str | None) -> list[str]:
    """The kind of each seat's player: from `seats`, or else from the log. Raises `DiagnosticError`."""
    kinds = read_kinds(seats) if seats is not None else saved.players
    if len(kinds) != saved.seats or not all(map(is_kind, kinds)):
        named = f"`{','.join(kinds)}`" if kinds else "not named"
        why = f"this match has {saved.seats} seats, but `--seats` is {named}"
        if seats is None:
            why = f"the players in this log are {named}"
        hint = f"name {saved.seats} of {', '.join(KINDS)} with `--seats`"
        raise DiagnosticError(CannotResume(saved.span, why, hint))
    return kinds
