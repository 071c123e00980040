"""What a host without Python asks of a position: targets of offers, outcomes of chance, candidates.

The answers lie at `out`. The state that is asked about stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.number_ranges import ranges_of
from interpreter.wasm.abi import FAULT, NO_ROOM
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import MOST_OUT, ModuleBuilder
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const
from interpreter.wasm.lower import addresses, const_eval
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.values import Value
from interpreter.wasm.runtime.entry_points import back_to_main, decision_at
from interpreter.wasm.runtime.runs import reset_run

ROUTINE, ACTOR, GIVEN, ARGUMENTS = range(4)
"""Words of a row of `doings`: the routine or -1, `self`, the number of arguments, the arguments."""


def write_questions(builder: ModuleBuilder) -> None:
    _write_targets(builder)
    _write_listed(builder)
    _write_doings(builder)
    _write_outcomes(builder)


def most_given(mc: ir.Machine) -> int:
    """The most arguments that a target of an offer is given."""
    offers = [n for n in mc.nodes if isinstance(n, ir.Offer)]
    given = [len(x.arguments) for n in offers for x in n.what if isinstance(x, ir.DoRoutine)]
    return max([0, *given, *(len(arguments) for _, arguments in mc.cells)])


def row_words(mc: ir.Machine) -> int:
    """Words of a row of `doings`."""
    return ARGUMENTS + most_given(mc)


def cases(
    fx: FunctionContext, selector: Operand, numbers: Sequence[int], write: Callable[[int], None]
) -> None:
    """The code of each number, which returns; the selector is the place of one of them in the row."""
    b = fx.b
    if not numbers:
        return
    labels = [b.block() for _ in numbers][::-1]
    b.push(selector)
    b.br_table(labels, labels[0])
    for number in numbers:
        b.end()
        at_node(fx, number)
        write(number)
    b.unreachable()


def at_node(fx: FunctionContext, number: int) -> None:
    """The code that follows runs in the frame of a node."""
    fx.node, fx.routine = number, fx.builder.regions[fx.builder.region_of[number]].routine


def place_in(builder: ModuleBuilder, node: Operand, numbers: Sequence[int], otherwise: int = 0) -> Operand:
    """The place of a node in a row of numbers."""
    places = {number: i for i, number in enumerate(numbers)}
    return node.entry_of(builder.table(places.get(i, otherwise) for i in range(len(builder.machine.nodes))))


def nodes_of(builder: ModuleBuilder, kind: type[ir.Node]) -> list[int]:
    """The numbers of the nodes of a kind that can be reached."""
    nodes = enumerate(builder.machine.nodes)
    return [i for i, node in nodes if isinstance(node, kind) and builder.region_of[i] >= 0]


def _asking(builder: ModuleBuilder, name: str) -> FunctionContext:
    """(s, node): a function that looks at the running frame of a state."""
    fx = function_context(builder, builder.body(name, (I32, I32)))
    fx.load_frame()
    return fx


# ---- targets


def _write_targets(builder: ModuleBuilder) -> None:
    """targets(s, node): writes the row of each target of an offer to `out`; their number, or FAULT."""
    fx = _asking(builder, "targets")
    b, offers = fx.b, nodes_of(builder, ir.Offer)

    def one(number: int) -> None:
        node = fx.mc.node(number, ir.Offer)
        for i, doing in enumerate(node.what):
            _row(fx, doing, builder.out + 4 * row_words(fx.mc) * i)
        b.ret(len(node.what))

    bad = b.block()
    with fx.faulting(bad, quiet=False):
        cases(fx, place_in(builder, b.arguments()[1], offers), offers, one)
    b.end()
    b.push(FAULT if offers else 0)


def _row(fx: FunctionContext, doing: ir.Doing, at: int) -> None:
    b = fx.b
    if isinstance(doing, ir.DoRoutine):
        for word, known in ((ROUTINE, doing.routine), (ACTOR, NONE), (GIVEN, len(doing.arguments))):
            b.write(const(0), known, at + 4 * word)
        for i, argument in enumerate(doing.arguments):
            b.push(0)
            fx.num(argument)
            b.write(STACK, STACK, at + 4 * (ARGUMENTS + i))
        return
    builder, cells = fx.builder, fx.mc.cells
    most = max((len(arguments) for _, arguments in cells), default=0)
    with b.temporaries(I32) as (cell,):
        fx.evaluate(cell, doing.cell)
        b.write(const(0), -1, at)
        with b.if_(cell.ne(NONE)):
            rows: dict[int, Operand] = {
                ROUTINE: cell.entry_of(builder.table(routine for routine, _ in cells)),
                GIVEN: cell.entry_of(builder.table(len(arguments) for _, arguments in cells)),
            }
            for i in range(most):
                values = builder.table(x[i] if i < len(x) else 0 for _, x in cells)
                rows[ARGUMENTS + i] = cell.entry_of(values)
            for word, value in rows.items():
                b.write(const(0), value, at + 4 * word)
            b.push(0)
            fx.num(doing.actor)
            b.write(STACK, STACK, at + 4 * ACTOR)


def _write_doings(builder: ModuleBuilder) -> None:
    """doings(s, branch): the targets of the offer that waits, at `out`; their number, or FAULT."""
    b = builder.body("doings", (I32, I32), (I32,), export=True)
    s, branch = b.arguments()
    node, found = b.variables(I32, I32)
    reset_run(builder, b)
    decision_at(builder, b, branch, node)
    offers = builder.table(int(isinstance(n, ir.Offer)) for n in builder.machine.nodes)
    b.assign(found, 0)
    with b.if_(node.entry_of(offers)):
        b.assign(found, builder.call("targets", s, node))
    back_to_main(builder, b)
    b.push(found)


# ---- candidates


def _write_listed(builder: ModuleBuilder) -> None:
    """listed(s, node): writes the values that a refusal can tell of to `out`; their number, or FAULT.

    Of very many numbers it writes the ranges: the first, the last and the step of each.
    """
    fx = _asking(builder, "listed")
    b, choices = fx.b, nodes_of(builder, ir.Decide)
    count = b.local()

    def add(value: Value, _: Value) -> None:
        with b.if_(count.ge_s(MOST_OUT)):
            fx.fault(NO_ROOM)
        b.write(count << 2, value.operand, builder.out)
        b.assign(count, count + 1)

    def one(number: int) -> None:
        node = fx.mc.node(number, ir.Decide)
        source = node.source if node.wider is None else node.wider.source
        if node.ranges:
            assert node.bounds is not None
            words = [e for ends in ranges_of(source, node.reg, (), node.bounds) for e in ends]
            for i, e in enumerate(words):
                b.push(0)
                fx.num(e)
                b.write(STACK, STACK, builder.out + 4 * i)
            b.ret(len(words))
            return
        fx.each(source, add, 30)
        b.ret(count)

    bad = b.block()
    with fx.faulting(bad, quiet=False):
        cases(fx, place_in(builder, b.arguments()[1], choices), choices, one)
    b.end()
    b.push(FAULT)


# ---- outcomes


def _write_outcomes(builder: ModuleBuilder) -> None:
    """odds(s): pairs of an outcome and its weight, at `out`; their number, or FAULT."""
    b = builder.body("odds", (I32,), (I32,), export=True)
    fx = function_context(builder, b)
    reset_run(builder, b)
    fx.load_frame()
    chances = nodes_of(builder, ir.Chance)
    equal, bad = b.block(I32), b.block()

    def one(number: int) -> None:
        node = fx.mc.node(number, ir.Chance)
        if node.place is not None:
            _pieces_to_draw(fx, node.place)
            return
        if node.picked is not None:
            _values_to_draw(fx, node.picked)
            return
        if node.most is not None:
            fx.num(node.most)
        else:
            b.push(node.faces or 0)
        b.br(equal)

    with fx.faulting(bad, quiet=False):
        cases(fx, place_in(builder, b.state.load(4 * ir.PC), chances), chances, one)
        b.end()
        b.ret(FAULT)
        b.end()
        _all_equal(fx)


def _all_equal(fx: FunctionContext) -> None:
    """Writes as many outcomes as the stack says, of weight 1 each."""
    b = fx.b
    total, i = b.variables(I32, I32)
    with b.if_(total.tee(STACK).gt_s(MOST_OUT // 2)):
        b.push(fx.builder.call("fault", NO_ROOM, b.state.load(4 * ir.PC), 0, 0, 0, results=()))
        b.ret(FAULT)
    b.assign(i, 0)
    with b.until(i.ge_s(total)):
        _pair(fx, i, i, const(1))
        b.assign(i, i + 1)
    b.push(total)


def _pieces_to_draw(fx: FunctionContext, place: ir.Expr) -> None:
    """Returns after writing the classes on a place with their numbers."""
    b = fx.b
    where = const_eval.operand(fx, place)
    at, classes, i, total = b.variables(I32, I32, I32, I32)
    b.assign(at, addresses.place_address(fx, where))
    b.assign(classes, (where.operand * fx.builder.place_row).load(fx.builder.places + 8))
    for variable in (i, total):
        b.assign(variable, 0)
    with b.until(i.ge_s(classes)):
        with b.if_(at.load()):
            _pair(fx, total, i, at.load())
            b.assign(total, total + 1)
        b.assign(at, at + 4)
        b.assign(i, i + 1)
    b.ret(total)
    b.release(at, classes, i, total)
    fx.drop(where)


def _values_to_draw(fx: FunctionContext, total: ir.Fold) -> None:
    """Returns after writing the values of a collection with their weights."""
    b = fx.b
    assert total.body is not None
    body = total.body
    found, weight = b.variables(I32, I32)
    b.assign(found, 0)

    def visit(value: Value, n: Value) -> None:
        with fx.reg(total.reg, value):
            if total.where is not None:
                fx.num(total.where)
            with b.if_(STACK) if total.where is not None else nullcontext():
                fx.num(body)
                with b.if_(weight.tee(STACK * n.operand)):
                    with b.if_(found.ge_s(MOST_OUT // 2)):
                        b.push(
                            fx.builder.call("fault", NO_ROOM, b.state.load(4 * ir.PC), 0, 0, 0, results=())
                        )
                        b.ret(FAULT)
                    _pair(fx, found, value.operand, weight)
                    b.assign(found, found + 1)

    fx.each(total.source, visit, 30)
    b.ret(found)
    b.release(found, weight)


def _pair(fx: FunctionContext, number: Variable, outcome: Operand, weight: Operand) -> None:
    fx.b.write(number << 3, outcome, fx.builder.out)
    fx.b.write(number << 3, weight, fx.builder.out + 4)
