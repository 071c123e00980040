"""Playtests: what players who agreed to it do at a table, and the records of matches that have ended.

While a match goes on, a record is in the store alone, and each player is told of their own part of it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from dsl.diagnostics import DiagnosticError, ErrorsReported
from interpreter.messages import Fault
from rulewright.files import durable
from rulewright.matches.playtests import KINDS, PREFIX, SUFFIX, Happening, Kind, PlaytestRecord, written
from rulewright.serve.api.client_messages import Choose, Why
from rulewright.serve.config import PlaytestConfig
from rulewright.serve.matches.event_log import EventLog
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.service import MatchService
from rulewright.serve.store.playtest_rows import AGREED, FOLDER, PlaytestRow, PlaytestRows
from rulewright.serve.store.sql import SqlStorage
from rulewright.serve.store.storage import Conflict, LogRow, StoreFailed
from rulewright.serve.tables.match_settings import ENDED

LOG = logging.getLogger(__name__)
MOST_CLAUSES, LONGEST_CONDITION = 20, 200
KEPT_WHY: Mapping[type, Kind] = {Choose: "refused", Why: "why"}


class Playtests:
    """Notes what is done at the tables of a server, if they are playtests. To be called on the loop."""

    def __init__(self, config: PlaytestConfig | None, storage: SqlStorage, service: MatchService) -> None:
        self.config = config
        self.rows = PlaytestRows(storage)
        self._storage = storage
        self._service = service
        self._tasks: set[asyncio.Task[None]] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def start(self) -> None:
        """Write the record of each match that ends, and of those that ended before."""
        if self.config is not None:
            self._service.registry.after.append(self._committed)
            self._begin(self._catch_up())

    async def close(self) -> None:
        """Finish what is being written."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _committed(self, live: LiveMatch) -> None:
        if live.row.status in ENDED:
            self._begin(self.keep(live.row.id))

    async def _catch_up(self) -> None:
        try:
            for match in await self.rows.matches():
                if not self._file(match).exists():
                    await self.keep(match)
        except StoreFailed as error:
            LOG.warning("what earlier playtests left is not written: %s", error)

    # ---- what is noted

    async def refused(self, live: LiveMatch, seat: int, request: Choose | Why, answer: str) -> None:
        """Note what a seat was refused, or told of why it would be."""
        if self.config is None:
            return
        refusal = json.loads(answer).get("refusal")
        if refusal is not None:
            data = {
                "clauses": _clauses(refusal)[:MOST_CLAUSES],
                "condition": _condition(refusal)[:LONGEST_CONDITION],
            }
            await self.note(live, seat, KEPT_WHY[type(request)], data)

    async def note(
        self, live: LiveMatch, seat: int, kind: Kind, data: Mapping[str, Any], instead: bool = False
    ) -> bool:
        """Note what a seat did, if its player has agreed. What cannot be noted does not stop the match."""
        token = live.seats[seat].token if 0 <= seat < len(live.seats) else None
        if self.config is None or token is None or live.companion is not None:
            return False
        try:
            return await self.rows.add(
                live.row.id, PlaytestRow(kind, self._service.registry.now(), seat, dict(data)), token, instead
            )
        except (StoreFailed, Conflict) as error:
            LOG.warning("of the playtest %s something is not noted: %s", live.row.id, error)
            return False

    # ---- records

    async def keep(self, match: str) -> None:
        """Write the record of a match that has ended, or remove it if nobody agrees to it any more.

        Of one match, it is done once at a time: what was read before a withdrawal is not written after it.
        """
        assert self.config is not None
        async with self._alone(match):
            try:
                live = await self._service.open(match)
                rows = await self.rows.of_match(match)
                record = record_of(live, rows, self.config.questions)
                if record is None:
                    await asyncio.to_thread(durable.remove, self._file(match))
                elif live.row.status in ENDED:
                    folder = str(self.config.folder.resolve())
                    await self.rows.put_into(match, folder, self._service.registry.now())
                    await asyncio.to_thread(durable.write, self._file(match), written(record).encode())
            except (DiagnosticError, ErrorsReported, Fault, StoreFailed, Conflict, OSError) as error:
                LOG.warning("the record of the playtest %s is not written: %s", match, error)

    async def erase(self, match: str, seat: int | None) -> None:
        """Delete what is kept of a seat, or of all. Raises `Conflict`, `StoreFailed`.

        The file goes first, and is made anew without it: what fails between leaves nothing behind.
        """
        if self.config is None:
            return
        async with self._alone(match):
            try:
                await asyncio.to_thread(durable.remove, self._file(match))
            except OSError as error:
                raise StoreFailed(f"the record of the playtest {match} cannot be removed: {error}") from error
            await self.rows.remove(match, seat)
        await self.keep(match)

    async def leaving(self, match: str) -> Callable[[], None]:
        """What removes the record of a match once it is forgotten; where it lies is kept with the match.

        A server whose tables are no playtests removes it too. Raises `StoreFailed`.
        """
        folders = {Path(row.data) for row in await self.rows.of_match(match) if row.kind == FOLDER}
        if self.config is not None:
            folders.add(self.config.folder)
        return lambda: self._begin(self._forgotten(match, folders))

    async def _forgotten(self, match: str, folders: Set[Path]) -> None:
        async with self._alone(match):
            for folder in folders:
                with suppress(OSError):
                    await asyncio.to_thread(durable.remove, _file_in(folder, match))

    def _alone(self, match: str) -> asyncio.Lock:
        """What is held while the record of a match is worked on."""
        return self._locks.setdefault(match, asyncio.Lock())

    def _file(self, match: str) -> Path:
        assert self.config is not None
        return _file_in(self.config.folder, match)


def _file_in(folder: Path, match: str) -> Path:
    """The record of a match in a folder."""
    return folder / f"{PREFIX}{match}{SUFFIX}"


def agreed(live: LiveMatch, rows: Sequence[PlaytestRow]) -> dict[int, int]:
    """The seats whose players agree, and since when, in milliseconds."""
    tokens = {seat.seat: seat.token for seat in live.seats}
    return {
        row.seat: row.at
        for row in rows
        if row.kind == AGREED and row.data is not None and tokens.get(row.seat) == row.data
    }


def record_of(
    live: LiveMatch, rows: Sequence[PlaytestRow], questions: Sequence[str]
) -> PlaytestRecord | None:
    """The record of a match; None if nobody agrees."""
    since = agreed(live, rows)
    if not since:
        return None
    result = live.row.result or {"by": "", "winners": []}
    log = live.log.rows
    minutes = round((log[-1].at - live.row.created) / 60_000, 1) if log else 0.0
    own = (row for row in rows if row.seat in since and row.kind in KINDS)
    noted = (_happening(row, log) for row in own if row.kind != "answer" or _is_asked(row, questions))
    happened = (*_of_log(log, since), *noted)
    return PlaytestRecord(
        live.row.game,
        live.row.digest,
        live.row.seats,
        str(result["by"]),
        tuple(result["winners"]),
        max(0.0, minutes),
        tuple(sorted(since)),
        tuple(questions),
        happened,
    )


def _is_asked(row: PlaytestRow, questions: Sequence[str]) -> bool:
    """Whether an answer is to what is still asked at its place."""
    asked, of = str(row.data["asked"]), int(row.data["of"])
    return of < max(1, len(questions)) and asked == (questions[of] if questions else "")


def _happening(row: PlaytestRow, log: Sequence[LogRow]) -> Happening:
    data = dict(row.data)
    if row.kind == "hint":
        following = (one for one in log if one.kind == "choice" and one.seat == row.seat)
        data["choice"] = next((_first(one) for one in following if one.at >= row.at), "")
    of, _, _ = data.pop("of", 0), data.pop("asked", ""), data.pop("row", 0)
    where = {"entry": of} if row.kind == "mark" else {"question": of}
    return Happening(row.kind, row.seat, **where, **data | {"clauses": tuple(data.get("clauses", ()))})  # type: ignore[arg-type]


def _of_log(rows: Sequence[LogRow], since: Mapping[int, int]) -> Iterator[Happening]:
    """How long seats thought about their choices, and which they took back."""
    asked: dict[int, int] = {}
    for row in rows:
        if row.kind == "choice" and row.seat is not None:
            begun = asked.pop(row.seat, None)
            if begun is not None and "by" not in row.data and _is_recorded(row, since):
                seconds = (row.at - max(begun, since[row.seat])) / 1000
                yield Happening("time", row.seat, _first(row), seconds=round(max(0.0, seconds), 1))
        if row.data.get("event") in ("begun", "restarted"):
            asked.clear()
        if "asked" in row.data:
            now = row.data["asked"]
            asked = {seat: asked.get(seat, row.at) for seat in now}
    for undo, choice in _taken_back(rows):
        if choice.seat is not None and choice.seat == undo.seat and _is_recorded(choice, since):
            yield Happening("undo", choice.seat, _first(choice))


def _is_recorded(row: LogRow, since: Mapping[int, int]) -> bool:
    """Whether the player of a row's seat had agreed to a record."""
    return row.seat is not None and row.at >= since.get(row.seat, row.at + 1)


def _taken_back(rows: Sequence[LogRow]) -> Iterator[tuple[LogRow, LogRow]]:
    """Each undo of a log, with each choice that it took back."""
    log = EventLog()
    for row in rows:
        if row.kind == "undo":
            before = log.extended(rows[log.length : row.seq - 1])
            log = before.extended([row])
            left = {one.seq for one in log.standing}
            yield from ((row, one) for one in before.standing if one.kind == "choice" and one.seq not in left)


def _first(row: LogRow) -> str:
    """The first word of a choice."""
    return str(row.data["words"]).split(" ")[0][:60]


def first_word_before(live: LiveMatch, step: int) -> str:
    """The first word of the choice that had led to a step, or is it; empty if there was none."""
    made = [one.text for one in live.match.steps[: step + 1] if one.seat is not None]
    return made[-1].split(" ")[0][:60] if made else ""


def row_behind(live: LiveMatch, step: int) -> int:
    """The number of the log row of a step, which no later row has: after an undo a step is another one's."""
    standing = live.log.standing
    return standing[step].seq if step < len(standing) else 0


def _clauses(refusal: Mapping[str, Any]) -> list[str]:
    """The clauses of what refuses; of an action that no value can be chosen for, those of its values."""
    own = [str(clause) for clause in refusal.get("clauses") or ()]
    inner = [clause for part in refusal.get("parts") or () for clause in _clauses(part)]
    return own or list(dict.fromkeys(inner))


def _condition(refusal: Mapping[str, Any]) -> str:
    text = " ".join(str(refusal.get("condition") or refusal.get("kind") or "").split())
    return "".join(sign for sign in text if sign.isprintable())
