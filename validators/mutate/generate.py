"""The generator of all mutants of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.declare.sheets import Titles, sheet_of_csv, titles_of
from dsl.document import Mapping, Node, Scalar, read
from dsl.folder import Folder
from dsl.grammar import parse
from dsl.load import GAME
from dsl.rules import Rules
from dsl.sheets.delimited import is_table
from validators.mutate.mutant import Mutant, TextEdit
from validators.mutate.operators import OPERATORS
from validators.mutate.sites import MutationSite, cells, declared, marks_of, written

SHAPES = ("table", "line", "ring", "graph")
"""Keys of a declaration that may name a CSV file."""


def generate_mutants(rules: Rules, folder: Folder) -> tuple[Mutant, ...]:
    """All mutants of a ruleset without errors, in the order of its files and places, each once."""
    document = read(folder.source(GAME))
    assert isinstance(document, Mapping)
    found: dict[tuple[tuple[str, int, int, str], ...], Mutant] = {}
    for site in _sites(rules, folder, document):
        for mutant in _at(site):
            key = tuple((mutant.path, e.span.start, e.span.end, e.new) for e in mutant.edits)
            found.setdefault(key, mutant)
    files = list(dict.fromkeys(mutant.path for mutant in found.values()))
    return tuple(sorted(found.values(), key=lambda m: (files.index(m.path), m.span.start)))


def _at(site: MutationSite) -> Iterator[Mutant]:
    for operator in OPERATORS:
        for edits in operator.mutate(site):
            several = (edits,) if isinstance(edits, TextEdit) else edits
            yield Mutant(operator.name, site.path, site.header, site.clauses, several)


def _sites(rules: Rules, folder: Folder, document: Mapping) -> Iterator[MutationSite]:
    """Every place of a ruleset for a mistake."""
    for path in _paths(document.get("rules")):
        yield from written(rules, path, parse(folder.source(path)))
    yield from declared(rules, GAME, document)
    for path, table in _tables(document).items():
        sheet = sheet_of_csv(folder.source(path), table.titles)
        yield from cells(rules, path, table.clauses, sheet, table.unread(rules))


def _paths(node: Node | None) -> list[str]:
    items = getattr(node, "items", ())
    return [item.text for item in items if isinstance(item, Scalar)]


@dataclass(frozen=True)
class _NamedTable:
    """A table that a declaration names: the clauses of the declaration, and what it says of the header."""

    clauses: tuple[str, ...]
    titles: Titles
    ignored: frozenset[str] = frozenset()

    def unread(self, rules: Rules) -> frozenset[str]:
        """The titles of columns that no rule reads: those of text, and those that are ignored."""
        return self.ignored | {column for columns in rules.text_columns.values() for column in columns}


def _tables(document: Mapping) -> dict[str, _NamedTable]:
    """The tables in files, and the declarations that use them."""
    found: dict[str, _NamedTable] = {}
    for section in ("types", "boards", "components"):
        entries = document.get(section)
        for _, entry in entries.pairs if isinstance(entries, Mapping) else ():
            named = [entry.get(key) for key in SHAPES] if isinstance(entry, Mapping) else []
            for file in named:
                if isinstance(file, Scalar) and is_table(file.text):
                    clauses = found[file.text].clauses if file.text in found else ()
                    titles, marks = titles_of(entry), marks_of(entry)
                    found[file.text] = _NamedTable((*clauses, *marks), titles, _ignored(entry))
    return found


def _ignored(entry: Node) -> frozenset[str]:
    """The titles that a declaration ignores by name."""
    node = entry.get("ignored") if isinstance(entry, Mapping) else None
    return frozenset(item.text for item in getattr(node, "items", ()) if isinstance(item, Scalar))
