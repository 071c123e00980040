"""What is said of files that cannot be written. Results of long work are then kept elsewhere."""

from __future__ import annotations

import errno
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.source import NOWHERE
from rulewright.files import durable
from rulewright.files.reading import why_not
from rulewright.messages import CannotWrite, KeptElsewhere

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of a disk that has no room, or none for this user, or is broken."""


@contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """Raises `DiagnosticError` with `CannotWrite` where its body cannot write this file or folder."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise DiagnosticError(CannotWrite(NOWHERE, str(path), why_not(error))) from None


def write_or_rescue(files: Mapping[Path, bytes]) -> Diagnostic | None:
    """Writes files atomically, one after the other; nothing is returned if all are there.

    Otherwise a new folder for temporary files has all of them, and `KeptElsewhere` says so; or `CannotWrite`,
    if there is no room for it either.
    """
    try:
        for path, data in files.items():
            durable.write(path, data)
    except (OSError, ValueError) as error:
        return _rescued(files, str(path), why_not(error))
    return None


def not_written(path: str, data: bytes, error: OSError | ValueError) -> Diagnostic:
    """What is said of a file that could not be written: on a full disk, where its content is kept instead."""
    if isinstance(error, OSError) and error.errno in FULL:
        return _rescued({Path(path): data}, path, why_not(error))
    return CannotWrite(NOWHERE, path, why_not(error))


def rescue_output(text: str, error: OSError, name: str) -> Diagnostic:
    """Keeps an answer that could not be printed, as where the output is a file on a full disk.

    A new folder for temporary files has all of it in a file of this name, and `KeptElsewhere` says so; or
    `CannotWrite`, if there is no room for it either.
    """
    return _rescued({Path(name): text.encode()}, "the output", why_not(error))


def _rescued(files: Mapping[Path, bytes], path: str, why: str) -> Diagnostic:
    try:
        folder = Path(tempfile.gettempdir()) / f"rulewright-{secrets.token_hex(4)}"
        durable.make_folder(folder, {path.name: data for path, data in files.items()})
    except (OSError, ValueError):
        return CannotWrite(NOWHERE, path, why)
    return KeptElsewhere(NOWHERE, path, why, str(folder))
