"""What somebody at a table could know, worked out in a process of its own and kept.

The process is given the rules and the log of a viewer, never the match: it cannot tell what it does not know.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import pickle
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any, Protocol

from interpreter.beliefs.seat_log import SeatLog
from rulewright.http.errors import ApiError
from rulewright.serve.cache import RecentlyUsed
from rulewright.serve.ending_work import EndingWork, ServerEnds
from rulewright.serve.fair_share import FairShare, Turns
from rulewright.serve.games.bounded_process import output_of
from rulewright.serve.store.storage import MatchRow, RulesetArchive

PROCESS = "rulewright.serve.matches.beliefs_process"
LONGEST = 20.0
"""Seconds until the process is killed, whatever it does."""
MOST_KEPT = 400
"""How many answers are kept."""
MOST_WAITING = 10
"""How many questions of one address are worked out or wait: those of a table of nine, with one to spare."""
OUT_OF_TIME: dict[str, Any] = {"failed": ""}
"""The answer if there is none in time; it may be asked for again."""

Asked = tuple[str, Mapping[str, bytes], int, Mapping[str, str], SeatLog]
"""What the process is given: the name and the files of a ruleset, the seats, the options, the log."""


class Archives(Protocol):
    """Where the rules of matches are kept."""

    def archive(self, digest: str) -> RulesetArchive | None: ...


class TableBeliefs:
    """Works out beliefs, one at a time by fair shares, and keeps those that were asked for last."""

    def __init__(self, archives: Archives, share: FairShare | None = None) -> None:
        self._archives = archives
        self._answers = RecentlyUsed[dict[str, Any]](MOST_KEPT)
        self._kept = RecentlyUsed[dict[str, Any]](MOST_KEPT)
        self._turns = Turns(share or FairShare())
        self._waiting: Counter[str] = Counter()
        self._until_the_end = EndingWork()

    def end(self) -> None:
        """The server goes down: what is worked out is given up, and who waits is answered `OUT_OF_TIME`."""
        self._until_the_end.end()

    def kept(self, asked: Hashable) -> dict[str, Any] | None:
        """The answer to a question that was answered lately."""
        return self._answers.get(asked)

    async def in_turn(
        self, asked: Hashable, who: str, work: Callable[[], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """The answer to a question, worked out when it is its turn. Of each address only so many
        wait, as others wait behind them. Raises `ApiError`."""
        if self._waiting[who] >= MOST_WAITING:
            raise ApiError("too-many", "more requests than are allowed", headers={"Retry-After": "5"})
        self._waiting[who] += 1
        try:
            return await self._until_the_end.result(self._when_free(asked, work))
        except ServerEnds:
            return OUT_OF_TIME
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]

    async def _when_free(
        self, asked: Hashable, work: Callable[[], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        async with self._turns.turn():
            answer = self.kept(asked)
            if answer is None:
                answer = await work()
                if answer != OUT_OF_TIME:
                    self._answers.put(asked, answer)
            return answer

    async def of(self, row: MatchRow, log: SeatLog) -> dict[str, Any]:
        """The beliefs of a viewer as JSON; equal logs are worked out once.

        `exactness` and `hidden` as `rulewright replay --beliefs --json` has them, or `failed` with a code,
        empty if it took too long.
        """
        about = row.archive, row.seats, sorted(row.options.items()), log
        key = hashlib.sha256(pickle.dumps(about)).digest()
        found = self._kept.get(key)
        if found is None:
            found = await self._worked_out(row, log)
            if found != OUT_OF_TIME:
                self._kept.put(key, found)
        return found

    async def _worked_out(self, row: MatchRow, log: SeatLog) -> dict[str, Any]:
        archive = await asyncio.to_thread(self._archives.archive, row.archive)
        if archive is None:
            return OUT_OF_TIME
        asked: Asked = (archive.name, dict(archive.files), row.seats, dict(row.options), log)
        output = await output_of(PROCESS, (), pickle.dumps(asked), LONGEST)
        try:
            found: dict[str, Any] = json.loads(output)
        except ValueError:
            return OUT_OF_TIME
        return found
