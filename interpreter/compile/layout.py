"""The layout of a state: which word holds what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dsl import rules as r
from dsl.diagnostics import InternalError
from dsl.domains import FLAG, EnumType, IntType, Type
from dsl.rules.visit import walk
from dsl.source import Span
from interpreter import ir
from interpreter.compile.sizes import check_words
from interpreter.ir.state import BRANCH, place_words


@dataclass
class Layout:
    """The addresses of everything in a state, allocated in the order of declaration.

    The words from `saved_from` to `saved_to` are the variables and pieces, which a fork saves.
    """

    rules: r.Rules
    seats: int
    size: int = ir.HEADER
    words: dict[str, ir.VarLayout] = field(default_factory=dict)
    places: list[ir.Place] = field(default_factory=list)
    zone_places: dict[str, tuple[int, int]] = field(default_factory=dict)
    shown: dict[int, int] = field(default_factory=dict)
    streams: list[str] = field(default_factory=list)
    stream_base: int = 0
    branches: int = 0
    saved: int = 0
    saved_from: int = 0
    saved_to: int = 0
    stack: int = 0
    stack_size: int = 0
    branch_stack: int = 0
    branch_size: int = 0

    def take(self, words: int, what: str = "`seats`", span: Span | None = None) -> int:
        """Allocate words and return their address. Raises `DiagnosticError` if the state gets too large."""
        base = self.size
        check_words(self.size + words, what, span or self.rules.span)
        self.size += words
        return base

    def add_stacks(self, main: int, branch: int) -> None:
        """Allocate the main stack and, if the game forks, the saved copy and a stack for each branch.

        Both sizes are in words. Raises `DiagnosticError` if the state gets too large.
        """
        forks = bool(self.branches)
        self.saved = self.size if forks else 0
        self.stack = self.size + (self.saved_to - self.saved_from if forks else 0)
        self.stack_size = main
        self.branch_stack = self.stack + main
        self.branch_size = branch if forks else 0
        self.size = self.branch_stack + self.branch_size * self.seats
        check_words(self.size, "what calls and loops keep", self.rules.span)

    def axis(self, name: str | None) -> tuple[int, int]:
        """The lower bound and the size of an index; 0 and 1 if there is none."""
        if name is None:
            return 0, 1
        if name == "seat":
            return 0, self.seats
        if name in self.rules.types:
            decl = self.rules.types[name]
            return decl.lo, decl.size
        return 0, len(self.classes(name))

    def classes(self, component: str) -> tuple[str, ...]:
        decl = self.rules.components[component]
        return decl.classes[: self.seats] if self.is_by_seat(component) else decl.classes

    def is_by_seat(self, component: str) -> bool:
        """Whether a component's classes are the seats themselves, as with figures `of: seat`."""
        decl = self.rules.components[component]
        return decl.per_seat and decl.die is None and not decl.columns

    def total(self, component: str) -> int:
        """The number of pieces of a component."""
        decl = self.rules.components[component]
        if decl.per_seat and not self.is_by_seat(component):
            return sum(decl.copies) * self.seats
        return sum(decl.copies[: len(self.classes(component))])

    def stream(self, name: str) -> int:
        """The number of a chance stream."""
        if name not in self.streams:
            if self.stream_base:
                raise InternalError(f"no room is left for the stream `{name}`")
            self.streams.append(name)
        return self.streams.index(name)


def lay_out(rules: r.Rules, seats: int) -> Layout:
    """The layout of all declarations; triggers and stacks are added later."""
    blocks = (*(x.block for x in rules.routines.values()), *(x.block for x in rules.triggers))
    lines = list(walk(blocks))
    layout = Layout(rules, seats)
    _streams(layout)
    if any(isinstance(line, r.Together) for line in lines):
        layout.branches = layout.take(BRANCH * seats)
    layout.saved_from = layout.size
    for counter in rules.counters.values():
        _words(layout, "counter", counter.var, counter)
    for mark in rules.marks.values():
        _words(layout, "mark", mark.var, mark)
    for pointer in rules.pointers.values():
        _words(layout, "pointer", pointer.var, pointer)
    for zone in rules.zones.values():
        _zone(layout, zone)
    for component in rules.components.values():
        if component.die is not None and not any(z.component == component.name for z in rules.zones.values()):
            _only_die(layout, component)
    for name in sorted({line.zone.zone for line in lines if isinstance(line, r.Show)}):
        first, count = layout.zone_places[name]
        for place in range(first, first + count):
            layout.shown[place] = layout.take(1, f"`{name}`")
    layout.saved_to = layout.size
    return layout


def _streams(layout: Layout) -> None:
    """Add one chance stream for each component and shuffled zone, so that they are independent."""
    for component in layout.rules.components:
        layout.stream(component)
    for zone in layout.rules.zones.values():
        if zone.order != "open":
            layout.stream(zone.name)
    layout.stream_base = layout.take(len(layout.streams))


def _words(
    layout: Layout,
    kind: Literal["counter", "mark", "pointer"],
    var: r.StateVar,
    decl: r.Counter | r.Mark | r.Pointer,
) -> None:
    of_lo, of_size = layout.axis(var.of)
    at_lo, at_size = layout.axis(var.at)
    ranges: tuple[tuple[int, int], ...] = ((0, 1),)
    start: tuple[int, ...] = (0,)
    found: Type = FLAG
    if isinstance(decl, r.Counter):
        ranges, start, found = decl.ranges, decl.start, IntType(decl.lo, decl.hi)
    elif isinstance(decl, r.Pointer):
        target = layout.rules.types[decl.to]
        ranges, start, found = ((target.lo, target.hi),), (decl.start,), EnumType(decl.to, True)
    base = layout.take(of_size * at_size, f"`{var.name}`", var.span)
    layout.words[var.name] = ir.VarLayout(
        kind,
        var.name,
        base,
        var.of,
        var.at,
        of_lo,
        of_size,
        at_lo,
        at_size,
        found,
        ranges,
        start,
    )


def _zone(layout: Layout, zone: r.Zone) -> None:
    of_lo, of_size = layout.axis(zone.var.of)
    at_lo, at_size = layout.axis(zone.var.at)
    classes = len(layout.classes(zone.component))
    capacity = zone.size or layout.total(zone.component)
    layout.zone_places[zone.name] = (len(layout.places), of_size * at_size)
    check_words(layout.size + of_size * at_size, f"`{zone.name}`", zone.var.span)
    for i in range(of_size):
        for j in range(at_size):
            kind = _kind(zone)
            words = place_words(kind, classes, capacity)
            layout.places.append(
                ir.Place(
                    zone.name,
                    of_lo + i if zone.var.of else None,
                    at_lo + j if zone.var.at else None,
                    kind,
                    layout.take(words, f"`{zone.name}`", zone.var.span),
                    capacity,
                    classes,
                    zone.size is not None,
                )
            )


def _kind(zone: r.Zone) -> int:
    if zone.blank:
        return ir.BLANK
    if zone.size == 1:
        return ir.SLOT
    return ir.ORDERED if zone.order in ("pile", "stack", "row") else ir.COUNTS


def _only_die(layout: Layout, component: r.Component) -> None:
    layout.zone_places[component.name] = (len(layout.places), 1)
    classes = len(layout.classes(component.name))
    place = ir.Place(component.name, None, None, ir.SLOT, layout.take(1), 1, classes, True)
    layout.places.append(place)


def start_words(layout: Layout) -> list[tuple[int, int]]:
    """The words that are not 0 at the start: (address, value)."""
    return [
        (address, value)
        for words in layout.words.values()
        for address in range(words.base, words.base + words.size)
        if (value := words.start_at(address))
    ]


def start_pieces(layout: Layout) -> list[tuple[int, int, int]]:
    """The pieces at the start: (place, class, number)."""
    found: list[tuple[int, int, int]] = []
    for component in layout.rules.components.values():
        zone = next(
            (z for z in layout.rules.zones.values() if z.component == component.name and z.start),
            None,
        )
        if zone is None:
            first, _ = layout.zone_places.get(component.name, (-1, 0))
            if first >= 0:
                found.append((first, 0, 1))
            continue
        first, count = layout.zone_places[zone.name]
        for place in range(first, first + count):
            if component.die is not None:
                found.append((place, 0, component.copies[0]))
            elif layout.is_by_seat(component.name) and zone.var.of == "seat":
                seat = layout.places[place].of or 0
                found.append((place, seat, component.copies[seat]))
            else:
                pairs = zip(range(len(layout.classes(component.name))), component.copies, strict=False)
                found.extend((place, c, n) for c, n in pairs if n)
    return found
