"""What is said at a table: phrases, texts, marks on moments, and what its owner allows.

It is kept beside the log of the match, which has nothing of it, and deleted with the match.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rulewright.serve.store.records import SAID as RECORD, is_sound
from rulewright.serve.store.schema import MATCHES, SAID
from rulewright.serve.store.sql import SqlStorage
from rulewright.serve.store.storage import Conflict
from rulewright.serve.store.writer import guarded

TALKED = "talk "
"""How a text begins by which processes tell each other at which match something was said."""
MOST_SAID, KEPT_SAID = 500, 400
"""Phrases and texts of a match: when there are more, the oldest are forgotten but for so many."""
MOST_MARKS = 300
"""Marks of a match."""
TalkKind = Literal["phrase", "text", "mark", "rule"]


class TooMuchSaid(Exception):
    """A match has as many marks as it may have."""


@dataclass(frozen=True, slots=True)
class TalkRow:
    """One thing that was said.

    `text` is what was written, the id of a phrase or of a mark, or, of a `rule`, what the owner allows.
    `name` is what its player was called then. `step` is the step of the match that is marked, else how many
    there were; `of_step` tells whether a marked step is still the same after something was taken back.
    """

    kind: TalkKind
    at: int
    seat: int | None
    name: str
    text: str
    step: int
    of_step: str = ""
    number: int = 0


class TalkRows:
    """Keeps what is said in the tables of a store. Its methods raise `StoreFailed`."""

    def __init__(self, storage: SqlStorage) -> None:
        self._storage = storage

    async def of_match(self, match: str) -> tuple[TalkRow, ...]:
        """All that is kept of a match, in order."""
        query = sa.select(SAID).where(SAID.c.match == match).order_by(SAID.c.number)

        def read() -> tuple[TalkRow, ...]:
            with self._storage.engine.connect() as connection:
                rows = connection.execute(query).mappings().all()
            sound = (row for row in rows if is_sound(row, RECORD))
            return tuple(TalkRow(**{name: row[name] for name in RECORD}) for row in sound)

        return await asyncio.to_thread(guarded, read)

    async def say(self, match: str, row: TalkRow, client: str) -> None:
        """Keep a phrase or a text; what a client's id has said already is not said again.

        Raises `Conflict` if there is no such match.
        """

        def act(connection: Connection) -> None:
            known = sa.select(SAID.c.number).where((SAID.c.match == match) & (SAID.c.client == client))
            if connection.execute(known).first() is not None:
                return
            _insert(connection, match, row, client)
            said = (SAID.c.match == match) & SAID.c.kind.in_(("phrase", "text"))
            numbers = list(connection.execute(sa.select(SAID.c.number).where(said)).scalars())
            if len(numbers) > MOST_SAID:
                oldest = sorted(numbers)[-KEPT_SAID]
                connection.execute(SAID.delete().where(said & (SAID.c.number < oldest)))

        await self._change(match, act)

    async def mark(self, match: str, row: TalkRow, on: bool) -> None:
        """Put a mark of a seat on a step, or take it away.

        Raises `TooMuchSaid`, and `Conflict` if there is no such match.
        """
        marks = (SAID.c.match == match) & (SAID.c.kind == "mark")
        same = marks & sa.and_(SAID.c.seat == row.seat, SAID.c.text == row.text, SAID.c.step == row.step)

        def act(connection: Connection) -> bool:
            connection.execute(SAID.delete().where(same))
            if not on:
                return True
            number = connection.execute(sa.select(sa.func.count()).select_from(SAID).where(marks)).scalar()
            if (number or 0) >= MOST_MARKS:
                return False
            _insert(connection, match, row, None)
            return True

        if not await self._change(match, act):
            raise TooMuchSaid

    async def allow(self, match: str, row: TalkRow) -> None:
        """Keep what the owner allows from now on. Raises `Conflict` if there is no such match."""
        rules = (SAID.c.match == match) & (SAID.c.kind == "rule")

        def act(connection: Connection) -> None:
            connection.execute(SAID.delete().where(rules))
            _insert(connection, match, row, None)

        await self._change(match, act)

    async def _change(self, match: str, act: Callable[[Connection], Any]) -> Any:
        """Change what is said at a match that is there, one change after the other; all processes hear it."""
        # Whoever deletes the match at the same time is waited for, or waits.
        there = sa.select(MATCHES.c.id).where(MATCHES.c.id == match).with_for_update()
        listener = self._storage.listener

        def act_and_tell(connection: Connection) -> Any:
            if connection.execute(there).first() is None:
                raise Conflict(f"there is no match {match}")
            found = act(connection)
            if listener is not None:
                listener.post(connection, TALKED + match)
            return found

        return await asyncio.wrap_future(self._storage.writer.submit(act_and_tell))


def _insert(connection: Connection, match: str, row: TalkRow, client: str | None) -> None:
    last = connection.execute(sa.select(sa.func.max(SAID.c.number)).where(SAID.c.match == match)).scalar()
    values = asdict(replace(row, number=(last or 0) + 1))
    connection.execute(SAID.insert(), {"match": match, "client": client, **values})
