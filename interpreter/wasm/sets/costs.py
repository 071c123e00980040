"""What sets cost beside loops, in instructions: about as many as are carried out, not as are written."""

from __future__ import annotations

from typing import Any, assert_never

from interpreter import ir
from interpreter.ir.visit import children
from interpreter.wasm.lower.values import Range
from interpreter.wasm.sets.forms import (
    AskedSet,
    Difference,
    Form,
    Intersection,
    KnownSet,
    MovedSet,
    NamedSet,
    RowSet,
    TruthSet,
    Union,
    parts_of,
)

COLLECTED = 24
"""Instructions for a word of the set of a collection."""


def operations(form: Form, r: Range) -> int:
    """About how many instructions a form takes."""
    seen, total = set[int](), 0
    waiting = [(form, r.words)]
    while waiting:
        part, words = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        match part:
            case MovedSet(form=inner, of=of, links=links):
                total += 4 * words * len(links)
                waiting.append((inner, Range(0, of.size).words))
                continue
            case KnownSet():
                continue
            case TruthSet():
                total += 4 + words
            case AskedSet(work=asked):
                total += asked
            case RowSet(number=number):
                total += 4 + words + (0 if number is None else 8)
            case NamedSet(value=value):
                total += work(value)
            case Intersection(parts=parts) | Union(parts=parts):
                total += words * len(parts)
            case Difference():
                total += 2 * words
            case _:
                assert_never(part)
        waiting += [(inner, words) for inner in parts_of(part)]
    return total


def work(e: Any) -> int:
    """About how much it is to evaluate an expression for one value: parts, those of loops for each round."""
    match e:
        case ir.Fold(source=source, where=where, body=body):
            return work(source) + length(source) * (2 + work(where) + work(body))
        case ir.Best(source=source, where=where, keys=keys):
            return work(source) + length(source) * (4 + work(where) + sum(map(work, keys)))
        case ir.Filtered(source=source, where=where) | ir.Prefix(source=source, where=where):
            return work(source) + length(source) * (2 + work(where))
    return 1 + sum(map(work, children(e))) if e is not None else 0


def length(source: ir.Source) -> int:
    """About how many values a collection has."""
    match source:
        case ir.Values(values=values):
            return len(values)
        case ir.Linked(links=links):
            return 1 + sum(map(len, links)) // max(1, len(links))
        case ir.Filtered(source=inner) | ir.Prefix(source=inner):
            return (1 + length(inner)) // 2
    return 4
