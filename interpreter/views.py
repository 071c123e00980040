"""Views: what a seat may see of a state and of events, as the declaration of each zone says."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from typing import assert_never

from dsl import rules as r
from dsl.domains import PieceType, Type
from interpreter import events as ev, ir
from interpreter.executor_protocol import Option
from interpreter.formatting import Formatter, What
from interpreter.reference import pieces

REFEREE = -2
"""The viewer that sees everything."""
SPECTATOR = -1
"""The viewer that sees what all seats see."""


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer sees, by address.

    A zone has the names of its pieces; or only their number, or none if the viewer cannot count them.
    """

    seat: str
    phase: str
    active: str
    zones: dict[str, list[str] | int | None]
    counters: dict[str, int]
    marks: dict[str, bool]
    pointers: dict[str, str]


class Views:
    """Makes views and redacts events, for one machine.

    A viewer is the number of a seat, `SPECTATOR` or `REFEREE`. With `labelled`, events are in the words
    that people read, otherwise in those of the rules.
    """

    def __init__(self, rules: r.Rules, machine: ir.Machine, labelled: bool = True) -> None:
        self.rules = rules
        self.machine = machine
        self.names = Formatter(rules, machine, labelled)
        self._zones = [rules.zones.get(place.zone) for place in machine.places]
        self._addresses = [self.names.place(i) for i in range(len(machine.places))]
        components = [machine.place_components[place.zone] for place in machine.places]
        self._classes = [rules.components[c].classes[: machine.component_classes[c]] for c in components]
        self._readers = [pieces.place_reader(place, i) for i, place in enumerate(machine.places)]
        addresses = (v.base + k for v in machine.variables.values() for k in range(v.size))
        self._word_numbers = {address: number for number, address in enumerate(addresses)}
        self._declared_cache: dict[int, list[tuple[bool, bool]]] = {}
        self._places: dict[str, list[int]] = {}
        for i, component in enumerate(components):
            self._places.setdefault(component, []).append(i)

    # ---- who sees what

    def may_see(self, place: int, seat: int) -> bool:
        """Whether a seat sees the pieces of a place by its declaration."""
        decl = self._zones[place]
        if seat == REFEREE or decl is None or decl.seen_by == "all":
            return True
        return decl.seen_by == "owner" and self._owner(place) == seat

    def sees(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat sees the pieces of a place now: by declaration, or because it was shown them."""
        if self.may_see(place, seat):
            return True
        return place in self.machine.shown and seat >= 0 and bool(s[self.machine.shown[place]] >> seat & 1)

    def counts(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat knows now how many pieces lie on a place."""
        return self.may_count(place, seat) or self.sees(s, place, seat)

    def may_count(self, place: int, seat: int) -> bool:
        """Whether a seat knows how many pieces lie on a place by its declaration."""
        decl = self._zones[place]
        if decl is None or self.may_see(place, seat) or decl.counted_by == "all":
            return True
        return decl.seen_by == "count" or (decl.counted_by == "owner" and self._owner(place) == seat)

    def _owner(self, place: int) -> int | None:
        """The seat that a place belongs to, if it belongs to one."""
        decl = self._zones[place]
        return self.machine.places[place].of if decl is not None and decl.var.of == "seat" else None

    def is_secret(self, s: array[int], kind: Type | None, value: int, seat: int = SPECTATOR) -> bool:
        """Whether a value of a type is a piece that a seat, or by default the spectator, does not see."""
        if not isinstance(kind, PieceType):
            return False
        classes = self.machine.component_classes[kind.component]
        return not self.sees(s, value // classes, seat)

    def hides_words(
        self, s: array[int], node: ir.Decide | ir.Offer, option: Option, what: What, seat: int = SPECTATOR
    ) -> bool:
        """Whether an option names a piece that a seat, or by default the spectator, does not see."""
        named = self.names.named(node, option, what)
        return seat != REFEREE and any(self.is_secret(s, kind, value, seat) for kind, value in named)

    # ---- a view

    def view(self, s: array[int], seat: int) -> View:
        """Everything that a seat may see. In `together`, other seats appear as they were before it."""
        zones: dict[str, list[str] | int | None] = {}
        for i, found in enumerate(self.pieces(s, seat)):
            zones[self._addresses[i]] = self._names(i, found) if isinstance(found, list) else found
        counters: dict[str, int] = {}
        marks: dict[str, bool] = {}
        pointers: dict[str, str] = {}
        values = iter(self.words(s, seat))
        for words in self.machine.variables.values():
            for k in range(words.size):
                address, value = self.names.word(words, k), next(values)
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

    def pieces(self, s: array[int], seat: int) -> list[list[int] | int | None]:
        """For each place what a seat may see there: the classes from bottom to top, their number, or none.

        In `together`, the places of other seats appear as they were before it.
        """
        before = self.before(s)
        return [
            self._pieces(s if self._is_current(before, self._owner(i), seat) else before or s, i, seat, known)
            for i, known in enumerate(self._declared(seat))
        ]

    def unseen(self, s: array[int], component: str, seat: int) -> tuple[int, ...]:
        """Of each class of a component how many pieces a seat does not see: all that there are but those."""
        before, number = self.before(s), self.machine.component_classes[component]
        found = [0] * number
        for i in self._places[component]:
            if before is None and self.may_see(i, seat):
                continue
            now = s if self._is_current(before, self._owner(i), seat) else before or s
            for ref, n in self._readers[i](s, []):
                found[ref % number] += n
            if self.sees(now, i, seat):
                for ref, n in self._readers[i](now, []):
                    found[ref % number] -= n
        return tuple(max(0, n) for n in found)

    def words(self, s: array[int], seat: int) -> list[int]:
        """The words of all counters, marks and pointers, in the order of `Machine.variables`.

        In `together`, those of other seats appear as they were before it.
        """
        before = self.before(s)
        found: list[int] = []
        for words in self.machine.variables.values():
            for k in range(words.size):
                owner = words.of_lo + k // words.at_size if words.of == "seat" else None
                state = s if self._is_current(before, owner, seat) else before or s
                found.append(state[words.base + k])
        return found

    def word_number(self, address: int) -> int:
        """The index in `words` of the word at an address."""
        return self._word_numbers[address]

    @staticmethod
    def _is_current(before: array[int] | None, owner: int | None, seat: int) -> bool:
        """Whether a seat sees what belongs to `owner` as it is now, and not as it was before `together`."""
        return before is None or seat == REFEREE or owner == seat

    def before(self, s: array[int]) -> array[int] | None:
        """The state as it was before the running `together`; none if there is none."""
        if not s[ir.FORKED]:
            return None
        mc = self.machine
        before = s[:]
        before[mc.saved_from : mc.saved_to] = s[mc.saved : mc.saved + mc.saved_to - mc.saved_from]
        return before

    def _declared(self, seat: int) -> list[tuple[bool, bool]]:
        """For each place whether a seat may see and may count its pieces by declaration; cached."""
        if seat not in self._declared_cache:
            places = range(len(self.machine.places))
            self._declared_cache[seat] = [(self.may_see(i, seat), self.may_count(i, seat)) for i in places]
        return self._declared_cache[seat]

    def _pieces(
        self, s: array[int], place: int, seat: int, declared: tuple[bool, bool]
    ) -> list[int] | int | None:
        """The classes of the pieces on a place from bottom to top, or their number, or none."""
        where, classes = self.machine.places[place], len(self._classes[place])
        may_see, may_count = declared
        seen = may_see or self.sees(s, place, seat)
        if seen and where.kind != ir.BLANK:
            found = self._readers[place](s, [])
            return [ref % classes for ref, n in found for _ in range(n)]
        return pieces.count(s, where) if seen or may_count else None

    def _names(self, place: int, classes: list[int]) -> list[str]:
        names = self._classes[place]
        return [names[class_] for class_ in classes]

    # ---- events

    def lines(self, events: tuple[ev.Event, ...], seat: int) -> list[str]:
        """The lines that a seat may read about some events, in order."""
        return [line for event in self.redacted(events, seat) if (line := self._line(event))]

    def text(self, event: ev.Event, seat: int) -> str | None:
        """One line about an event, with what the seat may know of it; none if it may know nothing."""
        known = self.redact(event, seat)
        return self._line(known) if known is not None else None

    def redacted(self, events: tuple[ev.Event, ...], seat: int) -> list[ev.Event]:
        """Some events, with what a seat may know of them.

        Moves of unseen pieces between the same places become one event: separate ones would reveal which of
        the pieces are equal.
        """
        found: list[ev.Event] = []
        for event in events:
            known = self.redact(event, seat)
            last = found[-1] if found else None
            if known is None:
                continue
            match last, known:
                case ev.Moved(class_=-1), ev.Moved() if replace(last, number=known.number) == known:
                    found[-1] = replace(known, number=last.number + known.number)
                case _:
                    found.append(known)
        return found

    def redact(self, event: ev.Event, seat: int) -> ev.Event | None:
        """An event with what a seat may know of it; none if it may know nothing.

        It depends on declarations only: what a seat was shown does not count.
        """
        match event:
            case ev.Moved(source=source, to=to):
                if any(self.may_see(p, seat) for p in (source, to)):
                    return event
                known = any(self.may_count(p, seat) for p in (source, to))
                return replace(event, class_=-1) if known else None
            case ev.Thrown(place=place):
                if self.may_see(place, seat):
                    return event
                return replace(event, face=-1) if self.may_count(place, seat) else None
            case ev.Shown(seat=who):
                return event if seat in (who, REFEREE) else replace(event, pieces=None)
            case ev.Branched():
                return None
            case ev.Changed() | ev.Shuffled() | ev.Entered() | ev.Turned() | ev.Ended():
                return event
        assert_never(event)

    def _line(self, event: ev.Event) -> str | None:
        """One line about a redacted event."""
        label = self.names.label
        match event:
            case ev.Moved():
                return self._moved(event)
            case ev.Changed(name=name, word=word, old=old, new=new):
                words = self.machine.variables[name]
                address = self._labelled(self.names.word(words, word - words.base))
                if words.kind == "counter":
                    return f"{address}: {old} -> {new}"
                return f"{address}: {label(self.names.value(words.type, new))}"
            case ev.Thrown(component=component, face=face):
                if face < 0:
                    return f"{label(component)} is thrown"
                return f"{label(component)} shows {label(self.names.class_name(component, face))}"
            case ev.Shown(seat=who, pieces=found):
                if found is None:
                    return f"{self.names.seat(who)} is shown cards"
                shown = [label(self._classes[p][c]) for p, c, n in found for _ in range(n)]
                return f"{self.names.seat(who)} is shown {', '.join(shown) or 'nothing'}"
            case ev.Shuffled(place=place):
                return f"{self._labelled(self.names.place(place))} is shuffled"
            case ev.Entered(phase=phase):
                return f"phase: {label(self.machine.phases[phase])}"
            case ev.Turned(seat=who):
                return f"turn of {self.names.seat(who)}"
            case ev.Ended():
                return "the game is over"
            case ev.Branched():
                return None
        assert_never(event)

    def _moved(self, event: ev.Moved) -> str:
        """A line about a move; a piece of a hidden class, or of the only one, is named by its component."""
        names = self.rules.components[event.component].classes
        hidden = event.class_ < 0
        piece = self.names.label(event.component if hidden or len(names) == 1 else names[event.class_])
        number = f"{event.number} " if event.number > 1 or hidden else ""
        source, to = (self._labelled(self.names.place(p)) for p in (event.source, event.to))
        return f"{number}{piece}: {source} -> {to}"

    def _labelled(self, address: str) -> str:
        """An address in labels."""
        name, _, rest = address.partition(" ")
        words = " ".join(w if w in ("of", "at") else self.names.label(w) for w in rest.split())
        return f"{self.names.label(name)} {words}".strip()
