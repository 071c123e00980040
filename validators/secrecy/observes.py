"""Which decisions offer what depends on pieces that not everybody sees: a taint analysis of a machine.

It errs on the side of secrecy: a decision may be held for one that depends on hidden pieces and not do so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import Any

from dsl.domains import Piece
from interpreter import machine as m
from interpreter.match import Game
from validators.flow.graph import Flow

Slot = tuple[int, int]
"""A routine, and a word of its frame."""
BEFORE = (m.Need, m.Branch, m.Bound, m.Decide, m.Offer, m.Transfer, m.SetWord, m.SetLocal, m.Snapshot)
"""The nodes that may keep a trial from its first stop, or send it another way."""


@dataclass
class Observed:
    """What depends on hidden pieces in one game: slots of frames, and what is offered."""

    game: Game
    tainted: set[Slot] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.machine = self.game.machine
        known = -1
        while known != len(self.tainted):
            known = len(self.tainted)
            for number, node in enumerate(self.machine.nodes):
                self.tainted.update(self._written(self.flow.owner[number], node))

    @cached_property
    def flow(self) -> Flow:
        return Flow(self.machine)

    def hides(self, number: int) -> bool:
        """Whether what is offered at a decision may depend on pieces that not everybody sees."""
        node, owner = self.machine.decision(number), self.flow.owner[number]
        if self._looks(_asked(node), owner):
            return True
        return any(self._guards(routine) for routine in self._tried(number, node))

    def _tried(self, number: int, node: m.Decide | m.Offer) -> set[int]:
        """The routines that a trial may run through before it comes to a stop."""
        if isinstance(node, m.Decide):
            return self.flow.called({self.flow.owner[number]}) if node.trial else set()
        return self.flow.called({hop.runs[0] for hop in self.flow.hops[number] if hop.runs is not None})

    def _guards(self, routine: int) -> bool:
        """Whether it depends on hidden pieces how far a routine can be carried out."""
        if routine not in self._guarded:
            nodes = (n for i, n in enumerate(self.machine.nodes) if self.flow.owner[i] == routine)
            self._guarded[routine] = any(
                self._looks(_asked(n), routine) for n in nodes if isinstance(n, BEFORE)
            )
        return self._guarded[routine]

    @cached_property
    def _guarded(self) -> dict[int, bool]:
        return {}

    # ---- slots

    def _written(self, owner: int, node: m.Step) -> Iterator[Slot]:
        """The slots to which a node writes what depends on hidden pieces."""
        match node:
            case m.SetLocal(slot=slot) | m.Snapshot(slot=slot) if self._looks(_asked(node), owner):
                yield owner, slot
            case m.Iterate(snapshot=snapshot, slot=slot) if (owner, snapshot) in self.tainted:
                yield owner, slot
            case m.Decide(slot=slot, type=Piece()) if self._looks(_asked(node), owner):
                yield owner, slot
            case m.Chance(slot=slot, place=place) if self._looks(place, owner):
                yield owner, slot
            case m.Take(follow=int(slot), source=source) | m.MoveSome(follow=int(slot), source=source):
                if self._looks(source, owner):
                    yield owner, slot
            case m.Lift(slot=slot, source=source) | m.Drop(follow=int(slot), place=source):
                if self._looks(source, owner):
                    yield owner, slot
            case m.NextTrigger(trigger=number, first_slot=first):
                yield from self._bound(owner, number, first)
            case m.Call(routine=called, arguments=arguments) | m.Fork(routine=called, arguments=arguments):
                yield from self._given(owner, called, arguments)
            case m.CallCell(what=what):
                yield from self._done(owner, what)
            case m.Offer(what=several):
                for one in several:
                    yield from self._done(owner, one)

    def _done(self, owner: int, what: m.Doing) -> Iterator[Slot]:
        if isinstance(what, m.DoRoutine):
            yield from self._given(owner, what.routine, what.arguments)
        elif self._looks(what, owner):
            yield from ((called, m.SELF) for called, _ in self.machine.cells)

    def _given(self, owner: int, called: int, arguments: tuple[m.Expr, ...]) -> Iterator[Slot]:
        for i, argument in enumerate(arguments):
            if self._looks(argument, owner):
                yield called, m.FRAME + i

    def _bound(self, owner: int, number: int, first: int) -> Iterator[Slot]:
        """What a trigger binds: seats for which a hidden condition holds, or a piece moved unseen."""
        trigger = self.machine.triggers[number]
        if trigger.condition is not None:
            size, hidden = len(trigger.regs), self._looks(trigger.condition, owner)
        else:
            size, hidden = len(trigger.indices) + 1, any(map(self._hidden, trigger.watched))
        if hidden:
            yield from ((owner, first + i) for i in range(size))

    # ---- expressions

    def _looks(self, node: Any, owner: int) -> bool:
        """Whether an expression, a collection or a list of them asks for what not everybody sees."""
        match node:
            case m.Size(source=m.Pieces(first=first) as source) if self._counted(first):
                return self._looks((source.of, source.at), owner)
            case m.Pieces(first=first) if self._hidden(first):
                return True
            case m.PieceAt(place=place) | m.Chance(place=place) if self._at(place):
                return True
            case m.Spot(address=address) if self._hidden(address.base):
                return True
            case m.Local(slot=slot):
                return (owner, slot) in self.tainted
            case m.Can(what=m.DoRoutine(routine=routine)):
                if any(self._guards(r) for r in self.flow.called({routine})):
                    return True
            case m.Can():
                if any(self._guards(r) for r in self.flow.called({r for r, _ in self.machine.cells})):
                    return True
        return any(self._looks(part, owner) for part in _inner(node))

    def _at(self, place: m.Expr | None) -> bool:
        return isinstance(place, m.Const) and self._hidden(place.value)

    def _hidden(self, place: int) -> bool:
        zone = self.game.rules.zones.get(self.machine.places[place].zone)
        return zone is not None and zone.seen_by != "all"

    def _counted(self, place: int) -> bool:
        zone = self.game.rules.zones.get(self.machine.places[place].zone)
        return zone is None or zone.counted_by == "all"


def _asked(node: m.Step) -> tuple[Any, ...]:
    """What a node asks for before it goes on."""
    match node:
        case m.Need(condition=asked) | m.Branch(condition=asked) | m.Bound(most=asked):
            return (asked,)
        case m.Decide(source=source, where=where, seat=seat):
            return source, where, seat
        case m.Offer(what=what, seat=seat):
            return what, seat
        case m.Transfer(amount=asked) | m.SetWord(value=asked) | m.SetLocal(value=asked):
            return (asked,)
        case m.Snapshot(source=source, where=where, keys=keys, rotate=rotate):
            return source, where, keys, rotate
    return ()


def _inner(node: Any) -> Iterator[Any]:
    """The direct parts of an expression, or of a tuple of them."""
    if isinstance(node, tuple):
        yield from node
    elif is_dataclass(node):
        yield from (getattr(node, f.name) for f in fields(node))
