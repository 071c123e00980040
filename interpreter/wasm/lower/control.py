"""Control of functions that hold one region each.

The function of a region takes the state and the leader at which to go on, and runs to a stop, whose code it
gives, or to the end of its routine, when it gives the node at which the caller goes on. Its code stands
leader after leader, each behind the end of a block of its own: a way forward is a branch out of blocks, a
way back goes round the loop that encloses them all.
"""

from __future__ import annotations

from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.codes import FAULT
from interpreter.wasm.emit.module_builder import GLOBAL
from interpreter.wasm.emit.regions import Region
from interpreter.wasm.faults import MOST_WORK, RUNS_FOR_EVER
from interpreter.wasm.lower import nodes
from interpreter.wasm.lower.context import FunctionContext

BACK = MOST_WORK // 500_000
"""Work that a way back costs: half a million of them are too many."""


class Regions:
    """The nodes of one region. Parameter 1 of the function is the leader at which to go on."""

    def __init__(self, fx: FunctionContext, region: Region) -> None:
        self.fx, self.region = fx, region
        self.at = 1
        self.here = 0
        self.labels: list[Label] = []
        self.round: Label | None = None

    def write(self) -> None:
        """The code of the whole function."""
        fx, b = self.fx, self.fx.b
        fx.load_frame()
        bad = b.block()
        astray = b.block()
        self.round = b.loop()
        count = len(self.region.leaders)
        self.labels = [b.block() for _ in range(count)][::-1]
        b.get(self.at)
        b.br_table(self.labels, astray)
        with fx.faulting(bad, quiet=False):
            for i, leader in enumerate(self.region.leaders):
                b.end()
                self.here = i
                self.line(leader)
        b.end()
        b.op("unreachable")
        b.end()
        b.op("unreachable")
        b.end()
        b.i32(FAULT)

    def line(self, number: int) -> None:
        fx = self.fx
        while True:
            fx.node = number
            following = nodes.lower_node(fx, number, fx.mc.nodes[number])
            if following is None:
                return
            if fx.builder.leader.get(following) is not None:
                self.go(following)
                return
            number = following

    def go(self, target: int) -> None:
        leader = self.fx.builder.leader.get(target)
        if leader is None:
            self.line(target)
        elif leader > self.here:
            self.fx.b.br(self.labels[leader])
        else:
            self._back(leader)

    def _back(self, leader: int) -> None:
        b, fuel = self.fx.b, GLOBAL["fuel"]
        b.gget(fuel)
        b.i32(BACK)
        b.op("i32.sub")
        b.gset(fuel)
        b.gget(fuel)
        b.i32(0)
        b.op("i32.lt_s")
        b.when()
        self.fx.fault(RUNS_FOR_EVER)
        b.end()
        b.i32(leader)
        b.set(self.at)
        assert self.round is not None
        b.br(self.round)

    def ret(self, code: int) -> None:
        self.fx.b.i32(code)
        self.fx.b.op("return")
