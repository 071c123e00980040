"""What can go wrong while an experiment is carried out; what was finished before is shown all the same."""

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


@dataclass(frozen=True)
class KeptElsewhere(Diagnostic):
    """What was found cannot be written to where it should go, and has been written to another folder.

    The file could be written when the command began; since then the disk has become full, or the folder has
    gone. So it is with what a command prints, where the output goes to a file on a full disk. The folder for
    temporary files has all that was found, so that nothing has to be done again. Move it from there: the
    system may empty that folder.
    """

    code = "R275"
    slug = "kept-elsewhere"
    title = "`{path}` can no longer be written: {why}"
    advice = "what was found is in the folder `{folder}`: move it from there"
    path: str
    why: str
    folder: str


@dataclass(frozen=True)
class NobodyToMeet(Diagnostic):
    """Bots are to play each other in a match with one seat.

    An arena rates bots by what they win against each other, so a match needs two seats or more. In a game for
    one, look at the totals that each bot reaches: `rulewright simulate` has them.
    """

    code = "R276"
    slug = "nobody-to-meet"
    title = "bots do not meet in `{game}` with one seat"
    advice = "{hint}"
    game: str
    hint: str
