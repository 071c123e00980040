"""Plain C, one program a game, by `gcc -O3`."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.contestants.contestant import Contestant, Player, Unavailable
from benchmarks.games import Entry
from benchmarks.tally import Tally

SOURCES = Path(__file__).resolve().parents[1] / "c"
COMMAND = ("gcc", "-O3", "-Wall", "-Wextra", "-shared", "-fPIC")


class Counts(ctypes.Structure):
    """`Tally` of playouts.h."""

    _fields_ = (
        ("playouts", ctypes.c_int64),
        ("decisions", ctypes.c_int64),
        ("wins", ctypes.c_int64 * 2),
    )


def sit(entry: Entry) -> Player:
    if not entry.plain_c:
        raise Unavailable("not written in C")
    run = function(entry.name)
    seeds = count(1)

    def play(number: int) -> Tally:
        counts = Counts()
        run(number, next(seeds), ctypes.byref(counts))
        return Tally(counts.playouts, counts.decisions, counts.wins[0])

    return Player(play)


def function(name: str, *flags: str) -> Any:
    """`playouts` of playouts.h, for one program."""
    found = ctypes.CDLL(str(compiled(name, *flags))).playouts
    found.argtypes = (ctypes.c_int64, ctypes.c_uint64, ctypes.POINTER(Counts))
    found.restype = None
    return found


def compiled(name: str, *flags: str) -> Path:
    """The shared library of a program, made anew if its source is newer.

    Raises `Unavailable` without gcc, and if it does not know the flags.
    """
    source, library = SOURCES / f"{name}.c", SOURCES / "build" / f"{''.join([name, *flags])}.so"
    newest = max(file.stat().st_mtime for file in (source, *SOURCES.glob("*.h")))
    if library.is_file() and library.stat().st_mtime > newest:
        return library
    if shutil.which(COMMAND[0]) is None:
        raise Unavailable("gcc is not there")
    library.parent.mkdir(exist_ok=True)
    made = subprocess.run([*COMMAND, *flags, "-o", str(library), str(source)], check=False)
    if made.returncode:
        raise Unavailable(f"gcc refuses {' '.join([*flags, source.name])}")
    return library


PLAIN_C = Contestant("c", "plain C with arrays, gcc -O3", sit)
