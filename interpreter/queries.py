"""Questions about a state, in the words of the rules."""

from __future__ import annotations

from array import array

from dsl import rules as r
from interpreter import ir
from interpreter.compile.coverage import points
from interpreter.compile.expressions import Lowering
from interpreter.compile.layout import lay_out
from interpreter.game import Game
from interpreter.reference.faults import RUNTIME_ERRORS, as_fault


class QueryEvaluator:
    """Answers typed expressions and collections about states of one game.

    What a question works out counts as executed in a game with cover.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        mc = game.machine
        self.lowering = Lowering(game.rules, mc.seats, mc.options, lay_out(game.rules, mc.seats))
        self.lowering.me = ir.Head(ir.ACTIVE)
        if mc.cover:
            self.lowering.cover(points(game.rules))
        self.lowering.routine_numbers = {code.name: i for i, code in enumerate(mc.routines)}

    def answer(self, s: array[int], question: r.Expr | r.Collection) -> str | list[str]:
        """A value in the words of the rules, or the sorted names of what is in a collection.

        Raises `Fault` if the question comes to something that must not happen.
        """
        try:
            return self._answer(s, question)
        except RUNTIME_ERRORS as error:
            raise as_fault(error, question.span) from None

    def _answer(self, s: array[int], question: r.Expr | r.Collection) -> str | list[str]:
        x, names = self.game.reference, self.game.names
        self.lowering.begin_question()
        registers = self._registers()
        if isinstance(question, r.Collection):
            found = x.linker.sources.many(self.lowering.collection(question))(s, registers)
            return sorted(names.value(question.item, v) for v, n in found for _ in range(n))
        value = x.linker.number(self.lowering.expr(question))(s, registers)
        return names.value(question.type, value)

    def _registers(self) -> list[int]:
        registers = self.game.reference.registers
        registers.extend([0] * (self.lowering.registers + 1 - len(registers)))
        return registers
