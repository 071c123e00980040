"""The table of the mutually recursive passes."""

from __future__ import annotations

from rulewright.sentences.collections import things_in
from rulewright.sentences.conditions import condition_clauses
from rulewright.sentences.context import BookContext, Passes
from rulewright.sentences.expressions import expr_phrase
from rulewright.sentences.names import Lexicon
from rulewright.sentences.numbers import ranked
from rulewright.sentences.partial_eval import Configuration, PartialEval
from rulewright.sentences.scratch import untold_scratch
from rulewright.sentences.statements import block_steps
from rulewright.sentences.summaries import summaries_of
from rulewright.sentences.syntax import the
from rulewright.sentences.usage import usage

PASSES = Passes(expr_phrase, condition_clauses, things_in, ranked, block_steps)


def new_context(lexicon: Lexicon, config: Configuration) -> BookContext:
    """The context with which a book begins."""
    folding = PartialEval(config)
    active = the(f"active {lexicon.player.one}")
    summaries = summaries_of(config)
    scratch = untold_scratch(config.rules, summaries)
    return BookContext(lexicon, folding, PASSES, usage(folding, scratch), active, summaries, scratch)
