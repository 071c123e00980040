"""What may be none when it comes to it, though the text says that it is there.

The text knows what its own lines have asked. What runs in between, a trigger or a branch of another seat,
may have changed it since; and a piece may lie where there is no such index. Where the value is used it is
looked at.
"""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import NONE, EnumType, PieceType, is_optional
from interpreter.compile.layout import Layout


def is_narrowed(rules: r.Rules, node: r.Expr) -> bool:
    """Whether the text says that something is there which was declared as what may be none."""
    return isinstance(node.type, EnumType) and not node.type.optional and may_be_none(rules, node)


def may_be_none(rules: r.Rules, node: r.Expr) -> bool:
    """Whether something was declared as what may be none, whatever is known of it here."""
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


def lies_without(rules: r.Rules, layout: Layout, node: r.PlaceOf, table: tuple[int, ...]) -> bool:
    """Whether some place where a piece may lie has no such index."""
    assert isinstance(node.piece.type, PieceType)
    own = node.piece.type.component
    zones = {z.name for z in rules.zones.values() if z.component == own}
    return any(v == NONE and p.zone in zones for v, p in zip(table, layout.places, strict=True))
