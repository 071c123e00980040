"""A process that works for ever in place of one that works out beliefs. A file says that it has begun."""

from __future__ import annotations

import os
import time
from pathlib import Path


def main() -> None:
    Path(os.environ["TMPDIR"], "begun").write_text(str(os.getpid()), "utf-8")
    time.sleep(600)


def serve() -> None:
    """`rulewright serve`, where beliefs take for ever."""
    from rulewright.main import main as command
    from rulewright.serve.matches import beliefs

    beliefs.PROCESS = "tests.serve.endless"
    command()


if __name__ == "__main__":
    serve()
