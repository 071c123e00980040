"""Which places have certainly been shown to which seat when play reaches a node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter import ir
from interpreter.ir.effects import written_slots
from validators.flow.graph import Edge, Flow
from validators.flow.origins import zone_of

LOST = ir.Const(-1)
"""A value that a frame cannot express."""
ROUNDS = 4
"""The most iterations over the results of routines."""


@dataclass(frozen=True, slots=True)
class Fact:
    """The places of a zone at these indices are shown to a seat, as expressions of one frame."""

    zone: str
    of: ir.Expr | None
    at: ir.Expr | None
    seat: ir.Expr


ShownFacts = frozenset[Fact]


class ShownPieces:
    """A forward must-analysis: a fact at a node holds on every path to it."""

    def __init__(self, flow: Flow) -> None:
        self.flow, self.machine = flow, flow.machine
        self.results: dict[int, ShownFacts] = {}
        self.at: dict[int, ShownFacts] = {}
        for _ in range(ROUNDS):
            self.at = self._spread()
            returned = dict(self._returned())
            if returned == self.results:
                break
            self.results = returned

    def zones_at(self, number: int) -> ShownFacts:
        return self.at.get(number, frozenset())

    def _spread(self) -> dict[int, ShownFacts]:
        found: dict[int, ShownFacts] = {self.machine.start: frozenset()}
        todo = [self.machine.start]
        while todo:
            number = todo.pop()
            after = self._after(number, found[number])
            for target, facts in self._leads(number, after):
                joined = facts if target not in found else found[target] & facts
                if joined != found.get(target):
                    found[target] = joined
                    todo.append(target)
        return found

    def _leads(self, number: int, facts: ShownFacts) -> Iterator[tuple[int, ShownFacts]]:
        for edge in self.flow.edges[number]:
            if edge.runs is None:
                yield edge.target, facts
                continue
            routine, entry = edge.runs
            yield entry, frozenset(self._given(edge, facts))
            if entry in self.flow.returning:
                shown = (
                    self.results.get(routine, frozenset()) if self._keeps_me(number) else frozenset[Fact]()
                )
                yield edge.target, facts | shown

    def _keeps_me(self, number: int) -> bool:
        """Whether the acting seat is the same in the routine that a node runs."""
        node = self.machine.nodes[number]
        return isinstance(node, ir.Call) or (isinstance(node, ir.Offer) and node.seat == ir.Local(ir.ME))

    def _given(self, edge: Edge, facts: ShownFacts) -> Iterator[Fact]:
        """The facts as expressions of the frame that an edge creates; `me` is the seat asked there."""
        node = self.machine.nodes[edge.source]
        acts = node.seat if isinstance(node, ir.Offer) else ir.Local(ir.ME)
        arguments = node.arguments if isinstance(node, ir.Call) else ()
        names: dict[ir.Expr | None, ir.Expr | None] = {None: None}
        names |= {argument: ir.Local(ir.FRAME + i) for i, argument in enumerate(arguments)}
        names[acts] = ir.Local(ir.ME)
        for fact in facts:
            of, at, seat = (e if isinstance(e, ir.Const) else names.get(e, LOST) for e in _exprs(fact))
            if LOST not in (of, at, seat) and seat is not None:
                yield Fact(fact.zone, of, at, seat)

    def _returned(self) -> Iterator[tuple[int, ShownFacts]]:
        """What each routine has certainly shown to the acting seat when it returns."""
        ends: dict[int, ShownFacts] = {}
        for number, facts in self.at.items():
            if isinstance(self.machine.nodes[number], ir.Return):
                own = frozenset(f for f in facts if all(map(_is_known, _exprs(f))))
                routine = self.flow.owner[number]
                ends[routine] = ends[routine] & own if routine in ends else own
        yield from ends.items()

    # ---- one node

    def _after(self, number: int, facts: ShownFacts) -> ShownFacts:
        node = self.machine.nodes[number]
        match node:
            case ir.Show(places=ir.Pieces(first=first, of=of, at=at), seat=seat):
                return facts | {Fact(self.machine.places[first].zone, of.one, at.one, seat)}
            case ir.Forget(place=place):
                return frozenset(f for f in facts if f.zone != zone_of(self.machine, place))
            case ir.LookAway():
                return frozenset()
            case ir.SetMe():
                return _without(facts, range(ir.ME, ir.ME + 1))
        for slots in written_slots(self.machine, node):
            facts = _without(facts, slots)
        return facts


def _without(facts: ShownFacts, slots: range) -> ShownFacts:
    return frozenset(f for f in facts if not _names(f, slots))


def _names(fact: Fact, slots: range) -> bool:
    return any(isinstance(e, ir.Local) and e.slot in slots for e in _exprs(fact))


def _exprs(fact: Fact) -> tuple[ir.Expr | None, ir.Expr | None, ir.Expr]:
    return fact.of, fact.at, fact.seat


def _is_known(e: ir.Expr | None) -> bool:
    """Whether an index means the same in the caller."""
    return e is None or isinstance(e, ir.Const) or e == ir.Local(ir.ME)
