"""What is asked of a value and the first of a collection that meets a condition, as a beginning.

let stop = first(y in ray(here, way) where blocked(y))
x in ray(here, way) and (stop is none or distance(here, x) < distance(here, stop))
x in those(y in ray(here, way) while not blocked(y))

Tables say whether what is asked holds for those values that come before the first one, for that itself, and
for those behind it. If it is the same everywhere, it says where a value lies, however that is put.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import cast

from dsl.domains import NONE
from interpreter.ir.cfg import owners
from interpreter.ir.chosen_words import chosen_words
from interpreter.ir.expressions import (
    Best,
    Const,
    Contains,
    Expr,
    Filtered,
    Fold,
    Let,
    Linked,
    Local,
    Op,
    Prefix,
    Reg,
    Values,
)
from interpreter.ir.flood_rules import is_settled
from interpreter.ir.fold import both, conjuncts, negation
from interpreter.ir.known_columns import NotByTables, column_of
from interpreter.ir.nodes import Decide, Step
from interpreter.ir.program import Machine
from interpreter.ir.visit import Part, bound_by, free_registers, mapped, reads_register, walk

MOST_ROWS = 1 << 16
"""Values and first ones of which tables are asked."""
Among = Mapping[Expr, Sequence[int]]
"""The values that registers and words of the frame may have."""


def firsts_as_beginnings(mc: Machine) -> Machine:
    """The same machine with conditions in this form."""
    firsts = [any(isinstance(x, Best) and x.first for x in walk(node)) for node in mc.nodes]
    if not any(firsts):
        return mc
    chosen = chosen_words(mc)

    def changed(node: Step, owner: int) -> Step:
        words = dict[Expr, Sequence[int]]()
        for (routine, slot), (lo, hi) in chosen.items():
            if routine == owner:
                words[Local(slot)] = range(lo, hi + 1)
        return mapped(node, _Places(mc, words).within(node).rewritten)

    pairs = zip(mc.nodes, owners(mc), firsts, strict=True)
    return mc.with_nodes(changed(node, owner) if there else node for node, owner, there in pairs)


@dataclass(frozen=True)
class _Places:
    """Where values lie: of which words and registers it is known what they may be."""

    mc: Machine
    among: Among

    def rewritten(self, part: Part) -> Part:
        part = mapped(part, self.within(part).rewritten)
        match part:
            case Let(value=Best(first=True, keys=(), source=Linked()) as first):
                found = self._located(part, first)
                return part if found is None else found
        return part

    def within(self, part: Part | Step) -> _Places:
        """The same inside a part, which may bind a register."""
        bound = bound_by(part)
        if not bound:
            return self
        among = {e: values for e, values in self.among.items() if e not in {Reg(reg) for reg in bound}}
        match part:
            case (
                Fold(reg=reg, source=source)
                | Filtered(reg=reg, source=source)
                | Decide(reg=reg, source=source)
            ):
                if isinstance(source, Values):
                    among[Reg(reg)] = source.values
                elif isinstance(source, Linked):
                    among[Reg(reg)] = sorted({v for row in source.links for v in row})
        return _Places(self.mc, among)

    def _located(self, let: Let, first: Best) -> Expr | None:
        """What is asked behind the name of a first value, without it."""
        rays, where = first.source, first.where
        assert isinstance(rays, Linked)
        if where is None:
            return None
        values = dict[int, Sequence[int]](dict.fromkeys(free_registers(where), (NONE,)))
        values[first.reg] = sorted({v for row in rays.links for v in row})
        parts = conjuncts(let.body)
        named = [i for i, part in enumerate(parts) if reads_register(part, let.reg)]
        if not named or named[-1] - named[0] >= len(named) or not is_settled(self.mc, where, "", values):
            return None
        before, behind = parts[: named[0]], parts[named[-1] + 1 :]
        asked = reduce(both, parts[named[0] : named[-1] + 1])
        for part in [*before, *conjuncts(asked)]:
            match part:
                case Contains(item=Reg() | Local() as item, source=source) if source == rays:
                    place = self._place(asked, rays, item, Reg(let.reg))
                    if place is not None:
                        beginning = Contains(item, Prefix(first.reg, rays, negation(where)))
                        up_to = Contains(item, Prefix(first.reg, rays, where, until=True))
                        located = [*before, _by_place(place, beginning, up_to), *behind]
                        return reduce(both, (x for x in located if x != part or place[2]))
        return None

    def _place(self, asked: Expr, rays: Linked, item: Expr, stop: Expr) -> tuple[bool, ...] | None:
        """Whether a condition holds before the first value, for it, and behind it, if that is all it asks."""
        read = {x for x in walk((asked, rays.index)) if isinstance(x, Reg | Local)} - {item, stop}
        names = [cast(Expr, x) for x in read if x in self.among]
        rows, places = dict[Expr, list[int]]({e: [] for e in (*names, item, stop)}), list[int]()
        try:
            for row, given in self._rays(rays, names):
                for i, j in product(range(len(row)), range(len(row) + 1)):
                    for e, value in zip(names, given, strict=True):
                        rows[e].append(value)
                    rows[item].append(row[i])
                    rows[stop].append(row[j] if j < len(row) else NONE)
                    places.append((i >= j) + (i > j))
                if len(places) > MOST_ROWS:
                    return None
            holds = column_of(asked, rows, len(places))
        except NotByTables:
            return None
        found = [{bool(x) for x, at in zip(holds, places, strict=True) if at == place} for place in range(3)]
        return tuple(x.pop() for x in found) if all(len(x) == 1 for x in found) else None

    def _rays(self, rays: Linked, names: Sequence[Expr]) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
        """Each row with the values of names for which it is meant."""
        for given in product(*(self.among[e] for e in names)):
            at = column_of(rays.index, {e: (v,) for e, v in zip(names, given, strict=True)}, 1)[0] - rays.lo
            if not 0 <= at < len(rays.links):
                raise NotByTables
            row = rays.links[at]
            if len(set(row)) < len(row):
                raise NotByTables
            yield row, given


def _by_place(place: tuple[bool, ...], beginning: Expr, up_to: Expr) -> Expr:
    """The condition that holds before the first value, for it, and behind it, as given."""
    before, at, behind = place
    if before == at == behind:
        return Const(int(before))
    if behind:
        return negation(_by_place((not before, not at, False), beginning, up_to))
    if at:
        return up_to if before else Op("and", up_to, negation(beginning))
    return beginning
