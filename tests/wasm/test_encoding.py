"""Modules are encoded as the specification says, and what is broken is refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st

from dsl.diagnostics import InternalError
from interpreter.reference.executor import ReferenceExecutor as Reference
from interpreter.wasm import build_config
from interpreter.wasm.emit import encoding as w
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.module import module
from tests.games import Table, named, sample, seated, tables

CONFIGS = [build_config.REFEREE, build_config.STANDALONE, build_config.STEPPER, build_config.FLAT]
"""The others are validated where they play, in `test_playouts.py`."""
SEATED = list({table[0]: table for table in tables()}.values())

# From the text of the specification and of DWARF, where LEB128 comes from.
UNSIGNED = [
    (0, "00"),
    (1, "01"),
    (127, "7f"),
    (128, "8001"),
    (129, "8101"),
    (624485, "e58e26"),
    (2**31 - 1, "ffffffff07"),
    (2**32 - 1, "ffffffff0f"),
]
SIGNED = [
    (0, "00"),
    (2, "02"),
    (-1, "7f"),
    (-2, "7e"),
    (63, "3f"),
    (64, "c000"),
    (-64, "40"),
    (-65, "bf7f"),
    (127, "ff00"),
    (-127, "817f"),
    (128, "8001"),
    (-128, "807f"),
    (-123456, "c0bb78"),
    (2**31 - 1, "ffffffff07"),
    (-(2**31), "8080808078"),
    (2**63 - 1, "ffffffffffffffffff00"),
    (-(2**63), "8080808080808080807f"),
]


@pytest.mark.parametrize(("value", "wanted"), UNSIGNED)
def test_unsigned(value: int, wanted: str) -> None:
    assert w.unsigned(value).hex() == wanted


@pytest.mark.parametrize(("value", "wanted"), SIGNED)
def test_signed(value: int, wanted: str) -> None:
    assert w.signed(value).hex() == wanted


def read(data: bytes, signed: bool) -> int:
    value = 0
    for i, byte in enumerate(data):
        value |= (byte & 0x7F) << 7 * i
        assert bool(byte & 0x80) == (i < len(data) - 1)
    return value - (1 << 7 * len(data)) if signed and data[-1] & 0x40 else value


@given(st.integers(0, 2**64 - 1))
def test_unsigned_is_read_back(value: int) -> None:
    assert read(w.unsigned(value), False) == value


@given(st.integers(-(2**63), 2**63 - 1))
def test_signed_is_read_back(value: int) -> None:
    assert read(w.signed(value), True) == value


def test_shortest() -> None:
    """No number takes more bytes than it needs."""
    for bits in range(1, 64):
        assert len(w.unsigned((1 << bits) - 1)) == (bits + 6) // 7
        assert len(w.signed((1 << bits) - 1)) == len(w.signed(-(1 << bits))) == (bits + 7) // 7


def test_sections_and_vectors() -> None:
    assert w.vector([]) == b"\x00"
    assert w.vector([b"a", b"bc"]) == b"\x02abc"
    assert w.text("né") == b"\x03n\xc3\xa9"
    assert w.section(7, b"x" * 200) == b"\x07\xc8\x01" + b"x" * 200


def written(table: Table, config: build_config.BuildConfig) -> bytes:
    machine = seated(table)[1]
    return module(machine, config, Reference(machine).initial_state())[0]


def sections(data: bytes) -> list[tuple[int, int, int]]:
    """The sections of a module: number, where the content begins, where it ends."""
    found, at = [], 8
    while at < len(data):
        number, at, size, shift = data[at], at + 1, 0, 0
        while True:
            byte = data[at]
            size |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if not byte & 0x80:
                break
        found.append((number, at, at + size))
        at += size
    assert at == len(data)
    return found


EVERY = [(table, config) for table in SEATED for config in CONFIGS]
IN_TURN = [(table, CONFIGS[i % len(CONFIGS)]) for i, table in enumerate(SEATED)]
"""Each game in one configuration, the next in another."""


@pytest.mark.parametrize("one", sample(EVERY, IN_TURN), ids=lambda one: f"{named(one[0])} {one[1].name}")
def test_every_module_is_valid(one: tuple[Table, build_config.BuildConfig]) -> None:
    data = written(*one)
    assert data.startswith(b"\x00asm\x01\x00\x00\x00")
    numbers = [n for n, _, _ in sections(data)]
    assert numbers == sorted(set(numbers))
    Instance(compile_module(data))


def test_a_cut_module_is_refused() -> None:
    """But for those cut between two sections, which may be modules too."""
    data = written(("pig", 2, ()), build_config.REFEREE)
    ends = {8, *(end for _, _, end in sections(data))}
    for size in random.Random(1).sample(range(len(data)), 150):
        if size not in ends:
            with pytest.raises(InternalError):
                compile_module(data[:size])


def test_a_cut_function_is_refused() -> None:
    """Without its last section of code, functions have no bodies."""
    data = written(("pig", 2, ()), build_config.REFEREE)
    start = next(first for n, first, _ in sections(data) if n == 10)
    with pytest.raises(InternalError):
        compile_module(data[: start - 3])


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_module_is_refused_or_whole(seed: int) -> None:
    """Any byte of code may be another: validation refuses it, or it is a module; nothing else happens."""
    data = written(("connect_four", 2, ()), build_config.FAST)
    first, end = next((first, end) for n, first, end in sections(data) if n == 10)
    chance = random.Random(seed)
    refused = 0
    for _ in range(60):
        changed = bytearray(data)
        changed[chance.randrange(first, end)] ^= 1 + chance.randrange(255)
        try:
            compile_module(bytes(changed))
        except InternalError:
            refused += 1
    assert refused > 15


@pytest.mark.parametrize("code", ["00", "0b", "6a", "2000", "20ff01", "41", "1a", "0c05", "10ff01"])
def test_a_body_of_other_types_is_refused(code: str) -> None:
    """The end of the first function's body, overwritten."""
    data = bytearray(written(("pig", 2, ()), build_config.REFEREE))
    first = next(first for n, first, _ in sections(bytes(data)) if n == 10)
    bad = bytes.fromhex(code)
    body = first + 8
    data[body : body + len(bad)] = bad
    data[body + len(bad) : body + 12] = b"\x6a" * (12 - len(bad))
    with pytest.raises(InternalError):
        compile_module(bytes(data))
