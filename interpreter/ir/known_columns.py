"""What expressions come to that only read tables, for many values of what they read at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress, repeat

from dsl.domains import NONE
from interpreter.ir.expressions import (
    Const,
    Contains,
    Expr,
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
from interpreter.ir.fold import calculate

Known = Mapping[Expr, Sequence[int]]
"""Columns of equal length: the values of registers and of words."""


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
                return tuple(map(calculate, repeat(op), one, other))
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
            if not all(lo <= i < lo + len(table) for i in at):
                raise NotByTables
            return [table[i - lo] for i in at]
        case Contains(item=item, source=source):
            items = column_of(item, known, size)
            return [int(x in row) for x, row in zip(items, _rows_of(source, known, size), strict=True)]
    raise NotByTables


def _where(asked: Sequence[bool], e: Expr, known: Known, others: Sequence[int]) -> Sequence[int]:
    """The value of an expression in some rows, and what is given in the others."""
    if not any(asked):
        return others
    rows = {part: tuple(compress(column, asked)) for part, column in known.items()}
    values = iter(column_of(e, rows, sum(asked)))
    return [next(values) if x else other for x, other in zip(asked, others, strict=True)]


def _rows_of(source: Source, known: Known, size: int) -> Sequence[Sequence[int]]:
    """The values of a collection in each row."""
    match source:
        case Values(values=values):
            return (values,) * size
        case Listed(items=items):
            return list(zip(*(column_of(item, known, size) for item in items), strict=True)) or [()] * size
        case Linked(links=links, index=index, lo=lo):
            at = column_of(index, known, size)
            if not all(lo <= i < lo + len(links) for i in at):
                raise NotByTables
            return [links[i - lo] for i in at]
        case Prefix(reg=reg, source=inner, where=where, until=until):
            rows = _rows_of(inner, known, size)
            each = {
                part: [x for x, row in zip(column, rows, strict=True) for _ in row]
                for part, column in known.items()
            }
            each[Reg(reg)] = [x for row in rows for x in row]
            holds = iter(column_of(where, each, len(each[Reg(reg)])))
            return [_beginning(row, [next(holds) for _ in row], until=until) for row in rows]
    raise NotByTables


def _beginning(row: Sequence[int], holds: Sequence[int], *, until: bool) -> Sequence[int]:
    """The first values of a row, as long as a condition holds or up to where it does."""
    if until:
        return row[: next((i + 1 for i, x in enumerate(holds) if x), len(row))]
    return row[: next((i for i, x in enumerate(holds) if not x), len(row))]
