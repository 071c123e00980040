"""What players who agreed to it did at a table of a playtest, kept beside the log and deleted with it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rulewright.serve.store.records import PLAYTEST as RECORD, is_sound
from rulewright.serve.store.schema import MATCHES, PLAYTEST
from rulewright.serve.store.sql import SqlStorage
from rulewright.serve.store.storage import Conflict
from rulewright.serve.store.writer import guarded

MOST_OF_SEAT = 500
"""What a seat may say at most, and what else may be noted of it; more is not kept."""
SAID = ("mark", "answer")
"""What players say themselves."""
AGREED = "agreed"
"""The kind of the row by which a seat's player agrees; it has the hash of the seat's secret."""
FOLDER = "folder"
"""The kind of the row that says in which folder the record of a match lies; it is of no seat, and has 0."""


@dataclass(frozen=True, slots=True)
class PlaytestRow:
    """One thing that a seat did, at a time in milliseconds; `data` says what, by its kind."""

    kind: str
    at: int
    seat: int
    data: Any


class PlaytestRows:
    """Keeps what is recorded of playtests. Its methods raise `StoreFailed`."""

    def __init__(self, storage: SqlStorage) -> None:
        self._storage = storage

    async def of_match(self, match: str) -> tuple[PlaytestRow, ...]:
        """All that is kept of a match, in order."""
        query = sa.select(PLAYTEST).where(PLAYTEST.c.match == match).order_by(PLAYTEST.c.number)

        def read() -> tuple[PlaytestRow, ...]:
            with self._storage.engine.connect() as connection:
                rows = connection.execute(query).mappings().all()
            return tuple(
                PlaytestRow(row["kind"], row["at"], row["seat"], json.loads(row["data"]))
                for row in rows
                if is_sound(row, RECORD)
            )

        return await asyncio.to_thread(guarded, read)

    async def matches(self) -> list[str]:
        """The matches of which something is kept."""
        query = sa.select(PLAYTEST.c.match).where(PLAYTEST.c.kind != FOLDER).distinct()

        def read() -> list[str]:
            with self._storage.engine.connect() as connection:
                return list(connection.execute(query).scalars())

        return await asyncio.to_thread(guarded, read)

    async def put_into(self, match: str, folder: str, at: int) -> None:
        """The record of a match is put into a folder. Raises `Conflict`."""

        def act(connection: Connection) -> bool:
            here = (PLAYTEST.c.match == match) & (PLAYTEST.c.kind == FOLDER)
            known = connection.execute(sa.select(PLAYTEST.c.data).where(here)).scalars()
            if json.dumps(folder) not in known:
                _insert(connection, match, PlaytestRow(FOLDER, at, 0, folder))
            return True

        await self._change(match, act)

    async def agree(self, match: str, seat: int, token: str, at: int) -> None:
        """A seat's player agrees; what a former player of the seat left is deleted. Raises `Conflict`."""
        own = _of_seat(match, seat)

        def act(connection: Connection) -> bool:
            if not _agrees(connection, match, seat, token):
                connection.execute(PLAYTEST.delete().where(own))
                _insert(connection, match, PlaytestRow(AGREED, at, seat, token))
            return True

        await self._change(match, act)

    async def add(self, match: str, row: PlaytestRow, token: str, instead: bool = False) -> bool:
        """Keep what a seat did, if its player has agreed and it has not too much of it already.

        With `instead`, it takes the place of what has the same kind and is of the same moment.
        """
        own = _of_seat(match, row.seat)

        def act(connection: Connection) -> bool:
            if not _agrees(connection, match, row.seat, token):
                return False
            if instead:
                same = own & (PLAYTEST.c.kind == row.kind)
                for number, data in connection.execute(
                    sa.select(PLAYTEST.c.number, PLAYTEST.c.data).where(same)
                ).all():
                    if _moment(json.loads(data)) == _moment(row.data):
                        connection.execute(PLAYTEST.delete().where(own & (PLAYTEST.c.number == number)))
            said = PLAYTEST.c.kind.in_(SAID)
            alike = own & (said if row.kind in SAID else ~said)
            count = connection.execute(sa.select(sa.func.count()).select_from(PLAYTEST).where(alike)).scalar()
            if (count or 0) >= MOST_OF_SEAT:
                return False
            _insert(connection, match, row)
            return True

        return await self._change(match, act)

    async def remove(self, match: str, seat: int | None) -> None:
        """Delete what is kept of a seat, or of all; nothing more is recorded until somebody agrees."""
        rows = (PLAYTEST.c.match == match) if seat is None else _of_seat(match, seat)

        def act(connection: Connection) -> bool:
            connection.execute(PLAYTEST.delete().where(rows))
            return True

        await self._change(match, act)

    async def _change(self, match: str, act: Callable[[Connection], bool]) -> bool:
        there = sa.select(MATCHES.c.id).where(MATCHES.c.id == match).with_for_update()

        def on_match(connection: Connection) -> bool:
            if connection.execute(there).first() is None:
                raise Conflict(f"there is no match {match}")
            return act(connection)

        return await asyncio.wrap_future(self._storage.writer.submit(on_match))


def _of_seat(match: str, seat: int) -> sa.ColumnElement[bool]:
    """What is kept of a seat."""
    return (PLAYTEST.c.match == match) & (PLAYTEST.c.seat == seat) & (PLAYTEST.c.kind != FOLDER)


def _moment(data: Mapping[str, Any]) -> tuple[Any, Any]:
    """The entry or question that something is said of; of an entry, also the log row behind it."""
    return data["of"], data.get("row", 0)


def _agrees(connection: Connection, match: str, seat: int, token: str) -> bool:
    """Whether whoever holds a seat now has agreed."""
    c = PLAYTEST.c
    agreed = (c.match == match) & (c.seat == seat) & (c.kind == AGREED) & (c.data == json.dumps(token))
    return connection.execute(sa.select(c.number).where(agreed)).first() is not None


def _insert(connection: Connection, match: str, row: PlaytestRow) -> None:
    last = connection.execute(
        sa.select(sa.func.max(PLAYTEST.c.number)).where(PLAYTEST.c.match == match)
    ).scalar()
    values = {"number": (last or 0) + 1, "kind": row.kind, "at": row.at, "seat": row.seat}
    connection.execute(PLAYTEST.insert(), {"match": match, **values, "data": json.dumps(row.data)})
