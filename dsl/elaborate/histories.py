"""Histories: which one a name means, how often it has the present position, and what it records."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.domains import SEAT, IntType
from dsl.elaborate.typer import Typer
from dsl.messages.names import UnknownName
from dsl.messages.statements import CannotRecall
from dsl.source import Span


def times(typer: Typer, node: s.TimesRecorded) -> r.Expr:
    """How often the present values have been recorded."""
    history = history_of(typer, node.history)
    if history.is_scratch:
        why = f"history `{history.name}` lasts a moment, and its records are not counted"
        raise DiagnosticError(CannotRecall(node.span, why, "count what is found in a counter"))
    kind = IntType(0, history.most)
    return r.TimesRecorded(kind, node.span, history.name, values_of(typer, history, node.span))


def history_of(typer: Typer, word: s.Word) -> r.History:
    """The history of a name. Raises `DiagnosticError` if there is none."""
    histories = typer.symbols.histories
    if word.text in typer.symbols.broken:
        raise DiagnosticError(typer.symbols.broken[word.text])
    if word.text not in histories:
        hint = did_you_mean(word.text, histories) or "histories are declared under `histories`"
        raise DiagnosticError(UnknownName(word.span, word.text, "history", hint))
    return histories[word.text]


def recalled(typer: Typer, line: s.Recall) -> tuple[r.History, r.Counter]:
    """The history whose best records are recalled, and the counter that says which these are."""
    history = history_of(typer, line.history)
    if not history.is_scratch:
        why = f"history `{history.name}` is one of the position, of which nothing is recalled"
        raise DiagnosticError(
            CannotRecall(line.history.span, why, "`lasts: moment` makes it one of what is found")
        )
    counter = typer.symbols.counters.get(line.worth.text)
    if counter is None or counter.name not in history.parts:
        why = f"`{line.worth.text}` is no counter among the parts of history `{history.name}`"
        held = [name for name in history.parts if name in typer.symbols.counters]
        hint = did_you_mean(line.worth.text, held) or "record a counter without an index, and name it here"
        raise DiagnosticError(CannotRecall(line.worth.span, why, hint))
    return history, counter


def values_of(typer: Typer, history: r.History, span: Span) -> tuple[r.Expr, ...]:
    """The parts that are values of rules, or whose turn it is; the others are read where they lie."""
    found: list[r.Expr] = []
    for name in history.parts:
        if name == "active":
            found.append(r.Special(SEAT, span, "active"))
        elif typer.scope.signatures.value(name, span) is not None:
            found.append(typer.expr(s.Call(span, s.Word(span, name), ())))
    return tuple(found)
