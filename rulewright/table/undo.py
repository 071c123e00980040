"""Taking back: one's own last choice, with what was done by itself after it."""

from __future__ import annotations

from interpreter.events import Shown
from interpreter.match import Match


def take_back(match: Match, seat: int, auto: bool) -> str:
    """Takes back the last choice of a seat. Says why not if it cannot be; empty if it is done.

    With `auto`, choices without an alternative were taken by themselves and go back with the one before.
    """
    state, history, steps = match.state, match.history[:], match.steps[:]
    while auto and match.can_undo() and _forced(match, seat):
        match.undo()
    why = why_not(match, seat)
    if why:
        match.state, match.history, match.steps = state, history, steps
    else:
        match.undo()
    return why


def why_not(match: Match, seat: int) -> str:
    """Why the last choice cannot be taken back by this seat; empty if it can."""
    if not match.history:
        return "nothing has been chosen yet"
    steps = match.steps[match.history[-1][1] :]
    if steps[0].seat != match.game.names.seat(seat):
        return f"the last choice was made by {steps[0].seat}"
    if match.can_undo():
        return ""
    if any(step.stream for step in steps):
        return "chance has decided something since, and that cannot be unseen"
    if any(isinstance(event, Shown) for step in steps for event in step.events):
        return "something was shown since, and that cannot be unseen"
    return "somebody has seen something new since, and that cannot be unseen"


def _forced(match: Match, seat: int) -> bool:
    """Whether the last choice was this seat's and had no alternative."""
    state, length = match.history[-1]
    if match.steps[length].seat != match.game.names.seat(seat):
        return False
    waiting = match.game.executor.waiting(state[:])
    return any(w.seat == seat and len(w.options) == 1 for w in waiting)
