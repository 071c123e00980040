"""Nodes that write words of the state: of the frame, of the head, counters, marks and pointers."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, assert_never

from dsl.domains import NONE
from dsl.frozen import dataclass
from interpreter import events as ev, ir
from interpreter.wasm.abi import BANK_OUT_OF_RANGE, CANNOT_PAY, OUT_OF_RANGE
from interpreter.wasm.emit.bit_boards import Board, bytes_of
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select
from interpreter.wasm.lower import addresses, arithmetic, board_writes, const_eval, refusals, set_writes
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Interval, Value


def lower_word_node(fx: FunctionContext, node: ir.WordNode) -> None:
    match node:
        case ir.SetHead():
            set_head(fx, node)
        case ir.SetWord():
            set_word(fx, node)
        case ir.SetWords():
            set_writes.set_words(fx, node)
        case ir.Transfer():
            transfer(fx, node)
        case ir.Reset():
            reset(fx, node)
        case ir.EnterPhase(phase=phase):
            set_head(fx, ir.SetHead(span=node.span, word=ir.PHASE, value=ir.Const(phase), next=node.next))
            event(fx, ev.Entered, phase)
        case _:
            assert_never(node)


# ---- events and refusals


def event(fx: FunctionContext, kind: type | int, *parts: Value | int) -> None:
    """Tells something of a kind, by its class or number, in modules that tell. Of a trial nothing is told."""
    if not fx.builder.config.events or fx.undo is not None:
        return
    operands = [part if isinstance(part, int) else part.operand for part in parts]
    operands += [0] * (5 - len(parts))
    code = kind if isinstance(kind, int) else ev.KINDS[kind].code
    fx.b.push(fx.builder.call("event", code, *operands, results=()))


# ---- words of the frame and of the head


def set_local(fx: FunctionContext, node: ir.SetLocal) -> None:
    with fx.frames.slot(node.slot):
        fx.num(node.value)


def set_head(fx: FunctionContext, node: ir.SetHead) -> None:
    value = const_eval.operand(fx, node.value)
    fx.set_word(node.word, value.operand)
    if node.word == ir.ACTIVE:
        event(fx, ev.Turned, value)
    fx.drop(value)


# ---- counters, marks and pointers as words


@dataclass(frozen=True, slots=True)
class Word:
    """A counter, mark or pointer: a word at an address plus `offset` bytes, or a local that keeps it."""

    at: Variable
    offset: int
    is_kept: bool = False

    @property
    def value(self) -> Operand:
        return self.at if self.is_kept else self.at.load(self.offset)


@contextmanager
def _word_at(
    fx: FunctionContext, address: ir.Address, beside: int = 0, reads: bool = True
) -> Iterator[tuple[Word, list[Variable]]]:
    """The word at an address, whose indices are evaluated once, and that many locals beside it.

    `reads`: the word may be read.
    """
    b = fx.b
    known = const_eval.constant(fx, ir.Spot(address)) if fx.kept else None
    if known is not None and known in fx.kept:
        with b.temporaries(*(I32,) * beside) as variables:
            yield Word(fx.kept[known], 0, is_kept=True), variables
        return
    at = b.local()
    offset = addresses.address(fx, address, reads)
    b.assign(at, STACK)
    variables = b.variables(*(I32,) * beside)
    yield Word(at, offset), variables
    b.release(at, *variables)


def _set(fx: FunctionContext, word: Word, value: Operand | int) -> None:
    if word.is_kept:
        fx.b.assign(word.at, value)
    else:
        fx.note_change(word.at, word.offset)
        fx.b.write(word.at, value, word.offset)


def _index(fx: FunctionContext, word: Word, first: int) -> Operand:
    """How many words behind the word with the number `first` of the state a word is."""
    return word.at - fx.b.state + (word.offset - 4 * first) >> 2


def _changed(fx: FunctionContext, name: str, word: Word, old: Variable, new: Variable) -> None:
    """Tells of a word that is not what it was; of working memory nothing is told."""
    if not fx.builder.config.events or fx.undo is not None or name in fx.mc.scratch:
        return
    b = fx.b
    with b.if_(old.ne(new)), b.temporaries(I32) as (index,):
        b.assign(index, _index(fx, word, 0))
        event(fx, ev.Changed, *(InLocal(x, WIDE) for x in (index, old, new)))


def tell(fx: FunctionContext, node: ir.Tell) -> None:
    """Somebody, or everybody for -1, has been shown a value: bit 31 stands for everybody."""
    who = const_eval.operand(fx, node.seat)
    with _word_at(fx, node.mask) as (mask, _):
        _set(fx, mask, mask.value | const(1) << who.operand)
    if fx.builder.config.events:
        with _word_at(fx, node.address) as (word, _), fx.b.temporaries(I32, I32) as (index, value):
            fx.b.assign(index, _index(fx, word, 0))
            fx.b.assign(value, word.value)
            event(fx, ev.Told, who, InLocal(index, WIDE), InLocal(value, WIDE), int(node.openly))
    fx.drop(who)


# ---- ranges


def _range_of(fx: FunctionContext, words: ir.VarLayout, word: Word) -> tuple[Value, Value]:
    """The least and the greatest value of a word."""
    if len(set(words.ranges)) == 1:
        return Constant(words.ranges[0][0]), Constant(words.ranges[0][1])
    b = fx.b
    i = b.local()
    index = _index(fx, word, words.base)
    b.assign(i, index.rem_u(words.at_size) if words.at is not None else index.div_u(words.at_size))
    ends: list[InLocal] = []
    for values in zip(*words.ranges, strict=True):
        end = b.local()
        b.assign(end, i.entry_of(fx.builder.table(values)))
        ends.append(InLocal(end, (min(values), max(values))))
    b.release(i)
    return ends[0], ends[1]


def _always_within(words: ir.VarLayout, span: Interval) -> bool:
    """Whether numbers of an interval lie in the ranges of all words."""
    return all(lo <= span[0] and span[1] <= hi for lo, hi in words.ranges)


def _is_outside(new: Operand, lo: Value, hi: Value) -> Operand:
    return new.lt_s(lo.operand) | new.gt_s(hi.operand)


def _keep_within(fx: FunctionContext, edge: str | None, new: Variable, lo: Value, hi: Value) -> None:
    """A number outside its range is clamped or refused, or is a fault."""
    if edge == "clamp":
        fx.b.assign(new, select(lo.operand, hi.operand, new.lt_s(lo.operand)))
    elif edge == "refuse":
        fx.driver.refuse(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)
    else:
        fx.fault(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)


# ---- setting, adding and taking away


def set_word(fx: FunctionContext, node: ir.SetWord) -> None:
    b, words = fx.b, fx.mc.stores[node.name]
    before = fx.builder.old_values.get(fx.node)
    with _word_at(fx, node.address, 2, reads=False) as (word, (old, new)):
        if node.op == "=":
            span = fx.evaluate(new, node.value)
            if before is not None:
                fx.evaluate(old, before)
            elif fx.builder.config.events or node.name in fx.builder.boards:
                with fx.where_words(node.name):
                    b.assign(old, word.value)
                if node.name in fx.builder.in_sets:
                    with fx.where_words(node.name, there=False):
                        fx.evaluate(old, ir.Load(node.address))
        else:
            b.read_words(node.name)
            with b.temporaries(I32) as (amount,):
                x = fx.evaluate(amount, node.value)
                b.push(old.tee(word.value), amount)
                span = _moved_by(
                    fx, "+" if node.op == "+=" else "-", addresses.load_span(fx, node.address), x
                )
                b.assign(new, STACK)
        if node.edge != "free" and not _always_within(words, span):
            lo, hi = _range_of(fx, words, word)
            with b.if_(_is_outside(new, lo, hi) & new.ne(NONE)):
                _keep_within(fx, node.edge, new, lo, hi)
            fx.drop(lo, hi)
        with fx.where_words(node.name):
            _set(fx, word, new)
        _changed(fx, node.name, word, old, new)
        known = before if isinstance(before, ir.Const) else None
        _on_board(fx, node, word, InLocal(old, WIDE) if known is None else Constant(known.value), new, span)


def _moved_by(fx: FunctionContext, op: Literal["+", "-"], x: Interval, y: Interval) -> Interval:
    """Adds or takes away the two numbers on the stack, checked if need be."""
    apply = operator.add if op == "+" else operator.sub
    ends = [apply(p, q) for p in x for q in y]
    if WIDE[0] <= min(ends) and max(ends) <= WIDE[1]:
        fx.b.push(apply(STACK, STACK))
        return (min(ends), max(ends))
    return arithmetic.checked(fx, apply)


# ---- bit boards


def _on_board(
    fx: FunctionContext, node: ir.SetWord, word: Word, old: Value, new: Variable, span: Interval
) -> None:
    """The bit of the index leaves the set of the old value and comes into that of the new one."""
    board = fx.builder.boards.get(node.name)
    if board is not None:
        board_writes.change_on_board(fx, board, _index(fx, word, board.words.base), old, InLocal(new, span))


# ---- gains, losses and payments


def transfer(fx: FunctionContext, node: ir.Transfer) -> None:
    b, words = fx.b, fx.mc.stores[node.name]
    with _word_at(fx, node.address, 3) as (word, (old, new, amount)):
        x = fx.evaluate(amount, node.amount)
        b.push(old.tee(word.value), amount)
        op: Literal["+", "-"] = "+" if node.verb == "gain" else "-"
        span = _moved_by(fx, op, addresses.load_span(fx, node.address), x)
        b.assign(new, STACK)
        if not _always_within(words, span):
            lo, hi = _range_of(fx, words, word)
            _check_transfer(fx, node, word, (lo, hi), old, new, amount)
            fx.drop(lo, hi)
        _set(fx, word, new)
        _changed(fx, node.name, word, old, new)
        if node.to is not None:
            _receive(fx, node, node.to, words, old, new)
        elif node.bank is not None:
            _book(fx, node, node.bank, old, new)


def push_is_payable(fx: FunctionContext, node: ir.Transfer) -> None:
    """Leaves whether a payment can be made."""
    b, words = fx.b, fx.mc.stores[node.name]
    with _word_at(fx, node.address) as (word, _):
        with b.temporaries(I32) as (amount,):
            x = fx.evaluate(amount, node.amount)
            b.push(word.value, amount)
            _moved_by(fx, "-", addresses.load_span(fx, node.address), x)
            lo, hi = _range_of(fx, words, word)
            b.push(STACK.ge_s(lo.operand))
        fx.drop(lo, hi)


def _check_transfer(
    fx: FunctionContext,
    node: ir.Transfer,
    word: Word,
    bounds: tuple[Value, Value],
    old: Variable,
    new: Variable,
    amount: Variable,
) -> None:
    """The new number is within its range, or the transfer refused."""
    b = fx.b
    lo, hi = bounds
    if node.verb == "gain":
        with b.if_(_is_outside(new, lo, hi)):
            _keep_within(fx, node.edge, new, lo, hi)
        return
    with b.if_(new.lt_s(lo.operand)):
        if node.verb == "lose":
            b.assign(new, lo.operand)
        else:
            with b.temporaries(I32) as (there,):
                b.assign(there, old - lo.operand)
                words = fx.mc.stores[node.name]
                if fx.builder.config.explains and words.at is not None and not word.is_kept:
                    refusals.note_index(fx, _index(fx, word, words.base))
                fx.driver.refuse(CANNOT_PAY, InLocal(amount, WIDE), InLocal(there, WIDE))
    with b.if_(new.gt_s(hi.operand)):
        fx.fault(OUT_OF_RANGE, InLocal(new, WIDE), lo, hi)


def _receive(
    fx: FunctionContext, node: ir.Transfer, to: ir.Address, words: ir.VarLayout, old: Variable, new: Variable
) -> None:
    """The other seat's side of a payment."""
    b = fx.b
    with _word_at(fx, to, 2) as (word, (before, after)):
        lo, hi = _range_of(fx, words, word)
        with b.if_(after.tee(before.tee(word.value) + old - new).gt_s(hi.operand)):
            if node.edge == "clamp":
                b.assign(after, hi.operand)
            else:
                fx.fault(OUT_OF_RANGE, InLocal(after, WIDE), lo, hi)
        _changed(fx, node.name, word, before, after)
        _set(fx, word, after)
    fx.drop(lo, hi)


def _book(fx: FunctionContext, node: ir.Transfer, bank: ir.Address, old: Variable, new: Variable) -> None:
    """The bank's side. It runs short or over only where that is declared."""
    b = fx.b
    words = fx.mc.variables[node.bank_name]
    with b.temporaries(I32, I32) as (before, after), _word_at(fx, bank) as (word, _):
        lo, hi = _range_of(fx, words, word)
        b.assign(after, before.tee(word.value) + old - new)
        for is_beyond, end, allowed in (
            (after.lt_s(lo.operand), lo, node.paid_anyway or node.bank_clamps),
            (after.gt_s(hi.operand), hi, node.bank_clamps),
        ):
            with b.if_(is_beyond):
                if allowed:
                    b.assign(after, end.operand)
                else:
                    fx.fault(BANK_OUT_OF_RANGE, InLocal(after, WIDE), lo, hi)
        _changed(fx, node.bank_name, word, before, after)
        _set(fx, word, after)
        fx.drop(lo, hi)


# ---- as at the start


def reset(fx: FunctionContext, node: ir.Reset) -> None:
    for address, values in node.ranges:
        words = fx.builder.words_of(address.base)
        board = fx.builder.boards.get(words.name) if words is not None else None
        if board is None:
            _reset_words(fx, address, values)
            continue
        name = board.words.name
        with fx.where_words(name):
            _reset_words(fx, address, values)
            fx.b.push(fx.builder.call(f"board {name}", fx.b.state, results=()))
        if name in fx.builder.in_sets:
            with fx.where_words(name, there=False):
                _reset_board(fx, board, values)


def _reset_words(fx: FunctionContext, address: ir.Address, values: tuple[int, ...]) -> None:
    b = fx.b
    with _word_at(fx, address, reads=False) as (word, _):
        if word.is_kept:
            b.assign(word.at, values[0])
        elif not any(values):
            fx.zero(word.at, word.offset, len(values))
        elif len(values) <= 16:
            for i, value in enumerate(values):
                b.write(word.at, value, word.offset + 4 * i)
        else:
            b.copy(word.at + word.offset, fx.builder.table(values), 4 * len(values))


def _reset_board(fx: FunctionContext, board: Board, values: tuple[int, ...]) -> None:
    """The sets of a pointer or mark are as at the start."""
    if len(values) < board.words.size:
        fx.b.read_words(board.words.name)
        return
    sets = fx.builder.table(array("i", bytes_of(board, values)))
    fx.b.copy(fx.b.state + board.first, sets, board.bytes)
