"""Makes the pictures of the documentation: tables of some games, a lobby, each game of the library.

python tools/screenshots.py [NAME ...]              # needs Chromium; writes docs/images
python tools/screenshots.py library [GAME ...]      # those of docs/library.md; without names all
"""

from __future__ import annotations

import base64
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import rulewright  # noqa: E402
from tests.browser.chromium import QUIET, chromium  # noqa: E402
from tests.browser.table.stage import Stage  # noqa: E402

IMAGES = ROOT / "docs" / "images"
PORT, MOST_BYTES = 8397, 80_000
CHOICES = 24
"""After so many choices a game of the library is shown."""


@dataclass(frozen=True)
class Shot:
    """A table after some random choices. `width` and `height` are those of the window."""

    game: str
    choices: int
    seats: int | None = None
    width: int = 1280
    height: int = 720
    dark: bool = False
    language: str = "en"


SHOTS = {
    "roma": Shot("roma", 40),
    "trajan": Shot("trajan", 90, seats=2, height=860),
    "augustus": Shot("augustus", 60, seats=3, dark=True),
    "phone": Shot("hex", 30, width=390, height=720),
    "hungarian": Shot("constantinopolis", 90, seats=2, language="hu", height=820),
    "chess": Shot("chess", 24, width=820, height=640, dark=True),
    "go": Shot("go", 90, width=390, height=640),
    "hearts": Shot("hearts", 30, seats=4, width=820, height=640),
    "holdem": Shot("texas_holdem", 3, seats=3, width=820, height=640),
    "backgammon": Shot("backgammon", 24, width=820, height=640),
    "checkers": Shot("checkers", 24, width=390, height=640, dark=True),
    "gin_rummy": Shot("gin_rummy", 14, width=390, height=640),
    "klondike": Shot("klondike", 30, width=820, height=640),
    "xiangqi": Shot("xiangqi", 24, width=820, height=640),
}


def main(names: list[str]) -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        if names[:1] == ["library"]:
            for game in names[1:] or rulewright.bundled():
                _of_library(browser, game)
            browser.close()
            return
        for name, shot in SHOTS.items():
            if not names or name in names:
                _table(browser, name, shot)
        if not names or "lobby" in names:
            _lobby(browser)
        browser.close()


def _table(browser: Browser, name: str, shot: Shot) -> None:
    scheme = "dark" if shot.dark else "light"
    page = browser.new_page(viewport={"width": shot.width, "height": shot.height}, color_scheme=scheme)
    stage = Stage(page, shot.game, shot.seats).play(shot.choices).play_until_asked()
    stage.open(f"language={shot.language}")
    _save(page, name)


def _of_library(browser: Browser, game: str) -> None:
    """A game after some choices, or as many as leave it going on, in half its size."""
    page = browser.new_page(viewport={"width": 960, "height": 600})
    choices = CHOICES
    while (stage := Stage(page, game).play(choices).play_until_asked()).match.over and choices:
        choices //= 2
    stage.open()
    _save(page, f"library/{game}", {"x": 0, "y": 0, "width": 960, "height": 600, "scale": 0.5})


def _lobby(browser: Browser) -> None:
    """The lobby of a server that runs for this picture alone."""
    with tempfile.TemporaryDirectory() as data:
        command = ["-m", "rulewright", "serve", "--no-browser", "--port", str(PORT), "--data", data]
        server = subprocess.Popen([sys.executable, *command], cwd=ROOT, stdout=subprocess.DEVNULL)
        try:
            address = f"http://127.0.0.1:{PORT}/"
            _wait_for(address)
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            page.goto(address, wait_until="networkidle")
            _save(page, "lobby")
        finally:
            server.terminate()
            server.wait()


def _wait_for(address: str) -> None:
    for _ in range(100):
        with suppress(OSError):
            urllib.request.urlopen(address).close()
            return
        time.sleep(0.2)
    raise SystemExit("the server has not started")


def _save(page: Page, name: str, clip: dict[str, float] | None = None) -> None:
    """Writes what is seen, or a part of it at some scale, as WebP, as good as fits."""
    page.wait_for_timeout(900)
    session = page.context.new_cdp_session(page)
    for quality in (82, 70, 55, 40):
        asked = {"format": "webp", "quality": quality} | ({"clip": clip} if clip else {})
        found = session.send("Page.captureScreenshot", asked)
        data = base64.b64decode(found["data"])
        if len(data) <= MOST_BYTES:
            (IMAGES / f"{name}.webp").write_bytes(data)
            print(f"{name}.webp: {len(data)} bytes")
            page.close()
            return
    raise SystemExit(f"{name} is too large")


if __name__ == "__main__":
    main(sys.argv[1:])
