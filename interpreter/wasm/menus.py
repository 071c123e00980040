"""What is offered at decisions: a bit for each option, set if it can be carried out.

A decision's menu has a part for each thing to do (a plain choice has one part). A part has a bit for each
value of an interval, and behind them one for doing it without a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from dsl.domains import NONE, Int
from interpreter import machine as m
from interpreter.wasm.body import Label
from interpreter.wasm.changes import FAIL, Changes
from interpreter.wasm.encoding import I32
from interpreter.wasm.faults import NO_ROOM, TOO_DEEP
from interpreter.wasm.masks import Bits, Range
from interpreter.wasm.numbers import WIDE, Held, Known, Span, Thought, Value
from interpreter.wasm.plan import GLOBAL
from interpreter.wasm.purity import is_pure, is_pure_stretch, is_settled, second_choice, uses

OK = -3
FAULT = -8


@dataclass(frozen=True, slots=True)
class Way:
    """A routine that may be done with so many arguments given: the needs before its first choice."""

    routine: int
    given: int
    needs: tuple[int, ...]
    choice: int | None
    """The decision about its first parameter, or none."""
    begin: int
    """The node behind the needs."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to do: values `lo` and up have bits 0 and up; bit `size` is for no value."""

    lo: int
    size: int
    first: int
    """The first of its 64-bit words in the menu."""
    ways: tuple[Way, ...]

    @property
    def words(self) -> int:
        return (self.size + 64) // 64

    @property
    def small(self) -> bool:
        return self.size < 64


@dataclass(frozen=True, slots=True)
class Menu:
    node: int
    parts: tuple[Part, ...]

    @property
    def words(self) -> int:
        return sum(p.words for p in self.parts)


Found = Callable[[Value], None]
"""Emits what is done with an option: its bit in the part."""
FoundSet = Callable[[Bits, Range], None]
"""Emits what is done with a set of values, all of them options."""


class Menus(Changes):
    """Emits the search for what is offered."""

    # ---- the shape of menus

    def menu_of(self, number: int) -> Menu:
        menus = self.plan.menus
        if number not in menus:
            node = self.mc.nodes[number]
            assert isinstance(node, m.Decide | m.Offer)
            menus[number] = (
                self._decide_menu(number, node)
                if isinstance(node, m.Decide)
                else self._offer_menu(number, node)
            )
        return menus[number]

    def _decide_menu(self, number: int, node: m.Decide) -> Menu:
        lo, hi = self.values_of(node)
        return Menu(number, (Part(lo, hi - lo + 1, 0, ()),))

    def values_of(self, node: m.Decide) -> Span:
        """The interval of what can be chosen."""
        slots, regs, self.slots, self.regs = self.slots, self.regs, {}, {}
        lo, hi = self.domain(node.source)
        self.slots, self.regs = slots, regs
        if isinstance(node.type, Int):
            lo, hi = max(lo, node.type.lo), min(hi, node.type.hi)
        return lo, max(lo, hi)

    def _offer_menu(self, number: int, node: m.Offer) -> Menu:
        parts: list[Part] = []
        first = 0
        for doing in node.what:
            ways = tuple(self.ways(doing))
            spans = []
            for way in ways:
                if way.choice is not None:
                    choice = self.mc.nodes[way.choice]
                    assert isinstance(choice, m.Decide)
                    spans.append(self.values_of(choice))
            lo = min((x for x, _ in spans), default=0)
            size = max((y for _, y in spans), default=lo - 1) - lo + 1
            parts.append(Part(lo, size, first, ways))
            first += parts[-1].words
        return Menu(number, tuple(parts))

    def ways(self, doing: m.Doing) -> Iterator[Way]:
        if isinstance(doing, m.DoRoutine):
            yield self.way(doing.routine, len(doing.arguments))
            return
        for routine, given in dict.fromkeys((r, len(a)) for r, a in self.mc.cells):
            yield self.way(routine, given)

    def way(self, routine: int, given: int) -> Way:
        entries = self.mc.routines[routine].entries
        at = entries[given] if given < len(entries) else entries[-1]
        needs = []
        node = self.mc.nodes[at]
        while isinstance(node, m.Need):
            needs.append(at)
            at = node.next
            node = self.mc.nodes[at]
        choice = at if isinstance(node, m.Decide) and node.trial else None
        return Way(routine, given, tuple(needs), choice, at)

    def pair_of(self, way: Way) -> tuple[tuple[int, ...], int] | None:
        """The needs and the second choice of a routine whose two choices are made as one."""
        if not self.plan.flavour.flat or way.choice is None:
            return None
        first = self.mc.nodes[way.choice]
        assert isinstance(first, m.Decide)
        pair = second_choice(self.mc, first)
        if pair is None:
            return None
        second = self.mc.nodes[pair[1]]
        assert isinstance(second, m.Decide)
        slots, regs, self.slots, self.regs = self.slots, self.regs, {}, {}
        r = self.worthwhile(second.source, second.reg, second.where)
        ready = self.worthwhile(first.source, first.reg, first.where) is not None
        self.slots, self.regs = slots, regs
        return pair if r is not None and ready else None

    # ---- frames that are only thought of

    @contextmanager
    def virtual(self, slots: Mapping[int, Value | Thought]) -> Iterator[None]:
        """Words of the frame are these values, and zero; nothing is written."""
        before = self.slots
        self.slots = Zeros(slots)
        yield
        self.slots = before

    @contextmanager
    def with_slot(self, slot: int, value: Value | Thought) -> Iterator[None]:
        before = self.slots
        self.slots = Zeros({**before, slot: value}) if isinstance(before, Zeros) else {**before, slot: value}
        yield
        self.slots = before

    # ---- trials without a copy

    def stretch(self, number: int) -> None:
        """Leaves whether a pure stretch from a node comes to its first stop. A fault hides nothing: 1."""
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
                once = isinstance(value, m.Best) and uses(self.mc, following, slot) <= 1
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

    # ---- the options of a plain choice

    def choices(
        self,
        number: int,
        node: m.Decide,
        lo: int,
        size: int,
        found: Found,
        found_set: FoundSet | None = None,
    ) -> None:
        """Emits `found` for the bit of every value that can be chosen, some perhaps twice.

        Or `found_set`, if they are found as a set that needs no trials.
        """
        b = self.b
        self.node = number
        seat = self.num(node.seat)
        may_be_nobody = seat[0] < 0
        if may_be_nobody:
            b.i32(NONE)
            b.op("i32.ne")
            b.when()
        else:
            b.op("drop")

        def one(value: Value, _: Value) -> None:
            with self.reg(node.reg, value), self.sharing(node.where):
                known = self.constant(node.where) if node.where is not None else 1
                if known == 0:
                    return
                if known is None:
                    assert node.where is not None
                    self.num(node.where)
                    b.when()
            tried = node.trial and not is_settled(self.mc, node.next)
            if tried:
                self.attempt(number, node, value)
                b.when()
            self._bit(value, lo, size, found)
            if tried:
                b.end()
            if known is None:
                b.end()

        tried = node.trial and not is_settled(self.mc, node.next)
        r = self.worthwhile(node.source, node.reg, node.where)
        if r is not None and found_set is not None and not tried:
            bits = self.chosen_bits(node.source, node.reg, node.where, r)
            found_set(bits, r)
            self.free(bits)
            if may_be_nobody:
                b.end()
            return
        if r is not None:
            self._choices_of_set(number, node, r, lo, size, found)
            if may_be_nobody:
                b.end()
            return
        cost = 30 + (40 if node.trial and not is_settled(self.mc, node.next) else 0)
        with self.hoisting(node.reg, node.where):
            self.each(node.source, one, cost)
        if may_be_nobody:
            b.end()

    def _choices_of_set(
        self, number: int, node: m.Decide, r: Range, lo: int, size: int, found: Found
    ) -> None:
        """The values that meet the condition are found as a set, and each of them is tried."""
        b = self.b
        bits = self.chosen_bits(node.source, node.reg, node.where, r)

        def one(value: Held) -> None:
            tried = node.trial and not is_settled(self.mc, node.next)
            if tried:
                self.attempt(number, node, value)
                b.when()
            self._bit(value, lo, size, found)
            if tried:
                b.end()

        self.each_bit(bits, r, one)
        self.free(bits)

    def _bit(self, value: Value, lo: int, size: int, found: Found) -> None:
        b = self.b
        if isinstance(value, Known):
            if size > (1 << 30) or 0 <= value.value - lo < size:
                found(Known(value.value - lo))
            return
        if size > (1 << 30):
            found(value)
            return
        with b.borrowed(I32) as (bit,):
            b.get(value.local)
            if lo:
                b.i32(lo)
                b.op("i32.sub")
            b.set(bit)
            inside = lo <= value.span[0] and value.span[1] < lo + size
            if not inside:
                b.get(bit)
                b.i32(size)
                b.op("i32.lt_u")
                b.when()
            found(Held(bit, (0, size - 1)))
            if not inside:
                b.end()

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
        """Leaves whether a run of the copy from a node does not fail, and gives the copy back."""
        b = self.b
        self.global_add("trial", 1)
        b.get(t)
        b.i32(self.plan.leader[target])
        b.call(self.region_function(target))
        b.i32(FAIL)
        b.op("i32.ne")
        self.global_add("trial", -1)
        b.get(t)
        b.gset(GLOBAL["top"])

    def region_function(self, target: int) -> int:
        """The function that runs a node's region: state and leader to a code or node."""
        return self.plan.function(f"region {self.plan.region_of[target]}", (I32, I32))

    # ---- the options of a thing to do

    def part(
        self,
        number: int,
        index: int,
        found: Found,
        buffer: Callable[[], None] | None,
        found_set: FoundSet | None = None,
    ) -> None:
        """Emits `found` for the bits of one part of an offer.

        `buffer` leaves the address of the part's words, or of none; what a function has to find out goes
        there and `found` is not used.
        """
        b = self.b
        node = self.mc.nodes[number]
        assert isinstance(node, m.Offer)
        self.node = number
        part, doing = self.menu_of(number).parts[index], node.what[index]
        who = self.held(node.seat)
        nobody = who.span[0] < 0
        if nobody:
            self.put(who)
            b.i32(NONE)
            b.op("i32.ne")
            b.when()
        if isinstance(doing, m.DoRoutine):
            arguments = [self.held(a) for a in doing.arguments]
            way = part.ways[0]
            if is_pure(self.mc, way):
                slots = {m.ME: who, m.SELF: Known(NONE)}
                slots |= {m.FRAME + i: a for i, a in enumerate(arguments)}
                with self.virtual(slots):
                    self.way_options(way, part, found, found_set)
            else:
                assert buffer is not None
                self._by_function(number, part, way, who, Known(NONE), arguments, buffer)
            self.drop(*arguments)
        else:
            assert buffer is not None
            self._cell_options(number, part, doing, who, buffer)
        if nobody:
            b.end()
        self.drop(who)

    def way_options(self, way: Way, part: Part, found: Found, found_set: FoundSet | None = None) -> None:
        """The options of a routine in whose frame (thought of or real) the code runs."""
        b = self.b
        failed = b.block()
        begin = b.block()
        bad = b.block()
        with self.faulting(bad, quiet=True):
            for number in way.needs:
                need = self.mc.nodes[number]
                assert isinstance(need, m.Need)
                self.node = number
                self.num(need.condition)
                b.op("i32.eqz")
                b.br_if(failed)
        b.br(begin)
        b.end()
        found(Known(part.size))
        b.br(failed)
        b.end()
        if way.choice is not None:
            choice = self.mc.nodes[way.choice]
            assert isinstance(choice, m.Decide)
            self.choices(way.choice, choice, part.lo, part.size, found, found_set)
        elif is_pure_stretch(self.mc, way.begin):
            self.stretch(way.begin)
            b.when()
            found(Known(part.size))
            b.end()
        else:
            self._whole(way)
            b.when()
            found(Known(part.size))
            b.end()
        b.end()

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

    def _by_function(
        self,
        number: int,
        part: Part,
        way: Way,
        who: Value,
        actor: Value,
        arguments: list[Value],
        buffer: Callable[[], None],
    ) -> None:
        """A frame is laid on the stack, its options are found by a function, and it is taken away."""
        b = self.b
        self.push_frame(number, way.routine, who, actor, arguments, OK)
        with b.borrowed(I32) as (status,):
            b.get(self.s)
            buffer()
            b.call(self.way_function(way, part))
            b.set(status)
            self.pop_frame(number, len(arguments))
            b.get(status)
            b.i32(0)
            b.op("i32.lt_s")
            b.when()
            assert self.fault_label is not None
            b.br(self.fault_label)
            b.end()
            self.counted(status)

    def counted(self, status: int) -> None:
        """A function has found so many options."""
        raise NotImplementedError

    def way_function(self, way: Way, part: Part) -> int:
        name = f"way {way.routine} {way.given} {part.lo} {part.size}"
        self.plan.ways[name] = (way, part)
        return self.plan.function(name, (I32, I32))

    def _cell_options(
        self, number: int, part: Part, doing: m.DoCell, who: Value, buffer: Callable[[], None]
    ) -> None:
        """One block for each cell that can stand there."""
        actor = self.held(doing.actor)

        def one(routine: int, arguments: list[Value]) -> None:
            way = next(x for x in part.ways if (x.routine, x.given) == (routine, len(arguments)))
            self._by_function(number, part, way, who, actor, arguments, buffer)

        self.each_cell(doing.cell, one)
        self.drop(actor)

    def each_cell(self, cell: m.Expr, one: Callable[[int, list[Value]], None]) -> None:
        """Emits `one` for each routine and number of arguments that a cell may name; none does nothing."""
        b = self.b
        cells = self.mc.cells
        known = self.constant(cell)
        if known is not None:
            if known != NONE:
                one(cells[known][0], [Known(a) for a in cells[known][1]])
            return
        kinds = list(dict.fromkeys((r, len(a)) for r, a in cells))
        most = max((k for _, k in kinds), default=0)
        with b.borrowed(I32) as (c,):
            self.num(cell)
            b.tee(c)
            b.i32(NONE)
            b.op("i32.ne")
            b.when()
            tables = [self.plan.table(a[i] if i < len(a) else 0 for _, a in cells) for i in range(most)]
            kind_of = self.plan.table(kinds.index((r, len(a))) for r, a in cells)
            arguments: list[Value] = []
            for i, table in enumerate(tables):
                local = b.local()
                b.get(c)
                self.look_up(table)
                b.set(local)
                given = [a[i] for _, a in cells if i < len(a)]
                arguments.append(Held(local, (min(given), max(given))))
            out = b.block()
            labels = [b.block() for _ in kinds]
            b.get(c)
            self.look_up(kind_of)
            b.br_table(labels[::-1], labels[-1])
            for routine, given_ in kinds:
                b.end()
                one(routine, arguments[:given_])
                b.br(out)
            b.end()
            self.drop(*arguments)
            b.end()

    # ---- frames

    def push_frame(
        self, number: int, routine: int, me: Value, actor: Value, arguments: list[Value], back: int
    ) -> None:
        """A new frame on top of the running one becomes the running one; `frame` stays."""
        b = self.b
        size = 4 * self.plan.size_at[number]
        if self.plan.recursive:
            self._check_depth(size, routine)
        with b.borrowed(I32) as (fp,):
            b.get(self.s)
            b.load(4 * m.FP)
            b.set(fp)
            words: list[tuple[int, Value]] = [
                (m.RETURN, Known(back)),
                (m.CALLER, Held(fp, WIDE)),
                (m.ME, me),
                (m.SELF, actor),
            ]
            words += [(m.FRAME + i, a) for i, a in enumerate(arguments)]
            for slot, value in words:
                b.get(self.frame)
                self.put(value)
                b.store(size + 4 * slot)
            b.get(self.s)
            b.get(fp)
            b.i32(self.plan.size_at[number])
            b.op("i32.add")
            b.store(4 * m.FP)

    def _check_depth(self, size: int, routine: int) -> None:
        """The frame's end must lie within the stack."""
        b, mc = self.b, self.mc
        b.get(self.frame)
        b.i32(size + 4 * mc.routines[routine].size)
        b.op("i32.add")
        b.get(self.s)
        b.op("i32.sub")
        if mc.branches:
            b.i32(4 * (mc.stack + mc.stack_size))
            b.get(self.s)
            b.load(4 * m.RUNNING)
            b.i32(4 * mc.branch_size)
            b.op("i32.mul")
            b.i32(4 * mc.branch_stack)
            b.op("i32.add")
            b.get(self.s)
            b.load(4 * m.RUNNING)
            b.op("i32.eqz", "select")
        else:
            b.i32(4 * (mc.stack + mc.stack_size))
        b.op("i32.gt_s")
        b.when()
        self.fault(TOO_DEEP, routine)
        b.end()

    def pop_frame(self, number: int, arguments: int) -> None:
        """The frame that was pushed last is gone; the words that pushing wrote are zero."""
        b = self.b
        self.zero(self.frame, 4 * self.plan.size_at[number], m.FRAME + arguments)
        b.get(self.s)
        b.get(self.s)
        b.load(4 * m.FP)
        b.i32(self.plan.size_at[number])
        b.op("i32.sub")
        b.store(4 * m.FP)

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


class Zeros(dict[int, Value | Thought]):
    """Words of a frame that is only thought of: those not named are zero."""

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: int) -> Value | Thought:
        return Known(0)

    def get(self, key: int, default: object = None) -> Value | Thought:
        return self[key]
