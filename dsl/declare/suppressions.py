"""Findings that a game allows, each with its reason; `allow` of `game.yaml`."""

from __future__ import annotations

import re

from dsl.declare.mapping_reader import entry
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Sequence
from dsl.messages.shapes import WrongShape
from dsl.rules import Suppression

KEYS = ("finding", "about", "why")


def read_suppressions(symbols: SymbolTable, node: Node) -> tuple[Suppression, ...]:
    """`allow: [{finding: V304, about: turn, why: every pawn moves forward}]`."""
    if not isinstance(node, Sequence):
        raise DiagnosticError(WrongShape(node.span, "`allow`", "a list", "one entry for each finding"))
    found = (symbols.attempt(_one, symbols, item) for item in node.items)
    return tuple(one for one in found if one is not None)


def _one(symbols: SymbolTable, node: Node) -> Suppression:
    reader = entry(symbols, node, "an entry of `allow`", KEYS)
    code, about, why = (reader.word(key) for key in KEYS)
    if not re.fullmatch(r"V[0-9]{3}", code.text):
        hint = "use the code that `rulewright check` prints"
        raise DiagnosticError(WrongShape(code.span, reader.of("finding"), "a code such as `V304`", hint))
    if not about.text.strip():
        raise DiagnosticError(
            WrongShape(about.span, reader.of("about"), "a name", "use the name that the finding gives")
        )
    if not why.text.strip():
        raise DiagnosticError(WrongShape(why.span, reader.of("why"), "a reason"))
    return Suppression(code.text, about.text, why.text, code.span)
