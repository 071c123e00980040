"""Corners and edges of boards as types of their own: `corners`, `edges` and `edges_of` of `boards`.

They are boards themselves: corners that an edge joins are neighbours, and so are edges with a common end. The
numbers of edges follow those of their ends, so that both together are one interval.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

from dsl.declare.enumerations import named_values, too_many, words_type
from dsl.declare.links import Links, both_ways
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import word
from dsl.declare.outlines import outline
from dsl.declare.rows import SHEET_KEYS, read_columns, read_rows
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar
from dsl.domains import LARGEST
from dsl.messages.names import NameTaken
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.rules import Incidence, TypeDecl

KEYS = ("name", "table", "rows", "columns", *SHEET_KEYS, "clause")
"""The keys of corners or edges with columns."""
Rows = tuple[tuple[int, ...], ...]
# ---- of a board


def declare_around(reader: MappingReader, decl: TypeDecl) -> None:
    """Declare the types of `corners` and `edges` of a board, which is in the symbol table."""
    if not decl.sides:
        if reader.has("edges"):
            _edges_of_links(reader, decl)
        return
    shape = outline(decl)
    corners, edges = list(shape.corners), list(shape.edges)
    node = path = None
    if reader.has("corners"):
        node = _declare(reader, "corners", tuple(shape.corners.values()), 0, shape.aliases)
    if reader.has("edges"):
        first = len(corners) if node is not None else 0
        path = _declare(reader, "edges", tuple(shape.edges.values()), first, shape.aliases)
    if node is not None:
        at = {point: node.lo + i for i, point in enumerate(corners)}
        rows = tuple(tuple(sorted(at[p] for p in around)) for around in shape.corners_of)
        node = _touching(reader, decl, node, "corners", rows)
        pairs = [tuple(sorted(at[p] for p in edge)) for edge in edges]
        node = replace(node, links=both_ways(node, ((a, b) for a, b in pairs)))
        reader.symbols.types[node.name] = node
    if path is not None:
        of = {edge: path.lo + i for i, edge in enumerate(edges)}
        rows = tuple(tuple(sorted(of[e] for e in around)) for around in shape.sides_of)
        path = _touching(reader, decl, path, "edges", rows)
        reader.symbols.types[path.name] = replace(path, links=_beside(path, map(tuple, edges)))
    if node is not None and path is not None:
        _join(reader, node.name, path.name, tuple((a, b) for a, b in pairs))


def _declare(
    reader: MappingReader, key: str, names: tuple[str, ...], lo: int, aliases: dict[str, str]
) -> TypeDecl:
    """Declare a type of corners or edges: `corners: node`, or with columns `{name: node, table: ...}`."""
    written = reader.needed(key)
    name = word(written, reader.of(key)) if not isinstance(written, Mapping) else None
    inner = None
    if name is None:
        inner = entry(reader.symbols, written, reader.of(key), KEYS)
        name = inner.word("name")
    if len(names) > LARGEST:
        raise too_many(name.span, f"`{name.text}`")
    reader.symbols.declare(name.text, "a board", name.span)
    decl = replace(words_type(name.text, names, name.span), lo=lo, shape="graph")
    known = set(names)
    own = {alias: called for alias, called in aliases.items() if called in known}
    decl = replace(decl, members=tuple(range(lo, lo + len(names))), aliases=own)
    if inner is not None:
        decl = replace(decl, clauses=inner.marks(), columns=read_columns(inner, decl))
    reader.symbols.types[name.text] = decl
    return decl


def _touching(reader: MappingReader, decl: TypeDecl, other: TypeDecl, what: str, rows: Rows) -> TypeDecl:
    """Enter which corners or edges the places of a board have, and which places those touch."""
    _enter(reader, decl.name, what, Incidence(other.name, rows))
    back = Incidence(decl.name, _turned(rows, decl.lo, other))
    return replace(other, incident={**other.incident, "places": back})


def _turned(rows: Rows, lo: int, other: TypeDecl) -> Rows:
    """The reverse of rows that lead from the places from `lo` on to another type."""
    found: list[list[int]] = [[] for _ in other.names]
    for i, row in enumerate(rows):
        for value in row:
            found[value - other.lo].append(lo + i)
    return tuple(map(tuple, found))


def _enter(reader: MappingReader, name: str, what: str, incidence: Incidence) -> None:
    decl = reader.symbols.types[name]
    reader.symbols.types[name] = replace(decl, incident={**decl.incident, what: incidence})


def _join(reader: MappingReader, base: str, edges: str, ends: Rows) -> None:
    """Enter the ends of edges, and which edges meet at each of them."""
    _enter(reader, edges, "ends", Incidence(base, ends))
    decl, other = reader.symbols.types[edges], reader.symbols.types[base]
    _enter(reader, base, "edges", Incidence(edges, _turned(ends, decl.lo, other)))


def _beside(decl: TypeDecl, ends: Iterable[tuple[object, ...]]) -> Links:
    """The neighbours of edges: those with a common end."""
    at: dict[object, list[int]] = {}
    for i, some in enumerate(ends):
        for end in some:
            at.setdefault(end, []).append(decl.lo + i)
    return both_ways(decl, (pair for some in at.values() for pair in combinations(some, 2)))


# ---- of a graph


def _edges_of_links(reader: MappingReader, decl: TypeDecl) -> None:
    """`edges: road` of a graph: its links, each with the names of its ends."""
    pairs = [(decl.lo + i, b) for i, near in enumerate(decl.links) for b in near if decl.lo + i < b]
    if not pairs:
        raise reader.wrong("edges", "left out: the board has no links")
    names = tuple(f"{decl.label(a)}_{decl.label(b)}" for a, b in pairs)
    if len(set(names)) < len(names):
        raise reader.wrong("edges", "edges with different names", "write them with `edges_of` instead")
    edges = _declare(reader, "edges", names, decl.hi + 1, {})
    reader.symbols.types[edges.name] = replace(edges, links=_beside(edges, pairs))
    _join(reader, decl.name, edges.name, tuple(pairs))


def edges_of(reader: MappingReader, name: Scalar) -> None:
    """`{edges_of: city, table: routes.csv, ends: [one, other], columns: ...}`: edges with columns.

    The cities that an edge joins become neighbours.
    """
    base = reader.symbols.type_named(reader.word("edges_of"))
    if base.shape == "none" or base.base is not None or base.sides:
        wanted = "a board that is a graph, a line or a ring"
        hint = "write `edges: NAME` at a board of fields" if base.sides else ""
        raise reader.wrong("edges_of", wanted, hint)
    if "edges" in base.incident:
        other = reader.symbols.types[base.incident["edges"].target]
        what = f"a second type of edges of `{base.name}`"
        raise DiagnosticError(NameTaken(name.span, name.text, what, other.span))
    titles = _titles(reader)
    columns = Scalar("columns", reader.span)
    pairs = (
        *((k, v) for k, v in reader.mapping.pairs if k.text != "columns"),
        (columns, _with_ends(reader, base, titles)),
    )
    inner = replace(reader, mapping=Mapping(pairs, reader.mapping.span))
    if inner.only_one(("table", "rows")) is None:
        hint = "name a CSV file, or write `rows: {name: {column: cell}}`"
        raise DiagnosticError(MissingKey(reader.span, reader.where, "`table` or `rows`", hint))
    rows, found = read_rows(inner, name, name.text, base.hi + 1)
    decl = replace(named_values(name, rows, reader.symbols.reserved), columns=found, lo=base.hi + 1)
    ends = tuple(zip(*(found[title.text].values for title in titles), strict=True))
    for row, (a, b) in zip(rows, ends, strict=True):
        if a == b:
            raise DiagnosticError(WrongShape(row.span, f"the ends of `{row.text}`", "two places"))
    decl = replace(
        decl,
        members=tuple(range(decl.lo, decl.lo + len(rows))),
        shape="graph",
        links=_beside(decl, ends),
        clauses=reader.marks(),
    )
    reader.symbols.types[name.text] = decl
    links = both_ways(base, (*_pairs(base), *((a, b) for a, b in ends)))
    reader.symbols.types[base.name] = replace(reader.symbols.types[base.name], links=links)
    _join(reader, base.name, name.text, ends)


def _titles(reader: MappingReader) -> tuple[Scalar, ...]:
    ends = reader.words("ends")
    if len(ends) != 2 or ends[0].text == ends[1].text:
        raise reader.wrong("ends", "the names of two columns", "write `ends: [one, other]`")
    return ends


def _with_ends(reader: MappingReader, base: TypeDecl, titles: tuple[Scalar, ...]) -> Node:
    """The declared columns, and before them those of the two ends."""
    own = reader.pairs("columns")
    for title in titles:
        again = next((key for key, _ in own if key.text == title.text), None)
        if again is not None:
            raise DiagnosticError(NameTaken(again.span, again.text, "a column with an end", title.span))
    ends = tuple((title, Scalar(base.name, title.span)) for title in titles)
    return Mapping((*ends, *own), reader.span)


def _pairs(decl: TypeDecl) -> Iterable[tuple[int, int]]:
    return ((decl.lo + i, b) for i, near in enumerate(decl.links) for b in near)
