"""What is offered at decisions: a bit for each option, set if it can be carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.emit.codes import OK
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.purity import is_pure, is_pure_stretch, is_settled
from interpreter.wasm.emit.shape import Part, Way
from interpreter.wasm.lower.numbers.values import Held, Known, Value
from interpreter.wasm.lower.offers.shapes import Shaping
from interpreter.wasm.lower.offers.trials import Found, FoundSet
from interpreter.wasm.lower.sets.ranges import Range


class Menus(Shaping):
    """Adds the search for what is offered."""

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

        Or `found_set`, if they are found as a set that needs no trials. Where the first value may be enough,
        no condition that may come to a fault is asked of a later one before.
        """
        self.node = number
        with self._somebody(node.seat):
            r = self.worthwhile(node.source, node.reg, node.where)
            if r is not None and found_set is None:
                vain = partial(self.in_vain, node.source, node.reg, node.where, r)
                r = None if self.comes_to_faults(vain) else r
            if r is None:
                self._choices_one_by_one(number, node, lo, size, found)
            elif found_set is None or self._is_tried(node):
                self._choices_of_set(number, node, r, lo, size, found)
            else:
                bits = self.chosen_bits(node.source, node.reg, node.where, r)
                found_set(bits, r)
                self.free(bits)

    @contextmanager
    def _somebody(self, seat: m.Expr) -> Iterator[None]:
        """Nothing of what is written within happens if the seat is nobody."""
        b = self.b
        span = self.num(seat)
        if span[0] >= 0:
            b.op("drop")
            yield
            return
        b.i32(NONE)
        b.op("i32.ne")
        b.when()
        yield
        b.end()

    def _is_tried(self, node: m.Decide) -> bool:
        """Whether only a trial tells if a value can be chosen."""
        return node.trial and not is_settled(self.mc, node.next)

    def _offered(self, number: int, node: m.Decide, value: Value, lo: int, size: int, found: Found) -> None:
        """The bit of a value that meets the condition, if its trial succeeds."""
        tried = self._is_tried(node)
        if tried:
            self.attempt(number, node, value)
            self.b.when()
        self._bit(value, lo, size, found)
        if tried:
            self.b.end()

    def _choices_one_by_one(self, number: int, node: m.Decide, lo: int, size: int, found: Found) -> None:
        """Each value is looked at: whether it meets the condition, then whether its trial succeeds."""

        def one(value: Value, _: Value) -> None:
            with self.reg(node.reg, value), self.sharing(node.where):
                known = self.constant(node.where) if node.where is not None else 1
                if known == 0:
                    return
                if known is None:
                    assert node.where is not None
                    self.num(node.where)
                    self.b.when()
            self._offered(number, node, value, lo, size, found)
            if known is None:
                self.b.end()

        with self.hoisting(node.reg, node.where):
            self.each(node.source, one, 70 if self._is_tried(node) else 30)

    def _choices_of_set(
        self, number: int, node: m.Decide, r: Range, lo: int, size: int, found: Found
    ) -> None:
        """The values that meet the condition are found as a set, and each of them is tried."""
        bits = self.chosen_bits(node.source, node.reg, node.where, r)

        def one(value: Held) -> None:
            self._offered(number, node, value, lo, size, found)

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
        self.worked_out()
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
