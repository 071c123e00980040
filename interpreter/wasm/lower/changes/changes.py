"""Nodes that change the state to instructions: words, pieces, dice, and what is shown."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower.changes.dice import Dice
from interpreter.wasm.lower.changes.events import SHOWN, SHOWN_PIECE, SHUFFLED
from interpreter.wasm.lower.numbers.values import Held, Known, Value


class Changes(Dice):
    """What one node does to the state; the node after it is the caller's business.

    Adds shuffling and showing.
    """

    def swap(self, node: m.Swap) -> None:
        b = self.b
        at = self.held(node.place)
        with b.borrowed(I32, I32, I32, I32) as (base, i, j, t):
            self.word_of(at)
            b.i32(4)
            b.op("i32.add")
            b.set(base)
            for slot, local in ((node.first, i), (node.second, j)):
                b.get(base)
                self.read_slot(slot)
                b.i32(2)
                b.op("i32.shl", "i32.add")
                b.set(local)
            b.get(i)
            b.load()
            b.set(t)
            b.get(i)
            b.get(j)
            b.load()
            b.store()
            b.get(j)
            b.get(t)
            b.store()
        self.drop(at)

    def word_of(self, place: Value) -> None:
        """Leaves the address of the first word of a place."""
        b = self.b
        if isinstance(place, Known):
            b.get(self.s)
            b.i32(4 * self.mc.places[place.value].base)
            b.op("i32.add")
        else:
            self.place_base(place.local, place.span)

    def _shown_word(self, place: Value) -> None:
        """Leaves the address of the word that says who has seen a place; the place can be shown."""
        b = self.b
        words = self.plan.table(self.mc.shown.get(i, 0) for i in range(len(self.mc.places)))
        b.get(self.s)
        self.put(place)
        self.look_up(words)
        b.i32(2)
        b.op("i32.shl", "i32.add")

    def forget(self, node: m.Forget) -> None:
        b = self.b
        at = self.held(node.place)
        if self.mc.shown:
            self.put(at)
            self.look_up(self.plan.table(int(i in self.mc.shown) for i in range(len(self.mc.places))))
            b.when()
            self._shown_word(at)
            b.i32(0)
            b.store()
            b.end()
        self.event(SHUFFLED, at)
        self.drop(at)

    def show(self, node: m.Show) -> None:
        b = self.b
        who = self.held(node.seat)

        def one(k: Value) -> None:
            with b.borrowed(I32, I32) as (place, at):
                self.put(k)
                b.i32(node.places.first)
                b.op("i32.add")
                b.set(place)
                self._shown_word(Held(place, (0, len(self.mc.places) - 1)))
                b.tee(at)
                b.get(at)
                b.load()
                b.i32(1)
                self.put(who)
                b.op("i32.shl", "i32.or")
                b.store()

        self.places(node.places, one)
        self.event(SHOWN, who)
        if self.plan.flavour.events:
            self.each(node.source, lambda value, n: self._tell_piece(value, n, node.places.classes), 20)
        self.drop(who)

    def _tell_piece(self, value: Value, n: Value, classes: int) -> None:
        if isinstance(value, Known):
            self.event(SHOWN_PIECE, value.value // classes, value.value % classes, n)
            return
        place, class_ = self.split(value.local, classes)
        self.event(SHOWN_PIECE, place, class_, n)
        self.drop(place, class_)
