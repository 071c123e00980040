"""Traversals of expressions and nodes, derived from the roles of their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar, assert_never, cast

from interpreter.ir.expressions import (
    Address,
    Between,
    Bits,
    Classed,
    Doing,
    Either,
    Expr,
    Filtered,
    Fold,
    Indices,
    Joined,
    Linked,
    Listed,
    Local,
    Others,
    Pieces,
    Prefix,
    Ranked,
    Reg,
    Source,
    Spread,
    Term,
    Values,
)
from interpreter.ir.nodes import Step
from interpreter.ir.roles import FieldsWith, Role

Part: TypeAlias = Expr | Source | Doing | Address | Term | Indices
"""A node of an expression tree."""
Tree: TypeAlias = "Part | Step | tuple[Tree, ...] | None"
"""What can be traversed: an expression, a node of the graph, or several."""
P = TypeVar("P", bound="Part | Step")
INNER = FieldsWith(Role.CHILD | Role.WORD)
TARGETS = FieldsWith(Role.TARGET)
BINDERS = FieldsWith(Role.BINDER)
ALL = FieldsWith(~Role(0))


# ---- expression trees


def children(part: Part | Step) -> list[Part]:
    """The direct children of an expression or node, in the order of its fields."""
    found: list[Part] = []
    for name in INNER[part.__class__]:
        value = getattr(part, name)
        if isinstance(value, tuple):
            _collect(value, found)
        elif value is not None and not isinstance(value, int):
            found.append(value)
    return found


def _collect(values: tuple[Any, ...], found: list[Part]) -> None:
    for value in values:
        if isinstance(value, tuple):
            _collect(value, found)
        elif value is not None and not isinstance(value, int):
            found.append(value)


def walk(tree: Tree) -> Iterator[Part | Step]:
    """An expression or node and everything in it, in pre-order."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(reversed(part))
        elif part is not None:
            yield part
            waiting.extend(reversed(children(part)))


def mapped(part: P, change: Callable[[Part], Part]) -> P:
    """A part with `change` applied to its direct children; the same object if none has changed."""
    changed: dict[str, Any] = {}
    for name in INNER[part.__class__]:
        before = getattr(part, name)
        if before is None or isinstance(before, int):
            continue
        after = _mapped(before, change) if isinstance(before, tuple) else change(before)
        if after is not before:
            changed[name] = after
    return _with(part, changed) if changed else part


def inside_out(change: Callable[[Part], Part]) -> Callable[[Part], Part]:
    """What changes a part after all in it; what stands at several places is changed once."""
    known: dict[int, tuple[Part, Part]] = {}

    def changed(part: Part) -> Part:
        found = known.get(id(part))
        if found is None:
            found = known[id(part)] = part, change(mapped(part, changed))
        return found[1]

    return changed


def _with(part: P, changed: dict[str, Any]) -> P:
    """A part with other values in some fields; `dataclasses.replace` would take three times as long."""
    values = {name: changed[name] if name in changed else getattr(part, name) for name in ALL[part.__class__]}
    return cast(P, part.__class__(**values))


def _mapped(value: Any, change: Callable[[Part], Part]) -> Any:
    if isinstance(value, tuple):
        parts = tuple(_mapped(inner, change) for inner in value)
        return parts if any(a is not b for a, b in zip(parts, value, strict=True)) else value
    return value if value is None or isinstance(value, int) else change(value)


def written_out(part: Part | Step) -> int:
    """The number of nodes of an expression where each fold over known values is written for each of them."""
    once = 1 + sum(map(written_out, children(part)))
    return (
        once * len(part.source.values) if isinstance(part, Fold) and isinstance(part.source, Values) else once
    )


def node_count(tree: Tree) -> int:
    """The number of nodes of an expression tree."""
    return sum(1 for _ in walk(tree))


def holds(tree: Tree, kinds: tuple[type, ...]) -> bool:
    """Whether something in a tree is of one of some classes."""
    return any(isinstance(part, kinds) for part in walk(tree))


def leaves(source: Source) -> Iterator[Source]:
    """The collections that a collection filters, joins or chooses from."""
    match source:
        case Filtered(source=inner) | Prefix(source=inner) | Ranked(source=inner):
            yield from leaves(inner)
        case Joined(parts=parts):
            for part in parts:
                yield from leaves(part)
        case Either(then=then, otherwise=otherwise):
            yield from leaves(then)
            yield from leaves(otherwise)
        case Values() | Between() | Listed() | Pieces() | Classed() | Linked() | Spread() | Bits() | Others():
            yield source
        case _:
            assert_never(source)


# ---- registers and slots


def reads_register(tree: Tree, reg: int) -> bool:
    """Whether an expression reads a register."""
    return any(isinstance(part, Reg) and part.index == reg for part in walk(tree))


def reads_slot(tree: Tree, slot: int) -> bool:
    """Whether an expression reads a slot of the frame."""
    return any(isinstance(part, Local) and part.slot == slot for part in walk(tree))


def free_registers(part: Part | Step | None) -> frozenset[int]:
    """The registers that an expression reads and does not bind."""
    if part is None:
        return frozenset()
    if isinstance(part, Reg):
        return frozenset((part.index,))
    found = frozenset[int]().union(*map(free_registers, children(part)))
    return found.difference(bound_by(part))


def bound_by(part: Part | Step) -> list[int]:
    """The registers that a part binds."""
    return [getattr(part, name) for name in BINDERS[type(part)]]


def substitute(e: Expr, reg: int, value: Expr) -> Expr:
    """An expression with a register replaced by another expression."""

    def change(part: Part) -> Part:
        if isinstance(part, Reg):
            return value if part.index == reg else part
        return mapped(part, change)

    return cast(Expr, change(e))


def of_registers(e: Expr, bound: Mapping[int, int]) -> Expr:
    """An expression that reads registers instead of words of the frame."""

    def change(part: Part) -> Part:
        if isinstance(part, Local) and part.slot in bound:
            return Reg(bound[part.slot])
        return mapped(part, change)

    return cast(Expr, change(e))


# ---- successors


def targets(node: Step) -> list[int]:
    """The successors of a node in the same frame."""
    found = (getattr(node, name) for name in TARGETS[type(node)])
    return [number for number in found if number is not None and number >= 0]


def retargeted(node: Step, numbers: dict[int, int]) -> Step:
    """A node with the new numbers of its successors."""
    old = {name: getattr(node, name) for name in TARGETS[type(node)]}
    new: dict[str, Any] = {name: numbers[number] for name, number in old.items() if number is not None}
    return replace(node, **new)
