"""Bots at the table of the studio choose when they are asked, and give way to what changes the match."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.library import find
from rulewright.studio import bot_seats, bots
from rulewright.studio.fork_server import FORKS, ForkServer
from tests.studio.talk import Talk, talking
from tests.studio.test_nothing_lost import children

PATIENCE = 30.0


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots choose without a pause."""
    monkeypatch.setattr(bots, "PACE", 0.0)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(find("connect_four"), tmp_path / "connect_four"))


async def steps(page: Talk, number: int) -> dict[str, Any]:
    """The match once so many choices have been made."""
    return await settled(page, lambda match: match["choices"] >= number)


async def settled(page: Talk, fits: Any) -> dict[str, Any]:
    end = asyncio.get_running_loop().time() + PATIENCE
    while not fits(page.match()):
        assert asyncio.get_running_loop().time() < end, page.match()
        await asyncio.sleep(0.01)
    return page.match()


def test_a_bot_chooses_when_its_seat_is_asked(game: Path) -> None:
    async def act(page: Talk) -> None:
        await page.ask("player", seat=1, bot="search:20")
        assert page.match()["players"] == [None, "search:20"]
        for turn in (1, 2):
            await page.choose(f"drop {'abc'[turn]}")
            match = await steps(page, 2 * turn)
            assert match["choices"] == 2 * turn
            assert match["waiting"] == [0]
        found = await page.ask("record", since=0, name="against a bot")
        assert found["result"]["holds"]
        assert found["text"].count("- B:") == 2

    talking(game, act)


def test_bots_play_a_whole_match(game: Path) -> None:
    async def act(page: Talk) -> None:
        await page.ask("player", seat=0, bot="random")
        await page.ask("player", seat=1, bot="random")
        assert (await settled(page, lambda match: match["over"]))["choices"] > 6

    talking(game, act)


def test_taking_back_goes_to_the_last_choice_of_a_person(game: Path) -> None:
    async def act(page: Talk) -> None:
        await page.ask("player", seat=1, bot="random")
        await page.choose("drop c")
        await steps(page, 2)
        await page.ask("undo", number=1)
        match = page.match()
        assert (match["choices"], match["waiting"], match["bots_wait"]) == (0, [0], False)

    talking(game, act)


def test_bots_wait_where_only_their_choices_are_taken_back(game: Path) -> None:
    async def act(page: Talk) -> None:
        await page.ask("player", seat=0, bot="random")
        await steps(page, 1)
        await page.ask("undo", number=1)
        await asyncio.sleep(0.3)
        assert (page.match()["choices"], page.match()["bots_wait"]) == (0, True)
        await page.ask("bots", wait=False)
        await steps(page, 1)

    talking(game, act)


def test_a_long_thought_ends_with_what_it_was_about(game: Path) -> None:
    async def act(page: Talk) -> None:
        await page.ask("player", seat=1, bot="search:600s")
        await page.choose("drop c")
        await asyncio.sleep(0.3)
        await page.ask("undo", number=1)
        await page.ask("player", seat=1, bot=None)
        await page.choose("drop a")
        await asyncio.sleep(0.3)
        assert page.match()["choices"] == 1

    talking(game, act)


def test_a_bot_goes_on_under_changed_rules(game: Path) -> None:
    async def act(page: Talk) -> None:
        await page.ask("player", seat=1, bot="search:600s")
        await page.choose("drop c")
        digest = page.match()["digest"]
        await page.edit("connect_four.rules", ">= 4)", ">= 3)")
        await settled(page, lambda match: match["digest"] != digest)
        await page.ask("player", seat=1, bot="random")
        match = await steps(page, 2)
        assert match["digest"] != digest

    talking(game, act)


@pytest.mark.skipif(not FORKS or not sys.platform.startswith("linux"), reason="children are found by /proc")
def test_a_bot_whose_process_is_killed_waits_and_says_so(game: Path) -> None:
    async def act(page: Talk) -> None:
        await page.ask("player", seat=1, bot="search:600s")
        await page.choose("drop c")
        server = page.session.workshop.starter
        assert isinstance(server, ForkServer)
        while not page.match()["bots_wait"]:  # what else works in processes is killed too
            for child in children(server._process.pid or 0) if server._process is not None else []:
                os.kill(child, signal.SIGKILL)
            await asyncio.sleep(0.05)
        match = page.match()
        assert match["bots_failed"] == "the process that worked on it has ended"
        await page.ask("player", seat=1, bot="random")
        await page.ask("bots", wait=False)
        assert (await steps(page, 2))["bots_failed"] == ""

    talking(game, act)


def test_a_position_that_was_found_is_looked_at_before_bots_play_on(game: Path) -> None:
    async def act(page: Talk) -> None:
        log = page.match()["log"]
        await page.ask("player", seat=0, bot="random")
        await page.ask("take_up", log=log)
        assert (page.match()["choices"], page.match()["bots_wait"]) == (0, True)

    talking(game, act)


def test_a_page_that_comes_back_brings_its_bots(game: Path) -> None:
    async def first(page: Talk) -> str:
        await page.ask("player", seat=1, bot="search:600s")
        await page.choose("drop c")
        log: str = page.match()["log"]
        return log

    log = talking(game, first)

    async def second(page: Talk) -> None:
        assert (await steps(page, 2))["players"] == [None, "random"]

    talking(game, second, match=log, bots={"1": "random"})


def test_what_is_no_bot_is_refused(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(page: Talk) -> None:
        found = await page.ask("player", seat=1, bot="esay")
        assert found["refused"]["code"] == "no-bot"
        assert page.match()["players"] == [None, None]
        monkeypatch.setattr(bot_seats, "find_spec", lambda name: None)
        assert (await page.ask("player", seat=1, bot="easy"))["refused"]["code"] == "no-bot"
        assert await page.ask("player", seat=1, bot="random") is None

    assert importlib.util.find_spec("numpy") is not None
    talking(game, act)


def test_a_policy_plays_that_lies_in_the_folder(game: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")
    from tests.learn.test_policies import written

    written(game / "trained.onnx", "connect_four")
    written(game / "foreign.onnx", "leduc_poker")

    async def act(page: Talk) -> None:
        for wrong in ("policy:none.onnx", "policy:../trained.onnx", f"policy:{game}/trained.onnx"):
            assert (await page.ask("player", seat=1, bot=wrong))["refused"]["code"] == "no-bot"
        await page.ask("player", seat=1, bot="policy:trained.onnx")
        match = page.match()
        assert match["players"] == [None, "policy:trained.onnx"]
        assert match["policies"] == ["policy:foreign.onnx", "policy:trained.onnx"]
        await page.choose("drop b")
        await steps(page, 2)
        await page.ask("player", seat=1, bot="policy:foreign.onnx")
        await page.choose("drop b")
        held = await settled(page, lambda match: match["bots_failed"])
        assert held["bots_wait"]

    talking(game, act)
