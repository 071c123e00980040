"""A match by a list of choices, as one seat sees it.

`python -m rulewright.assistants.played_match REQUEST CHOICE...`, the request as JSON. Nothing is kept between
two calls: whoever plays sends all choices again, so a match can be taken up at any of them, and goes on after
the rules were changed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dsl.diagnostics import DiagnosticError, ErrorsReported
from interpreter.bots.bot import Bot
from interpreter.bots.names import bot_named
from interpreter.match import Match, ScoreSheet
from interpreter.messages import Fault
from interpreter.sights import REFEREE
from rulewright.library import open_game
from rulewright.story.lines import step_lines
from rulewright.story.names import TableNames
from rulewright.terminal.output import diagnostic_objects

MOST_LINES = 40
"""Lines of the story, the last ones."""


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """What is played: as which seat it is seen (none: all of it), and which bot chooses for others."""

    game: str
    seat: str = ""
    bot: str = ""
    seats: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1


def played(request: PlayRequest, choices: Sequence[str]) -> dict[str, Any]:
    """The match after some choices, and after those of the bots until the seat is asked.

    A choice is written `A: its words`; without the seat where only one is asked. One that is not offered ends
    it, and `refused` says why. Raises `DiagnosticError` and `ErrorsReported`.
    """
    game = open_game(request.game, request.seats, dict(request.options))
    match = Match(game, seed=request.seed)
    seats = [game.names.seat(i) for i in range(game.machine.seats)]
    if request.seat and request.seat not in seats:
        return {
            "ok": False,
            "message": f"there is no seat `{request.seat}`: the seats are {', '.join(seats)}",
        }
    viewer = seats.index(request.seat) if request.seat else REFEREE
    bot = bot_named(request.bot) if request.bot else None
    try:
        match.start()
        for number, choice in enumerate(choices):
            refused = _refusal(match, choice, seats)
            if refused is not None:
                return {"ok": False, "refused": {"choice": number, **refused}} | _seen(match, viewer)
        if bot is not None:
            _choose_for_others(match, bot, viewer)
    except Fault as fault:
        raise DiagnosticError(fault.diagnostic) from None
    return {"ok": True} | _seen(match, viewer)


def _refusal(match: Match, choice: str, seats: Sequence[str]) -> dict[str, Any] | None:
    """Carries out a choice; if it is not offered, says why."""
    seat, colon, words = choice.partition(":")
    asked = [decision.seat for decision in match.decisions()]
    if not colon or seat.strip() not in seats:
        if len(asked) != 1:
            who = f"{' and '.join(asked)} choose" if asked else "the match is over"
            return {"message": f"{who}: write `A: its words`"}
        seat, words = asked[0], choice
    try:
        match.choose(seat.strip(), words.strip())
    except Fault as fault:
        return dict(diagnostic_objects([fault.diagnostic])[0])
    return None


def _choose_for_others(match: Match, bot: Bot, viewer: int) -> None:
    """Lets a bot choose until the viewer is asked, or the match is over."""
    while not match.over:
        waiting = match.waiting()
        if any(it.seat == viewer for it in waiting):
            return
        match.take(waiting[0], bot.choose(match, waiting[0], seed=len(match.steps)))


def _seen(match: Match, viewer: int) -> dict[str, Any]:
    """The position as a viewer sees it; what is empty, 0, not set and none is left out."""
    view = match.view(viewer)
    told = step_lines(TableNames.of(match.game), match, viewer)
    lines = [line for step in sorted(told) for line in told[step]]
    found = {
        "over": match.over,
        "phase": view.phase,
        "active": view.active,
        "zones": {at: held for at, held in view.zones.items() if held},
        "counters": {at: number for at, number in view.counters.items() if number},
        "marks": [at for at, is_set in view.marks.items() if is_set],
        "pointers": {at: to for at, to in view.pointers.items() if to not in (None, "none")},
        "asked": [
            {"seat": it.seat, "decision": it.name, "choices": [choice.text for choice in it.choices]}
            for it in (match.decisions() if viewer < 0 else match.offered_to(viewer))
        ],
        "story": lines[-MOST_LINES:],
        "choices": [f"{step.seat}: {step.text}" for step in match.steps if step.seat is not None],
    }
    if match.over:
        found |= {"winners": match.winners(), "scores": [_sheet(it) for it in match.accounts()]}
    return found


def _sheet(of: ScoreSheet) -> dict[str, Any]:
    return {"seat": of.seat, "total": of.total, "lines": {name: value for name, value, _ in of.lines}}


def main(words: Sequence[str]) -> int:
    """Prints the match as JSON; mistakes as the commands print them for programs."""
    try:
        print(json.dumps(played(PlayRequest(**json.loads(words[0])), words[1:]), default=str))
    except DiagnosticError as error:
        print(json.dumps({"ok": False, "diagnostics": diagnostic_objects([error.diagnostic])}))
    except ErrorsReported as stop:
        print(json.dumps({"ok": False, "diagnostics": diagnostic_objects(list(stop.report))}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
