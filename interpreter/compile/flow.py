"""Lowering of the phases and their steps to nodes."""

from __future__ import annotations

from dataclasses import replace

from dsl import rules as r
from dsl.source import NOWHERE, Span
from interpreter import ir
from interpreter.compile.statements import Statements

FLOW = "the flow"
"""The name of the flow in the call graph; no routine of the rules can have it."""


class Flow:
    """Lowers the phases. It fills `start`, the first node, `size`, the size of the frame, and `entries`."""

    def __init__(self, lower: Statements) -> None:
        self.lower, self.graph = lower, lower.graph
        lower.begin_routine(FLOW)
        self._entries: dict[str, ir.PhaseEntry] = {}
        self._phases = {name: self.graph.reserve() for name in lower.rules.phases}
        for number, phase in enumerate(lower.rules.phases.values()):
            self._phase(number, phase)
        self.start = next(iter(self._phases.values()))
        self.size = lower.frame_size

    def entries(self, renumbered: dict[int, int]) -> dict[str, ir.PhaseEntry]:
        """The phases and steps by name, with the new numbers of their nodes."""
        return {name: replace(entry, node=renumbered[entry.node]) for name, entry in self._entries.items()}

    # ---- phases

    def _phase(self, number: int, phase: r.Phase) -> None:
        begin = self.graph.reserve()
        self.graph.fill(
            self._phases[phase.name],
            ir.EnterPhase(span=phase.span, clauses=phase.clauses, phase=number, next=begin),
        )
        end = self._phase_end(phase)
        at = self.lower.entered(phase, begin)
        if phase.rotates:
            at = self._rotate(phase, at)
        self._entries.setdefault(phase.name, ir.PhaseEntry(at, number, None, -1))
        mark = self.lower.slots
        for step in phase.steps:
            following = self.graph.reserve()
            if isinstance(step, r.SeatsStep):
                self._seats(number, phase, step, at, following)
            else:
                self._entries.setdefault(f"{phase.name}.{step.name}", ir.PhaseEntry(at, number, None, -1))
                self._step(step, at, following)
            at = following
        self.graph.alias[at] = end
        self.lower.slots = mark

    def _rotate(self, phase: r.Phase, at: int) -> int:
        """The turn goes to the next seat; the entry behind that."""
        following, second, third = (self.graph.reserve() for _ in range(3))
        turn = ir.Op("mod", ir.Op("+", ir.Head(ir.ROTATION), ir.Const(1)), ir.Const(self.lower.seats))
        self.graph.fill(at, ir.SetHead(span=phase.span, word=ir.ROTATION, value=turn, next=second))
        self.graph.fill(
            second, ir.SetHead(span=phase.span, word=ir.ACTIVE, value=ir.Head(ir.ROTATION), next=third)
        )
        self.graph.fill(third, ir.SetMe(span=phase.span, value=ir.Head(ir.ACTIVE), next=following))
        return following

    def _phase_end(self, phase: r.Phase) -> int:
        """The node after the last step of a phase: the end of the game, or resets and the next phase."""
        if phase.scores is not None:
            return self.graph.add(ir.End(span=phase.span, clauses=phase.clauses))
        following = -1
        for condition, to in reversed(phase.then):
            if condition is None:
                following = self._phases[to]
            else:
                following = self.graph.add(
                    ir.Branch(
                        span=phase.span,
                        condition=self._named(condition),
                        then=self._phases[to],
                        otherwise=following,
                    )
                )
        lifetimes = {phase.name} | ({"turn", "own turn"} if phase.rotates else set())
        return self._reset(lifetimes, following, phase.span)

    def _named(self, name: str) -> ir.Expr:
        """The condition that is an option, a mark or a value."""
        lower = self.lower
        if name in lower.options:
            return ir.Const(lower.options[name])
        if name in lower.rules.marks:
            return ir.Load(lower.address(name, None, None))
        return lower.inlined(lower.rules.values[name], ())

    # ---- lifetimes

    def _reset(self, lifetimes: set[str], following: int, span: Span) -> int:
        """The node that resets the variables whose lifetime ends; `following` if there are none."""
        ranges = []
        written = set()
        for words in self.lower.layout.words.values():
            var = self._state_var(words)
            if var.lasts not in lifetimes:
                continue
            written.add(words.name)
            ranges.append(self._reset_range(words, own=var.lasts == "own turn" and words.of == "seat"))
        shown = self.lower.layout.shown
        if "action" in lifetimes and shown:
            ranges.append((ir.Address(min(shown.values()), ()), (0,) * len(shown)))
        if not ranges:
            return following
        following = self.lower.after(frozenset(written), following)
        return self.graph.add(ir.Reset(span=span, ranges=tuple(ranges), next=following))

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

    def _step(self, step: r.CallStep | r.OfferStep, entry: int, after: int) -> None:
        lower = self.lower
        if isinstance(step, r.OfferStep) and step.option is not None and not lower.options[step.option]:
            self.graph.alias[entry] = after
            return
        entry = lower.entered(step, entry)
        if isinstance(step, r.CallStep):
            lower.called(step.routine)
            after = self._reset({"action"}, after, step.span)
            number = lower.routine_numbers[step.routine]
            self.graph.fill(entry, ir.Call(span=step.span, routine=number, arguments=(), next=after))
            return
        for name in step.routines:
            lower.called(name)
        done = self._reset({"action"}, entry if step.strength == "keep" else after, step.span)
        can_pass = step.strength != "must"
        self.graph.fill(
            entry,
            ir.Offer(
                span=step.span,
                name=step.name,
                seat=ir.Local(ir.ME),
                what=tuple(ir.DoRoutine(lower.routine_numbers[name], ()) for name in step.routines),
                names=step.routines,
                next=done,
                passing=after if can_pass else None,
                asks=can_pass and any(map(lower.hidden_reads.routine_observes_hidden, step.routines)),
            ),
        )

    def _seats(self, number: int, phase: r.Phase, step: r.SeatsStep, entry: int, after: int) -> None:
        """A loop over the seats, in the order of a value if there is one."""
        lower, graph = self.lower, self.graph
        entry = lower.entered(step, entry)
        snapshot, position, seat = lower.slot(lower.seats + 1), lower.slot(), lower.slot()
        loop = graph.reserve()
        with lower.register() as reg:
            keys: tuple[ir.Expr, ...] = ()
            if step.by is not None:
                value = lower.rules.values[step.by]
                lower.env = {value.parameters[0]: ir.Reg(reg)}
                keys = (lower.modified(value),)
                lower.env = {}
        clear = graph.add(ir.ClearLocals(span=NOWHERE, first=snapshot, last=seat + 1, next=after))
        graph.fill(
            entry,
            ir.Snapshot(
                span=step.span,
                slot=snapshot,
                capacity=lower.seats,
                reg=reg,
                source=ir.Values(tuple(range(lower.seats))),
                where=None,
                keys=keys,
                rotate=None,
                next=loop,
            ),
        )
        begin, middle = graph.reserve(), graph.reserve()
        graph.fill(
            loop,
            ir.Iterate(
                span=step.span, snapshot=snapshot, position=position, slot=seat, next=begin, done=clear
            ),
        )
        graph.fill(begin, ir.SetHead(span=step.span, word=ir.ACTIVE, value=ir.Local(seat), next=middle))
        at = graph.reserve()
        graph.fill(middle, ir.SetMe(span=step.span, value=ir.Local(seat), next=at))
        end = self._reset({"turn", "own turn"}, loop, step.span)
        for inner in step.steps:
            following = graph.reserve()
            self._entries.setdefault(
                f"{phase.name}.{inner.name}", ir.PhaseEntry(at, number, snapshot, position)
            )
            self._step(inner, at, following)
            at = following
        graph.alias[at] = end
