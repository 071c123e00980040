"""Collections: what can be chosen from, gone through, counted."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dsl import rules as r
from dsl.domains import Elem
from rulewright.prose.english import listed
from rulewright.prose.names import Noun
from rulewright.prose.nominals import Described, Joined, Listed, Things, narrowed
from rulewright.prose.stores import Stores


class Collections(Stores):
    """The part of saying that deals with collections. `Expressions` completes it."""

    # ---- completed by Expressions

    def clauses(self, node: r.Expr, so: bool = True, among: bool = False) -> list[str]:
        raise NotImplementedError

    def condition_not(self, node: r.Expr) -> str:
        return listed(self.clauses(node, False))

    # ---- collections

    def group(self, node: r.Group) -> Described:
        node = self.folding.group(node)
        match node:
            case r.InZone():
                return self.zone(node)
            case r.OfType(decl=decl):
                return Things(self.lexicon.noun(decl), person=decl == "seat")
            case r.Interval():
                return self._interval(node)
            case r.Items(items=items):
                return Listed(tuple(self.expr(x) for x in items), person=node.item == Elem("seat"))
            case r.Sum(parts=parts):
                return self._joined(node, parts)
            case r.Those(binder=binder):
                return self.bound(binder)
            case r.Prefix():
                return self._prefix(node)
            case r.Either():
                return self._either(node)
            case r.Opponents():
                return self._opponents()
            case r.Neighbours():
                noun = self._noun(node.item)
                return Things(noun, after=f" next to {self.expr(node.operand)}")
            case r.Ray():
                way = self.expr(node.direction)
                return Things(self._noun(node.item), after=f" in {way_of(way)} from {self.expr(node.place)}")
            case r.Spread():
                return self._spread(node)
        assert_never(node)

    def _noun(self, kind: object) -> Noun:
        assert isinstance(kind, Elem)
        return self.lexicon.noun(kind.type)

    def _interval(self, node: r.Interval) -> Things:
        numbers = Noun("number", "numbers")
        return Things(numbers, after=f" from {self.expr(node.low)} to {self.expr(node.high)}")

    def _joined(self, node: r.Sum, parts: tuple[r.Group, ...]) -> Described:
        """All zones of a component together are simply its pieces."""
        zones = [p.zone for p in parts if isinstance(p, r.InZone) and p.of is None and p.at is None]
        if len(zones) == len(parts) and zones:
            component = self.rules.zones[zones[0]].component
            if all(z.name in zones for z in self.rules.zones.values() if z.component == component):
                return Things(self.lexicon.noun(component))
        return Joined(tuple(self.group(p) for p in parts))

    def _prefix(self, node: r.Prefix) -> Described:
        """The longest beginning for which a condition holds."""
        found = self.bound(node.binder)
        match self.folding.expr(node.condition):
            case r.Cmp(op="is not", left=r.Read(var=var), right=end) if var is node.binder.var:
                return found.such(f" before {self.expr(end)}")
        with self.marked(node.binder.var) as mark:
            first = narrowed(mark, Things(Noun("one", "ones")), [self.condition_not(node.condition)])
        return found.such(f", but only those before the first {first.some().removeprefix('a ')},")

    def _either(self, node: r.Either) -> Described:
        condition = listed(self.clauses(node.condition))
        then, otherwise = self.group(node.then), self.group(node.otherwise)
        return Joined((then.such(f" (if {condition})"), otherwise.such(" (otherwise)")))

    def _opponents(self) -> Described:
        setting = self.folding.setting
        if setting.playing == 2 or self.rules.seats[1] == 2:
            return Listed(("your opponent",), person=True, noun=Noun("player", "players"))
        return Things(Noun("other player", "other players"), person=True)

    def _spread(self, node: r.Spread) -> Described:
        start, through = self.group(node.start).some(), self.group(node.through).many()
        after = f" that can be reached from {start}, step by step, over {through},"
        return Things(self._noun(node.item), after=after)

    # ---- binders

    def bound(self, binder: r.Binder) -> Described:
        """The values of a binder, with its condition."""
        binder = self.folding.tree(binder)
        found = self.group(binder.group)
        named = isinstance(binder.group, r.Interval) and binder.var.name in self.lexicon.nouns
        if named and isinstance(found, Things):
            found = replace(found, noun=self.lexicon.noun(binder.var.name))
        if binder.where is None:
            return found
        with self.marked(binder.var) as mark:
            return narrowed(mark, found, self.clauses(binder.where))


def way_of(way: str) -> str:
    return way if way.startswith(("the ", "that ")) or not way[:1].isalpha() else f"the direction {way}"
