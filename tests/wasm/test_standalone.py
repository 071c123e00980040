"""A module that plays without Python says at every stop what the reference executor says."""

from __future__ import annotations

import random
from array import array
from dataclasses import replace
from functools import cache

import pytest

from dsl.domains import NONE
from interpreter import ir
from interpreter.events import Event
from interpreter.executor_protocol import Waiting
from interpreter.reference.executor import ReferenceExecutor
from interpreter.refusal import Refusal, Refusals
from interpreter.wasm.abi import CHANCE, OVER
from tests.games import Table, ends, named, seated
from tests.wasm.standalone_host import Host


@cache
def host(table: Table) -> Host:
    rules, machine = seated(table)
    return Host(machine, rules)


class Side:
    """A match on the reference executor, and the same on a host."""

    def __init__(self, table: Table, seed: int) -> None:
        self.rules, self.machine = seated(table)
        self.reference = ReferenceExecutor(self.machine)
        self.host = host(table)
        self.refusals = Refusals(self.reference, self.host.views)
        self.random = random.Random(seed)
        self.state = self.reference.initial_state()
        self.explained = 0
        self.kinds: set[str] = set()
        assert self.host.initial == list(self.state)

    def play(self, most: int, whys: int) -> int:
        """A random match of at most so many choices; how many there were."""
        code = self._step(lambda: self.reference.advance(self.state, self.machine.start), self.host.start)
        choices = 0
        while code != OVER and choices < most:
            if code == CHANCE:
                code = self._draw()
                continue
            waiting = self.same_waiting()
            if whys:
                self.same_reasons(self.random.choice(waiting), whys)
            one = self.random.choice(waiting)
            option = self.random.choice(one.options)
            choices += 1
            code = self._step(
                lambda one=one, option=option: self.reference.choose(self.state, one, option),
                lambda one=one, option=option: self.host.choose(one.node, one.branch, option),
            )
        self.same_scores()
        return choices

    def _step(self, ours, theirs) -> int:
        events: list[Event] = []
        self.reference.sink = events
        code = ours()
        self.reference.sink = None
        assert (code, events) == theirs()
        assert self.host.state == list(self.state)
        return code

    def _draw(self) -> int:
        odds = self.reference.outcomes(self.state)
        assert self.host.odds() == odds
        assert self.host.state == list(self.state)
        outcome = self.random.choices([o for o, _ in odds], [w for _, w in odds])[0]
        return self._step(
            lambda: self.reference.resolve_chance(self.state, outcome),
            lambda: self.host.step("happen", outcome),
        )

    def same_waiting(self) -> tuple[Waiting, ...]:
        found = self.reference.waiting(self.state)
        assert self.host.waiting() == [(w.node, w.branch) for w in found]
        for one in found:
            assert self.host.seat(one.branch) == one.seat
            assert self.host.options(one.node, one.branch) == one.options
            doings = tuple(d and (d[0], d[2]) for d in self.host.doings(one.branch))
            assert doings == one.what
        assert self.host.state == list(self.state)
        return found

    # ---- why not

    def same_reasons(self, waiting: Waiting, most: int) -> None:
        node = self.machine.decision(waiting.node)
        parts: list[tuple[int, str | None]] = [(0, None)]
        if isinstance(node, ir.Offer):
            parts = []
            for i, what in enumerate(waiting.what):
                if what is not None:
                    action = self.machine.routines[what[0]].name
                    if action not in [name for _, name in parts]:
                        parts.append((i, action))
        for part, action in parts:
            refused = self.host.candidates(waiting.branch, part)
            values: list[int | None] = [None] if action is not None else []
            if refused is not None:
                offered = [v for i, v in waiting.options if i == part]
                others = [v for v in dict.fromkeys(refused) if v not in offered]
                self.random.shuffle(others)
                values += [*others[:most], *offered[:1], NONE + 1]
            for value in values:
                for seat in (waiting.seat, (waiting.seat + 1) % self.machine.seats, -1, -2):
                    self.same_reason(waiting, action, value, seat)

    def same_reason(self, waiting: Waiting, action: str | None, value: int | None, seat: int) -> None:
        state = array("i", self.state)
        theirs = self.host.explain(waiting.branch, waiting.node, action, value, seat)
        ours = self.refusals.explain_value(state, waiting, action, value, seat)
        assert theirs == unplaced(ours), (action, value, seat)
        assert self.host.state == list(self.state)
        self.explained += 1
        self.kinds.add(ours.kind)

    def same_scores(self) -> None:
        for seat in range(self.machine.seats):
            lines = [value for _, value in self.reference.score(self.state, seat)]
            assert self.host.score(seat)[:-1] == lines
        assert self.host.call("broken") == 0


def unplaced(refusal: Refusal) -> Refusal:
    return replace(refusal, span=None, parts=tuple(unplaced(part) for part in refusal.parts))


@pytest.mark.parametrize("table", ends(), ids=named)
def test_bundled_games(table: Table) -> None:
    side = Side(table, 5)
    side.play(25, whys=2)
    assert side.explained
