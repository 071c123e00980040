"""What the tests of matches share: games, tables, and choices at random."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from rulewright.serve.matches.interface import Accepted, SeatRequest, TableRequest
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.service import MatchService
from rulewright.serve.store.opening import open_storage

HUMAN = SeatRequest("human")
BOT = SeatRequest("bot", strategy="random")
DICE, CARDS, TOGETHER = "pig", "leduc_poker", "augustus"
"""A game with dice, one with hidden cards, one in which all choose at the same time."""


class Time:
    """A clock that is set by hand, in milliseconds."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


def table(source: str = DICE, *seats: SeatRequest, **more: Any) -> TableRequest:
    return TableRequest(source, seats or (HUMAN, HUMAN), **more)


def served(address: str, act: Callable[[MatchService], Awaitable[None]], **given: Any) -> None:
    """Do something with a service over the store at an address, and close it."""

    async def main() -> None:
        service = MatchService(open_storage(address), **given)
        await service.start()
        try:
            await asyncio.wait_for(act(service), 120)
        finally:
            await service.close()

    asyncio.run(main())


def an_offer(live: LiveMatch, random: Random, seats: tuple[int, ...] | None = None) -> tuple[int, str]:
    """A seat that is asked, and the words of something it may choose."""
    seat = random.choice([s for s in live.asked if seats is None or s in seats])
    return seat, random.choice(live.match.offered_to(seat)[0].choices).text


async def choose(service: MatchService, match: str, random: Random, client: str) -> Accepted:
    live = await service.open(match)
    seat, words = an_offer(live, random)
    return await service.choose(match, seat, client, live.version(seat), words)


async def play(service: MatchService, match: str, number: int, seed: int = 1) -> LiveMatch:
    """A number of random choices, or fewer if the match ends."""
    random = Random(seed)
    for i in range(number):
        if not (await service.open(match)).running:
            break
        await choose(service, match, random, f"{seed} {i}")
    return await service.open(match)
