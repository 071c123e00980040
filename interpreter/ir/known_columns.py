"""What expressions come to that only read tables, for many values of what they read at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress

from dsl.domains import NONE
from interpreter.ir.expressions import (
    Const,
    Contains,
    Expr,
    Fold,
    If,
    Let,
    Linked,
    Listed,
    Not,
    Op,
    Pick,
    Prefix,
    Reg,
    Source,
    Values,
)
from interpreter.ir.fold import CALCULATED

Known = Mapping[Expr, Sequence[int]]
"""Columns of equal length: the values of registers and of words."""


MOST = 1 << 18
"""Of how many values of collections something is asked at once."""


class NotByTables(Exception):
    """Something else is read, or there is a fault for one of the values."""


def column_of(e: Expr, known: Known, size: int) -> Sequence[int]:
    """The value of an expression in each of `size` rows. Raises `NotByTables`."""
    if e in known:
        return known[e]
    match e:
        case Const(value=value):
            return (value,) * size
        case Op(op="and" | "or" as op, left=left, right=right):
            asked = [bool(x) == (op == "and") for x in column_of(left, known, size)]
            return _where(asked, right, known, [int(op == "or")] * size)
        case Op(op=op, left=left, right=right):
            one, other = column_of(left, known, size), column_of(right, known, size)
            if op not in ("==", "!=") and (NONE in one or NONE in other):
                raise NotByTables
            try:
                return tuple(map(CALCULATED[op], one, other))
            except ZeroDivisionError:
                raise NotByTables from None
        case Not(operand=operand):
            return [int(not x) for x in column_of(operand, known, size)]
        case If(condition=condition, then=then, otherwise=otherwise):
            asked = [bool(x) for x in column_of(condition, known, size)]
            chosen = _where(asked, then, known, [0] * size)
            return _where([not x for x in asked], otherwise, known, chosen)
        case Let(reg=reg, value=value, body=body):
            return column_of(body, {**known, Reg(reg): column_of(value, known, size)}, size)
        case Pick(table=table, index=index, lo=lo):
            at = column_of(index, known, size)
            _test_indices(at, lo, len(table))
            return [table[i - lo] for i in at]
        case Contains(item=item, source=source):
            items = column_of(item, known, size)
            return [int(x in row) for x, row in zip(items, rows_of(source, known, size), strict=True)]
        case Fold(kind="any" | "all" | "count", source=source):
            return _folded(e, rows_of(source, known, size), known)
    raise NotByTables


def _where(asked: Sequence[bool], e: Expr, known: Known, others: Sequence[int]) -> Sequence[int]:
    """The value of an expression in some rows, and what is given in the others."""
    if not any(asked):
        return others
    rows = {part: tuple(compress(column, asked)) for part, column in known.items()}
    values = iter(column_of(e, rows, sum(asked)))
    return [next(values) if x else other for x, other in zip(asked, others, strict=True)]


def _folded(e: Fold, rows: Sequence[Sequence[int]], known: Known) -> Sequence[int]:
    """How many values of a collection meet a condition in each row, or whether any or all do."""
    each = each_of(rows, e.reg, known)
    number = len(each[Reg(e.reg)])
    if number > MOST:
        raise NotByTables
    where, body = (Const(1) if part is None else part for part in (e.where, e.body))
    asked = [bool(x) for x in column_of(where, each, number)]
    met = iter(_where(asked, body, each, [int(e.kind == "all")] * number))
    numbers = [sum(1 for _ in row if next(met)) for row in rows]
    if e.kind == "count":
        return numbers
    return [int(n > 0 if e.kind == "any" else n == len(row)) for n, row in zip(numbers, rows, strict=True)]


def rows_of(source: Source, known: Known, size: int) -> Sequence[Sequence[int]]:
    """The values of a collection in each row."""
    match source:
        case Values(values=values):
            return (values,) * size
        case Listed(items=items):
            return list(zip(*(column_of(item, known, size) for item in items), strict=True)) or [()] * size
        case Linked(links=links, index=index, lo=lo):
            at = column_of(index, known, size)
            _test_indices(at, lo, len(links))
            return [links[i - lo] for i in at]
        case Prefix(reg=reg, source=inner, where=where, until=until):
            rows = rows_of(inner, known, size)
            each = each_of(rows, reg, known)
            holds = iter(column_of(where, each, len(each[Reg(reg)])))
            return [_beginning(row, [next(holds) for _ in row], until=until) for row in rows]
    raise NotByTables


def each_of(rows: Sequence[Sequence[int]], reg: int, known: Known) -> Known:
    """What is known in each row, for each of some values of that row, which a register holds."""
    each: dict[Expr, Sequence[int]] = {
        part: [x for x, row in zip(column, rows, strict=True) for _ in row] for part, column in known.items()
    }
    return {**each, Reg(reg): [x for row in rows for x in row]}


def _test_indices(at: Sequence[int], lo: int, size: int) -> None:
    if at and not lo <= min(at) <= max(at) < lo + size:
        raise NotByTables


def _beginning(row: Sequence[int], holds: Sequence[int], *, until: bool) -> Sequence[int]:
    """The first values of a row, as long as a condition holds or up to where it does."""
    if until:
        return row[: next((i + 1 for i, x in enumerate(holds) if x), len(row))]
    return row[: next((i for i, x in enumerate(holds) if not x), len(row))]
