"""Types and places in the source as JSON, for hosts and pages."""

from __future__ import annotations

from pathlib import PurePath
from typing import assert_never

from dsl.domains import EffectType, EnumType, FlagType, IntType, NoneType, PieceType, SetType, Type
from dsl.source import Span


def type_json(kind: Type) -> list[str]:
    """`["enum", name]`, `["int"]`, `["flag"]`, `["piece", component]`, `["effect"]`,
    `["none"]`, or `["set", ...]` of one of these.
    """
    match kind:
        case IntType():
            return ["int"]
        case FlagType():
            return ["flag"]
        case EnumType(name):
            return ["enum", name]
        case PieceType(component):
            return ["piece", component]
        case EffectType():
            return ["effect"]
        case SetType(item):
            return ["set", *type_json(item)]
        case NoneType():
            return ["none"]
    assert_never(kind)


def where(span: Span) -> str:
    """`game.rules:12`: the file, without its folder, and the line of a span."""
    line = span.line
    return f"{PurePath(span.source.name).name}:{line}"
