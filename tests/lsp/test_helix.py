"""Helix as a client, at a screen of tmux, by the settings of the documents. `tools/editors` installs both."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.lsp.client import PATIENCE
from tests.lsp.editor_process import EDITORS, ENVIRONMENT, ROOT

UNPACKED = Path(os.environ.get("RULEWRIGHT_HELIX", ROOT / "build" / "helix"))
HELIX = shutil.which("hx") or shutil.which("hx", path=str(UNPACKED))
TMUX = shutil.which("tmux")
SETTINGS = EDITORS / "helix" / "languages.toml"
WITH_HELIX = pytest.mark.skipif(
    HELIX is None or TMUX is None,
    reason="left out: Helix or tmux is not installed; `tools/editors` installs them",
)


@dataclass(frozen=True)
class Screen:
    """Helix with a file of a ruleset, at a screen that nobody sees."""

    game: Path
    environment: dict[str, str]

    def tmux(self, *words: str) -> str:
        assert TMUX is not None
        command = [TMUX, "-S", str(self.game.parent / "tmux"), "-f", os.devnull, *words]
        run = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True)
        return run.stdout

    def begin(self, path: str) -> None:
        assert HELIX is not None
        self.tmux("new-session", "-d", "-x", "150", "-y", "45", "-c", str(self.game), HELIX, path)
        assert self.eventually("NOR"), self.text

    @property
    def text(self) -> str:
        return self.tmux("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        """Press keys. Escape is known by the silence after it: with a key it would be another one."""
        for key in keys:
            self.tmux("send-keys", key)
            time.sleep(0.2 if key == "Escape" else 0)

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)

    def shows(self, *texts: str) -> bool:
        """Whether the screen shows some texts within three seconds."""
        ends = time.monotonic() + 3
        while time.monotonic() < ends:
            if all(text in self.text for text in texts):
                return True
            time.sleep(0.05)
        return False

    def eventually(self, text: str) -> bool:
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if self.shows(text):
                return True
        return False

    def ask(self, keys: list[str], text: str) -> None:
        """Press keys until the screen shows a text: at first the server may be starting."""
        ends = time.monotonic() + PATIENCE
        self.press(*keys)
        while not self.shows(text):
            assert time.monotonic() < ends, f"{text!r} is not shown:\n{self.text}"
            self.press("Escape", "Escape", *keys)
        self.press("Escape")

    def command(self, text: str) -> None:
        self.type(f":{text}")
        self.press("Enter")

    def find(self, text: str) -> None:
        self.type(f"gg/{text}")
        self.press("Enter")

    def saved(self, path: str, *texts: str) -> None:
        """Save until a file has some texts."""
        ends = time.monotonic() + PATIENCE
        while not all(text in (self.game / path).read_text("utf-8") for text in texts):
            assert time.monotonic() < ends, self.text
            self.command("write-all")
            time.sleep(0.1)


@pytest.fixture
def helix(game: Path, tmp_path: Path) -> Iterator[Screen]:
    settings = tmp_path / "settings" / "helix"
    settings.mkdir(parents=True)
    shutil.copy(SETTINGS, settings)
    (settings / "config.toml").write_text('[editor]\nend-of-line-diagnostics = "hint"\n', "utf-8")
    environment = {
        **ENVIRONMENT,
        "XDG_CONFIG_HOME": str(settings.parent),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "TERM": "screen",
        "LC_ALL": "C.UTF-8",
    }
    screen = Screen(game, environment)
    try:
        yield screen
    finally:
        screen.tmux("kill-server")


@pytest.mark.long
@WITH_HELIX
def test_helix_finds_asks_completes_formats_and_renames(helix: Screen) -> None:
    helix.begin("pig.rules")
    helix.find("pot")
    helix.ask(["Space", "k"], "a counter, 0..999")
    helix.press("Escape")
    helix.ask(["g", "d"], "pot: {range: 0..999")
    helix.command("open pig.rules")

    helix.press("g", "e", "o")
    helix.type("value   twice=pott*2")
    helix.press("Escape")
    assert helix.eventually("unknown name `pott`"), helix.text

    helix.find("pott")
    helix.press("c")
    helix.type("po")
    helix.press("C-x")
    assert helix.eventually("opponent"), helix.text
    helix.type("t")
    helix.press("Escape")
    helix.command("format")
    helix.saved("pig.rules", "value twice = pot * 2")

    helix.find("pot")
    helix.press("Space", "r", "C-u")
    helix.type("kitty")
    helix.press("Enter")
    helix.saved("pig.rules", "value twice = kitty * 2")
    for path in ("game.yaml", "labels/en.yaml", "scenarios/turns.yaml"):
        helix.saved(path, "kitty:")


@pytest.mark.long
@WITH_HELIX
def test_helix_asks_in_yaml(helix: Screen) -> None:
    helix.begin("scenarios/turns.yaml")
    helix.find("pot")
    helix.ask(["Space", "k"], "a counter, 0..999")
