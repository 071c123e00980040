"""Neovim as a client, without a screen. `tools/editors` installs it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.lsp.editor_process import EDITORS, assert_all_answered

NEOVIM = shutil.which("nvim") or shutil.which("nvim", path=str(Path(sys.executable).parent))
SETTINGS = EDITORS / "neovim" / "init.lua"
SCRIPT = Path(__file__).with_name("neovim.lua")


@pytest.mark.long
@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed: run tools/editors")
def test_neovim_finds_asks_renames_and_formats(game: Path) -> None:
    assert NEOVIM is not None
    assert_all_answered(NEOVIM, "--headless", "--clean", "-l", SCRIPT, SETTINGS, game)
