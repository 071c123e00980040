"""Numbers of actions: a compact numbering of what each decision offers, and masks of these numbers."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.execution import PASS, Option
from interpreter.wasm.body import Body
from interpreter.wasm.encoding import I32
from interpreter.wasm.menus import Menu
from interpreter.wasm.plan import Plan


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers of a decision's options: part after part, and passing behind them."""

    node: int
    starts: tuple[int, ...]
    sizes: tuple[int, ...]
    lows: tuple[int, ...]
    values: tuple[int, ...]
    """How many numbers of each part stand for values; the one behind them is doing it without."""
    passing: int | None
    total: int

    def option(self, action: int) -> Option:
        """The option of a number; raises `ValueError` if the decision has no such number."""
        if action == self.passing:
            return PASS
        for part, (start, size) in enumerate(zip(self.starts, self.sizes, strict=True)):
            if start <= action < start + size:
                bit = action - start
                return part, NONE if bit == self.values[part] else self.lows[part] + bit
        raise ValueError(f"the decision at node {self.node} has actions 0 to {self.total - 1}, not {action}")

    def action(self, option: Option) -> int:
        """The number of an option; raises `ValueError` if the decision has no such option."""
        part, value = option
        if option == PASS and self.passing is not None:
            return self.passing
        if 0 <= part < len(self.starts):
            inside = 0 <= value - self.lows[part] < self.values[part]
            bit = value - self.lows[part] if inside else self.values[part]
            if (inside or value == NONE) and bit < self.sizes[part]:
                return self.starts[part] + bit
        raise ValueError(f"the decision at node {self.node} has no option {option}")


def numbering(mc: m.Machine, menu: Menu) -> Numbering:
    """The numbers of a menu. A part that is never done without a value has no number for that."""
    node = mc.nodes[menu.node]
    starts, sizes, total = [], [], 0
    for part in menu.parts:
        plain = any(w.choice is None or w.needs for w in part.ways)
        starts.append(total)
        sizes.append(part.size + plain)
        total += sizes[-1]
    passing = total if getattr(node, "passing", None) is not None else None
    return Numbering(
        menu.node,
        tuple(starts),
        tuple(sizes),
        tuple(p.lo for p in menu.parts),
        tuple(p.size for p in menu.parts),
        passing,
        total + (passing is not None),
    )


def row_bytes(most: int) -> int:
    """Bytes of a mask's row: the last store of eight may begin at the last number."""
    return (most + 7 + 7) // 8 * 8


# ---- masks


def _byte_of_bits(b: Body) -> None:
    """Eight bits on the stack become eight bytes of 0 or 1, the lowest first."""
    b.i64(0x0101010101010101)
    b.op("i64.mul")
    b.i64(0x8040201008040201)
    b.op("i64.and")
    b.i64(0x7F7F7F7F7F7F7F7F)
    b.op("i64.add")
    b.i64(7)
    b.op("i64.shr_u")
    b.i64(0x0101010101010101)
    b.op("i64.and")


def write_spread(plan: Plan) -> None:
    """(from, bytes, to): bits to bytes, eight at a time."""
    b = plan.body("spread", (I32, I32, I32), ())
    end = b.local()
    b.get(0)
    b.get(1)
    b.op("i32.add")
    b.set(end)
    out = b.block()
    again = b.loop()
    b.get(0)
    b.get(end)
    b.op("i32.ge_u")
    b.br_if(out)
    b.get(2)
    b.get(0)
    b.mem("i32.load8_u")
    b.op("i64.extend_i32_u")
    _byte_of_bits(b)
    b.mem("i64.store")
    for local, by in ((0, 1), (2, 8)):
        b.get(local)
        b.i32(by)
        b.op("i32.add")
        b.set(local)
    b.br(again)
    b.end()
    b.end()


def write_mask(plan: Plan, row: Numbering, most: int) -> None:
    """(to): the bits of a decision's menu go to a row of bytes. What stands behind a part is overwritten."""
    b = plan.body(f"mask {row.node}", (I32,), ())
    done = 0
    for part, start, size in zip(plan.menus[row.node].parts, row.starts, row.sizes, strict=True):
        if not size:
            continue
        at = plan.menu_address + 8 * part.first
        done = start + (size + 7) // 8 * 8
        if size > 64:
            b.i32(at)
            b.i32((size + 7) // 8)
            b.get(0)
            b.i32(start)
            b.op("i32.add")
            b.call(plan.function("spread"))
            continue
        for k in range((size + 7) // 8):
            b.get(0)
            b.i32(0)
            b.mem("i32.load8_u", at + k)
            b.op("i64.extend_i32_u")
            _byte_of_bits(b)
            b.mem("i64.store", start + 8 * k)
    if row.passing is not None:
        b.get(0)
        b.i64(1)
        b.mem("i64.store", row.passing)
        done = row.passing + 8
    _wipe(b, 0, done, most)


def _wipe(b: Body, to: int, first: int, last: int) -> None:
    """Zeros from one byte to another behind the address in a local, and up to seven bytes more."""
    if last - first > 256:
        b.get(to)
        b.i32(first)
        b.op("i32.add")
        b.i32(0)
        b.i32(last - first)
        b.fill()
        return
    for offset in range(first, last, 8):
        b.get(to)
        b.i64(0)
        b.mem("i64.store", offset)
