"""R267 and R268: what can go wrong with processes that work side by side; what was finished is kept."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class WorkerLost(Diagnostic):
    """A process that played matches has ended before its time.

    Mostly the system has ended it because memory was short: every process holds the compiled games, and bots
    that search also hold their trees. Everything that was finished before is counted and shown.
    """

    code = "R267"
    slug = "worker-lost"
    title = "a process that was playing has ended unexpectedly"
    advice = "often memory is short: use fewer processes with `--jobs`, or bots that search less"


@dataclass(frozen=True)
class MemoryShort(Diagnostic):
    """A match needs more memory than there is, or than a module can hold.

    A search keeps its tree in the memory of a module, which has at most 4 GiB. Everything that was finished
    before is counted and shown.
    """

    code = "R268"
    slug = "memory-short"
    title = "there is not enough memory for what these bots keep"
    advice = "use bots that search less, as `search:1000`, or fewer processes with `--jobs`"
