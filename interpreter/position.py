"""Positions that are set up, not reached: for scenarios, puzzles and tables that go on from a photo."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from dsl.diagnostics import did_you_mean
from dsl.domains import LARGEST, NONE, EnumType, FlagType
from dsl.numbers import whole
from interpreter import ir
from interpreter.game import Game
from interpreter.reference import pieces
from interpreter.reference.codes import OVER


class CannotPlace(Exception):
    """Why a position cannot be set up, and what may help."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(why)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class AddressWords:
    """`slot of A at 3`, taken apart: the name that is addressed, and the words of its indices."""

    name: str
    of: str | None = None
    at: str | None = None


def parse_address(text: str) -> AddressWords:
    """Raises `CannotPlace` if a text is no address."""
    words = text.split()
    found: dict[str, str] = {}
    for preposition, index in zip(words[1::2], words[2::2], strict=False):
        found.setdefault(preposition, index)
    if not words or len(words) != 1 + 2 * len(found) or not set(found) <= {"of", "at"}:
        raise CannotPlace(f"`{text}` is not an address like `slot of A at 3`")
    return AddressWords(words[0], found.get("of"), found.get("at"))


class Position:
    """A state under construction, from the start position on, or from a copy of another state."""

    def __init__(self, game: Game, state: array[int] | None = None) -> None:
        self.game = game
        self.machine = game.machine
        self.state: array[int] = game.executor.initial_state() if state is None else state[:]
        self._named: set[int] = set()

    # ---- addresses

    def _index(self, declared: str | None, word: str | None, text: str) -> int | None:
        if declared is None and word is None:
            return None
        if declared is None or word is None:
            raise CannotPlace(f"`{text}` has too many or too few indices")
        if declared in self.game.rules.types:
            return self._value(declared, word)
        classes = self.game.rules.components[declared].classes
        if word not in classes:
            raise CannotPlace(f"`{word}` is not a `{declared}`", did_you_mean(word, classes))
        return classes.index(word)

    def _value(self, declared: str, word: str) -> int:
        """The number of a value of a type that exists with so many seats."""
        decl, seats = self.game.rules.types[declared], self.machine.seats
        if declared == "seat" and word not in decl.names[:seats]:
            raise CannotPlace(f"unknown seat `{word}`; the seats are {', '.join(decl.names[:seats])}")
        if word not in decl.names:
            raise CannotPlace(f"`{word}` is not a `{declared}`", did_you_mean(word, decl.names))
        value = decl.lo + decl.names.index(word)
        if value not in decl.present(seats):
            raise CannotPlace(f"`{word}` does not exist with {seats} seats")
        return value

    def place(self, text: str) -> int:
        """The number of a place by its address."""
        address = parse_address(text)
        if address.name not in self.machine.zone_places:
            known = (*self.machine.zone_places, *self.machine.variables)
            raise CannotPlace(f"unknown name `{address.name}`", did_you_mean(address.name, known))
        zone = self.game.rules.zones.get(address.name)
        i = self._index(zone.var.of if zone else None, address.of, text)
        j = self._index(zone.var.at if zone else None, address.at, text)
        first, count = self.machine.zone_places[address.name]
        for number in range(first, first + count):
            place = self.machine.places[number]
            if (place.of, place.at) == (i, j):
                return number
        raise CannotPlace(f"unknown place `{text}`")

    def word(self, text: str) -> tuple[ir.VarLayout, int]:
        """The words of a counter, mark or pointer, and the address in the state."""
        address = parse_address(text)
        if address.name not in self.machine.variables:
            raise CannotPlace(f"unknown counter, mark or pointer `{address.name}`")
        words = self.machine.variables[address.name]
        i = self._index(words.of, address.of, text)
        j = self._index(words.at, address.at, text)
        return words, words.address(i, j)

    # ---- setting

    def set_word(self, text: str, value: str) -> None:
        """A counter, mark or pointer is to have a value, as the rules write it."""
        words, _ = self.word(text)
        self.set_number(text, self._number(words, value))

    def set_number(self, text: str, value: int) -> None:
        """The same, with the number of the value."""
        words, at = self.word(text)
        lo, hi = words.bounds(at)
        if words.kind == "counter" and not lo <= value <= hi:
            raise CannotPlace(f"`{text}` must be within {lo}..{hi}")
        self.state[at] = value

    def _number(self, words: ir.VarLayout, text: str) -> int:
        kind = words.type
        if isinstance(kind, FlagType) and text in ("true", "false"):
            return int(text == "true")
        if isinstance(kind, EnumType):
            return NONE if text == "none" else self._value(kind.type, text)
        if (number := whole(text)) is not None:
            return number
        raise CannotPlace(f"`{text}` is not a value of it")

    def set_pieces(self, number: int, names: list[str], spare: bool) -> None:
        """Exactly these pieces lie at a place, the last one on top; they come from where their component
        starts, or if none is left there, from wherever one lies. With `spare` there may be more than the
        game has."""
        component = self.game.reference.component_of[number]
        known = self.game.rules.components[component].classes[: self.game.reference.classes_of[number]]
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None:
            raise CannotPlace(f"`{unknown}` is not a `{component}`", did_you_mean(unknown, known))
        self._fill(number, [known.index(name) for name in names], spare)

    def set_count(self, number: int, count: int, spare: bool) -> None:
        """So many pieces that cannot be told apart lie at a place; in a seat's own place, that seat's."""
        component, place = self.game.reference.component_of[number], self.machine.places[number]
        decl, zone = self.game.rules.components[component], self.game.rules.zones.get(place.zone)
        class_ = 0
        if count and self.game.reference.classes_of[number] > 1 and place.kind != ir.BLANK:
            if not decl.per_seat or decl.die is not None or zone is None or zone.var.of != "seat":
                raise CannotPlace(f"name the pieces: a number does not say which `{component}` are there")
            class_ = place.of or 0
        if count > LARGEST:
            raise CannotPlace(f"no `{component}` left")
        self._fill(number, [class_] * count, spare)

    def _fill(self, number: int, classes: list[int], spare: bool) -> None:
        place = self.machine.places[number]
        source = self._source(number)
        self._named.add(number)
        self._empty(number, source)
        for class_ in classes:
            if source is not None and source != number:
                self._fetch(source, number, class_, spare)
            try:
                pieces.put(self.state, place, class_)
            except pieces.Full:
                name = self.game.rules.components[self.game.reference.component_of[number]].classes[class_]
                raise CannotPlace(f"`{place.zone}` has no room for `{name}`") from None

    def _empty(self, number: int, source: int | None) -> None:
        """What lies at a place goes back to where its component starts."""
        place, classes = self.machine.places[number], self.game.reference.classes_of[number]
        if source is not None and source != number:
            for class_ in self.held(number):
                pieces.put(self.state, self.machine.places[source], class_)
        pieces.clear(self.state, place, classes)

    def held(self, number: int) -> list[int]:
        """The class of each piece at a place."""
        place, s = self.machine.places[number], self.state
        match place.kind:
            case ir.SLOT:
                return [s[place.base] - 1] if s[place.base] else []
            case ir.ORDERED:
                return [c - 1 for c in s[place.base + 1 : place.base + 1 + s[place.base]]]
            case ir.COUNTS:
                return [c for c in range(place.classes) for _ in range(s[place.base + c])]
        return [0] * s[place.base]

    def _source(self, number: int) -> int | None:
        """The place where a component's pieces start: the same seat's, or the only one."""
        component, place = self.game.reference.component_of[number], self.machine.places[number]
        zone = next(
            (z for z in self.game.rules.zones.values() if z.component == component and z.start),
            None,
        )
        if zone is None:
            return None
        first, count = self.machine.zone_places[zone.name]
        same = (i for i in range(first, first + count) if self.machine.places[i].of == place.of)
        return next(same, first)

    def _fetch(self, source: int, number: int, class_: int, spare: bool) -> None:
        component = self.game.reference.component_of[number]
        die = self.game.rules.components[component].die is not None
        others = (i for i, c in enumerate(self.game.reference.component_of) if c == component)
        for at in (source, *(i for i in others if i != source and i not in self._named)):
            try:
                pieces.take(self.state, self.machine.places[at], 0 if die else class_)
                return
            except pieces.Missing:
                continue
        if not spare:
            name = self.game.rules.components[component].classes[class_]
            raise CannotPlace(
                f"no `{component if die else name}` left; "
                "`allow: [spare pieces]` allows more than the game has"
            )

    # ---- where the program stands

    def stand_at(self, step: str, seat: int) -> int:
        """Puts the program to the beginning of a phase or of a step of one; the node to run from."""
        if step not in self.machine.entries:
            steps = ", ".join(f"`{name}`" for name in self.machine.entries)
            raise CannotPlace(f"unknown step `{step}`; the steps are {steps}")
        entry, s, fp = self.machine.entries[step], self.state, self.machine.stack
        s[fp : self.machine.size] = array("i", bytes(4 * (self.machine.size - fp)))
        s[ir.STATUS] = s[ir.PC] = s[ir.FORKED] = s[ir.RUNNING] = s[ir.WINNERS] = 0
        s[ir.FP], s[ir.MAIN_FP] = fp, 0
        s[fp + ir.RETURN], s[fp + ir.SELF] = OVER, NONE
        s[ir.PHASE], s[ir.ACTIVE], s[fp + ir.ME] = entry.phase, seat, seat
        s[ir.ROTATION] = seat if self.takes_turns(self.machine.phases[entry.phase]) else -1
        if entry.order is not None:
            seats = self.machine.seats
            s[fp + entry.order] = seats
            for i in range(seats):
                s[fp + entry.order + 1 + i] = i
            s[fp + entry.resume], s[fp + entry.resume + 1] = seat + 1, seat
        self.game.reference.prime_triggers(s)
        return entry.node

    def takes_turns(self, phase: str) -> bool:
        """Whether some seat has had the turn in a phase: those that rotate, and whatever they lead to."""
        phases = self.game.rules.phases
        found: set[str] = set()
        todo = [one.name for one in phases.values() if one.rotates]
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += [following for _, following in phases[name].then]
        return phase in found
