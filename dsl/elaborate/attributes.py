"""Attributes: columns of rows and pieces, faces of dice, and the place of a piece."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.domains import SEAT, EnumType, PieceType, Type, row_type
from dsl.elaborate.scope import zones_of
from dsl.elaborate.typer import Typer
from dsl.index.symbols import Symbol
from dsl.messages.names import UnknownName
from dsl.messages.types import WrongArguments
from dsl.wording import given, quoted


def attribute(typer: Typer, node: s.Attribute) -> r.Expr:
    """A column of a row or piece, the face of a die, or an index of the place where a piece lies."""
    owner = typer.certain(typer.expr(node.owner), node.owner)
    columns = _columns(typer, owner.type)
    if node.name.text in columns:
        typer.symbols.resolve(node.name.span, column_symbol(typer.symbols, owner.type, node.name.text))
        return _column(typer, node, owner, columns[node.name.text])
    if node.keys:
        raise DiagnosticError(WrongArguments(node.span, node.name.text, "nothing", given(len(node.keys))))
    found = _of_piece(typer, node, owner, owner.type) if isinstance(owner.type, PieceType) else None
    if found is None:
        raise _no_attribute(typer, node, owner.type)
    return found


def column_symbol(symbols: SymbolTable, kind: Type, name: str) -> Symbol:
    """The symbol of a column of a type or component."""
    owner = kind.type if isinstance(kind, EnumType) else ""
    if isinstance(kind, PieceType):
        owner = row_type(kind.component)
    return Symbol("column", name, symbols.canonical(owner).removesuffix(" row"))


def _no_attribute(typer: Typer, node: s.Attribute, kind: Type) -> DiagnosticError:
    name = node.name.text
    known = (*_columns(typer, kind), *_piece_attributes(typer, kind))
    hint = _itself(node, kind) or _address(typer, node, kind) or did_you_mean(name, known)
    hint = hint or (f"it has {quoted(known[:8], 'and')}" if known else "")
    return DiagnosticError(UnknownName(node.name.span, name, "attribute", hint, f" of {kind}"))


def _itself(node: s.Attribute, kind: Type) -> str:
    """A hint for `found.card`, where `found` is a card."""
    if not isinstance(kind, PieceType) or node.name.text != kind.component:
        return ""
    owner = node.owner.text if isinstance(node.owner, s.Name) else "..."
    return f"omit `.{node.name.text}`: a piece is compared itself, as in `{owner} is NAME`"


def _address(typer: Typer, node: s.Attribute, kind: Type) -> str:
    """A hint for `me.gold`: how a counter, mark, pointer or zone of a seat or a place is addressed."""
    symbols, name = typer.symbols, node.name.text
    declared = (symbols.counters, symbols.marks, symbols.pointers, symbols.zones)
    var = next((known[name].var for known in declared if name in known), None)
    owner = node.owner.text if isinstance(node.owner, s.Name) else "..."
    indexed_by = kind.type if isinstance(kind, EnumType) else ""
    if var is not None and var.of == indexed_by:
        return f"write `{name} of {owner}`"
    return f"write `{name} at {owner}`" if var is not None and var.at == indexed_by else ""


def attributes_of(typer: Typer, kind: Type) -> dict[str, Type]:
    """What can be written after the dot of a value without more words, with the type of each."""
    found = {name: column.type for name, column in _columns(typer, kind).items() if column.keyed_by is None}
    if isinstance(kind, PieceType):
        die = typer.symbols.components[kind.component].die
        for name in _piece_attributes(typer, kind):
            if name == "face" and die is not None:
                found[name] = die
            else:
                index = _index_type(typer, kind, name)
                found[name] = EnumType(index) if index in typer.symbols.types else PieceType(index)
    return found


def _columns(typer: Typer, kind: Type) -> dict[str, r.Column]:
    match kind:
        case EnumType(name):
            return typer.symbols.types[name].columns
        case PieceType(component):
            return typer.symbols.components[component].columns
    return {}


def _column(typer: Typer, node: s.Attribute, owner: r.Expr, column: r.Column) -> r.Expr:
    keys = len(node.keys)
    if keys != (1 if column.keyed_by is not None else 0):
        wanted = f"one `{column.keyed_by}`" if column.keyed_by is not None else "nothing"
        raise DiagnosticError(WrongArguments(node.span, column.name, wanted, given(keys)))
    key = typer.argument(node.keys[0], EnumType(column.keyed_by)) if column.keyed_by is not None else None
    return r.ColumnOf(typer.narrowed(column.type, node), node.span, owner, column, key)


def _piece_attributes(typer: Typer, kind: Type) -> tuple[str, ...]:
    """The face of a die, and the indices of the places where pieces of a component lie."""
    if not isinstance(kind, PieceType):
        return ()
    zones = [z for z in typer.symbols.zones.values() if z.component == kind.component]
    indices = {i for z in zones for i in r.index_types(typer.symbols.types, z.var)}
    face = ("face",) if typer.symbols.components[kind.component].die is not None else ()
    return (*face, *sorted(indices))


def _of_piece(typer: Typer, node: s.Attribute, owner: r.Expr, kind: PieceType) -> r.Expr | None:
    component = typer.symbols.components[kind.component]
    name = node.name.text
    if name == "face" and component.die is not None:
        typer.symbols.resolve(node.name.span, Symbol("built-in", name))
        return r.ClassOf(component.die, node.span, owner)
    if name == "seat" and component.per_seat and component.die is None:
        return r.ClassOf(SEAT, node.span, owner)
    if name in _piece_attributes(typer, kind):
        optional = _lies_without(typer, owner, name)
        index = _index_type(typer, kind, name)
        found = EnumType(index, optional) if index in typer.symbols.types else PieceType(index, optional)
        return r.PlaceOf(typer.narrowed(found, node), node.span, owner, name)
    return None


def _lies_without(typer: Typer, piece: r.Expr, index: str) -> bool:
    """Whether a piece is known to lie in a zone without an index, or is known by its owner and may do so."""
    collection = typer.scope.origin(piece)
    zones = (zones_of(collection) if collection is not None else None) or ()
    variables = [typer.symbols.zones[zone].var for zone in zones]
    types = typer.symbols.types
    lacks = [index not in r.index_types(types, var) for var in variables]
    return any(lacks)


def _index_type(typer: Typer, kind: PieceType, name: str) -> str:
    """The type of an index of the places of a component, by its name."""
    zones = [z for z in typer.symbols.zones.values() if z.component == kind.component]
    named = [r.index_types(typer.symbols.types, z.var) for z in zones]
    return next(indices[name] for indices in named if name in indices)
