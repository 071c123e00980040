"""Names and addresses as single values: locals, values of types, counters, marks, pointers, pieces."""

from __future__ import annotations

from collections.abc import Mapping

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.domains import (
    FLAG,
    NONE,
    SEAT,
    EffectType,
    EnumType,
    IntType,
    PieceType,
    SetType,
    Type,
    certain,
    possible,
    row_type,
)
from dsl.elaborate import collections
from dsl.elaborate.typer import Typer
from dsl.index.symbols import Symbol, declared
from dsl.messages.names import UnknownName
from dsl.messages.types import Ambiguous, WrongIndex, WrongType
from dsl.source import Span

SPECIAL = ("me", "active", "opponent", "self", "seats_playing")
Declared = r.Counter | r.Mark | r.Pointer


# ---- names


def named(typer: Typer, node: s.Name, expected: Type | None) -> r.Expr:
    """A name as a single value. The expected type decides between values of the same name."""
    text = node.text
    if text in typer.scope.locals:
        var = typer.scope.locals[text]
        typer.symbols.resolve(node.span, typer.symbols.local(var))
        if isinstance(var.type, SetType):
            raise DiagnosticError(WrongType(node.span, "a single value", str(var.type)))
        return r.Read(typer.narrowed(var.type, node), node.span, var)
    if text in typer.scope.broken:
        raise typer.scope.unknown(text, node.span)
    constant = _value_of_expected(typer, text, node.span, expected)
    if constant is not None:
        return constant
    if text in SPECIAL:
        typer.symbols.resolve(node.span, Symbol("built-in", text))
        return _special(typer, text, node.span)
    return _declared(typer, node) or _die_or_open_type(typer, node) or _value_of_type(typer, node)


def _value_of_expected(typer: Typer, name: str, span: Span, expected: Type | None) -> r.Expr | None:
    """A value of the expected type, or a row of the component of an expected piece."""
    match expected:
        case EnumType(type_name) if name in (decl := typer.symbols.types[type_name]).names:
            typer.symbols.resolve(span, typer.symbols.value_symbol(type_name, name))
            return r.Const(certain(expected), span, decl.lo + decl.names.index(name))
        case PieceType(component) if name in (classes := typer.symbols.components[component].classes):
            if row_type(component) in typer.symbols.types:
                typer.symbols.resolve(span, typer.symbols.value_symbol(row_type(component), name))
                return r.Const(EnumType(row_type(component)), span, classes.index(name))
    return None


def _declared(typer: Typer, node: s.Name) -> r.Expr | None:
    """A name that is declared in `game.yaml` or by `value`."""
    name, span, symbols = node.text, node.span, typer.symbols
    declared = state_var_of(typer, name)
    if declared is not None:
        return _state_var(typer, node, *declared)
    if name in symbols.zones:
        return _slot(typer, node)
    if name in symbols.options:
        option = symbols.options[name]
        if option.sets:
            raise DiagnosticError(WrongType(span, "a single value", str(option.type)))
        return r.Setting(option.type, span, name)
    if name in symbols.constants:
        values = symbols.constants[name].values.values()
        return r.Setting(IntType(min(values), max(values)), span, name)
    if typer.scope.signatures.value(name, span) is not None:
        return typer.expr(s.Call(span, s.Word(span, name), ()))
    return None


def _die_or_open_type(typer: Typer, node: s.Name) -> r.Expr | None:
    """The one piece that no zone holds; or, in the header of a trigger, an open type."""
    name, symbols = node.text, typer.symbols
    if name in symbols.components and not any(z.component == name for z in symbols.zones.values()):
        if symbols.unread is not None:
            raise DiagnosticError(symbols.unread)
        return r.OnlyDie(PieceType(name), node.span, name)
    if typer.scope.open_types is not None and name in symbols.types:
        symbols.resolve(node.span, declared(name))
        var = typer.scope.open_types.setdefault(name, r.Var(name, EnumType(name), node.span))
        return r.Read(var.type, node.span, var)
    return None


def _value_of_type(typer: Typer, node: s.Name) -> r.Expr:
    """The value of the only type that has this name. Raises `DiagnosticError` if there is none."""
    name, span, symbols = node.text, node.span, typer.symbols
    owners = [t for t in symbols.owners(name) if " " not in t.name]
    if len(owners) == 1:
        decl = owners[0]
        symbols.resolve(span, symbols.value_symbol(decl.name, name))
        return r.Const(EnumType(decl.name), span, decl.lo + decl.names.index(name))
    if owners:
        readings = " or ".join(f"a `{t.name}`" for t in owners)
        raise DiagnosticError(
            Ambiguous(span, name, readings, "compare it with something of the intended type")
        )
    if name in symbols.types or name in symbols.components:
        what = "piece" if name in symbols.components else "value"
        hint = f"use a chosen `{name}` in the block under its choice; or bind one, as in `for {name}`"
        hint = f"`me` is who acts, or whose score it is; otherwise {hint}" if name == "seat" else hint
        raise DiagnosticError(UnknownName(span, name, what, hint))
    if any(name in c.classes for c in symbols.components.values()):
        raise DiagnosticError(UnknownName(span, name, "piece", f"compare a piece with it: `... is {name}`"))
    if typer.scope.signatures.routine(name) is not None:
        raise DiagnosticError(UnknownName(span, name, "value", "call routines on a line of their own"))
    raise typer.scope.unknown(name, span)


# ---- built-in names


def _special(typer: Typer, name: str, span: Span) -> r.Expr:
    match name:
        case "me" if typer.scope.me is not None:
            return r.Read(SEAT, span, typer.scope.me)
        case "me" | "active":
            return r.Special(SEAT, span, "me" if name == "me" else "active")
        case "opponent":
            return _opponent(typer, span)
        case "seats_playing":
            return r.Special(
                IntType(typer.symbols.seat_counts[0], typer.symbols.seat_counts[-1]), span, "seats_playing"
            )
    return _self(typer, span)


def _opponent(typer: Typer, span: Span) -> r.Expr:
    low, high = typer.symbols.seat_counts[0], typer.symbols.seat_counts[-1]
    if high > 2:
        hint = "choose one: `choose victim from opponents`, `each opponent in turn`"
        raise DiagnosticError(Ambiguous(span, "opponent", "one of several seats", hint))
    if low < 2:
        hint = "use `opponents`, which is empty in a game for one seat"
        raise DiagnosticError(Ambiguous(span, "opponent", "nobody in a game for one seat", hint))
    return r.Special(SEAT, span, "opponent")


def _self(typer: Typer, span: Span) -> r.Expr:
    """The piece whose effect runs; its component is the one whose cells name the effect."""
    naming = [c for c in typer.symbols.components.values() if _names_effect(typer, c)]
    if typer.scope.effect is None:
        hint = "use `self` only in effects: it is the piece whose effect runs"
        raise DiagnosticError(UnknownName(span, "self", "piece", hint))
    if len(naming) != 1:
        readings = " or ".join(f"a `{c.name}`" for c in naming) or "any piece"
        hint = f"name `{typer.scope.effect}` in the table of one component only"
        raise DiagnosticError(Ambiguous(span, "self", readings, hint))
    return r.Special(PieceType(naming[0].name), span, "self")


def _names_effect(typer: Typer, component: r.Component) -> bool:
    cells = list(typer.symbols.cells)
    columns = [c for c in component.columns.values() if isinstance(c.type, EffectType)]
    numbers = {v for c in columns for v in c.values if v != NONE}
    return any(cells[number][0] == typer.scope.effect for number in numbers)


# ---- state variables


def state_var_of(typer: Typer, name: str) -> tuple[r.StoreKind, Declared] | None:
    """The counter, mark or pointer of a name, and which of them it is; none for other names."""
    tables: tuple[tuple[r.StoreKind, Mapping[str, Declared]], ...] = (
        ("counter", typer.symbols.counters),
        ("mark", typer.symbols.marks),
        ("pointer", typer.symbols.pointers),
    )
    return next(((kind, table[name]) for kind, table in tables if name in table), None)


def _state_var(typer: Typer, node: s.Expr, kind: r.StoreKind, decl: Declared) -> r.Expr:
    of, at = collections.one_index(typer, node, decl.var)
    found: Type
    match decl:
        case r.Counter():
            found = _counter_range(typer, decl, at)
        case r.Mark():
            found = FLAG
        case r.Pointer():
            found = typer.narrowed(possible(EnumType(decl.to)), node)
    return r.ReadStateVar(found, node.span, kind, decl.name, of, at)


def _counter_range(typer: Typer, decl: r.Counter, at: r.Expr | None) -> IntType:
    if isinstance(at, r.Const) and len(decl.ranges) > 1 and decl.var.at in typer.symbols.types:
        return IntType(*decl.ranges[at.value - typer.symbols.types[decl.var.at].lo])
    return IntType(decl.lo, decl.hi)


def _slot(typer: Typer, node: s.Expr) -> r.Expr:
    """A zone used as a single value: the piece on a place of size 1."""
    zone = collections.zone_of(typer, node)
    decl = typer.symbols.zones[zone.zone]
    if decl.size != 1:
        hint = f"use `size({zone.zone} ...)` to count them, `choose x from {zone.zone} ...` to take one"
        raise DiagnosticError(WrongType(node.span, "a single value", f"all pieces in `{zone.zone}`", hint))
    zone = collections.one_place(typer, node) if not collections.single(typer, zone) else zone
    return r.SlotPiece(typer.narrowed(PieceType(decl.component, True), node), node.span, zone)


def top_of(typer: Typer, node: s.Call) -> r.Expr:
    """The piece on top of a pile, stack or row, or none."""
    zone = collections.one_place(typer, node.arguments[0])
    decl = typer.symbols.zones[zone.zone]
    if decl.order not in ("pile", "stack", "row"):
        hint = "declare `order: pile`"
        raise DiagnosticError(WrongType(node.span, "a zone with an order", f"`{zone.zone}`", hint))
    return r.SlotPiece(typer.narrowed(PieceType(decl.component, True), node), node.span, zone, True)


# ---- addresses


def address(typer: Typer, node: s.Address) -> r.Expr:
    """`NAME of WHOSE at WHERE` as a single value."""
    head = node.head
    if not isinstance(head, s.Name):
        hint = "start an address with the name of a counter, zone, mark or pointer"
        raise DiagnosticError(
            WrongIndex(head.span, "only counters, zones, marks and pointers have addresses", hint)
        )
    declared = state_var_of(typer, head.text)
    if declared is not None:
        return _state_var(typer, node, *declared)
    if head.text in typer.symbols.zones:
        return _slot(typer, node)
    if head.text in typer.symbols.components and node.of is not None and node.at is None:
        return _piece_of(typer, head.text, node, node.of)
    raise _no_state_var(typer, head)


def _piece_of(typer: Typer, name: str, node: s.Address, of: s.Expr) -> r.Expr:
    """`seal of me`: the piece of a seat, of which every seat has one, wherever it lies."""
    component = typer.symbols.components[name]
    if not component.is_by_seat or component.copies[0] != 1:
        raise _no_state_var(typer, s.Name(node.head.span, name))
    seat = typer.argument(of, SEAT)
    pieces = collections.all_of(typer, PieceType(name), node.span)
    var = r.Var(name, PieceType(name), node.span)
    owner = r.ClassOf(SEAT, node.span, r.Read(var.type, node.span, var))
    own = r.Cmp(FLAG, node.span, "is", owner, seat)
    return r.PickOf(var.type, node.span, "lowest", r.Binder(var, pieces, own), ())


def _no_state_var(typer: Typer, head: s.Name) -> DiagnosticError:
    symbols, name = typer.symbols, head.text
    known = (*symbols.counters, *symbols.marks, *symbols.pointers, *symbols.zones)
    hint = did_you_mean(name, known)
    if name in typer.scope.signatures.names():
        hint = f"put the arguments of a value or routine in brackets: `{name}(me)`"
    elif name in symbols.components:
        zones = [f"`{z.name}`" for z in symbols.zones.values() if z.component == name]
        several = symbols.components[name].is_by_seat and symbols.components[name].copies[0] > 1
        hint = "every seat has several of them: " if several else ""
        hint += f"address the zone that holds it: {', '.join(zones[:5])}" if zones else "no zone holds it"
    if not hint and name not in symbols.names:
        return typer.scope.unknown(name, head.span, "counter, zone, mark or pointer")
    return DiagnosticError(UnknownName(head.span, name, "counter, zone, mark or pointer", hint))
