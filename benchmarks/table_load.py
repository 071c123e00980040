"""Load on a server of tables: many matches played at a fixed rate through real sockets.

    python -m benchmarks.table_load --seconds 600

It starts `rulewright serve` as a process of its own (or uses `--url`), seats players at live matches, adds
spectators until there are enough sockets, and makes so many choices a second, spread over all matches. A
match that ends is replaced by its rematch. It reports the times from sending a choice to its
acknowledgement, the memory of the server, and the bytes on the wire for each choice and socket.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

GAMES = ("connect_four", "roma", "yacht", "kalah", "breakthrough")
START_SECONDS = 60
SEATS = 2


@dataclass
class Measures:
    """What was measured: seconds of acknowledgements, refusals; memory and processor time of the server."""

    acknowledged: list[float] = field(default_factory=list)
    refused: int = 0
    lost: int = 0
    received: int = 0
    late: int = 0
    memory: list[int] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)


@dataclass
class Seat:
    """A player or spectator: the socket, and what its page has."""

    socket: ClientConnection
    measures: Measures
    position: dict[str, Any] = field(default_factory=dict)
    version: int = -1
    waiting: dict[str, float] = field(default_factory=dict)
    number: int = 0

    async def listen(self) -> None:
        """Take in what comes, for ever."""
        await self.socket.send('{"type":"hello","protocol":2,"seq":0}')
        async for text in self.socket:
            self._take(json.loads(text))

    def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "position":
                self.position, self.version = message["position"], message["version"]
            case "ack":
                self.measures.acknowledged.append(time.perf_counter() - self.waiting.pop(message["id"]))
            case "refused":
                self.waiting.pop(message["id"], None)
                self.measures.refused += 1

    @property
    def choices(self) -> list[str]:
        """What can be chosen now, if nothing is under way."""
        if self.waiting or self.position.get("over", True):
            return []
        return [c["words"] for d in self.position["decisions"] for c in d["choices"]]

    async def choose(self, words: str) -> None:
        """Send a choice."""
        self.number += 1
        id = f"{id_of(self)}.{self.number}"
        self.waiting[id] = time.perf_counter()
        await self.socket.send(
            json.dumps({"type": "choose", "id": id, "version": self.version, "words": words})
        )


def id_of(seat: Seat) -> str:
    """A part of ids that other sockets do not use."""
    return f"{id(seat):x}"


class Load:
    """The matches of a run."""

    def __init__(self, url: str, seed: int) -> None:
        self.url = url
        self.measures = Measures()
        self.chooser = random.Random(seed)
        self.seats: list[list[Seat]] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.bytes_before = 0

    async def match(self, game: str) -> str:
        """A new match with two players. Returns its id."""
        async with self._browser() as ann, self._browser() as ben:
            made = (await ann.post("/api/matches", json={"game": game, "seats": SEATS})).json()
            await ben.post(f"/api/matches/{made['match']}/join", json={"name": "Ben"})
            seats = [await self.socket(made["match"], browser) for browser in (ann, ben)]
        self.seats.append(seats)
        return str(made["match"])

    def _browser(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, headers={"Origin": self.url}, timeout=60)

    async def socket(self, match: str, browser: httpx.AsyncClient | None = None) -> Seat:
        """A socket at a match: of a player, or of a spectator without a browser."""
        cookies = "; ".join(f"{k}={v}" for k, v in browser.cookies.items()) if browser is not None else ""
        socket = await connect(
            f"{self.url.replace('http', 'ws', 1)}/api/matches/{match}/socket",
            origin=self.url,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookies} if cookies else {},
            open_timeout=60,
            max_size=1 << 22,
        )
        seat = Seat(socket, self.measures)
        task = asyncio.create_task(seat.listen())
        self.tasks.add(task)
        return seat

    async def play(self, rate: float, seconds: float, server: int | None) -> None:
        """Make choices at a rate, for a while."""
        begun, made = time.perf_counter(), 0
        if server is not None:
            self.measures.processor.append(processor_seconds(server))
        while (now := time.perf_counter() - begun) < seconds:
            if made < now * rate:
                made += 1
                await self._choose()
            else:
                await asyncio.sleep(max(0.0, made / rate - now))
            if made % max(1, int(rate)) == 0 and server is not None:
                self.measures.memory.append(memory_of(server))
        await asyncio.sleep(1)
        if server is not None:
            self.measures.processor.append(processor_seconds(server))

    async def _choose(self) -> None:
        """One choice in a match that is picked at random."""
        for _ in range(20):
            seats = self.chooser.choice(self.seats)
            ready = [seat for seat in seats if seat.choices]
            if ready:
                seat = self.chooser.choice(ready)
                await seat.choose(self.chooser.choice(seat.choices))
                return
            if all(seat.position.get("over") for seat in seats):
                self.seats.remove(seats)
                self.tasks.add(asyncio.create_task(self._replace(seats)))
        self.measures.late += 1

    async def _replace(self, seats: list[Seat]) -> None:
        """Begin another match in place of one that is over."""
        for seat in seats:
            await seat.socket.close()
        await self.match(self.chooser.choice(GAMES))


def memory_of(process: int) -> int:
    """The resident memory of a process in bytes; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


def processor_seconds(process: int) -> float:
    """The processor time that a process has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sent_by_loopback() -> int:
    """Bytes that went over the loopback device so far; 0 where the system does not tell."""
    try:
        lines = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[9]) for line in lines if line.strip().startswith("lo:")), 0)


@contextmanager
def server(url: str | None, data: str | None, database: str | None) -> Iterator[tuple[str, int | None]]:
    """The address of a server, and its process if it was started here."""
    if url is not None:
        yield url, None
        return
    with tempfile.TemporaryDirectory(dir=data) as folder:
        words = ["serve", *GAMES, "--port", "0", "--data", folder, "--no-browser", "--most-sockets", "100000"]
        words += ["--database", database] if database else []
        process = subprocess.Popen(
            [sys.executable, "-m", "rulewright", *words, "--no-rate-limits"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[2], process.pid
        finally:
            process.terminate()
            process.wait(30)


def report(load: Load, arguments: argparse.Namespace, wire: int, seconds: float) -> dict[str, Any]:
    """The results as a dictionary."""
    measures = load.measures
    times = sorted(measures.acknowledged)
    memory = [value for value in measures.memory if value]
    sockets = arguments.sockets
    hears = sockets / arguments.matches
    return {
        "sockets": sockets,
        "matches": arguments.matches,
        "seconds": round(seconds, 1),
        "choices": len(times),
        "choices_per_second": round(len(times) / seconds, 1),
        "refused": measures.refused,
        "not_sent_for_want_of_a_choice": measures.late,
        "acknowledged_ms": {
            "p50": round(1000 * statistics.median(times), 2) if times else None,
            "p99": round(1000 * times[int(0.99 * (len(times) - 1))], 2) if times else None,
            "most": round(1000 * times[-1], 2) if times else None,
        },
        "processor_ms_per_choice": round(
            1000 * (measures.processor[-1] - measures.processor[0]) / max(1, len(times)), 2
        )
        if measures.processor
        else None,
        "memory_mb_by_tenths": [round(memory[(len(memory) - 1) * i // 10] / 1e6, 1) for i in range(11)]
        if memory
        else None,
        "wire_bytes_per_choice_and_socket": round(wire / max(1, len(times)) / hears),
    }


async def measured(arguments: argparse.Namespace, url: str, process: int | None) -> dict[str, Any]:
    """The results of a run."""
    load = Load(url, arguments.seed)
    matches = [await load.match(GAMES[i % len(GAMES)]) for i in range(arguments.matches)]
    for number in range(max(0, arguments.sockets - SEATS * arguments.matches)):
        await load.socket(matches[number % len(matches)])
    await asyncio.sleep(1)
    wire, begun = sent_by_loopback(), time.perf_counter()
    await load.play(arguments.rate, arguments.seconds, process)
    found = report(load, arguments, sent_by_loopback() - wire, time.perf_counter() - begun)
    for task in load.tasks:
        task.cancel()
    await asyncio.gather(*load.tasks, return_exceptions=True)
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--rate", type=float, default=100, help="choices a second")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--url", help="a server that runs already, without rate limits")
    parser.add_argument("--data", help="where the server's data folder is made")
    parser.add_argument("--database", help="`postgresql://…` instead of SQLite")
    arguments = parser.parse_args()
    with server(arguments.url, arguments.data, arguments.database) as (url, process):
        print(json.dumps(asyncio.run(measured(arguments, url, process)), indent=2))


if __name__ == "__main__":
    main()
