"""Nodes that change the state to instructions: words, pieces, dice."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.aggregates import Aggregates
from interpreter.wasm.boards import Board
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.faults import (
    BANK_OUT_OF_RANGE,
    CANNOT_PAY,
    FULL,
    MISSING,
    OUT_OF_BOUNDS,
    OUT_OF_RANGE,
    QUEUE_FULL,
)
from interpreter.wasm.numbers import WIDE, Held, Known, Span, Value
from interpreter.wasm.plan import GLOBAL

FAIL = -2
KEPT = -1
MOVED, CHANGED, THROWN, SHOWN, SHOWN_PIECE, SHUFFLED, ENTERED, TURNED, ENDED = range(1, 10)


class Changes(Aggregates):
    """What one node does to the state; the node after it is the caller's business."""

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

    # ---- words

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

    def transfer(self, node: m.Transfer) -> None:
        b, words = self.b, self.mc.words[node.name]
        at, offset = self._where(node.address)
        old, new, amount = b.local(), b.local(), b.local()
        x = self.num(node.amount)
        b.set(amount)
        self.word_get(at, offset)
        b.tee(old)
        b.get(amount)
        span = self._moved_by("+" if node.verb == "gain" else "-", self._load_span(node.address), x)
        b.set(new)
        self._transferred(node, words, at, offset, old, new, amount, span)
        self.word_set(at, offset, new)
        self._changed(at, offset, old, new)
        if node.to is not None:
            self._receive(node, node.to, words, old, new)
        elif node.bank is not None:
            self._book(node, node.bank, old, new)
        self.word_free(at, offset)
        b.release(old, new, amount)

    def payable(self, node: m.Transfer) -> None:
        """Leaves whether a payment can be made."""
        b, words = self.b, self.mc.words[node.name]
        at, offset = self._where(node.address)
        with b.borrowed(I32) as (amount,):
            x = self.num(node.amount)
            b.set(amount)
            self.word_get(at, offset)
            b.get(amount)
            self._moved_by("-", self._load_span(node.address), x)
            lo, hi = self._bounds(words, at, offset)
            self.put(lo)
            b.op("i32.ge_s")
        self.drop(lo, hi)
        self.word_free(at, offset)

    def _transferred(
        self,
        node: m.Transfer,
        words: m.Words,
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
        b = self.b
        lo, hi = self._bounds(words, at, offset)
        if node.verb == "gain":
            self._outside(new, lo, hi)
            b.when()
            if node.edge == "clamp":
                self._clamp(new, lo, hi)
            elif node.edge == "refuse":
                self.refuse(OUT_OF_RANGE, Held(new, WIDE), lo, hi)
            else:
                self.fault(OUT_OF_RANGE, Held(new, WIDE), lo, hi)
            b.end()
            self.drop(lo, hi)
            return
        b.get(new)
        self.put(lo)
        b.op("i32.lt_s")
        b.when()
        if node.verb == "lose":
            self.put(lo)
            b.set(new)
        else:
            with b.borrowed(I32) as (there,):
                b.get(old)
                self.put(lo)
                b.op("i32.sub")
                b.set(there)
                self.refuse(CANNOT_PAY, Held(amount, WIDE), Held(there, WIDE))
        b.end()
        b.get(new)
        self.put(hi)
        b.op("i32.gt_s")
        b.when()
        self.fault(OUT_OF_RANGE, Held(new, WIDE), lo, hi)
        b.end()
        self.drop(lo, hi)

    def _receive(self, node: m.Transfer, to: m.Address, words: m.Words, old: int, new: int) -> None:
        """The other seat's side of a payment."""
        b = self.b
        at, offset = self._where(to)
        before, after = b.local(), b.local()
        lo, hi = self._bounds(words, at, offset)
        self.word_get(at, offset)
        b.tee(before)
        b.get(old)
        b.op("i32.add")
        b.get(new)
        b.op("i32.sub")
        b.tee(after)
        self.put(hi)
        b.op("i32.gt_s")
        b.when()
        if node.edge == "clamp":
            self.put(hi)
            b.set(after)
        else:
            self.fault(OUT_OF_RANGE, Held(after, WIDE), lo, hi)
        b.end()
        self._changed(at, offset, before, after)
        self.word_set(at, offset, after)
        self.word_free(at, offset)
        b.release(before, after)
        self.drop(lo, hi)

    def _book(self, node: m.Transfer, bank: int, old: int, new: int) -> None:
        """The bank's side. It runs short or over only where that is declared."""
        b = self.b
        lo, hi = node.bank_range
        before, after = b.local(), b.local()
        at, offset = self._where(m.Address(bank, ()))
        self.word_get(at, offset)
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
                self.fault(BANK_OUT_OF_RANGE, Held(after, WIDE), lo, hi)
            b.end()
        self._changed(at, offset, before, after)
        self.word_set(at, offset, after)
        self.word_free(at, offset)
        b.release(before, after)

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

    # ---- pieces

    def full(self, place: Value) -> None:
        """A status on the stack that is not zero: there is no room."""
        self.b.when()
        self.fault(FULL, place)
        self.b.end()

    def missing(self, place: Value) -> None:
        self.b.when()
        self.fault(MISSING, place)
        self.b.end()

    def take_piece(self, place: Value, class_: Value) -> None:
        b = self.b
        b.get(self.s)
        self.put(place)
        self.put(class_)
        b.call(self.plan.function("take", (I32, I32, I32)))
        self.missing(place)

    def put_piece(self, place: Value, class_: Value, number: Value, bottom: bool) -> None:
        b = self.b
        b.get(self.s)
        self.put(place)
        self.put(class_)
        self.put(number)
        b.i32(int(bottom))
        b.call(self.plan.function("put", (I32,) * 5))
        self.full(place)

    def moved(self, class_: Value, number: Value, source: Value, to: Value) -> None:
        """Triggers that watch one of the places note it, and it is told."""
        b = self.b
        if any(t.condition is None for t in self.mc.triggers):
            with b.borrowed(I32) as (status,):
                b.get(self.s)
                for x in (class_, number, source, to):
                    self.put(x)
                b.call(self.plan.function("moved", (I32,) * 5))
                b.tee(status)
                b.i32(0)
                b.op("i32.ge_s")
                b.when()
                self.fault(QUEUE_FULL, Held(status, WIDE))
                b.end()
        self.event(MOVED, class_, number, source, to)

    def split(self, ref: int, classes: int) -> tuple[Held, Held]:
        """The place and class of a piece in a local."""
        b = self.b
        place, class_ = b.local(), b.local()
        b.get(ref)
        b.i32(classes)
        b.op("i32.div_u")
        b.tee(place)
        b.i32(-classes)
        b.op("i32.mul")
        b.get(ref)
        b.op("i32.add")
        b.set(class_)
        return Held(place, (0, len(self.mc.places) - 1)), Held(class_, (0, classes - 1))

    def join(self, place: Value, class_: Value, classes: int) -> None:
        """Leaves the piece of a class on a place."""
        b = self.b
        self.put(place)
        b.i32(classes)
        b.op("i32.mul")
        self.put(class_)
        b.op("i32.add")

    def follow(self, slot: int | None, place: Value, class_: Value, classes: int) -> None:
        if slot is not None:
            with self.slot(slot):
                self.join(place, class_, classes)

    def _there(self, ref: int) -> None:
        """The piece in a local is not none."""
        b = self.b
        b.get(ref)
        b.i32(NONE)
        b.op("i32.eq")
        b.when()
        self.fault(OUT_OF_BOUNDS, NONE, 0, len(self.mc.places) - 1)
        b.end()

    def move_piece(self, node: m.MovePiece) -> None:
        b = self.b
        with b.borrowed(I32) as (ref,):
            self.num(node.piece)
            b.set(ref)
            to = self.held(node.place)
            self._there(ref)
            source, class_ = self.split(ref, node.classes)
            self.take_piece(source, class_)
            self.put_piece(to, class_, Known(1), node.bottom)
            self.follow(node.follow, to, class_, node.classes)
            self.moved(class_, Known(1), source, to)
            self.drop(source, class_, to)

    def listed(self, source: m.Source, first: int, end: int) -> None:
        """The collection goes to the scratch as pairs of value and number, from `first` to `end`."""
        b, top = self.b, GLOBAL["top"]
        b.gget(top)
        b.set(first)

        def one(value: Value, n: Value) -> None:
            for i, x in enumerate((value, n)):
                b.gget(top)
                self.put(x)
                b.store(4 * i)
            self.global_add("top", 8)

        self.each(source, one, 20)
        b.gget(top)
        b.set(end)

    def move_all(self, node: m.MoveAll) -> None:
        b = self.b
        to = self.held(node.place)
        with b.borrowed(I32, I32, I32, I32, I32) as (first, end, p, ref, n):
            self.listed(node.source, first, end)
            b.get(first)
            b.set(p)
            out = b.block()
            again = b.loop()
            b.get(p)
            b.get(end)
            b.op("i32.ge_u")
            b.br_if(out)
            b.get(p)
            b.load()
            b.set(ref)
            source, class_ = self.split(ref, node.classes)
            self.put(source)
            self.put(to)
            b.op("i32.ne")
            b.when()
            b.get(p)
            b.load(4)
            b.set(n)
            taking = b.loop()
            self.take_piece(source, class_)
            b.get(n)
            b.i32(1)
            b.op("i32.sub")
            b.tee(n)
            b.br_if(taking)
            b.end()
            b.get(p)
            b.load(4)
            b.set(n)
            number = Held(n, (1, WIDE[1]))
            self.put_piece(to, class_, number, node.bottom)
            self.moved(class_, number, source, to)
            b.end()
            self.drop(source, class_)
            b.get(p)
            b.i32(8)
            b.op("i32.add")
            b.set(p)
            b.br(again)
            b.end()
            b.end()
            b.get(first)
            b.gset(GLOBAL["top"])
        self.drop(to)

    def move_some(self, node: m.MoveSome) -> None:
        b = self.b
        origin, to = self.held(node.source), self.held(node.place)
        if node.follow is not None:
            with self.slot(node.follow):
                b.i32(NONE)
        with b.borrowed(I32, I32) as (left, c):
            self.num(node.number)
            b.set(left)
            out = b.block()
            again = b.loop()
            b.get(left)
            b.i32(0)
            b.op("i32.le_s")
            b.br_if(out)
            b.get(self.s)
            self.put(origin)
            b.i32(0)
            b.call(self.plan.function("top", (I32, I32, I32)))
            b.tee(c)
            b.i32(0)
            b.op("i32.lt_s")
            b.br_if(out)
            class_ = Held(c, (0, node.classes - 1))
            self.take_piece(origin, class_)
            self.put_piece(to, class_, Known(1), node.bottom)
            self.follow(node.follow, to, class_, node.classes)
            self.moved(class_, Known(1), origin, to)
            b.get(left)
            b.i32(1)
            b.op("i32.sub")
            b.set(left)
            b.br(again)
            b.end()
            b.end()
        self.drop(origin, to)

    def take(self, node: m.Take) -> None:
        b = self.b
        origin, to = self.held(node.source), self.held(node.place)
        with b.borrowed(I32) as (c,):
            self.read_slot(node.slot)
            b.set(c)
            class_ = Held(c, (0, node.classes - 1))
            self.take_piece(origin, class_)
            self.put_piece(to, class_, Known(1), node.bottom)
            self.follow(node.follow, to, class_, node.classes)
            self.moved(class_, Known(1), origin, to)
        self.drop(origin, to)

    # ---- dice

    def turn_die(self, node: m.TurnDie) -> None:
        b = self.b
        with b.borrowed(I32, I32) as (ref, face):
            self.read_slot(node.slot)
            b.set(ref)
            known = self.place_of_die(self.node, node)
            place: Value
            old: Value = Known(0)
            if known in self.plan.solid:
                assert known is not None
                place = Known(known)
            else:
                self._there(ref)
                place, old = self.split(ref, node.classes)
            span = self.num(node.face)
            b.set(face)
            new = Held(face, (0, node.classes - 1))
            if not (span[0] >= 0 and span[1] < node.classes):
                b.get(face)
                b.i32(node.classes)
                b.op("i32.ge_u")
                b.when()
                with b.borrowed(I32) as (shown,):
                    b.get(face)
                    b.i32(node.low)
                    b.op("i32.add")
                    b.set(shown)
                    self.fault(OUT_OF_RANGE, Held(shown, WIDE), node.low, node.low + node.classes - 1)
                b.end()
            if known in self.plan.solid:
                assert known is not None
                self._turn_lone(known, new)
            else:
                self.take_piece(place, old)
                self.put_piece(place, new, Known(1), False)
            self.follow(node.slot, place, new, node.classes)
            self.event(THROWN, new, place)
            self.drop(place, old)

    def place_of_die(self, number: int, node: m.TurnDie) -> int | None:
        """The place of a die, where the local that names it is only written from one known place."""
        found: set[int | None] = set()
        for each in self.plan.regions[self.plan.region_of[number]].nodes:
            other = self.mc.nodes[each]
            if isinstance(other, m.SetLocal) and other.slot == node.slot:
                piece = other.value
                if isinstance(piece, m.PieceAt) and isinstance(piece.place, m.Const):
                    found.add(piece.place.value)
                else:
                    found.add(None)
            elif not isinstance(other, m.TurnDie) and node.slot in _slots(other):
                found.add(None)
        return found.pop() if len(found) == 1 else None

    def _turn_lone(self, place: int, new: Value) -> None:
        """The die that lies alone on a place shows another face."""
        b, base = self.b, self.mc.places[place].base
        word = self.kept.get(base)
        if word is None:
            b.get(self.s)
        self.put(new)
        b.i32(1)
        b.op("i32.add")
        if word is None:
            b.store(4 * base)
        else:
            b.set(word)

    def lift(self, node: m.Lift) -> None:
        b = self.b
        at = self.held(node.source)
        found, wanted = b.local(), b.local()
        b.get(self.s)
        self.put(at)
        b.call(self.plan.function("count", (I32, I32)))
        b.tee(found)
        b.set(wanted)
        if node.number is not None:
            self.num(node.number)
            b.set(wanted)
            self._clamp_number(wanted, found)
        b.get(wanted)
        b.get(found)
        b.op("i32.eq")
        b.when()
        b.get(self.s)
        self.put(at)
        b.call(self.plan.function("clear", (I32, I32), ()))
        b.otherwise()
        b.get(self.s)
        self.put(at)
        b.get(wanted)
        b.call(self.plan.function("lift", (I32, I32, I32), ()))
        b.end()
        with self.slot(node.slot):
            b.get(wanted)
        b.release(found, wanted)
        self.drop(at)

    def _clamp_number(self, wanted: int, found: int) -> None:
        """`wanted` comes to lie within 0 and `found`."""
        b = self.b
        b.i32(0)
        b.get(wanted)
        b.get(wanted)
        b.i32(0)
        b.op("i32.lt_s", "select")
        b.set(wanted)
        b.get(found)
        b.get(wanted)
        b.get(wanted)
        b.get(found)
        b.op("i32.gt_s", "select")
        b.set(wanted)

    def drop_die(self, node: m.Drop) -> None:
        b = self.b
        at = self.held(node.place)
        with b.borrowed(I32) as (face,):
            self.read_slot(node.slot)
            b.set(face)
            class_ = Held(face, (0, node.classes - 1))
            self.put_piece(at, class_, Known(1), False)
            self.event(THROWN, class_, at)
            self.follow(node.follow, at, class_, node.classes)
        self.drop(at)

    # ---- shuffling and showing

    def swap(self, node: m.Swap) -> None:
        b = self.b
        at = self.held(node.place)
        with b.borrowed(I32, I32, I32, I32) as (base, i, j, t):
            self.word_of(at)
            b.i32(4)
            b.op("i32.add")
            b.set(base)
            for slot, local in ((node.first, i), (node.second, j)):
                b.get(base)
                self.read_slot(slot)
                b.i32(2)
                b.op("i32.shl", "i32.add")
                b.set(local)
            b.get(i)
            b.load()
            b.set(t)
            b.get(i)
            b.get(j)
            b.load()
            b.store()
            b.get(j)
            b.get(t)
            b.store()
        self.drop(at)

    def word_of(self, place: Value) -> None:
        """Leaves the address of the first word of a place."""
        b = self.b
        if isinstance(place, Known):
            b.get(self.s)
            b.i32(4 * self.mc.places[place.value].base)
            b.op("i32.add")
        else:
            self.place_base(place.local, place.span)

    def _shown_word(self, place: Value) -> None:
        """Leaves the address of the word that says who has seen a place; the place can be shown."""
        b = self.b
        words = self.plan.table(self.mc.shown.get(i, 0) for i in range(len(self.mc.places)))
        b.get(self.s)
        self.put(place)
        self.look_up(words)
        b.i32(2)
        b.op("i32.shl", "i32.add")

    def forget(self, node: m.Forget) -> None:
        b = self.b
        at = self.held(node.place)
        if self.mc.shown:
            self.put(at)
            self.look_up(self.plan.table(int(i in self.mc.shown) for i in range(len(self.mc.places))))
            b.when()
            self._shown_word(at)
            b.i32(0)
            b.store()
            b.end()
        self.event(SHUFFLED, at)
        self.drop(at)

    def show(self, node: m.Show) -> None:
        b = self.b
        who = self.held(node.seat)

        def one(k: Value) -> None:
            with b.borrowed(I32, I32) as (place, at):
                self.put(k)
                b.i32(node.places.first)
                b.op("i32.add")
                b.set(place)
                self._shown_word(Held(place, (0, len(self.mc.places) - 1)))
                b.tee(at)
                b.get(at)
                b.load()
                b.i32(1)
                self.put(who)
                b.op("i32.shl", "i32.or")
                b.store()

        self.places(node.places, one)
        self.event(SHOWN, who)
        if self.plan.flavour.events:
            self.each(node.source, lambda value, n: self._tell_piece(value, n, node.places.classes), 20)
        self.drop(who)

    def _tell_piece(self, value: Value, n: Value, classes: int) -> None:
        if isinstance(value, Known):
            self.event(SHOWN_PIECE, value.value // classes, value.value % classes, n)
            return
        place, class_ = self.split(value.local, classes)
        self.event(SHOWN_PIECE, place, class_, n)
        self.drop(place, class_)


def _slots(node: m.Step) -> tuple[int, ...]:
    """The words of the frame that a node writes, but for those that are cleared."""
    names = ("slot", "follow", "position")
    return tuple(x for name in names if (x := getattr(node, name, None)) is not None)
