"""The settings of editors in the documents are the files that come along."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "lua": "neovim/init.lua",
    "toml": "helix/languages.toml",
    "elisp": "emacs/rulewright.el",
}


@pytest.mark.parametrize("language", FILES)
def test_the_page_shows_the_file(language: str) -> None:
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    (shown,) = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    assert shown == (ROOT / "editors" / FILES[language]).read_text("utf-8")


def test_settings_of_helix_are_toml() -> None:
    found = tomllib.loads((ROOT / "editors" / FILES["toml"]).read_text("utf-8"))
    rules, yaml = found["language"]
    assert rules["language-servers"] == list(found["language-server"])
    assert yaml["language-servers"][-1:] == rules["language-servers"]


def test_settings_of_emacs_are_balanced() -> None:
    text = re.sub(r'"(\\.|[^"])*"', "", (ROOT / "editors" / FILES["elisp"]).read_text("utf-8"))
    assert text.count("(") == text.count(")")
