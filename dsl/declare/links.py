"""The neighbours of the places of a board; `links` and `neighbours` of `boards`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from dsl.declare.directions import COMPASS, SIX, STRAIGHT, Offset
from dsl.declare.enumerations import value_of
from dsl.declare.mapping_reader import MappingReader
from dsl.declare.nodes import words
from dsl.declare.sheets import lines_of_csv
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar
from dsl.messages.shapes import BadTable, MissingKey, WrongShape
from dsl.rules import Shape, TypeDecl

STEPS = {"orthogonal": STRAIGHT, "all": COMPASS}
Links = tuple[tuple[int, ...], ...]


def read_links(reader: MappingReader, decl: TypeDecl, shape: Shape) -> Links:
    """The neighbours of each place, those of the lowest first."""
    return both_ways(decl, (*_regular(reader, decl, shape), *_written(reader, decl)))


def both_ways(decl: TypeDecl, pairs: Iterable[tuple[int, int]]) -> Links:
    near: dict[int, set[int]] = {v: set() for v in range(decl.lo, decl.hi + 1)}
    for a, b in pairs:
        near[a].add(b)
        near[b].add(a)
    return tuple(tuple(sorted(near[v])) for v in sorted(near))


def neighbour_steps(reader: MappingReader, shape: Shape) -> dict[str, Offset]:
    """The directions in which the neighbours of a place lie, on a grid or hexagonal board."""
    return STEPS[reader.one_of("neighbours", tuple(STEPS)) or "orthogonal"] if shape == "grid" else SIX


def _regular(reader: MappingReader, decl: TypeDecl, shape: Shape) -> Iterable[tuple[int, int]]:
    if shape == "graph" and not reader.has("links") and decl.name not in reader.symbols.edged:
        hint = "write `{place: [place, place]}`, or name a CSV file with two places in each row"
        raise DiagnosticError(MissingKey(reader.span, reader.where, "`links`", hint))
    if shape in ("grid", "hex"):
        return _steps(decl.cells, neighbour_steps(reader, shape).values())
    if shape == "ring" and len(decl.members) > 2:
        return pairwise((*decl.members, decl.members[0]))
    return pairwise(decl.members) if shape in ("line", "ring") else ()


def _steps(cells: dict[Offset, int], steps: Iterable[Offset]) -> Iterator[tuple[int, int]]:
    for up, right in steps:
        for (row, column), place in cells.items():
            if (row + up, column + right) in cells:
                yield place, cells[row + up, column + right]


# ---- links that are written


def _written(reader: MappingReader, decl: TypeDecl) -> Iterator[tuple[int, int]]:
    """`links: {a: [b, c]}`, or a CSV file with two or more places in each row; both ways."""
    node = reader.get("links")
    if isinstance(node, Scalar):
        yield from _of_file(reader, node, decl)
        return
    for key, places in reader.pairs("links"):
        yield from _from(decl, key, words(places, f"the links of `{key.text}`"), set())


def _of_file(reader: MappingReader, node: Node, decl: TypeDecl) -> Iterator[tuple[int, int]]:
    """`rome,gaul`: links of the first place of a row with the others. A place may have several rows."""
    titles, *rows = lines_of_csv(reader.symbols.open(reader.word("links")))
    if all(title.text in decl.names for title in titles):
        hint = "begin with a line of titles, such as `from,to`"
        raise DiagnosticError(BadTable(titles[0].span, "the first line has places and no titles", hint))
    named: dict[str, set[int]] = {}
    for first, *cells in rows:
        others = tuple(Scalar(text, cell.span) for cell in cells for text in cell.text.split())
        if not others:
            where = f"the links of `{first.text}`"
            raise DiagnosticError(WrongShape(first.span, where, "at least one place"))
        yield from _from(decl, first, others, named.setdefault(first.text, set()))


def _from(
    decl: TypeDecl, key: Scalar, others: Iterable[Scalar], named: set[int]
) -> Iterator[tuple[int, int]]:
    """The links of one place; `named` are those that it has already."""
    a = value_of(decl, key)
    for item in others:
        b = value_of(decl, item)
        if a == b:
            raise DiagnosticError(WrongShape(item.span, f"a link of `{key.text}`", "another place"))
        if b in named:
            hint = f"`{item.text}` is listed twice"
            raise DiagnosticError(WrongShape(item.span, f"a link of `{key.text}`", "listed once", hint))
        named.add(b)
        yield a, b
