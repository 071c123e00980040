"""Every command that the documentation shows is one that there is, with options that it has."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from rulewright.main import COMMANDS, main

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SHOWN = re.compile(r"(?:^\$ |^|`)(rulewright [a-z][^`\n]*)", re.MULTILINE)
STANDING_FOR = {"GAME": "pig", "OLD": "pig", "NEW": "pig", "CODE": "D050", "N": "2", "KIND": "game", "K": "2"}
"""What the words in capital letters of a page stand for, as far as it matters here."""


def commands() -> list[tuple[str, str]]:
    """The page and the words of each command; those that leave something open are left out."""
    found = {}
    for page in PAGES:
        for text in SHOWN.findall(page.read_text(encoding="utf-8")):
            command = re.split(r"\s+#|\s+→|\s{3,}", text)[0].strip()
            if not re.search(r"[…\[\]]|\.\.\.", command) and shlex.split(command)[1] in main.list_commands(
                click.Context(main)
            ):
                found.setdefault(command, page.name)
    return [(page, command) for command, page in found.items()]


def test_every_command_is_in_the_table_of_commands() -> None:
    table = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"\n| `rulewright {name}" not in table] == []


def test_there_are_many() -> None:
    assert len(commands()) > 100


@pytest.mark.parametrize(("page", "command"), commands(), ids=lambda it: it)
def test_a_command_of_a_page_is_understood(page: str, command: str) -> None:
    _, name, *written = shlex.split(command)
    words = [STANDING_FOR.get(word, word) for word in written]
    found = main.get_command(click.Context(main), name)
    assert found is not None
    if not words:
        return
    try:
        found.make_context(name, words, parent=click.Context(main)).close()
    except click.MissingParameter as missing:
        if not isinstance(missing.param, click.Argument):  # a page may leave out what an option is given to
            raise
