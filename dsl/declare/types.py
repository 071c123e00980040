"""Types: `types` of `game.yaml`."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.entry import entry
from dsl.declare.enumerations import enumeration, named_values, numbers, without
from dsl.declare.nodes import interval, is_range
from dsl.declare.rows import read_rows
from dsl.declare.world import World
from dsl.diagnostics import Failed
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.rules import TypeDecl


def declare_type(world: World, name: Scalar, node: Node) -> None:
    """`[red, blue]`, `1..6`, `{values: [red, blue], clause: §1.2}`, or a table of rows and its columns."""
    world.declare(name.text, "a type", name.span)
    world.types[name.text] = _type(world, name, node)


def _type(world: World, name: Scalar, node: Node) -> TypeDecl:
    if not isinstance(node, Mapping):
        return _listed(world, name, node)
    if node.get("values") is None:
        return _table(world, name, node)
    found = entry(world, node, f"type `{name.text}`", ("values", "clause"))
    return replace(_listed(world, name, found.needed("values")), clauses=found.marks())


def _listed(world: World, name: Scalar, node: Node) -> TypeDecl:
    """A list of values, or a range of numbers."""
    if isinstance(node, Sequence):
        return enumeration(world, name, node)
    if not isinstance(node, Scalar) or not is_range(node.text):
        hint = "write `[red, blue]`, `1..6` or `{table: FILE, columns: {...}}`"
        raise Failed(WrongShape(node.span, f"type `{name.text}`", "a list, a range or a table", hint))
    return numbers(name, *interval(node, f"type `{name.text}`"), node.span)


def _table(world: World, name: Scalar, node: Node) -> TypeDecl:
    found = entry(world, node, f"type `{name.text}`", ("table", "rows", "columns", "without", "clause"))
    if found.only_one(("table", "rows")) is None:
        hint = "name a CSV file, or write `rows: {name: {column: cell}}`"
        raise Failed(MissingKey(found.span, found.where, "`table` or `rows`", hint))
    names, columns = read_rows(found)
    decl = replace(named_values(name, names, world.reserved), columns=columns, clauses=found.marks())
    gone = found.get("without")
    return replace(decl, without=without(decl, gone, world.seats)) if gone is not None else decl
