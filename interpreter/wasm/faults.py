"""Faults of modules: the kinds that a module records, and the `Fault` that Python raises for each."""

from __future__ import annotations

from dsl.diagnostics import InternalError
from dsl.domains import NONE
from interpreter import ir
from interpreter.messages import (
    BadIndex,
    CannotPay,
    DividedByZero,
    Fault,
    NeedFails,
    NothingToChoose,
    NotThere,
    NumberTooLarge,
    OutOfRange,
    PlaceFull,
    RunsForEver,
    SearchTooLong,
    TooDeepCalls,
    TooLong,
    TooManyRounds,
    TooManyTrials,
)

(
    OUT_OF_BOUNDS,
    TOO_MUCH,
    FULL,
    MISSING,
    OVERFLOW,
    BY_ZERO,
    OUT_OF_RANGE,
    CANNOT_PAY,
    BANK_OUT_OF_RANGE,
    TOO_MANY_ROUNDS,
    NEED_FAILS,
    NOTHING_TO_CHOOSE,
    TOO_DEEP,
    TOO_LONG,
    RUNS_FOR_EVER,
    NO_ROOM,
    QUEUE_FULL,
    SEARCHED_LONG,
) = range(1, 19)

MOST_STEPS = 500_000
MOST_WORK = 5_000_000
MOST_SEARCH = 250_000
"""What the trials of one offer may take together, nested ones too. A trial takes 1, another for each 4,096
words of the state that it is tried on, and another for each 64 of its work."""


def fault(mc: ir.Machine, kind: int, number: int, a: int, b: int, c: int) -> Fault:
    """The fault for a module's record: its kind, the node and up to three numbers."""
    node = mc.nodes[number]
    span = node.span
    match kind:
        case 1:
            return Fault(BadIndex(span, "none" if a == NONE else str(a), b, c))
        case 2:
            return Fault(RunsForEver(span, MOST_WORK))
        case 3:
            return Fault(PlaceFull(span, mc.places[a].zone, mc.places[a].capacity))
        case 4:
            return Fault(NotThere(span, mc.places[a].zone))
        case 5:
            return Fault(NumberTooLarge(span))
        case 6:
            return Fault(DividedByZero(span))
        case 7:
            name = node.name if isinstance(node, ir.SetWord | ir.Transfer) else "face"
            return Fault(OutOfRange(span, name, a, b, c))
        case 8:
            assert isinstance(node, ir.Transfer)
            return Fault(CannotPay(span, node.name, a, b))
        case 9:
            assert isinstance(node, ir.Transfer)
            return Fault(OutOfRange(span, node.bank_name, a, b, c))
        case 10:
            return Fault(TooManyRounds(span, a))
        case 11:
            assert isinstance(node, ir.Precondition)
            return Fault(NeedFails(span, node.text))
        case 12:
            assert isinstance(node, ir.Decide | ir.Offer)
            return Fault(NothingToChoose(span, node.name))
        case 13:
            return Fault(TooDeepCalls(mc.routines[a].span, mc.routines[a].name))
        case 14:
            return Fault(TooLong(span, mc.longest))
        case 15:
            return Fault(RunsForEver(span, MOST_STEPS))
        case 16:
            return Fault(TooManyTrials(span))
        case 18:
            return Fault(SearchTooLong(span, MOST_SEARCH))
        case 17:
            trigger = mc.triggers[a]
            return Fault(TooManyRounds(mc.routines[trigger.routine].span, trigger.capacity))
    raise InternalError(f"the module says {kind} at node {number}: {a}, {b}, {c}")
