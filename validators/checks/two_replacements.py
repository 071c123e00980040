"""Values that two modifiers replace differently."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from dsl import rules as r
from dsl.diagnostics import Label
from validators.check import Check, CheckContext, Finding


@dataclass(frozen=True)
class TwoReplacements(Finding):
    """Two modifiers replace the same value, and may hold at the same time.

    Several `modify … by` add up in any order. Of several `modify … to` the first that holds wins, in written
    order: if both can hold, the order of two lines in a file decides the game.

    Example:

        modify price to 2 while owned of me at market
        modify price to 5 while famine

    Make the conditions mutually exclusive, or merge the modifiers. If the order is intended, `allow` it with
    the clause of the rulebook.
    """

    code = "V335"
    slug = "two-replacements"
    title = "`{about}` is replaced by two modifiers that may hold at the same time"
    label = "this one wins, because it comes first"
    advice = "make their conditions mutually exclusive"


def find(subject: CheckContext) -> Iterator[Finding]:
    for value in subject.rules.values.values():
        replacing = [x for x in value.modifiers if x.mode == "to"]
        for one, other in combinations(replacing, 2):
            if not _exclude(one.condition, other.condition) and _text(one.amount) != _text(other.amount):
                yield TwoReplacements(one.span, value.name, (Label(other.span, "this one is ignored"),))


def _exclude(one: r.Expr | None, other: r.Expr | None) -> bool:
    """Whether two conditions visibly exclude each other: a part of one negates a part of the other."""
    if one is None or other is None:
        return False
    return any(_deny(a, b) for a in _parts(one) for b in _parts(other))


def _deny(a: r.Expr, b: r.Expr) -> bool:
    if isinstance(a, r.Neg) and _text(a.operand) == _text(b):
        return True
    if isinstance(b, r.Neg) and _text(b.operand) == _text(a):
        return True
    if not isinstance(a, r.Cmp) or not isinstance(b, r.Cmp) or _text(a.left) != _text(b.left):
        return False
    if (a.op, b.op) == ("is", "is") and isinstance(a.right, r.Const) and isinstance(b.right, r.Const):
        return a.right.value != b.right.value
    opposite = {("is", "is not"), ("is not", "is"), ("<", ">="), (">=", "<"), (">", "<="), ("<=", ">")}
    return (a.op, b.op) in opposite and _text(a.right) == _text(b.right)


def _parts(e: r.Expr) -> list[r.Expr]:
    if isinstance(e, r.Both) and e.op == "and":
        return [*_parts(e.left), *_parts(e.right)]
    return [e]


def _text(e: r.Expr) -> str:
    """The text of an expression, to compare it with another."""
    return " ".join(e.span.text.split())


CHECK = Check(TwoReplacements, find)
