"""New matches: what was asked for is checked, the set-up is played, and the first rows are made."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Final, NoReturn

from dsl.diagnostics import DiagnosticError
from dsl.rules import Rules
from dsl.source import NOWHERE
from interpreter.bots.dealing import DealtWorlds
from interpreter.bots.names import RANDOM, bot_named
from interpreter.bots.search import SearchBot
from interpreter.chance import ChanceSource
from interpreter.game import Game
from interpreter.match import Match
from rulewright.serve.matches.automatic import LONGEST_THOUGHT
from rulewright.serve.matches.chance import SystemChance
from rulewright.serve.matches.clocks import clock_data
from rulewright.serve.matches.interface import SeatRequest, TableRequest
from rulewright.serve.matches.live import (
    CARRIED,
    RowMaker,
    listing_of,
    new_match,
    positions_kept,
    seed_commitment,
)
from rulewright.serve.messages import BadTable
from rulewright.serve.store.storage import LogRow, MatchRow, SeatRow, Status

MOST_ITERATIONS: Final = 20_000
"""Iterations of a bot for one choice."""
LONGEST_NAME = 40
"""Characters of a player's name."""


def new_secret() -> str:
    """A secret of 192 bits that nobody can guess, for a link."""
    return secrets.token_urlsafe(24)


def token_of(secret: str) -> str:
    """The hash of a secret under which its seat is kept."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seat_after(seat: int, rematch: MatchRow) -> int:
    """The seat of a rematch for one of the match before: the first one moves to the end.

    Where something carries over, everybody keeps their seat.
    """
    return seat if CARRIED in rematch.set_up else (seat + rematch.seats - 1) % rematch.seats


def seat_before(seat: int, rematch: MatchRow) -> int:
    """The seat of the match before a rematch for one of the rematch."""
    return seat if CARRIED in rematch.set_up else (seat + 1) % rematch.seats


def was_declined(row: MatchRow) -> bool:
    """Whether a rematch was declined, or given up before all people had agreed."""
    result = row.result or {}
    return row.status == "abandoned" and ("declined" in result or result.get("by") == "owner")


def derived_secret(row: MatchRow, what: str) -> str:
    """A secret that follows from the salt of a match, the same each time."""
    return hmac.new(str(row.salt).encode(), what.encode(), hashlib.sha256).hexdigest()


def check_table(rules: Rules, table: TableRequest, searching: bool) -> None:
    """Raises `DiagnosticError` with `BadTable` if a match cannot be as it was asked for.

    `searching`: bots may search under these rules.
    """
    if len(table.seats) not in rules.seat_counts:
        _refuse(f"{rules.title} is played by {rules.played_by}, not by {len(table.seats)}")
    for seat in table.seats:
        if (seat.kind == "bot") != (seat.strategy is not None):
            _refuse("a bot has a strategy, and others have none")
        if seat.strategy is not None:
            check_bot(seat.strategy, searching)
        check_name(seat.name)
    if table.clock.wrong:
        _refuse(table.clock.wrong)
    if table.set_up.get("companion"):
        _check_companion(table)


def check_delay(table: TableRequest, match: Match) -> None:
    """Raises `DiagnosticError` with `BadTable` if spectators could not be as far behind as was asked for."""
    delay = int((table.set_up.get("spectators") or {}).get("delay", 0))
    if delay > positions_kept(match):
        _refuse(f"spectators of this game can be {positions_kept(match)} choices behind at most")


def _check_companion(table: TableRequest) -> None:
    if table.committed:
        _refuse("a seed cannot be committed where the players throw the dice")
    if any(seat.kind == "bot" for seat in table.seats):
        _refuse("a bot cannot play at a physical table", "a companion has people at all seats")
    if table.clock.kind != "none":
        _refuse("a companion has no clock")


def check_bot(strategy: str, searching: bool) -> None:
    """Raises `DiagnosticError` with `BadTable` if there is no such bot."""
    try:
        bot = bot_named(strategy)
    except DiagnosticError as error:
        _refuse(error.diagnostic.message, error.diagnostic.help)
    if not isinstance(bot, SearchBot):
        return
    if not searching:
        _refuse("bots do not search under uploaded rules", f"a bot is `{RANDOM}`")
    if not isinstance(bot.worlds, DealtWorlds):
        _refuse("bots that search in believed worlds do not play here", "leave out `+beliefs`")
    if find_spec("numpy") is None:
        _refuse("bots that search are not installed here", f"a bot is `{RANDOM}`")
    if bot.budget.seconds is None and bot.budget.most > MOST_ITERATIONS:
        _refuse(f"a bot has at most {MOST_ITERATIONS} iterations here")
    if (bot.budget.seconds or 0) > LONGEST_THOUGHT:
        _refuse(f"a bot thinks for at most {LONGEST_THOUGHT:g}s here")


def check_name(name: str) -> None:
    """Raises `DiagnosticError` with `BadTable` for a name that cannot be shown."""
    if len(name) > LONGEST_NAME or not (name == "" or name.isprintable()):
        _refuse("this is not a name", f"a name has up to {LONGEST_NAME} characters that can be printed")


def _refuse(why: str, hint: str = "") -> NoReturn:
    raise DiagnosticError(BadTable(NOWHERE, why, hint))


def new_row(table: TableRequest, game: Game, archive: str, id_: str, now: int) -> MatchRow:
    """The record of a new match on archived rules, with a salt of its own."""
    waits = any(seat.kind in ("open", "invited") for seat in table.seats)
    status: Status = "waiting" if waits else "running"
    nonce = secrets.token_hex(16) if table.committed else None
    row = MatchRow(
        id=id_,
        game=game.machine.name,
        source=table.source,
        digest=game.machine.digest,
        archive=archive,
        seats=len(table.seats),
        options=dict(table.options),
        salt=secrets.randbits(128),
        nonce=nonce,
        commitment=None,
        clock=clock_data(table.clock),
        set_up=dict(table.set_up),
        status=status,
        result=None,
        created=now,
        updated=now,
        listed=listing_of(game.rules, len(table.seats), (), now),
    )
    return replace(row, commitment=seed_commitment(row, nonce)) if nonce is not None else row


def new_seats(id_: str, seats: Sequence[SeatRequest], given: dict[int, str]) -> list[SeatRow]:
    """The seats of a new match; `given` are the secrets by seat."""
    return [
        SeatRow(
            id_,
            number,
            seat.kind,
            seat.name,
            token_of(given[number]) if number in given else None,
            False,
            seat.strategy,
        )
        for number, seat in enumerate(seats)
    ]


def set_up_match(row: MatchRow, game: Game, chance: ChanceSource | None) -> Match:
    """A new match with its set-up played. Raises `Fault` if the rules fail."""
    match = new_match(row, game)
    match.chance = None if row.commitment is not None else chance or SystemChance()
    return match.start()


def rows_so_far(row: MatchRow, match: Match) -> list[LogRow]:
    """The rows of all steps of a match; only a match that runs has clocks that begin."""
    maker = RowMaker(0, row.created)
    maker.steps(match, 0)
    if row.status == "running":
        return maker.rows
    return [
        replace(one, data={name: value for name, value in one.data.items() if name != "asked"})
        for one in maker.rows
    ]
