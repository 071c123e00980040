"""Arithmetic where `game.yaml` wants a whole number or a range: `hand_size + 1`, `0..most_moves * 2`.

Before a declaration is read, each of its texts that is such an expression is replaced by its result. Names
are those of constants and of options that are numbers; `seats` is the number of seats.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dsl.declare.nodes import RANGE
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import HIGHEST_WRITTEN, IntType
from dsl.messages.names import CyclicDefinition
from dsl.messages.shapes import NotANumber, WrongShape
from dsl.numbers import whole
from dsl.source import Span

TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(\.\.|[-+*()]))")
FORM = re.compile(r"[\w\s()+*-]+(\.\.[\w\s()+*-]+)?", re.ASCII)
"""The characters of an expression, or of a range of two."""
MOST_TOKENS = 60
SEATS = "seats"


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    span: Span


def computed(symbols: SymbolTable, node: Node) -> Node:
    """A node with each expression in it replaced by its result. Raises `DiagnosticError`.

    What is not an expression stays as it is, so that its reader says what is wanted there.
    """
    match node:
        case Scalar():
            return _computed(symbols, node)
        case Sequence(items=items):
            return Sequence(tuple(computed(symbols, item) for item in items), node.span)
        case Mapping(pairs=pairs):
            return Mapping(tuple((key, computed(symbols, x)) for key, x in pairs), node.span)


def computed_if_known(symbols: SymbolTable, node: Node) -> Node:
    """`computed`, where words may mean something else: only ranges, and what names numbers alone."""
    if not isinstance(node, Scalar):
        return node
    if ".." in node.text or all(is_number(symbols, name) for name in _names(node)):
        return _computed(symbols, node)
    return node


def computed_ranges(symbols: SymbolTable, node: Node) -> Node:
    """A node with the ranges in it computed, but nothing else."""
    match node:
        case Scalar():
            return _computed(symbols, node) if ".." in node.text else node
        case Sequence():
            return node
        case Mapping(pairs=pairs):
            return Mapping(tuple((key, computed_ranges(symbols, x)) for key, x in pairs), node.span)


def computed_cells(symbols: SymbolTable, node: Node) -> Node:
    """The rows of a table, of which only what names numbers is computed."""
    match node:
        case Scalar():
            return computed_if_known(symbols, node)
        case Sequence(items=items):
            return Sequence(tuple(computed_cells(symbols, item) for item in items), node.span)
        case Mapping(pairs=pairs):
            found = ((_range_key(symbols, key), computed_cells(symbols, x)) for key, x in pairs)
            return Mapping(tuple(found), node.span)


def _range_key(symbols: SymbolTable, key: Scalar) -> Scalar:
    return _computed(symbols, key) if ".." in key.text else key


def _computed(symbols: SymbolTable, node: Scalar) -> Scalar:
    text = node.text
    if whole(text) is not None or RANGE.fullmatch(text) or not FORM.fullmatch(text):
        return node
    if re.fullmatch(r"\s*-?\d+\s*", text):
        return node
    tokens = _tokens(node)
    if tokens is None:
        return node
    return Scalar(_Expression(symbols, node, tokens).result(), node.span, node.quoted)


def _names(node: Scalar) -> list[str]:
    return re.findall(r"[A-Za-z_]\w*", node.text)


def _tokens(node: Scalar) -> list[Token] | None:
    """The tokens of a text; none if it has others, or two words without an operator between them."""
    tokens: list[Token] = []
    at, plain = 0, node.span.text == node.text
    text = node.text.rstrip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None or len(tokens) > MOST_TOKENS:
            return None
        shown = found.group().strip()
        start = node.span.start + found.end() - len(shown)
        span = Span(node.span.source, start, start + len(shown)) if plain else node.span
        if tokens and shown[0].isalnum() and tokens[-1].text[0].isalnum():
            return None
        tokens.append(Token(shown, span))
        at = found.end()
    return tokens


@dataclass
class _Expression:
    """One expression, read from the left. Every method raises `DiagnosticError`."""

    symbols: SymbolTable
    node: Scalar
    tokens: list[Token]
    at: int = 0

    def result(self) -> str:
        low = self._sum()
        text = str(low)
        if self._next("..") is not None:
            high = self._sum()
            if low > high:
                shown = f"a range from low to high: this one is {low}..{high}"
                raise DiagnosticError(WrongShape(self.node.span, f"`{self.node.text}`", shown))
            text = f"{low}..{high}"
        if self.at < len(self.tokens):
            raise self._unexpected()
        return text

    def _next(self, *wanted: str) -> str | None:
        """The next token, if it is one of these."""
        if self.at < len(self.tokens) and self.tokens[self.at].text in wanted:
            self.at += 1
            return self.tokens[self.at - 1].text
        return None

    def _sum(self) -> int:
        value = self._product()
        while (sign := self._next("+", "-")) is not None:
            other = self._product()
            value = self._within(value + other if sign == "+" else value - other)
        return value

    def _product(self) -> int:
        value = self._unit()
        while self._next("*") is not None:
            value = self._within(value * self._unit())
        return value

    def _unit(self) -> int:
        if self._next("-") is not None:
            return -self._unit()
        if self._next("(") is not None:
            value = self._sum()
            if self._next(")") is None:
                raise self._unexpected()
            return value
        if self.at >= len(self.tokens) or not re.match(r"\w", self.tokens[self.at].text):
            raise self._unexpected()
        token = self.tokens[self.at]
        self.at += 1
        return self._within(int(token.text[:12])) if token.text.isdigit() else self._named(token)

    def _named(self, token: Token) -> int:
        return number_named(self.symbols, Scalar(token.text, token.span))

    def _within(self, value: int) -> int:
        if abs(value) > HIGHEST_WRITTEN:
            wanted = f"within -{HIGHEST_WRITTEN}..{HIGHEST_WRITTEN}"
            raise DiagnosticError(WrongShape(self.node.span, f"`{self.node.text}`", wanted))
        return value

    def _unexpected(self) -> DiagnosticError:
        span = self.tokens[self.at].span if self.at < len(self.tokens) else self.node.span
        hint = "use numbers, names of constants and options, `seats`, `+`, `-`, `*` and brackets"
        return DiagnosticError(WrongShape(span, f"`{self.node.text}`", "a number or a range of two", hint))


# ---- names


def number_named(symbols: SymbolTable, node: Scalar) -> int:
    """The number of a name, in the configuration that is read. Raises `DiagnosticError` if it has none."""
    name = node.text
    if name == SEATS:
        symbols.asked.add(SEATS)
        return symbols.playing
    _declare_now(symbols, name)
    symbols.computed_from.add(name)
    if name in symbols.constants:
        values = symbols.constants[name].values
        if len(set(values.values())) > 1:
            symbols.asked.add(SEATS)
        return values[symbols.playing]
    if name in symbols.options and isinstance(symbols.options[name].type, IntType):
        symbols.asked.add(name)
        return symbols.assumed.get(name, symbols.options[name].default)
    raise _no_number(symbols, node)


def is_number(symbols: SymbolTable, name: str) -> bool:
    """Whether a name is that of a number which is fixed when a match begins."""
    _declare_now(symbols, name)
    option = symbols.options.get(name)
    return name in symbols.constants or (option is not None and isinstance(option.type, IntType))


def _declare_now(symbols: SymbolTable, name: str) -> None:
    if name not in symbols.constants and name not in symbols.options and name in symbols.settings:
        symbols.settings.pop(name)()


def _no_number(symbols: SymbolTable, node: Scalar) -> DiagnosticError:
    what = symbols.names.get(node.text, ("",))[0]
    if node.text in symbols.broken or not what:
        known = (*symbols.constants, *symbols.options, SEATS)
        return symbols.unknown(node, "constant or option", known, "constants are declared under `constants`")
    if what == "a constant":
        return DiagnosticError(CyclicDefinition(node.span, node.text, node.text, ()))
    return DiagnosticError(NotANumber(node.span, node.text, what))


# ---- declarations

Compute = Callable[[SymbolTable, Node], Node]
NUMBERS: dict[str, dict[str, Compute]] = {
    "options": {"range": computed, "default": computed_if_known},
    "types": {"values": computed_if_known, "columns": computed_ranges},
    "boards": {
        "line": computed_if_known,
        "ring": computed_if_known,
        "grid": computed,
        "hex": computed,
        "columns": computed_ranges,
    },
    "components": {
        "die": computed_if_known,
        "count": computed,
        "copies": computed,
        "columns": computed_ranges,
        "keep": computed_ranges,
    },
    "zones": {"size": computed},
    "counters": {"range": computed, "start": computed},
    "tables": {"gives": computed_if_known, "rows": computed_cells},
    "histories": {"most": computed},
}
"""For each section the keys with numbers or ranges, and how they are computed."""


def prepared(symbols: SymbolTable, section: str, node: Node) -> Node:
    """A declaration with its numbers computed. Raises `DiagnosticError`."""
    if section == "types" and isinstance(node, Scalar):
        return computed_if_known(symbols, node)
    keys = NUMBERS.get(section)
    if keys is None or not isinstance(node, Mapping):
        return node
    return Mapping(
        tuple((key, _prepared(symbols, keys.get(key.text), node, key, x)) for key, x in node.pairs), node.span
    )


def _prepared(symbols: SymbolTable, compute: Compute | None, node: Mapping, key: Scalar, value: Node) -> Node:
    """The value of one key. A scalar `copies` beside a table names a column."""
    if compute is None or (key.text == "copies" and isinstance(value, Scalar) and node.get("kinds") is None):
        return value
    if key.text == "copies" and isinstance(value, Scalar):
        return _copies(symbols, node, value)
    if key.text == "rows" and not _gives_numbers(node):
        return value
    return compute(symbols, value)


def _copies(symbols: SymbolTable, node: Mapping, value: Scalar) -> Node:
    """`copies` of kinds: a column of the type, or else a number."""
    kinds = node.get("kinds")
    decl = symbols.type_named(kinds) if isinstance(kinds, Scalar) else None
    return value if decl is not None and value.text in decl.columns else computed_if_known(symbols, value)


def _gives_numbers(node: Mapping) -> bool:
    gives = node.get("gives")
    return isinstance(gives, Scalar) and ".." in gives.text
