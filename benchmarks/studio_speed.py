"""How long the studio takes from an edit to what follows it, in a match of many choices.

    python -m benchmarks.studio_speed trajan constantinopolis --edits 15

A session plays random choices, then edits a line in the middle of the rules again and again: a comment, so
that the match goes on. Times are of the clock, in milliseconds, from the edit sent to the message received;
less, in the second column, the time that the studio waits in case more is typed. For the scenarios that are
concerned an action is given another line.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulewright.library import find
from rulewright.studio.methods import METHODS
from rulewright.studio.session import AT_REST, QUIET, StudioSession
from rulewright.studio.testers import Testers

PATIENCE = 60.0
Message = dict[str, Any]
WAITS = {
    "match reloaded": QUIET,
    "scenarios concerned": QUIET,
    "all scenarios": QUIET,
    "first checks": AT_REST,
    "all checks": AT_REST,
}


class Page:
    """A page without a browser: what it was told, and when."""

    def __init__(self, root: Path) -> None:
        self.told: list[tuple[float, Message]] = []
        self.session = StudioSession(root, self._hear, Testers(root), METHODS)
        self.version = 0

    def _hear(self, text: str) -> None:
        self.told.append((time.perf_counter(), json.loads(text)))

    async def ask(self, method: str, **params: object) -> Message:
        number, since = len(self.told) + 1, len(self.told)
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.session.hear(json.dumps(message))
        return (await self.until(lambda m: m.get("id") == number, since))[1]

    async def until(self, fits: Callable[[Message], bool], since: int) -> tuple[float, Message]:
        """The first message of a kind from a number on, and when it came."""
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            for when, message in self.told[since:]:
                if fits(message):
                    return when, message
            await asyncio.sleep(0.002)
        raise TimeoutError("the studio does not answer")


def tells(method: str, key: str = "") -> Callable[[Message], bool]:
    return lambda message: message.get("method") == method and (not key or key in message["params"])


async def play(page: Page, choices: int) -> None:
    """Random choices, by the page's own table."""
    rng = random.Random(1)
    played = page.session.table.played
    assert played is not None
    for _ in range(choices):
        decisions = played.match.decisions()
        if not decisions:
            return
        decision = rng.choice(decisions)
        await page.ask("choose", seat=decision.seat, words=rng.choice(decision.choices).text)


async def measure(root: Path, edits: int, choices: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = defaultdict(list)
    page = Page(root)
    try:
        await page.ask("open")
        await play(page, choices)
        path = max(root.glob("*.rules"), key=lambda file: file.stat().st_size)
        lines = path.read_text("utf-8").split("\n")
        middle = next(n for n in range(len(lines) // 2, len(lines)) if lines[n].startswith("    "))
        await page.until(FOLLOWS["all checks"], 0)
        await page.until(is_whole, 0)
        for number in range(edits):
            changed = [*lines[:middle], f"    # {number}", *lines[middle:]]
            since, begun = len(page.told), time.perf_counter()
            page.version += 1
            text = "\n".join(changed)
            page.session.hear(_edit(path.name, text, page.version))
            for what, fits in FOLLOWS.items():
                times[what].append(1000 * ((await page.until(fits, since))[0] - begun))
        names = (await _numbers(page))[:1]
        times["scenarios concerned"] = await concerned(page, path, lines, edits)
        for one in names:
            since, begun = len(page.told), time.perf_counter()
            await page.ask("simulate", name=one["name"], value=one["value"])
            times["first simulation"].append(
                1000 * ((await page.until(tells("simulated"), since))[0] - begun)
            )
    finally:
        page.session.close()
    return times


async def concerned(page: Page, path: Path, lines: list[str], edits: int) -> list[float]:
    """How long it takes until scenarios are told of an action with another meaning."""
    actions = [n + 1 for n, line in enumerate(lines) if line.startswith("action ")]
    middle = actions[len(actions) // 2]
    found: list[float] = []
    for number in range(edits):
        page.version += 1
        text = "\n".join([*lines[:middle], f"    let edited_{number} = 1", *lines[middle:]])
        since, begun = len(page.told), time.perf_counter()
        page.session.hear(_edit(path.name, text, page.version))
        found.append(1000 * ((await page.until(has_concerned, since))[0] - begun))
        await page.until(is_whole, since)
        await page.until(tells("followed", "changes"), since)
    return found


def has_concerned(message: Message) -> bool:
    """Whether a message tells of a scenario that runs what was edited."""
    if not tells("followed", "scenarios")(message):
        return False
    return any(one["concerns"] for one in message["params"]["scenarios"]["results"])


def is_whole(message: Message) -> bool:
    """Whether a message tells of all scenarios."""
    return bool(tells("followed", "scenarios")(message) and message["params"]["scenarios"]["left"] == 0)


FOLLOWS = {
    "findings": tells("findings"),
    "match reloaded": tells("match"),
    "all scenarios": is_whole,
    "first checks": tells("checked"),
    "all checks": lambda message: tells("checked", "more")(message) and message["params"]["more"] == 0,
}


def _edit(path: str, text: str, version: int) -> str:
    params = {"path": path, "text": text, "version": version}
    return json.dumps({"jsonrpc": "2.0", "method": "edit", "params": params})


async def _numbers(page: Page) -> list[Message]:
    since = len(page.told)
    await page.ask("numbers")
    found: list[Message] = (await page.until(tells("numbers", "numbers"), since))[1]["params"]["numbers"]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--edits", type=int, default=15)
    parser.add_argument("--choices", type=int, default=150)
    args = parser.parse_args()
    for name in args.games:
        with tempfile.TemporaryDirectory() as place:
            root = Path(place) / name
            shutil.copytree(str(find(name)), root)
            times = asyncio.run(measure(root, args.edits, args.choices))
        print(f"{name}\n  {'':<20}{'p50':>8}{'less waiting':>14}{'p95':>8}")
        for what, found in times.items():
            found = sorted(found)
            half, late = found[len(found) // 2], found[min(len(found) - 1, round(len(found) * 0.95))]
            print(f"  {what:<20}{half:8.0f}{half - 1000 * WAITS.get(what, 0):14.0f}{late:8.0f}")


if __name__ == "__main__":
    main()
