"""The log file of a match in progress: each choice is on disk before anybody is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE, Source
from interpreter import log
from interpreter.game import MatchStep
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.files.durable import Busy, GrowingFile
from rulewright.files.reading import why_not
from rulewright.files.rescue import not_written
from rulewright.messages import CannotKeep, CannotWrite, LogInUse, OtherMatch

LARGEST_LOG = 100_000_000
"""The largest log that is written or read, in bytes."""
LOG_PREFIX = b'{"rulewright"'
TOO_LARGE = "a log of this size could not be read again"


@dataclass(frozen=True, slots=True)
class Head:
    """The data of a log's head that the match does not have: options, players, nonce and preset."""

    options: dict[str, str]
    players: Sequence[str]
    nonce: str | None = None
    small: str | None = None


@dataclass(frozen=True, slots=True)
class LoggedLine:
    """A line in the file: its step (None for head and result), the offset of its end, and its seal."""

    step: MatchStep | None
    end: int
    seal: str


@dataclass
class LogFile:
    """A log that grows with its match. The file is locked while it is open."""

    path: Path
    file: GrowingFile
    head: Head
    written: list[LoggedLine] = field(default_factory=list)

    def update(self, match: Match) -> None:
        """Writes new steps and removes those taken back. On `DiagnosticError` nothing has changed."""
        try:
            unchanged = self._unchanged(match)
            if len(unchanged) < len(self.written):
                self.file.truncate(unchanged[-1].end)
                self.written = unchanged
            self._append(match)
        except (OSError, ValueError) as error:
            raise DiagnosticError(CannotKeep(NOWHERE, str(self.path), why_not(error))) from None

    def _unchanged(self, match: Match) -> list[LoggedLine]:
        """The written lines that are still valid: the head, and the steps that were not taken back."""
        steps = self.written[1:]
        same = 0
        while same < min(len(steps), len(match.steps)) and steps[same].step is match.steps[same]:
            same += 1
        over = match.over and same == len(match.steps)
        return self.written[: 1 + same + (over and len(steps) > same)]

    def _append(self, match: Match) -> None:
        since = len(self.written) - 1
        if since > len(match.steps):
            return
        texts, new = self._lines(match, since)
        if not new:
            return
        data = "".join(texts).encode()
        if self.file.length + len(data) > LARGEST_LOG:
            raise ValueError(TOO_LARGE)
        self.file.append(data)
        self.written += new

    def _lines(self, match: Match, since: int) -> tuple[list[str], list[LoggedLine]]:
        """The text and the records of the lines from step `since` on."""
        seal, end = self.written[-1].seal, self.written[-1].end
        steps: list[MatchStep | None] = [*match.steps[since:], None]
        texts, new = [], []
        for line, step in zip(log.lines(match, since), steps, strict=False):
            text, seal = log.sealed(line, seal)
            if len(text) > log.LONGEST_LINE or (step is not None and len(step.text) > log.LONGEST_TEXT):
                raise ValueError(TOO_LARGE)
            end += len(text.encode())
            texts.append(text)
            new.append(LoggedLine(step, end, seal))
        return texts, new

    def begin(self, match: Match, same: bool) -> None:
        """Writes the match so far: appends if the file has the beginning of this match, else replaces it.

        Raises `OSError` or `ValueError`, and `DiagnosticError` if another match would be lost.
        """
        head = self.head
        first = log.head(match, head.options, head.players, head.small, head.nonce)
        text, seal = log.sealed(first, "")
        self.written = [LoggedLine(None, len(text.encode()), seal)]
        texts, new = self._lines(match, 0)
        data = "".join([text, *texts]).encode()
        if len(data) > LARGEST_LOG:
            raise ValueError(TOO_LARGE)
        self._put(self.file.read(LARGEST_LOG + 1), data, same)
        self.written += new

    def _put(self, existing: bytes, data: bytes, same: bool) -> None:
        intact = intact_part(existing)
        if not intact or not data.startswith(intact):
            if not same:
                check_free(self.path, existing)
            self.file.replace(data)
            return
        if len(intact) < len(existing):
            self.file.truncate(len(intact))
        if len(intact) < len(data):
            self.file.append(data[len(intact) :])

    def close(self) -> None:
        self.file.close()


def open_log(path: Path, head: Head, match: Match, resumed: GrowingFile | None = None) -> LogFile:
    """Opens the log file of a match and writes the match so far. Raises `DiagnosticError`.

    `resumed` is the open file that the match was read from. Another match that can be resumed is not
    overwritten.
    """
    try:
        file = resumed or locked(path)
        try:
            found = LogFile(path, file, head)
            found.begin(match, resumed is not None)
            return found
        except BaseException:
            file.close()
            raise
    except (OSError, ValueError) as error:
        raise DiagnosticError(CannotWrite(NOWHERE, str(path), why_not(error))) from None


def locked(path: Path) -> GrowingFile:
    """Opens and locks a file. Raises `DiagnosticError` if another process has locked it, and `OSError`."""
    try:
        return GrowingFile(path)
    except Busy:
        raise DiagnosticError(LogInUse(NOWHERE, str(path))) from None


def save_log(path: Path, text: str, match: Match | None = None) -> None:
    """Writes a complete log atomically. Raises `DiagnosticError`.

    Neither a file that is not a log is overwritten, nor another match that is not over.
    """
    try:
        file = locked(path)
        try:
            check_free(path, file.read(LARGEST_LOG + 1), match)
            file.replace(text.encode())
        finally:
            file.close()
    except (OSError, ValueError) as error:
        raise DiagnosticError(not_written(str(path), text.encode(), error)) from None


def check_free(path: Path, data: bytes, own: Match | None = None) -> None:
    """Raises `DiagnosticError` if a file must not be overwritten: if it is not a log, or if it has an
    unfinished match with players and choices other than `own`."""
    if not data:
        return
    found = _read(data)
    if found is None:
        why = "is damaged" if data.startswith(LOG_PREFIX) else "is not a log"
        raise DiagnosticError(CannotWrite(NOWHERE, str(path), f"it already exists and {why}"))
    if found.complete or not found.players or not any(entry.seat for entry in found.entries):
        return
    if own is None or (found.seed, found.digest) != (own.seed, own.game.machine.digest):
        raise DiagnosticError(OtherMatch(NOWHERE, str(path)))


def intact_part(data: bytes) -> bytes:
    """The complete lines of a log; empty if it cannot be read."""
    found = _read(data)
    if found is None or b"\r\n" in data:
        return b""
    return data[: len(data) - found.torn.size] if found.torn is not None else data


def _read(data: bytes) -> log.Log | None:
    try:
        return log.read(Source("", log.text_of(data)))
    except Fault:
        return None
