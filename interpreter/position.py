"""Positions that are set up by hand: for scenarios, puzzles, and matches that began elsewhere."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass

from dsl import rules as r
from dsl.cycles import post_order
from dsl.diagnostics import did_you_mean
from dsl.domains import LARGEST, NONE, EnumType, FlagType
from dsl.numbers import whole
from interpreter import ir
from interpreter.game import Game
from interpreter.messages import Fault
from interpreter.reference import pieces
from interpreter.reference.codes import OVER
from interpreter.seat_words import TEAM, seat_help, team_help

INDEX = re.compile(r"\([^()]*\)|[^\s()]+")
"""A word of an address, or several indices in brackets."""


class CannotPlace(Exception):
    """A position cannot be set up. The message says why; `hint` may help."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(why)
        self.hint = hint
        self.address = ""
        """What was to be set."""

    def about(self, address: str) -> CannotPlace:
        """The same, of what was to be set at an address."""
        self.address = address
        return self


UNDER = " : "
"""Between an address and an index of a mapping under it."""


@dataclass(frozen=True, slots=True)
class AddressWords:
    """A parsed address such as `slot of A at 3`: a name, and the text of its indices.

    `more` are indices of a mapping, `slot of A: {3: rose}`: the declared ones that are not written out.
    """

    name: str
    of: str | None = None
    at: str | None = None
    more: tuple[str, ...] = ()

    def indices(self, of: str | None, at: str | None, text: str) -> tuple[str | None, str | None]:
        """The indices of what is declared `of` and `at` types. Raises `CannotPlace` if there are too many."""
        left = list(self.more)
        owner = left.pop(0) if left and self.of is None and of is not None else self.of
        where = left.pop(0) if left and self.at is None and at is not None else self.at
        if left:
            raise CannotPlace(f"`{text}` has too many or too few indices")
        return owner, where


def parse_address(text: str) -> AddressWords:
    """The parts of an address. Raises `CannotPlace` if the text is not an address."""
    head, *more = text.split(UNDER)
    words = INDEX.findall(head)
    found: dict[str, str] = {}
    for preposition, index in zip(words[1::2], words[2::2], strict=False):
        found.setdefault(preposition, index)
    if not words or len(words) != 1 + 2 * len(found) or not set(found) <= {"of", "at"}:
        raise CannotPlace(f"`{text}` is not an address like `slot of A at 3`")
    return AddressWords(words[0], found.get("of"), found.get("at"), tuple(more))


class Position:
    """A state under construction: a copy of `state`, or the start position.

    All methods that take a text raise `CannotPlace` if it names something that does not exist.
    """

    def __init__(self, game: Game, state: array[int] | None = None) -> None:
        self.game = game
        self.machine = game.machine
        self.state: array[int] = game.executor.initial_state() if state is None else state[:]
        self._component_of = game.reference.component_of
        self._filled: set[int] = set()
        """The places that have been set, from which no piece is taken."""

    # ---- addresses

    def _index(self, declared: str | None, word: str | None, text: str) -> int | None:
        """The number of an index of the address `text`; none if the address has no such index."""
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
        """The number of a value of a type that exists with this number of seats."""
        decl, seats = self.game.rules.types[declared], self.machine.seats
        if declared == "seat" and word not in decl.names[:seats]:
            raise CannotPlace(f"unknown seat `{word}`", seat_help(self.game.rules, seats, word))
        if word.startswith("(") and decl.parts:
            word = self._combined(decl, word)
        if word not in decl.names:
            hint = team_help(self.game.rules, word) if declared == TEAM else ""
            raise CannotPlace(f"`{word}` is not a `{declared}`", hint or did_you_mean(word, decl.names))
        value = decl.lo + decl.names.index(word)
        if value not in decl.present(seats):
            raise CannotPlace(f"`{word}` does not exist with {seats} seats")
        return value

    def _combined(self, decl: r.TypeDecl, word: str) -> str:
        """The name of the value of a product with these parts: `(hearts, ace)`."""
        parts = [part.strip() for part in word.strip("()").split(",")]
        kinds = [name for _, name in decl.parts]
        if len(parts) != len(kinds):
            raise CannotPlace(f"`{word}` has too many or too few indices")
        wanted = [self._value(kind, part) for kind, part in zip(kinds, parts, strict=True)]
        columns = [decl.columns[column].values for column, _ in decl.parts]
        return next(
            decl.label(value)
            for value in range(decl.lo, decl.hi + 1)
            if [column[value - decl.lo] for column in columns] == wanted
        )

    def _check_included(self, name: str) -> None:
        if name in self.machine.excluded:
            hint = "no rule reads or changes it with these options and seats: remove it, or set other options"
            raise CannotPlace(f"`{name}` plays no part here", hint)

    def place(self, text: str) -> int:
        """The number of the place at an address."""
        address = parse_address(text)
        self._check_included(address.name)
        if address.name not in self.machine.zone_places:
            known = (*self.machine.zone_places, *self.machine.variables)
            raise CannotPlace(f"unknown name `{address.name}`", did_you_mean(address.name, known))
        zone = self.game.rules.zones.get(address.name)
        declared = (zone.var.of, zone.var.at) if zone else (None, None)
        of, at = address.indices(*declared, text)
        i, j = self._index(declared[0], of, text), self._index(declared[1], at, text)
        first, count = self.machine.zone_places[address.name]
        for number in range(first, first + count):
            place = self.machine.places[number]
            if (place.of, place.at) == (i, j):
                return number
        raise CannotPlace(f"unknown place `{text}`")

    def word(self, text: str) -> tuple[ir.VarLayout, int]:
        """The layout of a counter, mark or pointer, and the index of its word in the state."""
        address = parse_address(text)
        self._check_included(address.name)
        if address.name in self.machine.scratch:
            hint = "it has its start value wherever the rules wait: leave it out"
            raise CannotPlace(f"`{address.name}` lasts a moment, and no position has it", hint)
        if address.name not in self.machine.variables:
            raise CannotPlace(f"unknown counter, mark or pointer `{address.name}`")
        words = self.machine.variables[address.name]
        of, at = address.indices(words.of, words.at, text)
        i, j = self._index(words.of, of, text), self._index(words.at, at, text)
        return words, words.address(i, j)

    # ---- setting

    def set_word(self, text: str, value: str) -> None:
        """Set a counter, mark or pointer to a value in the words of the rules."""
        words, _ = self.word(text)
        self.set_number(text, self._number(words, value))

    def set_number(self, text: str, value: int) -> None:
        """Set a counter, mark or pointer to the number of a value."""
        words, at = self.word(text)
        lo, hi = words.bounds(at)
        if words.kind == "counter" and not lo <= value <= hi:
            raise CannotPlace(f"`{text}` must be within {lo}..{hi}")
        self.state[at] = value

    def _number(self, words: ir.VarLayout, text: str) -> int:
        if isinstance(words.type, FlagType) and text in ("true", "false"):
            return int(text == "true")
        if isinstance(words.type, EnumType):
            return NONE if text == "none" else self._value(words.type.type, text)
        if (number := whole(text)) is not None:
            return number
        raise CannotPlace(f"`{text}` is not a value of it")

    def set_pieces(self, number: int, names: list[str], spare: bool) -> None:
        """Put exactly these pieces on a place, the last one on top.

        They are taken from where their component starts, or if none is left there, from any other place.
        With `spare` there may be more pieces than the game has.
        """
        component = self._component_of[number]
        known = self.game.rules.components[component].classes[: self.machine.places[number].classes]
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None:
            raise CannotPlace(f"`{unknown}` is not a `{component}`", did_you_mean(unknown, known))
        self._fill(number, [known.index(name) for name in names], spare)

    def set_count(self, number: int, count: int, spare: bool) -> None:
        """Put a number of equal pieces on a place; on a seat's own place, pieces of that seat."""
        component, place = self._component_of[number], self.machine.places[number]
        decl, zone = self.game.rules.components[component], self.game.rules.zones.get(place.zone)
        class_ = 0
        if count and place.classes > 1 and place.kind != ir.BLANK:
            if not decl.per_seat or decl.die is not None or zone is None or zone.var.of != "seat":
                raise CannotPlace(f"name the pieces: a number does not say which `{component}` are there")
            class_ = place.of or 0
        if count > LARGEST:
            raise CannotPlace(f"no `{component}` left")
        self._fill(number, [class_] * count, spare)

    def _fill(self, number: int, classes: list[int], spare: bool) -> None:
        """Replace the pieces on a place by pieces of these classes."""
        place = self.machine.places[number]
        source = self._source(number)
        self._filled.add(number)
        self._empty(number, source)
        for class_ in classes:
            if source is not None and source != number:
                self._fetch(source, number, class_, spare)
            try:
                pieces.put(self.state, place, class_)
            except pieces.Full:
                name = self.game.rules.components[self._component_of[number]].classes[class_]
                raise CannotPlace(f"`{place.zone}` has no room for `{name}`") from None

    def _empty(self, number: int, source: int | None) -> None:
        """Move the pieces on a place back to where their component starts."""
        place = self.machine.places[number]
        if source is not None and source != number:
            for class_ in self.held(number):
                pieces.put(self.state, self.machine.places[source], class_)
        pieces.clear(self.state, place)

    def held(self, number: int) -> list[int]:
        """The class of each piece on a place, from bottom to top."""
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
        """The place where the component of a place starts: the one of the same seat, or the first one."""
        component, place = self._component_of[number], self.machine.places[number]
        zones = self.game.rules.zones.values()
        zone = next((z for z in zones if z.component == component and z.start), None)
        if zone is None:
            return None
        first, count = self.machine.zone_places[zone.name]
        return next((i for i in range(first, first + count) if self.machine.places[i].of == place.of), first)

    def _fetch(self, source: int, number: int, class_: int, spare: bool) -> None:
        """Take a piece for a place, from its source or from another place that has not been set."""
        component = self._component_of[number]
        die = self.game.rules.components[component].die is not None
        others = (i for i, c in enumerate(self._component_of) if c == component)
        for at in (source, *(i for i in others if i != source and i not in self._filled)):
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

    # ---- the node to run from

    def stand_at(self, step: str, named: int | None) -> int:
        """Begin a phase, or a step of one; the node from which the match runs.

        A named seat is active there. Without one that is the first seat, or in `each seat in turn` the seat
        with which that begins in this position.
        """
        if step not in self.machine.entries:
            steps = ", ".join(f"`{name}`" for name in self.machine.entries)
            raise CannotPlace(f"unknown step `{step}`; the steps are {steps}")
        entry, s, fp = self.machine.entries[step], self.state, self.machine.stack
        seat = named or 0
        self._clear_stack()
        s[ir.PHASE], s[ir.ACTIVE], s[fp + ir.ME] = entry.phase, seat, seat
        turned = self.takes_turns(self.machine.phases[entry.phase])
        s[ir.ROTATION] = seat if turned else -1
        if self.machine.ended:
            s[self.machine.ended] = 0
        if self.machine.turned:
            s[self.machine.turned] = 1 << seat if turned else 0
        if entry.order is not None:
            self._join_round(step, entry.order, named)
        self.game.reference.prime_triggers(s)
        return entry.node

    def go_on(self) -> int:
        """The node from which play goes on after a set-up: the next phase, or the decision that waits."""
        s, nodes = self.state, self.machine.nodes
        if s[ir.FORKED]:
            return self.stand_at(self.machine.phases[s[ir.PHASE]], s[ir.ACTIVE])
        self.game.reference.prime_triggers(s)
        if s[ir.PC]:
            return s[ir.PC]
        self._clear_stack()
        enters = (n for n, node in enumerate(nodes) if isinstance(node, ir.EnterPhase))
        return next(n for n in enters if self.machine.node(n, ir.EnterPhase).phase == s[ir.PHASE])

    def _clear_stack(self) -> None:
        """Nothing runs any more but the flow."""
        s, fp = self.state, self.machine.stack
        s[fp : self.machine.records] = array("i", bytes(4 * (self.machine.records - fp)))
        s[ir.STATUS] = s[ir.PC] = s[ir.FORKED] = s[ir.RUNNING] = s[ir.WINNERS] = 0
        s[ir.FP], s[ir.MAIN_FP] = fp, 0
        s[fp + ir.RETURN], s[fp + ir.SELF] = OVER, NONE

    def _join_round(self, step: str, slot: int, named: int | None) -> None:
        """Stand in a round of `each seat in turn`, whose order goes to a slot, at the turn of a seat in it.

        In a phase that is a turn itself, the named seat has that turn, and the round begins with its first.
        """
        entry, s, fp = self.machine.entries[step], self.state, self.machine.stack
        self._take_order(step, entry, fp + slot)
        order = s[fp + slot + 1 : fp + slot + 1 + s[fp + slot]]
        if not order:
            raise CannotPlace(
                f"no seat has a turn in `{step}` here: `where` leaves all of them out",
                "set what `where` reads, or start at another step",
            )
        whose_phase = self.game.rules.phases[self.machine.phases[entry.phase]].rotates
        first = order[0] if named is None or whose_phase else named
        if first not in order:
            names = self.game.rules.types["seat"].names
            raise CannotPlace(
                f"{names[first]} has no turn in `{step}` here: those who have one are "
                f"{', '.join(names[seat] for seat in order)}",
                f"name one of them in `seat`, or leave `seat` out to begin with {names[order[0]]}",
            )
        s[ir.ACTIVE] = s[fp + ir.ME] = first
        s[fp + entry.resume], s[fp + entry.resume + 1] = order.index(first) + 1, first

    def _take_order(self, step: str, entry: ir.PhaseEntry, at: int) -> None:
        """Write the seats of a round in their order, as play does where the round begins."""
        if entry.snapshot is None or not isinstance(self.machine.nodes[entry.snapshot], ir.Snapshot):
            seats = self.machine.seats  # play never comes there with these options
            self.state[at : at + 1 + seats] = array("i", (seats, *range(seats)))
            return
        try:
            self.game.reference.carry_out(self.state, entry.snapshot)
        except Fault as fault:
            raise CannotPlace(
                f"it cannot be told who has a turn in `{step}`: {fault.diagnostic.message}",
                "set what `from`, `by` and `where` read",
            ) from None

    def takes_turns(self, phase: str) -> bool:
        """Whether a seat has the turn in a phase: it rotates, or is reachable from one that does."""
        phases = self.game.rules.phases.values()
        following = {p.name: [case.to for case in p.then] for p in phases}
        reached: set[str] = set()
        for p in phases:
            if p.rotates:
                post_order(p.name, following, reached)
        return phase in reached
