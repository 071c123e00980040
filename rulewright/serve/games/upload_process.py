"""The process that reads and compiles uploaded rulesets, bounded in time and memory.

With `check` it reads an archive from standard input, otherwise as JSON what is to be made of a ruleset that
is kept. It writes one JSON object: `files`, `title` and `name`, or what was `made`; or `refused`, a text; or
`diagnostics`.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from dsl.diagnostics import DiagnosticError, ErrorsReported, Report
from dsl.folder import BASE, overlaid
from dsl.load import load
from dsl.render import as_json
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.sights import SPECTATOR
from rulewright.library import bundled, find, folder, open_game, read_rules
from rulewright.presentation.position import position
from rulewright.processes.deadline import TimeIsUp, at_most_busy
from rulewright.serve.games.unpacking import UploadRefused, folder_of, unpacked

SECONDS = 20
"""Of the processor. What takes them here once, the server does again, in a thread beside its loop."""
MEMORY = 1 << 30
"""Bytes of address space."""
SAMPLE_SEED = 1
BEHIND = 3
"""By how much the process is nicer than the server."""


def main() -> None:
    """Carry out what standard input asks for."""
    bound()
    json.dump(answered(sys.argv[1], sys.stdin.buffer.read()), sys.stdout)


def bound() -> None:
    """Limit memory and processor time of this process, and let it write no files."""
    try:
        import resource
    except ImportError:  # not on every system; the time is limited by the parent, too
        return
    os.nice(BEHIND)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 5, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def answered(what: str, data: bytes) -> dict[str, Any]:
    """What is said of an archive, or of a ruleset that is kept."""
    try:
        with at_most_busy(SECONDS):
            return _read(data) if what == "check" else {"made": _made(what, json.loads(data))}
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
    files |= base_of(files)
    rules, _ = load(folder_of("upload", files))
    for seats in rules.seat_counts:
        game = Game(rules, compile_rules(rules, seats, {}))
        _looked_at(game)
    return {
        "name": rules.name,
        "title": rules.title,
        "files": {path: base64.b64encode(content).decode() for path, content in files.items()},
    }


def base_of(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of the bundled game under an overlay, as they are kept with it; none for other rulesets."""
    base = overlaid(files.get("game.yaml", b""))
    if base not in bundled() or any(path.startswith(BASE) for path in files):
        return {}
    reader = folder(find(base))
    load(reader)
    return {f"{BASE}{path}": content for path, content in {**reader.files, **reader.looks}.items()}


def _looked_at(game: Game) -> None:
    """Begin a match, and look at it as everybody. Raises `Fault`."""
    match = Match(game, SAMPLE_SEED).start()
    for viewer in range(SPECTATOR, game.machine.seats):
        position(match, viewer)


def _made(what: str, asked: dict[str, Any]) -> Any:
    """Something of a ruleset that is kept. Raises `DiagnosticError`, `ErrorsReported` or `Fault`."""
    from rulewright.presentation.description import describe, encode
    from rulewright.rulebook.configured import configured_book
    from rulewright.serve.games.documents import picture, rulebook

    source, seats, options = asked["source"], asked.get("seats"), asked.get("options") or {}
    if what == "compiled":
        game = open_game(source, seats, options, "reference")
        _looked_at(game)
        return len(encode(describe(game)))
    rules, _ = read_rules(source)
    if what == "picture":
        return picture(source, rules, "reference")  # the fast executor reserves more memory than is allowed
    if what == "rulebook":
        return rulebook(source, rules, seats, options, asked["lang"])
    return {
        mark: list(anchors) for mark, anchors in configured_book(source, rules, None, {}, None).where.items()
    }


if __name__ == "__main__":
    main()
