"""Traversals of expressions: they reach every part, and change nothing that they need not."""

from __future__ import annotations

from interpreter import ir
from interpreter.ir.effects import has_trial
from interpreter.ir.visit import (
    children,
    free_registers,
    leaves,
    mapped,
    reads_slot,
    substitute,
    walk,
)

SEATS = ir.Values((0, 1))
INNER = ir.Fold("any", 1, SEATS, None, ir.Op("==", ir.Reg(0), ir.Reg(1)))
OUTER = ir.Fold("count", 0, SEATS, INNER, ir.Load(ir.Address(7, (ir.Term(ir.Local(4), 0, 3, 1, False),))))


def test_the_parts_of_an_expression_come_in_the_order_of_its_fields() -> None:
    assert children(OUTER) == [SEATS, INNER, OUTER.body]


def test_a_walk_goes_through_addresses_and_lists() -> None:
    assert ir.Local(4) in list(walk(OUTER))
    assert list(walk((None, (ir.Const(1),)))) == [ir.Const(1)]
    assert reads_slot(OUTER, 4)
    assert not reads_slot(OUTER, 5)


def test_what_is_bound_is_not_free() -> None:
    assert free_registers(INNER) == {0}
    assert free_registers(OUTER) == frozenset()


def test_only_what_changes_is_made_anew() -> None:
    assert mapped(OUTER, lambda part: part) is OUTER
    made = substitute(INNER, 0, ir.Const(5))
    assert made == ir.Fold("any", 1, SEATS, None, ir.Op("==", ir.Const(5), ir.Reg(1)))
    assert isinstance(made, ir.Fold)
    assert made.source is SEATS


def test_collections_are_taken_apart() -> None:
    listed = ir.Listed((ir.Const(1),))
    joined = ir.Joined((ir.Filtered(0, SEATS, None), ir.Either(ir.Const(1), listed, SEATS)))
    assert list(leaves(joined)) == [SEATS, listed, SEATS]


def test_trials_are_found_wherever_they_stand() -> None:
    assert has_trial(ir.Not(ir.Can(ir.DoRoutine(0, ()))))
    assert not has_trial(OUTER)
