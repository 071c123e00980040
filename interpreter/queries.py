"""Queries: expressions of the rules language, evaluated in a state."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from dsl import rules as r
from interpreter import ir
from interpreter.compile.coverage import points
from interpreter.compile.expressions import Lowering
from interpreter.compile.layout import lay_out
from interpreter.game import Game
from interpreter.reference.faults import RUNTIME_ERRORS, as_fault

Function = Callable[["array[int]", Sequence[int]], int]
"""The value of an expression in a state, for the values of its variables."""


class QueryEvaluator:
    """Evaluates typed expressions and collections in states of one game.

    In a game with coverage, the values that a query uses count as executed.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        mc = game.machine
        self.lowering = Lowering(
            game.ruleset, mc.seats, mc.options, lay_out(game.ruleset, mc.seats, mc.excluded)
        )
        self.lowering.me = ir.Head(ir.ACTIVE)
        if mc.cover:
            self.lowering.cover(points(game.ruleset))
        self.lowering.routine_numbers = {code.name: i for i, code in enumerate(mc.routines)}

    def answer(self, s: array[int], question: r.Expr | r.Collection) -> str | list[str]:
        """A value in the words of the rules, or the sorted names of the values in a collection.

        Raises `Fault` if the evaluation fails, such as by an index out of bounds.
        """
        try:
            return self._answer(s, question)
        except RUNTIME_ERRORS as error:
            raise as_fault(error, question.span) from None

    def function(self, question: r.Expr, variables: Sequence[r.Var]) -> Function:
        """An expression as a function of a state and of its variables.

        It raises `Fault` where the evaluation fails.
        """
        self.lowering.begin_question()
        with ExitStack() as bound:
            numbers = [bound.enter_context(self.lowering.register()) for _ in variables]
            for var, number in zip(variables, numbers, strict=True):
                bound.enter_context(self.lowering.bound(var, ir.Reg(number)))
            evaluate = self.game.reference.linker.number(self.lowering.expr(question))
        registers, begin = self._registers(), self.game.reference.context.begin

        def value(s: array[int], values: Sequence[int]) -> int:
            for number, given in zip(numbers, values, strict=True):
                registers[number] = given
            begin()
            try:
                return evaluate(s, registers)
            except RUNTIME_ERRORS as error:
                raise as_fault(error, question.span) from None

        return value

    def _answer(self, s: array[int], question: r.Expr | r.Collection) -> str | list[str]:
        x, names = self.game.reference, self.game.names
        self.lowering.begin_question()
        if isinstance(question, r.Collection):
            many = x.linker.sources.many(self.lowering.collection(question))
            return sorted(
                names.value(question.item, v) for v, n in many(s, self._registers()) for _ in range(n)
            )
        number = x.linker.number(self.lowering.expr(question))
        return names.value(question.type, number(s, self._registers()))

    def _registers(self) -> list[int]:
        """The registers of the executor, with enough for everything that was lowered."""
        registers = self.game.reference.registers
        registers.extend([0] * (self.lowering.registers + 1 - len(registers)))
        return registers
