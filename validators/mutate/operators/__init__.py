"""The mutation operators, by theme. Each is a function from a site to edits of its text."""

from __future__ import annotations

from typing import Final

from validators.mutate.operator import Operator
from validators.mutate.operators import conditions, declarations, names, numbers, statements

OPERATORS: Final[tuple[Operator, ...]] = (
    Operator("dropped-needs", conditions.dropped_needs),
    Operator("dropped-condition", conditions.dropped_condition),
    Operator("negated-condition", conditions.negated_condition),
    Operator("swapped-comparison", conditions.swapped_comparison),
    Operator("wrong-logic", conditions.wrong_logic),
    Operator("off-by-one", numbers.off_by_one),
    Operator("wrong-arithmetic", numbers.wrong_arithmetic),
    Operator("wrong-extreme", numbers.wrong_extreme),
    Operator("wrong-fold", numbers.wrong_fold),
    Operator("dropped-statement", statements.dropped_statement),
    Operator("wrong-verb", statements.wrong_verb),
    Operator("wrong-seat", names.wrong_seat),
    Operator("wrong-zone", names.wrong_zone),
    Operator("wrong-value", names.wrong_value),
    Operator("may-for-must", statements.may_for_must),
    Operator("dropped-line", statements.dropped_line),
    Operator("up-to-for-exactly", statements.up_to_for_exactly),
    Operator("while-for-until", statements.while_for_until),
    Operator("wrong-turns", statements.wrong_turns),
    Operator("dropped-weight", statements.dropped_weight),
    Operator("wrong-row", declarations.wrong_row),
    Operator("wrong-reading", declarations.wrong_reading),
    Operator("wrong-sight", declarations.wrong_sight),
    Operator("dropped-step", declarations.dropped_step),
    Operator("wrong-phase", declarations.wrong_phase),
    Operator("dropped-otherwise", declarations.dropped_otherwise),
    Operator("dropped-part", declarations.dropped_part),
)
