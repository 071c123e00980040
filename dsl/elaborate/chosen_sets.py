"""Choices of several values at once: how many, their names, and what stands for all of them."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import (
    FLAG,
    NONE,
    EnumType,
    IntType,
    NoneType,
    PieceType,
    SetType,
    Type,
    certain,
    several as plural_of,
)
from dsl.elaborate import collections
from dsl.elaborate.typer import Typer
from dsl.messages.statements import WrongStatement
from dsl.messages.types import TooManyAtOnce
from dsl.operators import RoutineKind

MOST_CHOSEN = 32
"""The most values that are chosen as a set: each of them is a decision of its own in the machine."""


def numbers(typer: Typer, node: s.Several) -> tuple[r.Expr, r.Expr]:
    """The least and the greatest number of what is chosen."""
    if node.up_to:
        return r.Const(IntType(0, 0), node.span, 0), typer.number(node.number)
    if isinstance(node.number, s.Interval):
        return typer.number(node.number.low), typer.number(node.number.high)
    number = typer.number(node.number)
    return number, number


def several(
    typer: Typer, node: s.Several, binder: r.Binder, bounds: tuple[r.Expr, r.Expr], free: bool
) -> r.Several:
    """How many values of a collection are chosen, with a variable for each. `free`: it may be declined.

    Raises `DiagnosticError` if that can never be done, or if they are too many.
    """
    least, most = bounds
    there = collections.most(typer, binder.collection)
    lowest, highest = typer.range_of(least).lo, min(there, typer.range_of(most).hi)
    shown = " ".join(node.number.span.text.split())
    if lowest > there:
        why = f"there are at most {there} {plural_of(binder.collection.item)} to choose from"
        raise DiagnosticError(TooManyAtOnce(node.span, shown, why, "choose fewer"))
    if highest < 1 or typer.range_of(least).lo > typer.range_of(most).hi:
        why = "nothing would ever be chosen"
        raise DiagnosticError(TooManyAtOnce(node.span, shown, why, "name a number of 1 or more"))
    if highest > MOST_CHOSEN:
        why = f"that may be {highest}; at most {MOST_CHOSEN} can be chosen as a set"
        hint = f"bound it, for example by `min({min(MOST_CHOSEN, 5)}, ...)`"
        raise DiagnosticError(TooManyAtOnce(node.span, shown, why, hint))
    item = certain(binder.collection.item)
    picks = tuple(r.Var(binder.var.name, item, binder.var.span) for _ in range(highest))
    group = node.group or s.Word(binder.var.span, binder.var.name)
    whole = _chosen(binder, picks, group)
    return r.Several(least, most, max(0, lowest), free, whole, node.group is not None)


def _chosen(binder: r.Binder, picks: tuple[r.Var, ...], name: s.Word) -> r.Picked:
    """All that are chosen, as a collection: of the variables those that hold something."""
    item, span = certain(binder.collection.item), name.span
    items = r.Items(item, span, tuple(r.Read(item, span, var) for var in picks))
    var = r.Var(binder.var.name, item, span)
    there = r.Cmp(FLAG, span, "is not", r.Read(item, span, var), r.Const(NoneType(), span, NONE))
    group = r.Var(name.text, set_type(item), span)
    return r.Picked(item, span, r.Binder(var, items, there), picks, group, binder.collection)


def set_type(item: Type) -> SetType:
    """The type of several values; pieces are no set that can be kept, but are called so in messages."""
    assert isinstance(item, IntType | EnumType | PieceType)
    return SetType(item)


def bind(typer: Typer, name: s.Word, chosen: r.Picked) -> None:
    """From here on a name stands for all that are chosen."""
    typer.scope.picked[typer.scope.bind(name, chosen.group.type)] = chosen


def check_parameter(node: s.Parameter, what: s.Several, kind: RoutineKind) -> s.Word:
    """The name of a set that is chosen for a routine. Raises `DiagnosticError` if it cannot be there."""
    name = node.name.text
    if kind == "procedure":
        hint = "choose inside it, or make it an action; a set of values is given as `name: set of T`"
        raise DiagnosticError(WrongStatement(what.span, "a procedure chooses no parameters", hint))
    if what.up_to or isinstance(what.number, s.Interval):
        shown = " ".join(what.number.span.text.split())
        numbers = f"1..{shown}" if what.up_to else shown
        why = "the number of what is chosen for an action must be known before"
        hint = f"choose the number first: `number: {numbers}, number {name} from ...`"
        raise DiagnosticError(WrongStatement(what.span, why, hint))
    if what.group is None:
        hint = f"write `as NAME` behind the collection: the action goes over them with `for {name} in NAME`"
        raise DiagnosticError(WrongStatement(what.span, "what is chosen for an action has no name", hint))
    return what.group
