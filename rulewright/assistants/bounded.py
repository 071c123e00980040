"""Runs a module with a limit of processor time.

`python -m rulewright.assistants.bounded SECONDS MODULE WORD...`. The server kills what takes too long. This
limit is for a server that has been killed itself.
"""

from __future__ import annotations

import runpy
import sys

SPARE = 5
"""Seconds of processor time more than the server allows by the clock."""


def limit_processor(seconds: int) -> None:
    """The system ends this process after so many seconds of processor time, where it can."""
    try:
        import resource
    except ImportError:  # not on every system
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


if __name__ == "__main__":
    limit_processor(int(sys.argv[1]) + SPARE)
    sys.argv = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__")
