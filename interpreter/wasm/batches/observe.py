"""What a seat may see of a state as a row of words, and the function that writes it.

Every word has the same place in the row for all seats. What a seat may not see is zero there; the number of
pieces on a place that it may only count stands behind the places.
"""

from __future__ import annotations

from array import array
from contextlib import nullcontext
from dataclasses import dataclass

from dsl.diagnostics import InternalError
from interpreter import ir
from interpreter.views import Views
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import Operand, Variable, select

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


def _owners(mc: ir.Machine) -> dict[int, tuple[int | None, int | None]]:
    """For each word: the seat it belongs to, and the place if it is one."""
    found: dict[int, tuple[int | None, int | None]] = {}
    for words in mc.variables.values():
        for k in range(words.size):
            owner = words.of_lo + k // words.at_size if words.of == "seat" else None
            found[words.base + k] = (owner, None)
    for i, place in enumerate(mc.places):
        for k in range(place.words):
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
        for k in range(place.words):
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
    """observe(s, seat, to): writes the row of a seat."""
    b = builder.body("observe", (I32, I32, I32), ())
    s, seat, to = b.arguments()
    out = b.block()
    labels = [b.block() for _ in seen.seats][::-1]
    b.push(seat)
    b.br_table(labels, labels[-1])
    for number in range(len(seen.seats)):
        b.end()
        b.push(builder.call(f"observe {number}", s, to, results=()))
        b.br(out)
    b.end()
    for number in range(len(seen.seats)):
        _write_seat(builder, seen, number)


def _write_seat(builder: ModuleBuilder, seen: Observed, seat: int) -> None:
    """observe seat(s, to): the row of one seat."""
    mc = builder.machine
    b = builder.body(f"observe {seat}", (I32, I32), ())
    s, to = b.arguments()
    others = _others(mc, b)
    b.write(to, seat)
    for i, word in ((1, ir.PHASE), (2, ir.ACTIVE)):
        b.write(to, s.load(4 * word), 4 * i)
    for stretch in _joined(seen.seats[seat], apart=others.index != s.index):
        offset = 4 * (HEAD + stretch.first - seen.first)
        _write_stretch(mc, b, seat, stretch, s if stretch.own else others, offset)
    at = HEAD + seen.last - seen.first
    for i, (place, counted) in enumerate(zip(seen.tallies, seen.counted[seat], strict=True)):
        source = s if mc.places[place].of == seat else others
        _write_tally(builder, b, seat, place, counted, source, 4 * (at + i))


def _others(mc: ir.Machine, b: Body) -> Variable:
    """Where others' things are read from: the state, or its copy from before `together`."""
    s = b.state
    if not mc.branches:
        return s
    others = b.local()
    b.assign(others, select(s + 4 * (mc.saved - mc.saved_from), s, s.load(4 * ir.FORKED)))
    return others


def _joined(stretches: tuple[Stretch, ...], apart: bool) -> list[Stretch]:
    """Open stretches next to each other as one, where it does not matter whose they are."""
    found: list[Stretch] = []
    for stretch in stretches:
        last = found[-1] if found else None
        if last is not None and not apart and last.place is None and stretch.place is None:
            found[-1] = Stretch(last.first, last.size + stretch.size, last.own)
        else:
            found.append(stretch)
    return found


def _write_stretch(mc: ir.Machine, b: Body, seat: int, stretch: Stretch, source: Variable, to: int) -> None:
    first, size, place = 4 * stretch.first, stretch.size, stretch.place
    if place is None:
        _copy(b, source, first, to, size)
        return
    kept = int(stretch.counted and mc.places[place].kind in (ir.ORDERED, ir.BLANK))
    shown = _is_shown(mc, seat, place, source)
    with b.if_(shown) if shown is not None else nullcontext():
        if shown is not None:
            _copy(b, source, first, to, size)
            b.otherwise()
        _copy(b, source, first, to, kept)
        _zero(b, to + 4 * kept, size - kept)


def _is_shown(mc: ir.Machine, seat: int, place: int, source: Operand) -> Operand | None:
    """Whether a seat is shown a place now; none if that place is never shown."""
    return source.load(4 * mc.shown[place]) & 1 << seat if place in mc.shown else None


def _write_tally(
    builder: ModuleBuilder, b: Body, seat: int, place: int, counted: bool, source: Operand, offset: int
) -> None:
    """The number of pieces of a place, or 0 if the seat may not know it."""
    to = b.arguments()[1]
    shown = _is_shown(builder.machine, seat, place, source)
    if counted:
        b.write(to, _number(builder, place, source), offset)
    elif shown is None:
        b.write(to, 0, offset)
    else:
        with b.if_(shown):
            b.write(to, _number(builder, place, source), offset)
            b.otherwise()
            b.write(to, 0, offset)


def _number(builder: ModuleBuilder, number: int, source: Operand) -> Operand:
    """How many pieces lie on a place."""
    place = builder.machine.places[number]
    if place.kind == ir.COUNTS and place.classes <= 8:
        counts = [source.load(4 * (place.base + k)) for k in range(place.classes)]
        return sum(counts[1:], start=counts[0])
    return builder.call("count", source, number)


def _copy(b: Body, source: Operand, first: int, to: int, words: int) -> None:
    """Copies words of a state to the row; `first` and `to` are bytes."""
    row = b.arguments()[1]
    if words > WORD_BY_WORD:
        b.copy(row + to, source + first, 4 * words)
        return
    for k in range(0, words - words % 4, 4):
        b.write_vector(row, source.load_vector(first + 4 * k), to + 4 * k)
    for k in range(words - words % 4, words):
        b.write(row, source.load(first + 4 * k), to + 4 * k)


def _zero(b: Body, to: int, words: int) -> None:
    row = b.arguments()[1]
    if words > WORD_BY_WORD:
        b.fill(row + to, 0, 4 * words)
        return
    for k in range(words):
        b.write(row, 0, to + 4 * k)
