"""Static visibility: what a condition reads that is hidden, by the declarations alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any, TypeAlias

from dsl import rules as r
from dsl.domains import EnumType
from dsl.frozen import dataclass
from dsl.rules.visit import children, walk
from dsl.source import Span

Locals: TypeAlias = Mapping[r.Var, tuple[Any, ...]]
"""What local variables can stand for: expressions, collections and binders."""


@dataclass(frozen=True)
class Asker:
    """The viewer of a condition: the acting seat, a seat `who` that is asked, or everybody.

    `others` are variables that may be another seat than the acting one, `apart` those that certainly are;
    `own` those that are the asked seat. `values` are the values of the rules, `locals` what local variables
    can stand for.
    """

    who: r.Expr | None = None
    everybody: bool = False
    others: frozenset[r.Var] = frozenset()
    own: frozenset[r.Var] = frozenset()
    apart: frozenset[r.Var] = frozenset()
    values: Mapping[str, r.Value] = field(default_factory=dict)
    locals: Locals = field(default_factory=dict)

    def is_another(self, e: Any) -> bool:
        """Whether an expression or collection may be another seat than the viewer."""
        if self.everybody:
            return True
        match e:
            case r.Special(what=what):
                asked = self.who.what if isinstance(self.who, r.Special) else "me"
                return what != asked if self.who is not None else what == "opponent"
            case r.Read(var=var) if self.who is not None:
                return var not in self.own
            case r.Read(var=var):
                known = replace(self, locals={v: given for v, given in self.locals.items() if v is not var})
                return var in self.others or any(map(known.is_another, self.locals.get(var, ())))
            case r.Cond(then=then, otherwise=otherwise) | r.Either(then=then, otherwise=otherwise):
                return self.is_another(then) or self.is_another(otherwise)
            case r.UseValue(value=name, arguments=arguments) if name in self.values:
                value = self.values[name]
                left = {other: found for other, found in self.values.items() if other != name}
                there = replace(self.within(value, arguments), values=left)
                return any(there.is_another(one) for one in results(value))
            case r.Binder(collection=collection):
                return self.is_another(collection)
        if self.who is not None or isinstance(e, r.Opponents):
            return True
        kind = getattr(e, "type", None) or getattr(e, "item", None)
        return isinstance(kind, EnumType) and kind.type == "seat"

    def is_apart(self, e: Any) -> bool:
        """Whether an expression or collection is certainly other seats than the acting one."""
        if self.everybody or self.who is not None:
            return False
        match e:
            case r.Special(what=what):
                return what == "opponent"
            case r.Read(var=var):
                return var in self.apart
        return isinstance(e, r.Opponents)

    def within(self, value: r.Value, arguments: tuple[r.Expr, ...]) -> Asker:
        """The same viewer within a value that is called with these arguments."""
        given = list(zip(value.parameters, arguments, strict=False))
        others = self.others | others_in(value.parts) | {v for v, a in given if self.is_another(a)}
        own = frozenset(v for v, a in given if not self.is_another(a))
        apart = self.apart | apart_in(value.parts) | {v for v, a in given if self.is_apart(a)}
        return replace(self, others=others, own=own, apart=apart)


def results(value: r.Value) -> Iterator[r.Expr]:
    """The expressions of which one is what a value is."""
    yield from (case.value for case in value.cases)
    yield from (modifier.amount for modifier in value.modifiers)


def locals_of(rules: r.Rules) -> Locals:
    """What the local variables of routines and triggers can stand for: what is assigned, drawn, gone through.

    A parameter that is given stands for what its callers give. What somebody has chosen is known to all.
    """
    found: defaultdict[r.Var, list[Any]] = defaultdict(list)
    bodies = (*(x.block for x in rules.routines.values()), *(x.block for x in rules.triggers))
    for part in walk(bodies):
        match part:
            case r.SetVar(var=var, value=value):
                found[var].append(value)
            case r.For(binder=binder):
                found[binder.var].append(binder)
            case r.MoveCount(name=var, to=to) if var is not None:
                found[var].append(to)
            case r.CallLine(routine=name, arguments=arguments):
                for parameter, argument in zip(rules.routines[name].parameters, arguments, strict=False):
                    found[parameter.var].append(argument)
            case r.DoRoutine(routine=name, arguments=arguments):
                for parameter, argument in zip(rules.routines[name].parameters, arguments, strict=False):
                    found[parameter.var].append(argument)
    return {var: tuple(given) for var, given in found.items()}


def looks(
    rules: r.Rules, node: Any, asker: Asker, inside: frozenset[str | r.Var] = frozenset()
) -> Iterator[tuple[str, Span]]:
    """The zones, counters, marks and pointers that a condition reads unseen by the asker, with spans.

    It follows values and what locals stand for.
    """
    match node:
        case r.Read(var=var) | r.HeldSet(var=var) if var not in inside:
            for given in asker.locals.get(var, ()):
                yield from looks(rules, given, asker, inside | {var})
            return
        case r.ReadStateVar(name=name, of=of, span=span) if name in rules.hidden_words:
            if _is_unseen(rules.hidden_words[name], of, asker):
                yield name, span
        case r.SlotPiece(zone=r.InZone(of=of, at=at)) if rules.is_open_top(node):
            for index in (of, at):
                yield from looks(rules, index, asker, inside)
            return
        case r.InZone(zone=name, span=span):
            if _hidden(rules, node, asker):
                yield name, span
            return
        case r.Empty(collection=collection) | r.SizeOf(collection=collection) if zones := counted(collection):
            for zone in zones:
                yield from _uncounted(rules, zone, asker)
            return
        case r.AnyOf(binder=r.Binder(collection=r.InZone() as collection, where=None)):
            yield from _uncounted(rules, collection, asker)
            return
        case r.UseValue(value=name, arguments=arguments) if name not in inside:
            value = rules.values[name]
            there = asker.within(value, arguments)
            yield from looks(rules, value.parts, there, inside | {name})
    for part in children(node):
        yield from looks(rules, part, asker, inside)


def counted(collection: Any) -> tuple[r.InZone, ...]:
    """The places whose pieces are counted where a collection is; none if it reads more of them."""
    match collection:
        case r.InZone():
            return (collection,)
        case r.Sum(parts=parts):
            found = [counted(part) for part in parts]
            return tuple(zone for zones in found for zone in zones) if all(found) else ()
    return ()


def _hidden(rules: r.Rules, collection: r.InZone, asker: Asker) -> bool:
    """Whether the asker may not see a zone's pieces."""
    zone = rules.zones.get(collection.zone)
    return zone is not None and _is_unseen(zone.seen_by, collection.of, asker)


def _is_unseen(sight: r.Sight, of: Any, asker: Asker) -> bool:
    """Whether the asker may not be among those who see what belongs to a seat."""
    if sight in ("owner", "team"):
        return of is None or asker.is_another(of)
    if sight == "others":
        return not asker.is_apart(of)
    return sight != "all"


def _uncounted(rules: r.Rules, collection: r.InZone, asker: Asker) -> Iterator[tuple[str, Span]]:
    """A zone whose number of pieces is read, if the asker may not count them."""
    zone = rules.zones.get(collection.zone)
    if zone is None or "all" in (zone.seen_by, zone.counted_by) or not _hidden(rules, collection, asker):
        return
    if _is_unseen(zone.counted_by, collection.of, asker):
        yield collection.zone, collection.span


def others_in(node: Any) -> frozenset[r.Var]:
    """The variables in a block that may be another seat than the acting one."""
    binders = (part for part in walk(node) if isinstance(part, r.Binder))
    return frozenset(b.var for b in binders if _any_seat(b.collection))


def apart_in(node: Any) -> frozenset[r.Var]:
    """The variables in a block that are certainly another seat than the acting one."""
    binders = (part for part in walk(node) if isinstance(part, r.Binder))
    return frozenset(b.var for b in binders if isinstance(b.collection, r.Opponents))


def _any_seat(collection: Any) -> bool:
    return isinstance(collection, r.Opponents) or (
        isinstance(collection, r.OfType) and collection.decl == "seat"
    )
