"""Facts known on a path through a routine: constants in locals, and conditions already evaluated."""

from __future__ import annotations

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
                return Facts(self.answers | {plain(part) for part in conjuncts(condition)}, self.locals)
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
        case ir.Op(op=">", left=ir.Size() as left, right=ir.Const(value=0) as right):
            return ir.Op("==", left, right), False
    return condition, True
