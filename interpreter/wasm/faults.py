"""Faults of modules: the kinds that a module records, and the `Fault` that Python raises for each."""

from __future__ import annotations

from dsl.diagnostics import InternalError
from dsl.domains import NONE
from interpreter import ir
from interpreter.messages import (
    BadIndex,
    BrokenInvariant,
    CannotPay,
    DividedByZero,
    Fault,
    HistoryFull,
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
    nothing_to_choose,
    unmet,
)
from interpreter.wasm import abi


def fault(mc: ir.Machine, kind: int, number: int, a: int, b: int, c: int, seat: int | None = None) -> Fault:
    """The fault for a module's record: its kind, the node and up to three numbers.

    `seat` is the one that has nothing to choose, where that is known.
    """
    node = mc.nodes[number]
    span = node.span
    match kind:
        case abi.OUT_OF_BOUNDS:
            return Fault(BadIndex(span, "none" if a == NONE else str(a), b, c))
        case abi.TOO_MUCH:
            return Fault(RunsForEver(span, abi.MOST_WORK, "values worked out"))
        case abi.FULL:
            return Fault(PlaceFull(span, mc.places[a].zone, mc.places[a].capacity))
        case abi.MISSING:
            return Fault(NotThere(span, mc.places[a].zone))
        case abi.OVERFLOW:
            return Fault(NumberTooLarge(span))
        case abi.BY_ZERO:
            return Fault(DividedByZero(span))
        case abi.OUT_OF_RANGE:
            name = node.name if isinstance(node, ir.SetWord | ir.Transfer) else "face"
            return Fault(OutOfRange(span, name, a, b, c))
        case abi.CANNOT_PAY:
            assert isinstance(node, ir.Transfer)
            return Fault(CannotPay(span, node.name, a, b))
        case abi.BANK_OUT_OF_RANGE:
            assert isinstance(node, ir.Transfer)
            return Fault(OutOfRange(span, node.bank_name, a, b, c))
        case abi.TOO_MANY_ROUNDS:
            return Fault(TooManyRounds(span, a))
        case abi.NEED_FAILS:
            assert isinstance(node, ir.Precondition)
            return unmet(node)
        case abi.NOTHING_TO_CHOOSE:
            assert isinstance(node, ir.Decide | ir.Offer)
            return nothing_to_choose(mc, node, seat)
        case abi.TOO_DEEP:
            return Fault(TooDeepCalls(mc.routines[a].span, mc.routines[a].name))
        case abi.TOO_LONG:
            return Fault(TooLong(span, mc.longest))
        case abi.RUNS_FOR_EVER:
            return Fault(RunsForEver(span, abi.MOST_STEPS))
        case abi.NO_ROOM:
            return Fault(TooManyTrials(span))
        case abi.SEARCHED_LONG:
            return Fault(SearchTooLong(span, abi.MOST_SEARCH))
        case abi.HISTORY_FULL:
            history = mc.histories[a]
            return Fault(HistoryFull(span, history.name, history.most))
        case abi.BROKEN_PROMISE if 0 < a <= len(mc.invariants):
            promise = mc.invariants[a - 1].span
            return Fault(BrokenInvariant(promise, " ".join(promise.text.split())))
        case abi.QUEUE_FULL:
            trigger = mc.triggers[a]
            return Fault(TooManyRounds(mc.routines[trigger.routine].span, trigger.capacity))
    raise InternalError(f"the module says {kind} at node {number}: {a}, {b}, {c}")
