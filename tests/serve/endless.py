"""A process that works for ever in place of those of the server. A file says that it has begun."""

from __future__ import annotations

import os
import time
from pathlib import Path


def main() -> None:
    Path(os.environ["TMPDIR"], "begun").write_text(str(os.getpid()), "utf-8")
    time.sleep(600)


def serve() -> None:
    """`rulewright serve`, where beliefs and uploads take for ever."""
    from rulewright.main import main as command
    from rulewright.serve.games import bounded_process
    from rulewright.serve.matches import beliefs

    beliefs.PROCESS = bounded_process.UPLOADS = "tests.serve.endless"
    command()


if __name__ == "__main__":
    serve()
