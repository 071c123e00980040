"""Loops over numbers, and what bounds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.faults import MOST_WORK, SEARCHED_LONG, TOO_MUCH
from interpreter.wasm.layout import WORK_AT
from interpreter.wasm.lower.numbers.numbers import Numbers
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Span, Value

Visit = Callable[[Value, Value], None]
"""Emits what is done with a value and how often it stands in the collection."""
FEW = 8
"""Rounds that cost no work."""
UNROLLED = 240
"""The most parts that a loop may come to when it is written out."""
UNROLLED_ON_BOARDS = 720
"""The same where there are bit boards: known places are read off them together."""


class Loops(Numbers):
    """Adds loops, the work they cost, and intervals of expressions."""

    def bound(self, e: m.Expr) -> Span:
        """The interval of an expression, found by emitting it in vain."""
        b = self.b
        length, depth = len(b.code), b.depth
        span = self.num(e)
        del b.code[length:]
        b.depth = depth
        return span

    @contextmanager
    def counting(self, first: Value, last: Value) -> Iterator[Held]:
        """The block's code for each number from `first` to `last`."""
        b = self.b
        if self.nesting and last.span[1] - first.span[0] > FEW:
            self._spend_between(first, last)
        with b.borrowed(I32) as (i,):
            self.put(first)
            b.set(i)
            with b.forever() as out:
                b.get(i)
                self.put(last)
                b.op("i32.gt_s")
                b.br_if(out)
                self.nesting += 1
                yield Held(i, (first.span[0], last.span[1]))
                self.nesting -= 1
                b.bump(i, 1)

    def _spend_between(self, first: Value, last: Value) -> None:
        b = self.b
        if isinstance(first, Known) and isinstance(last, Known):
            self.spend(Known(last.value - first.value + 1), MOST_WORK)
            return
        with b.borrowed(I32) as (n,):
            self.put(last)
            self.put(first)
            b.op("i32.sub")
            b.set(n)
            self.spend(Held(n, WIDE), MOST_WORK)

    def spend(self, amount: Value, most: int) -> None:
        """Takes from the work that is left; too much of it is a fault.

        Loops in loops are what takes long: one alone is as long as its collection is large.
        """
        b = self.b
        if isinstance(amount, Held):
            self.put(amount)
            b.i32(0)
            b.op("i32.gt_s")
            b.when()
        self.fuel_get()
        self.put(amount)
        b.op("i32.sub")
        self.fuel_set()
        self.fuel_get()
        b.i32(0)
        b.op("i32.lt_s")
        if isinstance(amount, Held):
            self.put(amount)
            b.i32(most)
            b.op("i32.gt_s", "i32.or")
        b.when()
        self.fault(TOO_MUCH)
        b.end()
        if isinstance(amount, Held):
            b.end()

    def worked_out(self) -> None:
        """What is tried next has work anew if none was left, at the cost of the search, which may end."""
        b, search = self.b, GLOBAL["search"]
        self.fuel_get()
        b.i32(0)
        b.op("i32.lt_s")
        b.when()
        b.gget(search)
        b.i32(MOST_WORK >> 6)
        b.op("i32.sub")
        b.gset(search)
        b.load_now(WORK_AT)
        self.fuel_set()
        b.end()
        b.gget(search)
        b.i32(0)
        b.op("i32.lt_s")
        b.when()
        self.fault(SEARCHED_LONG)
        b.end()

    def fuel_get(self) -> None:
        self.b.gget(GLOBAL["fuel"])

    def fuel_set(self) -> None:
        self.b.gset(GLOBAL["fuel"])

    def domain(self, source: m.Source) -> Span:
        """An interval that holds every value of a collection."""
        raise NotImplementedError

    def each(self, source: m.Source, visit: Visit, cost: int = 0) -> None:
        """A loop over a collection; `cost` is about how many parts `visit` emits."""
        raise NotImplementedError
