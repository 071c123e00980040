"""Sets to which a relation leads: `any(field where around(field, cell) and is_open(field))`.

What is asked of the field alone is a set of fields. Each of them has a set of cells, known beforehand or
found for it; the cells for which the condition holds are those of all these sets. So what is asked of the
field is asked once, however many cells it goes with. Where cells may be related for a reason that has to do
with neither, `around(field, cell) or flies(me)`, that is asked first: then all cells are.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.fold import both, conjuncts
from interpreter.wasm.emit.bit_boards import FEWEST
from interpreter.wasm.emit.operands import STACK, Variable
from interpreter.wasm.lower import arithmetic, bitset_rays, bitset_select, bitsets, chosen_sets, known_sets
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Bits, InLocal, Range


@dataclass(frozen=True, slots=True)
class Join:
    """A fold as what is asked of its values alone, in an interval, and what relates them to the register.

    If `anyhow` is given and holds, all are related. `links` lead from the register to the values, if any do.
    `known`: what relates them follows from tables.
    """

    fold: ir.Fold
    asked: ir.Expr
    within: Range
    related: ir.Expr
    known: bool
    anyhow: ir.Expr | None = None
    links: ir.Linked | None = None


def joins(fx: FunctionContext, e: ir.Fold, reg: int, r: Range) -> bool:
    """Whether a fold is a join over something else than known values."""
    if isinstance(e.source, ir.Values) or e.where is None or not fx.reads(e.where, reg):
        return False
    return join_of(fx, e, reg, r) is not None


def join_of(fx: FunctionContext, e: ir.Fold, reg: int, r: Range) -> Join | None:
    """The join that a fold is; nothing if it is none, or may fault."""
    e = _flattened(fx, e, reg)
    links: ir.Linked | None = None
    asked: ir.Expr | None = None
    related: ir.Expr | None = None
    match e.source:
        case ir.Values(values=values) if len(values) >= FEWEST:
            pass
        case ir.Linked(links=rows, index=index, lo=lo) if (
            index == ir.Reg(reg)
            and (lo, len(rows)) == (r.lo, r.size)
            and fx.builder.links(rows).within(lo, len(rows))
        ):
            links, related = e.source, ir.Contains(ir.Reg(e.reg), e.source)
            e = replace(e, source=ir.Values(tuple(range(lo, lo + len(rows)))))
        case _:
            return None
    for part in conjuncts(e.where) if e.where is not None else ():
        if fx.reads(part, reg):
            related = both(related, part)
        else:
            asked = both(asked, part)
    if asked is None or related is None or not fx.reads(asked, e.reg):
        return None
    unknown = fx.builder.free_registers(e) - {reg, *fx.regs}
    with ExitStack() as stack:
        for i in unknown:
            stack.enter_context(fx.reg(i, InLocal(Variable(0), WIDE)))
        return _join(fx, e, links, asked, related, reg, r)


def _join(
    fx: FunctionContext,
    e: ir.Fold,
    links: ir.Linked | None,
    asked: ir.Expr,
    related: ir.Expr,
    reg: int,
    r: Range,
) -> Join | None:
    """The join of what is asked of the values of a fold, and what relates them, if it is one."""
    within = bitset_select.worthwhile(fx, e.source, e.reg, asked)
    if within is None or fx.breaks_rules(partial(chosen_sets.dry_run, fx, e.source, e.reg, asked, within)):
        return None
    anyhow, rest = _apart(fx, related, reg, e.reg)
    if rest is None or (anyhow is not None and fx.comes_to_faults(partial(fx.num, anyhow))):
        return None
    value = InLocal(Variable(0), (within.lo, within.lo + within.size - 1))
    with fx.reg(e.reg, value):
        known = known_sets.relation(fx, rest, reg, r) is not None
        if not known and not all(bitset_select.settable(fx, x, reg, r) for x in conjuncts(rest)):
            return None
        found = Join(e, asked, within, rest, known, anyhow, links)
        sure = known or not fx.breaks_rules(lambda: bitsets.free_bits(fx, _row(fx, found, reg, r)))
    return found if sure else None


def _flattened(fx: FunctionContext, e: ir.Fold, reg: int) -> ir.Fold:
    """What is asked, in a collection, of values that others lead to, as asked of those values.

    `any(y in s where any(z in links(y) where …))` is `any(z where any(y in back(z) where y in s) and …)`;
    `back` leads along the links the other way. So what has to do with the register is asked of `z` alone.
    """
    if e.where is None or isinstance(e.source, ir.Values) or fx.reads(e.source, reg):
        return e
    own = [part for part in conjuncts(e.where) if not fx.reads(part, reg)]
    others = [part for part in conjuncts(e.where) if fx.reads(part, reg)]
    match others:
        case [ir.Fold(kind="any", reg=inner, source=ir.Linked() as source, where=where)] if (
            source.index == ir.Reg(e.reg)
            and where is not None
            and not fx.reads(where, e.reg)
            and inner not in (reg, e.reg)
            and fx.builder.links(source.links).within(source.lo, len(source.links))
        ):
            back: list[list[int]] = [[] for _ in source.links]
            for i, row in enumerate(source.links):
                for value in row:
                    back[value - source.lo].append(i + source.lo)
            leading = replace(source, links=tuple(map(tuple, back)), index=ir.Reg(inner))
            there: ir.Expr = ir.Contains(ir.Reg(e.reg), e.source)
            for part in own:
                there = ir.Op("and", there, part)
            reached = ir.Fold("any", e.reg, leading, there, None)
            every = ir.Values(tuple(range(source.lo, source.lo + len(source.links))))
            return ir.Fold("any", inner, every, ir.Op("and", reached, where), None)
    return e


def _apart(fx: FunctionContext, e: ir.Expr, *regs: int) -> tuple[ir.Expr | None, ir.Expr | None]:
    """What reads none of some registers of those conditions of which one must hold, and the others."""
    if not (isinstance(e, ir.Op) and e.op == "or"):
        return (None, e) if any(fx.reads(e, reg) for reg in regs) else (e, None)
    (one, left), (other, right) = _apart(fx, e.left, *regs), _apart(fx, e.right, *regs)
    return _either(one, other), _either(left, right)


def _either(one: ir.Expr | None, other: ir.Expr | None) -> ir.Expr | None:
    return other if one is None else one if other is None else ir.Op("or", one, other)


def joined_set(fx: FunctionContext, join: Join, reg: int, r: Range, among: Bits) -> Bits:
    """The set of the register's values for which the fold holds; only those `among` some matter."""
    b = fx.b
    found = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, found, 0)
    asked = chosen_sets.chosen_bits(fx, join.fold.source, join.fold.reg, join.asked, join.within)
    if join.links is not None and join.within == r:
        led = bitsets.new_bits(fx, r)
        bitsets.set_bits(fx, led, 0)
        rows = [list(row) for row in join.links.links]
        bitset_rays.shift_along(fx, rows, join.links.lo, among, led, None)
        bitsets.intersect(fx, asked, led)
        bitsets.free_bits(fx, led)
    if join.anyhow is None:
        _unite_rows(fx, join, reg, r, asked, found)
    else:
        arithmetic.truth(fx, join.anyhow)
        with b.if_(STACK):
            with b.if_(bitsets.is_any(asked)):
                bitsets.set_bits(fx, found, r.all)
            b.otherwise()
            _unite_rows(fx, join, reg, r, asked, found)
    bitsets.free_bits(fx, asked)
    return found


def _unite_rows(fx: FunctionContext, join: Join, reg: int, r: Range, asked: Bits, found: Bits) -> None:
    """`found` gains the sets of some of the fold's values, until nothing is left to gain."""
    out = fx.b.block()

    def unite(value: InLocal) -> None:
        with fx.reg(join.fold.reg, value):
            row = _row(fx, join, reg, r)
        bitsets.unite(fx, found, row)
        bitsets.free_bits(fx, row)
        if not join.known and join.links is None:
            fx.b.br_if(out, bitsets.is_all(found, r))

    bitsets.each_bit(fx, asked, join.within, unite)
    fx.b.end()


def _row(fx: FunctionContext, join: Join, reg: int, r: Range) -> Bits:
    """The set that goes with the value of the fold."""
    if join.known:
        known = known_sets.relation(fx, join.related, reg, r)
        assert known is not None
        return known_sets.relation_set(fx, known, r)
    row = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, row, r.all)
    fx.keep(join.related, reg, r, row)
    return row
