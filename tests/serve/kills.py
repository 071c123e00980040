"""A process that plays many matches at once, to be killed: it tells what was acknowledged, line by line.

    python -m tests.serve.kills ADDRESS SEED FIRST [MATCH ...]

Without matches it makes some. Each line is written at once: `match ID`, `sent MATCH CLIENT`, `ok MATCH CLIENT
SEQ`.
"""

from __future__ import annotations

import asyncio
import os
import sys
from random import Random

from dsl.diagnostics import DiagnosticError
from rulewright.serve.matches.service import MatchService
from rulewright.serve.store.opening import open_storage
from tests.serve.playing import CARDS, DICE, TOGETHER, an_offer, table

GAMES = (DICE, CARDS, TOGETHER)


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


async def player(service: MatchService, match: str, random: Random, first: str) -> None:
    """Choose until the match is over; each fifth request is sent twice."""
    for number in range(10_000):
        live = await service.open(match)
        if not live.running:
            return
        seat, words = an_offer(live, random)
        client = f"{first}.{number}"
        say("sent", match, f"{seat}:{client}")
        for _ in range(2 if number % 5 == 0 else 1):
            try:
                answer = await service.choose(match, seat, client, None, words)
            except DiagnosticError:
                continue
            say("ok", match, f"{seat}:{client}", answer.seq)


async def main(address: str, seed: int, first: str, matches: list[str]) -> None:
    service = MatchService(open_storage(address))
    await service.start()
    random = Random(seed)
    while True:
        while len(matches) < 8:
            created = await service.create(table(random.choice(GAMES)))
            matches.append(created.id)
            say("match", created.id)
        await asyncio.gather(*(player(service, match, random, first) for match in matches))
        matches.clear()


def forked(output: int, address: str, seed: int, first: str, matches: list[str]) -> None:
    """The same in a process that was forked from one that has imported all modules already."""
    os.dup2(output, 1)
    asyncio.run(main(address, seed, first, matches))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]))
