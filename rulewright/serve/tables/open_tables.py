"""Tables: the open matches of this process, with those who look at them.

A table tells each connection what its viewer may know, no more and no earlier: a position is sent only when
the version that this viewer may know of has grown.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from dsl.diagnostics import DiagnosticError
from interpreter import ir
from interpreter.match import Match
from interpreter.redacted_log import entries
from interpreter.sights import SPECTATOR
from rulewright.presentation.companion import question_json
from rulewright.serve.matches.creating import seat_before
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.migrating import KeptRules
from rulewright.serve.matches.replays import Replay, earlier
from rulewright.serve.matches.service import MatchService
from rulewright.serve.store.talk_rows import TalkRow
from rulewright.serve.tables.match_settings import (
    ENDED,
    STATUSES,
    delay_of,
    may_watch,
    owner_of,
    seat_json,
    spectators_of,
    visibility_of,
)
from rulewright.serve.tables.outbox import Outbox
from rulewright.serve.tables.presence import NOBODY, Presence
from rulewright.serve.tables.projection import Projection, Seen, Transcript, encoded
from rulewright.serve.tables.talk import Talk, ToldTalk, nothing_said

AROUND = 1.0
"""Seconds between two messages that tell who is there."""


@dataclass
class Connection:
    """A socket at a table: whose it is, as whom it looks, and what its page has.

    `grant` is the seat that it was opened for, to play or only invited to it, and the hash of the seat's
    secret at that time: with another one, it is no longer good. `held` are all seats that the visitor played
    then, of which the page shows one; none while the device is handed over (`viewer` is -1 then). `beat` is
    after how many seconds of silence it is sent a sign of life. `table_seen` are the fields of the table that
    it has, each as JSON; without `changes` it is always sent all of them.
    """

    visitor: str
    viewer: int
    grant: tuple[int, str | None] | None
    send: Callable[[str], Awaitable[None]]
    close: Callable[[int, str], None]
    held: tuple[tuple[int, str | None], ...] = ()
    beat: int | None = None
    outbox: Outbox = field(init=False)
    seen: Seen = field(default_factory=Seen)
    table_seen: Mapping[str, str] = field(default_factory=dict)
    talk_seen: ToldTalk = field(default_factory=ToldTalk)
    changes: bool = True
    greeted: bool = False

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class OpenTable:
    """An open match and its connections."""

    def __init__(
        self,
        service: MatchService,
        presence: Presence,
        live: LiveMatch,
        description: str,
        said: Callable[[str], Awaitable[tuple[TalkRow, ...]]] = nothing_said,
    ) -> None:
        self.service = service
        self.presence = presence
        self._live = live
        self.described = live.row.digest
        self.description = description
        self.connections: set[Connection] = set()
        self._projections: dict[int, Projection] = {}
        self._fields: dict[tuple[int, bool, tuple[int, ...]], dict[str, str]] = {}
        self._messages: dict[tuple[int, int], str] = {}
        self._here, self._looked = NOBODY, -AROUND
        """Who is there, as it was told last and when."""
        self._later: asyncio.TimerHandle | None = None
        self._said = said
        self._talk: tuple[TalkRow, ...] = ()
        self._talk_asked = self._talk_read = 0
        self.replay = Replay(service.allowance)
        self.rematch: str | None = None
        self.declined: int | None = None
        self.ends: list[Callable[[], None]] = []
        self.closed = False
        self.kept: KeptRules | None = None

    def close(self) -> None:
        """Nobody is here any more: hear of nothing."""
        self.closed = True
        if self._later is not None:
            self._later.cancel()
        for end in self.ends:
            end()

    @property
    def live(self) -> LiveMatch:
        """The match as it was committed last."""
        self._live = self.service.known(self._live.row.id) or self._live
        return self._live

    # ---- connections

    def enter(self, connection: Connection) -> None:
        """Somebody has opened the match: tell the others that they are there."""
        connection.outbox = Outbox(connection.send, lambda: self._next_view(connection), connection.beat)
        self.connections.add(connection)
        self._tell_presence()
        self.look_around()

    def leave(self, connection: Connection) -> None:
        """Somebody has gone."""
        self.connections.discard(connection)
        connection.outbox.close()
        viewers = {self.eyes(other.viewer) for other in self.connections}
        self._projections = {
            viewer: projection for viewer, projection in self._projections.items() if viewer in viewers
        }
        self._tell_presence()
        self.look_around()

    def refresh(self) -> None:
        """Something may have changed: look what each page lacks when its socket is ready."""
        self._tell_presence()
        self.look_around()
        self._show()

    def look_around(self) -> None:
        """Tell who is there, if it has changed; once in a while, however many come and go."""
        if self._later is not None or self.presence.of(self.live.row.id) == self._here:
            return
        loop = asyncio.get_running_loop()
        wait = self._looked + AROUND - loop.time()
        if wait > 0:
            self._later = loop.call_later(wait, self._look_again)
            return
        self._here, self._looked = self.presence.of(self.live.row.id), loop.time()
        self._show()

    def _look_again(self) -> None:
        self._later = None
        self.look_around()

    def _show(self) -> None:
        self._fields.clear()
        self._messages.clear()
        for connection in list(self.connections):
            if not self._may_look(connection):
                connection.close(4403, "revoked")
            elif connection.greeted:
                connection.outbox.refresh()

    def held(self, connection: Connection) -> tuple[int, ...]:
        """The seats that the visitor of a connection still plays."""
        return tuple(seat for seat, token in connection.held if self._is_good(seat, token))

    def _is_good(self, number: int, token: str | None) -> bool:
        seat = self.live.seats[number]
        return not seat.revoked and seat.token == token

    def _may_look(self, connection: Connection) -> bool:
        if connection.grant is not None and self._is_good(*connection.grant):
            return True
        if connection.viewer < 0 and self.held(connection):
            return True
        return connection.viewer < 0 and may_watch(self.live.row, self.live.seats, connection.visitor)

    def _tell_presence(self) -> None:
        playing = [connection for connection in self.connections if self.held(connection)]
        seats = tuple(sorted({seat for connection in playing for seat in self.held(connection)}))
        self.presence.tell(self.live.row.id, seats, len(self.connections) - len(playing))

    # ---- what is sent

    def greet(self, connection: Connection, count: int, mark: str) -> None:
        """Send table and position to a page that has the entries up to a mark, or none."""
        connection.table_seen, connection.seen, connection.greeted = {}, Seen(), True
        connection.talk_seen = ToldTalk()
        with suppress(DiagnosticError):  # it is told when the position is to be sent
            projection = self._projection(connection.viewer)
            connection.seen = projection.resume(count, mark) if projection is not None else Seen()
        connection.outbox.refresh()

    def _next_view(self, connection: Connection) -> str | None:
        """The next message that a page lacks: the table, then the position."""
        if not connection.greeted:
            return None
        fields, seen = self._fields_for(connection), connection.table_seen
        if fields != seen:
            connection.table_seen = fields
            return self._message(fields, seen if connection.changes else {})
        try:
            projection = self._projection(connection.viewer)
        except DiagnosticError as error:
            return self._without_view(connection, error)
        if projection is None or not projection.is_new_to(connection.seen):
            return self._talk_message(connection, projection)
        return projection.message(connection.seen)

    # ---- what is said

    @property
    def talk(self) -> Talk:
        """What is said at this table."""
        return Talk(self.live.row, self._talk)

    async def read_talk(self) -> None:
        """Read what is said, and show it. What was asked for later is newer. Raises `StoreFailed`."""
        self._talk_asked += 1
        asked = self._talk_asked
        found = await self._said(self.live.row.id)
        if asked > self._talk_read:
            self._talk_read, self._talk = asked, found
            self._show()

    def transcript(self, viewer: int) -> Transcript | None:
        """What a viewer has been told; None before the start. Raises `DiagnosticError` with `TooCostly`."""
        projection = self._projection(viewer)
        return projection.transcript if projection is not None else None

    def _talk_message(self, connection: Connection, projection: Projection | None) -> str | None:
        """What a page has not been told yet of what was said."""
        if not connection.changes:
            return None
        viewer, talk, seen = connection.viewer, self.talk, connection.talk_seen
        steps = projection.transcript.steps if projection is not None else []
        late = viewer == SPECTATOR and delay_of(self.live.row) > 0 and not self.live.match.over
        told = projection.transcript.told if projection is not None else []
        news = talk.news(viewer, steps, told, seen, len(steps) if late else None)
        if news is None:
            return None
        connection.talk_seen = news.seen
        return news.message

    def _without_view(self, connection: Connection, error: DiagnosticError) -> str | None:
        """What a page is told once for each position that cannot be shown."""
        version = self.live.version(self.eyes(connection.viewer))
        if version <= connection.seen.version:
            return None
        connection.seen.version = version
        return encoded({"type": "error", "code": error.diagnostic.slug, "text": error.diagnostic.message})

    def _fields_for(self, connection: Connection) -> dict[str, str]:
        """The fields of the table, each as JSON, made once for all who get the same."""
        key = connection.viewer, owner_of(self.live.row) == connection.visitor, self.held(connection)
        if key not in self._fields:
            self._fields[key] = {name: encoded(value) for name, value in self.table(connection).items()}
        return self._fields[key]

    def _message(self, fields: Mapping[str, str], seen: Mapping[str, str]) -> str:
        """The `table` message, or `changes` for a page that has seen some fields; with the server's time."""
        key = id(fields), id(seen)
        if key not in self._messages:
            news = {name: text for name, text in fields.items() if seen.get(name) != text}
            inner = "".join(f',"{name}":{text}' for name, text in news.items())
            self._messages[key] = f'{{"type":"{"changes" if seen else "table"}"{inner}}}'
        text = self._messages[key]
        clocks = fields["clocks"]
        if clocks != "null" and seen.get("clocks") != clocks:
            text = text.replace(f'"clocks":{clocks}', f'"clocks":{clocks[:-1]},"now":{_now()}}}')
        return text

    def eyes(self, viewer: int) -> int:
        """As whom a viewer sees the match: a companion tells everybody the same."""
        return viewer if self.live.companion is None else SPECTATOR

    def _projection(self, viewer: int) -> Projection | None:
        """What a viewer may know now; None before the start. Raises `DiagnosticError` with `TooCostly`."""
        if self.live.row.status == "waiting":
            return None
        viewer, version = self.eyes(viewer), self.live.version(self.eyes(viewer))
        # Only a whole one is kept: if its rules take too long, it is left half made.
        projection = self._projections.pop(viewer, None) or Projection(viewer)
        people = self.live.people if viewer >= 0 else frozenset()
        if (projection.version, projection.people) != (version, people):
            with self.service.allowance.running(self.live.row):
                projection.update(self.seen_by(viewer), version, people, self.live.companion)
        self._projections[viewer] = projection
        return projection

    def seen_by(self, viewer: int) -> Match:
        """The match as a viewer may know it; for spectators some choices ago, if the owner wishes."""
        delay = delay_of(self.live.row)
        live = self.live.match
        if viewer != SPECTATOR or not delay or live.over or self.live.companion is not None:
            return live
        return earlier(live, delay)

    def table(self, connection: Connection) -> dict[str, Any]:
        """The fields of the `table` message for a connection, without the time of the server."""
        live, row, viewer, here = self.live, self.live.row, connection.viewer, self._here
        held = self.held(connection)
        own = held if viewer < 0 else (viewer,)
        return {
            "match": row.id,
            "game": row.game,
            "title": live.match.game.rules.title,
            "options": dict(row.options),
            "description": self.description,
            "seat": viewer,
            "owner": owner_of(row) == connection.visitor,
            "status": STATUSES[row.status],
            "visibility": visibility_of(row),
            "seats": [
                seat_json(seat) | {"mine": seat.seat in own, "present": seat.seat in here.seats}
                for seat in live.seats
            ],
            "asked": self._asked(held),
            "watching": here.watching,
            "spectators": spectators_of(row),
            "talk": self.talk.rule.as_json(),
            "clocks": self._clocks(viewer),
            "proposals": self._proposals(viewer) if viewer >= 0 or held else [],
            "chance": {"kind": "committed", **live.opening} if live.opening else {"kind": "system"},
            "companion": live.companion is not None,
            "hints": self.service.gives_hints(row),
            "question": question_json(live.companion, live.log.length) if live.companion else None,
            "rules": self._rules(),
            "result": dict(row.result) if row.result else None,
            "rematch": self.rematch,
            "declined": self.declined,
        }

    def _asked(self, held: Sequence[int]) -> list[int]:
        """Which of several seats at one device are wanted: to answer a proposal, or else to choose."""
        live = self.live
        if len(held) < 2 or not live.running or live.companion is not None:
            return []
        wanted = {seat for proposal in live.proposals for seat in proposal.needed - proposal.agreed}
        if wanted.isdisjoint(held):
            with suppress(DiagnosticError), self.service.allowance.running(live.row):
                wanted = set(live.asked)
        return [seat for seat in held if seat in wanted]

    def _rules(self) -> dict[str, Any]:
        found: dict[str, Any] = {"digest": self.live.row.digest, "kept": self.kept is not None}
        if self.kept is not None:
            found |= {"clauses": list(self.kept.clauses), "changed": list(self.kept.names)}
        return found

    def _clocks(self, viewer: int) -> dict[str, Any] | None:
        """The clocks; during `together` only the own one, because the others tell who has chosen."""
        kind = self.live.row.clock.get("kind", "none")
        if kind == "none":
            return None
        together = bool(self.live.match.state[ir.FORKED])
        if self.live.row.status in ENDED:
            return {"kind": kind, "seats": [{"left": left, "deadline": None} for left in self._left_over()]}
        seats = [
            {"left": clock.left, "deadline": clock.deadline}
            if not together or seat == viewer
            else {"left": None, "deadline": None}
            for seat, clock in enumerate(self.live.clocks)
        ]
        return {"kind": kind, "seats": seats}

    def _left_over(self) -> list[int]:
        """What was left on the clocks at the end; nothing on one that has run out."""
        last = self.live.log.rows[-1]
        late = last.seat if last.kind == "clock" and last.data["event"] == "expired" else None
        return [0 if seat == late else clock.left_at(last.at) for seat, clock in enumerate(self.live.clocks)]

    def _proposals(self, viewer: int) -> list[dict[str, Any]]:
        if self.live.row.status in ENDED:
            return self._proposed_rematch()
        return [
            {
                "proposal": proposal.id,
                "kind": proposal.what,
                "by": proposal.seat,
                "number": proposal.data.get("number"),
                "seq": self._entries_kept(viewer, proposal.data.get("step")),
                "asked": sorted(proposal.needed),
                "agreed": sorted(proposal.agreed),
            }
            for proposal in self.live.proposals
        ]

    def _proposed_rematch(self) -> list[dict[str, Any]]:
        """The proposal of a rematch, by the seats of this match."""
        live = self.service.known(self.rematch) if self.rematch else None
        if live is None or live.row.status != "waiting":
            return []

        def old(seats: Iterable[int]) -> list[int]:
            return sorted(seat_before(seat, live.row) for seat in seats)

        return [
            {
                "proposal": proposal.id,
                "kind": proposal.what,
                "by": old([proposal.seat])[0],
                "number": None,
                "seq": None,
                "asked": old(proposal.needed),
                "agreed": old(proposal.agreed),
            }
            for proposal in live.proposals
        ]

    def _entries_kept(self, viewer: int, step: int | None) -> int | None:
        """How many entries of a viewer are left by a repair back to before a step."""
        if step is None:
            return None
        with suppress(DiagnosticError), self.service.allowance.running(self.live.row):
            return sum(entry.step < step for entry in entries(self.live.match, viewer))
        return None


def _now() -> int:
    return int(time.time() * 1000)
