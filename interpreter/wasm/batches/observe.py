"""What a seat may see of a state as a row of words, and the function that writes it.

Every word has the same place in the row for all seats. What a seat may not see is zero there; the number of
pieces on a place that it may only count stands behind the places. At the end stands what has been chosen so
far in the actions under way: none (-2147483648) where nothing was, and for what the seat does not see of it.
"""

from __future__ import annotations

from array import array
from contextlib import nullcontext
from dataclasses import replace

from dsl.diagnostics import InternalError
from dsl.domains import NONE, PieceType
from dsl.frozen import dataclass
from interpreter import ir
from interpreter.chosen_values import ChosenValues
from interpreter.views import Views
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import Operand, Variable, const, select

HEAD = 3
"""The first words: the seat, the phase, the active seat."""
WORD_BY_WORD = 64
"""Stretches up to so many words are copied by plain instructions."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of the state next to each other that a seat sees in the same way.

    `own`: they are the seat's, so that it sees them as they are while all choose together. `place`: they
    are a place whose pieces it does not see by its declaration. `secret`: they are values that it does not
    see, unless `told`, a word of the state, says that it was shown them. `top`: everybody sees the topmost
    piece of the place.
    """

    first: int
    size: int
    own: bool
    place: int | None = None
    counted: bool = True
    secret: bool = False
    told: int | None = None
    top: bool = False


@dataclass(frozen=True, slots=True)
class Observed:
    """The row: words of the state from `first` on, then numbers of pieces of some places. Who sees what."""

    first: int
    last: int
    tallies: tuple[int, ...]
    owners: tuple[int | None, ...]
    """The seats to which these places belong, if they belong to one."""
    counted: tuple[tuple[bool, ...], ...]
    """For each seat: whether it may count the pieces of these places."""
    seats: tuple[tuple[Stretch, ...], ...]
    names: tuple[str, ...]
    chosen: ChosenValues
    visible: tuple[int, ...]
    """For each place the seats that see its pieces by declaration, as bits."""

    @property
    def size(self) -> int:
        return HEAD + self.last - self.first + len(self.tallies) + len(self.chosen.decisions)

    @property
    def hides(self) -> bool:
        """Whether there is anything that a seat does not see."""
        return any(x.secret or x.place is not None for stretches in self.seats for x in stretches)


def observed(views: Views) -> Observed:
    """What the seats of a game may see. Whatever stands in the state besides is in no row."""
    mc = views.machine
    last = min((*mc.shown.values(), *mc.told.values()), default=mc.saved_to)
    owners = _owners(views)
    if len(owners) != last - mc.saved_from:
        raise InternalError("words of a state that are neither stored values nor places")
    hidden = [i for i in range(len(mc.places)) if any(not views.may_see(i, v) for v in range(mc.seats))]
    tallies = tuple(i for i in hidden if mc.places[i].kind in (ir.SLOT, ir.COUNTS))
    seats = tuple(range(mc.seats))
    return Observed(
        mc.saved_from,
        last,
        tallies,
        tuple(views.owner(i) for i in tallies),
        tuple(tuple(_counts(views, i, v) for i in tallies) for v in seats),
        tuple(_stretches(views, owners, v) for v in seats),
        _names(views, tallies),
        views.chosen_values,
        tuple(
            sum(1 << seat for seat in seats if views.may_see(place, seat)) for place in range(len(mc.places))
        ),
    )


def _owners(views: Views) -> dict[int, tuple[int | None, int | None]]:
    """For each word: the seat it belongs to, and the place if it is one."""
    mc = views.machine
    found: dict[int, tuple[int | None, int | None]] = {}
    for words in mc.variables.values():
        for k in range(words.size):
            owner = words.of_lo + k // words.at_size if words.of == "seat" else None
            found[words.base + k] = (owner, None)
    for i, place in enumerate(mc.places):
        for k in range(place.words):
            found[place.base + k] = (views.owner(i), i)
    return found


def _counts(views: Views, place: int, seat: int) -> bool:
    """Whether a seat may count a place by its declaration."""
    return views.counts(array("i", bytes(4 * views.machine.size)), place, seat)


def _stretches(
    views: Views, owners: dict[int, tuple[int | None, int | None]], seat: int
) -> tuple[Stretch, ...]:
    found: list[Stretch] = []
    secrets = _secrets(views, seat)
    for word in sorted(owners):
        owner, place = owners[word]
        hidden = place if place is not None and not views.may_see(place, seat) else None
        own, secret = owner == seat, word in secrets
        told = _told_at(views.machine, word) if secret else None
        last = found[-1] if found else None
        alike = last is not None and (last.own, last.place, last.secret) == (own, hidden, secret)
        if last is not None and alike and told is None and last.told is None:
            found[-1] = replace(last, size=last.size + 1)
        else:
            counted = hidden is None or _counts(views, hidden, seat)
            found.append(Stretch(word, 1, own, hidden, counted, secret, told, hidden in views.tops))
    return tuple(found)


def _told_at(mc: ir.Machine, word: int) -> int | None:
    words = mc.words_at(word)
    return mc.told_at(words, word) if words is not None else None


def _secrets(views: Views, seat: int) -> frozenset[int]:
    """The words of counters, marks and pointers that a seat does not see."""
    variables = views.machine.variables.values()
    words = ((layout, layout.base + k) for layout in variables for k in range(layout.size))
    return frozenset(word for layout, word in words if not views.may_read(layout, word, seat))


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
        *(f"chosen {mc.decision(number).name}" for number in views.chosen_values.decisions),
    )


def _part_name(place: ir.Place, k: int, classes: tuple[str, ...]) -> str:
    if place.kind == ir.COUNTS:
        return f": {classes[k]}"
    if place.kind == ir.ORDERED:
        return f": piece {k}" if k else ": number"
    return ""


# ---- the functions


def write_observe(builder: ModuleBuilder, seen: Observed, export: bool = False) -> None:
    """observe(s, seat, to): writes the row of a seat."""
    b = builder.body("observe", (I32, I32, I32), (), export=export)
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
    if seen.chosen.decisions:
        _write_chosen(builder, seen)
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
    rows = zip(seen.tallies, seen.owners, seen.counted[seat], strict=True)
    for i, (place, owner, counted) in enumerate(rows):
        source = s if owner == seat else others
        _write_tally(builder, b, seat, place, counted, source, 4 * (at + i))
    if seen.chosen.decisions:
        _write_choices(builder, seen, b, seat, 4 * (at + len(seen.tallies)))


def _write_choices(builder: ModuleBuilder, seen: Observed, b: Body, seat: int, offset: int) -> None:
    """What has been chosen so far: in the running frames, or in the seat's own branch and before the fork."""
    mc = builder.machine
    s, to = b.arguments()
    for k in range(len(seen.chosen.decisions)):
        b.write(to, NONE, offset + 4 * k)

    def chosen(node: Operand, fp: Operand) -> None:
        b.push(builder.call("chosen", s, to + offset, 1 << seat, node, fp, results=()))

    with b.if_(s.load(4 * ir.STATUS).eqz()):
        if not mc.branches:
            chosen(s.load(4 * ir.PC), s.load(4 * ir.FP))
        else:
            branch = mc.branch(seat)
            with b.if_(s.load(4 * ir.FORKED)):
                chosen(s.load(4 * ir.FORK), s.load(4 * ir.MAIN_FP))
                with b.if_(s.load(4 * (branch + ir.BRANCH_STATUS)).eq(ir.WAITING)):
                    chosen(s.load(4 * (branch + ir.BRANCH_PC)), s.load(4 * (branch + ir.BRANCH_FP)))
                b.otherwise()
                chosen(s.load(4 * ir.PC), s.load(4 * ir.FP))


def _write_chosen(builder: ModuleBuilder, seen: Observed) -> None:
    """chosen(s, to, bit, node, fp): what was chosen in a frame that waits at a node, and in its callers."""
    mc, found = builder.machine, seen.chosen
    columns = {decision: i for i, decision in enumerate(found.decisions)}
    firsts, slots, places, classes = [0], list[int](), list[int](), list[int]()
    choosers = list[int]()
    for waiting in range(len(mc.nodes)):
        for slot, decision in sorted(found.held.get(waiting, {}).items()):
            if decision in columns:
                slots.append(slot)
                places.append(columns[decision])
                kind = mc.node(decision, ir.Decide).type
                secret = mc.node(decision, ir.Decide).secret
                choosers.append((found.chooser_slot(decision) or -1) if secret else 0)
                classes.append(mc.component_classes[kind.component] if isinstance(kind, PieceType) else 0)
        firsts.append(len(slots))
    first, slot_at, place_at, classes_at = (builder.table(x) for x in (firsts, slots, places, classes))
    visible = builder.table(seen.visible)
    shown = builder.table(mc.shown.get(i, 0) for i in range(len(mc.places)))
    b = builder.body("chosen", (I32,) * 5, ())
    s, to, bit, node, fp = b.arguments()
    i, value, number, place = b.variables(I32, I32, I32, I32)
    with b.until(node.lt_s(0)):
        b.assign(i, node.entry_of(first))
        with b.until(i.ge_s((node + 1).entry_of(first))):
            b.assign(value, (s + (fp + i.entry_of(slot_at) << 2)).load())
            b.assign(number, i.entry_of(classes_at))
            with b.if_(number):
                b.assign(place, value.div_s(number))
                sights = place.entry_of(visible)
                word = place.entry_of(shown)
                shows = select((s + (word << 2)).load(), 0, word)
                with b.if_(((sights | shows | shows >> ir.REMEMBERED) & bit).eqz()):
                    b.assign(value, NONE)
            if any(choosers):
                _hide_secret(b, i.entry_of(builder.table(choosers)), number, value)
            b.write(to + (i.entry_of(place_at) << 2), value)
            b.assign(i, i + 1)
        b.assign(node, (s + (fp << 2)).load(4 * ir.RETURN))
        b.assign(fp, (s + (fp << 2)).load(4 * ir.CALLER))


def _others(mc: ir.Machine, b: Body) -> Variable:
    """Where others' things are read from: the state, or its copy from before `together`."""
    s = b.arguments()[0]
    if not mc.branches:
        return s
    others = b.local()
    b.assign(others, select(s + 4 * (mc.saved - mc.saved_from), s, s.load(4 * ir.FORKED)))
    return others


def _hide_secret(b: Body, chooser: Operand, at: Variable, value: Variable) -> None:
    """What was chosen secretly is seen by the seat in the slot `chooser`; 0: it is no secret."""
    s, _, bit, _, fp = b.arguments()
    b.assign(at, chooser)
    with b.if_(at), b.if_(at.lt_s(0)):
        b.assign(value, NONE)
        b.otherwise()
        with b.if_(const(1) << (s + (fp + at << 2)).load() ^ bit):
            b.assign(value, NONE)


def _joined(stretches: tuple[Stretch, ...], apart: bool) -> list[Stretch]:
    """Open stretches next to each other as one, where it does not matter whose they are."""
    found: list[Stretch] = []
    for stretch in stretches:
        last = found[-1] if found else None
        open_ = stretch.place is None and not stretch.secret
        if last is not None and not apart and open_ and last.place is None and not last.secret:
            found[-1] = Stretch(last.first, last.size + stretch.size, last.own)
        else:
            found.append(stretch)
    return found


def _write_stretch(mc: ir.Machine, b: Body, seat: int, stretch: Stretch, source: Variable, to: int) -> None:
    first, size, place = 4 * stretch.first, stretch.size, stretch.place
    if stretch.secret:
        _zero(b, to, size)
        if stretch.told is not None:
            with b.if_(source.load(4 * stretch.told) & (1 << seat) - (1 << 31)):
                _copy(b, source, first, to, size)
        return
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
        if stretch.top:
            _copy_top(b, source, first, to)


def _is_shown(mc: ir.Machine, seat: int, place: int, source: Operand) -> Operand | None:
    """Whether a seat is shown a place now; none if that place is never shown."""
    both = 1 << seat | 1 << seat + ir.REMEMBERED
    return source.load(4 * mc.shown[place]) & both if place in mc.shown else None


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
    """How many pieces lie on a place, by its words: a copy of a state has no sets of pieces."""
    place = builder.machine.places[number]
    if place.kind == ir.COUNTS:
        if place.classes > 8:
            return builder.call("sum", source + 4 * place.base, place.classes)
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


def _copy_top(b: Body, source: Operand, first: int, to: int) -> None:
    """Copies the last piece of an ordered place; its number, which is before the pieces, if it is empty."""
    with b.temporaries(I32) as (at,):
        b.assign(at, source.load(first) << 2)
        b.write(b.arguments()[1] + at, (source + at).load(first), to)


def _zero(b: Body, to: int, words: int) -> None:
    row = b.arguments()[1]
    if words > WORD_BY_WORD:
        b.fill(row + to, 0, 4 * words)
        return
    for k in range(words):
        b.write(row, 0, to + 4 * k)
