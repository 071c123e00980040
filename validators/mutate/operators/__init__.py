"""The mutation operators: the kinds of mistakes that are put into a ruleset. One file each."""

from __future__ import annotations

from typing import Final

from validators.mutate.operator import Operator
from validators.mutate.operators import (
    dropped_condition,
    dropped_line,
    dropped_needs,
    dropped_statement,
    dropped_step,
    may_for_must,
    negated_condition,
    off_by_one,
    swapped_comparison,
    wrong_arithmetic,
    wrong_extreme,
    wrong_fold,
    wrong_logic,
    wrong_phase,
    wrong_reading,
    wrong_row,
    wrong_seat,
    wrong_sight,
    wrong_value,
    wrong_verb,
    wrong_zone,
)

OPERATORS: Final[tuple[Operator, ...]] = (
    dropped_needs.OPERATOR,
    dropped_condition.OPERATOR,
    negated_condition.OPERATOR,
    swapped_comparison.OPERATOR,
    wrong_logic.OPERATOR,
    off_by_one.OPERATOR,
    wrong_arithmetic.OPERATOR,
    wrong_extreme.OPERATOR,
    wrong_fold.OPERATOR,
    dropped_statement.OPERATOR,
    wrong_verb.OPERATOR,
    wrong_seat.OPERATOR,
    wrong_zone.OPERATOR,
    wrong_value.OPERATOR,
    may_for_must.OPERATOR,
    dropped_line.OPERATOR,
    wrong_row.OPERATOR,
    wrong_reading.OPERATOR,
    wrong_sight.OPERATOR,
    dropped_step.OPERATOR,
    wrong_phase.OPERATOR,
)
