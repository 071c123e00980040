"""What a seat may see of a state, and of what happened. One declaration per zone decides it all."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace

from dsl import rules as r
from dsl.domains import PieceType, Type
from interpreter import events as ev, ir
from interpreter.executor_protocol import Option
from interpreter.formatting import Formatter, What
from interpreter.reference import pieces

REFEREE = -2
"""Sees everything."""
SPECTATOR = -1
"""Sees what all see."""


@dataclass(frozen=True, slots=True)
class View:
    """Addresses to what stands there: piece names, a number of unseen pieces, a number, a name."""

    seat: str
    phase: str
    active: str
    zones: dict[str, list[str] | int | None]
    counters: dict[str, int]
    marks: dict[str, bool]
    pointers: dict[str, str]


class Views:
    """Draws views and redacts events for one machine; not `labelled`, in the words of the rules."""

    def __init__(self, rules: r.Rules, machine: ir.Machine, labelled: bool = True) -> None:
        self.rules = rules
        self.machine = machine
        self.names = Formatter(rules, machine, labelled)
        self._zones = [rules.zones.get(place.zone) for place in machine.places]
        self._addresses = [self.names.place(i) for i in range(len(machine.places))]
        components = [machine.place_components[place.zone] for place in machine.places]
        self._classes = [rules.components[c].classes[: machine.component_classes[c]] for c in components]
        self._readers = [
            pieces.place_reader(place, i, len(names))
            for (i, place), names in zip(enumerate(machine.places), self._classes, strict=True)
        ]
        self._sights: dict[int, list[tuple[bool, bool]]] = {}

    # ---- who sees what

    def may_see(self, place: int, seat: int) -> bool:
        """Whether a seat sees the pieces of a place by its declaration."""
        decl = self._zone(place)
        if seat == REFEREE or decl is None or decl.seen_by == "all":
            return True
        return decl.seen_by == "owner" and self._owner(place) == seat

    def sees(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat sees the pieces of a place now, by declaration or because it is shown them."""
        if self.may_see(place, seat):
            return True
        return place in self.machine.shown and seat >= 0 and bool(s[self.machine.shown[place]] >> seat & 1)

    def counts(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat knows how many pieces lie on a place."""
        return self.may_count(place, seat) or self.sees(s, place, seat)

    def may_count(self, place: int, seat: int) -> bool:
        """Whether a seat knows how many pieces lie on a place by its declaration."""
        decl = self._zone(place)
        if decl is None or self.may_see(place, seat) or decl.counted_by == "all":
            return True
        return decl.seen_by == "count" or (decl.counted_by == "owner" and self._owner(place) == seat)

    def _owner(self, place: int) -> int | None:
        """The seat that a place belongs to, if it belongs to one."""
        decl = self._zone(place)
        return self.machine.places[place].of if decl is not None and decl.var.of == "seat" else None

    def is_secret(self, s: array[int], kind: Type | None, value: int, seat: int = SPECTATOR) -> bool:
        """Whether a chosen value is a piece that a seat does not see; if none is named: not everybody."""
        if not isinstance(kind, PieceType):
            return False
        classes = self.machine.component_classes[kind.component]
        return not self.sees(s, value // classes, seat)

    def hides_words(
        self, s: array[int], node: ir.Decide | ir.Offer, option: Option, what: What, seat: int = SPECTATOR
    ) -> bool:
        """Whether the words of an option name a piece that a seat does not see; if none: not everybody."""
        named = self.names.named(node, option, what)
        return seat != REFEREE and any(self.is_secret(s, kind, value, seat) for kind, value in named)

    def _zone(self, place: int) -> r.Zone | None:
        return self._zones[place]

    # ---- a view

    def view(self, s: array[int], seat: int) -> View:
        """Everything that a seat may see. In `together`, others are seen as they were before it."""
        before = self.before(s)
        zones: dict[str, list[str] | int | None] = {}
        for i, (address, sight) in enumerate(zip(self._addresses, self._declared(seat), strict=True)):
            state = s if before is None or seat == REFEREE or self._owner(i) == seat else before
            zones[address] = self._pieces(state, i, seat, sight)
        counters: dict[str, int] = {}
        marks: dict[str, bool] = {}
        pointers: dict[str, str] = {}
        for words in self.machine.variables.values():
            for k in range(words.size):
                owner = words.of_lo + k // words.at_size if words.of == "seat" else None
                state = s if before is None or seat == REFEREE or owner == seat else before
                address, value = self.names.word(words, k), state[words.base + k]
                if words.kind == "counter":
                    counters[address] = value
                elif words.kind == "mark":
                    marks[address] = bool(value)
                else:
                    pointers[address] = self.names.value(words.type, value)
        name = {REFEREE: "referee", SPECTATOR: "spectator"}.get(seat) or self.names.seat(seat)
        return View(
            name,
            self.machine.phases[s[ir.PHASE]],
            self.names.seat(s[ir.ACTIVE]),
            zones,
            counters,
            marks,
            pointers,
        )

    def before(self, s: array[int]) -> array[int] | None:
        """The state as it was when those who act at once began; nothing if nobody does."""
        if not s[ir.FORKED]:
            return None
        mc = self.machine
        before = s[:]
        before[mc.saved_from : mc.saved_to] = s[mc.saved : mc.saved + mc.saved_to - mc.saved_from]
        return before

    def _declared(self, seat: int) -> list[tuple[bool, bool]]:
        """Whether a seat sees the pieces of each place by its declaration, and whether it may count them."""
        if seat not in self._sights:
            places = range(len(self.machine.places))
            self._sights[seat] = [(self.may_see(i, seat), self.may_count(i, seat)) for i in places]
        return self._sights[seat]

    def _pieces(
        self, s: array[int], place: int, seat: int, sight: tuple[bool, bool]
    ) -> list[str] | int | None:
        where, names = self.machine.places[place], self._classes[place]
        seen = sight[0] or self.sees(s, place, seat)
        if seen and where.kind != ir.BLANK:
            found = self._readers[place](s, [])
            return [names[ref % len(names)] for ref, n in found for _ in range(n)]
        return pieces.count(s, where, len(names)) if seen or sight[1] else None

    # ---- events

    def lines(self, s: array[int], events: tuple[ev.Event, ...], seat: int) -> list[str]:
        """What a seat may read of some events, in order.

        Pieces that it cannot see and that go the same way are counted together: which of them are
        equal would tell something.
        """
        found: list[ev.Event] = []
        for event in events:
            last = found[-1] if found else None
            if isinstance(event, ev.Moved) and not self._sees_move(s, event, seat):
                event = replace(event, class_=-1)
                if isinstance(last, ev.Moved) and replace(last, number=event.number) == event:
                    found[-1] = replace(event, number=last.number + event.number)
                    continue
            found.append(event)
        return [line for event in found if (line := self.text(s, event, seat))]

    def _sees_move(self, s: array[int], event: ev.Moved, seat: int) -> bool:
        """By declaration alone: what somebody was shown for a while does not colour other moves."""
        return any(p >= 0 and self.may_see(p, seat) for p in (event.source, event.to))

    def text(self, s: array[int], event: ev.Event, seat: int) -> str | None:
        """One line about what happened, with what the seat may know of it; nothing if it may know nothing."""
        label = self.names.label
        match event:
            case ev.Moved():
                return self._moved(s, event, seat)
            case ev.Changed(name=name, word=word, old=old, new=new):
                words = self.machine.variables[name]
                address = self._say(self.names.word(words, word - words.base))
                if words.kind == "counter":
                    return f"{address}: {old} -> {new}"
                return f"{address}: {label(self.names.value(words.type, new))}"
            case ev.Thrown(component=component, face=face, place=place):
                if not self.may_see(place, seat):
                    return f"{label(component)} is thrown" if self.may_count(place, seat) else None
                return f"{label(component)} shows {label(self.names.class_name(component, face))}"
            case ev.Shown(seat=who, pieces=found):
                if seat not in (who, REFEREE):
                    return f"{self.names.seat(who)} is shown cards"
                shown = [label(self.rules_class(p, c)) for p, c, n in found for _ in range(n)]
                return f"{self.names.seat(who)} is shown {', '.join(shown) or 'nothing'}"
            case ev.Shuffled(place=place):
                return f"{self._say(self.names.place(place))} is shuffled"
            case ev.Entered(phase=phase):
                return f"phase: {label(self.machine.phases[phase])}"
            case ev.Turned(seat=who):
                return f"turn of {self.names.seat(who)}"
            case ev.Ended():
                return "the game is over"
            case ev.Branched():
                return None

    def rules_class(self, place: int, class_: int) -> str:
        component = self.machine.place_components[self.machine.places[place].zone]
        return self.rules.components[component].classes[class_]

    def _moved(self, s: array[int], event: ev.Moved, seat: int) -> str | None:
        """Nothing for whoever could not count the pieces before or after: that there were any is a secret."""
        if not any(self.may_count(place, seat) for place in (event.source, event.to)):
            return None
        seen = event.class_ >= 0 and self._sees_move(s, event, seat)
        names = self.rules.components[event.component].classes
        named = seen and len(names) > 1
        what = self.names.label(names[event.class_] if named else event.component)
        number = f"{event.number} " if event.number > 1 or not seen else ""
        source, to = (self._say(self.names.place(p)) for p in (event.source, event.to))
        return f"{number}{what}: {source} -> {to}"

    def _say(self, address: str) -> str:
        name, _, rest = address.partition(" ")
        words = " ".join(w if w in ("of", "at") else self.names.label(w) for w in rest.split())
        return f"{self.names.label(name)} {words}".strip()
