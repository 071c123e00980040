"""What it costs a server of tables when many come to look at one match.

    python -m benchmarks.arrivals --number 1000

It starts `rulewright serve` as a process of its own, makes a match, and lets spectators come one after the
other. It reports the processor time of the server and the bytes that all of them were sent.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time

import httpx
from websockets.asyncio.client import connect

from benchmarks.table_load import processor_seconds, server


async def arrivals(
    url: str, number: int, process: int | None, protocol: int, apart: float
) -> dict[str, float]:
    """The seconds and bytes that so many spectators cost."""
    async with httpx.AsyncClient(base_url=url, headers={"Origin": url}) as http:
        made = (
            await http.post("/api/matches", json={"game": "connect_four", "players": ["me", "bot"]})
        ).json()
    received, greeted = 0, 0

    async def watch(socket: connect) -> None:
        nonlocal received, greeted
        async with socket as opened:
            await opened.send(json.dumps({"type": "hello", "protocol": protocol, "seq": 0}))
            greeted += 1
            async for text in opened:
                received += len(text)

    address = f"{url.replace('http', 'ws', 1)}/api/matches/{made['match']}/socket"
    begun, before = time.perf_counter(), processor_seconds(process) if process else 0.0
    tasks = []
    for count in range(number):
        tasks.append(asyncio.create_task(watch(connect(address, origin=url, ping_interval=None))))
        await asyncio.sleep(apart)
        while greeted < count - 20:
            await asyncio.sleep(0.001)
    while greeted < number:
        await asyncio.sleep(0.01)
    seconds = time.perf_counter() - begun
    await asyncio.sleep(3)
    found = {
        "arrivals": number,
        "seconds": round(seconds, 1),
        "processor_seconds": round(processor_seconds(process) - before, 2) if process else 0.0,
        "received_mb": round(received / 1e6, 2),
    }
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return found


def main() -> None:
    """Measure, and print the result as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arrivals", description=__doc__)
    parser.add_argument("--number", type=int, default=1000)
    parser.add_argument("--protocol", type=int, default=2)
    parser.add_argument("--apart", type=float, default=0.03, help="seconds between two; default: 0.03")
    given = parser.parse_args()
    with server(None, None, None) as (url, process):
        found = asyncio.run(arrivals(url, given.number, process, given.protocol, given.apart))
        print(json.dumps(found))


if __name__ == "__main__":
    main()
