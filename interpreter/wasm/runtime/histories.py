"""Histories: the present position packed into words, appended and compared.

The histories lie behind everything else in a state. A copy for a trial leaves them out: the word in front of
them is then the address of those of the real state. If a trial writes a history, it gets a copy of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.history_layout import hash_factors
from interpreter.wasm.emit.bit_boards import Board, board_of_words
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, V128
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import Operand, Variable, const, select, vector_const
from interpreter.wasm.lower.loops import sixteen
from interpreter.wasm.runtime.packing import write_selection

MOST_UNROLLED = 16
"""Vectors of a record that are hashed without a loop."""
LEAST_SIEVE, MOST_SIEVE = 256, 4096
"""Bytes of a sieve: a power of two, at least four for each record as long as that is not too many."""


def write_history(builder: ModuleBuilder, name: str) -> None:
    """The function of a history: `times N`, `sieve N`, `record N`, `erase N` or `packing N WORTH BITS`."""
    what, number = name.split()[:2]
    write = {"times": _times, "sieve": _sieve, "record": _record, "erase": _erase, "packing": _select}
    write[what](builder, name, int(number))


def _times(builder: ModuleBuilder, name: str, number: int) -> None:
    """times(s, sieved, values...): how many records are equal to the present position.

    If it is `sieved`, a position whose hash no record has falls through at once. Otherwise sixteen hashes are
    compared at a time, and only records with the same hash word by word.
    """
    mc = builder.machine
    history = mc.histories[number]
    b = builder.body(name, (I32,) * (2 + history.values))
    sieved, *values = b.arguments()[1:]
    present = builder.reserve(_room(history))
    at, held, total = b.variables(I32, I32, I32)
    first, bits, hash_ = b.variables(I32, I32, I32)
    (wanted,) = b.variables(V128)
    _write_present(builder, b, history, const(present), values)
    _hash(builder, b, history, present, hash_)
    with b.if_(sieved):
        b.ret_if(0, (hash_ & _sieve_size(history) - 1).load8(_sieve_at(builder, number)).eqz())
    _find_history(b, builder, history, at)
    b.assign(held, at.load())
    b.assign(total, 0)
    b.assign(wanted, hash_.splat())
    b.assign(first, 0)
    with b.until(first.ge_s(held)):
        b.assign(bits, sixteen(at + (first << 2), 4, 16, "eq", wanted))
        with b.until(bits.eqz()), b.temporaries(I32) as (index,):
            b.assign(index, first + bits.ctz())
            b.assign(bits, bits & (bits - 1))
            with b.if_(index.lt_s(held)):
                record = at + index * (4 * history.words)
                b.assign(index, record + 4 * (history.first - history.base))
                _count_if_equal(b, index, present, history.words, total)
        b.assign(first, first + 16)
    b.push(total)


def _find_history(b: Body, builder: ModuleBuilder, history: ir.HistoryLayout, at: Variable) -> None:
    """`at` becomes the address of a history, which in a trial may be that of the real state."""
    records = builder.machine.records
    b.assign(at, b.state.load(4 * records))
    b.assign(at, select(at, b.state + 4 * records, at) + 4 * (history.base - records))


def _count_if_equal(b: Body, record: Variable, present: int, words: int, total: Variable) -> None:
    """Adds 1 if a record is the present one."""
    differs = b.block()
    with b.temporaries(I32) as (place,):
        b.assign(place, 0)
        with b.until(place.ge_u(4 * words)):
            b.br_if(differs, (record + place).load().ne(place.load(present)))
            b.assign(place, place + 4)
    b.assign(total, total + 1)
    b.end()


def _sieve(builder: ModuleBuilder, name: str, number: int) -> None:
    """sieve(s): notes the hashes of all records, for `times` in the trials to come.

    A Bloom filter with one function (Bloom, "Space/time trade-offs in hash coding with allowable errors",
    Communications of the ACM 13, 1970), a byte for each place.
    """
    history = builder.machine.histories[number]
    b = builder.body(name, (I32,), ())
    at, end = b.variables(I32, I32)
    size, sieve = _sieve_size(history), _sieve_at(builder, number)
    b.fill(const(sieve), 0, size)
    _find_history(b, builder, history, at)
    b.assign(end, at + (at.load() << 2))
    with b.until(at.ge_u(end)):
        b.assign(at, at + 4)
        b.write(at.load() & size - 1, 1, sieve, "i32.store8")


def _sieve_size(history: ir.HistoryLayout) -> int:
    return max(LEAST_SIEVE, min(MOST_SIEVE, 1 << (4 * history.most - 1).bit_length()))


def _sieve_at(builder: ModuleBuilder, number: int) -> int:
    """The address of the sieve of a history."""
    if number not in builder.sieves:
        builder.sieves[number] = builder.reserve(_sieve_size(builder.machine.histories[number]))
    return builder.sieves[number]


def _room(history: ir.HistoryLayout) -> int:
    """Bytes for a record, in whole vectors: what is behind it stays 0."""
    return (4 * history.words + 15) // 16 * 16


def _hash(builder: ModuleBuilder, b: Body, history: ir.HistoryLayout, record: int, found: Variable) -> None:
    """`found` becomes the hash of the record at a known address (`ir.record_hash`)."""
    size = _room(history)
    factors = builder.vectors(hash_factors(size // 4))
    with b.temporaries(V128, V128, V128, I32) as (sum_, words, factor, place):
        b.assign(sum_, vector_const(0))

        def four(offset: Operand, more: int) -> None:
            b.assign(words, offset.load_vector(record + more))
            b.assign(factor, offset.load_vector(factors + more))
            b.assign(sum_, sum_ ^ words.product("low", factor) ^ words.product("high", factor))

        b.assign(place, 0)
        if size <= 16 * MOST_UNROLLED:
            for more in range(0, size, 16):
                four(const(0), more)
        else:
            with b.repeat_while(place.lt_u(size)):
                four(place, 0)
                b.assign(place, place + 16)
        b.assign(sum_, sum_ ^ sum_.lanes(sum_, 2, 3, 0, 1))
        b.assign(found, (sum_ ^ sum_.lanes(sum_, 1, 0, 3, 2)).first_lane())


def _own(builder: ModuleBuilder, b: Body) -> None:
    """The histories of a state in a trial become its own, so that they can be written."""
    mc = builder.machine
    first = 4 * mc.records
    link = b.state.load(first)
    with b.if_(link):
        b.copy(b.state + (first + 4), link + 4, 4 * (mc.size - mc.records - 1))
        b.write(b.state, 0, first)


def _record(builder: ModuleBuilder, name: str, number: int) -> None:
    """record(s, values...): the present position is appended; whether the history is full."""
    history = builder.machine.histories[number]
    b = builder.body(name, (I32,) * (1 + history.values))
    present = builder.reserve(_room(history))
    held, hash_ = b.variables(I32, I32)
    _own(builder, b)
    b.assign(held, b.state.load(4 * history.base))
    b.ret_if(1, held.ge_s(history.most))
    _write_present(builder, b, history, const(present), b.arguments()[1:])
    _hash(builder, b, history, present, hash_)
    b.copy(held * (4 * history.words) + b.state + 4 * history.first, const(present), 4 * history.words)
    b.write(b.state + (held << 2), hash_, 4 * history.base + 4)
    b.write(b.state, held + 1, 4 * history.base)
    b.push(0)


def _erase(builder: ModuleBuilder, name: str, number: int) -> None:
    """erase(s): a history becomes empty."""
    history = builder.machine.histories[number]
    b = builder.body(name, (I32,), ())
    held = b.local()
    _find_history(b, builder, history, held)
    b.assign(held, held.load())
    with b.if_(held.eqz()):
        b.ret()
    _own(builder, b)
    b.fill(b.state + 4 * history.base, 0, (held << 2) + 4)
    b.fill(b.state + 4 * history.first, 0, held * (4 * history.words))


def _select(builder: ModuleBuilder, name: str, number: int) -> None:
    """packing(s, fuel): the best records are found."""
    b = builder.body(name, (I32, I32))
    _own(builder, b)
    write_selection(builder, b, name)


# ---- packing


def _write_present(
    builder: ModuleBuilder, b: Body, history: ir.HistoryLayout, to: Operand, values: Sequence[Operand]
) -> None:
    """Writes the record of the present position, whose last words are `values`."""
    offset = 0
    for run in history.runs:
        board = board_of_words(builder.boards, run.address, run.count)
        if run.sets and board is not None:
            _copy_sets(b, run, board, to, offset)
        else:
            _write_run(b, run, to, offset)
        offset += 4 * run.words
    for value in values:
        b.write(to, value, offset)
        offset += 4


def _write_run(b: Body, run: ir.Run, to: Operand, offset: int) -> None:
    """Writes the words of a run: sets, or as many of its numbers in each as have room."""
    if run.sets:
        _write_sets(b, run, to, offset)
        return
    per = run.per_word
    whole, rest = divmod(run.count, per)
    if whole > 2:
        with b.temporaries(I32, I32) as (source, target):
            b.assign(source, b.state + 4 * run.address)
            b.assign(target, to)
            with b.repeat_while(source.lt_u(b.state + 4 * (run.address + whole * per))):
                b.write(target, _packed(b, run, source, 0, per), offset)
                b.assign(target, target + 4)
                b.assign(source, source + 4 * per)
    else:
        for i in range(whole):
            first = 4 * (run.address + i * per)
            b.write(to, _packed(b, run, b.state, first, per), offset + 4 * i)
    if rest:
        first = 4 * (run.address + whole * per)
        b.write(to, _packed(b, run, b.state, first, rest), offset + 4 * whole)


def _copy_sets(b: Body, run: ir.Run, board: Board, to: Operand, offset: int) -> None:
    """Writes the sets of a bit board, which are those of its words."""
    first = board.first + (run.address - board.words.base) // board.size * board.row_bytes
    words = (run.count + 31) // 32
    for value in run.sets:
        source = first + board.index(value) * 8 * board.wide
        fours = words // 4 * 4
        for i in range(0, fours, 4):
            b.write_vector(to, b.state.load_vector(source + 4 * i), offset + 4 * i)
        for i in range(fours, words):
            b.write(to, b.state.load(source + 4 * i), offset + 4 * i)
        offset += 4 * words


def _write_sets(b: Body, run: ir.Run, to: Operand, offset: int) -> None:
    """Writes for each value which words have it, sixteen at a time."""
    with b.temporaries(V128) as (wanted,):
        for value in run.sets:
            b.assign(wanted, vector_const(value))
            for first in range(0, run.count, 32):
                found = [
                    sixteen(b.state, 4 * (run.address + at), min(16, run.count - at), "eq", wanted)
                    for at in range(first, min(first + 32, run.count), 16)
                ]
                word = found[0] if len(found) == 1 else found[0] | found[1] << 16
                b.write(to, word, offset)
                offset += 4


def _packed(b: Body, run: ir.Run, source: Operand, offset: int, count: int) -> Operand:
    """So many numbers behind an address in one word."""
    with b.temporaries(I32) as (value,):
        parts = [_shortened(run, source.load(offset + 4 * i), value) << i * run.bits for i in range(count)]
    return reduce(lambda left, right: left | right, parts)


def _shortened(run: ir.Run, number: Operand, value: Variable) -> Operand:
    """A number in a few bits."""
    distance = (value.tee(number) if run.optional else number) - run.lo
    return select(1 << run.digits, distance, value.eq(NONE)) if run.optional else distance
