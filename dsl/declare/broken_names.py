"""Names that are broken with a declaration: those it declares, those that need it, and words in its text."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from dsl.declare.boards import also_declared
from dsl.declare.nodes import WORD, mapping
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.document import Mapping, Node, Scalar
from dsl.document_recovery import LostPart
from dsl.overlays import GAME
from dsl.sheets.delimited import is_table
from dsl.source import Source

NAMED = re.compile(r"^[ ]+([A-Za-z_]\w*)[ ]*:", re.MULTILINE)
"""The keys of a section."""
PATH = re.compile(r"[\w./#-]+")
"""What may be the path of a table."""


def mark_broken(symbols: SymbolTable, name: Scalar, value: Node, diagnostic: Diagnostic) -> None:
    """What a declaration with mistakes declares is broken, and the words in it and its table may be."""
    for broken in (name.text, *also_declared(value)):
        symbols.broken.setdefault(broken, diagnostic)
    texts = [value.span.text]
    if isinstance(value, Mapping) and isinstance(table := value.get("table"), Scalar):
        source = symbols.folder.sources.get(symbols.folder.named_in(table.span.source, table.text))
        texts += [source.text] if source is not None else []
    for text in texts:
        for word_of_text in WORD.findall(text):
            symbols.doubtful.setdefault(word_of_text, diagnostic)


def spread(symbols: SymbolTable, written: list[tuple[Scalar, Node]]) -> None:
    """Declarations that mention broken names are broken too."""
    words_of = {name: frozenset(WORD.findall(value.span.text)) for name, value in written}
    count = -1
    while count != len(symbols.broken):
        count = len(symbols.broken)
        for name, value in written:
            causes = words_of[name] & symbols.broken.keys()
            if causes and name.text not in symbols.broken:
                mark_broken(symbols, name, value, symbols.broken[min(causes)])


def mark_lost(symbols: SymbolTable, lost: tuple[LostPart, ...]) -> None:
    """Report what is no YAML. The names that it declares are broken, and the words in it may be."""
    for part in lost:
        symbols.fail(part.diagnostic)
        keys = [part.key] if part.key is not None else NAMED.findall(part.span.text)
        if part.key is None:
            symbols.unread = part.diagnostic
        for name in keys:
            symbols.broken.setdefault(name, part.diagnostic)
        for word_of_text in WORD.findall(part.span.text):
            symbols.doubtful.setdefault(word_of_text, part.diagnostic)


def mark_unknown(symbols: SymbolTable, section: Mapping, diagnostic: Diagnostic) -> None:
    """What stands under an unknown key of `game.yaml` is broken: the key may be a section misspelt."""
    for name, inner in section.pairs:
        mark_broken(symbols, name, inner, diagnostic)


def mark_unread_tables(symbols: SymbolTable) -> None:
    """The words of a table that `game.yaml` names, and that no declaration has read, may be names."""
    folder = symbols.folder
    games = [source for path, source in folder.sources.items() if path.rpartition("/")[2] == GAME]
    for game in games:
        for path in dict.fromkeys(path for path in PATH.findall(game.text) if is_table(path)):
            inner = folder.named_in(game, path)
            with suppress(DiagnosticError):
                words = WORD.findall(folder.source(inner).text) if inner not in folder.sources else []
                for word_of_text in words:
                    symbols.doubtful.setdefault(word_of_text, symbols.report.errors[0])


def section_of(symbols: SymbolTable, section: str, node: Node | None) -> Mapping | None:
    """A section of declarations. If it is none, any unknown name may be meant to be declared in it."""
    try:
        return mapping(node, f"`{section}`") if node is not None else None
    except DiagnosticError as failed:
        symbols.fail(failed.diagnostic)
        symbols.unread = failed.diagnostic
        return None


MAKERS = ("types", "boards", "components")
"""The sections whose declarations have names that may stand nowhere, or in a table that was not read."""


@dataclass(frozen=True, eq=False)
class PossibleNames:
    """The names that a ruleset with mistakes may have, beside those that could be declared.

    `labels` are the files that only mention them.
    """

    symbols: SymbolTable
    game: Mapping
    labels: frozenset[Source]

    def __contains__(self, name: str) -> bool:
        """Whether a name, or `owner.name`, is mentioned, or may lie in what cannot be read."""
        if self._made_unknown:
            return True
        return all(self.symbols.cause(part) or part in self._mentioned for part in name.split("."))

    @cached_property
    def _made_unknown(self) -> bool:
        sections = (self.game.get(section) for section in MAKERS)
        names = (
            name.text for section in sections if isinstance(section, Mapping) for name, _ in section.pairs
        )
        return any(name in self.symbols.broken for name in names)

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        sources = self.symbols.folder.sources.values()
        texts = [source.text for source in sources if source not in self.labels]
        return frozenset(found for text in texts for found in WORD.findall(text))
