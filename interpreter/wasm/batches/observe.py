"""What a seat may see of a state as a row of words, and the function that writes it.

Every word has the same place in the row for all seats. What a seat may not see is zero there; the number of
pieces on a place that it may only count stands behind the places.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass

from dsl.diagnostics import InternalError
from interpreter import ir
from interpreter.views import Views
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder

HEAD = 3
"""The first words: the seat, the phase, the active seat."""
WORD_BY_WORD = 64
"""Stretches up to so many words are copied by plain instructions."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of the state next to each other that a seat sees in the same way.

    `own`: they are the seat's, so that it sees them as they are while all choose together. `place`: they
    are a place whose pieces it does not see by its declaration.
    """

    first: int
    size: int
    own: bool
    place: int | None = None
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Observed:
    """The row: words of the state from `first` on, then numbers of pieces of some places. Who sees what."""

    first: int
    last: int
    tallies: tuple[int, ...]
    counted: tuple[tuple[bool, ...], ...]
    """For each seat: whether it may count the pieces of these places."""
    seats: tuple[tuple[Stretch, ...], ...]
    names: tuple[str, ...]

    @property
    def size(self) -> int:
        return HEAD + self.last - self.first + len(self.tallies)


def observed(views: Views) -> Observed:
    """What the seats of a game may see. Whatever stands in the state besides is in no row."""
    mc = views.machine
    last = min(mc.shown.values(), default=mc.saved_to)
    owners = _owners(mc)
    if len(owners) != last - mc.saved_from:
        raise InternalError("words of a state that are neither stored values nor places")
    hidden = [i for i in range(len(mc.places)) if any(not views.may_see(i, v) for v in range(mc.seats))]
    tallies = tuple(i for i in hidden if mc.places[i].kind in (ir.SLOT, ir.COUNTS))
    seats = tuple(range(mc.seats))
    return Observed(
        mc.saved_from,
        last,
        tallies,
        tuple(tuple(_counts(views, i, v) for i in tallies) for v in seats),
        tuple(_stretches(views, owners, v) for v in seats),
        _names(views, tallies),
    )


def place_words(place: ir.Place) -> int:
    if place.kind == ir.COUNTS:
        return place.classes
    return 1 + place.capacity if place.kind == ir.ORDERED else 1


def _owners(mc: ir.Machine) -> dict[int, tuple[int | None, int | None]]:
    """For each word: the seat it belongs to, and the place if it is one."""
    found: dict[int, tuple[int | None, int | None]] = {}
    for words in mc.variables.values():
        for k in range(words.size):
            owner = words.of_lo + k // words.at_size if words.of == "seat" else None
            found[words.base + k] = (owner, None)
    for i, place in enumerate(mc.places):
        for k in range(place_words(place)):
            found[place.base + k] = (place.of, i)
    return found


def _counts(views: Views, place: int, seat: int) -> bool:
    """Whether a seat may count a place by its declaration."""
    return views.counts(array("i", bytes(4 * views.machine.size)), place, seat)


def _stretches(
    views: Views, owners: dict[int, tuple[int | None, int | None]], seat: int
) -> tuple[Stretch, ...]:
    found: list[Stretch] = []
    for word in sorted(owners):
        owner, place = owners[word]
        hidden = place if place is not None and not views.may_see(place, seat) else None
        own = owner == seat
        last = found[-1] if found else None
        if last is not None and (last.own, last.place) == (own, hidden):
            found[-1] = Stretch(last.first, last.size + 1, own, hidden, last.counted)
        else:
            counted = hidden is None or _counts(views, hidden, seat)
            found.append(Stretch(word, 1, own, hidden, counted))
    return tuple(found)


def _names(views: Views, tallies: tuple[int, ...]) -> tuple[str, ...]:
    """What each word of the row is."""
    mc, names = views.machine, views.names
    found: dict[int, str] = {}
    for words in mc.variables.values():
        found |= {words.base + k: names.word(words, k) for k in range(words.size)}
    for i, place in enumerate(mc.places):
        component = views.rules.components[mc.place_components[place.zone]]
        for k in range(place_words(place)):
            found[place.base + k] = names.place(i) + _part_name(place, k, component.classes)
    return (
        "seat",
        "phase",
        "active",
        *(found[word] for word in sorted(found)),
        *(f"number of {names.place(i)}" for i in tallies),
    )


def _part_name(place: ir.Place, k: int, classes: tuple[str, ...]) -> str:
    if place.kind == ir.COUNTS:
        return f": {classes[k]}"
    if place.kind == ir.ORDERED:
        return f": piece {k}" if k else ": number"
    return ""


# ---- the functions


def write_observe(builder: ModuleBuilder, seen: Observed) -> None:
    """`observe` (s, seat, to): the row of a seat."""
    b = builder.body("observe", (I32, I32, I32), ())
    out = b.block()
    labels = [b.block() for _ in seen.seats][::-1]
    b.get(1)
    b.br_table(labels, labels[-1])
    for seat in range(len(seen.seats)):
        b.end()
        b.get(0)
        b.get(2)
        b.call(builder.function(f"observe {seat}", (I32, I32), ()))
        b.br(out)
    b.end()
    for seat in range(len(seen.seats)):
        _write_seat(builder, seen, seat)


def _write_seat(builder: ModuleBuilder, seen: Observed, seat: int) -> None:
    """(s, to): the row of one seat."""
    mc = builder.machine
    b = builder.body(f"observe {seat}", (I32, I32), ())
    others = _others(mc, b)
    b.get(1)
    b.i32(seat)
    b.store()
    for i, word in ((1, ir.PHASE), (2, ir.ACTIVE)):
        b.get(1)
        b.get(0)
        b.load(4 * word)
        b.store(4 * i)
    for stretch in _joined(seen.seats[seat], apart=others != 0):
        source = 0 if stretch.own else others
        to = 4 * (HEAD + stretch.first - seen.first)
        _write_stretch(mc, b, seat, stretch, source, to)
    at = HEAD + seen.last - seen.first
    for i, (place, counted) in enumerate(zip(seen.tallies, seen.counted[seat], strict=True)):
        _write_tally(builder, b, place, (seat, counted, others), 4 * (at + i))


def _others(mc: ir.Machine, b: Body) -> int:
    """The local from whose address on others' things are read: the state, or as it was before `together`."""
    if not mc.branches:
        return 0
    others = b.local()
    b.get(0)
    b.i32(4 * (mc.saved - mc.saved_from))
    b.op("i32.add")
    b.get(0)
    b.get(0)
    b.load(4 * ir.FORKED)
    b.op("select")
    b.set(others)
    return others


def _joined(stretches: tuple[Stretch, ...], apart: bool) -> list[Stretch]:
    """Open stretches next to each other as one, where it does not matter whose they are."""
    found: list[Stretch] = []
    for one in stretches:
        last = found[-1] if found else None
        if last is not None and not apart and last.place is None and one.place is None:
            found[-1] = Stretch(last.first, last.size + one.size, last.own)
        else:
            found.append(one)
    return found


def _write_stretch(mc: ir.Machine, b: Body, seat: int, stretch: Stretch, source: int, to: int) -> None:
    first, size, place = 4 * stretch.first, stretch.size, stretch.place
    if place is None:
        _copy(b, source, first, to, size)
        return

    def unseen() -> None:
        kind = mc.places[place].kind
        keeps = int(stretch.counted and kind in (ir.ORDERED, ir.BLANK))
        _copy(b, source, first, to, keeps)
        _zero(b, to + 4 * keeps, size - keeps)

    _if_shown(mc, b, (seat, place, source), lambda: _copy(b, source, first, to, size), unseen)


def _if_shown(
    mc: ir.Machine,
    b: Body,
    what: tuple[int, int, int],
    then: Callable[[], None],
    otherwise: Callable[[], None],
) -> None:
    """Emits `then` for when a seat is shown a place now (a state in a local says so), or `otherwise`."""
    seat, place, source = what
    if place not in mc.shown:
        otherwise()
        return
    b.get(source)
    b.load(4 * mc.shown[place])
    b.i32(1 << seat)
    b.op("i32.and")
    b.when()
    then()
    b.otherwise()
    otherwise()
    b.end()


def _write_tally(builder: ModuleBuilder, b: Body, place: int, how: tuple[int, bool, int], to: int) -> None:
    """The number of pieces of a place, if the seat may know it."""
    seat, counted, others = how
    source = 0 if builder.machine.places[place].of == seat else others

    def known() -> None:
        b.get(1)
        _number(builder, b, place, source)
        b.store(to)

    if counted:
        known()
    else:
        _if_shown(builder.machine, b, (seat, place, source), known, lambda: _zero(b, to, 1))


def _number(builder: ModuleBuilder, b: Body, number: int, source: int) -> None:
    place = builder.machine.places[number]
    if place.kind == ir.COUNTS and place.classes <= 8:
        for k in range(place.classes):
            b.get(source)
            b.load(4 * (place.base + k))
            if k:
                b.op("i32.add")
        return
    b.get(source)
    b.i32(number)
    b.call(builder.function("count", (I32, I32)))


def _copy(b: Body, source: int, first: int, to: int, words: int) -> None:
    """Words from an address in a local to the row."""
    if words > WORD_BY_WORD:
        for local, offset in ((1, to), (source, first)):
            b.get(local)
            b.i32(offset)
            b.op("i32.add")
        b.i32(4 * words)
        b.copy()
        return
    for k in range(0, words - words % 4, 4):
        b.get(1)
        b.get(source)
        b.vload(first + 4 * k)
        b.vstore(to + 4 * k)
    for k in range(words - words % 4, words):
        b.get(1)
        b.get(source)
        b.load(first + 4 * k)
        b.store(to + 4 * k)


def _zero(b: Body, to: int, words: int) -> None:
    if words > WORD_BY_WORD:
        b.get(1)
        b.i32(to)
        b.op("i32.add")
        b.i32(0)
        b.i32(4 * words)
        b.fill()
        return
    for k in range(words):
        b.get(1)
        b.i32(0)
        b.store(to + 4 * k)
