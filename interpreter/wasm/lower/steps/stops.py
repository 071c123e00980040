"""Nodes at which a run may stop: decisions, chance, branches, the end."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.emit.codes import BRANCH_END, CHANCE, FAIL, OK, OVER, STOP, SWITCH
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.faults import NOTHING_TO_CHOOSE, TOO_LONG
from interpreter.wasm.lower.changes.events import ENDED
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Value
from interpreter.wasm.lower.steps.rounds import Rounds


class Stops(Rounds):
    """Adds stops."""

    def stop_at(self, number: int, code: int) -> None:
        self.b.get(self.s)
        self.b.i32(number)
        self.b.store(4 * m.PC)
        self.give(code)

    def tried(self) -> None:
        """Opens a block for what happens while something is tried."""
        self.b.gget(GLOBAL["trial"])
        self.b.when()

    # ---- chance

    def chance(self, number: int, node: m.Chance) -> int | None:
        b = self.b
        self.tried()
        self.give(OK)
        b.end()
        if self.plan.flavour.bare:
            self.stop_at(number, CHANCE)
            return None
        self.global_add("outcomes", 1)
        if node.faces is not None:
            with self.slot(node.slot):
                self._drawn(node, Known(node.faces))
        elif node.most is not None:
            most = self.held(node.most)
            with self.slot(node.slot):
                self._drawn(node, most)
            self.drop(most)
        else:
            self._drawn_class(node)
        return node.next

    def _drawn(self, node: m.Chance, total: Value) -> None:
        """Leaves a number below `total`."""
        self.b.get(self.s)
        self.b.i32(node.stream)
        self.put(total)
        self.b.call(self.plan.function("draw", (I32, I32, I32)))

    def _drawn_class(self, node: m.Chance) -> None:
        """A class, each piece of the place with equal chance."""
        b = self.b
        assert node.place is not None
        place = self.held(node.place)
        with b.borrowed(I32, I32, I32) as (total, at, c):
            self.word_of(place)
            b.set(at)
            b.get(self.s)
            self.put(place)
            b.call(self.plan.function("count", (I32, I32)))
            b.set(total)
            self._drawn(node, Held(total, WIDE))
            b.set(total)
            b.i32(0)
            b.set(c)
            with b.forever() as out:
                b.get(total)
                b.get(at)
                b.load()
                b.op("i32.sub")
                b.tee(total)
                b.i32(0)
                b.op("i32.lt_s")
                b.br_if(out)
                for local, by in ((c, 1), (at, 4)):
                    b.bump(local, by)
            with self.slot(node.slot):
                b.get(c)
        self.drop(place)

    # ---- decisions

    def decision(self, number: int, node: m.Decide | m.Offer) -> int | None:
        b = self.b
        if self.plan.flavour.stops:
            self._stopping(number, node, both=True)
            return None
        self.tried()
        self._stopping(number, node, both=False)
        b.end()
        if self.plan.plays_branches:
            b.gget(GLOBAL["pausing"])
            b.when()
            self._stopping(number, node, both=True)
            b.end()
        self.play_decision(number, node)
        return None

    def play_decision(self, number: int, node: m.Decide | m.Offer) -> None:
        """Chooses by itself and goes on."""
        raise NotImplementedError

    def _stopping(self, number: int, node: m.Decide | m.Offer, both: bool) -> None:
        """Stops if there is something to choose; `both`: not only in trials."""
        b = self.b
        if node.asks and self.mc.cover:
            # What is offered is not looked for yet: as in the reference executor.
            self._somebody_asked(node)
            b.when()
            self._stop_here(number, both)
            b.end()
        with b.borrowed(I32) as (found,):
            b.get(self.s)
            b.i32(0)
            b.call(self.plan.function(f"menu {number}", (I32, I32)))
            self.unless_fault(found)
            b.get(found)
            if node.asks:
                self._somebody_asked(node)
                b.op("i32.or")
            b.when()
            self._stop_here(number, both)
            b.end()
        self.nothing(number, node, both)

    def _somebody_asked(self, node: m.Decide | m.Offer) -> None:
        """Leaves whether there is a seat that decides."""
        self.num(node.seat)
        self.b.i32(NONE)
        self.b.op("i32.ne")

    def _stop_here(self, number: int, both: bool) -> None:
        if not both:
            self.give(OK)
            return
        self.tried()
        self.give(OK)
        self.b.end()
        self.stop_at(number, STOP)

    def nothing(self, number: int, node: m.Decide | m.Offer, both: bool) -> None:
        """There is nothing to choose."""
        following = node.nothing if isinstance(node, m.Decide) else None
        following = node.passing if following is None else following
        if following is not None:
            self.go(following)
        elif both:
            self.node = number
            self.refuse(NOTHING_TO_CHOOSE)
        else:
            self.give(FAIL)

    def count_decision(self, number: int) -> None:
        """A decision more; too many are a fault."""
        b = self.b
        with b.borrowed(I32) as (n,):
            b.get(self.s)
            b.get(self.s)
            b.load(4 * m.DECISIONS)
            b.i32(1)
            b.op("i32.add")
            b.tee(n)
            b.store(4 * m.DECISIONS)
            b.get(n)
            b.i32(self.mc.longest)
            b.op("i32.gt_s")
            b.when()
            self.node = number
            self.fault(TOO_LONG)
            b.end()

    # ---- branches, and the end

    def fork(self, number: int, node: m.Fork) -> None:
        """Every seat gets a frame; a module that plays by itself runs them to their ends and goes on."""
        b, mc = self.b, self.mc
        if self.plan.plays_branches:
            self.tried()
            self.give(OK)
            b.end()
        arguments = [self.held(a) for a in node.arguments]
        for word, value in ((m.FORKED, 1), (m.FORK, number)):
            b.get(self.s)
            b.i32(value)
            b.store(4 * word)
        b.get(self.s)
        b.get(self.s)
        b.load(4 * m.FP)
        b.store(4 * m.MAIN_FP)
        if self.plan.keeps_saved:
            b.get(self.s)
            b.i32(4 * mc.saved)
            b.op("i32.add")
            b.get(self.s)
            b.i32(4 * mc.saved_from)
            b.op("i32.add")
            b.i32(4 * (mc.saved_to - mc.saved_from))
            b.copy()
        for seat in range(mc.seats):
            base = mc.branch_stack + seat * mc.branch_size
            words: list[tuple[int, Value]] = [
                (base + m.RETURN, Known(BRANCH_END)),
                (base + m.ME, Known(seat)),
                (base + m.SELF, Known(NONE)),
                *((base + m.FRAME + i, a) for i, a in enumerate(arguments)),
                (mc.branches + 3 * seat, Known(mc.routines[node.routine].entries[0])),
                (mc.branches + 3 * seat + 1, Known(base)),
                (mc.branches + 3 * seat + 2, Known(m.READY)),
            ]
            for word, what in words:
                b.get(self.s)
                self.put(what)
                b.store(4 * word)
        if not self.plan.plays_branches:
            self.give(SWITCH)
            return
        with b.borrowed(I32) as (code,):
            b.get(self.s)
            b.call(self.plan.function("branches"))
            b.tee(code)
            b.i32(0)
            b.op("i32.lt_s")
            b.when()
            b.get(code)
            b.op("return")
            b.end()
        self.go(node.next)

    def win(self, seat: m.Expr) -> None:
        b = self.b
        b.get(self.s)
        b.get(self.s)
        b.load(4 * m.WINNERS)
        b.i32(1)
        self.num(seat)
        b.op("i32.shl", "i32.or")
        b.store(4 * m.WINNERS)
        self.over()

    def over(self) -> None:
        self.b.get(self.s)
        self.b.i32(1)
        self.b.store(4 * m.STATUS)
        self.event(ENDED)
        self.give(OVER)
