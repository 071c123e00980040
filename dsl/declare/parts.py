"""Parts of other types: `part_of` of types and boards, and `borders`."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.enumerations import value_of
from dsl.declare.mapping_reader import MappingReader
from dsl.declare.nodes import words
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.rules import TypeDecl


def part_of(reader: MappingReader, name: Scalar) -> TypeDecl:
    """`{part_of: node, values: [a, b]}`: some values of a type. Places keep their neighbours."""
    if not reader.has("part_of"):
        hint = "name the board whose places these are: `part_of: NAME`"
        raise DiagnosticError(MissingKey(reader.span, reader.where, "`part_of`", hint))
    return part(reader, name, reader.needed("values"))


def part(reader: MappingReader, name: Scalar, node: Node) -> TypeDecl:
    """Some values of a type in an order of their own."""
    base = reader.symbols.type_named(reader.word("part_of"))
    members = tuple(value_of(base, item) for item in words(node, reader.where))
    if not members or len(set(members)) < len(members):
        raise DiagnosticError(
            WrongShape(node.span, reader.where, f"different values of `{base.name}`, at least one")
        )
    return named_part(base, name, members)


def named_part(base: TypeDecl, name: Scalar, members: tuple[int, ...]) -> TypeDecl:
    """A part of a type, without neighbours of its own."""
    return replace(
        base,
        name=name.text,
        members=members,
        span=name.span,
        base=base.base or base.name,
        shape="none",
        without={},
        links=(),
        directions={},
        sides=(),
        drawn=(),
        opposites=(),
        incident={},
        aliases={},
        clauses=(),
    )
