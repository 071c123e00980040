"""Loops over numbers, and what bounds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.faults import TOO_MUCH
from interpreter.wasm.lower.numbers.numbers import Numbers
from interpreter.wasm.lower.numbers.values import Held, Span, Value

Visit = Callable[[Value, Value], None]
"""Emits what is done with a value and how often it stands in the collection."""
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
        with b.borrowed(I32) as (i,):
            self.put(first)
            b.set(i)
            out = b.block()
            again = b.loop()
            b.get(i)
            self.put(last)
            b.op("i32.gt_s")
            b.br_if(out)
            yield Held(i, (first.span[0], last.span[1]))
            b.get(i)
            b.i32(1)
            b.op("i32.add")
            b.set(i)
            b.br(again)
            b.end()
            b.end()

    def spend(self, amount: Held, most: int) -> None:
        """Takes from the work that is left; too much of it is a fault."""
        b, fuel = self.b, GLOBAL["fuel"]
        b.get(amount.local)
        b.i32(0)
        b.op("i32.gt_s")
        b.when()
        b.gget(fuel)
        b.get(amount.local)
        b.op("i32.sub")
        b.gset(fuel)
        b.gget(fuel)
        b.i32(0)
        b.op("i32.lt_s")
        b.get(amount.local)
        b.i32(most)
        b.op("i32.gt_s", "i32.or")
        b.when()
        self.fault(TOO_MUCH)
        b.end()
        b.end()

    def domain(self, source: m.Source) -> Span:
        """An interval that holds every value of a collection."""
        raise NotImplementedError

    def each(self, source: m.Source, visit: Visit, cost: int = 0) -> None:
        """A loop over a collection; `cost` is about how many parts `visit` emits."""
        raise NotImplementedError
