"""The best selection of records: the search of `interpreter.ir.packing`, step by step, with the same work."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce

from interpreter import ir
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import Operand, Variable, const

NUMBER_BITS, WORTH_BITS = 14, 31
"""The bits of a key that are the number of a record, and those above them that say what it is worth."""


def name_of(node: ir.SelectRecords) -> str:
    """The name of the function that finds the best records for a node."""
    return f"packing {node.history} {node.worth} {','.join(map(str, node.bits))}"


def left_at(builder: ModuleBuilder, name: str) -> int:
    """The address of the word with the fuel that a selection has left."""
    if name not in builder.fuel_left:
        builder.fuel_left[name] = builder.reserve(4)
    return builder.fuel_left[name]


def write_selection(builder: ModuleBuilder, b: Body, name: str) -> None:
    """packing(s, fuel): how many records are the best selection; their numbers lie where hashes were."""
    number, worth, bits = name.split()[1:]
    history = builder.machine.histories[int(number)]
    words = tuple(map(int, bits.split(",")))
    _Selection(builder, b, history, int(worth), words, left_at(builder, name)).write()


@dataclass(slots=True)
class _Room:
    """The addresses of what a search keeps: a row of words each, but for the keys, of eight bytes."""

    keys: int
    starts: int
    rest: int
    tried: int
    chosen: int
    found: int
    used: int
    known: int
    """A hash table of records, each by its number and 1; 0 where there is none."""


@dataclass(slots=True)
class _Selection:
    """One function. A key orders the records by their least bits, then by their worth, then by number."""

    builder: ModuleBuilder
    b: Body
    history: ir.HistoryLayout
    worth: int
    bits: tuple[int, ...]
    left: int
    room: _Room = field(init=False)
    fuel: Variable = field(init=False)
    groups: Variable = field(init=False)
    level: Variable = field(init=False)
    total: Variable = field(init=False)
    best: Variable = field(init=False)
    many: Variable = field(init=False)

    def write(self) -> None:
        b, most = self.b, min(self.history.most, 32 * len(self.bits))
        reserve = self.builder.reserve
        row, known = 4 * (most + 2), reserve(8 << self.history.most.bit_length())
        self.room = _Room(
            keys=reserve(8 * (self.history.most + 1)),
            starts=reserve(row),
            rest=reserve(row),
            tried=reserve(row),
            chosen=reserve(row),
            found=reserve(row),
            used=reserve(4 * len(self.bits)),
            known=known,
        )
        self.fuel = b.arguments()[1]
        self.groups, self.level, self.total, self.best, self.many = b.variables(I32, I32, I32, I32, I32)
        with b.temporaries(I32) as (useful,):
            self._make_keys(useful)
            self._sort(useful)
            self._find_groups(useful)
            b.assign(self.fuel, self.fuel - useful)
        for i in range(len(self.bits)):
            b.write(const(self.room.used), 0, 4 * i)
        for variable in (self.level, self.total, self.best, self.many):
            b.assign(variable, 0)
        self._search()
        self._tell()
        b.write(const(self.left), self.fuel)
        b.push(self.many)

    # ---- the records in order

    def _make_keys(self, useful: Variable) -> None:
        """A key for each record that has a bit and is worth something."""
        b = self.b
        with b.temporaries(I32, I32, I32, I32, I32) as (i, held, at, group, mask):
            b.assign(useful, 0)
            b.assign(held, b.state.load(4 * self.history.base))
            b.assign(mask, (const(-1) >> (held | 1).clz()) * 2 + 1)
            b.fill(const(self.room.known), 0, (mask << 2) + 4)
            b.assign(i, 0)
            with b.until(i.ge_s(held)):
                self._record_at(at, i)
                b.assign(group, -1)
                for k, word in reversed(list(enumerate(self.bits))):
                    with b.if_(self._word(at, word)):
                        b.assign(group, self._word(at, word).ctz() + 32 * k)
                with b.if_(group.ge_s(0) & self._word(at, self.worth).gt_s(0)):
                    known = b.block()
                    self._note(i, at, mask, known)
                    above = group.widened() << (NUMBER_BITS + WORTH_BITS)
                    less = const((1 << WORTH_BITS) - 1) - self._word(at, self.worth)
                    key = above | less.widened() << NUMBER_BITS | i.widened()
                    b.write((useful << 3), key, self.room.keys, "i64.store")
                    b.assign(useful, useful + 1)
                    b.end()
                b.assign(i, i + 1)

    def _note(self, i: Variable, at: Variable, mask: Variable, known: Label) -> None:
        """Leads out of a block if a record is known that has the same bits and is worth as much."""
        b = self.b
        with b.temporaries(I32, I32, I32) as (place, held, other):
            b.assign(place, 0)
            for word in self.bits:
                b.assign(place, (place ^ self._word(at, word)) * 0x9E3779B1)
                b.assign(place, place ^ place >> 15)
            with b.forever() as free:
                b.assign(place, (place & mask) << 2)
                b.assign(held, place.load(self.room.known))
                b.br_if(free, held.eqz())
                self._record_at(other, held - 1)
                differs = [self._word(at, word) ^ self._word(other, word) for word in self.bits]
                with b.if_(reduce(lambda left, right: left | right, differs).eqz()):
                    b.br_if(known, self._word(at, self.worth).le_s(self._word(other, self.worth)))
                    b.br(free)
                b.assign(place, (place >> 2) + 1)
            b.write(place, i + 1, self.room.known)

    def _sort(self, useful: Variable) -> None:
        """Shell sort of the keys (Shell, "A high-speed sorting procedure", 1959)."""
        b = self.b
        with b.temporaries(I32, I32, I32, I64) as (gap, i, j, key):
            b.assign(gap, useful)
            with b.until(gap.le_s(1)):
                b.assign(gap, (gap * 5 - 1).div_s(11) | gap.lt_s(4))
                b.assign(i, gap)
                with b.until(i.ge_s(useful)):
                    b.assign(key, self._key(i))
                    b.assign(j, i)
                    with b.until(j.lt_s(gap)) as out:
                        b.br_if(out, self._key(j - gap).le_s(key))
                        b.write(j << 3, self._key(j - gap), self.room.keys, "i64.store")
                        b.assign(j, j - gap)
                    b.write(j << 3, key, self.room.keys, "i64.store")
                    b.assign(i, i + 1)

    def _find_groups(self, useful: Variable) -> None:
        """Where each group starts, and what the best records of it and all later ones are worth together."""
        b, groups, room = self.b, self.groups, self.room
        with b.temporaries(I32, I32, I32, I32) as (i, group, before, at):
            b.assign(groups, 0)
            b.assign(before, -1)
            b.assign(i, 0)
            with b.until(i.ge_s(useful)):
                b.assign(group, (self._key(i) >> (NUMBER_BITS + WORTH_BITS)).wrapped())
                with b.if_(group.ne(before)):
                    b.write(groups << 2, i, room.starts)
                    b.assign(groups, groups + 1)
                    b.assign(before, group)
                b.assign(i, i + 1)
            b.write(groups << 2, useful, room.starts)
            b.write(groups << 2, 0, room.rest)
            b.assign(i, groups)
            with b.until(i.eqz()):
                b.assign(i, i - 1)
                self._record_at(at, self._number(i.entry_of(room.starts)))
                b.write(i << 2, (i + 1).entry_of(room.rest) + self._word(at, self.worth), room.rest)

    # ---- the search

    def _search(self) -> None:
        b, room = self.b, self.room
        end = b.block()
        with b.forever(), b.temporaries(I32) as (option,):
            self._arrive()
            with b.forever() as selected:
                self._next(option)
                b.br_if(selected, option.ge_s(-1))
                b.br_if(end, self.level.eqz())
                b.assign(self.level, self.level - 1)
                b.assign(option, self.level.entry_of(room.chosen))
                self._change(option, -1)
            b.write(self.level << 2, option, room.chosen)
            b.assign(self.level, self.level + 1)
            self._change(option, 1)
        b.end()

    def _arrive(self) -> None:
        """The end of a better selection is noted; in a group records are tried if there is hope."""
        b, room = self.b, self.room
        with b.if_(self.level.eq(self.groups)):
            b.assign(self.best, self.total)
            b.assign(self.many, self.level)
            b.copy(const(room.found), room.chosen, self.level << 2)
            b.otherwise()
            b.write(self.level << 2, self.level.entry_of(room.starts), room.tried)
            hopeful = b.block()
            self._look_for_hope(hopeful)
            b.write(self.level << 2, (self.level + 1).entry_of(room.starts) + 1, room.tried)
            b.end()

    def _look_for_hope(self, hopeful: Label) -> None:
        """Leads out of a block if this and later groups can make a better selection."""
        b, room = self.b, self.room
        with b.temporaries(I32, I32, I32, I32, I32) as (needed, group, i, end, at):
            b.assign(needed, self.best - self.total)
            with b.if_(self.level.entry_of(room.rest).gt_s(needed)):
                b.assign(group, self.level)
                with b.until(group.ge_s(self.groups)):
                    b.assign(i, group.entry_of(room.starts))
                    b.assign(group, group + 1)
                    b.assign(end, group.entry_of(room.starts))
                    with b.until(i.ge_s(end)) as found:
                        self._spend()
                        self._record_at(at, self._number(i))
                        b.assign(i, i + 1)
                        with b.if_(self._overlaps(at).eqz()):
                            b.assign(needed, needed - self._word(at, self.worth))
                            b.br(found)
                    b.br_if(hopeful, needed.lt_s(0))

    def _next(self, option: Variable) -> None:
        """The next record to select, -1 for none of a group, -2 if nothing better is left."""
        b, room = self.b, self.room
        b.assign(option, -2)
        done = b.block()
        b.br_if(done, self.level.eq(self.groups))
        with b.temporaries(I32, I32, I32, I32) as (needed, end, i, at):
            b.assign(needed, self.best - self.total - (self.level + 1).entry_of(room.rest))
            b.assign(end, (self.level + 1).entry_of(room.starts))
            b.assign(i, self.level.entry_of(room.tried))
            with b.until(i.ge_s(end)) as left:
                self._spend()
                self._record_at(at, self._number(i))
                b.assign(i, i + 1)
                with b.if_(self._word(at, self.worth).le_s(needed)):
                    b.assign(i, end + 1)
                    b.br(left)
                with b.if_(self._overlaps(at).eqz()):
                    b.write(self.level << 2, i, room.tried)
                    b.assign(option, self._number(i - 1))
                    b.br(done)
            b.write(self.level << 2, i + 1, room.tried)
            with b.if_(i.eq(end) & needed.lt_s(0)):
                b.assign(option, -1)
        b.end()

    def _change(self, option: Variable, sign: int) -> None:
        """A record joins the selection, or leaves it."""
        b = self.b
        with b.if_(option.ge_s(0)), b.temporaries(I32) as (at,):
            self._record_at(at, option)
            b.assign(self.total, self.total + self._word(at, self.worth) * sign)
            for i, word in enumerate(self.bits):
                b.write(const(self.room.used), self._used(i) ^ self._word(at, word), 4 * i)

    def _tell(self) -> None:
        """The numbers of the selected records, `many`, come behind that of all, the first one last."""
        b, room, base = self.b, self.room, 4 * self.history.base
        with b.temporaries(I32, I32, I32) as (i, number, many):
            b.assign(many, 0)
            b.assign(i, self.many)
            with b.until(i.eqz()):
                b.assign(i, i - 1)
                b.assign(number, i.entry_of(room.found))
                with b.if_(number.ge_s(0)):
                    b.write(b.state + (many << 2), number, base + 4)
                    b.assign(many, many + 1)
            b.assign(self.many, many)

    # ---- parts

    def _spend(self) -> None:
        """One record is looked at; without fuel the search ends."""
        b = self.b
        b.assign(self.fuel, self.fuel - 1)
        with b.if_(self.fuel.lt_s(0)):
            b.write(const(self.left), self.fuel)
            b.ret(0)

    def _key(self, i: Operand) -> Operand:
        return (i << 3).load64(self.room.keys)

    def _number(self, i: Operand) -> Operand:
        """The number of the record with a key."""
        return self._key(i).wrapped() & (1 << NUMBER_BITS) - 1

    def _record_at(self, at: Variable, number: Operand) -> None:
        self.b.assign(at, self.b.state + number * (4 * self.history.words))

    def _word(self, at: Operand, word: int) -> Operand:
        return at.load(4 * (self.history.first + word))

    def _used(self, i: int) -> Operand:
        return const(self.room.used).load(4 * i)

    def _overlaps(self, at: Operand) -> Operand:
        """Bits that a record has in common with the selection."""
        common = [self._word(at, word) & self._used(i) for i, word in enumerate(self.bits)]
        return reduce(lambda left, right: left | right, common)
