"""What can be read off expressions before anything is emitted, and the forms they are brought into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from interpreter import machine as m

HEAVY = m.Fold | m.Best | m.Size | m.Contains


def heavy(node: Any) -> Iterator[m.Expr]:
    """The parts of an expression that go through collections, outermost first, each as often as it stands."""
    if isinstance(node, HEAVY):
        yield node
    if isinstance(node, tuple):
        for x in node if node and is_dataclass(node[0]) else ():
            yield from heavy(x)
    elif is_dataclass(node):
        for f in fields(node):
            yield from heavy(getattr(node, f.name))


def free(node: Any) -> frozenset[int]:
    """The registers that an expression reads and does not bind."""
    if isinstance(node, m.Reg):
        return frozenset((node.index,))
    if isinstance(node, tuple):
        return frozenset().union(*(free(x) for x in node)) if node and is_dataclass(node[0]) else frozenset()
    if not is_dataclass(node):
        return frozenset()
    found = frozenset().union(*(free(getattr(node, f.name)) for f in fields(node)))
    bound = getattr(node, "reg", None)
    return found - {bound} if isinstance(bound, int) else found


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


def weight(node: Any) -> int:
    """How many parts an expression or collection has; tables count as one."""
    if isinstance(node, tuple):
        return sum(weight(x) for x in node if is_dataclass(x)) if node and is_dataclass(node[0]) else 0
    if not is_dataclass(node):
        return 0
    return 1 + sum(weight(getattr(node, f.name)) for f in fields(node))


def notes(node: Any) -> bool:
    """Whether working something out notes cover: then no form will do but that of the reference executor."""
    if isinstance(node, m.Covered | m.CoveredCell):
        return True
    if isinstance(node, tuple):
        return any(notes(x) for x in node) if node and not isinstance(node[0], int) else False
    if not is_dataclass(node):
        return False
    return any(notes(getattr(node, f.name)) for f in fields(node))


OPPOSITE: dict[str, Any] = {"and": "or", "or": "and", "==": "!=", "!=": "=="}


def depends(node: Any, reg: int) -> bool:
    """Whether an expression reads a register."""
    if isinstance(node, m.Reg):
        return node.index == reg
    if isinstance(node, tuple):
        return any(depends(x, reg) for x in node) if node and is_dataclass(node[0]) else False
    if not is_dataclass(node):
        return False
    return any(depends(getattr(node, f.name), reg) for f in fields(node))


def replaced(node: Any, reg: int, value: m.Expr) -> Any:
    """The expression with another in the place of a register."""
    if isinstance(node, m.Reg):
        return value if node.index == reg else node
    if isinstance(node, tuple):
        return tuple(replaced(x, reg, value) for x in node) if node and is_dataclass(node[0]) else node
    if not is_dataclass(node) or isinstance(node, type):
        return node
    found = {f.name: replaced(getattr(node, f.name), reg, value) for f in fields(node)}
    return replace(node, **found)


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
    if isinstance(e, m.If) and depends(e.condition, reg):
        if e.then == m.Const(0):
            return m.Op("and", m.Not(e.condition), e.otherwise)
        if e.otherwise == m.Const(0):
            return m.Op("and", e.condition, e.then)
    if isinstance(e, m.Op) and isinstance(e.left, m.If) and not depends(e.left.condition, reg):
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


def both(left: m.Expr | None, right: m.Expr) -> m.Expr:
    return right if left is None else m.Op("and", left, right)


def conjuncts(e: m.Expr) -> list[m.Expr]:
    """What a condition joins by `and`."""
    if isinstance(e, m.Op) and e.op == "and":
        return [*conjuncts(e.left), *conjuncts(e.right)]
    return [e]


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
    while parts and not depends(parts[0], reg):
        guard = both(guard, parts.pop(0)) if guard is not None else parts.pop(0)
    rest: m.Expr | None = None
    for part in parts:
        rest = part if rest is None else m.Op("and", rest, part)
    return guard, rest
