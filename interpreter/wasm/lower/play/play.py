"""Decisions that a module makes by itself, each option with equal chance."""

from __future__ import annotations

from collections.abc import Callable

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.chance import Choosing
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.emit.purity import is_pure
from interpreter.wasm.emit.shape import Part, Way
from interpreter.wasm.faults import MOST_SEARCH
from interpreter.wasm.layout import WORK_AT
from interpreter.wasm.lower.numbers.values import Known, Value
from interpreter.wasm.lower.sets.ranges import Bits, Range
from interpreter.wasm.lower.steps.steps import Steps

Entered = Callable[[int, m.Offer, int], None]
"""Emits what is done in the routine of an offer's part: the offer's number and node, where it goes on."""


class Play(Steps):
    """One region's function in a module that plays on by itself."""

    def play_decision(self, number: int, node: m.Decide | m.Offer) -> None:
        b = self.b
        parts = self.menu_of(number).parts
        masks = [b.local(I64) if self._in_register(node, i, p) else None for i, p in enumerate(parts)]
        counts = [b.local() for _ in parts]
        for i, part in enumerate(parts):
            self._fill(number, node, i, part, masks[i], counts[i])
        self.node = number
        with b.borrowed(I32, I32) as (total, k):
            b.get(counts[0])
            for local in counts[1:]:
                b.get(local)
                b.op("i32.add")
            b.set(total)
            self._nothing_at_all(number, node, total)
            self.count_decision(number)
            self.refuel()
            if self.plan.plays_branches:
                b.gget(GLOBAL["others"])
                b.gset(GLOBAL["pausing"])
                b.i32(0)
                b.gset(GLOBAL["changed"])
            self.count_offered(total, node.passing is not None)
            self.pick_number(total, 1 if node.passing is not None else 0, k)
            if node.passing is not None:
                b.get(k)
                b.get(total)
                b.op("i32.eq")
                b.when()
                self.go(node.passing)
                b.end()
            self._choose_part(number, node, parts, masks, counts, k)
        b.release(*counts, *(x for x in masks if x is not None))

    def _in_register(self, node: m.Decide | m.Offer, index: int, part: Part) -> bool:
        """Whether a part's bits fit into a local and are found without another function."""
        if not part.small:
            return False
        if isinstance(node, m.Decide):
            return True
        return isinstance(node.what[index], m.DoRoutine) and is_pure(self.mc, part.ways[0])

    def _fill(
        self, number: int, node: m.Decide | m.Offer, index: int, part: Part, mask: int | None, count: int
    ) -> None:
        """The bits of a part, in a local or in memory, and how many there are."""
        b = self.b
        if mask is None:
            self._fill_memory(number, node, index, part, count)
            return
        if part.size == 0:
            b.i32(0)
            b.set(count)

            def done(_: Value) -> None:
                b.i32(1)
                b.set(count)

            self.part(number, index, done, None)
            return
        b.i64(0)
        b.set(mask)

        def found(bit: Value) -> None:
            b.get(mask)
            if isinstance(bit, Known):
                b.i64(1 << bit.value)
            else:
                b.i64(1)
                b.get(bit.local)
                b.op("i64.extend_i32_u", "i64.shl")
            b.op("i64.or")
            b.set(mask)

        def found_set(bits: Bits, r: Range) -> None:
            b.get(mask)
            b.get(bits[0])
            if r.lo != part.lo:
                b.i64(abs(r.lo - part.lo))
                b.op("i64.shl" if r.lo > part.lo else "i64.shr_u")
            b.op("i64.or")
            b.set(mask)

        if isinstance(node, m.Decide):
            self.choices(number, node, part.lo, part.size, found, found_set)
        else:
            self.part(number, index, found, None, found_set)
        b.get(mask)
        b.op("i64.popcnt", "i32.wrap_i64")
        b.set(count)

    def _fill_memory(self, number: int, node: m.Decide | m.Offer, index: int, part: Part, count: int) -> None:
        b, buffer = self.b, self.plan.menu_address + 8 * part.first
        with b.borrowed(I32) as (at,):
            b.i32(buffer)
            b.set(at)
            self.zero(at, 0, 2 * part.words)

            def found(bit: Value) -> None:
                self.set_bit(at, 0, bit)

            def found_set(bits: Bits, r: Range) -> None:
                for i, local in enumerate(bits):
                    b.get(at)
                    b.get(at)
                    b.mem("i64.load", 8 * i)
                    b.get(local)
                    b.op("i64.or")
                    b.mem("i64.store", 8 * i)

            lo = self._set_begins(node, index)
            whole = found_set if lo == part.lo else None
            if isinstance(node, m.Decide):
                self.choices(number, node, part.lo, part.size, found, whole)
            else:
                self.part(number, index, found, lambda: b.get(at), whole)
            self.count_bits(at, part.words)
            b.set(count)

    def _set_begins(self, node: m.Decide | m.Offer, index: int) -> int | None:
        """Where the set of a part's values begins, if they are found as a set."""
        choice: m.Step = node
        if isinstance(node, m.Offer):
            doing = node.what[index]
            way = next(self.ways(doing))
            if not isinstance(doing, m.DoRoutine) or way.choice is None:
                return None
            choice = self.mc.nodes[way.choice]
        assert isinstance(choice, m.Decide)
        r = self.worthwhile(choice.source, choice.reg, choice.where)
        return r.lo if r is not None else None

    def _nothing_at_all(self, number: int, node: m.Decide | m.Offer, total: int) -> None:
        b = self.b
        b.get(total)
        b.op("i32.eqz")
        if node.asks:
            self.num(node.seat)
            b.i32(NONE)
            b.op("i32.eq", "i32.and")
        b.when()
        self.nothing(number, node, both=True)
        b.end()

    def count_offered(self, total: int, passing: bool) -> None:
        """What statistics want to know of a decision."""
        if not self.plan.flavour.counts:
            return
        b = self.b
        with b.borrowed(I32) as (n,):
            b.get(total)
            b.i32(int(passing))
            b.op("i32.add")
            b.tee(n)
            b.op("i64.extend_i32_u")
            b.gget(GLOBAL["offered"])
            b.op("i64.add")
            b.gset(GLOBAL["offered"])
            b.get(n)
            b.gget(GLOBAL["widest"])
            b.get(n)
            b.gget(GLOBAL["widest"])
            b.op("i32.gt_s", "select")
            b.gset(GLOBAL["widest"])

    def pick_number(self, total: int, more: int, k: int) -> None:
        """`k` becomes a number below `total + more`. Where there is only one, nothing is drawn."""
        b = self.b
        with b.borrowed(I32) as (n,):
            b.get(total)
            if more:
                b.i32(more)
                b.op("i32.add")
            b.set(n)
            b.i32(0)
            b.set(k)
            b.get(n)
            b.i32(1)
            b.op("i32.gt_s")
            b.when()
            self.next_random()
            b.op("i64.extend_i32_u")
            b.get(n)
            b.op("i64.extend_i32_u", "i64.mul")
            b.i64(32)
            b.op("i64.shr_u", "i32.wrap_i64")
            b.set(k)
            b.end()

    def refuel(self) -> None:
        """A decision starts the count of work anew."""
        self.b.i32(MOST_SEARCH)
        self.b.gset(GLOBAL["search"])
        self.b.load_now(WORK_AT)
        self.b.gset(GLOBAL["fuel"])

    def rng_get(self) -> None:
        self.b.gget(GLOBAL["rng"])

    def rng_set(self) -> None:
        self.b.gset(GLOBAL["rng"])

    def next_random(self) -> None:
        """Leaves the next 32 bits of the choosing generator.

        Source: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for
        Random Number Generation" (2014): PCG-XSH-RR 64/32.
        """
        b = self.b
        with b.borrowed(I64) as (x,):
            self.rng_get()
            b.tee(x)
            b.i64(Choosing.MULTIPLIER)
            b.op("i64.mul")
            b.i64(Choosing.INCREMENT)
            b.op("i64.add")
            self.rng_set()
            b.get(x)
            b.get(x)
            b.i64(18)
            b.op("i64.shr_u", "i64.xor")
            b.i64(27)
            b.op("i64.shr_u", "i32.wrap_i64")
            b.get(x)
            b.i64(59)
            b.op("i64.shr_u", "i32.wrap_i64", "i32.rotr")

    def _choose_part(
        self,
        number: int,
        node: m.Decide | m.Offer,
        parts: tuple[Part, ...],
        masks: list[int | None],
        counts: list[int],
        k: int,
    ) -> None:
        """Finds the part in which the k-th option lies, and takes it."""
        b = self.b
        for i, part in enumerate(parts):
            last = i == len(parts) - 1
            if not last:
                b.get(k)
                b.get(counts[i])
                b.op("i32.lt_s")
                b.when()
            self._take_kth(number, node, i, part, masks[i], k)
            if not last:
                b.end()
                b.get(k)
                b.get(counts[i])
                b.op("i32.sub")
                b.set(k)

    def _take_kth(
        self, number: int, node: m.Decide | m.Offer, index: int, part: Part, mask: int | None, k: int
    ) -> None:
        with self.b.borrowed(I32) as (bit,):
            self._find_bit(part, mask, k, bit)
            self._take(number, node, index, part, bit)

    def _find_bit(self, part: Part, mask: int | None, k: int, bit: int) -> None:
        """`bit` becomes the k-th bit that is set."""
        b = self.b
        if part.size == 0:
            b.i32(0)
            b.set(bit)
            return
        if mask is None:
            b.i32(self.plan.menu_address + 8 * part.first)
            b.get(k)
            b.call(self.plan.function("select", (I32, I32)))
            b.set(bit)
            return
        with b.forever() as out:
            b.get(k)
            b.op("i32.eqz")
            b.br_if(out)
            b.get(mask)
            b.get(mask)
            b.i64(1)
            b.op("i64.sub", "i64.and")
            b.set(mask)
            b.get(k)
            b.i32(1)
            b.op("i32.sub")
            b.set(k)
        b.get(mask)
        b.op("i64.ctz", "i32.wrap_i64")
        b.set(bit)

    def _take(self, number: int, node: m.Decide | m.Offer, index: int, part: Part, bit: int) -> None:
        if isinstance(node, m.Decide):
            with self.slot(node.slot):
                self._value(part, bit)
            self.go(node.next)
        else:
            take_offer(self, number, node, index, bit, self._run_way)
            self.go(node.next)

    def _value(self, part: Part, bit: int) -> None:
        self.b.get(bit)
        if part.lo:
            self.b.i32(part.lo)
            self.b.op("i32.add")

    def _run_way(self, number: int, node: m.Offer, target: int) -> None:
        self.run_routine(target, node.next)


def take_offer(f: Steps, number: int, node: m.Offer, index: int, bit: int, run: Entered) -> None:
    """Enters the routine of one part of an offer, with the value of a bit, and emits `run` there."""
    part, doing = f.menu_of(number).parts[index], node.what[index]
    me = f.held(node.seat)

    def one(way: Way, actor: Value, arguments: list[Value]) -> None:
        f.push_frame(number, way.routine, me, actor, arguments, node.next)
        if way.choice is None:
            run(number, node, f.entry(way.routine, way.given))
            return
        choice = f.mc.nodes[way.choice]
        assert isinstance(choice, m.Decide)
        plain_too = bool(way.needs)
        if plain_too:
            f.b.get(bit)
            f.b.i32(part.size)
            f.b.op("i32.eq")
            f.b.when()
            run(number, node, f.entry(way.routine, way.given))
            f.b.otherwise()
        f.b.get(f.frame)
        f.b.get(bit)
        f.b.i32(part.lo)
        f.b.op("i32.add")
        f.b.store(4 * (f.plan.size_at[number] + choice.slot))
        run(number, node, choice.next)
        if plain_too:
            f.b.end()

    if isinstance(doing, m.DoRoutine):
        arguments = [f.held(a) for a in doing.arguments]
        one(part.ways[0], Known(NONE), arguments)
        f.drop(*arguments)
    else:
        actor = f.held(doing.actor)

        def by_cell(routine: int, arguments: list[Value]) -> None:
            one(
                next(x for x in part.ways if (x.routine, x.given) == (routine, len(arguments))),
                actor,
                arguments,
            )

        f.each_cell(doing.cell, by_cell, taking=True)
        f.drop(actor)
    f.drop(me)
