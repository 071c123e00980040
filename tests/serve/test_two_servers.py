"""Two servers over one PostgreSQL serve the same matches."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from dsl.diagnostics import DiagnosticError
from interpreter.messages import Fault
from rulewright.serve.matches import MatchService
from rulewright.serve.opening import open_storage
from rulewright.serve.requests import Change, SeatRequest
from tests.serve.playing import BOT, CARDS, DICE, HUMAN, an_offer, table

pytestmark = pytest.mark.postgresql


async def two(database: str) -> tuple[MatchService, MatchService]:
    found = MatchService(open_storage(database)), MatchService(open_storage(database))
    for service in found:
        await service.start()
    return found


async def until(condition, seconds: float = 10) -> None:
    for _ in range(int(seconds / 0.02)):
        if await condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come to pass")


def test_what_one_commits_the_other_shows(database: str) -> None:
    async def main() -> None:
        first, second = await two(database)
        created = await first.create(table(CARDS, HUMAN, SeatRequest("open")))
        told: list[Change] = []
        second.subscribe(created.id, told.append)
        await second.open(created.id)
        await first.take_seat(created.id, 1, "Bo")

        async def both_see() -> bool:
            one, other = await first.open(created.id), await second.open(created.id)
            return one.ledger == other.ledger and one.seats == other.seats and one.row == other.row

        await until(both_see)
        random = Random(1)
        for i in range(12):
            service = (first, second)[i % 2]
            live = await service.open(created.id)
            if not live.running:
                break
            seat, words = an_offer(live, random)
            await service.choose(created.id, seat, f"{i}", live.version(seat), words)
            await until(both_see)
            one, other = await first.open(created.id), await second.open(created.id)
            assert one.match.state == other.match.state
            assert one.match.steps == other.match.steps
        assert sum(len(change.rows) for change in told) >= len(live.ledger.rows) - 6
        for service in (first, second):
            await service.close()

    asyncio.run(main())


def test_a_stale_server_loads_again_and_tries_again(database: str) -> None:
    """Both choose without hearing of each other: each choice is made once, in one order."""

    async def main() -> None:
        services = await two(database)
        for service in services:
            service.hall.closing = True  # it hears nothing
        created = await services[0].create(table(DICE))
        random = Random(1)
        for i in range(15):
            live = await services[0].open(created.id)
            if not live.running:
                break
            seat, words = an_offer(live, random)
            sent = [service.choose(created.id, seat, f"{i}", None, words) for service in services]
            answers = await asyncio.gather(*sent)
            assert answers[0].seq == answers[1].seq
            assert sorted(answer.former for answer in answers) == [False, True]
            other = [
                service.choose(created.id, 0, f"{i} {n}", None, "hold") for n, service in enumerate(services)
            ]
            for found in await asyncio.gather(*other, return_exceptions=True):
                assert not isinstance(found, BaseException) or isinstance(found, (Fault, DiagnosticError))
        rows = services[0].storage.rows(created.id)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        for service in services:
            await service.close()

    asyncio.run(main())


def test_bots_are_moved_once(database: str) -> None:
    async def main() -> None:
        services = await two(database)
        created = await services[0].create(table(CARDS, BOT, BOT))
        for service in services:
            await service.open(created.id)

        async def over() -> bool:
            return all([not (await service.open(created.id)).running for service in services])

        await until(over, 30)
        rows = services[0].storage.rows(created.id)
        assert len({row.client for row in rows if row.client}) == sum(row.kind == "choice" for row in rows)
        for service in services:
            await service.close()

    asyncio.run(main())
