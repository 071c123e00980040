"""Canonical names: a machine's numbers in the names of the new version, to compare two machines."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property
from typing import Any, assert_never

from dsl import rules as r
from dsl.domains import NONE, EffectType, EnumType, PieceType, Type, row_type
from interpreter import events as ev, ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.reference import pieces
from interpreter.sights import SPECTATOR
from validators.diff.names import Form, apart
from validators.diff.version_view import VersionView

ORDERED = frozenset({"pile", "stack", "row"})


class CanonicalNames:
    """The names of the new version for the numbers of one version's machine."""

    def __init__(self, game: Game, side: VersionView) -> None:
        self.game, self.side = game, side
        self.rules, self.machine, self.names = game.rules, game.machine, side.names

    # ---- names

    def seat(self, number: int) -> str:
        return self.names.value("seat", self.game.names.seat(number))

    def class_(self, component: str, number: int) -> str:
        """The name of a class of a component: of its row, face, type value or seat, or of the component."""
        return self._names_of_classes[component][number]

    @cached_property
    def _names_of_classes(self) -> dict[str, tuple[str, ...]]:
        return {name: self._classes_of(name) for name in self.rules.components}

    def _classes_of(self, component: str) -> tuple[str, ...]:
        found = self.rules.components[component]
        if found.classes == (component,):
            return (self.names.name(component),)
        owners = [
            row_type(component),
            *(c.name for c in found.columns.values() if c.type == EnumType(c.name)),
        ]
        owners += ["seat"] if found.per_seat else []
        owners += [found.die.type] if isinstance(found.die, EnumType) else []
        return tuple(self._renamed(label, owners) for label in found.classes)

    def _renamed(self, label: str, owners: list[str]) -> str:
        return next((new for o in owners if (new := self.names.value(o, label)) != label), label)

    def _index(self, index: str | None, value: int | None) -> str | None:
        """A value of an index of a place or store."""
        if index is None or value is None:
            return None
        if index in self.rules.components:
            return self.class_(index, value)
        return self.side.new_label(index, self.rules.types[index].label(value))

    @cached_property
    def homes(self) -> frozenset[str]:
        """The names of all definitions and steps of the flow."""
        return frozenset(name for _, _, name in self._starts)

    def home(self, node: int) -> str:
        """The definition or step of the flow that contains a node."""
        span = self.machine.nodes[node].span
        here = (span.source.name, span.start)
        found = [
            name for source, start, name in self._starts if (source, start) <= here and source == here[0]
        ]
        return found[-1] if found else ""

    @cached_property
    def _starts(self) -> list[tuple[str, int, str]]:
        """Where each definition and each step of the flow begins, in order."""
        rules = self.rules
        named = [(x.span, self.names.name(n)) for n, x in rules.routines.items()]
        named += [(x.span, self.names.name(n)) for n, x in rules.values.items()]
        named += [(x.span, self.names.name(n)) for n, x in rules.collections.items()]
        named += [(x.span, "when") for x in rules.triggers]
        named += [(step.span, f"step:{step.name}") for step in _steps(rules)]
        return sorted((span.source.name, span.start, name) for span, name in named)

    def var(self, name: str) -> r.StateVar | None:
        """The declaration of a zone, counter, mark or pointer, by its name in the new version."""
        rules = self.rules
        for decls in (rules.zones, rules.counters, rules.marks, rules.pointers):
            for old, decl in decls.items():
                if self.names.name(old) == name:
                    return decl.var
        return None

    def phase(self, number: int) -> str:
        return apart(self.names, "phase", self.machine.phases[number])

    def stream(self, name: str) -> str:
        return self.names.name(name)

    @cached_property
    def places(self) -> tuple[Form, ...]:
        """The address of each place: zone, index of `of`, index of `at`."""
        return tuple(self._place(place) for place in self.machine.places)

    def _place(self, place: ir.Place) -> Form:
        zone = self.rules.zones.get(place.zone)
        if zone is None:
            return (self.names.name(place.zone), None, None)
        of, at = self._index(zone.var.of, place.of), self._index(zone.var.at, place.at)
        return (self.names.name(place.zone), of, at)

    @cached_property
    def words(self) -> dict[int, tuple[Form, Type]]:
        """The address and type of each word of a counter, mark or pointer."""
        return {
            word: (self._word(words, word), words.type)
            for words in self.machine.variables.values()
            for word in range(words.base, words.base + words.size)
        }

    def _word(self, words: ir.VarLayout, address: int) -> Form:
        of, at = words.indices(address)
        return (self.names.name(words.name), self._index(words.of, of), self._index(words.at, at))

    # ---- values and choices

    def value(self, kind: Type, value: int) -> Form:
        """The form of a value; of a piece its class and place."""
        match kind:
            case PieceType(component) if value != NONE:
                place, class_ = divmod(value, self.machine.component_classes[component])
                return (self.class_(component, class_), self.places[place])
            case EnumType(name) if value != NONE:
                return self._index(name, value) if " " not in name else self.side.element(name, value)
            case EffectType() if value != NONE:
                routine, given = self.machine.cells[value]
                return (self._routine(routine), *given)
        return self.side.value(kind, value)

    def _routine(self, number: int) -> str:
        return self.names.name(self.machine.routines[number].name)

    def option(self, waiting: Waiting, option: Option) -> Form:
        """The form of an option: a pass, a value, or an action with its first value."""
        node = self.machine.nodes[waiting.node]
        if option[0] < 0:
            return ("pass",)
        if isinstance(node, ir.Decide):
            return ("value", self.value(node.type, option[1]))
        doing = waiting.what[option[0]]
        assert doing is not None
        kind = self.game.names.value_type(self.machine.node(waiting.node, ir.Offer), option, waiting.what)
        value = self.value(kind, option[1]) if kind is not None else None
        return ("do", self._routine(doing[0]), self._given(*doing), value)

    def _given(self, routine: int, given: tuple[int, ...]) -> Form:
        """Arguments by the types of their parameters."""
        found = self.rules.routines.get(self.machine.routines[routine].name)
        if found is None:
            return given
        kinds = (p.var.type for p in found.parameters)
        return tuple(self.value(k, v) for k, v in zip(kinds, given, strict=False))

    def outcome(self, node: ir.Chance, outcome: int) -> Form:
        """The name of a class or face; the number of an exchange in a shuffle."""
        if not node.names:
            return outcome
        stream = self.machine.streams[node.stream]
        zone = self.rules.zones.get(stream)
        component = zone.component if zone is not None else stream
        if component not in self.rules.components:
            return node.names[outcome]
        return self.class_(component, outcome)

    # ---- events

    def event(self, event: ev.Event) -> Form:
        """The form of an event: its kind, then its fields, and whether others learn of it."""
        told = [field for field in ev.by_role(event) if field[0] is not ev.FieldRole.NODE]
        found = tuple(self._field(event, role, value) for role, value in told)
        openly = [event.openly] if isinstance(event, ev.Shown | ev.Told) else []
        return (ev.KINDS[type(event)].name, *found, *openly)

    def _field(self, event: Any, role: ev.FieldRole, value: Any) -> Form:
        """The form of a field of an event; none for what is hidden, and for what no other version has."""
        match role:
            case _ if value is None:
                return None
            case ev.FieldRole.COMPONENT:
                return self.names.name(value)
            case ev.FieldRole.CLASS:
                return self.class_(event.component, value)
            case ev.FieldRole.PLACE:
                return self.places[int(value)]
            case ev.FieldRole.WORD:
                return self.words[value][0]
            case ev.FieldRole.VALUE:
                return self.value(self.words[event.word][1], value)
            case ev.FieldRole.PIECES:
                return tuple(self._lying(*piece) for piece in value)
            case ev.FieldRole.SEAT:
                return self.seat(value) if value >= 0 else None
            case ev.FieldRole.PHASE:
                return self.phase(value)
            case ev.FieldRole.NUMBER:
                number: int = value
                return number
            case ev.FieldRole.OUTCOME | ev.FieldRole.NODE:
                return None
        assert_never(role)

    def _lying(self, place: int, class_: int, number: int) -> Form:
        component = self.machine.place_components[self.machine.places[place].zone]
        return (self.class_(component, class_), self.places[place], number)

    # ---- the table

    @cached_property
    def layout(self) -> Form:
        """Everything that gives the shared words of a state their meaning, and who sees them."""
        mc = self.machine
        places = tuple(
            (name, p.kind, p.base, p.capacity, p.classes, self._sights(i), self._classes(p.zone))
            for i, (name, p) in enumerate(zip(self.places, mc.places, strict=True))
        )
        words = tuple((word, address, self.side.type(kind)) for word, (address, kind) in self.words.items())
        phases = tuple(self.phase(i) for i in range(len(mc.phases)))
        seats = tuple(self.seat(i) for i in range(mc.seats))
        labels = tuple(decl.names for decl in self.rules.types.values())
        return (
            places,
            words,
            tuple(mc.shown.items()),
            tuple(mc.told.items()),
            mc.saved_from,
            mc.saved_to,
            phases,
            seats,
            labels,
        )

    def _sights(self, place: int) -> Form:
        views = self.game.views
        watchers = range(SPECTATOR, self.machine.seats)
        by_seat = tuple((views.may_see(place, w), views.may_count(place, w)) for w in watchers)
        return (*by_seat, place in views.tops)

    def _classes(self, zone: str) -> Form:
        return self._names_of_classes[self.machine.place_components[zone]]

    def shared(self, s: array[int]) -> bytes:
        """The words of a state that `table` reads."""
        mc = self.machine
        return bytes(s[mc.saved_from : mc.saved_to]) + bytes(array("i", [s[ir.PHASE], s[ir.ACTIVE]]))

    def table(self, s: array[int]) -> dict[Form, Form]:
        """Everything that somebody can see, by address: pieces, counters, marks, pointers, whose turn it is.

        What is empty, 0, false or none is left out, so that an unused new declaration makes no difference.
        """
        found: dict[Form, Form] = {}
        for number, key in enumerate(self.places):
            lying = self._lies(s, number)
            if lying is not None:
                found[key] = lying
        for word, (address, kind) in self.words.items():
            value = self.value(kind, s[word])
            if value is not None and value is not False and value != 0:
                found[address] = value
        found["phase"], found["active"] = self.phase(s[ir.PHASE]), self.seat(s[ir.ACTIVE])
        found["winners"] = self._winners(s) if s[ir.STATUS] else None
        if (ending := self.machine.ending(s)) is not None:
            found["end"] = ending
        return found

    def _winners(self, s: array[int]) -> Form:
        match = Match(self.game)
        match.state = s
        return ", ".join(self.names.value("seat", seat) for seat in match.winners()) or "nobody"

    def _lies(self, s: array[int], number: int) -> Form:
        """The pieces on a place if anybody sees them, and who sees and who can count them; none if empty."""
        place = self.machine.places[number]
        lying = pieces.count(s, place)
        if not lying:
            return None
        views, watchers = self.game.views, range(SPECTATOR, self.machine.seats)
        seen = tuple(self._watcher(w) for w in watchers if views.sees(s, number, w))
        counted = tuple(self._watcher(w) for w in watchers if views.counts(s, number, w))
        class_ = views.top(s, number) if number in views.tops else None
        component = self.machine.place_components[place.zone]
        top = self.class_(component, class_) if class_ is not None else None
        return (seen, counted, self._pieces(s, number) if seen else top, lying if counted else None)

    def _watcher(self, number: int) -> str:
        return "spectators" if number == SPECTATOR else self.seat(number)

    def _pieces(self, s: array[int], number: int) -> Form:
        place = self.machine.places[number]
        component = self.machine.place_components[place.zone]
        if place.kind == ir.BLANK:
            return s[place.base]
        found = pieces.place_reader(place, number)(s, [])
        names = [self.class_(component, ref % place.classes) for ref, n in found for _ in range(n)]
        zone = self.rules.zones.get(place.zone)
        return tuple(names if zone is not None and zone.order in ORDERED else sorted(names))


def _steps(rules: r.Rules) -> Iterator[r.CallStep | r.OfferStep]:
    for phase in rules.phases.values():
        yield from (step for step in phase.all_steps() if isinstance(step, r.CallStep | r.OfferStep))
