"""Choices of one of very many numbers in a few steps, each of one of 32 parts of what can still be chosen.

Play that counts options (playouts, batches, tree search, environments for learning) has a bit for each. So
where a seat chooses a number from ranges, its machine is changed: the first decision is about a part of the
numbers from the least to the greatest, the next about a part of that part, until one number is left. A part
without a number that can be chosen is not offered, so every number can be reached, and no other. States have
the same words, and decisions the same nodes: a state of the machine can be continued in the changed one, and
back wherever no number has been chosen in part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, reduce
from typing import Final

from dsl.domains import IntType
from interpreter.ir.expressions import Between, Const, Expr, If, Let, Local, Op, Reg
from interpreter.ir.fold import choice, operation
from interpreter.ir.nodes import Branch, Commit, Decide, SetLocal, Step
from interpreter.ir.program import Machine

PARTS: Final = 32
HIGHEST: Final = (1 << 31) - 1


def in_parts(mc: Machine) -> Machine:
    """The machine in which numbers from ranges are chosen in parts; the same one if there are none."""
    nodes = list(mc.nodes)
    for number, node in enumerate(mc.nodes):
        if isinstance(node, Decide) and node.ranges:
            nodes[number], *more = _NumberInParts(mc, node, len(nodes)).nodes()
            nodes += more
    if len(nodes) == len(mc.nodes):
        return mc
    return replace(mc, nodes=tuple(nodes), registers=mc.registers + 3)


class _NumberInParts:
    """The nodes of one choice: the first takes its place, the others have numbers from `first` on.

    At a level, parts of `width(level)` numbers are parts of the one that begins in the slot of the number.
    """

    def __init__(self, mc: Machine, node: Decide, first: int) -> None:
        assert node.bounds is not None
        assert node.spare is not None
        self.node, self.first = node, first
        self.slot, self.spare = node.slot, node.spare
        self.least, self.spread, self.part = (Reg(mc.registers + i) for i in range(3))
        low, high = node.bounds
        self.levels = next(k for k in range(1, 32) if high - low < PARTS**k)

    def nodes(self) -> Iterator[Step]:
        """The decision of the first level, then the nodes behind it."""
        found: list[Step] = []

        def add(step: Step) -> int:
            found.append(step)
            return self.first + len(found) - 1

        following = self.node.next
        for level in range(self.levels, 0, -1):
            if level < self.levels:
                alone = self._known(operation("<=", self._width(level), Const(1)))
                following = add(
                    Branch(span=self.node.span, condition=alone, then=self.node.next, otherwise=following)
                )
            clear = SetLocal(span=self.node.span, slot=self.spare, value=Const(0), next=following)
            begins = self._known(self._start(level, Local(self.spare)))
            following = add(SetLocal(span=self.node.span, slot=self.slot, value=begins, next=add(clear)))
            if level > 1:
                following = add(self._decision(level, following))
        if self.node.trial:
            following = add(Commit(span=self.node.span, next=following))
        yield self._decision(1, following)
        yield from found

    def _decision(self, level: int, following: int) -> Decide:
        node = self.node
        name, trial, passing, nothing = node.name, node.trial, node.passing, node.nothing
        if level > 1:
            name, trial, passing, nothing = f"{name}.{level}", False, None, None
        return replace(
            node,
            name=name,
            reg=self.part.index,
            source=Between(Const(0), Const(PARTS - 1)),
            where=self._known(self._holds_some(level)),
            wants=(),
            wider=None,
            slot=self.spare,
            type=IntType(0, PARTS - 1),
            bounds=(0, PARTS - 1),
            trial=trial,
            next=following,
            passing=passing,
            nothing=nothing,
            asks=node.asks and level == 1,
            ranges=(),
            spare=None,
            parts=PARTS,
        )

    # ---- expressions

    def _known(self, e: Expr) -> Expr:
        """An expression over the least number that can be chosen, and how far the greatest is from it."""
        return Let(self.least.index, self._least, Let(self.spread.index, self._spread, e))

    @cached_property
    def _least(self) -> Expr:
        ends: list[Expr] = [If(Op("<=", a, b), a, Const(HIGHEST)) for a, b, _ in self.node.ranges]
        return reduce(lambda one, other: Op("min", one, other), ends[1:], ends[0])

    @cached_property
    def _spread(self) -> Expr:
        ends: list[Expr] = [
            If(Op("<=", a, b), Op("-", b, self.least), Const(0)) for a, b, _ in self.node.ranges
        ]
        return reduce(lambda one, other: Op("max", one, other), ends[1:], ends[0])

    def _width(self, level: int) -> Expr:
        """Powers of 32 from the second level on, so that parts end where those within them end."""
        unit: Expr = Const(1)
        for power in range(1, self.levels - 1):
            unit = choice(operation("<", self.spread, Const(PARTS ** (power + 1))), unit, Const(PARTS**power))
        if level == 1:
            of_all = operation("div", self.spread, operation("*", unit, Const(PARTS)))
            return operation("*", operation("+", of_all, Const(1)), unit)
        return operation("max", operation("div", unit, Const(PARTS ** (level - 2))), Const(1))

    def _base(self, level: int) -> Expr:
        return self.least if level == 1 else Local(self.slot)

    def _start(self, level: int, part: Expr) -> Expr:
        return operation("+", self._base(level), operation("*", part, self._width(level)))

    def _holds_some(self, level: int) -> Expr:
        """Whether the part in the register of the choice has a number that can be chosen."""
        start = self._start(level, self.part)
        within = operation("+", self._base(level), operation("-", self._width(level - 1), Const(1)))
        if level == 1:
            within = operation("+", self.least, self.spread)
        end = Op("min", within, operation("+", start, operation("-", self._width(level), Const(1))))
        found: Expr = Const(0)
        for first, last, step in self.node.ranges:
            before = Op("+", Op("div", Op("-", Op("-", start, first), Const(1)), step), Const(1))
            behind = Op("div", Op("-", Op("min", last, end), first), step)
            some = Op("and", Op("<=", first, last), Op("<=", Op("max", before, Const(0)), behind))
            found = operation("or", found, some)
        return found


def width_of(spread: int, level: int) -> int:
    """How many numbers a part has at a level, from 1 on, if the greatest number is so far from the least."""
    unit = 1
    while unit * PARTS * PARTS <= spread:
        unit *= PARTS
    if level == 1:
        return (spread // (unit * PARTS) + 1) * unit
    return int(max(unit // PARTS ** (level - 2), 1))
