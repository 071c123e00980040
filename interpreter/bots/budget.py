"""What a bot may take for one choice: iterations, which can be repeated, or time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.bots.messages import BadBudget
from interpreter.bots.settings import MOST_ITERATIONS

MOST_SECONDS: Final = 600.0
MOST_IN_TIME: Final = 1 << 20
"""The most iterations of a search that is given time."""
USUAL: Final = "write iterations, as `500`, or time, as `2s`"
FIRST_SLICE: Final = 16
MOMENT: Final = 0.005
"""Seconds that one call of the module should take, so that somebody can interrupt it, or have a turn."""


@dataclass(frozen=True, slots=True)
class Budget:
    """So many iterations, or so many seconds."""

    iterations: int | None = None
    seconds: float | None = None

    @property
    def most(self) -> int:
        """The most iterations that this can come to."""
        return self.iterations if self.iterations is not None else MOST_IN_TIME

    def without(self, spent: float) -> Budget:
        """What is left of time when so many seconds are spent; iterations stay."""
        return self if self.seconds is None else Budget(seconds=max(0.0, self.seconds - spent))

    def after(self, iterations: int, spent: float) -> Budget | None:
        """What is left when so many iterations are made, in so many seconds; none if it is spent."""
        if self.iterations is not None:
            left = self.iterations - iterations
            return Budget(iterations=left) if left > 0 else None
        if self.seconds is not None and (spent >= self.seconds or iterations >= self.most):
            return None
        return self.without(spent)

    @property
    def half(self) -> Budget:
        """Half of it, of iterations one at least."""
        if self.iterations is not None:
            return Budget(iterations=max(1, self.iterations // 2))
        return Budget(seconds=None if self.seconds is None else self.seconds / 2)

    def spend(
        self,
        run: Callable[[int], bool],
        deadline: float | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Calls `run` with numbers of iterations, a moment's worth at a time, until the budget is spent.

        It ends before when `run` says that there is nothing more to find. `deadline`: the seconds after which
        it ends anyway. `clock` is looked at between two moments; it may stand still while others work.
        """
        left, size = self.most, FIRST_SLICE
        begun = clock()
        end = begun + min(x for x in (self.seconds, deadline, math.inf) if x is not None)
        while left > 0:
            number = min(left, size)
            if not run(number):
                return
            left -= number
            now = clock()
            if now >= end:
                return
            each = max(1e-7, now - begun) / (self.most - left)
            size = max(1, min(4 * size, int(min(MOMENT, end - now) / each)))

    def __str__(self) -> str:
        return str(self.iterations) if self.iterations is not None else f"{self.seconds:g}s"


def read_budget(written: str) -> Budget:
    """`500`, `2s`, `0.5s` or `500ms`. Raises `DiagnosticError` with `BadBudget`."""
    text = written.strip()
    for suffix, factor in (("ms", 0.001), ("s", 1.0)):
        if text.endswith(suffix):
            return _seconds(written, text.removesuffix(suffix), factor)
    if not (text.isascii() and text.isdigit()):
        raise _bad(written, "it is neither a number of iterations nor a time")
    if len(text) > 12 or int(text) > MOST_ITERATIONS:
        raise _bad(written, "its tree needs more memory than there may be", f"at most {MOST_ITERATIONS}")
    if int(text) < 1:
        raise _bad(written, "a search has at least one iteration", "give 1 or more")
    return Budget(iterations=int(text))


def _seconds(written: str, number: str, factor: float) -> Budget:
    if not (number.isascii() and number.replace(".", "", 1).isdigit() and len(number) < 12):
        raise _bad(written, "it is neither a number of iterations nor a time")
    seconds = float(number) * factor
    if not 0.0 < seconds <= MOST_SECONDS:
        raise _bad(written, "a choice takes some time, but not for ever", f"at most {MOST_SECONDS:g}s")
    return Budget(seconds=seconds)


def _bad(written: str, why: str, hint: str = USUAL) -> DiagnosticError:
    return DiagnosticError(BadBudget(NOWHERE, written, why, hint))
