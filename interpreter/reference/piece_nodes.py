"""Nodes that move pieces, turn dice and show pieces, as closures.

`interpreter/wasm/lower/moves.py` does the same, event for event.
"""

from __future__ import annotations

from array import array
from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.events import Moved, Shown, Shuffled, Thrown, Told
from interpreter.messages import Fault, OutOfRange
from interpreter.reference import pieces
from interpreter.reference.closures import NodeFn
from interpreter.reference.context import RunContext
from interpreter.reference.expressions import ExprLinker
from interpreter.reference.faults import OutOfBounds
from interpreter.reference.triggers import TriggerQueue

EVERYBODY = -(1 << 31)
"""In a word that says who was shown a value: everybody was."""


class PieceNodes:
    """Links nodes that move, turn and show pieces. Every move is reported to `triggers`."""

    def __init__(self, context: RunContext, linker: ExprLinker, triggers: TriggerQueue) -> None:
        self.context, self.linker, self.triggers = context, linker, triggers
        self.machine, self.registers = context.machine, context.registers

    def link(self, node: ir.PieceNode | ir.SightNode) -> NodeFn:
        match node:
            case ir.MovePiece():
                return self.move_piece(node)
            case ir.MoveAll():
                return self.move_all(node)
            case ir.Exchange():
                return self.exchange(node)
            case ir.MoveSome():
                return self.move_some(node)
            case ir.TurnDie():
                return self.turn_die(node)
            case ir.Lift():
                return self.lift(node)
            case ir.Drop():
                return self.drop(node)
            case ir.Take():
                return self.take(node)
            case ir.Swap():
                return self.swap(node)
            case ir.Forget():
                return self.forget(node)
            case ir.LookAway():
                return self.look_away(node)
            case ir.Show():
                return self.show(node)
            case ir.Tell():
                return self.tell(node)
        assert_never(node)

    def move_piece(self, node: ir.MovePiece) -> NodeFn:
        piece, place = self.linker.number(node.piece), self.linker.number(node.place)
        last, classes, e = len(self.machine.places) - 1, node.classes, self.registers

        def run(s: array[int]) -> int:
            ref, to = piece(s, e), place(s, e)
            if ref == NONE:
                raise OutOfBounds(ref, 0, last)
            source, class_ = divmod(ref, classes)
            self._move(s, node, class_, source, to)
            return node.next

        return run

    def move_all(self, node: ir.MoveAll) -> NodeFn:
        many, place = self.linker.sources.many(node.source), self.linker.number(node.place)
        places, classes, bottom, e = self.machine.places, node.classes, node.bottom, self.registers

        def run(s: array[int]) -> int:
            to = place(s, e)
            for ref, number in many(s, e):
                source, class_ = divmod(ref, classes)
                if source == to:
                    continue
                for _ in range(number):
                    pieces.take(s, places[source], class_)
                pieces.put(s, places[to], class_, number, bottom)
                self._moved(s, class_, number, source, to)
            return node.next

        return run

    def exchange(self, node: ir.Exchange) -> NodeFn:
        many = self.linker.sources.many(node.source)
        place, other = self.linker.number(node.place), self.linker.number(node.other)
        places, classes, e = self.machine.places, node.classes, self.registers

        def run(s: array[int]) -> int:
            first, second = place(s, e), other(s, e)
            if first == second:
                return node.next
            lying = list(many(s, e))
            pieces.clear(s, places[first])
            pieces.clear(s, places[second])
            for ref, number in lying:
                source, class_ = divmod(ref, classes)
                to = second if source == first else first
                pieces.put(s, places[to], class_, number)
                self._moved(s, class_, number, source, to)
            return node.next

        return run

    def move_some(self, node: ir.MoveSome) -> NodeFn:
        number, source, place = (self.linker.number(n) for n in (node.number, node.source, node.place))
        places, classes, e = self.machine.places, node.classes, self.registers

        def run(s: array[int]) -> int:
            origin, to = source(s, e), place(s, e)
            if node.follow is not None:
                s[s[ir.FP] + node.follow] = NONE
            for _ in range(number(s, e)):
                class_ = pieces.top(s, places[origin]) if not node.below else pieces.lowest(s, places[origin])
                if class_ is None and places[origin].kind == ir.COUNTS:
                    lying = pieces.place_reader(places[origin], origin)(s, e)
                    class_ = lying[0][0] % classes if lying else None
                if class_ is None:
                    break
                self._move(s, node, class_, origin, to)
            return node.next

        return run

    def turn_die(self, node: ir.TurnDie) -> NodeFn:
        face, slot, classes = self.linker.number(node.face), node.slot, node.classes
        places, e = self.machine.places, self.registers

        def run(s: array[int]) -> int:
            at = s[ir.FP] + slot
            if s[at] == NONE:
                raise OutOfBounds(NONE, 0, len(places) - 1)
            place, old = divmod(s[at], classes)
            new = face(s, e)
            if not 0 <= new < classes:
                low = node.low
                raise Fault(OutOfRange(node.span, "face", new + low, low, low + classes - 1))
            pieces.take(s, places[place], old)
            pieces.put(s, places[place], new)
            s[at] = place * classes + new
            self._is_turned(s, place)
            if self.context.sink is not None:
                self.context.sink.append(Thrown(self.context.component_of[place], new, place))
            return node.next

        return run

    def lift(self, node: ir.Lift) -> NodeFn:
        source, slot = self.linker.number(node.source), node.slot
        places, e = self.machine.places, self.registers
        number = self.linker.number(node.number) if node.number is not None else None

        def run(s: array[int]) -> int:
            at = source(s, e)
            place = places[at]
            present = pieces.count(s, place)
            wanted = present if number is None else min(present, max(0, number(s, e)))
            if wanted == present:
                pieces.clear(s, place)
            elif place.kind == ir.BLANK:
                s[place.base] -= wanted
            else:
                lying = pieces.place_reader(place, at)(s, e)
                top_first = [ref % place.classes for ref, many in lying[::-1] for _ in range(many)]
                for class_ in top_first[:wanted]:
                    pieces.take(s, place, class_)
                wanted = present - pieces.count(s, place)
            s[s[ir.FP] + slot] = wanted
            self._is_turned(s, at)
            return node.next

        return run

    def drop(self, node: ir.Drop) -> NodeFn:
        place, slot = self.linker.number(node.place), node.slot
        places, e = self.machine.places, self.registers

        def run(s: array[int]) -> int:
            at, face = place(s, e), s[s[ir.FP] + slot]
            pieces.put(s, places[at], face)
            self._is_turned(s, at)
            if self.context.sink is not None:
                self.context.sink.append(Thrown(node.component, face, at))
            return node.next

        return run

    def take(self, node: ir.Take) -> NodeFn:
        source, place = self.linker.number(node.source), self.linker.number(node.place)
        slot, e = node.slot, self.registers

        def run(s: array[int]) -> int:
            origin, to, class_ = source(s, e), place(s, e), s[s[ir.FP] + slot]
            self._move(s, node, class_, origin, to)
            return node.next

        return run

    def swap(self, node: ir.Swap) -> NodeFn:
        place, places, e = self.linker.number(node.place), self.machine.places, self.registers

        def run(s: array[int]) -> int:
            base, fp = places[place(s, e)].base + 1, s[ir.FP]
            i, j = base + s[fp + node.first], base + s[fp + node.second]
            s[i], s[j] = s[j], s[i]
            return node.next

        return run

    def forget(self, node: ir.Forget) -> NodeFn:
        where, shown, e = self.linker.number(node.place), self.machine.shown, self.registers

        def run(s: array[int]) -> int:
            at = where(s, e)
            if at in shown:
                s[shown[at]] = 0
            if self.context.sink is not None:
                self.context.sink.append(Shuffled(at))
            return node.next

        return run

    def look_away(self, node: ir.LookAway) -> NodeFn:
        words = range(node.first, node.first + node.count)

        def run(s: array[int]) -> int:
            for word in words:
                s[word] &= ~ir.LOOKING
            return node.next

        return run

    def show(self, node: ir.Show) -> NodeFn:
        sources, seat = self.linker.sources, self.linker.number(node.seat)
        many, places = sources.many(node.source), sources.places(node.places)
        shown, classes, e = self.machine.shown, node.places.classes, self.registers
        sights = self.machine.sights

        def run(s: array[int]) -> int:
            who = seat(s, e)
            for at in places(s, e):
                s[shown[at]] |= 1 << who | (1 << who & ir.seat_bits(sights[at].counted)) << ir.REMEMBERED
            if self.context.sink is not None:
                pieces_shown = tuple((*divmod(ref, classes), n) for ref, n in many(s, e))
                self.context.sink.append(Shown(who, pieces_shown, node.openly))
            return node.next

        return run

    def tell(self, node: ir.Tell) -> NodeFn:
        seat, e = self.linker.number(node.seat), self.registers
        where, mask = self.linker.address(node.address), self.linker.address(node.mask)

        def run(s: array[int]) -> int:
            who, at = seat(s, e), where(s, e)
            s[mask(s, e)] |= 1 << who if who >= 0 else EVERYBODY
            if self.context.sink is not None:
                self.context.sink.append(Told(who, node.name, at, s[at], node.openly))
            return node.next

        return run

    def _move(
        self, s: array[int], node: ir.MovePiece | ir.MoveSome | ir.Take, class_: int, source: int, to: int
    ) -> None:
        """Move one piece, and update the local that refers to it."""
        places = self.machine.places
        if isinstance(node, ir.MoveSome) and node.below:
            pieces.take_lowest(s, places[source])
        else:
            pieces.take(s, places[source], class_)
        pieces.put(s, places[to], class_, 1, node.bottom)
        if node.follow is not None:
            s[s[ir.FP] + node.follow] = to * node.classes + class_
        self._moved(s, class_, 1, source, to)

    def _moved(self, s: array[int], class_: int, number: int, source: int, to: int) -> None:
        """Report a move to triggers and the sink; who was shown the places may not know them any more."""
        if self.machine.shown:
            self._remember(s, number, source, to)
        if self.triggers.watchers:
            self.triggers.moved(s, class_, number, source, to)
        if self.context.sink is not None:
            self.context.sink.append(Moved(class_, number, source, to, self.context.component_of[to]))

    def _remember(self, s: array[int], number: int, source: int, to: int) -> None:
        """After a move, who remembers a place has seen what came or went there, or has known it.

        It is known where the last pieces were known that lay there. Who has known them knows also where
        they lie now, if nothing lay there before.
        """
        shown, sights, places = self.machine.shown, self.machine.sights, self.machine.places
        left, came = shown.get(source), shown.get(to)
        words = [s[word] for word in (left, came) if word is not None]
        if not any(words):
            return
        knows = ir.seat_bits(sights[source].seen | sights[to].seen) & ir.LOOKING
        for word in words:
            knows |= word & ir.LOOKING
        known = s[left] >> ir.REMEMBERED if left is not None else 0
        if not pieces.count(s, places[source]):
            knows |= known
        else:
            known &= knows
        if left is not None:
            s[left] = s[left] & ir.LOOKING | (known & knows) << ir.REMEMBERED
        if came is not None:
            held = s[came] >> ir.REMEMBERED & knows
            if pieces.count(s, places[to]) == number and not pieces.count(s, places[source]):
                held |= known & ir.seat_bits(sights[to].counted)
            s[came] = s[came] & ir.LOOKING | held << ir.REMEMBERED

    def _is_turned(self, s: array[int], place: int) -> None:
        """Dice on a place show other faces, or come or go: who does not see it does not know them then."""
        if place in self.machine.shown:
            word = self.machine.shown[place]
            knows = ir.seat_bits(self.machine.sights[place].seen) | s[word] & ir.LOOKING
            s[word] &= ir.LOOKING | knows << ir.REMEMBERED
