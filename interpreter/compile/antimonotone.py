"""Anti-monotone conditions on a set that is chosen: where a part of the set fails, so does the whole.

They prune the search for what can be chosen, as anti-monotone constraints prune that for frequent sets
(Ng, Lakshmanan, Han and Pang, 1998).
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl import rules as r
from dsl.domains import IntType
from dsl.rules.visit import walk


def antimonotone(needs: Iterable[r.Precondition], whole: r.Picked) -> tuple[r.Precondition, ...]:
    """The preconditions at the beginning of some that are anti-monotone in a set.

    What stands behind another one is left out, as that one might be a fault with the whole set.
    """
    found: list[r.Precondition] = []
    for need in needs:
        if not _prunes(need.condition, whole):
            break
        found.append(need)
    return tuple(found)


def _prunes(condition: r.Expr, whole: r.Picked) -> bool:
    match condition:
        case r.Both(op="and", left=left, right=right):
            return _prunes(left, whole) and _prunes(right, whole)
        case r.FoldOf(kind="all", body=body, binder=binder):
            return _goes_over(binder, (body,), whole)
        case r.Neg(operand=r.AnyOf(kind="any", binder=binder)):
            return _goes_over(binder, (), whole)
        case r.Cmp(op="is", left=r.FoldOf(kind="distinct", binder=binder) as number, right=r.Const(value=1)):
            # each part has one, unless `where` leaves all of it out
            return binder.where is None and _grows(number, whole)
        case r.Cmp(op="<=" | "<", left=number, right=limit):
            return _grows(number, whole) and not _reads(limit, whole)
    return False


def _grows(number: r.Expr, whole: r.Picked) -> bool:
    """Whether a number is never smaller for a set than for a part of it."""
    match number:
        case r.FoldOf(kind="distinct", body=body, binder=binder):
            return _goes_over(binder, (body,), whole)
        case r.FoldOf(kind="sum", body=body, binder=binder):
            least = body.type.lo if isinstance(body.type, IntType) else -1
            return least >= 0 and _goes_over(binder, (body,), whole)
        case r.AnyOf(kind="count", binder=binder):
            return _goes_over(binder, (), whole)
    return False


def _goes_over(binder: r.Binder, parts: tuple[r.Expr, ...], whole: r.Picked) -> bool:
    """Whether a fold goes over the set, and reads it nowhere else."""
    over = binder.collection
    return (
        isinstance(over, r.Picked) and over.group is whole.group and not _reads((*parts, binder.where), whole)
    )


def _reads(tree: object, whole: r.Picked) -> bool:
    return any(isinstance(x, r.Read) and x.var in whole.picks for x in walk(tree))
