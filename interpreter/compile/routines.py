"""Lowering of routines, triggers and the branches of `together` to nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import prod
from typing import Literal

from dsl import rules as r
from dsl.domains import EnumType
from dsl.operators import RoutineKind
from dsl.rules.needs import Needs, held_by, leading_needs
from dsl.source import Span
from interpreter import ir
from interpreter.compile import chosen_sets
from interpreter.compile.antimonotone import antimonotone
from interpreter.compile.frames import lacking
from interpreter.compile.refusing import can_fail, failing
from interpreter.compile.sizes import check_words
from interpreter.compile.statements import Statements

"""The leading preconditions of a routine by the last parameter that they read; -1: they read none."""


@dataclass(frozen=True, slots=True)
class RoutineDraft:
    """A routine's code before its nodes are renumbered."""

    name: str
    kind: RoutineKind | Literal["branch", "trigger"]
    entries: tuple[int, ...]
    parameters: tuple[str, ...]
    size: int
    span: Span
    clauses: tuple[str, ...]
    nests: int = 0


class Routines:
    """Lowers routines. As they call each other, all have numbers before the first one is lowered."""

    def __init__(self, lower: Statements) -> None:
        self.lower, self.graph, self.rules = lower, lower.graph, lower.rules
        self._failing = failing(lower.rules)
        names = (*lower.rules.routines, *map(trigger_name, range(len(lower.rules.triggers))))
        lower.routine_numbers = {name: number for number, name in enumerate(names)}

    # ---- actions, effects, procedures

    def routine(self, routine: r.Routine) -> RoutineDraft:
        """An action, effect or procedure, with one entry for each number of given arguments."""
        lower = self.lower
        lower.begin_routine(routine.name, routine.clauses)
        for parameter in routine.parameters:
            for var in held_by(parameter):
                lower.keep(var)
        body = self.graph.reserve()
        end = self.graph.add(ir.Return(span=routine.span))
        needs, rest = leading_needs(routine)
        entries = [*(self.graph.reserve() for _ in routine.parameters), body]
        nothing = lower.tested
        lower.tests(tuple(need.condition for need in needs.get(-1, ())))
        for i, parameter in enumerate(routine.parameters):
            self._parameter(routine, parameter, needs.get(i, []), entries[i], entries[i + 1])
        self._body(routine, rest, body, end)
        tested, lower.tested = lower.tested, nothing
        begins = [
            self._needs_before(list(_needs_of_given(routine, needs, given)), entry)
            for given, entry in enumerate(entries)
        ]
        lower.tested = tested
        words = [*(self._words(p) for p in routine.parameters), 1]
        begins = [entry for entry, count in zip(begins, words, strict=True) for _ in range(count)]
        return RoutineDraft(
            routine.name,
            routine.kind,
            tuple(begins),
            tuple(p.var.name for p in routine.parameters for _ in range(self._words(p))),
            lower.frame_size,
            routine.span,
            routine.clauses,
            routine.nests or 0,
        )

    def _words(self, parameter: r.Parameter) -> int:
        """How many words of the frame a parameter takes."""
        return sum(self.lower.words_in(var.type) for var in held_by(parameter))

    def _needs_before(self, needs: Sequence[r.Precondition], entry: int, held: int = ir.RAN | ir.HELD) -> int:
        """The first of the nodes that check some preconditions and lead to an entry."""
        tested = self.lower.tested
        for i, need in reversed(list(enumerate(needs))):
            before = self.graph.reserve()
            self.lower.tested = tested
            self.lower.tests(tuple(need.condition for need in needs[:i]))
            self.lower.need(need.condition, need, before, entry, held)
            entry = before
        self.lower.tested = tested
        return entry

    def _parameter(
        self, routine: r.Routine, parameter: r.Parameter, needs: list[r.Precondition], entry: int, after: int
    ) -> None:
        """The choice of a parameter, and the needs that only wait for it."""
        lower = self.lower
        lower.graph.behind = behind = lower.looking_at(parameter.binder)
        lower.tests(parameter.binder)
        after = self._needs_before(needs, after)
        lower.graph.behind = behind
        if parameter.binder is None:
            self.graph.alias[entry] = after
            lower.tests(tuple(need.condition for need in needs))
            return
        if parameter.several is not None:
            early = antimonotone(needs, parameter.several.whole)
            checks = partial(self._needs_before, early, held=ir.RAN)
            chosen_sets.parameter(lower, routine, parameter, entry, after, checks)
            lower.tests(tuple(need.condition for need in needs))
            return
        slot = lower.keep(parameter.var)
        source, reg, where = lower.candidates(parameter.binder)
        self.graph.fill(
            entry,
            ir.Decide(
                span=routine.span,
                clauses=routine.clauses,
                name=f"{routine.name}.{parameter.var.name}",
                seat=lower.covered(parameter, ir.Local(ir.ME)),
                reg=reg,
                source=source,
                where=where,
                **lower.choosing(parameter.binder, reg),
                slot=slot,
                type=parameter.binder.collection.item,
                bounds=lower.bounds(parameter.binder.collection.item),
                spare=lower.spare(parameter.binder.collection.item),
                trial=True,
                next=after,
                passing=None,
                nothing=None,
                lacking=lacking(parameter.binder, needs=routine.name),
            ),
        )
        lower.tests(tuple(need.condition for need in needs))

    def _body(self, routine: r.Routine, lines: r.Block, entry: int, end: int) -> None:
        """The block, with a commit after its last line that can fail."""
        lower, graph = self.lower, self.graph
        last = max(
            (i for i, line in enumerate(lines) if can_fail(self.rules, self._failing, line)), default=-1
        )
        if last < 0:
            start = graph.reserve()
            graph.fill(entry, ir.Commit(span=routine.span, next=start))
            lower.block(lines, lower.entered(routine, start), end, clear=False)
            return

        at, untried = lower.entered(routine, entry), lower.untried
        for i, line in enumerate(lines):
            following = end if i == len(lines) - 1 else graph.reserve()
            lower.line(line, at, following)
            at = following
            if i == last and following != end:
                start = graph.reserve()
                graph.fill(at, ir.Commit(span=routine.span, next=start))
                at = start
        lower.untried = untried

    # ---- triggers

    def trigger(self, number: int, trigger: r.Trigger) -> tuple[RoutineDraft, ir.TriggerCode]:
        """The routine of a trigger, and what makes it run."""
        lower, name = self.lower, trigger_name(number)
        lower.begin_routine(name, trigger.clauses)
        slots = [lower.keep(v) for v in trigger.free]
        if trigger.piece is not None:
            slots.append(lower.keep(trigger.piece))
        lower.tests((trigger.condition, trigger.zone))
        block = self.graph.reserve()
        again = self.graph.add(
            ir.NextTrigger(
                span=trigger.span,
                clauses=trigger.clauses,
                trigger=number,
                first_slot=slots[0] if slots else ir.FRAME,
                block=block,
            )
        )
        lower.block(trigger.block, lower.entered(trigger, block), again)
        draft = RoutineDraft(name, "trigger", (again,), (), lower.frame_size, trigger.span, trigger.clauses)
        if trigger.condition is None:
            return draft, self._watching(name, trigger)
        return draft, self._waiting(name, trigger, trigger.condition)

    def _waiting(self, name: str, trigger: r.Trigger, condition: r.Expr) -> ir.TriggerCode:
        """The code of a trigger that runs when its condition becomes true."""
        lower = self.lower
        regs = tuple(range(len(trigger.free)))
        lower.reg = len(regs)
        lower.registers = max(lower.registers, lower.reg)
        lower.env = {v: ir.Reg(i) for v, i in zip(trigger.free, regs, strict=True)}
        test = lower.asked(trigger, condition)
        lower.reg, lower.env = 0, {}
        axes = [lower.members(v.type.type) for v in trigger.free if isinstance(v.type, EnumType)]
        check_words(lower.layout.size + prod(map(len, axes)), "this trigger", trigger.span)
        bindings = tuple(product(*axes))
        held = lower.layout.take(len(bindings), "this trigger", trigger.span)
        busy = lower.layout.take(1, "this trigger", trigger.span)
        return ir.TriggerCode(
            lower.routine_numbers[name], test, regs, bindings, held, busy, seat=_acting_seat(trigger)
        )

    def _watching(self, name: str, trigger: r.Trigger) -> ir.TriggerCode:
        """The code of a trigger that runs when a piece enters or leaves a zone."""
        lower, zone = self.lower, trigger.zone
        assert zone is not None
        capacity = lower.layout.total(self.rules.zones[zone.zone].component)
        first, count = lower.layout.zone_places[zone.zone]
        indices: list[Literal["of", "at"]] = []
        for var in trigger.free:
            indices.append("of" if isinstance(zone.of, r.Read) and zone.of.var is var else "at")
        held = lower.layout.take(1 + 2 * capacity, "this trigger", trigger.span)
        busy = lower.layout.take(1, "this trigger", trigger.span)
        return ir.TriggerCode(
            lower.routine_numbers[name],
            None,
            (),
            (),
            held,
            busy,
            trigger.event == "enters",
            tuple(range(first, first + count)),
            tuple(indices),
            lower.classes(zone.item),
            capacity,
            _acting_seat(trigger),
        )

    # ---- branches of `together`

    def branches(self) -> Iterator[RoutineDraft]:
        """The branches of the statements that were lowered; a branch may add further ones."""
        lower = self.lower
        for name, line, clauses in lower.forks:
            lower.begin_routine(name, clauses)
            for var in line.captured:
                lower.keep(var)
            entry = self.graph.reserve()
            end = self.graph.add(ir.Return(span=line.span))
            lower.block(line.block, entry, end, clear=False)
            yield RoutineDraft(name, "branch", (entry,), (), lower.frame_size, line.span, clauses)


def trigger_name(number: int) -> str:
    """The name of a trigger's routine; no routine of the rules can have it."""
    return f"when {number}"


def _acting_seat(trigger: r.Trigger) -> int:
    """The index of the free variable that is the acting seat; -1: the seat does not change."""
    return next((i for i, v in enumerate(trigger.free) if v.type == EnumType("seat")), -1)


def _needs_of_given(routine: r.Routine, needs: Needs, given: int) -> Iterator[r.Precondition]:
    """What must hold before the first chosen parameter: also the conditions of the given ones."""
    yield from needs.get(-1, ())
    for i, parameter in enumerate(routine.parameters[:given]):
        if parameter.several is not None:
            return
        if parameter.binder is not None and parameter.binder.where is not None:
            where = parameter.binder.where
            yield r.Precondition(where.span, (), where)
        yield from needs.get(i, ())
