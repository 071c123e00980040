"""Statements that end the game: who wins, who loses, and what this end is called."""

from __future__ import annotations

from typing import assert_never

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import SEAT, certain
from dsl.elaborate.collections import is_collection
from dsl.elaborate.presence import key_of
from dsl.elaborate.statement_typer import Marks, StatementTyper
from dsl.messages.types import WrongType

NOBODY = "nobody"

Ending = s.EndGame | s.Wins | s.WinTogether | s.Loses


def ending(typer: StatementTyper, line: Ending, marks: Marks) -> r.Statement:
    """A statement that ends the game. Raises `DiagnosticError` if those who win or lose are not seats."""
    outcome = _outcome(typer, line.outcome)
    match line:
        case s.EndGame():
            return r.EndGame(line.span, marks, outcome)
        case s.Wins(seat=seat) if _is_nobody(typer, seat):
            return r.WinTogether(line.span, marks, None, outcome)
        case s.Wins(seat=seat):
            if is_collection(typer.exprs, seat):
                hint = f"several seats `win`: `{key_of(seat)} win`"
                raise DiagnosticError(WrongType(seat.span, "a `seat`", "a collection", hint))
            return r.Win(line.span, marks, typer.seat(seat), outcome)
        case s.Loses(seat=seat):
            return r.Lose(line.span, marks, typer.seat(seat), outcome)
        case s.WinTogether(seats=seats):
            return r.WinTogether(line.span, marks, _seats(typer, seats), outcome)
    assert_never(line)


def _outcome(typer: StatementTyper, word: s.Word | None) -> str | None:
    """The name of an end. Raises `DiagnosticError` if it is a word of the language."""
    if word is None:
        return None
    typer.symbols.usable(word.text, word.span)
    return word.text


def _is_nobody(typer: StatementTyper, node: s.Expr) -> bool:
    known = (*typer.scope.locals, *typer.symbols.names)
    return isinstance(node, s.Name) and node.text == NOBODY and NOBODY not in known


def _seats(typer: StatementTyper, node: s.Expr) -> r.Collection:
    if not is_collection(typer.exprs, node):
        typer.seat(node)
        hint = f"one seat `wins`: `{key_of(node)} wins`"
        raise DiagnosticError(WrongType(node.span, "a collection of seats", "a `seat`", hint))
    found = typer.exprs.collection(node)
    if not typer.exprs.related(found.item, SEAT):
        raise DiagnosticError(WrongType(node.span, "a collection of seats", str(certain(found.item))))
    return found
