"""The redacted log: what has happened in a match, as one seat may read it."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from interpreter.events import Event, Moved
from interpreter.game import Game, MatchRecord, MatchStep
from interpreter.pools import Pool
from interpreter.sights import REFEREE
from interpreter.views import ToldPart, step_row
from interpreter.wasm.host.codes import SAID


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
    """All that a viewer has been told, or was told by some of the steps, in the order in which it was."""
    rows = array("i")
    for number, step in enumerate(match.steps[since:until], since):
        rows += step_rows(match.game, step, viewer, number)
    told, _ = match.game.views.tell(rows, viewer)
    return [entry_of(match.game, match.steps[part.step], part, viewer) for part in told]


def step_rows(game: Game, step: MatchStep, viewer: int, number: int = 0) -> array[int]:
    """A step as rows, to be told to a viewer."""
    branch = game.seat_number(step.branch) if step.branch else -1
    said = SAID if choice_text(game, step, viewer) else 0
    return step_row(number, branch, flags=said) + game.views.rows.write(step.events)


def entry_of(game: Game, step: MatchStep, part: ToldPart, viewer: int) -> Entry:
    """The entry of a part of a step."""
    if not part.first:
        return Entry(part.step, step.seat, "", None, None, (), None, part.events)
    text = choice_text(game, step, viewer)
    node, pool = step.node if text else None, _pool(step, part.events, viewer)
    return Entry(part.step, step.seat, text, node, step.stream, step.odds, pool, part.events)


def _pool(step: MatchStep, events: tuple[Event, ...], viewer: int) -> Pool | None:
    """The pool of a draw, if a viewer sees what was drawn; `events` are as it may know them."""
    if not (step.pools and events):
        return None
    match events[0], step.events[0]:
        case Moved(class_=class_) as told, drawn if class_ >= 0 and told == drawn:
            return step.pools[viewer - REFEREE]
    return None


def choice_text(game: Game, step: MatchStep, viewer: int) -> str:
    """The words of a choice as a viewer may read them; empty if the step is not a choice."""
    if step.seat is None:
        return ""
    if viewer == REFEREE:
        return step.text
    own = viewer >= 0 and game.names.seat(viewer) == step.seat
    return step.own_text if own else step.open_text


def notated(match: MatchRecord, viewer: int, since: int = 0) -> list[str]:
    """All that a viewer has been told since a step, in the notation of events: each choice, each event."""
    lines: list[str] = []
    for entry in entries(match, viewer, since):
        lines += [f"{entry.seat}: {entry.text}"] if entry.text else []
        lines += match.game.views.notated(entry.events)
    return lines
