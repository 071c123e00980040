"""Routines and triggers: what is chosen, on which conditions, and what is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import rules as r
from dsl.domains import FLAG, NONE, NoneType
from dsl.source import NOWHERE
from rulewright.rulebook.choices import picked_from
from rulewright.rulebook.conditions import condition
from rulewright.rulebook.context import BookContext
from rulewright.rulebook.document import (
    DocumentBlock,
    Paragraph,
    Section,
    Step,
    Steps,
    bullets,
    merge_clauses,
)
from rulewright.rulebook.english import article, capital, listed, lower
from rulewright.rulebook.names import waits
from rulewright.rulebook.noun_phrases import Things, referring
from rulewright.rulebook.realise import spell, spell_sentence
from rulewright.rulebook.state_vars import pieces_at
from rulewright.rulebook.statements import line_steps
from rulewright.rulebook.steps import guarded, routine_id, routine_title, with_clauses
from rulewright.rulebook.syntax import Node, bracketed, phrase, quoted, replaced_first, undetermined
from rulewright.rulebook.templates import Fillers, filled

NOBODY = r.Const(NoneType(), NOWHERE, NONE)


# ---- routines


def routine_section(ctx: BookContext, name: str) -> Section:
    """An action, effect or procedure with a section of its own."""
    routine = ctx.rules.routines[name]
    title = routine_title(ctx, name)
    ctx.names.clear()
    ctx.section = (routine_id(name), title)
    blocks: list[DocumentBlock] = []
    if ctx.lexicon.helps.get(name):
        blocks.append(Paragraph(ctx.lexicon.helps[name], quiet=True))
    blocks += _body(ctx, routine)
    return Section(routine_id(name), title, tuple(blocks), routine.clauses)


def _body(ctx: BookContext, routine: r.Routine) -> list[DocumentBlock]:
    """What is chosen, on which conditions, and what is done."""
    with ctx.citing() as marks:
        chosen = _chosen(ctx, routine)
    found: list[DocumentBlock] = [Paragraph(chosen, tuple(marks))] if chosen else []
    needs, rest = _needs(ctx, ctx.folding.block(routine.block))
    if needs:
        found += [Paragraph("You may do this only if:"), bullets(needs)]
    steps = ctx.block(rest)
    if steps:
        found += [Paragraph("Then:")] if found else []
        found.append(Steps(steps))
    return found


def _chosen(ctx: BookContext, routine: r.Routine) -> str:
    """What is done, to what; empty if nothing is chosen."""
    left = [p for p in routine.parameters if p.binder is not None and p.var not in ctx.folding.given]
    if routine.kind == "procedure":
        return ""
    picked = [picked_from(ctx, p.binder) for p in left if p.binder is not None]
    template = ctx.lexicon.template(routine.name)
    if template is not None and routine.kind == "action":
        return spell_sentence(filled(template.text, _action_fillers(ctx, routine, left, picked)))
    label = ctx.lexicon.labels.get(routine.name, "")
    first = label if label and waits(label) and routine.kind == "action" else "choose"
    return " ".join(spell_sentence("choose" if i else first, p) for i, p in enumerate(picked))


def _action_fillers(
    ctx: BookContext, routine: r.Routine, left: Sequence[r.Parameter], picked: Sequence[Node]
) -> Fillers:
    found = {p.var.name: said for p, said in zip(left, picked, strict=True)}
    for var in (p.var for p in routine.parameters if p.var.name not in found):
        given = ctx.folding.given.get(var)
        found[var.name] = ctx.expr(given) if given is not None else ctx.name_of(var)
    return found


def _needs(ctx: BookContext, block: r.Block) -> tuple[tuple[Step, ...], r.Block]:
    """The conditions at the beginning of a block, and what comes after them."""
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
    """A condition, after what is named for it."""
    steps: list[Step] = []
    for named in before:
        assert isinstance(named, r.SetVar)
        if _asks_for(line.condition, named.var):
            there_is = condition(ctx, r.Cmp(FLAG, line.span, "is not", named.value, NOBODY))
            name = bracketed(quoted(undetermined(ctx.name_of(named.var))))
            return [*steps, Step(capital(spell(there_is, name)), line.clauses)]
        steps += [replace(s, text=s.text.removesuffix(".")) for s in line_steps(ctx, named)]
    with ctx.citing() as marks:
        said = ctx.clauses(line.condition)
    return [*steps, *(with_clauses(Step(capital(spell(c)), line.clauses), marks) for c in said)]


def _asks_for(asked: r.Expr, var: r.Var) -> bool:
    """Whether a condition is that a variable is there."""
    match asked:
        case r.Cmp(op="is not", left=r.Read(var=found), right=r.Const(value=value)):
            return found is var and value == NONE
    return False


def effect_steps(ctx: BookContext, name: str, arguments: tuple[int, ...], acting: Node) -> tuple[Step, ...]:
    """An effect as a cell names it, with the arguments that it gives."""
    routine = ctx.rules.routines[name]
    variables = (p.var for p in routine.parameters)
    pairs = zip(variables, arguments, strict=False)
    before, ctx.acting = ctx.acting, acting
    ctx.names.clear()
    with ctx.given({var: r.Const(var.type, var.span, value) for var, value in pairs}):
        chosen = _chosen(ctx, routine)
        needs, rest = _needs(ctx, ctx.folding.block(routine.block))
        marks = tuple(c for n in needs for c in n.clauses)
        first = [Step(chosen)] if chosen else []
        asked = [Step(f"Only if {listed([lower(n.text) for n in needs])}.", marks)] if needs else []
        steps = (*first, *asked, *ctx.block(rest))
    ctx.acting = before
    return steps


# ---- triggers


def trigger_step(ctx: BookContext, trigger: r.Trigger) -> Step:
    """Whenever something comes true, or a piece comes or goes."""
    ctx.names.clear()
    with ctx.citing() as marks:
        words = trigger_words(ctx, trigger)
    step = guarded(words, ctx.block(trigger.block))
    return replace(step, clauses=merge_clauses((*trigger.clauses, *marks), step.clauses))


def trigger_words(ctx: BookContext, trigger: r.Trigger) -> Node:
    if trigger.condition is not None:
        return phrase("As soon as", _comes_true(ctx, trigger, trigger.condition))
    return _comes_or_goes(ctx, trigger)


def _comes_true(ctx: BookContext, trigger: r.Trigger, asked: r.Expr) -> Node:
    """`a player has no coins`: what is left open stands for each of its values."""
    open_ = {var: ctx.new_referent() for var in trigger.free}
    ctx.names.update(open_)
    said = condition(ctx, asked)
    for var, ref in open_.items():
        noun = ctx.lexicon.type_noun(var.type)
        said = replaced_first(said, ref, phrase(article(noun.one)))
        said = referring(ref, Things(noun, person=True), said)
        ctx.names[var] = phrase(f"that {noun.one}")
    return said


def _comes_or_goes(ctx: BookContext, trigger: r.Trigger) -> Node:
    assert trigger.zone is not None
    assert trigger.piece is not None
    nouns = {var: ctx.lexicon.type_noun(var.type).one for var in trigger.free}
    ctx.names.update({var: phrase(article(noun)) for var, noun in nouns.items()})
    things = pieces_at(ctx, trigger.zone)
    where = things.place.name if things.place else things.many()
    ctx.names.update({var: phrase(f"that {noun}") for var, noun in nouns.items()})
    piece = article(ctx.lexicon.type_noun(trigger.piece.type).one)
    return phrase("Whenever", piece, "comes into" if trigger.event == "enters" else "leaves", where)
