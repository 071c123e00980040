"""Which words of a state name pieces: locals and collections of the frames, queues of triggers."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

from dsl.domains import Piece
from interpreter import machine as m

FLOW = -1
"""The frame of the phases, beside those of the routines."""
Word = tuple[tuple[int, int], ...]
"""Words that name pieces of one collection: the address of each and its number of classes."""


@dataclass
class Slots:
    """For each routine: the slots that hold a piece or a list of pieces, with the number of classes."""

    machine: m.Machine
    home: dict[int, int] = field(init=False)
    single: dict[tuple[int, int], int] = field(default_factory=dict)
    lists: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.home = _homes(self.machine)
        known = -1
        while known != len(self.single) + len(self.lists):
            known = len(self.single) + len(self.lists)
            for number, node in enumerate(self.machine.nodes):
                self._learn(self.home.get(number, FLOW), node)
        for trigger in self.machine.triggers:
            if trigger.condition is None:
                self._set(trigger.routine, self._piece_slot(trigger), trigger.classes)

    def _piece_slot(self, trigger: m.TriggerCode) -> int:
        nodes = (self.machine.nodes[i] for i in self.machine.routines[trigger.routine].entries)
        first = next((n.first_slot for n in nodes if isinstance(n, m.NextTrigger)), m.FRAME)
        return first + len(trigger.indices)

    # ---- what is learned from the nodes

    def _set(self, routine: int, slot: int | None, classes: int | None) -> None:
        if slot is not None and classes is not None:
            self.single[routine, slot] = classes

    def _learn(self, routine: int, node: m.Step) -> None:
        match node:
            case m.SetLocal(slot=slot, value=value):
                self._set(routine, slot, self._of(routine, value))
            case m.Decide(slot=slot, type=Piece(component)):
                self._set(routine, slot, self.machine.component_classes[component])
            case m.MoveSome(follow=slot, classes=classes) | m.Take(follow=slot, classes=classes):
                self._set(routine, slot, classes)
            case m.Drop(follow=slot, classes=classes) | m.TurnDie(slot=slot, classes=classes):
                self._set(routine, slot, classes)
            case m.Snapshot(slot=slot, source=source):
                listed = self._of_many(source)
                if listed is not None:
                    self.lists[routine, slot] = listed
            case m.Iterate(snapshot=snapshot, slot=slot):
                self._set(routine, slot, self.lists.get((routine, snapshot)))
            case m.Call(routine=called, arguments=arguments) | m.Fork(routine=called, arguments=arguments):
                self._given(routine, called, arguments)
            case m.CallCell(what=what):
                self._doing(routine, what)
            case m.Offer(what=several):
                for doing in several:
                    self._doing(routine, doing)

    def _doing(self, routine: int, what: m.Doing) -> None:
        if isinstance(what, m.DoRoutine):
            self._given(routine, what.routine, what.arguments)
            return
        for called, _ in self.machine.cells:
            self._set(called, m.SELF, self._of(routine, what.actor))

    def _given(self, routine: int, called: int, arguments: tuple[m.Expr, ...]) -> None:
        for i, argument in enumerate(arguments):
            self._set(called, m.FRAME + i, self._of(routine, argument))

    def _of(self, routine: int, value: m.Expr) -> int | None:
        """The number of classes of the piece that an expression gives; none if it gives no piece."""
        match value:
            case m.Local(slot=slot):
                return self.single.get((routine, slot))
            case m.PieceAt(classes=classes):
                return classes
            case m.Best(source=source):
                return self._of_many(source)
            case m.If(then=then, otherwise=otherwise):
                return self._of(routine, then) or self._of(routine, otherwise)
            case m.Let(body=body):
                return self._of(routine, body)
        return None

    def _of_many(self, source: m.Source) -> int | None:
        match source:
            case m.Pieces(classes=classes):
                return classes
            case m.Filtered(source=inner) | m.Prefix(source=inner):
                return self._of_many(inner)
            case m.Joined(parts=parts):
                return next((found for part in parts if (found := self._of_many(part))), None)
            case m.Either(then=then, otherwise=otherwise):
                return self._of_many(then) or self._of_many(otherwise)
        return None

    # ---- what a state holds

    def words(self, s: array[int]) -> Iterator[Word]:
        """Every word of a state that names a piece; those of one list together."""
        for routine, fp in self._frames(s):
            for (owner, slot), classes in self.single.items():
                if owner == routine:
                    yield ((fp + slot, classes),)
            for (owner, slot), classes in self.lists.items():
                if owner == routine:
                    yield tuple((fp + slot + 1 + i, classes) for i in range(s[fp + slot]))
        for trigger in self.machine.triggers:
            if trigger.condition is None:
                queued = range(trigger.held + 1, trigger.held + 1 + 2 * s[trigger.held], 2)
                yield tuple((word, trigger.classes) for word in queued)

    def _frames(self, s: array[int]) -> Iterator[tuple[int, int]]:
        """The frames in use: the routine of each and where it begins."""
        if s[m.STATUS]:
            return
        if not s[m.FORKED]:
            yield from self._chain(s, s[m.PC], s[m.FP])
            return
        yield from self._chain(s, s[m.FORK], s[m.MAIN_FP])
        for seat in range(self.machine.seats):
            pc, fp, status = s[self.machine.branches + 3 * seat : self.machine.branches + 3 * seat + 3]
            if status == m.WAITING:
                yield from self._chain(s, pc, fp)

    def _chain(self, s: array[int], node: int, fp: int) -> Iterator[tuple[int, int]]:
        while node >= 0:
            yield self.home.get(node, FLOW), fp
            node, fp = s[fp + m.RETURN], s[fp + m.CALLER]


def _homes(machine: m.Machine) -> dict[int, int]:
    """The routine of each node."""
    found: dict[int, int] = {}
    starts = [(FLOW, machine.start)]
    starts += [(i, entry) for i, code in enumerate(machine.routines) for entry in code.entries]
    for routine, start in starts:
        todo = [start]
        while todo:
            number = todo.pop()
            if number < 0 or number in found:
                continue
            found[number] = routine
            targets = ("next", "then", "otherwise", "done", "passing", "nothing", "block")
            nexts = (getattr(machine.nodes[number], name, None) for name in targets)
            todo.extend(target for target in nexts if target is not None)
    return found
