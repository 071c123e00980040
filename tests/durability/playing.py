"""Real `rulewright play` processes on terminals of their own, and what they have acknowledged."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.bots.random import pick
from interpreter.game import Game
from interpreter.match import Match
from rulewright.commands import play as imported_before_the_fork
from rulewright.main import main
from rulewright.matches.saves import read_log

assert imported_before_the_fork
PROMPT = re.compile(r"(?:^|\n)[A-Z]> $")
ELSEWHERE = "`quit` to leave: "
PATIENCE = 120.0
"""Seconds after which a process hangs."""
Prepare = Callable[[], None]


@dataclass
class Process:
    """A process that plays. It is forked, so that the packages need not be imported again and again."""

    words: Sequence[str]
    prepare: Prepare = lambda: None
    seen: str = ""
    code: int | None = None

    def __post_init__(self) -> None:
        self.master, slave = pty.openpty()
        sys.stdout.flush()
        self.pid = os.fork()
        if not self.pid:
            os.close(self.master)
            _play(slave, self.words, self.prepare)
        os.close(slave)

    def read(self, seconds: float) -> bool:
        """What has come meanwhile. False if the other end is closed."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.seen += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)

    def asks(self) -> bool:
        """Whether it comes to a prompt, or to the question where to keep the match; False if it ends."""
        end = time.monotonic() + PATIENCE
        while not (PROMPT.search(self.seen) or self.seen.endswith(ELSEWHERE)):
            assert time.monotonic() < end, f"it hangs: {self.seen[-500:]}"
            if not self.read(1.0):
                return False
        return True

    @property
    def asks_where(self) -> bool:
        return self.seen.endswith(ELSEWHERE)

    def type(self, text: str) -> None:
        self.seen = ""
        os.write(self.master, f"{text}\n".encode())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Reads all that still comes; the exit code, or the number of the signal, negative."""
        if self.code is None:
            while self.read(PATIENCE):
                pass
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self.master)
        return self.code


def _play(slave: int, words: Sequence[str], prepare: Prepare) -> None:
    """In the new process: the command, as a terminal starts it."""
    code = 99
    try:
        os.setsid()
        mode = termios.tcgetattr(slave)
        mode[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, mode)
        for handle in range(3):
            os.dup2(slave, handle)
        sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", buffering=1, closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
        os.environ["TERM"] = "dumb"
        prepare()
        main(["play", *words], prog_name="rulewright")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException as error:
        print(f"Traceback: {error!r}")
    finally:
        sys.stdout.flush()
        os._exit(code)


@dataclass
class Mirror:
    """The same match, played beside the process: it knows what can be chosen, and what was acknowledged."""

    game: Game
    seed: int
    acknowledged: int = 0
    match: Match = field(init=False)

    def __post_init__(self) -> None:
        self.match = Match(self.game, self.seed).start()
        self.bots()

    def bots(self) -> None:
        """The bots' choices, up to the next of A or to the end."""
        while not self.match.over and (decision := self.match.decisions()[0]).seat != "A":
            self.match.take(decision.waiting, pick(self.seed, self.match.state[:], decision.waiting))

    def words(self, number: float) -> str:
        """The words of one of A's choices."""
        choices = self.match.decisions()[0].choices
        return choices[int(number * len(choices))].text

    def choose(self, words: str) -> None:
        self.match.choose("A", words)
        self.bots()

    @property
    def choices(self) -> list[tuple[str, str]]:
        return [(step.seat, step.text) for step in self.match.steps if step.seat]

    def acknowledge(self) -> None:
        """What has been chosen so far has been shown to the player."""
        self.acknowledged = len(self.choices)

    def lost(self, log: Path) -> int:
        """How many acknowledged choices a log lacks, or has otherwise."""
        kept = choices_in(log)
        own = self.choices[: self.acknowledged]
        same = next((i for i, (a, b) in enumerate(zip(own, kept, strict=False)) if a != b), len(kept))
        return max(0, len(own) - same)

    def follow(self, log: Path) -> None:
        """Goes to where a log is: the bots may not have had their turn yet."""
        kept = choices_in(log)
        self.match = Match(self.game, self.seed).start()
        for seat, text in kept:
            self.match.choose(seat, text)
        self.bots()


def choices_in(log: Path) -> list[tuple[str, str]]:
    if not log.exists():
        return []
    return [(entry.seat, entry.text) for entry in read_log(log).entries if entry.seat]
