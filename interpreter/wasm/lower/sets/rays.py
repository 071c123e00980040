"""Sets that are led over links: neighbours, floods, beginnings of rays."""

from __future__ import annotations

from dataclasses import replace

from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.lower.numbers.values import Known, Value
from interpreter.wasm.lower.sets.askable import Behind, goes
from interpreter.wasm.lower.sets.columns import Columns
from interpreter.wasm.lower.sets.ranges import Bits, Range


class Rays(Columns):
    """Adds shifts of whole sets along links."""

    # ---- links

    def lead(self, links: list[list[int]], lo: int, start: Bits, to: Bits, through: Bits | None) -> None:
        """`to` gains the places that links lead to from `start`, as far as they lie in `through`.

        Links of equal length are one shift. `start` may be `to`: then one round may lead over several links.
        """
        by_length: dict[int, int] = {}
        for i, row in enumerate(links):
            for v in row:
                by_length[v - lo - i] = by_length.get(v - lo - i, 0) | 1 << i
        for length, sources in by_length.items():
            self._lead_by(length, sources, start, to, through, len(links))

    def _lead_by(
        self, length: int, sources: int, start: Bits, to: Bits, through: Bits | None, size: int
    ) -> None:
        b = self.b
        every = (1 << size) - 1
        needed = sources != every & (every >> length if length > 0 else every << -length) & every
        parts = []
        for i, local in enumerate(start):
            part = b.local(I64)
            b.get(local)
            if needed:
                b.i64(sources >> 64 * i & (1 << 64) - 1)
                b.op("i64.and")
            b.set(part)
            parts.append(part)
        for i, local in enumerate(to):
            b.get(local)
            self._shifted(parts, i, length)
            if not needed and 64 * (i + 1) > size:
                b.i64(every >> 64 * i)
                b.op("i64.and")
            if through is not None:
                b.get(through[i])
                b.op("i64.and")
            b.op("i64.or")
            b.set(local)
        b.release(*parts)

    def _shifted(self, parts: list[int], i: int, length: int) -> None:
        """Leaves the i-th word of a set whose bits have been moved up by `length`."""
        b = self.b
        terms: list[tuple[int, str, int]] = []
        for j, part in enumerate(parts):
            move = 64 * (j - i) + length
            if -64 < move < 64:
                terms.append((part, "i64.shl" if move >= 0 else "i64.shr_u", abs(move)))
        if not terms:
            b.i64(0)
        for k, (part, op, by) in enumerate(terms):
            b.get(part)
            if by:
                b.i64(by)
                b.op(op)
            if k:
                b.op("i64.or")

    def _linked_set(self, e: m.Fold, r: Range) -> Bits:
        """The places with a neighbour for which a condition holds: the set of those, led over the links."""
        assert isinstance(e.source, m.Linked)
        found = self.bits(r)
        self.set_bits(found, r.all)
        if e.where is not None:
            self.keep(e.where, e.reg, r, found)
        links: list[list[int]] = [[] for _ in e.source.links]
        for i, row in enumerate(e.source.links):
            for v in row:
                links[v - e.source.lo].append(i + e.source.lo)
        led = self.bits(r)
        self.set_bits(led, 0)
        self.lead(links, e.source.lo, found, led, None)
        self.free(found)
        return led

    # ---- floods

    def _spread_set(self, source: m.Spread, r: Range, found: Bits) -> None:
        """Reached is led over the links again and again, within what may be gone through."""
        b = self.b
        through = self.source_bits(source.through, r)
        self._into(found, self.source_bits(source.start, r))
        self.combine(found, "i64.and", through)
        before = self.bits(r)
        self.any_bit(found)
        b.when()
        again = b.loop()
        self.copy_bits(before, found)
        self.lead([list(row) for row in source.links], source.lo, found, found, through)
        for i, (x, y) in enumerate(zip(before, found, strict=True)):
            b.get(x)
            b.get(y)
            b.op("i64.ne")
            if i:
                b.op("i32.or")
        b.br_if(again)
        b.end()
        b.end()
        self.free(before)
        self.free(through)

    def reaches(self, source: m.Spread, reg: int, where: m.Expr, r: Range) -> None:
        """Leaves whether a place that meets a condition is reached; the flood ends as soon as one is."""
        b = self.b
        through, goal = self.source_bits(source.through, r), self.bits(r)
        self.copy_bits(goal, through)
        self.keep(where, reg, r, goal)
        out = b.block(I32)
        b.i32(0)
        self.any_bit(goal)
        b.op("i32.eqz")
        b.br_if(out)
        b.op("drop")
        found, before = self.source_bits(source.start, r), self.bits(r)
        self.combine(found, "i64.and", through)
        again = b.loop(I32)
        self.copy_bits(before, found)
        self.lead([list(row) for row in source.links], source.lo, found, found, through)
        for x, y in zip(goal, found, strict=True):
            b.get(x)
            b.get(y)
            b.op("i64.and", "i64.eqz", "i32.eqz")
            b.when()
            b.i32(1)
            b.br(out)
            b.end()
        for i, (x, y) in enumerate(zip(before, found, strict=True)):
            b.get(x)
            b.get(y)
            b.op("i64.ne")
            if i:
                b.op("i32.or")
        b.br_if(again)
        b.i32(0)
        b.end()
        b.end()
        for bits in (through, goal, found, before):
            self.free(bits)

    # ---- beginnings of rays

    def _begins_set(self, e: m.Expr, firsts: list[int], r: Range) -> Bits:
        """The places whose rays begin with a value that meets the condition."""
        assert isinstance(e, m.Size)
        assert isinstance(e.source, m.Prefix)
        found = self.bits(r)
        self.set_bits(found, r.all)
        self.keep(e.source.where, e.source.reg, r, found)
        led = self._led_back(found, firsts, r)
        self.free(found)
        return led

    def _led_back(self, found: Bits, firsts: list[int], r: Range) -> Bits:
        """The places whose first, towards which they look, is in a set."""
        links: list[list[int]] = [[] for _ in range(r.size)]
        for i, first in enumerate(firsts):
            if first >= 0:
                links[first - r.lo].append(i + r.lo)
        led = self.bits(r)
        self.set_bits(led, 0)
        self.lead(links, r.lo, found, led, None)
        return led

    def behind_set(self, behind: Behind, r: Range) -> Bits:
        """The places that look over passed ones at one that meets a condition.

        Those whose first meets it are looked for first; then, again and again, those whose first is passed
        and looks at such a one. No ray has more places than rounds.
        """
        passed, ends = self.bits(r), self.bits(r)
        for bits, condition, reg in (
            (passed, behind.prefix.where, behind.prefix.reg),
            (ends, behind.ends, behind.reg),
        ):
            self.set_bits(bits, r.all)
            self.keep(condition, reg, r, bits)
        self.minus(ends, passed)
        found = self._led_back(ends, behind.firsts, r)
        for _ in range(behind.longest - 1):
            self.combine(found, "i64.and", passed)
            self.combine(found, "i64.or", ends)
            self._into(found, self._led_back(found, behind.firsts, r))
        self.free(passed)
        self.free(ends)
        return found

    def count_beginning(self, source: m.Prefix, r: Range, up: bool | None) -> tuple[int, int]:
        """Leaves how many values stand before the first that does not meet the condition."""
        if up is None:
            return self._count_either_way(source, r)
        b = self.b
        row = self.source_bits(source.source, r)
        stops = self._copy(row, r)
        self.keep(m.Not(source.where), source.reg, r, stops)
        order = list(range(len(row))) if up else list(reversed(range(len(row))))
        with b.borrowed(I32) as (total,):
            b.i32(0)
            b.set(total)
            out = b.block()
            for i in order:
                b.get(total)
                b.get(row[i])
                b.get(stops[i])
                b.op("i64.eqz")
                b.when(I64)
                b.i64(-1)
                b.otherwise()
                if up:
                    b.get(stops[i])
                    b.i64(1)
                    b.op("i64.sub")
                    b.get(stops[i])
                    b.i64(-1)
                    b.op("i64.xor", "i64.and")
                else:
                    b.i64(-2)
                    b.i64(63)
                    b.get(stops[i])
                    b.op("i64.clz", "i64.sub", "i64.shl")
                b.end()
                b.op("i64.and", "i64.popcnt", "i32.wrap_i64", "i32.add")
                b.set(total)
                if i != order[-1]:
                    b.get(stops[i])
                    b.op("i64.eqz", "i32.eqz")
                    b.br_if(out)
            b.end()
            b.get(total)
        self.free(row)
        self.free(stops)
        return (0, r.size)

    def _count_either_way(self, source: m.Prefix, r: Range) -> tuple[int, int]:
        """The same for rays of one word, each of which goes up or down by a table."""
        b, rays = self.b, source.source
        assert isinstance(rays, m.Linked)
        index = self.held(rays.index)
        rows = self._under(rays, index)
        row = self.source_bits(rows, r)
        stops = self._copy(row, r)
        self.keep(m.Not(source.where), source.reg, r, stops)
        (x,), (y,) = row, stops
        b.get(x)
        b.get(y)
        b.i64(1)
        b.op("i64.sub")
        b.get(y)
        b.i64(-1)
        b.op("i64.xor", "i64.and")
        b.i64(-1)
        b.i64(-2)
        b.i64(63)
        b.get(y)
        b.op("i64.clz", "i64.sub", "i64.shl")
        b.get(y)
        b.op("i64.eqz", "select")
        self.put(index)
        self.look_up(self.plan.table(int(goes(row_, True)) for row_ in rays.links), rays.lo)
        b.op("select", "i64.and", "i64.popcnt", "i32.wrap_i64")
        self.drop(index)
        self.free(row)
        self.free(stops)
        return (0, r.size)

    def _under(self, rays: m.Linked, index: Value) -> m.Linked:
        """The same rays with an index that is worked out already."""
        if isinstance(index, Known):
            return replace(rays, index=m.Const(index.value))
        spare = max(self.regs, default=0) + 1000
        self.regs[spare] = index
        return replace(rays, index=m.Reg(spare))
