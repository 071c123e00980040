"""Seats that are changed at one device: the next is never frozen, and is shown nothing of the last one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rulewright.presentation.position import entries, position
from rulewright.serve.matches.interface import Change
from rulewright.serve.matches.registry import MOST_UNWATCHED
from tests.serve.clients import Browser, Player, Served
from tests.serve.test_tables import run

GAME = "leduc_poker"
SLOW = 0.3
"""Seconds that the seats of a visitor take to be looked up."""
PATIENCE = 10.0


@dataclass
class Device:
    """One device at which two people play each other, and how often they have changed seats."""

    served: Served
    random: random.Random
    changes: int = 0
    match: str = ""
    visitor: Browser = field(init=False)

    async def play(self, changes: int) -> None:
        """Change seats so many times, in as many matches as that takes."""
        while self.changes < changes:
            self.visitor = self.served.browser()  # one whose connection the server has not closed meanwhile
            made = await self.visitor.make(GAME, players=["me", "me"])
            self.match = made["match"]
            await self._play_match(changes)

    async def _play_match(self, changes: int) -> None:
        seat = (await self.served.service.open(self.match)).asked[0]
        socket = await self.visitor.socket(self.match, seat)
        while self.changes < changes:
            player = await self._sat_down(socket, seat)
            while seat in (asked := (await self.served.service.open(self.match)).asked):
                await asyncio.wait_for(player.choose(self.random.choice(player.choices)), PATIENCE)
            await self._check(player, seat)
            if not asked:
                break
            seat = asked[0]
            self.changes += 1
            coming = asyncio.ensure_future(self.visitor.socket(self.match, seat).__aenter__())
            await asyncio.sleep(self.random.choice((0, SLOW / 3, 1.3 * SLOW)))
            await player.socket.close()
            socket = await coming
        await socket.close()

    async def _sat_down(self, socket: object, seat: int) -> Player:
        """The page of a seat, when it shows the match as it is."""
        player = Player(socket)  # type: ignore[arg-type]
        await player.hello()
        version = (await self.served.service.open(self.match)).version(seat)
        await player.until(lambda: player.version >= version, PATIENCE)
        return player

    async def _check(self, player: Player, seat: int) -> None:
        """The page has what its seat may know, and was never told more."""
        live = await self.served.service.open(self.match)
        assert player.position == position(live.match, seat)
        assert player.entries == entries(live.match, seat)
        names = live.game.names
        hands = [
            number
            for number in range(len(live.game.machine.places))
            if names.place(number) == f"hand of {names.seat(1 - seat)}"
        ]
        assert hands
        shown = [list(player.position["places"])[number] for number in hands]
        assert live.match.over or not any(isinstance(one, list) and any(one) for one in shown)


@asynccontextmanager
async def slow_grants(served: Served) -> AsyncIterator[None]:
    """The seats of a visitor are looked up slowly."""
    grants = served.context.grants
    look_up = grants.of_visitor

    async def slowly(visitor: str) -> object:
        await asyncio.sleep(SLOW)
        return await look_up(visitor)

    grants.of_visitor = slowly
    yield
    grants.of_visitor = look_up


@pytest.mark.parametrize(
    ("devices", "changes"), [(8, 3), pytest.param(8, 125, marks=pytest.mark.long, id="1000")]
)
def test_the_next_seat_is_never_frozen(devices: int, changes: int, tmp_path: Path) -> None:
    """The old socket leaves while the new one waits for its seat to be looked up."""

    async def act(served: Served) -> None:
        async with slow_grants(served):
            all_ = [Device(served, random.Random(n)) for n in range(devices)]
            await asyncio.gather(*(device.play(changes) for device in all_))
        assert sum(device.changes for device in all_) == devices * changes
        while served.context.sockets:
            await asyncio.sleep(0.01)
        assert not served.context.tables.all()

    run(tmp_path, act, GAME)


def test_a_table_is_kept_up_to_date_while_a_visitor_waits(tmp_path: Path) -> None:
    """What is committed while a table is opened, or by others while somebody only reads, is not missed."""

    async def act(served: Served) -> None:
        visitor = served.browser()
        match = (await visitor.make("tic_tac_toe", players=["me", "me"]))["match"]
        tables, service = served.context.tables, served.service
        describe = tables._describe

        async def slowly(live: object) -> str:
            found: str = await describe(live)
            live = await service.open(match)
            seat = live.asked[0]
            words = live.match.offered_to(seat)[0].choices[0].text
            await service.choose(match, seat, f"meanwhile {len(live.match.steps)}", None, words)
            return found

        tables._describe = slowly
        async with tables.visit(match) as table:
            assert table.live is await service.open(match)
            async with tables.visit(match) as same:
                assert same is table
            assert tables.known(match) is table
            async with visitor.seat(match, table.live.asked[0]) as player:
                await player.until(lambda: bool(player.choices))
                await player.choose(player.choices[0])
        while served.context.sockets:
            await asyncio.sleep(0.01)
        assert tables.known(match) is None

    run(tmp_path, act, "tic_tac_toe")


def test_a_match_is_in_memory_once_however_many_others_are_opened(tmp_path: Path) -> None:
    """Whoever holds a match while others push it out of memory is told of the same changes as all others."""

    async def act(served: Served) -> None:
        visitor, service = served.browser(), served.service
        match = (await visitor.make("tic_tac_toe", players=["me", "me"]))["match"]
        held = service.registry.session(match)
        for number in range(MOST_UNWATCHED + 2):
            service.registry.session(f"other-{number}")
        assert match not in service.registry._sessions
        heard: list[Change] = []
        service.subscribe(match, heard.append)
        assert service.registry.session(match) is held
        live = await service.open(match)
        words = live.match.offered_to(live.asked[0])[0].choices[0].text
        await service.choose(match, live.asked[0], "x", None, words)
        assert [row.kind for change in heard for row in change.rows] == ["choice"]

    run(tmp_path, act, "tic_tac_toe")
