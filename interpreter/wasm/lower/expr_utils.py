"""What can be read off expressions before anything is emitted, and the forms they are brought into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from interpreter import machine as m
from interpreter.machine.fold import both, conjuncts
from interpreter.machine.visit import Tree, reads_register, walk

HEAVY = m.Fold | m.Best | m.Size | m.Contains


def heavy(tree: Tree) -> Iterator[m.Expr]:
    """The parts of an expression that go through collections, outermost first, each as often as it stands."""
    return (part for part in walk(tree) if isinstance(part, HEAVY))


def plain(e: m.Expr) -> bool:
    """Whether an expression is quick, cannot fault and has no loop: it may be evaluated in vain."""
    match e:
        case m.Const() | m.Reg() | m.Local() | m.Head():
            return True
        case m.Load(address=address):
            return not address.terms
        case m.Op(op="<" | "<=" | ">" | ">=" | "==" | "!=" | "and" | "or", left=left, right=right):
            return plain(left) and plain(right)
        case m.Not(operand=operand):
            return plain(operand)
    return False


OPPOSITE: dict[str, Any] = {"and": "or", "or": "and", "==": "!=", "!=": "=="}


def drawn_in(e: m.Expr, reg: int) -> m.Expr:
    """A condition in a form that sets can be made of.

    A comparison of one of two things is one of two comparisons, if which one is known for all values; one of
    two conditions, of which one is known, is `and` or `or`; `not` goes inside.
    """
    if isinstance(e, m.Not) and isinstance(e.operand, m.Op) and e.operand.op in OPPOSITE:
        inner = e.operand
        if inner.op in ("and", "or"):
            return m.Op(OPPOSITE[inner.op], m.Not(inner.left), m.Not(inner.right))
        return m.Op(OPPOSITE[inner.op], inner.left, inner.right)
    if isinstance(e, m.Not) and isinstance(e.operand, m.Not):
        return drawn_in(e.operand.operand, reg)
    if isinstance(e, m.If) and reads_register(e.condition, reg):
        if e.then == m.Const(0):
            return m.Op("and", m.Not(e.condition), e.otherwise)
        if e.otherwise == m.Const(0):
            return m.Op("and", e.condition, e.then)
    if isinstance(e, m.Op) and isinstance(e.left, m.If) and not reads_register(e.left.condition, reg):
        then, otherwise = replace(e, left=e.left.then), replace(e, left=e.left.otherwise)
        return m.If(e.left.condition, then, otherwise)
    return e


def loads_in(node: Any) -> Iterator[m.Load]:
    """The loads in an expression, the collections of folds left out."""
    match node:
        case m.Load():
            yield node
        case m.Op(left=left, right=right):
            yield from loads_in(left)
            yield from loads_in(right)
        case m.Not(operand=operand):
            yield from loads_in(operand)
        case m.If(condition=condition, then=then, otherwise=otherwise):
            for part in (condition, then, otherwise):
                yield from loads_in(part)
        case m.Let(value=value, body=body):
            yield from loads_in(value)
            yield from loads_in(body)
        case m.Fold(where=where, body=body):
            yield from loads_in(where)
            yield from loads_in(body)


def drawn_conjuncts(e: m.Expr, reg: int) -> list[m.Expr]:
    """What a condition joins by `and` once it is in the form that sets can be made of."""
    e = drawn_in(e, reg)
    if isinstance(e, m.Op) and e.op == "and":
        return [*drawn_conjuncts(e.left, reg), *drawn_conjuncts(e.right, reg)]
    return [e]


def guarded(e: m.Expr, reg: int) -> tuple[m.Expr | None, m.Expr | None]:
    """A condition as one that does not read the register and stands first, and the rest."""
    parts = conjuncts(e)
    guard: m.Expr | None = None
    while parts and not reads_register(parts[0], reg):
        guard = both(guard, parts.pop(0))
    rest: m.Expr | None = None
    for part in parts:
        rest = both(rest, part)
    return guard, rest
