"""The studio, as a process, and a page that is open in it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page

from rulewright.library import find

ROOT = Path(__file__).resolve().parents[3]


@dataclass
class RunningStudio:
    """A server of the studio. `address` has its token, `port` is that of the server."""

    game: Path
    process: subprocess.Popen[str]
    address: str

    @property
    def port(self) -> str:
        found = re.search(r":(\d+)/", self.address)
        assert found is not None
        return found[1]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def started(game: Path, port: str = "0") -> RunningStudio:
    words = [sys.executable, "-m", "rulewright", "studio", str(game), "--port", port, "--no-browser"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    process = subprocess.Popen(words, env=environment, text=True, stdout=subprocess.PIPE)
    assert process.stdout is not None
    found = re.search(r"http\S+", process.stdout.readline())
    assert found is not None
    return RunningStudio(game, process, found[0])


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(find("pig"), tmp_path / "pig"))


@pytest.fixture
def studio(game: Path) -> Iterator[RunningStudio]:
    found = started(game)
    yield found
    found.kill()


@pytest.fixture
def opened(studio: RunningStudio, page: Page) -> Page:
    """The page, with a match on its table."""
    page.set_viewport_size({"width": 1400, "height": 850})
    return shown(page, studio)


def shown(page: Page, studio: RunningStudio) -> Page:
    """A page that shows the studio, with a match on its table."""
    page.goto(studio.address)
    page.locator(".prompt").wait_for()
    return page


def go_to_line(page: Page, number: int) -> None:
    """Set the cursor of the editor to a line, by keys."""
    page.locator(".cm-content").press("Control+Home")
    for _ in range(number - 1):
        page.keyboard.press("ArrowDown")


def replace_line(page: Page, number: int, text: str) -> None:
    """Write another line into the editor, by keys; its indentation stays."""
    go_to_line(page, number)
    page.keyboard.press("Home")
    page.keyboard.press("Shift+End")
    page.keyboard.insert_text(text.strip())
