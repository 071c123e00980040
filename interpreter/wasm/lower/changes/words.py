"""Nodes that write words of the state: of the frame, of the head, counters, marks and pointers."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.emit.boards import Board
from interpreter.wasm.emit.codes import FAIL
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.faults import OUT_OF_RANGE
from interpreter.wasm.lower.changes.events import CHANGED, TURNED
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Span, Value
from interpreter.wasm.lower.sets.aggregates import Aggregates

KEPT = -1


class Words(Aggregates):
    """Adds events and refusals, and every write of a word but transfers."""

    # ---- events and refusals

    def event(self, kind: int, *parts: Value | int) -> None:
        """Tells something, in modules that tell."""
        if not self.plan.flavour.events:
            return
        self.b.i32(kind)
        for part in parts:
            self.put(Known(part) if isinstance(part, int) else part)
        for _ in range(5 - len(parts)):
            self.b.i32(0)
        self.b.call(self.plan.function("event", (I32,) * 6, ()))

    def refuse(self, kind: int, a: Value | int = 0, b: Value | int = 0, c: Value | int = 0) -> None:
        """What is only tried fails; what is done is a fault."""
        self.b.gget(GLOBAL["trial"])
        self.b.when()
        self.b.i32(FAIL)
        self.b.op("return")
        self.b.end()
        self.fault(kind, a, b, c)

    # ---- words of the frame and of the head

    def set_local(self, node: m.SetLocal) -> None:
        with self.slot(node.slot):
            self.num(node.value)

    def set_head(self, node: m.SetHead) -> None:
        b = self.b
        value = self.held(node.value)
        if node.word in self.kept:
            self.put(value)
            b.set(self.kept[node.word])
            self.drop(value)
            return
        b.get(self.s)
        self.put(value)
        b.store(4 * node.word)
        if node.word == m.ACTIVE:
            self.event(TURNED, value)
        self.drop(value)

    # ---- where a word is

    def _where(self, address: m.Address) -> tuple[int, int]:
        """A local with the address of a word, and what to add; or the local that keeps it, and `KEPT`."""
        known = self.constant(m.Spot(address)) if self.kept else None
        if known in self.kept:
            return self.kept[known], KEPT
        at = self.b.local()
        offset = self.address(address)
        self.b.set(at)
        return at, offset

    def word_get(self, at: int, offset: int) -> None:
        """Leaves a word."""
        self.b.get(at)
        if offset != KEPT:
            self.b.load(offset)

    def word_set(self, at: int, offset: int, new: int) -> None:
        """A word becomes what is in a local."""
        b = self.b
        if offset == KEPT:
            b.get(new)
            b.set(at)
            return
        b.get(at)
        b.get(new)
        b.store(offset)

    def word_free(self, at: int, offset: int) -> None:
        if offset != KEPT:
            self.b.release(at)

    # ---- ranges

    def _bounds(self, words: m.Words, at: int, offset: int) -> tuple[Value, Value]:
        """The range of the word at an address."""
        if len(set(words.ranges)) == 1:
            return Known(words.ranges[0][0]), Known(words.ranges[0][1])
        b = self.b
        i = b.local()
        b.get(at)
        b.get(self.s)
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
            self.look_up(self.plan.table(values))
            b.set(local)
            found.append(Held(local, (min(values), max(values))))
        b.release(i)
        return found[0], found[1]

    def _changed(self, at: int, offset: int, old: int, new: int) -> None:
        """Tells of a word that is not what it was."""
        if not self.plan.flavour.events:
            return
        b = self.b
        b.get(old)
        b.get(new)
        b.op("i32.ne")
        b.when()
        with b.borrowed(I32) as (word,):
            b.get(at)
            b.get(self.s)
            b.op("i32.sub")
            b.i32(offset)
            b.op("i32.add")
            b.i32(2)
            b.op("i32.shr_u")
            b.set(word)
            self.event(CHANGED, Held(word, WIDE), Held(old, WIDE), Held(new, WIDE))
        b.end()

    def _outside(self, new: int, lo: Value, hi: Value) -> None:
        """Leaves whether a number lies outside a range."""
        b = self.b
        b.get(new)
        self.put(lo)
        b.op("i32.lt_s")
        b.get(new)
        self.put(hi)
        b.op("i32.gt_s", "i32.or")

    def _clamp(self, new: int, lo: Value, hi: Value) -> None:
        b = self.b
        self.put(lo)
        self.put(hi)
        b.get(new)
        self.put(lo)
        b.op("i32.lt_s", "select")
        b.set(new)

    # ---- counters, marks, pointers

    def set_word(self, node: m.SetWord) -> None:
        b, words = self.b, self.mc.words[node.name]
        at, offset = self._where(node.address)
        old, new = b.local(), b.local()
        span = WIDE
        if node.op == "=":
            span = self.num(node.value)
            b.set(new)
            if self.plan.flavour.events or node.name in self.plan.boards:
                self.word_get(at, offset)
                b.set(old)
        else:
            with b.borrowed(I32) as (amount,):
                x = self.num(node.value)
                b.set(amount)
                self.word_get(at, offset)
                b.tee(old)
                b.get(amount)
                span = self._moved_by("+" if node.op == "+=" else "-", self._load_span(node.address), x)
                b.set(new)
        lowest, highest = max(r[0] for r in words.ranges), min(r[1] for r in words.ranges)
        if node.edge != "free" and not (lowest <= span[0] and span[1] <= highest):
            self._keep_within(node, words, at, offset, new)
        self.word_set(at, offset, new)
        self._changed(at, offset, old, new)
        self._on_board(node, at, offset, old, new, span)
        self.word_free(at, offset)
        b.release(old, new)

    def _moved_by(self, op: str, x: Span, y: Span) -> Span:
        """Adds or takes away the two numbers on the stack, checked if need be."""
        ends = [p + q if op == "+" else p - q for p in x for q in y]
        name = "add" if op == "+" else "sub"
        if WIDE[0] <= min(ends) and max(ends) <= WIDE[1]:
            self.b.op(f"i32.{name}")
            return (min(ends), max(ends))
        return self._checked(name)

    def _keep_within(self, node: m.SetWord, words: m.Words, at: int, offset: int, new: int) -> None:
        b = self.b
        lo, hi = self._bounds(words, at, offset)
        self._outside(new, lo, hi)
        b.get(new)
        b.i32(NONE)
        b.op("i32.ne", "i32.and")
        b.when()
        if node.edge == "clamp":
            self._clamp(new, lo, hi)
        elif node.edge == "refuse":
            self.refuse(OUT_OF_RANGE, Held(new, WIDE), lo, hi)
        else:
            self.fault(OUT_OF_RANGE, Held(new, WIDE), lo, hi)
        b.end()
        self.drop(lo, hi)

    # ---- bit boards

    def _on_board(self, node: m.SetWord, at: int, offset: int, old: int, new: int, span: Span) -> None:
        """The bit of the index leaves the set of the old value and comes into that of the new one."""
        board = self.plan.boards.get(node.name)
        if board is None:
            return
        b = self.b
        with b.borrowed(I32, I32, I64) as (index, sets, bit):
            b.get(at)
            b.get(self.s)
            b.op("i32.sub")
            b.i32(offset - 4 * board.words.base)
            b.op("i32.add")
            b.i32(2)
            b.op("i32.shr_u")
            b.set(index)
            b.get(self.s)
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
                self._turn_mark(board, sets, bit, old, new)
            else:
                self._turn_bit(board, sets, bit, Held(old, WIDE))
                self._turn_bit(board, sets, bit, Held(new, span))

    def _turn_bit(self, board: Board, sets: int, bit: int, value: Held) -> None:
        b = self.b
        with b.borrowed(I32) as (of,):
            b.get(sets)
            self.board_index(board, value)
            b.i32(8 * board.wide)
            b.op("i32.mul", "i32.add")
            b.tee(of)
            b.get(of)
            b.mem("i64.load", board.first)
            b.get(bit)
            b.op("i64.xor")
            b.mem("i64.store", board.first)

    def _turn_mark(self, board: Board, sets: int, bit: int, old: int, new: int) -> None:
        b = self.b
        b.get(sets)
        b.get(sets)
        b.mem("i64.load", board.first)
        b.get(bit)
        b.i64(0)
        b.get(old)
        b.get(new)
        b.op("i32.ne", "select", "i64.xor")
        b.mem("i64.store", board.first)

    # ---- as at the start

    def reset(self, node: m.Reset) -> None:
        b = self.b
        for address, values in node.ranges:
            at, offset = self._where(address)
            if offset == KEPT:
                b.i32(values[0])
                b.set(at)
                continue
            if not any(values):
                self.zero(at, offset, len(values))
            elif len(values) <= 16:
                for i, value in enumerate(values):
                    b.get(at)
                    b.i32(value)
                    b.store(offset + 4 * i)
            else:
                b.get(at)
                b.i32(offset)
                b.op("i32.add")
                b.i32(self.plan.table(values))
                b.i32(4 * len(values))
                b.copy()
            b.release(at)
        self._reset_boards(node)

    def _reset_boards(self, node: m.Reset) -> None:
        """The sets of pointers and marks that are as at the start are made anew."""
        for address, _ in node.ranges:
            words = self.plan.words_of(address.base)
            if words is not None and words.name in self.plan.boards:
                self.b.get(self.s)
                self.b.call(self.plan.function(f"board {words.name}", (I32,), ()))
