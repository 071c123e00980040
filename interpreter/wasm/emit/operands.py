"""Operands: expressions over numbers, as the instructions that leave their value on the stack.

`(i + 4).lt_u(end)` is `local.get i, i32.const 4, i32.add, local.get end, i32.lt_u`. Operators and methods are
named as the instructions are; a plain number beside an operand is a constant of the operand's type. `Body`
has the statements: `assign`, `write`, `push`, `if_`, `until`.
"""

from __future__ import annotations

import struct
from functools import lru_cache

from interpreter.wasm.emit.encoding import F64, I32, I64, OPCODES, V128, memory_access, signed, unsigned

_PREFIX = {I32: "i32.", I64: "i64.", F64: "f64.", V128: "i32x4."}
_OPCODES = {
    kind: {name.removeprefix(prefix): code for name, code in OPCODES.items() if name.startswith(prefix)}
    for kind, prefix in _PREFIX.items()
}
"""The instructions on numbers of one type, without its name."""
_ADD = {kind: names["add"] for kind, names in _OPCODES.items()}


class Operand:
    """Instructions that leave one number of type `kind` on the stack; of a call without result, none."""

    __slots__ = ("code", "kind")

    def __init__(self, code: bytes, kind: int = I32) -> None:
        self.code = code
        self.kind = kind

    def _then(self, name: str, kind: int | None = None) -> Operand:
        return Operand(self.code + OPCODES[name], self.kind if kind is None else kind)

    def _binary(self, name: str, other: Operand | int, kind: int | None = None) -> Operand:
        right = const(other, self.kind) if isinstance(other, int) else other
        opcode = OPCODES[name] if "." in name else _OPCODES[self.kind][name]
        return Operand(self.code + right.code + opcode, self.kind if kind is None else kind)

    # ---- arithmetic

    def __add__(self, other: Operand | int) -> Operand:
        kind = self.kind
        right = const(other, kind) if isinstance(other, int) else other
        return Operand(self.code + right.code + _ADD[kind], kind)

    def __sub__(self, other: Operand | int) -> Operand:
        return self._binary("sub", other)

    def __mul__(self, other: Operand | int) -> Operand:
        return self._binary("mul", other)

    def __and__(self, other: Operand | int) -> Operand:
        return self._binary("v128.and" if self.kind == V128 else "and", other)

    def __or__(self, other: Operand | int) -> Operand:
        return self._binary("v128.or" if self.kind == V128 else "or", other)

    def __xor__(self, other: Operand | int) -> Operand:
        return self._binary("v128.xor" if self.kind == V128 else "xor", other)

    def __lshift__(self, other: Operand | int) -> Operand:
        return self._binary("shl", other)

    def __rshift__(self, other: Operand | int) -> Operand:
        """Without the sign."""
        return self._binary("shr_u", other)

    def shr_s(self, other: Operand | int) -> Operand:
        return self._binary("shr_s", other)

    def div_s(self, other: Operand | int) -> Operand:
        return self._binary("div_s", other)

    def rem_s(self, other: Operand | int) -> Operand:
        return self._binary("rem_s", other)

    def div_u(self, other: Operand | int) -> Operand:
        return self._binary("div_u", other)

    def __truediv__(self, other: Operand) -> Operand:
        """Of floating-point numbers, rounded to the nearest."""
        return self._binary("f64.div", other)

    def sqrt(self) -> Operand:
        return self._then("f64.sqrt")

    def least(self, other: Operand) -> Operand:
        """The smaller of two floating-point numbers."""
        return self._binary("f64.min", other)

    def greatest(self, other: Operand) -> Operand:
        """The larger of two floating-point numbers."""
        return self._binary("f64.max", other)

    def rem_u(self, other: Operand | int) -> Operand:
        return self._binary("rem_u", other)

    def rotr(self, other: Operand | int) -> Operand:
        return self._binary("rotr", other)

    def popcnt(self) -> Operand:
        return self._then(_PREFIX[self.kind] + "popcnt")

    def clz(self) -> Operand:
        return self._then(_PREFIX[self.kind] + "clz")

    def ctz(self) -> Operand:
        return self._then(_PREFIX[self.kind] + "ctz")

    # ---- comparisons

    def compare(self, name: str, other: Operand | int) -> Operand:
        kind = self.kind
        right = const(other, kind) if isinstance(other, int) else other
        return Operand(self.code + right.code + _OPCODES[kind][name], V128 if kind == V128 else I32)

    def eqz(self) -> Operand:
        return self._then(_PREFIX[self.kind] + "eqz", I32)

    def eq(self, other: Operand | int) -> Operand:
        return self.compare("eq", other)

    def ne(self, other: Operand | int) -> Operand:
        return self.compare("ne", other)

    def lt_s(self, other: Operand | int) -> Operand:
        return self.compare("lt_s", other)

    def lt_u(self, other: Operand | int) -> Operand:
        return self.compare("lt_u", other)

    def le_s(self, other: Operand | int) -> Operand:
        return self.compare("le_s", other)

    def le_u(self, other: Operand | int) -> Operand:
        return self.compare("le_u", other)

    def gt_s(self, other: Operand | int) -> Operand:
        return self.compare("gt_s", other)

    def gt_u(self, other: Operand | int) -> Operand:
        return self.compare("gt_u", other)

    def ge_s(self, other: Operand | int) -> Operand:
        return self.compare("ge_s", other)

    def ge_u(self, other: Operand | int) -> Operand:
        return self.compare("ge_u", other)

    # ---- other types

    def widened(self) -> Operand:
        """A 32-bit number without sign as 64 bits."""
        return self._then("i64.extend_i32_u", I64)

    def wrapped(self) -> Operand:
        """The lower 32 of 64 bits."""
        return self._then("i32.wrap_i64", I32)

    def extended(self) -> Operand:
        """A 32-bit number with its sign as 64 bits."""
        return self._then("i64.extend_i32_s", I64)

    def floating(self) -> Operand:
        """A 32-bit number with its sign as a floating-point number of 64 bits."""
        return self._then("f64.convert_i32_s", F64)

    def splat(self) -> Operand:
        """A vector with this number in each of its four lanes."""
        return self._then("i32x4.splat", V128)

    def product(self, half: str, other: Operand) -> Operand:
        """The 64-bit products of two lanes of two vectors: the `low` ones, or the `high` ones."""
        return self._binary(f"i64x2.extmul_{half}_i32x4_u", other)

    def narrowed(self, lanes: str, other: Operand) -> Operand:
        """The signed lanes of two vectors in one, as `i16x8` or `i8x16`: each with half of its bits."""
        wide = {"i16x8": "i32x4", "i8x16": "i16x8"}[lanes]
        return self._binary(f"{lanes}.narrow_{wide}_s", other)

    def bitmask(self, lanes: str) -> Operand:
        """The signs of the lanes as the bits of a number."""
        return self._then(f"{lanes}.bitmask", I32)

    def lanes(self, other: Operand, *lanes: int) -> Operand:
        """Four of the eight 32-bit lanes of two vectors."""
        return self.bytes(other, *(4 * lane + i for lane in lanes for i in range(4)))

    def bytes(self, other: Operand, *numbers: int) -> Operand:
        """Sixteen of the 32 bytes of two vectors."""
        return Operand(self.code + other.code + b"\xfd\x0d" + bytes(numbers), V128)

    def equal_bytes(self, other: Operand) -> Operand:
        """All bits of the bytes that are the same in two vectors."""
        return self._binary("i8x16.eq", other)

    def first_lane(self) -> Operand:
        """The first of four 32-bit lanes."""
        return Operand(self.code + b"\xfd\x1b\x00", I32)

    # ---- linear memory, at this address

    def load(self, offset: int = 0) -> Operand:
        return self._load("i32.load", offset)

    def load8(self, offset: int = 0) -> Operand:
        return self._load("i32.load8_u", offset)

    def load64(self, offset: int = 0) -> Operand:
        return self._load("i64.load", offset, I64)

    def load_float(self, offset: int = 0) -> Operand:
        return self._load("f64.load", offset, F64)

    def entry_of(self, table: int, lo: int = 0) -> Operand:
        """The word with this index of a table at a known address, whose first index is `lo`."""
        at, offset = self << 2, table - 4 * lo
        return at.load(offset) if offset >= 0 else (at + offset).load()

    def load_vector(self, offset: int = 0) -> Operand:
        return Operand(self.code + b"\xfd\x00\x02" + unsigned(offset), V128)

    def _load(self, name: str, offset: int, kind: int = I32) -> Operand:
        return Operand(self.code + memory_access(name, offset), kind)


class Variable(Operand):
    """A local or a global: an operand that `Body.assign` can set."""

    __slots__ = ("index", "setter")

    def __init__(self, index: int, kind: int = I32, *, of_module: bool = False) -> None:
        super().__init__((b"\x23" if of_module else b"\x20") + unsigned(index), kind)
        self.index = index
        self.setter = (b"\x24" if of_module else b"\x21") + unsigned(index)

    def tee(self, value: Operand) -> Operand:
        """The value, which also goes to this local."""
        return Operand(value.code + b"\x22" + unsigned(self.index), self.kind)


STACK, STACK_64 = Operand(b""), Operand(b"", I64)
"""The number that is on the stack already, of 32 or 64 bits."""


@lru_cache(maxsize=4096)
def const(value: int, kind: int = I32) -> Operand:
    """A number of 32 or 64 bits, with or without sign."""
    bits = 64 if kind == I64 else 32
    byte = b"\x42" if kind == I64 else b"\x41"
    return Operand(byte + signed(value - (1 << bits) if value >= 1 << bits - 1 else value), kind)


def float_const(value: float) -> Operand:
    """A floating-point number of 64 bits."""
    return Operand(b"\x44" + struct.pack("<d", value), F64)


def vector_const(*lanes: int) -> Operand:
    """Four 32-bit numbers; one stands for all four."""
    four = lanes * (4 // len(lanes))
    return Operand(b"\xfd\x0c" + b"".join((n & 0xFFFFFFFF).to_bytes(4, "little") for n in four), V128)


def word_at(address: int) -> Operand:
    """The word at a known address."""
    return const(0).load(address)


def word_now(address: int) -> Operand:
    """The word at a known address, as it is at this moment: another thread may have written it.

    An atomic load. A plain one is kept in a register for as long as the module itself writes nothing.
    """
    return Operand(const(0).code + b"\xfe\x10\x02" + unsigned(address))


def select(chosen: Operand | int, other: Operand | int, condition: Operand) -> Operand:
    """`chosen` if the condition is not 0, or else `other`."""
    left, right = (const(x) if isinstance(x, int) else x for x in (chosen, other))
    return Operand(left.code + right.code + condition.code + OPCODES["select"], left.kind)
