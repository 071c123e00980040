"""Events as rows of words, as modules write them, and back."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any, Final

from interpreter import ir
from interpreter.events import KINDS, SHOWN_PIECE, Event, FieldRole, Shown

WORDS: Final = 6
"""The words of a row: the kind, then the fields in their order; the last one says whether one is covered."""


class EventRows:
    """Writes and reads the events of one machine."""

    def __init__(self, machine: ir.Machine) -> None:
        self._components = [machine.place_components[place.zone] for place in machine.places]
        self._names = {x.base + k: x.name for x in machine.variables.values() for k in range(x.size)}
        self._readers = {row.code: self._reader(kind) for kind, row in KINDS.items()}

    def write(self, events: Iterable[Event]) -> array[int]:
        """The rows of some events; of pieces that are shown each has one."""
        rows = array("i")
        for event in events:
            rows.extend(_WRITERS[type(event)](event))
            if isinstance(event, Shown):
                for place, class_, number in event.pieces or ():
                    rows.extend((SHOWN_PIECE, place, class_, number, 0, 0))
        return rows

    def read(self, rows: Sequence[int]) -> list[Event]:
        """The events of some rows."""
        events: list[Event] = []
        for i in range(0, len(rows), WORDS):
            code, *operands = rows[i : i + WORDS]
            if code == SHOWN_PIECE:
                place, class_, number, *_ = operands
                shown = events.pop()
                assert isinstance(shown, Shown)
                events.append(replace(shown, pieces=(*(shown.pieces or ()), (place, class_, number))))
            else:
                events.append(self._readers[code](operands))
        return events

    def _reader(self, kind: type) -> Callable[[Sequence[int]], Any]:
        """Makes events of a kind from their words. Pieces that are shown come later."""
        row, at = KINDS[kind], _places_of_fields(kind)
        last = WORDS - 2

        def part(field: str) -> Callable[[Sequence[int]], Any]:
            if field == "component":
                place = at[row.named(FieldRole.PLACE)[-1]]
                return lambda words: self._components[words[place]]
            if field == "name":
                return lambda words: self._names[words[at["word"]]]
            if field == "pieces":
                return lambda words: None if words[last] else ()
            if field == "openly":
                return lambda words: bool(words[at["openly"]])
            if field == row.covers and row.covered is None:
                return lambda words: None if words[last] else words[at[field]]
            return lambda words: words[at[field]]

        parts = [part(field.name) for field in fields(kind)]
        return lambda words: kind(*[read(words) for read in parts])


def _places_of_fields(kind: type) -> dict[str, int]:
    """Which word behind the kind each field has; `openly` is the last of them."""
    row = KINDS[kind]
    carried = [x for x, role in row.fields.items() if role not in (FieldRole.COMPONENT, FieldRole.PIECES)]
    return {field: i for i, field in enumerate((*carried, *(("openly",) if row.openly else ())))}


def _writer(kind: type) -> Callable[[Any], tuple[int, ...]]:
    names, code = list(_places_of_fields(kind)), KINDS[kind].code
    rest = (0,) * (WORDS - 1 - len(names))
    values: Callable[[Any], Any] = attrgetter(*names)
    if len(names) == 1:
        return lambda event: (code, values(event), *rest)
    return lambda event: (code, *values(event), *rest)


_WRITERS = {kind: _writer(kind) for kind in KINDS}
