"""The one place that knows all passes which call one another."""

from __future__ import annotations

from rulewright.prose.conditions import condition_clauses
from rulewright.prose.expressions import expr_phrase
from rulewright.prose.folding import Configuration, Folding
from rulewright.prose.groups import things_in
from rulewright.prose.names import Lexicon
from rulewright.prose.statements import block_steps
from rulewright.prose.usage import usage
from rulewright.prose.voice import Grammar, Voice

GRAMMAR = Grammar(expr_phrase, condition_clauses, things_in, block_steps)


def begin(lexicon: Lexicon, setting: Configuration) -> Voice:
    """A voice that has not said anything yet."""
    folding = Folding(setting)
    return Voice(lexicon, folding, GRAMMAR, usage(folding))
