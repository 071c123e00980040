"""How much of the server's time rules may take: a ruleset of a stranger must not stop the matches of others.

All rules run on the thread of the event loop. Each piece of work is stopped after a while; the rules of
strangers have a shorter while, only a share of the time together, and rest when they have used a piece up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.garbage import garbage_collection_paused
from interpreter.match import Match
from rulewright.processes.deadline import TimeIsUp, at_most_busy
from rulewright.serve.fair_share import FairShare, Turns, payer
from rulewright.serve.messages import TooCostly
from rulewright.serve.store.storage import MatchRow

MOST_SECONDS, STRANGERS_SECONDS = 2.0, 0.5
"""Processor seconds of one choice, view or explanation. The slowest of a bundled game takes 0.02."""
OPENING_SECONDS, STRANGERS_OPENING = 20.0, 2.0
"""Processor seconds for playing a match again from its log."""
SHARE, MOST_SAVED = 0.25, 3.0
"""The part of the time that the rules of all strangers have together; how many seconds of it can be saved."""
REST = 60.0
"""Seconds for which the rules of a stranger are refused after they have used a piece up."""
MOST_EVENTS, STRANGERS_EVENTS = 20_000, 2_000
"""Events of one choice. The most of a bundled game are some dozens, and hundreds in its set-up."""
STRANGERS_TOLD = 50_000
"""Events of a whole match by the rules of a stranger, which stay in memory as long as it is used."""
LARGEST_VIEW = 1 << 20
"""Bytes of one message about a match."""
TOO_LONG, USED_UP = "take too long", "have had their share of the server's time"
TOO_MUCH, TOO_MUCH_IN_ALL = "make too much happen at once", "have made too much happen in this match"


class Allowance:
    """Bounds what rules do. `is_stranger` says by the source of a match whether a stranger made its rules."""

    def __init__(
        self,
        is_stranger: Callable[[str], bool] = lambda _: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.is_stranger = is_stranger
        self.share = FairShare(clock)
        self.turns = Turns(self.share)
        """Whose turn it is on the event loop."""
        self._clock = clock
        self._resting: dict[str, float] = {}
        self._unopened: dict[str, float] = {}
        """Until when matches are not tried again that took too long to be opened, as pages connect again."""
        self._saved, self._since = MOST_SAVED, clock()
        self._inside = False

    @contextmanager
    def running(self, row: MatchRow, opening: bool = False) -> Iterator[None]:
        """Let the rules of a match run, without waiting for anything. Within another such piece it is a part
        of that.

        Raises `DiagnosticError` with `TooCostly`; what was begun must be dropped then.
        """
        if self._inside:
            yield
            return
        stranger = self.is_stranger(row.source)
        if stranger:
            self._check(row)
        if opening and self._unopened.get(row.id, 0.0) > self._clock():
            raise _too_costly(TOO_LONG)
        trusted, strangers = (
            (OPENING_SECONDS, STRANGERS_OPENING) if opening else (MOST_SECONDS, STRANGERS_SECONDS)
        )
        begun, self._inside = time.thread_time(), True
        try:
            # rules do not pay for what others keep
            with garbage_collection_paused(), at_most_busy(strangers if stranger else trusted):
                yield
        except TimeIsUp:
            if stranger:
                self._resting[row.digest] = self._clock() + REST
            if opening:
                self._note_unopened(row.id)
            raise _too_costly(TOO_LONG) from None
        finally:
            self._inside = False
            spent = time.thread_time() - begun
            self.share.charge(payer().accounts, spent)
            if stranger:
                self._saved -= spent

    def check_told(self, row: MatchRow, before: int, match: Match) -> None:
        """Raises `DiagnosticError` with `TooCostly` if the steps from a number on tell too much."""
        told = sum(len(step.events) for step in match.steps[before:])
        stranger = self.is_stranger(row.source)
        if told > (STRANGERS_EVENTS if stranger else MOST_EVENTS):
            raise _too_costly(TOO_MUCH)
        if stranger and told + sum(len(step.events) for step in match.steps[:before]) > STRANGERS_TOLD:
            raise _too_costly(TOO_MUCH_IN_ALL)

    def wait(self, row: MatchRow) -> float:
        """In how many seconds the rules of a match may run again; 0 if they may now."""
        if not self.is_stranger(row.source):
            return 0.0
        self._save()
        rest = self._resting.get(row.digest, 0.0) - self._clock()
        return max(0.0, rest, -self._saved / SHARE)

    def _check(self, row: MatchRow) -> None:
        if self.wait(row) > 0:
            raise _too_costly(TOO_LONG if row.digest in self._resting else USED_UP)
        self._resting.pop(row.digest, None)

    def _note_unopened(self, match: str) -> None:
        now = self._clock()
        self._unopened = {one: until for one, until in self._unopened.items() if until > now}
        self._unopened[match] = now + REST

    def _save(self) -> None:
        now = self._clock()
        self._saved = min(MOST_SAVED, self._saved + (now - self._since) * SHARE)
        self._since = now


def sendable(text: str) -> str:
    """A text that may be sent. Raises `DiagnosticError` if it is too large."""
    if len(text) > LARGEST_VIEW:
        raise _too_costly("make views of more than a megabyte")
    return text


def _too_costly(why: str) -> DiagnosticError:
    return DiagnosticError(TooCostly(NOWHERE, why))
