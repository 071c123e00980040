"""Servers that are killed under load: nothing that was acknowledged is lost or doubled, no row is missing."""

from __future__ import annotations

import multiprocessing
import os
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.reduction import DupFd
from pathlib import Path
from random import Random
from typing import BinaryIO

import pytest

from rulewright.serve.games.compiled import Games
from rulewright.serve.matches.live import built
from rulewright.serve.store.opening import open_storage
from rulewright.serve.store.sql import SqlStorage
from tests.processes import Process
from tests.serve import kills

ROOT = Path(__file__).resolve().parents[2]
WARM = multiprocessing.get_context("forkserver")
WARM.set_forkserver_preload(["tests.serve.kills"])
MOST_SECONDS = 2.0
"""Of the processor, from the start of a process until it has acknowledged something."""
LANES = int(os.environ.get("RULEWRIGHT_LANES", "4"))
"""How many servers are killed side by side."""


class Killed:
    """What processes that were killed have said, and whether the store agrees."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.games = Games()
        self.matches: list[str] = []
        self.acknowledged: dict[tuple[str, str], int] = {}
        self.resent = 0
        self.back: list[float] = []
        self.busy: list[float] = []

    def kill(self, seed: int, seconds: float, warm: bool) -> None:
        """Start a process on the matches so far, and kill it some time after its first acknowledgement."""
        begun = time.monotonic()
        with (forked if warm else started)(self.address, seed, self.matches[-8:]) as (pid, output):
            lines = []
            for line in output:
                lines.append(line)
                if line.startswith(b"ok"):
                    break
            self.back.append(time.monotonic() - begun)
            self.busy.append(processor_seconds(pid))
            time.sleep(seconds)
            os.kill(pid, signal.SIGKILL)
            lines += output.read().splitlines(keepends=True)
        for line in lines:
            if line.endswith(b"\n"):
                self._note(line.decode().split())

    def _note(self, words: list[str]) -> None:
        if words[0] == "match":
            self.matches.append(words[1])
        if words[0] == "ok":
            key, seq = (words[1], words[2]), int(words[3])
            self.resent += key in self.acknowledged
            assert self.acknowledged.setdefault(key, seq) == seq, "a request was answered in two ways"

    def check(self, replay: bool = True) -> int:
        """Compare the store with what was said. Returns the number of rows."""
        store = open_storage(self.address)
        try:
            return sum(self._check_match(store, match, replay) for match in self.matches)
        finally:
            store.close()

    def _check_match(self, store: SqlStorage, match: str, replay: bool) -> int:
        row, rows = store.match(match), store.rows(match)
        assert row is not None
        assert [one.seq for one in rows] == list(range(1, row.length + 1)), "there is a gap"
        assert max(Counter(one.client for one in rows if one.client).values(), default=0) <= 1
        found = {one.client: one.seq for one in rows if one.client}
        for (name, client), seq in self.acknowledged.items():
            if name == match:
                assert found.get(client) == seq, "an acknowledged choice is lost"
        if replay:
            if not self.games.known(row.archive):
                self.games.add(store.archive(row.archive))  # type: ignore[arg-type]
            live = built(row, store.seats(match), rows, self.games.game(row.archive, row.seats, row.options))
            assert live.match.steps[-1].hash == live.match.hash() == live.log.standing[-1].data["hash"]
        return len(rows)


def processor_seconds(pid: int) -> float:
    """The processor time that a process has had."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # not on every system
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def started(address: str, seed: int, matches: list[str]) -> Iterator[tuple[int, BinaryIO]]:
    """A new process, and what it says."""
    command = [sys.executable, "-m", "tests.serve.kills", address, str(seed), f"p{seed}", *matches]
    with Process(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield process.pid, process.stdout  # type: ignore[misc]


@contextmanager
def forked(address: str, seed: int, matches: list[str]) -> Iterator[tuple[int, BinaryIO]]:
    """A process without the second that a new one takes to import its modules, and what it says."""
    reading, writing = os.pipe()
    process = WARM.Process(target=kills.forked, args=(Sent(writing), address, seed, f"p{seed}", matches))
    try:
        process.start()
    finally:
        os.close(writing)
    assert process.pid is not None
    with open(reading, "rb") as output:
        yield process.pid, output
    process.join()


class Sent:
    """The number of an open file, sent along to another process."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[object, ...]:
        return _received, (DupFd(self.number),)


def _received(sent: object) -> int:
    number: int = sent.detach()  # type: ignore[attr-defined]
    return number


def kill_often(address: str, numbers: range, seed: int, warm: bool = False) -> Killed:
    killed, random = Killed(address), Random(seed)
    for done, number in enumerate(numbers, 1):
        killed.kill(number, random.uniform(0, 0.3), warm)
        if done % 25 == 0:
            killed.check(replay=False)
    killed.check()
    assert len(killed.acknowledged) >= len(numbers)
    assert killed.resent >= len(numbers) // 5
    return killed


def test_a_few_kills(address: str) -> None:
    kill_often(address, range(2), 1)
    kill_often(address, range(2, 5), 1, warm=True)


@pytest.mark.long
def test_a_thousand_kills(address: str, tmp_path: Path) -> None:
    """In several databases at once, or at one that several servers share; some processes are cold ones."""
    shared = address.startswith("postgres")

    def lane(number: int) -> list[Killed]:
        own, first = address if shared else str(tmp_path / f"{number}.db"), 1000 * number
        cold = kill_often(own, range(first, first + 10), number)
        return [cold, kill_often(own, range(first + 10, first + -(-1000 // LANES)), number, warm=True)]

    with ThreadPoolExecutor(LANES) as pool:
        found = list(pool.map(lane, range(LANES)))
    for what, runs in zip(("cold", "warm"), zip(*found, strict=True), strict=True):
        back = sorted(seconds for run in runs for seconds in run.back)
        busy = sorted(seconds for run in runs for seconds in run.busy)
        acknowledged = sum(len(run.acknowledged) for run in runs)
        resent = sum(run.resent for run in runs)
        print(f"\n{what}: {len(back)} kills, {acknowledged} acknowledged, {resent} resent", end="; ")
        print(f"back after {_spread(back)} s, of them with the processor {_spread(busy)} s")
        assert statistics.median(busy) <= MOST_SECONDS


def _spread(values: list[float]) -> str:
    parts = {"half": 0.5, "p90": 0.9, "p99": 0.99, "most": 1.0}
    return ", ".join(f"{name} {values[int(part * (len(values) - 1))]:.2f}" for name, part in parts.items())
