"""A rematch is proposed, and begins with its clocks when all people have agreed to it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.serve.clients import Browser, Player, Served, serving
from tests.serve.test_tables import at_table, run, seated

GAME = "tic_tac_toe"
MINUTE = {"kind": "move", "seconds": 60, "expiry": "forfeit"}


async def ended(served: Served, seats: int = 2, game: str = GAME, **body: Any) -> tuple[str, list[Browser]]:
    """A match of people that all but the last have given up."""
    match, browsers = await seated(served, game, seats, **body)
    for number in range(seats - 1):
        await served.service.resign(match, number, "r")
    return match, browsers


def proposal(player: Player) -> dict[str, Any] | None:
    """The rematch that is proposed at a table."""
    found = [one for one in player.table["proposals"] if one["kind"] == "rematch"]
    return found[0] if found else None


async def ask(browser: Browser, match: str, agree: bool = True) -> Any:
    return await browser.post(f"/api/matches/{match}/rematch", {"agree": agree}, 201)


def test_it_begins_when_the_other_has_agreed(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, (ann, ben) = await ended(served, clock=MINUTE)
        async with at_table(match, [ann, ben]) as (one, two), served.browser().seat(match) as eve:
            made = await ask(ann, match)
            assert (made["status"], [seat["mine"] for seat in made["seats"]]) == ("open", [False, True])
            await two.until(lambda: proposal(two) is not None)
            told = {"by": 0, "asked": [1], "agreed": [], "number": None, "seq": None}
            assert proposal(two) == {"proposal": 1, "kind": "rematch", **told}
            live = await served.service.open(made["match"])
            assert all(clock.deadline is None for clock in live.clocks)
            assert (await ask(ann, match))["status"] == "open", "asking twice is not agreeing for others"
            assert not eve.table["proposals"]
            begun = await ask(ben, match)
            assert (begun["match"], begun["status"]) == (made["match"], "running")
            await one.until(lambda: one.table["rematch"] == made["match"] and proposal(one) is None)
            live = await served.service.open(made["match"])
            assert [clock.deadline is not None for clock in live.clocks] == [True, False]
            assert (await ask(ann, match))["match"] == made["match"]
        async with at_table(made["match"], [ann, ben]) as players:
            assert [player.position["seat"] for player in players] == [1, 0]

    run(tmp_path, act, GAME)


def test_who_declines_ends_it_and_another_can_be_proposed(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, (ann, ben) = await ended(served)
        async with at_table(match, [ann, ben]) as (one, two):
            made = await ask(ann, match)
            await ask(ben, match, False)
            await one.until(lambda: one.table["declined"] == 1)
            assert (one.table["rematch"], one.table["proposals"]) == (None, [])
            assert (await ann.get(f"/api/matches/{made['match']}"))["status"] == "abandoned"
            await ann.post(f"/api/matches/{match}/rematch", {"agree": False}, 409)
            again = await ask(ben, match)
            assert again["match"] != made["match"]
            await one.until(lambda: proposal(one) is not None and one.table["declined"] is None)
            await ask(ben, match, False)  # withdrawn
            await one.until(lambda: one.table["rematch"] is None)
            last = await ask(ann, match)
            assert (await ask(ben, last["match"]))["status"] == "running", "also at the new match"
            await two.until(lambda: two.table["rematch"] == last["match"])

    run(tmp_path, act, GAME)


def test_of_three_people_all_agree_and_strangers_have_no_say(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, (ann, ben, kim) = await ended(served, 3, "pig")
        made = await ask(ann, match)
        await served.browser().post(f"/api/matches/{match}/rematch", {}, 403)
        assert (await ask(ben, match))["status"] == "open"
        async with kim.seat(made["match"]) as player:
            found = proposal(player)
            assert found is not None
            assert (found["by"], found["asked"], found["agreed"]) == (2, [0, 1], [0])
            assert not player.position
            assert (await ask(kim, made["match"]))["status"] == "running"
            await player.until(lambda: player.table["status"] == "running" and bool(player.position))
            assert not player.table["proposals"]

    run(tmp_path, act, "pig")


def test_bots_and_other_seats_of_the_same_person_agree(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        ann = served.browser()
        for players in (["me", "bot"], ["me", "me"], ["bot", "me"]):
            match = (await ann.make(GAME, players=players))["match"]
            await served.service.resign(match, players.index("me"), "r")
            assert (await ask(ann, match))["status"] == "running"

    run(tmp_path, act, GAME)


def test_who_has_gone_is_asked_again_before_a_clock_runs(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, (ann, ben) = await ended(served, clock=MINUTE)
        async with ann.seat(match):
            made = await ask(ann, match)
        async with ben.seat(match) as two:
            assert (await ask(ben, match))["status"] == "open"
            await two.until(lambda: (proposal(two) or {}).get("by") == 1)
            assert (proposal(two) or {})["asked"] == [0]
            live = await served.service.open(made["match"])
            assert all(clock.deadline is None for clock in live.clocks)
            async with ann.seat(match):
                assert (await ask(ann, match))["status"] == "running"

    run(tmp_path, act, GAME)


def test_a_seat_that_becomes_a_bots_is_not_asked(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, (ann, ben) = await ended(served)
        made = await ask(ann, match)
        await ben.post(f"/api/matches/{made['match']}/leave", {"seat": 0})
        assert (await ann.get(f"/api/matches/{made['match']}"))["status"] == "open"
        await ann.post(f"/api/matches/{made['match']}/seats/0/bot", {"bot": "random"})
        assert (await ann.get(f"/api/matches/{made['match']}"))["status"] == "running"

    run(tmp_path, act, GAME)


@pytest.mark.postgresql
def test_it_is_proposed_and_agreed_to_at_two_servers(database: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            servers = [
                await stack.enter_async_context(serving(tmp_path, GAME, database=database)) for _ in range(2)
            ]
            ann, ben = (server.browser() for server in servers)
            match = (await ann.make(GAME, name="Ann"))["match"]
            await ben.post(f"/api/matches/{match}/join", {"name": "Ben"})
            async with ann.seat(match) as one, ben.seat(match) as two:
                await one.ask("resign")
                await two.until(lambda: two.table["status"] == "over")
                made = await ask(ann, match)
                await two.until(lambda: proposal(two) is not None)
                assert (await ask(ben, match))["status"] == "running"
                await one.until(lambda: one.table["rematch"] == made["match"] and proposal(one) is None)

    asyncio.run(main())
