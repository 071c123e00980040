"""Functions over a state: the context that each begins with; those of regions, options and triggers."""

from __future__ import annotations

from functools import partial

from interpreter import machine as m
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.codes import FAULT
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import Plan
from interpreter.wasm.emit.regions import Region
from interpreter.wasm.emit.shape import Part, Way
from interpreter.wasm.lower import (
    arithmetic,
    bitset_conditions,
    collections,
    expressions,
    folds,
    option_parts,
    options,
    speculation,
    triggers,
)
from interpreter.wasm.lower.context import FunctionContext, Lowering
from interpreter.wasm.lower.control import Regions
from interpreter.wasm.lower.drivers import Playout, Referee, Stepper
from interpreter.wasm.lower.frames import InMemory
from interpreter.wasm.lower.values import Value

LOWERING = Lowering(
    num=expressions.num,
    compare=folds.compare,
    logic=folds.logic,
    fold=folds.fold,
    best=folds.best,
    contains=folds.contains,
    size=folds.size,
    can=speculation.can_be_done,
    domain=collections.domain,
    each=bitset_conditions.each,
    keep=bitset_conditions.keep,
    source_bits=bitset_conditions.source_bits,
    choices=options.choices,
)


def function_context(plan: Plan, body: Body) -> FunctionContext:
    """A function over a state, with its frames in memory."""
    fx = FunctionContext(plan, body, LOWERING)
    fx.frames, fx.driver = InMemory(fx), Referee(fx)
    return fx


def region_function(plan: Plan, region: Region, index: int) -> Regions:
    """(s, leader): the function of a region, whose code is not written yet."""
    fx = function_context(plan, plan.body(f"region {index}", (I32, I32)))
    fx.routine = region.routine
    fx.control = control = Regions(fx, region)
    if not plan.flavour.stops:
        fx.driver = Playout(fx)
    elif not plan.flavour.bare:
        fx.driver = Stepper(fx)
    return control


def measuring(plan: Plan) -> FunctionContext:
    """A function that is only asked, and never becomes part of a module."""
    fx = function_context(plan, Body((I32,), (I32,)))
    fx.fault_label = fx.b.block()
    fx.load_frame()
    return fx


def write_menu(plan: Plan, number: int) -> None:
    """(s, buffer): what is offered at a node goes to the buffer; how many there are.

    Without a buffer: 1 if there is any. A fault's code if there is one.
    """
    b = plan.body(f"menu {number}", (I32, I32))
    fx = function_context(plan, b)
    fx.any_buffer = 1
    fx.load_frame()
    node = plan.machine.decision(number)
    fx.routine = plan.regions[plan.region_of[number]].routine
    menu = option_parts.menu_of(fx, number)
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        b.get(1)
        b.when()
        fx.zero(1, 0, 2 * menu.words)
        b.end()
        if isinstance(node, m.Decide):
            part = menu.parts[0]
            fx.choices(number, node, part.lo, part.size, options.bit_to(fx, 1, part))
        else:
            for i, part in enumerate(menu.parts):
                options.part_options(
                    fx, number, i, options.bit_to(fx, 1, part), partial(_behind, b, 1, 8 * part.first)
                )
    b.get(1)
    b.op("i32.eqz")
    b.give_if(0)
    options.count_bits(fx, 1, menu.words)
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
    fx = function_context(plan, b)
    fx.any_buffer = 1
    fx.load_frame()
    fx.routine = way.routine
    alone = Part(part.lo, part.size, 0, part.ways)
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        options.way_options(fx, way, alone, options.bit_to(fx, 1, alone))
    b.give(0)
    b.end()
    b.i32(FAULT)


def write_changes(plan: Plan, number: int) -> None:
    """(s): whether the condition of a trigger is another than noted for any binding."""
    b = plan.body(f"changes {number}")
    fx = function_context(plan, b)
    fx.load_frame()
    trigger = plan.machine.triggers[number]
    bad = b.block()

    def one(held: tuple[int, int], condition: m.Expr, _: tuple[Value, ...]) -> None:
        arithmetic.truth(fx, condition)
        b.get(held[0])
        b.load(held[1])
        b.op("i32.ne")
        b.give_if(1)

    with fx.faulting(bad, quiet=False):
        triggers.each_binding(fx, trigger, one)
        b.give(0)
    b.end()
    b.i32(FAULT)
