"""The view model of the board: what one seat may see, as labels and texts."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from dsl import rules as r
from dsl.domains import FlagType
from interpreter import ir
from interpreter.formatting import UNSEEN, Formatter
from interpreter.game import Game
from interpreter.views import View
from rulewright.i18n.messages import Messages
from rulewright.layout.captions import captions, in_words
from rulewright.layout.pictures import lies_on
from rulewright.tui.public_values import PublicValues
from rulewright.tui.sheets import AmountAt, is_shown
from rulewright.tui.styles import with_counts
from rulewright.tui.words import kind_name, terminal_messages

UNKNOWN = "…"
RowScope = Literal["all", "own", "none"]
MANY = 6
"""The total is shown too if a place has more pieces than this."""


@dataclass(frozen=True)
class ViewModel:
    """A seat's view with the declarations of the game.

    `kinds` are the kinds of players by seat. `max_named` is how many different pieces of a place are named,
    and `row_scope` says whose pieces are shown row by row, in zones that are drawn so. `state` is read only
    for values that read nothing hidden; everything else comes from the view.
    """

    game: Game
    view: View
    kinds: Sequence[str]
    public_values: PublicValues
    state: array[int]
    max_named: int = 8
    row_scope: RowScope = "all"

    @cached_property
    def say(self) -> Messages:
        return terminal_messages(self.game)

    @property
    def rules(self) -> r.Rules:
        return self.game.rules

    @property
    def names(self) -> Formatter:
        return self.game.names

    @property
    def seats(self) -> range:
        return range(self.game.machine.seats)

    def label(self, word: str) -> str:
        return self.names.label(word)

    # ---- seats

    def takes_turns(self) -> bool:
        """Whether the current phase goes from seat to seat."""
        phase = self.rules.phases[self.view.phase]
        return phase.rotates or any(isinstance(step, r.SeatsStep) for step in phase.all_steps())

    def is_active(self, seat: int) -> bool:
        """Whether it is the seat's turn; of no seat during a simultaneous choice."""
        if self.state[ir.FORKED]:
            return False
        return self.takes_turns() and self.names.seat(seat) == self.view.active

    def seat_label(self, seat: int) -> str:
        """What people call a seat."""
        return self.label(self.names.seat(seat))

    def seat_title(self, seat: int) -> str:
        """`▶A`: a seat's name, marked if it is active."""
        return f"{'▶' if self.is_active(seat) else ''}{self.seat_label(seat)}"

    def seat_and_player(self, seat: int) -> str:
        """`▶A you`: a seat's title and its player."""
        is_own = self.names.seat(seat) == self.view.seat
        who = self.say("table-you") if is_own else kind_name(self.say, self.kinds[seat])
        return f"{self.seat_title(seat)} {who}"

    # ---- zones

    def var(self, zone: str) -> r.StateVar | None:
        decl = self.rules.zones.get(zone)
        return decl.var if decl is not None else None

    def zones(self) -> Iterator[str]:
        """The zones that are shown to players."""
        return (z for z in self.game.machine.zone_places if is_shown(self.rules, z))

    def places(self, zone: str) -> Iterator[tuple[int, ir.Place]]:
        first, count = self.game.machine.zone_places[zone]
        for number in range(first, first + count):
            yield number, self.game.machine.places[number]

    def pieces(self, place: int) -> str:
        """The pieces of a place, or their number; `?` for a single unseen piece, empty for an empty place."""
        found = self.view.zones[self.names.place(place)]
        if found is None:
            return UNKNOWN
        if isinstance(found, int):
            return self._unseen(place, found)
        if place in self.game.views.tops and found:
            top, below = self.label(found[-1]), len(found) - 1
            return (
                self.say("terminal-top-on", piece=top, number=below) if below and found[0] == UNSEEN else top
            )
        named, separator = [self.label(word) for word in found], self._separator(found)
        text = with_counts(self.say, named, separator, self.max_named)
        return f"{len(found)}: {text}" if len(found) > MANY and len(set(found)) > 1 else text

    def _unseen(self, place: int, number: int) -> str:
        where = self.game.machine.places[place]
        if number == 1 and where.capacity == 1 and where.kind != ir.BLANK:
            return "?"
        return str(number) if number else ""

    def _separator(self, words: Sequence[str]) -> str:
        return " " if all(len(self.label(w)) < 3 for w in words) else ", "

    def zone_axes(self, zone: str) -> tuple[str | None, str | None]:
        """The two indices of a zone; a single index other than a seat is the second."""
        var = self.var(zone)
        if var is None:
            return None, None
        return (None, var.of) if var.at is None and var.of != "seat" else (var.of, var.at)

    # ---- pieces shown row by row

    def shows_rows(self, zone: str, of: int | None = None) -> bool:
        """Whether the pieces of a zone, or of a seat's place in it, are shown row by row."""
        decl = self.rules.zones.get(zone)
        if decl is None or not decl.rows:
            return False
        own = decl.var.of != "seat" or (of is not None and self.names.seat(of) == self.view.seat)
        return self.row_scope == "all" or (self.row_scope == "own" and own)

    def amounts_on(self, component: str, row: int) -> AmountAt:
        """How many pieces are on a row of a component, at each key of a column."""
        found: dict[str | None, dict[int | None, int]] = {}
        for zone in self.zones():
            var = self.var(zone)
            if var is not None and var.of == component and var.at is not None:
                amounts = found.setdefault(var.at, {})
                for number, place in self.places(zone):
                    if place.of == row:
                        amounts[place.at] = amounts.get(place.at, 0) + self._count(number)
        some = {index: amounts for index, amounts in found.items() if any(amounts.values())}
        return lambda column, key: some[column.keyed_by].get(key) if column.keyed_by in some else None

    def _count(self, place: int) -> int:
        found = self.view.zones[self.names.place(place)]
        return len(found) if isinstance(found, list) else found or 0

    def rows_shown(self, component: str) -> set[int]:
        """The rows of a component that are shown with the pieces on them."""
        classes = self.rules.components[component].classes if component in self.rules.components else ()
        found = set()
        for zone in (z for z in self.rules.zones if self.rules.zones[z].component == component):
            for number, place in self.places(zone):
                words = self.view.zones[self.names.place(number)]
                if self.shows_rows(zone, place.of) and isinstance(words, list):
                    found |= {classes.index(word) for word in words if word != UNSEEN}
        return found

    # ---- boards

    def has_picture(self, index: str | None) -> bool:
        """Whether one picture shows everything on the places of a board, its own or that of its fields."""
        decl = self.rules.types.get(index or "")
        return decl is not None and bool(decl.drawn or self.has_picture(lies_on(decl)))

    def board_pictures(self) -> Iterator[str]:
        return (name for name, decl in self.rules.types.items() if decl.drawn)

    def pictured_with(self, index: str) -> tuple[str, ...]:
        """The boards of corners, edges or routes in the picture of a board."""
        return tuple(name for name, decl in self.rules.types.items() if lies_on(decl) == index)

    def points_at(self, variable: ir.VarLayout, seat: int | None, value: int) -> bool:
        """Whether a pointer has a value."""
        address = self.names.word(variable, 0 if seat is None else seat)
        return self.view.pointers[address] == self.names.index(variable.type.type, value)  # type: ignore[union-attr]

    # ---- counters, marks, pointers

    def variables(self) -> Iterator[ir.VarLayout]:
        return (w for w in self.game.machine.variables.values() if is_shown(self.rules, w.name))

    def axes(self, variable: ir.VarLayout) -> tuple[str | None, str | None]:
        """The two indices of a counter, mark or pointer; a single index other than a seat is the second."""
        if variable.at is None and variable.of != "seat":
            return None, variable.of
        return variable.of, variable.at

    def text_of(self, variable: ir.VarLayout, first: int | None = None, last: int | None = None) -> str:
        """The value of a counter, mark or pointer; empty if it is 0, cleared or none."""
        of, at = (first, last) if variable.at is not None or variable.of == "seat" else (last, None)
        i = 0 if of is None else of - variable.of_lo
        j = 0 if at is None else at - variable.at_lo
        address = self.names.word(variable, i * variable.at_size + j)
        match variable.kind:
            case "counter":
                number = self.view.counters[address]
                return str(number) if number else ""
            case "mark":
                return "✓" if self.view.marks[address] else ""
        word = self.view.pointers[address]
        return "" if word in (None, "none") else self.label(word)

    def pointed_seat(self, variable: ir.VarLayout, value: int) -> int | None:
        """The seat that a pointer over the index has at `value`, if it points to a seat."""
        found = self.text_of(variable, None, value) if variable.kind == "pointer" else ""
        return next((seat for seat in self.seats if self.seat_label(seat) == found), None)

    # ---- computed values

    def computed(self, value: r.Value, seat: int | None = None) -> str:
        """A computed number, empty if it is 0; `✓` for a condition that holds."""
        found = self.public_values.ask(self.state, value, seat)
        if not found or found == "none":
            return ""
        if isinstance(found, str):
            return self.label(found)
        return "✓" if isinstance(value.type, FlagType) else str(found)

    def changed_values(self, place: int) -> list[str]:
        """`defence 7`: computed values of the only piece of a place that differ from its table."""
        zone = self.game.machine.places[place].zone
        words = self.view.zones[self.names.place(place)]
        component = self.rules.components[self.game.machine.place_components[zone]]
        if not isinstance(words, list) or len(words) != 1:
            return []
        class_ = component.classes.index(words[0])
        piece = place * self.game.machine.component_classes[component.name] + class_
        found = []
        for value in self.public_values.of_pieces(component.name):
            number = self.public_values.ask(self.state, value, piece)
            column = component.columns.get(value.name)
            if number is not None and (column is None or column.values[class_] != number):
                found.append(f"{self.label(value.name)} {number}")
        return found

    # ---- indices

    def values(self, index: str) -> tuple[int, ...]:
        """The values of an index that exist with this number of seats."""
        if index in self.rules.types:
            return self.rules.types[index].present(self.game.machine.seats)
        return tuple(range(len(self.rules.components[index].classes)))

    def caption(self, index: str, value: int) -> str:
        """What stands on a place of a board instead of its name; empty if the look has nothing to say."""
        look, decl = self.rules.look.boards.get(index), self.rules.types[index]
        found = captions(self.rules, decl, look.caption) if look is not None else ()
        return in_words(found[value - decl.lo], self.label) if found else ""

    def place(self, index: str, value: int) -> str:
        """What a place of a board is called where the board is drawn."""
        return self.caption(index, value) or self.value(index, value)

    def value(self, index: str, value: int) -> str:
        return self.label(self.names.keys.index(index, value))
