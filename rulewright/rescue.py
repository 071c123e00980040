"""Results of long work that can no longer be written or printed: they are kept elsewhere."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path

import click

from dsl.diagnostics import Diagnostic
from dsl.source import NOWHERE
from rulewright import durable
from rulewright.experiments.messages import KeptElsewhere
from rulewright.messages import CannotWrite
from rulewright.reading import why_not
from rulewright.streams import discard_output


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


def print_or_rescue(text: str, name: str) -> Diagnostic | None:
    """Prints an answer; nothing is returned if that was possible.

    Otherwise, as where the output is a file on a full disk, a new folder for temporary files has it in a file
    of this name, and `KeptElsewhere` says so; or `CannotWrite`, if there is no room for it either. An output
    that nobody reads any more raises `BrokenPipeError`.
    """
    try:
        click.echo(text)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        discard_output()
        return _rescued({Path(name): f"{text}\n".encode()}, "the output", why_not(error))
    return None


def _rescued(files: Mapping[Path, bytes], path: str, why: str) -> Diagnostic:
    try:
        folder = Path(tempfile.gettempdir()) / f"rulewright-{secrets.token_hex(4)}"
        durable.make_folder(folder, {path.name: data for path, data in files.items()})
    except (OSError, ValueError):
        return CannotWrite(NOWHERE, path, why)
    return KeptElsewhere(NOWHERE, path, why, str(folder))
