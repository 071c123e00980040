"""Whether the condition of a collection selects only pieces of one class."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.domains import NONE, EnumType, is_optional
from dsl.rules.visit import walk


def all_same_class(binder: r.Binder) -> bool:
    """Whether all pieces of a filtered collection are of one class.

    They are if the condition names the class, or values of columns that no two classes have in common.
    """
    tests = [test for part in _parts(binder.where) for test in _tests(part, binder.var)]
    if any(column is None for column, _ in tests):
        return True
    columns = [(column, is_optional(value.type)) for column, value in tests if column is not None]
    return bool(columns) and _tells_apart(columns)


def _tells_apart(columns: list[tuple[r.Column, bool]]) -> bool:
    """Whether at most one class has the same values in all columns; `optional`: none may be asked for."""
    rows = [
        row
        for row in zip(*(column.values for column, _ in columns), strict=True)
        if all(value != NONE or optional for value, (_, optional) in zip(row, columns, strict=True))
    ]
    return len(rows) == len(set(rows))


def _parts(condition: r.Expr | None) -> Iterator[r.Expr]:
    """The conditions that `and` joins."""
    match condition:
        case None:
            return
        case r.Both(op="and", left=left, right=right):
            yield from _parts(left)
            yield from _parts(right)
        case _:
            yield condition


def _tests(condition: r.Expr, var: r.Var) -> Iterator[tuple[r.Column | None, r.Expr]]:
    """What a condition compares with a value that all pieces share: a column, or (none) the class."""
    match condition:
        case r.Cmp(op="is", left=left, right=right):
            for asked, value in ((left, right), (right, left)):
                if not _may_depend_on(value, var):
                    yield from ((column, value) for column in _asked(asked, value, var))


def _asked(asked: r.Expr, value: r.Expr, var: r.Var) -> Iterator[r.Column | None]:
    match asked:
        case r.ClassOf(piece=r.Read(var=found)) if found == var and isinstance(value.type, EnumType):
            yield None
        case r.ColumnOf(owner=r.Read(var=found), column=column, key=None) if found == var:
            yield column


def _may_depend_on(value: r.Expr, var: r.Var) -> bool:
    """Whether a value may differ between pieces, because it reads the one that is asked about."""
    return any(isinstance(part, r.Read) and part.var is var for part in walk(value))
