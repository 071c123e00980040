"""Matches and rules that change: a match is pinned to the rules that it began with."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from rulewright.library import bundled_folder
from rulewright.serve.matches.service import MatchService
from tests.serve.playing import DICE, Time, choose, play, served, table


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    folder = tmp_path / "my_game"
    shutil.copytree(bundled_folder() / DICE, folder)
    return folder


def change(rules: Path, old: str, new: str) -> None:
    for file in [*rules.glob("*.rules"), rules / "game.yaml"]:
        text = file.read_text()
        if old in text:
            file.write_text(text.replace(old, new, 1))
            return
    raise AssertionError(f"nothing has {old!r}")


def begun(rules: Path, address: str, number: int = 6) -> str:
    found = []

    async def act(service: MatchService) -> None:
        created = await service.create(table(str(rules)))
        await play(service, created.id, number)
        found.append(created.id)

    served(address, act)
    return found[0]


def test_a_match_plays_on_although_its_rules_are_gone(rules: Path, address: str) -> None:
    match = begun(rules, address)
    shutil.rmtree(rules)

    async def act(service: MatchService) -> None:
        live = await service.open(match)
        before = live.log.length
        assert "unknown game" in await service.migrate(match)
        if live.running:
            await choose(service, match, Random(3), "on")
            assert (await service.open(match)).log.length > before

    served(address, act)


def test_a_match_that_is_the_same_is_moved(rules: Path, address: str) -> None:
    match = begun(rules, address)
    file = rules / f"{DICE}.rules"
    file.write_text(file.read_text() + "\n# a remark\n")

    async def act(service: MatchService) -> None:
        old = await service.open(match)
        assert await service.migrate(match) == ""
        new = await service.open(match)
        assert new.row.digest == new.row.archive == new.game.machine.digest != old.row.digest
        assert new.log.rows[-1].kind == "migrated"
        assert [s.text for s in new.match.steps] == [s.text for s in old.match.steps]
        assert await service.migrate(match) == ""
        assert (await service.open(match)).log.length == new.log.length
        await play(service, match, 3, seed=5)

    async def again(service: MatchService) -> None:
        live = await service.open(match)
        await service.registry.session(match).reload()
        assert (await service.open(match)).match.state == live.match.state

    served(address, act)
    served(address, again)


def test_a_match_that_would_differ_stays_and_says_where(rules: Path, address: str) -> None:
    match = begun(rules, address)
    change(rules, "if die.face is 1", "if die.face is not 1")

    async def act(service: MatchService) -> None:
        old = await service.open(match)
        why = await service.migrate(match)
        assert why.startswith(("step", "after step"))
        assert "§2.1" in why
        new = await service.open(match)
        assert new.row.digest == old.row.digest
        assert new.log.length == old.log.length

    served(address, act)


def test_rules_that_have_mistakes_now_change_nothing(rules: Path, address: str) -> None:
    match = begun(rules, address)
    change(rules, "points of me + pot < goal", "points of nobody < goal")

    async def act(service: MatchService) -> None:
        assert "nobody" in await service.migrate(match)
        live = await service.open(match)
        if live.running:
            await choose(service, match, Random(3), "on")

    served(address, act)


def test_a_committed_seed_keeps_its_rules(rules: Path, tmp_path: Path) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(str(rules), committed=True))
        file = rules / f"{DICE}.rules"
        file.write_text(file.read_text() + "\n# a remark\n")
        assert "seed" in await service.migrate(created.id)

    served(str(tmp_path / "a.db"), act, clock=Time())
