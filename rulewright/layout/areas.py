"""As what zones and variables are drawn, and where, unless a ruleset says."""

from __future__ import annotations

from typing import assert_never

from dsl import rules as r
from dsl.rules.look import DrawnArea, DrawnVariable, DrawnZone
from rulewright.layout.bookkeeping import bookkeeping, is_aside
from rulewright.layout.scene import VariableScene, ZoneScene

INSIDE = (0.0, -30.0)
"""Where a pointer stands in a field, in units of the picture, if something may lie on its edges."""
LONGEST_TRACK = 12
"""A counter with more values is a number."""


def is_drawn(rules: r.Rules, name: str) -> bool:
    """Whether pictures show a name: an empty label marks bookkeeping, and a look may hide more."""
    look = rules.look.states.get(name)
    return rules.labels.get(name) != "" and (look is None or look.kind != "hidden")


def default_zones(rules: r.Rules, boards: tuple[str, ...]) -> dict[str, ZoneScene]:
    """`boards` are those with a picture."""
    return {name: _zone(rules, zone, boards) for name, zone in rules.zones.items()}


def _zone(rules: r.Rules, zone: r.Zone, boards: tuple[str, ...]) -> ZoneScene:
    index = _index(zone.var)
    if rules.look.states.get(zone.name) is None and _is_box(rules, zone) and is_drawn(rules, zone.name):
        return ZoneScene("slots", "aside", index)
    area = "shared" if _is_played_to(rules, zone) else _area(rules, zone.var, boards)
    kind = _zone_kind(rules, zone, index, boards) if is_drawn(rules, zone.name) else "hidden"
    return ZoneScene(kind, area, index if kind != "hidden" else None)


def _is_box(rules: r.Rules, zone: r.Zone) -> bool:
    """Whether all pieces lie there at the start, sorted by their kinds, as in the box that they come in."""
    classes = tuple(rules.components[zone.component].classes)
    sorted_by = [i for i in (zone.var.of, zone.var.at) if i in rules.types and i != "seat"]
    return zone.start and any(tuple(rules.types[i].names) == classes for i in sorted_by)


def _is_played_to(rules: r.Rules, zone: r.Zone) -> bool:
    """Whether each seat lays one card there that all see, out of a hand: as to a trick."""
    one = zone.size == 1 and zone.var.of == "seat" and zone.var.at is None and zone.seen_by == "all"
    return one and any(
        other.component == zone.component and other.var.of == "seat" and other.seen_by == "owner"
        for other in rules.zones.values()
    )


def _index(state: r.StateVar) -> str | None:
    """The type or component that gives a state variable several places beside those of seats."""
    if state.at is not None:
        return state.at
    return state.of if state.of != "seat" else None


def _area(rules: r.Rules, state: r.StateVar, boards: tuple[str, ...]) -> DrawnArea:
    if state.of in rules.components:
        return "piece"
    if _index(state) in boards:
        return "board"
    return "seat" if state.of == "seat" else "shared"


def _zone_kind(rules: r.Rules, zone: r.Zone, index: str | None, boards: tuple[str, ...]) -> DrawnZone:
    component = rules.components[zone.component]
    if component.die is not None:
        return "dice"
    if index is not None and zone.var.of not in rules.components:
        return "board" if index in boards else "slots"
    match zone.order:
        case "shuffled" | "pile" | "bag":
            return "pile"
        case "stack":
            return "stack"
        case "row":
            return "row"
        case "open":
            return _open_kind(zone, component)
        case _:
            assert_never(zone.order)


def _open_kind(zone: r.Zone, component: r.Component) -> DrawnZone:
    if zone.var.of == "seat" and zone.seen_by in ("owner", "team", "others"):
        return "hand"
    if zone.seen_by in ("nobody", "count"):
        return "pile"
    if zone.start or zone.blank or len(component.classes) == 1:
        return "supply"
    return "slots" if zone.size == 1 else "row"


# ---- counters, marks, pointers


def default_variables(rules: r.Rules, boards: tuple[str, ...]) -> dict[str, VariableScene]:
    """`boards` are those with a picture."""
    remembered = bookkeeping(rules)
    found = {
        name: _variable(rules, counter.var, _counter_kind(counter), boards)
        for name, counter in rules.counters.items()
    }
    found |= {name: _variable(rules, mark.var, "mark", boards) for name, mark in rules.marks.items()}
    found |= {name: _pointer(rules, pointer, boards) for name, pointer in rules.pointers.items()}
    return {
        name: VariableScene(variable.kind, "aside", _index(_state(rules, name)))
        if is_aside(rules, name, remembered)
        else variable
        for name, variable in found.items()
        if not _state(rules, name).is_scratch
    }


def _state(rules: r.Rules, name: str) -> r.StateVar:
    return next(kind[name].var for kind in (rules.counters, rules.marks, rules.pointers) if name in kind)


def _variable(
    rules: r.Rules, state: r.StateVar, kind: DrawnVariable, boards: tuple[str, ...]
) -> VariableScene:
    if not is_drawn(rules, state.name):
        return VariableScene("hidden", _area(rules, state, boards))
    return VariableScene(kind, _area(rules, state, boards), _index(state))


def _counter_kind(counter: r.Counter) -> DrawnVariable:
    """A counter that lasts, has few values and no other index is a track."""
    few = counter.lo >= 0 and counter.hi - counter.lo <= LONGEST_TRACK
    alone = counter.var.lasts is None and _index(counter.var) is None
    return "track" if few and alone else "number"


def _pointer(rules: r.Rules, pointer: r.Pointer, boards: tuple[str, ...]) -> VariableScene:
    """A pointer to a place of a drawn board stands on that place."""
    found = _variable(rules, pointer.var, "pointer", boards)
    if found.board is None and found.kind == "pointer" and pointer.to in boards:
        decl = rules.types[pointer.to]
        inside = decl.incident and decl.sides and not rules.look.boards.get(pointer.to)
        return VariableScene("pointer", "board", pointer.to, (INSIDE,) if inside else ())
    return found
