"""How soon a board is seen: on the page of a match at a server, and in an exported file.

    python -m benchmarks.page_opening --games roma trajan --runs 15

Each opening is one in a fresh profile of Chromium without a cache, after one that is not counted. The clock
runs from the start of the navigation until the first thing of the table has a place on the screen; the page
itself takes the time, by an observer of its tree. `slowed` is the same with the processor slowed down six
times. `--requests` tells besides when each request began and ended, in the opening that took the median.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from tests.browser.chromium import QUIET, chromium

SLOWED = 6
LONGEST = 60_000
WATCH = """
new MutationObserver((_, observer) => {
    const thing = document.querySelector("#table .thing");
    if (thing && thing.getBoundingClientRect().width > 0) {
        observer.disconnect();
        globalThis.boardSeen = performance.now();
    }
}).observe(document, { childList: true, subtree: true });
"""
REQUESTS = """performance.getEntriesByType("resource").map((it) => [it.startTime, it.responseEnd, it.name])"""


@dataclass
class Opening:
    """One opening: milliseconds until the board was seen, and what went over the wire until then."""

    milliseconds: float = 0
    requests: int = 0
    received: int = 0
    lines: list[tuple[float, float, str]] = field(default_factory=list)


def main() -> None:
    options = arguments()
    path = chromium()
    if path is None:
        sys.exit("Chromium was not found: set RULEWRIGHT_CHROMIUM to its path")
    print(f"{'':<28}{'median':>8}{'worst':>8}{'requests':>10}{'bytes':>10}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        with served(Path(folder), options.games) as url:
            for game in options.games:
                measure(browser, f"{game}, server", at_server(url, game), options)
        for game in options.games:
            file = exported(Path(folder), game)
            measure(browser, f"{game}, file", lambda _, file=file: file.as_uri(), options)
        browser.close()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", default=["roma", "trajan"])
    parser.add_argument("--runs", type=int, default=11, help="openings of each kind")
    parser.add_argument("--requests", action="store_true", help="tell when each request began and ended")
    return parser.parse_args()


def measure(
    browser: Browser, name: str, address: Callable[[BrowserContext], str], options: argparse.Namespace
) -> None:
    """Opens a page again and again, at full speed and slowed down, and prints what came out."""
    for rate in (1, SLOWED):
        found = [opened(browser, address, rate) for _ in range(options.runs + 1)][1:]
        found.sort(key=lambda it: it.milliseconds)
        median = statistics.median(it.milliseconds for it in found)
        typical = found[len(found) // 2]
        title = name if rate == 1 else f"{name}, slowed"
        numbers = f"{median:>8.0f}{found[-1].milliseconds:>8.0f}{typical.requests:>10}{typical.received:>10,}"
        print(f"{title:<28}{numbers}", flush=True)
        if options.requests:
            for begun, ended, what in typical.lines:
                print(f"    {begun:>8.0f}{ended:>8.0f}  {what}")


def opened(browser: Browser, address: Callable[[BrowserContext], str], rate: int) -> Opening:
    """One opening in a fresh profile."""
    context = browser.new_context()
    context.add_init_script(WATCH)
    page = context.new_page()
    found = Opening()
    client = context.new_cdp_session(page)
    listen(client, found)
    where = address(context)
    client.send("Network.setCacheDisabled", {"cacheDisabled": True})
    client.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.goto(where, wait_until="commit")
    found.milliseconds = waited(page)
    found.lines = [(begun, ended, name) for begun, ended, name in page.evaluate(REQUESTS)]
    context.close()
    return found


def waited(page: Page) -> float:
    """The time at which the board was seen; the page has taken it, so that asking costs nothing."""
    for _ in range(LONGEST // 50):
        if (seen := page.evaluate("globalThis.boardSeen ?? null")) is not None:
            return float(seen)
        page.wait_for_timeout(50)
    raise SystemExit(f"no board is seen at {page.url}")


def listen(client: CDPSession, found: Opening) -> None:
    """Counts requests and bytes, as they go over the wire."""

    def count(event: dict[str, Any]) -> None:
        found.requests += 1

    def finished(event: dict[str, Any]) -> None:
        found.received += round(event["encodedDataLength"])

    def frame(event: dict[str, Any]) -> None:
        found.received += len(event["response"]["payloadData"].encode())

    client.on("Network.requestWillBeSent", count)
    client.on("Network.webSocketCreated", count)
    client.on("Network.loadingFinished", finished)
    client.on("Network.webSocketFrameReceived", frame)
    client.send("Network.enable")


# ---- what is opened


@contextmanager
def served(folder: Path, games: list[str]) -> Iterator[str]:
    """The address of a server of its own."""
    words = ["--port", "0", "--data", str(folder / "data"), "--no-browser", "--no-rate-limits"]
    command = [sys.executable, "-m", "rulewright", "serve", *games, *words]
    process = subprocess.Popen(
        command, text=True, stdout=subprocess.PIPE, env={**os.environ, "NO_COLOR": "1"}
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if "http" not in line:
            raise SystemExit(f"the server does not start: {line}")
        yield line[line.index("http") :].split()[0].rstrip("/")
    finally:
        process.terminate()
        process.wait(20)


def at_server(url: str, game: str) -> Callable[[BrowserContext], str]:
    """Makes a match for the visitor of a profile, against bots; its address."""

    def made(context: BrowserContext) -> str:
        seats = context.request.get(f"{url}/api/games/{game}").json()["seats"][0]
        players = ["me", *["bot"] * (seats - 1)]
        body = {"game": game, "seats": seats, "players": players}
        answer = context.request.post(f"{url}/api/matches", data=body, headers={"Origin": url})
        if not answer.ok:
            raise SystemExit(f"no match can be made: {answer.text()}")
        return f"{url}/match/{answer.json()['match']}"

    return made


def exported(folder: Path, game: str) -> Path:
    """The file of a game."""
    file = folder / f"{game}.html"
    command = [sys.executable, "-m", "rulewright", "export", game, "--into", str(file)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return file


if __name__ == "__main__":
    main()
