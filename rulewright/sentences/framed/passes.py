"""The table of the passes of languages that have frames."""

from __future__ import annotations

from typing import Any, cast

from rulewright.sentences.context import Passes
from rulewright.sentences.framed.conditions import clauses
from rulewright.sentences.framed.groups import group
from rulewright.sentences.framed.statements import block
from rulewright.sentences.framed.values import expr, ranked

# Groups of English and of frames are asked for by their own rooms alone, which know what they get.
FRAMED = Passes(expr, clauses, cast(Any, group), cast(Any, ranked), block)
