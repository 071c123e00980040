"""Files that hold what long work has found: where they cannot be written any more, it is kept elsewhere."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path

from dsl.diagnostics import Diagnostic
from dsl.source import NOWHERE
from rulewright import durable
from rulewright.experiments.messages import KeptElsewhere
from rulewright.messages import CannotWrite
from rulewright.reading import why_not


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


def _rescued(files: Mapping[Path, bytes], path: str, why: str) -> Diagnostic:
    try:
        folder = Path(tempfile.gettempdir()) / f"rulewright-{secrets.token_hex(4)}"
        durable.make_folder(folder, {path.name: data for path, data in files.items()})
    except (OSError, ValueError):
        return CannotWrite(NOWHERE, path, why)
    return KeptElsewhere(NOWHERE, path, why, str(folder))
