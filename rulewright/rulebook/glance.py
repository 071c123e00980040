"""A turn at a glance: the phases with their steps, and the actions that a player chooses among."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import assert_never

from dsl import rules as r
from dsl.domains import EnumType
from dsl.rules.visit import walk
from rulewright.rulebook.document import (
    Chart,
    DocumentBlock,
    Paragraph,
    Section,
    Table,
    all_sections,
    all_texts,
    bullets,
    row,
)
from rulewright.rulebook.phases import (
    condition_text,
    each_seat_text,
    offer_title,
    opening_phases,
    phase_id,
    phase_title,
    played_phases,
    step_title,
)
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, lower, sentence
from rulewright.sentences.steps import routine_id, routine_link
from rulewright.sentences.summaries import numbers_in
from rulewright.sentences.text import Step, link, stems, strong

MOST_NAMED = 3
"""Of more actions of a step only that there are some is said."""
MOST_WORDS = 2 / 3
"""Of what an action is in short, a section that has so many words says it itself."""
FEWEST = 3
"""So many actions are worth a table."""


@dataclass(frozen=True, slots=True)
class _Offered:
    """An action that can be chosen: in which step, and where that step asks which of several values it is."""

    action: str
    step: str
    value: str = ""


def glance(ctx: BookContext, chart: Chart, told: Sequence[Section]) -> Section:
    """What happens in which order, also as a chart, and what can be chosen, in words if `told` has none."""
    before = opening_phases(ctx.rules)
    phases = [p for p in played_phases(ctx).values() if p.name not in before and p.steps]
    offered = [one for phase in phases for step in phase.steps for one in _offered(ctx, phase, step)]
    texts = {section.id: " ".join(_own_texts(section)) for section in all_sections(told)}
    table = _actions(ctx, offered, texts)
    steps = [_phase(ctx, phase, table is None) for phase in phases]
    blocks: list[DocumentBlock] = [bullets(steps), chart] if steps else [chart]
    blocks += [table] if table is not None else []
    return Section("glance", ctx.say("chapter-glance"), tuple(blocks))


def moments(ctx: BookContext) -> dict[frozenset[str], str]:
    """For each set of actions that the table has at one moment what that is called."""
    phases = (p for p in played_phases(ctx).values() if p.name not in opening_phases(ctx.rules))
    offered = [one for phase in phases for step in phase.steps for one in _offered(ctx, phase, step)]
    if _actions(ctx, offered) is None:
        return {}
    at: dict[str, dict[str, None]] = {}
    for one in offered:
        at.setdefault(one.value or one.step, {})[one.action] = None
    return {frozenset(actions): when for when, actions in at.items() if when}


def _own_texts(section: Section) -> Iterator[str]:
    """The heading and the sentences of a section, but those that introduce it."""
    yield section.title
    own = (block for block in section.blocks if not isinstance(block, Section))
    yield from all_texts(block for block in own if not (isinstance(block, Paragraph) and block.quiet))


def _says(text: str, short: str) -> bool:
    """Whether a text has all numbers and most words of what an action is in short."""
    words = stems(short)
    return numbers_in(short) <= numbers_in(text) and len(words & stems(text)) >= MOST_WORDS * len(words)


def _actions(
    ctx: BookContext, offered: Sequence[_Offered], told: Mapping[str, str] = MappingProxyType({})
) -> Table | None:
    """Each action with when it may be chosen, and what it is in short; none if they are few or unknown.

    What its section says, of those that are `told`, is not said before.
    """
    texts = {one.action: in_short(ctx, one.action) for one in offered}
    if len(texts) < FEWEST or not any(texts.values()):
        return None
    said = {name for name, short in texts.items() if _says(told.get(routine_id(name), ""), short)}
    texts |= dict.fromkeys(said, "")
    moments: dict[str, dict[str, None]] = {}
    for one in offered:
        moments.setdefault(one.action, {})[capital(one.value or one.step)] = None
    rows, last = [], ""
    head = (ctx.say("head-when"), ctx.say("head-chosen"), ctx.say("head-in-short"))
    for action, times in moments.items():
        when = "; ".join(times)
        shown = when if when != last else ""
        rows.append(row(shown, routine_link(ctx, action), texts[action]))
        last = when
    return Table(head, tuple(rows))


def without_repeated(sections: Sequence[Section], told: Section) -> tuple[Section, ...]:
    """Sections without the introductions that the table of the glance has already, or their sentences."""
    texts = {x.cells[-1].text for block in told.blocks if isinstance(block, Table) for x in block.rows}

    def shortened(section: Section) -> Section:
        said = " ".join(_own_texts(section))

        def kept(block: DocumentBlock) -> bool:
            if not (isinstance(block, Paragraph) and block.quiet):
                return True
            return not (block.text in texts or _says(said, block.text))

        blocks = (shortened(b) if isinstance(b, Section) else b for b in section.blocks if kept(b))
        return replace(section, blocks=tuple(blocks))

    return tuple(map(shortened, sections))


def in_short(ctx: BookContext, name: str) -> str:
    """An action in a sentence: by its help, or by the clause that it renders."""
    said = ctx.lexicon.helps.get(name)
    clauses = (ctx.rules.clauses.get(mark) for mark in ctx.rules.routines[name].clauses)
    rules = (clause.says for clause in clauses if clause and clause.kind != "ruling")
    return said or next((sentence(says) for says in rules if says), "")


def steps_in_words(ctx: BookContext, phase: r.Phase) -> Iterator[str]:
    """The titles of the steps of a phase, without those within others."""
    for step in phase.steps:
        match step:
            case r.CallStep(name=name, routine=routine):
                yield lower(step_title(ctx, phase, name, routine))
            case r.OfferStep():
                title = offer_title(ctx, phase, step)
                if title:
                    yield lower(title)
                elif len(step.routines) <= MOST_NAMED:
                    names = [n for n in step.routines if n in ctx.usage.played]
                    yield ctx.listed([lower(step_title(ctx, phase, step.name, n)) for n in names], "or")
                else:
                    yield ctx.say("actions-below")
            case r.SeatsStep(steps=inner) | r.IfStep(steps=inner):
                yield from steps_in_words(ctx, replace(phase, steps=inner))


def _phase(ctx: BookContext, phase: r.Phase, with_actions: bool) -> Step:
    title = strong(link(phase_id(phase.name), phase_title(ctx, phase)))
    turn = (
        f" ({ctx.say('one-after-other', player=ctx.lexicon.player.one)})"
        if phase.rotates and ctx.rules.seats[1] > 1
        else ""
    )
    parts = tuple(s for step in phase.steps for s in _step(ctx, phase, step, with_actions))
    if len(parts) == 1 and not parts[0].parts and not phase.rotates:
        return Step(f"{title}: {lower(parts[0].text)}")
    return Step(f"{title}{turn}:", (), parts)


def _step(ctx: BookContext, phase: r.Phase, step: r.FlowStep, with_actions: bool) -> Iterator[Step]:
    def inner(steps: Sequence[r.FlowStep]) -> tuple[Step, ...]:
        return tuple(s for each in steps for s in _step(ctx, phase, each, with_actions))

    match step:
        case r.CallStep(name=name, routine=routine):
            actions = [Step(routine_link(ctx, one.action)) for one in _offered(ctx, phase, step)]
            title = sentence(capital(step_title(ctx, phase, name, routine)))
            yield Step(title, (), tuple(dict.fromkeys(actions)) if with_actions else (), ordered=False)
        case r.OfferStep():
            yield _offer(ctx, phase, step, with_actions)
        case r.SeatsStep(steps=steps):
            parts = inner(steps)
            alone = len(parts) == 1 and not parts[0].parts
            yield parts[0] if alone else Step(f"{each_seat_text(ctx, step).rstrip(',')}:", (), parts)
        case r.IfStep(steps=steps, otherwise=otherwise):
            yield Step(ctx.say("if-colon", clause=condition_text(ctx, step.condition)), (), inner(steps))
            if others := inner(otherwise):
                yield Step(ctx.say("otherwise-colon"), (), others)
        case _:
            assert_never(step)


def _offer(ctx: BookContext, phase: r.Phase, step: r.OfferStep, with_actions: bool) -> Step:
    title = offer_title(ctx, phase, step)
    names = [name for name in step.routines if name in ctx.usage.played]
    if len(names) == 1 and not title:
        return Step(
            f"{routine_link(ctx, names[0])}{'' if step.strength == 'must' else ctx.say('if-you-want')}."
        )
    short = ctx.say(f"short-{step.strength}{'' if with_actions else '-below'}")
    lead = f"{capital(title)}: {short}" if title else capital(short)
    if with_actions:
        return Step(f"{lead}:", (), tuple(Step(routine_link(ctx, n)) for n in names), ordered=False)
    return Step(f"{lead}.")


# ---- what can be chosen


def _offered(ctx: BookContext, phase: r.Phase, step: r.FlowStep) -> Iterator[_Offered]:
    """The actions that a step offers, also through the procedures that it calls."""
    match step:
        case r.CallStep(name=name, routine=routine):
            title = step_title(ctx, phase, name, routine)
            block = ctx.folding.block(ctx.rules.routines[routine].block)
            for action, value in _in_block(ctx, block, "", frozenset({routine})):
                if ctx.rules.routines[action].kind == "action" and not ctx.usage.is_in_cell(action):
                    yield _Offered(action, title, value)
        case r.OfferStep(routines=routines):
            title = offer_title(ctx, phase, step) or phase_title(ctx, phase)
            yield from (_Offered(name, title) for name in routines if name in ctx.usage.played)
        case r.SeatsStep(steps=steps):
            yield from (one for each in steps for one in _offered(ctx, phase, each))
        case r.IfStep(steps=steps, otherwise=otherwise):
            yield from (one for each in (*steps, *otherwise) for one in _offered(ctx, phase, each))
        case _:
            assert_never(step)


def _in_block(
    ctx: BookContext, block: r.Block, value: str, known: frozenset[str], gone: tuple[r.Const, ...] = ()
) -> Iterator[tuple[str, str]]:
    """The routines that a block offers, each with the value that is asked for before it.

    `gone` are the values that were asked for before, and are not there.
    """
    for line in block:
        if isinstance(line, r.If):
            asked = _asked(line.condition)
            inside = _label(ctx, asked) if asked is not None else value
            yield from _in_block(ctx, line.block, inside, known)
            left = (*gone, asked) if asked is not None else gone
            yield from _in_block(ctx, line.otherwise, _last_of(ctx, left) or value, known, left)
            continue
        for part in walk(line):
            match part:
                case r.CallLine(routine=called) if called not in known:
                    inner = ctx.folding.block(ctx.rules.routines[called].block)
                    yield from _in_block(ctx, inner, value, known | {called})
                case r.DoRoutine(routine=offered):
                    yield offered, value
                case r.If():
                    yield from _in_block(ctx, (part,), value, known)


def _asked(condition: r.Expr) -> r.Const | None:
    """The value, if it is asked whether something is that."""
    match condition:
        case r.Cmp(op="is", left=r.Read(), right=r.Const() as value):
            return value
    return None


def _label(ctx: BookContext, value: r.Const) -> str:
    return ctx.lexicon.bare(value.type, value.value)


def _last_of(ctx: BookContext, gone: Sequence[r.Const]) -> str:
    """The value of a type that is left if all others are not there."""
    kinds = {value.type for value in gone}
    if len(kinds) != 1 or not isinstance(kind := kinds.pop(), EnumType):
        return ""
    left = set(ctx.rules.types[kind.type].members) - {value.value for value in gone}
    return ctx.lexicon.bare(kind, left.pop()) if len(left) == 1 else ""
