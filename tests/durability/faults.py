"""Matches on disks that are full, limited, read-only or broken: what was acknowledged is still there.

Full disks are small file systems in memory, mounted for the purpose where that is allowed; limits are the
system's own (`RLIMIT_FSIZE`). Errors of devices are put under the system calls of the writing module.
"""

from __future__ import annotations

import errno
import os
import random
import resource
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.files import durable
from rulewright.library import open_game
from tests.durability.kills import CALLS
from tests.durability.playing import Mirror, Process

GAME = "pig"
"""Refereed by the reference executor: the fast one needs a file of its own for its memory."""
ON_DISKS = ("full disks", "full disks left", "read-only folders")
"""Kinds that need a disk of their own."""


@dataclass
class Tally:
    """What has come of it; `wrong` are matches of which something else than a clear word came."""

    faults: int = 0
    acknowledged: int = 0
    lost: int = 0
    wrong: int = 0
    kinds: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(self.kinds.items()))
        return (
            f"{self.faults} faults ({kinds}): {self.acknowledged} choices acknowledged, {self.lost} lost, "
            f"{self.wrong} matches that went wrong"
        )


@dataclass
class Place:
    """Where a match is kept, what its process is prepared with, and how room is made, if it can be."""

    log: Path
    prepare: Callable[[], None] = lambda: None
    relieve: Callable[[], None] | None = None
    elsewhere: Path | None = None


def limited(folder: Path, chance: random.Random) -> Place:
    """No file may grow beyond a size."""
    size = chance.randrange(100, 6000)
    return Place(folder / "x.log", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))


def full(folder: Path, chance: random.Random) -> Place:
    """A disk that fills up, on which room is made later."""
    ballast, room = folder / "ballast", chance.randrange(0, 4)
    free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_bsize
    ballast.write_bytes(bytes(max(0, free - 4096 * room)))
    return Place(folder / "x.log", relieve=ballast.unlink)


def full_moving(folder: Path, chance: random.Random) -> Place:
    """A disk that fills up; the match moves to another one."""
    found = full(folder, chance)
    found.relieve = None
    found.elsewhere = Path(tempfile.mkdtemp()) / "y.log"
    return found


def device(folder: Path, chance: random.Random) -> Place:
    """The device that is always full."""
    return Place(Path("/dev/full"))


def read_only(folder: Path, chance: random.Random) -> Place:
    """A disk on which nothing can be made."""
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    return Place(folder / "x.log")


def broken(folder: Path, chance: random.Random) -> Place:
    """A device that fails now and then, in any call and in the middle of writing."""
    seed = chance.random()

    def prepare() -> None:
        durable.os = Failing(random.Random(seed))  # type: ignore[assignment]

    return Place(folder / "x.log", prepare, elsewhere=folder / "y.log")


KINDS = {
    "size limits": limited,
    "full disks": full,
    "full disks left": full_moving,
    "full devices": device,
    "read-only folders": read_only,
    "device errors": broken,
}


class Failing:
    """The module `os` on a device that fails."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def __getattr__(self, name: str) -> Any:
        found = getattr(os, name)
        return self._failing(name, found) if name in CALLS else found

    def _failing(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def failing(*words: Any, **more: Any) -> Any:
            if self.chance.random() < 0.04:
                if name == "write":
                    call(words[0], bytes(words[1])[: self.chance.randrange(1 + len(words[1]))])
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return call(*words, **more)

        return failing


def kinds() -> dict[str, Callable[[Path, random.Random], Place]]:
    """What can be tried here: not everybody may mount disks."""
    with tempfile.TemporaryDirectory() as name, _folder(Path(name, "x"), True) as folder:
        mounts = os.path.ismount(folder)
    return {name: kind for name, kind in KINDS.items() if mounts or name not in ON_DISKS}


def run(number: int, seed: int, folder: Path) -> Tally:
    """So many matches, each on a disk that fails."""
    chance, tally = random.Random(seed), Tally()
    names = list(kinds())
    for i in range(number):
        kind = names[i % len(names)]
        with _folder(folder / f"fault-{i}", kind in ON_DISKS) as place:
            _one(KINDS[kind](place, chance), chance, tally)
        tally.faults += 1
        tally.kinds[kind] = tally.kinds.get(kind, 0) + 1
    return tally


@contextmanager
def _folder(path: Path, small: bool) -> Iterator[Path]:
    """A folder, on a small disk of its own if that is wanted and allowed."""
    path.mkdir()
    mounted = small and _mount(path)
    try:
        yield path
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(path)], check=True)


def _mount(path: Path) -> bool:
    words = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(path)]
    try:
        return subprocess.run(words, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _one(place: Place, chance: random.Random, tally: Tally) -> None:
    mirror = Mirror(open_game(GAME, 2), chance.getrandbits(64))
    seats = ["--seats", "human,random", "--seed", str(mirror.seed)]
    words = [GAME, "--executor", "reference", "--no-auto", *seats, "--log", str(place.log)]
    process = Process(words, place.prepare)
    log, asked = place.log, 0
    while process.asks():
        if process.asks_where:
            asked += 1
            log = _answer(process, place, log, asked)
            continue
        mirror.acknowledge()
        if process.code is None and len(mirror.choices) > 40:
            process.type("quit")
            continue
        words = mirror.words(chance.random())
        process.type(words)
        mirror.choose(words)
    code = process.wait()
    said = "cannot be" in process.seen or asked or code == 0
    if code not in (0, 1, 2) or "Traceback" in process.seen or not said:
        tally.wrong += 1
        print(process.seen)
    tally.acknowledged += mirror.acknowledged
    tally.lost += _lost(mirror, log)


def _answer(process: Process, place: Place, log: Path, asked: int) -> Path:
    """What a player does of whom it is asked where to keep the match."""
    if "C416" in process.seen or "cannot be written" in process.seen or asked > 1:
        if place.relieve is not None and asked == 2:
            place.relieve()
        if place.elsewhere is not None and asked % 2 == 0:
            process.type(str(place.elsewhere))
            return place.elsewhere
    process.type("quit" if asked > 6 else "")
    return log


def _lost(mirror: Mirror, log: Path) -> int:
    """The log that the match was last kept in has all that was acknowledged."""
    if log.parent == Path("/dev"):
        return mirror.acknowledged
    return min(mirror.lost(log), mirror.lost(log.with_name("x.log")) if log.name == "y.log" else 1 << 30)
