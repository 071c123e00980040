"""The parts of a condition, any of which can be why it fails: as deep as they lie, with their clauses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

from dsl.domains import FLAG, FlagType, PieceType
from dsl.frozen import dataclass
from dsl.rules.definitions import Modifier, ValueCase
from dsl.rules.expressions import (
    Binder,
    Both,
    CanDo,
    Cmp,
    Collection,
    Cond,
    Const,
    DoRoutine,
    Expr,
    Filtered,
    FoldOf,
    InZone,
    IsIn,
    LookUp,
    Neg,
    OfType,
    Read,
    Special,
    UseCollection,
    UseValue,
    Var,
)
from dsl.rules.game import Rules
from dsl.rules.sides import Side, first_broken, is_told_of, sides_of
from dsl.rules.visit import instantiate, sources, walk

Clauses = tuple[str, ...]
MOST_PARTS = 600
"""The most parts of a value that is looked into, with its arguments and locals in place."""
MOST_CITED = 4
"""The most clauses that are cited of what a condition uses."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of a condition; it fails if and only if one of its parts does.

    `asked` is the part as it is said, `text` as the rules write it, and `holds` is what is tested: within a
    case of a value the part, and where that case does not apply, nothing. `parts` are those of the part
    itself, in the order in which they are tested, and only where it fails. `clauses` are those of the
    innermost line that has any; `within` are the clauses and conditions around it, the outermost first.
    """

    asked: Expr
    text: str
    holds: Expr
    sides: tuple[Side, ...]
    clauses: tuple[str, ...]
    within: tuple[str, ...]
    parts: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a part stands: the clauses of the line that refuses and, within definitions, its own.

    `outer` are the nearest ones around it, if it has none; `within` is what it is within.
    """

    line: Clauses
    own: Clauses
    outer: Clauses
    within: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _SplitCase:
    condition: Expr | None
    value: Expr
    clauses: tuple[str, ...] = ()


def reasons_of(
    rules: Rules, condition: Expr, clauses: Clauses = (), around: Clauses = ()
) -> tuple[Reason, ...]:
    """The parts of a condition in the order of their tests; given the clauses of its line and around it."""
    return tuple(_Splitter(rules).within(condition, _in_line(clauses, around)))


def reasons_of_choice(
    rules: Rules, binder: Binder, seats: int, clauses: Clauses = (), around: Clauses = ()
) -> tuple[Reason, ...]:
    """What a value must meet to be chosen, among the values of the `widest` collection."""
    splitter, place = _Splitter(rules, seats), _in_line(clauses, around)
    inside = replace(place, within=("no such value",))
    item = Read(binder.collection.item, binder.var.span, binder.var)
    membership = (
        splitter.membership(item, binder.collection, inside) if is_widened(rules, binder.collection) else []
    )
    return (*membership, *(splitter.within(binder.where, place) if binder.where is not None else ()))


def _in_line(clauses: Clauses, around: Clauses) -> _Place:
    return _Place(clauses, (), () if clauses else around, ())


def is_widened(rules: Rules, collection: Collection) -> bool:
    """Whether a refusal can tell of values that a collection leaves out: not if they may be hidden pieces."""
    if isinstance(collection.item, PieceType):
        return _is_cut(collection) and all(_is_seen(rules, zone) for zone in sources(collection))
    return _is_cut(collection) or _lacks_rows(rules, widest(collection))


def widest(collection: Collection) -> Collection:
    """What a collection is selected from, if it is, by conditions."""
    while _is_cut(collection):
        match collection:
            case UseCollection(collection=inner) | Filtered(binder=Binder(collection=inner)):
                collection = inner
    return collection


def _is_cut(collection: Collection) -> bool:
    """Whether it is a selection by a condition, perhaps with a name."""
    if isinstance(collection, UseCollection):
        return _is_cut(collection.collection)
    return type(collection) is Filtered


def _lacks_rows(rules: Rules, collection: Collection) -> bool:
    return isinstance(collection, OfType) and bool(getattr(rules.types.get(collection.decl), "without", None))


def _is_seen(rules: Rules, zone: Collection) -> bool:
    """Whether a seat that chooses sees the pieces of a zone."""
    if not isinstance(zone, InZone):
        return False
    seen = rules.zones[zone.zone].seen_by
    return seen == "all" or (seen == "owner" and isinstance(zone.of, Special) and zone.of.what == "me")


class _Splitter:
    """Splits conditions of one ruleset, for a number of seats."""

    def __init__(self, rules: Rules, seats: int = 0) -> None:
        self.rules, self.seats = rules, seats

    def within(self, asked: Expr, at: _Place) -> list[Reason]:
        """The parts of a condition as a line states it, each within what it is a part of."""
        if isinstance(asked, Both) and asked.op == "and":
            return [*self.within(asked.left, at), *self.within(asked.right, at)]
        return self.of(asked, True, replace(at, within=(_one_line(asked),)))

    def of(self, asked: Expr, wanted: bool, at: _Place) -> list[Reason]:
        """The parts of a condition that should hold, or, if it is not `wanted`, should not."""
        whole = asked if wanted else Neg(FLAG, asked.span, asked)
        text = _one_line(asked) if wanted else f"not ({_one_line(asked)})"
        while isinstance(asked, Neg):
            asked, wanted = asked.operand, not wanted
        parts = self._parts(asked, wanted, at)
        if len(parts) == 1 and parts[0].asked in (asked, Neg(FLAG, asked.span, asked)):
            return [replace(parts[0], asked=whole, text=text)]
        return parts

    def _parts(self, asked: Expr, wanted: bool, at: _Place) -> list[Reason]:
        match asked:
            case Const(value=value) if bool(value) is wanted:
                return []
            case Both(op=op, left=left, right=right) if (op == "and") is wanted:
                return [*self.of(left, wanted, at), *self.of(right, wanted, at)]
            case UseValue() | Cond():
                return self._of_definition(asked, wanted, at)
            case IsIn(item=item, collection=collection) if wanted and _is_cut(collection):
                return self.membership(item, collection, at)
            case FoldOf(kind="all") if wanted:
                return [self._of_all(asked, at)]
            case Cmp(left=UseValue() as use) | Cmp(right=UseValue() as use):
                return self._of_number(asked, use, wanted, at)
        return [self._leaf(asked, wanted, at)]

    def _leaf(self, asked: Expr, wanted: bool, at: _Place) -> Reason:
        said = asked if wanted else Neg(FLAG, asked.span, asked)
        written = _one_line(asked)
        text = written if wanted else f"not ({written})"
        clauses = at.own or (() if at.line else self._below(asked)) or at.outer
        sides = sides_of(self.rules.values, said)
        return Reason(said, text, said, sides, _unique((*at.line, *clauses)), at.within)

    def _of_number(self, asked: Cmp, use: UseValue, wanted: bool, at: _Place) -> list[Reason]:
        """A comparison with a number that has a name: also the clauses of the case of it that applies."""
        value = self.rules.values[use.value]
        cases = self._cases(use) if not value.modifiers else ()
        leaf = self._leaf(asked, wanted, at)
        if not any(case.clauses for case in cases[1:]):
            if at.line or at.own:
                return [leaf]
            own = cases[0].clauses if len(cases) == 1 else ()
            return [replace(leaf, clauses=_unique((*leaf.clauses, *value.clauses, *own)))]
        reasons: list[Reason] = []
        before: list[Expr] = []
        for case in cases:
            cited = replace(leaf, clauses=_unique((*leaf.clauses, *case.clauses)))
            reasons += _where(before, case.condition, asked, wanted, [cited])
            before += [case.condition] if case.condition is not None else []
        return reasons

    # ---- values

    def _of_definition(self, asked: UseValue | Cond, wanted: bool, at: _Place) -> list[Reason]:
        marks = self.rules.values[asked.value].clauses if isinstance(asked, UseValue) else ()
        cases = self._cases(asked)
        if not cases:
            return [self._leaf(asked, wanted, replace(at, own=marks or at.own))]
        if isinstance(asked, UseValue):
            at = replace(at, within=(*at.within, *at.own, *marks, _one_line(asked)))
        if len(cases) > 1:
            inner = replace(at, own=() if marks else at.own, outer=marks or at.outer)
            return self._of_cases(asked, cases, wanted, inner)
        own = _unique((*marks, *cases[0].clauses))
        inner = replace(at, own=own, outer=at.own or at.outer) if own else at
        parts = self.of(cases[0].value, wanted, inner)
        return [self._named(asked, wanted, parts[0], at)] if len(parts) == 1 else parts

    def _named(self, asked: Expr, wanted: bool, part: Reason, at: _Place) -> Reason:
        """A part that is all that a name stands for is said by its name, unless it has parts itself."""
        inner = part.asked.operand if isinstance(part.asked, Neg) else part.asked
        if part.parts or isinstance(inner, Both | UseValue):
            return part
        named = self._leaf(asked, wanted, at)
        return replace(named, clauses=part.clauses, within=(*part.within, part.text))

    def _cases(self, asked: UseValue | Cond) -> tuple[_SplitCase, ...]:
        """The cases of a condition, as they apply; none if it cannot be looked into."""
        if isinstance(asked, Cond):
            return (_SplitCase(asked.condition, asked.then), _SplitCase(None, asked.otherwise))
        value = self.rules.values[asked.value]
        given: dict[Var, Expr] = dict(zip(value.parameters, asked.arguments, strict=True))
        for let in value.lets:
            given[let.var] = instantiate(let.value, given)
        cases: list[_SplitCase] = []
        lines: tuple[Modifier | ValueCase, ...] = (*value.modifiers, *value.cases)
        for line in lines:
            case = _case(
                line,
                given if isinstance(line, ValueCase) else given | _renamed(line, value.parameters, given),
            )
            if not _is_small(case):
                return ()
            cases.append(case)
            if case.condition is None:
                break
        return tuple(cases)

    def _of_cases(self, asked: Expr, cases: tuple[_SplitCase, ...], wanted: bool, at: _Place) -> list[Reason]:
        """Of each case the parts that can make the condition fail where the case applies."""
        reasons: list[Reason] = []
        before: list[Expr] = []
        for i, case in enumerate(cases):
            own = case.condition
            inner = replace(at, own=case.clauses, outer=at.own or at.outer) if case.clauses else at
            if not isinstance(case.value, Const):
                parts = self.of(case.value, wanted, inner)
                reasons += _where(before, own, case.value, wanted, parts)
            elif bool(case.value.value) is not wanted:
                if own is not None:
                    parts, test = self.of(own, False, inner), own
                    reasons += _where(before, None, test, False, parts)
                else:
                    reasons += self._of_the_last(asked, cases[:i], wanted, inner)
            if own is not None:
                before.append(own)
        return reasons

    def _of_the_last(
        self, asked: Expr, cases: tuple[_SplitCase, ...], wanted: bool, at: _Place
    ) -> list[Reason]:
        """Of a last case that fails in any case: that one of the others should have applied."""
        good = [
            case
            for case in cases
            if case.condition is not None
            and not (isinstance(case.value, Const) and bool(case.value.value) is not wanted)
        ]
        tests = [case.condition for case in cases if case.condition is not None]
        if not good:
            leaf = self._leaf(asked, wanted, at)
            return _where(tests, None, asked, wanted, [leaf])
        either = good[0].condition
        assert either is not None
        for case in good[1:]:
            assert case.condition is not None
            either = Both(FLAG, case.condition.span, "or", either, case.condition)
        marks = _unique(mark for case in good for mark in case.clauses)
        at = at if at.own or not marks else replace(at, own=marks)
        parts = self.of(either, True, at)
        if len(good) > 1:
            text = " or ".join(_one_line(case.condition) for case in good if case.condition is not None)
            parts = [replace(part, text=text) for part in parts]
        return _where(tests, None, either, True, parts)

    # ---- collections

    def _of_all(self, asked: FoldOf, at: _Place) -> Reason:
        """That all hold: for the first value for which the body does not, the parts of the body."""
        whole = self._leaf(asked, True, at)
        var = asked.binder.var
        if not is_told_of(asked.binder):
            return whole
        first = first_broken(asked.binder, asked.body)
        shown = Side(Read(var.type, var.span, var), first)
        parts = [_for(part, var, first, shown) for part in self.of(asked.body, True, at)]
        return whole if len(parts) == 1 and not parts[0].parts else replace(whole, parts=tuple(parts))

    def membership(self, item: Expr, collection: Collection, at: _Place) -> list[Reason]:
        """What a value must meet to be in a collection."""
        match collection:
            case UseCollection(value=name, collection=inner):
                marks = self.rules.collections[name].clauses
                at = replace(at, within=(*at.within, *at.own, *marks, _one_line(collection)))
                return self.membership(item, inner, replace(at, own=marks) if marks else at)
            case Filtered(binder=Binder(var=var, collection=inner, where=where)) if (
                type(collection) is Filtered
            ):
                outer = self.membership(item, inner, at)
                return [
                    *outer,
                    *(self.of(instantiate(where, {var: item}), True, at) if where is not None else ()),
                ]
            case OfType() if not _lacks_rows(self.rules, collection):
                return []
        leaf = self._leaf(IsIn(FLAG, collection.span, item, collection), True, at)
        if not isinstance(collection, OfType):
            return [replace(leaf, text=f"{_one_line(item)} in {_one_line(collection)}")]
        kind = self.rules.types[collection.decl]
        marks = kind.without_clauses.get(self.seats, kind.clauses) or leaf.clauses
        return [replace(leaf, text=f"{_one_line(item)} is in play with {self.seats} seats", clauses=marks)]

    # ---- clauses

    def _below(self, asked: Any) -> tuple[str, ...]:
        """The clauses of what a condition uses that has a name."""
        clauses: dict[str, None] = {}
        for part in walk(asked, enter=lambda part: not self._marks(part)):
            clauses |= dict.fromkeys(self._marks(part))
        return tuple(islice(clauses, MOST_CITED))

    def _marks(self, part: Any) -> tuple[str, ...]:
        match part:
            case UseValue(value=name, type=FlagType()):
                value = self.rules.values[name]
                inside = (mark for case in value.cases for mark in case.clauses or self._below(case.value))
                return value.clauses or _unique(inside)
            case UseCollection(value=name):
                return self.rules.collections[name].clauses
            case LookUp(table=name):
                return self.rules.tables[name].clauses
            case CanDo(target=DoRoutine(routine=name)):
                return self.rules.routines[name].clauses
        return ()


def _where(
    before: list[Expr], given: Expr | None, test: Expr, wanted: bool, parts: list[Reason]
) -> list[Reason]:
    """The parts of a case, tested where it applies: none of `before` holds, and `given` does."""
    if not before and given is None:
        return parts
    told = () if given is None or isinstance(given, Const) else (Side(given, given, asks=True),)
    parts = [replace(part, sides=_with(told, part.sides)) for part in parts]
    if not parts:
        return []
    if len(parts) == 1:
        return [replace(parts[0], holds=_guarded(before, given, parts[0].holds))]
    said = test if wanted else Neg(FLAG, test.span, test)
    text = _one_line(test) if wanted else f"not ({_one_line(test)})"
    clauses = _unique(mark for part in parts for mark in part.clauses)
    whole = Reason(said, text, _guarded(before, given, said), told, clauses, parts[0].within, tuple(parts))
    return [whole]


def _guarded(before: list[Expr], given: Expr | None, holds: Expr) -> Expr:
    """A test that holds anyway where its case does not apply."""
    true = Const(FLAG, holds.span, 1)
    if given is not None:
        holds = Cond(FLAG, holds.span, given, holds, true)
    for other in reversed(before):
        holds = Cond(FLAG, holds.span, other, true, holds)
    return holds


def _with(told: tuple[Side, ...], sides: tuple[Side, ...]) -> tuple[Side, ...]:
    shown = {side.shown.span.text for side in sides}
    return (*(side for side in told if side.shown.span.text not in shown), *sides)


def _for(part: Reason, var: Var, first: Expr, shown: Side) -> Reason:
    """A part of what is asked of each value, tested for the first for which it does not hold."""
    sides = tuple(replace(side, value=instantiate(side.value, {var: first})) for side in part.sides)
    return replace(
        part,
        holds=instantiate(part.holds, {var: first}),
        sides=_with((shown,), sides),
        parts=tuple(_for(inner, var, first, shown) for inner in part.parts),
    )


def _case(line: ValueCase | Modifier, given: dict[Var, Expr]) -> _SplitCase:
    value = line.value if isinstance(line, ValueCase) else line.amount
    condition = instantiate(line.condition, given) if line.condition is not None else None
    return _SplitCase(condition, instantiate(value, given), line.clauses)


def _renamed(line: Modifier, parameters: tuple[Var, ...], given: dict[Var, Expr]) -> dict[Var, Expr]:
    """What the parameters of a modifier stand for: those of its value."""
    return {own: given[theirs] for own, theirs in zip(line.parameters, parameters, strict=False)}


def _is_small(case: _SplitCase) -> bool:
    return sum(1 for _ in islice(walk((case.condition, case.value)), MOST_PARTS + 1)) <= MOST_PARTS


def _unique(marks: Iterable[str]) -> Clauses:
    return tuple(dict.fromkeys(marks))


def _one_line(node: Expr | Collection) -> str:
    return " ".join(node.span.text.split())
