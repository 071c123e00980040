"""Emacs with Eglot as a client, without a screen, by the settings of the documents."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.lsp.editor_process import EDITORS, assert_all_answered

EMACS = shutil.which("emacs")
SETTINGS = EDITORS / "emacs" / "rulewright.el"
SCRIPT = Path(__file__).with_name("emacs.el")


@pytest.mark.long
@pytest.mark.skipif(EMACS is None, reason="left out: Emacs is not installed; `tools/editors` installs it")
def test_emacs_finds_asks_completes_formats_and_renames(game: Path) -> None:
    assert EMACS is not None
    assert_all_answered(EMACS, "--batch", "-l", SETTINGS, "-l", SCRIPT, game)
