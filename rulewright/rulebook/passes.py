"""The table of the mutually recursive passes."""

from __future__ import annotations

from rulewright.rulebook.collections import things_in
from rulewright.rulebook.conditions import condition_clauses
from rulewright.rulebook.context import BookContext, Passes
from rulewright.rulebook.expressions import expr_phrase
from rulewright.rulebook.names import Lexicon
from rulewright.rulebook.numbers import ranked
from rulewright.rulebook.partial_eval import Configuration, PartialEval
from rulewright.rulebook.statements import block_steps
from rulewright.rulebook.syntax import the
from rulewright.rulebook.usage import usage

PASSES = Passes(expr_phrase, condition_clauses, things_in, ranked, block_steps)


def new_context(lexicon: Lexicon, config: Configuration) -> BookContext:
    """The context with which a book begins."""
    folding = PartialEval(config)
    return BookContext(lexicon, folding, PASSES, usage(folding), the(f"active {lexicon.player.one}"))
