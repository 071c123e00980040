"""What has happened in a match, told to one seat."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.match import Match, Played
from interpreter.views import REFEREE


def told(match: Match, step: Played, seat: int) -> list[str]:
    """The lines that a seat may read of one step: the choice or outcome, then its events.

    While all choose at once, the others' steps tell nothing; they are told when all have finished.
    """
    own = match.game.names.seat(seat) if seat >= 0 else None
    if step.together and match.state[m.FORKED] and seat != REFEREE and step.branch != own:
        return []
    mine = seat == REFEREE or step.seat == own
    lines = []
    if step.seat is not None:
        text = step.text if mine else step.open_text
        lines.append(f"{step.seat}: {_label(match, text)}")
    lines.extend(match.game.views.lines(match.state, step.events, seat))
    return lines


def story(match: Match, seat: int, since: int = 0) -> list[str]:
    """All lines that a seat may read, from step number `since` on."""
    return [line for step in match.steps[since:] for line in told(match, step, seat)]


def _label(match: Match, text: str) -> str:
    return " ".join(match.game.names.label(word) for word in text.split())
