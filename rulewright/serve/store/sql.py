"""The store on SQLite and on PostgreSQL."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import lru_cache, partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine, RowMapping
from sqlalchemy.exc import IntegrityError

from rulewright.serve.store.listener import Listener
from rulewright.serve.store.records import (
    MATCH_JSON,
    archive_of,
    log_row,
    match_row,
    notice_row,
    packed,
    seat_row,
    snapshot_of,
    written,
)
from rulewright.serve.store.schema import (
    ARCHIVES,
    HEALTH,
    LOG,
    MATCHES,
    NOTICES,
    OF_MATCHES,
    SEATS,
    SNAPSHOTS,
)
from rulewright.serve.store.storage import (
    BadRecord,
    Changed,
    Conflict,
    Heard,
    LogRow,
    MatchRow,
    NoticeRow,
    RulesetArchive,
    SeatRow,
    Snapshot,
    Status,
    StoreFailed,
    Update,
)
from rulewright.serve.store.writer import Writer, guarded

LOG_OF = logging.getLogger(__name__)
MOST_DECODED = 1000
"""Matches of lists that are kept as they were read."""
ROOM = 64 << 10
"""Bytes for which there must be room in a healthy store."""
LONGEST_TRIAL = 10.0
"""Seconds in which a healthy store writes something."""
RAW = sa.types.NullType()
"""Bytes as they are kept; what is no bytes stays what it is."""


class SqlStorage:
    """Keeps matches in a database; it implements `Storage`. Made by `open_storage`.

    With a `listener`, changes by other processes are heard of, and own ones by the same way. `talk` sends
    what is not kept, with one thread, so that it is heard in the order in which it was posted. `check` raises
    `StoreFailed` if the files of the database are lost.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        listener: Listener | None = None,
        talk: Writer | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self.engine = engine
        self.writer = writer
        self.listener = listener
        self.talk = talk or writer
        self._check = check
        self._trial = secrets.randbelow(1 << 31)
        self._told_damaged: set[str] = set()
        self._changed: list[Changed] = []
        self._heard: list[Heard] = []

    # ---- writing

    def create(
        self,
        match: MatchRow,
        seats: Sequence[SeatRow],
        rows: Sequence[LogRow],
        archive: RulesetArchive | None = None,
    ) -> Future[None]:
        """A new match with the first rows of its log, in one transaction, and with its rules if they are not
        kept already."""
        values = _match_values(match) | {"length": len(rows)}

        def act(connection: Connection) -> None:
            if archive is not None:
                _keep(connection, archive)
            with _conflicts():
                connection.execute(MATCHES.insert(), values)
                if seats:
                    connection.execute(SEATS.insert(), [asdict(seat) for seat in seats])
                _insert(connection, match.id, rows)
            if self.listener is not None and "rematch_of" in match.set_up:
                self.listener.notify(connection, str(match.set_up["rematch_of"]), 0)

        return self.writer.submit(act)

    def append(
        self, match: str, after: int, rows: Sequence[LogRow], update: Update | None = None
    ) -> Future[None]:
        """Append rows behind row `after`; the future raises `Conflict` if the log has another length."""
        seq = after + len(rows)
        values = _update_values(update) | {"length": seq, "updated": rows[-1].at}
        plain = update is None or (update.status, update.result, update.digest, update.archive) == (None,) * 4
        change = GROWN if plain else GROWN.values(values)
        known = {"match_": match, "after_": after} | (values if plain else {})

        def act(connection: Connection) -> None:
            if connection.execute(change, known).rowcount != 1:
                raise Conflict(f"{match} has no longer {after} rows")
            with _conflicts():
                _insert(connection, match, rows)
            if self.listener is not None:
                self.listener.notify(connection, match, seq)

        return self.writer.submit(act, lambda: self._tell(match, seq))

    def put_seat(self, seat: SeatRow, expected: SeatRow | None = None) -> Future[None]:
        """Replace a seat; the future raises `Conflict` if `expected` is given and the seat is another now."""
        here = (SEATS.c.match == seat.match) & (SEATS.c.seat == seat.seat)
        if expected is not None:
            here &= sa.and_(
                SEATS.c.kind == expected.kind,
                SEATS.c.name == expected.name,
                SEATS.c.token.is_not_distinct_from(expected.token),
                SEATS.c.revoked == expected.revoked,
            )

        def act(connection: Connection) -> None:
            with _conflicts():
                found = connection.execute(SEATS.update().where(here).values(asdict(seat)))
            if found.rowcount != 1:
                raise Conflict(f"seat {seat.seat} of {seat.match} has changed")
            if self.listener is not None:
                self.listener.notify(connection, seat.match, 0)

        return self.writer.submit(act, lambda: self._tell(seat.match, 0))

    def put_archive(self, archive: RulesetArchive) -> Future[None]:
        """Keep a ruleset's files; an archive that is there already stays."""

        return self.writer.submit(lambda connection: _keep(connection, archive))

    def put_snapshot(self, match: str, snapshot: Snapshot) -> Future[None]:
        """Keep a snapshot in place of an earlier one."""

        def act(connection: Connection) -> None:
            connection.execute(SNAPSHOTS.delete().where(SNAPSHOTS.c.match == match))
            connection.execute(SNAPSHOTS.insert(), {"match": match, **asdict(snapshot)})

        return self.writer.submit(act)

    def put_notice(self, notice: NoticeRow) -> Future[None]:
        """Keep how a seat wants to be told; an empty target removes it."""
        same = sa.and_(
            NOTICES.c.match == notice.match, NOTICES.c.seat == notice.seat, NOTICES.c.kind == notice.kind
        )

        def act(connection: Connection) -> None:
            connection.execute(NOTICES.delete().where(same))
            if notice.target:
                connection.execute(NOTICES.insert(), asdict(notice))

        return self.writer.submit(act)

    def forget(self, match: str, before: int) -> Future[bool]:
        """Delete a match with all that is kept of it, unless it has changed since; whether it is gone."""
        here = MATCHES.c.id == match
        # Whoever writes something of the match at the same time is waited for, or finds that it is gone.
        old = sa.select(MATCHES.c.id).where(here & (MATCHES.c.updated < before)).with_for_update()

        def act(connection: Connection) -> bool:
            if connection.execute(old).first() is None:
                return False
            for table in OF_MATCHES:
                connection.execute(table.delete().where(table.c.match == match))
            connection.execute(MATCHES.delete().where(here))
            if self.listener is not None:
                self.listener.notify(connection, match, 0)
            return True

        return self.writer.submit(act, lambda: self._tell(match, 0))

    def forget_archives(self) -> Future[int]:
        """Delete the archives that no match is played on any more. The future says how many."""
        unneeded = ARCHIVES.c.digest.not_in(sa.select(MATCHES.c.archive))

        def act(connection: Connection) -> int:
            # Whoever makes a match on one meanwhile has locked it, and is waited for.
            found = connection.execute(sa.select(ARCHIVES.c.digest).where(unneeded).with_for_update())
            digests = list(found.scalars())
            gone = ARCHIVES.delete().where(ARCHIVES.c.digest.in_(digests) & unneeded)
            return connection.execute(gone).rowcount if digests else 0

        return self.writer.submit(act)

    # ---- reading

    def unchanged(self, status: Sequence[Status], before: int, since: str, limit: int) -> Sequence[str]:
        """Ids behind `since`, in order, of matches with a status that have not changed from a time on."""
        old = MATCHES.c.status.in_(status) & (MATCHES.c.updated < before) & (MATCHES.c.id > since)
        query = sa.select(MATCHES.c.id).where(old).order_by(MATCHES.c.id).limit(limit)
        return [str(row["id"]) for row in self._all(query)]

    def sources(self) -> Sequence[str]:
        """The sources of all matches, each once."""
        return [str(row["source"]) for row in self._all(sa.select(MATCHES.c.source).distinct())]

    def match(self, match: str) -> MatchRow | None:
        """A match by its id, or None. Raises `BadRecord`."""
        found = self._all(sa.select(MATCHES).where(MATCHES.c.id == match))
        return match_row(found[0]) if found else None

    def matches(
        self, status: Sequence[Status] = (), limit: int = 100, offset: int = 0, public: bool = False
    ) -> Sequence[MatchRow]:
        """Matches, the last changed first; with `status` only those, `public`: only those that are listed for
        everybody. Damaged ones are left out."""
        query = (
            sa.select(MATCHES).order_by(MATCHES.c.updated.desc(), MATCHES.c.id).limit(limit).offset(offset)
        )
        if status:
            query = query.where(MATCHES.c.status.in_(status))
        if public:
            query = query.where(MATCHES.c.public == 1)
        return [found for found in map(self._readable, self._all(query)) if found is not None]

    def ids(self, status: Sequence[Status]) -> Sequence[str]:
        """The ids of all matches with a status, the last changed first."""
        query = sa.select(MATCHES.c.id).where(MATCHES.c.status.in_(status))
        return [str(row["id"]) for row in self._all(query.order_by(MATCHES.c.updated.desc(), MATCHES.c.id))]

    def matches_of(self, ids: Sequence[str]) -> Mapping[str, MatchRow | None]:
        """Matches by their ids; None for damaged ones."""
        rows = self._all(sa.select(MATCHES).where(MATCHES.c.id.in_(ids))) if ids else ()
        return {str(row["id"]): self._readable(row) for row in rows}

    def _readable(self, row: RowMapping) -> MatchRow | None:
        """A match, or None if it is damaged, which is logged once."""
        try:
            return _match_of(tuple(row.keys()), tuple(row.values()))
        except BadRecord as bad:
            if str(bad) not in self._told_damaged:
                self._told_damaged.add(str(bad))
                LOG_OF.warning("a match is left out of lists: %s", bad)
            return None

    def seats_of(self, matches: Sequence[str]) -> Mapping[str, Sequence[SeatRow]]:
        """The seats of matches in order, by their ids; damaged ones are left out."""
        found: dict[str, list[SeatRow]] = {match: [] for match in matches}
        query = sa.select(SEATS).where(SEATS.c.match.in_(matches)).order_by(SEATS.c.match, SEATS.c.seat)
        for row in self._all(query) if matches else ():
            with suppress(BadRecord):
                found[row["match"]].append(_seat_of(tuple(row.keys()), tuple(row.values())))
        return found

    def unlisted(self, since: str, limit: int) -> Sequence[str]:
        """Ids behind `since`, in order, of matches that have no `listed`."""
        lacking = MATCHES.c.listed.is_(None) & (MATCHES.c.id > since)
        query = sa.select(MATCHES.c.id).where(lacking).order_by(MATCHES.c.id).limit(limit)
        return [str(row["id"]) for row in self._all(query)]

    def put_listed(self, match: str, listed: Mapping[str, Any]) -> Future[None]:
        """Keep what lists show of a match, unless that is kept already."""
        here = (MATCHES.c.id == match) & MATCHES.c.listed.is_(None)

        def act(connection: Connection) -> None:
            connection.execute(MATCHES.update().where(here).values(listed=written(listed)))

        return self.writer.submit(act)

    def rows(self, match: str, since: int = 0) -> Sequence[LogRow]:
        """The rows of a log behind row `since`, in order."""
        query = sa.select(LOG).where((LOG.c.match == match) & (LOG.c.seq > since)).order_by(LOG.c.seq)
        return [log_row(row) for row in self._all(query)]

    def row_of(self, match: str, client: str) -> LogRow | None:
        """The row that a client's id has made, or None."""
        found = self._all(sa.select(LOG).where((LOG.c.match == match) & (LOG.c.client == client)))
        return log_row(found[0]) if found else None

    def seats(self, match: str) -> Sequence[SeatRow]:
        """The seats of a match in order."""
        found = self._all(sa.select(SEATS).where(SEATS.c.match == match).order_by(SEATS.c.seat))
        return [seat_row(row) for row in found]

    def seat_of(self, token: str) -> SeatRow | None:
        """The seat that the hash of a secret opens; None if there is none or it was revoked."""
        found = self._all(sa.select(SEATS).where((SEATS.c.token == token) & ~SEATS.c.revoked))
        return seat_row(found[0]) if found else None

    def archive(self, digest: str) -> RulesetArchive | None:
        """The archived files of a ruleset, or None."""
        columns = ARCHIVES.c.name, sa.type_coerce(ARCHIVES.c.files, RAW).label("files")
        found = self._all(sa.select(*columns).where(ARCHIVES.c.digest == digest))
        return archive_of(digest, found[0]) if found else None

    def snapshot(self, match: str) -> Snapshot | None:
        """The last snapshot of a match; None if there is none, or it is damaged."""
        kept = SNAPSHOTS.c
        columns = kept.seq, kept.digest, sa.type_coerce(kept.data, RAW).label("data")
        found = self._all(sa.select(*columns).where(kept.match == match))
        return snapshot_of(found[0]) if found else None

    def notices(self, match: str, seat: int | None = None) -> Sequence[NoticeRow]:
        """How the seats of a match, or one seat, want to be told."""
        query = sa.select(NOTICES).where(NOTICES.c.match == match).order_by(NOTICES.c.seat, NOTICES.c.kind)
        if seat is not None:
            query = query.where(NOTICES.c.seat == seat)
        found = []
        for row in self._all(query):
            with suppress(BadRecord):
                found.append(notice_row(row))
        return found

    def _all(self, query: sa.Select[Any]) -> Sequence[RowMapping]:
        def read() -> Sequence[RowMapping]:
            self._check()
            with self.engine.connect() as connection:
                return connection.execute(query).mappings().all()

        return guarded(read)

    def try_out(self) -> None:
        """Write something, and read it. Raises `StoreFailed` if that cannot be done."""
        mark, here = secrets.token_hex(16), HEALTH.c.id == self._trial

        def act(connection: Connection) -> None:
            connection.execute(HEALTH.delete().where(here))
            connection.execute(HEALTH.insert(), {"id": self._trial, "mark": mark, "room": bytes(ROOM)})
            connection.execute(HEALTH.update().where(here).values(room=None))

        try:
            self.writer.submit(act).result(LONGEST_TRIAL)
        except TimeoutError:
            raise StoreFailed(f"nothing was written within {LONGEST_TRIAL:g} s") from None
        if [row["mark"] for row in self._all(sa.select(HEALTH.c.mark).where(here))] != [mark]:
            raise StoreFailed("what was written was not read")

    # ---- being told

    def listen(self, changed: Changed) -> None:
        """Call a function, from a thread of the store, after each append by any process.

        The number is 0 if something else of the match has changed, and the id empty if changes may have been
        missed.
        """
        self._changed.append(changed)
        self._start_listening()

    def hear(self, heard: Heard) -> None:
        """Call a function, from a thread of the store, with each text that a process posts."""
        self._heard.append(heard)
        self._start_listening()

    def post(self, text: str) -> None:
        """Send a text to all processes that use the database; it is not kept, and it is not waited for.

        Texts of one process are heard in the order in which they are posted.
        """
        if self.listener is not None:
            self.talk.submit(partial(self.listener.post, text=text))

    def _start_listening(self) -> None:
        if self.listener is not None:
            self.listener.start(self._told, self._posted)

    def _posted(self, text: str) -> None:
        for heard in self._heard:
            heard(text)

    def _tell(self, match: str, seq: int) -> None:
        if self.listener is None:
            self._told(match, seq)

    def _told(self, match: str, seq: int) -> None:
        for changed in self._changed:
            changed(match, seq)

    def close(self) -> None:
        """Carry out what is under way, and close."""
        if self.listener is not None:
            self.listener.close()
        self.writer.close()
        self.talk.close()
        self.engine.dispose()


# ---- rows as values


@lru_cache(MOST_DECODED)
def _match_of(names: tuple[str, ...], values: tuple[Any, ...]) -> MatchRow:
    """A match of a list: few of them change between two lists."""
    return match_row(dict(zip(names, values, strict=True)))


@lru_cache(4 * MOST_DECODED)
def _seat_of(names: tuple[str, ...], values: tuple[Any, ...]) -> SeatRow:
    """A seat of a list."""
    return seat_row(dict(zip(names, values, strict=True)))


GROWN = MATCHES.update().where(
    MATCHES.c.id == sa.bindparam("match_"), MATCHES.c.length == sa.bindparam("after_")
)
"""Changes a match of a certain length. Statements are made once, so that they are compiled once."""
NEW_ROWS = LOG.insert()


@contextmanager
def _conflicts() -> Iterator[None]:
    """Turns a broken constraint into `Conflict`."""
    try:
        yield
    except IntegrityError as error:
        raise Conflict(str(error.orig)) from error


def _keep(connection: Connection, archive: RulesetArchive) -> None:
    """Keep the files of a ruleset, or see that they stay until the end of the transaction."""
    there = sa.select(ARCHIVES.c.digest).where(ARCHIVES.c.digest == archive.digest)
    if connection.execute(there.with_for_update(read=True, key_share=True)).first() is None:
        values = {"digest": archive.digest, "name": archive.name, "files": packed(archive.files)}
        with suppress(IntegrityError), connection.begin_nested():
            connection.execute(ARCHIVES.insert(), values)


def _insert(connection: Connection, match: str, rows: Sequence[LogRow]) -> None:
    if rows:
        connection.execute(NEW_ROWS, [{"match": match, **_log_values(row)} for row in rows])


def _log_values(row: LogRow) -> dict[str, Any]:
    return {
        "seq": row.seq,
        "kind": row.kind,
        "at": row.at,
        "seat": row.seat,
        "client": row.client,
        "data": written(row.data),
    }


def _match_values(match: MatchRow) -> dict[str, Any]:
    found = asdict(match) | {"salt": str(match.salt), "public": int(match.set_up.get("visibility") == "open")}
    return found | {name: written(found[name]) for name in MATCH_JSON if found[name] is not None}


def _update_values(update: Update | None) -> dict[str, Any]:
    found = {} if update is None else {k: v for k, v in asdict(update).items() if v is not None}
    return found | {name: written(found[name]) for name in ("result", "listed") if name in found}
