"""`swap ADDRESS with ADDRESS`: two places exchange their pieces, or two variables their values."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import PieceType
from dsl.elaborate import collections
from dsl.elaborate.changes import may_write, place_of
from dsl.elaborate.moves import forget_places
from dsl.elaborate.presence import key_of, note_assigned
from dsl.elaborate.scope import address_parts
from dsl.elaborate.statement_typer import Marks, StatementTyper
from dsl.messages.statements import CannotChange


def exchange(typer: StatementTyper, line: s.Swap, marks: Marks) -> r.Statement:
    """Raises `DiagnosticError` unless both addresses are of one kind, with the same values or pieces."""
    if _is_zone(typer, line.one) and _is_zone(typer, line.other):
        return _places(typer, line, marks)
    for node in (line.one, line.other):
        if _is_zone(typer, node):
            raise _unlike(line, f"`{key_of(node)}` holds pieces, and the other one does not")
    one, other = place_of(typer, line.one), place_of(typer, line.other)
    if one.kind != other.kind:
        raise _unlike(line, f"`{one.name}` is a {one.kind}, and `{other.name}` a {other.kind}")
    pointers = typer.symbols.pointers
    if one.kind == "pointer" and pointers[one.name].to != pointers[other.name].to:
        kinds = [f"`{name}` points to a `{pointers[name].to}`" for name in (one.name, other.name)]
        raise _unlike(line, " and ".join(kinds))
    for place, node in ((one, line.one), (other, line.other)):
        may_write(typer, place, node)
    typer.scope.forget([one.name, other.name])
    if one.kind == "pointer":
        note_assigned(typer.symbols, one.name, frozenset({other.name}))
        note_assigned(typer.symbols, other.name, frozenset({one.name}))
    return r.Swap(line.span, marks, one.kind, one.name, one.of, one.at, other.name, other.of, other.at)


def _is_zone(typer: StatementTyper, node: s.Expr) -> bool:
    head, _, _ = address_parts(node)
    return isinstance(head, s.Name) and head.text in typer.symbols.zones


def _unlike(line: s.Swap, why: str) -> DiagnosticError:
    hint = "swap two places for pieces of one component, two counters, two marks, or two pointers of one type"
    return DiagnosticError(CannotChange(line.span, why, hint))


def _places(typer: StatementTyper, line: s.Swap, marks: Marks) -> r.Statement:
    zones = [collections.one_place(typer.exprs, node) for node in (line.one, line.other)]
    one, other = (typer.symbols.zones[zone.zone] for zone in zones)
    if one.component != other.component:
        raise _unlike(
            line, f"`{one.name}` holds a `{one.component}`, and `{other.name}` a `{other.component}`"
        )
    if one.blank != other.blank:
        raise _unlike(line, "only one of the two shows the faces of its dice")
    for zone, node in zip(zones, (line.one, line.other), strict=True):
        typer.may_move(zone, node)
    forget_places(typer, PieceType(one.component))
    return r.SwapPieces(line.span, marks, zones[0], zones[1])
