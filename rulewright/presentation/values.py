"""Types and values as JSON."""

from __future__ import annotations

from typing import Any, assert_never

from dsl.domains import NONE, EffectType, EnumType, FlagType, IntType, NoneType, PieceType, SetType, Type
from interpreter import ir


def value_json(machine: ir.Machine, kind: Type | None, value: int, seen: bool = True) -> list[Any] | None:
    """A value with its type; none without a type.

    `["int", 3]`, `["flag", 1]`, `["enum", name, 3]`, `["piece", place, class]` with class -1 if it is not
    `seen`, `["effect", routine]` or `["none"]`.
    """
    if kind is None:
        return None
    if value == NONE:
        return ["none"]
    match kind:
        case IntType():
            return ["int", value]
        case FlagType():
            return ["flag", value]
        case EnumType(name):
            return ["enum", name, value]
        case PieceType(component):
            place, class_ = divmod(value, machine.component_classes[component])
            return ["piece", place, class_ if seen else -1]
        case EffectType():
            return ["effect", machine.routines[machine.cells[value][0]].name]
        case SetType():
            return ["int", value]
        case NoneType():
            return ["none"]
    assert_never(kind)


def cell_json(machine: ir.Machine, kind: Type, value: int) -> int | str | None:
    """A cell of a table: a number, the name of a routine, or none."""
    if value == NONE:
        return None
    return machine.routines[machine.cells[value][0]].name if isinstance(kind, EffectType) else value
