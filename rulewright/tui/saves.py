"""Logs on disk: a match is saved by writing its log, and resumed by replaying it."""

from __future__ import annotations

from pathlib import Path

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.messages import BadOption
from dsl.rules import Rules
from dsl.source import Source
from interpreter import log
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import BrokenLog, Fault, OtherRules
from interpreter.replay import replay
from rulewright.reading import read_bytes, read_found
from rulewright.tui.log_file import LARGEST, Head, save_log
from rulewright.tui.messages import CannotResume
from rulewright.tui.seats import KINDS, read_kinds


def save(path: Path, match: Match, head: Head) -> None:
    """Writes the log of a match as it stands. Raises `DiagnosticError`."""
    text = log.write(match, head.options, list(head.players), head.small, head.nonce)
    save_log(path, text, match)


def read_log(path: Path | str, trusted: bool = False, found: bool = False) -> log.Log:
    """A log from disk, its seals checked unless it is trusted. Raises `DiagnosticError`, `Fault` with
    `BrokenLog`.

    `found`: nobody has named it, so it is not read through a link.
    """
    data = read_found(Path(path), LARGEST) if found else read_bytes(str(path), LARGEST)
    return log.read(Source(str(path), log.text_of(data)), trusted)


def check_game(saved: log.Log, rules: Rules) -> None:
    """Whether a log belongs to these rules. Raises `DiagnosticError` or `Fault`."""
    if saved.game != rules.name:
        why = f"this log is of `{saved.game}`, not of `{rules.name}`"
        hint = f"resume it with `rulewright play {saved.game} --resume FILE`"
        raise DiagnosticError(CannotResume(saved.span, why, hint))
    if saved.digest != rules.digest:
        raise Fault(OtherRules(saved.span, saved.game))


def resumed(rules: Rules, saved: log.Log) -> Match:
    """The match as it was saved, every state compared with the log. Raises `Fault`."""
    try:
        game = Game(rules, compile_rules(rules, saved.seats, saved.options))
    except ErrorsReported as stop:
        wrong = next((m for m in stop.report if isinstance(m, BadOption)), None)
        if wrong is None:
            raise
        raise Fault(BrokenLog(saved.span, wrong.message, wrong.help)) from None
    return replay(game, saved).match


def kinds_of(saved: log.Log, seats: str | None) -> list[str]:
    """Who sits where: as the log says, or as `seats` says anew. Raises `DiagnosticError`."""
    kinds = read_kinds(seats) if seats is not None else saved.players
    if len(kinds) != saved.seats or any(kind not in KINDS for kind in kinds):
        why = f"this match has {saved.seats} seats, but `--seats` is `{','.join(kinds)}`"
        hint = f"name {saved.seats} of {', '.join(KINDS)} with `--seats`"
        raise DiagnosticError(CannotResume(saved.span, why, hint))
    return kinds
