"""What is known on one way through a routine: constants in locals, and conditions that have been asked."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import machine as m
from interpreter.machine.effects import Store, effect_of
from interpreter.machine.fold import conjuncts
from interpreter.machine.visit import reads_slot


@dataclass(frozen=True)
class Facts:
    """Conditions with their answers, and locals with their values."""

    answers: frozenset[tuple[m.Expr, bool]] = frozenset()
    locals: frozenset[tuple[int, int]] = frozenset()

    def after(self, node: m.Step) -> Facts:
        """What is still known behind a node, and what is new."""
        match node:
            case m.Need(condition=condition):
                return Facts(self.answers | {plain(part) for part in conjuncts(condition)}, self.locals)
            case m.SetLocal(slot=slot, value=value):
                kept = frozenset(known for known in self.locals if known[0] != slot)
                new = frozenset({(slot, value.value)} if isinstance(value, m.Const) else ())
                return Facts(frozenset(a for a in self.answers if not reads_slot(a[0], slot)), kept | new)
            case m.ClearLocals():
                return self
        effect = effect_of(node)
        return Facts() if effect.calls or effect.writes & ~Store.RECORD else self

    def answer(self, condition: m.Expr) -> bool | None:
        """Whether a condition holds; none if that is not known."""
        asked, truth = plain(condition)
        for known, answer in self.answers:
            if known == asked:
                return answer is truth
        match condition:
            case m.Op(op=">", left=m.Local(slot=slot), right=m.Const(value=bound)):
                return next((value > bound for local, value in self.locals if local == slot), None)
        return None


def plain(condition: m.Expr) -> tuple[m.Expr, bool]:
    """A condition without denials, and whether it is to hold: `size > 0` is that `size == 0` does not."""
    match condition:
        case m.Not(operand=operand):
            inner, truth = plain(operand)
            return inner, not truth
        case m.Op(op="!=", left=left, right=right):
            return m.Op("==", left, right), False
        case m.Op(op=">", left=m.Size() as left, right=m.Const(value=0) as right):
            return m.Op("==", left, right), False
    return condition, True
