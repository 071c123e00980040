"""The checks, in the order of their codes. Each file has a finding and the function that finds it."""

from __future__ import annotations

from typing import Final

from validators.check import Check
from validators.checks import (
    board_in_parts,
    declared_never_used,
    empty_choice,
    endless_round,
    fault_in_play,
    hidden_guard,
    label_of_nothing,
    made_from_nothing,
    no_end,
    nobody_asked,
    not_as_promised,
    not_monotone,
    offered_unseen,
    one_sided,
    order_of_triggers,
    others_asked,
    others_read,
    pass_for_ever,
    range_left,
    range_surely_left,
    secret_told,
    shared_through_calls,
    some_seats_only,
    two_replacements,
    unreachable_line,
    unreachable_phase,
    used_by_some_seats,
)
from validators.checks.nothing_to_allow import NothingToAllow as NothingToAllow

CHECKS: Final[tuple[Check, ...]] = (
    unreachable_phase.CHECK,
    unreachable_line.CHECK,
    no_end.CHECK,
    endless_round.CHECK,
    pass_for_ever.CHECK,
    nobody_asked.CHECK,
    empty_choice.CHECK,
    fault_in_play.CHECK,
    board_in_parts.CHECK,
    not_monotone.CHECK,
    not_as_promised.CHECK,
    declared_never_used.CHECK,
    some_seats_only.CHECK,
    one_sided.CHECK,
    label_of_nothing.CHECK,
    used_by_some_seats.CHECK,
    range_surely_left.CHECK,
    range_left.CHECK,
    made_from_nothing.CHECK,
    hidden_guard.CHECK,
    shared_through_calls.CHECK,
    two_replacements.CHECK,
    order_of_triggers.CHECK,
    secret_told.CHECK,
    others_asked.CHECK,
    offered_unseen.CHECK,
    others_read.CHECK,
)
