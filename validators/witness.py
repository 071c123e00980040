"""Random play that looks for faults, and where each of them came about first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic

from dsl.diagnostics import Mistake
from interpreter import machine as m
from interpreter.messages import Fault
from interpreter.wasm.program import Program
from validators.subject import Subject

SECONDS = 0.25
"""How long each machine is played."""
FIRST, MOST = 64, 1 << 14
"""Playouts of the first stretch and of the longest."""


@dataclass(frozen=True)
class Witness:
    """A fault in a match of random choices: what it was, and the match that comes to it."""

    mistake: Mistake
    machine: m.Machine
    seed: int

    @property
    def match(self) -> str:
        """The match in words: its seats, the options that are not at their default, its seed."""
        return f"{self.machine.seats} seats, seed {self.seed}"


@dataclass
class Played:
    """What random play came to: the faults, and how many matches each machine had."""

    witnesses: list[Witness]
    matches: int


def played(subject: Subject, seconds: float = SECONDS) -> Played:
    """Plays every machine with default options for some time, once for all checks that ask."""
    kept: Played | None = subject.__dict__.get("played")
    if kept is None:
        kept = subject.__dict__["played"] = _play(subject, seconds)
    return kept


def _play(subject: Subject, seconds: float) -> Played:
    found: list[Witness] = []
    total = 0
    for machine in subject.machines:
        try:
            program = Program(machine)
        except Fault as fault:
            found.append(Witness(fault.mistake, machine, 0))
            continue
        for failed, seed, count in _faults(program, seconds):
            total += count
            if failed is not None:
                found.append(Witness(failed.mistake, machine, seed))
    return Played(found, total)


def _faults(program: Program, seconds: float) -> Iterator[tuple[Fault | None, int, int]]:
    """Stretches of playouts until the time is over; the first fault ends them."""
    until, seed, count = monotonic() + seconds, 0, FIRST
    while monotonic() < until:
        try:
            program.playouts(count, seed)
        except Fault as fault:
            first = _first(program, seed, count)
            yield fault, first, first - seed
            return
        yield None, seed, count
        seed += count
        count = min(2 * count, MOST)


def _first(program: Program, seed: int, count: int) -> int:
    """The first seed of a stretch whose playout comes to a fault."""
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        try:
            program.playouts(middle, seed)
        except Fault:
            high = middle
        else:
            low = middle
    return seed + low
