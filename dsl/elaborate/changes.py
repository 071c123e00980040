"""Statements that write: locals, counters, marks, pointers, the face of a die."""

from __future__ import annotations

from dataclasses import replace

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.domains import ANY_INT, FLAG, NONE, EnumType, NoneType, PieceType
from dsl.elaborate import collections, name_resolution
from dsl.elaborate.locals import local
from dsl.elaborate.scope import address_parts, key_of
from dsl.elaborate.statement_typer import Marks, StatementTyper
from dsl.messages.names import UnknownName
from dsl.messages.statements import CannotChange, WrongStatement

# ---- locals


def let(typer: StatementTyper, line: s.Let, marks: Marks) -> r.Statement:
    """A new local."""
    var, value = local(typer.exprs, line, line.name.text in typer.rewritten)
    return r.SetVar(line.span, marks, var, value)


def assign(typer: StatementTyper, line: s.Assign, marks: Marks) -> r.Statement:
    target = line.target
    if isinstance(target, s.Name) and target.text in typer.scope.locals:
        return _assign_local(typer, line, marks, target)
    if isinstance(target, s.Attribute) and target.name.text == "face":
        return _turn(typer, line, marks, target)
    place = _place(typer, target)
    _may_write(typer, place, target)
    value = _new_value(typer, line, place)
    typer.scope.forget([place.name])
    return r.Write(line.span, marks, place.kind, place.name, place.of, place.at, line.op, value)


def _new_value(typer: StatementTyper, line: s.Assign, place: r.ReadStateVar) -> r.Expr:
    """The new value of a pointer, or the right-hand side of an assignment to a counter."""
    if place.kind == "counter":
        return typer.exprs.number(line.value)
    if place.kind == "pointer" and line.op == "=":
        wanted = EnumType(typer.symbols.pointers[place.name].to, True)
        return typer.exprs.kept(typer.exprs.expr(line.value, wanted), wanted, line.value)
    why = f"`{place.name}` is a {place.kind}, and `{line.op}` does not change it"
    hint = "marks change with `set` and `clear`" if place.kind == "mark" else "pointers change with `=`"
    raise DiagnosticError(CannotChange(line.target.span, why, hint))


def _assign_local(typer: StatementTyper, line: s.Assign, marks: Marks, target: s.Name) -> r.Statement:
    var = typer.scope.locals[target.text]
    if target.text in typer.captured:
        hint = "use a counter `of: seat`; inside `together` each seat has its own copy of a local"
        why = f"`{target.text}` is declared outside `together` and cannot be changed inside it"
        raise DiagnosticError(CannotChange(target.span, why, hint))
    value = typer.exprs.expr(line.value, var.type) if line.op == "=" else _sum(typer, line)
    typer.exprs.kept(value, var.type, line.value)
    typer.scope.forget([target.text])
    return r.SetVar(line.span, marks, var, value)


def _turn(typer: StatementTyper, line: s.Assign, marks: Marks, target: s.Attribute) -> r.Statement:
    """`die.face = N`."""
    die = typer.exprs.expr(target.owner)
    if not isinstance(die, r.Read) or not isinstance(die.type, PieceType):
        why = "only a chosen die, or the die of a loop, can be turned"
        raise DiagnosticError(CannotChange(target.span, why, "choose it first"))
    faces = typer.symbols.components[die.type.component].die
    if faces is None:
        why = f"`{key_of(target.owner)}` is not a die, so it has no face"
        raise DiagnosticError(CannotChange(target.span, why, "declare the component with `die`"))
    typer.exprs.certain(die, target.owner)
    if line.op == "=":
        face = typer.exprs.argument(line.value, faces)
    else:
        face = _sum(typer, line)
    typer.scope.forget([die.var.name])
    typer.scope.learn(frozenset({die.var.name}))
    return r.TurnDie(line.span, marks, die.var, face)


def _sum(typer: StatementTyper, line: s.Assign) -> r.Expr:
    """The new value of `+=` and `-=`."""
    old, change = typer.exprs.number(line.target), typer.exprs.number(line.value)
    return r.Arith(ANY_INT, line.span, "+" if line.op == "+=" else "-", old, change)


# ---- marks and pointers


def set_mark(typer: StatementTyper, line: s.SetMark, marks: Marks) -> r.Statement:
    return _write_mark(typer, line, marks, line.mark, _place(typer, line.mark), 1)


def clear(typer: StatementTyper, line: s.Clear, marks: Marks) -> r.Statement:
    place = _place(typer, line.target)
    if place.kind != "pointer":
        return _write_mark(typer, line, marks, line.target, place, 0)
    _may_write(typer, place, line.target)
    typer.scope.forget([place.name])
    nothing = r.Const(NoneType(), line.span, NONE)
    return r.Write(line.span, marks, "pointer", place.name, place.of, place.at, "=", nothing)


def _write_mark(
    typer: StatementTyper, line: s.Line, marks: Marks, target: s.Expr, place: r.ReadStateVar, value: int
) -> r.Statement:
    if place.kind != "mark":
        verb = "set" if value else "clear"
        why = f"`{place.name}` is a {place.kind}, and `{verb}` does not change it"
        raise DiagnosticError(CannotChange(target.span, why, f"write `{key_of(target)} = ...`"))
    _may_write(typer, place, target)
    typer.scope.forget([place.name])
    constant = r.Const(FLAG, line.span, value)
    return r.Write(line.span, marks, "mark", place.name, place.of, place.at, "=", constant)


def _place(typer: StatementTyper, target: s.Expr) -> r.ReadStateVar:
    """The counter, mark or pointer that an expression names. Raises `DiagnosticError` for anything else."""
    with typer.scope.assuming(frozenset({key_of(target)})):
        place = _read_place(typer, target)
    if not isinstance(place, r.ReadStateVar):
        raise DiagnosticError(_cannot_change(typer, target))
    return place


def _cannot_change(typer: StatementTyper, target: s.Expr) -> CannotChange:
    """The error of writing to a zone, a value, a constant, a piece, or no name at all."""
    head, _, _ = address_parts(target)
    kind, _ = typer.symbols.names.get(head.text, ("", None)) if isinstance(head, s.Name) else ("", None)
    shown = f"`{key_of(target)}`"
    if kind == "a zone":
        why, hint = f"{shown} is a place for pieces and cannot be assigned", "use `move ... to ...`"
    elif kind == "a value":
        why = f"{shown} is a value and cannot be assigned"
        hint = "declare a counter, or change it with `modify`"
    else:
        why = f"{shown} {f'is {kind} and ' if kind else ''}cannot be changed"
        hint = "only counters, pointers and locals can be changed"
    return CannotChange(target.span, why, hint)


def _read_place(typer: StatementTyper, target: s.Expr) -> r.Expr:
    try:
        return typer.exprs.expr(target)
    except DiagnosticError as failed:
        unknown = failed.diagnostic
        if isinstance(target, s.Name) and isinstance(unknown, UnknownName) and not unknown.hint:
            hint = f"declare a local with `let {target.text} = ...`"
            raise DiagnosticError(replace(unknown, hint=hint)) from None
        raise


def _may_write(typer: StatementTyper, place: r.ReadStateVar, node: s.Node) -> None:
    stored = name_resolution.state_var_of(typer.exprs, place.name)
    if stored is not None:
        typer.may_write(stored[1].var, place.of, node)


# ---- counters


def transfer(typer: StatementTyper, line: s.Gain, marks: Marks) -> r.Statement:
    """`gain`, `pay` and `lose`. Without a subject, a counter `of: seat` is that of the acting seat."""
    subject = typer.maybe_seat(line.subject)
    amount = typer.exprs.number(line.amount)
    counter = _counter(typer, line.counter)
    of, at = collections.one_index(typer.exprs, _owned(line, counter), counter.var)
    typer.may_write(counter.var, of, line.counter)
    if counter.bank is not None:
        typer.may_write(typer.symbols.counters[counter.bank].var, None, line.counter)
    to = typer.maybe_seat(line.to)
    if to is not None and (line.verb != "pay" or counter.var.of != "seat"):
        why = "only `pay` of a counter `of: seat` has a receiver"
        raise DiagnosticError(WrongStatement(to.span, why, f"`{line.verb}` it without `to`"))
    if subject is not None and counter.var.of != "seat":
        why = f"`{counter.name}` belongs to no seat, so no seat can {line.verb} it"
        raise DiagnosticError(WrongStatement(subject.span, why, f"write `{line.verb} ... {counter.name}`"))
    typer.scope.forget([counter.name])
    return r.Transfer(line.span, marks, line.verb, counter.name, of, at, amount, to)


def _counter(typer: StatementTyper, node: s.Expr) -> r.Counter:
    head, _, _ = address_parts(node)
    if not isinstance(head, s.Name) or head.text not in typer.symbols.counters:
        text = key_of(head)
        hint = did_you_mean(text, typer.symbols.counters)
        raise DiagnosticError(
            UnknownName(head.span, text, "counter", hint or "counters are declared under `counters`")
        )
    return typer.symbols.counters[head.text]


def _owned(line: s.Gain, counter: r.Counter) -> s.Expr:
    """The counter's address with its owner: the seat that gains, pays or loses."""
    head, of, at = address_parts(line.counter)
    if line.subject is not None and of is not None:
        raise DiagnosticError(
            WrongStatement(of.span, "the owner of the counter is given twice", "remove one of the two")
        )
    if of is None and counter.var.of == "seat":
        of = line.subject if line.subject is not None else s.Name(head.span, "me")
    return s.Address(line.counter.span, head, of, at) if of is not None or at is not None else head
