"""Hints at a table, and matches that are dismissed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.serve.clients import serving


def test_a_player_is_told_what_a_search_thinks_of_what_is_offered(tmp_path: Path) -> None:
    """By words that are offered, with how often each was tried; nobody else is told."""

    async def scenario() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            ann, ben = served.browser(), served.browser()
            made = await ann.make("tic_tac_toe", players=["me", "bot:easy"])
            assert made["hints"]
            address = f"/api/matches/{made['match']}/hint"
            found = await ann.post(address, {"seat": 0})
            assert 1 <= len(found["choices"]) <= 5
            assert found["iterations"] > 0
            assert len(found["choices"]) + found["more"] == 9
            async with ann.seat(made["match"], 0) as player:
                await player.until(lambda: bool(player.choices))
                assert {one["words"] for one in found["choices"]} <= set(player.choices)
                assert player.table["hints"]
            tried = [one["tried"] for one in found["choices"]]
            assert sum(tried) <= found["iterations"]
            assert all(0 <= one["value"] <= 1 for one in found["choices"])
            await ben.post(address, {"seat": 0}, 403)
            await ann.post(address, {"seat": 1}, 403)
            await ann.post(address, {"seat": "a"}, 400)

    asyncio.run(scenario())


def test_who_makes_a_match_can_forbid_hints(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            ann = served.browser()
            made = await ann.make("tic_tac_toe", players=["me", "bot:easy"], hints=False)
            assert not made["hints"]
            await ann.post(f"/api/matches/{made['match']}/hint", {"seat": 0}, 409)
            async with ann.seat(made["match"], 0) as player:
                await player.until(lambda: bool(player.choices))
                assert not player.table["hints"]

    asyncio.run(scenario())


def test_who_plays_alone_can_dismiss_a_match(tmp_path: Path) -> None:
    """It ends without a result and is in no list; with other people it cannot be dismissed."""

    async def scenario() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            ann, ben = served.browser(), served.browser()
            alone = await ann.make("tic_tac_toe", players=["me", "bot:easy"])
            device = await ann.make("tic_tac_toe", players=["me", "me"])
            both = await ann.make("tic_tac_toe", players=["me", "open"])
            await ben.post(f"/api/matches/{both['match']}/join", {"name": "Ben"})
            await ben.post(f"/api/matches/{alone['match']}/dismiss", {}, 403)
            await ann.post(f"/api/matches/{both['match']}/dismiss", {}, 403)
            await ann.post(f"/api/matches/{alone['match']}/dismiss", {}, 204)
            await ann.post(f"/api/matches/{device['match']}/dismiss", {}, 204)
            assert (await served.service.open(device["match"])).row.status == "abandoned"
            mine = (await ann.get("/api/matches"))["mine"]
            assert [one["match"] for one in mine] == [both["match"]]
            live = await served.service.open(alone["match"])
            assert live.row.status == "abandoned"

    asyncio.run(scenario())
