"""Zones: what they hold, in which order, who sees it, and where pieces start; `zones` of `game.yaml`."""

from __future__ import annotations

from typing import cast, get_args

from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import mapping, needed, word
from dsl.declare.state_vars import KEYS, SIGHTS, owned, read_state_var
from dsl.declare.symbol_table import SymbolTable, keys
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar
from dsl.domains import LARGEST, EnumType
from dsl.messages.game import BadStart
from dsl.messages.names import ReservedWord
from dsl.messages.shapes import UnknownKey, WrongShape
from dsl.rules import Component, Order, Sight, StateVar, Zone

ZONE = ("holds", "size", "order", "shows", "counted_by", "start", "when_empty", "drawn")
ALL_KEYS = (*ZONE, *(key for key in KEYS if key != "lasts"))
WHEN_EMPTY = ("refill",)
SHOWS, START, DRAWN = ("face", "nothing"), ("all",), ("rows",)
ORDERS: tuple[Order, ...] = get_args(Order)
SEEN = (*SIGHTS, "count", "top")
ORDERED = ("pile", "stack", "row")
ENDS = ("top", "bottom")
MOST_WORDS = 262_144


def declare_zone(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{holds: card, of: seat, at: disc, size: 1, order: pile, seen_by: owner, start: all}`."""
    reader = entry(symbols, node, f"zone `{name.text}`", ALL_KEYS)
    if name.text in ENDS:
        raise DiagnosticError(ReservedWord(name.span, name.text))
    component = _held(reader)
    reader.needed("seen_by")
    var = read_state_var(reader, name, "a zone", SEEN)
    size = reader.count("size", LARGEST, LARGEST) if reader.has("size") else None
    zone = Zone(
        var,
        component.name,
        size,
        order=cast(Order, reader.one_of("order", ORDERS) or "open"),
        blank=_blank(reader, component),
        counted_by=_counted(reader, var),
        start=reader.one_of("start", START) is not None,
        refill=_refill(reader),
        rows=reader.one_of("drawn", DRAWN) is not None,
    )
    _check_memory(reader, zone)
    _check_top(reader, component, zone)
    symbols.zones[name.text] = zone


def _held(reader: MappingReader) -> Component:
    holds = reader.word("holds")
    if holds.text not in reader.symbols.components:
        hint = "declare it under `components`"
        raise reader.symbols.unknown(holds, "component", reader.symbols.components, hint)
    return reader.symbols.components[holds.text]


def _counted(reader: MappingReader, var: StateVar) -> Sight:
    """Who knows how many pieces there are: unless it is said, those who see them, or everybody."""
    counted = reader.one_of("counted_by", SIGHTS)
    if counted is not None:
        return owned(reader, "counted_by", cast(Sight, counted), var.of)
    return var.seen_by if var.seen_by in ("nobody", "owner", "team") else "all"


def _blank(reader: MappingReader, component: Component) -> bool:
    """Whether dice in the zone show no face."""
    shows = reader.one_of("shows", SHOWS)
    if shows is not None and component.die is None:
        key = reader.mapping.key("shows")
        hint = "only a zone of dice can set what they show"
        raise DiagnosticError(
            UnknownKey(key.span if key is not None else reader.span, "shows", reader.where, hint)
        )
    return shows == "nothing"


def _refill(reader: MappingReader) -> str | None:
    node = reader.get("when_empty")
    if node is None:
        return None
    where = reader.of("when_empty")
    inner = keys(reader.symbols, node, where, WHEN_EMPTY)
    return word(needed(inner, "refill", where), "`refill`").text


def _check_memory(reader: MappingReader, zone: Zone) -> None:
    """Raises `DiagnosticError` if a zone would take too many words of the state."""
    places, component = reader.symbols.places(zone.var), reader.symbols.components[zone.component]
    ordered = zone.order in ORDERED
    words = min(zone.size or LARGEST, sum(component.copies)) if ordered else len(component.classes)
    if places * words > MOST_WORDS:
        wanted = f"smaller: {places} places for {words} pieces are too many"
        raise DiagnosticError(WrongShape(zone.var.span, reader.where, wanted))


def _check_top(reader: MappingReader, component: Component, zone: Zone) -> None:
    """Raises `DiagnosticError` if only the top is seen of a zone that has none, or is counted by a few.

    Pieces come and go at the top, where all see them: so all can count them.
    """
    if zone.seen_by != "top":
        return
    sight = reader.needed("seen_by").span
    if zone.order not in ORDERED or zone.size == 1 or component.die is not None:
        wanted = "of several pieces with an order, `pile`, `stack` or `row`, to be seen by its top; no dice"
        raise DiagnosticError(WrongShape(sight, reader.where, wanted))
    if zone.counted_by != "all":
        wanted = "`all` where the top is seen: all see what comes and goes there"
        raise DiagnosticError(WrongShape(reader.needed("counted_by").span, "`counted_by`", wanted))


# ---- when all zones are known


def check_zones(symbols: SymbolTable, node: Mapping) -> None:
    """Report refills from zones of other pieces, and components that do not start in exactly one zone."""
    for zone in symbols.zones.values():
        if zone.refill is not None:
            symbols.attempt(_check_refill, symbols, zone, mapping(node.get(zone.name), "a zone"))
    for component in symbols.components.values():
        symbols.attempt(_check_start, symbols, component)


def _check_refill(symbols: SymbolTable, zone: Zone, node: Mapping) -> None:
    name = word(mapping(node.get("when_empty"), "`when_empty`").get("refill"), "`refill`")
    if name.text not in symbols.zones:
        raise symbols.unknown(name, "zone", symbols.zones, "declare it under `zones`")
    other = symbols.zones[name.text]
    of_the_same = other.var.of is None or other.var.of == zone.var.of
    if other.component != zone.component or other is zone or other.var.at or not of_the_same:
        owners = "" if zone.var.of is None else f"with `of: {zone.var.of}` or "
        wanted = f"another zone of `{zone.component}`, one {owners}without `of` and `at`"
        raise DiagnosticError(WrongShape(name.span, f"`refill` of zone `{zone.name}`", wanted))


def _check_start(symbols: SymbolTable, component: Component) -> None:
    zones = [z for z in symbols.zones.values() if z.component == component.name]
    starts = [z for z in zones if z.start]
    if not zones and component.die is not None and component.copies == (1,) and not component.per_seat:
        return
    if len(starts) > 1:
        why = f"the pieces of `{component.name}` start in two zones"
        hint = "keep `start: all` at only one of them"
        raise DiagnosticError(BadStart(starts[1].var.span, why, hint, starts[0].var.span))
    if not starts:
        raise _no_start(component, zones)
    _check_room(component, starts[0])


def _no_start(component: Component, zones: list[Zone]) -> DiagnosticError:
    why = f"the pieces of `{component.name}` start in no zone"
    hint = f"declare a zone: `{{holds: {component.name}, start: all, ...}}`"
    if zones:
        hint = f"add `start: all` to {' or '.join(f'`{z.name}`' for z in zones[:3])}"
    return DiagnosticError(BadStart(component.span, why, hint))


def _has_place(component: Component, index: str) -> bool:
    """Whether each piece of a component has a column that says at which place it starts."""
    column = component.columns.get(index)
    return column is not None and column.type == EnumType(index) and column.keyed_by is None


def _check_places(component: Component, zone: Zone, index: str) -> None:
    """Raises `DiagnosticError` if too many pieces start at one place."""
    found: dict[int, int] = {}
    for value, copies in zip(component.columns[index].values, component.copies, strict=True):
        found[value] = found.get(value, 0) + copies
    most = max(found.values(), default=0)
    if zone.size is not None and most > zone.size:
        name = component.name
        why = f"{most} pieces of `{name}` start at one place of `{zone.name}`, which holds {zone.size}"
        raise DiagnosticError(BadStart(zone.var.span, why, "make it larger, or start elsewhere"))


def _check_room(component: Component, zone: Zone) -> None:
    """Raises `DiagnosticError` if the pieces of a component do not fit into the zone where they start."""
    var = zone.var
    by_seat = var.of == "seat" and component.per_seat
    if var.at is not None and var.of is None and _has_place(component, var.at):
        _check_places(component, zone, var.at)
        return
    if var.at is not None or (var.of is not None and not by_seat):
        hint = "start in a zone with one place, and move the pieces from there"
        raise DiagnosticError(BadStart(var.span, f"`{zone.name}` has several places to start in", hint))
    if component.per_seat and component.die is not None and not by_seat:
        hint = f"declare `{zone.name}` with `of: seat`"
        why = f"every seat has its own `{component.name}`, but not its own `{zone.name}`"
        raise DiagnosticError(BadStart(var.span, why, hint))
    pieces = max(component.copies) if by_seat else sum(component.copies)
    if zone.size is not None and pieces > zone.size:
        why = f"{pieces} pieces of `{component.name}` start in `{zone.name}`, which holds {zone.size}"
        raise DiagnosticError(BadStart(var.span, why, "make it larger, or start elsewhere"))
