"""Clocks: the server's time, kept in the log."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from dsl.diagnostics import DiagnosticError
from rulewright.serve.matches.clocks import ClockRule
from rulewright.serve.matches.interface import SeatRequest
from rulewright.serve.matches.service import MatchService
from rulewright.serve.store.opening import open_storage
from rulewright.serve.store.schema import LOG, SNAPSHOTS
from tests.serve.playing import DICE, HUMAN, Time, choose, served, table

MATCH = ClockRule("match", 60, 5)


def left(live, time: Time) -> list[int]:
    return [clock.left_at(time.now) for clock in live.clocks]


def test_only_the_seat_that_is_asked_loses_time(address: str) -> None:
    time = Time()

    async def act(service: MatchService) -> None:
        created = await service.create(table("connect_four", clock=MATCH))
        time.now += 10_000
        live = await service.open(created.id)
        assert left(live, time) == [50_000, 60_000]
        await choose(service, created.id, Random(1), "a")
        live = await service.open(created.id)
        assert left(live, time) == [55_000, 60_000]
        time.now += 7_000
        assert left(live, time) == [55_000, 53_000]
        assert [clock.deadline for clock in live.clocks] == [None, 1_070_000]

    served(address, act, clock=time)


def test_time_is_measured_at_arrival(address: str) -> None:
    time = Time()

    async def act(service: MatchService) -> None:
        created = await service.create(table("connect_four", clock=MATCH))
        time.now += 61_000
        live = await service.open(created.id)
        words = live.match.offered_to(0)[0].choices[0].text
        await service.choose(created.id, 0, "a", None, words, arrived=1_000_000 + 59_000)
        assert left(await service.open(created.id), time)[0] == 6_000

    served(address, act, clock=time)


@pytest.mark.parametrize("kind", ["move", "match", "days"])
def test_a_seat_forfeits_when_its_time_is_up(address: str, kind: str) -> None:
    time = Time()

    async def act(service: MatchService) -> None:
        created = await service.create(table(DICE, clock=ClockRule(kind, 30)))  # type: ignore[arg-type]
        time.now += 30_001
        with pytest.raises(DiagnosticError):
            await service.choose(created.id, 0, "late", None, "throw")
        live = await service.open(created.id)
        assert live.row.result == {"by": "clock", "seat": 0, "winners": [1]}
        assert live.log.rows[-1].kind == "clock"

    served(address, act, clock=time)


def test_a_choice_is_made_for_who_does_not_come(address: str) -> None:
    time = Time()

    async def act(service: MatchService) -> None:
        rule = ClockRule("move", 30, expiry="absent")
        created = await service.create(table(DICE, clock=rule))
        time.now += 30_001
        await service.scheduler.expire(created.id)
        live = await service.open(created.id)
        assert [row.data.get("by") for row in live.log.rows if row.kind == "choice"] == ["absent"]
        assert live.running
        assert left(live, time) == [30_000, 30_000]
        await choose(service, created.id, Random(1), "still there")

    served(address, act, clock=time)


def test_the_server_looks_after_clocks_by_itself(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(DICE, clock=ClockRule("move", 1)))
        for _ in range(60):
            await asyncio.sleep(0.1)
            if not (await service.open(created.id)).running:
                break
        assert (await service.open(created.id)).row.result == {"by": "clock", "seat": 0, "winners": [1]}

    served(address, act)


def test_the_clock_begins_when_all_are_there(address: str) -> None:
    time = Time()

    async def act(service: MatchService) -> None:
        created = await service.create(table(DICE, HUMAN, SeatRequest("open"), clock=MATCH))
        time.now += 500_000
        await service.seating.take_seat(created.id, 1, "late")
        live = await service.open(created.id)
        assert left(live, time) == [60_000, 60_000]
        time.now += 1_000
        assert left(live, time) == [59_000, 60_000]

    served(address, act, clock=time)


def test_nobody_loses_the_time_without_a_server(address: str) -> None:
    time = Time()

    async def main() -> None:
        service = MatchService(open_storage(address), time)
        await service.start()
        created = await service.create(table(DICE, clock=MATCH))
        time.now += 10_000
        await service.choose(created.id, 0, "a", None, "throw")
        before = left(await service.open(created.id), time)
        await service.close()
        time.now += 3_600_000
        service = MatchService(open_storage(address), time)
        await service.start(alone=True)
        await service.scheduler.resumed()
        live = await service.open(created.id)
        assert live.running
        assert left(live, time) in (before, [60_000, before[1]])
        await service.close()

    asyncio.run(main())


def test_a_choice_after_a_restart_is_in_time_although_its_clock_was_not_begun_yet(address: str) -> None:
    """The match is not waited for at the start: whoever comes first begins its clocks."""
    time = Time()

    async def main() -> None:
        service = MatchService(open_storage(address), time)
        await service.start()
        created = await service.create(table(DICE, clock=ClockRule("move", 30)))
        await service.close()
        time.now += 3_600_000
        service = MatchService(open_storage(address), time)
        await service.start(alone=True)
        await service.choose(created.id, 0, "a", None, "throw", arrived=time.now)
        live = await service.open(created.id)
        assert live.running
        assert [row.data["event"] for row in live.log.rows if row.kind == "clock"] == ["restarted"]
        await service.scheduler.resumed()
        assert sum(row.kind == "clock" for row in (await service.open(created.id)).log.rows) == 1
        await service.close()

    asyncio.run(main())


@pytest.mark.parametrize(("away", "running"), [(86_000_000, True), (86_401_000, False)])
def test_days_go_on_while_there_is_no_server(address: str, away: int, running: bool) -> None:
    time = Time()

    async def main() -> None:
        service = MatchService(open_storage(address), time)
        await service.start()
        created = await service.create(table(DICE, clock=ClockRule("days", 86_400)))
        await service.close()
        time.now += away
        service = MatchService(open_storage(address), time)
        await service.start(alone=True)
        await service.scheduler.resumed()
        while not running and (await service.open(created.id)).running:
            await asyncio.sleep(0.01)
        live = await service.open(created.id)
        assert live.running == running
        assert not running or left(live, time)[0] == 86_400_000 - away
        await service.close()

    asyncio.run(main())


def test_a_broken_match_does_not_keep_the_server_from_starting(address: str) -> None:
    time = Time()

    async def main() -> None:
        service = MatchService(open_storage(address), time)
        await service.start()
        broken, sound = [
            (await service.create(table(DICE, clock=ClockRule("move", 30)))).id for _ in range(2)
        ]
        await service.close()
        storage = open_storage(address)
        with storage.writer.engine.begin() as connection:
            connection.execute(LOG.update().where(LOG.c.match == broken).values(data="{}"))
            connection.execute(SNAPSHOTS.delete())
        service = MatchService(storage, time)
        await service.start(alone=True)
        await service.scheduler.resumed()
        assert (await service.open(sound)).log.rows[-1].kind == "clock"
        with pytest.raises(DiagnosticError, match="cannot be replayed"):
            await service.open(broken)
        await service.close()

    asyncio.run(main())


@pytest.mark.parametrize("rule", [ClockRule("move", 0), ClockRule("match", 5, -1), ClockRule("days", 10**9)])
def test_a_clock_that_cannot_be_is_refused(tmp_path, rule: ClockRule) -> None:
    async def act(service: MatchService) -> None:
        with pytest.raises(DiagnosticError) as refused:
            await service.create(table(DICE, clock=rule))
        assert refused.value.diagnostic.code == "C457"

    served(str(tmp_path / "a.db"), act)
