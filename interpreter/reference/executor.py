"""The executor: runs nodes to the next stop, and finds out what can be chosen there."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dsl.diagnostics import InternalError
from dsl.domains import NONE
from interpreter import machine as m
from interpreter.events import Event
from interpreter.messages import (
    BadIndex,
    BrokenInvariant,
    DividedByZero,
    Fault,
    NotConserved,
    NothingToChoose,
    NotThere,
    PlaceFull,
    RunsForEver,
    TooDeepCalls,
    TooLong,
)
from interpreter.reference import pieces
from interpreter.reference.linking import Linker, Number, OutOfBounds
from interpreter.reference.nodes import BRANCH_END, CHANCE, FAIL, OK, OVER, STOP, SWITCH, Nodes, Run

MOST_STEPS = 500_000
PASS = (-1, NONE)
"""The option of declining."""

Option = tuple[int, int]
"""What is offered (its number among the things to do, 0 for a plain choice) and the value, or none."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A seat that has a decision to make: at which node, and what can be chosen."""

    seat: int
    node: int
    options: tuple[Option, ...]


class Executor:
    """Runs one machine. Holds nothing of a match: all of it is in the state."""

    def __init__(self, machine: m.Machine) -> None:
        self.machine = machine
        self.registers = [0] * (machine.registers + 8)
        self.trial = 0
        self.sink: list[Event] | None = None
        self.failure: tuple[m.Step, int, int] | None = None
        self.capture: int | None = None
        self.caught = -1
        self.component_of, self.classes_of = _components(machine)
        self.size_at = _frame_sizes(machine)
        self.linker = Linker(machine, self)
        self.tests = [self.linker.number(t.condition) if t.condition else None for t in machine.triggers]
        self.watchers = _watchers(machine)
        linked = Nodes(machine, self)
        self.nodes: list[Run] = [linked.run(i, node) for i, node in enumerate(machine.nodes)]
        self._seat = {
            i: self.linker.number(n.seat)
            for i, n in enumerate(machine.nodes)
            if isinstance(n, m.Decide | m.Offer)
        }
        self._options = {
            i: self._linked_options(i, n)
            for i, n in enumerate(machine.nodes)
            if isinstance(n, m.Decide | m.Offer)
        }
        self.scores = [(s, self.linker.number(s.value)) for s in machine.scores]
        self._always = [(i, self.linker.number(i.condition)) for i in machine.invariants]

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

    def arm(self, s: array[int]) -> None:
        """Triggers fire when their condition becomes true, so what holds already is noted."""
        for i, trigger in enumerate(self.machine.triggers):
            test = self.tests[i]
            if test is None:
                continue
            for j, binding in enumerate(trigger.bindings):
                self._bind(trigger, binding)
                s[trigger.held + j] = int(bool(test(s, self.registers)))

    def _bind(self, trigger: m.TriggerCode, binding: tuple[int, ...]) -> None:
        for reg, value in zip(trigger.regs, binding, strict=True):
            self.registers[reg] = value

    # ---- running

    def run(self, s: array[int], pc: int) -> int:
        """Nodes from `pc` to the next stop; its code. Raises `Fault` for what must not happen."""
        nodes = self.nodes
        at = pc
        try:
            for _ in range(MOST_STEPS):
                if pc < 0:
                    return pc
                at = pc
                pc = nodes[pc](s)
        except OutOfBounds as error:
            value = "none" if error.value == NONE else str(error.value)
            raise Fault(BadIndex(self.machine.nodes[at].span, value, error.lo, error.hi)) from None
        except pieces.Full as error:
            span = self.machine.nodes[at].span
            raise Fault(PlaceFull(span, error.place.zone, error.place.capacity)) from None
        except pieces.Missing as error:
            raise Fault(NotThere(self.machine.nodes[at].span, error.place.zone)) from None
        except ZeroDivisionError:
            raise Fault(DividedByZero(self.machine.nodes[at].span)) from None
        raise Fault(RunsForEver(self.machine.nodes[at].span, MOST_STEPS))

    def advance(self, s: array[int], pc: int) -> int:
        """Runs on, through the branches of `together` where there are any; STOP, CHANCE or OVER."""
        code = self.run(s, pc)
        while True:
            if code in (CHANCE, OVER):
                return code
            if not s[m.FORKED]:
                if code == SWITCH:
                    raise InternalError("a branch without a fork")
                return code
            if code == STOP:
                self._park(s, m.WAITING, s[m.PC])
            elif code == BRANCH_END:
                self._park(s, m.DONE, 0)
            seat = self._ready(s)
            if seat is None:
                if not self._all_done(s):
                    s[m.RUNNING] = 0
                    s[m.FP] = s[m.MAIN_FP]
                    return STOP
                code = self.run(s, self._join(s))
            else:
                self.switch(s, seat)
                code = self.run(s, s[self.machine.branches + 3 * seat])

    def _park(self, s: array[int], status: int, pc: int) -> None:
        base = self.machine.branches + 3 * (s[m.RUNNING] - 1)
        s[base], s[base + 1], s[base + 2] = pc, s[m.FP] if status == m.WAITING else 0, status

    def _ready(self, s: array[int]) -> int | None:
        base = self.machine.branches
        return next((i for i in range(self.machine.seats) if s[base + 3 * i + 2] == m.READY), None)

    def _all_done(self, s: array[int]) -> bool:
        base = self.machine.branches
        return all(s[base + 3 * i + 2] == m.DONE for i in range(self.machine.seats))

    def switch(self, s: array[int], seat: int) -> None:
        """The branch of a seat becomes the one that runs."""
        s[m.RUNNING] = seat + 1
        s[m.FP] = s[self.machine.branches + 3 * seat + 1]

    def _join(self, s: array[int]) -> int:
        mc = self.machine
        fork = mc.nodes[s[m.FORK]]
        assert isinstance(fork, m.Fork)
        s[m.FP] = s[m.MAIN_FP]
        for word in (m.FORKED, m.RUNNING, m.MAIN_FP, m.FORK, m.PC):
            s[word] = 0
        size = 3 * mc.seats
        s[mc.branches : mc.branches + size] = array("i", bytes(4 * size))
        saved = mc.saved_to - mc.saved_from
        s[mc.saved : mc.saved + saved] = array("i", bytes(4 * saved))
        return fork.next

    def linked_fork(self, number: int, node: m.Fork) -> Run:
        mc = self.machine
        code = mc.routines[node.routine]
        arguments = [self.linker.number(a) for a in node.arguments]

        def run(s: array[int]) -> int:
            values = [a(s, self.registers) for a in arguments]
            s[m.FORKED], s[m.FORK], s[m.MAIN_FP] = 1, number, s[m.FP]
            s[mc.saved : mc.saved + mc.saved_to - mc.saved_from] = s[mc.saved_from : mc.saved_to]
            for seat in range(mc.seats):
                base = mc.branch_stack + seat * mc.branch_size
                s[base + m.RETURN], s[base + m.ME], s[base + m.SELF] = BRANCH_END, seat, NONE
                for i, value in enumerate(values):
                    s[base + m.FRAME + i] = value
                at = mc.branches + 3 * seat
                s[at], s[at + 1], s[at + 2] = code.entries[0], base, m.READY
            return SWITCH

        return run

    # ---- frames

    def enter(
        self,
        s: array[int],
        at: int,
        routine: int,
        values: list[int],
        me: int,
        actor: int,
        back: int,
    ) -> int:
        """A new frame on top of the running one; the node where its routine begins."""
        mc = self.machine
        code = mc.routines[routine]
        fp = s[m.FP]
        new = fp + self.size_at[at]
        limit = mc.stack + mc.stack_size
        if s[m.RUNNING]:
            limit = mc.branch_stack + s[m.RUNNING] * mc.branch_size
        if new + code.size > limit:
            raise Fault(TooDeepCalls(code.span, code.name))
        s[new + m.RETURN], s[new + m.CALLER], s[new + m.ME], s[new + m.SELF] = back, fp, me, actor
        for i, value in enumerate(values):
            s[new + m.FRAME + i] = value
        s[m.FP] = new
        return code.entries[len(values)] if len(values) < len(code.entries) else code.entries[-1]

    def leave(self, s: array[int], at: int) -> int:
        fp, size = s[m.FP], self.size_at[at]
        back, caller = s[fp + m.RETURN], s[fp + m.CALLER]
        s[fp : fp + size] = array("i", bytes(4 * size))
        if caller:
            s[m.FP] = caller
        return back

    def commit(self, s: array[int], following: int) -> int:
        """In a trial, the routine that is tried can no longer be refused."""
        if self.trial and s[s[m.FP] + m.RETURN] == OK:
            return OK
        return following

    def linked_call(self, number: int, node: m.Call) -> Run:
        arguments = [self.linker.number(a) for a in node.arguments]
        e, following, routine = self.registers, node.next, node.routine

        def run(s: array[int]) -> int:
            values = [a(s, e) for a in arguments]
            return self.enter(s, number, routine, values, s[s[m.FP] + m.ME], NONE, following)

        return run

    def linked_doing(self, what: m.Doing) -> Callable[[array[int]], tuple[int, list[int], int] | None]:
        """What is to be done: routine, leading arguments, acting piece; nothing for an empty cell."""
        e = self.registers
        if isinstance(what, m.DoRoutine):
            arguments = [self.linker.number(a) for a in what.arguments]
            return lambda s: (what.routine, [a(s, e) for a in arguments], NONE)
        cell, actor, cells = (
            self.linker.number(what.cell),
            self.linker.number(what.actor),
            self.machine.cells,
        )

        def run(s: array[int]) -> tuple[int, list[int], int] | None:
            number = cell(s, e)
            if number == NONE:
                return None
            routine, values = cells[number]
            return routine, list(values), actor(s, e)

        return run

    def linked_cell(self, number: int, node: m.CallCell) -> Run:
        doing = self.linked_doing(node.what)

        def run(s: array[int]) -> int:
            found = doing(s)
            if found is None:
                return node.next
            routine, values, actor = found
            return self.enter(s, number, routine, values, s[s[m.FP] + m.ME], actor, node.next)

        return run

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
            result = self._try(t, entry)
            self.registers[:] = kept
            self.failure = failure
            return int(result)

        return run

    # ---- trials

    def _try(self, t: array[int], pc: int) -> bool:
        """Whether a run from here comes to a stop without a failed need. `t` is thrown away after."""
        sink, self.sink = self.sink, None
        self.trial += 1
        try:
            return self.run(t, pc) != FAIL
        finally:
            self.trial -= 1
            self.sink = sink

    def need_failed(self, s: array[int], number: int) -> int:
        node = self.machine.nodes[number]
        if self.trial:
            self.failure = (node, 0, 0)
            self.failed_state = s
            return FAIL
        raise InternalError(f"a need failed outside a trial: {node.span.place}")

    # ---- decisions

    def at_decision(self, s: array[int], number: int) -> int:
        node = self.machine.nodes[number]
        assert isinstance(node, m.Decide | m.Offer)
        if self.capture is not None and self.capture == s[m.FP] and isinstance(node, m.Decide):
            self.capture, self.caught = None, number
            return STOP
        if next(self._options[number](s), None) is not None:
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

    def options(self, s: array[int], number: int) -> tuple[Option, ...]:
        """Everything that can be chosen at a decision, in the order of its domain."""
        node = self.machine.nodes[number]
        assert isinstance(node, m.Decide | m.Offer)
        found = tuple(self._options[number](s))
        return (*found, PASS) if node.passing is not None else found

    def _linked_options(
        self, number: int, node: m.Decide | m.Offer
    ) -> Callable[[array[int]], Iterator[Option]]:
        self.linker.node = number
        return self._offers(number, node) if isinstance(node, m.Offer) else self._choices(node)

    def _choices(self, node: m.Decide) -> Callable[[array[int]], Iterator[Option]]:
        many = self.linker.many(node.source)
        where = self.linker.number(node.where) if node.where is not None else None
        e, reg = self.registers, node.reg

        def run(s: array[int]) -> Iterator[Option]:
            seen = set()
            for value, _ in many(s, e):
                if value in seen:
                    continue
                seen.add(value)
                e[reg] = value
                if where is not None and not where(s, e):
                    continue
                if not node.trial or self._try(self._with(s, node, value), node.next):
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
        doings = [self.linked_doing(w) for w in node.what]
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
                code = self._probe(t, entry)
                if code == STOP:
                    caught = self.caught
                    yield from ((i, value) for _, value in self._options[caught](t))
                elif code != FAIL:
                    yield (i, NONE)

        return run

    def _probe(self, t: array[int], entry: int) -> int:
        """Runs a routine that is offered to its first parameter, or, without one, to its first stop."""
        sink, self.sink = self.sink, None
        before = self.capture
        self.trial += 1
        self.capture = t[m.FP]
        try:
            return self.run(t, entry)
        finally:
            self.capture = before
            self.trial -= 1
            self.sink = sink

    # ---- stops

    def waiting(self, s: array[int]) -> tuple[Waiting, ...]:
        """The decisions that wait: one, or in `together` one for each seat that has not finished."""
        if s[m.STATUS]:
            return ()
        if not s[m.FORKED]:
            return (self._waiting(s, s[m.PC]),)
        found = []
        for seat in range(self.machine.seats):
            base = self.machine.branches + 3 * seat
            if s[base + 2] == m.WAITING:
                self.switch(s, seat)
                found.append(self._waiting(s, s[base]))
        s[m.RUNNING], s[m.FP] = 0, s[m.MAIN_FP]
        return tuple(found)

    def _waiting(self, s: array[int], number: int) -> Waiting:
        return Waiting(self._seat[number](s, self.registers), number, self.options(s, number))

    def choose(self, s: array[int], number: int, option: Option, seat: int) -> int:
        """Carries out a choice at a waiting decision and runs to the next stop."""
        node = self.machine.nodes[number]
        assert isinstance(node, m.Decide | m.Offer)
        s[m.DECISIONS] += 1
        if s[m.DECISIONS] > self.machine.longest:
            raise Fault(TooLong(node.span, self.machine.longest))
        if s[m.FORKED]:
            self.switch(s, seat)
            s[self.machine.branches + 3 * seat + 2] = m.READY
        s[m.PC] = 0
        if option == PASS:
            assert node.passing is not None
            return self.advance(s, node.passing)
        if isinstance(node, m.Decide):
            s[s[m.FP] + node.slot] = option[1]
            return self.advance(s, node.next)
        return self._take_offer(s, number, node, option)

    def _take_offer(self, s: array[int], number: int, node: m.Offer, option: Option) -> int:
        found = self._doings(number, node)[option[0]](s)
        assert found is not None
        routine, values, actor = found
        entry = self.enter(
            s, number, routine, values, self._seat[number](s, self.registers), actor, node.next
        )
        if option[1] == NONE:
            return self.advance(s, entry)
        self.capture = s[m.FP]
        code = self.run(s, entry)
        self.capture = None
        if code != STOP:
            raise InternalError("an offered routine did not come to its first parameter")
        parameter = self.machine.nodes[self.caught]
        assert isinstance(parameter, m.Decide)
        s[s[m.FP] + parameter.slot] = option[1]
        return self.advance(s, parameter.next)

    def _doings(
        self, number: int, node: m.Offer
    ) -> list[Callable[[array[int]], tuple[int, list[int], int] | None]]:
        if not hasattr(self, "_linked_doings"):
            self._linked_doings: dict[
                int, list[Callable[[array[int]], tuple[int, list[int], int] | None]]
            ] = {}
        if number not in self._linked_doings:
            self._linked_doings[number] = [self.linked_doing(w) for w in node.what]
        return self._linked_doings[number]

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

    # ---- triggers

    def moved(self, s: array[int], class_: int, number: int, source: int, to: int) -> None:
        """Queues a move for the triggers that watch one of its places."""
        for enters, place in ((True, to), (False, source)):
            for trigger in self.watchers.get((enters, place), ()):
                code = self.machine.triggers[trigger]
                for _ in range(number):
                    end = code.held + 1 + 2 * s[code.held]
                    s[end], s[end + 1] = to * code.classes + class_, place
                    s[code.held] += 1

    def linked_check(self, number: int, trigger: int, following: int) -> Run:
        code = self.machine.triggers[trigger]

        def run(s: array[int]) -> int:
            if s[code.busy] or not self._changes(s, trigger):
                return following
            s[code.busy] = 1
            return self.enter(s, number, code.routine, [], s[s[m.FP] + m.ME], NONE, following)

        return run

    def _changes(self, s: array[int], trigger: int) -> bool:
        code, test, e = self.machine.triggers[trigger], self.tests[trigger], self.registers
        if test is None:
            return s[code.held] > 0
        for j, binding in enumerate(code.bindings):
            self._bind(code, binding)
            if bool(test(s, e)) != bool(s[code.held + j]):
                return True
        return False

    def linked_trigger(self, number: int, node: m.NextTrigger) -> Run:
        code, test = self.machine.triggers[node.trigger], self.tests[node.trigger]
        found = self._next_moved(code) if test is None else self._next_true(code, test)

        def run(s: array[int]) -> int:
            values = found(s)
            if values is None:
                s[code.busy] = 0
                return self.leave(s, number)
            fp = s[m.FP] + node.first_slot
            s[fp : fp + len(values)] = array("i", values)
            return node.block

        return run

    def _next_true(self, code: m.TriggerCode, test: Number) -> Callable[[array[int]], tuple[int, ...] | None]:
        e = self.registers

        def run(s: array[int]) -> tuple[int, ...] | None:
            for j, binding in enumerate(code.bindings):
                self._bind(code, binding)
                now = bool(test(s, e))
                if now != bool(s[code.held + j]):
                    s[code.held + j] = int(now)
                    if now:
                        return binding
            return None

        return run

    def _next_moved(self, code: m.TriggerCode) -> Callable[[array[int]], tuple[int, ...] | None]:
        places = self.machine.places

        def run(s: array[int]) -> tuple[int, ...] | None:
            waiting, first = s[code.held], code.held + 1
            if not waiting:
                return None
            piece, number = s[first], s[first + 1]
            last = first + 2 * waiting
            s[first : last - 2] = s[first + 2 : last]
            s[last - 2 : last] = array("i", [0, 0])
            s[code.held] = waiting - 1
            return (*(getattr(places[number], axis) for axis in code.indices), piece)

        return run

    # ---- checks and the account

    def score(self, s: array[int], seat: int) -> list[tuple[m.ScoreCode, int]]:
        """Every line of the account of one seat."""
        found = []
        for code, value in self.scores:
            self.registers[0] = seat
            found.append((code, value(s, self.registers)))
        return found

    def check(self, s: array[int]) -> None:
        """Raises `Fault` if a promise is broken or a piece is lost. For stops, not for the middle."""
        for code, test in self._always:
            if not test(s, self.registers):
                raise Fault(BrokenInvariant(code.span, " ".join(code.span.text.split())))
        found = dict.fromkeys(self.machine.totals, 0)
        for i, place in enumerate(self.machine.places):
            found[self.component_of[i]] += pieces.count(s, place, self.classes_of[i])
        for component, total in self.machine.totals.items():
            if found[component] != total and any(c == component for c in self.component_of):
                raise Fault(NotConserved(self.machine.nodes[0].span, component, found[component], total))


def _components(machine: m.Machine) -> tuple[list[str], list[int]]:
    names = [machine.place_components[p.zone] for p in machine.places]
    return names, [machine.component_classes[n] for n in names]


def _frame_sizes(machine: m.Machine) -> list[int]:
    """For each node the size of the frame it runs in: nodes are reached from one routine only."""
    sizes = [0] * len(machine.nodes)
    starts = [(machine.start, machine.flow_size)]
    starts += [(entry, code.size) for code in machine.routines for entry in code.entries]
    for start, size in starts:
        todo = [start]
        while todo:
            number = todo.pop()
            if sizes[number]:
                continue
            sizes[number] = size
            node = machine.nodes[number]
            for name in ("next", "then", "otherwise", "done", "passing", "nothing", "block"):
                target = getattr(node, name, None)
                if target is not None and target >= 0:
                    todo.append(target)
    return sizes


def _watchers(machine: m.Machine) -> dict[tuple[bool, int], list[int]]:
    """Triggers by whether they wait for pieces to enter (or leave) and by place."""
    found: dict[tuple[bool, int], list[int]] = {}
    for i, trigger in enumerate(machine.triggers):
        for place in trigger.watched:
            found.setdefault((trigger.enters, place), []).append(i)
    return found
