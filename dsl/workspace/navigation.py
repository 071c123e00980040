"""Definition, references and renaming: from a place in a file to places, and to edits of all files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dsl.declare.nodes import WORD
from dsl.elaborate.scope import SHAREABLE
from dsl.folder import Folder
from dsl.index.index import Occurrence
from dsl.index.rules_names import WORD_OR_MARK
from dsl.index.symbols import Symbol
from dsl.load import analyse
from dsl.pieces import pieces
from dsl.render import place_of
from dsl.sheets.delimited import is_table, is_workbook
from dsl.source import Source, Span, with_replaced
from dsl.workspace.snapshot import Snapshot, encoded

LABEL = re.compile(r" *[\w.]+: +[^\s|>{\[&*#].*")
"""A label on one line."""


@dataclass(frozen=True)
class Edit:
    """A part of a file, and what stands there instead."""

    span: Span
    text: str


class CannotRename(Exception):
    """A name cannot be renamed, or not to this; says why."""


def symbol_at(snapshot: Snapshot, source: Source, offset: int) -> tuple[Occurrence, Symbol] | None:
    """The occurrence at a place, and what it means."""
    index = snapshot.index_for(source)
    found = index.at(source, offset)
    return (found, index.canonical(found.symbols[0])) if found is not None else None


def definition(snapshot: Snapshot, source: Source, offset: int) -> list[Span]:
    """Where the name at a place is declared. A value of a board is declared with the board."""
    found = symbol_at(snapshot, source, offset)
    if found is None:
        return []
    places = [snapshot.index.declaration(symbol) for symbol in found[0].symbols]
    known = [place for place in places if place is not None]
    names = snapshot.analysis.symbols.names
    for symbol in found[0].symbols:
        if not known and symbol.kind in ("value", "column") and symbol.owner in names:
            known.append(names[symbol.owner][1])
        if not known and symbol.kind == "declared" and symbol.name in names:
            known.append(names[symbol.name][1])
    return list(dict.fromkeys(known))


def references(snapshot: Snapshot, source: Source, offset: int, declared: bool = True) -> list[Span]:
    """All places of the name at a place."""
    found = symbol_at(snapshot, source, offset)
    if found is None:
        return []
    return [each.span for each in snapshot.whole_index.of(found[1]) if declared or not each.declares]


# ---- renaming


def renamable(snapshot: Snapshot, source: Source, offset: int) -> Span:
    """The name at a place. Raises `CannotRename`."""
    found = symbol_at(snapshot, source, offset)
    if found is None:
        raise CannotRename("there is no name here")
    _check_symbol(snapshot, found[1])
    return found[0].span


def rename(snapshot: Snapshot, source: Source, offset: int, name: str) -> list[Edit]:
    """The edits that give the name at a place another one, in all files. Raises `CannotRename`."""
    renamable(snapshot, source, offset)
    found = symbol_at(snapshot, source, offset)
    assert found is not None
    symbol = found[1]
    if name == symbol.name:
        return []
    _check_name(snapshot, symbol, name)
    places = snapshot.whole_index.of(symbol)
    edits = [Edit(each.span, name) for each in places if not _is_shared(snapshot, each)]
    edits += [label for each in places if (label := _label_of_its_own(snapshot, each, name)) is not None]
    _check_result(snapshot, edits)
    return edits


def _check_result(snapshot: Snapshot, edits: list[Edit]) -> None:
    """Nothing may be wrong afterwards: a name may be part of another one, such as that of a product."""
    folder = snapshot.analysis.folder
    by_source: dict[Source, list[tuple[Span, str]]] = {}
    for edit in edits:
        by_source.setdefault(edit.span.source, []).append((edit.span, edit.text))
    texts = {
        path: with_replaced(source.text, changes)
        for source, changes in by_source.items()
        if (path := snapshot.path_of(source)) is not None
    }

    def fetch(path: str) -> bytes:
        return encoded(texts[path]) if path in texts else folder.fetch(path)

    wrong = analyse(Folder(folder.name, fetch, known=folder.sources)).report.errors
    if wrong:
        raise CannotRename(f"{wrong[0].span.place} would be wrong then: {wrong[0].message}")


def _check_symbol(snapshot: Snapshot, symbol: Symbol) -> None:
    index = snapshot.whole_index
    broken = snapshot.analysis.report.errors
    if broken:
        place = broken[0].span.place
        raise CannotRename(f"correct the mistakes first ({place}): not all names are known")
    if symbol.kind == "built-in":
        raise CannotRename(f"`{symbol.name}` is a word of the language")
    places = index.of(symbol)
    if symbol.kind != "outcome" and not any(each.declares for each in places):
        raise CannotRename(f"`{symbol.name}` is not declared by its name")
    for each in places:
        others = {index.canonical(other) for other in each.symbols} - {symbol}
        if others and _label_of_its_own(snapshot, each, symbol.name) is None:
            names = " and ".join(sorted(described(other) for other in others))
            where = each.span.place
            raise CannotRename(f"{where} is also the name of {names}; give one of them another name by hand")
    made = next((each for each in places if each.declares and _is_made(each.span, symbol.name)), None)
    if made is not None:
        raise CannotRename(f"`{symbol.name}` is made of `{made.span.text}` in a table: change it there")
    book = next((each for each in places if is_workbook(each.span.source.name)), None)
    if book is not None:
        raise CannotRename(f"`{symbol.name}` stands in a workbook, {place_of(book.span)}: change it there")
    if any(snapshot.path_of(each.span.source) is None for each in places):
        raise CannotRename(f"`{symbol.name}` occurs in a file outside of this ruleset")
    if any(snapshot.is_below(each.span.source) for each in places):
        raise CannotRename(f"`{symbol.name}` belongs to the game that this one overlays")


def _is_made(span: Span, name: str) -> bool:
    """Whether a name is the word for what stands in a cell."""
    return is_table(span.source.name) and span.text != name


def _is_shared(snapshot: Snapshot, place: Occurrence) -> bool:
    """Whether a place is the name of several things."""
    return len({snapshot.whole_index.canonical(symbol) for symbol in place.symbols}) > 1


def _label_of_its_own(snapshot: Snapshot, place: Occurrence, name: str) -> Edit | None:
    """The line of a label that several things share once more, below it, with the name that one of them gets;
    none at other places."""
    names = snapshot.analysis.names
    source, span = place.span.source, place.span
    if not _is_shared(snapshot, place) or names is None or source not in names.labels:
        return None
    start, end = source.text.rfind("\n", 0, span.start) + 1, source.text.find("\n", span.end)
    end = end if end >= 0 else len(source.text)
    line, after = source.text[start:end], source.text[end + 1 :].split("\n", 1)[0]
    goes_on = _indent(after) > _indent(line) and bool(after.strip())
    if goes_on or LABEL.fullmatch(line) is None:
        return None
    return Edit(Span(source, end, end), f"\n{line[: span.start - start]}{name}{line[span.end - start :]}")


def _indent(line: str) -> int:
    """The blanks before a line."""
    return len(line) - len(line.lstrip(" "))


def _check_name(snapshot: Snapshot, symbol: Symbol, name: str) -> None:
    symbols, index = snapshot.analysis.symbols, snapshot.whole_index
    if symbol.kind == "clause":
        if WORD_OR_MARK.fullmatch(name) is None or not name.startswith("§"):
            raise CannotRename("a clause mark is `§` and a name, like `§4.3`")
    elif not WORD.fullmatch(name):
        raise CannotRename("a name is a word of English letters, digits and `_`")
    elif symbol.kind not in ("phase", "score", "outcome") and symbols.is_reserved(name):
        raise CannotRename(f"`{name}` is a word of the language")
    own = {place for each in index.of(symbol) if (place := _definition_of(each.span)) is not None}
    for each in index.found.values():
        if each.span.text != name:
            continue
        other = index.canonical(each.symbols[0])
        if _clash(snapshot, symbol, other, _definition_of(each.span) in own):
            declared = index.declaration(other) or each.span
            raise CannotRename(f"`{name}` is the name of {described(other)} already: {declared.place}")


@lru_cache(maxsize=65536)
def _definition_of(span: Span) -> Span | None:
    """The lines of the definition in which a place lies, in a file of rules."""
    if not span.source.name.endswith(".rules"):
        return None
    return next((piece.span for piece in pieces(span.source) if piece.span.end > span.start), None)


def _clash(snapshot: Snapshot, symbol: Symbol, other: Symbol, together: bool) -> bool:
    """Whether one name for both may mean something else somewhere. `together`: in one definition."""
    kinds = {symbol.kind, other.kind}
    if "built-in" in kinds:
        return False
    if not kinds.isdisjoint(("clause", "phase", "outcome", "column", "score")):
        return symbol.kind == other.kind and symbol.owner == other.owner
    if "local" in kinds:
        declared = {each.name for each in (symbol, other) if each.kind == "declared"}
        names = snapshot.analysis.symbols.names
        shared = all(names.get(name, ("a type",))[0] in SHAREABLE for name in declared)
        return together or not shared
    return True


def described(symbol: Symbol) -> str:
    """What a symbol is, in words."""
    match symbol.kind:
        case "value":
            name, _, what = symbol.owner.partition(" ")  # `card row`, `edition reading`
            return f"a {what or 'value'} of `{name}`"
        case "column":
            return f"a column of `{symbol.owner}`"
        case "score":
            return f"a {symbol.owner}"
        case "outcome":
            return "an outcome"
        case "declared":
            return f"the declaration `{symbol.name}`"
        case _:
            return f"a {symbol.kind}"
