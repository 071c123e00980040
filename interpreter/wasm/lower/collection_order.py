"""The order of collections: whether each value stands there once, and in which direction they go."""

from __future__ import annotations

from typing import Final, Literal

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.lower import const_eval, known_sets
from interpreter.wasm.lower.context import FunctionContext

Direction = Literal["up", "down", "mixed"]
"""How the values of rays follow each other: `mixed` if it is known only while a match is played."""
UP: Final = "up"
DOWN: Final = "down"
MIXED: Final = "mixed"


def stands_once(fx: FunctionContext, source: ir.Source) -> bool:
    """Whether every value of a collection stands in it once."""
    match source:
        case ir.Values(values=values):
            return len(set(values)) == len(values)
        case ir.Linked(links=links):
            return fx.builder.links(links).distinct
        case ir.Filtered(source=inner):
            return stands_once(fx, inner)
        case ir.Spread() | ir.Bits() | ir.Pieces() | ir.Between() | ir.Others():
            return True
        case ir.Prefix(source=inner) | ir.Ranked(source=inner):
            return stands_once(fx, inner)
        case ir.Either(then=then, otherwise=otherwise):
            return stands_once(fx, then) and stands_once(fx, otherwise)
    return False


def ascends(fx: FunctionContext, source: ir.Source) -> bool:
    """Whether the order of a collection is that of its values."""
    match source:
        case ir.Values(values=values):
            return goes(values, True)
        case ir.Linked(links=links):
            return fx.builder.links(links).ascending
        case ir.Filtered(source=inner) | ir.Prefix(source=inner):
            return ascends(fx, inner)
        case ir.Either(then=then, otherwise=otherwise):
            return ascends(fx, then) and ascends(fx, otherwise)
        case ir.Spread() | ir.Bits():
            return True
    return False


def goes(row: tuple[int, ...], up: bool) -> bool:
    return list(row) == sorted(row, reverse=not up)


# ---- the direction


def joined_parts(source: ir.Joined) -> list[ir.Source]:
    """The collections that are joined, none of which joins others."""
    parts: list[ir.Source] = []
    for part in source.parts:
        parts += joined_parts(part) if isinstance(part, ir.Joined) else [part]
    return parts


def order_of(fx: FunctionContext, source: ir.Source) -> Direction | None:
    """In which direction the values of a collection follow each other, if in one."""
    rays = rays_of(source)
    if isinstance(rays, ir.Joined):
        way = _direction_of_joined(fx, rays)
        return None if way == MIXED else way
    return direction_of(fx, rays) if isinstance(rays, ir.Linked | ir.Values) else None


def _direction_of_joined(fx: FunctionContext, source: ir.Joined) -> Direction | None:
    """In which direction the values of joined collections follow each other, if all depend on one value."""
    parts = joined_parts(source)
    asked: list[ir.Expr] = []
    for part in parts:
        match part:
            case ir.Listed(items=items):
                asked += items
            case ir.Linked(index=index):
                asked.append(index)
            case _:
                return None
    known = known_sets.tables(fx, asked)
    if known is None or any(NONE in table for table in known[2]):
        return None
    rows: list[tuple[int, ...]] = []
    for values in map(iter, zip(*known[2], strict=True)):
        row: list[int] = []
        for part in parts:
            if isinstance(part, ir.Linked):
                at = next(values) - part.lo
                if not 0 <= at < len(part.links):
                    return None
                row += part.links[at]
            elif isinstance(part, ir.Listed):
                row += [next(values) for _ in part.items]
        rows.append(tuple(row))
    return _common_direction(rows)


def rays_of(source: ir.Source) -> ir.Source:
    """The collection of which another one is a part, in its order."""
    while isinstance(source, ir.Filtered | ir.Prefix):
        source = source.source
    return source


def direction_of(fx: FunctionContext, rays: ir.Linked | ir.Values) -> Direction | None:
    """In which direction the values of all rows that can be meant follow each other."""
    if isinstance(rays, ir.Values):
        return UP if goes(rays.values, True) else DOWN if goes(rays.values, False) else None
    rows = _rows_of(fx, rays)
    name = ("direction", id(fx.builder.links(rays.links)), rows)
    if name not in fx.builder.relations:
        fx.builder.relations[name] = _common_direction([rays.links[i] for i in rows])
    found: Direction | None = fx.builder.relations[name]
    return found


def _common_direction(rows: list[tuple[int, ...]]) -> Direction | None:
    up, down = [goes(row, True) for row in rows], [goes(row, False) for row in rows]
    if all(up) or all(down):
        return UP if all(up) else DOWN
    return MIXED if all(x or y for x, y in zip(up, down, strict=True)) else None


def _rows_of(fx: FunctionContext, rays: ir.Linked) -> range:
    """The rows that an index can mean, as far as its last summand is known."""
    size, index = len(rays.links), rays.index
    if (
        isinstance(index, ir.Op)
        and index.op == "+"
        and isinstance(index.left, ir.Op)
        and index.left.op == "*"
    ):
        step, last = const_eval.constant(fx, index.left.right), const_eval.constant(fx, index.right)
        if step is not None and last is not None and 0 <= last - rays.lo < step:
            return range(last - rays.lo, size, step)
    return range(size)
