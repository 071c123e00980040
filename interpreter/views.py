"""Views: what a seat may see of a state and of events, as the declaration of each zone says."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, assert_never

from dsl import rules as r
from dsl.domains import PieceType, Type
from interpreter import events as ev, ir
from interpreter.chosen_values import ChosenValues
from interpreter.decision_marks import decision_marks
from interpreter.ends import clauses_of_ends
from interpreter.event_notation import notation
from interpreter.event_rows import WORDS, EventRows
from interpreter.executor_protocol import Option, Waiting
from interpreter.formatting import UNSEEN, Formatter, What, open_words
from interpreter.private_shows import PrivateShows
from interpreter.reference import pieces
from interpreter.sights import REFEREE, SPECTATOR
from interpreter.wasm.host.codes import LISTED, NO_PLACE, OF_CHOICE, SECRETLY, STEP, UNKNOWN

if TYPE_CHECKING:
    from interpreter.wasm.host.reader import HostFunctions

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
class ToldPart:
    """Events of a step, by its number, that belong to one branch of `together` or to none, as far as told.

    `first`: they are the first of the step. `late`: they were held back until all branches had ended.
    """

    step: int
    first: bool
    late: bool
    events: tuple[ev.Event, ...]


def step_row(number: int = 0, branch: int = -1, seat: int = -1, flags: int = 0) -> array[int]:
    """The row before the events of a step: see `interpreter.wasm.host.telling`."""
    return array("i", (STEP, number, branch, seat, flags, 0))


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
        self.chosen_values = ChosenValues(machine)
        self.private_shows = PrivateShows(machine)
        self.tops = tuple(i for i, sight in enumerate(machine.sights) if sight.top)
        """The places of which everybody sees the topmost piece."""

    @cached_property
    def host(self) -> HostFunctions:
        """What says what a viewer sees, is told, and has learned."""
        from interpreter.wasm.host.reader import HostFunctions

        return HostFunctions(self.machine, self.rules)

    @cached_property
    def rows(self) -> EventRows:
        """How events are handed to it."""
        return EventRows(self.machine)

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

    def _is_among(self, s: array[int], place: int, column: int, viewer: int) -> bool:
        return bool(self.host.sights(s)[2 * place + column] & ir.viewer_bit(viewer))

    def sees(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat sees the pieces of a place now: by declaration, or because it was shown them."""
        return self._is_among(s, place, 0, seat)

    def counts(self, s: array[int], place: int, seat: int) -> bool:
        """Whether a seat knows now how many pieces lie on a place."""
        return self._is_among(s, place, 1, seat)

    def top(self, s: array[int], place: int) -> int | None:
        """The class of the topmost piece on a place; none if it is empty."""
        return pieces.top(s, self.machine.places[place])

    def with_tops(
        self, events: tuple[ev.Event, ...], before: array[int], after: array[int]
    ) -> tuple[ev.Event, ...]:
        """The last events between two stops, with what everybody newly sees on top of places."""
        return tuple(self.rows.read(self.host.tops(self.rows.write(events), before, after)))

    def may_count(self, place: int, seat: int) -> bool:
        """Whether a seat knows how many pieces lie on a place by its declaration."""
        return bool(self._sights[place].counted & ir.viewer_bit(seat))

    def owner(self, place: int) -> int | None:
        """The seat that a place belongs to, if it belongs to one."""
        return self._sights[place].owner

    def hides(
        self,
        s: array[int],
        viewer: int,
        named: Iterable[tuple[Type | None, int]],
        marks: int = 0,
        chooser: int = REFEREE,
    ) -> bool:
        """Whether a viewer may not read what names values of some types: see `wasm.host.knowledge`.

        `marks` are those of the decision in which a seat chooses them.
        """
        classes = self.machine.component_classes
        places = [
            value // classes[kind.component] if isinstance(kind, PieceType) else NO_PLACE
            for kind, value in named
        ]
        if not marks and all(place < 0 for place in places):
            return False
        return self.host.hides(s, viewer, chooser, marks, places)

    def hides_option(self, s: array[int], waiting: Waiting, option: Option) -> bool:
        """Whether the seat that is asked may not read an option."""
        node = self.machine.decision(waiting.node)
        return self.hides(s, waiting.seat, self.names.named(node, option, waiting.what))

    def hides_choice(self, s: array[int], waiting: Waiting, option: Option, viewer: int) -> bool:
        """Whether a viewer may not read an option that has been chosen."""
        node, what = self.machine.decision(waiting.node), waiting.what
        chooses = node if isinstance(node, ir.Decide) else self.names.parameter(self._target(option, what))
        marks = self.marks_of(chooses) & OF_CHOICE
        return self.hides(s, viewer, self.names.named(node, option, what), marks, waiting.seat)

    def choice_text(self, s: array[int], waiting: Waiting, option: Option, viewer: int) -> str:
        """An option that has been chosen, in words, as a viewer may read it; `s` is before the choice."""
        node = self.machine.decision(waiting.node)
        words = self.names.choice(node, option, waiting.what)
        return " ".join(open_words(words, node) if self.hides_choice(s, waiting, option, viewer) else words)

    @staticmethod
    def _target(option: Option, what: What) -> tuple[int, tuple[int, ...]] | None:
        return what[option[0]] if option[0] >= 0 else None

    def marks_of(self, node: ir.Decide | None) -> int:
        """The marks of a decision: see `interpreter.wasm.host.codes`."""
        return self._marks.get(id(node), 0)

    @cached_property
    def _marks(self) -> dict[int, int]:
        marks = decision_marks(self.rules, self.machine)
        return {id(self.machine.nodes[number]): found for number, found in marks.items()}

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
                marks = self.marks_of(node) & SECRETLY
                hidden = self.hides(s, seat, ((node.type, chosen.value),), marks, chosen.chooser)
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
        numbers, _, seen = self._seen(s, seat)
        return [self._pieces(seen, i, number) for i, number in enumerate(numbers)]

    def _pieces(self, seen: array[int], place: int, number: int) -> list[int] | int | None:
        if number != LISTED:
            return None if number == UNKNOWN else number
        first = place * self.machine.places[place].classes
        return [ref - first for ref, n in self._readers[place](seen, []) for _ in range(n)]

    def words(self, s: array[int], seat: int) -> list[int | None]:
        """The words of all counters, marks and pointers, in the order of `Machine.variables`.

        None for those that the seat does not see. In `together`, those of other seats appear as they were
        before it.
        """
        _, known, seen = self._seen(s, seat)
        return [seen[address] if k else None for k, address in zip(known, self._word_numbers, strict=True)]

    def _seen(self, s: array[int], seat: int) -> tuple[array[int], array[int], array[int]]:
        """What a seat sees: of each place, of each word, and a state with nothing else."""
        seen, places = array("i", self.host.view(s, seat)), len(self.machine.places)
        words = places + len(self._word_numbers)
        return seen[:places], seen[places:words], seen[words:]

    def visible(self, s: array[int], seat: int) -> bytes:
        """What a seat sees, in a form that is quick to compare: equal where `pieces` and `words` are."""
        return self.host.view(s, seat)

    def reads(self, s: array[int], address: int, seat: int) -> bool:
        """Whether a seat sees a word now: by declaration, or because it was shown it."""
        readers = self.host.sights(s)[2 * len(self.machine.places) + self._word_numbers[address]]
        return bool(readers & ir.viewer_bit(seat))

    def word_number(self, address: int) -> int:
        """The index in `words` of the word at an address."""
        return self._word_numbers[address]

    def before(self, s: array[int], viewer: int = SPECTATOR) -> array[int] | None:
        """The state of which a viewer is told values and scores, if it is another one.

        That is as it was before the running `together`, but for the referee.
        """
        return self.host.before(s, viewer) if s[ir.FORKED] else None

    def awaited(self, s: array[int], viewer: int, seats: Iterable[int]) -> list[int]:
        """Which of the seats that are asked a viewer is told, in order."""
        told = self.host.awaited(s, viewer, sum(1 << seat for seat in set(seats)))
        return [seat for seat in range(self.machine.seats) if told >> seat & 1]

    def _names(self, place: int, classes: list[int]) -> list[str]:
        names = self._classes[place]
        return [UNSEEN if class_ == COVERED else names[class_] for class_ in classes]

    # ---- events

    def tell(self, rows: array[int], viewer: int, held: bytes = b"") -> tuple[list[ToldPart], bytes]:
        """What a viewer is told by steps, as rows, and the rows that are held back until `together` ends.

        `held` are those that were held back before.
        """
        told, held = self.host.tell(rows, viewer, held)
        return self.parts(told), held

    def parts(self, rows: array[int]) -> list[ToldPart]:
        """The parts of some rows that are told."""
        if not rows:
            return []
        starts = [i for i in range(0, len(rows), WORDS) if rows[i] == STEP]
        return [
            ToldPart(number, bool(first), bool(late), tuple(self.rows.read(rows[i + WORDS : end])))
            for i, end in zip(starts, [*starts[1:], len(rows)], strict=True)
            for _, number, first, late, *_ in (rows[i : i + WORDS],)
        ]

    def redacted(self, events: Iterable[ev.Event], seat: int) -> list[ev.Event]:
        """Some events outside of `together`, with what a seat may know of them."""
        told, _ = self.tell(step_row() + self.rows.write(e for e in events if not _structures(e)), seat)
        return [event for part in told for event in part.events]

    def redact(self, event: ev.Event, seat: int) -> ev.Event | None:
        """An event with what a seat may know of it; none if it may know nothing."""
        return next(iter(self.redacted((event,), seat)), None)

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


def _structures(event: ev.Event) -> bool:
    return ev.KINDS[type(event)].structures
