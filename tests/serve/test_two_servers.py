"""Several servers over one database serve the same matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rulewright.serve.notices.notifier import Timing
from rulewright.serve.tables.presence import SILENCE
from tests.serve.clients import Browser, Player, Served, play_out, serving
from tests.serve.test_notices import Sink, sink
from tests.serve.test_tables import at_table

pytestmark = pytest.mark.postgresql


@dataclass
class Both:
    """Two servers, and a match between a visitor of each."""

    one: Served
    two: Served
    ann: Browser
    ben: Browser
    match: str


@asynccontextmanager
async def both(folder: Path, database: str, joined: bool = True, **given: Any) -> AsyncIterator[Both]:
    async with AsyncExitStack() as stack:
        one, two = [
            await stack.enter_async_context(serving(folder, "connect_four", database=database, **given))
            for _ in range(2)
        ]
        ann, ben = one.browser(), two.browser()
        match = (await ann.make("connect_four", name="Ann"))["match"]
        if joined:
            await ben.post(f"/api/matches/{match}/join", {"name": "Ben"})
        yield Both(one, two, ann, ben, match)


@asynccontextmanager
async def called_by_turns(folder: Path, database: str) -> AsyncIterator[tuple[Sink, Both]]:
    """Two servers with a match that waits for its second player; the first one is told turns by a webhook."""
    soon = Timing(grace=0.1, waits=())
    webhooks = {"private_webhooks": True, "webhooks": True}
    async with (
        sink("http") as calls,
        both(folder, database, joined=False, timing=soon, **webhooks) as served,
    ):
        url = f"http://127.0.0.1:{calls.port}/"
        notices = f"/api/matches/{served.match}/notices"
        await served.ann.post(notices, {"seat": 0, "webhook": url}, 204)
        yield calls, served


def test_players_of_two_servers_play_each_other(database: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with both(tmp_path, database) as served:
            async with (
                at_table(served.match, [served.ann]) as (here,),
                at_table(served.match, [served.ben]) as (there,),
            ):
                await play_out([here, there])
                assert here.position["winners"] == there.position["winners"]
                assert here.entries == there.entries
            listed = (await served.ben.get("/api/matches"))["mine"][0]
            assert listed["status"] == "over"
            path = f"/api/descriptions/{there.table['description']}?match={served.match}"
            assert (await served.one.browser().http.get(path)).is_success

    asyncio.run(main())


def test_a_link_that_one_server_revokes_closes_sockets_of_the_other(database: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with both(tmp_path, database) as served, at_table(served.match, [served.ben]) as (there,):
            path = f"/api/matches/{served.match}/seats/1/link"
            assert (await served.ann.http.request("DELETE", path, json={})).status_code == 200
            await asyncio.wait_for(there.socket.wait_closed(), 10)
            assert there.socket.close_code == 4403

    asyncio.run(main())


def test_one_of_two_servers_tells_a_turn(database: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with called_by_turns(tmp_path, database) as (calls, served):
            await served.ben.post(f"/api/matches/{served.match}/join", {"name": "Ben"})
            await calls.until(1)
            await asyncio.sleep(0.5)
            assert calls.calls == 1

    asyncio.run(main())


# ---- who is there


def there(player: Player) -> list[bool]:
    """The seats at which somebody is, as a page shows them."""
    return [seat["present"] for seat in player.table["seats"]]


def test_who_is_at_one_server_is_seen_at_the_other(database: str, tmp_path: Path) -> None:
    """Players and spectators, those who came before the other server was asked, and after a clean end."""

    async def main() -> None:
        async with both(tmp_path, database) as served, at_table(served.match, [served.ann]) as (ann,):
            assert there(ann) == [True, False]
            async with at_table(served.match, [served.ben, served.two.browser()]) as (ben, _):
                await ann.until(lambda: there(ann) == [True, True] and ann.table["watching"] == 1)
                await ben.until(lambda: there(ben) == [True, True] and ben.table["watching"] == 1)
                seats = (await served.ann.get(f"/api/matches/{served.match}"))["seats"]
                assert [seat["present"] for seat in seats] == [True, True]
                async with serving(tmp_path, "connect_four", database=database) as third:
                    late = third.browser()
                    async with at_table(served.match, [late]) as (watcher,):
                        await watcher.until(lambda: there(watcher) == [True, True])
                        await watcher.until(lambda: watcher.table["watching"] == 2)
                        await ann.until(lambda: ann.table["watching"] == 2)
                await ann.until(lambda: ann.table["watching"] == 1)
            await ann.until(lambda: there(ann) == [True, False] and ann.table["watching"] == 0)

    asyncio.run(main())


def test_who_was_at_a_server_that_is_gone_is_forgotten(database: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with both(tmp_path, database) as served, at_table(served.match, [served.ann]) as (ann,):
            presence = served.one.context.tables.presence
            async with at_table(served.match, [served.ben]):
                await ann.until(lambda: there(ann) == [True, True])
                served.two.context.tables.presence.hear = lambda _: None
                served.two.context.tables.presence._post = lambda _: None
            (other,) = presence._others.values()
            other.heard -= (SILENCE + 1) * presence._beat
            presence.forget_silent()
            await ann.until(lambda: there(ann) == [True, False])

    asyncio.run(main())


def test_nobody_is_told_a_turn_who_is_at_the_other_server(database: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            called_by_turns(tmp_path, database) as (calls, served),
            served.ann.seat(served.match) as ann,
        ):
            await served.ben.post(f"/api/matches/{served.match}/join", {"name": "Ben"})
            await ann.until(lambda: bool(ann.choices))
            await asyncio.sleep(0.6)
            assert not calls.calls

    asyncio.run(main())
