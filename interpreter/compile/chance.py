"""Chance that chooses a value, some perhaps likelier than others."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import EnumType, Type
from interpreter import ir
from interpreter.compile.frames import Frames, lacking


def chance(lower: Frames, line: r.ChanceChooses, entry: int, after: int) -> None:
    """A random value; before it, a test that there is one, unless that is certain."""
    binder = line.binder
    kind = binder.collection.item
    source = lower.collection(binder.collection)
    with lower.register() as reg, lower.bound(binder.var, ir.Reg(reg)):
        where = lower.if_any(binder.where)
        weight = lower.expr(line.weight) if line.weight is not None else ir.Const(1)
    total = ir.Fold("sum", reg, source, where, weight)
    hidden = lower.hidden_reads.observes_hidden((binder, line.weight)) or lower.reads_tainted(
        (binder.collection, binder.where, line.weight)
    )
    (lower.tainted.add if hidden else lower.tainted.discard)(binder.var)
    names, low = _outcomes(lower, kind)
    parts = {"stream": lower.layout.stream(binder.var.name), "slot": lower.keep(binder.var)}
    draw = entry
    if where is not None or line.weight is not None or not _has_values(source):
        draw = lower.graph.reserve()
        lower.fill_node(
            entry,
            ir.Precondition,
            line,
            condition=ir.Op(">", total, ir.Const(0)),
            text=binder.var.name,
            next=draw,
            demand="outcome",
            lacking=lacking(binder),
        )
    lower.fill_node(
        draw,
        ir.Chance,
        line,
        **parts,
        faces=None,
        place=None,
        most=None,
        names=names,
        next=after,
        picked=total,
        low=low,
        type=kind,
        open=not hidden,
    )


def _outcomes(lower: Frames, kind: Type) -> tuple[tuple[str, ...], int]:
    """The names of the values of a type, and the first value; numbers have no names."""
    if isinstance(kind, EnumType):
        decl = lower.rules.types[kind.type]
        return decl.names, decl.lo
    return (), 0


def _has_values(source: ir.Source) -> bool:
    """Whether a collection certainly has a value."""
    match source:
        case ir.Values(values=values):
            return bool(values)
        case ir.Listed(items=items):
            return bool(items)
    return False
