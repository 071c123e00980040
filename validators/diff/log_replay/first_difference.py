"""The first difference between two replays of one log, and its cause."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from typing import Literal

from interpreter import ir
from interpreter.game import Decision
from interpreter.messages import Fault
from validators.diff.log_replay.attribution import NO_CAUSE, Attribution, Cause, Version
from validators.diff.log_replay.canonical_names import CanonicalNames
from validators.diff.log_replay.formatting import address, event_words, lying
from validators.diff.log_replay.log_player import Replay, Snapshot, refusal
from validators.diff.names import Form

About = Literal["events", "table", "decisions", "offers", "account"]


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """What differs after a step, in the words of both versions, and the cause.

    `what` is the address that differs, or the seat with other options. `why` is the reason of a refusal.
    """

    step: int
    about: About
    what: str
    old: str
    new: str
    why: str = ""
    cause: Cause = NO_CAUSE


class ReplayComparison:
    """Compares two replays of the same log, step by step."""

    def __init__(self, old: Replay, new: Replay, attribution: Attribution) -> None:
        self.old, self.new, self.attribution = old, new, attribution
        self.same_layout = old.canonical.layout == new.canonical.layout

    def first(self) -> FirstDifference | None:
        """The first difference that somebody could see."""
        for number, (a, b) in enumerate(zip(self.old.snapshots, self.new.snapshots, strict=False)):
            difference = self._compare(number, a, b)
            if difference is not None:
                return difference
        return None

    def _compare(self, number: int, a: Snapshot, b: Snapshot) -> FirstDifference | None:
        for compare in (self._events, self._table, self._offers, self._account):
            difference = compare(number, a, b)
            if difference is not None:
                return difference
        return None

    # ---- events

    def _events(self, number: int, a: Snapshot, b: Snapshot) -> FirstDifference | None:
        x = [self.old.canonical.event(e) for e in a.step.events]
        y = [self.new.canonical.event(e) for e in b.step.events]
        if x == y:
            return None
        at = next((i for i, (p, q) in enumerate(zip(x, y, strict=False)) if p != q), min(len(x), len(y)))
        old, new = (event_words(z[at]) if at < len(z) else "" for z in (x, y))
        cause = self._run(a, b) or self._emitting(a, b, at) or NO_CAUSE
        return FirstDifference(number, "events", "", old, new, "", cause)

    def _emitting(self, a: Snapshot, b: Snapshot, at: int) -> Cause | None:
        """The line of the first different event; preferably one with a change behind it."""
        causes: list[Cause] = []
        nearby: list[Cause] = []
        for version, played, snapshot in self._both(a, b):
            running = [node for node, before in snapshot.trail if before <= at]
            if at < len(snapshot.step.events) and running:
                node = played.canonical.machine.nodes[running[-1]]
                causes.append(self.attribution.cause(version, node))
                nearby.append(replace(causes[-1], changes=self.attribution.around(version, node.span)))
        ranked = (*_attributed(causes), *self._touching(a, b), *_attributed(nearby), *causes)
        return next(iter(ranked), None)

    def _both(self, a: Snapshot, b: Snapshot) -> tuple[tuple[Version, Replay, Snapshot], ...]:
        return ("new", self.new, b), ("old", self.old, a)

    def _run(self, a: Snapshot, b: Snapshot) -> Cause | None:
        """The first line run in this step, or waiting after it, that only one version has."""
        for version, played, snapshot in self._both(a, b):
            for node in _nodes(played, snapshot):
                if self.attribution.is_edited(version, node.span):
                    return self.attribution.cause(version, node)
        return None

    def _touching(self, a: Snapshot, b: Snapshot) -> list[Cause]:
        """The lines run in this step that read something changed; changed phases that begin."""
        causes = []
        for version, played, snapshot in self._both(a, b):
            nodes = _nodes(played, snapshot)
            causes += [
                self.attribution.cause(version, node)
                for node in nodes
                if self.attribution.line(version, node.span)
            ]
        for _, played, snapshot in self._both(a, b):
            if self.attribution.phases() and any(
                isinstance(n, ir.EnterPhase) for n in _nodes(played, snapshot)
            ):
                causes.append(Cause("", (), self.attribution.phases()))
        return causes

    def behind(self, cause: Cause, difference: FirstDifference | None) -> Cause:
        """The cause of an impossible step: if there is no change behind its line, an earlier cause."""
        if cause.changes:
            return cause
        number = min(len(self.old.snapshots), len(self.new.snapshots)) - 1
        a, b = self.old.snapshots[number], self.new.snapshots[number]
        earlier = [
            self._run(a, b),
            difference.cause if difference is not None else None,
            *self._touching(a, b),
        ]
        nearest = next((one for one in earlier if one is not None and one.changes), None)
        return replace(cause, changes=nearest.changes) if nearest is not None else cause

    # ---- the table

    def _table(self, number: int, a: Snapshot, b: Snapshot) -> FirstDifference | None:
        if self._same_words(a, b):
            return None
        x, y = self.old.canonical.table(a.state), self.new.canonical.table(b.state)
        if x == y:
            return None
        key = next(k for k in dict.fromkeys((*y, *x)) if x.get(k) != y.get(k))
        cause = self._run(a, b) or self._declared(key) or NO_CAUSE
        return FirstDifference(number, "table", address(key), lying(x.get(key)), lying(y.get(key)), "", cause)

    def _same_words(self, a: Snapshot, b: Snapshot) -> bool:
        """Whether the tables are equal word by word: then they need not be decoded."""
        if not self.same_layout or a.state[ir.STATUS] or b.state[ir.STATUS]:
            return False
        return self.old.canonical.shared(a.state) == self.new.canonical.shared(b.state)

    def _declared(self, key: Form) -> Cause | None:
        """The declaration of a zone, counter, mark or pointer."""
        if not isinstance(key, tuple):
            return Cause("", (), self.attribution.result() if key == "winners" else ())
        name = f"{key[0]}"
        for canonical in (self.new.canonical, self.old.canonical):
            var, zone = canonical.var(name), canonical.rules.zones.get(name)
            if var is not None:
                held = (zone.component,) if zone is not None else ()
                return Cause(var.span.place, var.clauses, self.attribution.named(name, *held))
        return None

    # ---- decisions and options

    def _offers(self, number: int, a: Snapshot, b: Snapshot) -> FirstDifference | None:
        """Who has to choose, and from what. The version that refuses an option explains why."""
        x, y = _offered(self.old.canonical, a), _offered(self.new.canonical, b)
        if x.keys() != y.keys():
            cause = self._run(a, b) or next(iter(self._touching(a, b)), NO_CAUSE)
            return FirstDifference(number, "decisions", "", _asked(a), _asked(b), "", cause)
        seat = next((seat for seat in x if x[seat].keys() != y[seat].keys()), None)
        if seat is None:
            return None
        gone = [words for key, words in x[seat].items() if key not in y[seat]]
        come = [words for key, words in y[seat].items() if key not in x[seat]]
        why, cause = self._refused(a, b, seat, gone, come)
        return FirstDifference(number, "offers", seat, _listed(gone), _listed(come), why, cause)

    def _refused(
        self, a: Snapshot, b: Snapshot, seat: str, gone: list[str], come: list[str]
    ) -> tuple[str, Cause]:
        """Why one version does not offer something; no reason if it never offers it at that decision."""
        version, played, snapshot = self._both(a, b)[0 if gone else 1]
        decision = _decision(played.canonical, snapshot, seat)
        words = (gone or come)[0]
        if _may_offer(played.canonical, decision, words):
            reason = refusal(played.canonical, snapshot.state, decision, words)
            cause = self.attribution.stop_cause(version, reason)
            before = next((c for c in (self._run(a, b), *self._touching(a, b)) if c is not None), cause)
            return reason.why, cause if cause.changes else replace(cause, changes=before.changes)
        here = _decision(self.new.canonical, b, seat)
        return "", self.attribution.cause("new", self.new.canonical.machine.nodes[here.waiting.node])

    # ---- the account

    def _account(self, number: int, a: Snapshot, b: Snapshot) -> FirstDifference | None:
        x, y = _scores(self.old.canonical, a.state), _scores(self.new.canonical, b.state)
        if x == y:
            return None
        key = next(k for k in dict.fromkeys((*y, *x)) if x.get(k) != y.get(k))
        cause = self._line_of_account(key[1]) or NO_CAUSE
        old, new = (str(z.get(key, "nothing")) for z in (x, y))
        return FirstDifference(number, "account", f"{key[1]} of {key[0]}", old, new, "", cause)

    def _line_of_account(self, name: str) -> Cause | None:
        versions: tuple[tuple[Version, Replay], ...] = (("new", self.new), ("old", self.old))
        for version, played in versions:
            for code in played.canonical.machine.scores:
                if _called(played.canonical, code) == name:
                    return Cause(code.span.place, code.clauses, self.attribution.line(version, code.span))
        return None


def _called(canonical: CanonicalNames, code: ir.ScoreCode) -> str:
    return canonical.names.name(f"{code.kind}:{code.name}").partition(":")[2]


def _attributed(causes: list[Cause]) -> list[Cause]:
    return [cause for cause in causes if cause.changes]


def _nodes(played: Replay, snapshot: Snapshot) -> list[ir.Step]:
    """The nodes run in a step, and those waiting after it."""
    nodes = played.canonical.machine.nodes
    return [nodes[n] for n, _ in snapshot.trail] + [nodes[d.waiting.node] for d in snapshot.decisions]


def _decision(canonical: CanonicalNames, snapshot: Snapshot, seat: str) -> Decision:
    return next(d for d in snapshot.decisions if canonical.seat(d.waiting.seat) == seat)


def _may_offer(canonical: CanonicalNames, decision: Decision, words: str) -> bool:
    """Whether a decision may offer such a choice at all."""
    node = canonical.machine.nodes[decision.waiting.node]
    offered = [canonical.machine.routines[doing[0]].name for doing in decision.waiting.what if doing]
    return isinstance(node, ir.Decide) or words.partition(" ")[0] in offered


def _offered(canonical: CanonicalNames, snapshot: Snapshot) -> dict[str, dict[Form, str]]:
    """For each seat that has to choose, the options with their words."""
    return {
        canonical.seat(d.waiting.seat): {canonical.option(d.waiting, c.option): c.text for c in d.choices}
        for d in snapshot.decisions
    }


def _asked(snapshot: Snapshot) -> str:
    return " and ".join(f"{d.seat} has to choose" for d in snapshot.decisions) or "nobody has to choose"


def _listed(words: list[str]) -> str:
    return ", ".join(f"`{w}`" for w in words)


def _scores(canonical: CanonicalNames, s: array[int]) -> dict[tuple[str, str], int]:
    """Every line of every seat's current score sheet that can be evaluated."""
    values: dict[tuple[str, str], int] = {}
    for seat in range(canonical.machine.seats):
        try:
            lines = canonical.game.executor.score(s, seat)
        except Fault:
            continue
        for code, value in lines:
            values[canonical.seat(seat), _called(canonical, code)] = value
    return values
