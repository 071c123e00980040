"""Steps: making them of nodes, putting conditions before them, adding clauses; routines and their titles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dsl import rules as r
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import lower, plain_verb
from rulewright.sentences.realise import spell, spell_sentence
from rulewright.sentences.syntax import YOU, Node, clause, phrase
from rulewright.sentences.text import Step, cited, link, merge_clauses, plain, slug

ONE_OF = "Do one of the following:"


def to_step(*nodes: Node) -> Step:
    """A step of one sentence."""
    return Step(spell_sentence(*nodes))


def directive(who: Node, verb: str, *rest: Node) -> Node:
    """`choose a card`; to another seat `your opponent chooses a card`. The verb is in the third person."""
    return phrase(plain_verb(verb), *rest) if who == YOU else clause(who, verb, *rest)


def with_clauses(step: Step, clauses: Sequence[str]) -> Step:
    """A step that cites more clauses, after its own."""
    return replace(step, clauses=merge_clauses(step.clauses, clauses))


def citing_steps(
    ctx: BookContext, line: r.Statement, told: Callable[[BookContext, r.Statement], list[Step]]
) -> list[Step]:
    """The steps of one statement; the first cites its clauses, and those of the names in it."""
    with ctx.citing() as clauses:
        steps = told(ctx, line)
    if steps:
        steps[0] = with_clauses(steps[0], (*line.clauses, *clauses))
    return steps


def guarded(guard: Node, steps: tuple[Step, ...]) -> Step:
    """`If …, do this.` in one sentence where that is all; else with the steps below it."""
    if not steps:
        step = to_step(guard, ", nothing happens")
    elif len(steps) == 1 and not steps[0].guarded and _can_follow(steps[0]):
        step = replace(steps[0], text=spell(guard, f", {lower(steps[0].unheaded)}"))
    else:
        step = with_parts(guard, steps)
    return replace(step, guarded=True)


def with_parts(words: Node, steps: tuple[Step, ...], comma: bool = True) -> Step:
    """`Each player in turn: do this.`, or with the steps below it.

    A sentence has one colon: before words with one there is a comma, or if that cannot be, they are below.
    """
    if len(steps) == 1 and _can_follow(steps[0]):
        one = ":" not in plain(steps[0].text)
        if one or comma:
            text = spell(words, f"{':' if one else ','} {lower(steps[0].unheaded)}")
            return replace(steps[0], text=text, guarded=False)
        if steps[0].text == ONE_OF:
            return replace(steps[0], text=spell(words, f", each time {lower(ONE_OF.removeprefix('Do '))}"))
    return Step(spell(words, ":"), (), steps)


def _can_follow(step: Step) -> bool:
    """Whether a step is one sentence, or the beginning of a list, that can follow other words."""
    return not step.parts or step.text.endswith(":")


def choice_step(head: Node, then: str, steps: tuple[Step, ...]) -> Step:
    """A choice, and the steps that follow it."""
    if len(steps) == 1 and not steps[0].parts:
        word = "Then" if then == "Then:" else then.replace(":", ",")
        return Step(f"{spell_sentence(head)} {word} {lower(steps[0].unheaded)}", tuple(cited(steps[0])))
    return Step(f"{spell_sentence(head)} {then}", (), steps)


# ---- routines


def is_described_in_place(ctx: BookContext, name: str) -> bool:
    """Whether a routine has no section of its own: it is described where it is called, or in a cell."""
    if ctx.rules.routines[name].kind == "procedure":
        return ctx.usage.is_inlined(name)
    return ctx.usage.is_in_cell(name)


def routine_id(name: str) -> str:
    return slug("do", name)


def routine_title(ctx: BookContext, name: str) -> str:
    return ctx.lexicon.heading(name, ctx.rules.routines[name].clauses)


def routine_link(ctx: BookContext, name: str) -> str:
    """The title of a routine, leading to its own section."""
    return link(routine_id(name), routine_title(ctx, name))
