"""State of other seats that is read while all choose at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Label, Severity
from interpreter import ir
from interpreter.ir.effects import accesses
from validators.check import Check, CheckContext, Finding
from validators.flow.simultaneous import Simultaneous, changes


@dataclass(frozen=True)
class OthersRead(Finding):
    """Inside `together`, one seat's branch reads what another seat's branch may have written.

    Each seat sees the others as they were when the block started, but the rules read them as they are now.
    So an offer, a gain or a failed choice reveals what another seat has chosen in secret, and the result
    depends on who is faster.

    Example:

        procedure bid_at_once
            each seat together
                choose number from 0..5
                bid of me = number
                if bid of opponent > bid of me     # the opponent may have bid, or not yet
                    gain 1 points

    Read it after the block, `each seat in turn`, or copy it before the block to a place of its own that the
    branches read. What is declared `shared: first come` may be read.
    """

    code = "V340"
    slug = "others-read"
    severity = Severity.ERROR
    title = "`{about}` of another seat is read in `{routine}` inside `together`"
    label = "that seat may or may not have written it"
    advice = "read it after `together`, or copy what the branches read before it"

    routine: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    for flow in subject.plain:
        yield from _found(Simultaneous(flow), subject.rules.shared)


def _found(together: Simultaneous, shared: frozenset[str]) -> Iterator[Finding]:
    flow = together.flow
    inside = flow.nodes_in(together.calls)
    changed = {name for number in inside for name, _ in changes(flow, number)} - shared
    checked: set[int] = set()
    for number in inside:
        node, routine = flow.machine.nodes[number], flow.owner[number]
        for name, indices in accesses(flow.machine, node):
            if name in changed and together.per_seat(name) and not together.is_own(number, name, indices):
                where = "together" if routine in together.forks else together.name(routine)
                yield OthersRead(node.span, name, together.path_to(routine), routine=where)
        if isinstance(node, ir.CheckTrigger) and node.trigger not in checked:
            checked.add(node.trigger)
            yield from _in_condition(together, node.trigger, changed, together.path_to(routine))


def _in_condition(
    together: Simultaneous, number: int, changed: set[str], path: tuple[Label, ...]
) -> Iterator[Finding]:
    """What a trigger's condition reads of other seats than the one that it is about."""
    machine = together.flow.machine
    trigger = machine.triggers[number]
    about = {ir.Local(ir.ME), *map(ir.Reg, trigger.regs)}
    for name, indices in accesses(machine, trigger.condition):
        if name in changed and together.per_seat(name) and not about & set(indices):
            span = machine.routines[trigger.routine].span.first_line()
            yield OthersRead(span, name, path, routine=together.name(trigger.routine))


CHECK = Check(OthersRead, find)
