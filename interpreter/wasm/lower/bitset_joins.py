"""Sets to which a known relation leads: `any(field where around(field, cell) and is_open(field))`.

What is asked of the field alone is a set of fields. Each of them has a set of cells that is known beforehand;
the cells for which the condition holds are those of all these sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from interpreter import ir
from interpreter.ir.fold import both, conjuncts
from interpreter.wasm.emit.bit_boards import FEWEST
from interpreter.wasm.emit.operands import Variable
from interpreter.wasm.lower import bitset_select, bitsets, chosen_sets, known_sets
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, InLocal, Range


@dataclass(frozen=True, slots=True)
class Join:
    """A fold as what is asked of its values alone, in an interval, and what relates them to the register."""

    fold: ir.Fold
    asked: ir.Expr
    within: Range
    related: ir.Expr


def join_of(fx: FunctionContext, e: ir.Fold, reg: int, r: Range) -> Join | None:
    """The join that a fold over known values is; nothing if it is none, or may come to a fault."""
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
    if within is None or fx.comes_to_faults(partial(chosen_sets.dry_run, fx, e.source, e.reg, asked, within)):
        return None
    value = InLocal(Variable(0), (within.lo, within.lo + within.size - 1))
    with fx.reg(e.reg, value):
        known = known_sets.relation(fx, related, reg, r)
    return Join(e, asked, within, related) if known is not None else None


def joined_set(fx: FunctionContext, join: Join, reg: int, r: Range) -> Bits:
    """The set of the register's values for which the fold holds."""
    found = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, found, 0)

    def unite(value: InLocal) -> None:
        with fx.reg(join.fold.reg, value):
            known = known_sets.relation(fx, join.related, reg, r)
            assert known is not None
            row = known_sets.relation_set(fx, known, r)
        bitsets.unite(fx, found, row)
        bitsets.free_bits(fx, row)

    asked = chosen_sets.chosen_bits(fx, join.fold.source, join.fold.reg, join.asked, join.within)
    bitsets.each_bit(fx, asked, join.within, unite)
    bitsets.free_bits(fx, asked)
    return found
