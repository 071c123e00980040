"""Routines and triggers: their choices, conditions and steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from dsl import rules as r
from rulewright.rulebook.document import DocumentBlock, Paragraph, Section, Steps, bullets
from rulewright.sentences.choices import picked_from, set_picked_from
from rulewright.sentences.conditions import condition
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import article, capital, lower, sentence
from rulewright.sentences.framed import definitions as framed
from rulewright.sentences.framed.conditions import found_text
from rulewright.sentences.framed.statements import lines_of
from rulewright.sentences.names import before_article, waits
from rulewright.sentences.noun_phrases import Things, referring
from rulewright.sentences.passes import noun_of
from rulewright.sentences.realise import spell, spell_sentence
from rulewright.sentences.state_vars import pieces_at
from rulewright.sentences.statements import found_clause, is_found, line_steps
from rulewright.sentences.steps import guarded, routine_id, routine_title
from rulewright.sentences.summaries import summarised_need, summary_step, tells, told_alone
from rulewright.sentences.syntax import Node, phrase, replaced_first
from rulewright.sentences.templates import Fillers, filled
from rulewright.sentences.text import Step, merge_clauses

# ---- routines


def routine_section(ctx: BookContext, name: str) -> Section:
    """An action, effect or procedure with a section of its own."""
    routine = ctx.rules.routines[name]
    title = routine_title(ctx, name)
    ctx.names.clear()
    ctx.section = (routine_id(name), title)
    body, steps = _body(ctx, routine)
    help_ = [] if tells(steps, ctx.lexicon.helps.get(name, "")) else help_paragraph(ctx, name)
    return Section(routine_id(name), title, (*help_, *body), routine.clauses)


def help_paragraph(ctx: BookContext, name: str) -> list[Paragraph]:
    """The help that the labels have for a name, if any."""
    text = ctx.lexicon.helps.get(name)
    return [Paragraph(text, quiet=True)] if text else []


def _body(ctx: BookContext, routine: r.Routine) -> tuple[list[DocumentBlock], tuple[Step, ...]]:
    """The choices, conditions and steps of a routine, and these steps by themselves."""
    with ctx.citing() as clauses:
        choices = _choices(ctx, routine)
    blocks: list[DocumentBlock] = [Paragraph(choices, tuple(clauses))] if choices else []
    often, block = _once(ctx, ctx.folding.block(routine.block))
    blocks += [Paragraph(step.text, step.clauses) for step in often]
    needs, rest = _needs(ctx, block)
    blocks += _needed(ctx, needs)
    steps = ctx.block(rest, routine.clauses)
    if len(steps) == 1 and not steps[0].parts:
        step = steps[0]
        text = (
            step.text
            if step.told or step.guarded or not blocks
            else ctx.say("then-one", step=lower(step.text))
        )
        blocks.append(Paragraph(text, step.clauses))
    elif steps:
        blocks += [Paragraph(ctx.say("then-steps"))] if blocks else []
        blocks.append(Steps(steps))
    return blocks, steps


def _once(ctx: BookContext, block: r.Block) -> tuple[list[Step], r.Block]:
    """How often something may be done, and the block without the mark that says that it was done.

    `Only once in each round` is told for a condition that a mark is not set, where the block sets it.
    """
    found: list[Step] = []
    for asked in block:
        mark = _not_marked(asked)
        if mark is None or mark.name not in ctx.rules.marks:
            continue
        var = ctx.rules.marks[mark.name].var
        sets = [line for line in block if isinstance(line, r.Write) and _sets(line, mark)]
        if var.lasts is None or var.lasts == "action" or len(sets) != 1:
            continue
        marks = merge_clauses(asked.clauses, sets[0].clauses)
        found.append(Step(sentence(_once_in(ctx, var)), marks))
        block = tuple(line for line in block if line not in (asked, sets[0]))
    return found, block


def _not_marked(line: r.Statement) -> r.ReadStateVar | None:
    match line:
        case r.Precondition(condition=r.Neg(operand=r.ReadStateVar(kind="mark") as mark)):
            return mark
    return None


def _sets(line: r.Write, mark: r.ReadStateVar) -> bool:
    """Whether a line sets the mark that a condition reads, at the same address."""
    same = line.name == mark.name and (_shape(line.of), _shape(line.at)) == (_shape(mark.of), _shape(mark.at))
    return same and isinstance(line.value, r.Const) and line.value.value == 1


def _shape(tree: Any) -> Any:
    """What an expression is, wherever it is written."""
    if not is_dataclass(tree):
        return tree
    return type(tree), *(
        _shape(getattr(tree, f.name)) for f in fields(tree) if f.name not in ("span", "type")
    )


def _once_in(ctx: BookContext, var: r.StateVar) -> str:
    player = ctx.lexicon.player.one
    match var.lasts:
        case "turn" | "own turn":
            said = ctx.say("once-a-turn")
        case "round" if "round" not in ctx.rules.phases:
            said = ctx.say("once-a-round")
        case _:
            said = ctx.say("once-until", phase=ctx.lexicon.label(var.lasts or ""), player=player)
    if var.at is None:
        return said
    return ctx.say("once-with-same", once=said, noun=noun_of(ctx, var.at).one)


def _needed(ctx: BookContext, needs: Sequence[Step]) -> list[DocumentBlock]:
    """When something may be done: one condition in a sentence, several as a list."""
    match needs:
        case ():
            return []
        case (only,) if not only.told and not only.parts:
            return [Paragraph(ctx.say("effect-only-if", needs=lower(only.text)), only.clauses)]
    whole = (replace(need, text=sentence(need.text)) for need in needs)
    return [Paragraph(ctx.say("only-if-need")), bullets(whole)]


def _choices(ctx: BookContext, routine: r.Routine) -> str:
    """What is chosen for the parameters of an action or effect that have no argument yet."""
    if ctx.grammar is not None:
        return framed.choices(ctx, routine)
    if routine.kind == "procedure":
        return ""
    picked: dict[r.Var, Node] = {}
    for p in routine.parameters:
        if p.binder is not None and p.several is not None:
            picked[p.var] = set_picked_from(ctx, p.binder, p.several)
        elif p.binder is not None and p.var not in ctx.folding.given:
            picked[p.var] = picked_from(ctx, p.binder)
    template = ctx.lexicon.template(routine.name)
    if template is not None and routine.kind == "action":
        return spell_sentence(filled(template.text, _action_fillers(ctx, routine, picked)))
    label = ctx.lexicon.labels.get(routine.name, "")
    first = before_article(label) if label and waits(label) and routine.kind == "action" else "choose"
    return " ".join(spell_sentence("choose" if i else first, p) for i, p in enumerate(picked.values()))


def _action_fillers(ctx: BookContext, routine: r.Routine, picked: Mapping[r.Var, Node]) -> Fillers:
    fillers = {var.name: choice for var, choice in picked.items()}
    for var in (p.var for p in routine.parameters if p.var not in picked):
        argument = ctx.folding.given.get(var)
        fillers[var.name] = ctx.expr(argument) if argument is not None else ctx.name_of(var)
    return fillers


def _needs(ctx: BookContext, block: r.Block) -> tuple[tuple[Step, ...], r.Block]:
    """The conditions at the beginning of a block, and the rest of it."""
    steps: list[Step] = []
    end = 0
    for i, line in enumerate(block):
        if isinstance(line, r.Precondition):
            steps += _need(ctx, line, block[end:i])
            end = i + 1
        elif not isinstance(line, r.SetVar):
            break
    return tuple(steps), block[end:]


def _need(ctx: BookContext, line: r.Precondition, before: r.Block) -> list[Step]:
    """A condition, after the locals that are set before it."""
    if ctx.grammar is not None:
        return _framed_need(ctx, line, before)
    steps: list[Step] = []
    for local in before:
        assert isinstance(local, r.SetVar)
        if is_found(line.condition, local):
            return [*steps, Step(capital(spell(found_clause(ctx, line.condition, local))), line.clauses)]
        steps += [replace(s, text=s.text.removesuffix(".")) for s in line_steps(ctx, local)]
    with ctx.citing() as clauses:
        texts = [capital(spell(part)) for part in ctx.clauses(line.condition)]
    needs = [Step(text, merge_clauses(line.clauses, clauses)) for text in texts]
    return [*steps, *summarised_need(ctx, line, needs)]


def _framed_need(ctx: BookContext, line: r.Precondition, before: r.Block) -> list[Step]:
    """The same in another language; whether a summary takes its place is decided in the first one."""
    steps: list[Step] = []
    for local in before:
        assert isinstance(local, r.SetVar)
        if is_found(line.condition, local):
            return [*steps, Step(capital(found_text(ctx, local)), line.clauses)]
        steps += [replace(s, text=s.text.removesuffix(".")) for s in lines_of(ctx, local)]
    with ctx.citing() as clauses:
        texts = [capital(spell(part)) for part in ctx.clauses(line.condition)]
    needs = [Step(text, merge_clauses(line.clauses, clauses)) for text in texts]
    told = _need(ctx.twin(), line, before)
    if told and all(step.told for step in told):
        return [*steps, *(summary_step(ctx, step.clauses) or step for step in told)]
    return [*steps, *needs]


def effect_steps(ctx: BookContext, name: str, arguments: tuple[int, ...], acting: Node) -> tuple[Step, ...]:
    """An effect with the arguments that a cell gives it; `acting` is the noun phrase for `self`."""
    routine = ctx.rules.routines[name]
    pairs = zip((p.var for p in routine.parameters), arguments, strict=False)
    before, ctx.acting = ctx.acting, acting
    summaries, ctx.summaries = ctx.summaries, {} if arguments else ctx.summaries
    ctx.names.clear()
    steps: list[Step] = []
    with ctx.given({var: r.Const(var.type, var.span, value) for var, value in pairs}):
        if choices := _choices(ctx, routine):
            steps.append(Step(choices))
        needs, rest = _needs(ctx, ctx.folding.block(routine.block))
        if needs:
            clauses = tuple(c for need in needs for c in need.clauses)
            steps.append(
                Step(
                    ctx.say("effect-only-if", needs=ctx.listed([lower(need.text) for need in needs])), clauses
                )
            )
        steps += ctx.block(rest)
    ctx.acting, ctx.summaries = before, summaries
    return tuple(steps)


# ---- triggers


def trigger_step(ctx: BookContext, trigger: r.Trigger) -> Step:
    """What happens as soon as a condition becomes true, or a piece enters or leaves a zone."""
    if ctx.grammar is not None:
        return framed.trigger_step(ctx, trigger)
    ctx.names.clear()
    with ctx.citing() as clauses:
        event = event_clause(ctx, trigger)
    steps = ctx.block(trigger.block)
    step = told_alone(steps) or guarded(event, steps)
    return replace(step, clauses=merge_clauses((*trigger.clauses, *clauses), step.clauses))


def event_clause(ctx: BookContext, trigger: r.Trigger) -> Node:
    """The event of a trigger, as the beginning of a sentence."""
    if ctx.grammar is not None:
        return framed.event_text(ctx, trigger)
    if trigger.condition is not None:
        return phrase("As soon as", _condition_event(ctx, trigger, trigger.condition))
    return _zone_event(ctx, trigger)


def _condition_event(ctx: BookContext, trigger: r.Trigger, asked: r.Expr) -> Node:
    """`a player has no coins`: a free variable stands for each of its values."""
    refs = {var: ctx.new_referent() for var in trigger.free}
    ctx.names.update(refs)
    event = condition(ctx, asked)
    for var, ref in refs.items():
        noun = ctx.lexicon.type_noun(var.type)
        event = replaced_first(event, ref, phrase(article(noun.one)))
        event = referring(ref, Things(noun, person=True), event)
        ctx.names[var] = phrase(f"that {noun.one}")
    return event


def _zone_event(ctx: BookContext, trigger: r.Trigger) -> Node:
    assert trigger.zone is not None
    assert trigger.piece is not None
    nouns = {var: ctx.lexicon.type_noun(var.type).one for var in trigger.free}
    ctx.names.update({var: phrase(article(noun)) for var, noun in nouns.items()})
    things = pieces_at(ctx, trigger.zone)
    where = things.place.name if things.place else things.many()
    ctx.names.update({var: phrase(f"that {noun}") for var, noun in nouns.items()})
    piece = article(ctx.lexicon.type_noun(trigger.piece.type).one)
    return phrase("Whenever", piece, "comes into" if trigger.event == "enters" else "leaves", where)
