"""The course of a match: its phases, the steps of each, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, assert_never

from dsl import rules as r
from dsl.rules.visit import walk
from interpreter.set_up import phases_of_set_up
from rulewright.drawing.phases import phase_diagram
from rulewright.rulebook.definitions import event_clause, help_paragraph, routine_section
from rulewright.rulebook.document import Chart, DocumentBlock, Paragraph, Section, Steps, bullets
from rulewright.sentences.choices import often, reference_to
from rulewright.sentences.conditions import condition
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, listed, lower, sentence
from rulewright.sentences.noun_phrases import Described, Things, narrowed
from rulewright.sentences.realise import spell, spell_sentence
from rulewright.sentences.statements import each_seat
from rulewright.sentences.steps import is_described_in_place, routine_link, routine_title
from rulewright.sentences.text import Step, link, merge_clauses, plain, slug, strong
from rulewright.sentences.usage import is_on

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


@dataclass(frozen=True, slots=True)
class Course:
    """The sections of the phases that belong to the set-up, those of all others, and the chart of them."""

    set_up: tuple[Section, ...]
    play: tuple[Section, ...]
    chart: Chart


def course(ctx: BookContext) -> Course:
    """A section for each phase, in the order in which they are declared."""
    rules, first = ctx.rules, opening_phases(ctx.rules)
    chart = Chart(phase_diagram(replace(rules, phases=played_phases(ctx)), PhaseLabels(ctx)))
    sections = [(p.name, _phase_section(ctx, p)) for p in rules.phases.values() if _has_section(rules, p)]
    return Course(
        tuple(section for name, section in sections if name in first),
        tuple(section for name, section in sections if name not in first),
        chart,
    )


def opening_phases(rules: r.Rules) -> tuple[str, ...]:
    """The phases of the set-up: the first ones that come once and offer no actions."""
    once = phases_of_set_up(rules)

    def opens(phase: r.Phase) -> bool:
        offers = any(isinstance(step, r.OfferStep) for step in phase.all_steps())
        return phase.name in once and not phase.rotates and not offers

    return tuple(phase.name for phase in takewhile(opens, rules.phases.values()))


def played_phases(ctx: BookContext) -> dict[str, r.Phase]:
    """The phases with those of their steps that can come."""
    phases = ctx.rules.phases
    return {name: replace(p, steps=tuple(_played(ctx, p.steps))) for name, p in phases.items()}


def _played(ctx: BookContext, steps: Sequence[r.FlowStep]) -> Iterator[Any]:
    """The steps without what belongs to variants that are left out."""
    for step in steps:
        match step:
            case r.SeatsStep(steps=inner):
                yield replace(step, steps=tuple(_played(ctx, inner)))
            case r.IfStep(steps=inner, otherwise=otherwise):
                asked = ctx.folding.expr(step.condition)
                if isinstance(asked, r.Const):
                    yield from _played(ctx, inner if asked.value else otherwise)
                else:
                    steps_, otherwise = (tuple(_played(ctx, part)) for part in (inner, otherwise))
                    yield replace(step, steps=steps_, otherwise=otherwise)
            case r.OfferStep(otherwise=otherwise):
                if is_on(ctx.folding, step):
                    routines = tuple(n for n in step.routines if n in ctx.usage.played)
                    others = None if otherwise is None else tuple(_played(ctx, otherwise))
                    yield replace(step, routines=routines, otherwise=others)
            case r.CallStep():
                yield step
            case _:
                assert_never(step)


def _has_section(rules: r.Rules, phase: r.Phase) -> bool:
    """Whether a phase is more than the scoring rule of a game that ends at once."""
    followers = {case.to for p in rules.phases.values() for case in p.then}
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
        passed = f"It is {turn}." if phase.steps else f"{capital(turn)} is passed over."
        return " ".join([passed, *_turn_order(ctx, phase.turn)])
    lead = f"One {player} takes a turn; “you” is that {player}."
    if phase.turn is None or phase.turn.is_plain:
        return f"{lead} The first {player} has the first turn of the game, then the others in their order."
    return " ".join([lead, *_turn_order(ctx, phase.turn)])


def _turn_order(ctx: BookContext, turn: r.Turn | None) -> Iterator[str]:
    """Who has the first turn, who follows, and who is passed over, unless all go round in their order."""
    if turn is None or turn.is_plain:
        return
    player = ctx.lexicon.player.one
    first = spell(ctx.expr(turn.first)) if turn.first is not None else f"the first {player}"
    others = ", then the others in their order" if turn.next is None else ""
    yield sentence(f"the first turn of the game goes to {first}{others}")
    if turn.next is not None:
        yield sentence(f"each further turn goes to {spell(ctx.expr(turn.next))}")
    if turn.where is not None:
        things: Described = Things(ctx.lexicon.player, person=True)
        with ctx.referent(turn.candidate) as ref:
            passed = narrowed(ref, things, ctx.clauses(turn.where, False)).every()
        yield sentence(f"{spell(passed)} is passed over")


# ---- steps


def _flow_steps(ctx: BookContext, phase: r.Phase, step: r.FlowStep, inner: list[Section]) -> list[Step]:
    """The text of a step; sections of actions that it is the first to offer go to `inner`."""
    match step:
        case r.CallStep():
            return [_call_step(ctx, phase, step)]
        case r.OfferStep():
            if not is_on(ctx.folding, step):
                return []
            offered = _offer_step(ctx, phase, step, inner)
            return [offered, *_unless_done(ctx, phase, step, inner)]
        case r.SeatsStep(steps=steps):
            parts = tuple(s for x in steps for s in _flow_steps(ctx, phase, x, inner))
            return [Step(f"{each_seat_text(ctx, step)} takes these steps:", step.clauses, parts)]
        case r.IfStep(condition=asked, steps=steps):
            asked = ctx.folding.expr(asked)
            if isinstance(asked, r.Const):
                chosen = steps if asked.value else step.otherwise
                return [s for x in chosen for s in _flow_steps(ctx, phase, x, inner)]
            with ctx.citing() as marks:
                guard = f"If {spell(condition(ctx, asked))}:"
            parts = tuple(s for x in steps for s in _flow_steps(ctx, phase, x, inner))
            found = [Step(guard, merge_clauses(step.clauses, tuple(marks)), parts)]
            return found + _otherwise(ctx, phase, step.otherwise, "Otherwise:", inner)
    assert_never(step)


def _unless_done(ctx: BookContext, phase: r.Phase, step: r.OfferStep, inner: list[Section]) -> list[Step]:
    """What happens if nothing of an offer is done."""
    if step.strength != "must":
        return _otherwise(ctx, phase, step.otherwise or (), "If nothing is done:", inner)
    if step.otherwise == ():
        return [Step("If nothing can be done, nothing happens.", ())]
    return _otherwise(ctx, phase, step.otherwise or (), "If nothing can be done:", inner)


def _otherwise(
    ctx: BookContext, phase: r.Phase, steps: tuple[r.FlowStep, ...], lead: str, inner: list[Section]
) -> list[Step]:
    parts = tuple(s for x in steps for s in _flow_steps(ctx, phase, x, inner))
    return [Step(lead, (), parts)] if parts else []


def each_seat_text(ctx: BookContext, step: r.SeatsStep) -> str:
    """Each player in turn, in the order of a value of players if there is one."""
    match step:
        case r.SeatsStep(
            keys=(r.UseValue(value=by, arguments=(r.Read(var=var),)),), start=None, where=None
        ) if var is step.candidate:
            noun = ctx.lexicon.noun(by).one
            return f"Each {ctx.lexicon.player.one}, in the order of the {noun} (lowest first),"
    return each_seat(ctx, step.candidate, step.keys, step.where, step.start)


def _call_step(ctx: BookContext, phase: r.Phase, step: r.CallStep) -> Step:
    """A procedure, described here if it is called nowhere else."""
    routine = ctx.rules.routines[step.routine]
    head = sentence(step_title(ctx, phase, step.name, step.routine))
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
    title = offer_title(ctx, phase, step)
    head = f"{strong(sentence(title))} " if title else ""
    help_ = f"{ctx.lexicon.helps[step.name]} " if step.name in ctx.lexicon.helps and title else ""
    words = (ONE if len(names) == 1 else SEVERAL)[step.strength]
    if step.most is not None:
        words = words.replace("as often as you like", f"at most {spell(often(ctx, step.most))}")
    links = tuple(Step(routine_link(ctx, name)) for name in names)
    return Step(f"{head}{help_}{sentence(f'{words}:')}", step.clauses, links, ordered=False)


def _step_label(ctx: BookContext, phase: r.Phase, name: str) -> str:
    """The label of a step, if it has one."""
    labels = ctx.lexicon.labels
    return labels.get(f"{phase.name}.{name}") or labels.get(name) or ""


def step_title(ctx: BookContext, phase: r.Phase, name: str, routine: str) -> str:
    title = routine_title(ctx, routine)
    if ctx.rules.routines[routine].kind == "action":
        return lower(title)
    return _step_label(ctx, phase, name) or title


def offer_title(ctx: BookContext, phase: r.Phase, step: r.OfferStep) -> str:
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
    label = offer_title(ctx, phase, step)
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
    for case in phase.then:
        with ctx.citing() as marks:
            asked = condition_text(ctx, case.condition)
        next_ = _next(ctx, phase, ctx.rules.phases[case.to])
        if asked == ALWAYS:
            only = phase.then[0] is case
            yield Step(sentence(f"{'after that' if only else 'otherwise'} {next_}"))
            return
        if asked != NEVER:
            yield Step(sentence(f"if {asked}, {next_}"), tuple(marks))


def condition_text(ctx: BookContext, asked: r.Expr | None) -> str:
    """A condition of the flow; without one it always holds."""
    if asked is None:
        return ALWAYS
    if isinstance(asked, r.UseValue) and not asked.arguments:
        return spell(condition(ctx, asked))
    asked = ctx.folding.expr(asked)
    if isinstance(asked, r.Const):
        return ALWAYS if asked.value else NEVER
    return spell(condition(ctx, asked))


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


def last_phases(ctx: BookContext, with_steps: bool = False) -> Iterator[Step]:
    """The phases after which the game may end, each with the condition.

    The last phase may have steps of its own, and tell itself that the game is over then: see `with_steps`.
    """
    for phase in ctx.rules.phases.values():
        for case in phase.then:
            if ctx.rules.phases[case.to].scores is None:
                continue
            if ctx.rules.phases[case.to].steps and not with_steps:
                continue
            with ctx.citing() as marks:
                asked = condition_text(ctx, case.condition)
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
        return step_title(self.ctx, phase, name, routine)

    def offer(self, phase: r.Phase, step: r.OfferStep) -> str:
        title = offer_title(self.ctx, phase, step)
        return f"{title}: {SHORT[step.strength]}" if title else SHORT[step.strength]

    def turns(self, step: r.SeatsStep) -> str:
        simple = step.where is None and step.start is None
        return (
            f"each {self.ctx.lexicon.player.one} in turn"
            if simple
            else lower(each_seat_text(self.ctx, step)).rstrip(",")
        )

    def when(self, step: r.IfStep) -> str:
        return plain(f"if {condition_text(self.ctx, step.condition)}")

    def otherwise(self) -> str:
        return "otherwise"

    def turn(self) -> str:
        return f"the next {self.ctx.lexicon.player.one}’s turn"

    def scoring(self, best: r.Best) -> str:
        return f"the {best} total wins" if best != "none" else "the account"

    def score(self, line: r.ScoreLine) -> str:
        name = self.ctx.lexicon.score(line.name)
        return name if line.kind == "score" else f"tie-break: {name}"

    def condition(self, condition: r.Expr | None) -> str:
        return "otherwise" if condition is None else plain(condition_text(self.ctx, condition))

    def ending(self, definition: r.Trigger | r.Routine) -> str:
        if isinstance(definition, r.Routine):
            return routine_title(self.ctx, definition.name)
        return plain(spell(event_clause(self.ctx, definition)))

    def last(self, line: r.Ending) -> str:
        match line:
            case r.EndGame():
                return "the game ends"
            case r.WinTogether(seats=None):
                return "nobody wins"
            case r.Win() | r.WinTogether() | r.Lose():
                return "the game is won"
