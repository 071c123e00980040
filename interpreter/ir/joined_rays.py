"""Collections that are joined and differ in one number, as one for each number.

x in path(here, north) + path(here, northeast) + …
any(way where x in path(here, way))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import cast

from dsl.domains import NONE
from interpreter.ir.expressions import (
    Const,
    Contains,
    Expr,
    Filtered,
    Fold,
    Joined,
    Linked,
    Local,
    Not,
    Op,
    Prefix,
    Reg,
    Size,
    Source,
    Values,
)
from interpreter.ir.flood_rules import is_settled
from interpreter.ir.fold import both, negation, operation
from interpreter.ir.nodes import Decide, Step
from interpreter.ir.program import Machine
from interpreter.ir.searches import search
from interpreter.ir.visit import (
    Part,
    bound_by,
    children,
    free_registers,
    inside_out,
    mapped,
    substitute,
    walk,
)

FEWEST = 3
"""Collections of which one for each number is made."""


def joined_as_searches(mc: Machine) -> Machine:
    """The same machine with conditions on such collections as searches for a number."""
    return mc.with_nodes(_changed(mc, node) if _joins(node) else node for node in mc.nodes)


def _joins(node: Step) -> bool:
    return any(isinstance(part, Joined) for part in walk(node))


def _changed(mc: Machine, node: Step) -> Step:
    new = count(1 + max((reg for part in walk(node) for reg in bound_by(part)), default=0))

    def change(part: Part) -> Part:
        match part:
            case Contains(item=item, source=Joined() as joined):
                return _search(mc, joined, next(new), lambda source: Contains(item, source)) or part
            case Op(op="==", left=Size(source=Joined() as joined), right=Const(value=0)):
                inner = next(new)
                found = _search(mc, joined, next(new), lambda source: search(inner, source, None))
                return part if found is None else negation(found)
            case Not(operand=Not(operand=Fold(kind="any") as found)):
                return found
        return part

    node = mapped(node, inside_out(change))
    if isinstance(node, Decide) and isinstance(node.source, Joined) and node.bounds is not None:
        return _of_all(mc, node, node.source, node.bounds, next(new))
    return node


def _of_all(mc: Machine, node: Decide, joined: Joined, bounds: tuple[int, int], chosen: int) -> Decide:
    """A choice from joined collections as one from all values, of which is asked whether they are there."""
    every = Values(tuple(range(bounds[0], bounds[1] + 1)))
    found = _search(mc, joined, chosen + 1, lambda source: Contains(Reg(chosen), source))
    if found is None or not _stays_within(joined, every):
        return node
    asked = found if node.where is None else both(found, substitute(node.where, node.reg, Reg(chosen)))
    return replace(node, reg=chosen, source=every, where=asked)


def _search(mc: Machine, joined: Joined, reg: int, asked: Callable[[Source], Expr]) -> Expr | None:
    """What is asked of any of some joined collections, as a search for its number; none if it may fault."""
    parts = list(_parts(joined))
    if len(parts) < FEWEST:
        return None
    numbers = list[int]()
    one = _with_number(parts, reg, numbers)
    if one is None or not _never_faults(mc, cast(Source, one)):
        return None
    return Fold("any", reg, Values(tuple(sorted(set(numbers)))), asked(cast(Source, one)), None)


def _parts(source: Source) -> Iterator[Source]:
    if isinstance(source, Joined):
        for part in source.parts:
            yield from _parts(part)
    else:
        yield source


def _with_number(parts: Sequence[Part], reg: int, numbers: list[int]) -> Part | None:
    """What some parts are but for one number, which is in a register; `numbers` become what it is in each."""
    first = parts[0]
    if all(part == first for part in parts):
        return first
    terms = [_term(part) for part in parts]
    if all(base == terms[0][0] for base, _ in terms):
        if numbers and numbers != [number for _, number in terms]:
            return None
        numbers[:] = [number for _, number in terms]
        return operation("+", cast(Expr, terms[0][0]), Reg(reg))
    inner = [children(part) for part in parts]
    if len({(type(part), len(found)) for part, found in zip(parts, inner, strict=True)}) > 1:
        return None
    changed = [_with_number(column, reg, numbers) for column in zip(*inner, strict=True)]
    if any(part is None for part in changed):
        return None
    found = [_with_children(part, cast("list[Part]", changed)) for part in parts]
    return found[0] if all(part == found[0] for part in found) else None


def _term(part: Part) -> tuple[Part, int]:
    """A part as a sum with a number."""
    match part:
        case Const(value=value):
            return Const(0), value
        case Op(op="+", left=left, right=Const(value=value)):
            return left, value
    return part, 0


def _with_children(part: Part, inner: Sequence[Part]) -> Part:
    left = iter(inner)
    return mapped(part, lambda _: next(left))


def _never_faults(mc: Machine, source: Source) -> bool:
    """Whether a collection can be gone through in any order."""
    match source:
        case Linked(index=index):
            return all(isinstance(part, Const | Reg | Local) or _is_sum(part) for part in walk(index))
        case Prefix(reg=reg, source=inner, where=where) | Filtered(reg=reg, source=inner, where=where):
            if not isinstance(inner, Linked) or not _never_faults(mc, inner):
                return False
            values = dict[int, Sequence[int]](dict.fromkeys(free_registers(where), (NONE,)))
            values[reg] = sorted({v for row in inner.links for v in row})
            return where is None or is_settled(mc, where, "", values)
    return False


def _is_sum(part: Part | Step) -> bool:
    return isinstance(part, Op) and part.op in ("+", "-", "*")


def _stays_within(source: Source, every: Values) -> bool:
    return all(
        every.values[0] <= v <= every.values[-1]
        for part in walk(source)
        if isinstance(part, Linked)
        for row in part.links
        for v in row
    )
