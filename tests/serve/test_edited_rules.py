"""A folder that is edited while it is served, and what a table says of rules that have changed."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from rulewright.library import bundled_folder
from tests.serve.clients import Served, serving
from tests.serve.playing import DICE, choose


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    folder = tmp_path / "my_game"
    shutil.copytree(bundled_folder() / DICE, folder)
    return folder


def change(rules: Path, file: str, old: str, new: str) -> None:
    text = (rules / file).read_text()
    assert old in text
    (rules / file).write_text(text.replace(old, new, 1))


def run(folder: Path, rules: Path, act: Callable[[Served], Awaitable[None]]) -> None:
    async def main() -> None:
        async with serving(folder, str(rules)) as served:
            await act(served)

    asyncio.run(main())


def test_the_lobby_shows_a_game_as_its_files_are_now(rules: Path, tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        browser = served.browser()
        assert (await browser.get("/api/games"))["games"][0]["title"] == "Pig"
        change(rules, "game.yaml", "title: Pig", "title: Sow")
        assert (await browser.get("/api/games"))["games"][0]["title"] == "Sow"
        made = await browser.make("my_game", seats=2, players=["me", "bot"])
        async with browser.seat(made["match"]) as player:
            await player.until(lambda: bool(player.table))
            assert player.table["title"] == "Sow"

    run(tmp_path, rules, act)


def test_a_mistake_is_told_with_its_place_and_the_lobby_stays(rules: Path, tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        browser = served.browser()
        await browser.get("/api/games")
        change(rules, "pig.rules", "if die.face is 1", "if die.face = 1")
        answer = await browser.get("/api/games/my_game", 422)
        (found,) = answer["error"]["diagnostics"]
        assert (found["code"], Path(found["file"]).name) == ("D023", "pig.rules")
        assert found["line"] > 0
        assert [game["game"] for game in (await browser.get("/api/games"))["games"]] == ["my_game"]

    run(tmp_path, rules, act)


def test_a_table_tells_what_has_changed_in_its_rules(rules: Path, tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        browser = served.browser()
        made = await browser.make("my_game", seats=2, players=["me", "me"])
        async with browser.seat(made["match"], 0) as player:
            await player.until(lambda: bool(player.position))
            assert player.table["rules"]["kept"] is False
            random = Random(1)
            for _ in range(6):
                await choose(served.service, made["match"], random, str(random.random()))
        (rules / "pig.rules").write_text((rules / "pig.rules").read_text() + "\n# a remark\n")
        async with browser.seat(made["match"], 0) as player:
            await player.until(lambda: bool(player.position))
            assert player.table["rules"]["kept"] is False
        assert (await served.service.open(made["match"])).log.rows[-1].kind == "migrated"
        change(rules, "pig.rules", "if die.face is 1", "if die.face is not 1")
        for _ in range(2):
            async with browser.seat(made["match"], 0) as player:
                await player.until(lambda: bool(player.position))
                found = player.table["rules"]
                assert (found["kept"], found["changed"]) == (True, ["throw"])
                assert "§2.2" in found["clauses"]

    run(tmp_path, rules, act)


def test_clocks_stand_still_after_the_end(rules: Path, tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        browser = served.browser()
        clock = {"kind": "move", "seconds": 60}
        made = await browser.make("my_game", seats=2, players=["me", "me"], clock=clock)
        await served.service.scheduler.expire(made["match"], served.service.now() + 60_001)
        async with browser.seat(made["match"], 1) as player:
            await player.until(lambda: bool(player.table))
            assert player.table["result"] == {"by": "clock", "seat": 0, "winners": [1]}
            assert player.table["clocks"]["seats"] == [
                {"left": 0, "deadline": None},
                {"left": 60_000, "deadline": None},
            ]

    run(tmp_path, rules, act)


def test_a_proposal_names_the_step_as_the_viewer_counts(rules: Path, tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        browser = served.browser()
        made = await browser.make("my_game", seats=2, players=["me", "me"])
        async with browser.seat(made["match"], 0) as first, browser.seat(made["match"], 1) as second:
            await first.until(lambda: bool(first.position))
            for number in range(3):
                await choose(served.service, made["match"], Random(number), str(number))
            await first.until(lambda: len(first.entries) > 4)
            await first.ask("repair", seq=2)
            await second.until(lambda: bool(second.table.get("proposals")))
            assert second.table["proposals"][0]["seq"] == 2

    run(tmp_path, rules, act)
