"""Which expressions may be none at run time although their type excludes it.

The type checker narrows a type by the tests in the text. A trigger or a branch of another seat can run
after the test and change the value; and a piece may lie at a place without the index that is read. Such
values are checked again where they are used.
"""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import NONE, EnumType, PieceType, is_optional
from interpreter.compile.layout import Layout


def is_narrowed(rules: r.Rules, node: r.Expr) -> bool:
    """Whether an expression is declared optional, but was narrowed by a test."""
    return isinstance(node.type, EnumType) and not node.type.optional and may_be_none(rules, node)


def may_be_none(rules: r.Rules, node: r.Expr) -> bool:
    """Whether an expression is declared optional, without regard to tests."""
    match node:
        case r.Read(var=var):
            return is_optional(var.type)
        case r.ReadStateVar(kind=kind):
            return kind == "pointer"
        case r.ColumnOf(column=column):
            return is_optional(column.type)
        case r.LookUp(table=table):
            return is_optional(rules.tables[table].type)
        case r.UseValue(value=value):
            return is_optional(rules.values[value].type)
        case r.Cond(then=then, otherwise=otherwise):
            return may_be_none(rules, then) or may_be_none(rules, otherwise)
        case r.Successor(decl=decl):
            return decl != "seat" and rules.types[decl].shape != "ring"
    return isinstance(node, r.DirectedStep | r.PickOf | r.SlotPiece)


def may_lack_index(rules: r.Rules, layout: Layout, node: r.PlaceOf, table: tuple[int, ...]) -> bool:
    """Whether a piece may lie at a place that has no index in a table over places."""
    assert isinstance(node.piece.type, PieceType)
    own = node.piece.type.component
    zones = {z.name for z in rules.zones.values() if z.component == own}
    return any(v == NONE and p.zone in zones for v, p in zip(table, layout.places, strict=True))
