"""The order of collections: whether each value stands there once, and whether they ascend."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.lower.context import FunctionContext


def stands_once(fx: FunctionContext, source: ir.Source) -> bool:
    """Whether every value of a collection stands in it once."""
    match source:
        case ir.Values(values=values):
            return len(set(values)) == len(values)
        case ir.Linked(links=links):
            return fx.builder.links(links).distinct
        case ir.Filtered(source=inner):
            return stands_once(fx, inner)
        case ir.Spread() | ir.Bits() | ir.Pieces() | ir.Between() | ir.Others():
            return True
        case ir.Prefix(source=inner) | ir.Ranked(source=inner):
            return stands_once(fx, inner)
        case ir.Either(then=then, otherwise=otherwise):
            return stands_once(fx, then) and stands_once(fx, otherwise)
    return False


def ascends(fx: FunctionContext, source: ir.Source) -> bool:
    """Whether the order of a collection is that of its values."""
    match source:
        case ir.Values(values=values):
            return goes(values, True)
        case ir.Linked(links=links):
            return fx.builder.links(links).ascending
        case ir.Filtered(source=inner) | ir.Prefix(source=inner):
            return ascends(fx, inner)
        case ir.Either(then=then, otherwise=otherwise):
            return ascends(fx, then) and ascends(fx, otherwise)
        case ir.Spread() | ir.Bits():
            return True
    return False


def goes(row: tuple[int, ...], up: bool) -> bool:
    return list(row) == sorted(row, reverse=not up)
