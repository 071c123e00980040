"""Playtests at a server: only who agrees is recorded, each is told of their own part, all can be deleted."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

from rulewright.files import durable
from rulewright.matches.playtests import read, read_folder, written
from rulewright.serve.config import Keeping, PlaytestConfig
from rulewright.serve.forgetting import DAY, forget_old
from rulewright.serve.playtests import Playtests
from rulewright.serve.store.sql import SqlStorage
from tests.serve.clients import play_out, serving


def test_who_agrees_leaves_a_record_that_can_be_deleted(tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()

    async def scenario() -> None:
        config = PlaytestConfig(records, ("Was it fun?",))
        async with serving(tmp_path, "tic_tac_toe", playtest=config) as served:
            ann, ben = served.browser(), served.browser()
            made = await ann.make("tic_tac_toe", players=["me", "open"])
            match = made["match"]
            address = f"/api/matches/{match}/playtest"
            await ben.post(f"/api/matches/{match}/join", {"seat": 1, "name": "Ben"})
            await ann.post(address, {"do": "mark", "seat": 0, "entry": 0, "text": "early"}, 409)
            assert (await ann.post(address, {"do": "agree", "seat": 0}))["agreed"] == [0]
            await ann.post(address, {"do": "agree", "seat": 1}, 403)
            async with ann.seat(match, 0) as first, ben.seat(match, 1) as second:
                await first.until(lambda: bool(first.choices))
                words = first.choices[0]
                await ann.post(f"/api/matches/{match}/hint", {"seat": 0})
                await first.choose(words)
                assert (await first.ask("undo", version=first.version, number=1))["type"] == "ack"
                await first.until(lambda: words in first.choices)
                await first.choose(words)
                await second.until(lambda: bool(second.choices))
                for player in (first, second):
                    answer = await player.ask("why", words=words)
                    assert answer["refusal"] is not None, answer
                marked = await ann.post(address, {"do": "mark", "seat": 0, "entry": 1, "text": "odd"})
                assert marked["kept"] == [{"seat": 0, "kind": "mark", "of": 1, "text": "odd"}], "no choice"
                await ann.post(address, {"do": "mark", "seat": 0, "entry": 10**6, "text": "x"}, 409)
                await ann.post(address, {"do": "mark", "seat": 0, "entry": 1, "text": "x" * 301}, 400)
                await ann.post(address, {"do": "answer", "seat": 0, "question": 0, "text": "x"}, 409)
                assert (await ben.get(address))["kept"] == [], "nobody is told of others"
                assert list(records.iterdir()) == [], "nothing is written before the end"
                await play_out([first, second])
            await until_written(records)
            await ann.post(address, {"do": "answer", "seat": 0, "question": 0, "text": "Yes"})
            (record,) = read_folder(records)[0].values()
            assert record.agreed == (0,)
            assert {one.seat for one in record.happened} == {0}
            assert [one.kind for one in record.of("why")] == ["why"]
            assert [one.choice for one in record.of("undo")] == ["place"]
            assert [one.choice for one in record.of("hint")] == ["place"], "the choice after it"
            assert [(one.entry, one.text) for one in record.of("mark")] == [(1, "odd")]
            assert [one.text for one in record.of("answer")] == ["Yes"]
            assert len(record.of("time")) >= 3
            text = next(records.iterdir()).read_text()
            assert "Ben" not in text
            assert written(read(next(records.iterdir()))) == text
            await ben.post(address, {"do": "delete"}, 403)
            assert (await ann.post(address, {"do": "withdraw", "seat": 0}))["agreed"] == []
            assert list(records.iterdir()) == []

    asyncio.run(scenario())


def test_a_mark_takes_the_place_of_one_at_the_same_moment_alone(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, "tic_tac_toe", playtest=PlaytestConfig(tmp_path)) as served:
            ann = served.browser()
            match = (await ann.make("tic_tac_toe", players=["me", "me"]))["match"]
            address = f"/api/matches/{match}/playtest"
            await ann.post(address, {"do": "agree", "seat": 0})

            async def marks(*texts: str) -> list[str]:
                for text in texts:
                    told = await ann.post(address, {"do": "mark", "seat": 0, "entry": 2, "text": text})
                return [one["text"] for one in told["kept"]]

            async with ann.seat(match, 0) as first:
                await first.until(lambda: bool(first.choices))
                words = first.choices[0]
                await first.choose(words)
                assert await marks("odd", "bad") == ["bad"]
                assert (await first.ask("undo", version=first.version, number=1))["type"] == "ack"
                await first.until(lambda: words in first.choices)
                await first.choose(words)
                assert await marks("good") == ["bad", "good"], "after the undo it is another one"

    asyncio.run(scenario())


async def until_written(records: Path) -> None:
    for _ in range(200):
        if any(records.iterdir()):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("no record is written when a match has ended")


def test_who_leaves_the_seat_leaves_no_record(tmp_path: Path) -> None:
    """So does whose link the owner revokes, and what cannot be removed is no success."""
    records = tmp_path / "records"
    records.mkdir()

    async def scenario() -> None:
        async with serving(tmp_path, "tic_tac_toe", playtest=PlaytestConfig(records)) as served:
            ann, ben = served.browser(), served.browser()
            match = (await ann.make("tic_tac_toe", players=["me", "open"]))["match"]
            address = f"/api/matches/{match}/playtest"
            await ben.post(f"/api/matches/{match}/join", {"seat": 1, "name": "Ben"})
            for visitor, number in ((ann, 0), (ben, 1)):
                await visitor.post(address, {"do": "agree", "seat": number})
            async with ann.seat(match, 0) as first, ben.seat(match, 1) as second:
                for player in (first, second):
                    await player.until(lambda one=player: "over" in one.position)  # type: ignore[misc]
                await play_out([first, second])
            await until_written(records)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("rulewright.serve.playtests.durable.remove", refused)
                await ben.post(address, {"do": "withdraw", "seat": 1}, 503)
            assert (await ben.get(address))["agreed"] == [1]
            await ben.post(f"/api/matches/{match}/leave", {"seat": 1})
            (record,) = read_folder(records)[0].values()
            assert record.agreed == (0,)
            await ann.post(address, {"do": "delete"})
            assert list(records.iterdir()) == []

    asyncio.run(scenario())


def refused(path: Path) -> None:
    raise PermissionError(f"{path} cannot be removed")


def test_a_withdrawal_is_not_overtaken_by_a_record_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = tmp_path / "records"
    records.mkdir()
    writing, may_write, write = threading.Event(), threading.Event(), durable.write

    def slow(path: Path, data: bytes) -> None:
        writing.set()
        assert may_write.wait(10)
        write(path, data)

    async def scenario() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            storage = served.service.registry.storage
            assert isinstance(storage, SqlStorage)
            playtests = Playtests(PlaytestConfig(records), storage, served.service)
            ann = served.browser()
            match = (await ann.make("tic_tac_toe", players=["me", "me"]))["match"]
            async with ann.seat(match, 0) as first, ann.seat(match, 1) as second:
                for player in (first, second):
                    await player.until(lambda one=player: "over" in one.position)  # type: ignore[misc]
                await play_out([first, second])
            token = (await served.service.open(match)).seats[0].token
            assert token is not None
            await playtests.rows.agree(match, 0, token, 0)
            monkeypatch.setattr("rulewright.serve.playtests.durable.write", slow)
            before = asyncio.create_task(playtests.keep(match))
            assert await asyncio.to_thread(writing.wait, 10)
            await playtests.rows.remove(match, 0)
            after = asyncio.create_task(playtests.keep(match))
            await asyncio.wait([after], timeout=0.3)
            may_write.set()
            await asyncio.gather(before, after)
            assert list(records.iterdir()) == []

    asyncio.run(scenario())


def test_the_record_goes_with_a_match_that_a_server_without_playtests_forgets(tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()

    async def played() -> None:
        async with serving(tmp_path, "tic_tac_toe", playtest=PlaytestConfig(records)) as served:
            ann = served.browser()
            match = (await ann.make("tic_tac_toe", players=["me", "me"]))["match"]
            await ann.post(f"/api/matches/{match}/playtest", {"do": "agree", "seat": 1})
            async with ann.seat(match, 0) as first, ann.seat(match, 1) as second:
                for player in (first, second):
                    await player.until(lambda one=player: "over" in one.position)  # type: ignore[misc]
                await play_out([first, second])
            await until_written(records)

    async def forgotten() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            context, later = served.context, int(time.time() * 1000) + 2 * DAY
            leaving = context.playtests.leaving
            args = (context.service.registry, context.tables.presence, Keeping(finished=1), later)
            assert await forget_old(*args, leaving) == 1
            await context.playtests.close()
            assert list(records.iterdir()) == []

    asyncio.run(played())
    asyncio.run(forgotten())
