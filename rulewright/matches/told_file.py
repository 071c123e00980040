"""The log file of a match at a physical table: what was told is on disk before the referee continues.

The log is that of `interpreter/companion_log.py`; `log_file` is the same for other matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE, Source
from interpreter.companion_log import ToldLog, is_told, read
from interpreter.log import text_of
from rulewright.files.durable import GrowingFile
from rulewright.files.reading import read_bytes, why_not
from rulewright.files.rescue import writing
from rulewright.matches.log_file import LARGEST_LOG, locked
from rulewright.messages import CannotWrite, OtherMatch


@dataclass
class ToldFile:
    """A log of a physical table that grows with its match. The file is locked while it is open."""

    path: Path
    file: GrowingFile
    written: str

    def update(self, text: str) -> None:
        """Makes the file have a text: appends what is new. Raises `DiagnosticError`."""
        with writing(self.path):
            if text.startswith(self.written):
                if len(text) > len(self.written):
                    self.file.append(text[len(self.written) :].encode())
            else:
                self.file.replace(text.encode())
        self.written = text

    def close(self) -> None:
        self.file.close()


def read_told(path: Path) -> ToldLog:
    """A log of a physical table from disk. Raises `DiagnosticError`, `Fault` with `BrokenLog`."""
    return read(Source(str(path), text_of(read_bytes(str(path), LARGEST_LOG))))


def open_told(path: Path, text: str, resumed: bool) -> ToldFile:
    """Opens the file of a match, and writes the match so far. Raises `DiagnosticError`.

    Unless the match was `resumed` from it, the file must be new or empty.
    """
    try:
        file = locked(path)
        try:
            existing = file.read(LARGEST_LOG + 1)
            if existing and not resumed:
                _refuse(path, text_of(existing))
            if existing.decode("utf-8", "replace") != text:
                file.replace(text.encode())
        except BaseException:
            file.close()
            raise
    except (OSError, ValueError) as error:
        raise DiagnosticError(CannotWrite(NOWHERE, str(path), why_not(error))) from None
    return ToldFile(path, file, text)


def _refuse(path: Path, existing: str) -> None:
    """Raises `DiagnosticError`: a file is not overwritten."""
    if is_told(existing):
        raise DiagnosticError(OtherMatch(NOWHERE, str(path)))
    raise DiagnosticError(CannotWrite(NOWHERE, str(path), "it already exists"))
