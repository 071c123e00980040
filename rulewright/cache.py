"""Compiled modules on disk, so that a game that was played before runs at once.

Modules are native code. Each lies under a seal that only the holder of a secret key can make; the key lies
elsewhere, readable by its owner alone. What does not match its seal is never run. Where something cannot be
read or written there is no cache, and nothing else is different.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import stat
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

import dsl
import interpreter
from dsl.diagnostics import DiagnosticError
from dsl.folder import Folder, NotRegular
from interpreter.messages import Fault
from interpreter.wasm.build_config import FAST, BuildConfig
from interpreter.wasm.cache import KEY, CacheEntry, Facts, build, entry_name, sealed, unsealed
from interpreter.wasm.program import Program
from rulewright import durable
from rulewright.library import find, folder, open_game
from rulewright.reading import plain_file

PLACE = "RULEWRIGHT_CACHE"
"""The variable that names another folder for compiled modules."""
MOST = 200
"""How many modules are kept; the oldest go."""
PRIVATE = 0o600
"""The permissions of all that is kept here."""
LARGEST_MODULE, LARGEST_LIST = 200_000_000, 1_000_000
"""The most bytes of a module, and of a list of a ruleset's files, that are read."""
Options = Mapping[str, str]
Wanted = tuple[int | None, Options, BuildConfig]
"""Seats, options and what for."""
Refused = Callable[[Path, Fault], None]
"""Told of a file that is not used, and why."""


def entry(
    name: str, seats: int | None, options: Options, flavour: BuildConfig, refused: Refused
) -> CacheEntry:
    """The module of a game by name or path.

    Raises `ErrorsReported` or `DiagnosticError` if the game has mistakes.
    """
    place, key = _place(), _key()
    if place is None or key is None:
        return _compiled(folder(find(name)), seats, options, flavour)
    return _kept(name, (seats, options, flavour), place, key, refused)


def open_program(
    name: str, seats: int | None = None, options: Mapping[str, str | int] | None = None
) -> Program:
    """A game that plays by itself, fast. Raises `ErrorsReported` or `DiagnosticError` if the game has
    mistakes.

    A file of the cache that cannot be trusted is not used, and a warning says so.
    """

    def refused(file: Path, fault: Fault) -> None:
        warnings.warn(f"{fault.diagnostic.message}: {file}", stacklevel=3)

    chosen = {option: str(value) for option, value in (options or {}).items()}
    found = entry(name, seats, chosen, FAST, refused)
    return Program(found.code, explain=lambda: open_game(name, seats, chosen).machine)


def _kept(name: str, wanted: Wanted, place: Path, key: bytes, refused: Refused) -> CacheEntry:
    seats, options, flavour = wanted
    path = find(name)
    if (digest := _digest(path, place)) is not None:
        called = entry_name(digest, seats, options, flavour, built())
        file = place / f"{called}.module"
        if (data := _read(file, LARGEST_MODULE)) is not None:
            try:
                return unsealed(called, data, key)
            except Fault as fault:
                refused(file, fault)
    reader = folder(path)
    made = _compiled(reader, seats, options, flavour)
    called = entry_name(made.facts.digest, seats, options, flavour, built())
    with contextlib.suppress(OSError):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        durable.put(_list_file(path, place), json.dumps(sorted(reader.files)).encode(), PRIVATE)
        durable.put(place / f"{called}.module", sealed(called, made, key), PRIVATE)
        _tidy(place)
    return made


def _compiled(reader: Folder, seats: int | None, options: Options, flavour: BuildConfig) -> CacheEntry:
    """The module of a ruleset, made from its rules. What that needs is imported here: a hit does without."""
    from dsl.load import load
    from interpreter.compile.program import compile_rules
    from interpreter.wasm.program import lowered

    rules, _ = load(reader)
    machine = compile_rules(rules, seats, dict(options))
    names = rules.types["seat"].names[: machine.seats]
    return CacheEntry(
        Facts(rules.title, machine.name, machine.digest, tuple(names)), lowered(machine, flavour)
    )


# ---- what a module depends on


@lru_cache(maxsize=1)
def built() -> str:
    """A hash of our own sources, from text to module, and of the compiler behind them."""
    sources = {}
    for package in (dsl, interpreter):
        root = Path(package.__path__[0])
        for at, _, files in os.walk(root):
            for file in files:
                if file.endswith((".py", ".lark")):
                    path = Path(at, file)
                    sources[f"{root.name}/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    return build(sources)


def _digest(path: Path, place: Path) -> str | None:
    """The content hash of a ruleset, without understanding it: of the files that were read the last time.

    It need not be trusted that those are all. Which files are read depends on nothing but the files that
    were read before them, so the hash is that of a compiled module only if they are.
    """
    data = _read(_list_file(path, place), LARGEST_LIST)
    if data is None:
        return None
    reader = folder(path)
    try:
        for name in json.loads(data):
            reader.source(str(name))
    except (DiagnosticError, ValueError, TypeError, RecursionError):
        return None
    return reader.digest()


def _list_file(path: Path, place: Path) -> Path:
    """Where it is noted which files a ruleset has."""
    return place / f"{hashlib.blake2b(str(path.resolve()).encode(), digest_size=20).hexdigest()}.files"


# ---- files


def _place() -> Path | None:
    """The folder of compiled modules."""
    if os.environ.get(PLACE):
        return Path(os.environ[PLACE])
    return _home("XDG_CACHE_HOME", ".cache", "Library/Caches")


def _home(variable: str, otherwise: str, apple: str) -> Path | None:
    """Our folder among those that a system has for such things, if anybody is at home."""
    try:
        if sys.platform == "win32":
            return Path(os.environ["LOCALAPPDATA"], "rulewright", otherwise.strip("."))
        if sys.platform == "darwin":
            return Path.home() / apple / "rulewright"
        named = os.environ.get(variable, "")
        return (Path(named) if Path(named).is_absolute() else Path.home() / otherwise) / "rulewright"
    except (KeyError, RuntimeError):
        return None


def _read(path: Path, most: int) -> bytes | None:
    """A file of the cache; nothing if it cannot be read, is no regular file, or is too large to be ours."""
    try:
        data = plain_file(path, most + 1)
    except OSError:
        return None
    return data if len(data) <= most else None


def _tidy(place: Path) -> None:
    """The oldest modules go when there are too many. Raises `OSError`."""
    found = sorted(place.glob("*.module"), key=lambda p: p.lstat().st_mtime, reverse=True)
    for path in found[MOST:]:
        with contextlib.suppress(IsADirectoryError, PermissionError):
            path.unlink(missing_ok=True)


# ---- the key


def key_file() -> Path | None:
    """Where the secret key lies: not in the folder of the modules."""
    state = _home("XDG_STATE_HOME", ".local/state", "Library/Application Support")
    return None if state is None else state / "module.key"


def _key() -> bytes | None:
    """The secret key, made when it is first needed; nothing if it cannot be kept."""
    path = key_file()
    if path is None:
        return None
    try:
        return _known(path) or _made(path)
    except OSError:
        return None


def _known(path: Path) -> bytes | None:
    """The key that is there. One that others can read or change is none. Raises `OSError`."""
    try:
        about = path.lstat()
        data = plain_file(path, KEY + 1)
    except (FileNotFoundError, NotRegular):
        return None
    if os.name == "posix" and (about.st_uid != os.geteuid() or stat.S_IMODE(about.st_mode) & 0o077):
        return None
    return data if len(data) == KEY else None


def _made(path: Path) -> bytes | None:
    """A new key. If somebody else makes one at the same time, the first one counts. Raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    data = secrets.token_bytes(KEY)
    if path.is_symlink() or path.exists():
        durable.put(path, data, PRIVATE)
    else:
        durable.create(path, data, PRIVATE)
    return _known(path)
