"""The exit codes of commands whose work can end early."""

from __future__ import annotations

from rulewright.processes.early_end import Ended
from rulewright.processes.interrupts import INTERRUPTED
from rulewright.terminal.output import complain


def exit_code(found: Ended, failed: int, otherwise: int) -> int:
    """Complains of what ended the work early; the exit code."""
    if found.failure is not None:
        complain([found.failure])
    if found.interrupted:
        return INTERRUPTED
    return failed if found.failure is not None else otherwise
