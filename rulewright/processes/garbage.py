"""When the servers of editors search for garbage. A search stops all threads, so nobody may wait for one.

Reading, indexing and compiling a ruleset leaves next to no cycles: what an edit replaces is freed when the
last reference to it goes. What is left to search for are the cycles of libraries, among the few things that
were made since the last reading; `spare` leaves out what was read.
"""

from __future__ import annotations

import gc


def search_at_rest() -> None:
    """From now on this process searches only when `clear_up` is called."""
    gc.disable()
    spare()


def spare() -> None:
    """Leave everything that there is now out of later searches, in a process that searches at rest."""
    if not gc.isenabled():
        gc.freeze()


def clear_up() -> None:
    """Search what was made since `spare`."""
    gc.collect()
    spare()


def search_everything() -> None:
    """Search also what is left out of other searches: something large has ended, which may have cycles."""
    gc.unfreeze()
    clear_up()
