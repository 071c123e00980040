"""Statements of decisions: preconditions, choices, offers; and calls of procedures."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import certain
from dsl.elaborate import collections, offers
from dsl.elaborate.scope import facts
from dsl.elaborate.signatures import check_bounded
from dsl.elaborate.statement_typer import Marks, StatementTyper
from dsl.messages.statements import CannotOffer, NeedsTooLate, WrongStatement
from dsl.messages.types import WrongArguments, WrongType
from dsl.rules.visit import substitute
from dsl.wording import article, given, quoted

# ---- preconditions


def need(typer: StatementTyper, line: s.Needs, marks: Marks) -> r.Statement:
    if typer.in_trigger:
        raise DiagnosticError(
            WrongStatement(line.span, "`needs` cannot refuse anything in a trigger", "use `if`")
        )
    if typer.commits:
        what, at = typer.commits[0]
        raise DiagnosticError(NeedsTooLate(line.span, what, at))
    typer.needs.append(line)
    condition = typer.exprs.condition(line.condition)
    typer.scope.learn(facts(line.condition))
    return r.Precondition(line.span, marks, condition)


# ---- choices


def choose(typer: StatementTyper, line: s.Choose, marks: Marks) -> r.Statement:
    _check_choice(line)
    seat = typer.maybe_seat(line.subject)
    if line.strength == "must" and not line.if_any:
        old = typer.scope.locals.get(line.name.text)
        binder = _rechoose(typer, line, old) if old is not None else _choice(typer, line)
        typer.commit("choice", line)
        return r.Choose(line.span, marks, "must", seat, binder, False, (), ())
    with typer.scope.inner():
        binder = _choice(typer, line)
        typer.commit("choice", line)
        block = _repeated(typer, line.strength, line.block or ())
    otherwise = typer.block(line.otherwise or ())
    return r.Choose(line.span, marks, line.strength, seat, binder, line.if_any, block, otherwise)


def _repeated(typer: StatementTyper, strength: s.Strength, block: s.Block) -> r.Block:
    """The block under a choice or offer, which is a loop with `keep`."""
    if strength != "keep":
        return typer.block(block)
    with typer.loop(block):
        return typer.block(block)


def _check_choice(line: s.Choose) -> None:
    """Raises `DiagnosticError` if a choice must have a block and has none, or the reverse."""
    plain = line.strength == "must" and not line.if_any
    if plain and line.block is not None:
        hint = "add `if any`, or unindent the lines below it"
        raise DiagnosticError(WrongStatement(line.span, "a plain `choose` has no block", hint))
    if line.strength == "keep" and line.otherwise is not None:
        hint = "lines after it run when no more is chosen"
        raise DiagnosticError(WrongStatement(line.span, "`may keep choosing` has no `else`", hint))
    if not plain and line.block is None:
        why = "missing block for what is done with the choice"
        raise DiagnosticError(WrongStatement(line.span, why, "indent a block under it"))


def _choice(typer: StatementTyper, line: s.Choose) -> r.Binder:
    binder = collections.bound(typer.exprs, s.Binder(line.span, line.name, line.collection, line.where))
    check_bounded(binder.collection)
    return binder


def _rechoose(typer: StatementTyper, line: s.Choose, old: r.Var) -> r.Binder:
    """A choice that is assigned to an existing local."""
    with typer.scope.inner():
        del typer.scope.locals[line.name.text]
        binder = _choice(typer, line)
    if not typer.exprs.related(binder.var.type, old.type):
        hint = f"`{old.name}` is declared with another type; choose another name"
        raise DiagnosticError(WrongType(line.span, str(certain(old.type)), str(binder.var.type), hint))
    typer.scope.forget([old.name])
    typer.scope.learn(frozenset({old.name}) | facts(line.where))
    typer.scope.origins[old] = binder.collection
    return r.Binder(old, binder.collection, substitute(binder.where, binder.var, old))


# ---- offers


def offer(typer: StatementTyper, line: s.Offer, marks: Marks) -> r.Statement:
    _check_offer(line)
    seat = typer.maybe_seat(line.subject)
    targets = tuple(offers.target(typer.exprs, t, line.actor) for t in line.targets)
    cell = line.strength == "must" and len(targets) == 1 and isinstance(targets[0], r.DoCell)
    typer.commit("effect that may ask or roll" if cell else "choice", line)
    typer.forget_all()
    block = _repeated(typer, line.strength, line.block or ())
    otherwise = typer.block(line.otherwise or ())
    return r.Offer(line.span, marks, line.strength, seat, targets, block, otherwise)


def _check_offer(line: s.Offer) -> None:
    if line.strength == "must" and line.block is not None:
        hint = "lines after it always run; `may do` has a block"
        raise DiagnosticError(WrongStatement(line.span, "a plain `do` has no block", hint))
    if line.strength == "keep" and line.otherwise is not None:
        hint = "lines after it run when the seat is done"
        raise DiagnosticError(WrongStatement(line.span, "`may keep doing` has no `else`", hint))


# ---- calls


def call(typer: StatementTyper, line: s.CallLine, marks: Marks) -> r.Statement:
    word, arguments = _as_routine(line.call)
    signature = typer.scope.signatures.routine(word.text)
    if signature is None:
        raise _no_procedure(typer, line, word)
    kind, parameters = signature
    if kind != "procedure":
        hint = f"use `do {word.text}`" + ("" if kind == "action" else ", or make it a procedure")
        raise DiagnosticError(
            CannotOffer(word.span, word.text, f"{article(kind)} and cannot be called", hint)
        )
    if len(arguments) != len(parameters):
        hint = "give all arguments, or make it an action: a procedure chooses nothing"
        names = quoted([p.var.name for p in parameters], "and") or "nothing"
        raise DiagnosticError(WrongArguments(line.span, word.text, names, given(len(arguments)), hint))
    typed = tuple(typer.exprs.argument(a, p.var.type) for a, p in zip(arguments, parameters, strict=True))
    typer.forget_all()
    return r.CallLine(line.span, marks, word.text, typed)


def _no_procedure(typer: StatementTyper, line: s.CallLine, word: s.Word) -> DiagnosticError:
    """The error of a line that is a name or call, and calls no routine."""
    if word.text in typer.scope.locals or word.text in typer.symbols.names:
        return DiagnosticError(_without_effect(line))
    return typer.scope.unknown(word.text, word.span, "procedure")


def _as_routine(node: s.Expr) -> tuple[s.Word, tuple[s.Expr, ...]]:
    """Name and arguments of a call, such as `settle(card, disc)` or `rebuild`.

    Raises `DiagnosticError` for anything else.
    """
    if isinstance(node, s.Call):
        return node.name, node.arguments
    if isinstance(node, s.Name):
        return s.Word(node.span, node.text), ()
    raise DiagnosticError(_without_effect(node))


def _without_effect(node: s.Node | s.Statement) -> WrongStatement:
    hint = "start a line with a verb, such as `gain`, `move` or `choose`, or call a procedure"
    return WrongStatement(node.span, "this line is a value without effect", hint)
