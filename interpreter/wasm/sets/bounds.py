"""Where a condition can hold at all, whatever the state is: by recursion over its parts.

Of a conjunction, what takes the least work is asked first, and the rest only where that says yes. An `any`
over few values is asked value by value, each of those that are left. So it costs little to see that of all
pairs of places few are a jump apart, however much is asked of a jump.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from interpreter import ir
from interpreter.ir.fold import all_conjuncts
from interpreter.ir.visit import substitute, walk
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.sets.costs import work
from interpreter.wasm.sets.tables import Column

MOST_POSSIBLE = 1 << 21
"""What it may take to ask which indices are possible: parts of an expression, for each index."""
FEW_VALUES = 16
"""Values of an `any` that are asked one by one."""
FEW_PARTS = 16
"""Parts of a value that stands for its name wherever that is read."""

Columns = Mapping[int, Column]
Leaf = Callable[[ir.Expr, Columns], int]
"""The set of the indices of some columns at which a condition can hold, asked in one piece."""


def goes_along(e: ir.Expr) -> bool:
    """Whether a condition goes along rays, or counts: it relates a place to too many others to move sets."""
    return any(
        isinstance(x, ir.Prefix | ir.Size) or (isinstance(x, ir.Fold) and x.kind == "count") for x in walk(e)
    )


@dataclass
class PossibleIndices:
    """Asks which of some indices are possible; `left` is the work that may still be done."""

    fx: FunctionContext
    leaf: Leaf
    left: int = MOST_POSSIBLE

    def of(self, e: ir.Expr, columns: Columns, among: Sequence[int]) -> Sequence[int]:
        """Those of some indices at which a condition can hold."""
        for part in sorted(all_conjuncts(e), key=work):
            if not among:
                break
            if not self.fx.builder.free_registers(part).isdisjoint(columns):
                among = self._of_part(part, columns, among)
        return among

    def _of_part(self, e: ir.Expr, columns: Columns, among: Sequence[int]) -> Sequence[int]:
        match e:
            case ir.Op(op="or", left=left, right=right):
                return self._of_either((left, right), columns, among)
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                cases = (ir.Op("and", condition, then), ir.Op("and", ir.Not(condition), otherwise))
                return self._of_either(cases, columns, among)
            case ir.Let(reg=reg, value=value, body=body) if work(value) <= FEW_PARTS:
                return self.of(substitute(body, reg, value), columns, among)
            case ir.Fold(kind="any", reg=reg, source=source, where=where) if (
                where is not None and (items := _items(source)) is not None
            ):
                return self._of_either([substitute(where, reg, item) for item in items], columns, among)
            case ir.Contains(item=item, source=ir.Joined(parts=parts)):
                return self._of_either([ir.Contains(item, part) for part in parts], columns, among)
            case ir.Contains(item=item, source=ir.Either(then=then, otherwise=otherwise)):
                return self._of_either(
                    [ir.Contains(item, part) for part in (then, otherwise)], columns, among
                )
            case ir.Contains(item=item, source=ir.Filtered() | ir.Prefix() as source):
                inside: ir.Expr = ir.Contains(item, source.source)
                if source.where is not None and not (isinstance(source, ir.Prefix) and source.until):
                    inside = ir.Op("and", inside, substitute(source.where, source.reg, item))
                return self.of(inside, columns, among)
        cost = len(among) * work(e)
        if cost > self.left or goes_along(e):
            return among
        self.left -= cost
        holds = self.leaf(e, {reg: tuple(column[i] for i in among) for reg, column in columns.items()})
        return [x for i, x in enumerate(among) if holds >> i & 1]

    def _of_either(self, parts: Sequence[ir.Expr], columns: Columns, among: Sequence[int]) -> Sequence[int]:
        """Those at which one of some conditions can hold."""
        rest, found = among, set[int]()
        for part in parts:
            found.update(self.of(part, columns, rest))
            rest = [x for x in rest if x not in found]
            if not rest:
                break
        return [x for x in among if x in found]


def _items(source: ir.Source) -> Sequence[ir.Expr] | None:
    """The values of a collection that has few."""
    match source:
        case ir.Values(values=values) if len(values) <= FEW_VALUES:
            return [ir.Const(value) for value in values]
        case ir.Listed(items=items) if len(items) <= FEW_VALUES:
            return items
    return None
