"""Lowering of the phases and their steps to nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from dsl import rules as r
from dsl.source import NOWHERE, Span
from interpreter import ir
from interpreter.compile.asking import YES, asked_where_possible, offer_is_possible
from interpreter.compile.statements import Statements
from interpreter.ir.fold import operation, pick

FLOW = "the flow"
"""The name of the flow in the call graph; no routine of the rules can have it."""


TURNED = frozenset({"active"})
"""What is written when the turn passes."""


@dataclass(frozen=True)
class _Within:
    """Where a step stands: its phase, and the slots of the round of seats around it, if there is one."""

    phase: str
    number: int
    order: int | None = None
    resume: int = -1
    snapshot: int | None = None
    """The node that takes the order of the seats."""


@dataclass(frozen=True)
class _Round:
    """The turn passes, and with it perhaps a round: who had the turn before, and two nodes.

    From `entry` on the next seat is found, `chosen` follows.
    """

    before: int
    entry: int
    chosen: int


class Flow:
    """Lowers the phases. It fills `start`, the first node, `size`, the size of the frame, and `entries`."""

    def __init__(self, lower: Statements) -> None:
        self.lower, self.graph = lower, lower.graph
        lower.begin_routine(FLOW)
        self._entries: dict[str, ir.PhaseEntry] = {}
        self._phases = {name: self.graph.reserve() for name in lower.rules.phases}
        for number, phase in enumerate(lower.rules.phases.values()):
            self._phase(number, phase)
        self.start = self._primed(next(iter(self._phases.values())))
        self.size = lower.frame_size

    def entries(self, renumbered: dict[int, int]) -> dict[str, ir.PhaseEntry]:
        """The phases and steps by name, with the new numbers of their nodes."""

        def numbered(entry: ir.PhaseEntry) -> ir.PhaseEntry:
            snapshot = renumbered[entry.snapshot] if entry.snapshot is not None else None
            return replace(entry, node=renumbered[entry.node], snapshot=snapshot)

        return {name: numbered(entry) for name, entry in self._entries.items()}

    def _primed(self, following: int) -> int:
        """The first node of a match: triggers that hold by what carries over are noted, and do not fire."""
        carries, triggers = self.lower.rules.carries, self.lower.rules.triggers
        carried = frozenset(carries.of) if carries is not None else frozenset()
        held = tuple(i for i, read in enumerate(self.lower.trigger_reads) if read & carried)
        if not any(isinstance(triggers[i].condition, r.Expr) for i in held):
            return following
        return self.graph.add(ir.Sample(span=NOWHERE, triggers=held, next=following, both=True))

    # ---- phases

    def _phase(self, number: int, phase: r.Phase) -> None:
        begin = self.graph.reserve()
        self.graph.fill(
            self._phases[phase.name],
            ir.EnterPhase(span=phase.span, clauses=phase.clauses, phase=number, next=begin),
        )
        end = self._phase_end(phase)
        at = self.lower.entered(phase, begin)
        if phase.turn is not None:
            at = self._rotate(phase, phase.turn, at)
        self._entries.setdefault(phase.name, ir.PhaseEntry(at, number, None, -1))
        mark = self.lower.slots
        self._steps(_Within(phase.name, number), phase.steps, at, end)
        self.lower.slots = mark

    def _rotate(self, phase: r.Phase, turn: r.Turn, at: int) -> int:
        """The turn goes to the next seat; the entry behind that."""
        following, second, third = (self.graph.reserve() for _ in range(3))
        begun = self._round(phase.span, at) if self.lower.layout.turned else None
        at, chosen = (at, second) if begun is None else (begun.entry, begun.chosen)
        if turn.is_plain:
            self._pass(phase.span, self._next_in_order(), at, chosen)
        else:
            self._choose_seat(turn, at, chosen)
        if begun is not None:
            self._end_round(phase.span, begun, second)
        self.graph.fill(
            second, ir.SetHead(span=phase.span, word=ir.ACTIVE, value=ir.Head(ir.ROTATION), next=third)
        )
        turned = self.lower.after(TURNED, following)
        self.graph.fill(third, ir.SetMe(span=phase.span, value=ir.Head(ir.ACTIVE), next=turned))
        return following

    def _next_in_order(self) -> ir.Expr:
        """The seat after the one that had the last turn; at the start of a match the first."""
        return ir.Op("mod", ir.Op("+", ir.Head(ir.ROTATION), ir.Const(1)), ir.Const(self.lower.seats))

    def _pass(self, span: Span, seat: ir.Expr, at: int, following: int) -> None:
        """Write the seat that has the turn."""
        self.graph.fill(at, ir.SetHead(span=span, word=ir.ROTATION, value=seat, next=following))

    def _round(self, span: Span, at: int) -> _Round:
        """Note who had the last turn, before the next seat is found."""
        found = _Round(self.lower.slot(), self.graph.reserve(), self.graph.reserve())
        before = ir.Head(ir.ROTATION)
        self.graph.fill(at, ir.SetLocal(span=span, slot=found.before, value=before, next=found.entry))
        return found

    def _end_round(self, span: Span, begun: _Round, after: int) -> None:
        """Who has had a turn in this round ends it, unless it is an extra turn right after the last one."""
        graph, word, turned = self.graph, self.lower.layout.turned, ir.Head(ir.ROTATION)
        bit = pick(tuple(1 << seat for seat in range(self.lower.seats)), turned, 0)
        had = ir.Op("==", ir.Op("mod", ir.Op("div", ir.Head(word), bit), ir.Const(2)), ir.Const(1))
        again, first, ends, noted = (graph.reserve() for _ in range(4))
        clear = graph.add(ir.ClearLocals(span=NOWHERE, first=begun.before, last=begun.before + 1, next=after))
        extra = ir.Op("==", turned, ir.Local(begun.before)) if self.lower.seats > 1 else ir.Const(0)
        graph.fill(begun.chosen, ir.Branch(span=span, condition=had, then=again, otherwise=first))
        graph.fill(again, ir.Branch(span=span, condition=extra, then=clear, otherwise=ends))
        reset = self._reset({"round"}, noted, span)
        graph.fill(ends, ir.SetHead(span=span, word=word, value=ir.Const(0), next=reset))
        graph.alias[noted] = first
        graph.fill(first, ir.SetHead(span=span, word=word, value=ir.Op("+", ir.Head(word), bit), next=clear))

    def _choose_seat(self, turn: r.Turn, at: int, after: int) -> None:
        """The first seat of the match, or the one that follows; those for which `where` fails are skipped."""
        lower, graph, turned = self.lower, self.graph, ir.Head(ir.ROTATION)
        chosen, following = graph.reserve(), graph.reserve()
        with lower.acting(turned, turned):
            onward = lower.expr(turn.next) if turn.next is not None else self._next_in_order()
        if turn.first is None and turn.next is None:
            graph.alias[at] = following
        else:
            first = graph.reserve()
            seat = lower.expr(turn.first) if turn.first is not None else ir.Const(0)
            begun = ir.Op(">=", turned, ir.Const(0))
            graph.fill(at, ir.Branch(span=turn.span, condition=begun, then=following, otherwise=first))
            self._pass(turn.span, seat, first, chosen)
        self._pass(turn.span, onward, following, chosen)
        if turn.where is None:
            graph.alias[chosen] = after
            return
        with lower.bound(turn.candidate, turned):
            has_turn = lower.expr(turn.where)
        skipped = lower.slot()
        test, skip = graph.reserve(), graph.reserve()
        clear = graph.add(ir.ClearLocals(span=NOWHERE, first=skipped, last=skipped + 1, next=after))
        graph.alias[chosen] = test
        graph.fill(test, ir.Branch(span=turn.span, condition=has_turn, then=clear, otherwise=skip))
        graph.fill(
            skip, ir.Bound(span=turn.span, slot=skipped, most=ir.Const(self.lower.seats), next=following)
        )

    def _phase_end(self, phase: r.Phase) -> int:
        """The node after the last step of a phase: the end of the game, or resets and the next phase."""
        if phase.scores is not None:
            return self.graph.add(ir.End(span=phase.span, clauses=phase.clauses))
        following = -1
        for case in reversed(phase.then):
            if case.condition is None:
                following = self._phases[case.to]
            else:
                following = self.graph.add(
                    ir.Branch(
                        span=phase.span,
                        condition=self.lower.expr(case.condition),
                        then=self._phases[case.to],
                        otherwise=following,
                    )
                )
        lifetimes = {phase.name} | ({"turn", "own turn"} if phase.rotates else set())
        return self._reset(lifetimes, following, phase.span)

    # ---- lifetimes

    def _reset(self, lifetimes: set[str], following: int, span: Span) -> int:
        """The node that resets the variables whose lifetime ends; `following` if there are none.

        With an action ends what was shown in it, but for what is remembered.
        """
        ranges = []
        written = set()
        for words in self.lower.layout.words.values():
            var = self._state_var(words)
            if var.lasts not in lifetimes:
                continue
            written.add(words.name)
            own = var.lasts == "own turn" and words.of == "seat"
            ranges.append(self._reset_range(words, own))
            if words.name in self.lower.layout.told:
                told = self.lower.layout.told[words.name]
                ranges.append(self._reset_range(replace(words, base=told, start=(0,)), own))
        if ranges:
            following = self.lower.after(frozenset(written), following)
            following = self.graph.add(ir.Reset(span=span, ranges=tuple(ranges), next=following))
        shown = self.lower.layout.shown
        if "action" in lifetimes and shown:
            away = ir.LookAway(span=span, first=min(shown.values()), count=len(shown), next=following)
            return self.graph.add(away)
        return following

    def _state_var(self, words: ir.VarLayout) -> r.StateVar:
        rules = self.lower.rules
        match words.kind:
            case "counter":
                return rules.counters[words.name].var
            case "mark":
                return rules.marks[words.name].var
            case "pointer":
                return rules.pointers[words.name].var

    def _reset_range(self, words: ir.VarLayout, own: bool) -> tuple[ir.Address, tuple[int, ...]]:
        """The address and the start values of a variable; if `own`, of the active seat's words."""
        terms = (ir.Term(ir.Head(ir.ACTIVE), 0, self.lower.seats - 1, words.at_size, True),) if own else ()
        last = words.base + (words.at_size if own else words.size)
        return ir.Address(words.base, terms), tuple(words.start_at(word) for word in range(words.base, last))

    # ---- steps

    def _steps(self, within: _Within, steps: tuple[r.FlowStep, ...], at: int, end: int) -> None:
        for step in steps:
            following = self.graph.reserve()
            self._step(within, step, at, following)
            at = following
        self.graph.alias[at] = end

    def _step(self, within: _Within, step: r.FlowStep, entry: int, after: int) -> None:
        match step:
            case r.CallStep() | r.OfferStep():
                place = ir.PhaseEntry(entry, within.number, within.order, within.resume, within.snapshot)
                self._entries.setdefault(f"{within.phase}.{step.name}", place)
                if isinstance(step, r.CallStep):
                    self._call(step, entry, after)
                else:
                    self._offer(within, step, entry, after)
            case r.IfStep():
                self._if(within, step, entry, after)
            case r.SeatsStep():
                self._seats(within, step, entry, after)
            case _:
                assert_never(step)

    def _call(self, step: r.CallStep, entry: int, after: int) -> None:
        lower = self.lower
        entry = lower.entered(step, entry)
        lower.called(step.routine)
        after = self._reset({"action"}, after, step.span)
        number = lower.routine_numbers[step.routine]
        self.graph.fill(entry, ir.Call(span=step.span, routine=number, arguments=(), next=after))

    def _offer(self, within: _Within, step: r.OfferStep, entry: int, after: int) -> None:
        lower = self.lower
        if step.option is not None and not lower.options[step.option]:
            self.graph.alias[entry] = after
            return
        entry = lower.entered(step, entry)
        for name in step.routines:
            lower.called(name)
        mark = lower.slots
        if step.most is None:
            done = self._reset({"action"}, entry if step.strength == "keep" else after, step.span)
        else:
            entry, done, after = self._so_often(step, step.most, entry, after)
        asks = any(map(lower.hidden_reads.routine_observes_hidden, step.routines))
        targets = [r.DoRoutine(name, (), step.span) for name in step.routines]
        possible = offer_is_possible(lower, targets) if asks else YES
        passing = after if step.strength != "must" else None
        if step.otherwise is not None:
            otherwise = self.graph.reserve()
            self._steps(within, step.otherwise, otherwise, after)
            if passing is not None:
                passing = otherwise
            else:
                idle = self._offered(step, done, otherwise, asks)
                entry = self._unless_nothing(step, entry, idle, possible)
        if passing is not None:
            entry = asked_where_possible(lower, entry, passing, possible)
        self.graph.fill(entry, self._offered(step, done, passing, asks and passing is not None))
        lower.slots = mark

    def _so_often(self, step: r.OfferStep, most: r.Expr, entry: int, after: int) -> tuple[int, int, int]:
        """The nodes of an offer that is made so often at most: it, and those after doing and passing."""
        lower, graph = self.lower, self.graph
        left, loop, offered = lower.slot(), graph.reserve(), graph.reserve()
        value, one = lower.expr(most), ir.Op("-", ir.Local(left), ir.Const(1))
        graph.fill(entry, ir.SetLocal(span=step.span, slot=left, value=value, next=loop))
        clear = graph.add(ir.ClearLocals(span=NOWHERE, first=left, last=left + 1, next=after))
        more = ir.Op(">", ir.Local(left), ir.Const(0))
        graph.fill(loop, ir.Branch(span=step.span, condition=more, then=offered, otherwise=clear))
        count = graph.add(ir.SetLocal(span=NOWHERE, slot=left, value=one, next=loop))
        return offered, self._reset({"action"}, count, step.span), clear

    def _offered(self, step: r.OfferStep, done: int, passing: int | None, asks: bool) -> ir.Offer:
        routines = self.lower.routine_numbers
        return ir.Offer(
            span=step.span,
            name=step.name,
            seat=ir.Local(ir.ME),
            what=tuple(ir.DoRoutine(routines[name], ()) for name in step.routines),
            names=step.routines,
            next=done,
            passing=passing,
            asks=asks,
        )

    def _unless_nothing(self, step: r.OfferStep, entry: int, idle: ir.Offer, possible: ir.Expr) -> int:
        """The entry of an offer that must be taken, where something can be done; else what is `idle` there.

        Where that depends on something hidden, the seat is asked even if it can only pass.
        """
        routines = self.lower.routine_numbers
        able: ir.Expr = ir.Const(0)
        for name in step.routines:
            able = operation("or", able, ir.Can(ir.DoRoutine(routines[name], ())))
        offered, otherwise = self.graph.reserve(), idle.passing
        assert otherwise is not None
        if idle.asks:
            asked = self.graph.reserve()
            self.graph.fill(asked_where_possible(self.lower, asked, otherwise, possible), idle)
            otherwise = asked
        self.graph.fill(entry, ir.Branch(span=step.span, condition=able, then=offered, otherwise=otherwise))
        return offered

    def _if(self, within: _Within, step: r.IfStep, entry: int, after: int) -> None:
        lower, graph = self.lower, self.graph
        condition = lower.expr(step.condition)
        then, otherwise = graph.reserve(), graph.reserve()
        self._steps(within, step.steps, then, after)
        self._steps(within, step.otherwise, otherwise, after)
        if isinstance(condition, ir.Const):
            entry = lower.entered(step, entry, ir.HELD if condition.value else ir.FAILED)
            graph.alias[entry] = then if condition.value else otherwise
            return
        condition = lower.covered(step, condition, ir.HELD, ir.FAILED)
        graph.fill(
            entry,
            ir.Branch(
                span=step.span, clauses=step.clauses, condition=condition, then=then, otherwise=otherwise
            ),
        )

    def _seats(self, within: _Within, step: r.SeatsStep, entry: int, after: int) -> None:
        """A loop over the seats, in the order of some keys if there are any."""
        lower, graph = self.lower, self.graph
        entry = lower.entered(step, entry)
        snapshot, position, seat = lower.slot(lower.seats + 1), lower.slot(), lower.slot()
        loop = graph.reserve()
        with lower.register() as reg, lower.bound(step.candidate, ir.Reg(reg)):
            where = lower.expr(step.where) if step.where is not None else None
            keys = tuple(map(lower.expr, step.keys))
        start = lower.expr(step.start) if step.start is not None else None
        ended = after if "round" in lower.rules.phases else self._reset({"round"}, after, step.span)
        clear = graph.add(ir.ClearLocals(span=NOWHERE, first=snapshot, last=seat + 1, next=ended))
        order = ir.Snapshot(
            span=step.span,
            slot=snapshot,
            capacity=lower.seats,
            reg=reg,
            source=ir.Values(tuple(range(lower.seats))),
            where=where,
            keys=keys,
            rotate=start,
            next=loop,
        )
        begin, middle = graph.reserve(), graph.reserve()
        graph.fill_loop(entry, order, position, seat, begin, clear)
        graph.fill(begin, ir.SetHead(span=step.span, word=ir.ACTIVE, value=ir.Local(seat), next=middle))
        at = graph.reserve()
        turned = lower.after(TURNED, at)
        graph.fill(middle, ir.SetMe(span=step.span, value=ir.Local(seat), next=turned))
        end = self._reset({"turn", "own turn"}, loop, step.span)
        inside = replace(within, order=snapshot, resume=position, snapshot=entry)
        self._steps(inside, step.steps, at, end)
