"""The index itself: occurrences of symbols by file, and where each symbol is declared."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from dsl.index.symbols import Symbol
from dsl.source import Source, Span


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name at a place, and what it may mean there: nearly always one symbol."""

    span: Span
    symbols: tuple[Symbol, ...]
    declares: bool = False


@dataclass
class Index:
    """All occurrences of names in the files of a ruleset, once for each place."""

    found: dict[Span, Occurrence] = field(default_factory=dict)
    linked: dict[Symbol, Symbol] = field(default_factory=dict)
    """Symbols that are one with another one: a column that declares the type of its cells."""

    def add(self, span: Span, symbol: Symbol, declares: bool = False) -> None:
        """Note an occurrence, unless something is known of its place that declares, or came before."""
        known = self.found.get(span)
        if known is None or (declares and not known.declares):
            self.found[span] = Occurrence(span, (symbol,), declares)

    def add_any(self, span: Span, symbols: Iterable[Symbol]) -> None:
        """Note an occurrence whose meaning is one of several."""
        if (candidates := tuple(dict.fromkeys(symbols))) and span not in self.found:
            self.found[span] = Occurrence(span, candidates)

    def link(self, symbol: Symbol, other: Symbol) -> None:
        if self.canonical(symbol) != self.canonical(other):
            self.linked[self.canonical(symbol)] = self.canonical(other)

    def canonical(self, symbol: Symbol) -> Symbol:
        while symbol in self.linked:
            symbol = self.linked[symbol]
        return symbol

    # ---- questions; the index must be complete

    @cached_property
    def _by_symbol(self) -> dict[Symbol, list[Occurrence]]:
        found: dict[Symbol, list[Occurrence]] = defaultdict(list)
        for occurrence in self.found.values():
            for symbol in {self.canonical(each) for each in occurrence.symbols}:
                found[symbol].append(occurrence)
        return found

    @cached_property
    def _by_source(self) -> dict[Source, list[Occurrence]]:
        found: dict[Source, list[Occurrence]] = defaultdict(list)
        for occurrence in self.found.values():
            found[occurrence.span.source].append(occurrence)
        for occurrences in found.values():
            occurrences.sort(key=lambda each: each.span.start)
        return found

    def of(self, symbol: Symbol) -> list[Occurrence]:
        """The occurrences of a symbol, in the order of files and places."""
        found = self._by_symbol.get(self.canonical(symbol), [])
        return sorted(found, key=lambda each: (each.span.source.name, each.span.start))

    def declaration(self, symbol: Symbol) -> Span | None:
        """Where a symbol is declared."""
        return next((each.span for each in self.of(symbol) if each.declares), None)

    def within(self, source: Source) -> list[Occurrence]:
        """The occurrences in a file, in order."""
        return self._by_source.get(source, [])

    def at(self, source: Source, offset: int) -> Occurrence | None:
        """The occurrence at an offset of a file, also directly before it."""
        found = self.within(source)
        number = bisect_right(found, offset, key=lambda each: each.span.start) - 1
        if number < 0:
            return None
        occurrence = found[number]
        return occurrence if occurrence.span.start <= offset <= occurrence.span.end else None
