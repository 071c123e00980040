"""Candidates for symmetries: automorphisms of boards, and permutations of seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, permutations, product
from math import prod

import networkx as nx
from networkx.algorithms.isomorphism import DiGraphMatcher, categorical_node_match

from dsl.rules import Rules, TypeDecl

MOST = 48
"""The most candidates that are tried. Each is tested at every position."""

Renaming = tuple[int, ...]
"""A permutation of the values of a type, counted from its first one."""


@dataclass(frozen=True)
class Symmetry:
    """Renamings of some types. Other types stay as they are."""

    renamed: tuple[tuple[str, Renaming], ...]

    @property
    def by_type(self) -> dict[str, Renaming]:
        return dict(self.renamed)

    @property
    def is_identity(self) -> bool:
        return all(to == tuple(range(len(to))) for _, to in self.renamed)

    def moves(self, name: str) -> bool:
        """Whether the values of a type change."""
        to = self.by_type.get(name, ())
        return to != tuple(range(len(to)))

    def then(self, other: Symmetry) -> Symmetry:
        """The composition: this one first, then the other one."""
        second = other.by_type
        return Symmetry(tuple((name, tuple(second[name][i] for i in to)) for name, to in self.renamed))

    def words(self, rules: Rules) -> str:
        """`cell a1>c1 ...`: the values that change."""
        parts = []
        for name, to in self.renamed:
            names = rules.types[name].names
            moved = [f"{names[i]}>{names[j]}" for i, j in enumerate(to) if i != j]
            if moved:
                some = moved if len(moved) <= 4 else [*moved[:3], "..."]
                parts.append(f"{name} {' '.join(some)}")
        return ", ".join(parts) or "nothing"


def candidates(rules: Rules, seats: int, used: Iterable[str]) -> list[Symmetry]:
    """All candidates except the identity: products of the renamings of the used types."""
    choices: list[tuple[str, list[Renaming]]] = []
    for name in sorted(set(used)):
        found = list(islice(_renamings(rules, name, seats), MOST + 1))
        if 1 < len(found) <= MOST:
            choices.append((name, found))
    while prod(len(found) for _, found in choices) > MOST:
        choices.remove(max(choices, key=lambda x: len(x[1])))
    names = [name for name, _ in choices]
    made = [Symmetry(tuple(zip(names, some, strict=True))) for some in product(*(x for _, x in choices))]
    return [symmetry for symmetry in made if not symmetry.is_identity]


def _renamings(rules: Rules, name: str, seats: int) -> Iterator[Renaming]:
    """The renamings of one type that keep its shape."""
    decl = rules.types[name]
    if name == "seat":
        rest = tuple(range(seats, decl.size))
        yield from ((*some, *rest) for some in permutations(range(seats)))
    elif _stands_alone(rules, decl):
        yield from _of_board(decl)


def _stands_alone(rules: Rules, decl: TypeDecl) -> bool:
    """Whether a type is a board that shares no values with another type."""
    whole = decl.shape != "none" and decl.base is None and not decl.incident
    return whole and all(t.base != decl.name for t in rules.types.values())


def _of_board(decl: TypeDecl) -> Iterator[Renaming]:
    match decl.shape:
        case "grid" if decl.size == prod(decl.sides):
            yield from _of_grid(*decl.sides)
        case "ring":
            size = decl.size
            for turn in range(size):
                yield tuple((i + turn) % size for i in range(size))
                if size > 2:
                    yield tuple((turn - i) % size for i in range(size))
        case _:
            yield from _of_graph(decl.links, decl.lo)


def _of_grid(rows: int, columns: int) -> Iterator[Renaming]:
    """The rotations and reflections of a rectangle; of a square also the diagonal ones."""
    places = [(row, column) for row in range(rows) for column in range(columns)]
    for across in (False, True) if rows == columns else (False,):
        for up, right in product((1, -1), repeat=2):
            made = []
            for row, column in places:
                y, x = (column, row) if across else (row, column)
                y, x = (y if up > 0 else rows - 1 - y), (x if right > 0 else columns - 1 - x)
                made.append(y * columns + x)
            yield tuple(made)


def _of_graph(links: tuple[tuple[int, ...], ...], low: int) -> Iterator[Renaming]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    kinds = _kinds(links, low)
    graph.add_nodes_from((i, {"kind": kind}) for i, kind in enumerate(kinds))
    graph.add_edges_from((i, to - low) for i, some in enumerate(links) for to in some)
    if len(set(kinds)) == len(kinds):
        yield tuple(range(len(kinds)))
        return
    alike = categorical_node_match("kind", 0)
    for found in DiGraphMatcher(graph, graph, alike).isomorphisms_iter():
        yield tuple(found[i] for i in range(len(links)))


def _kinds(links: tuple[tuple[int, ...], ...], low: int) -> list[int]:
    """A number for each place; places between which a renaming may exchange have the same.

    They have as many neighbours of each kind. Few places of a kind make the search for renamings short.
    """
    kinds = [0] * len(links)
    while True:
        signs = [(kinds[i], *sorted(kinds[to - low] for to in some)) for i, some in enumerate(links)]
        order = {sign: number for number, sign in enumerate(sorted(set(signs)))}
        found = [order[sign] for sign in signs]
        if len(order) == len(set(kinds)):
            return found
        kinds = found


def group(symmetries: Iterable[Symmetry]) -> list[Symmetry]:
    """A large subset that is closed under composition, found greedily."""
    left = set(symmetries)
    found: set[Symmetry] = set()
    for one in sorted(left, key=_distance):
        closed = _closure({*found, one})
        if closed <= left:
            found = closed
    return sorted(found, key=_distance)


def _distance(symmetry: Symmetry) -> tuple[int, tuple[tuple[str, Renaming], ...]]:
    """The sort key of a symmetry: those that move few values come first."""
    moved = sum(i != j for _, to in symmetry.renamed for i, j in enumerate(to))
    return moved, symmetry.renamed


def _closure(symmetries: set[Symmetry]) -> set[Symmetry]:
    """The closure under composition, without the identity."""
    found = set(symmetries)
    while True:
        more = {a.then(b) for a in found for b in found} - found
        more = {x for x in more if not x.is_identity}
        if not more:
            return found
        found |= more


def generators(whole: Iterable[Symmetry]) -> list[Symmetry]:
    """A small generating set."""
    found: list[Symmetry] = []
    reached: set[Symmetry] = set()
    for one in sorted(whole, key=_distance):
        if one not in reached:
            found.append(one)
            reached = _closure({*found})
    return found
