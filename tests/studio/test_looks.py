"""The look of a game while it is edited: seen at once, and no reason to stop where it has mistakes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from rulewright.library import find
from tests.studio.talk import Talk, talking

LOOK = "look.yaml"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(find("connect_four"), tmp_path / "connect_four"))


async def findings(page: Talk, since: int) -> dict[str, Any]:
    """The findings of the last edit."""
    found = await page.until(
        lambda told: told.get("method") == "findings" and told["params"]["version"] == page.version, since
    )
    params: dict[str, Any] = found["params"]
    return params


def test_another_look_is_seen_in_the_match(game: Path) -> None:
    async def act(page: Talk) -> None:
        await page.choose("drop c")
        since = await page.edit(LOOK, "B: yellow", 'B: "#123456"')
        description = (await page.told_of("description", since))["description"]
        assert "#123456" in str(description)
        assert page.match()["choices"] == 1

    talking(game, act)


def test_the_match_goes_on_while_the_look_has_a_mistake(game: Path) -> None:
    async def act(page: Talk) -> None:
        since = await page.edit(LOOK, "boards:", "boars:")
        found = await findings(page, since)
        assert [one["path"] for one in found["findings"]] == [LOOK]
        assert not found["broken"]
        await page.choose("drop c")
        assert page.match()["choices"] == 1
        since = await page.edit("connect_four.rules", ">= 4)", ">= 3)")
        await page.told_of("match", since)
        assert await page.ask("begin", seats=2, options={}) is None

    talking(game, act)


def test_a_look_with_a_mistake_is_no_reason_for_no_match(game: Path) -> None:
    (game / LOOK).write_text("nonsense: 1\n", "utf-8")

    async def act(page: Talk) -> None:
        assert await page.choose("drop c") is None
        assert (await page.ask("record", since=0, name="one"))["result"]["holds"]

    talking(game, act)
