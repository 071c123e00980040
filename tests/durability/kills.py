"""Matches whose process is killed again and again, at instants or at system calls chosen by a seed."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.files import durable
from rulewright.library import open_game
from tests.durability.playing import Mirror, Process

GAMES = ("pig", "hex", "yacht", "roll_through_the_ages")
CALLS = ("open", "write", "fsync", "replace", "link", "ftruncate")
"""System calls at which a process is killed, before or in the middle of them."""


@dataclass
class Tally:
    """What has come of it."""

    kills: int = 0
    matches: int = 0
    acknowledged: int = 0
    lost: int = 0
    refused: int = 0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills in {self.matches} matches: {self.acknowledged} choices acknowledged, "
            f"{self.lost} lost, {self.refused} matches not resumed"
        )


def at_call(number: int, part: float) -> Callable[[], None]:
    """Makes a process kill itself at the system call with a number; a write may have done a part by then."""

    def prepare() -> None:
        durable.os = Dying(number, part)  # type: ignore[assignment]

    return prepare


class Dying:
    """The module `os`, for a process that dies in it."""

    def __init__(self, number: int, part: float) -> None:
        self.left, self.part = number, part

    def __getattr__(self, name: str) -> Any:
        found = getattr(os, name)
        return self._counted(name, found) if name in CALLS else found

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*words: Any, **more: Any) -> Any:
            self.left -= 1
            if self.left < 0:
                if name == "write":
                    call(words[0], bytes(words[1])[: int(len(words[1]) * self.part)])
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*words, **more)

        return counted


def run(number: int, seed: int, folder: Path, done: Callable[[Tally], None] = lambda tally: None) -> Tally:
    """So many kills, over as many matches as it takes."""
    chance, tally = random.Random(seed), Tally()
    games = {name: open_game(name, 2) for name in GAMES}
    while tally.kills < number:
        name = chance.choice(GAMES)
        log = folder / f"{tally.matches}.log"
        mirror = Mirror(games[name], chance.getrandbits(64))
        tally.matches += 1
        while tally.kills < number and not mirror.match.over and not tally.refused:
            _one(name, mirror, log, chance, tally)
            done(tally)
        log.unlink(missing_ok=True)
    return tally


def _one(name: str, mirror: Mirror, log: Path, chance: random.Random, tally: Tally) -> None:
    """One process, from its start to its death."""
    before = mirror.acknowledged
    words = [name, "--no-auto", *(["--resume", str(log)] if log.exists() else _fresh(mirror, log))]
    by_call = chance.random() < 0.5
    prepare = at_call(chance.randrange(24), chance.random()) if by_call else lambda: None
    process = Process(words, prepare)
    if not by_call and chance.random() < 0.2:
        time.sleep(chance.random() * 0.4)
    else:
        _choose(process, mirror, chance, 99 if by_call else chance.randrange(4))
    if process.code is None:
        process.kill()
    code = process.wait()
    if code not in (0, -signal.SIGKILL) or "Traceback" in process.seen:
        tally.refused += 1
        print(process.seen)
    tally.kills += code == -signal.SIGKILL
    tally.acknowledged += mirror.acknowledged - before
    tally.lost += mirror.lost(log)
    mirror.follow(log)


def _fresh(mirror: Mirror, log: Path) -> list[str]:
    return ["--seats", "human,random", "--seed", str(mirror.seed), "--log", str(log)]


def _choose(process: Process, mirror: Mirror, chance: random.Random, number: int) -> None:
    """Some choices that are acknowledged, and one more that may not be; or until it has died."""
    while process.asks():
        mirror.acknowledge()
        words = mirror.words(chance.random())
        process.type(words)
        mirror.choose(words)
        if number <= 0:
            time.sleep(chance.random() * 0.03)
            return
        number -= 1
    if process.wait() == 0:
        mirror.acknowledge()
