"""Nodes of loops: bounds, collections that are kept to be gone through, and going through them."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.faults import TOO_MANY_ROUNDS
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Value
from interpreter.wasm.lower.steps.routines import Routines


class Rounds(Routines):
    """Adds loops of the rules."""

    def bound_rounds(self, node: m.Bound) -> None:
        b = self.b
        with b.borrowed(I32, I32) as (rounds, most):
            with self.slot(node.slot):
                self.read_slot(node.slot)
                b.i32(1)
                b.op("i32.add")
                b.tee(rounds)
            b.get(rounds)
            self.num(node.most)
            b.tee(most)
            b.op("i32.gt_s")
            b.when()
            self.fault(TOO_MANY_ROUNDS, Held(most, WIDE))
            b.end()

    def snapshot(self, node: m.Snapshot) -> None:
        if node.keys or node.rotate is not None:
            self._ordered_snapshot(node)
            return
        b = self.b
        with b.borrowed(I32, I32) as (k, p):
            b.i32(0)
            b.set(k)
            self.row(node.slot)
            b.i32(4)
            b.op("i32.add")
            b.set(p)

            def keep(value: Value) -> None:
                b.get(k)
                b.i32(node.capacity)
                b.op("i32.ge_s")
                b.when()
                self.fault(TOO_MANY_ROUNDS, node.capacity)
                b.end()
                b.get(p)
                self.put(value)
                b.store()
                for local, by in ((p, 4), (k, 1)):
                    b.bump(local, by)

            self._collected(node, keep)
            self.row(node.slot)
            b.get(k)
            b.store()

    def _collected(self, node: m.Snapshot, keep: Callable[[Value], None]) -> None:
        """Emits `keep` for each value, as often as it stands in the collection."""
        b = self.b

        def one(value: Value, n: Value) -> None:
            with self.reg(node.reg, value):
                if node.where is not None:
                    self.num(node.where)
                    b.when()
                if isinstance(n, Known):
                    for _ in range(n.value):
                        keep(value)
                else:
                    with self.counting(Known(1), n):
                        keep(value)
                if node.where is not None:
                    b.end()

        self.each(node.source, one, 30)

    def _ordered_snapshot(self, node: m.Snapshot) -> None:
        """Records of keys and value are put in order in the scratch."""
        b, top = self.b, GLOBAL["top"]
        keys = len(node.keys) + (node.rotate is not None)
        start = self.held(node.rotate) if node.rotate is not None else Known(0)
        with b.borrowed(I32, I32, I32) as (first, p, to):
            b.gget(top)
            b.set(first)

            def keep(value: Value) -> None:
                for i, key in enumerate(node.keys):
                    b.gget(top)
                    self.num(key)
                    b.store(4 * i)
                if node.rotate is not None:
                    b.gget(top)
                    self.put(value)
                    self.put(start)
                    b.op("i32.sub")
                    b.i32(self.mc.seats)
                    b.op("i32.add")
                    b.i32(self.mc.seats)
                    b.op("i32.rem_u")
                    b.store(4 * keys - 4)
                b.gget(top)
                self.put(value)
                b.store(4 * keys)
                self.global_add("top", 4 * keys + 4)

            self._collected(node, keep)
            b.get(first)
            b.gget(top)
            b.i32(4 * keys + 4)
            b.call(self.plan.function("sort", (I32, I32, I32), ()))
            b.gget(top)
            b.get(first)
            b.op("i32.sub")
            b.i32((4 * keys + 4) * node.capacity)
            b.op("i32.gt_s")
            b.when()
            self.fault(TOO_MANY_ROUNDS, node.capacity)
            b.end()
            self._from_scratch(node, keys, first, (p, to))
            b.get(first)
            b.gset(top)
        self.drop(start)

    def _from_scratch(self, node: m.Snapshot, keys: int, first: int, at: tuple[int, int]) -> None:
        """The values of the records become the collection that is kept."""
        b, top = self.b, GLOBAL["top"]
        p, to = at
        self.row(node.slot)
        b.tee(to)
        b.gget(top)
        b.get(first)
        b.op("i32.sub")
        b.i32(4 * keys + 4)
        b.op("i32.div_u")
        b.store()
        b.get(first)
        b.set(p)
        with b.forever() as out:
            b.get(p)
            b.gget(top)
            b.op("i32.ge_u")
            b.br_if(out)
            b.get(to)
            b.get(p)
            b.load(4 * keys)
            b.store(4)
            for local, by in ((p, 4 * keys + 4), (to, 4)):
                b.bump(local, by)

    def iterate(self, node: m.Iterate) -> None:
        b = self.b
        with b.borrowed(I32) as (i,):
            self.read_slot(node.position)
            b.tee(i)
            self.row(node.snapshot)
            b.load()
            b.op("i32.ge_s")
            b.when()
            with self.slot(node.position):
                b.i32(0)
            self.go(node.done)
            b.end()
            with self.slot(node.position):
                b.get(i)
                b.i32(1)
                b.op("i32.add")
            with self.slot(node.slot):
                self.row(node.snapshot)
                b.get(i)
                b.i32(2)
                b.op("i32.shl", "i32.add")
                b.load(4)
        self.go(node.next)
