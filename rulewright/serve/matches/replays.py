"""Earlier positions of a match: from its history as far as that goes, else from a replay that is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from copy import copy

from interpreter.match import Match
from rulewright.serve.matches.allowance import Allowance
from rulewright.serve.matches.event_log import queues_of
from rulewright.serve.matches.live import LiveMatch, game_seat, new_match
from rulewright.serve.store.storage import LogRow

AT_ONCE = 10
"""Rows that are replayed before others get a turn."""


def earlier(match: Match, choices: int) -> Match:
    """The match as it was some choices ago, at most as many as are in its history."""
    choices = min(choices, len(match.history))
    return before(match, len(match.history) - choices) if choices else match


def before(match: Match, entry: int) -> Match:
    """The match as it was before the choice with a number in its history."""
    found = copy(match)
    state, first = match.history[entry]
    found.state, found.steps, found.history = state[:], match.steps[:first], match.history[:entry]
    found.outcomes = {}
    return found


def after(match: Match, step: int) -> Match | None:
    """The match after the choice that made a step; None if its history does not go back so far."""
    for entry, (_, first) in enumerate(match.history):
        if first > step:
            between = match.steps[step + 1 : first]
            return before(match, entry) if all(one.seat is None for one in between) else None
    return match


class Replay:
    """A match that is played again from its rows, with all of its history. It follows the match."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._rows: list[LogRow] = []
        self._match: Match | None = None
        self._lock = asyncio.Lock()

    async def after(self, live: LiveMatch, step: int) -> Match:
        """The match after the choice that made a step."""
        found = after(live.match, step)
        if found is not None:
            return found
        async with self._lock:
            match = await self._followed(live)
        return after(match, step) or match

    async def whole(self, live: LiveMatch, step: int) -> Match:
        """The same with all of its history, from the beginning."""
        async with self._lock:
            match = await self._followed(live)
        return after(match, step) or match

    async def _followed(self, live: LiveMatch) -> Match:
        """The replay of all rows that stand."""
        standing = list(live.log.standing)
        known = len(self._rows)
        if self._match is None or standing[:known] != self._rows:
            self._match, self._rows, known = new_match(live.row, live.game), [], 0
        match, news = self._match, standing[known:]
        match.outcomes = queues_of(news, {})
        self._match = None  # until it is whole
        for first in range(0, len(news), AT_ONCE):
            with self._allowance.running(live.row):
                play(match, news[first : first + AT_ONCE])
            await asyncio.sleep(0)
            await self._allowance.turns.step()
        self._match, self._rows = match, standing
        return match


def play(match: Match, rows: Sequence[LogRow]) -> None:
    """Make the choices of some rows; their outcomes wait in the match."""
    for row in rows:
        if row.kind == "start":
            match.start()
        elif row.kind == "choice" and row.seat is not None:
            match.choose(game_seat(match.game, row.seat), row.data["words"])
