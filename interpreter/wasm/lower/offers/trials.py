"""Whether something could be carried out: by looking on, or on a copy of the state."""

from __future__ import annotations

from collections.abc import Callable

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.codes import FAIL, OK
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.emit.purity import is_pure_stretch, is_settled, uses
from interpreter.wasm.emit.shape import Way
from interpreter.wasm.faults import MOST_WORK, NO_ROOM, SEARCHED_LONG
from interpreter.wasm.lower.numbers.values import WIDE, Known, Span, Thought, Value
from interpreter.wasm.lower.offers.frames import Frames, Zeros
from interpreter.wasm.lower.sets.ranges import Bits, Range

Found = Callable[[Value], None]
"""Emits what is done with an option: its bit in the part."""
FoundSet = Callable[[Bits, Range], None]
"""Emits what is done with a set of values, all of them options."""


class Trials(Frames):
    """Adds trials, and `can`."""

    # ---- trials without a copy

    def stretch(self, number: int) -> None:
        """Leaves whether a pure stretch from a node comes to its first stop. A fault hides nothing: 1.

        Only that nothing is left to work with is a fault of whoever searches.
        """
        if is_settled(self.mc, number):
            self.b.i32(1)
            return
        b = self.b
        done = b.block(I32)
        bad = b.block()
        node = self.node
        with self.faulting(bad, quiet=True):
            self._stretch(number, done)
        self.node = node
        b.end()
        self.worked_out()
        b.i32(1)
        b.end()

    def _stretch(self, number: int, done: Label) -> None:
        b = self.b
        node = self.mc.nodes[number]
        self.node = number
        match node:
            case m.Need(condition=condition, next=following):
                self.num(condition)
                b.op("i32.eqz")
                b.when()
                b.i32(0)
                b.br(done)
                b.end()
                self._stretch(following, done)
            case m.Branch(condition=condition, then=then, otherwise=otherwise):
                self.num(condition)
                b.when()
                self._stretch(then, done)
                b.otherwise()
                self._stretch(otherwise, done)
                b.end()
            case m.SetLocal(slot=slot, value=value, next=following):
                lazy = isinstance(value, m.Best) and not self.notes(value)
                once = lazy and uses(self.mc, following, slot) <= 1
                held: Value | Thought = Thought(value, WIDE) if once else self.held(value)
                with self.with_slot(slot, held):
                    self._stretch(following, done)
                self.drop(held)
            case m.ClearLocals(first=first, last=last, next=following):
                before = self.slots
                cleared = {**before, **{i: Known(0) for i in range(first, last)}}
                self.slots = Zeros(cleared) if isinstance(before, Zeros) else cleared
                self._stretch(following, done)
                self.slots = before
            case m.Cover(point=point, outcome=outcome, next=following):
                self.note(point, outcome & ~m.RAN | (m.TRIED if outcome & m.RAN else 0))
                self._stretch(following, done)
            case m.Transfer():
                self.payable(node)
                b.br(done)
            case m.Decide():
                self._stretch_decision(number, node, done)
            case _:
                b.i32(1)
                b.br(done)

    def _stretch_decision(self, number: int, node: m.Decide, done: Label) -> None:
        b = self.b
        if node.asks:
            self.num(node.seat)
            b.i32(NONE)
            b.op("i32.ne")
            b.when()
            b.i32(1)
            b.br(done)
            b.end()

        def found(_: Value) -> None:
            b.i32(1)
            b.br(done)

        self.choices(number, node, 0, 1 << 31, found)
        self.node = number
        following = node.nothing if node.nothing is not None else node.passing
        if following is not None:
            self._stretch(following, done)
        else:
            b.i32(0)
            b.br(done)

    # ---- trials of a copy

    def attempt(self, number: int, node: m.Decide, value: Value) -> None:
        """Leaves whether a parameter's value leads to a first stop."""
        if is_pure_stretch(self.mc, node.next):
            with self.with_slot(node.slot, value):
                self.stretch(node.next)
            self.node = number
            return
        assert not isinstance(self.slots, Zeros)
        b = self.b
        with b.borrowed(I32, I32) as (t, frame):
            self.copy_state(t)
            b.get(self.frame)
            b.get(self.s)
            b.op("i32.sub")
            b.get(t)
            b.op("i32.add")
            b.tee(frame)
            self.put(value)
            b.store(4 * node.slot)
            b.get(frame)
            b.i32(OK)
            b.store(4 * m.RETURN)
            self.try_run(t, node.next)

    def copy_state(self, t: int) -> None:
        """A local becomes the address of a copy of the state, on top of the scratch."""
        b, top = self.b, GLOBAL["top"]
        size = (self.plan.state_bytes + 15) // 16 * 16
        b.gget(top)
        b.tee(t)
        b.i32(size)
        b.op("i32.add")
        b.gset(top)
        b.gget(top)
        b.i32(self.plan.scratch_end - 4096)
        b.op("i32.gt_u")
        b.when()
        self.fault(NO_ROOM)
        b.end()
        b.get(t)
        b.get(self.s)
        b.i32(self.plan.state_bytes)
        b.copy()

    def try_run(self, t: int, target: int) -> None:
        """Leaves whether a run of the copy from a node does not fail, and gives the copy back.

        It has work of its own, so that a trial that comes late is as good as the first; but all trials of an
        offer share what may be searched.
        """
        b, fuel = self.b, GLOBAL["fuel"]
        self.global_add("trial", 1)
        with b.borrowed(I32) as (left,):
            b.gget(fuel)
            b.set(left)
            b.i32(MOST_WORK)
            b.gset(fuel)
            b.get(t)
            b.i32(self.plan.leader[target])
            b.call(self.region_function(target))
            b.i32(FAIL)
            b.op("i32.ne")
            self._searched()
            b.get(left)
            b.gset(fuel)
        self.global_add("trial", -1)
        b.get(t)
        b.gset(GLOBAL["top"])
        b.gget(GLOBAL["search"])
        b.i32(0)
        b.op("i32.lt_s")
        b.when()
        self.fault(SEARCHED_LONG)
        b.end()

    def _searched(self) -> None:
        """A trial takes from what may be searched, more if the state is large or it has worked for long."""
        b, search = self.b, GLOBAL["search"]
        b.gget(search)
        b.i32(1 + self.plan.machine.size // 4096)
        b.op("i32.sub")
        b.i32(MOST_WORK)
        b.gget(GLOBAL["fuel"])
        b.op("i32.sub")
        b.i32(6)
        b.op("i32.shr_u", "i32.sub")
        b.gset(search)

    def _whole(self, way: Way) -> None:
        """Leaves whether a routine without parameters can be carried out; its frame is real."""
        b = self.b
        with b.borrowed(I32) as (t,):
            self.copy_state(t)
            b.get(self.frame)
            b.get(self.s)
            b.op("i32.sub")
            b.get(t)
            b.op("i32.add")
            b.i32(OK)
            b.store(4 * m.RETURN)
            self.try_run(t, way.begin)

    # ---- `can`

    def can(self, what: m.Doing) -> Span:
        b = self.b
        with b.borrowed(I32) as (result,):
            b.i32(0)
            b.set(result)
            me = self.held(m.Local(m.ME))
            if isinstance(what, m.DoRoutine):
                arguments = [self.held(a) for a in what.arguments]
                self._can(what.routine, me, Known(NONE), arguments, result)
                self.drop(*arguments)
            else:
                actor = self.held(what.actor)
                self.each_cell(what.cell, lambda r, a: self._can(r, me, actor, a, result))
                self.drop(actor)
            self.drop(me)
            b.get(result)
        return (0, 1)

    def _can(self, routine: int, me: Value, actor: Value, arguments: list[Value], result: int) -> None:
        """Tries a routine on a copy of the state."""
        b, node = self.b, self.node
        entries = self.mc.routines[routine].entries
        entry = entries[len(arguments)] if len(arguments) < len(entries) else entries[-1]
        assert not isinstance(self.slots, Zeros)
        self.push_frame(node, routine, me, actor, arguments, OK)
        with b.borrowed(I32) as (t,):
            self.copy_state(t)
            self.try_run(t, entry)
            b.set(result)
        self.pop_frame(node, len(arguments))

    def choices(
        self,
        number: int,
        node: m.Decide,
        lo: int,
        size: int,
        found: Found,
        found_set: FoundSet | None = None,
    ) -> None:
        """Emits `found` for the bit of every value that can be chosen, some perhaps twice."""
        raise NotImplementedError
