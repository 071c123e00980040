"""Instructions of a function read back: where each begins and ends, and what it costs.

Source: WebAssembly Core Specification 2.0, chapter 5 (binary format).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

BLOCK, LOOP, IF, ELSE, END = 0x02, 0x03, 0x04, 0x05, 0x0B
BR, BR_IF, BR_TABLE, RETURN = 0x0C, 0x0D, 0x0E, 0x0F
CALL, CALL_INDIRECT = 0x10, 0x11
UNREACHABLE = 0x00
I32_CONST, I64_CONST, F64_CONST = 0x41, 0x42, 0x44
BULK, VECTOR, ATOMIC = 0xFC, 0xFD, 0xFE
COPY, FILL = 10, 11
ATOMIC_ACCESSES = range(0x10, 0x4F)
"""Atomic loads, stores and changes of a word."""
LOADS_AND_STORES = range(0x28, 0x3F)
VARIABLES = range(0x20, 0x25)
ENDS_BLOCK: Final = frozenset({LOOP, IF, ELSE, END, BR, BR_IF, BR_TABLE, RETURN, UNREACHABLE})
"""After these the next instruction may be executed another number of times."""
FREE: Final = frozenset(
    {BLOCK, LOOP, ELSE, END, I32_CONST, I64_CONST, F64_CONST, 0x1A, 0x20, 0x21, 0x22, UNREACHABLE}
)
"""What a compiler makes no operation of: structure, constants, reading and writing locals."""
DIVISIONS: Final = frozenset({0x6D, 0x6E, 0x6F, 0x70, 0x7F, 0x80, 0x81, 0x82})
DIVISION_COST, CALL_COST, BULK_COST = 10, 4, 8
"""What these count beside an operation, which counts 1."""
BULK_BYTES = 16
"""So many bytes of a copy count as much as an operation."""


class Instruction(NamedTuple):
    """An instruction: `operand` is its number, where it has one: a constant, a function, a bulk operation."""

    start: int
    end: int
    code: int
    operand: int


def instructions(code: bytes | bytearray) -> Iterator[Instruction]:
    """The instructions of a function in order."""
    at = 0
    while at < len(code):
        end, operand = _behind(code, at)
        yield Instruction(at, end, code[at], operand)
        at = end


def _behind(code: bytes | bytearray, at: int) -> tuple[int, int]:
    """Where an instruction ends, and its operand."""
    byte = code[at]
    if byte in (BLOCK, LOOP, IF):
        return at + 2, 0
    if byte in LOADS_AND_STORES:
        return _unsigned(code, _unsigned(code, at + 1)[0])[0], 0
    if byte in (BR, BR_IF, CALL) or byte in VARIABLES:
        return _unsigned(code, at + 1)
    if byte in (I32_CONST, I64_CONST):
        return _signed(code, at + 1)
    if byte == CALL_INDIRECT:
        return _unsigned(code, _unsigned(code, at + 1)[0])[0], 0
    if byte in (0x3F, 0x40):
        return at + 2, 0
    if byte == BR_TABLE:
        end, number = _unsigned(code, at + 1)
        for _ in range(number + 1):
            end, _label = _unsigned(code, end)
        return end, 0
    if byte == BULK:
        end, what = _unsigned(code, at + 1)
        assert what in (COPY, FILL), what
        return end + (2 if what == COPY else 1), what
    if byte == F64_CONST:
        return at + 9, 0
    if byte == ATOMIC:
        end, what = _unsigned(code, at + 1)
        assert what in ATOMIC_ACCESSES, what
        return _unsigned(code, _unsigned(code, end)[0])[0], 0
    if byte == VECTOR:
        return _behind_vector(code, *_unsigned(code, at + 1)), 0
    return at + 1, 0


def _behind_vector(code: bytes | bytearray, end: int, what: int) -> int:
    if what <= 11 or what in (92, 93):
        return _unsigned(code, _unsigned(code, end)[0])[0]
    if what in (12, 13):
        return end + 16
    if 21 <= what <= 34:
        return end + 1
    if 84 <= what <= 91:
        return _unsigned(code, _unsigned(code, end)[0])[0] + 1
    return end


def _unsigned(code: bytes | bytearray, at: int) -> tuple[int, int]:
    found = shift = 0
    while True:
        byte = code[at]
        at += 1
        found |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return at, found


def _signed(code: bytes | bytearray, at: int) -> tuple[int, int]:
    first = at
    at, found = _unsigned(code, at)
    bits = 7 * (at - first)
    return at, found - (1 << bits) if found >> bits - 1 else found


def cost(instruction: Instruction, before: Instruction | None) -> int:
    """What an instruction counts. `before` is the one in front, which may say how much is copied."""
    code = instruction.code
    if code in FREE:
        return 0
    if code in DIVISIONS:
        return 1 + DIVISION_COST
    if code in (CALL, CALL_INDIRECT):
        return 1 + CALL_COST
    if code == BULK:
        size = before.operand if before is not None and before.code == I32_CONST else 0
        return 1 + BULK_COST + size // BULK_BYTES
    return 1
