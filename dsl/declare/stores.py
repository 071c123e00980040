"""Zones, counters, marks and pointers: where pieces lie and what is counted."""

from __future__ import annotations

from typing import Any, cast

from dsl.declare.kinds import value_of
from dsl.declare.world import World, interval, keys, mapping, needed, number, one_of, word
from dsl.diagnostics import Failed, did_you_mean
from dsl.document import Mapping, Node, Scalar
from dsl.domains import NONE
from dsl.messages import UnknownName, WrongShape
from dsl.rules import Counter, Mark, Pointer, Store, Zone

STORE = ("of", "at", "lasts", "shared", "clause")


def _store(world: World, name: Scalar, found: Mapping, what: str) -> Store:
    world.declare(name.text, what, name.span)
    return Store(
        name.text,
        _index(world, found.get("of")),
        _index(world, found.get("at")),
        name.span,
        lasts=word(found.get("lasts"), "`lasts`").text if found.get("lasts") is not None else None,
        shared=word(found.get("shared"), "`shared`").text if found.get("shared") is not None else None,
        clauses=world.clause_marks(found.get("clause")),
    )


def _index(world: World, node: Node | None) -> str | None:
    if node is None:
        return None
    scalar = word(node, "an index")
    if scalar.text in world.types or scalar.text in world.components:
        return scalar.text
    hint = did_you_mean(scalar.text, (*world.types, *world.components))
    raise Failed(UnknownName(scalar.span, scalar.text, "type or component", hint))


ZONE = ("holds", "size", "order", "shows", "seen_by", "counted_by", "start", "when_empty", *STORE)
ORDERS = ("open", "pile", "stack", "row", "shuffled", "bag")
SIGHTS = ("all", "owner", "nobody", "count", "top")


def declare_zone(world: World, name: Scalar, node: Node) -> None:
    where = f"zone `{name.text}`"
    found = keys(world, node, where, ZONE)
    holds = word(needed(found, "holds", where), "`holds`")
    if holds.text not in world.components:
        hint = did_you_mean(holds.text, world.components)
        raise Failed(UnknownName(holds.span, holds.text, "component", hint))
    store = _store(world, name, found, "a zone")
    size = number(found.get("size"), "`size`") if found.get("size") is not None else None
    order = one_of(found.get("order"), "`order`", ORDERS) if found.get("order") is not None else "open"
    seen = one_of(needed(found, "seen_by", where), "`seen_by`", SIGHTS)
    if seen == "owner" and store.of != "seat":
        raise Failed(WrongShape(found.span, f"`seen_by: owner` of {where}", "used with `of: seat`"))
    counted = found.get("counted_by")
    blank = (
        found.get("shows") is not None
        and one_of(found.get("shows"), "`shows`", ("face", "nothing")) == "nothing"
    )
    world.zones[name.text] = Zone(
        store, holds.text, size, cast(Any, order), blank, cast(Any, seen),
        cast(Any, one_of(counted, "`counted_by`", SIGHTS)) if counted is not None
        else ("nobody" if seen == "nobody" else "all" if seen in ("all", "count", "top") else "owner"),
        found.get("start") is not None and one_of(found.get("start"), "`start`", ("all",)) == "all",
        _refill(found),
    )  # fmt: skip


def _refill(found: Mapping) -> str | None:
    node = found.get("when_empty")
    if node is None:
        return None
    return word(needed(mapping(node, "`when_empty`"), "refill", "`when_empty`"), "`refill`").text


def check_zones(world: World) -> None:
    """What can be said of zones only when all are known."""
    for zone in world.zones.values():
        if zone.refill is not None and (
            zone.refill not in world.zones or world.zones[zone.refill].component != zone.component
        ):
            hint = did_you_mean(zone.refill, world.zones)
            world.fail(UnknownName(zone.store.span, zone.refill, f"zone of `{zone.component}`", hint))


COUNTER = ("range", "start", "bank", "short", "at_edge", *STORE)


def declare_counter(world: World, name: Scalar, node: Node) -> None:
    where = f"counter `{name.text}`"
    found = keys(world, node, where, COUNTER)
    store = _store(world, name, found, "a counter")
    ranges = _by_index(world, store, needed(found, "range", where), interval, "`range`")
    start_node = found.get("start")
    fallback = [min(max(0, lo), hi) for lo, hi in ranges]
    start = fallback
    if start_node is not None:
        start = _by_index(world, store, start_node, number, "`start`", fallback)
    if len(start) == 1 and len(ranges) > 1:
        start = start * len(ranges)
    if len(ranges) == 1 and len(start) > 1:
        ranges = ranges * len(start)
    for (lo, hi), value in zip(ranges, start, strict=True):
        if not lo <= value <= hi:
            raise Failed(WrongShape(name.span, f"the start of {where}", f"within {lo}..{hi}"))
    edge = found.get("at_edge")
    bank = found.get("bank")
    world.counters[name.text] = Counter(
        store, tuple(ranges), tuple(start),
        word(bank, "`bank`").text if bank is not None and word(bank, "`bank`").text != "unlimited" else None,
        found.get("short") is not None and one_of(found.get("short"), "`short`", ("paid anyway",)) != "",
        cast(Any, one_of(edge, "`at_edge`", ("refuse", "clamp", "error"))) if edge is not None else "error",
    )  # fmt: skip


def _by_index(world: World, store: Store, node: Node, read: Any, where: str, fallback: Any = None) -> Any:
    """One value for all, or a mapping from the values of `at` (or `of`) to values."""
    if not isinstance(node, Mapping):
        return [read(node, where)]
    index = store.at or store.of
    if index is None or index not in world.types:
        raise Failed(WrongShape(node.span, where, "one value, since there is no index"))
    decl = world.types[index]
    found = {value_of(decl, key): read(value, where) for key, value in node.pairs}
    missing = [decl.label(v) for v in range(decl.lo, decl.hi + 1) if v not in found]
    if missing and fallback is None:
        raise Failed(WrongShape(node.span, where, f"given for every `{index}`; `{missing[0]}` is missing"))
    return [found[v] if v in found else fallback[i % len(fallback)]
            for i, v in enumerate(range(decl.lo, decl.hi + 1))]  # fmt: skip


def check_counters(world: World) -> None:
    for counter in world.counters.values():
        if counter.bank is not None and counter.bank not in world.counters:
            hint = did_you_mean(counter.bank, world.counters)
            world.fail(UnknownName(counter.store.span, counter.bank, "counter", hint))


def declare_mark(world: World, name: Scalar, node: Node) -> None:
    found = keys(world, node, f"mark `{name.text}`", STORE)
    world.marks[name.text] = Mark(_store(world, name, found, "a mark"))


def declare_pointer(world: World, name: Scalar, node: Node) -> None:
    where = f"pointer `{name.text}`"
    found = keys(world, node, where, ("to", "start", *STORE))
    decl = world.type_named(word(needed(found, "to", where), "`to`"))
    store = _store(world, name, found, "a pointer")
    start = found.get("start")
    value = NONE if start is None else value_of(decl, word(start, "`start`"))
    world.pointers[name.text] = Pointer(store, decl.name, value)
