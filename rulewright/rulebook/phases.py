"""The course of a match: its phases, the steps of each, what may be done in them, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from dsl import rules as r
from dsl.domains import FLAG, FlagType
from rulewright.drawing.phases import phase_diagram
from rulewright.rulebook.choices import reference_to
from rulewright.rulebook.conditions import condition
from rulewright.rulebook.context import BookContext
from rulewright.rulebook.definitions import routine_section, trigger_words
from rulewright.rulebook.document import (
    Chart,
    DocumentBlock,
    Paragraph,
    Section,
    Step,
    Steps,
    bullets,
    link,
    slug,
    strong,
)
from rulewright.rulebook.english import listed, lower, sentence
from rulewright.rulebook.realise import spell, spell_sentence
from rulewright.rulebook.state_vars import mark_clause
from rulewright.rulebook.steps import routine_link, routine_title
from rulewright.rulebook.usage import is_on

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


def course_section(ctx: BookContext) -> Section:
    """The chart of the phases, and a section for each."""
    chart = Chart(phase_diagram(_played(ctx), Labelled(ctx)))
    phases = [p for p in ctx.rules.phases.values() if _matters(ctx.rules, p)]
    return Section("course", "The course of the game", (chart, *(phase_section(ctx, p) for p in phases)))


def _played(ctx: BookContext) -> r.Rules:
    """The rules without the steps of variants that are left out."""
    phases = {n: replace(p, steps=_steps_of(ctx, p.steps)) for n, p in ctx.rules.phases.items()}
    return replace(ctx.rules, phases=phases)


def _steps_of(ctx: BookContext, steps: Sequence[r.FlowStep]) -> tuple[Any, ...]:
    found: list[r.FlowStep] = []
    for step in steps:
        match step:
            case r.SeatsStep(steps=inner):
                found.append(replace(step, steps=_steps_of(ctx, inner)))
            case r.OfferStep(routines=names) if is_on(ctx.folding, step):
                found.append(replace(step, routines=tuple(n for n in names if n in ctx.usage.played)))
            case r.CallStep():
                found.append(step)
    return tuple(found)


def added_steps(ctx: BookContext, names: Sequence[str]) -> Iterator[Step]:
    """What is offered in phases where routines are added."""
    for phase in ctx.rules.phases.values():
        for step in _offers(phase.steps):
            added = [n for n in step.routines if n in names]
            links = [routine_link(ctx, n) for n in added]
            if not added:
                continue
            where = f"In “{phase_title(ctx, phase)}”"
            label = _offer_title(ctx, phase, step)
            step_ = f", in the step “{label}”" if label else ""
            more = any(n in ctx.usage.played and n not in names for n in step.routines)
            words = "this can be done too" if more else (ONE if len(added) == 1 else OFFERS)[step.strength]
            yield Step(f"{where}{step_}, {words}: {listed(links, 'or')}.")


def phase_section(ctx: BookContext, phase: r.Phase) -> Section:
    inner: list[Section] = []
    steps = [s for step in phase.steps for s in _flow_steps(ctx, phase, step, inner)]
    if len(steps) == 1 and isinstance(phase.steps[0], r.CallStep) and steps[0].parts:
        first, *rest = steps[0].parts
        steps = [replace(first, clauses=(*steps[0].clauses, *first.clauses)), *rest]
    blocks: list[DocumentBlock] = []
    if ctx.lexicon.helps.get(phase.name):
        blocks.append(Paragraph(ctx.lexicon.helps[phase.name], quiet=True))
    if phase.rotates:
        blocks.append(Paragraph(_whose(ctx, phase)))
    if steps:
        blocks.append(Steps(tuple(steps)))
    blocks += _after(ctx, phase)
    inner += [routine_section(ctx, name) for name in _within(ctx, phase)]
    return Section(phase_id(phase.name), phase_title(ctx, phase), (*blocks, *inner), phase.clauses)


def _within(ctx: BookContext, phase: r.Phase) -> list[str]:
    """What is offered or called in the course of this phase only, and has not been told yet."""
    others = [p for p in ctx.rules.phases.values() if p is not phase]
    elsewhere = {n for p in others for n in ctx.usage.reach(ctx.folding, p)} | ctx.usage.reached_by_cells
    known = elsewhere | ctx.told | ctx.usage.idle
    names = [n for n in ctx.usage.reach(ctx.folding, phase) if n not in known]
    found = [n for n in names if not is_told_in_place(ctx, n)]
    ctx.told |= set(found)
    return found


def is_told_in_place(ctx: BookContext, name: str) -> bool:
    routine = ctx.rules.routines[name]
    if routine.kind == "procedure":
        return ctx.usage.is_told_in_place(name)
    return name in ctx.usage.cells and not ctx.usage.offers[name]


def last_phases(ctx: BookContext) -> Iterator[Step]:
    """The phases after which the game may end, each with the condition."""
    for phase in ctx.rules.phases.values():
        for asked, to in phase.then:
            if ctx.rules.phases[to].scores is None or ctx.rules.phases[to].steps:
                continue
            with ctx.citing() as marks:
                said = asked_clause(ctx, asked) if asked is not None else ALWAYS
            title = link(phase_id(phase.name), phase_title(ctx, phase))
            if said == ALWAYS:
                yield Step(f"After “{title}”.")
            elif said != NEVER:
                yield Step(sentence(f"after “{title}”, if {said}"), tuple(marks))


def phase_title(ctx: BookContext, phase: r.Phase) -> str:
    return ctx.lexicon.heading(phase.name, phase.clauses)


def _whose(ctx: BookContext, phase: r.Phase) -> str:
    if ctx.rules.seats[1] == 1:
        return "You take a turn."
    first = next(p for p in ctx.rules.phases.values() if p.rotates)
    if phase is not first:
        return "It is the next player’s turn." if phase.steps else "The next player’s turn is passed over."
    return (
        "One player takes a turn; “you” is that player. "
        "The first player has the first turn of the game, then the others in their order."
    )


# ---- steps


def _flow_steps(ctx: BookContext, phase: r.Phase, step: r.FlowStep, inner: list[Section]) -> list[Step]:
    match step:
        case r.CallStep():
            return [_called_step(ctx, phase, step)]
        case r.OfferStep():
            return _offer_step(ctx, phase, step, inner)
        case r.SeatsStep(steps=steps, by=by):
            parts = tuple(s for x in steps for s in _flow_steps(ctx, phase, x, inner))
            noun = ctx.lexicon.noun(by).one if by else ""
            order = f", in the order of the {noun} (lowest first)," if by else " in turn"
            return [Step(f"Each player{order} takes these steps:", step.clauses, parts)]
    assert_never(step)


def step_label(ctx: BookContext, phase: r.Phase, name: str) -> str:
    """The label of a step, if it has one."""
    labels = ctx.lexicon.labels
    return labels.get(f"{phase.name}.{name}") or labels.get(name) or ""


def _offer_title(ctx: BookContext, phase: r.Phase, step: r.OfferStep) -> str:
    """The label of a step that is not simply the one thing that it offers."""
    return "" if step.name in step.routines else step_label(ctx, phase, step.name)


def step_title(ctx: BookContext, phase: r.Phase, name: str, routine: str) -> str:
    title = routine_title(ctx, routine)
    if ctx.rules.routines[routine].kind == "action":
        return lower(title)
    return step_label(ctx, phase, name) or title


def _called_step(ctx: BookContext, phase: r.Phase, step: r.CallStep) -> Step:
    """A procedure, told here if it is called nowhere else."""
    routine = ctx.rules.routines[step.routine]
    head = sentence(step_title(ctx, phase, step.name, step.routine))
    if not ctx.usage.is_told_in_place(step.routine):
        same = head == sentence(routine_title(ctx, step.routine))
        told = spell_sentence(reference_to(ctx, step.routine, ()))
        return Step(told if same else f"{strong(head)} {told}", routine.clauses)
    ctx.names.clear()
    ctx.here = (phase_id(phase.name), phase_title(ctx, phase))
    ctx.places[step.routine] = ctx.here
    steps = ctx.block(routine.block)
    ctx.told.add(step.routine)
    return Step(strong(head), routine.clauses, steps)


def _offer_step(ctx: BookContext, phase: r.Phase, step: r.OfferStep, inner: list[Section]) -> list[Step]:
    if not is_on(ctx.folding, step):
        return []
    parts = []
    for name in step.routines:
        if name not in ctx.usage.played:
            continue
        parts.append(Step(routine_link(ctx, name)))
        if name not in ctx.told:
            ctx.told.add(name)
            inner.append(routine_section(ctx, name))
    title = _offer_title(ctx, phase, step)
    head = f"{strong(sentence(title))} " if title else ""
    words = ONE if len(parts) == 1 else OFFERS
    help_ = f"{ctx.lexicon.helps[step.name]} " if step.name in ctx.lexicon.helps and title else ""
    text = f"{head}{help_}{sentence(words[step.strength] + ':')}"
    return [Step(text, step.clauses, tuple(parts), ordered=False)]


# ---- what comes next


def _after(ctx: BookContext, phase: r.Phase) -> list[DocumentBlock]:
    if phase.scores is not None:
        return [Paragraph("Then the game is over: see " + link("scoring", "the end of the game") + ".")]
    steps = list(_ways(ctx, phase))
    if len(steps) == 1:
        return [Paragraph(steps[0].text, steps[0].clauses)]
    return [Paragraph("After that:"), bullets(steps)]


def _ways(ctx: BookContext, phase: r.Phase) -> Iterator[Step]:
    """Where a phase leads, condition by condition, as far as they can come true."""
    for asked, to in phase.then:
        with ctx.citing() as marks:
            known = asked_clause(ctx, asked) if asked is not None else ALWAYS
        said = _next(ctx, phase, ctx.rules.phases[to])
        if known == ALWAYS:
            only = phase.then[0] == (asked, to)
            yield Step(sentence(f"{'after that' if only else 'otherwise'} {said}"))
            return
        if known != NEVER:
            yield Step(sentence(f"if {known}, {said}"), tuple(marks))


def asked_clause(ctx: BookContext, name: str) -> str:
    """A condition of the flow, by its name."""
    span = ctx.rules.span
    if name in ctx.rules.options:
        value = ctx.folding.config.value(name)
        return ALWAYS if value else NEVER
    if name in ctx.rules.marks:
        return spell(mark_clause(ctx, r.ReadStateVar(FLAG, span, "mark", name, None, None), True))
    return spell(condition(ctx, r.UseValue(FlagType(), span, name, ())))


def _next(ctx: BookContext, phase: r.Phase, to: r.Phase) -> str:
    title = link(phase_id(to.name), phase_title(ctx, to))
    if to.rotates and to.name == phase.name:
        return "it is the next player’s turn" if ctx.rules.seats[1] > 1 else "a new turn begins"
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

    ctx: BookContext

    def phase(self, phase: r.Phase) -> str:
        return phase_title(self.ctx, phase)

    def step(self, phase: r.Phase, name: str, routine: str) -> str:
        return step_title(self.ctx, phase, name, routine)

    def offer(self, phase: r.Phase, step: r.OfferStep) -> str:
        title = _offer_title(self.ctx, phase, step)
        return f"{title}: {SHORT[step.strength]}" if title else SHORT[step.strength]

    def turns(self, step: r.SeatsStep) -> str:
        return "each player in turn"

    def turn(self) -> str:
        return "the next player’s turn"

    def scoring(self, best: r.Best) -> str:
        return f"the {best} total wins" if best != "none" else "the account"

    def score(self, line: r.ScoreLine) -> str:
        name = self.ctx.lexicon.label(line.name)
        return name if line.kind == "score" else f"tie-break: {name}"

    def condition(self, phase: r.Phase, name: str | None) -> str:
        return "otherwise" if name is None else asked_clause(self.ctx, name)

    def ending(self, definition: r.Trigger | r.Routine) -> str:
        if isinstance(definition, r.Routine):
            return routine_title(self.ctx, definition.name)
        return spell(trigger_words(self.ctx, definition))

    def last(self, line: r.EndGame | r.Win) -> str:
        match line:
            case r.EndGame():
                return "the game ends"
            case r.Win():
                return "the game is won"
