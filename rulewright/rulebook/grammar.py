"""The one place that knows all passes which call one another."""

from __future__ import annotations

from rulewright.rulebook.collections import things_in
from rulewright.rulebook.conditions import condition_clauses
from rulewright.rulebook.expressions import expr_phrase
from rulewright.rulebook.names import Lexicon
from rulewright.rulebook.partial_eval import Configuration, PartialEval
from rulewright.rulebook.statements import block_steps
from rulewright.rulebook.usage import usage
from rulewright.rulebook.voice import Grammar, Voice

GRAMMAR = Grammar(expr_phrase, condition_clauses, things_in, block_steps)


def begin(lexicon: Lexicon, setting: Configuration) -> Voice:
    """A voice that has not said anything yet."""
    folding = PartialEval(setting)
    return Voice(lexicon, folding, GRAMMAR, usage(folding))
