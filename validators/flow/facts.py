"""Facts known on a path through a routine: constants in locals, and conditions already evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import ir
from interpreter.ir.effects import Store, effect_of
from interpreter.ir.fold import conjuncts
from interpreter.ir.visit import reads_slot


@dataclass(frozen=True)
class Facts:
    """Conditions with their truth values, and locals with their constants."""

    answers: frozenset[tuple[ir.Expr, bool]] = frozenset()
    locals: frozenset[tuple[int, int]] = frozenset()

    def after(self, node: ir.Step) -> Facts:
        """The facts after a node."""
        match node:
            case ir.Precondition(condition=condition):
                return Facts(self.answers | set(_implied(condition)), self.locals)
            case ir.SetLocal(slot=slot, value=value):
                kept = frozenset(known for known in self.locals if known[0] != slot)
                new = frozenset({(slot, value.value)} if isinstance(value, ir.Const) else ())
                return Facts(frozenset(a for a in self.answers if not reads_slot(a[0], slot)), kept | new)
            case ir.ClearLocals():
                return self
        effect = effect_of(node)
        return Facts() if effect.calls or effect.writes & ~Store.RECORD else self

    def answer(self, condition: ir.Expr) -> bool | None:
        """Whether a condition holds; none if it is unknown."""
        asked, truth = plain(condition)
        for known, answer in self.answers:
            if known == asked:
                return answer is truth
        match condition:
            case ir.Op(op=">", left=ir.Local(slot=slot), right=ir.Const(value=bound)):
                return next((value > bound for local, value in self.locals if local == slot), None)
        return None


def plain(condition: ir.Expr) -> tuple[ir.Expr, bool]:
    """A condition without negations, and its truth value: `size > 0` means that `size == 0` is false."""
    match condition:
        case ir.Not(operand=operand):
            inner, truth = plain(operand)
            return inner, not truth
        case ir.Op(op="!=", left=left, right=right):
            return ir.Op("==", left, right), False
        case ir.Op(op=">", left=ir.Size() as left, right=ir.Const(value=0)):
            return is_empty(left), False
        case ir.Op(op=">=", left=ir.Size() as left, right=ir.Const(value=1)):
            return is_empty(left), False
    return condition, True


def _implied(condition: ir.Expr) -> Iterator[tuple[ir.Expr, bool]]:
    """What follows from a condition: its parts, and that what has some pieces is not empty."""
    for part in conjuncts(condition):
        yield plain(part)
        yield from ((is_empty(size), False) for size in filled_by(part, True))


def filled_by(condition: ir.Expr, holds: bool) -> Iterator[ir.Size]:
    """The collections that are not empty if a condition holds, or if it does not."""
    for part, truth in consequences(condition, holds):
        match part:
            case ir.Op(op=">" | ">=" as op, left=ir.Size() as size, right=ir.Const(value=least)) if truth:
                if least + (op == ">") > 0:
                    yield size
            case ir.Op(op="<" | "<=" as op, left=ir.Size() as size, right=ir.Const(value=most)) if not truth:
                if most + (op == "<=") > 0:
                    yield size
            case ir.Op(op="==" | "!=" as op, left=ir.Size() as size, right=ir.Const(value=0)):
                if truth is (op == "!="):
                    yield size


def is_empty(size: ir.Size) -> ir.Expr:
    return ir.Op("==", size, ir.Const(0))


def consequences(e: ir.Expr, truth: bool) -> Iterator[tuple[ir.Expr, bool]]:
    """The comparisons that follow from a condition being true or false, with their truth values."""
    match e:
        case ir.Not(operand=operand):
            yield from consequences(operand, not truth)
        case ir.Op(op="and", left=left, right=right) if truth:
            yield from consequences(left, True)
            yield from consequences(right, True)
        case ir.Op(op="or", left=left, right=right) if not truth:
            yield from consequences(left, False)
            yield from consequences(right, False)
        case _:
            yield e, truth
