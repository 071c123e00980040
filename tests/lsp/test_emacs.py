"""Emacs with Eglot as a client, without a screen, by the settings of the documents."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.client import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
EMACS = shutil.which("emacs")
SETTINGS = ROOT / "editors" / "emacs" / "rulewright.el"
SCRIPT = Path(__file__).with_name("emacs.el")


@pytest.mark.long
@pytest.mark.skipif(EMACS is None, reason="left out: Emacs is not installed; `tools/editors` installs it")
def test_emacs_finds_asks_completes_formats_and_renames(game: Path) -> None:
    assert EMACS is not None
    run = subprocess.run(
        [EMACS, "--batch", "-l", str(SETTINGS), "-l", str(SCRIPT), str(game)],
        cwd=ROOT,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "all answered" in run.stderr
