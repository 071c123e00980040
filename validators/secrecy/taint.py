"""A taint analysis of a machine: which decisions have options that depend on hidden pieces.

It is conservative: a decision that it reports need not depend on hidden pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from dsl.domains import PieceType
from interpreter import ir
from interpreter.game import Game
from interpreter.ir.cfg import done
from interpreter.ir.effects import effect_of
from interpreter.ir.roles import FieldsWith, Role
from interpreter.ir.visit import Tree, children
from validators.flow.graph import Flow

Slot = tuple[int, int]
"""A routine and a slot of its frame."""
ASKED = FieldsWith(Role.CHILD)
"""The fields of a node that it evaluates."""


@dataclass
class TaintAnalysis:
    """What depends on hidden pieces in one game: slots of frames, and options."""

    game: Game
    tainted: set[Slot] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.machine = self.game.machine
        before = -1
        while before != len(self.tainted):
            before = len(self.tainted)
            for number, node in enumerate(self.machine.nodes):
                self.tainted.update(self._written(self.flow.owner[number], node))

    @cached_property
    def flow(self) -> Flow:
        return Flow(self.machine)

    def hides(self, number: int) -> bool:
        """Whether the options of a decision may depend on pieces that not everybody sees."""
        node, owner = self.machine.decision(number), self.flow.owner[number]
        if self._evaluates_hidden(node, owner):
            return True
        return any(self._guards(routine) for routine in self._tried(number, node))

    def _tried(self, number: int, node: ir.Decide | ir.Offer) -> set[int]:
        """The routines that a trial may run before it stops."""
        if isinstance(node, ir.Decide):
            return self.flow.called({self.flow.owner[number]}) if node.trial else set()
        return self.flow.called(edge.runs[0] for edge in self.flow.edges[number] if edge.runs is not None)

    def _guards(self, routine: int) -> bool:
        """Whether the control flow or a refusal of a routine depends on hidden pieces."""
        if routine not in self._guarded:
            nodes = [n for i, n in enumerate(self.machine.nodes) if self.flow.owner[i] == routine]
            steering = [n for n in nodes if effect_of(n).refuses or effect_of(n).steers]
            self._guarded[routine] = any(self._evaluates_hidden(n, routine) for n in steering)
        return self._guarded[routine]

    @cached_property
    def _guarded(self) -> dict[int, bool]:
        return {}

    def _evaluates_hidden(self, node: ir.Step, owner: int) -> bool:
        """Whether a node evaluates something that not everybody sees."""
        if (
            isinstance(node, ir.Transfer | ir.SetWord)
            and effect_of(node).refuses
            and self._is_secret(node.address)
        ):
            return True
        return any(self._reads_hidden(getattr(node, name), owner) for name in ASKED[type(node)])

    # ---- slots

    def _written(self, owner: int, node: ir.Step) -> Iterator[Slot]:
        """The slots to which a node writes a tainted value."""
        match node:
            case ir.SetLocal(slot=slot) | ir.Snapshot(slot=slot):
                if self._evaluates_hidden(node, owner):
                    yield owner, slot
            case ir.Iterate(snapshot=snapshot, slot=slot):
                if (owner, snapshot) in self.tainted:
                    yield owner, slot
            case ir.Decide(slot=slot, type=kind):
                if isinstance(kind, PieceType) and self._evaluates_hidden(node, owner):
                    yield owner, slot
            case ir.Take(follow=follow, source=place) | ir.MoveSome(follow=follow, source=place):
                if follow is not None and self._reads_hidden(place, owner):
                    yield owner, follow
            case ir.Lift(slot=slot, source=place):
                if self._reads_hidden(place, owner):
                    yield owner, slot
            case ir.Chance(slot=slot, place=place, picked=picked):
                if self._reads_hidden((place, picked), owner):
                    yield owner, slot
            case ir.Drop(follow=follow, place=place):
                if follow is not None and self._reads_hidden(place, owner):
                    yield owner, follow
            case ir.NextTrigger(trigger=number, first_slot=first):
                yield from self._bound(owner, number, first)
            case ir.Call(routine=called, arguments=arguments) | ir.Fork(routine=called, arguments=arguments):
                yield from self._given(owner, called, arguments)
            case ir.CallCell(what=what):
                yield from self._done(owner, what)
            case ir.Offer(what=offered):
                for doing in offered:
                    yield from self._done(owner, doing)
            case (
                ir.ClearLocals()
                | ir.SetMe()
                | ir.Bound()
                | ir.TakeRecord()
                | ir.MovePiece()
                | ir.MoveAll()
                | ir.Exchange()
                | ir.TurnDie()
                | ir.Swap()
            ):
                return
            case _:
                silent = ir.WordNode | ir.HistoryNode | ir.SightNode | ir.ControlNode | ir.CheckTrigger
                if not isinstance(node, silent):
                    assert_never(node)

    def _done(self, owner: int, what: ir.Doing) -> Iterator[Slot]:
        if isinstance(what, ir.DoRoutine):
            yield from self._given(owner, what.routine, what.arguments)
        elif self._reads_hidden(what, owner):
            yield from ((called, ir.SELF) for called, _ in done(self.machine, what))

    def _given(self, owner: int, called: int, arguments: tuple[ir.Expr, ...]) -> Iterator[Slot]:
        for i, argument in enumerate(arguments):
            if self._reads_hidden(argument, owner):
                yield called, ir.FRAME + i

    def _bound(self, owner: int, number: int, first: int) -> Iterator[Slot]:
        """The slots of a trigger's binding, if its condition or the moved piece is hidden."""
        trigger = self.machine.triggers[number]
        if trigger.condition is not None:
            size, hidden = len(trigger.regs), self._reads_hidden(trigger.condition, owner)
        else:
            size, hidden = len(trigger.indices) + 1, any(map(self._hidden, trigger.watched))
        if hidden:
            yield from ((owner, first + i) for i in range(size))

    # ---- expressions

    def _reads_hidden(self, node: Tree, owner: int) -> bool:
        """Whether an expression, a collection or a tuple of them reads something that not everybody sees."""
        match node:
            case None:
                return False
            case tuple():
                return any(self._reads_hidden(part, owner) for part in node)
            case ir.Size(source=ir.Pieces(first=first) as source) if self._counted(first):
                return self._reads_hidden((source.of, source.at), owner)
            case ir.Pieces(first=first) if self._hidden(first):
                return True
            case ir.PieceAt(place=ir.Const(value=place), top=True) if self._is_open_top(place):
                return False
            case ir.PieceAt(place=ir.Spot(address=address), top=True) if self._is_open_top(address.base):
                return any(self._reads_hidden(term.index, owner) for term in address.terms)
            case ir.PieceAt(place=place) if self._at(place):
                return True
            case ir.Spot(address=address) if self._hidden(address.base):
                return True
            case ir.Load(address=address) if self._is_secret(address):
                return True
            case ir.Local(slot=slot):
                return (owner, slot) in self.tainted
            case ir.Can(what=what):
                if any(self._guards(r) for r in self.flow.called(r for r, _ in done(self.machine, what))):
                    return True
        return any(self._reads_hidden(part, owner) for part in children(node))

    def _at(self, place: ir.Expr | None) -> bool:
        return isinstance(place, ir.Const) and self._hidden(place.value)

    def _hidden(self, place: int) -> bool:
        zone = self.game.rules.zones.get(self.machine.places[place].zone)
        return zone is not None and zone.seen_by != "all"

    def _is_open_top(self, place: int) -> bool:
        """Whether all see the topmost piece of a place."""
        zone = self.game.rules.zones.get(self.machine.places[place].zone)
        return zone is not None and zone.seen_by == "top"

    def _is_secret(self, address: ir.Address) -> bool:
        """Whether a word belongs to a counter, mark or pointer that not everybody sees."""
        words = self.machine.words_at(address.base) if self._secret else None
        return words is not None and words.name in self._secret

    @cached_property
    def _secret(self) -> frozenset[str]:
        return frozenset(self.game.rules.hidden_words)

    def _counted(self, place: int) -> bool:
        zone = self.game.rules.zones.get(self.machine.places[place].zone)
        return zone is None or zone.counted_by == "all"
