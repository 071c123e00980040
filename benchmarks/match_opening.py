"""Opening long matches on a server: by replay from the log, and from a snapshot, in processor time.

    python -m benchmarks.match_opening [GAME:SEATS ...] [--decisions 400]

Each match is played by random choices, as seats make them; of some that end earlier, the longest is taken.
It is kept in an SQLite database, and opened from there several times with nothing in memory but the compiled
game. The smallest processor time of the process counts:
other work on the computer only makes it longer.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from rulewright.serve.matches.interface import SeatRequest, TableRequest
from rulewright.serve.matches.service import MatchService
from rulewright.serve.matches.snapshots import snapshot
from rulewright.serve.store.opening import open_storage
from rulewright.serve.store.sql import SqlStorage

MATCHES = ("augustus:4", "trajan:4", "constantinopolis:4", "constantinopolis:5", "roma:2", "backgammon:2")
DECISIONS, TRIES, TIMES = 400, 3, 7


@dataclass(frozen=True, slots=True)
class Opening:
    """What was measured of a match: its decisions and rows, milliseconds, and bytes of the snapshot."""

    decisions: int
    rows: int
    replay: float
    snapshot: float
    size: int


async def played(service: MatchService, game: str, seats: int, decisions: int) -> str:
    """A match of so many random choices, or the longest of some that ended before."""
    found: list[tuple[int, str]] = []
    for seed in range(TRIES):
        table = TableRequest(game, [SeatRequest("human") for _ in range(seats)])
        match, random, made = (await service.create(table)).id, Random(seed), 0
        while made < decisions:
            live = await service.open(match)
            if not live.running:
                break
            seat = random.choice(live.asked)
            words = random.choice(live.match.offered_to(seat)[0].choices).text
            await service.choose(match, seat, f"{made}", None, words)
            made += 1
        found.append((made, match))
        if made == decisions:
            break
    return max(found)[1]


async def milliseconds(service: MatchService, match: str) -> float:
    """The least processor time for opening a match anew."""
    session, taken = service.registry.session(match), []
    for _ in range(TIMES):
        begun = time.process_time()
        await session.reload()
        taken.append(time.process_time() - begun)
    return 1000 * min(taken)


async def measured(folder: Path, game: str, seats: int, decisions: int) -> Opening:
    """A match of a game, played and opened."""
    storage: SqlStorage = open_storage(str(folder / f"{game}-{seats}.db"))
    service = MatchService(storage)
    match = await played(service, game, seats, decisions)
    live = await service.open(match)
    kept = snapshot(live)
    await asyncio.wrap_future(storage.put_snapshot(match, kept))
    by_snapshot = await milliseconds(service, match)
    with storage.writer.engine.begin() as connection:
        connection.exec_driver_sql("delete from snapshots")
    by_replay = await milliseconds(service, match)
    await service.close()
    return Opening(live.log.decisions - 1, live.log.length, by_replay, by_snapshot, len(kept.data))


def main() -> None:
    """Print a row for each match."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("matches", nargs="*", default=MATCHES, metavar="GAME:SEATS")
    parser.add_argument("--decisions", type=int, default=DECISIONS)
    given = parser.parse_args()
    print(f"{'match':22} {'decisions':>9} {'rows':>6} {'replay ms':>10} {'snapshot ms':>12} {'kB':>6}")
    for wanted in given.matches:
        game, _, seats = wanted.partition(":")
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(measured(Path(folder), game, int(seats or 2), given.decisions))
        times = f"{found.replay:>10.1f} {found.snapshot:>12.1f}"
        print(
            f"{wanted:22} {found.decisions:>9} {found.rows:>6} {times} {found.size / 1000:>6.1f}", flush=True
        )


if __name__ == "__main__":
    main()
