"""Takes back a seat's last choices with all later ones, by consent where somebody has learned something."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from interpreter.executor_protocol import Waiting
from interpreter.match import Match
from interpreter.undo import HistoryEntry, UndoBlocker, UndoReason, history_entries

IsAutomatic: TypeAlias = "Callable[[array[int], Waiting], bool]"
"""Whether a choice is made without asking, in a state."""
Agree = Callable[[Sequence[str], int, UndoBlocker], bool]
"""Asks other seats to agree, given the number of choices and what is in the way."""


def take_back(
    match: Match,
    seat: int,
    people: Collection[int],
    automatic: IsAutomatic,
    agree: Agree,
    choices: int = 1,
) -> UndoBlocker | None:
    """Takes back the last choices of a seat. Returns what is in the way if it is refused, else none.

    Automatic choices are taken back together with the one before them, as are those of bots. If somebody has
    learned something since, or another person has chosen, the other people are asked.
    """
    names = match.game.names
    own, everybody = names.seat(seat), [names.seat(i) for i in range(match.game.machine.seats)]
    number = number_of_choices(match, own, automatic, choices)
    if not number:
        return _nothing(match, own, choices)
    blocker = match.why_no_undo(number, [names.seat(i) for i in people])
    if blocker is not None and not agree(sorted(blocker.consent - {own}), number, blocker):
        return blocker
    match.undo(everybody, number)
    return None


def number_of_choices(match: Match, own: str, automatic: IsAutomatic, choices: int) -> int:
    """How many history entries to take back for the last `choices` of a seat; 0 if it has made fewer."""
    for number, entry in enumerate(history_entries(match), 1):
        choices -= entry.seat == own and not _was_automatic(entry, automatic)
        if not choices:
            return number
    return 0


def _nothing(match: Match, own: str, choices: int) -> UndoBlocker:
    if not match.history:
        return UndoBlocker(UndoReason.NOTHING)
    last = next(history_entries(match)).seat
    if choices == 1 and last != own:
        return UndoBlocker(UndoReason.MADE_THE_LAST, seat=last)
    return UndoBlocker(UndoReason.FEWER_OF_SEAT, seat=own)


def _was_automatic(entry: HistoryEntry, automatic: IsAutomatic) -> bool:
    """Whether a choice was made without asking."""
    seat = entry.game.seat_number(entry.seat)
    waiting = entry.game.executor.waiting(entry.before[:])
    return any(w.seat == seat and automatic(entry.before, w) for w in waiting)
