"""Compiled games by the digest of their rules, from where they lie or from a store's archive."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from dsl.folder import Folder
from dsl.load import load
from dsl.rules import Rules
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from rulewright.library import find, folder
from rulewright.serve.store.storage import RulesetArchive

K = TypeVar("K")
V = TypeVar("V")
MOST_GAMES, MOST_RULES = 64, 32
"""How many compiled games and typed rules a process keeps."""
MOST_STAMPED = 2_000
"""How many files a folder may have, so that a change of any of them is looked for instead of reading it."""
Stamp = tuple[tuple[str, int, int, int], ...]
"""The path, inode, size and time of change of each file of a folder."""


@dataclass(frozen=True, slots=True)
class ReadRuleset:
    """A ruleset that was read, with its files."""

    rules: Rules
    archive: RulesetArchive


class Games:
    """Keeps the games that were used last. It may be used by several threads."""

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[object, ...], Game] = OrderedDict()
        self._rules: OrderedDict[str, Rules] = OrderedDict()
        self._read: OrderedDict[Path, tuple[Stamp, ReadRuleset]] = OrderedDict()
        self._lock = threading.RLock()

    def read(self, source: str) -> ReadRuleset:
        """A ruleset by name or path, as it is now. Raises `ErrorsReported` or `DiagnosticError`.

        It is read again only if a file of its folder has changed.
        """
        path = find(source)
        stamp = stamp_of(path)
        with self._lock:
            known = self._read.get(path)
            if known is None or not stamp or known[0] != stamp:
                reader = folder(path)
                rules, _ = load(reader)
                archive = RulesetArchive(rules.digest, rules.name, {**reader.files, **reader.looks})
                known = stamp, ReadRuleset(rules, archive)
            _keep(self._read, path, known, MOST_RULES)
            _keep(self._rules, known[1].rules.digest, known[1].rules, MOST_RULES)
        return known[1]

    def known(self, digest: str) -> bool:
        """Whether the rules with a digest need not be read."""
        return digest in self._rules

    def add(self, archive: RulesetArchive) -> None:
        """Read the rules of an archive. Raises `ErrorsReported` if they are no rules (any more)."""
        rules, _ = load(Folder(archive.name, _fetch_from(archive)))
        with self._lock:
            _keep(self._rules, archive.digest, rules, MOST_RULES)

    def rules(self, digest: str) -> Rules:
        """Rules that were read. Raises `KeyError` if they are not known."""
        return self._rules[digest]

    def game(self, digest: str, seats: int, options: Mapping[str, str]) -> Game:
        """A compiled game. Raises `KeyError` if its rules are not known, `ErrorsReported` for its options."""
        key = (digest, seats, tuple(sorted(options.items())))
        with self._lock:
            found = self._games.get(key)
            if found is None:
                rules = self._rules[digest]
                found = Game(rules, compile_rules(rules, seats, options))
            _keep(self._games, key, found, MOST_GAMES)
            return found


def stamp_of(path: Path) -> Stamp:
    """By what a change of a folder is noticed; empty if it is too large or cannot be listed."""
    found: list[tuple[str, int, int, int]] = []
    for folder_, _, names in os.walk(path):
        for name in names:
            inner = os.path.join(folder_, name)
            try:
                of = os.stat(inner)
            except OSError:
                return ()
            found.append((inner, of.st_ino, of.st_size, of.st_mtime_ns))
        if len(found) > MOST_STAMPED:
            return ()
    return tuple(sorted(found))


def _keep(known: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    known[key] = value
    known.move_to_end(key)
    while len(known) > most:
        known.popitem(last=False)


def _fetch_from(archive: RulesetArchive) -> Callable[[str], bytes]:
    def fetch(path: str) -> bytes:
        if path not in archive.files:
            raise FileNotFoundError(2, "no such file")
        return archive.files[path]

    return fetch
