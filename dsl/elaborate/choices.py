"""Statements of decisions: preconditions, choices, offers; and calls of procedures."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import PieceType, certain
from dsl.elaborate import chosen_sets, collections, offers
from dsl.elaborate.signatures import check_bounded, check_listed
from dsl.elaborate.statement_typer import Marks, StatementTyper
from dsl.messages.statements import CannotOffer, ChanceCannotChoose, NeedsTooLate, WrongStatement
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
    typer.scope.learn_given(line.condition)
    return r.Precondition(line.span, marks, condition)


# ---- choices


def choose(typer: StatementTyper, line: s.Choose, marks: Marks) -> r.Statement:
    if line.several is not None:
        return _choose_several(typer, line, line.several, marks)
    _check_choice(line)
    seat, known = typer.chooser(line.subject, line.strength)
    most = typer.exprs.number(line.most) if line.most is not None else None
    several, secretly = line.asked == "if several", line.secretly
    if line.strength == "must" and line.asked != "if any":
        old = typer.scope.locals.get(line.name.text)
        binder = _rechoose(typer, line, old) if old is not None else _choice(typer, line)
        typer.commit("choice", line)
        return r.Choose(line.span, marks, "must", seat, binder, False, (), (), secretly, several)
    rounds = _rounds(typer, line.strength, line.block or ())
    with typer.scope.inner(), typer.scope.assuming(known), rounds:
        binder = _choice(typer, line)
        typer.commit("choice", line)
        block = typer.block(line.block or ())
    otherwise = typer.block(line.otherwise or ())
    if_any = line.asked == "if any"
    return r.Choose(
        line.span, marks, line.strength, seat, binder, if_any, block, otherwise, secretly, False, most
    )


def _choose_several(typer: StatementTyper, line: s.Choose, what: s.Several, marks: Marks) -> r.Statement:
    """A set is chosen: the block runs for each of it, or once if it has a name."""
    _check_set(line, what)
    seat, known = typer.chooser(line.subject, line.strength)
    bounds = chosen_sets.numbers(typer.exprs, what)
    with typer.scope.inner(), typer.scope.assuming(known):
        binder = _choice(typer, line)
        several = chosen_sets.several(typer.exprs, what, binder, bounds, line.strength == "may")
        if line.otherwise is not None and several.certain > 0 and not several.free:
            why = "`else` at a choice of at least one"
            raise DiagnosticError(WrongStatement(line.span, why, "use `may choose`, or omit it"))
        typer.commit("choice", line)
        if what.group is None:
            with typer.loop(line.block or ()):
                block = typer.block(line.block or ())
        elif line.block is not None:
            del typer.scope.locals[line.name.text]
            chosen_sets.bind(typer.exprs, what.group, several.whole)
            block = typer.block(line.block)
    otherwise = typer.block(line.otherwise or ())
    if what.group is not None and line.block is None:
        block = ()
        chosen_sets.bind(typer.exprs, what.group, several.whole)
    return r.Choose(
        *(line.span, marks, line.strength, seat, binder, False, block, otherwise, line.secretly),
        several=several,
    )


def _check_set(line: s.Choose, what: s.Several) -> None:
    """Raises `DiagnosticError` for a choice of a set in a form that does not exist."""
    name, shown = line.name.text, " ".join(what.number.span.text.split())
    if line.strength == "keep" or line.most is not None:
        hint = f"`choose up to {shown} {name} ...` chooses them at once"
        raise DiagnosticError(WrongStatement(line.span, "a set is chosen once, not again and again", hint))
    if line.asked != "always":
        why = f"`{line.asked}` at a set, whose number says how many there must be"
        hint = f"omit it, or write `up to {shown}` or `min({shown}, size(...))`"
        raise DiagnosticError(WrongStatement(line.span, why, hint))
    named = what.group is not None
    if not named and line.block is None:
        hint = "indent a block that runs for each of them, or give them a name: `from ... as chosen`"
        raise DiagnosticError(WrongStatement(line.span, "nothing is done with what is chosen", hint))
    if named and line.strength == "may" and line.block is None:
        why = "missing block for what is done with the choice"
        raise DiagnosticError(WrongStatement(line.span, why, "indent a block under it"))
    if named and line.strength == "must" and line.block is not None:
        hint = "unindent the lines below it, or leave out `as` and let them run for each"
        raise DiagnosticError(WrongStatement(line.span, "a plain `choose ... as` has no block", hint))


def _rounds(typer: StatementTyper, strength: s.Strength, block: s.Block) -> AbstractContextManager[None]:
    """What is chosen or offered, and the block under it; with `keep` both are looked at in each round."""
    return typer.loop(block) if strength == "keep" else nullcontext()


def _check_choice(line: s.Choose) -> None:
    """Raises `DiagnosticError` if a choice must have a block and has none, or the reverse."""
    plain = line.strength == "must" and line.asked != "if any"
    if line.asked == "if several" and line.strength != "must":
        hint = "omit it: a single value can be declined, so it is asked about"
        raise DiagnosticError(WrongStatement(line.span, "`if several` in a choice that is free", hint))
    if line.most is not None and line.strength != "keep":
        hint = "omit it: only `may keep choosing` chooses several times"
        raise DiagnosticError(WrongStatement(line.most.span, "a number of times for a single choice", hint))
    if plain and line.block is not None:
        hint = "add `if any`, or unindent the lines below it"
        raise DiagnosticError(WrongStatement(line.span, "a plain `choose` has no block", hint))
    if plain and line.otherwise is not None:
        hint = "`choose … if any` has one, and `may choose`"
        raise DiagnosticError(WrongStatement(line.span, "a plain `choose` has no `else`", hint))
    if line.strength == "keep" and line.otherwise is not None:
        hint = "lines after it run when no more is chosen"
        raise DiagnosticError(WrongStatement(line.span, "`may keep choosing` has no `else`", hint))
    if not plain and line.block is None:
        why = "missing block for what is done with the choice"
        raise DiagnosticError(WrongStatement(line.span, why, "indent a block under it"))


def _choice(typer: StatementTyper, line: s.Choose) -> r.Binder:
    binder = collections.bound(typer.exprs, s.Binder(line.span, line.name, line.collection, line.where))
    if line.several is not None or line.asked == "if several":
        check_bounded(binder.collection)
    else:
        check_listed(binder.collection)
    return binder


def _rechoose(typer: StatementTyper, line: s.Choose, old: r.Var) -> r.Binder:
    """A choice that is assigned to an existing local."""
    with typer.scope.inner():
        del typer.scope.locals[line.name.text]
        binder = _choice(typer, line)
    typer.symbols.resolve(line.name.span, typer.symbols.local(old))
    _check_same_type(typer, line, binder, old)
    typer.scope.forget([old.name])
    typer.scope.learn(frozenset({old.name}))
    typer.scope.learn_given(line.where)
    typer.scope.origins[old] = binder.collection
    return r.Binder(old, binder.collection, substitute(binder.where, binder.var, old))


def _check_same_type(typer: StatementTyper, line: s.Line, binder: r.Binder, old: r.Var) -> None:
    """Raises `DiagnosticError` if what is chosen does not fit an existing local."""
    if not typer.exprs.related(binder.var.type, old.type):
        hint = f"`{old.name}` is declared with another type; choose another name"
        raise DiagnosticError(WrongType(line.span, str(certain(old.type)), str(binder.var.type), hint))


def chance(typer: StatementTyper, line: s.ChanceChooses, marks: Marks) -> r.Statement:
    """`chance chooses x from S by weight w`: a random value; the weight may read it."""
    old = typer.scope.locals.get(line.name.text)
    weight = None
    with typer.scope.inner():
        if old is not None:
            del typer.scope.locals[line.name.text]
        binder = _drawn(typer, line)
        if line.weight is not None:
            weight = typer.exprs.number(line.weight)
            if typer.exprs.range_of(weight).lo < 0:
                why, hint = "a weight may be negative", "write `max(0, ...)`, or give the number a range"
                raise DiagnosticError(ChanceCannotChoose(line.weight.span, why, hint))
    typer.commit("draw", line)
    if old is None:
        typer.scope.locals[line.name.text] = binder.var
        typer.scope.origins[binder.var] = binder.collection
        typer.scope.forget([line.name.text])
        typer.scope.learn_given(line.where)
        return r.ChanceChooses(line.span, marks, binder, weight)
    typer.symbols.resolve(line.name.span, typer.symbols.local(old))
    _check_same_type(typer, line, binder, old)
    typer.scope.forget([old.name])
    typer.scope.learn(frozenset({old.name}))
    typer.scope.learn_given(line.where)
    again = r.Binder(old, binder.collection, substitute(binder.where, binder.var, old))
    return r.ChanceChooses(line.span, marks, again, substitute(weight, binder.var, old))


def _drawn(typer: StatementTyper, line: s.ChanceChooses) -> r.Binder:
    """Raises `DiagnosticError` for pieces, and for a collection without a bound."""
    binder = collections.bound(typer.exprs, s.Binder(line.span, line.name, line.collection, line.where))
    if isinstance(binder.var.type, PieceType):
        hint = "use `draw x from Z to Z` for a shuffled zone; a chosen place or class can be its values"
        raise DiagnosticError(ChanceCannotChoose(line.span, "chance chooses values, no pieces", hint))
    check_bounded(binder.collection)
    return binder


# ---- offers


def offer(typer: StatementTyper, line: s.Offer, marks: Marks) -> r.Statement:
    _check_offer(line)
    seat, known = typer.chooser(line.subject, line.strength)
    most = typer.exprs.number(line.most) if line.most is not None else None
    if line.strength == "keep":
        typer.forget_all("round")
    with _rounds(typer, line.strength, line.block or ()):
        with typer.scope.assuming(known):
            targets = tuple(offers.target(typer.exprs, t, line.actor) for t in line.targets)
        cell = line.strength == "must" and len(targets) == 1 and isinstance(targets[0], r.DoCell)
        typer.commit("effect that may ask or roll" if cell else "choice", line)
        typer.forget_all()
        block = typer.block(line.block or ())
    otherwise = typer.block(line.otherwise or ())
    return r.Offer(line.span, marks, line.strength, seat, targets, block, otherwise, most)


def _check_offer(line: s.Offer) -> None:
    if line.most is not None and line.strength != "keep":
        hint = "omit it: only `may keep doing` does something several times"
        raise DiagnosticError(WrongStatement(line.most.span, "a number of times for what is done once", hint))
    if line.strength == "must" and line.block is not None:
        hint = "lines after it always run; `may do` has a block"
        raise DiagnosticError(WrongStatement(line.span, "a plain `do` has no block", hint))
    if line.strength == "must" and line.otherwise is not None:
        hint = "`may do` has one, for when nothing is done"
        raise DiagnosticError(WrongStatement(line.span, "a plain `do` has no `else`", hint))
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
