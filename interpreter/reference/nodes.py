"""Nodes as Python functions: each takes the state and gives the number of the next node, or a code."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, assert_never

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.events import Changed, Ended, Entered, Moved, Shown, Shuffled, Thrown, Turned
from interpreter.messages import CannotPay, Fault, OutOfRange, TooManyRounds
from interpreter.reference import pieces
from interpreter.reference.codes import FAIL, OVER, Run
from interpreter.reference.linking import OutOfBounds, place_reader

if TYPE_CHECKING:
    from interpreter.reference.executor import Executor


class Nodes:
    """Links the nodes of one machine for one executor."""

    def __init__(self, machine: m.Machine, executor: Executor) -> None:
        self.machine = machine
        self.x = executor
        self.link = executor.linker
        self.e = executor.registers

    def run(self, number: int, node: m.Step) -> Run:
        """The function of one node."""
        self.link.node = number
        match node:
            case m.SetLocal():
                return self._set_local(node)
            case m.ClearLocals(first=first, last=last, next=following):
                return self._clear_locals(first, last, following)
            case m.SetHead():
                return self._set_head(node)
            case m.SetWord():
                return self._set_word(node)
            case m.Transfer():
                return self._transfer(node)
            case m.MovePiece():
                return self._move_piece(node)
            case m.MoveAll():
                return self._move_all(node)
            case m.MoveSome():
                return self._move_some(node)
            case m.TurnDie():
                return self._turn_die(node)
            case m.Lift():
                return self._lift(node)
            case m.Drop():
                return self._drop(node)
            case m.Take():
                return self._take(node)
            case m.Swap():
                return self._swap(node)
            case m.Chance():
                return lambda s: self.x.at_chance(s, number)
            case m.Forget(place=place, next=following):
                return self._forget(place, following)
            case m.Show():
                return self._show(node)
            case m.Branch(condition=condition, then=then, otherwise=otherwise):
                return self._branch(condition, then, otherwise)
            case m.Need(condition=condition, next=following):
                return self._need(number, condition, following)
            case m.Bound():
                return self._bound(node)
            case m.Snapshot():
                return self._snapshot(node)
            case m.Iterate():
                return self._iterate(node)
            case m.SetMe(value=value, next=following):
                return self._set_me(value, following)
            case m.Call():
                return self.x.linked_call(number, node)
            case m.CallCell():
                return self.x.linked_cell(number, node)
            case m.Return():
                return lambda s: self.x.leave(s, number)
            case m.Commit(next=following):
                return lambda s: self.x.commit(s, following)
            case m.Decide():
                return lambda s: self.x.at_decision(s, number)
            case m.Offer():
                return lambda s: self.x.at_decision(s, number)
            case m.Fork():
                return self.x.linked_fork(number, node)
            case m.Sample(triggers=triggers, next=following):
                return self.x.linked_sample(triggers, following)
            case m.CheckTrigger(trigger=trigger, next=following):
                return self.x.linked_check(number, trigger, following)
            case m.NextTrigger():
                return self.x.linked_trigger(number, node)
            case m.EnterPhase(phase=phase, next=following):
                return self._enter(phase, following)
            case m.Reset():
                return self._reset(node)
            case m.Cover():
                return self.x.linked_cover(node)
            case m.Win(seat=seat):
                return self._win(seat)
            case m.End():
                return self._end
        assert_never(node)

    # ---- words

    def _set_local(self, node: m.SetLocal) -> Run:
        value, slot, following, e = self.link.number(node.value), node.slot, node.next, self.e

        def run(s: array[int]) -> int:
            s[s[2] + slot] = value(s, e)
            return following

        return run

    def _clear_locals(self, first: int, last: int, following: int) -> Run:
        zeros = array("i", bytes(4 * (last - first)))

        def run(s: array[int]) -> int:
            fp = s[2]
            s[fp + first : fp + last] = zeros
            return following

        return run

    def _set_head(self, node: m.SetHead) -> Run:
        value, word, following, e = self.link.number(node.value), node.word, node.next, self.e

        def run(s: array[int]) -> int:
            new = value(s, e)
            if word == m.ACTIVE and self.x.sink is not None:
                self.x.sink.append(Turned(new))
            s[word] = new
            return following

        return run

    def _changed(self, name: str, word: int, old: int, new: int) -> None:
        if self.x.sink is not None and old != new:
            self.x.sink.append(Changed(name, word, old, new))

    def _set_word(self, node: m.SetWord) -> Run:
        where, value, e = self.link.address(node.address), self.link.number(node.value), self.e
        words = self.machine.words[node.name]
        op, following = node.op, node.next

        def run(s: array[int]) -> int:
            at = where(s, e)
            old = s[at]
            amount = value(s, e)
            new = amount if op == "=" else old + amount if op == "+=" else old - amount
            if node.edge != "free" and new != NONE:
                lo, hi = words.bounds(at)
                if not lo <= new <= hi:
                    if node.edge == "clamp":
                        new = lo if new < lo else hi
                    elif node.edge == "refuse" and self.x.trial:
                        self.x.failure = (node, new, hi)
                        return FAIL
                    else:
                        raise Fault(OutOfRange(node.span, node.name, new, lo, hi))
            s[at] = new
            self._changed(node.name, at, old, new)
            return following

        return run

    def _transfer(self, node: m.Transfer) -> Run:
        where, amount_of, e = self.link.address(node.address), self.link.number(node.amount), self.e
        to = self.link.address(node.to) if node.to is not None else None
        words = self.machine.words[node.name]

        def run(s: array[int]) -> int:
            at, amount = where(s, e), amount_of(s, e)
            old = s[at]
            lo, hi = words.bounds(at)
            if node.verb == "gain":
                new = old + amount
                if not lo <= new <= hi:
                    if node.edge == "clamp":
                        new = lo if new < lo else hi
                    elif node.edge == "refuse" and self.x.trial:
                        self.x.failure, self.x.failed_state = (node, new, hi), s
                        return FAIL
                    else:
                        raise Fault(OutOfRange(node.span, node.name, new, lo, hi))
            else:
                new = old - amount
                if new < lo:
                    if node.verb == "lose":
                        new = lo
                    elif self.x.trial:
                        self.x.failure, self.x.failed_state = (node, amount, old - lo), s
                        return FAIL
                    else:
                        raise Fault(CannotPay(node.span, node.name, amount, old - lo))
                if new > hi:
                    raise Fault(OutOfRange(node.span, node.name, new, lo, hi))
            s[at] = new
            self._changed(node.name, at, old, new)
            if to is not None:
                self._receive(s, node, to(s, e), old - new, words)
            elif node.bank is not None:
                self._book(s, node, node.bank, new - old)
            return node.next

        return run

    def _receive(self, s: array[int], node: m.Transfer, at: int, amount: int, words: m.Words) -> None:
        lo, hi = words.bounds(at)
        new = s[at] + amount
        if new > hi and node.edge != "clamp":
            raise Fault(OutOfRange(node.span, node.name, new, lo, hi))
        new = min(new, hi)
        self._changed(node.name, at, s[at], new)
        s[at] = new

    def _book(self, s: array[int], node: m.Transfer, bank: int, amount: int) -> None:
        """The bank's side. It runs short or over only where that is declared."""
        lo, hi = node.bank_range
        new = s[bank] - amount
        if (new < lo and not (node.paid_anyway or node.bank_clamps)) or (new > hi and not node.bank_clamps):
            raise Fault(OutOfRange(node.span, node.bank_name, new, lo, hi))
        new = max(lo, min(hi, new))
        self._changed(node.bank_name, bank, s[bank], new)
        s[bank] = new

    def _reset(self, node: m.Reset) -> Run:
        made = [(self.link.address(a), array("i", values)) for a, values in node.ranges]
        e, following = self.e, node.next

        def run(s: array[int]) -> int:
            for where, values in made:
                at = where(s, e)
                s[at : at + len(values)] = values
            return following

        return run

    # ---- pieces

    def _moved(self, s: array[int], class_: int, number: int, source: int, to: int) -> None:
        if self.x.watchers:
            self.x.moved(s, class_, number, source, to)
        if self.x.sink is not None:
            component = self.x.component_of[to if to >= 0 else source]
            self.x.sink.append(Moved(class_, number, source, to, component))

    def _move_piece(self, node: m.MovePiece) -> Run:
        piece, place = self.link.number(node.piece), self.link.number(node.place)
        places, classes, follow, bottom, e = (
            self.machine.places,
            node.classes,
            node.follow,
            node.bottom,
            self.e,
        )

        def run(s: array[int]) -> int:
            ref, to = piece(s, e), place(s, e)
            if ref == NONE:
                raise OutOfBounds(ref, 0, len(places) - 1)
            source, class_ = divmod(ref, classes)
            pieces.take(s, places[source], class_)
            pieces.put(s, places[to], class_, 1, bottom)
            if follow is not None:
                s[s[2] + follow] = to * classes + class_
            self._moved(s, class_, 1, source, to)
            return node.next

        return run

    def _move_all(self, node: m.MoveAll) -> Run:
        many, place = self.link.many(node.source), self.link.number(node.place)
        places, classes, bottom, e = self.machine.places, node.classes, node.bottom, self.e

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

    def _move_some(self, node: m.MoveSome) -> Run:
        number, source, place = (self.link.number(n) for n in (node.number, node.source, node.place))
        places, classes, e = self.machine.places, node.classes, self.e

        def run(s: array[int]) -> int:
            origin, to = source(s, e), place(s, e)
            if node.follow is not None:
                s[s[2] + node.follow] = NONE
            for _ in range(number(s, e)):
                class_ = pieces.top(s, places[origin])
                if class_ is None and places[origin].kind == m.COUNTS:
                    found = place_reader(places[origin], origin, classes)(s, e)
                    class_ = found[0][0] % classes if found else None
                if class_ is None:
                    break
                pieces.take(s, places[origin], class_)
                pieces.put(s, places[to], class_, 1, node.bottom)
                if node.follow is not None:
                    s[s[2] + node.follow] = to * classes + class_
                self._moved(s, class_, 1, origin, to)
            return node.next

        return run

    def _turn_die(self, node: m.TurnDie) -> Run:
        face, slot, classes, places, e = (
            self.link.number(node.face),
            node.slot,
            node.classes,
            self.machine.places,
            self.e,
        )

        def run(s: array[int]) -> int:
            at = s[2] + slot
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
            if self.x.sink is not None:
                self.x.sink.append(Thrown(self.x.component_of[place], new, place))
            return node.next

        return run

    def _lift(self, node: m.Lift) -> Run:
        source, slot, places, e = (
            self.link.number(node.source),
            node.slot,
            self.machine.places,
            self.e,
        )
        number = self.link.number(node.number) if node.number is not None else None

        def run(s: array[int]) -> int:
            at = source(s, e)
            place = places[at]
            classes = self.x.classes_of[at]
            found = pieces.count(s, place, classes)
            wanted = found if number is None else min(found, max(0, number(s, e)))
            if wanted == found:
                pieces.clear(s, place, classes)
            elif place.kind == m.BLANK:
                s[place.base] -= wanted
            else:
                for ref, many in place_reader(place, at, classes)(s, e)[::-1]:
                    for _ in range(min(many, wanted)):
                        pieces.take(s, place, ref % classes)
                    wanted -= min(many, wanted)
                wanted = found - pieces.count(s, place, classes)
            s[s[2] + slot] = wanted
            return node.next

        return run

    def _drop(self, node: m.Drop) -> Run:
        place, slot, places, e = (
            self.link.number(node.place),
            node.slot,
            self.machine.places,
            self.e,
        )

        def run(s: array[int]) -> int:
            at, face = place(s, e), s[s[2] + slot]
            pieces.put(s, places[at], face)
            if self.x.sink is not None:
                self.x.sink.append(Thrown(node.component, face, at))
            return node.next

        return run

    def _take(self, node: m.Take) -> Run:
        source, place = self.link.number(node.source), self.link.number(node.place)
        slot, places, classes, e = node.slot, self.machine.places, node.classes, self.e

        def run(s: array[int]) -> int:
            origin, to, class_ = source(s, e), place(s, e), s[s[2] + slot]
            pieces.take(s, places[origin], class_)
            pieces.put(s, places[to], class_, 1, node.bottom)
            if node.follow is not None:
                s[s[2] + node.follow] = to * classes + class_
            self._moved(s, class_, 1, origin, to)
            return node.next

        return run

    def _swap(self, node: m.Swap) -> Run:
        place, places, e = self.link.number(node.place), self.machine.places, self.e

        def run(s: array[int]) -> int:
            base, fp = places[place(s, e)].base + 1, s[2]
            i, j = base + s[fp + node.first], base + s[fp + node.second]
            s[i], s[j] = s[j], s[i]
            return node.next

        return run

    def _forget(self, place: m.Expr, following: int) -> Run:
        where, shown, e = self.link.number(place), self.machine.shown, self.e

        def run(s: array[int]) -> int:
            at = where(s, e)
            if at in shown:
                s[shown[at]] = 0
            if self.x.sink is not None:
                self.x.sink.append(Shuffled(at))
            return following

        return run

    def _show(self, node: m.Show) -> Run:
        many, places, seat = (
            self.link.many(node.source),
            self.link.places(node.places),
            self.link.number(node.seat),
        )
        shown, classes, e = self.machine.shown, node.places.classes, self.e

        def run(s: array[int]) -> int:
            who = seat(s, e)
            for at in places(s, e):
                s[shown[at]] |= 1 << who
            if self.x.sink is not None:
                found = tuple((*divmod(ref, classes), n) for ref, n in many(s, e))
                self.x.sink.append(Shown(who, found))
            return node.next

        return run

    # ---- control

    def _branch(self, condition: m.Expr, then: int, otherwise: int) -> Run:
        test, e = self.link.number(condition), self.e
        return lambda s: then if test(s, e) else otherwise

    def _need(self, number: int, condition: m.Expr, following: int) -> Run:
        test, e = self.link.number(condition), self.e

        def run(s: array[int]) -> int:
            if test(s, e):
                return following
            return self.x.need_failed(s, number)

        return run

    def _bound(self, node: m.Bound) -> Run:
        most, slot, e = self.link.number(node.most), node.slot, self.e

        def run(s: array[int]) -> int:
            at = s[2] + slot
            s[at] += 1
            if s[at] > most(s, e):
                raise Fault(TooManyRounds(node.span, most(s, e)))
            return node.next

        return run

    def _snapshot(self, node: m.Snapshot) -> Run:
        many, reg, slot, e = self.link.many(node.source), node.reg, node.slot, self.e
        where = self.link.number(node.where) if node.where is not None else None
        keys = [self.link.number(k) for k in node.keys]
        rotate = self.link.number(node.rotate) if node.rotate is not None else None
        seats = self.machine.seats

        def run(s: array[int]) -> int:
            found = []
            for v, n in many(s, e):
                e[reg] = v
                if where is None or where(s, e):
                    found.extend([v] * n)
            if rotate is not None:
                start = rotate(s, e)
                found.sort(key=lambda v: (v - start) % seats)
            if keys:
                found = [v for _, v in sorted(((key_of(v, s), v) for v in found), key=lambda p: p[0])]
            if len(found) > node.capacity:
                raise Fault(TooManyRounds(node.span, node.capacity))
            fp = s[2] + slot
            s[fp] = len(found)
            s[fp + 1 : fp + 1 + len(found)] = array("i", found)
            return node.next

        def key_of(value: int, s: array[int]) -> list[int]:
            e[reg] = value
            return [k(s, e) for k in keys]

        return run

    def _iterate(self, node: m.Iterate) -> Run:
        snapshot, position, slot = node.snapshot, node.position, node.slot

        def run(s: array[int]) -> int:
            fp = s[2]
            i = s[fp + position]
            if i >= s[fp + snapshot]:
                s[fp + position] = 0
                return node.done
            s[fp + position] = i + 1
            s[fp + slot] = s[fp + snapshot + 1 + i]
            return node.next

        return run

    def _set_me(self, value: m.Expr, following: int) -> Run:
        who, e = self.link.number(value), self.e

        def run(s: array[int]) -> int:
            s[s[2] + m.ME] = who(s, e)
            return following

        return run

    def _enter(self, phase: int, following: int) -> Run:
        def run(s: array[int]) -> int:
            s[m.PHASE] = phase
            if self.x.sink is not None:
                self.x.sink.append(Entered(phase))
            return following

        return run

    def _win(self, seat: m.Expr) -> Run:
        who, e = self.link.number(seat), self.e

        def run(s: array[int]) -> int:
            s[m.WINNERS] |= 1 << who(s, e)
            return self._end(s)

        return run

    def _end(self, s: array[int]) -> int:
        s[m.STATUS] = 1
        if self.x.sink is not None:
            self.x.sink.append(Ended())
        return OVER
