"""Verdicts on saved matches: whether a log is compatible with two versions of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from dsl.diagnostics import Diagnostic, ErrorsReported
from dsl.domains import EnumType, SetType
from dsl.messages import BadOption
from dsl.rules import Option, Rules
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.log import Log
from interpreter.messages import Fault
from interpreter.replay import replay
from validators.diff.compare import Comparison
from validators.diff.log_replay.attribution import NO_CAUSE, Attribution, Cause, Version
from validators.diff.log_replay.canonical_names import CanonicalNames
from validators.diff.log_replay.first_difference import FirstDifference, ReplayComparison
from validators.diff.log_replay.log_player import LogPlayer, Replay, StopReason
from validators.diff.messages import OtherGame, PlayedByNeither
from validators.diff.version_view import VersionView

VerdictKind = Literal["unaffected", "differs", "diverges", "incomparable"]
KINDS: tuple[VerdictKind, ...] = ("unaffected", "differs", "diverges", "incomparable")


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where one version cannot follow a log: the step (from 1; 0 is the set-up), the seat that made the
    choice or the stream of the outcome, the choice or outcome, and why it is not possible.
    """

    step: int
    version: Version
    seat: str
    stream: str
    choice: str
    why: str
    cause: Cause = NO_CAUSE


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for one log. `sealed` is the version under which it was written."""

    kind: VerdictKind
    steps: int = 0
    sealed: Literal["old", "new", "neither", ""] = ""
    parting: FirstDifference | None = None
    divergence: Divergence | None = None
    diagnostic: Diagnostic | None = None


class CompatChecker:
    """Checks logs under two versions. Machines are compiled once for each set-up."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.attribution = Attribution(comparison)
        self.canonical = cache(self._canonical)
        self.games: dict[tuple[str, int, tuple[tuple[str, str], ...]], Game] = {}

    def judge(self, log: Log) -> Verdict:
        """The verdict of a log."""
        sealed = self._sealed(log)
        try:
            self._check_game(log)
            return replace(self._verdict(log, sealed), steps=len(log.entries), sealed=sealed)
        except Fault as fault:
            return Verdict("incomparable", len(log.entries), sealed, diagnostic=fault.diagnostic)

    def _sealed(self, log: Log) -> Literal["old", "new", "neither"]:
        if log.digest == self.comparison.old.digest:
            return "old"
        return "new" if log.digest == self.comparison.new.digest else "neither"

    def _check_game(self, log: Log) -> None:
        """Raises `Fault` for a log of another game."""
        names = (self.comparison.old.name, self.comparison.new.name)
        if log.game not in names:
            raise Fault(OtherGame(log.span, log.game, names[1]))

    # ---- set-ups

    def _canonical(
        self, version: Version, seats: int, options: tuple[tuple[str, str], ...]
    ) -> CanonicalNames:
        """A version's machine for a set-up. Raises `ErrorsReported` if there is no such set-up."""
        new = version == "new"
        rules = self.comparison.new if new else self.comparison.old
        side = VersionView(rules) if new else VersionView(rules, self.comparison.names)
        return CanonicalNames(Game(rules, compile_rules(rules, seats, dict(options), whole=True)), side)

    def _options(self, version: str, log: Log, sealed: str) -> tuple[tuple[str, str], ...]:
        """The options of a log, in the names of a version."""
        written = "new" if sealed == "new" else "old"
        if version == written:
            return tuple(log.options.items())
        if written == "old":
            return tuple(_now(self.comparison, name, value) for name, value in log.options.items())
        return tuple(_then(self.comparison, name, value) for name, value in log.options.items())

    def _open(self, version: Version, log: Log, sealed: str) -> CanonicalNames | StopReason:
        """The machine with which a version plays a log, or why it cannot start. Raises `Fault`."""
        try:
            return self.canonical(version, log.seats, self._options(version, log, sealed))
        except ErrorsReported as stop:
            wrong = next((m for m in stop.report if isinstance(m, BadOption)), None)
            first = wrong or stop.report.first
            if wrong is None:
                raise Fault(first) from None
            return StopReason(wrong.message, wrong.help)

    # ---- verdicts

    def _verdict(self, log: Log, sealed: Literal["old", "new", "neither"]) -> Verdict:
        old, new = (self._open(version, log, sealed) for version in ("old", "new"))
        if isinstance(old, StopReason) and isinstance(new, StopReason):
            raise Fault(PlayedByNeither(log.span, 0, new.why))
        if isinstance(old, StopReason):
            return Verdict("diverges", divergence=_at_set_up("old", old))
        if isinstance(new, StopReason):
            return Verdict("diverges", divergence=_at_set_up("new", new))
        self._verify(log, sealed)
        return self._played(log, *_both(log, sealed, old, new))

    def _verify(self, log: Log, sealed: str) -> None:
        """Replays a log under the version that wrote it. Raises `Fault` if a state differs."""
        if sealed != "neither":
            rules = self.comparison.new if sealed == "new" else self.comparison.old
            key = (rules.digest, log.seats, tuple(log.options.items()))
            if key not in self.games:
                self.games[key] = Game(rules, compile_rules(rules, log.seats, log.options))
            replay(self.games[key], log)

    def _played(self, log: Log, old: Replay, new: Replay) -> Verdict:
        if old.stopped is not None and new.stopped is not None and old.steps == new.steps:
            raise Fault(PlayedByNeither(log.span, old.steps + 1, new.stopped.why))
        compared = ReplayComparison(old, new, self.attribution)
        parting = compared.first()
        first = _first_stopped(old, new)
        if first is None:
            return Verdict("unaffected" if parting is None else "differs", parting=parting)
        version, played = first
        found = self._divergence(log, version, played)
        cause = compared.behind(found.cause, parting) if old.snapshots and new.snapshots else found.cause
        return Verdict("diverges", parting=parting, divergence=replace(found, cause=cause))

    def _divergence(self, log: Log, version: Version, played: Replay) -> Divergence:
        reason = played.stopped
        assert reason is not None
        step = len(played.keys) - reason.begun
        entry = log.entries[step] if 0 <= step < len(log.entries) else None
        seat, stream, text = (entry.seat, entry.stream, entry.text) if entry is not None else (None, None, "")
        cause = self.attribution.stop_cause(version, reason)
        return Divergence(step + 1, version, seat or "", stream or "", text, reason.why, cause)


def _both(log: Log, sealed: str, old: CanonicalNames, new: CanonicalNames) -> tuple[Replay, Replay]:
    """The replays under both versions; the version of the log's words is played first."""
    first, second = (new, old) if sealed == "new" else (old, new)
    one = LogPlayer(first, log).play()
    other = LogPlayer(second, log, one.keys, first).play()
    return (other, one) if sealed == "new" else (one, other)


def _first_stopped(old: Replay, new: Replay) -> tuple[Version, Replay] | None:
    """The version that stops first, if one does."""
    if new.stopped is not None and (old.stopped is None or new.steps <= old.steps):
        return "new", new
    return ("old", old) if old.stopped is not None else None


def _at_set_up(version: Version, reason: StopReason) -> Divergence:
    return Divergence(0, version, "", "", "", reason.why)


# ---- names of options


def _now(comparison: Comparison, name: str, value: str) -> tuple[str, str]:
    """An option of the old version with its value, in the new one."""
    option = comparison.old.options.get(name)
    return comparison.names.name(name), _renamed(option, comparison.old, comparison.names.values, value)


def _then(comparison: Comparison, name: str, value: str) -> tuple[str, str]:
    option = comparison.new.options.get(name)
    before = {(owner, new): old for (owner, old), new in comparison.names.values.items()}
    earlier = next((old for old, new in comparison.names.names.items() if new == name), name)
    return earlier, _renamed(option, comparison.new, before, value)


def _renamed(option: Option | None, rules: Rules, names: Mapping[tuple[str, str], str], value: str) -> str:
    """The value of an option, in a set of which values of a type may have other names."""
    if option is None or not isinstance(option.type, SetType) or not isinstance(option.type.item, EnumType):
        return value
    kind = option.type.item.type
    owner = rules.types[kind].base or kind
    return ",".join(names.get((owner, member.strip()), member) for member in value.split(","))
