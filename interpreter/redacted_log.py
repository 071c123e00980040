"""The redacted log: what has happened in a match, as one seat may read it."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import ir
from interpreter.events import ALL, Branched, Event
from interpreter.game import MatchStep
from interpreter.match import Match
from interpreter.views import REFEREE


@dataclass(frozen=True, slots=True)
class LogPart:
    """The events of a step in one branch of `together`, or with an empty name outside of branches.

    `joins`: all branches have ended before it.
    """

    branch: str
    events: tuple[Event, ...]
    joins: bool = False


def parts(match: Match, step: MatchStep) -> list[LogPart]:
    """The events of a step by branch, in order; the first part belongs to the step's own branch."""
    found, branch, joins = [], step.branch, False
    events: list[Event] = []
    for event in step.events:
        if not isinstance(event, Branched):
            events.append(event)
            continue
        found.append(LogPart(branch, tuple(events), joins))
        branch = match.game.names.seat(event.seat) if event.seat >= 0 else ""
        joins, events = event == ALL, []
    return [*found, LogPart(branch, tuple(events), joins)]


def render_events(match: Match, number: int, seat: int) -> list[str]:
    """The lines that a seat may read about a step, by its number: the choice, then its events.

    In `together`, the steps of other branches are hidden until all branches have ended.
    """
    step, own = match.steps[number], match.game.names.seat(seat) if seat >= 0 else None
    known = _last_join(match) if seat != REFEREE else len(match.steps)
    lines = []
    if step.seat is not None and (number <= known or step.branch in ("", own)):
        mine = step.own_text if step.seat == own else step.open_text
        text = step.text if seat == REFEREE else mine
        lines.append(f"{step.seat}: {_label(match, text)}")
    found = parts(match, step)
    joined = max((i for i, part in enumerate(found) if part.joins), default=0)
    for i, part in enumerate(found):
        if number < known or (number == known and i < joined) or part.branch in ("", own):
            lines.extend(match.game.views.lines(match.state, part.events, seat))
    return lines


def _last_join(match: Match) -> int:
    """The number of the last step that ended a `together`; of the next step outside of `together`."""
    if not match.state[ir.FORKED]:
        return len(match.steps)
    return next((i for i in reversed(range(len(match.steps))) if ALL in match.steps[i].events), -1)


def story(match: Match, seat: int, since: int = 0) -> list[str]:
    """All lines that a seat may read, from step number `since` on."""
    return [line for number in range(since, len(match.steps)) for line in render_events(match, number, seat)]


def _label(match: Match, text: str) -> str:
    return " ".join(match.game.names.label(word) for word in text.split())
