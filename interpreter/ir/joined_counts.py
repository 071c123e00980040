"""Counts of the same that are added up, as one count: `count(x in A where P) + count(x in B where P)`.

A value counts once for each collection it stands in, so that is `count(x in A + B where P)`. Of that more is
known than of a sum: the two rays of a line have together no more places than the line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from interpreter.ir.expressions import Const, Expr, Fold, Joined, Let, Op, Reg
from interpreter.ir.fold import operation
from interpreter.ir.program import Machine
from interpreter.ir.visit import Part, inside_out, mapped, node_count, reads_register, substitute

SMALL = 1 << 20
"""Numbers that may be added before others: no sum of one and some counts is too large."""
FEW_PARTS = 6
"""Parts of what is worked out where it is read, rather than once under a name."""


def counts_together(mc: Machine) -> Machine:
    """The same machine with counts joined that are added up."""
    change = inside_out(_changed)
    return mc.with_nodes(mapped(node, change) for node in mc.nodes)


def _changed(part: Part) -> Part:
    match part:
        case Op():
            return joined(part)
        case Let():
            return _of_names(part)
    return part


def joined(e: Op) -> Expr:
    """A sum with its last two counts as one, if they count the same of two collections."""
    if e.op != "+":
        return e
    match _named_once(e.left):
        case Fold(kind="count") as first:
            together = _together(first, e.right)
            return e if together is None else together
        case (
            Op(op="+", left=Const(value=value) as number, right=Fold(kind="count") as first)
            | Op(op="+", left=Fold(kind="count") as first, right=Const(value=value) as number)
        ) if abs(value) < SMALL:
            together = _together(first, e.right)
            return e if together is None else operation("+", number, together)
    return e


def _of_names(e: Let) -> Expr:
    """`let a = count(…)`, `let b = count(…)`, then `a + b + 1`, as one count and a number, if it is that."""
    counts, body = dict[int, Fold](), cast(Expr, e)
    while (
        isinstance(body, Let) and isinstance(value := _named_once(body.value), Fold) and value.kind == "count"
    ):
        if any(reads_register(value, reg) for reg in counts):
            return e
        counts[body.reg], body = value, body.body
    terms = list(_terms(body))
    added = [x.value for x in terms if isinstance(x, Const)]
    names = [x.index for x in terms if isinstance(x, Reg)]
    if len(names) < 2 or names != list(counts) or len(added) + len(names) < len(terms):
        return e
    total, *others = counts.values()
    for other in others:
        together = _together(total, other)
        if together is None:
            return e
        total = together
    return operation("+", Const(sum(added)), total) if sum(map(abs, added)) < SMALL else e


def _terms(e: Expr) -> Iterator[Expr]:
    """What a sum consists of, from left to right."""
    if isinstance(e, Op) and e.op == "+":
        yield from _terms(e.left)
        yield from _terms(e.right)
    else:
        yield e


def _named_once(e: Expr) -> Expr:
    """A count with what a name stands for instead of the name, if only its collection reads that."""
    match e:
        case Op(op="+", left=Const() as number, right=Let() as right):
            return Op("+", number, _named_once(right))
        case Let(reg=reg, value=value, body=Fold(kind="count", where=where) as counted):
            if node_count(value) <= FEW_PARTS and (where is None or not reads_register(where, reg)):
                return substitute(counted, reg, value)
    return e


def _together(first: Fold, second: Expr) -> Fold | None:
    second = _named_once(second)
    if (
        not isinstance(second, Fold)
        or second.kind != "count"
        or (first.where is None) != (second.where is None)
    ):
        return None
    if first.where is not None and second.where is not None:
        if first.reg != second.reg and reads_register(second.where, first.reg):
            return None
        if substitute(second.where, second.reg, Reg(first.reg)) != first.where:
            return None
    return replace(first, source=Joined((first.source, second.source)))
