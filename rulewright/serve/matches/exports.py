"""Matches of a server as logs in JSON lines, and such logs as matches of a server."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE, Source
from interpreter import log
from interpreter.bots.names import RANDOM
from interpreter.early_end import EarlyEnd
from interpreter.game import MatchStep
from interpreter.match import Match
from interpreter.replay import replay
from rulewright.matches.saves import check_game, options_of
from rulewright.matches.seats import HUMAN
from rulewright.serve.games.compiled import Games, ReadRuleset
from rulewright.serve.matches.creating import check_table, new_row, rows_so_far
from rulewright.serve.matches.interface import TableRequest
from rulewright.serve.matches.live import LiveMatch, new_match
from rulewright.serve.messages import BadTable
from rulewright.serve.store.storage import LogRow, MatchRow


@dataclass(frozen=True, slots=True)
class ImportedMatch:
    """A match that continues a log, and the rows of what has happened in it."""

    row: MatchRow
    rows: list[LogRow]


def log_of(live: LiveMatch) -> str:
    """The log of a match, as `play --log` writes it: the referee's full record, secrets included.

    Its outcomes are supplied ones, as they come from no seed; a committed seed is in it with its nonce. If
    the rules have not ended the match, it says what has.
    """
    players = [(seat.strategy or RANDOM) if seat.kind == "bot" else HUMAN for seat in live.seats]
    return log.write(live.match, dict(live.row.options), players, None, live.row.nonce, early_end(live))


def early_end(live: LiveMatch) -> EarlyEnd | None:
    """What has ended a match, if it was not its rules."""
    result, names = live.row.result, live.game.names
    if result is None or result["by"] == "rules":
        return None
    late = result.get("seat")
    seat, winners = None if late is None else names.seat(late), tuple(map(names.seat, result["winners"]))
    steps = sum(step.seat is not None or step.stream is not None for step in live.match.steps)
    return EarlyEnd(result["by"], seat, winners, steps)


def imported_rows(
    games: Games, read: ReadRuleset, text: str, table: TableRequest, now: int, searching: bool = True
) -> ImportedMatch:
    """A new match that continues a log; seats, options and outcomes are those of the log.

    Its outcomes count as supplied: whoever knows the seed of the log learns nothing of what comes. Raises
    `Fault` with `BrokenLog` or `OtherRules`, `DiagnosticError`, `ErrorsReported`.
    """
    saved = log.read(Source("log", log.text_of(text.encode("utf-8", "surrogateescape"))))
    check_game(saved, read.rules)
    table = replace(table, options=dict(saved.options))
    check_table(read.rules, table, searching)
    if len(table.seats) != saved.seats or table.committed:
        why = f"the log has {saved.seats} seats, and no seed can be committed for it"
        raise DiagnosticError(BadTable(NOWHERE, why))
    with options_of(saved):
        game = games.game(read.archive.digest, saved.seats, saved.options)
    steps = replay(game, saved).match.steps
    row = new_row(table, game, read.archive.digest, secrets.token_urlsafe(12), now)
    match = played(row, new_match(row, game), steps)
    if match.over:
        winners = [game.seat_number(name) for name in match.winners()]
        row = replace(row, status="over", result={"by": "rules", "winners": winners})
    return ImportedMatch(row, rows_so_far(row, match))


def played(row: MatchRow, match: Match, steps: list[MatchStep]) -> Match:
    """A match after the choices of some steps, with all of their outcomes supplied."""
    for step in steps:
        if step.stream is not None:
            match.outcomes.setdefault(step.stream, []).append(step.text)
    match.start()
    for step in steps:
        if step.seat is not None:
            match.choose(step.seat, step.text)
    return match
