"""Shared state that several seats may write at once, in procedures that `together` calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Severity
from validators.check import Check, CheckContext, Finding
from validators.flow.simultaneous import Simultaneous, changes


@dataclass(frozen=True)
class SharedThroughCalls(Finding):
    """Several seats may write shared state at once, in a routine that `together` calls.

    In `together` the seats act independently, in no defined order. If two of them may write the same thing,
    the outcome depends on who is faster. D055 checks the block itself; this checks everything that it calls.

    Example:

        procedure take_first
            gain 1 tokens of (first_seat)         # not of `me`

        procedure all_at_once
            each seat together
                take_first()

    Write to a place of `me`, do it after the block, or declare it with `shared: first come`.
    """

    code = "V334"
    slug = "shared-through-calls"
    severity = Severity.ERROR
    title = "`{about}` may be changed by several seats at once, in `{routine}`"
    label = "written inside `together`"
    advice = "read and write only what is `of me`, or declare it with `shared: first come`"

    routine: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    shared = subject.rules.shared
    for flow in subject.plain:
        together = Simultaneous(flow)
        inside = together.calls.keys() - together.forks
        for number, node in enumerate(flow.machine.nodes):
            routine = flow.owner[number]
            for name, indices in changes(flow, number) if routine in inside else ():
                if name not in shared and not together.is_own(number, name, indices):
                    path = together.path_to(routine)
                    yield SharedThroughCalls(node.span, name, path, routine=together.name(routine))


CHECK = Check(SharedThroughCalls, find)
