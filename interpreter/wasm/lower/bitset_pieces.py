"""Sets of pieces: the classes of the pieces that lie on places, as bits.

Places that count their pieces keep a set of the classes that lie there. A condition that reads a piece only
through its class, as `card.suit is led`, is a condition on all classes at once: then `any(card in hand of me
where card.suit is led)` asks if two sets have something in common. A loop goes only through the pieces that
are there and meet what is known of their class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import cast

from interpreter import ir
from interpreter.ir.fold import both, conjuncts
from interpreter.ir.visit import Part, mapped, reads_register
from interpreter.wasm.emit.operands import STACK, Operand
from interpreter.wasm.lower import (
    bitset_select,
    bitsets,
    const_eval,
    coverage,
    piece_loops,
    value_tables,
)
from interpreter.wasm.lower.context import FunctionContext, Visit
from interpreter.wasm.lower.values import Bits, Range, Value

# ---- which conditions and collections are sets of classes


def set_of(fx: FunctionContext, source: ir.Source) -> int | None:
    """The number of classes, if the classes of a collection of pieces are found as a set."""
    match source:
        case ir.Pieces(classes=classes) if piece_loops.keeps_sets(fx, source) and _is_quick(source):
            return classes
        case ir.Filtered(reg=reg, source=inner, where=where):
            classes_ = set_of(fx, inner)
            if classes_ is None or where is None:
                return classes_
            return classes_ if by_class(fx, where, reg, inner, classes_) is not None else None
        case ir.Joined(parts=parts):
            found = {set_of(fx, part) for part in parts}
            return found.pop() if len(found) == 1 else None
        case ir.Either(then=then, otherwise=otherwise):
            found = {set_of(fx, then), set_of(fx, otherwise)}
            return found.pop() if len(found) == 1 else None
    return None


def _is_quick(node: ir.Pieces) -> bool:
    return all(axis.many is None or isinstance(axis.many, ir.Values) for axis in (node.of, node.at))


def _places(source: ir.Source) -> Iterator[ir.Pieces]:
    """The collections of pieces that a collection consists of."""
    match source:
        case ir.Pieces():
            yield source
        case ir.Filtered(source=inner):
            yield from _places(inner)
        case ir.Joined(parts=parts):
            for part in parts:
                yield from _places(part)
        case ir.Either(then=then, otherwise=otherwise):
            yield from _places(then)
            yield from _places(otherwise)


def of_class(fx: FunctionContext, e: ir.Expr, reg: int, source: ir.Source) -> ir.Expr | None:
    """An expression that reads a piece only through its class as one of the class, in the same register."""
    parts = list(_places(source))
    unknown: list[Part] = []

    def change(part: Part) -> Part:
        match part:
            case ir.ClassOf(piece=ir.Reg(index=index)) if index == reg:
                return part.piece
            case ir.PlaceIndex(piece=ir.Reg(index=index), table=table) if index == reg:
                indices = {i for node in parts for i in table[node.first : node.first + _size(node)]}
                if len(indices) == 1:
                    return ir.Const(indices.pop())
                unknown.append(part)
                return part
            case ir.Reg(index=index) if index == reg:
                unknown.append(part)
                return part
        return mapped(part, change)

    found = cast(ir.Expr, change(e))
    return None if unknown or coverage.notes(fx, e) else found


def by_class(fx: FunctionContext, e: ir.Expr, reg: int, source: ir.Source, classes: int) -> ir.Expr | None:
    """A condition on a piece as one on its class, in the same register, if that becomes a set of classes."""
    found = of_class(fx, e, reg, source)
    if found is None:
        return None
    return found if bitset_select.settable(fx, found, reg, Range(0, classes)) else None


def _size(node: ir.Pieces) -> int:
    return node.of.size * node.at.size


def worthwhile(fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None) -> Range | None:
    """The interval of the classes, if the pieces of a collection that meet a condition are found as a set."""
    if fx.one_by_one or not fx.builder.piece_sets:
        return None
    classes = set_of(fx, ir.Filtered(reg, source, where))
    return None if classes is None else Range(0, classes)


def split(
    fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None
) -> tuple[ir.Source, ir.Expr | None]:
    """A collection with its condition as one whose first conditions are sets of classes, and the others."""
    if where is None or not isinstance(source, ir.Pieces) or not piece_loops.keeps_sets(fx, source):
        return source, where
    first, rest = None, None
    for part in conjuncts(where):
        if rest is None and by_class(fx, part, reg, source, source.classes) is not None:
            first = both(first, part)
        else:
            rest = both(rest, part)
    if first is None or not reads_register(first, reg):
        return source, where
    chosen = ir.Filtered(reg, source, first)
    if fx.comes_to_faults(partial(_dry_run, fx, chosen, source.classes)):
        return source, where
    return chosen, rest


def _dry_run(fx: FunctionContext, source: ir.Filtered, classes: int) -> None:
    """A set that nobody uses: to see whether finding it may fault."""
    r = Range(0, classes)
    found = bitsets.new_bits(fx, r)
    keep(fx, source, found, r)
    bitsets.free_bits(fx, found)


# ---- sets


def class_bits(fx: FunctionContext, source: ir.Source, r: Range) -> Bits:
    """The set of the classes of a collection of pieces."""
    b, found = fx.b, bitsets.new_bits(fx, r)
    match source:
        case ir.Pieces():
            _union(fx, source, found)
        case ir.Filtered(source=inner):
            bitsets.move_into(fx, found, class_bits(fx, inner, r))
            if source.where is not None:
                keep(fx, source, found, r)
        case ir.Joined(parts=parts):
            bitsets.move_into(fx, found, class_bits(fx, parts[0], r))
            for part in parts[1:]:
                more = class_bits(fx, part, r)
                bitsets.unite(fx, found, more)
                bitsets.free_bits(fx, more)
        case ir.Either(condition=condition, then=then, otherwise=otherwise):
            fx.num(condition)
            with b.if_(STACK):
                bitsets.move_into(fx, found, class_bits(fx, then, r))
                b.otherwise()
                bitsets.move_into(fx, found, class_bits(fx, otherwise, r))
        case _:
            raise AssertionError(source)
    return found


def keep(fx: FunctionContext, source: ir.Filtered, bits: Bits, r: Range) -> None:
    """A set keeps the classes that meet the condition of a collection; with none left it is not evaluated."""
    if source.where is None:
        return
    where = by_class(fx, source.where, source.reg, source.source, r.size)
    assert where is not None
    if value_tables.is_known(fx, where, source.reg, r):
        fx.keep(where, source.reg, r, bits)
        return
    with fx.b.if_(bitsets.is_any(bits)):
        fx.keep(where, source.reg, r, bits)


def _union(fx: FunctionContext, node: ir.Pieces, found: Bits) -> None:
    """The classes that lie on any of some places."""
    b = fx.b
    lone = all(axis.one is not None or (axis.many is None and axis.size == 1) for axis in (node.of, node.at))
    whole = all(_is_whole(axis) for axis in (node.of, node.at))
    if whole and _size(node) * len(found) <= 16:
        for i, word in enumerate(found):
            words = (_word(fx, node, k, i) for k in range(_size(node)))
            b.assign(word, sum_of(words))
        return
    if not lone:
        bitsets.set_bits(fx, found, 0)

    def add(k: Value) -> None:
        for word, there in zip(found, piece_loops.set_words(fx, node, k), strict=True):
            b.assign(word, there if lone else word | there)

    piece_loops.each_place(fx, node, add)


def _is_whole(axis: ir.Indices) -> bool:
    """Whether all indices of an axis are asked for."""
    if axis.one is not None:
        return axis.size == 1 and axis.one == ir.Const(axis.lo)
    return axis.many is None


def sum_of(words: Iterator[Operand]) -> Operand:
    """Whatever is in one of some sets."""
    found = next(words)
    for word in words:
        found |= word
    return found


def _word(fx: FunctionContext, node: ir.Pieces, k: int, i: int) -> Operand:
    return fx.b.state.load64(fx.builder.piece_sets[node.first + k] + 8 * i)


def count(fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, r: Range) -> None:
    """Leaves the number of the pieces of a collection that meet a condition; no two of them are alike."""
    for number, part in enumerate(_parts(source)):
        bits = class_bits(fx, ir.Filtered(reg, part, where), r)
        fx.b.push(bitsets.size(bits))
        bitsets.free_bits(fx, bits)
        if number:
            fx.b.push(STACK + STACK)


def is_counted(fx: FunctionContext, source: ir.Source) -> bool:
    """Whether a piece for each class of a set is all that a collection has, or each of those it joins."""
    return all(
        isinstance(part, ir.Pieces)
        and part.of.many is None
        and part.at.many is None
        and fx.mc.place_components[fx.mc.places[part.first].zone] in fx.builder.single
        for part in _parts(source)
    )


def lies_once(fx: FunctionContext, source: ir.Source) -> bool:
    """Whether no two pieces of a collection are of the same class."""
    zones = [part.first for part in _parts(source) if isinstance(part, ir.Pieces)]
    return is_counted(fx, source) and len(set(zones)) == len(zones)


def _parts(source: ir.Source) -> Iterator[ir.Source]:
    """The collections that a collection joins."""
    if isinstance(source, ir.Joined):
        for part in source.parts:
            yield from _parts(part)
    else:
        yield source


# ---- loops


def each_of_set(fx: FunctionContext, chosen: ir.Filtered, visit: Visit) -> None:
    """A loop over the pieces of a collection that is found as sets, in its order."""
    for part in _parts(chosen.source):
        if isinstance(part, ir.Pieces):
            each_chosen(fx, ir.Filtered(chosen.reg, part, chosen.where), None, visit, 30)
        else:
            fx.each(ir.Filtered(chosen.reg, part, chosen.where), visit, 30)


def of_one_place(
    fx: FunctionContext, chosen: ir.Filtered, found: Callable[[ir.Pieces, Value, Bits], None]
) -> None:
    """Emits `found` for the classes of a place's pieces that meet a condition."""
    node = chosen.source
    assert isinstance(node, ir.Pieces)
    r = Range(0, node.classes)

    def one(k: Value) -> None:
        bits = bitsets.new_bits(fx, r)
        for word, there in zip(bits, piece_loops.set_words(fx, node, k), strict=True):
            fx.b.assign(word, there)
        if chosen.where is not None:
            keep(fx, chosen, bits, r)
        found(node, k, bits)
        bitsets.free_bits(fx, bits)

    piece_loops.each_place(fx, node, one)


def is_one_place(fx: FunctionContext, source: ir.Source) -> bool:
    """Whether a collection is the pieces of a single place, which keeps the set of their classes."""
    return (
        isinstance(source, ir.Pieces)
        and piece_loops.keeps_sets(fx, source)
        and all(
            axis.many is None and (axis.one is not None or axis.size == 1) for axis in (source.of, source.at)
        )
    )


def each_chosen(
    fx: FunctionContext, chosen: ir.Filtered, rest: ir.Expr | None, visit: Visit, cost: int
) -> None:
    """A loop over the pieces of some places whose classes meet a condition, and that meet another one."""
    node = chosen.source
    assert isinstance(node, ir.Pieces)

    def one(value: Value, n: Value) -> None:
        with fx.reg(chosen.reg, value):
            known = const_eval.known_or_pushed(fx, rest)
            if known is False:
                return
        with fx.b.if_(STACK) if known is None else nullcontext():
            visit(value, n)

    def keep_chosen(bits: Bits, r: Range) -> None:
        keep(fx, chosen, bits, r)

    piece_loops.pieces(fx, node, one, cost, classed=False, keep=keep_chosen)
