"""The table of the mutually recursive passes."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from rulewright.i18n.messages import Messages
from rulewright.sentences.collections import things_in
from rulewright.sentences.conditions import condition_clauses
from rulewright.sentences.context import BookContext, Passes
from rulewright.sentences.expressions import expr_phrase
from rulewright.sentences.framed.nominals import Nominal
from rulewright.sentences.framed.passes import FRAMED
from rulewright.sentences.framed.words import noun, tidy
from rulewright.sentences.names import Lexicon, Noun
from rulewright.sentences.numbers import ranked
from rulewright.sentences.partial_eval import Configuration, PartialEval
from rulewright.sentences.scratch import untold_scratch
from rulewright.sentences.statements import block_steps
from rulewright.sentences.summaries import summaries_of
from rulewright.sentences.syntax import the
from rulewright.sentences.usage import kept_values, usage

PASSES = Passes(expr_phrase, condition_clauses, things_in, ranked, block_steps)


def noun_of(ctx: BookContext, name: str) -> Noun:
    """A name as a noun, in the language of the book."""
    return noun(ctx, name) if ctx.grammar is not None else ctx.lexicon.noun(name)


def new_context(lexicon: Lexicon, config: Configuration) -> BookContext:
    """The context with which a book begins."""
    grammar = lexicon.grammar
    rules = config.rules
    first = (
        lexicon
        if grammar is None
        else Lexicon(rules, rules.labels, rules.helps, rules.nouns, rules.phrases, rules.language)
    )
    folding = PartialEval(config)
    active = the(f"active {first.player.one}")
    summaries = summaries_of(config)
    scratch = untold_scratch(config.rules, summaries)
    used = usage(folding, scratch)
    if kept := kept_values(folding, used):
        folding = replace(folding, fixed=kept)
        used = usage(folding, scratch)
    english = BookContext(first, folding, PASSES, used, active, summaries, scratch)
    if grammar is None:
        return english
    say = Messages(lexicon.language, "book", "sentences", form_of=grammar.text, tidy=tidy)
    ctx = replace(
        english, lexicon=lexicon, passes=FRAMED, say=say, grammar=grammar, first=english, names={}, cited={},
        described=set(), section_of={}, referent_ids=count(),
    )  # fmt: skip
    ctx.active = Nominal(grammar, ctx.say("noun-active", noun=noun(ctx, "seat").one))
    ctx.acting = Nominal(grammar, ctx.say("noun-piece"))
    return ctx
