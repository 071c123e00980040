"""Expressions to instructions that leave one 32-bit number on the stack.

Every function returns the interval in which the number lies, so that checks which cannot fail are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import assert_never

from interpreter import ir
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import HEAVY
from interpreter.wasm.emit.operands import STACK, Variable
from interpreter.wasm.lower import (
    addresses,
    arithmetic,
    bitset_loads,
    const_eval,
    coverage,
    held_sets,
    histories,
    presence,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import TRUTH, WIDE, InLocal, Interval, Value

# ---- numbers


def num(fx: FunctionContext, e: ir.Expr) -> Interval:
    """Leaves the value on the stack."""
    known = const_eval.constant(fx, e)
    if known is not None:
        fx.b.push(known)
        return (known, known)
    if fx.hoisted or fx.common:
        place = fx.hoisted.get(id(e)) or _common(fx, e)
        if place is not None:
            return _once(fx, e, place)
    span = evaluated(fx, e)
    return presence.narrowed(fx, e, span) if fx.present else span


def evaluated(fx: FunctionContext, e: ir.Expr) -> Interval:
    """Leaves the value on the stack, evaluated here."""
    match e:
        case ir.Const(value=value):
            fx.b.push(value)
            return (value, value)
        case ir.Reg(index=index):
            return fx.put(fx.regs[index])
        case ir.Local(slot=slot):
            return _local(fx, slot)
        case ir.Head(word=word):
            fx.b.push(fx.word(word))
            return _head_span(fx, word)
        case ir.Load(address=address):
            with fx.where_words(name) if (name := _of_mark(fx, address)) is not None else nullcontext():
                at = const_eval.constant(fx, ir.Spot(address))
                if at is None:
                    offset = addresses.address(fx, address, reads=name is None)
                    fx.b.push(STACK.load(offset))
                else:
                    addresses.note_read(fx, address, reads=name is None)
                    fx.b.push(fx.word(at))
            if name is not None:
                with fx.where_words(name, there=False):
                    bitset_loads.mark_of_place(fx, name, address)
            return addresses.load_span(fx, address)
        case ir.Spot(address=address):
            return addresses.spot(fx, address)
        case ir.Op():
            return arithmetic.operation(fx, e)
        case ir.Not(operand=operand):
            fx.num(operand)
            fx.b.push(STACK.eqz())
            return TRUTH
        case ir.If():
            return arithmetic.choice(fx, e)
        case ir.Let():
            return _let(fx, e)
        case ir.Pick(table=table, index=index_, lo=lo):
            return addresses.pick(fx, table, index_, lo)
        case ir.ClassOf(piece=ir.PieceAt(place=ir.Const(value=at)), classes=classes) if (
            at in fx.builder.solid
        ):
            fx.b.push(addresses.place_word(fx, at) - 1)
            return (0, classes - 1)
        case ir.ClassOf(piece=piece) if (found := addresses.piece_in_loop(fx, piece)) is not None:
            return fx.put(found.class_)
        case ir.PlaceIndex(piece=piece, table=table) if (
            found := addresses.piece_in_loop(fx, piece)
        ) is not None:
            return addresses.index_of(fx, found, table)
        case ir.ClassOf(piece=piece, classes=classes):
            return addresses.of_piece(fx, piece, lambda _: addresses.class_of(fx, classes))
        case ir.PlaceIndex(piece=piece, classes=classes, table=table):
            return addresses.of_piece(
                fx, piece, lambda found: addresses.place_index(fx, classes, table, found)
            )
        case ir.PieceAt(place=place, classes=classes, top=True):
            return addresses.piece_on_top(fx, place, classes)
        case ir.PieceAt(place=place, classes=classes):
            return addresses.piece_at(fx, place, classes)
        case ir.Fold():
            return fx.fold(e)
        case ir.Best():
            return fx.best(e)
        case ir.Contains(item=item, source=source):
            return fx.contains(item, source)
        case ir.Size(source=source):
            return fx.size(source)
        case ir.Mask(source=source, lo=lo):
            return fx.mask(source, lo)
        case ir.Can(what=what):
            return fx.can(what)
        case ir.Times():
            return histories.times(fx, e)
        case ir.Covered(value=value_):
            span = fx.num(value_)
            coverage.note_outcome(fx, e)
            return span
        case ir.CoveredCell(value=value_):
            span = fx.num(value_)
            coverage.note_cell(fx, e)
            return span
    assert_never(e)


def _of_mark(fx: FunctionContext, address: ir.Address) -> str | None:
    """The mark of a word, if it may have no words."""
    words = addresses.words_in_sets(fx, address)
    return words.name if words is not None and words.kind == "mark" else None


def _local(fx: FunctionContext, slot: int) -> Interval:
    if slot in fx.slots:
        return fx.put(fx.slots[slot])
    fx.b.push(fx.frames.word(slot))
    if slot == ir.ME:
        return (0, fx.mc.seats - 1)
    return fx.builder.spans.get((fx.routine, slot), WIDE)


def _head_span(fx: FunctionContext, word: int) -> Interval:
    if word in (ir.ACTIVE,):
        return (0, fx.mc.seats - 1)
    return (-1, fx.mc.seats - 1) if word == ir.ROTATION else WIDE


def _let(fx: FunctionContext, e: ir.Let) -> Interval:
    with within_let(fx, e) as body:
        return fx.num(body)


@contextmanager
def within_let(fx: FunctionContext, e: ir.Let) -> Iterator[ir.Expr]:
    """What stands within a value that is worked out once, or within all words of a set."""
    words = held_sets.let_words(e)
    masks = [word.value for word in words if isinstance(word.value, ir.Mask)]
    if len(masks) > 1 and not any(is_kept(fx, mask) for mask in masks):
        found: list[Value] = [InLocal(x, WIDE) for x in held_sets.mask_words(fx, masks)]
    else:
        words = words[:1]
        found = [const_eval.operand(fx, e.value)]
    with ExitStack() as stack:
        for word, value in zip(words, found, strict=True):
            stack.enter_context(fx.reg(word.reg, value))
        yield words[-1].body
    fx.drop(*found)


# ---- common subexpressions and loop invariants

NOTHING: AbstractContextManager[None] = nullcontext()
"""Nothing is evaluated before it is asked for."""


def common_subexpressions(fx: FunctionContext, *conditions: ir.Expr | None) -> AbstractContextManager[None]:
    """Common subexpressions of the conditions are evaluated once; the code runs from here on."""
    facts, bound = fx.builder, fx.regs.keys()
    parts = [part for condition in conditions if condition is not None for part in facts.heavy(condition)]
    if len(parts) < 2:
        return NOTHING
    times = Counter(id(facts.first_equal(part)) for part in parts if facts.free_registers(part) <= bound)
    twice = [part for part, n in times.items() if n > 1 and part not in fx.common]
    return _evaluated_once(fx, twice) if twice else NOTHING


@contextmanager
def _evaluated_once(fx: FunctionContext, parts: list[int]) -> Iterator[None]:
    with _places(fx, len(parts)) as places:
        before = fx.common
        fx.common = before | dict(zip(parts, places, strict=True))
        yield
        fx.common = before


def loop_invariants(
    fx: FunctionContext, reg: int, *conditions: ir.Expr | None
) -> AbstractContextManager[None]:
    """Loop invariants: what does not depend on the register is evaluated once, when it is first needed."""
    outer = fx.regs.keys() - {reg}
    facts = fx.builder
    parts = [
        part
        for condition in conditions
        if condition is not None
        for part in facts.heavy(condition)
        if id(part) not in fx.hoisted and facts.free_registers(part) <= outer
    ]
    return _hoisted(fx, parts) if parts else NOTHING


@contextmanager
def _hoisted(fx: FunctionContext, parts: list[ir.Expr]) -> Iterator[None]:
    with _places(fx, len(parts)) as places:
        before = fx.hoisted
        fx.hoisted = before | {id(p): x for p, x in zip(parts, places, strict=True)}
        yield
        fx.hoisted = before


@contextmanager
def _places(fx: FunctionContext, number: int) -> Iterator[list[tuple[Variable, Variable]]]:
    """For each of some parts a local that says whether it is evaluated, 0 here, and one for its value."""
    b = fx.b
    with b.temporaries(*(I32,) * (2 * number)) as variables:
        places = list(zip(variables[::2], variables[1::2], strict=True))
        for flag, _ in places:
            b.assign(flag, 0)
        yield places


def _common(fx: FunctionContext, e: ir.Expr) -> tuple[Variable, Variable] | None:
    if not fx.common or not isinstance(e, HEAVY):
        return None
    return fx.common.get(id(fx.builder.first_equal(e)))


def is_kept(fx: FunctionContext, e: ir.Expr) -> bool:
    """Whether an expression is evaluated once around the code, and its value kept."""
    return id(e) in fx.hoisted or _common(fx, e) is not None


def _once(fx: FunctionContext, e: ir.Expr, place: tuple[Variable, Variable]) -> Interval:
    b = fx.b
    flag, value = place
    with b.if_(flag.eqz()):
        span = evaluated(fx, e)
        b.assign(value, STACK)
        b.assign(flag, 1)
    b.push(value)
    return span
