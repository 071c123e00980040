"""Lists are made from rows: none opens what it lists, and none costs more than a page of its answer."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from rulewright.library import files_of, find
from rulewright.serve.games import catalogue, compiled
from rulewright.serve.games.catalogue import Catalogue
from rulewright.serve.matches.registry import MatchRegistry
from rulewright.serve.matches.session import MatchSession
from rulewright.serve.store.schema import LOG, MATCHES, SEATS, SNAPSHOTS
from rulewright.serve.store.storage import SeatRow, StoreFailed
from tests.serve.clients import Browser, Served, serving
from tests.serve.test_storage import MATCH


async def some(served: Served, ann: Browser, ben: Browser) -> dict[str, str]:
    """Matches that can be joined, that are played, watched and over."""
    open_ = await ann.make("tic_tac_toe", players=["me", "open"], name="Ann")
    running = await ann.make("tic_tac_toe", players=["me", "open"], options={})
    await ben.post(f"/api/matches/{running['match']}/join", {"name": "Ben"})
    over = await ann.make("kuhn_poker", players=["me", "me"])
    async with ann.seat(over["match"], 0) as player:
        await player.ask("resign")
    return {"open": open_["match"], "running": running["match"], "over": over["match"]}


def test_a_list_says_what_the_match_itself_says(tmp_path: Path) -> None:
    """For whoever asks, and whatever has just happened; also after a restart."""

    async def same(served: Served, visitors: list[Browser]) -> None:
        for visitor in visitors:
            lists = await visitor.get("/api/matches")
            for one in (*lists["open"], *lists["mine"], *lists["watch"]):
                assert one == await visitor.get(f"/api/matches/{one['match']}")

    async def main() -> None:
        cookies: list[dict[str, str]] = []
        async with serving(tmp_path, "tic_tac_toe", "kuhn_poker") as served:
            ann, ben, stranger = served.browser(), served.browser(), served.browser()
            made = await some(served, ann, ben)
            await same(served, [ann, ben, stranger])
            for number in range(3):
                async with ann.seat(made["running"]) as first, ben.seat(made["running"]) as second:
                    for player in (first, second):
                        await player.until(lambda p=player: bool(p.position))
                    player = first if first.choices else second
                    await player.choose(player.choices[0])
                    mine = (await ann.get("/api/matches"))["mine"]
                    (one,) = (match for match in mine if match["match"] == made["running"])
                    assert one["waiting"] is (number % 2 == 1)
                    await same(served, [ann, ben, stranger])
            lists = await stranger.get("/api/matches")
            assert [one["match"] for one in lists["open"]] == [made["open"]]
            assert [one["match"] for one in lists["watch"]] == [made["running"]]
            assert lists["mine"] == lists["unreadable"] == []
            cookies = [dict(one.http.cookies) for one in (ann, ben, stranger)]
        async with serving(tmp_path, "tic_tac_toe", "kuhn_poker") as served:
            again = [served.browser() for _ in cookies]
            for browser, known in zip(again, cookies, strict=True):
                browser.http.cookies.update(known)
            await same(served, again)

    asyncio.run(main())


def test_no_list_opens_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe", "kuhn_poker") as served:
            ann, ben = served.browser(), served.browser()
            await some(served, ann, ben)
            served.service.registry._sessions.clear()
            for name in ("open", "session"):
                monkeypatch.setattr(MatchRegistry, name, unwanted)
            monkeypatch.setattr(MatchSession, "__init__", unwanted)
            for browser in (ann, ben):
                assert (await browser.get("/api/matches"))["mine"]
                await browser.get("/api/games")

    def unwanted(*_: object) -> None:
        raise AssertionError("a list has opened a match")

    asyncio.run(main())


def test_no_list_reads_a_game_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploaded games never change, and more of them than are kept in memory are listed from what is known."""
    monkeypatch.setattr(compiled, "MOST_RULES", 2)
    monkeypatch.setattr(catalogue, "MOST_UPLOADED", 4)
    read: list[str] = []

    async def main() -> None:
        sources = {}
        for number in range(6):
            folder = tmp_path / f"upload-{number}"
            for path, data in files_of(find("tic_tac_toe")).items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(data)
            sources[folder.name] = str(folder)
        games = Catalogue(sources, is_stranger=lambda source: "upload-" in source)
        known, reading = await games.games(), games._rulesets.read
        games._rulesets.read = lambda source: (read.append(source), reading(source))[1]  # type: ignore[method-assign]
        assert [game.id for game in await games.games()] == [game.id for game in known]
        assert [game.id for game in known] == ["upload-2", "upload-3", "upload-4", "upload-5"]
        games.close()

    asyncio.run(main())
    assert read == []


def test_a_store_of_before_is_listed(tmp_path: Path) -> None:
    """What lists show is made for matches that have none of it, one after the other beside the service."""

    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe", "kuhn_poker") as served:
            ann = served.browser()
            await some(served, ann, served.browser())
            before, cookies = await ann.get("/api/matches"), dict(ann.http.cookies)
            with served.context.storage.writer.engine.begin() as connection:
                connection.execute(MATCHES.update().values(listed=None))
        async with serving(tmp_path, "tic_tac_toe", "kuhn_poker") as served:
            ann = served.browser()
            ann.http.cookies.update(cookies)
            while await asyncio.to_thread(served.context.storage.unlisted, "", 1):
                await asyncio.sleep(0.01)
            assert await ann.get("/api/matches") == before

    asyncio.run(main())


# ---- damaged rows


@pytest.mark.parametrize("damaged", ["matches", "log", "snapshots", "seats"])
def test_a_damaged_row_breaks_no_list(damaged: str, tmp_path: Path) -> None:
    """The match that it belongs to is told of as such, with a code; others are there. A snapshot is only left
    aside."""
    table = {"matches": MATCHES, "log": LOG, "snapshots": SNAPSHOTS, "seats": SEATS}[damaged]
    values = {
        "matches": {"options": '{"a'},
        "log": {"data": "[]"},
        "snapshots": {"data": b"x"},
        "seats": {"kind": "x"},
    }[damaged]

    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe", "kuhn_poker") as served:
            ann = served.browser()
            made = await some(served, ann, served.browser())
            match, cookies = made["over"], dict(ann.http.cookies)
        async with serving(tmp_path, "tic_tac_toe", "kuhn_poker") as served:
            ann = served.browser()
            ann.http.cookies.update(cookies)
            own = table.c.id == match if damaged == "matches" else table.c.match == match
            with served.context.storage.writer.engine.begin() as connection:
                assert connection.execute(sa.update(table).where(own).values(values)).rowcount
            lists = await ann.get("/api/matches")
            assert {one["match"] for one in lists["mine"]} >= {made["open"], made["running"]}
            assert lists["unreadable"] == ([match] if damaged == "matches" else [])
            answer = await ann.http.get(f"/api/matches/{match}")
            if damaged == "snapshots":
                assert answer.status_code == 200
            else:
                assert answer.status_code == 409, answer.text
                assert answer.json()["error"]["code"] == "not-now"
            await ann.get(f"/api/matches/{made['running']}")

    asyncio.run(main())


# ---- what a list costs


async def crowd(served: Served, number: int) -> None:
    """So many open matches of strangers in the store, half of them running."""
    storage = served.context.storage
    listed = {"title": "Tic-tac-toe", "colours": {"colours": ["#a3262a"] * 2}, "asked": [0], "changed": 10}
    set_up: dict[str, Any] = {"owner": "somebody", "visibility": "open"}
    row = replace(MATCH, game="tic_tac_toe", source="tic_tac_toe", seats=2, set_up=set_up, listed=listed)
    with served.context.storage.engine.connect() as connection:
        archive = connection.execute(sa.select(MATCHES.c.archive)).scalars().first()
    futures = []
    for count in range(number):
        id = f"m{count}"
        one = replace(
            row, id=id, archive=archive, status="waiting" if count % 2 else "running", updated=count
        )
        kinds: tuple[Any, ...] = ("human", "open" if count % 2 else "human")
        seats = [SeatRow(id, seat, kind, f"Player {seat}") for seat, kind in enumerate(kinds)]
        futures.append(storage.create(one, seats, [], None))
    for future in futures:
        with suppress(StoreFailed):
            await asyncio.wrap_future(future)


async def costs(folder: Path, number: int, requests: int) -> float:
    """The median of the milliseconds of the processor that a list costs beside so many matches: of all
    threads, the client's included."""
    async with serving(folder, "tic_tac_toe", "kuhn_poker") as served:
        ann = served.browser()
        await some(served, ann, served.browser())
        await crowd(served, number)
        found = []
        for _ in range(requests):
            begun = time.process_time()
            text = (await ann.http.get("/api/matches")).text
            found.append(1000 * (time.process_time() - begun))
        assert len(json.loads(text)["open"]) == min(100, number // 2 + 1)
        return statistics.median(found)


def test_a_list_costs_a_page_however_many_there_are(tmp_path: Path) -> None:
    (tmp_path / "few").mkdir()
    (tmp_path / "many").mkdir()
    few = asyncio.run(costs(tmp_path / "few", 300, 15))
    many = asyncio.run(costs(tmp_path / "many", 1000, 15))
    assert many < 2 * few + 2


@pytest.mark.long
def test_a_list_beside_two_thousand_matches(tmp_path: Path) -> None:
    found = asyncio.run(costs(tmp_path, 2000, 50))
    print(f"{found:.1f} ms of the processor")
    assert found < 20
