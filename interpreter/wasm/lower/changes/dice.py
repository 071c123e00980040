"""Nodes that throw dice."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.faults import OUT_OF_RANGE
from interpreter.wasm.lower.changes.events import THROWN
from interpreter.wasm.lower.changes.pieces import Pieces
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Value


class Dice(Pieces):
    """Adds dice that are turned, lifted and dropped."""

    def turn_die(self, node: m.TurnDie) -> None:
        b = self.b
        with b.borrowed(I32, I32) as (ref, face):
            self.read_slot(node.slot)
            b.set(ref)
            known = self.place_of_die(self.node, node)
            place: Value
            old: Value = Known(0)
            if known in self.plan.solid:
                assert known is not None
                place = Known(known)
            else:
                self._there(ref)
                place, old = self.split(ref, node.classes)
            span = self.num(node.face)
            b.set(face)
            new = Held(face, (0, node.classes - 1))
            if not (span[0] >= 0 and span[1] < node.classes):
                b.get(face)
                b.i32(node.classes)
                b.op("i32.ge_u")
                b.when()
                with b.borrowed(I32) as (shown,):
                    b.get(face)
                    b.i32(node.low)
                    b.op("i32.add")
                    b.set(shown)
                    self.fault(OUT_OF_RANGE, Held(shown, WIDE), node.low, node.low + node.classes - 1)
                b.end()
            if known in self.plan.solid:
                assert known is not None
                self._turn_lone(known, new)
            else:
                self.take_piece(place, old)
                self.put_piece(place, new, Known(1), False)
            self.follow(node.slot, place, new, node.classes)
            self.event(THROWN, new, place)
            self.drop(place, old)

    def place_of_die(self, number: int, node: m.TurnDie) -> int | None:
        """The place of a die, where the local that names it is only written from one known place."""
        found: set[int | None] = set()
        for each in self.plan.regions[self.plan.region_of[number]].nodes:
            other = self.mc.nodes[each]
            if isinstance(other, m.SetLocal) and other.slot == node.slot:
                piece = other.value
                if isinstance(piece, m.PieceAt) and isinstance(piece.place, m.Const):
                    found.add(piece.place.value)
                else:
                    found.add(None)
            elif not isinstance(other, m.TurnDie) and node.slot in _slots(other):
                found.add(None)
        return found.pop() if len(found) == 1 else None

    def _turn_lone(self, place: int, new: Value) -> None:
        """The die that lies alone on a place shows another face."""
        b, base = self.b, self.mc.places[place].base
        word = self.kept.get(base)
        if word is None:
            b.get(self.s)
        self.put(new)
        b.i32(1)
        b.op("i32.add")
        if word is None:
            b.store(4 * base)
        else:
            b.set(word)

    def lift(self, node: m.Lift) -> None:
        b = self.b
        at = self.held(node.source)
        found, wanted = b.local(), b.local()
        b.get(self.s)
        self.put(at)
        b.call(self.plan.function("count", (I32, I32)))
        b.tee(found)
        b.set(wanted)
        if node.number is not None:
            self.num(node.number)
            b.set(wanted)
            self._clamp_number(wanted, found)
        b.get(wanted)
        b.get(found)
        b.op("i32.eq")
        b.when()
        b.get(self.s)
        self.put(at)
        b.call(self.plan.function("clear", (I32, I32), ()))
        b.otherwise()
        b.get(self.s)
        self.put(at)
        b.get(wanted)
        b.call(self.plan.function("lift", (I32, I32, I32), ()))
        b.end()
        with self.slot(node.slot):
            b.get(wanted)
        b.release(found, wanted)
        self.drop(at)

    def _clamp_number(self, wanted: int, found: int) -> None:
        """`wanted` comes to lie within 0 and `found`."""
        b = self.b
        b.i32(0)
        b.get(wanted)
        b.get(wanted)
        b.i32(0)
        b.op("i32.lt_s", "select")
        b.set(wanted)
        b.get(found)
        b.get(wanted)
        b.get(wanted)
        b.get(found)
        b.op("i32.gt_s", "select")
        b.set(wanted)

    def drop_die(self, node: m.Drop) -> None:
        b = self.b
        at = self.held(node.place)
        with b.borrowed(I32) as (face,):
            self.read_slot(node.slot)
            b.set(face)
            class_ = Held(face, (0, node.classes - 1))
            self.put_piece(at, class_, Known(1), False)
            self.event(THROWN, class_, at)
            self.follow(node.follow, at, class_, node.classes)
        self.drop(at)


def _slots(node: m.Step) -> tuple[int, ...]:
    """The words of the frame that a node writes, but for those that are cleared."""
    names = ("slot", "follow", "position")
    return tuple(x for name in names if (x := getattr(node, name, None)) is not None)
