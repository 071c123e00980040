"""What Python calls by itself: finalizers and callbacks, whose exceptions it prints and drops."""

from __future__ import annotations

from types import FrameType

MODULES = frozenset({"weakref", "_weakrefset"})
"""Modules whose functions are called when an object has gone."""
FUNCTIONS = frozenset({("importlib._bootstrap", "cb"), ("concurrent.futures.process", "weakref_cb")})
"""Other such functions, by module."""


def in_callback(frame: FrameType | None) -> bool:
    """Whether an exception that is raised in a frame would be dropped on its way up."""
    while frame is not None:
        module, function = frame.f_globals.get("__name__"), frame.f_code.co_name
        if function == "__del__" or module in MODULES or (module, function) in FUNCTIONS:
            return True
        frame = frame.f_back
    return False
