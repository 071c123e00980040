"""The layout of a state: which word holds what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from dsl import rules as r
from dsl.diagnostics import InternalError
from dsl.domains import FLAG, EnumType, IntType, Type
from dsl.rules.visit import walk
from dsl.source import Span
from interpreter import ir
from interpreter.compile.sizes import check_words
from interpreter.ir.state import BRANCH, place_words
from interpreter.sights import viewers

OUTSIDE = -(1 << 30)
"""From where on excluded variables and pieces have addresses: below those of any state."""


@dataclass
class Layout:
    """The addresses of everything in a state, allocated in the order of declaration.

    The words from `saved_from` to `saved_to` are the variables and pieces, which a fork saves.
    """

    rules: r.Rules
    seats: int
    excluded: frozenset[str] = frozenset()
    """What has no words: no code that can be reached reads or writes it."""
    size: int = ir.HEADER
    words: dict[str, ir.VarLayout] = field(default_factory=dict)
    scratch: dict[str, ir.VarLayout] = field(default_factory=dict)
    """The counters, marks and pointers of the working memory, behind all that views show."""
    scratch_words: int = 0
    excluded_words: dict[str, ir.VarLayout] = field(default_factory=dict)
    """The excluded variables, at addresses outside of every state."""
    held_places: int = 0
    """The number of places that the state holds; those of excluded zones follow them in `places`."""
    places: list[ir.Place] = field(default_factory=list)
    zone_places: dict[str, tuple[int, int]] = field(default_factory=dict)
    shown: dict[int, int] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    streams: list[str] = field(default_factory=list)
    stream_base: int = 0
    branches: int = 0
    ended: int = 0
    """The word of how a match has ended; 0 if all ends are alike."""
    turned: int = 0
    """The word of the seats that have had a turn in this round, as bits; 0 if no variable lasts a round."""
    saved: int = 0
    saved_from: int = 0
    saved_to: int = 0
    stack: int = 0
    stack_size: int = 0
    branch_stack: int = 0
    branch_size: int = 0
    histories: list[ir.HistoryLayout] = field(default_factory=list)
    records: int = 0

    def take(self, words: int, what: str = "`seats`", span: Span | None = None) -> int:
        """Allocate words and return their address. Raises `DiagnosticError` if the state gets too large."""
        base = self.size
        self.check(self.size + words, what, span or self.rules.span)
        self.size += words
        return base

    def take_scratch(self, words: int, what: str, span: Span) -> int:
        """The same for working memory, which has a bound of its own."""
        check_words(self.scratch_words + words, what, span)
        self.scratch_words += words
        return self.take(words, what, span)

    def check(self, size: int, what: str, span: Span) -> None:
        """Raises `DiagnosticError` if the words beside the working memory are too many."""
        check_words(size - self.scratch_words, what, span)

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
        self.check(self.size, "what calls and loops keep", self.rules.span)

    def add_histories(self) -> None:
        """Allocate the histories, after everything else. Raises `DiagnosticError` if they are too large."""
        self.records = self.size
        if self.histories:
            self.take(1)
        for i, history in enumerate(self.histories):
            decl = self.rules.histories[history.name]
            take = self.take_scratch if history.scratch else self.take
            base = take(history.size, f"history `{history.name}`", decl.span)
            self.histories[i] = replace(history, base=base)

    def var(self, name: str) -> ir.VarLayout:
        """The layout of a counter, mark or pointer."""
        return next(x[name] for x in (self.words, self.scratch, self.excluded_words) if name in x)

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
        return self.rules.components[component].is_by_seat

    def total(self, component: str) -> int:
        """The number of pieces of a component."""
        decl = self.rules.components[component]
        if decl.per_seat and not self.is_by_seat(component):
            return sum(decl.copies) * self.seats
        return sum(decl.copies[: len(self.classes(component))])

    def stream(self, name: str) -> int:
        """The number of a chance stream; of what is excluded any."""
        if name in self.excluded:
            return 0
        if name not in self.streams:
            if self.stream_base:
                raise InternalError(f"no room is left for the stream `{name}`")
            self.streams.append(name)
        return self.streams.index(name)


def lay_out(rules: r.Rules, seats: int, excluded: frozenset[str] = frozenset()) -> Layout:
    """The layout of all declarations but the excluded ones; triggers and stacks are added later."""
    blocks = (*(x.block for x in rules.routines.values()), *(x.block for x in rules.triggers))
    lines = list(walk(blocks))
    layout = Layout(rules, seats, excluded)
    _streams(layout, lines)
    if any(isinstance(line, r.Together) for line in lines):
        layout.branches = layout.take(BRANCH * seats)
    if any(isinstance(line, r.WinTogether | r.Lose) or getattr(line, "outcome", None) for line in lines):
        layout.ended = layout.take(1)
    if _has_rounds(rules):
        layout.turned = layout.take(1)
    layout.saved_from = layout.size
    _allocate(layout, excluded.__contains__, False)
    for name in sorted({line.zone.zone for line in lines if isinstance(line, r.Show)} - excluded):
        first, count = layout.zone_places[name]
        for place in range(first, first + count):
            layout.shown[place] = layout.take(1, f"`{name}`")
    for name in sorted({line.value.name for line in lines if isinstance(line, r.ShowValue)} - excluded):
        layout.told[name] = layout.take(layout.words[name].size, f"`{name}`")
    layout.saved_to = layout.size
    _allocate_scratch(layout)
    layout.held_places = len(layout.places)
    _exclude(layout)
    layout.histories = [_history(layout, x) for x in rules.histories.values() if x.name not in excluded]
    return layout


def _has_rounds(rules: r.Rules) -> bool:
    """Whether a variable lasts a round of turns; a phase that is called `round` is no such round."""
    lasts = any(x.var.lasts == "round" for x in rules.stores) and "round" not in rules.phases
    return lasts and any(phase.rotates for phase in rules.phases.values())


def _history(layout: Layout, history: r.History) -> ir.HistoryLayout:
    """What a history records, without its address. What is excluded never changes."""
    runs: list[ir.Run] = []
    values = 0
    for name in history.parts:
        if name in layout.excluded:
            continue
        if name in layout.words or name in layout.scratch:
            words = layout.var(name)
            if words.size == 1:
                values += 1
            else:
                lo, hi = min(lo for lo, _ in words.ranges), max(hi for _, hi in words.ranges)
                runs.append(ir.Run(words.base, words.size, lo, hi, words.kind == "pointer"))
        elif name in layout.zone_places:
            first, count = layout.zone_places[name]
            runs += _place_runs(layout.places[first : first + count])
        else:
            values += 1
    held = (*layout.words, *layout.scratch, *layout.zone_places)
    parts = tuple(x for x in history.parts if x in held)
    return ir.HistoryLayout(history.name, parts, tuple(runs), values, history.most, 0, history.is_scratch)


def _place_runs(places: list[ir.Place]) -> list[ir.Run]:
    """The words of the places of a zone; equal adjacent ones in one run."""
    found: list[ir.Run] = []
    for place in places:
        match place.kind:
            case ir.SLOT:
                parts = [ir.Run(place.base, 1, 0, place.classes, False)]
            case ir.ORDERED:
                parts = [
                    ir.Run(place.base, 1, 0, place.capacity, False),
                    ir.Run(place.base + 1, place.capacity, 0, place.classes, False),
                ]
            case _:
                parts = [ir.Run(place.base, place.words, 0, place.capacity, False)]
        for run in parts:
            last = found[-1] if found else None
            if last is not None and _follows(last, run):
                found[-1] = replace(last, count=last.count + run.count)
            else:
                found.append(run)
    return found


def _follows(last: ir.Run, run: ir.Run) -> bool:
    """Whether a run continues where the last one ends, with the same range."""
    same = (last.lo, last.hi, last.optional) == (run.lo, run.hi, run.optional)
    return same and last.address + last.count == run.address


def _exclude(layout: Layout) -> None:
    """Number what is excluded, for code that cannot be reached; the addresses are outside of the state."""
    size, words = layout.size, dict(layout.words)
    layout.size = OUTSIDE
    _allocate(layout, layout.excluded.__contains__, True)
    layout.excluded_words = {name: found for name, found in layout.words.items() if name not in words}
    layout.size, layout.words = size, words


def _allocate(layout: Layout, excluded: Callable[[str], bool], wanted: bool) -> None:
    """Allocate the variables, zones and dice that are excluded, or those that are not."""
    rules = layout.rules
    for decl in rules.stores:
        if excluded(decl.name) is wanted and not (decl.var.is_scratch and not wanted):
            layout.words[decl.name] = _words(layout, decl)
    for zone in (x for x in rules.zones.values() if excluded(x.name) is wanted):
        _zone(layout, zone)
    held = {zone.component for zone in rules.zones.values()}
    for component in (x for x in rules.components.values() if excluded(x.name) is wanted):
        if component.die is not None and component.name not in held:
            _only_die(layout, component)


def _streams(layout: Layout, lines: list[object]) -> None:
    """One chance stream for each component, shuffled zone and name of a random value: all are independent."""
    for component in layout.rules.components:
        if component not in layout.excluded:
            layout.stream(component)
    for zone in layout.rules.zones.values():
        if zone.order != "open" and zone.name not in layout.excluded:
            layout.stream(zone.name)
    for line in lines:
        if isinstance(line, r.ChanceChooses):
            layout.stream(line.binder.var.name)
    layout.stream_base = layout.take(len(layout.streams))


def _allocate_scratch(layout: Layout) -> None:
    """Allocate the working memory."""
    for decl in layout.rules.stores:
        if decl.var.is_scratch and decl.name not in layout.excluded:
            layout.scratch[decl.name] = _words(layout, decl)


Store = r.Counter | r.Mark | r.Pointer


def _words(layout: Layout, decl: Store) -> ir.VarLayout:
    """Allocate the words of a counter, mark or pointer."""
    var = decl.var
    kind: Literal["counter", "mark", "pointer"] = "mark"
    of_lo, of_size = layout.axis(var.of)
    at_lo, at_size = layout.axis(var.at)
    ranges: tuple[tuple[int, int], ...] = ((0, 1),)
    start: tuple[int, ...] = (0,)
    found: Type = FLAG
    if isinstance(decl, r.Counter):
        kind, ranges, start, found = "counter", decl.ranges, decl.start, IntType(decl.lo, decl.hi)
    elif isinstance(decl, r.Pointer):
        target = layout.rules.types[decl.to]
        kind, ranges, start = "pointer", ((target.lo, target.hi),), (decl.start,)
        found = EnumType(decl.to, True)
    take = layout.take_scratch if var.is_scratch and var.name not in layout.excluded else layout.take
    base = take(of_size * at_size, f"`{var.name}`", var.span)
    return ir.VarLayout(
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
        _readers(layout, var, of_lo, of_size),
    )


def _readers(layout: Layout, var: r.StateVar, of_lo: int, of_size: int) -> tuple[int, ...]:
    """Who sees the words of a variable, one entry for all of them or one for each owner."""
    owners = range(of_lo, of_lo + of_size) if var.of == "seat" else (None,)
    return tuple(viewers(var.seen_by, owner, layout.rules, layout.seats) for owner in owners)


def _zone(layout: Layout, zone: r.Zone) -> None:
    of_lo, of_size = layout.axis(zone.var.of)
    at_lo, at_size = layout.axis(zone.var.at)
    classes = len(layout.classes(zone.component))
    capacity = zone.size or layout.total(zone.component)
    layout.zone_places[zone.name] = (len(layout.places), of_size * at_size)
    layout.check(layout.size + of_size * at_size, f"`{zone.name}`", zone.var.span)
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
        for words in (*layout.words.values(), *layout.scratch.values())
        for address in range(words.base, words.base + words.size)
        if (value := words.start_at(address))
    ]


def _by_column(
    layout: Layout, component: r.Component, index: str, places: range
) -> list[tuple[int, int, int]]:
    """The pieces of a component, each at the place that its column says."""
    values = component.columns[index].values
    return [
        (place, class_, copies)
        for place in places
        for class_, (value, copies) in enumerate(zip(values, component.copies, strict=True))
        if copies and value == layout.places[place].at
    ]


def start_pieces(layout: Layout) -> list[tuple[int, int, int]]:
    """The pieces at the start: (place, class, number)."""
    return [found for found in _all_pieces(layout) if found[0] < layout.held_places]


def excluded_pieces(layout: Layout) -> list[tuple[int, int, int]]:
    """The pieces in excluded zones, where they stay: (place, class, number)."""
    return [found for found in _all_pieces(layout) if found[0] >= layout.held_places]


def _all_pieces(layout: Layout) -> list[tuple[int, int, int]]:
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
        if zone.var.at is not None:
            found += _by_column(layout, component, zone.var.at, range(first, first + count))
            continue
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
