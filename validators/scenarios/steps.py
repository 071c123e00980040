"""The current step of the flow, found from the nodes of the machine."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

from dsl import rules as r
from dsl.source import Span
from interpreter import ir
from interpreter.executor_protocol import Waiting
from interpreter.game import Game
from interpreter.ir.cfg import FLOW, owners


@dataclass
class FlowSteps:
    """The steps of one game's flow by the nodes of its machine."""

    game: Game
    owners: list[int] = field(init=False)
    names: dict[Span, str] = field(init=False)
    turns: frozenset[str] = field(init=False)
    """The steps that each seat does in turn."""

    def __post_init__(self) -> None:
        self.owners = owners(self.game.machine)
        phases = self.game.rules.phases.values()
        steps = [(phase, step, turned) for phase in phases for step, turned in _steps(phase)]
        self.names = {step.span: f"{phase.name}.{step.name}" for phase, step, _ in steps}
        self.turns = frozenset(f"{phase.name}.{step.name}" for phase, step, turned in steps if turned)

    @property
    def known(self) -> tuple[str, ...]:
        return tuple(self.names.values())

    def standing(self, s: array[int], waiting: Waiting | None) -> set[str]:
        """The names of the possible current steps: one, or none outside of steps.

        There are several only where several steps call the same routine and continue at the same node.
        """
        if waiting is None:
            return set()
        frames = list(self._frames(s))
        if len(frames) == 1:
            return self._named(s, [s[ir.FORK] if s[ir.FORKED] else waiting.node])
        _, back = frames[-2]
        inner = frames[-3][1] if len(frames) > 2 else (s[ir.FORK] if s[ir.FORKED] else waiting.node)
        routine = self.owners[inner]
        return self._named(s, [i for i in self._calls(back) if routine in self._called(i)])

    def _frames(self, s: array[int]) -> Iterator[tuple[int, int]]:
        """The frames of the main program, innermost first, each with its return address."""
        at = s[ir.MAIN_FP] if s[ir.FORKED] else s[ir.FP]
        while at:
            yield at, s[at + ir.RETURN]
            at = s[at + ir.CALLER]

    def _calls(self, back: int) -> Iterator[int]:
        """The nodes of the flow that call or offer something and continue at a node."""
        for i, node in enumerate(self.game.machine.nodes):
            if isinstance(node, ir.Call | ir.Offer) and node.next == back and self.owners[i] == FLOW:
                yield i

    def _called(self, number: int) -> set[int]:
        node = self.game.machine.nodes[number]
        if isinstance(node, ir.Call):
            return {node.routine}
        if isinstance(node, ir.Offer):
            return {what.routine for what in node.what if isinstance(what, ir.DoRoutine)}
        return set()

    def _named(self, s: array[int], nodes: list[int]) -> set[str]:
        phase = self.game.machine.phases[s[ir.PHASE]]
        names = {self.names.get(self.game.machine.nodes[i].span, "") for i in nodes}
        return {name for name in names if name.startswith(f"{phase}.")}


def _steps(phase: r.Phase) -> Iterator[tuple[r.CallStep | r.OfferStep, bool]]:
    """The steps of a phase, and whether each seat does them in turn."""
    turned = {
        id(inner)
        for step in phase.all_steps()
        if isinstance(step, r.SeatsStep)
        for inner in r.inner_steps(step.steps)
    }
    for step in phase.all_steps():
        if isinstance(step, r.CallStep | r.OfferStep):
            yield step, id(step) in turned
