"""How much time an experiment may take, and how much of it each of its parts."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass


@dataclass(eq=False)
class TimeLimit:
    """The moment at which something has to end, by the monotonic clock; without one it may take any time."""

    end: float = math.inf

    @classmethod
    def within(cls, seconds: float | None) -> TimeLimit:
        """So many seconds from now on, or for ever."""
        return cls(time.monotonic() + seconds if seconds is not None else math.inf)

    @property
    def limited(self) -> bool:
        return self.end < math.inf

    def left(self) -> float:
        """Seconds until then; below 0 after it."""
        return self.end - time.monotonic()

    def share(self, part: float) -> TimeLimit:
        """A limit at which this part of what is left is used up."""
        return TimeLimit(time.monotonic() + max(0.0, self.left()) * part) if self.limited else self


UNLIMITED = TimeLimit()
