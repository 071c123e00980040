"""Views: what a seat may see of a state and of events, as the declaration of each zone says."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import assert_never

from dsl import rules as r
from dsl.domains import PieceType, Type
from interpreter import events as ev, ir
from interpreter.chosen_values import ChosenValues
from interpreter.executor_protocol import Option
from interpreter.formatting import UNSEEN, Formatter, What, open_words
from interpreter.opened import opened_decisions
from interpreter.private_shows import PrivateShows
from interpreter.reference import pieces
from interpreter.sights import reaches

REFEREE = -2
"""The viewer that sees everything."""
SPECTATOR = -1
"""The viewer that sees what all seats see."""
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
        self._hidden_words = rules.hidden_words
        self._declared_cache: dict[int, list[tuple[bool, bool]]] = {}
        self._visible_cache: dict[int, VisibleParts] = {}
        self.chosen_values = ChosenValues(machine)
        self.private_shows = PrivateShows(machine)
        zones = enumerate(self._zones)
        self.tops = tuple(i for i, decl in zones if decl is not None and decl.seen_by == "top")
        """The places of which everybody sees the topmost piece."""
        self._places: dict[str, list[int]] = {}
        for i, component in enumerate(components):
            self._places.setdefault(component, []).append(i)

    # ---- who sees what

    def may_see(self, place: int, seat: int) -> bool:
        """Whether a seat sees the pieces of a place by its declaration."""
        decl = self._zones[place]
        return decl is None or self._reaches(decl.seen_by, self.owner(place), seat)

    @cached_property
    def hides_pieces(self) -> bool:
        """Whether there is a place whose pieces a seat, or the spectator, does not see by its declaration."""
        seats = (SPECTATOR, *range(self.machine.seats))
        return any(not self.may_see(i, seat) for i in range(len(self.machine.places)) for seat in seats)

    def may_read(self, words: ir.VarLayout, address: int, seat: int) -> bool:
        """Whether a seat sees a word of a counter, mark or pointer by its declaration."""
        sight = self._hidden_words.get(words.name, "all")
        return self._reaches(sight, words.owner(address), seat)

    def _reaches(self, sight: r.Sight, owner: int | None, seat: int) -> bool:
        """Whether a seat is among those who see, or count, what an owner has; the spectator is nobody."""
        return seat == REFEREE or reaches(sight, owner, seat, self.rules.teams)

    def sees(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat sees the pieces of a place now: by declaration, or because it was shown them.

        What it was shown it remembers, as long as nothing has changed there that it did not see.
        """
        if self._declared(seat)[place][0]:
            return True
        return place in self.machine.shown and seat >= 0 and ir.is_shown(s[self.machine.shown[place]], seat)

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
        found, after = list(events), self.before(after) or after
        for place in self.tops:
            class_ = self.top(after, place)
            if class_ is not None and class_ != self.top(before, place):
                touched = [i for i, event in enumerate(found) if _touches(event, place)]
                at = touched[-1] + 1 if touched else len(found)
                found.insert(at, ev.Shown(ev.EVERYBODY, ((place, class_, 1),), True))
        return tuple(found)

    def counts(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat knows now how many pieces lie on a place."""
        return self.may_count(place, seat) or self.sees(s, place, seat)

    def may_count(self, place: int, seat: int) -> bool:
        """Whether a seat knows how many pieces lie on a place by its declaration."""
        decl = self._zones[place]
        if decl is None or self.may_see(place, seat) or decl.seen_by == "count":
            return True
        return self._reaches(decl.counted_by, self.owner(place), seat)

    def owner(self, place: int) -> int | None:
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
        for i, found in enumerate(self.pieces(s, seat)):
            zones[self._addresses[i]] = self._names(i, found) if isinstance(found, list) else found
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
        for one in self.chosen_values.of(s):
            if one.branch in (-1, seat) or seat == REFEREE:
                node = self.machine.node(one.decision, ir.Decide)
                hidden = seat != REFEREE and (
                    self.is_secret(s, node.type, one.value, seat) or (node.secret and one.chooser != seat)
                )
                yield node, None if hidden else one.value

    def _chosen_names(self, s: array[int], seat: int) -> dict[str, str]:
        found: dict[str, str] = {}
        for node, value in self.chosen(s, seat):
            name, number = node.name, 1
            while name in found:
                number += 1
                name = f"{node.name} {number}"
            found[name] = "?" if value is None else " ".join(self.names.candidate(node, value))
        return found

    def pieces(self, s: array[int], seat: int) -> list[list[int] | int | None]:
        """For each place what a seat may see there: the classes from bottom to top, their number, or none.

        Where only the topmost piece is seen, `COVERED` stands for each of the others. In `together`, the
        places of other seats appear as they were before it.
        """
        before = self.before(s)
        return [
            self._pieces(s if self._is_current(before, self.owner(i), seat) else before or s, i, seat, known)
            for i, known in enumerate(self._declared(seat))
        ]

    def unseen(self, s: array[int], component: str, seat: int) -> tuple[int, ...]:
        """Of each class of a component how many pieces a seat does not see: all that there are but those."""
        before, number = self.before(s), self.machine.component_classes[component]
        found = [0] * number
        for i in self._places[component]:
            if before is None and self.may_see(i, seat):
                continue
            now = s if self._is_current(before, self.owner(i), seat) else before or s
            for ref, n in self._readers[i](s, []):
                found[ref % number] += n
            if self.sees(now, i, seat):
                for ref, n in self._readers[i](now, []):
                    found[ref % number] -= n
            elif i in self.tops and (class_ := self.top(now, i)) is not None:
                found[class_] -= 1
        return tuple(max(0, n) for n in found)

    def words(self, s: array[int], seat: int) -> list[int | None]:
        """The words of all counters, marks and pointers, in the order of `Machine.variables`.

        None for those that the seat does not see. In `together`, those of other seats appear as they were
        before it.
        """
        before = self.before(s)
        found: list[int | None] = []
        for words in self.machine.variables.values():
            hides = words.name in self._hidden_words
            for address in range(words.base, words.base + words.size):
                state = s if self._is_current(before, words.owner(address), seat) else before or s
                hidden = hides and not self.reads(state, words, address, seat)
                found.append(None if hidden else state[address])
        return found

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
            self._visible_cache[seat] = self._found_parts(seat)
        return self._visible_cache[seat]

    def _found_parts(self, seat: int) -> VisibleParts:
        seen: list[tuple[int, int, bool]] = []
        hidden: list[tuple[Callable[[array[int]], object], bool]] = []
        for words in self.machine.variables.values():
            for address in range(words.base, words.base + words.size):
                if self.may_read(words, address, seat):
                    seen.append((address, address + 1, words.owner(address) == seat))
                elif self.machine.told_at(words, address) is not None:
                    told = partial(self._told_word, words, address, seat)
                    hidden.append((told, words.owner(address) == seat))
        for i, known in enumerate(self._declared(seat)):
            place = self.machine.places[i]
            if known[0]:
                seen.append((place.base, place.base + place.words, self.owner(i) == seat))
            elif read := self._hidden_reader(i, seat, known):
                hidden.append((read, self.owner(i) == seat))
        own, others = (
            _in_bytes(_joined(a[:2] for a in sorted(seen) if a[2] == mine)) for mine in (True, False)
        )
        return VisibleParts(own, others, tuple(hidden))

    def _told_word(self, words: ir.VarLayout, address: int, seat: int, s: array[int]) -> int | None:
        """A word that may have been shown to a seat; none if it was not."""
        return s[address] if self.reads(s, words, address, seat) else None

    def _hidden_reader(
        self, place: int, seat: int, declared: tuple[bool, bool]
    ) -> Callable[[array[int]], object] | None:
        """Reads what a seat may know of a place that it does not see by declaration; none if nothing."""
        if place in self.tops or (place in self.machine.shown and seat >= 0):

            def read(s: array[int]) -> object:
                found = self._pieces(s, place, seat, declared)
                return tuple(found) if isinstance(found, list) else found

            return read
        return pieces.counter(self.machine.places[place]) if declared[1] else None

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
        number = pieces.count(s, where)
        if place in self.tops:
            return [COVERED] * (number - 1) + [s[where.base + number] - 1] if number else []
        return number if seen or may_count else None

    def _names(self, place: int, classes: list[int]) -> list[str]:
        names = self._classes[place]
        return [UNSEEN if class_ == COVERED else names[class_] for class_ in classes]

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
            case ev.Shown(seat=who, openly=openly):
                if seat in (who, REFEREE) or who == ev.EVERYBODY:
                    return event
                return replace(event, pieces=None) if openly else None
            case ev.Branched():
                return None
            case ev.Told(seat=who, name=name, word=word, openly=openly):
                if who in (seat, -1) or seat == REFEREE:
                    return event
                knows = self.may_read(self.machine.variables[name], word, seat)
                return (event if knows else replace(event, value=None)) if openly else None
            case ev.Changed(name=name, word=word):
                return event if self.may_read(self.machine.variables[name], word, seat) else None
            case ev.Shuffled() | ev.Entered() | ev.Turned() | ev.Ended():
                return event
        assert_never(event)

    def _line(self, event: ev.Event) -> str | None:
        """One line about a redacted event."""
        label = self.names.told
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
            case ev.Shown(seat=ev.EVERYBODY, pieces=((place, class_, _),)):
                piece = label(self._classes[place][class_])
                return f"on top of {self._labelled(self.names.place(place))}: {piece}"
            case ev.Shown(seat=who, pieces=found):
                if found is None:
                    return f"{self.names.seat(who)} is shown cards"
                shown = [label(self._classes[p][c]) for p, c, n in found for _ in range(n)]
                return f"{self.names.seat(who)} is shown {', '.join(shown) or 'nothing'}"
            case ev.Told(seat=who, name=name, word=word, value=value):
                return self._told(who, name, word, value)
            case ev.Shuffled(place=place):
                return f"{self._labelled(self.names.place(place))} is shuffled"
            case ev.Entered(phase=phase):
                return f"phase: {label(self.machine.phases[phase])}"
            case ev.Turned(seat=who):
                return f"turn of {self.names.seat(who)}"
            case ev.Ended(outcome=0):
                return "the game is over"
            case ev.Ended(outcome=outcome):
                return f"the game is over: {label(self.machine.endings[outcome - 1])}"
            case ev.Branched():
                return None
        assert_never(event)

    def _told(self, who: int, name: str, word: int, value: int | None) -> str:
        """`B is shown purse of A: 3`; without the value for those who may not know it."""
        words = self.machine.variables[name]
        seat = self.names.seat(who) if who >= 0 else "everybody"
        told = f"{seat} is shown {self._labelled(self.names.word(words, word - words.base))}"
        return told if value is None else f"{told}: {self.names.told(self.names.value(words.type, value))}"

    def _moved(self, event: ev.Moved) -> str:
        """A line about a move; a piece of a hidden class, or of the only one, is named by its component."""
        names = self.rules.components[event.component].classes
        hidden = event.class_ < 0
        piece = self.names.told(event.component if hidden or len(names) == 1 else names[event.class_])
        number = f"{event.number} " if event.number > 1 or hidden else ""
        source, to = (self._labelled(self.names.place(p)) for p in (event.source, event.to))
        return f"{number}{piece}: {source} -> {to}"

    def _labelled(self, address: str) -> str:
        """An address in labels."""
        name, _, rest = address.partition(" ")
        words = " ".join(w if w in ("of", "at") else self.names.told(w) for w in rest.split())
        return f"{self.names.told(name)} {words}".strip()


def _in_bytes(words: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ranges of words, joined, as ranges of bytes."""
    return tuple((WORD * low, WORD * high) for low, high in _joined(words))


def _joined(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ranges in order; those that touch are one."""
    found: list[tuple[int, int]] = []
    for low, high in ranges:
        if found and found[-1][1] == low:
            found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return tuple(found)


def _touches(event: ev.Event, place: int) -> bool:
    """Whether an event puts pieces on a place, takes them away, or shuffles them."""
    match event:
        case ev.Moved(source=source, to=to):
            return place in (source, to)
        case ev.Shuffled(place=shuffled):
            return place == shuffled
    return False
