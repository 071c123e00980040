"""The course of a match: its phases, the steps of each, what may be done in them, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dsl import rules as r
from dsl.domains import FLAG, Flag
from rulewright.drawing.phases import phase_diagram
from rulewright.prose.definitions import Definitions
from rulewright.prose.document import Block, Chart, Paragraph, Section, Step, Steps, link, slug, strong
from rulewright.prose.english import listed, lower, sentence
from rulewright.prose.steps import routine_id
from rulewright.prose.usage import is_on

OFFERS: dict[r.Strength, str] = {
    "must": "do one of the following",
    "may": "you may do one of the following, or pass",
    "keep": "do any of the following, as often as you like and in any order, until you pass",
}
ONE: dict[r.Strength, str] = {
    "must": "do this",
    "may": "you may do this, or pass",
    "keep": "you may do this as often as you like, until you pass",
}


ALWAYS, NEVER = "always", "never"
SHORT: dict[r.Strength, str] = {
    "must": "one of these",
    "may": "one of these, or none",
    "keep": "any of these",
}


@dataclass
class Course(Definitions):
    """Says the phases. `told` are the routines that have been told."""

    told: set[str] = field(default_factory=set)

    def course(self) -> Section:
        """The chart of the phases, and a section for each."""
        chart = Chart(phase_diagram(self._played(), Labelled(self)))
        phases = [p for p in self.rules.phases.values() if _matters(self.rules, p)]
        return Section("course", "The course of the game", (chart, *(self.phase(p) for p in phases)))

    def _played(self) -> r.Rules:
        """The rules without the steps of variants that are left out."""
        phases = {n: replace(p, steps=self._steps_of(p.steps)) for n, p in self.rules.phases.items()}
        return replace(self.rules, phases=phases)

    def _steps_of(self, steps: Sequence[r.FlowStep]) -> tuple[Any, ...]:
        found: list[r.FlowStep] = []
        for step in steps:
            match step:
                case r.SeatsStep(steps=inner):
                    found.append(replace(step, steps=self._steps_of(inner)))
                case r.OfferStep(routines=names) if is_on(self.folding, step):
                    found.append(replace(step, routines=tuple(n for n in names if n in self.calls.played)))
                case r.CallStep():
                    found.append(step)
        return tuple(found)

    def added_steps(self, names: Sequence[str]) -> Iterator[Step]:
        """What is offered in phases where routines are added."""
        for phase in self.rules.phases.values():
            for step in _offers(phase.steps):
                added = [n for n in step.routines if n in names]
                links = [
                    link(routine_id(n), self.lexicon.heading(n, self.rules.routines[n].clauses))
                    for n in added
                ]
                if not added:
                    continue
                where = f"In “{self.title(phase)}”"
                label = self.step_label(phase, step.name) if step.name not in step.routines else ""
                step_ = f", in the step “{label}”" if label else ""
                more = any(n in self.calls.played and n not in names for n in step.routines)
                words = (
                    "this can be done too" if more else (ONE if len(added) == 1 else OFFERS)[step.strength]
                )
                yield Step(f"{where}{step_}, {words}: {listed(links, 'or')}.")

    def phase(self, phase: r.Phase) -> Section:
        inner: list[Section] = []
        steps = [s for step in phase.steps for s in self._step(phase, step, inner)]
        if len(steps) == 1 and isinstance(phase.steps[0], r.CallStep) and steps[0].parts:
            first, *rest = steps[0].parts
            steps = [replace(first, clauses=(*steps[0].clauses, *first.clauses)), *rest]
        blocks: list[Block] = []
        if self.lexicon.helps.get(phase.name):
            blocks.append(Paragraph(self.lexicon.helps[phase.name], quiet=True))
        if phase.rotates:
            blocks.append(Paragraph(self._whose(phase)))
        if steps:
            blocks.append(Steps(tuple(steps)))
        blocks += self._after(phase)
        inner += [self.routine(name) for name in self._within(phase)]
        return Section(phase_id(phase.name), self.title(phase), (*blocks, *inner), phase.clauses)

    def _within(self, phase: r.Phase) -> list[str]:
        """What is offered or called in the course of this phase only, and has not been told yet."""
        others = [p for p in self.rules.phases.values() if p is not phase]
        elsewhere = {
            n for p in others for n in self.calls.reach(self.folding, p)
        } | self.calls.reached_by_cells
        known = elsewhere | self.told | self.calls.idle
        names = [n for n in self.calls.reach(self.folding, phase) if n not in known]
        found = [n for n in names if not self.is_told_in_place(n)]
        self.told |= set(found)
        return found

    def is_told_in_place(self, name: str) -> bool:
        routine = self.rules.routines[name]
        if routine.kind == "procedure":
            return self.calls.is_told_in_place(name)
        return name in self.calls.cells and not self.calls.offers[name]

    def last_phases(self) -> Iterator[Step]:
        """The phases after which the game may end, each with the condition."""
        for phase in self.rules.phases.values():
            for condition, to in phase.then:
                if self.rules.phases[to].scores is None or self.rules.phases[to].steps:
                    continue
                with self.citing() as marks:
                    said = self.asked(condition) if condition is not None else ALWAYS
                title = link(phase_id(phase.name), self.title(phase))
                if said == ALWAYS:
                    yield Step(f"After “{title}”.")
                elif said != NEVER:
                    yield Step(sentence(f"after “{title}”, if {said}"), tuple(marks))

    def title(self, phase: r.Phase) -> str:
        return self.lexicon.heading(phase.name, phase.clauses)

    def _whose(self, phase: r.Phase) -> str:
        if self.rules.seats[1] == 1:
            return "You take a turn."
        first = next(p for p in self.rules.phases.values() if p.rotates)
        if phase is not first:
            return (
                "It is the next player’s turn." if phase.steps else "The next player’s turn is passed over."
            )
        return (
            "One player takes a turn; “you” is that player. "
            "The first player has the first turn of the game, then the others in their order."
        )

    # ---- steps

    def _step(self, phase: r.Phase, step: r.FlowStep, inner: list[Section]) -> list[Step]:
        match step:
            case r.CallStep():
                return [self._called_step(phase, step)]
            case r.OfferStep():
                return self._offer_step(phase, step, inner)
            case r.SeatsStep(steps=steps, by=by):
                parts = tuple(s for x in steps for s in self._step(phase, x, inner))
                noun = self.lexicon.noun(by).one if by else ""
                order = f", in the order of the {noun} (lowest first)," if by else " in turn"
                return [Step(f"Each player{order} takes these steps:", step.clauses, parts)]

    def step_label(self, phase: r.Phase, name: str) -> str:
        """The label of a step, if it has one."""
        labels = self.lexicon.labels
        return labels.get(f"{phase.name}.{name}") or labels.get(name) or ""

    def step_title(self, phase: r.Phase, name: str, routine: str) -> str:
        clauses = self.rules.routines[routine].clauses
        if self.rules.routines[routine].kind == "action":
            return lower(self.lexicon.heading(routine, clauses))
        return self.step_label(phase, name) or self.lexicon.heading(routine, clauses)

    def _called_step(self, phase: r.Phase, step: r.CallStep) -> Step:
        """A procedure, told here if it is called nowhere else."""
        routine = self.rules.routines[step.routine]
        head = sentence(self.step_title(phase, step.name, step.routine))
        if not self.calls.is_told_in_place(step.routine):
            same = head == sentence(self.lexicon.heading(step.routine, routine.clauses))
            told = sentence(self.reference(step.routine, ()))
            return Step(told if same else f"{strong(head)} {told}", routine.clauses)
        self.names.clear()
        self.here = (phase_id(phase.name), self.title(phase))
        self.places[step.routine] = self.here
        steps = self.block(routine.block)
        self.told.add(step.routine)
        return Step(strong(head), routine.clauses, steps)

    def _offer_step(self, phase: r.Phase, step: r.OfferStep, inner: list[Section]) -> list[Step]:
        if not is_on(self.folding, step):
            return []
        parts = []
        for name in step.routines:
            if name not in self.calls.played:
                continue
            routine = self.rules.routines[name]
            parts.append(Step(link(routine_id(name), self.lexicon.heading(name, routine.clauses))))
            if name not in self.told:
                self.told.add(name)
                inner.append(self.routine(name))
        title = self.step_label(phase, step.name) if step.name not in step.routines else ""
        head = f"{strong(sentence(title))} " if title else ""
        words = ONE if len(parts) == 1 else OFFERS
        help_ = f"{self.lexicon.helps[step.name]} " if step.name in self.lexicon.helps and title else ""
        text = f"{head}{help_}{sentence(words[step.strength] + ':')}"
        return [Step(text, step.clauses, tuple(parts), ordered=False)]

    # ---- what comes next

    def _after(self, phase: r.Phase) -> list[Block]:
        if phase.scores is not None:
            return [Paragraph("Then the game is over: see " + link("scoring", "the end of the game") + ".")]
        steps = list(self._ways(phase))
        if len(steps) == 1:
            return [Paragraph(steps[0].text, steps[0].clauses)]
        return [Paragraph("After that:"), Steps(tuple(steps), ordered=False)]

    def _ways(self, phase: r.Phase) -> Iterator[Step]:
        """Where a phase leads, condition by condition, as far as they can come true."""
        for condition, to in phase.then:
            with self.citing() as marks:
                known = self.asked(condition) if condition is not None else ALWAYS
            said = self._next(phase, self.rules.phases[to])
            if known == ALWAYS:
                only = phase.then[0] == (condition, to)
                yield Step(sentence(f"{'after that' if only else 'otherwise'} {said}"))
                return
            if known != NEVER:
                yield Step(sentence(f"if {known}, {said}"), tuple(marks))

    def asked(self, name: str) -> str:
        """A condition of the flow, by its name."""
        span = self.rules.span
        if name in self.rules.options:
            value = self.folding.setting.value(name)
            return ALWAYS if value else NEVER
        if name in self.rules.marks:
            return self.mark(r.ReadStore(FLAG, span, "mark", name, None, None), True)
        return self.condition(r.UseValue(Flag(), span, name, ()))

    def _next(self, phase: r.Phase, to: r.Phase) -> str:
        title = link(phase_id(to.name), self.title(to))
        if to.rotates and to.name == phase.name:
            return "it is the next player’s turn" if self.rules.seats[1] > 1 else "a new turn begins"
        if to.name == phase.name:
            return f"“{title}” begins again"
        if to.rotates and phase.rotates:
            return f"it is the next player’s turn: “{title}”"
        if to.rotates:
            return f"go on with “{title}”"
        return f"go on with “{title}”"


def _offers(steps: Sequence[r.FlowStep]) -> Iterator[r.OfferStep]:
    for step in steps:
        match step:
            case r.OfferStep():
                yield step
            case r.SeatsStep(steps=inner):
                yield from _offers(inner)
            case r.CallStep():
                pass


def phase_id(name: str) -> str:
    return slug("phase", name)


def _matters(rules: r.Rules, phase: r.Phase) -> bool:
    """A phase that nothing leads to only says how accounts are read."""
    led_to = {to for p in rules.phases.values() for _, to in p.then}
    return phase.name in led_to or phase is next(iter(rules.phases.values())) or bool(phase.steps)


@dataclass(frozen=True)
class Labelled:
    """The words of a chart of phases."""

    course: Course

    def phase(self, phase: r.Phase) -> str:
        return self.course.title(phase)

    def step(self, phase: r.Phase, name: str, routine: str) -> str:
        return self.course.step_title(phase, name, routine)

    def offer(self, phase: r.Phase, step: r.OfferStep) -> str:
        title = self.course.step_label(phase, step.name) if step.name not in step.routines else ""
        return f"{title}: {SHORT[step.strength]}" if title else SHORT[step.strength]

    def turns(self, step: r.SeatsStep) -> str:
        return "each player in turn"

    def turn(self) -> str:
        return "the next player’s turn"

    def scoring(self, best: r.Best) -> str:
        return f"the {best} total wins" if best != "none" else "the account"

    def score(self, line: r.ScoreLine) -> str:
        name = self.course.lexicon.label(line.name)
        return name if line.kind == "score" else f"tie-break: {name}"

    def condition(self, phase: r.Phase, name: str | None) -> str:
        return "otherwise" if name is None else self.course.asked(name)

    def ending(self, definition: r.Trigger | r.Routine) -> str:
        if isinstance(definition, r.Routine):
            return self.course.lexicon.heading(definition.name, definition.clauses)
        if definition.condition is not None:
            return self.course.comes_true(definition, definition.condition)
        return self.course.comes_or_goes(definition)

    def last(self, line: r.EndGame | r.Win) -> str:
        match line:
            case r.EndGame():
                return "the game ends"
            case r.Win():
                return "the game is won"
