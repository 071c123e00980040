"""Carrying out what a page asks for over its socket."""

from __future__ import annotations

from typing import Any, assert_never

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.source import NOWHERE
from interpreter.companion import Companion
from interpreter.match import Match
from interpreter.messages import BadOutcome, Fault, NotOffered
from interpreter.redacted_log import entries
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.presentation.companion import (
    past_position,
    public_scores,
    why_not_possible,
    why_not_possible_value,
)
from rulewright.presentation.position import entry_json, position
from rulewright.presentation.scores import scores
from rulewright.presentation.why_not import why_not, why_not_value
from rulewright.serve.api import client_messages as rq
from rulewright.serve.matches.interface import Accepted
from rulewright.serve.matches.service import MatchService
from rulewright.serve.messages import NeedsOutcome, NotKept, NotNow, NotPossible, Stale, TooCostly
from rulewright.serve.tables.match_settings import ENDED
from rulewright.serve.tables.open_tables import Connection, OpenTable
from rulewright.serve.tables.projection import encoded

Message = dict[str, Any]
Request = (
    rq.Choose
    | rq.Why
    | rq.Undo
    | rq.Repair
    | rq.Abandon
    | rq.Resign
    | rq.Answer
    | rq.Account
    | rq.LookAt
    | rq.Outcome
)
SPECTATORS_MAY = (rq.Account, rq.LookAt)


async def carry_out(service: MatchService, table: OpenTable, connection: Connection, request: Request) -> str:
    """Carry out a request. Returns the answer as JSON: `ack`, `answer` or `refused`."""
    if connection.viewer < 0 and not isinstance(request, SPECTATORS_MAY):
        return encoded(_refused(request.id, "spectator", "spectators only look"))
    try:
        answer = await _answer(service, table, connection, request)
    except Fault as fault:
        answer = _refused_by_rules(service, table, connection, request, fault)
    except DiagnosticError as error:
        answer = _of_diagnostic(request.id, error.diagnostic)
    return encoded(answer)


def _refused_by_rules(
    service: MatchService, table: OpenTable, connection: Connection, request: Request, fault: Fault
) -> Message:
    """A refusal with its reason; without it, if the rules take too long to tell."""
    try:
        with service.allowance.running(table.live.row):
            return _of_fault(table, connection, request, fault)
    except DiagnosticError as error:
        return _of_diagnostic(request.id, error.diagnostic)


async def _answer(
    service: MatchService, table: OpenTable, connection: Connection, request: Request
) -> Message:
    match, seat = table.live.row.id, connection.viewer
    client = f"{seat}.{request.id}"
    now = table.live.match
    if table.live.row.status == "waiting":
        # The cards lie there already: whoever sees them could choose the seat, or another match.
        raise DiagnosticError(NotNow(NOWHERE, "the match has not begun"))
    match request:
        case rq.Choose(id, version, words):
            return _accepted(id, await service.choose(match, seat, client, version, words))
        case rq.Undo(id, version, number):
            return _accepted(id, await service.undo(match, seat, client, version, number))
        case rq.Outcome(id, version, text):
            return _accepted(id, await service.tell(match, seat, client, version, text))
        case rq.Resign(id):
            return _accepted(id, await service.resign(match, seat, client))
        case rq.Abandon(id):
            return _accepted(id, await service.propose(match, seat, client, "abandon", {}))
        case rq.Repair(id, seq):
            with service.allowance.running(table.live.row):
                step = _step_behind(now, seat, seq)
            found = await service.propose(match, seat, client, "repair", {"step": step, "seq": seq})
            return _accepted(id, found)
        case rq.Answer(id, proposal, agree):
            return _accepted(id, await service.answer(match, seat, client, proposal, agree))
        case rq.Why(id, words, action, value):
            with service.allowance.running(table.live.row):
                return {"type": "answer", "id": id, "refusal": _why_here(table, seat, words, action, value)}
        case rq.Account(id):
            with service.allowance.running(table.live.row):
                return {"type": "answer", "id": id, "scores": _scores(table, seat)}
        case rq.LookAt(id, seq, asked):
            return {"type": "answer", "id": id, **await _at(service, table, connection, seq, asked)}
    assert_never(request)


def _accepted(id: str, found: Accepted) -> Message:
    if found.proposal is not None:
        return {"type": "answer", "id": id, "version": found.version, "proposal": found.proposal}
    return {"type": "ack", "id": id, "version": found.version}


def _refused(id: str, code: str, text: str, refusal: Message | None = None) -> Message:
    return {"type": "refused", "id": id, "code": code, "text": text, "refusal": refusal}


def _of_diagnostic(id: str, diagnostic: Diagnostic) -> Message:
    """A refusal. Messages of other diagnostics may name what is hidden, so they are not sent."""
    match diagnostic:
        case Stale():
            return _refused(id, "stale", diagnostic.message)
        case NotKept():
            return _refused(id, "not-kept", diagnostic.message)
        case NeedsOutcome():
            return _refused(id, "needs-outcome", diagnostic.message)
        case NotPossible():
            return _refused(id, "not-possible", diagnostic.message)
        case NotNow():
            return _refused(id, "not-now", diagnostic.message)
        case TooCostly():
            return _refused(id, "too-costly", diagnostic.message)
    return _refused(id, "fault", f"the match cannot be played on ({diagnostic.code})")


def _of_fault(table: OpenTable, connection: Connection, request: Request, fault: Fault) -> Message:
    """A refusal with its reason. Messages of other faults may name what is hidden, so they are not sent."""
    live = table.live
    if isinstance(fault.diagnostic, BadOutcome) and live.companion is not None:
        text = f"{fault.diagnostic.message}: an earlier answer or choice says something else"
        return _refused(request.id, "not-possible", text)
    if isinstance(fault.diagnostic, NotOffered) and isinstance(request, rq.Choose):
        if live.companion is not None:
            return _not_possible(live.companion, request)
        refusal = why_not(live.match, connection.viewer, request.words) if not live.match.over else None
        text = "this choice is not offered" if refusal else "the game is over"
        return _refused(request.id, "not-offered" if refusal else "over", text, refusal)
    return _refused(request.id, "fault", f"the rules have failed ({fault.diagnostic.code})")


def _not_possible(companion: Companion, request: rq.Choose) -> Message:
    """A refused choice at a companion table, with the reason were all hidden pieces what it names."""
    refusal = why_not_possible(companion, request.words)
    if refusal is None:
        return _refused(request.id, "contradicts", "what was told before says that this cannot be")
    return _refused(request.id, "not-offered", "this choice is not offered", refusal)


def _why_not_possible(
    companion: Companion, words: str | None, action: str | None, value: list[Any] | None
) -> Message | None:
    if words is not None:
        return why_not_possible(companion, words)
    try:
        return why_not_possible_value(companion, action, value)
    except ValueError as error:
        raise DiagnosticError(NotNow(NOWHERE, str(error))) from None


def _why_here(
    table: OpenTable, seat: int, words: str | None, action: str | None, value: list[Any] | None
) -> Message | None:
    if table.live.companion is not None:
        return _why_not_possible(table.live.companion, words, action, value)
    return _why(table.live.match, seat, words, action, value)


def _scores(table: OpenTable, seat: int) -> list[dict[str, Any]]:
    if table.live.companion is not None:
        return public_scores(table.live.match)
    return scores(table.seen_by(seat), seat)


def _why(
    match: Match, seat: int, words: str | None, action: str | None, value: list[Any] | None
) -> Message | None:
    """Why something is not offered; None if it is."""
    if words is not None:
        offered = [choice.text for decision in match.offered_to(seat) for choice in decision.choices]
        return None if words in offered else why_not(match, seat, words)
    try:
        return why_not_value(match, seat, action, value)
    except ValueError as error:
        raise DiagnosticError(NotNow(NOWHERE, str(error))) from None


# ---- replay


def _step_behind(match: Match, viewer: int, seq: int) -> int:
    """The first step behind an entry of a viewer. Raises `DiagnosticError` if there is none."""
    told = entries(match, viewer)
    if not 0 <= seq < len(told):
        raise DiagnosticError(NotNow(NOWHERE, "there is no such entry"))
    return told[seq].step


async def _at(
    service: MatchService, table: OpenTable, connection: Connection, seq: int, asked: int | None
) -> Message:
    """The position after an entry, and the entry. Only after the end as another seat."""
    companion = table.live.companion is not None
    viewer = SPECTATOR if companion else connection.viewer if asked is None else asked
    now = table.seen_by(viewer) if viewer == SPECTATOR else table.live.match
    seats = table.live.row.seats
    if not companion and viewer != connection.viewer and table.live.row.status not in ENDED:
        raise DiagnosticError(NotNow(NOWHERE, "other seats are shown after the end"))
    if not REFEREE <= viewer < seats:
        raise DiagnosticError(NotNow(NOWHERE, "there is no such seat"))
    allowance, row = service.allowance, table.live.row
    with allowance.running(row):
        told = entries(now, viewer)
    if not 0 <= seq <= len(told):
        raise DiagnosticError(NotNow(NOWHERE, "there is no such entry"))
    past = await table.replay.after(table.live, told[seq - 1].step if seq else 0)
    with allowance.running(row):
        shown = [entry_json(now, told[seq - 1])] if seq else []
        found = past_position(past, seq) if companion else position(past, viewer, seq)
    return {"position": found, "entries": shown}
