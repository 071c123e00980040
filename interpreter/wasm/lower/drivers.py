"""Who makes decisions in functions of regions: the referee outside, or the module itself."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.wasm.emit.codes import FAIL
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import GLOBAL
from interpreter.wasm.faults import MOST_SEARCH, TOO_LONG
from interpreter.wasm.layout import WORK_AT
from interpreter.wasm.lower import playout, stepper, stops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Value
from interpreter.wasm.option_layout import OptionPart


class Referee:
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

    def decision(self, number: int, node: m.Decide | m.Offer) -> int | None:
        stops.stop_if_any(self.fx, number, node, both=True)
        return None

    def stop_at(self, number: int, code: int) -> None:
        self.fx.b.get(self.fx.s)
        self.fx.b.i32(number)
        self.fx.b.store(4 * m.PC)
        self.fx.control.ret(code)

    def count_decision(self, number: int) -> None:
        fx, b = self.fx, self.fx.b
        with b.borrowed(I32) as (n,):
            b.get(fx.s)
            b.get(fx.s)
            b.load(4 * m.DECISIONS)
            b.i32(1)
            b.op("i32.add")
            b.tee(n)
            b.store(4 * m.DECISIONS)
            b.get(n)
            b.i32(fx.mc.longest)
            b.op("i32.gt_s")
            b.when()
            fx.node = number
            fx.fault(TOO_LONG)
            b.end()

    # ---- chance and counters

    def draw_number(self, node: m.Chance, total: Value) -> None:
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
        b.load_now(WORK_AT)
        b.gset(GLOBAL["fuel"])

    def rng_get(self) -> None:
        self.fx.b.gget(GLOBAL["rng"])

    def rng_set(self) -> None:
        self.fx.b.gset(GLOBAL["rng"])

    # ---- options

    def fill(
        self,
        number: int,
        node: m.Decide | m.Offer,
        index: int,
        part: OptionPart,
        mask: int | None,
        count: int,
    ) -> None:
        playout.fill(self.fx, number, node, index, part, mask, count)

    def take(self, number: int, node: m.Decide | m.Offer, index: int, part: OptionPart, bit: int) -> None:
        playout.take(self.fx, number, node, index, part, bit)

    def take_kth(
        self, number: int, node: m.Decide | m.Offer, index: int, part: OptionPart, mask: int | None, k: int
    ) -> None:
        playout.take_kth(self.fx, number, node, index, part, mask, k)


class Playout(Referee):
    """The module makes every decision by itself, each option with equal chance."""

    def decision(self, number: int, node: m.Decide | m.Offer) -> int | None:
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


class Stepper(Referee):
    """Decisions are stops that leave their options in the buffer; chance is drawn by the module."""

    def decision(self, number: int, node: m.Decide | m.Offer) -> int | None:
        self.tried()
        stops.stop_if_any(self.fx, number, node, both=False)
        self.fx.b.end()
        stepper.stop_with_options(self.fx, number, node)
        return None
