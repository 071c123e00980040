"""Static visibility: what a condition reads that is hidden, by the declarations alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dsl import rules as r
from dsl.frozen import dataclass
from dsl.rules.visit import children, walk
from dsl.source import Span


@dataclass(frozen=True)
class Asker:
    """The viewer of a condition: the acting seat, a seat `who` that is asked, or everybody.

    `others` are variables that may be another seat than the acting one, `apart` those that certainly are;
    `own` those that are the asked seat.
    """

    who: r.Expr | None = None
    everybody: bool = False
    others: frozenset[r.Var] = frozenset()
    own: frozenset[r.Var] = frozenset()
    apart: frozenset[r.Var] = frozenset()

    def is_another(self, e: Any) -> bool:
        """Whether an expression or collection may be another seat than the viewer."""
        if self.everybody:
            return True
        match e:
            case r.Special(what=what):
                asked = self.who.what if isinstance(self.who, r.Special) else "me"
                return what != asked if self.who is not None else what == "opponent"
            case r.Read(var=var):
                return var not in self.own if self.who is not None else var in self.others
            case r.ReadStateVar() | r.Successor() | r.PickOf():
                return True
        return self.who is not None or isinstance(e, r.Opponents)

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
        others = others_in(value.parts) | {v for v, a in given if self.is_another(a)}
        own = frozenset(v for v, a in given if not self.is_another(a))
        apart = apart_in(value.parts) | {v for v, a in given if self.is_apart(a)}
        return replace(self, others=others, own=own, apart=apart)


def looks(
    rules: r.Rules, node: Any, asker: Asker, inside: frozenset[str] = frozenset()
) -> Iterator[tuple[str, Span]]:
    """The zones, counters, marks and pointers that a condition reads unseen by the asker, with spans."""
    match node:
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
        case r.Empty(collection=r.InZone() as collection) | r.SizeOf(collection=r.InZone() as collection):
            yield from _uncounted(rules, collection, asker)
            return
        case r.Empty() | r.SizeOf():
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
