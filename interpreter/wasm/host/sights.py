"""What a viewer sees of a position, and what may be behind it: `sights`, `view`, `pool`, `suppose`.

A viewer is the number of a seat, -1 for spectators or -2 for the referee. Sets of viewers are bits, as
`ir.viewer_bit` has them. In `together` a viewer sees what belongs to others as it was before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from interpreter import ir
from interpreter.sights import REFEREE, SPECTATOR
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import FunctionWriter
from interpreter.wasm.emit.operands import Operand, Variable, const, select, word_at
from interpreter.wasm.host import words as w
from interpreter.wasm.host.codes import LISTED, UNKNOWN


@dataclass(frozen=True, slots=True)
class HostTable:
    """The address of the table of a game, and operands for what stands there.

    Of a table whose words are known nothing is written that this game lacks.
    """

    at: int
    words: tuple[int, ...] = ()

    def head(self, word: int) -> Operand:
        return const(self.words[word]) if self.words else word_at(self.at + 4 * word)

    @property
    def forks(self) -> bool:
        """Whether there may be a `together`."""
        return not self.words or self.words[w.SAVED] > 0

    @property
    def has_tops(self) -> bool:
        """Whether there may be a pile of which only the topmost piece is seen."""
        return not self.words or any(x & w.TOP for x in self._column(w.FLAGS))

    @property
    def has_private(self) -> bool:
        """Whether pieces may be shown without the others learning of it."""
        return not self.words or any(x & w.PRIVATE for x in self._column(w.FLAGS))

    @property
    def tells(self) -> bool:
        """Whether the value of a word may be shown."""
        first = w.HEAD + w.PLACE_ROW * self.words[w.PLACES] if self.words else 0
        return not self.words or any(self.words[first + w.TOLD :: w.WORD_ROW])

    @property
    def kinds(self) -> frozenset[int]:
        """How places may store their pieces."""
        kinds = self._column(w.KIND) if self.words else (ir.SLOT, ir.COUNTS, ir.ORDERED, ir.BLANK)
        return frozenset(kinds)

    def _column(self, word: int) -> tuple[int, ...]:
        """A word of all rows of places."""
        end = w.HEAD + w.PLACE_ROW * self.words[w.PLACES]
        return self.words[w.HEAD + word : end : w.PLACE_ROW]

    @property
    def first(self) -> int:
        """The address of the first row of places."""
        return self.at + 4 * w.HEAD

    def place(self, number: Operand) -> Operand:
        """The address of the row of a place."""
        return number * (4 * w.PLACE_ROW) + self.first

    @property
    def behind_places(self) -> Operand:
        return self.place(self.head(w.PLACES))

    @contextmanager
    def each_place(self, b: Body, row: Variable) -> Iterator[None]:
        b.assign(row, self.first)
        with b.until(row.ge_u(self.behind_places)):
            yield
            b.assign(row, row + 4 * w.PLACE_ROW)

    @contextmanager
    def each_word(self, b: Body, row: Variable) -> Iterator[None]:
        b.assign(row, self.behind_places)
        with b.until(row.ge_u(self.behind_places + self.head(w.WORDS) * (4 * w.WORD_ROW))):
            yield
            b.assign(row, row + 4 * w.WORD_ROW)


def field(row: Operand, word: int) -> Operand:
    """A word of a row."""
    return row.load(4 * word)


def flag(row: Operand, bit: int) -> Operand:
    return field(row, w.FLAGS) & bit


def bit_of(viewer: Operand) -> Operand:
    """The bit of a viewer in a set."""
    return const(1) << (viewer - REFEREE)


def is_forked(table: HostTable, s: Operand) -> Operand:
    """Whether a `together` is running, as 0 or 1."""
    return s.load(4 * ir.FORKED).ne(0) if table.forks else const(0)


def begun(table: HostTable, s: Operand) -> Operand:
    """Where what a fork saves is read as it was before the running `together`; the state if there is none."""
    if not table.forks:
        return s
    return select(s + table.head(w.SAVED) - table.head(w.SAVED_FROM), s, is_forked(table, s))


def write_sights(writer: FunctionWriter, table: HostTable) -> None:
    _write_seers(writer)
    _write_open_seers(writer, table)
    _write_readers(writer, table)
    _write_number(writer, table)
    _write_sights(writer, table)
    _write_before(writer, table)
    _write_view(writer, table)
    _write_tally(writer, table)
    _write_pool(writer, table)


def _write_seers(writer: FunctionWriter) -> None:
    """seers(s, row): who sees the pieces of a place now, by declaration or because they were shown them.

    What a seat was shown it remembers, as long as nothing has changed there that it did not see.
    """
    b = writer.body("seers", (I32, I32))
    s, row = b.arguments()
    shown = b.local()
    with b.if_(shown.tee(field(row, w.SHOWN))):
        b.assign(shown, (s + shown).load())
    seats = (shown | shown >> ir.REMEMBERED) & ir.LOOKING
    b.push(field(row, w.SEEN) | seats << -REFEREE)


def _write_open_seers(writer: FunctionWriter, table: HostTable) -> None:
    """open seers(s, row): of whom everybody knows that they see the pieces of a place now."""
    b = writer.body("open seers", (I32, I32))
    s, row = b.arguments()
    if table.has_private:
        b.ret_if(field(row, w.SEEN), flag(row, w.PRIVATE))
    b.push(writer.call("seers", s, row))


def _write_readers(writer: FunctionWriter, table: HostTable) -> None:
    """readers(s, row): who sees a word of a counter, mark or pointer now."""
    b = writer.body("readers", (I32, I32))
    s, row = b.arguments()
    if not table.tells:
        b.push(field(row, w.READERS))
        return
    told = b.local()
    with b.if_(told.tee(field(row, w.TOLD))):
        b.ret_if(-1, told.tee((s + told).load()).lt_s(0))
    b.push(field(row, w.READERS) | told << -REFEREE)


def _write_number(writer: FunctionWriter, table: HostTable) -> None:
    """number(s, row): how many pieces lie on a place."""
    b = writer.body("number", (I32, I32))
    s, row = b.arguments()
    at, end, total = b.local(), b.local(), b.fresh()
    b.assign(at, s + field(row, w.BASE))
    b.ret_if(at.load().ne(0), field(row, w.KIND).eq(ir.SLOT))
    if table.kinds & {ir.ORDERED, ir.BLANK}:
        b.ret_if(at.load(), field(row, w.KIND).ne(ir.COUNTS))
    b.assign(end, at + (field(row, w.CLASSES) << 2))
    with b.until(at.ge_u(end)):
        b.assign(total, total + at.load())
        b.assign(at, at + 4)
    b.push(total)


def _write_sights(writer: FunctionWriter, table: HostTable) -> None:
    """sights(s, to): for each place who sees and who counts it now; then for each word who reads it now."""
    b = writer.body("sights", (I32, I32), (), export=True)
    s, to = b.arguments()
    row, seen = b.variables(I32, I32)
    with table.each_place(b, row):
        b.write(to, seen.tee(writer.call("seers", s, row)))
        b.write(to, field(row, w.COUNTED) | seen, 4)
        b.assign(to, to + 8)
    with table.each_word(b, row):
        b.write(to, writer.call("readers", s, row))
        b.assign(to, to + 4)


def _write_before(writer: FunctionWriter, table: HostTable) -> None:
    """before(s, viewer): makes a state the one whose values and scores a viewer is told; whether it differs.

    That is the one in which the running `together` began, but for the referee.
    """
    b = writer.body("before", (I32, I32), (I32,), export=True)
    s, viewer = b.arguments()
    start = table.head(w.SAVED_FROM)
    differs = is_forked(table, s) & viewer.ne(REFEREE)
    if table.forks:
        with b.if_(differs):
            b.copy(s + start, s + table.head(w.SAVED), table.head(w.SAVED_TO) - start)
    b.push(differs)


def _write_view(writer: FunctionWriter, table: HostTable) -> None:
    """view(s, viewer, to): a state with nothing but what a viewer sees.

    For each place the number of pieces, `UNKNOWN`, or `LISTED`; for each word of a counter, mark or pointer
    whether it is known; then a state, in which all else is 0.
    """
    b = writer.body("view", (I32, I32, I32), (), export=True)
    s, viewer, to = b.arguments()
    row, bit, others, now, masked, lying = b.variables(*(I32,) * 6)
    b.assign(bit, bit_of(viewer))
    b.assign(others, select(s, begun(table, s), viewer.eq(REFEREE)))
    b.assign(masked, to + (table.head(w.PLACES) + table.head(w.WORDS) << 2))
    b.fill(masked, 0, table.head(w.SIZE) << 2)
    with table.each_place(b, row), b.temporaries(I32, I32, I32) as (seen, told, at):
        b.assign(now, select(s, others, field(row, w.OWNER).eq(viewer)))
        b.assign(lying, masked + field(row, w.BASE))
        b.assign(at, now + field(row, w.BASE))
        b.assign(seen, writer.call("seers", now, row) & bit)
        b.assign(told, LISTED)
        with b.if_(seen.ne(0) & field(row, w.KIND).ne(ir.BLANK)):
            b.copy(lying, at, field(row, w.LENGTH) << 2)
            b.otherwise()
            with b.if_(flag(row, w.TOP)) if table.has_tops else nullcontext():
                if table.has_tops:
                    b.write(lying, at.load())
                    with b.if_(at.load()):
                        b.write(lying + (at.load() << 2), (at + (at.load() << 2)).load())
                    b.otherwise()
                b.assign(told, UNKNOWN)
                with b.if_(seen | field(row, w.COUNTED) & bit):
                    b.assign(told, writer.call("number", now, row))
        b.write(to, told)
        b.assign(to, to + 4)
    with table.each_word(b, row), b.temporaries(I32) as (known,):
        b.assign(now, select(s, others, field(row, w.OF).eq(viewer)))
        b.write(to, known.tee((writer.call("readers", now, row) & bit).ne(0)))
        with b.if_(known):
            b.write(masked + field(row, w.ADDRESS), (now + field(row, w.ADDRESS)).load())
        b.assign(to, to + 4)


def _write_tally(writer: FunctionWriter, table: HostTable) -> None:
    """tally(s, row, to, n): adds `n` to the number of its class for each piece on a place."""
    b = writer.body("tally", (I32,) * 4, ())
    s, row, to, n = b.arguments()
    at, end, step = b.variables(I32, I32, I32)

    def add(class_: Operand, pieces: Operand) -> None:
        with b.temporaries(I32) as (cell,):
            b.assign(cell, to + (class_ << 2))
            b.write(cell, cell.load() + pieces)

    b.assign(at, s + field(row, w.BASE))
    kind = field(row, w.KIND)
    if ir.BLANK in table.kinds:
        with b.if_(kind.eq(ir.BLANK)):
            add(const(0), n * at.load())
            b.ret()
    b.assign(end, at + (field(row, w.LENGTH) << 2))
    with b.if_(kind.eq(ir.COUNTS)):
        b.assign(step, 0)
        with b.until(at.ge_u(end)):
            add(step, n * at.load())
            b.assign(step, step + 1)
            b.assign(at, at + 4)
        b.ret()
    if ir.ORDERED in table.kinds:
        with b.if_(kind.eq(ir.ORDERED)):
            b.assign(end, at + (at.load() << 2) + 4)
            b.assign(at, at + 4)
    with b.until(at.ge_u(end)):
        with b.if_(at.load()):
            add(at.load() - 1, n)
        b.assign(at, at + 4)


def _write_pool(writer: FunctionWriter, table: HostTable) -> None:
    """pool(s, place, viewer, to): among which pieces one is drawn from a place, as far as a viewer may know.

    0: that is not told. Otherwise the number of each class stands at `to`; 2: they lie in the pile, and each
    is as likely as any other, whatever anybody has done before; 1: they are all that the viewer does not see,
    and some lie elsewhere: who put them there, or kept them, may have known them. In `together` only the seat
    that draws is told: what others see at that time would tell when it was.
    """
    b = writer.body("pool", (I32,) * 4, (I32,), export=True)
    s, place, viewer, to = b.arguments()
    source, row, bit, now, at, left = b.variables(*(I32,) * 6)
    b.assign(source, table.place(place))
    classes = field(source, w.CLASSES)
    b.ret_if(0, flag(source, w.DIE) | classes.eq(1))
    b.assign(bit, bit_of(viewer))
    b.fill(to, 0, classes << 2)
    open_ = (writer.call("seers", s, source) & bit).ne(0)
    if table.forks:
        open_ = viewer.eq(REFEREE) | is_forked(table, s).eqz() & open_
    with b.if_(open_):
        b.push(writer.call("tally", s, source, to, 1, results=()))
        b.ret(2)
    if table.forks:
        b.ret_if(0, is_forked(table, s) & (s.load(4 * ir.RUNNING) - 1).ne(viewer))
    with table.each_place(b, row), b.if_(field(row, w.COMPONENT).eq(field(source, w.COMPONENT))):
        b.push(writer.call("tally", s, row, to, 1, results=()))
        b.assign(now, select(s, begun(table, s), field(row, w.OWNER).eq(viewer)))
        with b.if_(writer.call("seers", now, row) & bit):
            b.push(writer.call("tally", now, row, to, -1, results=()))
            if table.has_tops:
                b.otherwise()
                b.assign(at, now + field(row, w.BASE))
                with b.if_(flag(row, w.TOP)), b.if_(at.load()):
                    b.assign(at, to - 4 + ((at + (at.load() << 2)).load() << 2))
                    b.write(at, at.load() - 1)
    b.assign(at, to)
    b.assign(left, 0)
    with b.until(at.ge_u(to + (classes << 2))):
        b.write(at, select(at.load(), 0, at.load().gt_s(0)))
        b.assign(left, left + at.load())
        b.assign(at, at + 4)
    counts = ((field(source, w.COUNTED) | writer.call("seers", s, source)) & bit).ne(0)
    exact = counts & left.eq(writer.call("number", s, source))
    b.push((exact & is_forked(table, s).eqz() if table.forks else exact) + 1)


def write_suppose(writer: FunctionWriter, table: HostTable) -> None:
    """suppose(s, class): makes all pieces that not everybody sees ones of a class; how many there are.

    What lies seen on top of a pile stays. It follows from what everybody has seen alone, so whatever is the
    same for each class tells nothing of what lies hidden. A place with fewer classes takes them in turn.
    """
    b = writer.body("suppose", (I32, I32), (I32,), export=True)
    s, class_ = b.arguments()
    row, at, end, most, number = b.variables(*(I32,) * 5)
    b.assign(most, 1)
    hidden = (writer.call("seers", s, row) & 1 << SPECTATOR - REFEREE).eqz()
    with table.each_place(b, row), b.if_(field(row, w.KIND).ne(ir.BLANK) & hidden):
        classes = field(row, w.CLASSES)
        b.assign(most, select(most, classes, most.gt_s(classes)))
        b.assign(number, writer.call("number", s, row))
        b.assign(at, s + field(row, w.BASE))
        piece = class_.rem_u(classes)
        with b.if_(field(row, w.KIND).eq(ir.COUNTS)):
            b.fill(at, 0, classes << 2)
            b.write(at + (piece << 2), number)
            b.otherwise()
            with b.if_(field(row, w.KIND).eq(ir.ORDERED)):
                b.assign(number, number - flag(row, w.TOP))
                b.assign(at, at + 4)
            b.assign(end, at + (number << 2))
            with b.until(at.ge_s(end)):
                b.write(at, piece + 1)
                b.assign(at, at + 4)
    b.push(most)
