"""The process that reads and compiles an uploaded ruleset, bounded in time and memory.

It reads the archive from standard input and writes one JSON object: `files`, `title` and `name`; or
`refused`, a text; or `diagnostics`.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from typing import Any

from dsl.diagnostics import DiagnosticError, ErrorsReported, Report
from dsl.folder import Folder
from dsl.load import load
from dsl.render import as_json
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.deadline import TimeIsUp, at_most
from rulewright.serve.games.unpacking import UploadRefused, unpacked

SECONDS = 20
MEMORY = 1 << 30
"""Bytes of address space."""
SAMPLE_SEED = 1


def main() -> None:
    """Check the ruleset on standard input."""
    bound()
    json.dump(checked(sys.stdin.buffer.read()), sys.stdout)


def bound() -> None:
    """Limit memory and processor time of this process, and let it write no files."""
    try:
        import resource
    except ImportError:  # not on every system; the time is limited by the parent, too
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 5, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def checked(data: bytes) -> dict[str, Any]:
    """What is said of an archive."""
    try:
        with at_most(SECONDS):
            return _read(data)
    except UploadRefused as refused:
        return {"refused": refused.why}
    except TimeIsUp:
        return {"refused": f"it could not be read and compiled within {SECONDS} s"}
    except (MemoryError, RecursionError):
        return {"refused": "it needs too much memory"}
    except ErrorsReported as errors:
        return {"diagnostics": json.loads(as_json(errors.report))}
    except (DiagnosticError, Fault) as error:
        return {"diagnostics": json.loads(as_json(Report([error.diagnostic])))}


def _read(data: bytes) -> dict[str, Any]:
    files = unpacked(data)
    rules, _ = load(Folder("upload", _fetch_from(files)))
    low, high = rules.seats
    for seats in range(low, high + 1):
        game = Game(rules, compile_rules(rules, seats, {}))
        Match(game, SAMPLE_SEED).start()
    return {
        "name": rules.name,
        "title": rules.title,
        "digest": rules.digest,
        "files": {path: base64.b64encode(content).decode() for path, content in files.items()},
    }


def _fetch_from(files: dict[str, bytes]) -> Callable[[str], bytes]:
    def fetch(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(2, "no such file")
        return files[path]

    return fetch


if __name__ == "__main__":
    main()
