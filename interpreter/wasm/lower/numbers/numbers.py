"""Expressions to instructions that leave one 32-bit number on the stack.

Every method returns the interval in which the number lies, so that checks which cannot fail are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from interpreter import machine as m
from interpreter.machine.visit import free_registers as free
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower.numbers.arithmetic import Arithmetic
from interpreter.wasm.lower.numbers.terms import HEAVY, heavy
from interpreter.wasm.lower.numbers.values import TRUTH, WIDE, Span


class Numbers(Arithmetic):
    """Adds the expressions themselves, each worked out where it stands or once for all its places."""

    # ---- numbers

    def num(self, e: m.Expr) -> Span:
        """Leaves the value on the stack."""
        known = self.constant(e)
        if known is not None:
            self.b.i32(known)
            return (known, known)
        if self.shared or self.alike:
            place = self.shared.get(id(e)) or self._alike(e)
            if place is not None:
                return self._once(e, place)
        return self.evaluated(e)

    def evaluated(self, e: m.Expr) -> Span:
        """Leaves the value on the stack, worked out here."""
        match e:
            case m.Const(value=value):
                self.b.i32(value)
                return (value, value)
            case m.Reg(index=index):
                return self.put(self.regs[index])
            case m.Local(slot=slot):
                return self._local(slot)
            case m.Head(word=word):
                if word in self.kept:
                    self.b.get(self.kept[word])
                    return self._head_span(word)
                self.b.get(self.s)
                self.b.load(4 * word)
                return self._head_span(word)
            case m.Load(address=address):
                at = self.constant(m.Spot(address)) if self.kept else None
                if at in self.kept:
                    self.b.get(self.kept[at])
                    return self._load_span(address)
                offset = self.address(address)
                self.b.load(offset)
                return self._load_span(address)
            case m.Spot(address=address):
                return self._spot(address)
            case m.Op():
                return self._operation(e)
            case m.Not(operand=operand):
                self.num(operand)
                self.b.op("i32.eqz")
                return TRUTH
            case m.If(condition=condition, then=then, otherwise=otherwise):
                self.num(condition)
                self.b.when(I32)
                x = self.num(then)
                self.b.otherwise()
                y = self.num(otherwise)
                self.b.end()
                return (min(x[0], y[0]), max(x[1], y[1]))
            case m.Let(reg=reg, value=value_, body=body):
                return self._let(reg, value_, body)
            case m.Pick(table=table, index=index_, lo=lo):
                return self._pick(table, index_, lo)
            case m.ClassOf(piece=m.PieceAt(place=m.Const(value=at)), classes=classes) if (
                at in self.plan.solid
            ):
                self._place_word(at)
                self.b.i32(1)
                self.b.op("i32.sub")
                return (0, classes - 1)
            case m.ClassOf(piece=piece) if (found := self.found(piece)) is not None:
                return self.put(found.class_)
            case m.PlaceIndex(piece=piece, table=table) if (found := self.found(piece)) is not None:
                return self._index_of(found, table)
            case m.ClassOf(piece=piece, classes=classes):
                return self._of_piece(piece, lambda: self._class(classes), (0, classes - 1))
            case m.PlaceIndex(piece=piece, classes=classes, table=table):
                span = (min(table), max(table))
                return self._of_piece(piece, lambda: self._index(classes, table), span)
            case m.PieceAt(place=place, classes=classes):
                return self._piece_at(place, classes)
            case m.Fold():
                return self.fold(e)
            case m.Best():
                return self.best(e)
            case m.Contains(item=item, source=source):
                return self.contains(item, source)
            case m.Size(source=source):
                return self.size(source)
            case m.Can(what=what):
                return self.can(what)
            case m.Covered(value=value_):
                span = self.num(value_)
                self.note_outcome(e)
                return span
            case m.CoveredCell(value=value_):
                span = self.num(value_)
                self.note_cell(e)
                return span
        assert_never(e)

    def _local(self, slot: int) -> Span:
        if slot in self.slots:
            return self.put(self.slots[slot])
        self.read_slot(slot)
        if slot == m.ME:
            return (0, self.mc.seats - 1)
        return self.plan.spans.get((self.routine, slot), WIDE)

    def _head_span(self, word: int) -> Span:
        if word in (m.ACTIVE,):
            return (0, self.mc.seats - 1)
        return (-1, self.mc.seats - 1) if word == m.ROTATION else WIDE

    def _let(self, reg: int, value: m.Expr, body: m.Expr) -> Span:
        found = self.held(value)
        with self.reg(reg, found):
            span = self.num(body)
        self.drop(found)
        return span

    # ---- what goes through collections

    def fold(self, e: m.Fold) -> Span:
        raise NotImplementedError

    def best(self, e: m.Best) -> Span:
        raise NotImplementedError

    def contains(self, item: m.Expr, source: m.Source) -> Span:
        raise NotImplementedError

    def size(self, source: m.Source) -> Span:
        raise NotImplementedError

    def can(self, what: m.Doing) -> Span:
        raise NotImplementedError

    # ---- what is worked out once

    @contextmanager
    def sharing(self, *conditions: m.Expr | None) -> Iterator[None]:
        """What stands in the conditions more than once is worked out once; the code runs from here on."""
        found: dict[m.Expr, int] = {}
        bound = frozenset(self.regs)
        for condition in conditions:
            for part in heavy(condition):
                if free(part) <= bound:
                    found[part] = found.get(part, 0) + 1
        twice = [part for part, times in found.items() if times > 1 and part not in self.alike]
        with self._places(twice) as places:
            before = self.alike
            self.alike = before | dict(zip(twice, places, strict=True))
            yield
            self.alike = before

    @contextmanager
    def hoisting(self, reg: int, *conditions: m.Expr | None) -> Iterator[None]:
        """What does not depend on the register of a loop is worked out once, when it is first wanted."""
        outer = frozenset(self.regs) - {reg}
        parts = [p for c in conditions for p in heavy(c) if id(p) not in self.shared and free(p) <= outer]
        with self._places(parts) as places:
            before = self.shared
            self.shared = before | {id(p): x for p, x in zip(parts, places, strict=True)}
            yield
            self.shared = before

    @contextmanager
    def _places(self, parts: list[m.Expr]) -> Iterator[list[tuple[int, int]]]:
        """For each part a local that says whether it is worked out, 0 here, and one for its value."""
        b = self.b
        places = [(b.local(), b.local()) for _ in parts]
        for flag, _ in places:
            b.i32(0)
            b.set(flag)
        yield places
        for place in places:
            b.release(*place)

    def _alike(self, e: m.Expr) -> tuple[int, int] | None:
        return self.alike.get(e) if self.alike and isinstance(e, HEAVY) else None

    def _once(self, e: m.Expr, place: tuple[int, int]) -> Span:
        b = self.b
        flag, value = place
        b.get(flag)
        b.op("i32.eqz")
        b.when()
        span = self.evaluated(e)
        b.set(value)
        b.i32(1)
        b.set(flag)
        b.end()
        b.get(value)
        return span
