"""Taking back at the table: one's own last choices, with all that was chosen after them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import TypeAlias

from interpreter.executor_protocol import Waiting
from interpreter.match import Match
from interpreter.undo import NOTHING, HistoryEntry, history_entries

IsAutomatic: TypeAlias = "Callable[[array[int], Waiting], bool]"
"""Whether the table takes a choice without asking, in a state."""
Agree = Callable[[Sequence[str], int, str], str]
"""Asks other seats whether so many choices may be taken back, told why not; what they say against it."""


def take_back(match: Match, seat: int, automatic: IsAutomatic, agree: Agree, choices: int = 1) -> str:
    """Takes back the last choices of a seat. Says why not if it cannot be; empty if it is done.

    Choices that were taken by themselves go back with the one before.
    Where somebody has learned or chosen something since, the others are asked.
    """
    own = match.game.names.seat(seat)
    number = number_of_choices(match, own, automatic, choices)
    if not number:
        return _nothing(match, own, choices)
    blocker = match.why_no_undo(number)
    if blocker is None:
        match.undo(number=number)
        return ""
    why = agree(sorted(blocker.consent - {own}), number, blocker.why)
    if not why:
        match.undo(blocker.consent, number)
    return why


def number_of_choices(match: Match, own: str, automatic: IsAutomatic, choices: int) -> int:
    """How many choices there are from the last ones of a seat on; none if it has not made so many."""
    for number, entry in enumerate(history_entries(match), 1):
        choices -= entry.seat == own and not _was_automatic(entry, automatic)
        if not choices:
            return number
    return 0


def _nothing(match: Match, own: str, choices: int) -> str:
    if not match.history:
        return NOTHING
    last = next(history_entries(match)).seat
    if choices == 1 and last != own:
        return f"the last choice was made by {last}"
    return f"{own} has not made that many choices yet"


def _was_automatic(entry: HistoryEntry, automatic: IsAutomatic) -> bool:
    """Whether the seat was not asked for a choice."""
    seat = entry.game.seat_number(entry.seat)
    waiting = entry.game.executor.waiting(entry.before[:])
    return any(w.seat == seat and automatic(entry.before, w) for w in waiting)
