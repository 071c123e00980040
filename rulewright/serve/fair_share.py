"""Shares of the processor: whoever has had less of it lately is served first.

What is done for a visitor is charged to two accounts: that of the visitor, and that of the address. Neither
many visitors of one address nor many addresses of one visitor have more than one share, and a visitor who has
had little is not kept waiting by others of the same address. What an account has had counts half after a
while. Of those who wait the one is served first whose accounts have had least; what nobody watches comes
last.

That is the scheduling of J. Kay and P. Lauder, "A Fair Share Scheduler", Communications of the ACM 31 (1),
1988, with turns in place of priorities.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial

HALF_LIFE = 10.0
"""Seconds after which what somebody has had counts half."""
MUCH = 3.0
"""Seconds from which on an account has had much; whose accounts all have stands back for others."""
MOST_ACCOUNTS = 10_000
"""Accounts that are kept, those that have had most."""
SLICE = 0.1
"""Seconds after which long work looks whether it is somebody else's turn; at once if somebody has come."""


def _always() -> bool:
    """Whether somebody waits for what a person has asked for."""
    return True


def _never() -> bool:
    """Whether somebody waits for what nobody has asked for."""
    return False


@dataclass(frozen=True, slots=True)
class Payer:
    """For whom something is done: the accounts that it is charged to, and whether somebody watches."""

    accounts: tuple[str, ...] = ()
    watched: Callable[[], bool] = _always


NOBODY = Payer((), _never)
_payer: ContextVar[Payer] = ContextVar("payer", default=NOBODY)


def payer() -> Payer:
    """For whom the running task works."""
    return _payer.get()


def works_for(found: Payer) -> None:
    """Let the running task, and what it starts from now on, work for somebody."""
    _payer.set(found)


class FairShare:
    """What accounts have had of the processor lately. It may be used by several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._had: dict[str, float] = {}
        """In seconds as if they were had at `_since`: later ones are worth more."""
        self.lock = threading.RLock()

    def charge(self, accounts: tuple[str, ...], seconds: float) -> None:
        """Note that so many seconds were spent for some accounts."""
        with self.lock:
            growth = (self._clock() - self._since) / HALF_LIFE
            if growth > 64:
                self._begin_again(growth)
                growth = 0.0
            for account in accounts:
                self._had[account] = self._had.get(account, 0.0) + seconds * math.exp2(growth)
            if len(self._had) > 2 * MOST_ACCOUNTS:
                most = sorted(self._had.items(), key=lambda one: -one[1])
                self._had = dict(most[:MOST_ACCOUNTS])

    def _begin_again(self, growth: float) -> None:
        self._since = self._clock()
        self._had = {account: had * math.exp2(-growth) for account, had in self._had.items()}

    def had(self, accounts: tuple[str, ...], now: float | None = None) -> tuple[float, float, float]:
        """What accounts have had lately, in seconds, as they are compared with those of others.

        The most that one has had, and what all have had, each up to `MUCH`; then the most, whatever it is.
        """
        with self.lock:
            worth = math.exp2(-((self._clock() if now is None else now) - self._since) / HALF_LIFE)
            found = [worth * self._had.get(account, 0.0) for account in accounts]
        bounded = [min(MUCH, one) for one in found]
        return max(bounded, default=0.0), sum(bounded), max(found, default=0.0)

    def has_had_much(self, accounts: tuple[str, ...]) -> bool:
        """Whether all of some accounts have had much lately."""
        return self.had(accounts)[1] >= MUCH * len(accounts)

    def now(self) -> float:
        """The time for `had`, the same for all who are compared."""
        return self._clock()

    @contextmanager
    def charging(self) -> Iterator[None]:
        """Charge the time of the processor that this thread spends to whom the task works for."""
        begun = time.thread_time()
        try:
            yield
        finally:
            self.charge(payer().accounts, time.thread_time() - begun)


@dataclass(eq=False)
class Turn:
    """Somebody's turn, or that they wait for one; `enough` says that others need its place."""

    payer: Payer
    number: int
    wake: Callable[[], None]
    since: float = 0.0
    begun: bool = False
    enough: bool = False


class Turns:
    """A few who have their turn at a time; the others wait, and the one who has had least is next. While one
    has its turn who has not had much, none has who has, as they would get in each other's way.

    Work in threads can `pause`: it goes on at once, or when it is its turn again. At most `most_begun` have
    begun, those that pause included; if others need a place, the one that has had most is told that it is
    `enough`.
    """

    def __init__(self, share: FairShare, slots: int = 1, most_begun: int = 1 << 30) -> None:
        self.share = share
        self.most_begun = most_begun
        self._free = slots
        self._numbers = itertools.count()
        self._waiting: list[Turn] = []
        self._begun: set[Turn] = set()
        self._running: set[Turn] = set()
        self._closed = False
        self.came = 0
        """How often somebody has come, or was told that it is enough."""

    async def enter(self, payer: Payer) -> Turn:
        """Wait for a turn, which `leave` ends."""
        loop = asyncio.get_running_loop()
        granted: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            loop.call_soon_threadsafe(_done, granted)

        with self.share.lock:
            turn = Turn(payer, next(self._numbers), wake)
            self._waiting.append(turn)
            self.came += 1
            self._grant()
            if turn in self._running:
                return turn
        try:
            await granted
        except asyncio.CancelledError:
            with self.share.lock:
                if turn in self._waiting:
                    self._waiting.remove(turn)
                else:
                    self.leave(turn)
            raise
        return turn

    def leave(self, turn: Turn, charged: bool = True) -> None:
        """End a turn, and charge the time since it began unless that is charged elsewhere."""
        with self.share.lock:
            if charged:
                self._charge(turn)
            self._begun.discard(turn)
            self._running.discard(turn)
            self._free += 1
            self._grant()

    def pause(self, turn: Turn) -> bool:
        """Let others have their turn if they have had less. Returns whether there is time for more work.

        To be called in a thread, not on the event loop.
        """
        woken = threading.Event()
        with self.share.lock:
            self._charge(turn)
            if self._closed or turn.enough:
                return False
            turn.wake = woken.set
            self._waiting.append(turn)
            self._running.discard(turn)
            self._free += 1
            self._grant()
        woken.wait()
        return not (self._closed or turn.enough)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A turn of whom the running task works for, which is charged the time that it takes."""
        turn = await self.enter(payer())
        try:
            yield
        finally:
            self.leave(turn)

    async def step(self) -> None:
        """Wait until what comes next on the event loop may be done: one at a time, and others in between."""
        turn = await self.enter(payer())
        asyncio.get_running_loop().call_soon(self.leave, turn, False)

    def close(self) -> None:
        """Let all who pause end."""
        with self.share.lock:
            self._closed = True
            self.came += 1
            for turn in [turn for turn in self._waiting if turn.begun]:
                self._waiting.remove(turn)
                self._begin(turn)
                turn.wake()

    # ---- under the lock

    def _charge(self, turn: Turn) -> None:
        now = time.perf_counter()
        self.share.charge(turn.payer.accounts, now - turn.since)
        turn.since = now

    def _order(self, turn: Turn, now: float) -> tuple[bool, tuple[float, float, float], int]:
        return not turn.payer.watched(), self.share.had(turn.payer.accounts, now), turn.number

    def _best(self, now: float) -> Turn | None:
        """Who is next, if anybody can be."""
        order = partial(self._order, now=now)
        waiting = self._waiting
        if not all(map(self._stands_back, self._running)):
            waiting = [turn for turn in waiting if not self._stands_back(turn)]
        best = min(waiting, key=order, default=None)
        if best is not None and not best.begun and len(self._begun) >= self.most_begun:
            heaviest = max(self._begun, key=order)
            if order(heaviest)[:2] > order(best)[:2]:
                heaviest.enough = True
                self.came += 1
                if heaviest in self._waiting:
                    return heaviest  # it ends, which makes room
            best = min((turn for turn in waiting if turn.begun), key=order, default=None)
        return best

    def _stands_back(self, turn: Turn) -> bool:
        return not turn.payer.watched() or self.share.has_had_much(turn.payer.accounts)

    def _grant(self) -> None:
        while self._free > 0 and (best := self._best(self.share.now())) is not None:
            self._waiting.remove(best)
            self._begin(best)
            best.wake()

    def _begin(self, turn: Turn) -> None:
        self._free -= 1
        turn.begun, turn.since = True, time.perf_counter()
        self._begun.add(turn)
        self._running.add(turn)


class TurnClock:
    """The seconds that work in a thread has had: between two slices it stands still, as others have turns."""

    def __init__(self, turns: Turns, turn: Turn) -> None:
        self._turns = turns
        self._turn = turn
        self._had = 0.0
        self._since = time.perf_counter()
        self._looked, self._came = self._since, turns.came

    def __call__(self) -> float:
        """The seconds so far; infinite when it is enough."""
        now = time.perf_counter()
        if self._came != self._turns.came or now - self._looked >= SLICE:
            self._came = self._turns.came
            if not self._turns.pause(self._turn):
                return math.inf
            again = time.perf_counter()
            self._had += now - self._since
            self._since = self._looked = again
            now = again
        return self._had + now - self._since


def _done(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
