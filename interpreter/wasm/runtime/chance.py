"""Chance inside the module: the streams' generator, keyed by a match's seed."""

from __future__ import annotations

from interpreter.chance import M0, M1, ROOT, W0, W1, name_words
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32, I64, V128
from interpreter.wasm.emit.module_builder import GLOBAL, ModuleBuilder
from interpreter.wasm.emit.streams import STREAM, next_number

LANES = 4
"""Playouts whose keys are made side by side."""
_KEYS, _FIRST = 32, 64
"""Bytes for the keys of a name under four seeds, and for the first block of its numbers."""


def write_chance(builder: ModuleBuilder) -> None:
    """Gives bodies to those functions that something has asked for."""
    for name, write in (("seed", _seed), ("draw", _draw), ("philox 16", _many)):
        if name in builder.functions:
            write(builder)


def write_lanes(builder: ModuleBuilder) -> None:
    """Chance for playouts whose seeds follow each other: four at a time, whose keys are made side by side."""
    at = builder.reserve((_KEYS + _FIRST) * (len(builder.machine.streams) + 1))
    _seed_lanes(builder, at)
    _take_lane(builder, at)


def _seed_lanes(builder: ModuleBuilder, at: int) -> None:
    """(low, high): the keys and first blocks of all streams, and the choosing generators, from a seed on."""
    b = builder.body("seed lanes", (I32, I32), ())
    seeds = [b.local(V128) for _ in range(2)]
    c = [b.local(V128) for _ in range(4)]
    k = [b.local(V128) for _ in range(2)]
    b.get(0)
    b.op("i32x4.splat")
    b.vconst(*range(LANES))
    b.op("i32x4.add")
    b.set(seeds[0])
    b.get(1)
    b.op("i32x4.splat")
    b.get(seeds[0])
    b.get(0)
    b.op("i32x4.splat", "i32x4.lt_u", "i32x4.sub")
    b.set(seeds[1])
    for name in (*builder.machine.streams, "choices"):
        for i, word in enumerate(name_words(name)):
            b.get(seeds[i])
            b.set(c[i])
            b.vconst(*(word,) * LANES)
            b.set(c[2 + i])
            b.vconst(*(ROOT[i],) * LANES)
            b.set(k[i])
        rounds(b, c, k)
        for i in range(2):
            b.i32(at + 16 * i)
            b.get(c[i])
            b.vstore(0)
        if name != "choices":
            _first_blocks(b, c, k, at + _KEYS)
        at += _KEYS + _FIRST


def _first_blocks(b: Body, c: list[int], k: list[int], at: int) -> None:
    """The blocks of number 0 under four keys, side by side."""
    for i in range(2):
        b.get(c[i])
        b.set(k[i])
    for local in c:
        b.vconst(0, 0, 0, 0)
        b.set(local)
    rounds(b, c, k)
    for j, local in enumerate(c):
        b.i32(at + 16 * j)
        b.get(local)
        b.vstore(0)


def _take_lane(builder: ModuleBuilder, at: int) -> None:
    """(s, lane): the state's streams get the keys and the first numbers of a lane; no group is at hand."""
    b = builder.body("take lane", (I32, I32), ())
    count = len(builder.machine.streams)
    with b.borrowed(I32, I32) as (lane, to):
        b.get(1)
        b.i32(2)
        b.op("i32.shl")
        b.set(lane)
        for stream in range(count):
            b.get(0)
            b.i32(STREAM * (stream - count))
            b.op("i32.add")
            b.set(to)
            for offset, source in [(0, 0), (4, 16), *((16 + 16 * j, _KEYS + 16 * j) for j in range(4))]:
                b.get(to)
                b.get(lane)
                b.mem("i32.load", at + source)
                b.store(offset)
            b.get(to)
            b.i32(-1)
            b.store(8)
            at += _KEYS + _FIRST
        for i in range(2):
            b.get(lane)
            b.mem("i32.load", at + 16 * i)
            b.op("i64.extend_i32_u")
        b.i64(32)
        b.op("i64.shl", "i64.or")
        b.gset(GLOBAL["rng"])


def _many(builder: ModuleBuilder) -> None:
    """(record): the four blocks of a stream's group, side by side: word j of block l stands at 4 j + l."""
    b = builder.body("philox 16", (I32,), ())
    c = [b.local(V128) for _ in range(4)]
    k = [b.local(V128) for _ in range(2)]
    b.get(0)
    b.load(8)
    b.i32(2)
    b.op("i32.shl")
    b.op("i32x4.splat")
    b.vconst(0, 1, 2, 3)
    b.op("i32x4.add")
    b.set(c[0])
    for i in range(2):
        b.get(0)
        b.load(4 * i)
        b.op("i32x4.splat")
        b.set(k[i])
    rounds(b, c, k)
    for j in range(4):
        b.get(0)
        b.get(c[j])
        b.vstore(16 + 16 * j)


def rounds(b: Body, c: list[int], k: list[int]) -> None:
    """Ten rounds of Philox on four counters side by side: each local holds one word of all four."""
    low, high = b.local(V128), b.local(V128)
    for number in range(10):
        fresh = []
        for source, factor, mixed, key in ((c[2], M1, c[1], k[0]), (c[0], M0, c[3], k[1])):
            for local, name in ((low, "i64x2.extmul_low_i32x4_u"), (high, "i64x2.extmul_high_i32x4_u")):
                b.get(source)
                b.vconst(factor, factor, factor, factor)
                b.op(name)
                b.set(local)
            upper, lower = b.local(V128), b.local(V128)
            b.get(low)
            b.get(high)
            b.vpick(1, 3, 5, 7)
            b.get(mixed)
            b.get(key)
            b.op("v128.xor", "v128.xor")
            b.set(upper)
            b.get(low)
            b.get(high)
            b.vpick(0, 2, 4, 6)
            b.set(lower)
            fresh += [upper, lower]
        for to, local in zip(c, fresh, strict=True):
            b.get(local)
            b.set(to)
        b.release(*fresh)
        if number < 9:
            for key, weyl in zip(k, (W0, W1), strict=True):
                b.get(key)
                b.vconst(weyl, weyl, weyl, weyl)
                b.op("i32x4.add")
                b.set(key)
    b.release(low, high)


def _draw(builder: ModuleBuilder) -> None:
    """(s, stream, total): a number below total; the stream's counter goes on."""
    b = builder.body("draw", (I32, I32, I32))
    mc = builder.machine
    record, word, counter, low = (b.local() for _ in range(4))
    product = b.local(I64)
    b.get(0)
    b.i32(STREAM * len(mc.streams))
    b.op("i32.sub")
    b.get(1)
    b.i32(STREAM)
    b.op("i32.mul", "i32.add")
    b.set(record)
    b.get(0)
    b.get(1)
    b.i32(2)
    b.op("i32.shl", "i32.add")
    b.tee(word)
    b.load(4 * mc.stream_base)
    b.set(counter)
    again = b.loop()
    b.get(counter)
    b.i32(4)
    b.op("i32.shr_u")
    b.get(record)
    b.load(8)
    b.op("i32.ne")
    b.when()
    b.get(record)
    b.get(counter)
    b.i32(4)
    b.op("i32.shr_u")
    b.store(8)
    b.get(record)
    b.call(builder.function("philox 16", (I32,), ()))
    b.end()
    next_number(b, record, counter)
    b.get(2)
    b.op("i64.extend_i32_u", "i64.mul")
    b.set(product)
    b.bump(counter, 1)
    _again_if_rejected(b, product, low, again)
    b.end()
    b.get(word)
    b.get(counter)
    b.store(4 * mc.stream_base)
    b.get(product)
    b.i64(32)
    b.op("i64.shr_u", "i32.wrap_i64")


def _again_if_rejected(b: Body, product: int, low: int, again: Label) -> None:
    """A number below the total is drawn again, so that all are equally likely."""
    b.get(product)
    b.op("i32.wrap_i64")
    b.tee(low)
    b.get(2)
    b.op("i32.lt_u")
    b.when()
    b.get(low)
    b.i32(0)
    b.get(2)
    b.op("i32.sub")
    b.get(2)
    b.op("i32.rem_u", "i32.lt_u")
    b.br_if(again)
    b.end()


def _seed(builder: ModuleBuilder) -> None:
    """(s, low, high): the keys of all streams of a match, and the choosing generator, from a seed."""
    b = builder.body("seed", (I32, I32, I32), ())
    names = [*builder.machine.streams, "choices"]
    for first in range(0, len(names), 4):
        _seed_four(builder, b, names, first)


def _seed_four(builder: ModuleBuilder, b: Body, names: list[str], first: int) -> None:
    """The keys of up to four streams, side by side."""
    words = [name_words(name) for name in names[first : first + 4]]
    words += [(0, 0)] * (4 - len(words))
    c = [b.local(V128) for _ in range(4)]
    k = [b.local(V128) for _ in range(2)]
    for i, local in enumerate((1, 2)):
        b.get(local)
        b.op("i32x4.splat")
        b.set(c[i])
    for i in range(2):
        b.vconst(*(w[i] for w in words))
        b.set(c[2 + i])
        b.vconst(*(ROOT[i],) * 4)
        b.set(k[i])
    rounds(b, c, k)
    for i in range(2):
        b.i32(builder.spare)
        b.get(c[i])
        b.vstore(16 * i)
    b.release(*c, *k)
    for lane, name in enumerate(names[first : first + 4]):
        if name == "choices":
            b.i32(0)
            b.mem("i32.load", builder.spare + 4 * lane)
            b.op("i64.extend_i32_u")
            b.i32(0)
            b.mem("i32.load", builder.spare + 16 + 4 * lane)
            b.op("i64.extend_i32_u")
            b.i64(32)
            b.op("i64.shl", "i64.or")
            b.gset(GLOBAL["rng"])
            continue
        record = STREAM * (first + lane - len(builder.machine.streams))
        to = b.local()
        b.get(0)
        b.i32(record)
        b.op("i32.add")
        b.set(to)
        for i in range(2):
            b.get(to)
            b.i32(0)
            b.mem("i32.load", builder.spare + 16 * i + 4 * lane)
            b.store(4 * i)
        b.get(to)
        b.i32(-1)
        b.store(8)
        b.release(to)
