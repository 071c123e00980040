"""What can be reached, place after place."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.lower.numbers.loops import Visit
from interpreter.wasm.lower.numbers.places import Places
from interpreter.wasm.lower.numbers.values import ONE, WIDE, Held, Known, Value


class Floods(Places):
    """Adds floods whose places wait in the scratch for their neighbours' turn."""

    def _spread(self, source: m.Spread, visit: Visit) -> None:
        """A flood: places reached are marked in scratch bytes and wait there for their neighbours' turn."""
        b, top = self.b, GLOBAL["top"]
        size = len(source.links)
        starts: list[int] = [0]
        flat: list[int] = []
        for row in source.links:
            flat.extend(row)
            starts.append(len(flat))
        table, where = self.plan.table(flat or (0,)), self.plan.table(starts)
        with b.borrowed(I32, I32, I32, I32, I32, I32) as (marks, queue, head, tail, i, last):
            b.gget(top)
            b.tee(marks)
            b.i32((size + 15) // 16 * 16)
            b.op("i32.add")
            b.tee(queue)
            b.i32(4 * size + 16)
            b.op("i32.add")
            b.gset(top)
            b.get(marks)
            b.i32(0)
            b.i32(size)
            b.fill()
            self.each(source.through, lambda v, _: self._mark(marks, source.lo, v, 1), 10)
            b.get(queue)
            b.tee(head)
            b.set(tail)
            self.each(source.start, lambda v, _: self._reach(marks, source.lo, v, tail), 20)
            self._reach_all(source, (marks, head, tail), (i, last), (table, where))
            bits = [b.local(I64) for _ in range(0, size, 64)]
            for word, local in enumerate(bits):
                self._packed(marks, 64 * word, min(64, size - 64 * word), local)
            b.get(marks)
            b.gset(top)
        self._each_reached(source, bits, visit)
        b.release(*bits)

    def _each_reached(self, source: m.Spread, bits: list[int], visit: Visit) -> None:
        """Emits `visit` for each place whose bit is set."""
        b, size = self.b, len(source.links)
        with self.counting(Known(0), Known(size - 1)) as at, b.borrowed(I32) as (v,):
            self._word_at(bits, at.local)
            b.get(at.local)
            b.op("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
            b.i32(1)
            b.op("i32.and")
            b.when()
            b.get(at.local)
            b.i32(source.lo)
            b.op("i32.add")
            b.set(v)
            visit(Held(v, (source.lo, source.lo + size - 1)), ONE)
            b.end()

    def _reach_all(
        self, source: m.Spread, at: tuple[int, int, int], row: tuple[int, int], tables: tuple[int, int]
    ) -> None:
        """Every place that waits hands on to its neighbours, until none waits."""
        b = self.b
        (marks, head, tail), (i, last), (table, where) = at, row, tables
        with b.forever() as out:
            b.get(head)
            b.get(tail)
            b.op("i32.ge_u")
            b.br_if(out)
            b.get(head)
            b.load()
            b.i32(2)
            b.op("i32.shl")
            b.tee(i)
            b.load(where + 4)
            b.set(last)
            b.get(i)
            b.load(where)
            b.set(i)
            b.bump(head, 4)
            with b.forever() as inner_out:
                b.get(i)
                b.get(last)
                b.op("i32.ge_s")
                b.br_if(inner_out)
                with b.borrowed(I32) as (v,):
                    b.get(i)
                    self.look_up(table)
                    b.set(v)
                    self._reach(marks, source.lo, Held(v, WIDE), tail)
                b.bump(i, 1)

    def _packed(self, marks: int, first: int, size: int, bits: int) -> None:
        """A bit for each of the places from `first` on that has been reached.

        Nothing of a flood lies in the scratch while its places are visited: visits may put things there,
        and may leave the loop.
        """
        b = self.b
        b.i64(0)
        b.set(bits)
        with self.counting(Known(0), Known(size - 1)) as at:
            b.get(bits)
            b.get(marks)
            b.get(at.local)
            b.op("i32.add")
            b.mem("i32.load8_u", first)
            b.i32(1)
            b.op("i32.shr_u", "i64.extend_i32_u")
            b.get(at.local)
            b.op("i64.extend_i32_u", "i64.shl", "i64.or")
            b.set(bits)

    def _word_at(self, bits: list[int], at: int) -> None:
        """Leaves the one of some words in which a bit lies."""
        b = self.b
        b.get(bits[-1])
        for word in reversed(range(len(bits) - 1)):
            with b.borrowed(I64) as (later,):
                b.set(later)
                b.get(bits[word])
                b.get(later)
                b.get(at)
                b.i32(64 * (word + 1))
                b.op("i32.lt_u", "select")

    def _mark(self, marks: int, lo: int, value: Value, byte: int) -> None:
        b = self.b
        b.get(marks)
        self.put(value)
        b.op("i32.add")
        b.i32(lo)
        b.op("i32.sub")
        b.i32(byte)
        b.mem("i32.store8")

    def _reach(self, marks: int, lo: int, value: Value, tail: int) -> None:
        """A place that is marked 1 becomes 2 and waits at the queue's tail."""
        b = self.b
        b.get(marks)
        self.put(value)
        b.op("i32.add")
        b.i32(lo)
        b.op("i32.sub")
        b.mem("i32.load8_u")
        b.i32(1)
        b.op("i32.eq")
        b.when()
        self._mark(marks, lo, value, 2)
        b.get(tail)
        self.put(value)
        b.i32(lo)
        b.op("i32.sub")
        b.store()
        b.bump(tail, 4)
        b.end()
