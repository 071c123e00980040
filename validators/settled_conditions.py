"""Conditions that are always true or always false, by the types and ranges of what they compare.

Nothing is assumed of the position, and nothing is followed from line to line: only what the declarations say
of each side, and what the parts of one condition say of one and the same thing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from dsl import rules as r
from dsl.domains import NONE, EnumType, IntType, is_optional
from dsl.operators import MIRRORED, NEGATED, Comparison, is_ordering
from dsl.rules.reads import may_lack_index
from dsl.rules.visit import walk
from dsl.source import Span
from interpreter.ir.intervals import HIGHEST, LOWEST, Interval, compared


@dataclass(frozen=True, slots=True)
class Settled:
    """A condition that always holds, or never, and why."""

    span: Span
    holds: bool
    why: str


def settled(rules: r.Rules, tree: Any) -> Iterator[Settled]:
    """The smallest conditions of a tree that are always true or always false."""
    conditions = [s for node in _nodes(tree) if (s := _verdict(rules, node)) is not None]
    for condition in conditions:
        if not any(other is not condition and _contains(condition.span, other.span) for other in conditions):
            yield condition


def _nodes(tree: Any) -> Iterator[Any]:
    """The nodes of a tree as they are written there: the parts of a named collection stand elsewhere."""
    return walk(tree, enter=lambda node: not isinstance(node, r.UseCollection))


def _contains(outer: Span, inner: Span) -> bool:
    inside = outer.start <= inner.start and inner.end <= outer.end
    return outer.source is inner.source and inside and (outer.start, outer.end) != (inner.start, inner.end)


def _verdict(rules: r.Rules, node: Any) -> Settled | None:
    match node:
        case r.Cmp(left=left, right=right) if not (_is_fixed(left) and _is_fixed(right)):
            return _of_comparison(rules, node)
        case r.IsIn(item=item, collection=collection) if not _is_fixed(item):
            return _of_membership(rules, node, collection)
        case r.Both():
            return _of_parts(rules, node)
    return None


def _is_fixed(value: r.Expr) -> bool:
    """Whether a value follows from the configuration alone: a condition on it chooses between variants."""
    nodes = walk(value)
    return all(
        isinstance(x, r.Const | r.Setting | r.Arith | r.Extreme | r.Cond | r.Cmp)
        or (isinstance(x, r.Special) and x.what == "seats_playing")
        for x in nodes
    )


# ---- comparisons


def _of_comparison(rules: r.Rules, node: r.Cmp) -> Settled | None:
    left, right = node.left, node.right
    if meaning(left) == meaning(right):
        return Settled(node.span, node.op in ("is", "<=", ">="), f"both sides are `{_text(left)}`")
    values = _members(rules, left), _members(rules, right)
    if not is_ordering(node.op) and None not in values and not set(values[0] or ()) & set(values[1] or ()):
        why = f"`{_text(left)}` and `{_text(right)}` have no value in common"
        return Settled(node.span, node.op == "is not", why)
    a, b = _range(rules, left), _range(rules, right)
    if a is None or b is None:
        return None
    if is_ordering(node.op):
        holds = compared(node.op, a, b)
    elif a.apart(b.lo, b.hi):
        holds = node.op == "is not"
    else:
        holds = node.op == "is" if a == b and a.lo == a.hi else None
    return Settled(node.span, holds, _ranges(rules, left, right)) if holds is not None else None


def _ranges(rules: r.Rules, *sides: r.Expr) -> str:
    """The ranges of the sides of a comparison that are not written as numbers."""
    shown = [f"`{_text(x)}` is {_shown(rules, x)}" for x in sides if not isinstance(x, r.Const)]
    return " and ".join(shown)


def _shown(rules: r.Rules, value: r.Expr) -> str:
    interval = _range(rules, value)
    decl = rules.types.get(value.type.type) if isinstance(value.type, EnumType) else None
    if interval is None:
        return "anything"
    lo, hi = (decl.label(x) if decl is not None else f"{x}" for x in (interval.lo, interval.hi))
    return f"always {lo}" if lo == hi else f"{lo} to {hi}" if decl is not None else f"{lo}..{hi}"


def _of_membership(rules: r.Rules, node: r.IsIn, collection: r.Collection) -> Settled | None:
    if isinstance(collection, r.Interval):
        item, low, high = (_range(rules, x) for x in (node.item, collection.low, collection.high))
        if item is None or low is None or high is None or _may_be_none(rules, node.item):
            return None
        holds = True if item.within(low.hi, high.lo) else False if item.apart(low.lo, high.hi) else None
        why = _ranges(rules, node.item, collection.low, collection.high)
        return Settled(node.span, holds, why) if holds is not None else None
    values, among = _members(rules, node.item), _members_of(rules, collection)
    if values is None or among is None or set(values) & set(among):
        return None
    return Settled(node.span, False, f"none of the values of `{_text(node.item)}` is ever among them")


def _members(rules: r.Rules, value: r.Expr) -> tuple[int, ...] | None:
    """The values that something of a declared type can have; none for what may be none."""
    if isinstance(value, r.Const) or not isinstance(value.type, EnumType) or _may_be_none(rules, value):
        return None
    decl = rules.types.get(value.type.type)
    return decl.members if decl is not None else None


def _members_of(rules: r.Rules, collection: r.Collection) -> tuple[int, ...] | None:
    match collection:
        case r.OfType(decl=name):
            return rules.types[name].members
        case r.Neighbours(decl=name, operand=operand):
            decl, around = rules.types[name], _members(rules, operand)
            if around is not None and decl.links:
                places = [v for v in around if decl.lo <= v <= decl.hi]
                return tuple({to for place in places for to in decl.links[place - decl.lo]})
    return None


def _range(rules: r.Rules, value: r.Expr) -> Interval | None:
    """The interval of the numbers of a value; none if it may be none, or has no numbers."""
    if isinstance(value, r.Const):
        return Interval(value.value, value.value) if value.value != NONE else None
    if _may_be_none(rules, value):
        return None
    match value.type:
        case IntType(lo, hi):
            return Interval(lo, hi)
        case EnumType(name) if (decl := rules.types.get(name)) is not None:
            return Interval(min(decl.members), max(decl.members)) if decl.members else None
    return None


def _may_be_none(rules: r.Rules, value: r.Expr) -> bool:
    return is_optional(value.type) or may_lack_index(value, rules.types, rules.zones.values())


# ---- several parts


@dataclass(slots=True)
class _Subject:
    """What is known of one thing by the parts of a condition."""

    lo: int = LOWEST
    hi: int = HIGHEST
    may_be_none: bool = False
    others: set[int] = field(default_factory=set)
    said: list[r.Expr] = field(default_factory=list)

    def narrow(self, op: Comparison, value: int) -> None:
        if op == "is not":
            self.others.add(value)
            self.may_be_none = self.may_be_none and value != NONE
            return
        self.may_be_none = self.may_be_none and op == "is" and value == NONE
        if op in ("is", ">=", ">"):
            self.lo = max(self.lo, value + (op == ">")) if value != NONE else HIGHEST
        if op in ("is", "<=", "<"):
            self.hi = min(self.hi, value - (op == "<")) if value != NONE else LOWEST

    @property
    def is_possible(self) -> bool:
        if self.may_be_none or self.hi - self.lo >= len(self.others) + 1:
            return True
        return any(number not in self.others for number in range(self.lo, self.hi + 1))


def _of_parts(rules: r.Rules, node: r.Both) -> Settled | None:
    """`and` whose parts exclude each other; `or` of which one part always holds."""
    subjects: dict[Hashable, _Subject] = {}
    for part, truth in _parts(node, node.op == "and"):
        key, op, value = _said(part, truth)
        subject = subjects.setdefault(key, _first(rules, part))
        subject.said.append(part)
        subject.narrow(op, value)
        if not subject.is_possible:
            said = " and ".join(f"`{_text(x)}`" for x in subject.said[-2:])
            why = f"{said} exclude each other" if node.op == "and" else f"one of {said} always holds"
            return Settled(node.span, node.op == "or", why)
    return None


def _parts(e: r.Expr, truth: bool) -> Iterator[tuple[r.Expr, bool]]:
    """The parts that all hold, or do not, if a condition holds, or does not."""
    match e:
        case r.Neg(operand=operand):
            yield from _parts(operand, not truth)
        case r.Both(op=op, left=left, right=right) if (op == "and") is truth:
            yield from _parts(left, truth)
            yield from _parts(right, truth)
        case _:
            yield e, truth


def _said(part: r.Expr, truth: bool) -> tuple[Hashable, Comparison, int]:
    """What a part says: of which thing, with which comparison and number; else that it holds or not."""
    if isinstance(part, r.Cmp):
        op = part.op if truth else NEGATED[part.op]
        if isinstance(part.right, r.Const):
            return meaning(part.left), op, part.right.value
        if isinstance(part.left, r.Const):
            return meaning(part.right), MIRRORED[op], part.left.value
        if part.op in ("is not", ">=", ">"):
            opposite = NEGATED[part.op]
            return (meaning(part.left), opposite, meaning(part.right)), "is", int(not truth)
        return (meaning(part.left), part.op, meaning(part.right)), "is", int(truth)
    return meaning(part), "is", int(truth)


def _first(rules: r.Rules, part: r.Expr) -> _Subject:
    """What is known of the subject of a part at first: its range."""
    if not isinstance(part, r.Cmp) or not any(isinstance(x, r.Const) for x in (part.left, part.right)):
        return _Subject(0, 1)
    value = part.left if isinstance(part.right, r.Const) else part.right
    if _may_be_none(rules, value):
        return _Subject(may_be_none=True)
    interval = _range(rules, value)
    return _Subject(interval.lo, interval.hi) if interval is not None else _Subject()


# ---- the same expression


def meaning(tree: Any, *own: r.Var) -> Hashable:
    """An expression without its place: equal for two that mean the same, whatever `own` locals are called."""
    bound = [*own, *(x.var for x in walk(tree) if isinstance(x, r.Binder))]
    return _bare(tree, {id(var): number for number, var in enumerate(bound)})


def _bare(x: Any, bound: dict[int, int]) -> Hashable:
    if isinstance(x, r.Var):
        return "local", bound.get(id(x), id(x))
    if isinstance(x, tuple):
        return tuple(_bare(part, bound) for part in x)
    if isinstance(x, r.Column):
        return "column", x.name
    if is_dataclass(x) and not isinstance(x, type):
        kept = (f.name for f in fields(x) if f.name not in ("span", "type"))
        return type(x).__name__, *(_bare(getattr(x, name), bound) for name in kept)
    plain: Hashable = x
    return plain


def _text(e: r.Expr) -> str:
    return " ".join(e.span.text.split())
