"""Sets that are read once, where they begin what is worked out: they need not be kept.

A set has a name, in registers, so that it is found once. If the first thing that is worked out goes through
it, and nothing else reads it, the collection can stand there itself. Then a search in it may end early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interpreter.ir.expressions import (
    Best,
    Bits,
    Contains,
    Expr,
    Filtered,
    Fold,
    If,
    Let,
    Mask,
    Not,
    Op,
    Prefix,
    Reg,
    Size,
    Source,
    Spread,
    Values,
)
from interpreter.ir.visit import walk


def without_kept(lets: Sequence[tuple[int, Expr]], body: Expr) -> tuple[list[tuple[int, Expr]], Expr]:
    """What stands for some registers, and what reads them, without the last set if that is read once."""
    last = lets[-1][1] if lets else None
    if not isinstance(last, Mask) or not _stands_once(last.source):
        return list(lets), body
    words = [reg for reg, value in lets if isinstance(value, Mask) and value.source is last.source]
    if words != [reg for reg, _ in lets[-len(words) :]]:
        return list(lets), body
    registers = tuple(map(Reg, words))
    others = _with_source(body, registers, Values(()))
    if others is None or any(part in registers for part in walk(others)):
        return list(lets), body
    return list(lets[: -len(words)]), _with_source(body, registers, last.source)


def _stands_once(source: Source) -> bool:
    """Whether a collection has its values once each, ascending, as a set has."""
    match source:
        case Spread():
            return True
        case Filtered(source=Values(values=values)):
            return list(values) == sorted(set(values))
    return False


def _with_source(part: Any, words: tuple[Reg, ...], source: Source) -> Any:
    """The part with a collection instead of a set that it goes through first; nothing if it does not."""
    match part:
        case Bits(words=own):
            return source if own == words else None
        case Not(operand=first):
            name = "operand"
        case Op(left=first):
            name = "left"
        case If(condition=first):
            name = "condition"
        case Let(value=first):
            name = "value"
        case Contains(item=Reg(), source=first):
            name = "source"
        case Fold(source=first) | Best(source=first) | Size(source=first):
            name = "source"
        case Filtered(source=first) | Prefix(source=first):
            name = "source"
        case _:
            return None
    found = _with_source(first, words, source)
    return None if found is None else replace(part, **{name: found})
