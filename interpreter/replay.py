"""Replay: plays a match again from its log, and verifies it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.commitment import commitment
from interpreter.game import Game, MatchStep
from interpreter.log import Log, LogEntry
from interpreter.match import Match
from interpreter.messages import BrokenLog, Fault, OtherRules, OtherSeed

CHANGED = "check whether the log, the rules or the program have changed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a replay: the match, after `steps` of the `total` choices and outcomes of the log."""

    match: Match
    steps: int
    total: int


def replay(game: Game, log: Log, verify: bool = True, steps: int | None = None) -> Verdict:
    """Play the match of a log again. Raises `Fault` at the first difference.

    With `verify`, the rules must be those of the log, the seed must fit the commitment, and every state must
    have the hash in the log, where it has one. `steps` limits the number of choices and outcomes.
    """
    if verify:
        _check_origin(game, log)
    wanted = log.entries if steps is None else log.entries[:steps]
    match = Match(game, log.seed, _outcomes(log), opening=log.opening)
    match.start()
    for entry in (e for e in wanted if e.seat is not None):
        _replay_choice(match, entry)
    done = [s for s in match.steps if s.seat or s.stream]
    if verify:
        _check_steps(done, log)
        _check_length(done, wanted)
        if steps is None:
            _check_result(match, log)
    return Verdict(match, min(len(done), len(wanted)), len(log.entries))


def _check_origin(game: Game, log: Log) -> None:
    """Raises `Fault` if the log has other rules, or a seed that does not fit its commitment."""
    if game.machine.digest != log.digest:
        raise Fault(OtherRules(log.span, log.game))
    if not fits(log):
        raise Fault(OtherSeed(log.span))


def _check_length(done: Sequence[MatchStep], wanted: Sequence[LogEntry]) -> None:
    """Raises `Fault` if the log has more entries than the match has steps."""
    if len(wanted) > len(done):
        why = "the log continues where the match is over or waits for a choice"
        raise Fault(BrokenLog(wanted[len(done)].span, why, CHANGED))


def _check_steps(done: Sequence[MatchStep], log: Log) -> None:
    """Raises `Fault` if a step, or the state after it, differs from the log."""
    for step, entry in zip(done, log.entries, strict=False):
        same = (step.seat, step.stream, step.text) == (entry.seat, entry.stream, entry.text)
        if not same or entry.hash not in ("", step.hash):
            why = "the match differs from the log from here on"
            raise Fault(BrokenLog(entry.span, why, CHANGED))


def fits(log: Log) -> bool:
    """Whether the seed and nonce of a log fit its commitment, or it has none."""
    if log.commitment is None or log.nonce is None:
        return True
    return commitment(log.subject, log.seed, log.nonce) == log.commitment


def _outcomes(log: Log) -> dict[str, list[str | None]]:
    """The supplied outcomes of a log by stream; none for those that are drawn."""
    found: dict[str, list[str | None]] = {}
    for entry in log.entries:
        if entry.stream is not None:
            found.setdefault(entry.stream, []).append(entry.text if entry.supplied else None)
    return found


def _replay_choice(match: Match, entry: LogEntry) -> None:
    assert entry.seat is not None
    try:
        match.choose(entry.seat, entry.text)
    except Fault as fault:
        why = f"this choice cannot be made: {fault.diagnostic.message}"
        help_ = "check whether the log was changed, or use the rules that it was written under"
        raise Fault(BrokenLog(entry.span, why, help_)) from None


def _check_result(match: Match, log: Log) -> None:
    """Raises `Fault` if the log has another result than the match."""
    if log.result is None:
        return
    if not match.over:
        raise Fault(BrokenLog(log.span, "the log claims a result, but its match is not over"))
    scores = {a.seat: a.total for a in match.accounts()}
    if (match.winners(), scores) != log.result or match.outcome() != log.outcome:
        raise Fault(BrokenLog(log.span, "the log claims another result than the match has"))
