"""Visual Studio Code in a browser, with the extension, on a copy of a small game."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from rulewright.library import find

ROOT = Path(__file__).resolve().parents[3]
STARTS_WITHIN = 60.0
MACHINE = {"rulewright.command": [sys.executable, "-m", "rulewright"]}
SETTINGS = {
    "chat.disableAIFeatures": True,
    "editor.accessibilitySupport": "off",
    "editor.inlayHints.enabled": "off",
    "extensions.autoCheckUpdates": False,
    "files.autoSave": "off",
    "telemetry.telemetryLevel": "off",
    "terminal.integrated.gpuAcceleration": "off",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
}


@dataclass(frozen=True)
class Workbench:
    """A window of the editor, with the folder of a game open."""

    page: Page
    game: Path

    def open(self, path: str) -> None:
        """Open a file of the game in the editor."""
        name = path.rpartition("/")[2]
        box = self._ask("Control+P", path)
        self.page.locator(".quick-input-list .monaco-list-row", has_text=name).first.wait_for()
        box.press("Enter")
        self.page.locator(f'.tab.active[data-resource-name="{name}"]').wait_for()
        self.lines.locator(".view-line").first.wait_for()

    def run(self, title: str) -> None:
        """Carry out a command by its title."""
        box = self._ask("F1", f">{title}")
        self.page.locator(".quick-input-list .monaco-list-row", has_text=title).first.wait_for()
        box.press("Enter")

    def go(self, line: int, column: int) -> None:
        box = self._ask("Control+G", f":{line}:{column}")
        box.press("Enter")
        expect(self.page.locator(".quick-input-widget")).to_be_hidden()

    def _ask(self, keys: str, text: str) -> Locator:
        self.page.keyboard.press(keys)
        box = self.page.locator(".quick-input-box input")
        box.fill(text)
        return box

    @property
    def lines(self) -> Locator:
        """The lines of the active editor."""
        return self.page.locator(".editor-group-container.active .monaco-editor .view-lines").first

    def line(self, text: str) -> Locator:
        """The first line with a text; blanks are no-break spaces there."""
        return self.lines.locator(".view-line", has_text=text.replace(" ", "\xa0")).first

    def lens(self, title: str) -> Locator:
        """A lens of the active editor whose title begins so."""
        lenses = self.page.locator(".editor-group-container.active .codelens-decoration a, "
                                   ".editor-group-container.active .codelens-decoration > span")  # fmt: skip
        return lenses.filter(has_text=title).first

    def saved(self, path: str, text: str) -> None:
        """Save all files, and wait until a text is in one of them."""
        self.page.keyboard.press("Control+S")
        ends = time.monotonic() + 10
        while text not in (self.game / path).read_text("utf-8"):
            assert time.monotonic() < ends, (self.game / path).read_text("utf-8")
            self.page.wait_for_timeout(100)


@pytest.fixture(scope="session")
def code_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of Visual Studio Code. Its tests are skipped where it is not installed."""
    place = Path(os.environ.get("RULEWRIGHT_CODE_SERVER", ROOT / "build" / "code-server"))
    if not (place / "rulewright.vsix").is_file():
        pytest.skip("left out: Visual Studio Code was not found; `tools/code_server` installs it")
    scratch = tmp_path_factory.mktemp("code-server")
    for scope, settings in (("User", SETTINGS), ("Machine", MACHINE)):
        (scratch / scope).mkdir()
        (scratch / scope / "settings.json").write_text(json.dumps(settings), "utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    words = [str(place / "code-server"), "--auth", "none", "--bind-addr", address, "--disable-telemetry",
             "--disable-update-check", "--disable-workspace-trust", "--user-data-dir", scratch]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with (scratch / "log").open("w") as log:
        process = subprocess.Popen(
            words, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        _await_server(f"http://{address}/healthz", process, scratch / "log")
        yield f"http://{address}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _await_server(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    ends = time.monotonic() + STARTS_WITHIN
    while True:
        try:
            urlopen(address, timeout=5).close()
            return
        except (URLError, OSError):
            if process.poll() is not None or time.monotonic() > ends:
                pytest.fail(log.read_text("utf-8"))
            time.sleep(0.2)


@pytest.fixture
def workbench(code_server: str, browser: Browser, tmp_path: Path) -> Iterator[Workbench]:
    game = Path(shutil.copytree(find("pig"), tmp_path / "my games" / "pig"))
    context = browser.new_context(viewport={"width": 1500, "height": 900})
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto(f"{code_server}/?folder={str(game).replace(' ', '%20')}")
    page.locator(".explorer-folders-view .monaco-list-row", has_text="game.yaml").wait_for()
    yield Workbench(page, game)
    context.close()
