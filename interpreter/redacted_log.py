"""The redacted log: what has happened in a match, as one seat may read it."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.events import ALL, Branched, Event, Moved
from interpreter.game import MatchRecord, MatchStep
from interpreter.pools import Pool
from interpreter.sights import REFEREE


@dataclass(frozen=True, slots=True)
class LogPart:
    """The events of a step in one branch of `together`, or with an empty name outside of branches.

    `joins`: all branches have ended before it.
    """

    branch: str
    events: tuple[Event, ...]
    joins: bool = False


def parts(match: MatchRecord, step: MatchStep) -> list[LogPart]:
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


@dataclass(frozen=True, slots=True)
class Entry:
    """What a viewer may read about a step, or about a part of it: its number, the choice and the events.

    `text` is the choice in the words of the rules; empty if nobody has chosen, or if the choice was told in
    an earlier entry. `node` is that of its decision. `stream` and `odds` are those of a random outcome.
    `pool` is that of a drawn piece which the viewer sees.
    """

    step: int
    seat: str | None
    text: str
    node: int | None
    stream: str | None
    odds: tuple[tuple[str, int], ...]
    pool: Pool | None
    events: tuple[Event, ...]


def entries(match: MatchRecord, viewer: int, since: int = 0, until: int | None = None) -> list[Entry]:
    """All that a viewer has been told, in the order in which it was told; by some of the steps, if asked for.

    In `together`, what happens in the branches of others is told when all branches have ended. So entries are
    only appended as a match continues, and their number says nothing about what others do meanwhile.
    """
    own = match.game.names.seat(viewer) if viewer >= 0 else None
    told: list[Entry] = []
    held: list[Entry] = []
    for number, step in enumerate(match.steps[since:until], since):
        first = True
        for part in parts(match, step):
            if part.joins:
                told += held
                held = []
            entry = entry_of(match, number, part, viewer, first)
            first = False
            if entry is not None:
                visible = viewer == REFEREE or part.branch in ("", own)
                (told if visible else held).append(entry)
    return told


def entry_of(match: MatchRecord, number: int, part: LogPart, viewer: int, first: bool) -> Entry | None:
    """The entry of a part of a step, the `first` or a later one; none if the viewer may know nothing."""
    step = match.steps[number]
    events = tuple(match.game.views.redacted(part.events, viewer))
    text = _choice_text(match, step, viewer) if first else ""
    if not (text or events):
        return None
    node = step.node if text else None
    if not first:
        return Entry(number, step.seat, text, node, None, (), None, events)
    return Entry(number, step.seat, text, node, step.stream, step.odds, _pool(step, events, viewer), events)


def _pool(step: MatchStep, events: tuple[Event, ...], viewer: int) -> Pool | None:
    """The pool of a draw, if a viewer sees what was drawn; `events` are as it may know them."""
    if not (step.pools and events):
        return None
    match events[0], step.events[0]:
        case Moved(class_=class_) as told, drawn if class_ >= 0 and told == drawn:
            return step.pools[viewer - REFEREE]
    return None


def _choice_text(match: MatchRecord, step: MatchStep, viewer: int) -> str:
    """The words of a choice as a viewer may read them; empty if the step is not a choice."""
    if step.seat is None:
        return ""
    if viewer == REFEREE:
        return step.text
    own = viewer >= 0 and match.game.names.seat(viewer) == step.seat
    return step.own_text if own else step.open_text


def notated(match: MatchRecord, viewer: int, since: int = 0) -> list[str]:
    """All that a viewer has been told since a step, in the notation of events: each choice, each event."""
    lines: list[str] = []
    for entry in entries(match, viewer, since):
        lines += [f"{entry.seat}: {entry.text}"] if entry.text else []
        lines += match.game.views.notated(entry.events)
    return lines
