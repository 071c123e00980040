"""Many inputs in processes of their own: one that hangs or dies takes nothing along but itself."""

from __future__ import annotations

import os
import resource
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tests.fuzz.inputs import CRASHES, Input, Outcome, keep, kept
from tests.fuzz.trying import made, smaller, tried

STRETCH = 20
"""The inputs that a worker tries before it is given another fuzzer's."""
LONGEST = 120.0
"""Seconds without an answer after which a worker is ended.

What runs in a module does not hear its own watch, and that counts time of the processor: on a busy computer
these are many more.
"""
MEMORY = 3 << 30
"""Bytes that a worker may have."""


@dataclass
class Tally:
    """What one fuzzer has come to: how many were tried, how many not refused, and what was found."""

    tried: int = 0
    loaded: int = 0
    found: Counter[str] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        self.tried += 1
        self.loaded += not outcome.is_wrong and outcome.stage != "refused"
        self.stages[outcome.slug or outcome.stage] += 1


@dataclass
class Worker:
    process: BaseProcess
    pipe: Connection
    fuzzer: str = ""
    number: int = 0
    heard: float = 0.0
    found: Outcome | None = None
    """What has gone wrong with the input that is being made smaller."""


@dataclass(frozen=True, slots=True)
class MakingSmaller:
    """What a worker says before it makes an input smaller: that takes longer than to try one."""

    outcome: Outcome


@dataclass
class Campaign:
    """Fuzzers that take turns until the time is over. The same seed tries the same inputs."""

    fuzzers: tuple[str, ...]
    seed: int
    jobs: int
    say: Callable[[str], None]
    into: Path = CRASHES
    tallies: dict[str, Tally] = field(init=False)

    def __post_init__(self) -> None:
        self.tallies = {name: Tally() for name in self.fuzzers}
        self.given: Counter[str] = Counter()
        self.turn = 0

    def run(self, seconds: float, most: float = inf) -> int:
        """How many different things went wrong in so many seconds, or in about so many inputs."""
        until, told = monotonic() + seconds, monotonic() + 60
        with TemporaryDirectory() as home:
            os.environ["RULEWRIGHT_CACHE"] = os.environ["XDG_STATE_HOME"] = home
            workers = [self._started() for _ in range(self.jobs)]
            try:
                while monotonic() < until and sum(tally.tried for tally in self.tallies.values()) < most:
                    workers = self._listen(workers)
                    if monotonic() >= told:
                        told += 60
                        self._tell()
            finally:
                for worker in workers:
                    worker.process.kill()
        self._tell()
        return sum(len(tally.found) for tally in self.tallies.values())

    def _tell(self) -> None:
        for name, tally in self.tallies.items():
            found = f"{len(tally.found)} found" + "".join(f", {slug} x{n}" for slug, n in tally.found.items())
            self.say(f"{name}: {tally.tried} inputs tried, {tally.loaded} not refused, {found}")

    # ---- workers

    def _started(self) -> Worker:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        worker = Worker(process, ours)
        self._give(worker)
        return worker

    def _give(self, worker: Worker) -> None:
        """The next stretch of the fuzzer whose turn it is."""
        name = self.fuzzers[self.turn % len(self.fuzzers)]
        self.turn += 1
        worker.fuzzer, worker.number, worker.heard = name, self.given[name], monotonic()
        self.given[name] += STRETCH
        worker.pipe.send((name, self.seed, worker.number, STRETCH))

    def _listen(self, workers: list[Worker]) -> list[Worker]:
        ready = wait([w.pipe for w in workers], timeout=1.0)
        return [self._heard(w) if w.pipe in ready else self._watched(w) for w in workers]

    def _heard(self, worker: Worker) -> Worker:
        try:
            said = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join()
            return self._lost(worker, Outcome(slug="Died", detail=f"exit code {worker.process.exitcode}"))
        worker.heard = monotonic()
        if said is None:
            self._give(worker)
            return worker
        if isinstance(said, MakingSmaller):
            worker.found = said.outcome
            return worker
        worker.found = None
        self._note(worker.fuzzer, worker.number, *said)
        worker.number += 1
        return worker

    def _watched(self, worker: Worker) -> Worker:
        if monotonic() - worker.heard < LONGEST:
            return worker
        worker.process.kill()
        return self._lost(worker, Outcome(slug="NoAnswer", detail=f"no answer within {LONGEST} s"))

    def _lost(self, worker: Worker, outcome: Outcome) -> Worker:
        """A new worker. An input that was being made smaller is kept as it was, for what it was found for."""
        one = made(worker.fuzzer, self.seed, worker.number)
        self._note(worker.fuzzer, worker.number, worker.found or outcome, one)
        return self._started()

    # ---- what is found

    def _note(self, name: str, number: int, outcome: Outcome, one: Input | None) -> None:
        tally = self.tallies[name]
        tally.add(outcome)
        if not outcome.is_wrong:
            return
        tally.found[outcome.slug] += 1
        if one is not None and tally.found[outcome.slug] == 1:
            at = free(self.into / name / outcome.slug)
            keep(at, one, outcome)
            self.say(f"{name} {number} of seed {self.seed}: {outcome.slug}; kept in {at}")


def free(at: Path) -> Path:
    """A folder of this name that does not exist yet, with a number behind it if need be."""
    numbered = (at.with_name(f"{at.name}-{n}") for n in range(2, 1000))
    return at if not at.exists() else next(path for path in numbered if not path.exists())


def work(pipe: Connection) -> None:
    """A worker: tries what it is told to, and says of each input what came of it."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    seen: set[str] = set()
    while True:
        name, seed, first, count = pipe.recv()
        for number in range(first, first + count):
            outcome, one = tried(input_of := made(name, seed, number)), None
            if outcome.is_wrong and outcome.slug not in seen:
                seen.add(outcome.slug)
                pipe.send(MakingSmaller(outcome))
                one = None if known(name, outcome.slug) else smaller(input_of, outcome.slug)
                outcome = tried(one) if one is not None else outcome
            pipe.send((outcome, one))
        pipe.send(None)


def known(name: str, slug: str) -> bool:
    """Whether an input that goes wrong in this way is kept already."""
    return any(tried(kept(path.parent)).slug == slug for path in CRASHES.glob(f"{name}/{slug}*/input.json"))
