"""Neovim as a client, without a screen. `tools/editors` installs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.client import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
NEOVIM = shutil.which("nvim") or shutil.which("nvim", path=str(Path(sys.executable).parent))
SETTINGS = ROOT / "editors" / "neovim" / "init.lua"
SCRIPT = Path(__file__).with_name("neovim.lua")


@pytest.mark.long
@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed: run tools/editors")
def test_neovim_finds_asks_renames_and_formats(game: Path) -> None:
    assert NEOVIM is not None
    run = subprocess.run(
        [NEOVIM, "--headless", "--clean", "-l", str(SCRIPT), str(SETTINGS), str(game)],
        cwd=ROOT,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "all answered" in run.stdout + run.stderr
