"""Two matches of one machine, one on each executor, that must say the same at every stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dsl.diagnostics import Report
from dsl.folder import Folder
from dsl.load import load
from dsl.rules import Rules
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.compile.program import compile_rules
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault, RunsForEver

Below = Callable[[int], int]
"""Gives a number below another."""

HEAD = "game: small\nseats: 2\nrules: [small.rules]\n"
TURNS_AND_TICKS = """
flow:
  turn: {seat: rotates, do: [{do one of: [act], otherwise: []}, tick], then: {over: fin, otherwise: turn}}
  fin: {score: highest}
"""
"""Seats act in turn, and each time something goes on by itself, until it is over."""
TURNS = "flow: {turn: {seat: rotates, do: [{may keep doing: [act]}], then: turn}, fin: {score: highest}}\n"
UNTIL_FULL = """
flow:
  turn: {seat: rotates, do: [{do one of: [place]}], then: {full: fin, otherwise: turn}}
  fin: {score: highest}
"""
ONCE = "flow: {main: {do: [run], then: fin}, fin: {score: highest}}\n"


@dataclass(frozen=True, slots=True)
class Said:
    """What came of something: a value, or the mistake of a fault."""

    value: Any
    diagnostic: Any = None


def said(act: Callable[[], Any]) -> Said:
    """R209 is told by its code alone: each executor counts its own steps, and stops at another one."""
    try:
        return Said(act())
    except Fault as fault:
        return Said(None, RunsForEver if isinstance(fault.diagnostic, RunsForEver) else fault.diagnostic)


def _differ(one: Said, two: Said) -> str:
    told = [getattr(x.diagnostic, "code", None) or repr(x.value)[:400] for x in (one, two)]
    return f"reference: {told[0]}; wasm: {told[1]}; {one.diagnostic} {two.diagnostic}"[:1500]


class Pair:
    """A game on both executors."""

    def __init__(self, rules: Rules, machine: ir.Machine) -> None:
        self.machine = machine
        self.games = Game(rules, machine), Game(rules, machine, "wasm")

    def lockstep(self, seed: int = 0) -> Lockstep:
        return Lockstep(self, seed)

    def play(self, seed: int = 0, most: int = 100_000, below: Below | None = None) -> Lockstep:
        """A playout of at most so many choices, in step to its end or its first fault."""
        both = self.lockstep(seed)
        pick = below or Choosing(seed).below
        both.start()
        for _ in range(most):
            if both.faulted or both.over:
                break
            waiting = both.waiting()
            if both.faulted:
                break
            one = waiting[pick(len(waiting))]
            both.take(one, one.options[pick(len(one.options))])
        both.same_account()
        return both


class Lockstep:
    """A match on each executor. Every method raises `AssertionError` where they differ."""

    def __init__(self, pair: Pair, seed: int) -> None:
        self.pair = pair
        self.matches = tuple(Match(game, seed=seed, keep_history=False) for game in pair.games)
        self.diagnostic: Any = None
        self.choices = 0
        self.same_state()

    @property
    def state(self) -> list[int]:
        return list(self.matches[0].state)

    @property
    def over(self) -> bool:
        return self.matches[0].over

    @property
    def faulted(self) -> bool:
        return self.diagnostic is not None

    @property
    def code(self) -> str | None:
        return self.diagnostic.code if self.diagnostic is not None else None

    def number(self, name: str) -> int:
        """A counter by its words, `points of A`."""
        return self.matches[0].view(-2).counters[name]

    def both(self, act: Callable[[Match], Any]) -> Any:
        """The same is said by both, a fault too."""
        one, two = (said(lambda match=match: act(match)) for match in self.matches)
        assert one == two, _differ(one, two)
        if one.diagnostic is not None:
            self.diagnostic = one.diagnostic
        return one.value

    def start(self, node: int | None = None) -> Lockstep:
        first = [len(match.steps) for match in self.matches]
        start = self.pair.machine.start if node is None else node
        self.both(lambda match: match.run_from(start) and None)
        self.same_steps(first)
        return self

    def waiting(self) -> tuple[Waiting, ...]:
        before = self.state
        found: tuple[Waiting, ...] = self.both(lambda match: match.waiting())
        assert self.faulted or self.state == before
        self.same_state()
        return found

    def take(self, waiting: Waiting, option: Option) -> None:
        first = [len(match.steps) for match in self.matches]
        self.both(lambda match: match.take(waiting, option))
        self.choices += 1
        self.same_steps(first)

    def choose(self, seat: str, written: str) -> None:
        """A choice by its words; a refusal is no fault of the run."""
        first = [len(match.steps) for match in self.matches]
        self.both(lambda match: match.choose(seat, written))
        self.same_steps(first)

    def words(self) -> list[str]:
        found: list[str] = self.both(lambda match: [c.text for d in match.decisions() for c in d.choices])
        return found

    # ---- what must be the same

    def same_state(self) -> None:
        if self.faulted:
            return
        one, two = (match.state for match in self.matches)
        if one != two:
            words = [(i, a, b) for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
            raise AssertionError(f"words of the state differ, as (word, reference, wasm): {words[:20]}")

    def same_steps(self, first: list[int]) -> None:
        one, two = (match.steps[n:] for match, n in zip(self.matches, first, strict=True))
        assert one == two
        self.same_state()

    def same_looks(self) -> None:
        """Everything that can be asked of a match."""
        for seat in range(-2, self.pair.machine.seats):
            self.both(lambda match, seat=seat: match.view(seat))
        self.both(lambda match: match.hash())
        self.both(lambda match: match.can_undo())
        self.both(lambda match: match.decisions())

    def same_account(self) -> None:
        diagnostic = self.diagnostic
        self.both(lambda match: match.accounts())
        self.both(lambda match: match.winners())
        self.diagnostic = diagnostic


# ---- rulesets


def small_rules(yaml: str, rules: str, flow: str = TURNS, head: str = HEAD, **files: str) -> Rules:
    """A ruleset written in a test. Raises `ErrorsReported` if it has mistakes; warnings are let by."""
    texts = {"game.yaml": head + yaml + flow, "small.rules": rules, **files}
    found, report = load(Folder("small", lambda name: texts[name].encode()))
    assert isinstance(report, Report)
    return found


def small(yaml: str, rules: str, flow: str = TURNS, head: str = HEAD, **files: str) -> Pair:
    made = small_rules(yaml, rules, flow, head, **files)
    return Pair(made, compile_rules(made))
