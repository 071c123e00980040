"""Statements: from what was written to what is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import SEAT
from dsl.elaborate import collections
from dsl.elaborate.changes import Changes
from dsl.elaborate.choices import Choices
from dsl.elaborate.moves import Moves
from dsl.elaborate.scope import facts
from dsl.elaborate.statement_typer import Marks
from dsl.messages.statements import UnboundedLoop, WrongStatement

ANOTHER = ("me", "opponent")
"""Whose facts are not known when another seat acts."""


class Statements(Changes, Moves, Choices):
    """Types the statements of one routine, in order."""

    def line(self, line: s.Line) -> r.Statement | None:
        """One statement; `nothing` is none.

        Raises `DiagnosticError` with the first thing that does not fit.
        """
        marks = self.marks(line)
        match line:
            case s.Nothing():
                return None
            case s.Let():
                return self.let(line, marks)
            case s.Assign():
                return self.assign(line, marks)
            case s.CallLine():
                return self.call(line, marks)
            case s.Gain():
                return self.transfer(line, marks)
            case s.MovePiece():
                return self.move_piece(line, marks)
            case s.MoveAll():
                return self.move_all(line, marks)
            case s.MoveCount():
                return self.move_count(line, marks)
            case s.Draw():
                return self.draw(line, marks)
            case s.Roll():
                return self.roll(line, marks)
            case s.RollOver():
                return self.roll_over(line, marks)
            case s.Shuffle():
                return self.shuffle(line, marks)
            case s.Show():
                return self.show(line, marks)
            case s.SetMark():
                return self.set_mark(line, marks)
            case s.Clear():
                return self.clear(line, marks)
            case s.Needs():
                return self.need(line, marks)
            case s.EndGame():
                return r.EndGame(line.span, marks)
            case s.Wins(seat=seat):
                return r.Win(line.span, marks, self.seat(seat))
            case s.Choose():
                return self.choose(line, marks)
            case s.Offer():
                return self.offer(line, marks)
            case s.If():
                return self._if(line, marks)
            case s.While():
                return self._while(line, marks)
            case s.Repeat():
                return self._repeat(line, marks)
            case s.For():
                return self._for(line, marks)
            case s.EachTurn():
                return self._each(line, marks)
            case s.EachTogether():
                return self._together(line, marks)
        assert_never(line)

    def _if(self, line: s.If, marks: Marks) -> r.Statement:
        condition = self.typer.condition(line.condition)
        before = list(self.scope.stopped)
        with self.scope.knowing(facts(line.condition)):
            block = self.block(line.block)
        after, self.scope.stopped = self.scope.stopped, before
        with self.scope.knowing(facts(line.condition, False)):
            otherwise = self.block(line.otherwise or ())
        self.scope.stopped = max(after, self.scope.stopped, key=len)
        return r.If(line.span, marks, condition, block, otherwise)

    # ---- loops

    def _while(self, line: s.While, marks: Marks) -> r.Statement:
        if line.most is None:
            raise DiagnosticError(UnboundedLoop(line.span))
        most = self.typer.number(line.most)
        with self.loop(line.block):
            condition = self.typer.condition(line.condition)
            with self.scope.knowing(facts(line.condition)):
                block = self.block(line.block)
        return r.While(line.span, marks, condition, most, block)

    def _repeat(self, line: s.Repeat, marks: Marks) -> r.Statement:
        number = self.typer.number(line.number)
        with self.loop(line.block):
            return r.Repeat(line.span, marks, number, self.block(line.block))

    def _for(self, line: s.For, marks: Marks) -> r.Statement:
        with self.scope.inner():
            binder = collections.bound(self.typer, line.binder)
            keys = tuple(self.typer.number(k) for k in line.keys)
            with self.loop(line.block):
                block = self.block(line.block)
        return r.For(line.span, marks, binder, keys, block)

    # ---- seats

    def _each(self, line: s.EachTurn, marks: Marks) -> r.Statement:
        if line.who.text not in ("seat", "opponent"):
            hint = "use `each seat in turn`, `each opponent in turn` or `for x in ...`"
            raise DiagnosticError(
                WrongStatement(line.who.span, f"`each {line.who.text}` is not a kind of round", hint)
            )
        start = self.seat(line.start) if line.start is not None else None
        probe = r.Var("me", SEAT, line.who.span)
        with self._about(probe):
            where = self.typer.condition(line.where) if line.where is not None else None
            keys = tuple(self.typer.number(k) for k in line.keys)
        self.scope.forget(ANOTHER)
        turned, self.scope.turned = self.scope.turned, True
        with self.loop(line.block):
            block = self.block(line.block)
        self.scope.turned = turned
        return r.EachTurn(line.span, marks, line.who.text == "opponent", start, probe, keys, where, block)

    @contextmanager
    def _about(self, probe: r.Var) -> Iterator[None]:
        """Conditions and keys of a round: `me` is the seat that is asked about."""
        before, known = self.scope.me, self.scope.known
        self.scope.me = probe
        self.scope.forget(ANOTHER)
        try:
            yield
        finally:
            self.scope.me, self.scope.known = before, known

    def _together(self, line: s.EachTogether, marks: Marks) -> r.Statement:
        if line.who.text != "seat":
            why = f"`each {line.who.text} together` is not a kind of round"
            raise DiagnosticError(WrongStatement(line.who.span, why, "use `each seat together`"))
        if self.scope.together:
            why = "`together` is nested in `together`"
            raise DiagnosticError(
                WrongStatement(line.span, why, "ask the seats one after the other inside it")
            )
        captured, fixed = tuple(self.scope.locals.values()), self.scope.fixed
        self.stops("choice", line)
        turned, self.scope.turned = self.scope.turned, False
        self.scope.together, self.scope.fixed = True, frozenset(self.scope.locals)
        self.scope.forget(ANOTHER)
        block = self.block(line.block)
        self.scope.together, self.scope.fixed, self.scope.turned = False, fixed, turned
        return r.Together(line.span, marks, captured, block)
