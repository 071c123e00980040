"""Definitions: actions with their conditions, procedures, effects, values and what changes them, triggers."""

from __future__ import annotations

from dataclasses import replace

from dsl import rules as r
from dsl.domains import FLAG, NONE, Flag, Nothing
from dsl.rules.walk import walk
from dsl.source import NOWHERE
from rulewright.prose.choices import picked_from
from rulewright.prose.collections import bound_things
from rulewright.prose.conditions import condition_text
from rulewright.prose.document import Block, Paragraph, Section, Step, Steps, slug
from rulewright.prose.english import article, capital, listed, sentence, verb
from rulewright.prose.names import waits
from rulewright.prose.nominals import Things, referring
from rulewright.prose.statements import line_steps
from rulewright.prose.steps import guarded, marked, routine_id
from rulewright.prose.stores import pieces_at
from rulewright.prose.voice import Voice

NOBODY = r.Const(Nothing(), NOWHERE, NONE)


# ---- routines


def routine_section(voice: Voice, name: str) -> Section:
    """An action, effect or procedure with a section of its own."""
    routine = voice.rules.routines[name]
    voice.names.clear()
    voice.here = (routine_id(name), voice.lexicon.heading(name, routine.clauses))
    blocks: list[Block] = []
    if voice.lexicon.helps.get(name):
        blocks.append(Paragraph(voice.lexicon.helps[name], quiet=True))
    blocks += routine_body(voice, routine)
    title = voice.lexicon.heading(name, routine.clauses)
    return Section(routine_id(name), title, tuple(blocks), routine.clauses)


def routine_body(voice: Voice, routine: r.Routine) -> list[Block]:
    """What is chosen, on which conditions, and what is done."""
    block = voice.folding.block(routine.block)
    with voice.citing() as marks:
        found: list[Block] = [Paragraph(text) for text in _chosen(voice, routine)]
    if found and marks:
        found = [Paragraph(p.text, tuple(marks)) for p in found if isinstance(p, Paragraph)]
    needs, rest = _needs(voice, block)
    if needs:
        found += [Paragraph("You may do this only if:"), Steps(needs, ordered=False)]
    steps = voice.block(rest)
    if steps:
        found += [Paragraph("Then:")] if found else []
        found.append(Steps(steps))
    return found


def _chosen(voice: Voice, routine: r.Routine) -> list[str]:
    """What is done, to what: one paragraph, or none if nothing is chosen."""
    left = [p for p in routine.parameters if p.binder is not None and p.var not in voice.folding.given]
    if routine.kind == "procedure":
        return []
    picked = [picked_from(voice, p.binder) for p in left if p.binder is not None]
    phrase = voice.lexicon.phrase(routine.name)
    if phrase is not None and routine.kind == "action":
        return [sentence(voice.filled(phrase, _action_holes(voice, routine, left, picked)))]
    label = voice.lexicon.labels.get(routine.name, "")
    if picked and label and waits(label) and routine.kind == "action":
        picked[0] = f"{label} {picked[0]}"
        return [" ".join([sentence(picked[0]), *(sentence(f"choose {p}") for p in picked[1:])])]
    return [" ".join(sentence(f"choose {p}") for p in picked)] if picked else []


def _action_holes(
    voice: Voice, routine: r.Routine, left: list[r.Parameter], picked: list[str]
) -> dict[str, str]:
    found = {p.var.name: said for p, said in zip(left, picked, strict=True)}
    for parameter in routine.parameters:
        if parameter.var.name not in found:
            given = voice.folding.given.get(parameter.var)
            found[parameter.var.name] = (
                voice.expr(given) if given is not None else voice.name_of(parameter.var)
            )
    return found


def _needs(voice: Voice, block: r.Block) -> tuple[tuple[Step, ...], r.Block]:
    """The conditions at the beginning of a block, and what comes after them."""
    steps: list[Step] = []
    end = 0
    for i, line in enumerate(block):
        if isinstance(line, r.Need):
            steps += _need(voice, line, block[end:i])
            end = i + 1
        elif not isinstance(line, r.SetVar):
            break
    return tuple(steps), block[end:]


def _need(voice: Voice, line: r.Need, before: r.Block) -> list[Step]:
    """A condition, after what is named for it."""
    steps: list[Step] = []
    for named in before:
        assert isinstance(named, r.SetVar)
        if _asks_for(line.condition, named.var):
            clause = condition_text(voice, r.Cmp(FLAG, line.span, "is not", named.value, NOBODY))
            name = voice.name_of(named.var).removeprefix("the ")
            return [*steps, Step(capital(f"{clause} (“{name}”)"), line.clauses)]
        steps += [replace(s, text=s.text.removesuffix(".")) for s in line_steps(voice, named)]
    with voice.citing() as marks:
        said = voice.clauses(line.condition)
    return [*steps, *(marked(Step(capital(c), line.clauses), marks) for c in said)]


def effect_steps(voice: Voice, name: str, arguments: tuple[int, ...], acting: str) -> tuple[Step, ...]:
    """An effect as a cell names it, with the arguments that it gives."""
    routine = voice.rules.routines[name]
    given = {
        p.var: r.Const(p.var.type, p.var.span, value)
        for p, value in zip(routine.parameters, arguments, strict=False)
    }
    before, voice.acting = voice.acting, acting
    voice.names.clear()
    with voice.given(given):
        first = [Step(text) for text in _chosen(voice, routine)]
        needs, rest = _needs(voice, voice.folding.block(routine.block))
        marks = tuple(c for n in needs for c in n.clauses)
        asked = [Step(f"Only if {listed([_small(n.text) for n in needs])}.", marks)] if needs else []
        steps = (*first, *asked, *voice.block(rest))
    voice.acting = before
    return steps


# ---- values


def value_section(voice: Voice, name: str) -> Section | None:
    """A value by name: what it is, case by case, and what changes it; nothing if its name says it all."""
    value = voice.rules.values[name]
    speaks_of_me = any(isinstance(p, r.Special) and p.what in ("me", "opponent") for p in walk(value))
    before, voice.active = voice.active, voice.active if speaks_of_me else "you"
    found = _value_blocks(voice, value)
    voice.active = before
    return found


def _value_blocks(voice: Voice, value: r.Value) -> Section | None:
    name = value.name
    voice.names.clear()
    blocks: list[Block] = []
    lead = _defined(voice, value)
    cases = voice.folding.cases(value)
    if len(cases) == 1:
        with voice.citing() as marks:
            text = voice.expr(cases[0].value)
        if (
            f"{lead.removesuffix(' if')}".lower() == _with_articles(text, value, voice).lower()
            and not value.modifiers
        ):
            return None
        blocks.append(
            Paragraph(sentence(f"{lead} {text}"), tuple(dict.fromkeys((*cases[0].clauses, *marks))))
        )
    else:
        first = "as the first line that fits says"
        blocks.append(Paragraph(f"{lead}, {first}:"))
        blocks.append(Steps(tuple(_case(voice, c, isinstance(value.type, Flag)) for c in cases), False))
    if value.modifiers:
        changes = tuple(_modifier(voice, m) for m in value.modifiers)
        blocks += [Paragraph("This changes:"), Steps(changes, False)]
    title = capital(voice.lexicon.noun(name).one)
    return Section(value_id(name), title, tuple(blocks), value.clauses)


def _defined(voice: Voice, value: r.Value) -> str:
    arguments = [article(voice.var_noun(p)) for p in value.parameters]
    for parameter, said in zip(value.parameters, arguments, strict=True):
        voice.names[parameter] = f"the {said.split(' ', 1)[-1]}" if value.parameters else said
    phrase = voice.lexicon.phrase(value.name)
    if phrase is not None:
        said = voice.filled(phrase, dict(zip((p.name for p in value.parameters), arguments, strict=True)))
    else:
        label = voice.lexicon.noun(value.name).one
        said = f"the {label} of {listed(arguments)}" if arguments else f"the {label}"
        if isinstance(value.type, Flag):
            said = f"“{label}” holds{f' for {listed(arguments)}' if arguments else ''}"
    is_flag = isinstance(value.type, Flag)
    if is_flag and (len(voice.folding.cases(value)) > 1 or value.modifiers):
        return capital(said)
    if is_flag:
        return f"{capital(said)} if"
    return f"{capital(said)} {verb(said, 'is')}{' normally' if value.modifiers else ''}"


def _case(voice: Voice, case: r.ValueCase, flag: bool) -> Step:
    with voice.citing() as marks:
        step = _said_case(voice, case, flag)
    return marked(step, marks)


def _said_case(voice: Voice, case: r.ValueCase, flag: bool) -> Step:
    node = voice.folding.expr(case.value)
    if flag and isinstance(node, r.Const):
        said = "yes" if node.value else "no"
    else:
        said = f"only if {condition_text(voice, node)}" if flag else voice.expr(node)
    if case.condition is None:
        return Step(sentence(f"otherwise {said}"), case.clauses)
    return Step(sentence(f"if {condition_text(voice, case.condition)}: {said}"), case.clauses)


def _modifier(voice: Voice, modifier: r.Modifier) -> Step:
    with voice.citing() as marks:
        step = _said_modifier(voice, modifier)
    return marked(step, marks)


def _said_modifier(voice: Voice, modifier: r.Modifier) -> Step:
    for parameter in modifier.parameters:
        voice.names[parameter] = f"the {voice.var_noun(parameter)}"
    amount = voice.folding.expr(modifier.amount)
    if modifier.mode == "to":
        said = f"it is {voice.expr(amount)} instead"
    else:
        said = _added(voice, amount)
    if modifier.condition is not None:
        said = f"{said}, as long as {condition_text(voice, modifier.condition)}"
    return Step(sentence(said), modifier.clauses)


def _added(voice: Voice, amount: r.Expr) -> str:
    match amount:
        case r.Const(value=value) if value < 0:
            return f"{-value} less"
        case r.Arith(op="*", left=r.Const(value=value), right=right) if value < 0:
            return f"less by {'twice' if value == -2 else f'{-value} times'} {voice.expr(right)}"
        case r.Arith(op="*", left=r.Arith(op="-", left=r.Const(value=0), right=factor), right=right):
            said = voice.expr(factor)
            return f"less by {'twice' if said == '2' else f'{said} times'} {voice.expr(right)}"
        case r.AnyOf(kind="count", binder=binder):
            return f"1 more for {bound_things(voice, binder).every()}"
    return f"more by {voice.expr(amount)}"


# ---- triggers


def trigger_step(voice: Voice, trigger: r.Trigger) -> Step:
    """Whenever something comes true, or a piece comes or goes."""
    voice.names.clear()
    with voice.citing() as marks:
        if trigger.condition is not None:
            words = comes_true(voice, trigger, trigger.condition)
        else:
            words = comes_or_goes(voice, trigger)
    step = guarded(words, voice.block(trigger.block))
    return replace(step, clauses=tuple(dict.fromkeys((*trigger.clauses, *marks, *step.clauses))))


def comes_true(voice: Voice, trigger: r.Trigger, condition: r.Expr) -> str:
    """`As soon as a player has no coins`: what is left open stands for each of its values."""
    marks = {}
    for var in trigger.free:
        voice.marks += 1
        marks[var] = f"\ue010{voice.marks}\ue011"
        voice.names[var] = marks[var]
    said = condition_text(voice, condition)
    for var, mark in marks.items():
        noun = voice.lexicon.type_noun(var.type)
        first, rest = said.partition(mark)[0], said.partition(mark)[2]
        things = Things(noun, person=True)
        said = f"{first}{article(noun.one)}{referring(mark, things, rest)}" if mark in said else said
        voice.names[var] = f"that {noun.one}"
    return f"As soon as {said}"


def comes_or_goes(voice: Voice, trigger: r.Trigger) -> str:
    assert trigger.zone is not None
    assert trigger.piece is not None
    zone = trigger.zone
    for var in trigger.free:
        voice.names[var] = article(voice.lexicon.type_noun(var.type).one)
    piece = article(voice.lexicon.type_noun(trigger.piece.type).one)
    things = pieces_at(voice, zone)
    where = things.place or things.many()
    for var in trigger.free:
        voice.names[var] = f"that {voice.lexicon.type_noun(var.type).one}"
    comes = "comes into" if trigger.event == "enters" else "leaves"
    return f"Whenever {piece} {comes} {where}"


def _with_articles(text: str, value: r.Value, voice: Voice) -> str:
    """A text in which parameters are said as for the first time."""
    for parameter in value.parameters:
        noun = voice.var_noun(parameter)
        text = text.replace(f"the {noun}", article(noun))
    return text


def value_id(name: str) -> str:
    return slug("word", name)


def _asks_for(condition: r.Expr, var: r.Var) -> bool:
    """Whether a condition is that a variable is there."""
    match condition:
        case r.Cmp(op="is not", left=r.Read(var=asked), right=r.Const(value=value)):
            return asked is var and value == NONE
    return False


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
