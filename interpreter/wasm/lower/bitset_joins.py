"""Sets to which a known relation leads: `any(field where around(field, cell) and is_open(field))`.

What is asked of the field alone is a set of fields. Each of them has a set of cells that is known beforehand;
the cells for which the condition holds are those of all these sets. Where cells may be related for a reason
that has to do with neither, `around(field, cell) or flies(me)`, that is asked first: then all cells are.
"""

from __future__ import annotations

from functools import partial

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.fold import both, conjuncts
from interpreter.wasm.emit.bit_boards import FEWEST
from interpreter.wasm.emit.operands import STACK, Variable
from interpreter.wasm.lower import arithmetic, bitset_select, bitsets, chosen_sets, known_sets
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, InLocal, Range


@dataclass(frozen=True, slots=True)
class Join:
    """A fold as what is asked of its values alone, in an interval, and what relates them to the register.

    If `anyhow` is given and holds, all are related.
    """

    fold: ir.Fold
    asked: ir.Expr
    within: Range
    related: ir.Expr
    anyhow: ir.Expr | None = None


def join_of(fx: FunctionContext, e: ir.Fold, reg: int, r: Range) -> Join | None:
    """The join that a fold over known values is; nothing if it is none, or may fault."""
    if not isinstance(e.source, ir.Values) or len(e.source.values) < FEWEST or e.where is None:
        return None
    asked: ir.Expr | None = None
    related: ir.Expr | None = None
    for part in conjuncts(e.where):
        if fx.reads(part, reg):
            related = both(related, part)
        else:
            asked = both(asked, part)
    if asked is None or related is None or not fx.reads(asked, e.reg):
        return None
    within = bitset_select.worthwhile(fx, e.source, e.reg, asked)
    if within is None or fx.breaks_rules(partial(chosen_sets.dry_run, fx, e.source, e.reg, asked, within)):
        return None
    anyhow, related = _apart(fx, related, reg, e.reg)
    if related is None or (anyhow is not None and fx.comes_to_faults(partial(fx.num, anyhow))):
        return None
    value = InLocal(Variable(0), (within.lo, within.lo + within.size - 1))
    with fx.reg(e.reg, value):
        known = known_sets.relation(fx, related, reg, r)
    return Join(e, asked, within, related, anyhow) if known is not None else None


def _apart(fx: FunctionContext, e: ir.Expr, *regs: int) -> tuple[ir.Expr | None, ir.Expr | None]:
    """What reads none of some registers of those conditions of which one must hold, and the others."""
    if not (isinstance(e, ir.Op) and e.op == "or"):
        return (None, e) if any(fx.reads(e, reg) for reg in regs) else (e, None)
    (one, left), (other, right) = _apart(fx, e.left, *regs), _apart(fx, e.right, *regs)
    return _either(one, other), _either(left, right)


def _either(one: ir.Expr | None, other: ir.Expr | None) -> ir.Expr | None:
    return other if one is None else one if other is None else ir.Op("or", one, other)


def joined_set(fx: FunctionContext, join: Join, reg: int, r: Range) -> Bits:
    """The set of the register's values for which the fold holds."""
    b = fx.b
    found = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, found, 0)
    asked = chosen_sets.chosen_bits(fx, join.fold.source, join.fold.reg, join.asked, join.within)
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
    """`found` gains the sets that are known of some of the fold's values."""

    def unite(value: InLocal) -> None:
        with fx.reg(join.fold.reg, value):
            known = known_sets.relation(fx, join.related, reg, r)
            assert known is not None
            row = known_sets.relation_set(fx, known, r)
        bitsets.unite(fx, found, row)
        bitsets.free_bits(fx, row)

    bitsets.each_bit(fx, asked, join.within, unite)
