"""Whether the condition of a collection selects only pieces of one class."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.domains import NONE, EnumType, is_optional


def all_same_class(binder: r.Binder) -> bool:
    """Whether all pieces of a filtered collection are of one class.

    They are if the condition names the class, or the value of a column that differs between all classes.
    """
    return any(_names_class(part, binder.var) for part in _parts(binder.where))


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


def _names_class(condition: r.Expr, var: r.Var) -> bool:
    match condition:
        case r.Cmp(op="is", left=left, right=right):
            return _identifies(left, right, var) or _identifies(right, left, var)
    return False


def _identifies(asked: r.Expr, value: r.Expr, var: r.Var) -> bool:
    """Whether pieces for which `asked` has this value are all of one class."""
    match asked:
        case r.ClassOf(piece=r.Read(var=found)):
            return found == var and isinstance(value.type, EnumType) and not _may_depend_on(value, var)
        case r.ColumnOf(owner=r.Read(var=found), column=column, key=None):
            known = [v for v in column.values if v != NONE]
            different = len(known) == len(set(known)) and not is_optional(value.type)
            return found == var and different and not _may_depend_on(value, var)
    return False


def _may_depend_on(value: r.Expr, var: r.Var) -> bool:
    """Whether a value may differ between pieces. False only if it certainly does not."""
    return not isinstance(value, r.Const | r.Setting) and not (isinstance(value, r.Read) and value.var != var)
