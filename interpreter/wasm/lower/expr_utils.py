"""What can be read off expressions before anything is emitted, and the forms they are brought into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from interpreter import ir
from interpreter.ir.fold import both, conjuncts
from interpreter.ir.visit import Tree, reads_register, walk

HEAVY = ir.Fold | ir.Best | ir.Size | ir.Contains


def heavy(tree: Tree) -> Iterator[ir.Expr]:
    """The parts of an expression that go through collections, outermost first, each as often as it stands."""
    return (part for part in walk(tree) if isinstance(part, HEAVY))


def plain(e: ir.Expr) -> bool:
    """Whether an expression is quick, cannot fault and has no loop: it may be evaluated in vain."""
    match e:
        case ir.Const() | ir.Reg() | ir.Local() | ir.Head():
            return True
        case ir.Load(address=address):
            return not address.terms
        case ir.Op(op="<" | "<=" | ">" | ">=" | "==" | "!=" | "and" | "or", left=left, right=right):
            return plain(left) and plain(right)
        case ir.Not(operand=operand):
            return plain(operand)
    return False


OPPOSITE: dict[str, Any] = {"and": "or", "or": "and", "==": "!=", "!=": "=="}


def drawn_in(e: ir.Expr, reg: int) -> ir.Expr:
    """A condition in a form that sets can be made of.

    A comparison of one of two things is one of two comparisons, if which one is known for all values; one of
    two conditions, of which one is known, is `and` or `or`; `not` goes inside.
    """
    if isinstance(e, ir.Not) and isinstance(e.operand, ir.Op) and e.operand.op in OPPOSITE:
        inner = e.operand
        if inner.op in ("and", "or"):
            return ir.Op(OPPOSITE[inner.op], ir.Not(inner.left), ir.Not(inner.right))
        return ir.Op(OPPOSITE[inner.op], inner.left, inner.right)
    if isinstance(e, ir.Not) and isinstance(e.operand, ir.Not):
        return drawn_in(e.operand.operand, reg)
    if isinstance(e, ir.If) and reads_register(e.condition, reg):
        if e.then == ir.Const(0):
            return ir.Op("and", ir.Not(e.condition), e.otherwise)
        if e.otherwise == ir.Const(0):
            return ir.Op("and", e.condition, e.then)
    if isinstance(e, ir.Op) and isinstance(e.left, ir.If) and not reads_register(e.left.condition, reg):
        then, otherwise = replace(e, left=e.left.then), replace(e, left=e.left.otherwise)
        return ir.If(e.left.condition, then, otherwise)
    return e


def loads_in(node: Any) -> Iterator[ir.Load]:
    """The loads in an expression, the collections of folds left out."""
    match node:
        case ir.Load():
            yield node
        case ir.Op(left=left, right=right):
            yield from loads_in(left)
            yield from loads_in(right)
        case ir.Not(operand=operand):
            yield from loads_in(operand)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            for part in (condition, then, otherwise):
                yield from loads_in(part)
        case ir.Let(value=value, body=body):
            yield from loads_in(value)
            yield from loads_in(body)
        case ir.Fold(where=where, body=body):
            yield from loads_in(where)
            yield from loads_in(body)


def drawn_conjuncts(e: ir.Expr, reg: int) -> list[ir.Expr]:
    """What a condition joins by `and` once it is in the form that sets can be made of."""
    e = drawn_in(e, reg)
    if isinstance(e, ir.Op) and e.op == "and":
        return [*drawn_conjuncts(e.left, reg), *drawn_conjuncts(e.right, reg)]
    return [e]


def guarded(e: ir.Expr, reg: int) -> tuple[ir.Expr | None, ir.Expr | None]:
    """A condition as one that does not read the register and stands first, and the rest."""
    parts = conjuncts(e)
    guard: ir.Expr | None = None
    while parts and not reads_register(parts[0], reg):
        guard = both(guard, parts.pop(0))
    rest: ir.Expr | None = None
    for part in parts:
        rest = both(rest, part)
    return guard, rest
