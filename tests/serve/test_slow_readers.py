"""Sockets that are not read from: what waits for them is bounded, and nobody else waits."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.running import listening
from rulewright.serve.tables.outbox import MOST_BYTES, MOST_WAITING
from tests.serve import clients
from tests.serve.clients import Player, Served, play_out, serving
from tests.serve.test_tables import at_table, seated

SMALL = 4096
"""Bytes of the buffers of the system, so that they are soon full."""
WRITTEN = 256 << 10
"""What a connection may have taken from the outbox and not sent yet."""
CHOICES, REQUESTS = 120, 1200


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system keeps little of what is sent."""

    def narrowed(host: str, port: int) -> socket.socket:
        at = listening(host, port)
        at.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
        return at

    monkeypatch.setattr(clients, "listening", narrowed)


def narrow_socket(served: Served) -> socket.socket:
    """A connection of which the system keeps little, too."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    found.setblocking(True)
    found.connect(("127.0.0.1", int(served.url.rpartition(":")[2])))
    return found


async def knock(player: Player) -> None:
    """Ask many times without reading an answer, until nothing more is taken."""
    for number in range(REQUESTS):
        await player.send({"type": "account", "id": f"knock {number}"})


def stopped(transport: Any) -> Callable[[], None]:
    """Read no more from a connection, whatever its library wants. Returns what reads on."""
    resume = transport.resume_reading
    transport.pause_reading()
    transport.resume_reading = lambda: None

    def resumed() -> None:
        transport.resume_reading = resume
        resume()

    return resumed


def unsent(served: Served) -> int:
    """The most that one connection has taken and not sent yet."""
    found: list[Any] = list(served.server.server_state.connections)
    return max(one.transport.get_write_buffer_size() for one in found)


def test_what_waits_for_a_slow_reader_is_bounded(tmp_path: Path, narrow: None) -> None:
    """It is given one fresh view when it reads again, and its requests are answered then."""

    async def main() -> None:
        async with serving(tmp_path, "roma") as served:
            match, browsers = await seated(served, "roma", 2)
            slow = browsers[0].socket(match, 0, compression=None, sock=narrow_socket(served), max_queue=1)
            async with AsyncExitStack() as stack:
                players = await stack.enter_async_context(at_table(match, browsers))
                table = served.context.tables.known(match)
                known = set(table.connections)
                connected = await stack.enter_async_context(slow)
                reader = Player(connected)
                await reader.hello()
                (connection,) = set(table.connections) - known
                resume = stopped(connected.transport)
                knocking = asyncio.create_task(knock(reader))
                async with asyncio.timeout(60):
                    while not connection.outbox._waiting:
                        await asyncio.sleep(0.01)
                most_waiting = most_bytes = most_unsent = 0
                for turn in range(CHOICES):
                    await play_out(players, seed=turn, most=1)
                    most_waiting = max(most_waiting, len(connection.outbox._waiting))
                    most_bytes = max(most_bytes, connection.outbox._bytes)
                    most_unsent = max(most_unsent, unsent(served))
                assert 0 < most_waiting <= MOST_WAITING
                assert most_bytes <= MOST_BYTES
                assert most_unsent <= WRITTEN
                resume()
                newest = (await served.service.open(match)).version(0)
                await reader.until(lambda: reader.version >= newest, 60)
                await knocking
                await reader.until(lambda: f"knock {REQUESTS - 1}" in reader.answers, 60)
                shown = [text for text in reader.received if json.loads(text)["type"] == "position"]
                assert len(shown) < CHOICES / 2, "not each of the views that were missed"
                await players[0].until(lambda: players[0].version >= newest, 60)
                assert reader.entries == players[0].entries

    asyncio.run(main())
