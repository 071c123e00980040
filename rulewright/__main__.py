"""The command `rulewright`, also as `python -m rulewright`: what it imports can be interrupted too."""

import sys

from interpreter.garbage import garbage_collection_paused
from rulewright.processes.interrupts import INTERRUPTED, answered


def run() -> None:
    """Carry out the words of the command line and exit."""
    with answered():
        try:
            with garbage_collection_paused():
                from rulewright.main import main

            main(prog_name="rulewright")
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
