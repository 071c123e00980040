"""Servers that are killed under load: nothing that was acknowledged is lost or doubled, no row is missing."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from rulewright.serve.games.compiled import Games
from rulewright.serve.matches.live import built
from rulewright.serve.store.opening import open_storage
from rulewright.serve.store.sql import SqlStorage

ROOT = Path(__file__).resolve().parents[2]


class Killed:
    """What processes that were killed have said, and whether the store agrees."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.games = Games()
        self.matches: list[str] = []
        self.acknowledged: dict[tuple[str, str], int] = {}
        self.resent = 0

    def kill(self, seed: int, seconds: float) -> None:
        """Start a process on the matches so far, and kill it some time after its first acknowledgement."""
        command = [sys.executable, "-m", "tests.serve.kills", self.address, str(seed), f"p{seed}"]
        process = subprocess.Popen([*command, *self.matches[-8:]], cwd=ROOT, stdout=subprocess.PIPE)
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith(b"ok"):
                break
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.read().splitlines(keepends=True)
        process.wait()
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


def kill_often(address: str, kills: int, seed: int) -> Killed:
    killed, random = Killed(address), Random(seed)
    for number in range(kills):
        killed.kill(number, random.uniform(0, 0.3))
        if number % 10 == 9:
            killed.check(replay=False)
    killed.check()
    assert len(killed.acknowledged) >= kills
    assert killed.resent >= kills // 5
    return killed


def test_a_few_kills(address: str) -> None:
    kill_often(address, 3, 1)


@pytest.mark.long
def test_a_thousand_kills(address: str) -> None:
    kill_often(address, 1_000, 2)
