"""Comparison of zones, counters, marks and pointers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from dsl.rules import Counter, History, Mark, Pointer, Rules, StateVar, Zone
from dsl.rules.declarations import SCRATCH
from dsl.source import Span
from validators.diff.kinds import DeclKind, Facet, WrittenKind, facet
from validators.diff.names import apart
from validators.diff.version_view import VersionView


def _address(side: VersionView, var: StateVar) -> Iterator[Facet]:
    for what, index in (("of", var.of), ("at", var.at)):
        if index is not None:
            parts = side.rules.types[index].parts if index.startswith("(") else ()
            kinds = tuple(side.names.name(kind) for _, kind in parts)
            yield Facet(what, kinds or side.names.name(index), index)


def _lifetime(side: VersionView, var: StateVar) -> Iterator[Facet]:
    if var.lasts is not None:
        yield Facet("lasts", apart(side.names, "phase", var.lasts), var.lasts)
    if var.shared is not None:
        yield facet("shared", var.shared)


S = TypeVar("S", Zone, Counter, Mark, Pointer)


class StoreKind(DeclKind[S]):
    """Declarations of what a state holds."""

    section = "stores"

    def span(self, decl: S) -> Span | None:
        return decl.var.span

    def clauses(self, side: VersionView, decl: S) -> tuple[str, ...]:
        return decl.var.clauses


class Zones(StoreKind[Zone]):
    section = "zones"
    word = "zone"

    def found(self, rules: Rules) -> Mapping[str, Zone]:
        return rules.zones

    def facets(self, side: VersionView, decl: Zone) -> Iterator[Facet]:
        yield facet("seen by", decl.seen_by)
        yield facet("counted by", decl.counted_by)
        yield Facet("holds", side.names.name(decl.component), decl.component)
        yield from _address(side, decl.var)
        yield facet("size", decl.size if decl.size is not None else "no limit")
        yield facet("order", decl.order)
        if decl.blank:
            yield facet("shows", "nothing")
        if decl.start:
            yield facet("start", "all")
        if decl.refill is not None:
            yield Facet("refill", side.names.name(decl.refill), decl.refill)
        yield from _lifetime(side, decl.var)


class Counters(StoreKind[Counter]):
    word = "counter"

    def found(self, rules: Rules) -> Mapping[str, Counter]:
        return rules.counters

    def facets(self, side: VersionView, decl: Counter) -> Iterator[Facet]:
        yield from _by_index(side, decl, "range", [f"{lo}..{hi}" for lo, hi in decl.ranges])
        yield from _by_index(side, decl, "start", [str(value) for value in decl.start])
        yield from _address(side, decl.var)
        if decl.bank is not None:
            yield Facet("bank", side.names.name(decl.bank), decl.bank)
        if decl.paid_anyway:
            yield facet("short", "paid anyway")
        yield facet("at edge", decl.at_edge)
        yield from _sight(decl)
        yield from _lifetime(side, decl.var)


def _by_index(side: VersionView, counter: Counter, what: str, values: list[str]) -> Iterator[Facet]:
    """One facet for all, or one for each value of the index."""
    index = counter.var.at or counter.var.of
    if index is None or len(set(values)) == 1:
        yield facet(what, values[0])
        return
    for label, value in zip(side.labels(index), values, strict=False):
        yield facet(f"{what} at {side.new_label(index, label)}", value)


def _sight(decl: Counter | Mark | Pointer) -> Iterator[Facet]:
    if decl.seen_by != "all":
        yield facet("seen by", decl.seen_by)


class Marks(StoreKind[Mark]):
    word = "mark"

    def found(self, rules: Rules) -> Mapping[str, Mark]:
        return rules.marks

    def facets(self, side: VersionView, decl: Mark) -> Iterator[Facet]:
        yield from _address(side, decl.var)
        yield from _sight(decl)
        yield from _lifetime(side, decl.var)


class Pointers(StoreKind[Pointer]):
    word = "pointer"

    def found(self, rules: Rules) -> Mapping[str, Pointer]:
        return rules.pointers

    def facets(self, side: VersionView, decl: Pointer) -> Iterator[Facet]:
        yield Facet("to", side.names.name(decl.to), decl.to)
        yield Facet("start", side.element(decl.to, decl.start), _start(side, decl))
        yield from _address(side, decl.var)
        yield from _sight(decl)
        yield from _lifetime(side, decl.var)


class Histories(WrittenKind[History]):
    section = "stores"
    word = "history"

    def found(self, rules: Rules) -> Mapping[str, History]:
        return rules.histories

    def facets(self, side: VersionView, decl: History) -> Iterator[Facet]:
        names = tuple(side.names.name(part) for part in decl.parts)
        yield Facet("of", tuple(sorted(names)), ", ".join(decl.parts))
        yield facet("most", decl.most)
        if decl.is_scratch:
            yield facet("lasts", SCRATCH)


def _start(side: VersionView, pointer: Pointer) -> str:
    decl = side.rules.types[pointer.to]
    return decl.label(pointer.start) if decl.lo <= pointer.start <= decl.hi else "none"
