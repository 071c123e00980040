"""Statements, from syntax to typed rules: the dispatch on their kinds, conditions, loops, rounds of seats."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import SEAT
from dsl.elaborate import changes, choices, collections, endings, exchanges, moves
from dsl.elaborate.scope import Scope
from dsl.elaborate.statement_typer import Marks, StatementTyper
from dsl.messages.statements import UnboundedLoop, WrongStatement

ANOTHER = ("me", "opponent")
"""The names about which no fact holds any more when another seat acts."""


def type_block(scope: Scope, block: s.Block, in_trigger: bool = False) -> r.Block:
    """The typed statements of a routine or trigger. Errors in them go to the report."""
    return StatementTyper(scope, _statement, in_trigger).block(block)


def _statement(typer: StatementTyper, line: s.Line) -> r.Statement | None:
    """A typed statement; none for `nothing`. Raises `DiagnosticError` with the first error."""
    marks = typer.symbols.cite_all(line.clauses)
    match line:
        case s.Nothing():
            return None
        case s.Let():
            return changes.let(typer, line, marks)
        case s.Assign():
            return changes.assign(typer, line, marks)
        case s.CallLine():
            return choices.call(typer, line, marks)
        case s.Gain():
            return changes.transfer(typer, line, marks)
        case s.MovePiece():
            return moves.move_piece(typer, line, marks)
        case s.MoveAll():
            return moves.move_all(typer, line, marks)
        case s.MoveCount():
            return moves.move_count(typer, line, marks)
        case s.Draw():
            return moves.draw(typer, line, marks)
        case s.Roll():
            return moves.roll(typer, line, marks)
        case s.RollOver():
            return moves.roll_over(typer, line, marks)
        case s.Shuffle():
            return moves.shuffle(typer, line, marks)
        case s.ChanceChooses():
            return choices.chance(typer, line, marks)
        case s.Show():
            return moves.show(typer, line, marks)
        case s.Swap():
            return exchanges.exchange(typer, line, marks)
        case s.SetMark():
            return changes.set_mark(typer, line, marks)
        case s.Clear():
            return changes.clear(typer, line, marks)
        case s.Record():
            return changes.record(typer, line, marks)
        case s.Recall():
            return changes.recall(typer, line, marks)
        case s.Needs():
            return choices.need(typer, line, marks)
        case s.EndGame() | s.Wins() | s.WinTogether() | s.Loses():
            return endings.ending(typer, line, marks)
        case s.Choose():
            return choices.choose(typer, line, marks)
        case s.Offer():
            return choices.offer(typer, line, marks)
        case s.If():
            return _if(typer, line, marks)
        case s.While():
            return _while(typer, line, marks)
        case s.Repeat():
            return _repeat(typer, line, marks)
        case s.RepeatUntil():
            return _repeat_until(typer, line, marks)
        case s.For():
            return _for(typer, line, marks)
        case s.EachTurn():
            return _each(typer, line, marks)
        case s.EachTogether():
            return _together(typer, line, marks)
    assert_never(line)


def _if(typer: StatementTyper, line: s.If, marks: Marks) -> r.Statement:
    condition = typer.exprs.condition(line.condition)
    before = list(typer.commits)
    with typer.scope.given(line.condition):
        block = typer.block(line.block)
    after, typer.commits = typer.commits, before
    with typer.scope.given(line.condition, False):
        otherwise = typer.block(line.otherwise or ())
    typer.commits = max(after, typer.commits, key=len)
    return r.If(line.span, marks, condition, block, otherwise)


# ---- loops


def _while(typer: StatementTyper, line: s.While, marks: Marks) -> r.Statement:
    if line.most is None:
        raise DiagnosticError(UnboundedLoop(line.span))
    most = typer.exprs.number(line.most)
    with typer.loop(line.block):
        condition = typer.exprs.condition(line.condition)
        with typer.scope.given(line.condition):
            block = typer.block(line.block)
    return r.While(line.span, marks, condition, most, block)


def _repeat(typer: StatementTyper, line: s.Repeat, marks: Marks) -> r.Statement:
    number = typer.exprs.number(line.number)
    with typer.loop(line.block):
        return r.Repeat(line.span, marks, number, typer.block(line.block))


def _repeat_until(typer: StatementTyper, line: s.RepeatUntil, marks: Marks) -> r.Statement:
    most = typer.exprs.number(line.most)
    with typer.loop(line.block):
        block = typer.block(line.block)
        condition = typer.exprs.maybe_condition(line.condition)
    typer.scope.learn_given(line.condition)
    return r.RepeatUntil(line.span, marks, condition, most, block)


def _for(typer: StatementTyper, line: s.For, marks: Marks) -> r.Statement:
    with typer.scope.inner():
        binder = collections.bound(typer.exprs, line.binder)
        keys = tuple(typer.exprs.key(k) for k in line.keys)
        with typer.loop(line.block):
            block = typer.block(line.block)
    return r.For(line.span, marks, binder, keys, block)


# ---- seats


def _each(typer: StatementTyper, line: s.EachTurn, marks: Marks) -> r.Statement:
    if line.who.text not in ("seat", "opponent"):
        hint = "use `each seat in turn`, `each opponent in turn` or `for x in ...`"
        raise DiagnosticError(
            WrongStatement(line.who.span, f"`each {line.who.text}` is not a kind of round", hint)
        )
    start = typer.maybe_seat(line.start)
    candidate = r.Var("me", SEAT, line.who.span)
    with _about(typer, candidate):
        where = typer.exprs.maybe_condition(line.where)
        keys = tuple(typer.exprs.key(k) for k in line.keys)
    typer.scope.forget(ANOTHER, "seat")
    in_round, typer.in_round = typer.in_round, True
    with typer.loop(line.block):
        block = typer.block(line.block)
    typer.in_round = in_round
    return r.EachTurn(line.span, marks, line.who.text == "opponent", start, candidate, keys, where, block)


@contextmanager
def _about(typer: StatementTyper, candidate: r.Var) -> Iterator[None]:
    """The condition and keys of a round: `me` is the seat that they are evaluated for, and so is `seat`.

    A local of the routine that is called `seat` stays what it is.
    """
    before, known, present = typer.scope.me, typer.scope.known, typer.scope.present
    lost = typer.scope.lost
    names = typer.scope.locals
    typer.scope.me, typer.scope.locals = candidate, {"seat": candidate, **names}
    typer.scope.forget(ANOTHER, "seat")
    try:
        yield
    finally:
        typer.scope.me, typer.scope.known, typer.scope.present = before, known, present
        typer.scope.lost = lost
        typer.scope.locals = names


def _together(typer: StatementTyper, line: s.EachTogether, marks: Marks) -> r.Statement:
    if line.who.text != "seat":
        why = f"`each {line.who.text} together` is not a kind of round"
        raise DiagnosticError(WrongStatement(line.who.span, why, "use `each seat together`"))
    if typer.in_together:
        why = "`together` is nested in `together`"
        raise DiagnosticError(WrongStatement(line.span, why, "ask the seats one after the other inside it"))
    captured = dict(typer.scope.locals)
    typer.commit("choice", line)
    in_round, typer.in_round = typer.in_round, False
    typer.in_together, typer.captured = True, frozenset(captured)
    typer.scope.forget(ANOTHER, "seat")
    block = typer.block(line.block)
    typer.in_together, typer.captured, typer.in_round = False, frozenset(), in_round
    held = (
        typer.scope.picked[var].picks if var in typer.scope.picked else (var,) for var in captured.values()
    )
    return r.Together(line.span, marks, tuple(var for each in held for var in each), block)
