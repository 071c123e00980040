"""A match under changed rules: it is played again, and where it cannot be, the step, the rule and the change
behind it are named. One then stays under the old rules, rewinds to the step, or begins anew."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dsl.diagnostics import ErrorsReported
from dsl.rules import Rules
from interpreter.log import Log
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.studio.playing import PlayedMatch, compiled, follow, rewound
from rulewright.studio.rpc import Json
from rulewright.versions.matches import differing, diverging
from validators.diff.compare import Comparison, compare
from validators.diff.log_replay.attribution import NO_CAUSE, Cause
from validators.diff.log_replay.verdicts import CompatChecker, Verdict
from validators.diff.names import RenameMap


@dataclass(frozen=True)
class Parting:
    """A match that the new rules cannot follow. `step` counts from 1; 0 is the set-up."""

    step: int
    text: str
    cause: Cause = NO_CAUSE
    rules: Rules | None = None
    """The new rules, under which one may rewind."""

    def as_json(self) -> Json:
        return {
            "step": self.step,
            "text": self.text,
            "place": self.cause.place,
            "clauses": list(self.cause.clauses),
            "changes": list(self.cause.changes),
        }


@dataclass(frozen=True)
class Reloaded:
    """A match under new rules, and what is different in it, or where it parts from them."""

    played: PlayedMatch | None
    parting: Parting | None = None
    differs: str = ""


def reload(played: PlayedMatch, rules: Rules) -> Reloaded:
    """Play a match again under other rules.

    Mostly everything happens as before, which is seen by playing it once, in other words where names have
    changed. Only if it does not, both versions are played side by side to find out where, and by which
    change.
    """
    log = played.read_log()
    if (same := _unchanged(played, log, rules)) is not None:
        return Reloaded(same)
    comparison = compare(played.rules, rules)
    renamed = in_new_words(log, comparison)
    if renamed != replace(log, result=None) and (same := _unchanged(played, renamed, rules)) is not None:
        return Reloaded(same)
    verdict = CompatChecker(comparison).judge(log)
    if verdict.divergence is not None:
        found = verdict.divergence
        return Reloaded(None, Parting(found.step, diverging(found), found.cause, rules))
    if verdict.diagnostic is not None:
        return Reloaded(None, Parting(0, verdict.diagnostic.message, NO_CAUSE, rules))
    return _carried(played, log, comparison, verdict)


def _unchanged(played: PlayedMatch, log: Log, rules: Rules) -> PlayedMatch | None:
    """The match under other rules, if the same happens in it and the same is offered now."""
    try:
        game = compiled(rules, log.seats, log.options)
        found = follow(game, log, log.entries)
    except (ErrorsReported, Fault):
        return None
    before, now = played.match, found.match
    if found.entries < len(log.entries) or len(before.steps) != len(now.steps):
        return None
    happened = all(old.events == new.events for old, new in zip(before.steps, now.steps, strict=True))
    if not happened or before.over != now.over or _offered(before) != _offered(now):
        return None
    return PlayedMatch(rules, game, now, log.options)


def _offered(match: Match) -> list[str]:
    if match.over:
        return []
    return [f"{d.seat}: {choice.text}" for d in match.decisions() for choice in d.choices]


def _carried(played: PlayedMatch, log: Log, comparison: Comparison, verdict: Verdict) -> Reloaded:
    rules = comparison.new
    renamed = in_new_words(log, comparison)
    try:
        game = compiled(rules, log.seats, renamed.options)
        found = follow(game, renamed, renamed.entries)
    except ErrorsReported as stop:
        return Reloaded(None, Parting(0, stop.report.first.message, NO_CAUSE, rules))
    except Fault as fault:
        return Reloaded(None, Parting(0, fault.diagnostic.message, NO_CAUSE, rules))
    if found.entries < len(renamed.entries) and found.why:
        return Reloaded(
            None, Parting(found.entries + 1, f"step {found.entries + 1}: {found.why}", rules=rules)
        )
    differs = differing(verdict.parting) if verdict.parting is not None else ""
    return Reloaded(PlayedMatch(rules, game, found.match, renamed.options), None, differs)


def in_new_words(log: Log, comparison: Comparison) -> Log:
    """A log with the names that the new rules have for what it names."""
    names = comparison.names

    def words(text: str) -> str:
        return " ".join(map(names.word, text.split()))

    entries = tuple(
        replace(
            entry,
            text=words(entry.text),
            stream=names.name(entry.stream) if entry.stream is not None else None,
        )
        for entry in log.entries
    )
    options = {names.name(name): _renamed(names, value) for name, value in log.options.items()}
    return replace(log, entries=entries, options=options, result=None)


def _renamed(names: RenameMap, value: str) -> str:
    """The value of an option, which may be the values of a set."""
    return ",".join(map(names.word, value.split(",")))


def rewind(played: PlayedMatch, parting: Parting) -> PlayedMatch:
    """The match under the new rules, up to the step at which it parts from them.

    Raises `ErrorsReported` or `Fault` if it cannot even begin.
    """
    assert parting.rules is not None
    log = in_new_words(played.read_log(), compare(played.rules, parting.rules))
    game = compiled(parting.rules, log.seats, log.options)
    match = rewound(game, log, max(0, parting.step - 1))
    return PlayedMatch(parting.rules, game, match, log.options)
