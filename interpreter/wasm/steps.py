"""Regions to functions: every node of the machine, and the ways from node to node.

The function of a region takes the state and the leader at which to go on, and runs to a stop, whose code it
gives, or to the end of its routine, when it gives the node at which the caller goes on. Its code stands
leader after leader, each behind the end of a block of its own: a way forward is a branch out of blocks, a
way back goes round the loop that encloses them all.
"""

from __future__ import annotations

from typing import assert_never

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.body import Body, Label
from interpreter.wasm.changes import ENDED, ENTERED
from interpreter.wasm.encoding import I32
from interpreter.wasm.faults import (
    MOST_WORK,
    NEED_FAILS,
    NOTHING_TO_CHOOSE,
    RUNS_FOR_EVER,
    TOO_LONG,
    TOO_MANY_ROUNDS,
)
from interpreter.wasm.menus import FAULT as FAULT
from interpreter.wasm.menus import OK, Menus, Part, Way
from interpreter.wasm.numbers import WIDE, Held, Known, Value, weight
from interpreter.wasm.plan import GLOBAL, Plan
from interpreter.wasm.regions import Region

STOP, OVER, CHANCE, BRANCH_END, SWITCH = -1, -4, -5, -6, -7
BACK = MOST_WORK // 500_000
"""Work that a way back costs: half a million of them are too many."""


class Function(Menus):
    """A function over a state and its running frame, with a way out for faults."""

    def __init__(self, plan: Plan, body: Body) -> None:
        super().__init__(plan, body)
        self.any_buffer: int | None = None

    def give_fault(self) -> None:
        self.b.i32(FAULT)

    def counted(self, status: int) -> None:
        """Another function has put options into the buffer, or, without one, has found some."""
        b = self.b
        if self.any_buffer is not None:
            b.get(self.any_buffer)
            b.op("i32.eqz")
            b.get(status)
            b.op("i32.and")
            b.when()
            b.i32(1)
            b.op("return")
            b.end()

    def bit_to(self, buffer: int, part: Part) -> object:
        """Sets bits in the words behind the address in a local; without one the first is enough."""
        b = self.b

        def found(bit: Value) -> None:
            b.get(buffer)
            b.op("i32.eqz")
            b.when()
            b.i32(1)
            b.op("return")
            b.end()
            self.set_bit(buffer, 8 * part.first, bit)

        return found

    def set_bit(self, buffer: int, offset: int, bit: Value) -> None:
        b = self.b
        with b.borrowed(I32) as (at,):
            b.get(buffer)
            self.put(bit)
            b.i32(5)
            b.op("i32.shr_u")
            b.i32(2)
            b.op("i32.shl", "i32.add")
            b.tee(at)
            b.get(at)
            b.load(offset)
            b.i32(1)
            self.put(bit)
            b.op("i32.shl", "i32.or")
            b.store(offset)

    def count_bits(self, buffer: int, words: int) -> None:
        """Leaves how many bits are set in the words behind the address in a local."""
        b = self.b
        if words <= 4:
            for i in range(words):
                b.get(buffer)
                b.mem("i64.load", 8 * i)
                b.op("i64.popcnt", "i32.wrap_i64")
                if i:
                    b.op("i32.add")
            return
        b.get(buffer)
        b.i32(words)
        b.call(self.plan.function("popcount", (I32, I32)))


def write_menu(plan: Plan, number: int) -> None:
    """(s, buffer): what is offered at a node goes to the buffer; how many there are.

    Without a buffer: 1 if there is any. A fault's code if there is one.
    """
    b = plan.body(f"menu {number}", (I32, I32))
    f = Function(plan, b)
    f.any_buffer = 1
    f.load_frame()
    node = plan.machine.nodes[number]
    assert isinstance(node, m.Decide | m.Offer)
    menu = f.menu_of(number)
    bad = b.block()
    with f.faulting(bad, quiet=False):
        b.get(1)
        b.when()
        f.zero(1, 0, 2 * menu.words)
        b.end()
        if isinstance(node, m.Decide):
            part = menu.parts[0]
            f.choices(number, node, part.lo, part.size, f.bit_to(1, part))  # type: ignore[arg-type]
        else:
            for i, part in enumerate(menu.parts):
                f.part(number, i, f.bit_to(1, part), lambda p=part: _behind(b, 1, 8 * p.first))  # type: ignore[arg-type, misc]
    b.get(1)
    b.op("i32.eqz")
    b.when()
    b.i32(0)
    b.op("return")
    b.end()
    f.count_bits(1, menu.words)
    b.op("return")
    b.end()
    b.i32(FAULT)


def _behind(b: Body, buffer: int, offset: int) -> None:
    """Leaves an address in the buffer, or 0 if there is none."""
    b.get(buffer)
    b.i32(offset)
    b.op("i32.add")
    b.i32(0)
    b.get(buffer)
    b.op("select")


def write_way(plan: Plan, name: str, way: Way, part: Part) -> None:
    """(s, buffer): what a routine offers in the running frame; without a buffer 1 if there is any."""
    b = plan.body(name, (I32, I32))
    f = Function(plan, b)
    f.any_buffer = 1
    f.load_frame()
    alone = Part(part.lo, part.size, 0, part.ways)
    bad = b.block()
    with f.faulting(bad, quiet=False):
        f.way_options(way, alone, f.bit_to(1, alone))  # type: ignore[arg-type]
    b.i32(0)
    b.op("return")
    b.end()
    b.i32(FAULT)


def write_changes(plan: Plan, number: int) -> None:
    """(s): whether the condition of a trigger is another than noted for any binding."""
    b = plan.body(f"changes {number}")
    f = Function(plan, b)
    f.load_frame()
    trigger = plan.machine.triggers[number]
    bad = b.block()
    with f.faulting(bad, quiet=False):
        if trigger.condition is None:
            b.get(0)
            b.load(4 * trigger.held)
            b.i32(0)
            b.op("i32.gt_s", "return")
        else:

            def one(held: tuple[int, int], condition: m.Expr, _: object = None) -> None:
                f.truth(condition)
                b.get(held[0])
                b.load(held[1])
                b.op("i32.ne")
                b.when()
                b.i32(1)
                b.op("return")
                b.end()

            each_binding(f, trigger, one)
        b.i32(0)
        b.op("return")
    b.end()
    b.i32(FAULT)


def each_binding(f: Function, trigger: m.TriggerCode, one: object) -> None:
    """Emits `one` for each binding of a trigger, with the word that says whether it held, in order."""
    b = f.b
    assert trigger.condition is not None
    assert callable(one)
    known = len(trigger.bindings) * weight(trigger.condition) <= 120
    if known:
        for j, binding in enumerate(trigger.bindings):
            before = dict(f.regs)
            f.regs |= {r: Known(v) for r, v in zip(trigger.regs, binding, strict=True)}
            one((f.s, 4 * (trigger.held + j)), trigger.condition, tuple(Known(v) for v in binding))
            f.regs = before
        return
    tables = [f.plan.table(x[i] for x in trigger.bindings) for i in range(len(trigger.regs))]
    with f.counting(Known(0), Known(len(trigger.bindings) - 1)) as j_, b.borrowed(I32) as (at,):
        b.get(f.s)
        b.get(j_.local)
        b.i32(2)
        b.op("i32.shl", "i32.add")
        b.set(at)
        before = dict(f.regs)
        values: list[Value] = []
        for i, (reg, table) in enumerate(zip(trigger.regs, tables, strict=True)):
            local = b.local()
            b.get(j_.local)
            f.look_up(table)
            b.set(local)
            found = [x[i] for x in trigger.bindings]
            values.append(Held(local, (min(found), max(found))))
            f.regs[reg] = values[-1]
        one((at, 4 * trigger.held), trigger.condition, tuple(values))
        f.regs = before
        f.drop(*values)


class Steps(Function):
    """One region's function."""

    def __init__(self, plan: Plan, region: Region, index: int, body: Body | None = None) -> None:
        super().__init__(plan, body or plan.body(f"region {index}", (I32, I32)))
        self.region = region
        self.at = 1
        self.here = 0
        self.labels: list[Label] = []
        self.round: Label | None = None

    def write(self) -> None:
        b = self.b
        self.load_frame()
        bad = b.block()
        self.round = b.loop()
        count = len(self.region.leaders)
        self.labels = [b.block() for _ in range(count)][::-1]
        b.get(self.at)
        b.br_table(self.labels, self.labels[0])
        with self.faulting(bad, quiet=False):
            for i, leader in enumerate(self.region.leaders):
                b.end()
                self.here = i
                self.line(leader)
        b.end()
        b.op("unreachable")
        b.end()
        b.i32(FAULT)

    # ---- ways

    def go(self, target: int) -> None:
        """The way to a node of the region: its code follows here, or a branch."""
        leader = self.plan.leader.get(target)
        if leader is None:
            self.line(target)
        elif leader > self.here:
            self.b.br(self.labels[leader])
        else:
            self.back(leader)

    def back(self, leader: int) -> None:
        b, fuel = self.b, GLOBAL["fuel"]
        b.gget(fuel)
        b.i32(BACK)
        b.op("i32.sub")
        b.gset(fuel)
        b.gget(fuel)
        b.i32(0)
        b.op("i32.lt_s")
        b.when()
        self.fault(RUNS_FOR_EVER)
        b.end()
        b.i32(leader)
        b.set(self.at)
        assert self.round is not None
        b.br(self.round)

    def line(self, number: int) -> None:
        """A node and those that stand in line behind it."""
        while True:
            self.node = number
            following = self.one(number, self.mc.nodes[number])
            if following is None:
                return
            if self.plan.leader.get(following) is not None:
                self.go(following)
                return
            number = following

    def give(self, code: int) -> None:
        self.b.i32(code)
        self.b.op("return")

    def one(self, number: int, node: m.Step) -> int | None:
        """Emits a node; the node that follows it, if it is only one."""
        match node:
            case m.SetLocal():
                self.set_local(node)
            case m.ClearLocals(first=first, last=last):
                self.clear_slots(first, last)
            case m.SetHead():
                self.set_head(node)
            case m.SetWord():
                self.set_word(node)
            case m.Transfer():
                self.transfer(node)
            case m.MovePiece():
                self.move_piece(node)
            case m.MoveAll():
                self.move_all(node)
            case m.MoveSome():
                self.move_some(node)
            case m.TurnDie():
                self.turn_die(node)
            case m.Lift():
                self.lift(node)
            case m.Drop():
                self.drop_die(node)
            case m.Take():
                self.take(node)
            case m.Swap():
                self.swap(node)
            case m.Chance():
                return self.chance(number, node)
            case m.Forget():
                self.forget(node)
            case m.Show():
                self.show(node)
            case m.Branch():
                return self.branch(node)
            case m.Need():
                self.need(node)
            case m.Bound():
                self.bound_rounds(node)
            case m.Snapshot():
                self.snapshot(node)
            case m.Iterate():
                self.iterate(node)
                return None
            case m.SetMe(value=value):
                with self.slot(m.ME):
                    self.num(value)
            case m.Call():
                self.call(number, node)
            case m.CallCell():
                self.call_cell(number, node)
            case m.Return():
                self.leave(number)
                return None
            case m.Commit():
                self.commit()
            case m.Decide() | m.Offer():
                return self.decision(number, node)
            case m.Fork():
                self.fork(number, node)
                return None
            case m.Sample():
                self.sample(node)
            case m.CheckTrigger():
                self.check_trigger(number, node)
            case m.NextTrigger():
                self.next_trigger(number, node)
                return None
            case m.EnterPhase(phase=phase):
                self.set_head(m.SetHead(span=node.span, word=m.PHASE, value=m.Const(phase), next=node.next))
                self.event(ENTERED, phase)
            case m.Reset():
                self.reset(node)
            case m.Win(seat=seat):
                self.win(seat)
                return None
            case m.End():
                self.over()
                return None
            case _:
                assert_never(node)
        return node.next

    # ---- conditions and loops

    def branch(self, node: m.Branch) -> int | None:
        known = self.constant(node.condition)
        if known is not None:
            return node.then if known else node.otherwise
        self.num(node.condition)
        self.b.when()
        self.go(node.then)
        self.b.otherwise()
        self.go(node.otherwise)
        self.b.end()
        self.b.op("unreachable")
        return None

    def need(self, node: m.Need) -> None:
        self.num(node.condition)
        self.b.op("i32.eqz")
        self.b.when()
        self.refuse(NEED_FAILS)
        self.b.end()

    def bound_rounds(self, node: m.Bound) -> None:
        b = self.b
        with b.borrowed(I32, I32) as (rounds, most):
            with self.slot(node.slot):
                self.read_slot(node.slot)
                b.i32(1)
                b.op("i32.add")
                b.tee(rounds)
            b.get(rounds)
            self.num(node.most)
            b.tee(most)
            b.op("i32.gt_s")
            b.when()
            self.fault(TOO_MANY_ROUNDS, Held(most, WIDE))
            b.end()

    def snapshot(self, node: m.Snapshot) -> None:
        if node.keys or node.rotate is not None:
            self._ordered_snapshot(node)
            return
        b = self.b
        with b.borrowed(I32, I32) as (k, p):
            b.i32(0)
            b.set(k)
            self.row(node.slot)
            b.i32(4)
            b.op("i32.add")
            b.set(p)

            def keep(value: Value) -> None:
                b.get(k)
                b.i32(node.capacity)
                b.op("i32.ge_s")
                b.when()
                self.fault(TOO_MANY_ROUNDS, node.capacity)
                b.end()
                b.get(p)
                self.put(value)
                b.store()
                for local, by in ((p, 4), (k, 1)):
                    b.get(local)
                    b.i32(by)
                    b.op("i32.add")
                    b.set(local)

            self._collected(node, keep)
            self.row(node.slot)
            b.get(k)
            b.store()

    def _collected(self, node: m.Snapshot, keep: object) -> None:
        """Emits `keep` for each value, as often as it stands in the collection."""
        assert callable(keep)
        b = self.b

        def one(value: Value, n: Value) -> None:
            with self.reg(node.reg, value):
                if node.where is not None:
                    self.num(node.where)
                    b.when()
                if isinstance(n, Known):
                    for _ in range(n.value):
                        keep(value)
                else:
                    with self.counting(Known(1), n):
                        keep(value)
                if node.where is not None:
                    b.end()

        self.each(node.source, one, 30)

    def _ordered_snapshot(self, node: m.Snapshot) -> None:
        """Records of keys and value are put in order in the scratch."""
        b, top = self.b, GLOBAL["top"]
        keys = len(node.keys) + (node.rotate is not None)
        start = self.held(node.rotate) if node.rotate is not None else Known(0)
        with b.borrowed(I32, I32, I32) as (first, p, to):
            b.gget(top)
            b.set(first)

            def keep(value: Value) -> None:
                for i, key in enumerate(node.keys):
                    b.gget(top)
                    self.num(key)
                    b.store(4 * i)
                if node.rotate is not None:
                    b.gget(top)
                    self.put(value)
                    self.put(start)
                    b.op("i32.sub")
                    b.i32(self.mc.seats)
                    b.op("i32.add")
                    b.i32(self.mc.seats)
                    b.op("i32.rem_u")
                    b.store(4 * keys - 4)
                b.gget(top)
                self.put(value)
                b.store(4 * keys)
                self.global_add("top", 4 * keys + 4)

            self._collected(node, keep)
            b.get(first)
            b.gget(top)
            b.i32(4 * keys + 4)
            b.call(self.plan.function("sort", (I32, I32, I32), ()))
            b.gget(top)
            b.get(first)
            b.op("i32.sub")
            b.i32((4 * keys + 4) * node.capacity)
            b.op("i32.gt_s")
            b.when()
            self.fault(TOO_MANY_ROUNDS, node.capacity)
            b.end()
            self.row(node.slot)
            b.tee(to)
            b.gget(top)
            b.get(first)
            b.op("i32.sub")
            b.i32(4 * keys + 4)
            b.op("i32.div_u")
            b.store()
            b.get(first)
            b.set(p)
            out = b.block()
            again = b.loop()
            b.get(p)
            b.gget(top)
            b.op("i32.ge_u")
            b.br_if(out)
            b.get(to)
            b.get(p)
            b.load(4 * keys)
            b.store(4)
            for local, by in ((p, 4 * keys + 4), (to, 4)):
                b.get(local)
                b.i32(by)
                b.op("i32.add")
                b.set(local)
            b.br(again)
            b.end()
            b.end()
            b.get(first)
            b.gset(top)
        self.drop(start)

    def iterate(self, node: m.Iterate) -> None:
        b = self.b
        with b.borrowed(I32) as (i,):
            self.read_slot(node.position)
            b.tee(i)
            self.row(node.snapshot)
            b.load()
            b.op("i32.ge_s")
            b.when()
            with self.slot(node.position):
                b.i32(0)
            self.go(node.done)
            b.end()
            with self.slot(node.position):
                b.get(i)
                b.i32(1)
                b.op("i32.add")
            with self.slot(node.slot):
                self.row(node.snapshot)
                b.get(i)
                b.i32(2)
                b.op("i32.shl", "i32.add")
                b.load(4)
        self.go(node.next)

    # ---- routines

    def run_routine(self, entry: int, back: int) -> None:
        """Runs a routine whose frame is pushed; what is no return to `back` leaves this function too."""
        b = self.b
        with b.borrowed(I32) as (code,):
            b.get(self.s)
            b.i32(self.plan.leader[entry])
            b.call(self.region_function(entry))
            b.tee(code)
            b.i32(back)
            b.op("i32.ne")
            b.when()
            b.get(code)
            b.op("return")
            b.end()

    def entry(self, routine: int, given: int) -> int:
        entries = self.mc.routines[routine].entries
        return entries[given] if given < len(entries) else entries[-1]

    def call(self, number: int, node: m.Call) -> None:
        arguments = [self.held(a) for a in node.arguments]
        me = self.held(m.Local(m.ME))
        self.push_frame(number, node.routine, me, Known(NONE), arguments, node.next)
        self.run_routine(self.entry(node.routine, len(arguments)), node.next)
        self.drop(me, *arguments)

    def call_cell(self, number: int, node: m.CallCell) -> None:
        me, actor = self.held(m.Local(m.ME)), self.held(node.what.actor)

        def one(routine: int, arguments: list[Value]) -> None:
            self.push_frame(number, routine, me, actor, arguments, node.next)
            self.run_routine(self.entry(routine, len(arguments)), node.next)

        self.each_cell(node.what.cell, one)
        self.drop(me, actor)

    def leave(self, number: int) -> None:
        b = self.b
        with b.borrowed(I32, I32) as (back, caller):
            b.get(self.frame)
            b.load(4 * m.RETURN)
            b.set(back)
            b.get(self.frame)
            b.load(4 * m.CALLER)
            b.set(caller)
            self.zero(self.frame, 0, self.plan.size_at[number])
            b.get(caller)
            b.when()
            b.get(self.s)
            b.get(caller)
            b.store(4 * m.FP)
            b.end()
            b.get(back)
            b.op("return")

    def commit(self) -> None:
        """In a trial, the routine that is tried can no longer be refused."""
        b = self.b
        b.get(self.frame)
        b.load(4 * m.RETURN)
        b.i32(OK)
        b.op("i32.eq")
        b.when()
        self.give(OK)
        b.end()

    # ---- stops

    def stop_at(self, number: int, code: int) -> None:
        self.b.get(self.s)
        self.b.i32(number)
        self.b.store(4 * m.PC)
        self.give(code)

    def tried(self) -> None:
        """Opens a block for what happens while something is tried."""
        self.b.gget(GLOBAL["trial"])
        self.b.when()

    def chance(self, number: int, node: m.Chance) -> int | None:
        b = self.b
        self.tried()
        self.give(OK)
        b.end()
        if self.plan.flavour.stops and self.plan.flavour.events:
            self.stop_at(number, CHANCE)
            return None
        self.global_add("outcomes", 1)
        if node.faces is not None:
            with self.slot(node.slot):
                self._drawn(node, Known(node.faces))
        elif node.most is not None:
            most = self.held(node.most)
            with self.slot(node.slot):
                self._drawn(node, most)
            self.drop(most)
        else:
            self._drawn_class(node)
        return node.next

    def _drawn(self, node: m.Chance, total: Value) -> None:
        """Leaves a number below `total`."""
        self.b.get(self.s)
        self.b.i32(node.stream)
        self.put(total)
        self.b.call(self.plan.function("draw", (I32, I32, I32)))

    def _drawn_class(self, node: m.Chance) -> None:
        """A class, each piece of the place with equal chance."""
        b = self.b
        assert node.place is not None
        place = self.held(node.place)
        with b.borrowed(I32, I32, I32) as (total, at, c):
            self.word_of(place)
            b.set(at)
            b.get(self.s)
            self.put(place)
            b.call(self.plan.function("count", (I32, I32)))
            b.set(total)
            self._drawn(node, Held(total, WIDE))
            b.set(total)
            b.i32(0)
            b.set(c)
            out = b.block()
            again = b.loop()
            b.get(total)
            b.get(at)
            b.load()
            b.op("i32.sub")
            b.tee(total)
            b.i32(0)
            b.op("i32.lt_s")
            b.br_if(out)
            for local, by in ((c, 1), (at, 4)):
                b.get(local)
                b.i32(by)
                b.op("i32.add")
                b.set(local)
            b.br(again)
            b.end()
            b.end()
            with self.slot(node.slot):
                b.get(c)
        self.drop(place)

    def decision(self, number: int, node: m.Decide | m.Offer) -> int | None:
        b = self.b
        if self.plan.flavour.stops:
            self._stopping(number, node, both=True)
            return None
        self.tried()
        self._stopping(number, node, both=False)
        b.end()
        if self.mc.branches:
            b.get(self.s)
            b.load(4 * m.FORKED)
            b.when()
            self._stopping(number, node, both=True)
            b.end()
        self.play_decision(number, node)
        return None

    def play_decision(self, number: int, node: m.Decide | m.Offer) -> None:
        """Chooses by itself and goes on."""
        raise NotImplementedError

    def _stopping(self, number: int, node: m.Decide | m.Offer, both: bool) -> None:
        """Stops if there is something to choose; `both`: not only in trials."""
        b = self.b
        with b.borrowed(I32) as (found,):
            b.get(self.s)
            b.i32(0)
            b.call(self.plan.function(f"menu {number}", (I32, I32)))
            b.tee(found)
            b.i32(0)
            b.op("i32.lt_s")
            b.when()
            self.give(FAULT)
            b.end()
            b.get(found)
            if node.asks:
                self.num(node.seat)
                b.i32(NONE)
                b.op("i32.ne", "i32.or")
            b.when()
            if both:
                self.tried()
                self.give(OK)
                b.end()
                self.stop_at(number, STOP)
            else:
                self.give(OK)
            b.end()
        self.nothing(number, node, both)

    def nothing(self, number: int, node: m.Decide | m.Offer, both: bool) -> None:
        """There is nothing to choose."""
        following = node.nothing if isinstance(node, m.Decide) else None
        following = node.passing if following is None else following
        if following is not None:
            self.go(following)
        elif both:
            self.node = number
            self.refuse(NOTHING_TO_CHOOSE)
        else:
            self.give(-2)

    def count_decision(self, number: int) -> None:
        """A decision more; too many are a fault."""
        b = self.b
        with b.borrowed(I32) as (n,):
            b.get(self.s)
            b.get(self.s)
            b.load(4 * m.DECISIONS)
            b.i32(1)
            b.op("i32.add")
            b.tee(n)
            b.store(4 * m.DECISIONS)
            b.get(n)
            b.i32(self.mc.longest)
            b.op("i32.gt_s")
            b.when()
            self.node = number
            self.fault(TOO_LONG)
            b.end()

    def fork(self, number: int, node: m.Fork) -> None:
        b, mc = self.b, self.mc
        arguments = [self.held(a) for a in node.arguments]
        for word, value in ((m.FORKED, 1), (m.FORK, number)):
            b.get(self.s)
            b.i32(value)
            b.store(4 * word)
        b.get(self.s)
        b.get(self.s)
        b.load(4 * m.FP)
        b.store(4 * m.MAIN_FP)
        b.get(self.s)
        b.i32(4 * mc.saved)
        b.op("i32.add")
        b.get(self.s)
        b.i32(4 * mc.saved_from)
        b.op("i32.add")
        b.i32(4 * (mc.saved_to - mc.saved_from))
        b.copy()
        for seat in range(mc.seats):
            base = mc.branch_stack + seat * mc.branch_size
            words: list[tuple[int, Value]] = [
                (base + m.RETURN, Known(BRANCH_END)),
                (base + m.ME, Known(seat)),
                (base + m.SELF, Known(NONE)),
                *((base + m.FRAME + i, a) for i, a in enumerate(arguments)),
                (mc.branches + 3 * seat, Known(mc.routines[node.routine].entries[0])),
                (mc.branches + 3 * seat + 1, Known(base)),
                (mc.branches + 3 * seat + 2, Known(m.READY)),
            ]
            for word, what in words:
                b.get(self.s)
                self.put(what)
                b.store(4 * word)
        self.give(SWITCH)

    def win(self, seat: m.Expr) -> None:
        b = self.b
        b.get(self.s)
        b.get(self.s)
        b.load(4 * m.WINNERS)
        b.i32(1)
        self.num(seat)
        b.op("i32.shl", "i32.or")
        b.store(4 * m.WINNERS)
        self.over()

    def over(self) -> None:
        self.b.get(self.s)
        self.b.i32(1)
        self.b.store(4 * m.STATUS)
        self.event(ENDED)
        self.give(OVER)

    # ---- triggers

    def sample(self, node: m.Sample) -> None:
        b = self.b
        for number in node.triggers:
            trigger = self.mc.triggers[number]
            if trigger.condition is None:
                continue

            def one(held: tuple[int, int], condition: m.Expr, _: object = None) -> None:
                b.get(held[0])
                b.load(held[1])
                b.when()
                self.num(condition)
                b.op("i32.eqz")
                b.when()
                b.get(held[0])
                b.i32(0)
                b.store(held[1])
                b.end()
                b.end()

            each_binding(self, trigger, one)

    def check_trigger(self, number: int, node: m.CheckTrigger) -> None:
        b = self.b
        code = self.mc.triggers[node.trigger]
        b.get(self.s)
        b.load(4 * code.busy)
        b.op("i32.eqz")
        b.when()
        with b.borrowed(I32) as (found,):
            b.get(self.s)
            b.call(self.plan.function(f"changes {node.trigger}"))
            b.tee(found)
            b.i32(0)
            b.op("i32.lt_s")
            b.when()
            self.give(FAULT)
            b.end()
            b.get(found)
        b.when()
        b.get(self.s)
        b.i32(1)
        b.store(4 * code.busy)
        me = self.held(m.Local(m.ME))
        self.push_frame(number, code.routine, me, Known(NONE), [], node.next)
        self.drop(me)
        self.run_routine(self.entry(code.routine, 0), node.next)
        b.end()
        b.end()

    def next_trigger(self, number: int, node: m.NextTrigger) -> None:
        code = self.mc.triggers[node.trigger]
        if code.condition is None:
            self._next_moved(node, code)
        else:

            def one(held: tuple[int, int], condition: m.Expr, values: tuple[Value, ...]) -> None:
                self._next_true(node, code, held, condition, values)

            each_binding(self, code, one)
        self.b.get(self.s)
        self.b.i32(0)
        self.b.store(4 * code.busy)
        self.leave(number)

    def _bound_to(self, node: m.NextTrigger, code: m.TriggerCode, values: tuple[Value, ...]) -> None:
        """The block runs with these values."""
        for i, value in enumerate(values):
            with self.slot(node.first_slot + i):
                self.put(value)
        if code.seat >= 0:
            with self.slot(m.ME):
                self.put(values[code.seat])
        self.go(node.block)

    def _next_true(
        self,
        node: m.NextTrigger,
        code: m.TriggerCode,
        held: tuple[int, int],
        condition: m.Expr,
        values: tuple[Value, ...],
    ) -> None:
        b = self.b
        with b.borrowed(I32) as (now,):
            self.truth(condition)
            b.tee(now)
            b.get(held[0])
            b.load(held[1])
            b.op("i32.ne")
            b.when()
            b.get(held[0])
            b.get(now)
            b.store(held[1])
            b.get(now)
            b.when()
            self._bound_to(node, code, values)
            b.end()
            b.end()

    def _next_moved(self, node: m.NextTrigger, code: m.TriggerCode) -> None:
        b, mc = self.b, self.mc
        with b.borrowed(I32, I32, I32) as (waiting, piece, place):
            b.get(self.s)
            b.load(4 * code.held)
            b.tee(waiting)
            b.when()
            for local, word in ((piece, 1), (place, 2)):
                b.get(self.s)
                b.load(4 * (code.held + word))
                b.set(local)
            b.get(self.s)
            b.i32(4 * (code.held + 1))
            b.op("i32.add")
            b.get(self.s)
            b.i32(4 * (code.held + 3))
            b.op("i32.add")
            b.get(waiting)
            b.i32(3)
            b.op("i32.shl")
            b.i32(8)
            b.op("i32.sub")
            b.copy()
            b.get(self.s)
            b.get(waiting)
            b.i32(3)
            b.op("i32.shl", "i32.add")
            b.i64(0)
            b.mem("i64.store", 4 * (code.held + 1) - 8)
            b.get(self.s)
            b.get(waiting)
            b.i32(1)
            b.op("i32.sub")
            b.store(4 * code.held)
            values: list[Value] = []
            for axis in code.indices:
                local = b.local()
                found = [getattr(p, axis) or 0 for p in mc.places]
                b.get(place)
                self.look_up(self.plan.table(found))
                b.set(local)
                values.append(Held(local, (min(found), max(found))))
            values.append(Held(piece, WIDE))
            self._bound_to(node, code, tuple(values))
            self.drop(*values[:-1])
            b.end()
