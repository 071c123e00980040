"""The module's generators give the published numbers, and those of the reference executor."""

from __future__ import annotations

from array import array
from functools import cache

import pytest
from hypothesis import given, settings, strategies as st

from interpreter.chance import Choosing, below, philox, stream_key
from interpreter.wasm.abi import STREAM
from interpreter.wasm.build_config import FAST
from interpreter.wasm.emit.encoding import I32, V128
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.runtime.chance import rounds, write_chance
from tests.games import seated

# Known-answer vectors of Philox 4x32-10, from the distribution of the paper's library Random123.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
# The first numbers of PCG32 with initial state 42 and sequence 54, from the demo of its distribution.
PCG32 = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
STATE = 1 << 17


def signed(word: int) -> int:
    return word - (1 << 32) if word >= 1 << 31 else word


def write_rounds(builder: ModuleBuilder) -> None:
    """(to, c0, c1, c2, c3, k0, k1): the rounds on one counter, which stands in all four lanes."""
    b = builder.body("philox", (I32,) * 7, (), export=True)
    to, *numbers = b.arguments()
    words = b.variables(*(V128,) * 6)
    for word, number in zip(words, numbers, strict=True):
        b.assign(word, number.splat())
    rounds(b, [words[:4]], [words[4:]])
    for i, word in enumerate(words[:4]):
        b.write_vector(to, word, 16 * i)


class Generators:
    """Only the chance of a module, its functions exported."""

    def __init__(self, name: str, seats: int) -> None:
        self.machine = seated((name, seats, ()))[1]
        builder = ModuleBuilder(self.machine, FAST)
        builder.spare = builder.reserve(256)
        self.to = builder.reserve(64)
        builder.function("draw", (I32, I32, I32))
        builder.function("seed", (I32, I32, I32), ())
        write_chance(builder)
        write_rounds(builder)
        builder.exports += ["draw", "seed"]
        builder.end = 2 * STATE
        self.instance = Instance(compile_module(builder.encoded([])))
        self.call = self.instance.functions

    def philox(self, counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
        self.call["philox"](self.to, *(signed(x) for x in (*counter, *key)))
        return tuple(array("I", self.instance.read(self.to, 16)))[::4]

    def seed(self, seed: int) -> None:
        self.call["seed"](STATE, signed(seed & 0xFFFFFFFF), signed(seed >> 32))

    def keys(self) -> list[tuple[int, int]]:
        count = len(self.machine.streams)
        found = []
        for i in range(count):
            low, high = array("I", self.instance.read(STATE - STREAM * (count - i), 2))
            found.append((low, high))
        return found

    def counter(self, stream: int) -> int:
        return array("i", self.instance.read(STATE + 4 * (self.machine.stream_base + stream), 1))[0]

    def set_counter(self, stream: int, counter: int) -> None:
        at = STATE + 4 * (self.machine.stream_base + stream)
        self.instance.write(at, counter.to_bytes(4, "little"))

    def draw(self, stream: int, total: int) -> int:
        return self.call["draw"](STATE, stream, total)


@cache
def generators(name: str = "roll_through_the_ages", seats: int = 2) -> Generators:
    return Generators(name, seats)


@pytest.mark.parametrize(("counter", "key", "wanted"), KNOWN)
def test_known_answers(counter: tuple, key: tuple, wanted: tuple) -> None:
    assert generators().philox(counter, key) == wanted


WORD = st.integers(0, 0xFFFFFFFF)


@given(counter=st.tuples(WORD, WORD, WORD, WORD), key=st.tuples(WORD, WORD))
def test_philox_of_both(counter: tuple, key: tuple) -> None:
    assert generators().philox(counter, key) == philox(counter, key)


SEEDS = [0, 1, 7, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 0x0123456789ABCDEF]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", [("roma", 2), ("backgammon", 2), ("roll_through_the_ages", 4)], ids=str)
def test_keys_of_streams(table: tuple[str, int], seed: int) -> None:
    found = generators(*table)
    found.seed(seed)
    assert found.keys() == [stream_key(seed, name) for name in found.machine.streams]
    low, high = stream_key(seed, "choices")
    assert found.instance.global_value("rng") % 2**64 == high << 32 | low


TOTALS = [1, 2, 3, 5, 6, 7, 36, 52, 1000, 2**16, 2**16 + 1, 2**30, 2**30 + 1, 2**31 - 2, 2**31 - 1]


@pytest.mark.parametrize("total", TOTALS)
def test_draws_one_after_the_other(total: int) -> None:
    """With totals near 2^31 about every second number is rejected, and the counter says so."""
    found, seed = generators(), 99 + total
    found.seed(seed)
    for stream, name in enumerate(found.machine.streams):
        key, counter = stream_key(seed, name), 0
        found.set_counter(stream, 0)
        for _ in range(70):
            wanted, counter = below(total, counter, key)
            assert found.draw(stream, total) == wanted
            assert found.counter(stream) == counter
        if total == 2**30 + 1:
            assert counter > 75


@given(
    seed=st.integers(0, 2**64 - 1),
    steps=st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 2**31 - 64), st.integers(1, 2**31 - 1)), max_size=12
    ),
)
@settings(max_examples=60, deadline=None)
def test_draws_at_any_counter(seed: int, steps: list[tuple[int, int, int]]) -> None:
    """The counter is the whole state of a stream: it may be set to any place, forwards and backwards."""
    found = generators("roma")
    found.seed(seed)
    for stream, counter, total in steps:
        found.set_counter(stream, counter)
        for _ in range(3):
            key = stream_key(seed, found.machine.streams[stream])
            wanted, counter = below(total, counter, key)
            assert (found.draw(stream, total), found.counter(stream)) == (wanted, counter)


def test_choosing_is_pcg32() -> None:
    """Its published numbers, under the increment of the publication's demo."""

    class Demo(Choosing):
        INCREMENT = 54 << 1 | 1

    chooser = Demo(0)
    chooser.state = 0
    chooser.below(2)
    chooser.state = (chooser.state + 42) % 2**64
    chooser.below(2)
    assert [chooser.below(2**32) for _ in PCG32] == PCG32
