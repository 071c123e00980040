"""What carries over to the next match, as `carries` of `game.yaml` declares it."""

from __future__ import annotations

from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar
from dsl.messages.game import CannotCarry, SecretCarried
from dsl.messages.shapes import WrongShape
from dsl.rules import Carries

KEYS = ("of", "while", "clause")
CARRIED = "name counters, marks and pointers"


def declare_carries(symbols: SymbolTable, node: Node) -> None:
    """`[points, dealer]`, or `{of: [points, dealer], while: rubber_open, clause: §8}`."""
    if not isinstance(node, Mapping):
        node = Mapping(((Scalar("of", node.span), node),), node.span)
    reader = entry(symbols, node, "`carries`", KEYS)
    names = _names(reader)
    condition = reader.word("while") if reader.has("while") else None
    symbols.carries = Carries(
        names, condition.text if condition is not None else None, node.span.first_line(), reader.marks()
    )
    symbols.carried_while = condition


def _names(reader: MappingReader) -> tuple[str, ...]:
    names = reader.words("of")
    if not names:
        raise reader.wrong("of", "a list with at least one name")
    seen: set[str] = set()
    for name in names:
        _check(reader.symbols, name)
        if name.text in seen:
            raise DiagnosticError(WrongShape(name.span, reader.of("of"), "a list that names each thing once"))
        seen.add(name.text)
    return tuple(name.text for name in names)


def _check(symbols: SymbolTable, name: Scalar) -> None:
    """Raises `DiagnosticError` unless a name is state that lasts and that seats know at the end."""
    if name.text in symbols.broken:
        raise DiagnosticError(symbols.broken[name.text])
    stores = {**symbols.counters, **symbols.marks, **symbols.pointers}
    found = stores.get(name.text)
    if found is None:
        if name.text not in symbols.names:
            raise symbols.unknown(name, "counter, mark or pointer", stores, CARRIED)
        what, _ = symbols.names[name.text]
        hint = CARRIED
        if name.text in symbols.zones:
            hint = "note its pieces in a counter or mark `at:` their kind, and lay them out in the set-up"
        raise DiagnosticError(CannotCarry(name.span, name.text, f"is {what}", hint))
    if found.var.lasts is not None or found.var.is_scratch:
        hint = "leave out its `lasts`, or carry what it leads to"
        raise DiagnosticError(CannotCarry(name.span, name.text, "does not last to the end of a match", hint))
    if found.seen_by == "nobody":
        raise DiagnosticError(SecretCarried(name.span, name.text))
