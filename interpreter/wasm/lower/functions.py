"""Functions over a state: the context that each begins with; those of regions, options and triggers."""

from __future__ import annotations

from dataclasses import replace

from interpreter import ir
from interpreter.ir.basic_blocks import CodeRegion
from interpreter.wasm.abi import FAULT
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import STACK, select
from interpreter.wasm.lower import (
    arithmetic,
    best_values,
    bitset_conditions,
    bitset_joins,
    collections,
    expressions,
    folds,
    held_sets,
    membership,
    option_layouts,
    options,
    speculation,
    triggers,
)
from interpreter.wasm.lower.context import FunctionContext, LoweringTable
from interpreter.wasm.lower.control import RegionControl
from interpreter.wasm.lower.drivers import RegionPlayout, RegionReferee, RegionStepper
from interpreter.wasm.lower.frames import InMemory
from interpreter.wasm.lower.located import LocatedContext, located
from interpreter.wasm.lower.option_sinks import options_behind
from interpreter.wasm.lower.values import InLocal, Value
from interpreter.wasm.option_layout import OptionPart, RoutineEntry
from interpreter.wasm.sets import choosing

LOWERING = LoweringTable(
    num=expressions.num,
    compare=folds.compare,
    logic=folds.logic,
    fold=folds.fold,
    best=best_values.best,
    contains=membership.contains,
    size=folds.size,
    mask=held_sets.mask,
    can=speculation.can_be_done,
    domain=collections.domain,
    each=bitset_conditions.each,
    keep=bitset_conditions.keep,
    form=choosing.form_of,
    joins=bitset_joins.joins,
    source_bits=bitset_conditions.source_bits,
    choices=options.choices,
)


def function_context(builder: ModuleBuilder, body: Body) -> FunctionContext:
    """A function over a state, with its frames in memory."""
    fx = (
        FunctionContext(builder, body, LOWERING)
        if builder.marks is None
        else LocatedContext(builder, body, located(LOWERING, builder.marks))
    )
    fx.frames, fx.driver = InMemory(fx), RegionReferee(fx)
    fx.one_by_one = builder.config.explains
    return fx


def region_function(builder: ModuleBuilder, region: CodeRegion, index: int) -> RegionControl:
    """(s, leader): the function of a region, whose code is not written yet."""
    fx = function_context(builder, builder.body(f"region {index}", (I32, I32)))
    fx.routine = region.routine
    fx.control = control = RegionControl(fx, region)
    if not builder.config.stops:
        fx.driver = RegionPlayout(fx)
    elif not builder.config.bare:
        fx.driver = RegionStepper(fx)
    return control


def measuring(builder: ModuleBuilder) -> FunctionContext:
    """A function that is only asked, and never becomes part of a module."""
    fx = function_context(builder, builder.new_body((I32,), (I32,)))
    fx.fault_label = fx.b.block()
    fx.load_frame()
    return fx


def write_option_mask(builder: ModuleBuilder, number: int) -> None:
    """menu(s, buffer): what is offered at a node goes to the buffer; how many there are.

    Without a buffer: 1 if there is any. A fault's code if there is one.
    """
    b = builder.body(f"menu {number}", (I32, I32))
    buffer = b.arguments()[1]
    fx = function_context(builder, b)
    fx.any_buffer, fx.offering = b.arguments()[1], True
    fx.load_frame()
    node = builder.machine.decision(number)
    fx.routine = builder.regions[builder.region_of[number]].routine
    layout = option_layouts.layout_of(fx, number)
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        with b.if_(buffer):
            fx.zero(buffer, 0, 2 * layout.words)
        if isinstance(node, ir.Decide):
            part = layout.parts[0]
            fx.choices(number, node, options_behind(fx, part, (buffer, 8 * part.first)))
        else:
            for part in layout.parts:
                part_buffer = select(buffer + 8 * part.first, 0, buffer)
                to = options_behind(fx, part, (buffer, 8 * part.first))
                options.part_options(fx, number, part.index, to, part_buffer)
    b.ret_if(0, buffer.eqz())
    b.ret(options.count_bits(fx, buffer, layout.words))
    b.end()
    b.push(FAULT)


def write_entry(builder: ModuleBuilder, name: str, entry: RoutineEntry, part: OptionPart) -> None:
    """(s, buffer): what a routine offers in the running frame; without a buffer 1 if there is any."""
    b = builder.body(name, (I32, I32))
    fx = function_context(builder, b)
    fx.any_buffer, fx.offering = b.arguments()[1], True
    fx.load_frame()
    fx.routine = entry.routine
    fx.untried = fx.divided = name.startswith("candidates ")
    alone = replace(part, first=0)
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        options.entry_options(fx, entry, options_behind(fx, alone, (fx.any_buffer, 0)))
    b.ret(0)
    b.end()
    b.push(FAULT)


def write_candidate(builder: ModuleBuilder, number: int) -> None:
    """(s, value): whether a value can be chosen at a decision of the running frame's routine."""
    b = builder.body(f"candidate {number}", (I32, I32))
    fx = function_context(builder, b)
    fx.offering = True
    fx.load_frame()
    fx.routine = builder.regions[builder.region_of[number]].routine
    node = builder.machine.node(number, ir.Decide)
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        value = InLocal(b.arguments()[1], option_layouts.values_of(fx, node))
        speculation.try_value(fx, number, node, value)
        b.ret(STACK)
    b.end()
    b.push(FAULT)


def write_changes(builder: ModuleBuilder, number: int) -> None:
    """(s): whether the condition of a trigger is another than noted for any binding."""
    b = builder.body(f"changes {number}")
    fx = function_context(builder, b)
    fx.load_frame()
    trigger = builder.machine.triggers[number]
    bad = b.block()

    def return_if_changed(held: triggers.Held, condition: ir.Expr, _: tuple[Value, ...]) -> None:
        at, offset = held
        arithmetic.truth(fx, condition)
        b.ret_if(1, STACK.ne(at.load(offset)))

    with fx.faulting(bad, quiet=False):
        triggers.each_binding(fx, trigger, return_if_changed)
        b.ret(0)
    b.end()
    b.push(FAULT)
