"""Verdicts on every statement that changes a number: whether it can leave its range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from interpreter import ir
from interpreter.ir.intervals import Interval
from validators.flow.graph import Flow
from validators.flow.guards import Guards
from validators.flow.intervals import Intervals

WriteVerdict = Literal["proved", "open", "left"]
"""It stays in its range; that is not provable; it always leaves its range."""


@dataclass(frozen=True)
class JudgedWrite:
    """The verdict on one write: the counter, its possible values after it, and its range."""

    number: int
    name: str
    values: Interval
    lo: int
    hi: int
    verdict: WriteVerdict


def judged(flow: Flow) -> Iterator[JudgedWrite]:
    """The verdicts on all writes at which leaving the range is an error: not on payments."""
    intervals = Intervals(flow)
    guards = Guards(flow, intervals)
    for number in sorted(flow.reached):
        node = flow.machine.nodes[number]
        if not isinstance(node, ir.SetWord | ir.Transfer) or node.edge != "error" or not node.ranges:
            continue
        if isinstance(node, ir.SetWord) and flow.machine.stores[node.name].kind != "counter":
            continue
        if isinstance(node, ir.Transfer) and node.verb == "pay":
            continue
        known = guards.at(number)
        before = intervals.of(ir.Load(node.address), number, known)
        amount = intervals.of(node.value if isinstance(node, ir.SetWord) else node.amount, number, known)
        values = _after(node, before, amount)
        lo, hi = max(r[0] for r in node.ranges), min(r[1] for r in node.ranges)
        apart = values.apart(min(r[0] for r in node.ranges), max(r[1] for r in node.ranges))
        verdict: WriteVerdict = "left" if apart else "proved" if values.within(lo, hi) else "open"
        yield JudgedWrite(number, node.name, values, lo, hi, verdict)


def _after(node: ir.SetWord | ir.Transfer, before: Interval, amount: Interval) -> Interval:
    adds = (isinstance(node, ir.Transfer) and node.verb == "gain") or (
        isinstance(node, ir.SetWord) and node.op == "+="
    )
    if isinstance(node, ir.SetWord) and node.op == "=":
        return amount
    if adds:
        return Interval(before.lo + amount.lo, before.hi + amount.hi)
    if isinstance(node, ir.Transfer) and node.verb == "lose":
        return Interval(max(0, before.lo - amount.hi), before.hi)
    return Interval(before.lo - amount.hi, before.hi - amount.lo)
