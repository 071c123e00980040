"""The table of the passes of languages that have frames."""

from __future__ import annotations

from rulewright.sentences.context import Passes
from rulewright.sentences.framed.conditions import clauses
from rulewright.sentences.framed.groups import group
from rulewright.sentences.framed.statements import block
from rulewright.sentences.framed.values import expr, ranked

FRAMED = Passes(expr, clauses, group, ranked, block)
