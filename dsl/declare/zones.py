"""Zones: where pieces lie, who sees them, and where they lie at the start."""

from __future__ import annotations

from typing import cast

from dsl.declare.entry import Entry, entry
from dsl.declare.nodes import mapping, needed, word
from dsl.declare.stores import KEYS, read_store
from dsl.declare.world import World, keys
from dsl.diagnostics import Failed
from dsl.document import Mapping, Node, Scalar
from dsl.domains import LARGEST
from dsl.messages.game import BadStart
from dsl.messages.names import ReservedWord
from dsl.messages.shapes import MissingKey, UnknownKey, WrongShape
from dsl.rules import Component, Order, Sight, Store, Zone

ZONE = ("holds", "size", "order", "shows", "seen_by", "counted_by", "start", "when_empty", "drawn")
ORDERS = ("open", "pile", "stack", "row", "shuffled", "bag")
SEEN, COUNTED = ("all", "owner", "nobody", "count"), ("all", "owner", "nobody")
ENDS = ("top", "bottom")
MOST_WORDS = 262_144


def declare_zone(world: World, name: Scalar, node: Node) -> None:
    """`{holds: card, of: seat, at: disc, size: 1, order: pile, seen_by: owner, start: all}`."""
    found = entry(world, node, f"zone `{name.text}`", (*ZONE, *(k for k in KEYS if k != "lasts")))
    if name.text in ENDS:
        raise Failed(ReservedWord(name.span, name.text))
    component = _held(found)
    store = read_store(found, name, "a zone")
    size = found.count("size", LARGEST, LARGEST) if found.has("size") else None
    seen, counted = _sights(found, store)
    zone = Zone(
        store,
        component.name,
        size,
        order=cast(Order, found.one_of("order", ORDERS) or "open"),
        blank=_blank(found, component),
        seen_by=seen,
        counted_by=counted,
        start=found.one_of("start", ("all",)) is not None,
        refill=_refill(found),
        rows=found.one_of("drawn", ("rows",)) is not None,
    )
    _check_memory(found, zone)
    world.zones[name.text] = zone


def _held(found: Entry) -> Component:
    holds = found.word("holds")
    if holds.text not in found.world.components:
        raise found.world.unknown(holds, "component", found.world.components, "declare it under `components`")
    return found.world.components[holds.text]


def _sights(found: Entry, store: Store) -> tuple[Sight, Sight]:
    """Who sees the pieces, and who knows how many there are."""
    found.needed("seen_by")
    seen = found.one_of("seen_by", SEEN)
    counted = found.one_of("counted_by", COUNTED)
    for key, sight in (("seen_by", seen), ("counted_by", counted)):
        if sight == "owner" and store.of != "seat":
            node = found.needed(key)
            hint = "only places declared `of: seat` have an owner"
            raise Failed(MissingKey(node.span, f"`{key}: owner`", "an `of: seat` beside it", hint))
    if counted is None:
        counted = "nobody" if seen == "nobody" else "owner" if seen == "owner" else "all"
    return cast(Sight, seen), cast(Sight, counted)


def _blank(found: Entry, component: Component) -> bool:
    """Whether dice lie there without showing anything."""
    shows = found.one_of("shows", ("face", "nothing"))
    if shows is not None and component.die is None:
        key = found.found.key("shows")
        hint = "only a zone of dice can set what they show"
        raise Failed(UnknownKey(key.span if key is not None else found.span, "shows", found.where, hint))
    return shows == "nothing"


def _refill(found: Entry) -> str | None:
    node = found.get("when_empty")
    if node is None:
        return None
    where = found.of("when_empty")
    inner = keys(found.world, node, where, ("refill",))
    return word(needed(inner, "refill", where), "`refill`").text


def _check_memory(found: Entry, zone: Zone) -> None:
    """Raises `Failed` if the places of a zone would take more than a state should."""
    places, component = found.world.places(zone.store), found.world.components[zone.component]
    ordered = zone.order in ("pile", "stack", "row")
    words = min(zone.size or LARGEST, sum(component.copies)) if ordered else len(component.classes)
    if places * words > MOST_WORDS:
        wanted = f"smaller: {places} places for {words} pieces are too many"
        raise Failed(WrongShape(zone.store.span, found.where, wanted))


# ---- when all zones are known


def check_zones(world: World, node: Mapping) -> None:
    """Refills lead to zones of the same pieces, and every component begins in exactly one zone."""
    for zone in world.zones.values():
        if zone.refill is not None:
            world.attempt(_check_refill, world, zone, mapping(node.get(zone.name), "a zone"))
    for component in world.components.values():
        world.attempt(_check_start, world, component)


def _check_refill(world: World, zone: Zone, node: Mapping) -> None:
    name = word(mapping(node.get("when_empty"), "`when_empty`").get("refill"), "`refill`")
    if name.text not in world.zones:
        raise world.unknown(name, "zone", world.zones, "declare it under `zones`")
    other = world.zones[name.text]
    if other.component != zone.component or other is zone or other.store.of or other.store.at:
        wanted = f"another zone of `{zone.component}`, one without `of` and `at`"
        raise Failed(WrongShape(name.span, f"`refill` of zone `{zone.name}`", wanted))


def _check_start(world: World, component: Component) -> None:
    zones = [z for z in world.zones.values() if z.component == component.name]
    starts = [z for z in zones if z.start]
    if not zones and component.die is not None and component.copies == (1,) and not component.per_seat:
        return
    if len(starts) > 1:
        why = f"the pieces of `{component.name}` start in two zones"
        hint = "keep `start: all` at only one of them"
        raise Failed(BadStart(starts[1].store.span, why, hint, starts[0].store.span))
    if not starts:
        raise _no_start(component, zones)
    _check_room(world, component, starts[0])


def _no_start(component: Component, zones: list[Zone]) -> Failed:
    why = f"the pieces of `{component.name}` start in no zone"
    if not zones:
        return Failed(
            BadStart(component.span, why, f"declare a zone: `{{holds: {component.name}, start: all, ...}}`")
        )
    names = " or ".join(f"`{z.name}`" for z in zones[:3])
    return Failed(BadStart(component.span, why, f"add `start: all` to {names}"))


def _check_room(world: World, component: Component, zone: Zone) -> None:
    """Everything of a component must fit into its first zone, each seat's pieces into its own place."""
    store = zone.store
    by_seat = store.of == "seat" and component.per_seat
    if store.at is not None or (store.of is not None and not by_seat):
        hint = "start in a zone with one place, and move the pieces from there"
        raise Failed(BadStart(store.span, f"`{zone.name}` has several places to start in", hint))
    if component.per_seat and component.die is not None and not by_seat:
        hint = f"declare `{zone.name}` with `of: seat`"
        raise Failed(
            BadStart(
                store.span, f"every seat has its own `{component.name}`, but not its own `{zone.name}`", hint
            )
        )
    pieces = max(component.copies) if by_seat else sum(component.copies)
    if zone.size is not None and pieces > zone.size:
        why = f"{pieces} pieces of `{component.name}` start in `{zone.name}`, which holds {zone.size}"
        raise Failed(BadStart(store.span, why, "make it larger, or start elsewhere"))
