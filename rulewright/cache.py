"""The cache of compiled modules on disk.

Modules are native code. Each is sealed with a secret key, which is kept in another folder and readable only
by its owner. A module that does not match its seal is never run. If a file cannot be read or written, the
module is compiled without the cache.
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
from interpreter.garbage import garbage_collection_paused
from interpreter.messages import Fault
from interpreter.wasm.build_config import FAST, BuildConfig
from interpreter.wasm.cache import KEY, CacheEntry, Facts, build, entry_name, sealed, unsealed
from interpreter.wasm.program import Program
from rulewright.files import durable
from rulewright.files.reading import plain_file
from rulewright.library import find, folder, open_game

PLACE = "RULEWRIGHT_CACHE"
"""The environment variable with another folder for compiled modules."""
MOST = 200
"""The number of modules that are kept; the oldest are deleted."""
PRIVATE = 0o600
"""The permissions of all files."""
LARGEST_MODULE, LARGEST_LIST = 200_000_000, 1_000_000
"""The largest module and the largest list of files that are read, in bytes."""
Options = Mapping[str, str]
BuildKey = tuple[int | None, Options, BuildConfig]
"""Seats, options and build configuration."""
OnRefused = Callable[[Path, Fault], None]
"""Called with a file that is not used, and the reason."""


def entry(
    name: str, seats: int | None, options: Options, flavour: BuildConfig, refused: OnRefused
) -> CacheEntry:
    """The module of a game by name or path.

    Raises `ErrorsReported` or `DiagnosticError` if the game has mistakes.
    """
    cache_folder, key = _cache_folder(), _key()
    if cache_folder is None or key is None:
        return _compiled(folder(find(name)), seats, options, flavour)
    return _cached(name, (seats, options, flavour), cache_folder, key, refused)


def open_program(
    name: str, seats: int | None = None, options: Mapping[str, str | int] | None = None
) -> Program:
    """A compiled program for fast playouts. Raises `ErrorsReported` or `DiagnosticError` if the game has
    mistakes.

    Warns if a file of the cache cannot be trusted; it is not used then.
    """

    def refused(file: Path, fault: Fault) -> None:
        warnings.warn(f"{fault.diagnostic.message}: {file}", stacklevel=3)

    chosen = {option: str(value) for option, value in (options or {}).items()}
    found = entry(name, seats, chosen, FAST, refused)
    return Program(found.code, explain=lambda: open_game(name, seats, chosen).machine)


def _cached(name: str, build_key: BuildKey, cache_folder: Path, key: bytes, refused: OnRefused) -> CacheEntry:
    seats, options, flavour = build_key
    path = find(name)
    if (digest := _digest(path, cache_folder)) is not None:
        entry_id = entry_name(digest, seats, options, flavour, built())
        file = cache_folder / f"{entry_id}.module"
        if (data := _read(file, LARGEST_MODULE)) is not None:
            try:
                return unsealed(entry_id, data, key)
            except Fault as fault:
                refused(file, fault)
    reader = folder(path)
    built_entry = _compiled(reader, seats, options, flavour)
    entry_id = entry_name(built_entry.facts.digest, seats, options, flavour, built())
    with contextlib.suppress(OSError):
        cache_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        files = sorted(reader.files.keys() - reader.translations)
        durable.put(_list_file(path, cache_folder), json.dumps(files).encode(), PRIVATE)
        durable.put(cache_folder / f"{entry_id}.module", sealed(entry_id, built_entry, key), PRIVATE)
        _tidy(cache_folder)
    return built_entry


def _compiled(reader: Folder, seats: int | None, options: Options, flavour: BuildConfig) -> CacheEntry:
    """Compiles a ruleset. The imports are here because a cache hit does not need them.

    Nearly all that is made on the way is kept to the end, so that garbage would be searched for in vain.
    """
    with garbage_collection_paused():
        from dsl.load import load
        from interpreter.compile.program import compile_rules
        from interpreter.wasm.program import lowered

        rules, _ = load(reader)
        machine = compile_rules(rules, seats, dict(options))
        names = rules.types["seat"].names[: machine.seats]
        return CacheEntry(
            Facts(rules.title, machine.name, machine.digest, tuple(names), machine.endings),
            lowered(machine, flavour),
        )


# ---- dependencies of a module


@lru_cache(maxsize=1)
def built() -> str:
    """A hash of the sources of `dsl` and `interpreter` and of the WebAssembly compiler."""
    sources = {}
    for package in (dsl, interpreter):
        root = Path(package.__path__[0])
        for at, _, files in os.walk(root):
            for file in files:
                if file.endswith((".py", ".lark")):
                    path = Path(at, file)
                    sources[f"{root.name}/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    return build(sources)


def _digest(path: Path, cache_folder: Path) -> str | None:
    """The content hash of a ruleset, over the files that counted the last time; None if one is missing.

    The list need not be complete: which files are read depends only on the files read before them, so
    a ruleset that reads other files has another hash.
    """
    data = _read(_list_file(path, cache_folder), LARGEST_LIST)
    if data is None:
        return None
    reader = folder(path)
    try:
        for name in json.loads(data):
            reader.source(str(name))
    except (DiagnosticError, ValueError, TypeError, RecursionError):
        return None
    return reader.digest()


def _list_file(path: Path, cache_folder: Path) -> Path:
    """The file that lists the files of a ruleset."""
    return cache_folder / f"{hashlib.blake2b(os.fsencode(path.resolve()), digest_size=20).hexdigest()}.files"


# ---- files


def _cache_folder() -> Path | None:
    """The folder of compiled modules."""
    if os.environ.get(PLACE):
        return Path(os.environ[PLACE])
    return _home("XDG_CACHE_HOME", ".cache", "Library/Caches")


def _home(variable: str, otherwise: str, apple: str) -> Path | None:
    """Our folder in a standard folder of the system; None without a home folder."""
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
    """A file of the cache; None if it cannot be read, is not a regular file or is too large."""
    try:
        data = plain_file(path, most + 1)
    except OSError:
        return None
    return data if len(data) <= most else None


def _tidy(cache_folder: Path) -> None:
    """Deletes the oldest modules if there are too many. Raises `OSError`."""
    found = sorted(cache_folder.glob("*.module"), key=lambda p: p.lstat().st_mtime, reverse=True)
    for path in found[MOST:]:
        with contextlib.suppress(IsADirectoryError, PermissionError):
            path.unlink(missing_ok=True)


# ---- the key


def key_file() -> Path | None:
    """The path of the secret key, outside the folder of the modules."""
    state = _home("XDG_STATE_HOME", ".local/state", "Library/Application Support")
    return None if state is None else state / "module.key"


def _key() -> bytes | None:
    """The secret key, created on first use; None if it cannot be stored."""
    path = key_file()
    if path is None:
        return None
    try:
        return _existing_key(path) or _new_key(path)
    except OSError:
        return None


def _existing_key(path: Path) -> bytes | None:
    """The stored key; None if there is none or if others can read or change it. Raises `OSError`."""
    try:
        about = path.lstat()
        data = plain_file(path, KEY + 1)
    except (FileNotFoundError, NotRegular):
        return None
    if os.name == "posix" and (about.st_uid != os.geteuid() or stat.S_IMODE(about.st_mode) & 0o077):
        return None
    return data if len(data) == KEY else None


def _new_key(path: Path) -> bytes | None:
    """Creates a key. If another process creates one at the same time, the first counts. Raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    data = secrets.token_bytes(KEY)
    if path.is_symlink() or path.exists():
        durable.put(path, data, PRIVATE)
    else:
        durable.create(path, data, PRIVATE)
    return _existing_key(path)
