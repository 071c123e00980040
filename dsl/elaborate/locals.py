"""Locals made by `let`, in routines and in values."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import ANY_INT, EnumType, IntType, NoneType, Type, is_optional
from dsl.elaborate import chains, collections
from dsl.elaborate.typer import Typer
from dsl.messages.types import WrongType


def local(typer: Typer, line: s.Let, changes: bool = False) -> tuple[r.Var, r.Expr]:
    """A new local in the current block, and its value. A local with the name of a type is of that type.

    `changes`: it is assigned to later, so a number may become any other. Raises `DiagnosticError`.
    """
    name = line.name.text
    is_type = isinstance(line.value, s.Name) and line.value.text in typer.symbols.types
    if not is_type and collections.is_collection(typer, line.value):
        found = typer.gathered(line.value)
        return typer.scope.bind(line.name, found.type), found
    named = EnumType(name) if name in typer.symbols.types else None
    value = chains.kept(typer, line.value) or typer.expr(line.value, named)
    if isinstance(value.type, NoneType):
        hint = "start with a value, and test `exists` of something that may be none"
        raise DiagnosticError(WrongType(line.value.span, "a value with a known type", "none", hint))
    kind: Type = value.type
    if named is not None and typer.related(kind, named) and not is_optional(kind):
        value, kind = typer.fit(value, named, line.value), named
    elif changes and isinstance(kind, IntType):
        kind = ANY_INT
    always = typer.presence(value, line.value) if is_optional(kind) else None
    var, origin = typer.scope.bind(line.name, kind), typer.scope.origin(value)
    if always is not None:
        typer.scope.add_present([name], always)
    if origin is not None:
        typer.scope.origins[var] = origin
    return var, value
