"""Enumeration of options: each value is tried on a copy of the state, up to the next stop."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.executor_protocol import Option, Waiting, listed
from interpreter.ir.costs import cost_of_each
from interpreter.messages import nothing_to_choose
from interpreter.number_ranges import NumberRange, joined
from interpreter.reference.closures import DoingFn, IntFn, NodeFn
from interpreter.reference.codes import FAIL, OK, STOP
from interpreter.reference.context import RunContext
from interpreter.reference.expressions import ExprLinker
from interpreter.reference.faults import RUNTIME_ERRORS, as_fault
from interpreter.reference.stack import CallStack
from interpreter.reference.trials import TrialRunner

Found = Option | tuple[int, int, int, int]
"""An option; or a range of numbers: the part, the first, the last and the step."""
OptionsFn = Callable[["array[int]"], Iterator[Found]]
"""The options of a decision as a lazy sequence, with possible duplicates."""


class Decisions:
    """Enumerates the options of decisions."""

    def __init__(
        self, context: RunContext, linker: ExprLinker, trials: TrialRunner, stack: CallStack
    ) -> None:
        self.context, self.linker, self.trials, self.stack = context, linker, trials, stack
        self.nodes = {
            i: n for i, n in enumerate(context.machine.nodes) if isinstance(n, ir.Decide | ir.Offer)
        }
        self.seats: dict[int, IntFn] = {}
        self.doings: dict[int, list[DoingFn]] = {}
        self._options: dict[int, OptionsFn] = {}

    def link(self) -> None:
        """Links the seats and options of all decisions."""
        for number, node in self.nodes.items():
            self.linker.node = number
            self.seats[number] = self.linker.number(node.seat)
            match node:
                case ir.Decide():
                    self._options[number] = self._values(node, self.seats[number])
                case ir.Offer(what=what):
                    self.doings[number] = [self.linker.doing(target) for target in what]
                    self._options[number] = self._offers(number)
                case _:
                    assert_never(node)

    # ---- at a decision

    def stop(self, number: int, node: ir.Decide | ir.Offer) -> NodeFn:
        """The closure of a decision: it stops if a seat is asked, and otherwise continues or fails."""
        context = self.context
        is_parameter = isinstance(node, ir.Decide) and node.trial
        nothing = node.nothing if isinstance(node, ir.Decide) else None
        otherwise = node.passing if nothing is None else nothing

        def run(s: array[int]) -> int:
            if is_parameter and context.capture is not None and context.capture == s[ir.FP]:
                context.capture, context.caught = None, number
                return STOP
            if self.is_asked(s, number):
                if context.trial:
                    return OK
                s[ir.PC] = number
                return STOP
            if otherwise is not None:
                return otherwise
            if not context.trial:
                raise nothing_to_choose(context.machine, node, self.seats[number](s, context.registers))
            if context.failure is None:
                context.failure = (node, 0, 0)
            return FAIL

        return run

    def is_asked(self, s: array[int], number: int) -> bool:
        """Whether a seat has an option at a decision, or is asked in any case."""
        if self.nodes[number].asks and self.seats[number](s, self.context.registers) != NONE:
            return True
        return next(self._options[number](s), None) is not None

    def waiting(self, s: array[int], number: int, branch: int) -> Waiting:
        """A decision that waits, with its options. Raises `Fault`."""
        self.context.begin()
        try:
            seat = self.seats[number](s, self.context.registers)
            found = [doing(s) for doing in self.doings.get(number, ())]
            what = tuple((d[0], tuple(d[1])) if d is not None else None for d in found)
            options, ranges = self._offered(s, number)
            return Waiting(seat, number, options, branch, what, ranges)
        except RUNTIME_ERRORS as error:
            raise as_fault(error, self.nodes[number].span) from None

    # ---- options

    def options(self, s: array[int], number: int) -> tuple[Option, ...]:
        """The options of a decision in ascending order; passing is the last one."""
        return self._offered(s, number)[0]

    def _offered(self, s: array[int], number: int) -> tuple[tuple[Option, ...], tuple[NumberRange, ...]]:
        """The options of a decision, and its ranges of numbers."""
        single: list[Option] = []
        several: list[tuple[int, int, int, int]] = []
        for found in self._options[number](s):
            if len(found) == 2:
                single.append(found)
            else:
                several.append(found)
        ranges = joined(several) if several else ()
        return listed(single, ranges, self.nodes[number].passing), ranges

    def _numbers(self, node: ir.Decide, seat: IntFn) -> OptionsFn:
        """The ranges of a choice of very many numbers."""
        number, e = self.linker.number, self.context.registers
        ranges = [(number(first), number(last), number(step)) for first, last, step in node.ranges]

        def run(s: array[int]) -> Iterator[Found]:
            if seat(s, e) == NONE:
                return
            for first, last, step in ranges:
                low, high = first(s, e), last(s, e)
                if low <= high:
                    yield (0, low, high, step(s, e))

        return run

    def _values(self, node: ir.Decide, seat: IntFn) -> OptionsFn:
        if node.ranges:
            return self._numbers(node, seat)
        stream = self.linker.sources.stream(node.source, cost_of_each(node))
        where = self.linker.number(node.where) if node.where is not None else None
        reg, e = node.reg, self.context.registers

        def run(s: array[int]) -> Iterator[Found]:
            if seat(s, e) == NONE:
                return
            for value, _ in stream(s, e):
                e[reg] = value
                if where is not None and not where(s, e):
                    continue
                if not node.trial or self.trials.dry_run(chosen(s, node, value), node.next):
                    yield (0, value)

        return run

    def _offers(self, number: int) -> OptionsFn:
        doings, seat, e = self.doings[number], self.seats[number], self.context.registers

        def run(s: array[int]) -> Iterator[Found]:
            who = seat(s, e)
            if who == NONE:
                return
            for i, doing in enumerate(doings):
                found = doing(s)
                if found is None:
                    continue
                t = s[:]
                routine, values, actor = found
                entry = self.stack.enter(t, number, routine, values, who, actor, OK)
                code = self.trials.probe(t, entry)
                if code == STOP:
                    yield from self._first_values(i, self.context.caught, t)
                elif code != FAIL:
                    yield (i, NONE)

        return run

    def _first_values(self, i: int, parameter: int, t: array[int]) -> Iterator[Found]:
        """The options for the first parameter of the i-th target; a fault has the span of the parameter."""
        try:
            for found in self._options[parameter](t):
                yield (i, *found[1:])
        except RUNTIME_ERRORS as error:
            raise as_fault(error, self.nodes[parameter].span) from None


def chosen(s: array[int], node: ir.Decide, value: int) -> array[int]:
    """A copy of the state in which a value is chosen and the trial ends with the routine."""
    t = s[:]
    fp = t[ir.FP]
    t[fp + node.slot] = value
    t[fp + ir.RETURN] = OK
    return t
