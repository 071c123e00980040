"""Old matches are forgotten, each kind after its days, and none at which somebody is."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulewright.main import main
from rulewright.serve import forgetting
from rulewright.serve.config import Keeping
from rulewright.serve.forgetting import DAY, forget_old
from tests.serve.clients import Served, serving


async def forgotten(served: Served, keeping: Keeping, days: int) -> int:
    """How many matches are forgotten after so many days."""
    context, now = served.context, int(time.time() * 1000)
    return await forget_old(context.service.registry, context.tables.presence, keeping, now + days * DAY + 1)


def test_a_table_that_nobody_fills_is_forgotten(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            ann = served.browser()
            match = (await ann.make("tic_tac_toe"))["match"]
            assert await forgotten(served, Keeping(), 29) == 0
            async with ann.seat(match):
                assert await forgotten(served, Keeping(), 30) == 0, "somebody waits there"
            while served.context.tables.known(match) is not None:
                await asyncio.sleep(0.01)
            assert await forgotten(served, Keeping(unfilled=0), 30) == 0
            assert await forgotten(served, Keeping(), 30) == 1
            await ann.get(f"/api/matches/{match}", 404)
            assert (await ann.get("/api/matches"))["mine"] == []

    asyncio.run(main())


def test_matches_are_kept_unless_the_host_says_otherwise(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            ann = served.browser()
            for _ in range(2):
                await ann.make("tic_tac_toe", players=["me", "me"])
            closed = (await ann.make("tic_tac_toe"))["match"]
            await ann.post(f"/api/matches/{closed}/close", status=204)
            assert await forgotten(served, Keeping(), 9999) == 0
            assert await forgotten(served, Keeping(finished=7), 6) == 0
            assert await forgotten(served, Keeping(finished=7), 7) == 1
            assert await forgotten(served, Keeping(idle=7), 7) == 2

    asyncio.run(main())


def test_more_are_forgotten_than_are_looked_for_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "AT_ONCE", 1)

    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            for _ in range(3):
                await served.browser().make("tic_tac_toe")
            assert await forgotten(served, Keeping(), 30) == 3

    asyncio.run(main())


def test_the_command_names_its_days() -> None:
    shown = CliRunner().invoke(main, ["serve", "--help"]).output
    assert all(f"--forget-{kind} DAYS" in shown for kind in ("unfilled", "idle", "finished"))
