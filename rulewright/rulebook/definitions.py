"""Routines and triggers: what is chosen, on which conditions, and what is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from dsl import rules as r
from dsl.domains import FLAG, NONE, NoneType
from dsl.source import NOWHERE
from rulewright.rulebook.choices import picked_from
from rulewright.rulebook.conditions import condition
from rulewright.rulebook.document import DocumentBlock, Paragraph, Section, Step, Steps
from rulewright.rulebook.english import article, capital, listed, lower
from rulewright.rulebook.names import waits
from rulewright.rulebook.noun_phrases import Things, referring
from rulewright.rulebook.phrases import Holes, filled
from rulewright.rulebook.realise import spell, spell_sentence
from rulewright.rulebook.state_vars import pieces_at
from rulewright.rulebook.statements import line_steps
from rulewright.rulebook.steps import guarded, joined, marked, routine_id, routine_title
from rulewright.rulebook.syntax import Node, bracketed, introduced, phrase, quoted, undetermined
from rulewright.rulebook.voice import Voice

NOBODY = r.Const(NoneType(), NOWHERE, NONE)


# ---- routines


def routine_section(voice: Voice, name: str) -> Section:
    """An action, effect or procedure with a section of its own."""
    routine = voice.rules.routines[name]
    title = routine_title(voice, name)
    voice.names.clear()
    voice.here = (routine_id(name), title)
    blocks: list[DocumentBlock] = []
    if voice.lexicon.helps.get(name):
        blocks.append(Paragraph(voice.lexicon.helps[name], quiet=True))
    blocks += _body(voice, routine)
    return Section(routine_id(name), title, tuple(blocks), routine.clauses)


def _body(voice: Voice, routine: r.Routine) -> list[DocumentBlock]:
    """What is chosen, on which conditions, and what is done."""
    with voice.citing() as marks:
        chosen = _chosen(voice, routine)
    found: list[DocumentBlock] = [Paragraph(chosen, tuple(marks))] if chosen else []
    needs, rest = _needs(voice, voice.folding.block(routine.block))
    if needs:
        found += [Paragraph("You may do this only if:"), Steps(needs, ordered=False)]
    steps = voice.block(rest)
    if steps:
        found += [Paragraph("Then:")] if found else []
        found.append(Steps(steps))
    return found


def _chosen(voice: Voice, routine: r.Routine) -> str:
    """What is done, to what; empty if nothing is chosen."""
    left = [p for p in routine.parameters if p.binder is not None and p.var not in voice.folding.given]
    if routine.kind == "procedure":
        return ""
    picked = [picked_from(voice, p.binder) for p in left if p.binder is not None]
    written = voice.lexicon.phrase(routine.name)
    if written is not None and routine.kind == "action":
        return spell_sentence(filled(written.text, _action_holes(voice, routine, left, picked)))
    label = voice.lexicon.labels.get(routine.name, "")
    first = label if label and waits(label) and routine.kind == "action" else "choose"
    return " ".join(spell_sentence("choose" if i else first, p) for i, p in enumerate(picked))


def _action_holes(
    voice: Voice, routine: r.Routine, left: Sequence[r.Parameter], picked: Sequence[Node]
) -> Holes:
    found = {p.var.name: said for p, said in zip(left, picked, strict=True)}
    for var in (p.var for p in routine.parameters if p.var.name not in found):
        given = voice.folding.given.get(var)
        found[var.name] = voice.expr(given) if given is not None else voice.name_of(var)
    return found


def _needs(voice: Voice, block: r.Block) -> tuple[tuple[Step, ...], r.Block]:
    """The conditions at the beginning of a block, and what comes after them."""
    steps: list[Step] = []
    end = 0
    for i, line in enumerate(block):
        if isinstance(line, r.Precondition):
            steps += _need(voice, line, block[end:i])
            end = i + 1
        elif not isinstance(line, r.SetVar):
            break
    return tuple(steps), block[end:]


def _need(voice: Voice, line: r.Precondition, before: r.Block) -> list[Step]:
    """A condition, after what is named for it."""
    steps: list[Step] = []
    for named in before:
        assert isinstance(named, r.SetVar)
        if _asks_for(line.condition, named.var):
            there_is = condition(voice, r.Cmp(FLAG, line.span, "is not", named.value, NOBODY))
            name = bracketed(quoted(undetermined(voice.name_of(named.var))))
            return [*steps, Step(capital(spell(there_is, name)), line.clauses)]
        steps += [replace(s, text=s.text.removesuffix(".")) for s in line_steps(voice, named)]
    with voice.citing() as marks:
        said = voice.clauses(line.condition)
    return [*steps, *(marked(Step(capital(spell(c)), line.clauses), marks) for c in said)]


def _asks_for(asked: r.Expr, var: r.Var) -> bool:
    """Whether a condition is that a variable is there."""
    match asked:
        case r.Cmp(op="is not", left=r.Read(var=found), right=r.Const(value=value)):
            return found is var and value == NONE
    return False


def effect_steps(voice: Voice, name: str, arguments: tuple[int, ...], acting: Node) -> tuple[Step, ...]:
    """An effect as a cell names it, with the arguments that it gives."""
    routine = voice.rules.routines[name]
    variables = (p.var for p in routine.parameters)
    pairs = zip(variables, arguments, strict=False)
    before, voice.acting = voice.acting, acting
    voice.names.clear()
    with voice.given({var: r.Const(var.type, var.span, value) for var, value in pairs}):
        chosen = _chosen(voice, routine)
        needs, rest = _needs(voice, voice.folding.block(routine.block))
        marks = tuple(c for n in needs for c in n.clauses)
        first = [Step(chosen)] if chosen else []
        asked = [Step(f"Only if {listed([lower(n.text) for n in needs])}.", marks)] if needs else []
        steps = (*first, *asked, *voice.block(rest))
    voice.acting = before
    return steps


# ---- triggers


def trigger_step(voice: Voice, trigger: r.Trigger) -> Step:
    """Whenever something comes true, or a piece comes or goes."""
    voice.names.clear()
    with voice.citing() as marks:
        words = trigger_words(voice, trigger)
    step = guarded(words, voice.block(trigger.block))
    return replace(step, clauses=joined((*trigger.clauses, *marks), step.clauses))


def trigger_words(voice: Voice, trigger: r.Trigger) -> Node:
    if trigger.condition is not None:
        return phrase("As soon as", _comes_true(voice, trigger, trigger.condition))
    return _comes_or_goes(voice, trigger)


def _comes_true(voice: Voice, trigger: r.Trigger, asked: r.Expr) -> Node:
    """`a player has no coins`: what is left open stands for each of its values."""
    open_ = {var: voice.new_referent() for var in trigger.free}
    voice.names.update(open_)
    said = condition(voice, asked)
    for var, ref in open_.items():
        noun = voice.lexicon.type_noun(var.type)
        later = partial(referring, ref, Things(noun, person=True))
        said = introduced(said, ref, phrase(article(noun.one)), later)
        voice.names[var] = phrase(f"that {noun.one}")
    return said


def _comes_or_goes(voice: Voice, trigger: r.Trigger) -> Node:
    assert trigger.zone is not None
    assert trigger.piece is not None
    nouns = {var: voice.lexicon.type_noun(var.type).one for var in trigger.free}
    voice.names.update({var: phrase(article(noun)) for var, noun in nouns.items()})
    things = pieces_at(voice, trigger.zone)
    where = things.place.name if things.place else things.many()
    voice.names.update({var: phrase(f"that {noun}") for var, noun in nouns.items()})
    piece = article(voice.lexicon.type_noun(trigger.piece.type).one)
    return phrase("Whenever", piece, "comes into" if trigger.event == "enters" else "leaves", where)
