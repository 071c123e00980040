"""Bots choose at the table, in a process beside the page.

A process plays on as long as bots are asked, and tells each choice. It is ended by whatever else changes the
match: a choice by hand, other rules, something taken back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from rulewright.studio import playing
from rulewright.studio.loading import FrozenRuleset
from rulewright.studio.playing import PlayedMatch
from rulewright.studio.rpc import Json, RpcError
from rulewright.studio.table import LiveTable
from rulewright.studio.worker import Superseded, Worker

PACE = 0.3
"""The fewest seconds between two choices of bots, so that one sees what they do."""


@dataclass(eq=False)
class TableBots:
    """Lets bots choose for their seats at a table."""

    table: LiveTable
    worker: Worker
    now: Callable[[], FrozenRuleset | None]
    """The ruleset as it is edited; none if it has mistakes."""
    _known: FrozenRuleset | None = None
    """The ruleset that the match is played under, which may be one from before."""
    _choosing: bool = False
    _thinking: asyncio.Task[None] | None = None

    def follow(self) -> None:
        """The match, or who plays it, is another one now: think about that, and about nothing else."""
        if self._choosing:
            return
        self.worker.stop()
        table, played = self.table, self.table.played
        if played is None or (table.parting is not None and not table.stays):
            return
        ruleset = self._ruleset_of(played)
        if ruleset is not None and table.bot_seats.is_asked(played):
            self._thinking = asyncio.get_running_loop().create_task(self._think(played, ruleset))

    def _ruleset_of(self, played: PlayedMatch) -> FrozenRuleset | None:
        now, wanted = self.now(), played.rules.digest
        if now is not None and now.digest == wanted:
            self._known = now
        return self._known if self._known is not None and self._known.digest == wanted else None

    async def _think(self, played: PlayedMatch, ruleset: FrozenRuleset) -> None:
        given = {
            "ruleset": ruleset,
            "seats": played.seats,
            "options": dict(played.options),
            "log": played.log(),
            "bots": self.table.bot_seats.players(played),
            "pace": PACE,
        }
        with suppress(Superseded):
            try:
                await self.worker.run("bots", given, self._told)
            except RpcError as why:
                self.worker.stop()
                self.table.bot_seats.hold(why.message)
                self.table.show()

    def _told(self, found: Json) -> None:
        """A bot has chosen. Raises `RpcError` if that is not offered."""
        played = self.table.played
        if played is None or "option" not in found:
            return
        self._choosing = True
        try:
            playing.take(played, found["seat"], found["option"])
            self.table.chosen()
        finally:
            self._choosing = False

    def close(self) -> None:
        """The page has gone."""
        self.worker.stop()
        if self._thinking is not None:
            self._thinking.cancel()
