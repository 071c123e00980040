"""Rulesets as values, with parts of their files replaced."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dsl.load import load
from rulewright.library import folder
from rulewright.studio.loading import FrozenRuleset, frozen


def ruleset(game: Path, changes: Mapping[str, tuple[str, str]] | None = None) -> FrozenRuleset:
    """The ruleset of a folder, with parts of files replaced."""
    for path, (old, new) in (changes or {}).items():
        text = (game / path).read_text("utf-8")
        assert old in text
        (game / path).write_text(text.replace(old, new, 1), "utf-8")
    reader = folder(game, game.name)
    rules, _ = load(reader)
    return frozen(game.name, rules.digest, reader.files)


def scenarios_of(game: Path) -> dict[str, str]:
    return {f"scenarios/{path.name}": path.read_text("utf-8") for path in (game / "scenarios").iterdir()}
