"""Errors of linked code, and the limits of its work.

A closure does not know its span: it raises one of `RUNTIME_ERRORS`, and the caller that runs the node turns
that into a `Fault` with the span of the node.
"""

from __future__ import annotations

from typing import Final, assert_never

from dsl.domains import NONE
from dsl.source import Span
from interpreter.messages import (
    BadIndex,
    DividedByZero,
    Fault,
    NotThere,
    NumberTooLarge,
    PlaceFull,
    RunsForEver,
    SearchTooLong,
)
from interpreter.reference import pieces

MOST_STEPS: Final = 500_000
MOST_WORK: Final = 5_000_000
"""Values of collections that are taken; what is asked of each counts by its size (`ir.costs`)."""
MOST_SEARCH: Final = 250_000
"""A trial costs 1, one more for each 4,096 words of its state, and for each 64 of its work and nodes."""


class OutOfBounds(Exception):
    """An index outside its bounds."""

    def __init__(self, value: int, lo: int, hi: int) -> None:
        super().__init__(value, lo, hi)
        self.value, self.lo, self.hi = value, lo, hi


class Searched(Exception):
    """The trials of one offer exceed `MOST_SEARCH`."""


class TooMuch(Exception):
    """What is evaluated exceeds `MOST_WORK`."""


RUNTIME_ERRORS: Final = (
    OutOfBounds,
    TooMuch,
    Searched,
    pieces.Full,
    pieces.Missing,
    OverflowError,
    ZeroDivisionError,
)

RuntimeFailure = (
    OutOfBounds | TooMuch | Searched | pieces.Full | pieces.Missing | OverflowError | ZeroDivisionError
)


def as_fault(error: RuntimeFailure, span: Span) -> Fault:
    """The fault of an error at a span."""
    match error:
        case OutOfBounds():
            value = "none" if error.value == NONE else str(error.value)
            return Fault(BadIndex(span, value, error.lo, error.hi))
        case pieces.Full():
            return Fault(PlaceFull(span, error.place.zone, error.place.capacity))
        case pieces.Missing():
            return Fault(NotThere(span, error.place.zone))
        case TooMuch():
            return Fault(RunsForEver(span, MOST_WORK, "values worked out"))
        case Searched():
            return Fault(SearchTooLong(span, MOST_SEARCH))
        case OverflowError():
            return Fault(NumberTooLarge(span))
        case ZeroDivisionError():
            return Fault(DividedByZero(span))
    assert_never(error)
