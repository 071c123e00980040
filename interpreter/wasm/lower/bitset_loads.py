"""Sets that are read off the state: words side by side, and bit boards."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.fold import conjuncts
from interpreter.ir.operators import Comparison
from interpreter.wasm.emit.bit_boards import Board
from interpreter.wasm.emit.encoding import I32, V128
from interpreter.wasm.emit.operands import STACK, STACK_64, Operand, Variable, const, select
from interpreter.wasm.lower import (
    addresses,
    bitsets,
    columns,
    const_eval,
    loops,
)
from interpreter.wasm.lower.arithmetic import COMPARISONS
from interpreter.wasm.lower.const_eval import plain
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Constant, InLocal, Interval, Range, Value

# ---- words side by side


def column_set(fx: FunctionContext, op: Comparison, e: ir.Load, value: ir.Expr, reg: int, r: Range) -> Bits:
    """The indices at which a comparison with a number holds: sixteen words at a time."""
    b = fx.b
    (moving,) = [t for t in e.address.terms if fx.reads(t.index, reg)]
    rest = ir.Address(e.address.base, tuple(t for t in e.address.terms if t is not moving))
    found, vectors = bitsets.new_bits(fx, r), b.variables(V128, V128)
    with b.temporaries(I32) as (at,):
        offset = addresses.address(fx, rest) + 4 * (r.lo - moving.lo)
        b.assign(at, STACK)
        fx.num(value)
        b.assign(vectors[0], STACK.splat())
        bitsets.set_bits(fx, found, 0)
        for first in range(0, r.size, 16):
            size, to = min(16, r.size - first), found[first // 64]
            bits = loops.sixteen(at, offset + 4 * first, size, COMPARISONS[op], vectors[0]).widened()
            b.assign(to, (bits << first % 64 if first % 64 else bits) | to)
    b.release(*vectors)
    return found


# ---- bit boards


def load_set(fx: FunctionContext, e: ir.Load, value: ir.Expr, reg: int, r: Range) -> Bits:
    """The indices at which a pointer or mark has a value."""
    board = columns.board_of(fx, e, reg, r)
    assert board is not None
    rest = [t for t in e.address.terms if fx.reads(t.index, reg) is False]
    row = (e.address.base - board.words.base) // max(1, board.size) if not rest else 0
    found = bitsets.new_bits(fx, r)
    known = const_eval.constant(fx, value)
    if board.words.kind == "mark":
        _load_row(fx, board, rest, row, Constant(0), found)
        if known == 0:
            bitsets.invert(fx, found)
        elif known is None:
            held = const_eval.operand(fx, value)
            with fx.b.if_(held.operand.eqz()):
                bitsets.invert(fx, found)
            fx.drop(held)
        return found
    _value_row(fx, board, rest, row, value, found)
    return found


def _load_by_value(
    fx: FunctionContext, board: Board, rest: list[ir.Term], row: int, value: ir.Expr, found: Bits
) -> None:
    b = fx.b
    held = const_eval.operand(fx, value)
    assert isinstance(held, InLocal)
    with b.temporaries(I32) as (index,):
        b.assign(index, board_index(board, held))
        numbers = board_indices(board, held.span)
        known = InLocal(index, (numbers[0], numbers[-1]) if numbers else (0, 0))
        if board.low <= held.span[0] and held.span[1] <= board.low + board.values - 2:
            _load_row(fx, board, rest, row, known, found)
        else:
            with b.if_(index.lt_u(board.values)):
                _load_row(fx, board, rest, row, known, found)
                b.otherwise()
                bitsets.set_bits(fx, found, 0)
    fx.drop(held)


def board_indices(board: Board, span: Interval) -> list[int]:
    """The numbers of the sets of all values that a pointer can have."""
    least, last = (0 if end < board.low else end - board.low + 1 for end in span)
    return list(range(least, min(last, board.values - 1) + 1))


def board_index(board: Board, value: Value) -> Operand:
    """The number of the set of a value: 0 for none."""
    number = value.operand
    index = number + (1 - board.low) if board.low != 1 else number
    return select(index, 0, number.ne(NONE)) if value.span[0] < board.low and board.nothing == NONE else index


def _load_row(
    fx: FunctionContext, board: Board, rest: list[ir.Term], row: int, index: Value, found: Bits
) -> None:
    """The words of one set; `rest` holds the moving index of its row, if there is one."""
    b = fx.b
    if board.words.name in fx.kept_boards:
        if not isinstance(index, Constant):
            fx.chosen_sets[board.words.name] += 1
        _copy_kept(fx, fx.kept_boards[board.words.name], index, found)
        return
    fixed = board.first + row * board.row_bytes
    if b.known_state is not None and not rest and isinstance(index, Constant):
        fixed += b.known_state + index.value * 8 * board.wide
        for i, word in enumerate(found):
            b.assign(word, const(0).load64(fixed + 8 * i))
        return
    with b.temporaries(I32) as (at,):
        b.push(b.state)
        for term in rest:
            known = const_eval.constant(fx, term.index)
            if known is not None and term.lo <= known <= term.hi:
                fixed += (known - term.lo) * board.row_bytes
                continue
            addresses.index(fx, term)
            b.push(STACK + (STACK - term.lo) * board.row_bytes)
        if isinstance(index, Constant):
            fixed += index.value * 8 * board.wide
        else:
            b.push(STACK + index.operand * (8 * board.wide))
        b.assign(at, STACK)
        for i, word in enumerate(found):
            b.assign(word, at.load64(fixed + 8 * i))


def _copy_kept(fx: FunctionContext, sets: Bits, index: Value, found: Bits) -> None:
    """`found` becomes one of the sets that are kept in locals."""
    least, last = index.span
    [word] = found
    chosen: Operand = sets[least]
    for number in range(least + 1, last + 1):
        chosen = select(sets[number], chosen, index.operand.eq(number))
    fx.b.assign(word, chosen)


def mark_of_place(fx: FunctionContext, name: str, address: ir.Address) -> None:
    """Leaves the mark of one place, read off the set."""
    b, board = fx.b, fx.builder.boards[name]
    with b.temporaries(I32) as (index,):
        offset = addresses.address(fx, address, reads=False) - 4 * board.words.base
        b.assign(index, STACK + offset - b.state >> 2)
        if name in fx.kept_boards:
            b.push(fx.kept_boards[name][0])
        else:
            put_row(fx, board, index)
            b.push(STACK.load64(board.first))
        b.push((STACK_64 >> index.widened()).wrapped() & 1)


def put_row(fx: FunctionContext, board: Board, index: Variable) -> None:
    """Leaves where the word of a place in its first set lies, as far behind the state as that of the board.

    The number of the word in the state, counted from the first one, becomes that of the place in its row.
    """
    b = fx.b
    b.push(b.state)
    if board.rows > 1:
        b.push(STACK + index.div_u(board.size) * board.row_bytes)
        b.assign(index, index.rem_u(board.size))
    if board.wide > 1:
        b.push(STACK + (index >> 6 << 3))


# ---- several places at once


def test_places(fx: FunctionContext, e: ir.Expr) -> ir.Expr | None:
    """Leaves whether known places of one bit board all have one value, as far as `e` joins such by `and`.

    Gives what is left of the condition, or all of it if it joins nothing like that.
    """
    parts = conjuncts(e)
    groups: dict[tuple[str, int, ir.Expr], list[tuple[int, ir.Expr]]] = {}
    for part in parts:
        found = _known_place(fx, part)
        if found is None and not plain(part):
            break
        if found is not None:
            name, row, value, index = found
            groups.setdefault((name, row, value), []).append((index, part))
    best = max(groups.items(), key=lambda item: len(item[1]), default=None)
    if best is None or len(best[1]) < 2:
        return e
    (name, row, value), places = best
    board = fx.builder.boards[name]
    wanted = 0
    for index, _ in places:
        wanted |= 1 << index
    found_bits = bitsets.new_bits(fx, Range(board.lo, board.size))
    _value_row(fx, board, [], row, value, found_bits)
    fx.b.push(bitsets.holds(found_bits, wanted))
    bitsets.free_bits(fx, found_bits)
    taken = [part for _, part in places]
    rest: ir.Expr | None = None
    for part in parts:
        if not any(part is x for x in taken):
            rest = part if rest is None else ir.Op("and", rest, part)
    return rest


def _known_place(fx: FunctionContext, e: ir.Expr) -> tuple[str, int, ir.Expr, int] | None:
    """The board, row, value and index of a comparison with a place that is known."""
    if not isinstance(e, ir.Op) or e.op != "==" or not isinstance(e.left, ir.Load):
        return None
    if not isinstance(e.right, ir.Const | ir.Reg | ir.Local):
        return None
    at = const_eval.constant(fx, ir.Spot(e.left.address))
    words = fx.builder.words_of(at) if at is not None else None
    board = fx.builder.boards.get(words.name) if words is not None else None
    if at is None or board is None or board.words.kind == "mark":
        return None
    row, index = divmod(at - board.words.base, board.size)
    return board.words.name, row, e.right, index


def _value_row(
    fx: FunctionContext, board: Board, rest: list[ir.Term], row: int, value: ir.Expr, found: Bits
) -> None:
    """`found` becomes the set of a value of a pointer."""
    known = const_eval.constant(fx, value)
    if known is None:
        _load_by_value(fx, board, rest, row, value, found)
    elif board.has(known):
        _load_row(fx, board, rest, row, Constant(board.index(known)), found)
    else:
        bitsets.set_bits(fx, found, 0)
