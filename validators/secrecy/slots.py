"""Which words of a state refer to pieces: locals and collections in frames, queues of triggers."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

from dsl.domains import PieceType
from interpreter import ir
from interpreter.ir.cfg import FLOW, done
from interpreter.ir.visit import leaves, targets

Word = tuple[tuple[int, int], ...]
"""Words that refer to the pieces of one collection: the address of each and its number of classes."""
Meaning = tuple[bool, int]
"""The content of a slot: whether it is a list of pieces or a single one, and the number of classes."""
Held = dict[int, Meaning]


@dataclass
class Slots:
    """For each node the slots that hold a piece or a list of pieces before it.

    Slots are reused after the end of a block, so this is a data-flow analysis.
    """

    machine: ir.Machine
    held: dict[int, Held] = field(default_factory=dict)
    given: dict[tuple[int, int], int] = field(default_factory=dict)
    """Parameters that are pieces, by routine and slot, with the number of classes."""

    def __post_init__(self) -> None:
        known = -1
        while known != len(self.given):
            known = len(self.given)
            for routine, start, arguments in _starts(self.machine):
                inputs = {ir.SELF, *range(ir.FRAME, ir.FRAME + arguments)}
                found = {slot: n for (r, slot), n in self.given.items() if r == routine and slot in inputs}
                self._follow(start, {slot: (False, n) for slot, n in found.items()})

    # ---- data flow

    def _follow(self, start: int, given: Held) -> None:
        """Propagates facts along the control flow to a fixpoint."""
        todo = [(start, given)]
        while todo:
            number, found = todo.pop()
            known = self.held.get(number)
            if known is not None and found | known == known:
                continue
            self.held[number] = now = found | (known or {})
            node = self.machine.nodes[number]
            self._give(node, now)
            after = now | dict(self._written(node, now))
            if isinstance(node, ir.ClearLocals):
                after = {slot: what for slot, what in after.items() if not node.first <= slot < node.last}
            todo.extend((target, after) for target in targets(node))

    def _written(self, node: ir.Step, now: Held) -> Iterator[tuple[int, Meaning]]:
        """The slots of its own frame to which a node writes a piece or a list of pieces."""
        match node:
            case ir.SetLocal(slot=slot, value=value):
                yield from _single(slot, _of(value, now))
            case ir.Decide(slot=slot, type=kind):
                if isinstance(kind, PieceType):
                    yield from _single(slot, self.machine.component_classes[kind.component])
            case ir.MoveSome(follow=follow, classes=classes) | ir.Take(follow=follow, classes=classes):
                yield from _single(follow, classes)
            case ir.Drop(follow=follow, classes=classes):
                yield from _single(follow, classes)
            case ir.TurnDie(slot=slot, classes=classes):
                yield from _single(slot, classes)
            case ir.Snapshot(slot=slot, source=source):
                several = _of_many(source)
                if several is not None:
                    yield slot, (True, several)
            case ir.Iterate(snapshot=snapshot, slot=slot):
                yield from _single(slot, now[snapshot][1] if snapshot in now else None)
            case ir.NextTrigger(trigger=number, first_slot=first):
                trigger = self.machine.triggers[number]
                if trigger.condition is None:
                    yield from _single(first + len(trigger.indices), trigger.classes)
            case ir.ClearLocals() | ir.SetMe() | ir.Bound() | ir.TakeRecord() | ir.Offer() | ir.Chance():
                return
            case ir.MovePiece() | ir.MoveAll() | ir.Exchange() | ir.Lift() | ir.Swap():
                return  # the local that follows a piece has held it before
            case _:
                silent = ir.WordNode | ir.HistoryNode | ir.SightNode | ir.CallNode | ir.ControlNode
                if not isinstance(node, silent):
                    assert_never(node)

    def _give(self, node: ir.Step, now: Held) -> None:
        """Records the pieces that a node passes to what it calls."""
        match node:
            case ir.Call(routine=called, arguments=arguments) | ir.Fork(routine=called, arguments=arguments):
                self._arguments(called, arguments, now)
            case ir.CallCell(what=what):
                self._doing(what, now)
            case ir.Offer(what=several):
                for doing in several:
                    self._doing(doing, now)

    def _doing(self, what: ir.Doing, now: Held) -> None:
        if isinstance(what, ir.DoRoutine):
            self._arguments(what.routine, what.arguments, now)
            return
        for called, _ in done(self.machine, what):
            self._note(called, ir.SELF, _of(what.actor, now))

    def _arguments(self, called: int, arguments: tuple[ir.Expr, ...], now: Held) -> None:
        for i, argument in enumerate(arguments):
            self._note(called, ir.FRAME + i, _of(argument, now))

    def _note(self, routine: int, slot: int, classes: int | None) -> None:
        if classes is not None:
            self.given[routine, slot] = classes

    # ---- words of a state

    def words(self, s: array[int]) -> Iterator[Word]:
        """Every word of a state that refers to a piece; those of one list together."""
        for node, fp in self._frames(s):
            for slot, (listed, classes) in self.held.get(node, {}).items():
                first, number = (fp + slot + 1, s[fp + slot]) if listed else (fp + slot, 1)
                yield tuple((first + i, classes) for i in range(number))
        for trigger in self.machine.triggers:
            if trigger.condition is None:
                queued = range(trigger.held + 1, trigger.held + 1 + 2 * s[trigger.held], 2)
                yield tuple((word, trigger.classes) for word in queued)

    def _frames(self, s: array[int]) -> Iterator[tuple[int, int]]:
        """The frames in use: the node at which each continues, and its address."""
        if s[ir.STATUS]:
            return
        if not s[ir.FORKED]:
            yield from self._chain(s, s[ir.PC], s[ir.FP])
            return
        yield from self._chain(s, s[ir.FORK], s[ir.MAIN_FP])
        for seat, node in self.machine.waiting_branches(s):
            yield from self._chain(s, node, s[self.machine.branch(seat) + ir.BRANCH_FP])

    def _chain(self, s: array[int], node: int, fp: int) -> Iterator[tuple[int, int]]:
        while node >= 0:
            yield node, fp
            node, fp = s[fp + ir.RETURN], s[fp + ir.CALLER]


def _single(slot: int | None, classes: int | None) -> Iterator[tuple[int, Meaning]]:
    """A slot with a single piece, if there is one."""
    if slot is not None and classes is not None:
        yield slot, (False, classes)


def _of(value: ir.Expr, now: Held) -> int | None:
    """The number of classes of the piece that an expression yields; none if it yields no piece."""
    match value:
        case ir.Local(slot=slot):
            listed, classes = now.get(slot, (True, 0))
            return None if listed else classes
        case ir.PieceAt(classes=classes):
            return classes
        case ir.Best(source=source):
            return _of_many(source)
        case ir.If(then=then, otherwise=otherwise):
            return _of(then, now) or _of(otherwise, now)
        case ir.Let(body=body):
            return _of(body, now)
    return None


def _of_many(source: ir.Source) -> int | None:
    return next((leaf.classes for leaf in leaves(source) if isinstance(leaf, ir.Pieces)), None)


def _starts(machine: ir.Machine) -> Iterator[tuple[int, int, int]]:
    """Each routine with each of its entries and the number of arguments given there."""
    yield FLOW, machine.start, 0
    for number, code in enumerate(machine.routines):
        yield from ((number, entry, given) for given, entry in enumerate(code.entries))
