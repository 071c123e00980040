"""Which visitor holds which seat.

A grant is good as long as the seat has the secret that it had when it was taken or its link was opened. The
grant of an invited seat that nobody has taken yet is an invitation.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from rulewright.serve.store.records import GRANT, NOTED as RECORD, is_sound
from rulewright.serve.store.schema import GRANTS, MATCHES, NOTED, NOTICES
from rulewright.serve.store.sql import SqlStorage
from rulewright.serve.store.storage import SeatRow, StoreFailed
from rulewright.serve.store.writer import guarded

MOST_GRANTS = 500


@dataclass(frozen=True, slots=True)
class Grant:
    """A seat that a visitor holds, or is invited to; `token` is the hash of its secret."""

    visitor: str
    match: str
    seat: int
    token: str


class Grants:
    """Keeps grants in the tables of a store."""

    def __init__(self, storage: SqlStorage) -> None:
        self._storage = storage

    async def put(self, grant: Grant) -> None:
        """Keep a grant, in place of an earlier one of the same visitor and seat."""
        same = (GRANTS.c.visitor == grant.visitor) & (GRANTS.c.match == grant.match)
        values = {
            "visitor": grant.visitor,
            "match": grant.match,
            "seat": grant.seat,
            "token": grant.token,
            "at": int(time.time() * 1000),
        }

        def act(connection: Connection) -> None:
            connection.execute(GRANTS.delete().where(same & (GRANTS.c.seat == grant.seat)))
            connection.execute(GRANTS.insert(), values)

        await asyncio.wrap_future(self._storage.writer.submit(act))

    async def remove(self, visitor: str, match: str, seat: int) -> None:
        """Forget a grant."""
        here = (GRANTS.c.visitor == visitor) & (GRANTS.c.match == match) & (GRANTS.c.seat == seat)

        def act(connection: Connection) -> None:
            connection.execute(GRANTS.delete().where(here))

        await asyncio.wrap_future(self._storage.writer.submit(act))

    async def of_visitor(self, visitor: str) -> list[Grant]:
        """All grants of a visitor, the latest first, also those that are no longer good."""
        query = sa.select(GRANTS).where(GRANTS.c.visitor == visitor)
        return await asyncio.to_thread(self._read, query)

    async def of_match(self, match: str) -> list[Grant]:
        """All grants of a match."""
        return await asyncio.to_thread(self._read, sa.select(GRANTS).where(GRANTS.c.match == match))

    async def note(self, match: str, seat: int, kind: str, version: int) -> bool:
        """Note that a seat is to be told of its turn at a version; whether nobody has noted it yet.

        Until it is `told`, the number is kept with a minus.
        """
        here = (NOTED.c.match == match) & (NOTED.c.seat == seat) & (NOTED.c.kind == kind)
        values = {"match": match, "seat": seat, "kind": kind, "version": -version}
        news: list[bool] = []

        def act(connection: Connection) -> None:
            news.clear()
            found = connection.execute(sa.select(NOTED.c.version).where(here)).scalar()
            if found is None:
                connection.execute(NOTED.insert(), values)
                news.append(True)
            elif abs(found) < version:
                older = here & (NOTED.c.version == found)
                changed = connection.execute(NOTED.update().where(older).values(version=-version))
                news.append(changed.rowcount == 1)

        try:
            await asyncio.wrap_future(self._storage.writer.submit(act))
        except (StoreFailed, sa.exc.IntegrityError):
            return False
        return news == [True]

    async def told(self, match: str, seat: int, kind: str) -> None:
        """Note that nothing more is tried: the seat was told, or cannot be."""
        here = (NOTED.c.match == match) & (NOTED.c.seat == seat) & (NOTED.c.kind == kind)

        def act(connection: Connection) -> None:
            connection.execute(NOTED.update().where(here).values(version=sa.func.abs(NOTED.c.version)))

        with suppress(StoreFailed):
            await asyncio.wrap_future(self._storage.writer.submit(act))

    async def to_tell(self) -> list[str]:
        """The running matches of which somebody wants to be told."""
        joined = NOTICES.join(MATCHES, NOTICES.c.match == MATCHES.c.id)
        query = sa.select(NOTICES.c.match).distinct().select_from(joined).where(MATCHES.c.status == "running")
        return await asyncio.to_thread(self._texts, query)

    async def untold(self, match: str) -> dict[tuple[int, str], int]:
        """By seat and kind, at which version somebody was to be told, and was not yet."""
        query = sa.select(NOTED).where((NOTED.c.match == match) & (NOTED.c.version < 0))
        rows = await asyncio.to_thread(self._rows, query)
        return {(row["seat"], row["kind"]): -row["version"] for row in rows if is_sound(row, RECORD)}

    def _texts(self, query: sa.Select[Any]) -> list[str]:
        def read() -> list[str]:
            with self._storage.engine.connect() as connection:
                return list(connection.execute(query).scalars())

        return guarded(read)

    def _rows(self, query: sa.Select[tuple[object, ...]]) -> Sequence[RowMapping]:
        def read() -> Sequence[RowMapping]:
            with self._storage.engine.connect() as connection:
                return connection.execute(query).mappings().all()

        return guarded(read)

    def _read(self, query: sa.Select[tuple[object, ...]]) -> list[Grant]:
        rows = self._rows(query.order_by(GRANTS.c.at.desc()).limit(MOST_GRANTS))
        sound = (row for row in rows if is_sound(row, GRANT))
        return [Grant(row["visitor"], row["match"], row["seat"], row["token"]) for row in sound]


def valid_grants(grants: Sequence[Grant], visitor: str, seats: Sequence[SeatRow]) -> list[Grant]:
    """The grants of a visitor in one match that are still good, by seat."""
    found = [
        grant
        for grant in grants
        if grant.visitor == visitor
        and 0 <= grant.seat < len(seats)
        and seats[grant.seat].match == grant.match
        and not seats[grant.seat].revoked
        and seats[grant.seat].token == grant.token
    ]
    return sorted(found, key=lambda grant: grant.seat)
