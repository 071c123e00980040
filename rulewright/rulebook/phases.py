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
from rulewright.sentences.choices import FEWEST_LISTED, at_glance, often, reference_to
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, lower, sentence
from rulewright.sentences.framed.steps import (
    each_seat as framed_seat,
    often as framed_often,
    passed_over,
    reference as framed_reference,
)
from rulewright.sentences.noun_phrases import Described, Things, narrowed
from rulewright.sentences.realise import spell, spell_sentence
from rulewright.sentences.statements import each_seat
from rulewright.sentences.steps import is_described_in_place, routine_link, routine_title
from rulewright.sentences.syntax import Node
from rulewright.sentences.text import WEAK, Step, bold, link, merge_clauses, plain, slug, strong
from rulewright.sentences.usage import is_on

THE_FOLLOWING = "the following"
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
    shown = (p for p in rules.phases.values() if _has_section(rules, p) and not is_mere_end(ctx, p))
    sections = [(p.name, _phase_section(ctx, p)) for p in shown]
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


def is_mere_end(ctx: BookContext, phase: r.Phase) -> bool:
    """Whether a phase has nothing but the account, which is told at the end of the game."""
    return phase.scores is not None and not phase.steps and phase.name not in ctx.lexicon.helps


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
        blocks.append(Steps(tuple(map(_in_one, steps))))
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
        return ctx.say("you-take-turn")
    first = next(p for p in ctx.rules.phases.values() if p.rotates)
    player = ctx.lexicon.player.one
    if phase is not first:
        turn = ctx.say("next-turn", player=player)
        passed = (
            ctx.say("it-is-turn", turn=turn) if phase.steps else ctx.say("turn-passed", turn=capital(turn))
        )
        return " ".join([passed, *_turn_order(ctx, phase.turn)])
    lead = ctx.say("one-takes-turn", player=player)
    if phase.turn is None or phase.turn.is_plain:
        return f"{lead} {ctx.say('first-has-turn', player=player)}"
    return " ".join([lead, *_turn_order(ctx, phase.turn)])


def _turn_order(ctx: BookContext, turn: r.Turn | None) -> Iterator[str]:
    """Who has the first turn, who follows, and who is passed over, unless all go round in their order."""
    if turn is None or turn.is_plain:
        return
    player = ctx.lexicon.player.one
    first = (
        spell(ctx.expr(turn.first)) if turn.first is not None else ctx.say("the-first-player", player=player)
    )
    yield sentence(ctx.say("first-turn-to-others" if turn.next is None else "first-turn-to", first=first))
    if turn.next is not None:
        yield sentence(ctx.say("further-turn", next=spell(ctx.expr(turn.next))))
    if turn.where is not None:
        yield sentence(ctx.say("is-passed-over", who=spell(_passed_over(ctx, turn.candidate, turn.where))))


def _passed_over(ctx: BookContext, candidate: r.Var, where: r.Expr) -> Node:
    """Each player who gets no turn."""
    if ctx.grammar is not None:
        return passed_over(ctx, candidate, where)
    things: Described = Things(ctx.lexicon.player, person=True)
    with ctx.referent(candidate) as ref:
        return narrowed(ref, things, ctx.clauses(where, False)).every()


# ---- steps


def _flow_steps(ctx: BookContext, phase: r.Phase, step: r.FlowStep, inner: list[Section]) -> list[Step]:
    """The text of a step; sections of actions that it is the first to offer go to `inner`."""
    match step:
        case r.CallStep(routine=name):
            silent = name in ctx.usage.idle and not ctx.rules.routines[name].clauses
            return [] if silent else [_call_step(ctx, phase, step)]
        case r.OfferStep():
            if not is_on(ctx.folding, step):
                return []
            offered = _offer_step(ctx, phase, step, inner)
            return [offered, *_unless_done(ctx, phase, step, inner)]
        case r.SeatsStep(steps=steps):
            parts = tuple(_in_one(s) for x in steps for s in _flow_steps(ctx, phase, x, inner))
            return [_by_each(ctx, step, parts)]
        case r.IfStep(condition=asked, steps=steps):
            asked = ctx.folding.expr(asked)
            if isinstance(asked, r.Const):
                chosen = steps if asked.value else step.otherwise
                return [s for x in chosen for s in _flow_steps(ctx, phase, x, inner)]
            with ctx.citing() as marks:
                guard = ctx.say("if-colon", clause=spell(ctx.condition(asked)))
            parts = tuple(s for x in steps for s in _flow_steps(ctx, phase, x, inner))
            found = [Step(guard, merge_clauses(step.clauses, tuple(marks)), parts)]
            return found + _otherwise(ctx, phase, step.otherwise, ctx.say("otherwise-colon"), inner)
    assert_never(step)


def _by_each(ctx: BookContext, step: r.SeatsStep, parts: tuple[Step, ...]) -> Step:
    """What each player does: one thing with its heading first, or several steps."""
    who = each_seat_text(ctx, step)
    match parts:
        case (Step(parts=(), text=text) as only,) if bold(text) and not only.guarded:
            title, rest = text.split(WEAK, 1)
            marks = merge_clauses(step.clauses, only.clauses)
            return replace(
                only, text=f"{title}{WEAK} {who.rstrip(',')}: {lower(rest.strip())}", clauses=marks
            )
    return Step(ctx.say("takes-steps", who=who), step.clauses, parts)


def _unless_done(ctx: BookContext, phase: r.Phase, step: r.OfferStep, inner: list[Section]) -> list[Step]:
    """What happens if nothing of an offer is done."""
    if step.strength != "must":
        return _otherwise(ctx, phase, step.otherwise or (), ctx.say("nothing-done"), inner)
    if step.otherwise == ():
        return [Step(ctx.say("cannot-nothing"), ())]
    return _otherwise(ctx, phase, step.otherwise or (), ctx.say("cannot-done"), inner)


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
            return ctx.say("each-in-order", player=ctx.lexicon.player.one, by=noun)
    if ctx.grammar is not None:
        return framed_seat(ctx, step.candidate, step.keys, step.where, step.start)
    return each_seat(ctx, step.candidate, step.keys, step.where, step.start)


def _call_step(ctx: BookContext, phase: r.Phase, step: r.CallStep) -> Step:
    """A procedure, described here if it is called nowhere else."""
    routine = ctx.rules.routines[step.routine]
    head = sentence(step_title(ctx, phase, step.name, step.routine))
    if not ctx.usage.is_inlined(step.routine):
        reference = spell_sentence(_reference(ctx, step.routine))
        same = head == sentence(routine_title(ctx, step.routine))
        return Step(reference if same else f"{strong(head)} {reference}", routine.clauses)
    ctx.names.clear()
    ctx.section = (phase_id(phase.name), phase_title(ctx, phase))
    ctx.section_of[step.routine] = ctx.section
    steps = ctx.block(routine.block, routine.clauses)
    ctx.described.add(step.routine)
    return Step(strong(head), routine.clauses, steps)


def _in_one(step: Step) -> Step:
    """A heading with the one sentence below it in one step."""
    match step.parts:
        case (only,) if not only.parts and not bold(only.text) and bold(step.text):
            return replace(
                step,
                text=f"{step.text} {only.text}",
                clauses=merge_clauses(step.clauses, only.clauses),
                parts=(),
            )
    return step


def _offer_step(ctx: BookContext, phase: r.Phase, step: r.OfferStep, inner: list[Section]) -> Step:
    names = [name for name in step.routines if name in ctx.usage.played]
    for name in names:
        if name not in ctx.described:
            ctx.described.add(name)
            inner.append(routine_section(ctx, name))
    title = offer_title(ctx, phase, step)
    head = f"{strong(sentence(title))} " if title else ""
    help_ = f"{ctx.lexicon.helps[step.name]} " if step.name in ctx.lexicon.helps and title else ""
    words = _offered_how(ctx, step.strength, len(names), step.most)
    when = ctx.at_glance.get(frozenset(names), "") if len(names) >= FEWEST_LISTED else ""
    if when:
        there = at_glance(ctx, ctx.say("quoted", it=when))
        words = words.replace(THE_FOLLOWING, there) if THE_FOLLOWING in words else f"{words}: {there}"
        return Step(f"{head}{help_}{sentence(words)}", step.clauses)
    links = tuple(Step(routine_link(ctx, name)) for name in names)
    return Step(f"{head}{help_}{sentence(f'{words}:')}", step.clauses, links, ordered=False)


def _offered_how(ctx: BookContext, strength: r.Strength, names: int, most: r.Expr | None = None) -> str:
    """How often what is offered may be done: `you may do this, or pass`."""
    frame = f"{'one' if names == 1 else 'several'}-{strength}"
    if most is None or strength != "keep":
        return ctx.say(frame)
    said = framed_often(ctx, most) if ctx.grammar is not None else spell(often(ctx, most))
    return ctx.say(f"{frame}-most", often=ctx.say("most-often", often=said))


def _reference(ctx: BookContext, name: str) -> Node:
    return framed_reference(ctx, name, ()) if ctx.grammar is not None else reference_to(ctx, name, ())


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
    others = any(n in ctx.usage.played and n not in added for n in step.routines)
    words = ctx.say("done-too") if others else _offered_how(ctx, step.strength, len(added))
    actions = ctx.listed([routine_link(ctx, n) for n in added], "or")
    title = phase_title(ctx, phase)
    if label:
        return ctx.say("added-in-step", phase=title, step=label, words=words, actions=actions)
    return ctx.say("added-in", phase=title, words=words, actions=actions)


# ---- what comes next


def _successors(ctx: BookContext, phase: r.Phase) -> list[DocumentBlock]:
    if phase.scores is not None:
        return [Paragraph(ctx.say("then-game-over", end=link("scoring", ctx.say("the-end"))))]
    steps = list(_transitions(ctx, phase))
    if len(steps) == 1:
        return [Paragraph(steps[0].text, steps[0].clauses)]
    return [Paragraph(ctx.say("after-that")), bullets(steps)]


def _transitions(ctx: BookContext, phase: r.Phase) -> Iterator[Step]:
    """The successors of a phase with their conditions, without those that never hold."""
    for case in phase.then:
        with ctx.citing() as marks:
            asked = condition_text(ctx, case.condition)
        next_ = _next(ctx, phase, ctx.rules.phases[case.to])
        if asked == ALWAYS:
            only = phase.then[0] is case
            yield Step(sentence(ctx.say("after-that-next" if only else "otherwise-next", next=next_)))
            return
        if asked != NEVER:
            yield Step(sentence(ctx.say("if-next", clause=asked, next=next_)), tuple(marks))


def condition_text(ctx: BookContext, asked: r.Expr | None) -> str:
    """A condition of the flow; without one it always holds."""
    if asked is None:
        return ALWAYS
    if isinstance(asked, r.UseValue) and not asked.arguments:
        return spell(ctx.condition(asked))
    asked = ctx.folding.expr(asked)
    if isinstance(asked, r.Const):
        return ALWAYS if asked.value else NEVER
    return spell(ctx.condition(asked))


def _next(ctx: BookContext, phase: r.Phase, to: r.Phase) -> str:
    if is_mere_end(ctx, to):
        return ctx.say("next-game-over", end=link("scoring", ctx.say("the-end")))
    title = link(phase_id(to.name), phase_title(ctx, to))
    player = ctx.lexicon.player.one
    if to.name == phase.name:
        if not to.rotates:
            return ctx.say("begins-again", phase=title)
        return ctx.say("next-player", player=player) if ctx.rules.seats[1] > 1 else ctx.say("new-turn")
    if to.rotates and phase.rotates:
        return ctx.say("next-player-phase", player=player, phase=title)
    return ctx.say("go-on", phase=title)


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
                yield Step(ctx.say("after-phase", phase=title))
            elif asked != NEVER:
                yield Step(sentence(ctx.say("after-phase-if", phase=title, clause=asked)), tuple(marks))


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
        title, short = offer_title(self.ctx, phase, step), self.ctx.say(f"short-{step.strength}")
        return f"{title}: {short}" if title else short

    def turns(self, step: r.SeatsStep) -> str:
        simple = step.where is None and step.start is None
        return (
            self.ctx.say("each-in-turn", player=self.ctx.lexicon.player.one)
            if simple
            else lower(each_seat_text(self.ctx, step)).rstrip(",")
        )

    def when(self, step: r.IfStep) -> str:
        return plain(self.ctx.say("if-chart", clause=condition_text(self.ctx, step.condition)))

    def otherwise(self) -> str:
        return self.ctx.say("otherwise-chart")

    def turn(self) -> str:
        return self.ctx.say("next-turn", player=self.ctx.lexicon.player.one)

    def scoring(self, best: r.Best) -> str:
        return self.ctx.say(f"chart-total-{best}" if best != "none" else "chart-account")

    def score(self, line: r.ScoreLine) -> str:
        name = self.ctx.lexicon.score(line.name)
        return name if line.kind == "score" else self.ctx.say("chart-tie", line=name)

    def condition(self, condition: r.Expr | None) -> str:
        return self.otherwise() if condition is None else plain(condition_text(self.ctx, condition))

    def ending(self, definition: r.Trigger | r.Routine) -> str:
        if isinstance(definition, r.Routine):
            return routine_title(self.ctx, definition.name)
        return plain(spell(event_clause(self.ctx, definition)))

    def title(self) -> str:
        return self.ctx.say("chart-title", game=self.ctx.rules.title)

    def start(self) -> str:
        return self.ctx.say("chart-start")

    def end(self) -> str:
        return self.ctx.say("chart-end")

    def last(self, line: r.Ending) -> str:
        match line:
            case r.EndGame():
                return self.ctx.say("chart-ends")
            case r.WinTogether(seats=None):
                return self.ctx.say("chart-nobody")
            case r.Win() | r.WinTogether() | r.Lose():
                return self.ctx.say("chart-won")
