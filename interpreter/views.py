"""Views: what a seat may see of a state and of events, as the declaration of each zone says."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, assert_never

from dsl import rules as r
from dsl.domains import PieceType, Type
from interpreter import events as ev, ir
from interpreter.chosen_values import ChosenValues
from interpreter.ends import clauses_of_ends
from interpreter.event_notation import notation
from interpreter.executor_protocol import Option
from interpreter.formatting import UNSEEN, Formatter, What, open_words
from interpreter.opened import opened_decisions
from interpreter.private_shows import PrivateShows
from interpreter.reference import pieces
from interpreter.sights import REFEREE, SPECTATOR

WORD = 4
"""The bytes of a word."""
COVERED = -1
"""Stands for the class of a piece that a viewer does not see."""


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer sees, by address.

    A zone has the names of its pieces, from bottom to top, `?` for those below the top where only that is
    seen; or only their number, or none if the viewer cannot count them. A
    counter, mark or pointer that the viewer does not see has none. `chosen`: what has been chosen so far in
    the actions under way, by the name of the decision.
    """

    seat: str
    phase: str
    active: str
    zones: dict[str, list[str] | int | None]
    counters: dict[str, int | None]
    marks: dict[str, bool | None]
    pointers: dict[str, str | None]
    chosen: dict[str, str]


@dataclass(frozen=True, slots=True)
class VisibleParts:
    """The bytes of a state that a viewer sees by declaration, as ranges: its own, and those of others.

    `hidden` read the places that it does not see and the words that it may not read by declaration, as far as
    it may know of them; each with whether they are its own.
    """

    own: tuple[tuple[int, int], ...]
    others: tuple[tuple[int, int], ...]
    hidden: tuple[tuple[Callable[[array[int]], object], bool], ...]


class Views:
    """Makes views and redacts events, for one machine.

    A viewer is the number of a seat, `SPECTATOR` or `REFEREE`.
    """

    def __init__(self, rules: r.Rules, machine: ir.Machine) -> None:
        self.rules = rules
        self.machine = machine
        self.names = Formatter(rules, machine)
        self._sights = machine.sights
        self._addresses = [self.names.place(i) for i in range(len(machine.places))]
        components = [machine.place_components[place.zone] for place in machine.places]
        self._classes = [rules.components[c].classes[: machine.component_classes[c]] for c in components]
        self._readers = [pieces.place_reader(place, i) for i, place in enumerate(machine.places)]
        addresses = (v.base + k for v in machine.variables.values() for k in range(v.size))
        self._word_numbers = {address: number for number, address in enumerate(addresses)}
        self._visible_cache: dict[int, VisibleParts] = {}
        self.chosen_values = ChosenValues(machine)
        self.private_shows = PrivateShows(machine)
        self.tops = tuple(i for i, sight in enumerate(machine.sights) if sight.top)
        """The places of which everybody sees the topmost piece."""
        self._places: dict[str, list[int]] = {}
        for i, component in enumerate(components):
            self._places.setdefault(component, []).append(i)

    # ---- who sees what

    def may_see(self, place: int, seat: int) -> bool:
        """Whether a seat sees the pieces of a place by its declaration."""
        return bool(self._sights[place].seen & ir.viewer_bit(seat))

    @cached_property
    def ends(self) -> dict[int, tuple[str, ...]]:
        """By node the clauses of what ends a match there."""
        return clauses_of_ends(self.rules, self.machine)

    @cached_property
    def hides_pieces(self) -> bool:
        """Whether there is a place whose pieces a seat, or the spectator, does not see by its declaration."""
        seats = (SPECTATOR, *range(self.machine.seats))
        return any(not self.may_see(i, seat) for i in range(len(self.machine.places)) for seat in seats)

    def may_read(self, words: ir.VarLayout, address: int, seat: int) -> bool:
        """Whether a seat sees a word of a counter, mark or pointer by its declaration."""
        return bool(words.readers_of(address) & ir.viewer_bit(seat))

    def _may_read_word(self, name: str, address: int, seat: int) -> bool:
        return self.may_read(self.machine.variables[name], address, seat)

    def sees(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat sees the pieces of a place now: by declaration, or because it was shown them.

        What it was shown it remembers, as long as nothing has changed there that it did not see.
        """
        if self._sights[place].seen & ir.viewer_bit(seat):
            return True
        return place in self.machine.shown and seat >= 0 and ir.is_shown(s[self.machine.shown[place]], seat)

    def counts_openly(self, s: array[int], place: int, seat: int) -> bool:
        """Whether everybody knows that a seat knows now how many pieces lie on a place."""
        return self.may_count(place, seat) or self.sees_openly(s, place, seat)

    def sees_openly(self, s: array[int], place: int, seat: int) -> bool:
        """Whether everybody knows that a seat sees the pieces of a place now."""
        private = self.machine.places[place].zone in self.private_shows.zones
        return self.may_see(place, seat) if private else self.sees(s, place, seat)

    def sees_piece(self, s: array[int], place: int, class_: int, seat: int) -> bool:
        """Whether a seat sees a piece of a class on a place now: one on top, where all see the topmost."""
        return self.sees(s, place, seat) or (place in self.tops and self.top(s, place) == class_)

    def top(self, s: array[int], place: int) -> int | None:
        """The class of the topmost piece on a place; none if it is empty."""
        return pieces.top(s, self.machine.places[place])

    def with_tops(
        self, events: tuple[ev.Event, ...], before: array[int], after: array[int]
    ) -> tuple[ev.Event, ...]:
        """The last events between two stops, with what everybody newly sees on top of places.

        Within `together` that is nothing: it is seen when all branches have ended.
        """
        told, after = list(events), self.before(after) or after
        for place in self.tops:
            class_ = self.top(after, place)
            if class_ is not None and class_ != self.top(before, place):
                touched = [i for i, event in enumerate(told) if _touches(event, place)]
                at = touched[-1] + 1 if touched else len(told)
                told.insert(at, ev.Shown(ev.EVERYBODY, ((place, class_, 1),), True))
        return tuple(told)

    def counts(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat knows now how many pieces lie on a place."""
        return self.may_count(place, seat) or self.sees(s, place, seat)

    def may_count(self, place: int, seat: int) -> bool:
        """Whether a seat knows how many pieces lie on a place by its declaration."""
        return bool(self._sights[place].counted & ir.viewer_bit(seat))

    def owner(self, place: int) -> int | None:
        """The seat that a place belongs to, if it belongs to one."""
        return self._sights[place].owner

    def is_secret(self, s: array[int], kind: Type | None, value: int, seat: int = SPECTATOR) -> bool:
        """Whether a value of a type is a piece that a seat, or by default the spectator, does not see."""
        if not isinstance(kind, PieceType):
            return False
        classes = self.machine.component_classes[kind.component]
        return not self.sees(s, value // classes, seat)

    def hides_words(
        self, s: array[int], node: ir.Decide | ir.Offer, option: Option, what: What, seat: int = SPECTATOR
    ) -> bool:
        """Whether a chooser, or by default everybody else, may not read an option.

        It names a piece that they do not see, or is chosen secretly.
        """
        if seat == SPECTATOR and isinstance(node, ir.Decide) and node.secret:
            return True
        named = self.names.named(node, option, what)
        return seat != REFEREE and any(self.is_secret(s, kind, value, seat) for kind, value in named)

    def hides_choice(
        self, s: array[int], node: ir.Decide | ir.Offer, option: Option, what: What, seat: int = SPECTATOR
    ) -> bool:
        """Whether a seat may not read an option that has been chosen: also no piece that all see at once."""
        chooses = node if isinstance(node, ir.Decide) else self.names.parameter(self._target(option, what))
        opened = id(chooses) in self._opened and len(list(self.names.named(node, option, what))) == 1
        return not opened and self.hides_words(s, node, option, what, seat)

    def choice_text(
        self, s: array[int], node: ir.Decide | ir.Offer, option: Option, what: What, seat: int
    ) -> str:
        """An option that has been chosen, in words, as a viewer may read it; `s` is before the choice."""
        words = self.names.choice(node, option, what)
        return " ".join(open_words(words, node) if self.hides_choice(s, node, option, what, seat) else words)

    @staticmethod
    def _target(option: Option, what: What) -> tuple[int, tuple[int, ...]] | None:
        return what[option[0]] if option[0] >= 0 else None

    @cached_property
    def _opened(self) -> frozenset[int]:
        """The decisions whose piece is in sight of all once it is chosen."""
        return frozenset(id(self.machine.nodes[n]) for n in opened_decisions(self.rules, self.machine))

    # ---- a view

    def view(self, s: array[int], seat: int) -> View:
        """Everything that a seat may see. In `together`, other seats appear as they were before it."""
        zones: dict[str, list[str] | int | None] = {}
        for i, seen in enumerate(self.pieces(s, seat)):
            zones[self._addresses[i]] = self._names(i, seen) if isinstance(seen, list) else seen
        counters: dict[str, int | None] = {}
        marks: dict[str, bool | None] = {}
        pointers: dict[str, str | None] = {}
        values = iter(self.words(s, seat))
        for words in self.machine.variables.values():
            for k in range(words.size):
                address, value = self.names.word(words, k), next(values)
                if words.kind == "counter":
                    counters[address] = value
                elif words.kind == "mark":
                    marks[address] = bool(value) if value is not None else None
                else:
                    pointers[address] = self.names.value(words.type, value) if value is not None else None
        name = {REFEREE: "referee", SPECTATOR: "spectator"}.get(seat) or self.names.seat(seat)
        return View(
            name,
            self.machine.phases[s[ir.PHASE]],
            self.names.seat(s[ir.ACTIVE]),
            zones,
            counters,
            marks,
            pointers,
            self._chosen_names(s, seat),
        )

    def chosen(self, s: array[int], seat: int) -> Iterator[tuple[ir.Decide, int | None]]:
        """What has been chosen so far, decision by decision; none for what a seat does not see of it."""
        for chosen in self.chosen_values.of(s):
            if chosen.branch in (-1, seat) or seat == REFEREE:
                node = self.machine.node(chosen.decision, ir.Decide)
                hidden = seat != REFEREE and (
                    self.is_secret(s, node.type, chosen.value, seat)
                    or (node.secret and chosen.chooser != seat)
                )
                yield node, None if hidden else chosen.value

    def _chosen_names(self, s: array[int], seat: int) -> dict[str, str]:
        named: dict[str, str] = {}
        for node, value in self.chosen(s, seat):
            name, number = node.name, 1
            while name in named:
                number += 1
                name = f"{node.name} {number}"
            named[name] = "?" if value is None else " ".join(self.names.candidate(node, value))
        return named

    def pieces(self, s: array[int], seat: int) -> list[list[int] | int | None]:
        """For each place what a seat may see there: the classes from bottom to top, their number, or none.

        Where only the topmost piece is seen, `COVERED` stands for each of the others. In `together`, the
        places of other seats appear as they were before it.
        """
        before = self.before(s)
        return [
            self._pieces(s if self._is_current(before, sight.owner, seat) else before or s, i, seat)
            for i, sight in enumerate(self._sights)
        ]

    def unseen(self, s: array[int], component: str, seat: int) -> tuple[int, ...]:
        """Of each class of a component how many pieces a seat does not see: all that there are but those."""
        before, number = self.before(s), self.machine.component_classes[component]
        numbers = [0] * number
        for i in self._places[component]:
            if before is None and self.may_see(i, seat):
                continue
            now = s if self._is_current(before, self.owner(i), seat) else before or s
            for ref, n in self._readers[i](s, []):
                numbers[ref % number] += n
            if self.sees(now, i, seat):
                for ref, n in self._readers[i](now, []):
                    numbers[ref % number] -= n
            elif i in self.tops and (class_ := self.top(now, i)) is not None:
                numbers[class_] -= 1
        return tuple(max(0, n) for n in numbers)

    def words(self, s: array[int], seat: int) -> list[int | None]:
        """The words of all counters, marks and pointers, in the order of `Machine.variables`.

        None for those that the seat does not see. In `together`, those of other seats appear as they were
        before it.
        """
        before = self.before(s)
        values: list[int | None] = []
        for words in self.machine.variables.values():
            hides = not all(readers & ir.viewer_bit(seat) for readers in words.readers)
            for address in range(words.base, words.base + words.size):
                state = s if self._is_current(before, words.owner(address), seat) else before or s
                hidden = hides and not self.reads(state, words, address, seat)
                values.append(None if hidden else state[address])
        return values

    def visible(self, s: array[int], seat: int) -> tuple[bytes, tuple[object, ...]]:
        """What a seat sees, in a form that is quick to compare: equal where `pieces` and `words` are.

        The bytes are the words of all that it sees by declaration.
        """
        parts, before = self._visible_parts(seat), self.before(s)
        then = s if before is None else before
        now = s.tobytes()
        seen = [now[low:high] for low, high in parts.own]
        now = now if then is s else then.tobytes()
        seen += [now[low:high] for low, high in parts.others]
        return b"".join(seen), tuple([read(s if own else then) for read, own in parts.hidden])

    def _visible_parts(self, seat: int) -> VisibleParts:
        if seat not in self._visible_cache:
            self._visible_cache[seat] = self._parts_seen(seat)
        return self._visible_cache[seat]

    def _parts_seen(self, seat: int) -> VisibleParts:
        seen: list[tuple[int, int, bool]] = []
        hidden: list[tuple[Callable[[array[int]], object], bool]] = []
        for words in self.machine.variables.values():
            for address in range(words.base, words.base + words.size):
                if self.may_read(words, address, seat):
                    seen.append((address, address + 1, words.owner(address) == seat))
                elif self.machine.told_at(words, address) is not None:
                    told = partial(self._told_word, words, address, seat)
                    hidden.append((told, words.owner(address) == seat))
        for i, (place, sight) in enumerate(zip(self.machine.places, self._sights, strict=True)):
            if self.may_see(i, seat):
                seen.append((place.base, place.base + place.words, sight.owner == seat))
            elif read := self._hidden_reader(i, seat):
                hidden.append((read, sight.owner == seat))
        own, others = (
            _in_bytes(_joined(a[:2] for a in sorted(seen) if a[2] == mine)) for mine in (True, False)
        )
        return VisibleParts(own, others, tuple(hidden))

    def _told_word(self, words: ir.VarLayout, address: int, seat: int, s: array[int]) -> int | None:
        """A word that may have been shown to a seat; none if it was not."""
        return s[address] if self.reads(s, words, address, seat) else None

    def _hidden_reader(self, place: int, seat: int) -> Callable[[array[int]], object] | None:
        """Reads what a seat may know of a place that it does not see by declaration; none if nothing."""
        if place in self.tops or (place in self.machine.shown and seat >= 0):

            def read(s: array[int]) -> object:
                seen = self._pieces(s, place, seat)
                return tuple(seen) if isinstance(seen, list) else seen

            return read
        return pieces.counter(self.machine.places[place]) if self.may_count(place, seat) else None

    def reads(self, s: array[int], words: ir.VarLayout, address: int, seat: int) -> bool:
        """Whether a seat sees a word now: by declaration, or because it was shown it."""
        if self.may_read(words, address, seat):
            return True
        told = self.machine.told_at(words, address)
        return told is not None and (s[told] < 0 or (seat >= 0 and bool(s[told] >> seat & 1)))

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

    def _pieces(self, s: array[int], place: int, seat: int) -> list[int] | int | None:
        """The classes of the pieces on a place from bottom to top, or their number, or none."""
        where, classes = self.machine.places[place], len(self._classes[place])
        seen = self.sees(s, place, seat)
        if seen and where.kind != ir.BLANK:
            lying = self._readers[place](s, [])
            return [ref % classes for ref, n in lying for _ in range(n)]
        number = pieces.count(s, where)
        if place in self.tops:
            return [COVERED] * (number - 1) + [s[where.base + number] - 1] if number else []
        return number if seen or self.may_count(place, seat) else None

    def _names(self, place: int, classes: list[int]) -> list[str]:
        names = self._classes[place]
        return [UNSEEN if class_ == COVERED else names[class_] for class_ in classes]

    # ---- events

    def redacted(self, events: tuple[ev.Event, ...], seat: int) -> list[ev.Event]:
        """Some events, with what a seat may know of them.

        Moves of unseen pieces between the same places become one event: separate ones would reveal which of
        the pieces are equal.
        """
        told: list[ev.Event] = []
        for event in events:
            known = self.redact(event, seat)
            last = told[-1] if told else None
            if known is None:
                continue
            both = _added(last, known) if type(last) is type(known) else None
            told[-1:] = [both] if both is not None else [*told[-1:], known]
        return told

    def redact(self, event: ev.Event, seat: int) -> ev.Event | None:
        """An event with what a seat may know of it; none if it may know nothing.

        It depends on declarations only: what a seat was shown does not count.
        """
        kind, told = ev.KINDS[type(event)], _untyped(event)
        if kind.structures:
            return None
        if kind.is_public or seat == REFEREE:
            return event
        if kind.to and getattr(event, kind.to) in (seat, ev.EVERYBODY):
            return event
        if kind.openly and not told.openly:
            return None
        if kind.word and self._may_read_word(told.name, told.word, seat):
            return event
        places = [getattr(event, place) for place in kind.places]
        if any(self.may_see(place, seat) for place in places):
            return event
        knows = kind.openly or any(self.may_count(place, seat) for place in places)
        covered: dict[str, Any] = {kind.covers: kind.covered}
        return replace(event, **covered) if knows else None

    def named(self, event: ev.Event) -> list[object]:
        """An event as a log has it: its kind, then its fields, in the words of the rules."""
        fields = (
            self._named(event, role, v) for role, v in ev.by_role(event) if role is not ev.FieldRole.NODE
        )
        return [ev.KINDS[type(event)].name, *fields]

    def notated(self, events: Iterable[ev.Event]) -> list[str]:
        """The notation of some events, as they are."""
        return [notation(self.named(event), self._alone) for event in events]

    @cached_property
    def _alone(self) -> frozenset[str]:
        """The components with one class only."""
        return frozenset(name for name, decl in self.rules.components.items() if len(decl.classes) == 1)

    def _named(self, event: Any, role: ev.FieldRole, value: Any) -> object:
        """The value of a field of an event in the words of the rules; none for what is hidden."""
        match role:
            case _ if value is None:
                return None
            case ev.FieldRole.PIECES:
                return [[self._addresses[place], self._classes[place][c], n] for place, c, n in value]
            case ev.FieldRole.CLASS:
                return UNSEEN if value < 0 else self.names.class_name(event.component, value)
            case ev.FieldRole.PLACE:
                return self._addresses[value]
            case ev.FieldRole.WORD:
                words = self.machine.variables[event.name]
                return self.names.word(words, value - words.base)
            case ev.FieldRole.VALUE:
                words = self.machine.variables[event.name]
                return value if words.kind == "counter" else self.names.value(words.type, value)
            case ev.FieldRole.SEAT:
                return self.names.seat(value) if value >= 0 else None
            case ev.FieldRole.PHASE:
                return self.machine.phases[value]
            case ev.FieldRole.OUTCOME:
                return self.machine.endings[value - 1] if value else None
            case ev.FieldRole.COMPONENT | ev.FieldRole.NUMBER | ev.FieldRole.NODE:
                return value
        assert_never(role)


def _in_bytes(words: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ranges of words, joined, as ranges of bytes."""
    return tuple((WORD * low, WORD * high) for low, high in _joined(words))


def _joined(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ranges in order; those that touch are one."""
    joined: list[tuple[int, int]] = []
    for low, high in ranges:
        if joined and joined[-1][1] == low:
            joined[-1] = (joined[-1][0], high)
        else:
            joined.append((low, high))
    return tuple(joined)


def _untyped(event: ev.Event) -> Any:
    """An event of which the row of its kind says which fields it has."""
    return event


def _touches(event: ev.Event, place: int) -> bool:
    """Whether something happens on a place."""
    return any(role is ev.FieldRole.PLACE and value == place for role, value in ev.by_role(event))


def _added(one: ev.Event, other: ev.Event) -> ev.Event | None:
    """Two events of a kind as one, if both are covered, and alike but for the field that is added up."""
    kind = ev.KINDS[type(one)]
    if not kind.added or getattr(one, kind.covers) != kind.covered:
        return None
    parts = [getattr(event, kind.added) for event in (one, other)]
    alike: dict[str, Any] = {kind.added: parts[1]}
    total: dict[str, Any] = {kind.added: sum(parts)}
    return replace(one, **total) if replace(one, **alike) == other else None
