"""The reference executor: from stop to stop, with what waits at each."""

from __future__ import annotations

from array import array

from dsl.diagnostics import InternalError
from dsl.domains import NONE
from interpreter import machine as m
from interpreter.execution import PASS, Option, Waiting
from interpreter.messages import (
    BrokenInvariant,
    Fault,
    NotConserved,
    TooLong,
)
from interpreter.reference import pieces
from interpreter.reference.branches import Branches
from interpreter.reference.codes import CHANCE, OK, OVER, STOP
from interpreter.reference.frames import MISHAPS
from interpreter.reference.nodes import Nodes


class Executor(Branches):
    """Runs one machine. Holds nothing of a match: all of it is in the state."""

    def __init__(self, machine: m.Machine) -> None:
        super().__init__(machine)
        linked = Nodes(machine, self)
        self.nodes = [linked.run(i, node) for i, node in enumerate(machine.nodes)]
        self.link_options()
        self.scores = [(s, self.linker.number(s.value)) for s in machine.scores]
        self._always = [(i, self.linker.number(i.condition)) for i in machine.invariants if not i.settled]

    # ---- states

    def fresh(self) -> array[int]:
        """The state before the first node."""
        mc = self.machine
        s = array("i", bytes(4 * mc.size))
        s[m.ROTATION] = -1
        for word, value in mc.start_words:
            s[word] = value
        for place, class_, number in mc.start_pieces:
            pieces.put(s, mc.places[place], class_, number)
        s[m.FP] = mc.stack
        s[mc.stack + m.RETURN] = OVER
        s[mc.stack + m.SELF] = NONE
        self.arm(s)
        return s

    # ---- stops

    def waiting(self, s: array[int]) -> tuple[Waiting, ...]:
        """The decisions that wait: one, or in `together` one for each seat that has not finished."""
        if s[m.STATUS]:
            return ()
        if not s[m.FORKED]:
            return (self._waiting(s, s[m.PC], 0),)
        found = []
        for seat in range(self.machine.seats):
            base = self.machine.branches + 3 * seat
            if s[base + 2] == m.WAITING:
                self.switch(s, seat)
                found.append(self._waiting(s, s[base], seat))
        s[m.RUNNING], s[m.FP] = 0, s[m.MAIN_FP]
        return tuple(found)

    def _waiting(self, s: array[int], number: int, branch: int) -> Waiting:
        self.linker.work = self.linker.search = 0
        try:
            return self._found(s, number, branch)
        except MISHAPS as error:
            raise self.fault(error, self.machine.nodes[number].span) from None

    def _found(self, s: array[int], number: int, branch: int) -> Waiting:
        seat = self.seat_at[number](s, self.registers)
        found = [doing(s) for doing in self.doings.get(number, ())]
        what = tuple((d[0], tuple(d[1])) if d is not None else None for d in found)
        return Waiting(seat, number, self.options(s, number), branch, what)

    def choose(self, s: array[int], waiting: Waiting, option: Option) -> int:
        """Carries out a choice at a waiting decision and runs to the next stop."""
        node = self.machine.nodes[waiting.node]
        assert isinstance(node, m.Decide | m.Offer)
        s[m.DECISIONS] += 1
        if s[m.DECISIONS] > self.machine.longest:
            raise Fault(TooLong(node.span, self.machine.longest))
        if s[m.FORKED]:
            self.switch(s, waiting.branch)
            s[self.machine.branches + 3 * waiting.branch + 2] = m.READY
        s[m.PC] = 0
        if option == PASS:
            assert node.passing is not None
            return self.advance(s, node.passing)
        if isinstance(node, m.Decide):
            s[s[m.FP] + node.slot] = option[1]
            return self.advance(s, node.next)
        return self._take_offer(s, waiting.node, node, option)

    def _take_offer(self, s: array[int], number: int, node: m.Offer, option: Option) -> int:
        self.taking = True
        try:
            found = self.doings[number][option[0]](s)
        finally:
            self.taking = False
        assert found is not None
        routine, values, actor = found
        who = self.seat_at[number](s, self.registers)
        entry = self.enter(s, number, routine, values, who, actor, node.next)
        if option[1] == NONE:
            return self.advance(s, entry)
        self.capture = s[m.FP]
        try:
            code = self.run(s, entry)
        finally:
            self.capture = None
        if code != STOP:
            raise InternalError("an offered routine did not come to its first parameter")
        parameter = self.machine.nodes[self.caught]
        assert isinstance(parameter, m.Decide)
        s[s[m.FP] + parameter.slot] = option[1]
        return self.advance(s, parameter.next)

    def at_chance(self, s: array[int], number: int) -> int:
        if self.trial:
            return OK
        s[m.PC] = number
        return CHANCE

    def outcomes(self, s: array[int]) -> list[tuple[int, int]]:
        """The outcomes of the chance node at which the state stands, with their weights."""
        node = self.machine.nodes[s[m.PC]]
        assert isinstance(node, m.Chance)
        if node.faces is not None:
            return [(face, 1) for face in range(node.faces)]
        if node.most is not None:
            return [(i, 1) for i in range(self.linker.number(node.most)(s, self.registers))]
        assert node.place is not None
        at = self.linker.number(node.place)(s, self.registers)
        place = self.machine.places[at]
        return [(c, n) for c in range(self.classes_of[at]) if (n := s[place.base + c])]

    def happen(self, s: array[int], outcome: int) -> int:
        """The world has chosen; runs to the next stop."""
        node = self.machine.nodes[s[m.PC]]
        assert isinstance(node, m.Chance)
        s[s[m.FP] + node.slot] = outcome
        s[m.PC] = 0
        return self.advance(s, node.next)

    # ---- checks and the account

    def score(self, s: array[int], seat: int) -> list[tuple[m.ScoreCode, int]]:
        """Every line of the account of one seat."""
        found = []
        for code, value in self.scores:
            self.registers[0] = seat
            try:
                found.append((code, value(s, self.registers)))
            except MISHAPS as error:
                raise self.fault(error, code.span) from None
        return found

    def check_promises(self, s: array[int]) -> None:
        """Raises `Fault` if what `always` promises does not hold, or cannot be told. For stops only."""
        for code, test in self._always:
            try:
                holds = test(s, self.registers)
            except MISHAPS as error:
                raise self.fault(error, code.span) from None
            if not holds:
                raise Fault(BrokenInvariant(code.span, " ".join(code.span.text.split())))

    def check(self, s: array[int]) -> None:
        """Raises `Fault` if a promise is broken or a piece is lost. For stops, not for the middle."""
        self.check_promises(s)
        found = dict.fromkeys(self.machine.totals, 0)
        for i, place in enumerate(self.machine.places):
            found[self.component_of[i]] += pieces.count(s, place, self.classes_of[i])
        for component, total in self.machine.totals.items():
            if found[component] != total and any(c == component for c in self.component_of):
                raise Fault(NotConserved(self.machine.nodes[0].span, component, found[component], total))
