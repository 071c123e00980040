"""Values of products of types by their parts: `(hearts, ace)`, and several indices: `at (slot, red)`."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import EnumType, PieceType, Type, certain
from dsl.elaborate.typer import Typer
from dsl.messages.types import WrongPair, WrongType
from dsl.wording import listed, plural


def combined(typer: Typer, node: s.Pair, expected: Type | None) -> r.Expr:
    """The value of the product that is expected. Raises `DiagnosticError` if none is, or parts do not fit."""
    decl = _product(typer, node, expected)
    parts = tuple(
        typer.argument(item, EnumType(name)) for item, (_, name) in zip(node.items, decl.parts, strict=True)
    )
    return r.Combined(EnumType(decl.name), node.span, decl.name, parts)


def combinations(typer: Typer, node: s.Pair, expected: Type) -> r.Expr | r.Collection:
    """Several indices, of which each may be a collection; one value if none is."""
    decl = _product(typer, node, expected)
    parts = tuple(
        _part(typer, item, EnumType(name)) for item, (_, name) in zip(node.items, decl.parts, strict=True)
    )
    values = tuple(part for part in parts if isinstance(part, r.Expr))
    if len(values) == len(parts):
        return r.Combined(EnumType(decl.name), node.span, decl.name, values)
    return r.Combinations(EnumType(decl.name), node.span, decl.name, parts)


def _part(typer: Typer, node: s.Expr, wanted: EnumType) -> r.Expr | r.Collection:
    found = typer.maybe_collection(node, wanted)
    if found is None:
        return typer.argument(node, wanted)
    if not typer.related(found.item, wanted):
        raise DiagnosticError(WrongType(node.span, str(wanted), str(found.item)))
    return found


def _kinds(typer: Typer, piece: PieceType) -> str | None:
    """The column of a component that has a product, as that of its kinds has."""
    columns = typer.symbols.components[piece.component].columns
    return next((name for name, column in columns.items() if _is_product(typer, column.type)), None)


def _is_product(typer: Typer, kind: Type) -> bool:
    return isinstance(kind, EnumType) and bool(typer.symbols.types[kind.type].parts)


def _product(typer: Typer, node: s.Pair, expected: Type | None) -> r.TypeDecl:
    """The product that is expected, with as many parts as are given. Raises `DiagnosticError`."""
    kind = certain(expected) if expected is not None else None
    decl = typer.symbols.types[kind.type] if isinstance(kind, EnumType) else None
    given = plural(len(node.items), "value")
    if decl is None or not decl.parts:
        wanted = "one value" if expected is None else str(kind)
        listing = f"[{', '.join(item.span.text for item in node.items)}]"
        hint = f"write a list in square brackets, `{listing}`; `(...)` is one value of a product of types"
        if expected is not None:
            hint = f"write {kind}, or ask whether it is one of several with `in {listing}`"
        if isinstance(kind, PieceType) and (product := _kinds(typer, kind)) is not None:
            hint = f"compare the kind of the piece: `{kind.component}.{product} is {node.span.text}`"
        raise DiagnosticError(WrongPair(node.span, given, wanted, hint))
    if len(decl.parts) != len(node.items):
        hint = f"give {listed([f'a `{name}`' for _, name in decl.parts], 'and')}"
        raise DiagnosticError(WrongPair(node.span, given, plural(len(decl.parts), "value"), hint))
    return decl
