"""The replay of a log under one version: the recorded choices are made, with the recorded outcomes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from dsl.source import Span
from interpreter import ir
from interpreter.events import Event
from interpreter.executor_protocol import PASS
from interpreter.formatting import fitting, outcome_name
from interpreter.game import Choice, Decision, MatchStep
from interpreter.log import Log, LogEntry
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.opening import Opening
from validators.diff.log_replay.canonical_names import CanonicalNames
from validators.diff.log_replay.trail import Trail, trailing
from validators.diff.names import Form


@dataclass(frozen=True, slots=True)
class StepKey:
    """A step of a log in the names of the new version: who chose what, or which stream had which outcome.

    `home` is the definition in which a choice was made; it was `forced` if a pass was the only option.
    """

    seat: str | None
    stream: str | None
    what: Form
    home: str = ""
    forced: bool = False


@dataclass
class Snapshot:
    """A step that was played, the state after it, and the decisions waiting there."""

    step: MatchStep
    state: array[int]
    trail: tuple[tuple[int, int], ...]
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class StopReason:
    """Why a replay cannot continue: a recorded choice or outcome is not possible, or play fails.

    `span` is the line that refuses it, if there is one, and `clauses` those that it cites. `begun`: play
    fails in the middle of the step.
    """

    why: str
    help: str = ""
    clauses: tuple[str, ...] = ()
    span: Span | None = None
    begun: bool = False


@dataclass
class Replay:
    """A log played under one version. Snapshot 0 is the start; `stopped` is why it is incomplete."""

    canonical: CanonicalNames
    snapshots: list[Snapshot] = field(default_factory=list)
    keys: list[StepKey] = field(default_factory=list)
    stopped: StopReason | None = None

    @property
    def steps(self) -> int:
        return len(self.snapshots) - 1


class ReplayMismatch(Exception):
    """The log has something else than the version needs next."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason.why)
        self.reason = reason


class LogExhausted(Exception):
    """The log ends where the version needs an outcome of chance."""


@dataclass
class ReplayMatch(Match):
    """A match with the random outcomes of a log. It keeps every step, even if a later one fails."""

    draw_next: Callable[[ir.Chance, array[int]], tuple[int, str]] = field(kw_only=True)
    trail: Trail = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)

    def draw(self) -> tuple[int, MatchStep]:
        node = self.game.machine.node(self.state[ir.PC], ir.Chance)
        outcome, text = self.draw_next(node, self.state)
        return outcome, self.drawn(node, text)

    def _note(self, step: MatchStep, events: list[Event]) -> None:
        super()._note(step, events)
        self.snapshots.append(Snapshot(self.steps[-1], self.state[:], tuple(self.trail)))
        self.trail.clear()


class LogPlayer:
    """Plays one match by a log.

    `keys` are the steps as another version has played them; further steps are found by their words.
    """

    def __init__(
        self,
        canonical: CanonicalNames,
        log: Log,
        keys: Sequence[StepKey] = (),
        other: CanonicalNames | None = None,
    ) -> None:
        self.canonical, self.log, self.given = canonical, log, keys
        own, others = canonical.homes, other.homes if other is not None else canonical.homes
        self.unshared = own ^ others
        self.match = ReplayMatch(
            canonical.game,
            log.seed,
            keep_history=False,
            opening=_renamed(log.opening, other),
            draw_next=self._draw,
        )
        self.at = 0
        self.played = Replay(canonical)

    def play(self) -> Replay:
        """Plays as far as the log allows."""
        match = self.match
        self.played.snapshots = match.snapshots
        try:
            with trailing(self.canonical.game.reference) as match.trail:
                self._play(match)
        except LogExhausted:
            pass
        except ReplayMismatch as mismatch:
            self.played.stopped = mismatch.reason
        except Fault as fault:
            self.played.stopped = _failed(fault, self.canonical.machine)
        return self.played

    def _play(self, match: ReplayMatch) -> None:
        match.start()
        while True:
            match.snapshots[-1].decisions = match.decisions()
            if self.at >= len(self.log.entries):
                return
            found = self._decision(match)
            if found is None and self._skips_forced(match):
                continue
            decision, choice = self._chosen(match, found)
            self._keep(decision, choice)
            match.take(decision.waiting, choice.option)

    def _keep(self, decision: Decision, choice: Choice) -> None:
        seat, what = (
            self.canonical.seat(decision.waiting.seat),
            self.canonical.option(decision.waiting, choice.option),
        )
        home = self.canonical.home(decision.waiting.node)
        self.played.keys.append(StepKey(seat, None, what, home, _forced(decision)))
        self.at += 1

    def _key(self) -> StepKey | None:
        return self.given[self.at] if self.at < len(self.given) else None

    # ---- choices

    def _decision(self, match: ReplayMatch) -> Decision | None:
        """The waiting decision in which the recorded choice was made, if there is one."""
        entry, key = self.log.entries[self.at], self._key()
        if entry.seat is None:
            return None
        for decision in match.snapshots[-1].decisions:
            seat = self.canonical.seat(decision.waiting.seat)
            if key is None and decision.seat == entry.seat:
                return decision
            if key is not None and seat == key.seat and self._at_home(decision, key):
                return decision
        return None

    def _at_home(self, decision: Decision, key: StepKey) -> bool:
        """Whether a choice may have been made in a decision: in the same definition, or in one that only one
        version has."""
        home = self.canonical.home(decision.waiting.node)
        return home == key.home or not self.unshared.isdisjoint({home, key.home})

    def _skips_forced(self, match: ReplayMatch) -> bool:
        """Skips a forced step of the log, or takes a forced decision that the log lacks, if there is one."""
        key = self._key()
        if key is not None and key.forced:
            self._skip(match)
            return True
        forced = next((d for d in match.snapshots[-1].decisions if _forced(d)), None)
        if key is None or forced is None:
            return False
        before = len(match.snapshots) - 1
        match.take(forced.waiting, forced.choices[0].option)
        match.snapshots[before:] = [_merged(match.snapshots[before:])]
        return True

    def _skip(self, match: ReplayMatch) -> None:
        """Skips a step of the log that this version does not need."""
        key = self._key()
        assert key is not None
        self.played.keys.append(key)
        self.at += 1
        last = match.snapshots[-1]
        match.snapshots.append(Snapshot(replace(last.step, events=()), last.state, (), last.decisions))

    def _chosen(self, match: ReplayMatch, decision: Decision | None) -> tuple[Decision, Choice]:
        """The recorded choice. Raises `ReplayMismatch` if it is not offered."""
        entry, key = self.log.entries[self.at], self._key()
        if decision is not None:
            return decision, self._choice(match, decision, entry, key)
        nodes, decisions = self.canonical.machine.nodes, match.snapshots[-1].decisions
        if match.over:
            trail = match.snapshots[-1].trail
            raise ReplayMismatch(_at(nodes[trail[-1][0]] if trail else None, "the match is over by now"))
        asked = " and ".join(f"{d.seat} ({d.name})" for d in decisions)
        here = nodes[decisions[0].waiting.node]
        if entry.seat is None:
            raise ReplayMismatch(_at(here, f"`{entry.stream}` brings nothing here: {asked} has to choose"))
        raise ReplayMismatch(_at(here, f"that is not what is asked here: {asked} has to choose"))

    def _choice(self, match: ReplayMatch, decision: Decision, entry: LogEntry, key: StepKey | None) -> Choice:
        text = entry.text if key is None else self._renamed(entry.text)
        told = match.game.decision(match.game.including(decision.waiting, text))
        waiting, choices = decision.waiting, told.choices if decision.ranges else decision.choices
        if key is None:
            found = fitting(entry.text, [c.words for c in choices])
        else:
            keys = [self.canonical.option(waiting, c.option) for c in choices]
            found = [i for i, other in enumerate(keys) if other == key.what]
        if len(found) == 1:
            return choices[found[0]]
        raise ReplayMismatch(refusal(self.canonical, match.state, decision, self._renamed(entry.text)))

    def _renamed(self, text: str) -> str:
        """The words of a choice in the new version."""
        return " ".join(self.canonical.side.names.word(word) for word in text.split())

    # ---- chance

    def _draw(self, node: ir.Chance, s: array[int]) -> tuple[int, str]:
        """The recorded outcome. Raises `ReplayMismatch` if it is not possible, or `LogExhausted`."""
        while (key := self._key()) is not None and key.forced:
            self._skip(self.match)
        if self.at >= len(self.log.entries):
            raise LogExhausted
        entry, key = self.log.entries[self.at], self._key()
        stream = self.canonical.machine.streams[node.stream]
        wanted = key.stream if key is not None else entry.stream
        if wanted not in (stream, self.canonical.stream(stream)):
            there = f"an outcome of `{entry.stream}`" if entry.stream else f"a choice of {entry.seat}"
            raise ReplayMismatch(_at(node, f"`{stream}` brings something here, where the log has {there}"))
        outcome = self._outcome(node, s, entry, key)
        self.played.keys.append(
            StepKey(None, self.canonical.stream(stream), self.canonical.outcome(node, outcome))
        )
        self.at += 1
        return outcome, outcome_name(node, outcome)

    def _outcome(self, node: ir.Chance, s: array[int], entry: LogEntry, key: StepKey | None) -> int:
        for outcome, _ in self.canonical.game.executor.outcomes(s):
            if key is not None and self.canonical.outcome(node, outcome) == key.what:
                return outcome
            if key is None and outcome_name(node, outcome) == entry.text:
                return outcome
        stream = self.canonical.machine.streams[node.stream]
        raise ReplayMismatch(_at(node, f"`{entry.text}` is not a possible outcome of `{stream}` here"))


def _forced(decision: Decision) -> bool:
    """Whether a pass is the only option."""
    return [choice.option for choice in decision.choices] == [PASS]


def _merged(snapshots: Sequence[Snapshot]) -> Snapshot:
    """Several steps as one step, as the other version has them."""
    first, *_, last = snapshots
    events = tuple(event for snapshot in snapshots for event in snapshot.step.events)
    return Snapshot(replace(first.step, events=events), last.state, (), last.decisions)


def refusal(canonical: CanonicalNames, s: array[int], decision: Decision, written: str) -> StopReason:
    """Why something is not offered, at the line that refuses it or else at the decision."""
    game = canonical.game
    game.reference.context.failure = None
    why, hint = game.refusals.why(s[:], decision.waiting, written)
    reason, _, cited = why.partition("  §")
    failed = game.reference.context.failure
    node = failed[0] if failed is not None else _asking(canonical, decision, written)
    return StopReason(reason, hint, tuple(f"§{cited}".split()) if cited else node.clauses, node.span)


def _asking(canonical: CanonicalNames, decision: Decision, written: str) -> ir.Step:
    """The node that a written choice answers: the first parameter of its action, or the decision."""
    name = written.partition(" ")[0]
    for doing in decision.waiting.what:
        if doing is not None and canonical.machine.routines[doing[0]].name == name:
            return canonical.game.names.parameter(doing) or canonical.machine.nodes[decision.waiting.node]
    return canonical.machine.nodes[decision.waiting.node]


def _at(node: ir.Step | None, why: str) -> StopReason:
    return StopReason(why, "", *((node.clauses, node.span) if node is not None else ()))


def _failed(fault: Fault, machine: ir.Machine) -> StopReason:
    """A fault of play, with the clauses of its line."""
    diagnostic = fault.diagnostic
    cited = (node.clauses for node in machine.nodes if node.span == diagnostic.span and node.clauses)
    why = f"play fails with {diagnostic.code}: {diagnostic.message}"
    return StopReason(why, diagnostic.help, next(cited, ()), diagnostic.span, begun=True)


def _renamed(opening: Opening | None, other: CanonicalNames | None) -> Opening | None:
    """The position that a match began from, in the names of the new version."""
    if opening is None or other is None:
        return opening

    def words(text: str) -> str:
        return " ".join(map(other.side.names.word, text.split()))

    values = tuple((words(address), tuple(map(words, names))) for address, names in opening.values)
    at = ".".join(map(words, opening.at.split("."))) if opening.at is not None else None
    return replace(opening, values=values, at=at)
