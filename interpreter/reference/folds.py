"""Folds over collections as closures.

Values are taken in order; for each the condition is evaluated first, then the body. Evaluation stops at the
first value that decides the result.
"""

from __future__ import annotations

from array import array
from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.reference.closures import IntFn, ListFn, StreamFn
from interpreter.reference.operators import LARGE, too_large


def fold(node: ir.Fold, stream: StreamFn, where: IntFn | None, body: IntFn | None) -> IntFn:
    """The closure of a fold, given its linked parts."""
    if node.kind == "any":
        return _any(stream, node.reg, where)
    if node.kind == "count":
        return _count(stream, node.reg, where)
    assert body is not None
    if node.kind == "all":
        return _all(stream, node.reg, where, body)
    bodies = _bodies(stream, node.reg, where, body)
    match node.kind:
        case "sum":
            return lambda s, e: (
                v if -LARGE <= (v := sum([x * n for x, n in bodies(s, e)])) < LARGE else too_large()
            )
        case "min":
            return lambda s, e: min([v for v, _ in bodies(s, e)], default=0)
        case "max":
            return lambda s, e: max([v for v, _ in bodies(s, e)], default=0)
        case "distinct":
            return lambda s, e: len({v for v, _ in bodies(s, e)})
    assert_never(node.kind)


def _bodies(stream: StreamFn, reg: int, where: IntFn | None, body: IntFn) -> ListFn:
    def run(s: array[int], e: list[int]) -> list[tuple[int, int]]:
        found = []
        for v, n in stream(s, e):
            e[reg] = v
            if where is None or where(s, e):
                found.append((body(s, e), n))
        return found

    return run


def _any(stream: StreamFn, reg: int, where: IntFn | None) -> IntFn:
    def run(s: array[int], e: list[int]) -> int:
        for v, _ in stream(s, e):
            e[reg] = v
            if where is None or where(s, e):
                return 1
        return 0

    return run


def _first(stream: StreamFn, reg: int, where: IntFn | None) -> IntFn:
    def run(s: array[int], e: list[int]) -> int:
        for v, _ in stream(s, e):
            e[reg] = v
            if where is None or where(s, e):
                return v
        return NONE

    return run


def _all(stream: StreamFn, reg: int, where: IntFn | None, body: IntFn) -> IntFn:
    def run(s: array[int], e: list[int]) -> int:
        for v, _ in stream(s, e):
            e[reg] = v
            if (where is None or where(s, e)) and not body(s, e):
                return 0
        return 1

    return run


def _count(stream: StreamFn, reg: int, where: IntFn | None) -> IntFn:
    def run(s: array[int], e: list[int]) -> int:
        total = 0
        for v, n in stream(s, e):
            e[reg] = v
            if where is None or where(s, e):
                total += n
        return total

    return run


def contains(wanted: IntFn, stream: StreamFn) -> IntFn:
    """The closure of a membership test."""

    def run(s: array[int], e: list[int]) -> int:
        item = wanted(s, e)
        for v, _ in stream(s, e):
            if v == item:
                return 1
        return 0

    return run


def in_set(wanted: IntFn, words: list[IntFn], lo: int) -> IntFn:
    """The closure of a test whether the bit of a value is set."""

    def run(s: array[int], e: list[int]) -> int:
        index = wanted(s, e) - lo
        inside = 0 <= index < 32 * len(words)
        return words[index >> 5](s, e) >> (index & 31) & 1 if inside else 0

    return run


def best(node: ir.Best, stream: StreamFn, where: IntFn | None, keys: list[IntFn]) -> IntFn:
    """The closure of the best value by keys; of equal ones it is the smallest."""
    reg, highest = node.reg, node.highest
    if node.first:
        return _first(stream, reg, where)

    def run(s: array[int], e: list[int]) -> int:
        best, found = None, NONE
        for v, _ in stream(s, e):
            e[reg] = v
            if where is not None and not where(s, e):
                continue
            key = [k(s, e) for k in keys]
            if best is None or (key > best if highest else key < best) or (key == best and v < found):
                best, found = key, v
        return found

    return run
