"""Chance inside the module: the streams' generator, keyed by a match's seed.

Philox is computed for four counters or four keys side by side: a vector holds one word of all four.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.chance import M0, M1, ROOT, W0, W1, name_words
from interpreter.wasm.abi import STREAM
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64, V128
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import Operand, Variable, const, vector_const, word_at
from interpreter.wasm.lower.stops import next_number, note_total

LANES = 4
"""Numbers that a vector holds."""
GROUPS = 2
"""Vectors whose rounds take turns: a round has to wait for the one before it."""
AHEAD = LANES * GROUPS
"""Playouts whose keys are computed side by side."""
_KEYS, _FIRST = 8 * AHEAD, 16 * AHEAD
"""Bytes for the keys of a name under all their seeds, and for the first blocks of its numbers."""


def write_chance(builder: ModuleBuilder) -> None:
    """Gives bodies to those functions that something has asked for."""
    for name, write in (("seed", _seed), ("draw", _draw), ("philox 16", _many)):
        if name in builder.functions:
            write(builder)


def write_lanes(builder: ModuleBuilder) -> int:
    """Chance for playouts whose seeds follow each other: where the keys of some at a time are kept."""
    at = builder.reserve((_KEYS + _FIRST) * (len(builder.machine.streams) + 1))
    _seed_lanes(builder, at)
    return at


def _seed_lanes(builder: ModuleBuilder, at: int) -> None:
    """seed lanes(low, high): keys and first blocks of all streams, and choosing generators, of some seeds."""
    b = builder.body("seed lanes", (I32, I32), ())
    low, high = b.arguments()
    seeds = [b.variables(V128, V128) for _ in range(GROUPS)]
    for i, (words, overflows) in enumerate(seeds):
        b.assign(words, low.splat() + vector_const(*range(LANES * i, LANES * (i + 1))))
        # a lane whose low word is below `low` has overflowed; there the comparison is -1
        b.assign(overflows, high.splat() - words.lt_u(low.splat()))
    counters = [b.variables(*(V128,) * 4) for _ in range(GROUPS)]
    for name in (*builder.machine.streams, "choices"):
        _keys_of(b, seeds, name_words(name), counters)
        _keep(b, [c[:2] for c in counters], at)
        if name != "choices":
            _first_blocks(b, counters)
            _keep(b, counters, at + _KEYS)
        at += _KEYS + _FIRST


def _keep(b: Body, groups: list[list[Variable]], at: int) -> None:
    """Writes words of all lanes: for each word the lanes side by side."""
    for i, words in enumerate(groups):
        for j, word in enumerate(words):
            b.write_vector(const(at + 4 * AHEAD * j + 16 * i), word)


def _keys_of(
    b: Body, seeds: list[list[Variable]], name: tuple[int, int], counters: list[list[Variable]]
) -> None:
    """The first two words of all counters become the keys of a name under seeds.

    Half of what the first round does with the seeds' words and the name's is known beforehand.
    """
    known = M1 * name[0]
    for (first, second), c in zip(seeds, counters, strict=True):
        b.assign(c[0], second ^ vector_const(known >> 32 ^ ROOT[0]))
        b.assign(c[1], vector_const(known))
        low, high = (first.product(half, vector_const(M0)) for half in ("low", "high"))
        b.assign(c[2], low.lanes(high, 1, 3, 5, 7) ^ vector_const(name[1] ^ ROOT[1]))
        b.assign(c[3], low.lanes(high, 0, 2, 4, 6))
    with b.temporaries(V128, V128) as keys:
        for key, root, weyl in zip(keys, ROOT, (W0, W1), strict=True):
            b.assign(key, vector_const(root + weyl))
        rounds(b, counters, [keys], first=1)


def _first_blocks(b: Body, counters: list[list[Variable]]) -> None:
    """The blocks of number 0 under keys, which are the first two words of the counters.

    The first round makes two zeros and the key of four zeros.
    """
    keys = [b.variables(V128, V128) for _ in counters]
    for c, k in zip(counters, keys, strict=True):
        b.assign(c[2], c[1])
        for word in (c[1], c[3]):
            b.assign(word, vector_const(0))
        for i, weyl in enumerate((W0, W1)):
            b.assign(k[i], c[2 * i] + vector_const(weyl))
    rounds(b, counters, keys, first=1)
    for k in keys:
        b.release(*k)


def take_lane(builder: ModuleBuilder, b: Body, at: int, s: Operand, number: Operand) -> None:
    """The state's streams get the keys and the first numbers of a lane; no group is at hand."""
    count, word = len(builder.machine.streams), 4 * AHEAD
    with b.temporaries(I32, I32) as (lane, to):
        b.assign(lane, number << 2)
        for stream in range(count):
            b.assign(to, s + STREAM * (stream - count))
            blocks = ((16 + 16 * j, _KEYS + word * j) for j in range(4))
            for offset, source in [(0, 0), (4, word), *blocks]:
                b.write(to, lane.load(at + source), offset)
            b.write(to, -1, 8)
            at += _KEYS + _FIRST
        b.assign(global_("rng"), _joined(lane.load(at), lane.load(at + word)))


def _joined(low: Operand, high: Operand) -> Operand:
    """Two words as one number of 64 bits."""
    return low.widened() | high.widened() << 32


def _many(builder: ModuleBuilder) -> None:
    """philox 16(record): the four blocks of a stream's group: word j of block l stands at 4 j + l."""
    b = builder.body("philox 16", (I32,), ())
    (record,) = b.arguments()
    c, k = b.variables(*(V128,) * 4), b.variables(V128, V128)
    b.assign(c[0], (record.load(8) << 2).splat() + vector_const(0, 1, 2, 3))
    for i in range(2):
        b.assign(k[i], record.load(4 * i).splat())
    rounds(b, [c], [k])
    for j in range(4):
        b.write_vector(record, c[j], 16 + 16 * j)


def rounds(b: Body, counters: list[list[Variable]], keys: list[list[Variable]], first: int = 0) -> None:
    """The ten rounds of Philox, from the one numbered `first` on, on four counters side by side.

    Each variable holds one word of all four. There may be several groups of four; if there are fewer groups
    of keys, the first one is that of all. Keys are those of the round to begin with, and change.
    """
    with b.temporaries(I32) as (left,):
        b.assign(left, 10 - first)
        with b.repeat_while(left.tee(left - 1)):
            for i, c in enumerate(counters):
                _round(b, c, keys[i % len(keys)])
            for k in keys:
                for word, weyl in zip(k, (W0, W1), strict=True):
                    b.assign(word, word + vector_const(weyl))


def _round(b: Body, c: list[Variable], keys: Sequence[Operand]) -> None:
    fresh: list[Variable] = []
    with b.temporaries(V128, V128) as (low, high):
        for source, factor, mixed, key in ((c[2], M1, c[1], keys[0]), (c[0], M0, c[3], keys[1])):
            for half, name in ((low, "low"), (high, "high")):
                b.assign(half, source.product(name, vector_const(factor)))
            upper, lower = b.variables(V128, V128)
            b.assign(upper, low.lanes(high, 1, 3, 5, 7) ^ (mixed ^ key))
            b.assign(lower, low.lanes(high, 0, 2, 4, 6))
            fresh += [upper, lower]
    for to, word in zip(c, fresh, strict=True):
        b.assign(to, word)
    b.release(*fresh)


def _draw(builder: ModuleBuilder) -> None:
    """draw(s, stream, total): a number below total; the stream's counter advances.

    repeat: product = next number * total, until its low word is not in the remainder that would favour some
    outcomes. The outcome is the high word.
    """
    b = builder.body("draw", (I32, I32, I32))
    s, stream, total = b.arguments()
    mc = builder.machine
    record, word, counter, low = b.variables(I32, I32, I32, I32)
    product = b.local(I64)
    b.assign(record, s - STREAM * len(mc.streams) + stream * STREAM)
    b.assign(counter, word.tee(s + (stream << 2)).load(4 * mc.stream_base))
    again = b.loop()
    group = counter >> 4
    with b.if_(group.ne(record.load(8))):
        b.write(record, group, 8)
        b.push(builder.call("philox 16", record, results=()))
    b.assign(product, next_number(record, counter) * total.widened())
    if builder.config.stops:
        note_total(b, record, counter, total)
    b.assign(counter, counter + 1)
    with b.if_(low.tee(product.wrapped()).lt_u(total)):
        b.br_if(again, low.lt_u((const(0) - total).rem_u(total)))
    b.end()
    b.write(word, counter, 4 * mc.stream_base)
    b.push((product >> 32).wrapped())


def _seed(builder: ModuleBuilder) -> None:
    """seed(s, low, high): the keys of all streams of a match, and the choosing generator, from a seed."""
    b = builder.body("seed", (I32, I32, I32), ())
    names = [*builder.machine.streams, "choices"]
    for first in range(0, len(names), LANES):
        _seed_four(builder, b, names, first)


def _seed_four(builder: ModuleBuilder, b: Body, names: list[str], first: int) -> None:
    """The keys of up to four streams, side by side."""
    s, low, high = b.arguments()
    words = [name_words(name) for name in names[first : first + LANES]]
    words += [(0, 0)] * (LANES - len(words))
    c, k = b.variables(*(V128,) * 4), b.variables(V128, V128)
    b.assign(c[0], low.splat())
    b.assign(c[1], high.splat())
    for i in range(2):
        b.assign(c[2 + i], vector_const(*(w[i] for w in words)))
        b.assign(k[i], vector_const(ROOT[i]))
    rounds(b, [c], [k])
    for i in range(2):
        b.write_vector(const(builder.spare), c[i], 16 * i)
    b.release(*c, *k)
    for lane, name in enumerate(names[first : first + LANES]):
        key = [word_at(builder.spare + 16 * i + 4 * lane) for i in range(2)]
        if name == "choices":
            b.assign(global_("rng"), _joined(*key))
            continue
        with b.temporaries(I32) as (to,):
            b.assign(to, s + STREAM * (first + lane - len(builder.machine.streams)))
            for i in range(2):
                b.write(to, key[i], 4 * i)
            b.write(to, -1, 8)
