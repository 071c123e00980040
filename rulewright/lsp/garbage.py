"""When the servers of editors search for garbage. A search stops all threads, so nobody may wait for one.

Reading and indexing a ruleset leaves no cycles: what an edit replaces is freed when the last reference to it
goes. What is left to search for are the cycles of libraries, among the few things that were made since the
last reading: `spare` leaves out what was read.
"""

from __future__ import annotations

import gc


def spare() -> None:
    """Leave everything that there is now out of later searches; there are none but those of `clear_up`."""
    gc.disable()
    gc.freeze()


def clear_up() -> None:
    """Search what was made since `spare`."""
    gc.collect()
