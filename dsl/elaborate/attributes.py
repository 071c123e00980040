"""Attributes: columns of rows and pieces, faces of dice, the indices of where a piece lies."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import Failed, did_you_mean
from dsl.domains import SEAT, Elem, Piece, Type
from dsl.elaborate.fitting import Typer
from dsl.elaborate.scope import zones_of
from dsl.messages.names import UnknownName
from dsl.messages.types import WrongArguments
from dsl.wording import given, quoted


def attribute(typer: Typer, node: s.Attribute) -> r.Expr:
    """A column of a row or piece, the face of a die, or an index of the place where a piece lies."""
    owner = typer.certain(typer.expr(node.owner), node.owner)
    columns = _columns(typer, owner.type)
    if node.name.text in columns:
        return _column(typer, node, owner, columns[node.name.text])
    if node.keys:
        raise Failed(WrongArguments(node.span, node.name.text, "nothing", given(len(node.keys))))
    found = _of_piece(typer, node, owner, owner.type) if isinstance(owner.type, Piece) else None
    if found is None:
        raise _no_attribute(typer, node, owner.type)
    return found


def _no_attribute(typer: Typer, node: s.Attribute, kind: Type) -> Failed:
    name = node.name.text
    known = (*_columns(typer, kind), *_places(typer, kind))
    hint = did_you_mean(name, known) or (f"it has {quoted(known[:8], 'and')}" if known else "")
    return Failed(UnknownName(node.name.span, name, "attribute", hint, f" of {kind}"))


def _columns(typer: Typer, kind: Type) -> dict[str, r.Column]:
    match kind:
        case Elem(name):
            return typer.world.types[name].columns
        case Piece(component):
            return typer.world.components[component].columns
    return {}


def _column(typer: Typer, node: s.Attribute, owner: r.Expr, column: r.Column) -> r.Expr:
    keys = len(node.keys)
    if keys != (1 if column.keyed_by is not None else 0):
        wanted = f"one `{column.keyed_by}`" if column.keyed_by is not None else "nothing"
        raise Failed(WrongArguments(node.span, column.name, wanted, given(keys)))
    key = typer.argument(node.keys[0], Elem(column.keyed_by)) if column.keyed_by is not None else None
    return r.ColumnOf(typer.narrowed(column.type, node), node.span, owner, column, key)


def _places(typer: Typer, kind: Type) -> tuple[str, ...]:
    """The attributes of a piece that tell where it lies, and the face of a die."""
    if not isinstance(kind, Piece):
        return ()
    zones = [z for z in typer.world.zones.values() if z.component == kind.component]
    indices = {i for z in zones for i in (z.store.of, z.store.at) if i is not None}
    face = ("face",) if typer.world.components[kind.component].die is not None else ()
    return (*face, *sorted(indices))


def _of_piece(typer: Typer, node: s.Attribute, owner: r.Expr, kind: Piece) -> r.Expr | None:
    component = typer.world.components[kind.component]
    name = node.name.text
    if name == "face" and component.die is not None:
        return r.ClassOf(component.die, node.span, owner)
    if name == "seat" and component.per_seat and component.die is None:
        return r.ClassOf(SEAT, node.span, owner)
    if name in _places(typer, kind):
        lacks = _lacks(typer, owner, name)
        found = Elem(name, lacks) if name in typer.world.types else Piece(name, lacks)
        return r.PlaceOf(typer.narrowed(found, node), node.span, owner, name)
    return None


def _lacks(typer: Typer, piece: r.Expr, index: str) -> bool:
    """Whether the text says that a piece lies at a place without an index."""
    group = typer.scope.origin(piece)
    zones = (zones_of(group) if group is not None else None) or ()
    stores = [typer.world.zones[zone].store for zone in zones]
    return bool(stores) and all(index not in (store.of, store.at) for store in stores)
