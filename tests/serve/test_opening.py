"""Opening a long match: from a snapshot at once, by replay soon."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from pathlib import Path

import pytest

from rulewright.serve.matches import registry
from rulewright.serve.matches.service import MatchService
from rulewright.serve.matches.snapshots import restored
from rulewright.serve.sweeping import LEAST, PART, Sweeping
from tests.games import seats_of
from tests.serve.clients import play_out, serving
from tests.serve.playing import HUMAN, play, served, table
from tests.serve.test_tables import at_table, seated


def test_a_snapshot_is_the_match(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table("roma"))
        live = await play(service, created.id, 30)
        session = service.registry.session(created.id)
        session.keep()
        for _ in range(200):
            kept = service.storage.snapshot(created.id)
            if kept is not None and kept.seq == live.log.length:
                break
            time.sleep(0.02)
        assert kept is not None
        match = restored(live.row, live.game, kept)
        assert match is not None
        assert (match.state, match.steps) == (live.match.state, live.match.steps)
        assert match.history == live.match.history
        more = await play(service, created.id, 5, seed=2)
        await session.reload()
        assert session.live is not None
        assert session.live.match.state == more.match.state
        assert session.live.match.steps == more.match.steps

    served(address, act)


def test_matches_that_nobody_watches_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MOST_UNWATCHED", 2)

    async def act(service: MatchService) -> None:
        made = [(await service.create(table("pig", HUMAN, HUMAN))).id for _ in range(2)]
        leave = service.subscribe(made[0], lambda change: None)
        for _ in range(4):
            made.append((await service.create(table("pig", HUMAN, HUMAN))).id)
            await service.open(made[-1])
        assert service.known(made[0]) is not None
        assert service.known(made[1]) is None
        leave()
        for match in made[1:]:
            await service.open(match)
        assert service.known(made[0]) is None
        assert (await service.open(made[0])).running

    served(str(tmp_path / "matches.db"), act)


def test_nothing_is_left_of_a_table_when_all_have_gone(tmp_path: Path) -> None:
    """Without a search for garbage, which may be long in coming."""

    async def main() -> int:
        async with serving(tmp_path, "pig") as served:
            match, browsers = await seated(served, "pig", 2)
            async with at_table(match, browsers) as players:
                await play_out(players, seed=1, most=5)
                table = weakref.ref(served.context.tables.known(match))
            for _ in range(500):
                if table() is None:
                    return 0
                await asyncio.sleep(0.01)
            return len(gc.get_referrers(table()))

    gc.collect()
    gc.disable()
    try:
        assert asyncio.run(main()) == 0
    finally:
        gc.enable()


def test_garbage_is_searched_for_after_enough_closed_sockets() -> None:
    swept: list[int] = []
    sweeping = Sweeping(lambda: swept.append(1))
    for _ in range(LEAST - 1):
        sweeping.closed(0)
    assert not swept
    sweeping.closed(0)
    assert len(swept) == 1
    for _ in range(LEAST * PART):
        sweeping.closed(4 * LEAST * PART)
    assert len(swept) == 2


@pytest.mark.long
@pytest.mark.parametrize("game", ["trajan", "augustus", "constantinopolis", "backgammon"])
def test_a_match_of_hundreds_of_decisions_opens_fast(tmp_path: Path, game: str) -> None:
    """At most 50 ms of the processor from a snapshot, 0.5 s by replay: the least of five."""

    async def act(service: MatchService) -> None:
        created = await service.create(table(game, *[HUMAN] * seats_of(game)[1]))
        await play(service, created.id, 400)
        session = service.registry.session(created.id)
        session.keep()
        await session.reload()
        for most in (0.05, 0.5):
            taken = []
            for _ in range(5):
                begun = time.process_time()
                await session.reload()
                taken.append(time.process_time() - begun)
            assert min(taken) < most
            with service.storage.writer.engine.begin() as connection:  # type: ignore[attr-defined]
                connection.exec_driver_sql("delete from snapshots")

    served(str(tmp_path / "a.db"), act)
