"""What can be chosen: values are tried on copies of the state, to the first stop beyond them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.execution import PASS, Option
from interpreter.messages import (
    Fault,
    NeedFails,
    NothingToChoose,
)
from interpreter.reference.codes import FAIL, OK, STOP
from interpreter.reference.frames import MISHAPS, Doing
from interpreter.reference.linking import MOST_SEARCH, Number, Searched
from interpreter.reference.triggers import Triggers


class Decisions(Triggers):
    """Enumerates what is offered at decisions."""

    def __init__(self, machine: m.Machine) -> None:
        super().__init__(machine)
        self.failure: tuple[m.Step, int, int] | None = None
        self.failed_state: array[int] = array("i")
        self.capture: int | None = None
        self.caught = -1

    def link_options(self) -> None:
        decisions = [(i, n) for i, n in enumerate(self.machine.nodes) if isinstance(n, m.Decide | m.Offer)]
        self.seat_at = {i: self.linker.number(n.seat) for i, n in decisions}
        self.doings = {i: self._linked_doings(i, n) for i, n in decisions if isinstance(n, m.Offer)}
        self._options = {i: self._linked_options(i, n) for i, n in decisions}

    def _linked_doings(self, number: int, node: m.Offer) -> list[Doing]:
        self.linker.node = number
        return [self.linked_doing(w) for w in node.what]

    # ---- trials

    def attempt(self, t: array[int], pc: int) -> bool:
        """Whether a run from here comes to a stop without a failed need. `t` is thrown away after.

        A fault does not hide a choice: it shows when the choice is made.
        """
        sink, self.sink = self.sink, None
        work, self.linker.work = self.linker.work, 0
        self.trial += 1
        try:
            return self.run(t, pc) != FAIL
        except Fault:
            return True
        finally:
            self.trial -= 1
            self.sink = sink
            self._searched(t)
            self.linker.work = work

    def _searched(self, t: array[int]) -> None:
        """What a trial takes from the search of its offer. Raises `Searched` when nothing is left."""
        linker = self.linker
        linker.search += 1 + (len(t) >> 12) + (linker.work >> 6)
        if linker.search > MOST_SEARCH:
            raise Searched

    def need_failed(self, s: array[int], number: int) -> int:
        node = self.machine.nodes[number]
        if self.trial:
            self.failure = (node, 0, 0)
            self.failed_state = s
            return FAIL
        assert isinstance(node, m.Need)
        raise Fault(NeedFails(node.span, node.text))

    def linked_can(self, what: m.Doing) -> Number:
        doing = self.linked_doing(what)
        at = self.linker.node

        def run(s: array[int], e: list[int]) -> int:
            found = doing(s)
            if found is None:
                return 0
            kept, failure = list(self.registers), self.failure
            routine, values, actor = found
            t = s[:]
            entry = self.enter(t, at, routine, values, s[s[m.FP] + m.ME], actor, OK)
            result = self.attempt(t, entry)
            self.registers[:] = kept
            self.failure = failure
            return int(result)

        return run

    # ---- decisions

    def at_decision(self, s: array[int], number: int) -> int:
        node = self.machine.nodes[number]
        assert isinstance(node, m.Decide | m.Offer)
        if self.capture is not None and self.capture == s[m.FP] and isinstance(node, m.Decide) and node.trial:
            self.capture, self.caught = None, number
            return STOP
        if self.is_asked(s, number):
            if self.trial:
                return OK
            s[m.PC] = number
            return STOP
        nothing = node.nothing if isinstance(node, m.Decide) else None
        if nothing is not None:
            return nothing
        if node.passing is not None:
            return node.passing
        if self.trial:
            if self.failure is None:
                self.failure = (node, 0, 0)
            return FAIL
        raise Fault(NothingToChoose(node.span, node.name))

    def is_asked(self, s: array[int], number: int) -> bool:
        """Whether somebody has something to choose at a decision, or is asked in any case."""
        node = self.machine.nodes[number]
        assert isinstance(node, m.Decide | m.Offer)
        return self._asks(s, number, node) or next(self._options[number](s), None) is not None

    def _asks(self, s: array[int], number: int, node: m.Decide | m.Offer) -> bool:
        """Whether somebody is asked in any case."""
        return node.asks and self.seat_at[number](s, self.registers) != NONE

    def options(self, s: array[int], number: int) -> tuple[Option, ...]:
        """Everything that can be chosen at a decision, in the order of its domain."""
        node = self.machine.nodes[number]
        assert isinstance(node, m.Decide | m.Offer)
        found = tuple(sorted(set(self._options[number](s))))
        return (*found, PASS) if node.passing is not None else found

    def _linked_options(
        self, number: int, node: m.Decide | m.Offer
    ) -> Callable[[array[int]], Iterator[Option]]:
        self.linker.node = number
        return self._offers(number, node) if isinstance(node, m.Offer) else self._choices(node)

    def _choices(self, node: m.Decide) -> Callable[[array[int]], Iterator[Option]]:
        """The values in the order of their collection, some perhaps twice."""
        stream = self.linker.stream(node.source)
        where = self.linker.number(node.where) if node.where is not None else None
        e, reg = self.registers, node.reg
        seat = self.linker.number(node.seat)

        def run(s: array[int]) -> Iterator[Option]:
            if seat(s, e) == NONE:
                return
            for value, _ in stream(s, e):
                e[reg] = value
                if where is not None and not where(s, e):
                    continue
                if not node.trial or self.attempt(self._with(s, node, value), node.next):
                    yield (0, value)

        return run

    def _with(self, s: array[int], node: m.Decide, value: int) -> array[int]:
        """A copy in which the value is chosen and the routine's end is the trial's end."""
        t = s[:]
        fp = t[m.FP]
        t[fp + node.slot] = value
        t[fp + m.RETURN] = OK
        return t

    def _offers(self, number: int, node: m.Offer) -> Callable[[array[int]], Iterator[Option]]:
        doings = self.doings[number]
        seat, e = self.linker.number(node.seat), self.registers

        def run(s: array[int]) -> Iterator[Option]:
            who = seat(s, e)
            if who == NONE:
                return
            for i, doing in enumerate(doings):
                found = doing(s)
                if found is None:
                    continue
                t = s[:]
                routine, values, actor = found
                entry = self.enter(t, number, routine, values, who, actor, OK)
                code = self.probe(t, entry)
                if code == STOP:
                    yield from self._first_choices(i, self.caught, t)
                elif code != FAIL:
                    yield (i, NONE)

        return run

    def _first_choices(self, i: int, caught: int, t: array[int]) -> Iterator[Option]:
        """What can be chosen first of the i-th thing to do; a fault has its place there."""
        try:
            for _, value in self._options[caught](t):
                yield (i, value)
        except MISHAPS as error:
            raise self.fault(error, self.machine.nodes[caught].span) from None

    def probe(self, t: array[int], entry: int) -> int:
        """Runs a routine that is offered to its first parameter, or, without one, to its first stop."""
        sink, self.sink = self.sink, None
        before = self.capture
        work, self.linker.work = self.linker.work, 0
        self.trial += 1
        self.capture = t[m.FP]
        try:
            return self.run(t, entry)
        except Fault:
            return OK
        finally:
            self.capture = before
            self.trial -= 1
            self.sink = sink
            self._searched(t)
            self.linker.work = work
