"""Findings that a game allows, each with a reason; `allow` of `game.yaml`."""

from __future__ import annotations

import re
from functools import partial

from dsl.declare.mapping_reader import entry
from dsl.declare.nodes import line, text
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
    return tuple(symbols.attempt_all(partial(_suppression, symbols), node.items))


def _suppression(symbols: SymbolTable, node: Node) -> Suppression:
    reader = entry(symbols, node, "an entry of `allow`", KEYS)
    code = reader.word("finding")
    about = line(reader.needed("about"), reader.of("about"))
    why = text(reader.needed("why"), reader.of("why"))
    if not re.fullmatch(r"V[0-9]{3}", code.text):
        hint = "use the code that `rulewright check` prints"
        raise reader.wrong("finding", "a code such as `V304`", hint)
    if not about.text.strip():
        raise reader.wrong("about", "a name", "use the name that the finding gives")
    if not why.text.strip():
        raise reader.wrong("why", "a reason")
    return Suppression(code.text, about.text, why.text, code.span)
