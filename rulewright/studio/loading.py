"""Rulesets as values that go to worker processes, and read there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from dsl.folder import Folder, fetch_of
from dsl.load import Questions, load_for_questions
from dsl.rules import Rules
from dsl.source import Source


@dataclass(frozen=True)
class FrozenRuleset:
    """The files of a ruleset by path as they were at one moment, and the digest of its rules."""

    name: str
    digest: str
    files: tuple[tuple[str, bytes], ...]


def frozen(name: str, digest: str, files: Mapping[str, bytes]) -> FrozenRuleset:
    """The files of a ruleset as a value."""
    return FrozenRuleset(name, digest, tuple(sorted(files.items())))


_sources: dict[str, dict[str, Source]] = {}
"""The texts that were read last by the name of their ruleset: what has not changed is not parsed again."""


@lru_cache(maxsize=6)
def loaded(ruleset: FrozenRuleset) -> tuple[Rules, Questions]:
    """The typed rules of a ruleset, and what questions about them are typed by.

    Raises `ErrorsReported` or `DiagnosticError` if it has mistakes.
    """
    folder = Folder(
        ruleset.name,
        fetch_of(dict(ruleset.files)),
        with_look=False,
        known=_sources.get(ruleset.name, {}),
    )
    rules, _, questions = load_for_questions(folder)
    _sources[ruleset.name] = folder.sources
    return rules, questions
