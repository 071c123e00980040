"""Functions that fill menus."""

from __future__ import annotations

from functools import partial

from interpreter import machine as m
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.codes import FAULT
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import Plan
from interpreter.wasm.emit.shape import Part, Way
from interpreter.wasm.lower.numbers.values import Value
from interpreter.wasm.lower.offers.menus import Menus
from interpreter.wasm.lower.offers.trials import Found


class Function(Menus):
    """A function over a state and its running frame, with a way out for faults."""

    def __init__(self, plan: Plan, body: Body) -> None:
        super().__init__(plan, body)
        self.any_buffer: int | None = None

    def give_fault(self) -> None:
        self.b.i32(FAULT)

    def unless_fault(self, found: int) -> None:
        """The number on the stack goes to a local; if it is that of a fault, the function gives it too."""
        b = self.b
        b.tee(found)
        b.i32(0)
        b.op("i32.lt_s")
        b.give_if(FAULT)

    def counted(self, status: int) -> None:
        """Another function has put options into the buffer, or, without one, has found some."""
        b = self.b
        if self.any_buffer is not None:
            b.get(self.any_buffer)
            b.op("i32.eqz")
            b.get(status)
            b.op("i32.and")
            b.give_if(1)

    def bit_to(self, buffer: int, part: Part) -> Found:
        """Sets bits in the words behind the address in a local; without one the first is enough."""
        b = self.b

        def found(bit: Value) -> None:
            b.get(buffer)
            b.op("i32.eqz")
            b.give_if(1)
            self.set_bit(buffer, 8 * part.first, bit)

        return found

    def set_bit(self, buffer: int, offset: int, bit: Value) -> None:
        b = self.b
        with b.borrowed(I32) as (at,):
            b.get(buffer)
            self.put(bit)
            b.i32(6)
            b.op("i32.shr_u")
            b.i32(3)
            b.op("i32.shl", "i32.add")
            b.tee(at)
            b.get(at)
            b.mem("i64.load", offset)
            b.i64(1)
            self.put(bit)
            b.op("i64.extend_i32_u", "i64.shl", "i64.or")
            b.mem("i64.store", offset)

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


def measuring(plan: Plan) -> Function:
    """A function that is only asked, and never becomes part of a module."""
    f = Function(plan, Body((I32,), (I32,)))
    f.fault_label = f.b.block()
    f.load_frame()
    return f


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
    f.routine = plan.regions[plan.region_of[number]].routine
    menu = f.menu_of(number)
    bad = b.block()
    with f.faulting(bad, quiet=False):
        b.get(1)
        b.when()
        f.zero(1, 0, 2 * menu.words)
        b.end()
        if isinstance(node, m.Decide):
            part = menu.parts[0]
            f.choices(number, node, part.lo, part.size, f.bit_to(1, part))
        else:
            for i, part in enumerate(menu.parts):
                f.part(number, i, f.bit_to(1, part), partial(_behind, b, 1, 8 * part.first))
    b.get(1)
    b.op("i32.eqz")
    b.give_if(0)
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
    f.routine = way.routine
    alone = Part(part.lo, part.size, 0, part.ways)
    bad = b.block()
    with f.faulting(bad, quiet=False):
        f.way_options(way, alone, f.bit_to(1, alone))
    b.give(0)
    b.end()
    b.i32(FAULT)
