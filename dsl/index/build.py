"""The index of a ruleset, from all that is known of it."""

from __future__ import annotations

from collections.abc import Callable

from dsl import syntax as s
from dsl.declare.languages import LanguageFile, clause_files, label_files
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar
from dsl.document_recovery import read_recovering
from dsl.index.index import Index
from dsl.index.rules_names import index_rules
from dsl.index.symbols import Symbol
from dsl.index.yaml_names import YamlNames
from dsl.load import GAME, Analysis
from dsl.source import Source


def build_index(analysis: Analysis) -> Index:
    """The index of all files that were read for the rules."""
    index = Index()
    definitions = analysis.definitions
    if definitions is not None:
        index_rules(index, analysis.symbols, definitions.written)
    names = YamlNames(index, analysis.symbols, _parameters(analysis))
    texts = _games(analysis)
    for text in texts:
        names.game(text)
    names.every_symbol = frozenset(symbol for found in index.found.values() for symbol in found.symbols)
    for text in texts:
        _index_named(analysis, names, text)
    return index


def with_tests(index: Index, analysis: Analysis, tests: tuple[Source, ...]) -> Index:
    """An index with the names in files of scenarios and of mutants."""
    whole = Index(dict(index.found), dict(index.linked))
    names = YamlNames(whole, analysis.symbols)
    flows = [text.get("flow") for text in _games(analysis)]
    phases = (name.text for flow in flows if isinstance(flow, Mapping) for name, _ in flow.pairs)
    names.phases = frozenset(Symbol("phase", name) for name in phases)
    for source in tests:
        names.tests(source)
    return whole


def _games(analysis: Analysis) -> list[Mapping]:
    """The `game.yaml` of a ruleset, and of all that it overlays."""
    paths = [path for path in analysis.folder.sources if path.rpartition("/")[2] == GAME]
    return [text for path in sorted(paths) if isinstance(text := _read(analysis, path), Mapping)]


def _index_named(analysis: Analysis, names: YamlNames, game: Mapping) -> None:
    """The files that a `game.yaml` names: labels, clauses."""
    for file in _of_languages(label_files, game):
        if isinstance(text := _read(analysis, _path(analysis, file.path)), Mapping):
            names.labels(text)
    for number, file in enumerate(_of_languages(clause_files, game)):
        if isinstance(text := _read(analysis, _path(analysis, file.path)), Mapping):
            names.clauses(text, number == 0)
    look = game.get("look")
    if isinstance(look, Scalar) and isinstance(text := _read(analysis, _path(analysis, look)), Mapping):
        names.look(text)


def _of_languages(
    files: Callable[[Mapping], tuple[LanguageFile, ...]], game: Mapping
) -> tuple[LanguageFile, ...]:
    """The files of labels or clauses, unless they are written otherwise than they can be."""
    try:
        return files(game)
    except DiagnosticError:
        return ()


def _path(analysis: Analysis, node: Scalar) -> str:
    return analysis.folder.named_in(node.span.source, node.text)


def _read(analysis: Analysis, path: str) -> Node | None:
    source = analysis.folder.sources.get(path)
    if source is None:
        return None
    try:
        return read_recovering(source)[0]
    except DiagnosticError:
        return None


def _parameters(analysis: Analysis) -> dict[str, dict[str, Symbol]]:
    """The parameters of routines and values by name, as symbols."""
    definitions = analysis.definitions
    if definitions is None:
        return {}
    symbols = analysis.symbols
    found: dict[str, dict[str, Symbol]] = {}
    written: list[tuple[str, s.Routine | s.Value]] = [*definitions.routines.items()]
    written += definitions.values.items()
    for name, node in written:
        words = [part.name for part in node.parameters]
        words += [part.several.group for part in node.parameters if part.several and part.several.group]
        known = {word.text: symbols.resolved.get(word.span) for word in words}
        found[name] = {text: symbol for text, symbol in known.items() if symbol is not None}
    return found
