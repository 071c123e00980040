"""What is kept of matches, and the protocol of the stores that keep it.

The log of a match is the truth: rows numbered from 1 without a gap, of which none is ever changed, and which
are deleted with the match alone.
What was taken back is marked by a later row. Everything else, such as the current position, is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

RowKind = Literal[
    "start",
    "choice",
    "chance",
    "told",
    "undo",
    "repair",
    "proposal",
    "answer",
    "clock",
    "resigned",
    "abandoned",
    "migrated",
]
"""Kinds of rows of a log.

`start` and `choice` begin a decision, and the `chance` rows behind one belong to it. `undo` and `repair` say
how many decisions are left over. `told` is an answer to the referee of a physical table, where the log has
nothing but what was told.
"""
SeatKind = Literal["human", "bot", "open", "invited"]
Status = Literal["waiting", "running", "over", "abandoned"]
"""A match waits as long as a seat is open or invited; `over` has a result."""
MOST_OF_PAGE = 500
Changed = Callable[[str, int], None]
"""Is told the id of a match and the number of the last row of its log."""

Heard = Callable[[str], None]
"""Is told a text that a process has posted."""


class Conflict(Exception):
    """Rows were to be appended to a log that has grown meanwhile; nothing was written."""


class StoreFailed(Exception):
    """The store could not carry out what it was asked; whether it was written is unknown."""


class BadRecord(StoreFailed):
    """A row of the store is damaged: somebody else has changed it. `seq` is its number in a log, or 0."""

    seq = 0


@dataclass(frozen=True, slots=True)
class LogRow:
    """One row of a log.

    `seat` is the number of the seat that acted, `client` the id that its client gave to the request. `data`
    depends on the kind and is plain JSON. `at` is the server's time in milliseconds since 1970.
    """

    seq: int
    kind: RowKind
    at: int
    seat: int | None = None
    client: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RulesetArchive:
    """The files of a ruleset by path, under the digest of its rules: a match can always be played on them."""

    digest: str
    name: str
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of a match. `token` is the hash of its secret; a revoked one opens nothing.

    `strategy` is the name of a bot. `name` is what people call the player.
    """

    match: str
    seat: int
    kind: SeatKind
    name: str = ""
    token: str | None = None
    revoked: bool = False
    strategy: str | None = None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """What is kept of a match beside its log.

    `source` is the name of a bundled game or the path of a folder, `archive` the digest of the files that
    the match is played on. `salt` is secret: it numbers hidden pieces. `commitment` is that of a committed
    seed, whose `salt` and `nonce` are opened at the end; without one, chance comes from the system.
    `set_up` has what a table was asked for beyond that, such as visibility; it is plain JSON.
    """

    id: str
    game: str
    source: str
    digest: str
    archive: str
    seats: int
    options: Mapping[str, str]
    salt: int
    nonce: str | None
    commitment: str | None
    clock: Mapping[str, Any]
    set_up: Mapping[str, Any]
    status: Status
    result: Mapping[str, Any] | None
    created: int
    updated: int
    length: int = 0
    """The number of rows of the log."""
    listed: Mapping[str, Any] | None = None
    """What lists show beyond that, as it was at the last change: see `listing_of`. None in older rows."""


@dataclass(frozen=True, slots=True)
class Update:
    """What an append changes of the match beside its log; None stays as it is."""

    status: Status | None = None
    result: Mapping[str, Any] | None = None
    digest: str | None = None
    archive: str | None = None
    listed: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A position after row `seq` of a log, as bytes that only the same rules can read."""

    seq: int
    digest: str
    data: bytes


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """How a seat wants to be told that it is its turn: a kind, such as `mail` or `webhook`, where to,
    and the tag of the language in which it is told; empty: that of the server.
    """

    match: str
    seat: int
    kind: str
    target: str
    language: str = ""


class Storage(Protocol):
    """Keeps matches. All methods can be called from any thread; those that return no future block.

    Futures are done only after the commit. They and all methods raise `StoreFailed` if the store fails.
    """

    def create(
        self,
        match: MatchRow,
        seats: Sequence[SeatRow],
        rows: Sequence[LogRow],
        archive: RulesetArchive | None = None,
    ) -> Future[None]:
        """A new match with the first rows of its log, in one transaction, and with its rules if they are not
        kept already."""
        ...

    def append(
        self, match: str, after: int, rows: Sequence[LogRow], update: Update | None = None
    ) -> Future[None]:
        """Append rows behind row `after`, in one transaction. The future raises `Conflict` if the log has
        another length, or if a row has a client's id that the log already has."""
        ...

    def match(self, match: str) -> MatchRow | None:
        """A match by its id, or None. Raises `BadRecord`."""
        ...

    def matches(
        self, status: Sequence[Status] = (), limit: int = 100, offset: int = 0, public: bool = False
    ) -> Sequence[MatchRow]:
        """Matches, the last changed first; with `status` only those, `public`: only those that are listed for
        everybody. Damaged ones are left out."""
        ...

    def ids(self, status: Sequence[Status]) -> Sequence[str]:
        """The ids of all matches with a status, the last changed first."""
        ...

    def matches_of(self, ids: Sequence[str]) -> Mapping[str, MatchRow | None]:
        """Matches by their ids; None for damaged ones."""
        ...

    def seats_of(self, matches: Sequence[str]) -> Mapping[str, Sequence[SeatRow]]:
        """The seats of matches in order, by their ids; damaged ones are left out."""
        ...

    def unlisted(self, since: str, limit: int) -> Sequence[str]:
        """Ids behind `since`, in order, of matches that have no `listed`."""
        ...

    def put_listed(self, match: str, listed: Mapping[str, Any]) -> Future[None]:
        """Keep what lists show of a match, unless that is kept already."""
        ...

    def rows(self, match: str, since: int = 0) -> Sequence[LogRow]:
        """The rows of a log behind row `since`, in order. Raises `BadRecord`."""
        ...

    def row_of(self, match: str, client: str) -> LogRow | None:
        """The row that a client's id has made, or None."""
        ...

    def seats(self, match: str) -> Sequence[SeatRow]:
        """The seats of a match in order. Raises `BadRecord`."""
        ...

    def seat_of(self, token: str) -> SeatRow | None:
        """The seat that the hash of a secret opens; None if there is none or it was revoked."""
        ...

    def put_seat(self, seat: SeatRow, expected: SeatRow | None = None) -> Future[None]:
        """Replace a seat. The future raises `Conflict` if `expected` is given and the seat is another now."""
        ...

    def put_archive(self, archive: RulesetArchive) -> Future[None]:
        """Keep a ruleset's files; an archive that is there already stays."""
        ...

    def archive(self, digest: str) -> RulesetArchive | None:
        """The archived files of a ruleset, or None. Raises `BadRecord`."""
        ...

    def put_snapshot(self, match: str, snapshot: Snapshot) -> Future[None]:
        """Keep a snapshot in place of an earlier one."""
        ...

    def snapshot(self, match: str) -> Snapshot | None:
        """The last snapshot of a match, or None."""
        ...

    def put_notice(self, notice: NoticeRow) -> Future[None]:
        """Keep how a seat wants to be told; an empty target removes it."""
        ...

    def notices(self, match: str, seat: int | None = None) -> Sequence[NoticeRow]:
        """How the seats of a match, or one seat, want to be told."""
        ...

    def unchanged(self, status: Sequence[Status], before: int, since: str, limit: int) -> Sequence[str]:
        """Ids behind `since`, in order, of matches with a status that have not changed from a time on."""
        ...

    def forget(self, match: str, before: int) -> Future[bool]:
        """Delete a match with all that is kept of it, unless it has changed from that time on.

        The future says whether it is gone. Archives stay.
        """
        ...

    def forget_archives(self) -> Future[int]:
        """Delete the archives that no match is played on any more. The future says how many."""
        ...

    def sources(self) -> Sequence[str]:
        """The sources of all matches, each once."""
        ...

    def listen(self, changed: Changed) -> None:
        """Call a function, from a thread of the store, after each append by any process."""
        ...

    def hear(self, heard: Heard) -> None:
        """Call a function, from a thread of the store, with each text that is posted by any process.

        An empty one says that some may have been missed.
        """
        ...

    def post(self, text: str) -> None:
        """Send a text of at most 7,000 bytes to all processes; it is not kept. Those of one process are heard
        in their order. One process alone hears of nothing."""
        ...

    def close(self) -> None:
        """Carry out what is under way, and close."""
        ...


def all_of(storage: Storage, status: Sequence[Status]) -> list[MatchRow]:
    """All matches with a status, each once, although some may change while they are read."""
    found: dict[str, MatchRow] = {}
    ids = storage.ids(status)
    for first in range(0, len(ids), MOST_OF_PAGE):
        page = storage.matches_of(ids[first : first + MOST_OF_PAGE])
        found |= {id: row for id, row in page.items() if row is not None and row.status in status}
    return list(found.values())
