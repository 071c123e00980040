"""Two courses of one log, moment by moment: the first thing in which they differ, and why."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from typing import Literal

from interpreter import machine as m
from interpreter.match import Decision
from interpreter.messages import Fault
from validators.diff.courses.blame import NO_CAUSE, Blame, Cause, Version
from validators.diff.courses.guided import Course, Moment, refusal
from validators.diff.courses.lens import Lens
from validators.diff.courses.telling import address, event_words, lying
from validators.diff.names import Form

About = Literal["events", "table", "decisions", "offers", "account"]


@dataclass(frozen=True, slots=True)
class Parting:
    """What differs after a step, said for both versions; and what makes it so.

    `what` is the address that differs, or the seat that is offered something else. `why` is the reason why
    something is not offered.
    """

    step: int
    about: About
    what: str
    old: str
    new: str
    why: str = ""
    cause: Cause = NO_CAUSE


class Comparing:
    """Compares two courses of the same log, as far as they go together."""

    def __init__(self, old: Course, new: Course, blame: Blame) -> None:
        self.old, self.new, self.blame = old, new, blame
        self.alike = old.lens.layout == new.lens.layout

    def first(self) -> Parting | None:
        """The first difference that somebody could see."""
        for number, (a, b) in enumerate(zip(self.old.moments, self.new.moments, strict=False)):
            found = self._moment(number, a, b)
            if found is not None:
                return found
        return None

    def _moment(self, number: int, a: Moment, b: Moment) -> Parting | None:
        for compare in (self._events, self._table, self._offers, self._account):
            found = compare(number, a, b)
            if found is not None:
                return found
        return None

    # ---- what happened

    def _events(self, number: int, a: Moment, b: Moment) -> Parting | None:
        x = [self.old.lens.event(e) for e in a.step.events]
        y = [self.new.lens.event(e) for e in b.step.events]
        if x == y:
            return None
        at = next((i for i, (p, q) in enumerate(zip(x, y, strict=False)) if p != q), min(len(x), len(y)))
        old, new = (event_words(z[at]) if at < len(z) else "" for z in (x, y))
        cause = self._run(a, b) or self._emitting(a, b, at) or NO_CAUSE
        return Parting(number, "events", "", old, new, "", cause)

    def _emitting(self, a: Moment, b: Moment, at: int) -> Cause | None:
        """The line by which the differing event came; rather one that is about a change."""
        found: list[Cause] = []
        near: list[Cause] = []
        for version, course, moment in self._both(a, b):
            running = [node for node, before in moment.trail if before <= at]
            if at < len(moment.step.events) and running:
                node = course.lens.machine.nodes[running[-1]]
                found.append(self.blame.cause(version, node))
                near.append(replace(found[-1], changes=self.blame.around(version, node.span)))
        ranked = (*_blamed(found), *self._touching(a, b), *_blamed(near), *found)
        return next(iter(ranked), None)

    def _both(self, a: Moment, b: Moment) -> tuple[tuple[Version, Course, Moment], ...]:
        return ("new", self.new, b), ("old", self.old, a)

    def _run(self, a: Moment, b: Moment) -> Cause | None:
        """The first line that was run in this step, or waits after it, and that only one version has."""
        for version, course, moment in self._both(a, b):
            for node in _nodes(course, moment):
                if self.blame.is_edited(version, node.span):
                    return self.blame.cause(version, node)
        return None

    def _touching(self, a: Moment, b: Moment) -> list[Cause]:
        """The lines that were run in this step and read something that has changed; phases that have."""
        found = []
        for version, course, moment in self._both(a, b):
            nodes = _nodes(course, moment)
            found += [
                self.blame.cause(version, node) for node in nodes if self.blame.line(version, node.span)
            ]
        for _, course, moment in self._both(a, b):
            if self.blame.phases() and any(isinstance(n, m.EnterPhase) for n in _nodes(course, moment)):
                found.append(Cause("", (), self.blame.phases()))
        return found

    def behind(self, cause: Cause, parting: Parting | None) -> Cause:
        """The cause of a step that cannot be: if the line itself shows no change, one that came before."""
        if cause.changes:
            return cause
        number = min(len(self.old.moments), len(self.new.moments)) - 1
        a, b = self.old.moments[number], self.new.moments[number]
        earlier = [self._run(a, b), parting.cause if parting is not None else None, *self._touching(a, b)]
        found = next((one for one in earlier if one is not None and one.changes), None)
        return replace(cause, changes=found.changes) if found is not None else cause

    # ---- what lies there

    def _table(self, number: int, a: Moment, b: Moment) -> Parting | None:
        if self._same_words(a, b):
            return None
        x, y = self.old.lens.table(a.state), self.new.lens.table(b.state)
        if x == y:
            return None
        key = next(k for k in dict.fromkeys((*y, *x)) if x.get(k) != y.get(k))
        cause = self._run(a, b) or self._declared(key) or NO_CAUSE
        return Parting(number, "table", address(key), lying(x.get(key)), lying(y.get(key)), "", cause)

    def _same_words(self, a: Moment, b: Moment) -> bool:
        """Whether the tables are the same word by word, which saves reading them."""
        if not self.alike or a.state[m.STATUS] or b.state[m.STATUS]:
            return False
        return self.old.lens.shared(a.state) == self.new.lens.shared(b.state)

    def _declared(self, key: Form) -> Cause | None:
        """The declaration of a zone, counter, mark or pointer."""
        if not isinstance(key, tuple):
            return Cause("", (), self.blame.result() if key == "winners" else ())
        name = f"{key[0]}"
        for lens in (self.new.lens, self.old.lens):
            store, zone = lens.store(name), lens.rules.zones.get(name)
            if store is not None:
                held = (zone.component,) if zone is not None else ()
                return Cause(store.span.place, store.clauses, self.blame.named(name, *held))
        return None

    # ---- what is offered

    def _offers(self, number: int, a: Moment, b: Moment) -> Parting | None:
        """Who has to choose, and what of. What only one of them offers is explained by the other one."""
        x, y = _offered(self.old.lens, a), _offered(self.new.lens, b)
        if x.keys() != y.keys():
            cause = self._run(a, b) or next(iter(self._touching(a, b)), NO_CAUSE)
            return Parting(number, "decisions", "", _asked(a), _asked(b), "", cause)
        seat = next((seat for seat in x if x[seat].keys() != y[seat].keys()), None)
        if seat is None:
            return None
        gone = [words for key, words in x[seat].items() if key not in y[seat]]
        come = [words for key, words in y[seat].items() if key not in x[seat]]
        why, cause = self._refused(a, b, seat, gone, come)
        return Parting(number, "offers", seat, _listed(gone), _listed(come), why, cause)

    def _refused(
        self, a: Moment, b: Moment, seat: str, gone: list[str], come: list[str]
    ) -> tuple[str, Cause]:
        """Why one version does not offer something; no reason if it does not even know of it there."""
        version, course, moment = self._both(a, b)[0 if gone else 1]
        decision = _decision(course.lens, moment, seat)
        words = (gone or come)[0]
        if _speaks_of(course.lens, decision, words):
            halt = refusal(course.lens, moment.state, decision, words)
            cause = self.blame.halted(version, halt)
            before = next((c for c in (self._run(a, b), *self._touching(a, b)) if c is not None), cause)
            return halt.why, cause if cause.changes else replace(cause, changes=before.changes)
        here = _decision(self.new.lens, b, seat)
        return "", self.blame.cause("new", self.new.lens.machine.nodes[here.waiting.node])

    # ---- the account

    def _account(self, number: int, a: Moment, b: Moment) -> Parting | None:
        x, y = _scores(self.old.lens, a.state), _scores(self.new.lens, b.state)
        if x == y:
            return None
        key = next(k for k in dict.fromkeys((*y, *x)) if x.get(k) != y.get(k))
        cause = self._line_of_account(key[1]) or NO_CAUSE
        old, new = (str(z.get(key, "nothing")) for z in (x, y))
        return Parting(number, "account", f"{key[1]} of {key[0]}", old, new, "", cause)

    def _line_of_account(self, name: str) -> Cause | None:
        versions: tuple[tuple[Version, Course], ...] = (("new", self.new), ("old", self.old))
        for version, course in versions:
            for code in course.lens.machine.scores:
                if _called(course.lens, code) == name:
                    return Cause(code.span.place, code.clauses, self.blame.line(version, code.span))
        return None


def _called(lens: Lens, code: m.ScoreCode) -> str:
    return lens.names.name(f"{code.kind}:{code.name}").partition(":")[2]


def _blamed(causes: list[Cause]) -> list[Cause]:
    return [cause for cause in causes if cause.changes]


def _nodes(course: Course, moment: Moment) -> list[m.Step]:
    """What was run in a step, and what waits after it."""
    nodes = course.lens.machine.nodes
    return [nodes[n] for n, _ in moment.trail] + [nodes[d.waiting.node] for d in moment.decisions]


def _decision(lens: Lens, moment: Moment, seat: str) -> Decision:
    return next(d for d in moment.decisions if lens.seat(d.waiting.seat) == seat)


def _speaks_of(lens: Lens, decision: Decision, words: str) -> bool:
    """Whether a decision offers such a thing at all, now or at another time."""
    node = lens.machine.nodes[decision.waiting.node]
    offered = [lens.machine.routines[doing[0]].name for doing in decision.waiting.what if doing]
    return isinstance(node, m.Decide) or words.partition(" ")[0] in offered


def _offered(lens: Lens, moment: Moment) -> dict[str, dict[Form, str]]:
    """For each seat that has to choose: what is offered, with its words."""
    return {
        lens.seat(d.waiting.seat): {lens.option(d.waiting, c.option): c.text for c in d.choices}
        for d in moment.decisions
    }


def _asked(moment: Moment) -> str:
    return " and ".join(f"{d.seat} has to choose" for d in moment.decisions) or "nobody has to choose"


def _listed(words: list[str]) -> str:
    return ", ".join(f"`{w}`" for w in words)


def _scores(lens: Lens, s: array[int]) -> dict[tuple[str, str], int]:
    """Every line of every seat's account as it stands, as far as it can be said."""
    found: dict[tuple[str, str], int] = {}
    for seat in range(lens.machine.seats):
        try:
            lines = lens.game.executor.score(s, seat)
        except Fault:
            continue
        for code, value in lines:
            found[lens.seat(seat), _called(lens, code)] = value
    return found
