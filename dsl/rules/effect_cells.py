"""Which effects a cell may name, by where it stands: a column, a row of it, or several of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dsl import rules as r
from dsl.domains import NONE, EnumType
from dsl.rules.visit import walk


def effect_cells(rules: r.Rules, cell: r.Expr) -> tuple[int, ...]:
    """The numbers of the cells that an expression may be, rising; `NONE` among them if it may be none."""
    found = _cells(rules, cell, ())
    return tuple(sorted(found if found is not None else (NONE, *range(len(rules.cells)))))


def effects(rules: r.Rules, cell: r.Expr) -> tuple[str, ...]:
    """The names of the effects that a cell may name, each once."""
    numbers = (number for number in effect_cells(rules, cell) if number != NONE)
    return tuple(dict.fromkeys(rules.cells[number][0] for number in numbers))


def _cells(rules: r.Rules, cell: r.Expr, inside: tuple[object, ...]) -> frozenset[int] | None:
    """The cells; none if it is not known. `inside`: the values and locals that are being looked at."""
    match cell:
        case r.Const(value=value):
            return frozenset({value})
        case r.ColumnOf(owner=owner, column=column):
            return frozenset(_in_column(rules, owner, column))
        case r.Cond(then=then, otherwise=otherwise):
            return _together(rules, (then, otherwise), inside)
        case r.UseValue(value=name) if name not in inside:
            called = rules.values[name]
            results = [case.value for case in called.cases]
            results += [modifier.amount for modifier in called.modifiers]
            return _together(rules, results, (*inside, name))
        case r.Read(var=var) if not any(var is known for known in inside):
            given = [part.value for part in walk(_bodies(rules)) if _gives(part, var)]
            return _together(rules, given, (*inside, var)) if given else None
    return None


def _together(rules: r.Rules, cells: Iterable[r.Expr], inside: tuple[object, ...]) -> frozenset[int] | None:
    found: frozenset[int] = frozenset()
    for cell in cells:
        more = _cells(rules, cell, inside)
        if more is None:
            return None
        found |= more
    return found


def _in_column(rules: r.Rules, owner: r.Expr, column: r.Column) -> Iterable[int]:
    """The values of a column: of one row, if it is named."""
    if isinstance(owner, r.Const) and isinstance(owner.type, EnumType):
        return column.cells(owner.value - rules.types[owner.type.type].lo)
    if column.keyed_by is None:
        return column.values
    return (value for row in column.groups for value in row)


def _bodies(rules: r.Rules) -> tuple[Any, ...]:
    """All that can give a local its value."""
    blocks = (*(x.block for x in rules.routines.values()), *(x.block for x in rules.triggers))
    return (*blocks, *(value.lets for value in rules.values.values()))


def _gives(part: Any, var: r.Var) -> bool:
    return isinstance(part, r.SetVar | r.ValueLet) and part.var is var
