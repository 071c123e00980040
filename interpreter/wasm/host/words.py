"""The layout of a game as a table of words: what the functions of a host read.

`HEAD` words, a row for each place, a row for each word of a counter, mark or pointer. Addresses in it are
bytes from the beginning of a state.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from interpreter import ir
from interpreter.private_shows import PrivateShows

PLACES, WORDS, SIZE, SEATS, SAVED, SAVED_FROM, SAVED_TO = range(7)
"""Words of the head: rows of places, rows of words, words of a state, seats; where a fork saves, and what."""
HEAD = 7
BASE, KIND, CLASSES, LENGTH, COMPONENT, SEEN, COUNTED, OWNER, SHOWN, FLAGS = range(10)
"""Words of a row of a place: where it is, how it stores pieces, its classes, its words, the number of its
component, who sees and counts it by declaration, the seat that it belongs to or `NOBODY`, the word of those
who were shown it or 0, and `TOP`, `PRIVATE` and `DIE`."""
PLACE_ROW = 10
TOP, PRIVATE, DIE = 1, 2, 4
"""Everybody sees the topmost piece; pieces are shown there unknown to the others; dice lie there."""
ADDRESS, READERS, OF, TOLD = range(4)
"""Words of a row of a word: its address, who reads it by declaration, the seat that it belongs to or
`NOBODY`, and the word of those who were shown it or 0."""
WORD_ROW = 4
NOBODY = -3
"""Instead of an owner; it is no viewer."""


def host_words(machine: ir.Machine, rules: r.Rules) -> list[int]:
    """The table of a game."""
    layouts = [(words, words.base + k) for words in machine.variables.values() for k in range(words.size)]
    head = [len(machine.places), len(layouts), machine.size, machine.seats]
    saved = [4 * machine.saved, 4 * machine.saved_from, 4 * machine.saved_to]
    return [*head, *saved, *_places(machine, rules), *(x for row in layouts for x in _word(machine, *row))]


def _places(machine: ir.Machine, rules: r.Rules) -> Iterator[int]:
    components, private = list(machine.component_classes), PrivateShows(machine).zones
    for i, (place, sight) in enumerate(zip(machine.places, machine.sights, strict=True)):
        component = machine.place_components[place.zone]
        die = rules.components[component].die is not None
        yield from (4 * place.base, place.kind, place.classes, place.words, components.index(component))
        yield from (sight.seen, sight.counted, _seat(sight.owner), 4 * machine.shown.get(i, 0))
        yield TOP * sight.top | PRIVATE * (place.zone in private) | DIE * die


def _word(machine: ir.Machine, words: ir.VarLayout, address: int) -> tuple[int, ...]:
    told = machine.told_at(words, address) or 0
    return 4 * address, words.readers_of(address), _seat(words.owner(address)), 4 * told


def _seat(owner: int | None) -> int:
    return NOBODY if owner is None else owner
