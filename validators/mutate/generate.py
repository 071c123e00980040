"""The generator of all mutants of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.declare.sheets import sheet_of_csv
from dsl.document import Mapping, Node, Scalar, read
from dsl.folder import Folder
from dsl.grammar import parse
from dsl.load import GAME
from dsl.rules import Rules
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
    for path, clauses in _tables(document).items():
        yield from cells(rules, path, clauses, sheet_of_csv(folder.source(path)))


def _paths(node: Node | None) -> list[str]:
    items = getattr(node, "items", ())
    return [item.text for item in items if isinstance(item, Scalar)]


def _tables(document: Mapping) -> dict[str, tuple[str, ...]]:
    """The CSV files, and the clauses of the declarations that use them."""
    found: dict[str, tuple[str, ...]] = {}
    for section in ("types", "boards", "components"):
        entries = document.get(section)
        for _, entry in entries.pairs if isinstance(entries, Mapping) else ():
            named = [entry.get(key) for key in SHAPES] if isinstance(entry, Mapping) else []
            for file in named:
                if isinstance(file, Scalar) and file.text.endswith(".csv"):
                    found[file.text] = found.get(file.text, ()) + marks_of(entry)
    return found
