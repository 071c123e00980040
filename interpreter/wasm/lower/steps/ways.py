"""Regions to functions: the ways from node to node.

The function of a region takes the state and the leader at which to go on, and runs to a stop, whose code it
gives, or to the end of its routine, when it gives the node at which the caller goes on. Its code stands
leader after leader, each behind the end of a block of its own: a way forward is a branch out of blocks, a
way back goes round the loop that encloses them all.
"""

from __future__ import annotations

from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.codes import FAULT
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import GLOBAL, Plan
from interpreter.wasm.emit.regions import Region
from interpreter.wasm.faults import MOST_WORK, RUNS_FOR_EVER
from interpreter.wasm.lower.offers.function import Function

BACK = MOST_WORK // 500_000
"""Work that a way back costs: half a million of them are too many."""


class Ways(Function):
    """One region's function."""

    def __init__(self, plan: Plan, region: Region, index: int, body: Body | None = None) -> None:
        super().__init__(plan, body or plan.body(f"region {index}", (I32, I32)))
        self.region = region
        self.routine = region.routine
        self.at = 1
        self.here = 0
        self.labels: list[Label] = []
        self.round: Label | None = None

    def write(self) -> None:
        b = self.b
        self.load_frame()
        bad = b.block()
        astray = b.block()
        self.round = b.loop()
        count = len(self.region.leaders)
        self.labels = [b.block() for _ in range(count)][::-1]
        b.get(self.at)
        b.br_table(self.labels, astray)
        with self.faulting(bad, quiet=False):
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

    # ---- ways

    def go(self, target: int) -> None:
        """The way to a node of the region: its code follows here, or a branch."""
        leader = self.plan.leader.get(target)
        if leader is None:
            self.line(target)
        elif leader > self.here:
            self.b.br(self.labels[leader])
        else:
            self.back(leader)

    def back(self, leader: int) -> None:
        b, fuel = self.b, GLOBAL["fuel"]
        b.gget(fuel)
        b.i32(BACK)
        b.op("i32.sub")
        b.gset(fuel)
        b.gget(fuel)
        b.i32(0)
        b.op("i32.lt_s")
        b.when()
        self.fault(RUNS_FOR_EVER)
        b.end()
        b.i32(leader)
        b.set(self.at)
        assert self.round is not None
        b.br(self.round)

    def give(self, code: int) -> None:
        self.b.i32(code)
        self.b.op("return")

    def line(self, number: int) -> None:
        """A node and those that stand in line behind it."""
        raise NotImplementedError
