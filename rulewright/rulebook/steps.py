"""Sentences as steps: what is said with what it leads to, and the marks behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.rulebook.context import BookContext
from rulewright.rulebook.document import Step, cited, link, slug
from rulewright.rulebook.english import lower, plain_verb
from rulewright.rulebook.realise import conjugated, spell, spell_sentence
from rulewright.rulebook.syntax import YOU, Node, NounPhrase, phrase


def said(*nodes: Node) -> Step:
    return Step(spell_sentence(*nodes))


def told(who: Node, third: str, *what: Node, imperative: bool = True) -> NounPhrase:
    """`choose a card`; of another seat `your opponent chooses a card`."""
    if who == YOU and imperative:
        return phrase(plain_verb(third), *what)
    return phrase(who, conjugated(who, third), *what)


def marked(step: Step, clauses: Sequence[str]) -> Step:
    """A step with more marks behind it."""
    return replace(step, clauses=joined(step.clauses, tuple(clauses))) if clauses else step


def joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def guarded(words: Node, steps: tuple[Step, ...]) -> Step:
    """`If …, do this.` in one sentence where that is all; else with the steps below it."""
    if not steps:
        found = said(words, ", nothing happens")
    elif len(steps) == 1 and not steps[0].guarded:
        found = replace(steps[0], text=spell(words, f", {lower(steps[0].text)}"))
    else:
        found = opened(words, steps)
    return replace(found, guarded=True)


def opened(words: Node, steps: tuple[Step, ...]) -> Step:
    """`Each player in turn: do this.`, or with the steps below it."""
    if len(steps) == 1 and not steps[0].parts:
        return replace(steps[0], text=spell(words, f": {lower(steps[0].text)}"), guarded=False)
    return Step(spell(words, ":"), (), steps)


def headed(head: Node, then: str, steps: tuple[Step, ...]) -> Step:
    """A choice and what is done with what was chosen."""
    if len(steps) == 1 and not steps[0].parts:
        word = "Then" if then == "Then:" else then.replace(":", ",")
        return Step(f"{spell_sentence(head)} {word} {lower(steps[0].text)}", tuple(cited(steps[0])))
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
