"""Signs of life, for pages that ask for them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from tests.serve.clients import Player, Served
from tests.serve.test_tables import run


async def heard(served: Served, query: str, seconds: float, opening: float = 0.0) -> list[str]:
    """The types of the messages that a page is sent in so many seconds."""
    visitor = served.browser()
    match = (await visitor.make("tic_tac_toe"))["match"]
    grants = served.context.grants
    look_up = grants.of_visitor

    async def slowly(visitor: str) -> object:
        await asyncio.sleep(opening)
        return await look_up(visitor)

    grants.of_visitor = slowly
    address = f"{served.url.replace('http', 'ws', 1)}/api/matches/{match}/socket{query}"
    headers = {"Cookie": visitor.cookie}
    found = []
    try:
        async with connect(address, origin=served.url, additional_headers=headers) as socket:  # type: ignore[arg-type]
            await Player(socket).send({"type": "hello", "protocol": 1, "seq": 0, "mark": ""})
            async with asyncio.timeout(seconds):
                while True:
                    found.append(json.loads(await socket.recv())["type"])
    except TimeoutError:
        return found
    finally:
        grants.of_visitor = look_up


def test_a_page_that_asks_is_given_signs_of_life(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        assert await heard(served, "?beat=1", 1.5) == ["beat", "table", "beat"]
        opening = await heard(served, "?beat=1", 1.5, opening=5.0)
        assert opening == ["beat", "beat"], "also while the match is opened"

    run(tmp_path, act, "tic_tac_toe")


@pytest.mark.parametrize("query", ["", "?beat=", "?beat=0", "?beat=61", "?beat=x", "?beat=0.1", "?beat=٣"])
def test_others_are_not(query: str, tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        assert await heard(served, query, 0.4) == ["table"]

    run(tmp_path, act, "tic_tac_toe")
