"""The graph of a game that stops at its decisions, and goes on at one of its ports.

A port is where a stopped game goes on: the beginning, what follows a decision, and the head of each loop in
which something is decided. All ports are entered by one dispatching point, so that no way leads into a loop
sideways.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import machine as m
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.playout_cfg import Paths, Point, find_points, structure

ENTRY: Point = (0, -1)
"""Leads to the port at which the game goes on."""


def behind(point: Point) -> Point:
    """The point at which a game goes on whose decision at another point has been made."""
    return (point[0], -2 - point[1])


@dataclass
class Ports:
    """Paths from port to port; the ports in the order of their numbers, decisions by node."""

    paths: Paths
    ports: list[Point]
    decisions: list[Point]


def ports(builder: ModuleBuilder, fx: FunctionContext) -> Ports | None:
    """The ports of a game whose steps can be one function; nothing if it has none."""
    mc = builder.machine
    found = find_points(builder, fx)
    if found is None:
        return None
    start: Point = (0, mc.start)
    if not structure(found, start):
        return None
    decisions = [p for p in found.successors if isinstance(mc.nodes[p[1]], m.Decide | m.Offer)]
    heads = _deciding_heads(found, set(decisions))
    numbered = list(dict.fromkeys([start, *(behind(p) for p in decisions), *heads]))
    entered = set(numbered)
    successors: dict[Point, list[Point]] = {ENTRY: numbered}
    for point, after in found.successors.items():
        successors[point] = _without_choice(mc, point) if point in decisions else after
        if point in decisions:
            successors[behind(point)] = after
    for point in list(successors):
        if point != ENTRY:
            successors[point] = [ENTRY if q in entered else q for q in successors[point]]
    found.successors = successors
    found.heads, found.meets, found.below = set(), set(), {}
    return Ports(found, numbered, decisions) if structure(found, ENTRY) else None


def _without_choice(mc: m.Machine, point: Point) -> list[Point]:
    """Where a decision leads at which there is nothing to choose."""
    node = mc.nodes[point[1]]
    following = node.nothing if isinstance(node, m.Decide) else None
    following = getattr(node, "passing", None) if following is None else following
    return [(point[0], following)] if following is not None else []


def _deciding_heads(found: Paths, decisions: set[Point]) -> list[Point]:
    """The heads of those loops in which something is decided."""
    before: dict[Point, list[Point]] = {}
    for p, after in found.successors.items():
        for q in after:
            before.setdefault(q, []).append(p)
    heads = []
    for head in sorted(found.heads):
        body = {head}
        todo = [p for p in before[head] if found.number[p] >= found.number[head]]
        while todo:
            p = todo.pop()
            if p not in body:
                body.add(p)
                todo += before.get(p, [])
        if body & decisions:
            heads.append(head)
    return heads
