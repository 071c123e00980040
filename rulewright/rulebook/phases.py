"""The section on the course of a match: its phases, the steps of each, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from dsl import rules as r
from dsl.domains import FLAG, FlagType
from dsl.rules.visit import walk
from rulewright.drawing.phases import phase_diagram
from rulewright.rulebook.choices import reference_to
from rulewright.rulebook.conditions import condition
from rulewright.rulebook.context import BookContext
from rulewright.rulebook.definitions import event_clause, help_paragraph, routine_section
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
from rulewright.rulebook.english import capital, listed, lower, sentence
from rulewright.rulebook.realise import spell, spell_sentence
from rulewright.rulebook.state_vars import mark_clause
from rulewright.rulebook.steps import is_described_in_place, routine_link, routine_title
from rulewright.rulebook.usage import is_on

ONE: dict[r.Strength, str] = {
    "must": "do this",
    "may": "you may do this, or pass",
    "keep": "you may do this as often as you like, until you pass",
}
SEVERAL: dict[r.Strength, str] = {
    "must": "do one of the following",
    "may": "you may do one of the following, or pass",
    "keep": "do any of the following, as often as you like and in any order, until you pass",
}
SHORT: dict[r.Strength, str] = {
    "must": "one of these",
    "may": "one of these, or none",
    "keep": "any of these",
}
ALWAYS, NEVER = "always", "never"


def course_section(ctx: BookContext) -> Section:
    """The chart of the phases, and a section for each."""
    phases = ctx.rules.phases
    played = {name: replace(p, steps=tuple(_played(ctx, p.steps))) for name, p in phases.items()}
    chart = Chart(phase_diagram(replace(ctx.rules, phases=played), PhaseLabels(ctx)))
    sections = (_phase_section(ctx, p) for p in phases.values() if _has_section(ctx.rules, p))
    return Section("course", "The course of the game", (chart, *sections))


def _played(ctx: BookContext, steps: Sequence[r.FlowStep]) -> Iterator[Any]:
    """The steps without what belongs to variants that are left out."""
    for step in steps:
        match step:
            case r.SeatsStep(steps=inner):
                yield replace(step, steps=tuple(_played(ctx, inner)))
            case r.OfferStep():
                if is_on(ctx.folding, step):
                    yield replace(step, routines=tuple(n for n in step.routines if n in ctx.usage.played))
            case r.CallStep():
                yield step


def _has_section(rules: r.Rules, phase: r.Phase) -> bool:
    """Whether a phase is more than the scoring rule of a game that ends at once."""
    followers = {to for p in rules.phases.values() for _, to in p.then}
    return phase.name in followers or phase is next(iter(rules.phases.values())) or bool(phase.steps)


def phase_id(name: str) -> str:
    return slug("phase", name)


def phase_title(ctx: BookContext, phase: r.Phase) -> str:
    return ctx.lexicon.heading(phase.name, phase.clauses)


def _phase_section(ctx: BookContext, phase: r.Phase) -> Section:
    inner: list[Section] = []
    steps = [s for step in phase.steps for s in _flow_steps(ctx, phase, step, inner)]
    if len(steps) == 1 and isinstance(phase.steps[0], r.CallStep) and steps[0].parts:
        first, *rest = steps[0].parts
        steps = [replace(first, clauses=(*steps[0].clauses, *first.clauses)), *rest]
    blocks: list[DocumentBlock] = [*help_paragraph(ctx, phase.name)]
    if phase.rotates:
        blocks.append(Paragraph(_whose_turn(ctx, phase)))
    if steps:
        blocks.append(Steps(tuple(steps)))
    blocks += _successors(ctx, phase)
    inner += [routine_section(ctx, name) for name in _own_routines(ctx, phase)]
    return Section(phase_id(phase.name), phase_title(ctx, phase), (*blocks, *inner), phase.clauses)


def _own_routines(ctx: BookContext, phase: r.Phase) -> list[str]:
    """The routines that only this phase reaches and that have no section yet; marks them as described."""
    by_phase = ctx.usage.by_phase
    known = ctx.described | ctx.usage.idle | ctx.usage.reached_by_cells
    known = known.union(*(names for other, names in by_phase.items() if other != phase.name))
    own = [n for n in by_phase[phase.name] if n not in known and not is_described_in_place(ctx, n)]
    ctx.described |= set(own)
    return own


def _whose_turn(ctx: BookContext, phase: r.Phase) -> str:
    if ctx.rules.seats[1] == 1:
        return "You take a turn."
    first = next(p for p in ctx.rules.phases.values() if p.rotates)
    player = ctx.lexicon.player.one
    if phase is not first:
        turn = f"the next {player}’s turn"
        return f"It is {turn}." if phase.steps else f"{capital(turn)} is passed over."
    return (
        f"One {player} takes a turn; “you” is that {player}. "
        f"The first {player} has the first turn of the game, then the others in their order."
    )


# ---- steps


def _flow_steps(ctx: BookContext, phase: r.Phase, step: r.FlowStep, inner: list[Section]) -> list[Step]:
    """The text of a step; sections of actions that it is the first to offer go to `inner`."""
    match step:
        case r.CallStep():
            return [_call_step(ctx, phase, step)]
        case r.OfferStep():
            return [_offer_step(ctx, phase, step, inner)] if is_on(ctx.folding, step) else []
        case r.SeatsStep(steps=steps, by=by):
            parts = tuple(s for x in steps for s in _flow_steps(ctx, phase, x, inner))
            noun = ctx.lexicon.noun(by).one if by else ""
            order = f", in the order of the {noun} (lowest first)," if by else " in turn"
            return [Step(f"Each {ctx.lexicon.player.one}{order} takes these steps:", step.clauses, parts)]
    assert_never(step)


def _call_step(ctx: BookContext, phase: r.Phase, step: r.CallStep) -> Step:
    """A procedure, described here if it is called nowhere else."""
    routine = ctx.rules.routines[step.routine]
    head = sentence(_step_title(ctx, phase, step.name, step.routine))
    if not ctx.usage.is_inlined(step.routine):
        reference = spell_sentence(reference_to(ctx, step.routine, ()))
        same = head == sentence(routine_title(ctx, step.routine))
        return Step(reference if same else f"{strong(head)} {reference}", routine.clauses)
    ctx.names.clear()
    ctx.section = (phase_id(phase.name), phase_title(ctx, phase))
    ctx.section_of[step.routine] = ctx.section
    steps = ctx.block(routine.block)
    ctx.described.add(step.routine)
    return Step(strong(head), routine.clauses, steps)


def _offer_step(ctx: BookContext, phase: r.Phase, step: r.OfferStep, inner: list[Section]) -> Step:
    names = [name for name in step.routines if name in ctx.usage.played]
    for name in names:
        if name not in ctx.described:
            ctx.described.add(name)
            inner.append(routine_section(ctx, name))
    title = _offer_title(ctx, phase, step)
    head = f"{strong(sentence(title))} " if title else ""
    help_ = f"{ctx.lexicon.helps[step.name]} " if step.name in ctx.lexicon.helps and title else ""
    words = (ONE if len(names) == 1 else SEVERAL)[step.strength]
    links = tuple(Step(routine_link(ctx, name)) for name in names)
    return Step(f"{head}{help_}{sentence(f'{words}:')}", step.clauses, links, ordered=False)


def _step_label(ctx: BookContext, phase: r.Phase, name: str) -> str:
    """The label of a step, if it has one."""
    labels = ctx.lexicon.labels
    return labels.get(f"{phase.name}.{name}") or labels.get(name) or ""


def _step_title(ctx: BookContext, phase: r.Phase, name: str, routine: str) -> str:
    title = routine_title(ctx, routine)
    if ctx.rules.routines[routine].kind == "action":
        return lower(title)
    return _step_label(ctx, phase, name) or title


def _offer_title(ctx: BookContext, phase: r.Phase, step: r.OfferStep) -> str:
    """The label of a step that is not simply the one action that it offers."""
    return "" if step.name in step.routines else _step_label(ctx, phase, step.name)


def added_steps(ctx: BookContext, names: Sequence[str]) -> Iterator[Step]:
    """The phases and steps in which a variant offers its routines `names`."""
    for phase in ctx.rules.phases.values():
        for step in walk(phase.steps):
            added = [n for n in step.routines if n in names] if isinstance(step, r.OfferStep) else []
            if added:
                yield Step(_added(ctx, phase, step, added))


def _added(ctx: BookContext, phase: r.Phase, step: r.OfferStep, added: Sequence[str]) -> str:
    label = _offer_title(ctx, phase, step)
    where = f"In “{phase_title(ctx, phase)}”" + (f", in the step “{label}”" if label else "")
    others = any(n in ctx.usage.played and n not in added for n in step.routines)
    words = "this can be done too" if others else (ONE if len(added) == 1 else SEVERAL)[step.strength]
    return f"{where}, {words}: {listed([routine_link(ctx, n) for n in added], 'or')}."


# ---- what comes next


def _successors(ctx: BookContext, phase: r.Phase) -> list[DocumentBlock]:
    if phase.scores is not None:
        return [Paragraph("Then the game is over: see " + link("scoring", "the end of the game") + ".")]
    steps = list(_transitions(ctx, phase))
    if len(steps) == 1:
        return [Paragraph(steps[0].text, steps[0].clauses)]
    return [Paragraph("After that:"), bullets(steps)]


def _transitions(ctx: BookContext, phase: r.Phase) -> Iterator[Step]:
    """The successors of a phase with their conditions, without those that never hold."""
    for name, to in phase.then:
        with ctx.citing() as marks:
            asked = _condition_text(ctx, name)
        next_ = _next(ctx, phase, ctx.rules.phases[to])
        if asked == ALWAYS:
            only = phase.then[0] == (name, to)
            yield Step(sentence(f"{'after that' if only else 'otherwise'} {next_}"))
            return
        if asked != NEVER:
            yield Step(sentence(f"if {asked}, {next_}"), tuple(marks))


def _condition_text(ctx: BookContext, name: str | None) -> str:
    """A condition of the flow, by its name; without one it always holds."""
    span = ctx.rules.span
    if name is None:
        return ALWAYS
    if name in ctx.rules.options:
        return ALWAYS if ctx.folding.config.value(name) else NEVER
    if name in ctx.rules.marks:
        return spell(mark_clause(ctx, r.ReadStateVar(FLAG, span, "mark", name, None, None), True))
    return spell(condition(ctx, r.UseValue(FlagType(), span, name, ())))


def _next(ctx: BookContext, phase: r.Phase, to: r.Phase) -> str:
    title = link(phase_id(to.name), phase_title(ctx, to))
    turn = f"it is the next {ctx.lexicon.player.one}’s turn"
    if to.name == phase.name:
        if not to.rotates:
            return f"“{title}” begins again"
        return turn if ctx.rules.seats[1] > 1 else "a new turn begins"
    if to.rotates and phase.rotates:
        return f"{turn}: “{title}”"
    return f"go on with “{title}”"


def last_phases(ctx: BookContext) -> Iterator[Step]:
    """The phases after which the game may end, each with the condition."""
    for phase in ctx.rules.phases.values():
        for name, to in phase.then:
            if ctx.rules.phases[to].scores is None or ctx.rules.phases[to].steps:
                continue
            with ctx.citing() as marks:
                asked = _condition_text(ctx, name)
            title = link(phase_id(phase.name), phase_title(ctx, phase))
            if asked == ALWAYS:
                yield Step(f"After “{title}”.")
            elif asked != NEVER:
                yield Step(sentence(f"after “{title}”, if {asked}"), tuple(marks))


# ---- the chart


@dataclass(frozen=True)
class PhaseLabels:
    """The words of a chart of phases that people read."""

    ctx: BookContext

    def phase(self, phase: r.Phase) -> str:
        return phase_title(self.ctx, phase)

    def step(self, phase: r.Phase, name: str, routine: str) -> str:
        return _step_title(self.ctx, phase, name, routine)

    def offer(self, phase: r.Phase, step: r.OfferStep) -> str:
        title = _offer_title(self.ctx, phase, step)
        return f"{title}: {SHORT[step.strength]}" if title else SHORT[step.strength]

    def turns(self, step: r.SeatsStep) -> str:
        return f"each {self.ctx.lexicon.player.one} in turn"

    def turn(self) -> str:
        return f"the next {self.ctx.lexicon.player.one}’s turn"

    def scoring(self, best: r.Best) -> str:
        return f"the {best} total wins" if best != "none" else "the account"

    def score(self, line: r.ScoreLine) -> str:
        name = self.ctx.lexicon.label(line.name)
        return name if line.kind == "score" else f"tie-break: {name}"

    def condition(self, phase: r.Phase, name: str | None) -> str:
        return "otherwise" if name is None else _condition_text(self.ctx, name)

    def ending(self, definition: r.Trigger | r.Routine) -> str:
        if isinstance(definition, r.Routine):
            return routine_title(self.ctx, definition.name)
        return spell(event_clause(self.ctx, definition))

    def last(self, line: r.EndGame | r.Win) -> str:
        match line:
            case r.EndGame():
                return "the game ends"
            case r.Win():
                return "the game is won"
