"""Who sits where: seats are taken and left, their secrets replaced, and bots seated."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.serve.matches import actions, companion_actions
from rulewright.serve.matches.creating import check_bot, check_name, new_secret, token_of
from rulewright.serve.matches.interface import Change
from rulewright.serve.matches.registry import MatchRegistry
from rulewright.serve.matches.session import done
from rulewright.serve.messages import NotKept, SeatTaken
from rulewright.serve.store.storage import Conflict, SeatKind, SeatRow, StoreFailed


class Seating:
    """The seats of all matches. What is not possible raises `DiagnosticError`, and has changed nothing."""

    def __init__(self, registry: MatchRegistry) -> None:
        self.registry = registry

    async def seat_of(self, secret: str) -> SeatRow | None:
        """The seat that a secret opens; an invited one is still to be taken."""
        return await asyncio.to_thread(self.registry.storage.seat_of, token_of(secret))

    async def take_seat(
        self, match: str, seat: int, name: str, secret: str | None = None, token: str | None = None
    ) -> str:
        """Sit down on an open seat, or with its secret on an invited one. Returns the new secret.

        `token` is the hash of the secret, for a caller who has seen that somebody knows the secret.

        Raises `DiagnosticError` with `SeatTaken`.
        """
        check_name(name)
        live = await self.registry.open(match)
        names = live.game.names
        if not 0 <= seat < live.row.seats:
            raise DiagnosticError(SeatTaken(NOWHERE, str(seat), "there is no such seat"))
        row = live.seats[seat]
        given = token_of(secret) if secret is not None else token
        if row.kind not in ("open", "invited"):
            raise DiagnosticError(SeatTaken(NOWHERE, names.seat(seat), "somebody has taken it"))
        if row.kind == "invited" and (given is None or given != row.token or row.revoked):
            raise DiagnosticError(SeatTaken(NOWHERE, names.seat(seat), "it is kept for somebody"))
        new = new_secret()
        await self._put_seat(replace(row, kind="human", name=name, token=token_of(new), revoked=False), row)
        await self._begin(match, seat)
        return new

    async def _begin(self, match: str, taken: int) -> None:
        """Begin a match whose seats are all taken, the last one now, by people who agree to it."""
        live = await self.registry.open(match)
        if live.row.status != "waiting" or actions.undecided(live) - {taken}:
            return
        if all(s.kind in ("human", "bot") for s in live.seats):
            await self.registry.carry_out(match, None, "begun", actions.begun)

    async def rename(self, match: str, seat: int, name: str) -> None:
        """Change what people call the player of a seat."""
        check_name(name)
        row = (await self.registry.open(match)).seats[seat]
        await self._put_seat(replace(row, name=name), row)

    async def revoke(self, match: str, seat: int) -> str:
        """Replace the secret of a seat: the old one opens nothing any more. Returns the new one."""
        row, new = (await self.registry.open(match)).seats[seat], new_secret()
        await self._put_seat(replace(row, token=token_of(new)), row)
        return new

    async def free_seat(self, match: str, seat: int, kind: SeatKind) -> None:
        """Let a seat be taken by somebody else: `open` or `invited`; before the start only."""
        row = (await self.registry.open(match)).seats[seat]
        token = token_of(new_secret()) if kind == "invited" else None
        await self._put_seat(replace(row, kind=kind, name="", token=token, strategy=None), row)

    async def seat_bot(self, match: str, seat: int, strategy: str) -> None:
        """Let a bot play a seat from now on, instead of a person or before one has come."""
        live = await self.registry.open(match)
        check_bot(strategy, not self.registry.allowance.is_stranger(live.row.source))
        companion_actions.no_companion(live, "a bot")
        row = live.seats[seat]
        await self._put_seat(replace(row, kind="bot", name="", token=None, strategy=strategy), row)
        await self._begin(match, seat)
        self.registry.tell(await self.registry.open(match))

    async def close_match(self, match: str) -> None:
        """End a match that has not begun."""
        await self.registry.carry_out(match, None, "closed", actions.closed)

    async def _put_seat(self, seat: SeatRow, before: SeatRow) -> None:
        session = self.registry.session(seat.match)
        try:
            async with session.lock:
                await done(self.registry.storage.put_seat(seat, before))
                if session.live is not None:
                    seats = tuple(seat if row.seat == seat.seat else row for row in session.live.seats)
                    session.live = replace(session.live, seats=seats)
        except Conflict:
            await session.reload()
            raise DiagnosticError(SeatTaken(NOWHERE, str(seat.seat), "somebody has taken it")) from None
        except StoreFailed:
            raise DiagnosticError(NotKept(NOWHERE)) from None
        session.tell(Change(seat.match, ()))
