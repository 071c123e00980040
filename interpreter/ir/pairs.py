"""Conditions that ask the same of two values: one of the two is enough.

In `any(way where length(way) + length(opposite(way)) >= 4)` every line is looked at twice, from either side.
If a condition stays what it is when a value and its partner are exchanged, only the smaller one is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from dsl.frozen import dataclass
from interpreter.ir.expressions import Expr, Let, Op, Pick, Reg
from interpreter.ir.visit import BINDERS, INNER, Part, bound_by, walk

COMMUTES = frozenset({"+", "*", "==", "!=", "min", "max"})
"""Operators whose operands may change places: both are evaluated in any case."""
Key = Any
"""Two expressions have equal keys only if they mean the same, whatever their registers are called."""


def one_of_each_pair(condition: Expr, reg: int, values: Sequence[int]) -> tuple[int, ...] | None:
    """The values of a register that are enough for `any` or `all`, if the others are their partners."""
    for pick in dict.fromkeys(_partners(condition, reg)):
        partner = {value: pick.table[value - pick.lo] for value in values if _reaches(pick, value)}
        if not _is_pairing(partner, values):
            continue
        value, other = _Keys(pick, "value", "partner"), _Keys(pick, "partner", "value")
        if value.of(condition, {reg: value.value}) == other.of(condition, {reg: other.value}):
            return tuple(x for x in values if x < partner[x])
    return None


def _partners(condition: Expr, reg: int) -> Iterator[Pick]:
    """The tables that are read with a value, by its own name or by that of a `let`."""
    names = {reg}
    for part in walk(condition):
        if isinstance(part, Let) and isinstance(part.value, Reg) and part.value.index in names:
            names.add(part.reg)
        if isinstance(part, Pick) and isinstance(part.index, Reg) and part.index.index in names:
            yield part


def _reaches(pick: Pick, value: int) -> bool:
    return 0 <= value - pick.lo < len(pick.table)


def _is_pairing(partner: Mapping[int, int], values: Sequence[int]) -> bool:
    """Whether each value has another one as its partner, which has it as its own."""
    return set(partner) == set(values) and all(
        partner[x] != x and partner.get(partner[x]) == x for x in values
    )


@dataclass(frozen=True)
class _Keys:
    """Keys of expressions about a value and its partner, which a table gives; how the two are called."""

    pick: Pick
    value: str
    other: str

    def of(self, part: Part, known: Mapping[int, Key], depth: int = 0) -> Key:
        """The key of a part. `known` has the keys of registers; `depth`: how many are bound around it."""
        if isinstance(part, Reg):
            return known.get(part.index, part)
        if isinstance(part, Let):
            return self.of(part.body, {**known, part.reg: self.of(part.value, known, depth)}, depth)
        if isinstance(part, Pick) and (part.table, part.lo) == (self.pick.table, self.pick.lo):
            index = self.of(part.index, known, depth)
            if index in (self.value, self.other):
                return self.other if index == self.value else self.value
        bound = bound_by(part)
        inner = {**known, **{reg: ("bound", depth + i) for i, reg in enumerate(bound)}}
        below = partial(self._of_child, known=inner, depth=depth + len(bound))
        if isinstance(part, Op) and part.op in COMMUTES:
            return part.op, frozenset(Counter(map(below, (part.left, part.right))).items())
        names = [field.name for field in fields(part) if field.name not in BINDERS[type(part)]]
        contents = ((getattr(part, name), name in INNER[type(part)]) for name in names)
        return type(part), *(below(content) if is_child else content for content, is_child in contents)

    def _of_child(self, content: Any, known: Mapping[int, Key], depth: int) -> Key:
        if isinstance(content, tuple):
            return tuple(self._of_child(one, known, depth) for one in content)
        return content if content is None or isinstance(content, int) else self.of(content, known, depth)
