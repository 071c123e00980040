"""Which visitor holds which seat.

A holding is good as long as the seat has the secret that it had when it was taken or its link was opened. The
holding of an invited seat that nobody has taken yet is an invitation.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rulewright.serve.schema import HOLDINGS, NOTED
from rulewright.serve.sql import SqlStorage
from rulewright.serve.storage import SeatRow, StoreFailed

MOST_HOLDINGS = 500


@dataclass(frozen=True, slots=True)
class Holding:
    """A seat that a visitor holds, or is invited to; `token` is the hash of its secret."""

    visitor: str
    match: str
    seat: int
    token: str


class Holdings:
    """Keeps holdings in the tables of a store."""

    def __init__(self, storage: SqlStorage) -> None:
        self._storage = storage

    async def put(self, holding: Holding) -> None:
        """Keep a holding, in place of an earlier one of the same visitor and seat."""
        same = (HOLDINGS.c.visitor == holding.visitor) & (HOLDINGS.c.match == holding.match)
        values = {
            "visitor": holding.visitor,
            "match": holding.match,
            "seat": holding.seat,
            "token": holding.token,
            "at": int(time.time() * 1000),
        }

        def act(connection: Connection) -> None:
            connection.execute(HOLDINGS.delete().where(same & (HOLDINGS.c.seat == holding.seat)))
            connection.execute(HOLDINGS.insert(), values)

        await asyncio.wrap_future(self._storage.writer.submit(act))

    async def remove(self, visitor: str, match: str, seat: int) -> None:
        """Forget a holding."""
        here = (HOLDINGS.c.visitor == visitor) & (HOLDINGS.c.match == match) & (HOLDINGS.c.seat == seat)

        def act(connection: Connection) -> None:
            connection.execute(HOLDINGS.delete().where(here))

        await asyncio.wrap_future(self._storage.writer.submit(act))

    async def of_visitor(self, visitor: str) -> list[Holding]:
        """All holdings of a visitor, the latest first, also those that are no longer good."""
        query = sa.select(HOLDINGS).where(HOLDINGS.c.visitor == visitor)
        return await asyncio.to_thread(self._read, query)

    async def of_match(self, match: str) -> list[Holding]:
        """All holdings of a match."""
        return await asyncio.to_thread(self._read, sa.select(HOLDINGS).where(HOLDINGS.c.match == match))

    async def note(self, match: str, seat: int, kind: str, version: int) -> bool:
        """Note that a seat is told of its turn at a version; whether nobody has noted it yet."""
        here = (NOTED.c.match == match) & (NOTED.c.seat == seat) & (NOTED.c.kind == kind)
        values = {"match": match, "seat": seat, "kind": kind, "version": version}
        news: list[bool] = []

        def act(connection: Connection) -> None:
            news.clear()
            found = connection.execute(sa.select(NOTED.c.version).where(here)).scalar()
            if found is None:
                connection.execute(NOTED.insert(), values)
                news.append(True)
            elif found < version:
                older = here & (NOTED.c.version == found)
                changed = connection.execute(NOTED.update().where(older).values(version=version))
                news.append(changed.rowcount == 1)

        try:
            await asyncio.wrap_future(self._storage.writer.submit(act))
        except (StoreFailed, sa.exc.IntegrityError):
            return False
        return news == [True]

    def _read(self, query: sa.Select[tuple[object, ...]]) -> list[Holding]:
        with self._storage.engine.connect() as connection:
            rows = (
                connection.execute(query.order_by(HOLDINGS.c.at.desc()).limit(MOST_HOLDINGS)).mappings().all()
            )
        return [Holding(row["visitor"], row["match"], row["seat"], row["token"]) for row in rows]


def good(holdings: Sequence[Holding], visitor: str, seats: Sequence[SeatRow]) -> list[Holding]:
    """The holdings of a visitor in one match that are still good, by seat."""
    found = [
        holding
        for holding in holdings
        if holding.visitor == visitor
        and 0 <= holding.seat < len(seats)
        and seats[holding.seat].match == holding.match
        and not seats[holding.seat].revoked
        and seats[holding.seat].token == holding.token
    ]
    return sorted(found, key=lambda holding: holding.seat)
