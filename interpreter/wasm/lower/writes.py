"""Nodes that write words of the state: of the frame, of the head, counters, marks and pointers."""

from __future__ import annotations

from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import CHANGED, ENTERED, TURNED
from interpreter.wasm.emit.bit_boards import Board
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.faults import BANK_OUT_OF_RANGE, CANNOT_PAY, OUT_OF_RANGE
from interpreter.wasm.lower import addresses, arithmetic, bitset_loads, const_eval
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Span, Value

KEPT = -1


def lower_word_node(fx: FunctionContext, node: ir.WordNode) -> None:
    match node:
        case ir.SetHead():
            set_head(fx, node)
        case ir.SetWord():
            set_word(fx, node)
        case ir.Transfer():
            transfer(fx, node)
        case ir.Reset():
            reset(fx, node)
        case ir.EnterPhase(phase=phase):
            set_head(fx, ir.SetHead(span=node.span, word=ir.PHASE, value=ir.Const(phase), next=node.next))
            event(fx, ENTERED, phase)
        case _:
            assert_never(node)


# ---- events and refusals


def event(fx: FunctionContext, kind: int, *parts: Value | int) -> None:
    """Tells something, in modules that tell."""
    if not fx.builder.config.events:
        return
    fx.b.i32(kind)
    for part in parts:
        fx.put(Constant(part) if isinstance(part, int) else part)
    for _ in range(5 - len(parts)):
        fx.b.i32(0)
    fx.b.call(fx.builder.function("event", (I32,) * 6, ()))


# ---- words of the frame and of the head


def set_local(fx: FunctionContext, node: ir.SetLocal) -> None:
    with fx.frames.slot(node.slot):
        fx.num(node.value)


def set_head(fx: FunctionContext, node: ir.SetHead) -> None:
    b = fx.b
    value = const_eval.operand(fx, node.value)
    if node.word in fx.kept:
        fx.put(value)
        b.set(fx.kept[node.word])
        fx.drop(value)
        return
    b.get(fx.s)
    fx.put(value)
    b.store(4 * node.word)
    if node.word == ir.ACTIVE:
        event(fx, TURNED, value)
    fx.drop(value)


# ---- where a word is


def word_address(fx: FunctionContext, address: ir.Address) -> tuple[int, int]:
    """A local with the address of a word, and what to add; or the local that keeps it, and `KEPT`."""
    known = const_eval.constant(fx, ir.Spot(address)) if fx.kept else None
    if known in fx.kept:
        return fx.kept[known], KEPT
    at = fx.b.local()
    offset = addresses.address(fx, address)
    fx.b.set(at)
    return at, offset


def word_get(fx: FunctionContext, at: int, offset: int) -> None:
    """Leaves a word."""
    fx.b.get(at)
    if offset != KEPT:
        fx.b.load(offset)


def word_set(fx: FunctionContext, at: int, offset: int, new: int) -> None:
    """A word becomes what is in a local."""
    b = fx.b
    if offset == KEPT:
        b.get(new)
        b.set(at)
        return
    b.get(at)
    b.get(new)
    b.store(offset)


def word_free(fx: FunctionContext, at: int, offset: int) -> None:
    if offset != KEPT:
        fx.b.release(at)


# ---- ranges


def bounds(fx: FunctionContext, words: ir.VarLayout, at: int, offset: int) -> tuple[Value, Value]:
    """The range of the word at an address."""
    if len(set(words.ranges)) == 1:
        return Constant(words.ranges[0][0]), Constant(words.ranges[0][1])
    b = fx.b
    i = b.local()
    b.get(at)
    b.get(fx.s)
    b.op("i32.sub")
    b.i32(offset - 4 * words.base)
    b.op("i32.add")
    b.i32(2)
    b.op("i32.shr_u")
    b.i32(words.at_size)
    b.op("i32.rem_u" if words.at is not None else "i32.div_u")
    b.set(i)
    found: list[Value] = []
    for part in (0, 1):
        values = [r[part] for r in words.ranges]
        local = b.local()
        b.get(i)
        addresses.look_up(fx, fx.builder.table(values))
        b.set(local)
        found.append(InLocal(local, (min(values), max(values))))
    b.release(i)
    return found[0], found[1]


def changed(fx: FunctionContext, at: int, offset: int, old: int, new: int) -> None:
    """Tells of a word that is not what it was."""
    if not fx.builder.config.events:
        return
    b = fx.b
    b.get(old)
    b.get(new)
    b.op("i32.ne")
    b.when()
    with b.borrowed(I32) as (word,):
        b.get(at)
        b.get(fx.s)
        b.op("i32.sub")
        b.i32(offset)
        b.op("i32.add")
        b.i32(2)
        b.op("i32.shr_u")
        b.set(word)
        event(fx, CHANGED, InLocal(word, WIDE), InLocal(old, WIDE), InLocal(new, WIDE))
    b.end()


def outside(fx: FunctionContext, new: int, lo: Value, hi: Value) -> None:
    """Leaves whether a number lies outside a range."""
    b = fx.b
    b.get(new)
    fx.put(lo)
    b.op("i32.lt_s")
    b.get(new)
    fx.put(hi)
    b.op("i32.gt_s", "i32.or")


def clamp(fx: FunctionContext, new: int, lo: Value, hi: Value) -> None:
    b = fx.b
    fx.put(lo)
    fx.put(hi)
    b.get(new)
    fx.put(lo)
    b.op("i32.lt_s", "select")
    b.set(new)


# ---- counters, marks, pointers


def set_word(fx: FunctionContext, node: ir.SetWord) -> None:
    b, words = fx.b, fx.mc.variables[node.name]
    at, offset = word_address(fx, node.address)
    old, new = b.local(), b.local()
    span = WIDE
    if node.op == "=":
        span = fx.num(node.value)
        b.set(new)
        if fx.builder.config.events or node.name in fx.builder.boards:
            word_get(fx, at, offset)
            b.set(old)
    else:
        with b.borrowed(I32) as (amount,):
            x = fx.num(node.value)
            b.set(amount)
            word_get(fx, at, offset)
            b.tee(old)
            b.get(amount)
            span = moved_by(fx, "+" if node.op == "+=" else "-", addresses.load_span(fx, node.address), x)
            b.set(new)
    lowest, highest = max(r[0] for r in words.ranges), min(r[1] for r in words.ranges)
    if node.edge != "free" and not (lowest <= span[0] and span[1] <= highest):
        _keep_within(fx, node, words, at, offset, new)
    word_set(fx, at, offset, new)
    changed(fx, at, offset, old, new)
    _on_board(fx, node, at, offset, old, new, span)
    word_free(fx, at, offset)
    b.release(old, new)


def moved_by(fx: FunctionContext, op: str, x: Span, y: Span) -> Span:
    """Adds or takes away the two numbers on the stack, checked if need be."""
    ends = [p + q if op == "+" else p - q for p in x for q in y]
    name = "add" if op == "+" else "sub"
    if WIDE[0] <= min(ends) and max(ends) <= WIDE[1]:
        fx.b.op(f"i32.{name}")
        return (min(ends), max(ends))
    return arithmetic.checked(fx, name)


def _keep_within(
    fx: FunctionContext, node: ir.SetWord, words: ir.VarLayout, at: int, offset: int, new: int
) -> None:
    b = fx.b
    lo, hi = bounds(fx, words, at, offset)
    outside(fx, new, lo, hi)
    b.get(new)
    b.i32(NONE)
    b.op("i32.ne", "i32.and")
    b.when()
    if node.edge == "clamp":
        clamp(fx, new, lo, hi)
    elif node.edge == "refuse":
        fx.driver.refuse(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)
    else:
        fx.fault(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)
    b.end()
    fx.drop(lo, hi)


# ---- bit boards


def _on_board(
    fx: FunctionContext, node: ir.SetWord, at: int, offset: int, old: int, new: int, span: Span
) -> None:
    """The bit of the index leaves the set of the old value and comes into that of the new one."""
    board = fx.builder.boards.get(node.name)
    if board is None:
        return
    b = fx.b
    with b.borrowed(I32, I32, I64) as (index, sets, bit):
        b.get(at)
        b.get(fx.s)
        b.op("i32.sub")
        b.i32(offset - 4 * board.words.base)
        b.op("i32.add")
        b.i32(2)
        b.op("i32.shr_u")
        b.set(index)
        b.get(fx.s)
        if board.rows > 1:
            b.get(index)
            b.i32(board.size)
            b.op("i32.div_u")
            b.i32(board.row_bytes)
            b.op("i32.mul", "i32.add")
            b.get(index)
            b.i32(board.size)
            b.op("i32.rem_u")
            b.set(index)
        if board.wide > 1:
            b.get(index)
            b.i32(6)
            b.op("i32.shr_u")
            b.i32(3)
            b.op("i32.shl", "i32.add")
        b.set(sets)
        b.i64(1)
        b.get(index)
        b.op("i64.extend_i32_u", "i64.shl")
        b.set(bit)
        if board.words.kind == "mark":
            _turn_mark(fx, board, sets, bit, old, new)
        else:
            _turn_bit(fx, board, sets, bit, InLocal(old, WIDE))
            _turn_bit(fx, board, sets, bit, InLocal(new, span))


def _turn_bit(fx: FunctionContext, board: Board, sets: int, bit: int, value: InLocal) -> None:
    b = fx.b
    with b.borrowed(I32) as (of,):
        b.get(sets)
        bitset_loads.board_index(fx, board, value)
        b.i32(8 * board.wide)
        b.op("i32.mul", "i32.add")
        b.tee(of)
        b.get(of)
        b.mem("i64.load", board.first)
        b.get(bit)
        b.op("i64.xor")
        b.mem("i64.store", board.first)


def _turn_mark(fx: FunctionContext, board: Board, sets: int, bit: int, old: int, new: int) -> None:
    b = fx.b
    b.get(sets)
    b.get(sets)
    b.mem("i64.load", board.first)
    b.get(bit)
    b.i64(0)
    b.get(old)
    b.get(new)
    b.op("i32.ne", "select", "i64.xor")
    b.mem("i64.store", board.first)


# ---- gains, losses and payments


def transfer(fx: FunctionContext, node: ir.Transfer) -> None:
    b, words = fx.b, fx.mc.variables[node.name]
    at, offset = word_address(fx, node.address)
    old, new, amount = b.local(), b.local(), b.local()
    x = fx.num(node.amount)
    b.set(amount)
    word_get(fx, at, offset)
    b.tee(old)
    b.get(amount)
    span = moved_by(fx, "+" if node.verb == "gain" else "-", addresses.load_span(fx, node.address), x)
    b.set(new)
    _transferred(fx, node, words, at, offset, old, new, amount, span)
    word_set(fx, at, offset, new)
    changed(fx, at, offset, old, new)
    if node.to is not None:
        _receive(fx, node, node.to, words, old, new)
    elif node.bank is not None:
        _book(fx, node, node.bank, old, new)
    word_free(fx, at, offset)
    b.release(old, new, amount)


def payable(fx: FunctionContext, node: ir.Transfer) -> None:
    """Leaves whether a payment can be made."""
    b, words = fx.b, fx.mc.variables[node.name]
    at, offset = word_address(fx, node.address)
    with b.borrowed(I32) as (amount,):
        x = fx.num(node.amount)
        b.set(amount)
        word_get(fx, at, offset)
        b.get(amount)
        moved_by(fx, "-", addresses.load_span(fx, node.address), x)
        lo, hi = bounds(fx, words, at, offset)
        fx.put(lo)
        b.op("i32.ge_s")
    fx.drop(lo, hi)
    word_free(fx, at, offset)


def _transferred(
    fx: FunctionContext,
    node: ir.Transfer,
    words: ir.VarLayout,
    at: int,
    offset: int,
    old: int,
    new: int,
    amount: int,
    span: Span,
) -> None:
    """The new number is within its range, or the transfer refused."""
    lowest, highest = max(r[0] for r in words.ranges), min(r[1] for r in words.ranges)
    if lowest <= span[0] and span[1] <= highest:
        return
    b = fx.b
    lo, hi = bounds(fx, words, at, offset)
    if node.verb == "gain":
        outside(fx, new, lo, hi)
        b.when()
        if node.edge == "clamp":
            clamp(fx, new, lo, hi)
        elif node.edge == "refuse":
            fx.driver.refuse(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)
        else:
            fx.fault(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)
        b.end()
        fx.drop(lo, hi)
        return
    b.get(new)
    fx.put(lo)
    b.op("i32.lt_s")
    b.when()
    if node.verb == "lose":
        fx.put(lo)
        b.set(new)
    else:
        with b.borrowed(I32) as (there,):
            b.get(old)
            fx.put(lo)
            b.op("i32.sub")
            b.set(there)
            fx.driver.refuse(CANNOT_PAY, InLocal(amount, WIDE), InLocal(there, WIDE))
    b.end()
    b.get(new)
    fx.put(hi)
    b.op("i32.gt_s")
    b.when()
    fx.fault(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)
    b.end()
    fx.drop(lo, hi)


def _receive(
    fx: FunctionContext, node: ir.Transfer, to: ir.Address, words: ir.VarLayout, old: int, new: int
) -> None:
    """The other seat's side of a payment."""
    b = fx.b
    at, offset = word_address(fx, to)
    before, after = b.local(), b.local()
    lo, hi = bounds(fx, words, at, offset)
    word_get(fx, at, offset)
    b.tee(before)
    b.get(old)
    b.op("i32.add")
    b.get(new)
    b.op("i32.sub")
    b.tee(after)
    fx.put(hi)
    b.op("i32.gt_s")
    b.when()
    if node.edge == "clamp":
        fx.put(hi)
        b.set(after)
    else:
        fx.fault(OUT_OF_RANGE, InLocal(after, WIDE), lo, hi)
    b.end()
    changed(fx, at, offset, before, after)
    word_set(fx, at, offset, after)
    word_free(fx, at, offset)
    b.release(before, after)
    fx.drop(lo, hi)


def _book(fx: FunctionContext, node: ir.Transfer, bank: int, old: int, new: int) -> None:
    """The bank's side. It runs short or over only where that is declared."""
    b = fx.b
    lo, hi = node.bank_range
    before, after = b.local(), b.local()
    at, offset = word_address(fx, ir.Address(bank, ()))
    word_get(fx, at, offset)
    b.tee(before)
    b.get(old)
    b.op("i32.add")
    b.get(new)
    b.op("i32.sub")
    b.set(after)
    for beyond, end, allowed in (
        ("i32.lt_s", lo, node.paid_anyway or node.bank_clamps),
        ("i32.gt_s", hi, node.bank_clamps),
    ):
        b.get(after)
        b.i32(end)
        b.op(beyond)
        b.when()
        if allowed:
            b.i32(end)
            b.set(after)
        else:
            fx.fault(BANK_OUT_OF_RANGE, InLocal(after, WIDE), lo, hi)
        b.end()
    changed(fx, at, offset, before, after)
    word_set(fx, at, offset, after)
    word_free(fx, at, offset)
    b.release(before, after)


# ---- as at the start


def reset(fx: FunctionContext, node: ir.Reset) -> None:
    b = fx.b
    for address, values in node.ranges:
        at, offset = word_address(fx, address)
        if offset == KEPT:
            b.i32(values[0])
            b.set(at)
            continue
        if not any(values):
            fx.zero(at, offset, len(values))
        elif len(values) <= 16:
            for i, value in enumerate(values):
                b.get(at)
                b.i32(value)
                b.store(offset + 4 * i)
        else:
            b.get(at)
            b.i32(offset)
            b.op("i32.add")
            b.i32(fx.builder.table(values))
            b.i32(4 * len(values))
            b.copy()
        b.release(at)
    _reset_boards(fx, node)


def _reset_boards(fx: FunctionContext, node: ir.Reset) -> None:
    """The sets of pointers and marks that are as at the start are made anew."""
    for address, _ in node.ranges:
        words = fx.builder.words_of(address.base)
        if words is not None and words.name in fx.builder.boards:
            fx.b.get(fx.s)
            fx.b.call(fx.builder.function(f"board {words.name}", (I32,), ()))
