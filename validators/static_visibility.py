"""Which zones a tree of rules looks into that a seat does not see: by the declarations alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dsl import rules as r
from dsl.rules.visit import children, walk
from dsl.source import Span


@dataclass(frozen=True)
class Asker:
    """Whose eyes look: those of the acting seat, of a seat that is asked, or of everybody.

    `others` are names that stand for other seats than the acting one, or for any; `own` those that stand
    for a seat that is asked.
    """

    who: r.Expr | None = None
    everybody: bool = False
    others: frozenset[r.Var] = frozenset()
    own: frozenset[r.Var] = frozenset()

    def is_another(self, e: Any) -> bool:
        """Whether an expression or collection may be another seat than the one that looks."""
        if self.everybody:
            return True
        match e:
            case r.Special(what=what):
                asked = self.who.what if isinstance(self.who, r.Special) else "me"
                return what != asked if self.who is not None else what == "opponent"
            case r.Read(var=var):
                return var not in self.own if self.who is not None else var in self.others
        return self.who is not None or isinstance(e, r.Opponents)

    def within(self, value: r.Value, arguments: tuple[r.Expr, ...]) -> Asker:
        """The same eyes in the lines of a value that is given these arguments."""
        given = list(zip(value.parameters, arguments, strict=False))
        others = others_in((value.cases, value.modifiers)) | {v for v, a in given if self.is_another(a)}
        return replace(self, others=others, own=frozenset(v for v, a in given if not self.is_another(a)))


def looks(
    rules: r.Rules, node: Any, asker: Asker, inside: frozenset[str] = frozenset()
) -> Iterator[tuple[str, Span]]:
    """The zones into which a condition looks though the asker does not, and where it says so."""
    match node:
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
            yield from looks(rules, (value.cases, value.modifiers), there, inside | {name})
    for part in children(node):
        yield from looks(rules, part, asker, inside)


def _hidden(rules: r.Rules, collection: r.InZone, asker: Asker) -> bool:
    """Whether the asker is known not to see a zone's pieces."""
    zone = rules.zones.get(collection.zone)
    if zone is None or zone.seen_by == "all":
        return False
    return zone.seen_by != "owner" or collection.of is None or asker.is_another(collection.of)


def _uncounted(rules: r.Rules, collection: r.InZone, asker: Asker) -> Iterator[tuple[str, Span]]:
    """A zone of which it is asked how many pieces lie there, if the asker may not count them."""
    zone = rules.zones.get(collection.zone)
    if zone is None or "all" in (zone.seen_by, zone.counted_by) or not _hidden(rules, collection, asker):
        return
    if zone.counted_by != "owner" or collection.of is None or asker.is_another(collection.of):
        yield collection.zone, collection.span


def others_in(node: Any) -> frozenset[r.Var]:
    """The names in a block that stand for other seats than the one that acts, or for any seat."""
    binders = (part for part in walk(node) if isinstance(part, r.Binder))
    return frozenset(b.var for b in binders if _any_seat(b.collection))


def _any_seat(collection: Any) -> bool:
    return isinstance(collection, r.Opponents) or (
        isinstance(collection, r.OfType) and collection.decl == "seat"
    )
