"""Options without effect with some numbers of seats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from interpreter import ir
from validators.check import Check, CheckContext, Finding
from validators.flow.graph import Flow


@dataclass(frozen=True)
class SomeSeatsOnly(Finding):
    """An option has no effect with some numbers of seats, though it can be set there.

    Players who set it expect an effect. Either its rule was written for one number of seats and should hold
    for all, or the difference is intended and should be stated.

    Example:

        options:
          trading: {default: false}

        value may_trade = trading and seats_playing > 2

    Write the rule for every number of seats; or `allow` the finding, with the reason.
    """

    code = "V322"
    slug = "some-seats-only"
    title = "option `{about}` has no effect with {seats} seats"
    label = "declared here"
    advice = "write its rule for every number of seats, or `allow` it with its reason"

    seats: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    for name, option in subject.rules.options.items():
        idle = [n for n in subject.seats if not _differs(subject, name, n)]
        if idle and len(idle) < len(subject.seats):
            yield SomeSeatsOnly(option.span, name, seats=" and ".join(map(str, idle)))


def _differs(subject: CheckContext, option: str, seats: int) -> bool:
    """Whether another value of an option gives another machine."""
    plain = next(f for f in subject.plain if f.machine.seats == seats)
    others = [f for f in subject.flows if f.machine.seats == seats and f is not plain]
    return any(_code(f.machine) != _code(plain.machine) for f in others if _sets(f, plain, option))


def _sets(flow: Flow, plain: Flow, option: str) -> bool:
    return flow.machine.options[option] != plain.machine.options[option]


def _code(machine: ir.Machine) -> tuple[Any, ...]:
    declared = machine.stores, machine.places
    return (
        tuple(map(_deed, machine.nodes)),
        machine.scores,
        machine.triggers,
        machine.start_words,
        machine.start_pieces,
        declared,
    )


def _deed(node: ir.Step) -> ir.Step:
    """What a node does, without what a refusal would say."""
    match node:
        case ir.Precondition():
            return replace(node, text="", wants=())
        case ir.Decide():
            return replace(node, wants=(), wider=None)
    return node


CHECK = Check(SomeSeatsOnly, find)
