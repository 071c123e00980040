"""Who makes decisions: the referee outside, or the module itself.

Drivers of regions keep their counters in globals and in the state; those of a whole game keep them in locals.
"""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import FAIL, WORK_AT
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import GLOBAL
from interpreter.wasm.emit.operands import Variable, word_now
from interpreter.wasm.emit.streams import STREAM, next_number
from interpreter.wasm.faults import MOST_SEARCH, TOO_LONG
from interpreter.wasm.lower import calls, const_eval, playout, stepper, stops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.control import WholeGame
from interpreter.wasm.lower.frames import SavedAtStops
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value
from interpreter.wasm.option_layout import OptionPart, RoutineEntry


class RegionReferee:
    """Every decision and every chance is a stop. Counters of the run stand in globals and in the state."""

    def __init__(self, fx: FunctionContext) -> None:
        self.fx = fx

    # ---- trials and stops

    def tried(self) -> None:
        self.fx.b.gget(GLOBAL["trial"])
        self.fx.b.when()

    def refuse(self, kind: int, a: Value | int = 0, b: Value | int = 0, c: Value | int = 0) -> None:
        body = self.fx.b
        body.gget(GLOBAL["trial"])
        body.when()
        body.i32(FAIL)
        body.op("return")
        body.end()
        self.fx.fault(kind, a, b, c)

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        stops.stop_if_any(self.fx, number, node, both=True)
        return None

    def stop_at(self, number: int, code: int) -> None:
        self.fx.b.get(self.fx.s)
        self.fx.b.i32(number)
        self.fx.b.store(4 * ir.PC)
        self.fx.control.ret(code)

    def count_decision(self, number: int) -> None:
        fx, b = self.fx, self.fx.b
        with b.borrowed(I32) as (n,):
            b.get(fx.s)
            b.get(fx.s)
            b.load(4 * ir.DECISIONS)
            b.i32(1)
            b.op("i32.add")
            b.tee(n)
            b.store(4 * ir.DECISIONS)
            b.get(n)
            b.i32(fx.mc.longest)
            b.op("i32.gt_s")
            b.when()
            fx.node = number
            fx.fault(TOO_LONG)
            b.end()

    # ---- chance and counters

    def draw_number(self, node: ir.Chance, total: Value) -> None:
        b = self.fx.b
        b.get(self.fx.s)
        b.i32(node.stream)
        self.fx.put(total)
        b.call(self.fx.builder.function("draw", (I32, I32, I32)))

    def fuel_get(self) -> None:
        self.fx.b.gget(GLOBAL["fuel"])

    def fuel_set(self) -> None:
        self.fx.b.gset(GLOBAL["fuel"])

    def refuel(self) -> None:
        b = self.fx.b
        b.i32(MOST_SEARCH)
        b.gset(GLOBAL["search"])
        b.push(word_now(WORK_AT))
        b.gset(GLOBAL["fuel"])

    def rng_get(self) -> None:
        self.fx.b.gget(GLOBAL["rng"])

    def rng_set(self) -> None:
        self.fx.b.gset(GLOBAL["rng"])

    # ---- options

    def fill(
        self,
        number: int,
        node: ir.Decide | ir.Offer,
        index: int,
        part: OptionPart,
        mask: int | None,
        count: int,
    ) -> None:
        playout.fill(self.fx, number, node, index, part, mask, count)

    def take(self, number: int, node: ir.Decide | ir.Offer, index: int, part: OptionPart, bit: int) -> None:
        playout.take(self.fx, number, node, index, part, bit)

    def take_kth(
        self, number: int, node: ir.Decide | ir.Offer, index: int, part: OptionPart, mask: int | None, k: int
    ) -> None:
        playout.take_kth(self.fx, number, node, index, part, mask, k)


class RegionPlayout(RegionReferee):
    """The module makes every decision by itself, each option with equal chance."""

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        fx, b = self.fx, self.fx.b
        self.tried()
        stops.stop_if_any(fx, number, node, both=False)
        b.end()
        if fx.builder.plays_branches:
            b.gget(GLOBAL["pausing"])
            b.when()
            stops.stop_if_any(fx, number, node, both=True)
            b.end()
        playout.play_decision(fx, number, node)
        return None


class RegionStepper(RegionReferee):
    """Decisions are stops that leave their options in the buffer; chance is drawn by the module."""

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        self.tried()
        stops.stop_if_any(self.fx, number, node, both=False)
        self.fx.b.end()
        stepper.stop_with_options(self.fx, number, node)
        return None


# ---- a whole game as one function


class LocalPlayout:
    """The game plays itself to its end."""

    def __init__(self, fx: FunctionContext, game: WholeGame) -> None:
        self.fx, self.game, self.registers = fx, game, game.registers

    # ---- trials and stops

    def tried(self) -> None:
        """Nothing is tried by running: the block never runs."""
        self.fx.b.i32(0)
        self.fx.b.when()

    def refuse(self, kind: int, a: Value | int = 0, b: Value | int = 0, c: Value | int = 0) -> None:
        self.fx.fault(kind, a, b, c)

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        playout.play_decision(self.fx, number, node)
        return None

    def stop_at(self, number: int, code: int) -> None:
        raise AssertionError("a playout does not stop")

    def count_decision(self, number: int) -> None:
        b = self.fx.b
        b.get(self.registers.decisions)
        b.i32(1)
        b.op("i32.add")
        b.tee(self.registers.decisions)
        b.i32(self.fx.mc.longest)
        b.op("i32.gt_s")
        b.when()
        self.fx.node = number
        self.fx.fault(TOO_LONG)
        b.end()
        self.refill()

    # ---- counters

    def refill(self) -> None:
        """Work stands in memory, so that somebody can stop a run from outside."""
        self.fx.b.push(word_now(WORK_AT))
        self.fx.b.set(self.registers.fuel)

    def fuel_get(self) -> None:
        self.fx.b.get(self.registers.fuel)

    def fuel_set(self) -> None:
        self.fx.b.set(self.registers.fuel)

    def refuel(self) -> None:
        """Work between decisions is counted in a local, which `count_decision` has set."""

    def rng_get(self) -> None:
        self.fx.b.get(self.registers.rng)

    def rng_set(self) -> None:
        self.fx.b.set(self.registers.rng)

    # ---- chance

    def draw_number(self, node: ir.Chance, total: Value) -> None:
        """Only a group of sixteen numbers that is used up takes a call."""
        fx, b, mc = self.fx, self.fx.b, self.fx.mc
        counter = fx.kept[mc.stream_base + node.stream]
        record = STREAM * (node.stream - len(mc.streams))
        end = self.registers.at_hand[node.stream]
        with b.borrowed(I32, I64) as (at, product):
            again = b.loop()
            b.get(fx.s)
            b.i32(record)
            b.op("i32.add")
            b.set(at)
            b.get(counter)
            b.get(end)
            b.op("i32.ge_u")
            self._draw_group(at, counter, end)
            b.push(next_number(Variable(at), Variable(counter)))
            self._scaled(product, counter, total, again)

    def _draw_group(self, at: int, counter: int, end: int | None = None) -> None:
        """If the flag on the stack is set, the group of sixteen numbers of a counter is worked out."""
        b = self.fx.b
        b.when()
        b.get(at)
        b.get(counter)
        b.i32(4)
        b.op("i32.shr_u")
        b.store(8)
        if end is not None:
            b.get(counter)
            b.i32(15)
            b.op("i32.or")
            b.i32(1)
            b.op("i32.add")
            b.set(end)
        b.get(at)
        b.call(self.fx.builder.function("philox 16", (I32,), ()))
        b.end()

    def _scaled(self, product: int, counter: int, total: Value, again: Label) -> None:
        """The number on the stack becomes one below `total`; the counter goes on. Ends the loop `again`."""
        b = self.fx.b
        self.fx.put(total)
        b.op("i64.extend_i32_u", "i64.mul")
        b.set(product)
        b.bump(counter, 1)
        self._rejected(product, total)
        b.br_if(again)
        b.end()
        b.get(product)
        b.i64(32)
        b.op("i64.shr_u", "i32.wrap_i64")

    def _rejected(self, product: int, total: Value) -> None:
        """Leaves whether a number must be drawn again, so that all are equally likely."""
        fx, b = self.fx, self.fx.b
        b.get(product)
        b.op("i32.wrap_i64")
        if isinstance(total, Constant):
            b.i32((1 << 32) % total.value)
            b.op("i32.lt_u")
            return
        fx.put(total)
        b.op("i32.lt_u")
        b.when(I32)
        b.get(product)
        b.op("i32.wrap_i64")
        b.i32(0)
        fx.put(total)
        b.op("i32.sub")
        fx.put(total)
        b.op("i32.rem_u", "i32.lt_u")
        b.otherwise()
        b.i32(0)
        b.end()

    # ---- options

    def fill(
        self,
        number: int,
        node: ir.Decide | ir.Offer,
        index: int,
        part: OptionPart,
        mask: int | None,
        count: int,
    ) -> None:
        playout.fill(self.fx, number, node, index, part, mask, count)

    def take_kth(
        self, number: int, node: ir.Decide | ir.Offer, index: int, part: OptionPart, mask: int | None, k: int
    ) -> None:
        playout.take_kth(self.fx, number, node, index, part, mask, k)

    def take(self, number: int, node: ir.Decide | ir.Offer, index: int, part: OptionPart, bit: int) -> None:
        fx = self.fx
        if isinstance(node, ir.Decide):
            playout.take(fx, number, node, index, part, bit)
            return
        doing = node.what[index]
        assert isinstance(doing, ir.DoRoutine)
        entry = part.entries[0]
        inner = self.game.paths.inner[(*self.game.cursor.point, index, doing.routine)]
        me = const_eval.operand(fx, node.seat)
        arguments = [const_eval.operand(fx, a) for a in doing.arguments]
        values: dict[int, Value] = {ir.ME: me, ir.SELF: Constant(NONE)}
        values |= {ir.FRAME + i: a for i, a in enumerate(arguments)}
        if entry.choice is None:
            self.game.frames.fill_frame(inner, values)
            fx.drop(me, *arguments)
            self.game.go_to((inner, calls.entry_node(fx, entry.routine, entry.given)))
            return
        choice = fx.mc.node(entry.choice, ir.Decide)
        with fx.b.borrowed(I32) as (value,):
            playout.value(fx, part, bit)
            fx.b.set(value)
            self._fault_of_needs(entry, part, bit, values)
            values[choice.slot] = InLocal(value, WIDE)
            self.game.frames.fill_frame(inner, values)
        fx.drop(me, *arguments)
        self.game.go_to((inner, choice.next))

    def _fault_of_needs(
        self, entry: RoutineEntry, part: OptionPart, bit: int, values: dict[int, Value]
    ) -> None:
        """A need that is a fault hides nothing: it is offered, and shows when it is chosen."""
        if not entry.needs:
            return
        fx, b = self.fx, self.fx.b
        b.get(bit)
        b.i32(part.size)
        b.op("i32.eq")
        b.when()
        with calls.virtual(fx, values):
            for number in entry.needs:
                need = fx.mc.node(number, ir.Precondition)
                fx.node = number
                fx.num(need.condition)
                b.op("drop")
        b.op("unreachable")
        b.end()


class LocalStepper(LocalPlayout):
    """The game stops at its decisions; frames go to the state there. Chance is drawn by the module."""

    def __init__(self, fx: FunctionContext, game: WholeGame, frames: SavedAtStops) -> None:
        super().__init__(fx, game)
        self.frames = frames

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        stepper.stop_with_options(self.fx, number, node)
        return None

    def stop_at(self, number: int, code: int) -> None:
        """A place to go on from: frames in memory, nothing above them."""
        b = self.fx.b
        self.frames.save()
        for word, value in ((ir.PC, number), (ir.FP, self.frames.base(self.game.cursor.point[0]))):
            b.get(self.fx.s)
            b.i32(value)
            b.store(4 * word)
        self.fx.control.ret(code)

    def draw_number(self, node: ir.Chance, total: Value) -> None:
        """The group that is worked out is noted beside the stream, not in a local."""
        fx, b, mc = self.fx, self.fx.b, self.fx.mc
        counter = fx.kept[mc.stream_base + node.stream]
        with b.borrowed(I32, I64) as (at, product):
            again = b.loop()
            b.get(fx.s)
            b.i32(STREAM * (node.stream - len(mc.streams)))
            b.op("i32.add")
            b.tee(at)
            b.load(8)
            b.get(counter)
            b.i32(4)
            b.op("i32.shr_u", "i32.ne")
            self._draw_group(at, counter)
            b.push(next_number(Variable(at), Variable(counter)))
            self._scaled(product, counter, total, again)
