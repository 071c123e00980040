"""Statements that write: locals, counters, marks, pointers, the face of a die."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.domains import (
    ANY_INT,
    FLAG,
    NONE,
    EnumType,
    IntType,
    NoneType,
    PieceType,
    SetType,
    is_optional,
    row_type,
)
from dsl.elaborate import collections, histories, name_resolution
from dsl.elaborate.locals import local
from dsl.elaborate.presence import key_of, note_assigned
from dsl.elaborate.scope import DECLARE, address_parts
from dsl.elaborate.statement_typer import Marks, StatementTyper
from dsl.messages.names import UnknownName
from dsl.messages.statements import CannotChange, SharedWrite, WrongStatement
from dsl.source import Span

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
    place = place_of(typer, target)
    may_write(typer, place, target)
    value = _new_value(typer, line, place)
    always = typer.exprs.presence(value, line.value) if place.kind == "pointer" else None
    typer.scope.forget([place.name])
    if place.kind == "pointer":
        note_assigned(typer.symbols, place.name, always)
        if always is not None and not _reads(target, place.name):
            typer.scope.add_present([key_of(target)], always)
    return r.Write(line.span, marks, place.kind, place.name, place.of, place.at, line.op, value)


def _reads(target: s.Expr, name: str) -> bool:
    """Whether the indices of an address read a name."""
    _, of, at = address_parts(target)
    return any(isinstance(x, s.Name) and x.text == name for part in (of, at) if part for x in s.walk(part))


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
    typer.symbols.resolve(target.span, typer.symbols.local(var))
    if target.text in typer.captured:
        hint = "use a counter `of: seat`; inside `together` each seat has its own copy of a local"
        why = f"`{target.text}` is declared outside `together` and cannot be changed inside it"
        raise DiagnosticError(CannotChange(target.span, why, hint))
    if var in typer.scope.picked:
        why = f"`{target.text}` is what was chosen, and does not change"
        hint = f"`let other = {target.text}` makes a set of values that can"
        raise DiagnosticError(CannotChange(target.span, why, hint))
    if isinstance(var.type, SetType):
        return _assign_set(typer, line, marks, var, var.type)
    value = typer.exprs.expr(line.value, var.type) if line.op == "=" else _sum(typer, line)
    value = typer.exprs.kept(value, var.type, line.value)
    always = typer.exprs.presence(value, line.value) if is_optional(var.type) else None
    typer.scope.forget([target.text])
    if always is not None:
        typer.scope.add_present([target.text], always)
    return r.SetVar(line.span, marks, var, value)


def _assign_set(
    typer: StatementTyper, line: s.Assign, marks: Marks, var: r.Var, kind: SetType
) -> r.Statement:
    if line.op != "=":
        why, name = f"`{var.name}` is a set, and `{line.op}` changes numbers", var.name
        other = f"{name} + [...]" if line.op == "+=" else f"those(x in {name} where ...)"
        raise DiagnosticError(CannotChange(line.target.span, why, f"write `{name} = {other}`"))
    value = typer.exprs.gathered(line.value, kind)
    typer.scope.forget([var.name])
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
    return _write_mark(typer, line, marks, line.mark, place_of(typer, line.mark), 1)


def clear(typer: StatementTyper, line: s.Clear, marks: Marks) -> r.Statement:
    if isinstance(line.target, s.Name) and line.target.text in typer.symbols.histories:
        _may_record(typer, line.target.text, line.target)
        return r.ClearHistory(line.span, marks, line.target.text)
    if line.every:
        return _clear_all(typer, line, marks)
    place = place_of(typer, line.target)
    if place.kind != "pointer":
        return _write_mark(typer, line, marks, line.target, place, 0)
    may_write(typer, place, line.target)
    typer.scope.forget([place.name])
    note_assigned(typer.symbols, place.name, None)
    nothing = r.Const(NoneType(), line.span, NONE)
    return r.Write(line.span, marks, "pointer", place.name, place.of, place.at, "=", nothing)


def _clear_all(typer: StatementTyper, line: s.Clear, marks: Marks) -> r.Statement:
    """`clear all NAME of me`: a mark, pointer or counter at every index that is left out, or a collection."""
    head, _, _ = address_parts(line.target)
    found = name_resolution.state_var_of(typer.exprs, head.text) if isinstance(head, s.Name) else None
    if found is None:
        raise DiagnosticError(_cannot_change(typer, line.target))
    kind, decl = found
    of, at = collections.indices(typer.exprs, line.target, decl.var, several=True)
    loops: list[r.Binder] = []
    owner = _every(typer, of, decl.var.of, line, loops)
    place = _every(typer, at, decl.var.at, line, loops)
    if not loops:
        hint = f"write `clear {key_of(line.target)}`"
        raise DiagnosticError(WrongStatement(line.span, f"`{decl.name}` is a single {kind} here", hint))
    typer.may_write(decl.var, of, line.target)
    typer.scope.forget([decl.name])
    statement: r.Statement = r.Write(
        line.span, marks, kind, decl.name, owner, place, "=", _cleared(kind, line.span)
    )
    for binder in reversed(loops):
        statement = r.For(line.span, (), binder, (), (statement,))
    return statement


def _every(
    typer: StatementTyper,
    index: collections.Index,
    declared: str | None,
    line: s.Clear,
    loops: list[r.Binder],
) -> r.Expr | None:
    """The index of an address, which a loop over a collection binds; all values, if it is left out."""
    if declared is None or isinstance(index, r.Expr):
        return index if isinstance(index, r.Expr) else None
    if index is None:
        name = declared if declared in typer.symbols.types else row_type(declared)
        index = collections.all_of(typer.exprs, EnumType(name), line.target.span)
    var = r.Var(declared, index.item, line.span)
    loops.append(r.Binder(var, index, None))
    return r.Read(index.item, line.span, var)


def _cleared(kind: r.StoreKind, span: Span) -> r.Const:
    match kind:
        case "pointer":
            return r.Const(NoneType(), span, NONE)
        case "mark":
            return r.Const(FLAG, span, 0)
        case "counter":
            return r.Const(IntType(0, 0), span, 0)
    assert_never(kind)


def record(typer: StatementTyper, line: s.Record, marks: Marks) -> r.Statement:
    history = histories.history_of(typer.exprs, line.history)
    _may_record(typer, history.name, line.history)
    return r.Record(line.span, marks, history.name, histories.values_of(typer.exprs, history, line.span))


def recall(typer: StatementTyper, line: s.Recall, marks: Marks) -> r.Statement:
    history, counter = histories.recalled(typer.exprs, line)
    _may_record(typer, history.name, line.history)
    typer.scope.forget(history.parts)
    with typer.loop(line.block):
        block = typer.block(line.block)
    typer.scope.forget(history.parts)
    for part in history.parts:
        note_assigned(typer.symbols, part, frozenset({part}))
    return r.Recall(line.span, marks, history.name, counter.name, block)


def _may_record(typer: StatementTyper, name: str, node: s.Node) -> None:
    """Inside `together`, the position is not yet one that all have reached."""
    if typer.in_together:
        raise DiagnosticError(SharedWrite(node.span, name))
    typer.scope.forget([name])


def _write_mark(
    typer: StatementTyper, line: s.Line, marks: Marks, target: s.Expr, place: r.ReadStateVar, value: int
) -> r.Statement:
    if place.kind != "mark":
        verb = "set" if value else "clear"
        why = f"`{place.name}` is a {place.kind}, and `{verb}` does not change it"
        raise DiagnosticError(CannotChange(target.span, why, f"write `{key_of(target)} = ...`"))
    may_write(typer, place, target)
    typer.scope.forget([place.name])
    constant = r.Const(FLAG, line.span, value)
    return r.Write(line.span, marks, "mark", place.name, place.of, place.at, "=", constant)


def place_of(typer: StatementTyper, target: s.Expr) -> r.ReadStateVar:
    """The counter, mark or pointer that an expression names. Raises `DiagnosticError` for anything else."""
    if collections.option_set(typer.exprs, target) is not None:
        raise DiagnosticError(_cannot_change(typer, target))
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
    elif kind == "a component":
        why = f"{shown} is a component and cannot be changed"
        hint = "pieces change places: `move ... to ...`, or `swap` of two whole places"
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
        if isinstance(target, s.Name) and isinstance(unknown, UnknownName) and unknown.hint in ("", DECLARE):
            hint = f"declare a local with `let {target.text} = ...`"
            raise DiagnosticError(replace(unknown, hint=hint)) from None
        raise


def may_write(typer: StatementTyper, place: r.ReadStateVar, node: s.Node) -> None:
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
