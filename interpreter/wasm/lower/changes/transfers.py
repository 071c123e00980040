"""Gains, losses and payments, with the bank's or the other seat's side."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.faults import BANK_OUT_OF_RANGE, CANNOT_PAY, OUT_OF_RANGE
from interpreter.wasm.lower.changes.words import Words
from interpreter.wasm.lower.numbers.values import WIDE, Held, Span


class Transfers(Words):
    """Adds transfers."""

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
