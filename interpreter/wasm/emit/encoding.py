"""The binary format of WebAssembly: numbers, instructions, sections.

Source: WebAssembly Core Specification 2.0, chapter 5 (binary format), with its vector instructions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

I32, I64, F64, V128 = 0x7F, 0x7E, 0x7C, 0x7B
EMPTY = 0x40

PLAIN = {
    "unreachable": 0x00,
    "else": 0x05,
    "end": 0x0B,
    "return": 0x0F,
    "drop": 0x1A,
    "select": 0x1B,
    "i32.eqz": 0x45,
    "i32.eq": 0x46,
    "i32.ne": 0x47,
    "i32.lt_s": 0x48,
    "i32.lt_u": 0x49,
    "i32.gt_s": 0x4A,
    "i32.gt_u": 0x4B,
    "i32.le_s": 0x4C,
    "i32.le_u": 0x4D,
    "i32.ge_s": 0x4E,
    "i32.ge_u": 0x4F,
    "i64.eqz": 0x50,
    "i64.eq": 0x51,
    "i64.ne": 0x52,
    "i64.lt_s": 0x53,
    "i64.lt_u": 0x54,
    "i64.gt_s": 0x55,
    "i64.gt_u": 0x56,
    "i64.le_s": 0x57,
    "i64.ge_s": 0x59,
    "i64.ge_u": 0x5A,
    "i32.clz": 0x67,
    "i32.ctz": 0x68,
    "i32.popcnt": 0x69,
    "i32.add": 0x6A,
    "i32.sub": 0x6B,
    "i32.mul": 0x6C,
    "i32.div_s": 0x6D,
    "i32.div_u": 0x6E,
    "i32.rem_s": 0x6F,
    "i32.rem_u": 0x70,
    "i32.and": 0x71,
    "i32.or": 0x72,
    "i32.xor": 0x73,
    "i32.shl": 0x74,
    "i32.shr_s": 0x75,
    "i32.shr_u": 0x76,
    "i32.rotr": 0x78,
    "i64.clz": 0x79,
    "i64.ctz": 0x7A,
    "i64.popcnt": 0x7B,
    "i64.add": 0x7C,
    "i64.sub": 0x7D,
    "i64.mul": 0x7E,
    "i64.div_s": 0x7F,
    "i64.rem_u": 0x82,
    "i64.and": 0x83,
    "i64.or": 0x84,
    "i64.xor": 0x85,
    "i64.shl": 0x86,
    "i64.shr_s": 0x87,
    "i64.shr_u": 0x88,
    "i32.wrap_i64": 0xA7,
    "i64.extend_i32_s": 0xAC,
    "i64.extend_i32_u": 0xAD,
    "f64.eq": 0x61,
    "f64.ne": 0x62,
    "f64.lt": 0x63,
    "f64.gt": 0x64,
    "f64.sqrt": 0x9F,
    "f64.add": 0xA0,
    "f64.sub": 0xA1,
    "f64.mul": 0xA2,
    "f64.div": 0xA3,
    "f64.min": 0xA4,
    "f64.max": 0xA5,
    "f64.convert_i32_s": 0xB7,
}
"""Instructions of one byte and no immediate operand."""
END = PLAIN["end"]

VECTOR = {
    "i32x4.splat": 17,
    "i32x4.add": 174,
    "i32x4.sub": 177,
    "i32x4.mul": 181,
    "i32x4.lt_u": 58,
    "i64x2.extmul_low_i32x4_u": 222,
    "i64x2.extmul_high_i32x4_u": 223,
    "v128.and": 78,
    "v128.or": 80,
    "v128.xor": 81,
    "i8x16.eq": 35,
    "i32x4.eq": 55,
    "i32x4.ne": 56,
    "i32x4.lt_s": 57,
    "i32x4.gt_s": 59,
    "i32x4.le_s": 61,
    "i32x4.ge_s": 63,
    "i8x16.bitmask": 100,
    "i8x16.narrow_i16x8_s": 101,
    "i16x8.narrow_i32x4_s": 133,
    "i32x4.bitmask": 164,
}
"""Vector instructions without immediate operands, behind the prefix 0xFD."""

MEMORY = {
    "i32.load": (0x28, 2),
    "i64.load": (0x29, 3),
    "f64.load": (0x2B, 3),
    "i32.load8_u": (0x2D, 0),
    "i32.store": (0x36, 2),
    "i64.store": (0x37, 3),
    "f64.store": (0x39, 3),
    "i32.store8": (0x3A, 0),
}
"""Loads and stores: the byte, and the greatest alignment that may be promised."""


@lru_cache(maxsize=1 << 14)
def unsigned(value: int) -> bytes:
    """A number in LEB128."""
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def signed(value: int) -> bytes:
    """A number in signed LEB128."""
    if -64 <= value < 64:
        return bytes((value & 0x7F,))
    found = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        if (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40):
            found.append(byte)
            return bytes(found)
        found.append(byte | 0x80)


OPCODES = {name: bytes((code,)) for name, code in PLAIN.items()}
OPCODES |= {name: b"\xfd" + unsigned(code) for name, code in VECTOR.items()}
"""The bytes of each instruction without immediate operands."""


@lru_cache(maxsize=1 << 14)
def memory_access(name: str, offset: int) -> bytes:
    """A load or store at the address on the stack plus `offset` bytes."""
    code, align = MEMORY[name]
    return bytes((code, align)) + unsigned(offset)


def vector(items: Iterable[bytes]) -> bytes:
    parts = list(items)
    return unsigned(len(parts)) + b"".join(parts)


def text(name: str) -> bytes:
    data = name.encode()
    return unsigned(len(data)) + data


def section(number: int, content: bytes) -> bytes:
    return bytes((number,)) + unsigned(len(content)) + content


HEAD = b"\x00asm\x01\x00\x00\x00"
