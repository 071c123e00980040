"""Zones, counters, marks and pointers."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.rules import Counter, Mark, Pointer, Store, Zone
from validators.diff.kinds import Facet, Kind, said
from validators.diff.names import apart
from validators.diff.sides import Side


def _address(side: Side, store: Store) -> Iterator[Facet]:
    for what, index in (("of", store.of), ("at", store.at)):
        if index is not None:
            yield Facet(what, side.names.name(index), index)


def _lifetime(side: Side, store: Store) -> Iterator[Facet]:
    if store.lasts is not None:
        yield Facet("lasts", apart(side.names, "phase", store.lasts), store.lasts)
    if store.shared is not None:
        yield said("shared", store.shared)


def _zone(side: Side, zone: Zone) -> Iterator[Facet]:
    yield said("seen by", zone.seen_by)
    yield said("counted by", zone.counted_by)
    yield Facet("holds", side.names.name(zone.component), zone.component)
    yield from _address(side, zone.store)
    yield said("size", zone.size if zone.size is not None else "no limit")
    yield said("order", zone.order)
    if zone.blank:
        yield said("shows", "nothing")
    if zone.start:
        yield said("start", "all")
    if zone.refill is not None:
        yield Facet("refill", side.names.name(zone.refill), zone.refill)
    yield from _lifetime(side, zone.store)


def _counter(side: Side, counter: Counter) -> Iterator[Facet]:
    yield from _by_index(side, counter, "range", [f"{lo}..{hi}" for lo, hi in counter.ranges])
    yield from _by_index(side, counter, "start", [str(value) for value in counter.start])
    yield from _address(side, counter.store)
    if counter.bank is not None:
        yield Facet("bank", side.names.name(counter.bank), counter.bank)
    if counter.paid_anyway:
        yield said("short", "paid anyway")
    yield said("at edge", counter.at_edge)
    yield from _lifetime(side, counter.store)


def _by_index(side: Side, counter: Counter, what: str, values: list[str]) -> Iterator[Facet]:
    """One for all, or one for each value of the index that counts."""
    index = counter.store.at or counter.store.of
    if index is None or len(set(values)) == 1:
        yield said(what, values[0])
        return
    for label, value in zip(side.labels(index), values, strict=False):
        yield said(f"{what} at {side.today(index, label)}", value)


def _mark(side: Side, mark: Mark) -> Iterator[Facet]:
    yield from _address(side, mark.store)
    yield from _lifetime(side, mark.store)


def _pointer(side: Side, pointer: Pointer) -> Iterator[Facet]:
    yield Facet("to", side.names.name(pointer.to), pointer.to)
    yield Facet("start", side.element(pointer.to, pointer.start), _start(side, pointer))
    yield from _address(side, pointer.store)
    yield from _lifetime(side, pointer.store)


def _start(side: Side, pointer: Pointer) -> str:
    decl = side.rules.types[pointer.to]
    return decl.label(pointer.start) if decl.lo <= pointer.start <= decl.hi else "none"


def _clauses(side: Side, decl: Zone | Counter | Mark | Pointer) -> tuple[str, ...]:
    return decl.store.clauses


ZONES = Kind(
    "zones",
    lambda *_: "zone",
    lambda rules: rules.zones,
    _zone,
    clauses=_clauses,
    span=lambda zone: zone.store.span,
)
COUNTERS = Kind(
    "stores",
    lambda *_: "counter",
    lambda rules: rules.counters,
    _counter,
    clauses=_clauses,
    span=lambda counter: counter.store.span,
)
MARKS = Kind(
    "stores",
    lambda *_: "mark",
    lambda rules: rules.marks,
    _mark,
    clauses=_clauses,
    span=lambda mark: mark.store.span,
)
POINTERS = Kind(
    "stores",
    lambda *_: "pointer",
    lambda rules: rules.pointers,
    _pointer,
    clauses=_clauses,
    span=lambda pointer: pointer.store.span,
)
