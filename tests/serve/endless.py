"""A process that works for ever in place of those of the server. A file says that it has begun."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NoReturn


def main() -> None:
    Path(os.environ["TMPDIR"], "begun").write_text(str(os.getpid()), "utf-8")
    time.sleep(600)


def compile_without_end(*_: object) -> NoReturn:
    """In a thread of the server."""
    Path(os.environ["TMPDIR"], "begun").write_text(str(os.getpid()), "utf-8")
    while True:
        time.sleep(0.01)


def serve() -> None:
    """`rulewright serve`, where beliefs, uploads and compiling for a match take for ever."""
    from rulewright.main import main as command
    from rulewright.serve.games import bounded_process, compiled
    from rulewright.serve.matches import beliefs

    beliefs.PROCESS = bounded_process.UPLOADS = "tests.serve.endless"
    if os.environ["TESTED"] == "opens_a_table":
        compiled.compile_rules = compile_without_end
    command()


if __name__ == "__main__":
    serve()
