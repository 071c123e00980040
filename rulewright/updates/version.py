"""The version of the language that a ruleset says it is written in: `language` of `game.yaml`."""

from __future__ import annotations

from dsl.document import Mapping, read
from dsl.overlays import LANGUAGE
from dsl.source import Source


def says_its_version(game: Source) -> bool:
    """Whether a `game.yaml` has `language`. Raises `DiagnosticError` if it cannot be read."""
    found = read(game)
    return isinstance(found, Mapping) and found.get("language") is not None


def with_version(game: Source) -> str:
    """The text of a `game.yaml` that says so, behind its name; the same text if it has no name."""
    found = read(game)
    name = found.get("game") if isinstance(found, Mapping) else None
    if name is None or says_its_version(game):
        return game.text
    lines = game.text.splitlines(keepends=True)
    at = game.position(name.span.start)[0]
    lines[at - 1] = lines[at - 1].rstrip("\r\n") + "\n"
    lines.insert(at, f"language: {LANGUAGE}\n")
    return "".join(lines)
