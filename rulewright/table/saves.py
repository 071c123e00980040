"""Logs on disk: a match is saved by writing its log, and gone on with by playing it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dsl.diagnostics import Failed, Stop
from dsl.messages import BadOption
from dsl.rules import Rules
from dsl.source import NOWHERE, Source, Span
from interpreter import log
from interpreter.compile.program import compile_rules
from interpreter.match import Game, Match
from interpreter.messages import BrokenLog, Fault, OtherRules
from interpreter.replay import replay
from rulewright.messages import CannotWrite
from rulewright.reading import read_bytes, read_found, why_not
from rulewright.table.messages import CannotResume
from rulewright.table.seats import KINDS, read_kinds

LARGEST = 100_000_000
"""The most bytes of a log that are read."""
BEGINNING = b'{"rulewright"'


def save(path: Path, match: Match, options: dict[str, str], kinds: Sequence[str]) -> None:
    """Writes the log of a match. Raises `Failed` with `CannotWrite`."""
    text = log.write(match, options, list(kinds))
    try:
        if not _may_be_written(path):
            raise Failed(CannotWrite(NOWHERE, str(path), "it is there already and is no log"))
        path.write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise Failed(CannotWrite(NOWHERE, str(path), why_not(error))) from None


def _may_be_written(path: Path) -> bool:
    """Whether nothing is lost by it: there is no file, an empty one, or a log."""
    if not path.is_file() or path.stat().st_size == 0:
        return True
    with path.open("rb") as file:
        return file.read(len(BEGINNING)) == BEGINNING


def read_log(path: Path, found: bool = False) -> log.Log:
    """A log from disk, its seals checked. Raises `Failed`, or `Fault` with `BrokenLog`.

    `found`: nobody has named it, so it is not read through a link.
    """
    data = read_found(path, LARGEST) if found else read_bytes(str(path), LARGEST)
    try:
        return log.read(Source(str(path), data.decode("utf-8-sig").replace("\r\n", "\n")))
    except UnicodeDecodeError as error:
        why = f"this is no log: byte {error.start} is not UTF-8 text"
        span = Span(Source(str(path), ""), 0, 0)
        raise Fault(BrokenLog(span, why, "name a file that `save` or `--log` has written")) from None


def check_game(saved: log.Log, rules: Rules) -> None:
    """Whether a log belongs to these rules. Raises `Failed` or `Fault`."""
    if saved.game != rules.name:
        why = f"this is a match of `{saved.game}`, not of `{rules.name}`"
        hint = f"`rulewright play {saved.game} --resume FILE` goes on with it"
        raise Failed(CannotResume(_head(saved), why, hint))
    if saved.digest != rules.digest:
        raise Fault(OtherRules(_head(saved), saved.game))


def resumed(rules: Rules, saved: log.Log) -> Match:
    """The match as it was saved, every state compared with the log. Raises `Fault`."""
    try:
        game = Game(rules, compile_rules(rules, saved.seats, saved.options))
    except Stop as stop:
        wrong = next((m for m in stop.report if isinstance(m, BadOption)), None)
        if wrong is None:
            raise
        raise Fault(BrokenLog(_head(saved), wrong.message, wrong.help)) from None
    return replay(game, saved).match


def kinds_of(saved: log.Log, seats: str | None) -> list[str]:
    """Who sits where: as the log says, or as `seats` says anew. Raises `Failed`."""
    kinds = read_kinds(seats) if seats is not None else saved.players
    if len(kinds) != saved.seats or any(kind not in KINDS for kind in kinds):
        why = f"{saved.seats} seats play this match, but `{','.join(kinds)}` are to sit there"
        hint = f"`--seats` names {saved.seats} of {', '.join(KINDS)}"
        raise Failed(CannotResume(_head(saved), why, hint))
    return kinds


def _head(saved: log.Log) -> Span:
    """The beginning of the first line of a log, which is long."""
    return replace(saved.span, end=min(saved.span.end, saved.span.start + len(BEGINNING)))
