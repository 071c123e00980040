"""Who is at which match at the other processes of a server, as they tell it each other.

Nothing of it is kept: a process tells all who asks, tells each change, and says from time to time that it is
still there. What a process has told is forgotten when it has been silent for a while.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

BEAT = 10.0
"""Seconds between two signs of life."""
SILENCE = 3.5
"""Beats after which a process counts as gone."""
MOST_AT_ONCE = 80
"""Matches of one message."""


class Here(NamedTuple):
    """Seats whose holders are at a match, and the number of spectators."""

    seats: tuple[int, ...]
    watching: int


NOBODY = Here((), 0)


@dataclass
class Other:
    """What another process has told, and when it was heard last."""

    heard: float
    matches: dict[str, Here] = field(default_factory=dict)


class Presence:
    """Tells other processes who is here, and knows what they tell. All methods are called on the loop.

    `post` sends a text to all processes; `changed` is told the match at which somebody has come or gone
    elsewhere.
    """

    def __init__(
        self, post: Callable[[str], None], changed: Callable[[str], None], beat: float = BEAT
    ) -> None:
        self._post = post
        self._changed = changed
        self._beat = beat
        self._own = secrets.token_hex(8)
        self._here: dict[str, Here] = {}
        self._others: dict[str, Other] = {}
        self._task: asyncio.Task[None] | None = None

    # ---- this process

    def start(self) -> None:
        """Ask who is elsewhere, and give signs of life until `close`."""
        self._say(ask=True)
        self._task = asyncio.create_task(self._live())

    async def close(self) -> None:
        """Say that this process goes."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._say(gone=True)

    def tell(self, match: str, seats: tuple[int, ...], watching: int) -> None:
        """Who is at a match here. It is told to the others if it is new to them."""
        here = Here(seats, watching)
        if here == self._here.get(match, NOBODY):
            return
        if here == NOBODY:
            del self._here[match]
        else:
            self._here[match] = here
        self._say(at={match: here})

    async def _live(self) -> None:
        while True:
            await asyncio.sleep(self._beat)
            self._say()
            self.forget_silent()

    def forget_silent(self) -> None:
        """Forget what processes have told that give no sign of life."""
        silent = time.monotonic() - SILENCE * self._beat
        for name in [name for name, other in self._others.items() if other.heard < silent]:
            self._forget(name)

    def _say(self, **what: object) -> None:
        self._post(json.dumps({"process": self._own, **what}, separators=(",", ":")))

    # ---- all

    def of(self, match: str) -> Here:
        """Who is at a match, here and elsewhere."""
        found = [one.matches[match] for one in self._others.values() if match in one.matches]
        found.append(self._here.get(match, NOBODY))
        seats = {seat for here in found for seat in here.seats}
        return Here(tuple(sorted(seats)), sum(here.watching for here in found))

    def hear(self, text: str) -> None:
        """Something that a process has sent, this one included; empty: something may have been missed."""
        if not text:
            self._say(ask=True)
            return
        said = json.loads(text)
        name = said["process"]
        if name == self._own:
            return
        other = self._others.setdefault(name, Other(0.0))
        other.heard = time.monotonic()
        if said.get("ask"):
            here = list(self._here.items())
            for first in range(0, len(here), MOST_AT_ONCE):
                self._say(at=dict(here[first : first + MOST_AT_ONCE]))
        if said.get("gone"):
            self._forget(name)
        self._take(other, said.get("at", {}))

    def _take(self, other: Other, told: Mapping[str, Any]) -> None:
        for match, (seats, watching) in told.items():
            here = Here(tuple(seats), watching)
            if here == NOBODY:
                other.matches.pop(match, None)
            else:
                other.matches[match] = here
            self._changed(match)

    def _forget(self, name: str) -> None:
        for match in self._others.pop(name).matches:
            self._changed(match)
