"""A real `rulewright serve` as a process, which can be killed and started again at the same address."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from rulewright.main import main

ROOT = Path(__file__).resolve().parents[3]


class House:
    """The server with its data in a folder; all games without names. `url` is the same after each start."""

    def __init__(self, folder: Path, *games: str) -> None:
        self.folder, self.games = folder, games
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Starts the server, and waits until it listens."""
        words = ["--port", str(self.port), "--data", str(self.folder), "--no-browser", "--no-rate-limits"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rulewright", "serve", *self.games, *words],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"},
            text=True,
            stdout=subprocess.PIPE,
            stderr=(self.folder / "errors.txt").open("a"),
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Tables at"), self.errors()

    def kill(self) -> None:
        """Ends the server without warning."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)

    def errors(self) -> str:
        """What the server has written to stderr."""
        return (self.folder / "errors.txt").read_text()


def replayed(log: Path) -> dict[str, Any]:
    """What `rulewright replay` tells of a log."""
    found = CliRunner().invoke(main, ["replay", str(log), "--json"])
    assert found.exit_code == 0, found.output
    told: dict[str, Any] = json.loads(found.output)
    return told


def exported(name: str, folder: Path, *words: str) -> Path:
    """The page that `rulewright export` writes of a game."""
    file = folder / f"{name}.html"
    found = CliRunner().invoke(main, ["export", name, "--into", str(file), *words])
    assert found.exit_code == 0, found.output
    return file
