"""The socket of a table: who may open it, and its life from the first message to the last."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from itertools import count

from starlette.responses import JSONResponse
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from dsl.diagnostics import DiagnosticError
from rulewright.presentation.description import has_secrets
from rulewright.serve.access.rates import address, payer_of
from rulewright.serve.api import client_messages as rq
from rulewright.serve.api.answering import Request as MatchRequest, carry_out
from rulewright.serve.api.talk import TalkRequest, talked
from rulewright.serve.context import Context
from rulewright.serve.fair_share import works_for
from rulewright.serve.messages import NotKept, TooCostly
from rulewright.serve.store.grants import Grant, valid_grants
from rulewright.serve.store.storage import StoreFailed
from rulewright.serve.tables.match_settings import may_watch
from rulewright.serve.tables.open_tables import Connection, OpenTable
from rulewright.serve.tables.outbox import BEAT
from rulewright.serve.tables.projection import encoded

Request = MatchRequest | TalkRequest
GREETING = 10.0
"""Seconds until a page must have said hello."""
MOST_IGNORED = 50
"""Messages that may be too many before the socket is closed."""
BEATS = frozenset(map(str, range(1, 61)))
"""Seconds between signs of life that a page may ask for."""
NUMBERS = count()
"""Numbers for sockets, by which their messages are counted."""
GOING_DOWN, LATER = 1001, 1013
WRONG_PROTOCOL, NOT_YOURS, UNKNOWN, SILENT, FLOOD = 4400, 4403, 4404, 4408, 4429


async def socket(websocket: WebSocket) -> None:
    """Serve one socket of a table until it is closed."""
    context: Context = websocket.app.state.context
    who = address(websocket)
    if not context.rates.allows("requests", who) or not context.rates.open_socket(who):
        body = {"error": {"code": "too-many", "text": "too many sockets", "diagnostics": []}}
        await websocket.send_denial_response(JSONResponse(body, 429))
        return
    works_for(payer_of(websocket))
    try:
        await websocket.accept()
        await _Socket(context, websocket, who).serve()
    except (WebSocketDisconnect, RuntimeError) as error:
        if isinstance(error, RuntimeError) and websocket.client_state is WebSocketState.CONNECTED:
            raise
    finally:
        context.rates.close_socket(who)


class _Socket:
    """One open socket."""

    def __init__(self, context: Context, websocket: WebSocket, who: str) -> None:
        self.context = context
        self.websocket = websocket
        self.who = who
        self.visitor: str = websocket.state.visitor
        self._ending: tuple[int, str] | None = None
        self._ended = asyncio.Event()
        self._ignored = 0
        self._number = next(NUMBERS)

    async def serve(self) -> None:
        """Seat the connection, and carry out its messages until it ends."""
        self.context.sockets.add(self)
        try:
            async with AsyncExitStack() as visit:
                await self._at_table(visit)
        finally:
            self.context.sockets.discard(self)
            self.context.sweeping.closed(len(self.context.sockets))

    async def _at_table(self, visit: AsyncExitStack) -> None:
        """Visit the table: it stays as long as the visit lasts."""
        match = self.websocket.path_params["match"]
        waiting = asyncio.create_task(self._give_signs_of_life())
        try:
            table = await visit.enter_async_context(self.context.tables.visit(match))
            own = await self.context.grants.of_visitor(self.visitor)
        except (DiagnosticError, StoreFailed) as error:
            await self._refuse(*_unopened(error))
            return
        finally:
            waiting.cancel()
        connection = self._connection(table, valid_grants(own, self.visitor, table.live.seats))
        if connection is not None:
            await self._attend(table, connection)
        else:
            known = may_watch(table.live.row, table.live.seats, self.visitor)
            await self._refuse(NOT_YOURS if known else UNKNOWN, "not-yours" if known else "not-found")

    async def _give_signs_of_life(self) -> None:
        """Tell a page that asks for it that the server is there, while the match is opened."""
        beat = self._beat()
        with suppress(WebSocketDisconnect, RuntimeError):
            while beat is not None:
                await self.websocket.send_text(BEAT)
                await asyncio.sleep(beat)

    async def _attend(self, table: OpenTable, connection: Connection) -> None:
        """Carry out messages and send what there is until the connection ends."""
        table.enter(connection)
        tasks = [
            asyncio.create_task(self._read(table, connection)),
            asyncio.create_task(connection.outbox.run()),
            asyncio.create_task(self._ended.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            table.leave(connection)
        await self._say_goodbye()
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
                raise result

    def end(self, code: int, what: str) -> None:
        """Close the socket with a code, after an `error` message."""
        if self._ending is None:
            self._ending = code, what
            self._ended.set()

    async def _say_goodbye(self) -> None:
        if self._ending is None:
            return
        code, what = self._ending
        with suppress(WebSocketDisconnect, RuntimeError, asyncio.TimeoutError):
            async with asyncio.timeout(2):
                await self.websocket.send_text(error(what))
                await self.websocket.close(code)

    # ---- whose seat

    async def _refuse(self, code: int, what: str) -> None:
        with suppress(RuntimeError):  # the page has gone
            await self.websocket.send_text(error(what))
            await self.websocket.close(code)

    def _connection(self, table: OpenTable, grants: list[Grant]) -> Connection | None:
        """The connection as the seat that was asked for, or as a spectator; None if that may not be."""
        asked = self.websocket.query_params.get("seat")
        seats = table.live.seats
        own = [grant for grant in grants if seats[grant.seat].kind == "human"]
        if asked not in (None, "-1"):
            chosen = next((grant for grant in own if str(grant.seat) == asked), None)
            invited = next((grant for grant in grants if str(grant.seat) == asked), None)
            if chosen is None and invited is None:
                return None
            return self._as(chosen.seat if chosen else -1, chosen or invited, own)
        if own and asked is None:
            return self._as(own[0].seat if self._is_seated(table, own) else -1, own[0], own)
        invited = next((grant for grant in grants if grant not in own), None)
        if invited is not None or may_watch(table.live.row, seats, self.visitor):
            return self._as(-1, invited)
        return None

    def _is_seated(self, table: OpenTable, own: Sequence[Grant]) -> bool:
        """Whether a seat is shown at once; of several with secrets, none is until its player is there."""
        live = table.live
        return len(own) == 1 or live.companion is not None or not has_secrets(live.game)

    def _as(self, viewer: int, grant: Grant | None, own: Sequence[Grant] = ()) -> Connection:
        by = (grant.seat, grant.token) if grant is not None else None
        held = tuple((one.seat, one.token) for one in own)
        return Connection(self.visitor, viewer, by, self.websocket.send_text, self.end, held, self._beat())

    def _beat(self) -> int | None:
        """How often the page wants a sign of life, in seconds; anything but a number of those is nothing."""
        asked = self.websocket.query_params.get("beat", "")
        return int(asked) if asked in BEATS else None

    # ---- messages

    async def _read(self, table: OpenTable, connection: Connection) -> None:
        """Carry out messages one after the other. Ends when the socket is closed."""
        try:
            async with asyncio.timeout(GREETING):
                await self._receive(table, connection)
                while not connection.greeted and self._ending is None:
                    await self._receive(table, connection)
        except TimeoutError:
            self.end(SILENT, "silent")
        while self._ending is None:
            await connection.outbox.drained()
            await self._receive(table, connection)

    async def _receive(self, table: OpenTable, connection: Connection) -> None:
        message = await self.websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        rates = self.context.rates
        if not rates.allows("messages", str(self._number)) or not rates.allows("all messages", self.who):
            self._ignore(connection)
            return
        text = message.get("text")
        try:
            if text is None:
                raise rq.Malformed("a message is a text")
            request = rq.parse(text)
        except rq.Malformed as wrong:
            connection.outbox.put(malformed(wrong))
            return
        await self._carry_out(table, connection, request)

    def _ignore(self, connection: Connection) -> None:
        self._ignored += 1
        if self._ignored > MOST_IGNORED:
            self.end(FLOOD, "too-fast")
        else:
            connection.outbox.put(error("too-fast"))

    async def _carry_out(self, table: OpenTable, connection: Connection, request: rq.ClientMessage) -> None:
        if isinstance(request, rq.Hello):
            if request.protocol not in rq.SPOKEN:
                self.end(WRONG_PROTOCOL, "protocol")
            else:
                connection.changes = request.protocol >= rq.PROTOCOL
                table.greet(connection, request.seq, request.mark)
            return
        if not connection.greeted:
            connection.outbox.put(malformed(rq.Malformed("`hello` comes first", request.id)))
            return
        connection.outbox.hold()
        try:
            await self.context.service.allowance.turns.step()
            # What was begun is finished, also if the socket is lost meanwhile.
            work = asyncio.ensure_future(self._carried_out(table, connection, request))
            connection.outbox.put(await asyncio.shield(work))
            await self._read_again(table)
        finally:
            connection.outbox.release()

    async def _carried_out(self, table: OpenTable, connection: Connection, request: Request) -> str:
        if isinstance(request, rq.Say | rq.PutMark):
            return await talked(self.context, table, connection, request)
        answer = await carry_out(self.context.service, table, connection, request)
        if isinstance(request, rq.Choose | rq.Why):
            await self.context.playtests.refused(table.live, connection.viewer, request, answer)
        return answer

    async def _read_again(self, table: OpenTable) -> None:
        """After a commit that failed, the match is not in memory; the store knows what was committed."""
        match = table.live.row.id
        if self.context.service.known(match) is None:
            with suppress(DiagnosticError):
                await self.context.service.open(match)
                self.context.tables.update(match)


def _unopened(error: DiagnosticError | StoreFailed) -> tuple[int, str]:
    """With which code a socket is closed whose match cannot be opened, and what is said."""
    if isinstance(error, StoreFailed):
        return LATER, "not-available"
    match error.diagnostic:
        case TooCostly():
            return LATER, "too-costly"
        case NotKept():
            return LATER, "not-available"
    return UNKNOWN, "not-found"


TEXTS = {
    "too-costly": "the rules of this game take too long, and rest; connect again in a minute",
    "not-available": "the database cannot be reached; connect again in a moment",
    "malformed": "the message is not one of the protocol",
    "too-fast": "too many messages; this one was dropped",
    "protocol": "the page is of another version; reload it",
    "revoked": "the seat's links were revoked",
    "going-down": "the server goes down; connect again in a moment",
    "not-found": "there is no such match, or it may not be seen",
    "not-yours": "this seat is somebody else's",
    "silent": "no `hello` came",
}


def error(code: str) -> str:
    """An `error` message."""
    return encoded({"type": "error", "code": code, "text": TEXTS[code]})


def malformed(wrong: rq.Malformed) -> str:
    """The answer to a malformed message: of its request, if it can be told of which."""
    if wrong.id is None:
        return encoded({"type": "error", "code": "malformed", "text": wrong.text})
    refused = {"type": "refused", "id": wrong.id, "code": "malformed", "text": wrong.text, "refusal": None}
    return encoded(refused)
