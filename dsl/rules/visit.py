"""Visitors of typed rules. The fields that hold nodes follow from the dataclasses, once for each class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from typing import Any, TypeVar, cast, get_args, get_origin

from dsl.annotations import annotations_of
from dsl.rules.declarations import Column
from dsl.rules.definitions import Value
from dsl.rules.expressions import (
    Collection,
    Either,
    Expr,
    Filtered,
    Gathered,
    HeldSet,
    Picked,
    Prefix,
    Ranked,
    Read,
    Sum,
    UseCollection,
    UseValue,
    Var,
)

Tree = TypeVar("Tree")
"""A node, a tuple of trees, or none."""

LEAVES = (Column, Var)
"""Declarations that nodes refer to: they are visited, but their fields are not."""


def children(tree: Any) -> list[Any]:
    """The nodes that a tree holds directly, in order."""
    found: list[Any] = []
    for part in tree if isinstance(tree, tuple) else [getattr(tree, name) for name in _fields(tree) or ()]:
        if isinstance(part, tuple):
            found += children(part)
        elif part is not None:
            found.append(part)
    return found


def walk(tree: Any, enter: Callable[[Any], bool] = lambda node: True) -> Iterator[Any]:
    """Every node of a tree in pre-order; below a node only where `enter` holds of it."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif (names := _fields(node)) is not None:
            yield node
            if names and enter(node):
                waiting.extend([getattr(node, name) for name in reversed(names)])


def walk_values(
    values: Mapping[str, Value], tree: Any, enter: Callable[[Any], bool] = lambda node: True
) -> Iterator[Any]:
    """`walk`, then the same for every value that the tree uses, directly or through other values."""
    seen: set[str] = set()
    waiting = [tree]
    while waiting:
        for node in walk(waiting.pop(), enter):
            yield node
            if isinstance(node, UseValue) and node.value not in seen:
                seen.add(node.value)
                waiting.append(values[node.value].parts)


def map_children(tree: Any, change: Callable[[Any], Any]) -> Any:
    """A copy with `change` applied to each member of a tuple, or to each field of a node that holds nodes.

    If all stay the same, it is the tree itself.
    """
    if isinstance(tree, tuple):
        members = tuple(change(member) for member in tree)
        return tree if all(a is b for a, b in zip(members, tree, strict=True)) else members
    before = {name: getattr(tree, name) for name in _fields(tree) or ()}
    after = {name: change(part) for name, part in before.items()}
    changed = {name: part for name, part in after.items() if part is not before[name]}
    return replace(tree, **changed) if changed else tree


def instantiate(tree: Tree, given: Mapping[Var, Expr]) -> Tree:
    """A copy with what some variables stand for in place of them."""
    return cast(Tree, _instantiated(given, tree))


def _instantiated(given: Mapping[Var, Expr], part: Any) -> Any:
    if isinstance(part, Read) and part.var in given:
        return given[part.var]
    if isinstance(part, HeldSet) and isinstance(found := given.get(part.var), Gathered):
        return found.collection
    return map_children(part, partial(_instantiated, given))


def substitute(tree: Tree, old: Var, new: Var) -> Tree:
    """A copy with one variable replaced by another, also where it is bound."""
    return cast(Tree, _substituted(old, new, tree))


def _substituted(old: Var, new: Var, part: Any) -> Any:
    return new if part is old else map_children(part, partial(_substituted, old, new))


def sources(collection: Collection) -> Iterator[Collection]:
    """The leaves of a collection that is a sum, a choice, or a selection from others."""
    match collection:
        case Sum(parts=parts):
            for part in parts:
                yield from sources(part)
        case Picked(origin=origin):
            yield from sources(origin)
        case Filtered(binder=binder) | Prefix(binder=binder) | Ranked(binder=binder):
            yield from sources(binder.collection)
        case Either(then=then, otherwise=otherwise):
            yield from sources(then)
            yield from sources(otherwise)
        case UseCollection(collection=inner):
            yield from sources(inner)
        case _:
            yield collection


def _fields(node: Any) -> tuple[str, ...] | None:
    """The fields that can hold nodes; none if it is not a node."""
    kind: Any = type(node)
    return _child_fields(kind)


@cache
def _child_fields(kind: Any) -> tuple[str, ...] | None:
    if not _is_node(kind):
        return None
    if issubclass(kind, LEAVES):
        return ()
    hints = annotations_of(kind)
    return tuple(f.name for f in fields(kind) if _holds_nodes(hints[f.name]))


def _holds_nodes(hint: Any) -> bool:
    if hasattr(hint, "__metadata__"):
        return _holds_nodes(hint.__origin__)
    parts = get_args(hint) if get_origin(hint) is not dict else ()
    return _is_node(hint) or any(map(_holds_nodes, parts))


def _is_node(kind: Any) -> bool:
    return is_dataclass(kind) and getattr(kind, "__module__", "").startswith("dsl.rules.")
