"""Lowering of statements to nodes. Every statement fills its entry and leads to the node after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, assert_never

from dsl import rules as r
from dsl.domains import IntType
from dsl.rules.reads import zones_in
from dsl.rules.visit import walk
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.compile import pieces
from interpreter.compile.frames import Frames, one_line
from interpreter.ir.intervals import Leaf, greatest_size

MOST_NUMBERS = 4096
"""The most numbers of a range that a loop iterates over if the type of the range has no bound."""


def _conjuncts(condition: r.Expr | None) -> Iterator[r.Expr]:
    if isinstance(condition, r.Both) and condition.op == "and":
        yield from _conjuncts(condition.left)
        yield from _conjuncts(condition.right)
    elif condition is not None:
        yield condition


def _reads_only(condition: r.Expr, known: set[r.Var]) -> bool:
    """Whether all locals that a condition reads are known or bound in it."""
    parts = list(walk(condition))
    own = {part.var for part in parts if isinstance(part, r.Binder)}
    return all(part.var in known | own for part in parts if isinstance(part, r.Read))


class Statements(Frames):
    """Lowers statements, for one routine at a time."""

    # ---- blocks

    def block(self, lines: r.Block, entry: int, after: int, clear: bool = True) -> None:
        """Fill `entry` with a block. With `clear`, its locals are cleared after it."""
        mark = self.slots
        before = dict(self.env)
        end = self.graph.reserve() if clear else after
        at = entry
        for i, line in enumerate(lines):
            following = end if i == len(lines) - 1 else self.graph.reserve()
            self.line(line, at, following)
            at = following
        if not lines:
            self.graph.alias[entry] = end
        if clear:
            if self.slots > mark:
                self.graph.fill(end, ir.ClearLocals(span=NOWHERE, first=mark, last=self.slots, next=after))
            else:
                self.graph.alias[end] = after
        self.slots, self.env = mark, before

    # ---- one statement

    def line(self, line: r.Statement, entry: int, after: int) -> None:
        self.graph.span = line.span
        if not isinstance(line, r.Precondition):
            entry = self.entered(line, entry)
        match line:
            case r.SetVar(var=var, value=value):
                lowered = self.expr(value)
                self.chosen.discard(var)
                if self.hidden_reads.observes_hidden(value) or self._reads_tainted(value):
                    self.tainted.add(var)
                self.fill_node(entry, ir.SetLocal, line, slot=self.keep(var), value=lowered, next=after)
            case r.Write():
                self._write(line, entry, after)
            case r.Transfer():
                self._transfer(line, entry, after)
            case r.TurnDie():
                pieces.turn_die(self, line, entry, after)
            case r.MovePiece():
                pieces.move_piece(self, line, entry, after)
            case r.MoveAll(source=source, to=to):
                after = self.after(zones_in(source) | {to.zone}, after)
                self.fill_node(
                    entry,
                    ir.MoveAll,
                    line,
                    source=self.collection(source),
                    place=self.place(to),
                    classes=self.classes(to.item),
                    bottom=line.end == "bottom",
                    next=after,
                )
            case r.MoveCount():
                pieces.move_count(self, line, entry, after)
            case r.MoveAlike():
                pieces.move_alike(self, line, entry, after)
            case r.RollPiece():
                pieces.roll_piece(self, line, entry, after)
            case r.RollZone():
                pieces.roll_zone(self, line, entry, after)
            case r.Shuffle(zone=zone):
                pieces.shuffle(self, line, zone, entry, after)
            case r.Show(zone=zone, to=to):
                self.fill_node(
                    entry,
                    ir.Show,
                    line,
                    source=self.pieces(zone),
                    places=self.pieces(zone),
                    seat=self.expr(to),
                    next=after,
                )
            case r.Precondition(condition=condition):
                self.need(condition, line, entry, after)
            case r.EndGame():
                self.fill_node(entry, ir.End, line)
            case r.Win(seat=seat):
                self.fill_node(entry, ir.Win, line, seat=self.expr(seat))
            case r.Choose():
                self._choose(line, entry, after)
            case r.Offer():
                self._offer(line, entry, after)
            case r.CallLine(routine=routine, arguments=arguments):
                self.called(routine)
                self.fill_node(
                    entry,
                    ir.Call,
                    line,
                    routine=self.routine_numbers[routine],
                    arguments=tuple(self.expr(a) for a in arguments),
                    next=after,
                )
            case r.If():
                self._if(line, entry, after)
            case r.While():
                self._while(line, entry, after)
            case r.Repeat():
                self._repeat(line, entry, after)
            case r.For():
                self._for(line, entry, after)
            case r.EachTurn():
                self._each(line, entry, after)
            case r.Together():
                self._together(line, entry, after)
            case _:
                assert_never(line)

    # ---- counters, marks, pointers

    def _write(self, line: r.Write, entry: int, after: int) -> None:
        words = self.layout.words[line.name]
        fixed: dict[str, str] = {"mark": "free", "pointer": "error"}
        edge = fixed.get(line.kind) or self.rules.counters[line.name].at_edge
        after = self.after(frozenset({line.name}), after)
        self.fill_node(
            entry,
            ir.SetWord,
            line,
            name=line.name,
            address=self.address(line.name, line.of, line.at),
            op=line.op,
            value=self.expr(line.value),
            ranges=words.ranges,
            edge=edge,
            next=after,
        )

    def _transfer(self, line: r.Transfer, entry: int, after: int) -> None:
        counter = self.rules.counters[line.counter]
        bank = self.layout.words[counter.bank] if counter.bank is not None and line.to is None else None
        to = self.address(line.counter, line.to, line.at) if line.to is not None else None
        written = {line.counter} | ({counter.bank} if counter.bank is not None else set())
        after = self.after(frozenset(written), after)
        self.fill_node(
            entry,
            ir.Transfer,
            line,
            verb=line.verb,
            name=line.counter,
            address=self.address(line.counter, line.of, line.at),
            amount=self.expr(line.amount),
            ranges=self.layout.words[line.counter].ranges,
            edge=counter.at_edge,
            bank=bank.base if bank is not None else None,
            bank_range=bank.ranges[0] if bank is not None else (0, 0),
            bank_name=bank.name if bank is not None else "",
            paid_anyway=counter.paid_anyway,
            bank_clamps=bank is not None and self.rules.counters[bank.name].at_edge == "clamp",
            to=to,
            next=after,
        )

    # ---- needs

    def need(
        self, condition: r.Expr, line: r.Line, entry: int, after: int, held: int = ir.RAN | ir.HELD
    ) -> None:
        """Fill `entry` with a precondition: one node for each part of an `and`; the last records `held`."""
        if isinstance(condition, r.Both) and condition.op == "and":
            middle = self.graph.reserve()
            self.need(condition.left, line, entry, middle, ir.RAN)
            self.need(condition.right, line, middle, after, held)
            return
        shown = self._condition_of(condition)
        self.fill_node(
            entry,
            ir.Precondition,
            line,
            condition=self.covered(line, shown.condition, held, ir.RAN | ir.FAILED),
            text=shown.text,
            sides=shown.sides,
            reads=shown.reads,
            next=after,
        )

    def _condition_of(self, condition: r.Expr) -> ir.Condition:
        """A condition with what a refusal says if it does not hold."""
        sides = [
            (one_line(side.span), self.expr(side), side.type)
            for side in ((condition.left, condition.right) if isinstance(condition, r.Cmp) else ())
            if not isinstance(side, r.Const)
        ]
        return ir.Condition(
            self.expr(condition), one_line(condition.span), tuple(sides), self._secret_reads(condition)
        )

    def _secret_reads(self, node: r.Expr) -> tuple[tuple[str, bool], ...]:
        """The zones that a condition reads, and whether only the acting seat's; "" is a tainted local."""
        found = []
        for part in walk(node):
            if isinstance(part, r.InZone):
                mine = isinstance(part.of, r.Special) and part.of.what == "me"
                found.append((part.zone, mine))
            if isinstance(part, r.UseValue):
                found.extend((name, False) for name in sorted(self.reads_of(part) & self.rules.zones.keys()))
        if self._reads_tainted(node):
            found.append(("", False))
        return tuple(found)

    def _reads_tainted(self, node: Any) -> bool:
        """Whether a tree reads a local that was computed from something hidden."""
        return any(isinstance(part, r.Read) and part.var in self.tainted for part in walk(node))

    # ---- decisions

    def _choose(self, line: r.Choose, entry: int, after: int) -> None:
        binder = line.binder
        seat = self.expr(line.seat) if line.seat is not None else self.me
        plain_choice = line.strength == "must" and not line.if_any
        mark, before = self.slots, dict(self.env)
        source, reg, where = self.candidates(binder)
        slot = self.keep(binder.var)
        parts = {
            "name": binder.var.name,
            "seat": seat,
            "reg": reg,
            "source": source,
            "where": where,
            "wants": self.wants(binder, reg, line.seat is None),
            "slot": slot,
            "type": binder.collection.item,
            "trial": False,
        }
        if plain_choice:
            self.fill_node(entry, ir.Decide, line, **parts, next=after, passing=None, nothing=None)
            return
        body, done, otherwise = self.graph.reserve(), self.graph.reserve(), self.graph.reserve()
        self.block(line.block, body, done)
        back = entry if line.strength == "keep" else after
        self.graph.fill(done, ir.ClearLocals(span=NOWHERE, first=slot, last=slot + 1, next=back))
        hides = self.hidden_reads.observes_hidden(binder) or self._reads_tainted(
            (binder.collection, binder.where)
        )
        if line.if_any:
            nothing = self._without_any(line, parts, otherwise) if hides else otherwise
            self.fill_node(entry, ir.Decide, line, **parts, next=body, passing=None, nothing=nothing)
        else:
            parts["asks"] = hides
            self.fill_node(entry, ir.Decide, line, **parts, next=body, passing=otherwise, nothing=None)
        self.slots, self.env = mark, before
        self.block(line.otherwise, otherwise, after)

    def _without_any(self, line: r.Choose, parts: dict[str, Any], after: int) -> int:
        """The same decision without values: the seat is asked, since skipping it would reveal a secret."""
        none = {**parts, "where": ir.Const(0), "wants": (), "asks": True}
        asked = self.graph.reserve()
        self.fill_node(asked, ir.Decide, line, **none, next=after, passing=after, nothing=None)
        return asked

    def wants(self, binder: r.Binder, reg: int, by_me: bool = True) -> tuple[ir.Condition, ...]:
        """The conjuncts of a choice's condition on the value in a register.

        One that reads a local which the choosing seat has not chosen itself may reveal a secret.
        """
        known = self.chosen | {binder.var} if by_me else {binder.var}
        with self.register() as own, self.bound(binder.var, ir.Reg(reg)):
            assert own >= reg
            conditions = [(part, self._condition_of(part)) for part in _conjuncts(binder.where)]
        (self.chosen.add if by_me else self.chosen.discard)(binder.var)
        return tuple(
            w if _reads_only(part, known) else replace(w, reads=(*w.reads, ("", False)))
            for part, w in conditions
        )

    def _offer(self, line: r.Offer, entry: int, after: int) -> None:
        seat = self.expr(line.seat) if line.seat is not None else self.me
        calls = len(line.targets) == 1 and line.strength == "must" and line.seat is None
        what = tuple(self.doing(t, calls) for t in line.targets)
        if calls and isinstance(what[0], ir.DoCell):
            self.fill_node(entry, ir.CallCell, line, what=what[0], next=after)
            return
        done = self.graph.reserve()
        otherwise = self.graph.reserve()
        names = tuple(t.routine if isinstance(t, r.DoRoutine) else one_line(t.span) for t in line.targets)
        passing = None if line.strength == "must" else otherwise
        self.fill_node(
            entry,
            ir.Offer,
            line,
            name=names[0] if len(names) == 1 else "action",
            seat=seat,
            what=what,
            names=names,
            next=done,
            passing=passing,
            asks=passing is not None
            and (self.hidden_reads.observes_hidden(line.targets) or self._reads_tainted(line.targets)),
        )
        self.block(line.block, done, entry if line.strength == "keep" else after)
        self.block(line.otherwise, otherwise, after)

    def doing(self, target: r.Target, calls: bool = False) -> ir.Doing:
        """Lower a target, and record in the call graph what it may run."""
        names = [target.routine] if isinstance(target, r.DoRoutine) else [n for n, _ in self.rules.cells]
        for name in names:
            self.called(name)
        return super().doing(target, calls)

    # ---- blocks

    def _if(self, line: r.If, entry: int, after: int) -> None:
        condition = self.expr(line.condition)
        then, otherwise = self.graph.reserve(), self.graph.reserve()
        self.block(line.block, then, after)
        self.block(line.otherwise, otherwise, after)
        if isinstance(condition, ir.Const):
            entry = self.entered(line, entry, ir.HELD if condition.value else ir.FAILED)
            self.graph.alias[entry] = then if condition.value else otherwise
            return
        condition = self.covered(line, condition, ir.HELD, ir.FAILED)
        self.fill_node(entry, ir.Branch, line, condition=condition, then=then, otherwise=otherwise)

    def _while(self, line: r.While, entry: int, after: int) -> None:
        rounds = self.slot()
        test, bound, body = self.graph.reserve(), self.graph.reserve(), self.graph.reserve()
        assert line.most is not None
        clear = self.add_node(ir.ClearLocals, line, first=rounds, last=rounds + 1, next=after)
        self.fill_node(entry, ir.SetLocal, line, slot=rounds, value=ir.Const(0), next=test)
        self.graph.fill(
            test,
            ir.Branch(
                span=line.span, condition=self.asked(line, line.condition), then=bound, otherwise=clear
            ),
        )
        self.graph.fill(
            bound,
            ir.Bound(span=line.span, clauses=line.clauses, slot=rounds, most=self.expr(line.most), next=body),
        )
        self.block(line.block, body, test)

    def _repeat(self, line: r.Repeat, entry: int, after: int) -> None:
        left = self.slot()
        test, body = self.graph.reserve(), self.graph.reserve()
        clear = self.add_node(ir.ClearLocals, line, first=left, last=left + 1, next=after)
        self.fill_node(entry, ir.SetLocal, line, slot=left, value=self.expr(line.number), next=test)
        self.fill_while_positive(test, line, left, self.count_down(line, left, body), clear)
        self.block(line.block, body, test)

    def _most(self, source: ir.Source, collection: r.Collection | None) -> int:
        """The most values that a snapshot of a collection can hold."""

        def leaf(part: Leaf) -> int:
            match part:
                case ir.Others(seats=seats):
                    return seats
                case ir.Pieces(first=first):
                    zone = self.layout.places[first].zone
                    found = self.rules.zones.get(zone)
                    return self.layout.total(found.component if found else zone)
                case ir.Between():
                    if (
                        part is source
                        and isinstance(collection, r.Interval)
                        and isinstance(collection.item, IntType)
                    ):
                        return min(MOST_NUMBERS, max(0, collection.item.hi - collection.item.lo + 1))
                    return MOST_NUMBERS

        return greatest_size(source, leaf)

    def _for(self, line: r.For, entry: int, after: int) -> None:
        mark, before = self.slots, dict(self.env)
        source, reg, where = self.candidates(line.binder)
        with self.register() as key_reg, self.bound(line.binder.var, ir.Reg(reg)):
            assert key_reg >= reg
            keys = tuple(self.expr(k) for k in line.keys)
        capacity = self._most(source, line.binder.collection)
        snapshot, position = self.slot(capacity + 1), self.slot()
        slot = self.keep(line.binder.var)
        loop, body = self.graph.reserve(), self.graph.reserve()
        clear = self.add_node(ir.ClearLocals, line, first=snapshot, last=slot + 1, next=after)
        self.fill_node(
            entry,
            ir.Snapshot,
            line,
            slot=snapshot,
            capacity=capacity,
            reg=reg,
            source=source,
            where=where,
            keys=keys,
            rotate=None,
            next=loop,
        )
        self.graph.fill(
            loop,
            ir.Iterate(
                span=line.span, snapshot=snapshot, position=position, slot=slot, next=body, done=clear
            ),
        )
        self.block(line.block, body, loop)
        self.slots, self.env = mark, before

    def _each(self, line: r.EachTurn, entry: int, after: int) -> None:
        mark = self.slots
        source: ir.Source = (
            ir.Others(self.me, self.seats) if line.opponents else ir.Values(tuple(range(self.seats)))
        )
        with self.register() as reg, self.bound(line.probe, ir.Reg(reg)):
            where = self._if_any(line.where)
            keys = tuple(self.expr(k) for k in line.keys)
        rotate = self._if_any(line.start)
        if rotate is None and line.opponents:
            rotate = self.me
        snapshot = self.slot(self.seats + 1)
        position, seat, me = self.slot(), self.slot(), self.slot()
        loop, body, begin = self.graph.reserve(), self.graph.reserve(), self.graph.reserve()
        clear = self.add_node(ir.ClearLocals, line, first=snapshot, last=me + 1, next=after)
        restore = self.add_node(ir.SetMe, line, value=ir.Local(me), next=clear)
        self.fill_node(entry, ir.SetLocal, line, slot=me, value=self.me, next=begin)
        self.graph.fill(
            begin,
            ir.Snapshot(
                span=line.span,
                slot=snapshot,
                capacity=self.seats,
                reg=reg,
                source=source,
                where=where,
                keys=keys,
                rotate=rotate,
                next=loop,
            ),
        )
        turn = self.add_node(ir.SetMe, line, value=ir.Local(seat), next=body)
        self.graph.fill(
            loop,
            ir.Iterate(
                span=line.span, snapshot=snapshot, position=position, slot=seat, next=turn, done=restore
            ),
        )
        chosen, self.chosen = self.chosen, set()
        self.block(line.block, body, loop)
        self.chosen = chosen
        self.slots = mark

    def _together(self, line: r.Together, entry: int, after: int) -> None:
        name = f"together {len(self.forks)}"
        self.forks.append((name, line))
        number = self.routine_numbers.setdefault(name, len(self.routine_numbers))
        captured = tuple(self.env[v] for v in line.captured)
        self.fill_node(entry, ir.Fork, line, routine=number, arguments=captured, next=after)
