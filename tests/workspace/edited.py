"""Bundled rulesets with edits of single lines, for the laws of recovery."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from dsl.folder import Folder
from dsl.load import Analysis, analyse
from dsl.source import Source
from rulewright.library import find

TOKEN = re.compile(r"\w+|[^\w\s]+")
_SOURCES: dict[str, dict[str, Source]] = {}


@cache
def files_of(name: str) -> dict[str, bytes]:
    """The files of a bundled ruleset by path, but its look."""
    root = find(name)
    found = (path for path in root.rglob("*") if path.suffix in (".yaml", ".csv", ".rules"))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def analysed(name: str, changed: dict[str, str]) -> Analysis:
    """A bundled ruleset with some files changed. What has not changed is parsed once."""
    files = {**files_of(name), **{path: text.encode() for path, text in changed.items()}}

    def fetch(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(2, "no such file")
        return files[path]

    known = _SOURCES.setdefault(name, {})
    folder = Folder(name, fetch, known=dict(known))
    analysis = analyse(folder)
    for path, source in folder.sources.items():
        if path not in changed:
            known[path] = source
    return analysis


def rules_files(name: str) -> list[str]:
    return sorted(path for path in files_of(name) if Path(path).suffix == ".rules")


def cuts(text: str) -> Iterator[tuple[int, str]]:
    """Each line cut at each of its tokens: the number of the line from 1, and the whole text."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for token in TOKEN.finditer(line.split("#")[0]):
            yield number + 1, "\n".join([*lines[:number], line[: token.start()], *lines[number + 1 :]])


def some(name: str, text: str, number: int) -> list[tuple[int, str]]:
    """A few of the cuts of a text, always the same."""
    every = list(cuts(text))
    return random.Random(name).sample(every, min(number, len(every)))
