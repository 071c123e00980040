"""Several servers over one database serve the same matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from rulewright.serve.notices.notifier import Timing
from tests.serve.clients import Browser, Served, play_out, serving
from tests.serve.test_notices import sink
from tests.serve.test_tables import at_table


@asynccontextmanager
async def two_servers(folder: Path, database: str) -> AsyncIterator[tuple[Served, Browser, Browser, str]]:
    """The first server, a browser at each of two servers, and the match that they have joined."""
    async with (
        serving(folder, "connect_four", database=database) as one,
        serving(folder, "connect_four", database=database) as two,
    ):
        ann, ben = one.browser(), two.browser()
        match = (await ann.make("connect_four", name="Ann"))["match"]
        await ben.post(f"/api/matches/{match}/join", {"name": "Ben"})
        yield one, ann, ben, match


@pytest.mark.postgresql
def test_players_of_two_servers_play_each_other(database: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with two_servers(tmp_path, database) as (one, ann, ben, match):
            async with at_table(match, [ann]) as (here,), at_table(match, [ben]) as (there,):
                await play_out([here, there])
                assert here.position["winners"] == there.position["winners"]
                assert here.entries == there.entries
            hash = (await ben.get("/api/matches"))["mine"][0]
            assert hash["status"] == "over"
            description = there.table["description"]
            assert (await one.browser().http.get(f"/api/descriptions/{description}?match={match}")).is_success

    asyncio.run(main())


@pytest.mark.postgresql
def test_a_link_that_one_server_revokes_closes_sockets_of_the_other(database: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            two_servers(tmp_path, database) as (_, ann, ben, match),
            at_table(match, [ben]) as (there,),
        ):
            gone = await ann.http.request("DELETE", f"/api/matches/{match}/seats/1/link", json={})
            assert gone.status_code == 200
            await asyncio.wait_for(there.socket.wait_closed(), 10)
            assert there.socket.close_code == 4403

    asyncio.run(main())


@pytest.mark.postgresql
def test_one_of_two_servers_tells_a_turn(database: str, tmp_path: Path) -> None:
    hurry = Timing(grace=0.1, waits=())

    async def main() -> None:
        async with (
            sink("http") as calls,
            serving(
                tmp_path,
                "connect_four",
                database=database,
                timing=hurry,
                private_webhooks=True,
                webhooks=True,
            ) as one,
            serving(
                tmp_path,
                "connect_four",
                database=database,
                timing=hurry,
                private_webhooks=True,
                webhooks=True,
            ) as two,
        ):
            ann, ben = one.browser(), two.browser()
            match = (await ann.make("connect_four", name="Ann"))["match"]
            url = f"http://127.0.0.1:{calls.port}/"
            await ann.post(f"/api/matches/{match}/notices", {"seat": 0, "webhook": url}, 204)
            await ben.post(f"/api/matches/{match}/join", {"name": "Ben"})
            await calls.until(1)
            await asyncio.sleep(0.5)
            assert calls.calls == 1

    asyncio.run(main())
