"""Compiled games by the key of their archive, from where they lie or from a store's archive.

The key is the digest of the rules, so that labels and looks can be mended while matches are played. Rules of
strangers have a key of all of their files instead: two games whose rules are the same, but not what they are
called and look like, must not be taken for each other.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics import DiagnosticError
from dsl.load import load
from dsl.rules import Rules
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.library import find, folder, layer
from rulewright.sentences.worded_game import worded_game
from rulewright.serve.cache import RecentlyUsed
from rulewright.serve.games.unpacking import folder_of
from rulewright.serve.store.storage import RulesetArchive

MOST_GAMES, MOST_RULES = 64, 32
"""How many compiled games and typed rules a process keeps."""
SLOW = 0.02
"""Seconds of a processor for what can be chosen, from which on a game is run by the fast executor."""
Stamp = tuple[tuple[str, int, int, int], ...]
"""The path, inode, size and time of change of each file of a ruleset."""


@dataclass(frozen=True, slots=True)
class ReadRuleset:
    """A ruleset that was read, with its files."""

    rules: Rules
    archive: RulesetArchive


class Games:
    """Keeps the games that were used last. It may be used by several threads."""

    def __init__(self, is_stranger: Callable[[str], bool] = lambda _: False) -> None:
        self._is_stranger = is_stranger
        self._games = RecentlyUsed[Game](MOST_GAMES)
        self._rules = RecentlyUsed[Rules](MOST_RULES)
        self._read = RecentlyUsed[tuple[Stamp, ReadRuleset]](MOST_RULES)
        self._lock = threading.RLock()

    def read(self, source: str) -> ReadRuleset:
        """A ruleset by name or path, as it is now. Raises `ErrorsReported` or `DiagnosticError`.

        It is read again only if one of its files has changed.
        """
        path = find(source)
        with self._lock:
            known = self._read.get(path)
            if known is None or known[0] != stamp_of(path, known[1].archive.files):
                reader = folder(path)
                rules, _ = load(reader)
                files = {**reader.files, **reader.looks}
                key = content_key(files) if self._is_stranger(source) else rules.digest
                archive = RulesetArchive(key, rules.name, files)
                if known is not None:
                    self._forget(key)
                known = stamp_of(path, archive.files), ReadRuleset(rules, archive)
            self._read.put(path, known)
            self._rules.put(known[1].archive.digest, known[1].rules)
        return known[1]

    def _forget(self, digest: str) -> None:
        """Games with these rules are compiled anew: their labels or their look may have changed."""
        for key in [key for key in self._games.values if key[0] == digest]:
            del self._games.values[key]

    def known(self, digest: str) -> bool:
        """Whether the rules with a key need not be read."""
        return digest in self._rules.values

    def served(self, source: str) -> str | None:
        """The key of a ruleset as it was read last, if it was read."""
        with suppress(DiagnosticError):
            known = self._read.values.get(find(source))
            return known[1].archive.digest if known is not None else None
        return None

    def add(self, archive: RulesetArchive) -> None:
        """Read the rules of an archive. Raises `ErrorsReported` if they are not rules (any more)."""
        rules, _ = load(folder_of(archive.name, archive.files))
        with self._lock:
            self._rules.put(archive.digest, rules)

    def rules(self, digest: str) -> Rules:
        """Rules that were read. Raises `KeyError` if they are not known."""
        return self._rules.values[digest]

    def game(self, digest: str, seats: int, options: Mapping[str, str]) -> Game:
        """A compiled game. Raises `KeyError` if its rules are not known, `ErrorsReported` for its options."""
        key = (digest, seats, tuple(sorted(options.items())))
        with self._lock:
            found = self._games.get(key)
            if found is None:
                rules = self._rules.values[digest]
                machine = compile_rules(rules, seats, options)
                found = worded_game(rules, machine)
                if digest == rules.digest and is_slow(found):
                    found = worded_game(rules, machine, "wasm")
            self._games.put(key, found)
            return found


def is_slow(game: Game) -> bool:
    """Whether the reference executor takes long to find what can be chosen first.

    The fast one takes a second to be made, which most games never need, and memory that strangers do not get.
    """
    with suppress(Fault):
        match = Match(game, seed=0, keep_history=False).start()
        began = time.thread_time()
        game.executor.waiting(match.state[:])
        return time.thread_time() - began > SLOW
    return False


def content_key(files: Mapping[str, bytes]) -> str:
    """A hash of all files of a ruleset, which is the digest of no rules."""
    total = hashlib.sha256(b"all files\0")
    for path in sorted(files):
        total.update(f"{path}\0{hashlib.sha256(files[path]).hexdigest()}\n".encode())
    return total.hexdigest()


def stamp_of(path: Path, names: Iterable[str]) -> Stamp:
    """By what a change of some files of a folder is noticed; a file that is not there has zeros."""
    found: list[tuple[str, int, int, int]] = []
    for name in sorted(names):
        try:
            of = Path(*layer(path, name)).stat()
        except OSError:
            found.append((name, 0, 0, 0))
        else:
            found.append((name, of.st_ino, of.st_size, of.st_mtime_ns))
    return tuple(found)
