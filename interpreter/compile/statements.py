"""Lowering of statements to nodes. Every statement fills its entry and leads to the node after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from dsl import rules as r
from dsl.domains import NONE, IntType
from dsl.rules.reads import endings
from dsl.rules.reasons import reasons_of
from dsl.rules.visit import walk
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.compile import chosen_sets, pieces, recalls, writes
from interpreter.compile.asking import YES, asked_where_possible, choice_is_possible, offer_is_possible
from interpreter.compile.chance import chance
from interpreter.compile.collections import pieces_at
from interpreter.compile.frames import Frames, lacking, one_line
from interpreter.compile.line_reads import brought, decides, ends_trials, looked_at
from interpreter.compile.repeats import changing
from interpreter.compile.tested_reads import RoutineRun, Tested, Trace
from interpreter.ir.fold import operation, pick
from interpreter.ir.intervals import Leaf, greatest_size

MOST_NUMBERS = 4096
"""The most numbers of a range that a loop iterates over if the type of the range has no bound."""


class Statements(Frames):
    """Lowers statements, for one routine at a time."""

    # ---- blocks

    def block(self, lines: r.Block, entry: int, after: int, clear: bool = True) -> None:
        """Fill `entry` with a block. With `clear`, its locals are cleared after it."""
        mark = self.slots
        before = dict(self.env)
        end = self.graph.reserve() if clear else after
        at = entry
        untried = self.untried
        for i, line in enumerate(lines):
            following = end if i == len(lines) - 1 else self.graph.reserve()
            self.line(line, at, following)
            at = following
        self.untried = untried
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
        behind, self.graph.behind = self.graph.behind, self.looking_at(looked_at(line))
        if not isinstance(line, r.Precondition):
            entry = self.entered(line, entry)
            self._test(line)
        self._lower(line, entry, after)
        self.graph.behind = behind
        self.untried |= ends_trials(line)

    def _test(self, line: r.Statement) -> None:
        """Note what a line reads; a choice that finds nothing may say so, since it is over then."""
        self.tests(decides(self.rules, line))
        match line:
            case r.Choose(binder=binder):
                self.must_choose(binder)
                return
            case r.Offer(targets=targets):
                if line.strength != "must" and self.hidden_reads.observes_hidden(targets):
                    self.notes(Trace(reads=(("", False),)))
                return
        self._take(line)
        self.graph.behind = self.looking_at(looked_at(line))

    def _take(self, line: Any) -> None:
        """Note what a line brings to where it may be seen."""
        for source, to in brought(self.rules, line):
            self.brings(source, to)

    def _lower(self, line: r.Statement, entry: int, after: int) -> None:
        match line:
            case r.SetVar():
                self._set_local(line, entry, after)
            case r.Write():
                writes.write(self, line, entry, after)
            case r.Swap():
                writes.swap(self, line, entry, after)
            case r.SwapPieces():
                pieces.swap_pieces(self, line, entry, after)
            case r.Transfer():
                writes.transfer(self, line, entry, after)
            case r.TurnDie():
                pieces.turn_die(self, line, entry, after)
            case r.MovePiece():
                pieces.move_piece(self, line, entry, after)
            case r.MoveAll(source=source) if chosen_sets.has_picked(source):
                chosen_sets.move_each(self, self, line, entry, after)
            case r.MoveAll():
                pieces.move_all(self, line, entry, after)
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
            case r.ChanceChooses():
                chance(self, line, entry, after)
            case r.Show():
                self._show(line, entry, after)
            case r.ShowValue(value=value) if value.name in self.layout.excluded:
                self.graph.alias[entry] = after
            case r.ShowValue():
                self._tell(line, entry, after)
            case r.Record(history=name) | r.ClearHistory(history=name) if name in self.layout.excluded:
                self.graph.alias[entry] = after
            case r.Record():
                writes.record(self, line, entry, after)
            case r.ClearHistory():
                writes.clear_history(self, line, entry, after)
            case r.Precondition(condition=condition):
                self.need(condition, line, entry, after)
            case r.EndGame(outcome=None):
                self.fill_node(entry, ir.End, line)
            case r.Win(seat=seat, outcome=None):
                self.fill_node(entry, ir.Win, line, seat=self.expr(seat))
            case r.EndGame() | r.Win() | r.WinTogether() | r.Lose():
                number = endings(self.rules).index(line.outcome) + 1 if line.outcome is not None else 0
                self.fill_node(entry, ir.Finish, line, winners=self._winners(line), outcome=number)
            case r.Choose(several=r.Several()):
                chosen_sets.statement(self, self, line, entry, after)
            case r.Choose():
                self._choose(line, entry, after)
            case r.Offer():
                self._offer(line, entry, after)
            case r.CallLine():
                self._call(line, entry, after)
            case r.If():
                self._if(line, entry, after)
            case r.While():
                self._while(line, entry, after)
            case r.Recall(history=name) if name in self.layout.excluded:
                self.graph.alias[entry] = after
            case r.Recall():
                self._recall(line, entry, after)
            case r.Repeat():
                self._repeat(line, entry, after)
            case r.RepeatUntil():
                self._repeat_until(line, entry, after)
            case r.For():
                self.for_each(line, entry, after)
            case r.EachTurn():
                self._each(line, entry, after)
            case r.Together():
                self._together(line, entry, after)
            case _:
                assert_never(line)

    def _set_local(self, line: r.SetVar, entry: int, after: int) -> None:
        if self.hidden_reads.observes_hidden(line.value) or self.reads_tainted(line.value):
            self.tainted.add(line.var)
        if isinstance(line.value, r.Gathered):
            self._set_held(line, line.value, entry, after)
            return
        value = self.expr(line.value)
        self.fill_node(entry, ir.SetLocal, line, slot=self.keep(line.var), value=value, next=after)

    def _tell(self, line: r.ShowValue, entry: int, after: int) -> None:
        value = line.value
        self.fill_node(
            entry,
            ir.Tell,
            line,
            name=value.name,
            address=self.address(value.name, value.of, value.at),
            mask=self.mask(value.name, value.of, value.at),
            seat=self.expr(line.to) if line.to is not None else ir.Const(-1),
            openly=line.openly,
            next=after,
        )

    def _call(self, line: r.CallLine, entry: int, after: int) -> None:
        self.called(line.routine)
        self.runs(line.routine)
        number, arguments = self.routine_numbers[line.routine], self.arguments(line.arguments)
        self.fill_node(entry, ir.Call, line, routine=number, arguments=arguments, next=after)

    def _set_held(self, line: r.SetVar, value: r.Gathered, entry: int, after: int) -> None:
        """All words of a set are found before the first is written, which the others may depend on."""
        words, mark = self.words(value), self.slots
        first = self.keep(line.var)
        own = any(isinstance(part, r.HeldSet) and part.var is line.var for part in walk(value))
        if not own or len(words) == 1:
            self._set_words(line, first, words, entry, after)
            return
        held = self.slot(len(words))
        copied, cleared = self.graph.reserve(), self.graph.reserve()
        self._set_words(line, held, words, entry, copied)
        copies = tuple(ir.Local(held + i) for i in range(len(words)))
        self._set_words(line, first, copies, copied, cleared)
        self.fill_node(cleared, ir.ClearLocals, line, first=held, last=held + len(words), next=after)
        self.slots = mark

    def _set_words(
        self, line: r.Line, first: int, words: tuple[ir.Expr, ...], entry: int, after: int
    ) -> None:
        for i, word in enumerate(words):
            following = after if i == len(words) - 1 else self.graph.reserve()
            self.fill_node(entry, ir.SetLocal, line, slot=first + i, value=word, next=following)
            entry = following

    def _show(self, line: r.Show, entry: int, after: int) -> None:
        """A node for each seat that sees the pieces."""
        seats = [self.expr(line.to)] if line.to is not None else [ir.Const(i) for i in range(self.seats)]
        for i, seat in enumerate(seats):
            following = after if i == len(seats) - 1 else self.graph.reserve()
            shown = pieces_at(self, line.zone)
            seen = {"source": shown, "places": shown, "seat": seat, "openly": line.openly}
            self.fill_node(entry, ir.Show, line, **seen, next=following)
            entry = following

    def _winners(self, line: r.Ending) -> ir.Expr | None:
        """The seats that win, as bits; none if the account decides."""
        everybody = (1 << self.seats) - 1
        match line:
            case r.EndGame():
                return None
            case r.Win(seat=seat):
                return pick(tuple(1 << i for i in range(self.seats)), self.expr(seat), 0)
            case r.Lose(seat=seat):
                return pick(tuple(everybody ^ 1 << i for i in range(self.seats)), self.expr(seat), 0)
            case r.WinTogether(seats=seats):
                found: ir.Expr = ir.Const(0)
                for i in range(self.seats) if seats is not None else ():
                    assert seats is not None
                    won = ir.Contains(ir.Const(i), self.collection(seats))
                    found = operation("+", found, operation("*", won, ir.Const(1 << i)))
                return found
        assert_never(line)

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
        self.graph.behind = self.looking_at(condition)
        wants = self.conditions_of(reasons_of(self.rules, condition, line.clauses, self.clauses))
        self.fill_node(
            entry,
            ir.Precondition,
            line,
            condition=self.covered(line, self.expr(condition), held, ir.RAN | ir.FAILED),
            text=one_line(condition.span),
            wants=wants,
            asked=condition.span,
            next=after,
        )
        self.tests(condition)

    # ---- decisions

    def _choose(self, line: r.Choose, entry: int, after: int) -> None:
        binder = line.binder
        seat = self.expr(line.seat) if line.seat is not None else self.me
        plain_choice = line.strength == "must" and not line.if_any
        mark, before = self.slots, dict(self.env)
        start, left = entry, None
        if line.most is not None:
            left, entry = self.slot(), self.graph.reserve()
            self.fill_node(start, ir.SetLocal, line, slot=left, value=self.expr(line.most), next=entry)
            after = self.graph.add(ir.ClearLocals(span=NOWHERE, first=left, last=left + 1, next=after))
        source, reg, where = self.candidates(binder)
        slot = self.keep(binder.var)
        parts = {
            "name": binder.var.name,
            "seat": seat,
            "reg": reg,
            "source": source,
            "where": where,
            **self.choosing(binder, reg, line.clauses),
            "slot": slot,
            "type": binder.collection.item,
            "bounds": self.bounds(binder.collection.item),
            "spare": self.spare(binder.collection.item),
            "trial": False,
            "secret": line.secretly,
            "lacking": lacking(binder),
        }
        if line.if_several and not self.hides(binder):
            entry = self._unless_single(line, parts, entry, after)
        if plain_choice:
            self.fill_node(entry, ir.Decide, line, **parts, next=after, passing=None, nothing=None)
            return
        body, done, otherwise = self.graph.reserve(), self.graph.reserve(), self.graph.reserve()
        entry = self.if_there(line, entry, otherwise)
        self.block(line.block, body, done)
        back = entry if line.strength == "keep" else after
        if left is not None:
            back = self.count_down(line, left, entry)
            again = self.graph.reserve()
            self.fill_while_positive(entry, line, left, again, after)
            entry = again
        self.graph.fill(done, ir.ClearLocals(span=NOWHERE, first=slot, last=slot + 1, next=back))
        hides = self.hides(binder)
        possible = choice_is_possible(self, binder, line.seat) if hides else YES
        entry = asked_where_possible(self, entry, otherwise, possible)
        if line.if_any:
            nothing = self._without_any(line, parts, otherwise) if hides else otherwise
            self.fill_node(entry, ir.Decide, line, **parts, next=body, passing=None, nothing=nothing)
        else:
            parts["asks"] = hides
            self.fill_node(entry, ir.Decide, line, **parts, next=body, passing=otherwise, nothing=None)
        self.slots, self.env = mark, before
        self.block(line.otherwise, otherwise, after)

    def _unless_single(self, line: r.Choose, parts: dict[str, Any], entry: int, after: int) -> int:
        """The decision behind a test that there is more than one value; a single one is chosen unasked."""
        reg, source, where = parts["reg"], parts["source"], parts["where"]
        number = ir.Fold("distinct", reg, source, where, ir.Reg(reg))
        single = ir.Op("==", number, ir.Const(1))
        only = ir.Best(False, reg, source, where, (ir.Const(0),))
        taken = self.add_node(ir.SetLocal, line, slot=parts["slot"], value=only, next=after)
        asked = self.graph.reserve()
        self.fill_node(entry, ir.Branch, line, condition=single, then=taken, otherwise=asked)
        return asked

    def _without_any(self, line: r.Choose, parts: dict[str, Any], after: int) -> int:
        """The same decision without values: the seat is asked, since skipping it would reveal a secret."""
        none = {**parts, "where": ir.Const(0), "wants": (), "asks": True}
        asked = self.graph.reserve()
        self.fill_node(asked, ir.Decide, line, **none, next=after, passing=after, nothing=None)
        return asked

    def _offer(self, line: r.Offer, entry: int, after: int) -> None:
        seat = self.expr(line.seat) if line.seat is not None else self.me
        calls = len(line.targets) == 1 and line.strength == "must" and line.seat is None
        what = tuple(self.doing(t, calls) for t in line.targets)
        if calls and isinstance(what[0], ir.DoCell):
            self.runs(*{self.rules.cells[cell][0]: None for cell in what[0].cells if cell != NONE})
            self.fill_node(entry, ir.CallCell, line, what=what[0], next=after)
            return
        mark, left = self.slots, None
        if line.most is not None:
            left, start, entry = self.slot(), entry, self.graph.reserve()
            self.fill_node(start, ir.SetLocal, line, slot=left, value=self.expr(line.most), next=entry)
            after = self.graph.add(ir.ClearLocals(span=NOWHERE, first=left, last=left + 1, next=after))
        done = self.graph.reserve()
        otherwise = self.graph.reserve()
        entry = self.if_there(line, entry, otherwise)
        back = entry if line.strength == "keep" else after
        if left is not None:
            back, offered = self.count_down(line, left, entry), self.graph.reserve()
            self.fill_while_positive(entry, line, left, offered, after)
            entry = offered
        names = tuple(t.routine if isinstance(t, r.DoRoutine) else one_line(t.span) for t in line.targets)
        passing = None if line.strength == "must" else otherwise
        hides = self.hidden_reads.observes_hidden(line.targets) or self.reads_tainted(line.targets)
        asks = passing is not None and hides
        if asks:
            possible = offer_is_possible(self, line.targets, line.seat)
            entry = asked_where_possible(self, entry, otherwise, possible)
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
            asks=asks,
        )
        self.block(line.block, done, back)
        self.block(line.otherwise, otherwise, after)
        self.slots = mark

    def doing(self, target: r.Target, calls: bool = False) -> ir.Doing:
        """Lower a target, and record in the call graph what it may run."""
        doing = super().doing(target, calls)
        match target, doing:
            case r.DoRoutine(routine=name), _:
                self.called(name)
            case _, ir.DoCell(cells=cells):
                for cell in cells:
                    if cell != NONE:
                        self.called(self.rules.cells[cell][0])
        return doing

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
        self._test_all(line.block)
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

    def _recall(self, line: r.Recall, entry: int, after: int) -> None:
        """A loop over the selected records, the best one first, whose parts are as they were recorded."""
        mark, number = self.slots, self.history(line.history)
        parts = recalls.parts_of(self, self.rules.histories[line.history])
        worth = next(part.first for part in parts if part.words.name == line.worth)
        left, words = self.slot(), self.slot(self.layout.histories[number].words)
        self._test_all(line.block)
        test, taking, body = (self.graph.reserve() for _ in range(3))
        clear = self.add_node(ir.ClearLocals, line, first=left, last=self.slots, next=after)
        bits = tuple(recalls.bits_of(parts))
        self.fill_node(
            entry, ir.SelectRecords, line, history=number, worth=worth, bits=bits, slot=left, next=test
        )
        end = recalls.reset(self, parts, clear)
        self.fill_while_positive(test, line, left, self.count_down(line, left, taking), end)
        restored = recalls.restore(self, line, parts, words, body)
        self.fill_node(taking, ir.TakeRecord, line, history=number, number=left, slot=words, next=restored)
        self.block(line.block, body, test)
        self.slots = mark

    def _repeat(self, line: r.Repeat, entry: int, after: int) -> None:
        left = self.slot()
        self._test_all(line.block)
        test, body = self.graph.reserve(), self.graph.reserve()
        clear = self.add_node(ir.ClearLocals, line, first=left, last=left + 1, next=after)
        self.fill_node(entry, ir.SetLocal, line, slot=left, value=self.expr(line.number), next=test)
        self.fill_while_positive(test, line, left, self.count_down(line, left, body), clear)
        self.block(line.block, body, test)

    def _repeat_until(self, line: r.RepeatUntil, entry: int, after: int) -> None:
        """A loop that tests after its block: its condition, or whether the block has changed something."""
        rounds = self.slot()
        self._test_all(line.block)
        values = [] if line.condition is not None else changing(self, line)
        first = self.slot(len(values)) if values else self.slots
        bound, body, test = (self.graph.reserve() for _ in range(3))
        clear = self.add_node(ir.ClearLocals, line, first=rounds, last=first + len(values), next=after)
        self.fill_node(entry, ir.SetLocal, line, slot=rounds, value=ir.Const(0), next=bound)
        begin = self.graph.reserve() if values else body
        self.fill_node(bound, ir.Bound, line, slot=rounds, most=self.expr(line.most), next=begin)
        for i, value in enumerate(values):
            following = body if i == len(values) - 1 else self.graph.reserve()
            self.fill_node(begin, ir.SetLocal, line, slot=first + i, value=value, next=following)
            begin = following
        self.block(line.block, body, test)
        if line.condition is not None:
            asked = self.asked(line, line.condition)
            self.fill_node(test, ir.Branch, line, condition=asked, then=clear, otherwise=bound)
            return
        for i, value in enumerate(values):
            following = clear if i == len(values) - 1 else self.graph.reserve()
            changed = self.covered(line, ir.Op("!=", ir.Local(first + i), value), ir.FAILED, ir.HELD)
            self.fill_node(test, ir.Branch, line, condition=changed, then=bound, otherwise=following)
            test = following
        if not values:
            self.graph.alias[test] = clear

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

    def for_each(
        self, line: r.For, entry: int, after: int, fill: Callable[[r.Block, int, int], None] | None = None
    ) -> None:
        """A loop over a collection. `fill`: what fills its body, instead of the block."""
        mark, before = self.slots, dict(self.env)
        self._test_all(line.block)
        source, reg, where = self.candidates(line.binder)
        with self.register() as key_reg, self.bound(line.binder.var, ir.Reg(reg)):
            assert key_reg >= reg
            keys = tuple(self.expr(k) for k in line.keys)
        capacity = self._most(source, line.binder.collection)
        snapshot, position = self.slot(capacity + 1), self.slot()
        slot = self.keep(line.binder.var)
        loop, body = self.graph.reserve(), self.graph.reserve()
        clear = self.add_node(ir.ClearLocals, line, first=snapshot, last=slot + 1, next=after)
        begin = ir.Snapshot(
            span=line.span,
            clauses=line.clauses or self.clauses,
            slot=snapshot,
            capacity=capacity,
            reg=reg,
            source=source,
            where=where,
            keys=keys,
            rotate=None,
            next=loop,
        )
        self.graph.fill_loop(entry, begin, position, slot, body, clear)
        (fill or self.block)(line.block, body, loop)
        self.slots, self.env = mark, before

    def _each(self, line: r.EachTurn, entry: int, after: int) -> None:
        mark = self.slots
        source: ir.Source = (
            ir.Others(self.me, self.seats) if line.opponents else ir.Values(tuple(range(self.seats)))
        )
        with self.register() as reg, self.bound(line.probe, ir.Reg(reg)):
            where = self.if_any(line.where)
            keys = tuple(self.expr(k) for k in line.keys)
        rotate = self.if_any(line.start)
        if rotate is None and line.opponents:
            rotate = self.me
        snapshot = self.slot(self.seats + 1)
        position, seat, me = self.slot(), self.slot(), self.slot()
        loop, body, begin = self.graph.reserve(), self.graph.reserve(), self.graph.reserve()
        clear = self.add_node(ir.ClearLocals, line, first=snapshot, last=me + 1, next=after)
        restore = self.add_node(ir.SetMe, line, value=ir.Local(me), next=clear)
        self.fill_node(entry, ir.SetLocal, line, slot=me, value=self.me, next=begin)
        turn = self.add_node(ir.SetMe, line, value=ir.Local(seat), next=body)
        order = ir.Snapshot(
            span=line.span,
            slot=snapshot,
            capacity=self.seats,
            reg=reg,
            source=source,
            where=where,
            keys=keys,
            rotate=rotate,
            next=loop,
        )
        self.graph.fill_loop(begin, order, position, seat, turn, restore)
        self._by_others(line.block, body, loop)
        self.slots = mark

    def _by_others(self, lines: r.Block, entry: int, after: int) -> None:
        """Fill `entry` with a block in which one seat after another acts."""
        outer, tested = self.outer, self.tested
        self.outer, self.tested = self.so_far.by_another(), Tested(self.current)
        self._test_all(lines)
        self.outer = self.outer.and_all(self.tested.by_another())
        self.block(lines, entry, after)
        self.outer, self.tested = outer, tested.and_all(self.tested.by_another())

    def _test_all(self, lines: r.Block) -> None:
        """Note what a loop reads, since it has been read when its block runs again."""
        for part in walk(lines):
            match part:
                case r.Precondition(condition=condition):
                    self.tests(condition)
                case r.CallLine(routine=name):
                    self.tested = self.tested.and_run(RoutineRun(name, own=True))
                case _:
                    self.tests(decides(self.rules, part))
                    self._take(part)

    def _together(self, line: r.Together, entry: int, after: int) -> None:
        name = f"together {len(self.forks)}"
        self.forks.append((name, line, line.clauses or self.clauses))
        number = self.routine_numbers.setdefault(name, len(self.routine_numbers))
        held = [self.env[v] for v in line.captured]
        captured = tuple(word for x in held for word in (x.words if isinstance(x, ir.Bits) else (x,)))
        self.runs(name, own=False)
        self.fill_node(entry, ir.Fork, line, routine=number, arguments=captured, next=after)
