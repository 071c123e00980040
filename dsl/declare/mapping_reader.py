"""A reader of one YAML mapping, such as a declaration of `game.yaml`, key by key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dsl.declare.nodes import line, mapping, needed, number, one_of, text, word, words
from dsl.declare.symbol_table import SymbolTable, keys
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar
from dsl.messages.shapes import UnknownKey, WrongShape
from dsl.source import Span


@dataclass(frozen=True)
class MappingReader:
    """The keys of one mapping. `where` names it in messages: "zone `hand`".

    Each method reads one key. If the key is missing, it gives a default, or none; `needed`, `word` and
    `words` raise `DiagnosticError` instead, and so do all if the value has another shape.
    """

    symbols: SymbolTable
    mapping: Mapping
    where: str

    @property
    def span(self) -> Span:
        return self.mapping.span.first_line()

    def of(self, key: str) -> str:
        return f"`{key}` of {self.where}"

    def get(self, key: str) -> Node | None:
        return self.mapping.get(key)

    def wrong(self, key: str, wanted: str, hint: str = "") -> DiagnosticError:
        """The error of a key whose value is not what is wanted."""
        return DiagnosticError(WrongShape(self.needed(key).span, self.of(key), wanted, hint))

    def has(self, key: str) -> bool:
        return self.mapping.get(key) is not None

    def needed(self, key: str) -> Node:
        if not self.has(key):
            for unknown in self.unknown_keys():
                if did_you_mean(unknown.key, (key,)):
                    raise DiagnosticError(unknown)
        return needed(self.mapping, key, self.where)

    def unknown_keys(self) -> list[UnknownKey]:
        """The errors of unknown keys, any of which may be meant for one that is missing."""
        own = {key.span for key, _ in self.mapping.pairs}
        errors = self.symbols.report.errors
        return [found for found in errors if isinstance(found, UnknownKey) and found.span in own]

    def word(self, key: str) -> Scalar:
        return word(self.needed(key), self.of(key))

    def text(self, key: str) -> str | None:
        node = self.get(key)
        return text(node, self.of(key)).text if node is not None else None

    def line(self, key: str) -> str | None:
        """A text of one line."""
        node = self.get(key)
        return line(node, self.of(key)).text if node is not None else None

    def count(self, key: str, default: int, most: int) -> int:
        """A number of things: at least one."""
        node = self.get(key)
        if node is None:
            return default
        value = number(node, self.of(key))
        if not 1 <= value <= most:
            raise DiagnosticError(WrongShape(node.span, self.of(key), f"within 1..{most}"))
        return value

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str | None:
        node = self.get(key)
        return one_of(node, self.of(key), allowed) if node is not None else None

    def words(self, key: str) -> tuple[Scalar, ...]:
        return words(self.needed(key), self.of(key))

    def pairs(self, key: str) -> tuple[tuple[Scalar, Node], ...]:
        """The pairs of a mapping."""
        node = self.get(key)
        return mapping(node, self.of(key)).pairs if node is not None else ()

    def only_one(self, names: Iterable[str]) -> str | None:
        """Which of several keys is there. Raises `DiagnosticError` if two of them are."""
        known = frozenset(names)
        found = [key for key, _ in self.mapping.pairs if key.text in known]
        if len(found) > 1:
            beside = f"{self.where} beside `{found[0].text}`"
            raise DiagnosticError(UnknownKey(found[1].span, found[1].text, beside, "keep one of the two"))
        return found[0].text if found else None

    def marks(self) -> tuple[str, ...]:
        return self.symbols.clause_marks(self.get("clause"))


def entry(symbols: SymbolTable, node: Node | None, where: str, allowed: Iterable[str]) -> MappingReader:
    """A reader of a node, which must be a mapping. Its unknown keys are reported."""
    return MappingReader(symbols, keys(symbols, node, where, allowed), where)
