"""Routines, triggers and the flow of phases to nodes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Literal

from dsl import rules as r
from dsl.domains import EnumType
from dsl.rules.reads import reads
from dsl.rules.visit import walk
from dsl.source import NOWHERE, Span
from interpreter import ir
from interpreter.compile.refusing import can_fail, failing
from interpreter.compile.sizes import check_words
from interpreter.compile.statements import Statements


@dataclass(frozen=True, slots=True)
class RoutineDraft:
    """A routine's code before its nodes are renumbered."""

    name: str
    kind: str
    entries: tuple[int, ...]
    parameters: tuple[str, ...]
    size: int
    span: Span
    clauses: tuple[str, ...]


class Routines:
    """Lowers whole routines. Their numbers are given out before any body is lowered."""

    def __init__(self, lower: Statements) -> None:
        self.lower = lower

    def number_routines(self) -> None:
        self._failing = failing(self.lower.rules)
        names = [*self.lower.rules.routines]
        names += [f"when {i}" for i in range(len(self.lower.rules.triggers))]
        forks = [p for p in self._all_lines() if isinstance(p, r.Together)]
        names += [f"together {i}" for i in range(len(forks))]
        self.lower.routine_numbers = {name: i for i, name in enumerate(names)}
        self.lower.trigger_reads = [
            reads(self.lower.rules, (t.condition, t.zone)) for t in self.lower.rules.triggers
        ]

    def _all_lines(self) -> list[object]:
        blocks = [x.block for x in self.lower.rules.routines.values()] + [
            t.block for t in self.lower.rules.triggers
        ]
        return [part for block in blocks for part in walk(block)]

    def _begin(self, name: str, clauses: tuple[str, ...] = ()) -> None:
        self.lower.current, self.lower.home = name, clauses
        self.lower.slots = self.lower.slots_most = ir.FRAME
        self.lower.env = {}
        self.lower.chosen = set()
        self.lower.calls.setdefault(name, set())

    # ---- actions, effects, procedures

    def routine(self, routine: r.Routine) -> RoutineDraft:
        self._begin(routine.name, routine.clauses)
        for parameter in routine.parameters:
            self.lower.keep(parameter.var)
        body = self.lower.graph.reserve()
        end = self.lower.graph.add(ir.Return(span=routine.span))
        needs, rest = self._early_needs(routine)
        entries = [self.lower.graph.reserve() for _ in routine.parameters]
        entries.append(body)
        for i, parameter in enumerate(routine.parameters):
            self._parameter(routine, parameter, needs.get(i, []), entries[i], entries[i + 1])
        self._body(routine, rest, body, end)
        begins = [
            self._needs_before(self._needs_of_given(routine, needs, given), entry)
            for given, entry in enumerate(entries)
        ]
        return RoutineDraft(
            routine.name,
            routine.kind,
            tuple(begins),
            tuple(p.var.name for p in routine.parameters),
            self.lower.slots_most,
            routine.span,
            routine.clauses,
        )

    def _needs_of_given(
        self, routine: r.Routine, needs: dict[int, list[r.Precondition]], given: int
    ) -> list[r.Precondition]:
        """What must hold before the first chosen parameter: needs, and the given ones' `where`."""
        found = list(needs.get(-1, []))
        for i, parameter in enumerate(routine.parameters[:given]):
            if parameter.binder is not None and parameter.binder.where is not None:
                where = parameter.binder.where
                found.append(r.Precondition(where.span, routine.clauses, where))
            found.extend(needs.get(i, []))
        return found

    def _early_needs(self, routine: r.Routine) -> tuple[dict[int, list[r.Precondition]], r.Block]:
        """Leading needs, by the last parameter that they read (-1: none); and the rest of the block."""
        order = {p.var: i for i, p in enumerate(routine.parameters)}
        found: dict[int, list[r.Precondition]] = {}
        for i, line in enumerate(routine.block):
            if not isinstance(line, r.Precondition):
                return found, routine.block[i:]
            read = [order[x.var] for x in walk(line.condition) if isinstance(x, r.Read) and x.var in order]
            found.setdefault(max(read, default=-1), []).append(line)
        return found, ()

    def _needs_before(self, needs: list[r.Precondition], entry: int) -> int:
        for need in reversed(needs):
            before = self.lower.graph.reserve()
            self.lower._need(need.condition, need, before, entry)
            entry = before
        return entry

    def _parameter(
        self, routine: r.Routine, parameter: r.Parameter, needs: list[r.Precondition], entry: int, after: int
    ) -> None:
        after = self._needs_before(needs, after)
        if parameter.binder is None:
            self.lower.graph.alias[entry] = after
            return
        slot = self.lower.keep(parameter.var)
        source, reg, where = self.lower._candidates(parameter.binder)
        self.lower.graph.fill(
            entry,
            ir.Decide(
                span=routine.span,
                clauses=routine.clauses,
                name=f"{routine.name}.{parameter.var.name}",
                seat=self.lower.covered(parameter, ir.Local(ir.ME)),
                reg=reg,
                source=source,
                where=where,
                wants=self.lower.wants(parameter.binder, reg),
                slot=slot,
                type=parameter.binder.collection.item,
                trial=True,
                next=after,
                passing=None,
                nothing=None,
            ),
        )

    def _body(self, routine: r.Routine, lines: r.Block, entry: int, end: int) -> None:
        """The block; behind its last line that can fail stands a commit."""
        last = max(
            (i for i, line in enumerate(lines) if can_fail(self.lower.rules, self._failing, line)), default=-1
        )
        if last < 0:
            start = self.lower.graph.reserve()
            self.lower.graph.fill(entry, ir.Commit(span=routine.span, next=start))
            self.lower.block(lines, self.lower.entered(routine, start), end, clear=False)
            return

        at = self.lower.entered(routine, entry)
        for i, line in enumerate(lines):
            following = end if i == len(lines) - 1 else self.lower.graph.reserve()
            self.lower.line(line, at, following)
            at = following
            if i == last and following != end:
                start = self.lower.graph.reserve()
                self.lower.graph.fill(at, ir.Commit(span=routine.span, next=start))
                at = start

    # ---- triggers

    def trigger(self, number: int, trigger: r.Trigger) -> tuple[RoutineDraft, ir.TriggerCode]:
        name = f"when {number}"
        self._begin(name, trigger.clauses)
        slots = [self.lower.keep(v) for v in trigger.free]
        if trigger.piece is not None:
            slots.append(self.lower.keep(trigger.piece))
        block = self.lower.graph.reserve()
        again = self.lower.graph.add(
            ir.NextTrigger(
                span=trigger.span,
                clauses=trigger.clauses,
                trigger=number,
                first_slot=slots[0] if slots else ir.FRAME,
                block=block,
            )
        )
        self.lower.block(trigger.block, self.lower.entered(trigger, block), again)
        made = RoutineDraft(
            name, "trigger", (again,), (), self.lower.slots_most, trigger.span, trigger.clauses
        )
        if trigger.condition is None:
            return made, self._watching(name, trigger)
        return made, self._waiting(name, trigger, trigger.condition)

    def _waiting(self, name: str, trigger: r.Trigger, condition: r.Expr) -> ir.TriggerCode:
        regs = tuple(range(len(trigger.free)))
        self.lower.reg = len(regs)
        self.lower.registers = max(self.lower.registers, self.lower.reg)
        self.lower.env = {v: ir.Reg(i) for v, i in zip(trigger.free, regs, strict=True)}
        made = self.lower.asked(trigger, condition)
        self.lower.reg, self.lower.env = 0, {}
        axes = [self.lower.members(v.type.type) for v in trigger.free if isinstance(v.type, EnumType)]
        check_words(self.lower.layout.size + prod(map(len, axes)), "this trigger", trigger.span)
        bindings = tuple(product(*axes))
        held = self.lower.layout.take(len(bindings), "this trigger", trigger.span)
        busy = self.lower.layout.take(1, "this trigger", trigger.span)
        return ir.TriggerCode(
            self.lower.routine_numbers[name], made, regs, bindings, held, busy, seat=self._seat_of(trigger)
        )

    def _seat_of(self, trigger: r.Trigger) -> int:
        """Which of a trigger's free names is the seat that acts in it; -1 if whoever acts goes on."""
        return next((i for i, v in enumerate(trigger.free) if v.type == EnumType("seat")), -1)

    def _watching(self, name: str, trigger: r.Trigger) -> ir.TriggerCode:
        zone = trigger.zone
        assert zone is not None
        capacity = self.lower.layout.total(self.lower.rules.zones[zone.zone].component)
        first, count = self.lower.layout.zone_places[zone.zone]
        indices: list[Literal["of", "at"]] = []
        for var in trigger.free:
            indices.append("of" if isinstance(zone.of, r.Read) and zone.of.var is var else "at")
        held = self.lower.layout.take(1 + 2 * capacity, "this trigger", trigger.span)
        busy = self.lower.layout.take(1, "this trigger", trigger.span)
        return ir.TriggerCode(
            self.lower.routine_numbers[name],
            None,
            (),
            (),
            held,
            busy,
            trigger.event == "enters",
            tuple(range(first, first + count)),
            tuple(indices),
            self.lower.classes(zone.item),
            capacity,
            self._seat_of(trigger),
        )

    # ---- branches of `together`

    def branches(self) -> list[RoutineDraft]:
        made: list[RoutineDraft] = []
        while len(made) < len(self.lower.inner):
            name, line, _ = self.lower.inner[len(made)]
            self._begin(name, line.clauses)
            for var in line.captured:
                self.lower.keep(var)
            entry = self.lower.graph.reserve()
            end = self.lower.graph.add(ir.Return(span=line.span))
            self.lower.block(line.block, entry, end, clear=False)
            made.append(
                RoutineDraft(name, "branch", (entry,), (), self.lower.slots_most, line.span, line.clauses)
            )
        return made

    # ---- the flow

    def flow(self) -> tuple[int, int, dict[str, ir.PhaseEntry]]:
        """The entry node, the frame's size and where each step begins."""
        self._begin("the flow")
        self.entries: dict[str, ir.PhaseEntry] = {}
        self.phase_entry = {name: self.lower.graph.reserve() for name in self.lower.rules.phases}
        for i, phase in enumerate(self.lower.rules.phases.values()):
            self._phase(i, phase)
        return self.phase_entry[next(iter(self.lower.rules.phases))], self.lower.slots_most, self.entries

    def _phase(self, number: int, phase: r.Phase) -> None:
        begin = self.lower.graph.reserve()
        self.lower.graph.fill(
            self.phase_entry[phase.name],
            ir.EnterPhase(span=phase.span, clauses=phase.clauses, phase=number, next=begin),
        )
        end = self._phase_end(phase)
        at = self.lower.entered(phase, begin)
        if phase.rotates:
            following = self.lower.graph.reserve()
            turn = ir.Op("mod", ir.Op("+", ir.Head(ir.ROTATION), ir.Const(1)), ir.Const(self.lower.seats))
            second, third = self.lower.graph.reserve(), self.lower.graph.reserve()
            self.lower.graph.fill(at, ir.SetHead(span=phase.span, word=ir.ROTATION, value=turn, next=second))
            self.lower.graph.fill(
                second,
                ir.SetHead(span=phase.span, word=ir.ACTIVE, value=ir.Head(ir.ROTATION), next=third),
            )
            self.lower.graph.fill(third, ir.SetMe(span=phase.span, value=ir.Head(ir.ACTIVE), next=following))
            at = following
        self.entries.setdefault(phase.name, ir.PhaseEntry(at, number, None, -1))
        mark = self.lower.slots
        for step in phase.steps:
            following = self.lower.graph.reserve()
            self._flow_step(number, phase, step, at, following)
            at = following
        self.lower.graph.alias[at] = end
        self.lower.slots = mark

    def _phase_end(self, phase: r.Phase) -> int:
        """What comes after a phase's last step: lifetimes end, then the next phase or the end."""
        if phase.scores is not None:
            return self.lower.graph.add(ir.End(span=phase.span, clauses=phase.clauses))
        following = -1
        for condition, to in reversed(phase.then):
            if condition is None:
                following = self.phase_entry[to]
            else:
                following = self.lower.graph.add(
                    ir.Branch(
                        span=phase.span,
                        condition=self._named(condition, phase.span),
                        then=self.phase_entry[to],
                        otherwise=following,
                    )
                )
        lifetimes = {phase.name} | ({"turn", "own turn"} if phase.rotates else set())
        return self.reset(lifetimes, following, phase.span)

    def _named(self, name: str, span: Span) -> ir.Expr:
        if name in self.lower.options:
            return ir.Const(self.lower.options[name])
        if name in self.lower.rules.marks:
            return ir.Load(self.lower.address(name, None, None))
        return self.lower._value(self.lower.rules.values[name], ())

    def reset(self, lifetimes: set[str], following: int, span: Span) -> int:
        ranges = []
        written = set()
        for words in self.lower.layout.words.values():
            var = self._store(words)
            if var.lasts not in lifetimes:
                continue
            written.add(words.name)
            ranges.append((self._reset_address(words, var), self._starts(words, var)))
        if "action" in lifetimes and self.lower.layout.shown:
            first = min(self.lower.layout.shown.values())
            ranges.append((ir.Address(first, ()), (0,) * len(self.lower.layout.shown)))
        if not ranges:
            return following
        following = self.lower.after(frozenset(written), following)
        return self.lower.graph.add(ir.Reset(span=span, ranges=tuple(ranges), next=following))

    def _store(self, words: ir.VarLayout) -> r.StateVar:
        match words.kind:
            case "counter":
                return self.lower.rules.counters[words.name].var
            case "mark":
                return self.lower.rules.marks[words.name].var
            case "pointer":
                return self.lower.rules.pointers[words.name].var

    def _reset_address(self, words: ir.VarLayout, var: r.StateVar) -> ir.Address:
        if var.lasts == "own turn" and words.of == "seat":
            term = ir.Term(ir.Head(ir.ACTIVE), 0, self.lower.seats - 1, words.at_size, True)
            return ir.Address(words.base, (term,))
        return ir.Address(words.base, ())

    def _starts(self, words: ir.VarLayout, var: r.StateVar) -> tuple[int, ...]:
        own = var.lasts == "own turn" and words.of == "seat"
        last = words.base + (words.at_size if own else words.size)
        return tuple(words.start_at(word) for word in range(words.base, last))

    def _flow_step(self, number: int, phase: r.Phase, step: r.FlowStep, entry: int, after: int) -> None:
        if isinstance(step, r.SeatsStep):
            self._seats(number, phase, step, entry, after)
            return
        name = f"{phase.name}.{step.name}"
        self.entries.setdefault(name, ir.PhaseEntry(entry, number, None, -1))
        self._plain_step(step, entry, after)

    def _plain_step(self, step: r.CallStep | r.OfferStep, entry: int, after: int) -> None:
        if isinstance(step, r.OfferStep) and step.option is not None and not self.lower.options[step.option]:
            self.lower.graph.alias[entry] = after
            return
        entry = self.lower.entered(step, entry)
        if isinstance(step, r.CallStep):
            self.lower.called(step.routine)
            after = self.reset({"action"}, after, step.span)
            self.lower.graph.fill(
                entry,
                ir.Call(
                    span=step.span, routine=self.lower.routine_numbers[step.routine], arguments=(), next=after
                ),
            )
            return
        for name in step.routines:
            self.lower.called(name)
        done = self.reset({"action"}, entry if step.strength == "keep" else after, step.span)
        what = tuple(ir.DoRoutine(self.lower.routine_numbers[name], ()) for name in step.routines)
        self.lower.graph.fill(
            entry,
            ir.Offer(
                span=step.span,
                name=step.name,
                seat=ir.Local(ir.ME),
                what=what,
                names=step.routines,
                next=done,
                passing=None if step.strength == "must" else after,
                asks=step.strength != "must" and self._tell(step.routines),
            ),
        )

    def _tell(self, names: tuple[str, ...]) -> bool:
        """Whether what is offered depends on something that not everybody sees."""
        return any(self.lower.hidden_reads.routine_observes_hidden(name) for name in names)

    def _seats(self, number: int, phase: r.Phase, step: r.SeatsStep, entry: int, after: int) -> None:
        entry = self.lower.entered(step, entry)
        snapshot, position, seat = self.lower.slot(self.lower.seats + 1), self.lower.slot(), self.lower.slot()
        loop = self.lower.graph.reserve()
        with self.lower.register() as reg:
            keys: tuple[ir.Expr, ...] = ()
            if step.by is not None:
                value = self.lower.rules.values[step.by]
                self.lower.env = {value.parameters[0]: ir.Reg(reg)}
                keys = (self.lower._modified(value),)
                self.lower.env = {}
        clear = self.lower.graph.add(ir.ClearLocals(span=NOWHERE, first=snapshot, last=seat + 1, next=after))
        self.lower.graph.fill(
            entry,
            ir.Snapshot(
                span=step.span,
                slot=snapshot,
                capacity=self.lower.seats,
                reg=reg,
                source=ir.Values(tuple(range(self.lower.seats))),
                where=None,
                keys=keys,
                rotate=None,
                next=loop,
            ),
        )
        begin, middle = self.lower.graph.reserve(), self.lower.graph.reserve()
        self.lower.graph.fill(
            loop,
            ir.Iterate(
                span=step.span, snapshot=snapshot, position=position, slot=seat, next=begin, done=clear
            ),
        )
        self.lower.graph.fill(
            begin, ir.SetHead(span=step.span, word=ir.ACTIVE, value=ir.Local(seat), next=middle)
        )
        at = self.lower.graph.reserve()
        self.lower.graph.fill(middle, ir.SetMe(span=step.span, value=ir.Local(seat), next=at))
        end = self.reset({"turn", "own turn"}, loop, step.span)
        for inner in step.steps:
            following = self.lower.graph.reserve()
            self.entries.setdefault(
                f"{phase.name}.{inner.name}", ir.PhaseEntry(at, number, snapshot, position)
            )
            self._plain_step(inner, at, following)
            at = following
        self.lower.graph.alias[at] = end
