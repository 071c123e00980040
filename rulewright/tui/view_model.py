"""What one seat may see, by place and word: the ground on which the board is drawn."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dsl import rules as r
from dsl.domains import FlagType
from interpreter import ir
from interpreter.formatting import Formatter
from interpreter.game import Game
from interpreter.views import View
from rulewright.tui.public_values import PublicValues
from rulewright.tui.sheets import AmountAt, is_shown
from rulewright.tui.styles import with_counts

UNKNOWN = "…"
RowScope = Literal["all", "own", "none"]
MANY = 6
"""More pieces than this on one place are counted before they are named."""


@dataclass(frozen=True, slots=True)
class ViewModel:
    """A view with the declarations that give it its shape.

    `kinds` says who sits where; `max_named` is how many different pieces of one place are named. `row_scope` says
    of whose pieces the rows are told, where they are drawn so. The state is for values that read nothing
    hidden; all else comes from the view.
    """

    game: Game
    view: View
    kinds: Sequence[str]
    public_values: PublicValues
    state: array[int]
    max_named: int = 8
    row_scope: RowScope = "all"

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
        """Whether the phase goes from seat to seat, so that one of them is active."""
        phase = self.rules.phases[self.view.phase]
        return phase.rotates or any(isinstance(step, r.SeatsStep) for step in phase.steps)

    def is_active(self, seat: int) -> bool:
        """Whether it is the seat's turn; nobody's, while all do something together."""
        if self.state[ir.FORKED]:
            return False
        return self.takes_turns() and self.names.seat(seat) == self.view.active

    def seat_title(self, seat: int) -> str:
        """`▶A`: a seat's name, and whether it is active."""
        return f"{'▶' if self.is_active(seat) else ''}{self.names.seat(seat)}"

    def seat_and_player(self, seat: int) -> str:
        """`▶A you`: who sits there."""
        who = "you" if self.names.seat(seat) == self.view.seat else self.kinds[seat]
        return f"{self.seat_title(seat)} {who}"

    # ---- zones

    def var(self, zone: str) -> r.StateVar | None:
        decl = self.rules.zones.get(zone)
        return decl.var if decl is not None else None

    def zones(self) -> Iterator[str]:
        """The zones of which people read."""
        return (z for z in self.game.machine.zone_places if is_shown(self.rules, z))

    def places(self, zone: str) -> Iterator[tuple[int, ir.Place]]:
        first, count = self.game.machine.zone_places[zone]
        for number in range(first, first + count):
            yield number, self.game.machine.places[number]

    def pieces(self, place: int) -> str:
        """What lies on a place, or how much; `?` for a single unseen piece, empty if nothing does."""
        found = self.view.zones[self.names.place(place)]
        if found is None:
            return UNKNOWN
        if isinstance(found, int):
            return self._unseen(place, found)
        text = with_counts([self.label(word) for word in found], self._separator(found), self.max_named)
        return f"{len(found)}: {text}" if len(found) > MANY and len(set(found)) > 1 else text

    def _unseen(self, place: int, number: int) -> str:
        where = self.game.machine.places[place]
        if number == 1 and where.capacity == 1 and where.kind != ir.BLANK:
            return "?"
        return str(number) if number else ""

    def _separator(self, variables: Sequence[str]) -> str:
        return " " if all(len(self.label(w)) < 3 for w in variables) else ", "

    def zone_axes(self, zone: str) -> tuple[str | None, str | None]:
        """The indices of a zone; a single one that is no seat is the last."""
        var = self.var(zone)
        if var is None:
            return None, None
        return (None, var.of) if var.at is None and var.of != "seat" else (var.of, var.at)

    # ---- pieces that are drawn as rows

    def shows_rows(self, zone: str, of: int | None = None) -> bool:
        """Whether the pieces of a zone, or of a seat's place in it, are told row by row."""
        decl = self.rules.zones.get(zone)
        if decl is None or not decl.rows:
            return False
        own = decl.var.of != "seat" or (of is not None and self.names.seat(of) == self.view.seat)
        return self.row_scope == "all" or (self.row_scope == "own" and own)

    def amounts_on(self, component: str, row: int) -> AmountAt:
        """How many pieces lie on a row of a component at each value of a column's key."""
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
        """The rows of a component that are told with what lies on them."""
        classes = self.rules.components[component].classes if component in self.rules.components else ()
        found = set()
        for zone in (z for z in self.rules.zones if self.rules.zones[z].component == component):
            for number, place in self.places(zone):
                variables = self.view.zones[self.names.place(number)]
                if self.shows_rows(zone, place.of) and isinstance(variables, list):
                    found |= {classes.index(word) for word in variables}
        return found

    # ---- boards

    def has_picture(self, index: str | None) -> bool:
        """Whether all that lies on the places of a board stands in one picture."""
        return index in self.rules.types and bool(self.rules.types[index].drawn)

    def board_pictures(self) -> Iterator[str]:
        return (name for name in self.rules.types if self.has_picture(name))

    def points_at(self, variables: ir.VarLayout, seat: int | None, value: int) -> bool:
        """Whether a pointer points at a value."""
        address = self.names.word(variables, 0 if seat is None else seat)
        return self.view.pointers[address] == self.names.index(variables.type.type, value)  # type: ignore[union-attr]

    # ---- counters, marks, pointers

    def variables(self) -> Iterator[ir.VarLayout]:
        return (w for w in self.game.machine.variables.values() if is_shown(self.rules, w.name))

    def axes(self, variables: ir.VarLayout) -> tuple[str | None, str | None]:
        """The indices of a counter, mark or pointer; a single one that is no seat is the last."""
        if variables.at is None and variables.of != "seat":
            return None, variables.of
        return variables.of, variables.at

    def text_of(self, variables: ir.VarLayout, first: int | None = None, last: int | None = None) -> str:
        """What a counter, mark or pointer says, empty if it is at 0, not set or at nothing."""
        of, at = (
            (first, last) if variables.at is not None or variables.of == "seat" else (last, None)
        )
        i = 0 if of is None else of - variables.of_lo
        j = 0 if at is None else at - variables.at_lo
        address = self.names.word(variables, i * variables.at_size + j)
        match variables.kind:
            case "counter":
                number = self.view.counters[address]
                return str(number) if number else ""
            case "mark":
                return "✓" if self.view.marks[address] else ""
        word = self.view.pointers[address]
        return "" if word == "none" else self.label(word)

    def pointed_seat(self, variables: ir.VarLayout, value: int) -> int | None:
        """The seat to which a pointer without a seat of its own points at a value of its index."""
        found = self.text_of(variables, None, value) if variables.kind == "pointer" else ""
        return next((seat for seat in self.seats if self.names.seat(seat) == found), None)

    # ---- what the rules compute

    def computed(self, value: r.Value, seat: int | None = None) -> str:
        """A number, empty if it is 0; a condition that holds says `✓`."""
        found = self.public_values.ask(self.state, value, seat)
        if not found:
            return ""
        return "✓" if isinstance(value.type, FlagType) else str(found)

    def changed_values(self, place: int) -> list[str]:
        """`defence 7`: what the rules make of the only piece of a place, where its table says otherwise."""
        zone = self.game.machine.places[place].zone
        variables = self.view.zones[self.names.place(place)]
        component = self.rules.components[self.game.machine.place_components[zone]]
        if not isinstance(variables, list) or len(variables) != 1:
            return []
        class_ = component.classes.index(variables[0])
        piece = place * self.game.machine.component_classes[component.name] + class_
        found = []
        for value in self.public_values.of_pieces(component.name):
            number, column = (
                self.public_values.ask(self.state, value, piece),
                component.columns.get(value.name),
            )
            if number is not None and (column is None or column.values[class_] != number):
                found.append(f"{self.label(value.name)} {number}")
        return found

    # ---- indices

    def values(self, index: str) -> tuple[int, ...]:
        """The values of an index that are in the game with this number of seats."""
        if index in self.rules.types:
            return self.rules.types[index].present(self.game.machine.seats)
        return tuple(range(len(self.rules.components[index].classes)))

    def value(self, index: str, value: int) -> str:
        return self.label(self.names.index(index, value))
