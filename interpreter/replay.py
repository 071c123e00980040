"""A match again, from its log."""

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
    """How far a log was replayed: `steps` of `total`, and the match as it stands there."""

    match: Match
    steps: int
    total: int


def replay(game: Game, log: Log, verify: bool = True, steps: int | None = None) -> Verdict:
    """Plays a log again, chance included; the first difference raises `Fault`.

    With `verify`, the rules must be those of the log, the seed the one that was committed to, and every
    state must have the hash that the log says. `steps` stops after that many choices and outcomes.
    """
    if verify:
        _check_origin(game, log)
    wanted = log.entries if steps is None else log.entries[:steps]
    match = Match(game, log.seed, _outcomes(log))
    match.start()
    for entry in (e for e in wanted if e.seat is not None):
        _replay_choice(match, entry)
    done = [s for s in match.steps if s.seat or s.stream]
    if verify:
        _check_length(done, wanted)
        if steps is None:
            _check_result(match, log)
        _check_steps(done, log)
    return Verdict(match, min(len(done), len(wanted)), len(log.entries))


def _check_origin(game: Game, log: Log) -> None:
    """The rules are those of the log, and the seed the one that was committed to."""
    if game.machine.digest != log.digest:
        raise Fault(OtherRules(log.span, log.game))
    if not fits(log):
        raise Fault(OtherSeed(log.span))


def _check_length(done: Sequence[MatchStep], wanted: Sequence[LogEntry]) -> None:
    """The log says no more than happens."""
    if len(wanted) > len(done):
        why = "the log continues where the match is over or waits for a choice"
        raise Fault(BrokenLog(wanted[len(done)].span, why, CHANGED))


def _check_steps(done: Sequence[MatchStep], log: Log) -> None:
    """Every step is the one that the log says, and leads to the same state."""
    for step, entry in zip(done, log.entries, strict=False):
        same = (step.seat, step.stream, step.text) == (entry.seat, entry.stream, entry.text)
        if not same or step.hash != entry.hash:
            why = "the match differs from the log from here on"
            raise Fault(BrokenLog(entry.span, why, CHANGED))


def fits(log: Log) -> bool:
    """Whether seed and nonce of a log give its commitment; so they do if it has none."""
    if log.commitment is None or log.nonce is None:
        return True
    return commitment(log.subject, log.seed, log.nonce) == log.commitment


def _outcomes(log: Log) -> dict[str, list[str | None]]:
    """What was supplied from outside is supplied again; the rest comes by the seed once more."""
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
    """The result that a log claims is the match's."""
    if log.result is None:
        return
    if not match.over:
        raise Fault(BrokenLog(log.span, "the log claims a result, but its match is not over"))
    scores = {a.seat: a.total for a in match.accounts()}
    if (match.winners(), scores) != log.result:
        raise Fault(BrokenLog(log.span, "the log claims another result than the match has"))
