"""Layered layout of an acyclic graph: nodes in columns from left to right, with few crossings.

Source: Sugiyama, Tagawa, Toda, "Methods for Visual Understanding of Hierarchical System Structures"
(1981): ranks by longest paths, waypoints on long edges, order by barycentres; then heights that bring
each node as near to the middle of its neighbours as the order allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

SWEEPS = 12
BETWEEN = 22.0
"""The least space between two nodes of one column, in pixels."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """The room that a node takes: its width, and how far it extends above and below its ports.

    The left port is on the left side, the right one `port` pixels from there.
    """

    width: float
    above: float
    below: float
    port: float


WAYPOINT = Box(0.0, 5.0, 5.0, 0.0)


@dataclass(frozen=True, slots=True)
class Layout:
    """The left port of each node, where its column ends, the points of each edge, and the size of it all.

    The points of an edge begin at the right port of its source and end at the left port of its target;
    between them, straight lines through columns alternate with curves between columns.
    """

    ports: dict[str, Point]
    ends: dict[str, float]
    routes: dict[tuple[str, str], tuple[Point, ...]]
    width: float
    height: float


def layered(boxes: Mapping[str, Box], edges: Sequence[tuple[str, str]], gap: float) -> Layout:
    """Lays out an acyclic graph; `gap` is the space between columns. Raises `ValueError` for a cycle."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(boxes)
    graph.add_edges_from(edges)
    if not nx.is_directed_acyclic_graph(graph):
        raise ValueError("only graphs without cycles can be layered")
    ranks = _ranks(graph)
    chains = {edge: _waypoints(graph, ranks, edge) for edge in list(graph.edges)}
    room = {n: boxes.get(n, WAYPOINT) for n in graph}
    columns = _ordered(graph, ranks)
    y = _heights(graph, columns, room)
    top = min((y[n] - room[n].above for n in graph), default=0.0)
    bottom = max((y[n] + room[n].below for n in graph), default=0.0)
    sides = _sides(columns, room, gap)
    routes = {e: tuple(_route(c, sides, boxes, ranks, y, top)) for e, c in chains.items()}
    ports = {n: (sides[ranks[n]][0], y[n] - top) for n in boxes}
    ends = {n: sides[ranks[n]][1] for n in boxes}
    return Layout(ports, ends, routes, max((right for _, right in sides), default=0.0), bottom - top)


def _ranks(graph: nx.DiGraph[str]) -> dict[str, int]:
    """The column of each node: one after the last of its predecessors."""
    return {node: rank for rank, nodes in enumerate(nx.topological_generations(graph)) for node in nodes}


def _waypoints(graph: nx.DiGraph[str], ranks: dict[str, int], edge: tuple[str, str]) -> list[str]:
    """Replaces a long edge by a chain with one waypoint per column that it crosses."""
    source, target = edge
    inner = [f"{source} > {target} @ {rank}" for rank in range(ranks[source] + 1, ranks[target])]
    chain = [source, *inner, target]
    if inner:
        graph.remove_edge(source, target)
        nx.add_path(graph, chain)
        ranks.update({name: ranks[source] + i for i, name in enumerate(inner, start=1)})
    return chain


# ---- the order within columns


def _ordered(graph: nx.DiGraph[str], ranks: dict[str, int]) -> list[list[str]]:
    columns: list[list[str]] = [[] for _ in range(max(ranks.values(), default=-1) + 1)]
    for node in _depth_first(graph, ranks):
        columns[ranks[node]].append(node)
    best, fewest = [list(c) for c in columns], _crossings(graph, columns)
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for column in columns if forward else columns[::-1]:
            _sort(graph, columns, ranks, column, forward)
        now = _crossings(graph, columns)
        if now < fewest:
            best, fewest = [list(c) for c in columns], now
    return best


def _depth_first(graph: nx.DiGraph[str], ranks: dict[str, int]) -> list[str]:
    """All nodes in depth-first order, so that connected nodes start close together."""
    order: dict[str, None] = {}
    for root in (n for n in graph if ranks[n] == 0):
        for node in nx.dfs_preorder_nodes(graph, root):
            order.setdefault(node)
    return list(order)


def _sort(graph: nx.DiGraph[str], columns: list[list[str]], ranks: dict[str, int], column: list[str],
          forward: bool) -> None:  # fmt: skip
    """Orders a column by the mean position of its neighbours on one side."""
    if not column:
        return
    side = ranks[column[0]] + (-1 if forward else 1)
    if not 0 <= side < len(columns):
        return
    at = {node: i for i, node in enumerate(columns[side])}
    near = graph.predecessors if forward else graph.successors
    kept = {node: float(i) for i, node in enumerate(column)}

    def middle(node: str) -> float:
        found = [at[n] for n in near(node) if n in at]
        return sum(found) / len(found) if found else kept[node]

    column.sort(key=middle)


def _crossings(graph: nx.DiGraph[str], columns: list[list[str]]) -> int:
    at = {node: i for column in columns for i, node in enumerate(column)}
    total = 0
    for column in columns:
        ends = [sorted(at[t] for t in graph.successors(node)) for node in column]
        seen: list[int] = []
        for targets in ends:
            total += sum(earlier > target for target in targets for earlier in seen)
            seen.extend(targets)
    return total


# ---- coordinates


def _heights(graph: nx.DiGraph[str], columns: list[list[str]], room: Mapping[str, Box]) -> dict[str, float]:
    """The height of each node's ports."""
    y: dict[str, float] = {}
    for column in columns:
        _spread(column, room, dict.fromkeys(column, 0.0), y)
    for sweep in range(4 * SWEEPS):
        forward = sweep % 2 == 0
        near = graph.predecessors if forward else graph.successors
        for column in columns if forward else columns[::-1]:
            wanted = {n: _mean([y[o] for o in near(n)], y[n]) for n in column}
            _spread(column, room, wanted, y)
    return y


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _spread(
    column: list[str], room: Mapping[str, Box], wanted: dict[str, float], y: dict[str, float]
) -> None:
    """Sets the heights of a column, in its order and without overlaps, close to the wanted heights.

    After subtracting the nodes' offsets this is isotonic regression by pooling adjacent violators:
    neighbours that would overlap share the mean of their wanted heights.
    """
    offsets, at = [], 0.0
    for i, node in enumerate(column):
        at += room[column[i - 1]].below + BETWEEN + room[node].above if i else 0.0
        offsets.append(at)
    pools: list[tuple[float, int]] = []
    for node, offset in zip(column, offsets, strict=True):
        pools.append((wanted[node] - offset, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, n), (b, k) = pools[-2], pools[-1]
            pools[-2:] = [((a * n + b * k) / (n + k), n + k)]
    shifts = [value for value, count in pools for _ in range(count)]
    y.update({node: shift + offset for node, shift, offset in zip(column, shifts, offsets, strict=True)})


def _sides(columns: list[list[str]], room: Mapping[str, Box], gap: float) -> list[Point]:
    """Left and right side of each column."""
    sides: list[Point] = []
    left = 0.0
    for column in columns:
        right = left + max((room[n].width for n in column), default=0.0)
        sides.append((left, right))
        left = right + gap
    return sides


def _route(chain: list[str], sides: list[Point], boxes: Mapping[str, Box], ranks: dict[str, int],
           y: dict[str, float], top: float) -> Iterator[Point]:  # fmt: skip
    first, last = chain[0], chain[-1]
    yield sides[ranks[first]][0] + boxes[first].port, y[first] - top
    yield sides[ranks[first]][1], y[first] - top
    for node in chain[1:-1]:
        yield from ((side, y[node] - top) for side in sides[ranks[node]])
    yield sides[ranks[last]][0], y[last] - top
