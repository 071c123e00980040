"""Unreachable phases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import ir
from validators.check import Check, CheckContext, Finding


@dataclass(frozen=True)
class UnreachablePhase(Finding):
    """A phase is unreachable, with any number of seats and any option.

    A phase is entered by the `then` of another one; the game starts in the first of the list. An unreachable
    phase is missing in a `then`, or is behind a condition that an option has already decided.

    Example:

        flow:
          turn: {seat: rotates, do: [...], then: {over: final, otherwise: turn}}
          revolt: {do: [...], then: turn}      # no `then` names it
          final: {score: highest}

    Name the phase in the `then` from which it is entered, or remove it.
    """

    code = "V301"
    slug = "unreachable-phase"
    title = "unreachable phase `{about}`"
    label = "never entered"
    advice = "name it in the `then` of the phase before it"


def find(subject: CheckContext) -> Iterator[Finding]:
    entered = {
        flow.machine.phases[node.phase]
        for flow in subject.flows
        for i, node in enumerate(flow.machine.nodes)
        if isinstance(node, ir.EnterPhase) and i in flow.reached
    }
    for phase in subject.rules.phases.values():
        if phase.name not in entered and (phase.scores is None or not _explained(subject)):
            yield UnreachablePhase(phase.span, phase.name)


def _explained(subject: CheckContext) -> bool:
    """Whether an unreachable phase with `score` needs no finding.

    If a line ends the match, the phase only declares how to compare scores. If there are places from which
    the game cannot end, they are reported instead.
    """
    return subject.trapped or any(
        isinstance(node, ir.Win | ir.End | ir.Finish) and i in flow.reached and flow.owner[i] >= 0
        for flow in subject.flows
        for i, node in enumerate(flow.machine.nodes)
    )


CHECK = Check(UnreachablePhase, find)
