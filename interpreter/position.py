"""Positions that are set up, not reached: for scenarios, puzzles and tables that go on from a photo."""

from __future__ import annotations

from array import array

from interpreter import machine as m
from interpreter.match import Game
from interpreter.reference import pieces


class CannotPlace(Exception):
    """Why a position cannot be set up."""


class Position:
    """A state under construction, from the start position on."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.machine = game.machine
        self.state: array[int] = game.executor.fresh()

    # ---- addresses

    def address(self, text: str) -> tuple[str, str | None, str | None]:
        """`slot of A at 3` as name, `of` and `at`. Raises `CannotPlace`."""
        words = text.split()
        of = at = None
        rest = words[1:]
        while rest:
            if len(rest) < 2 or rest[0] not in ("of", "at"):
                raise CannotPlace(f"`{text}` is no address like `slot of A at 3`")
            if rest[0] == "of":
                of = rest[1]
            else:
                at = rest[1]
            rest = rest[2:]
        return words[0], of, at

    def _index(self, declared: str | None, word: str | None, text: str) -> int | None:
        if declared is None and word is None:
            return None
        if declared is None or word is None:
            raise CannotPlace(f"`{text}` has an index too many or too few")
        if declared == "seat":
            seats = self.game.rules.types["seat"].names[: self.machine.seats]
            if word not in seats:
                raise CannotPlace(f"`{word}` is no seat; there are {', '.join(seats)}")
            return seats.index(word)
        if declared in self.game.rules.types:
            decl = self.game.rules.types[declared]
            if word not in decl.names:
                raise CannotPlace(f"`{word}` is no `{declared}`")
            return decl.lo + decl.names.index(word)
        classes = self.game.rules.components[declared].classes
        if word not in classes:
            raise CannotPlace(f"`{word}` is no `{declared}`")
        return classes.index(word)

    def place(self, text: str) -> int:
        """The number of a place by its address."""
        name, of, at = self.address(text)
        if name not in self.machine.zone_places:
            raise CannotPlace(f"there is no zone `{name}`")
        zone = self.game.rules.zones.get(name)
        i = self._index(zone.store.of if zone else None, of, text)
        j = self._index(zone.store.at if zone else None, at, text)
        first, count = self.machine.zone_places[name]
        for number in range(first, first + count):
            place = self.machine.places[number]
            if (place.of, place.at) == (i, j):
                return number
        raise CannotPlace(f"`{text}` is no place of the game")

    def word(self, text: str) -> tuple[m.Words, int]:
        """The words of a counter, mark or pointer, and the address in the state."""
        name, of, at = self.address(text)
        words = self.machine.words[name]
        i = self._index(words.of, of, text)
        j = self._index(words.at, at, text)
        offset = ((i or 0) - (words.of_lo if i is not None else 0)) * words.at_size
        return words, words.base + offset + ((j or 0) - (words.at_lo if j is not None else 0))

    # ---- setting

    def set_number(self, text: str, value: int) -> None:
        words, at = self.word(text)
        lo, hi = (
            words.ranges[0] if len(words.ranges) == 1 else words.ranges[(at - words.base) % words.at_size]
        )
        if words.kind == "counter" and not lo <= value <= hi:
            raise CannotPlace(f"`{text}` must be within {lo}..{hi}")
        self.state[at] = value

    def set_pieces(self, number: int, names: list[str], spare: bool) -> None:
        """Exactly these pieces lie there; they come from where their component starts."""
        place = self.machine.places[number]
        component = self.game.reference.component_of[number]
        classes = self.game.reference.classes_of[number]
        known = self.game.rules.components[component].classes[:classes]
        source = self._source(component, place)
        if source == number or source is None:
            pieces.clear(self.state, place, classes)
        for name in names:
            if name not in known:
                raise CannotPlace(f"`{name}` is no `{component}`")
            class_ = known.index(name)
            if source is not None and source != number:
                self._fetch(source, component, class_, spare)
            try:
                pieces.put(self.state, place, class_)
            except pieces.Full:
                raise CannotPlace(f"`{place.zone}` has no room for `{name}`") from None

    def set_count(self, number: int, count: int, spare: bool) -> None:
        """A number of pieces that cannot be told apart."""
        component = self.game.reference.component_of[number]
        place = self.machine.places[number]
        source = self._source(component, place)
        if source is None or source == number:
            pieces.clear(self.state, place, self.game.reference.classes_of[number])
        for _ in range(count):
            if source is not None and source != number:
                self._fetch(source, component, 0, spare)
            pieces.put(self.state, place, 0)

    def _source(self, component: str, place: m.Place) -> int | None:
        """The place where a component's pieces start: the same seat's, or the only one."""
        zone = next(
            (z for z in self.game.rules.zones.values() if z.component == component and z.start),
            None,
        )
        if zone is None:
            return None
        first, count = self.machine.zone_places[zone.name]
        if count == 1:
            return first
        for number in range(first, first + count):
            if self.machine.places[number].of == place.of:
                return number
        return first

    def _fetch(self, source: int, component: str, class_: int, spare: bool) -> None:
        place = self.machine.places[source]
        die = self.game.rules.components[component].die is not None
        try:
            pieces.take(self.state, place, 0 if die else class_)
        except pieces.Missing:
            if not spare:
                name = self.game.rules.components[component].classes[class_]
                raise CannotPlace(
                    f"there is no further `{component if die else name}`; "
                    "`spare: true` allows more than the game has"
                ) from None

    # ---- where the program stands

    def stand_at(self, step: str, seat: int) -> int:
        """Puts the program to the beginning of a step of the flow; the node to run from."""
        if step not in self.machine.entries:
            steps = ", ".join(f"`{name}`" for name in self.machine.entries)
            raise CannotPlace(f"there is no step `{step}`; there are {steps}")
        entry, s, fp = self.machine.entries[step], self.state, self.machine.stack
        s[m.PHASE], s[m.ACTIVE], s[fp + m.ME] = entry.phase, seat, seat
        s[m.ROTATION] = seat if self.machine.phases[entry.phase] in self._turned() else -1
        if entry.order is not None:
            seats = self.machine.seats
            s[fp + entry.order] = seats
            for i in range(seats):
                s[fp + entry.order + 1 + i] = i
            s[fp + entry.resume], s[fp + entry.resume + 1] = seat + 1, seat
        self.game.reference.arm(s)
        return entry.node

    def _turned(self) -> set[str]:
        """The phases in which some seat has had the turn: those that rotate, and whatever they lead to."""
        phases = self.game.rules.phases
        found: set[str] = set()
        todo = [phase.name for phase in phases.values() if phase.rotates]
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += [following for _, following in phases[name].then]
        return found
