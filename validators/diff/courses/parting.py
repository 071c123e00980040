"""Two courses of one log, moment by moment: the first thing in which they differ, and why."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dsl.source import Span
from interpreter import machine as m
from interpreter.events import Event
from interpreter.match import Decision
from interpreter.messages import Fault
from interpreter.views import REFEREE
from validators.diff.changes import Edit
from validators.diff.courses.guided import Course, Moment
from validators.diff.courses.lens import Lens
from validators.diff.names import Form

Place = tuple[str, int]
"""The file and line of something."""


@dataclass(frozen=True, slots=True)
class Parting:
    """What differs after a step, said for both versions; and the line that makes it so, with its clauses."""

    step: int
    about: str
    old: str
    new: str
    why: str
    place: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Changed:
    """The lines that the two versions do not share, by file and line."""

    old: frozenset[Place]
    new: frozenset[Place]

    @classmethod
    def of(cls, edits: Sequence[Edit]) -> Changed:
        found = {sign: frozenset(_line(e.span) for e in edits if e.sign == sign) for sign in "-+"}
        return cls(found["-"], found["+"])


def _line(span: Span) -> Place:
    return span.source.name, span.source.position(span.start)[0]


class Comparing:
    """Compares two courses of the same log; `old` and `new` are as far as they go together."""

    def __init__(self, old: Course, new: Course, changed: Changed) -> None:
        self.old, self.new, self.changed = old, new, changed
        self.alike = old.lens.layout == new.lens.layout

    def first(self) -> Parting | None:
        """The first difference that somebody could see."""
        for number, (a, b) in enumerate(zip(self.old.moments, self.new.moments, strict=False)):
            found = self._moment(a, b)
            if found is not None:
                about, old, new, why, cause = found
                place, clauses = cause if why else self._cause(a, b) or cause
                return Parting(number, about, old, new, why, place, clauses)
        return None

    def _moment(self, a: Moment, b: Moment) -> Found | None:
        return self._events(a, b) or self._table(a, b) or self._offers(a, b) or self._account(a, b)

    # ---- what happened

    def _events(self, a: Moment, b: Moment) -> Found | None:
        x = [self.old.lens.event(e) for e in a.step.events]
        y = [self.new.lens.event(e) for e in b.step.events]
        if x == y:
            return None
        at = next((i for i, (p, q) in enumerate(zip(x, y, strict=False)) if p != q), min(len(x), len(y)))
        old, new = (_told(c.lens, w, at) for c, w in ((self.old, a), (self.new, b)))
        cause = _emitter(self.new.lens, b, at) or _emitter(self.old.lens, a, at) or NOWHERE
        return "events", old, new, "", cause

    # ---- what lies there

    def _table(self, a: Moment, b: Moment) -> Found | None:
        if self._same_words(a, b):
            return None
        x, y = self.old.lens.table(a.state), self.new.lens.table(b.state)
        if x == y:
            return None
        key = next(k for k in dict.fromkeys((*y, *x)) if x.get(k) != y.get(k))
        cause = _declared(self.new.lens, key) or _declared(self.old.lens, key) or NOWHERE
        return _address(key), _said(x.get(key)), _said(y.get(key)), "", cause

    def _same_words(self, a: Moment, b: Moment) -> bool:
        """Whether the tables are the same word by word, which saves reading them."""
        if not self.alike or a.state[m.STATUS] or b.state[m.STATUS]:
            return False
        return self.old.lens.shared(a.state) == self.new.lens.shared(b.state)

    # ---- what is offered

    def _offers(self, a: Moment, b: Moment) -> Found | None:
        """Who has to choose, and what of. What only one of them offers is explained by the other one."""
        x, y = _offered(self.old.lens, a), _offered(self.new.lens, b)
        if x.keys() != y.keys():
            return "decisions", _asked(a), _asked(b), "", NOWHERE
        seat = next((seat for seat in x if x[seat].keys() != y[seat].keys()), None)
        if seat is None:
            return None
        gone = [words for key, words in x[seat].items() if key not in y[seat]]
        come = [words for key, words in y[seat].items() if key not in x[seat]]
        lens, moment = (self.new.lens, b) if gone else (self.old.lens, a)
        why, cause = _refusal(lens, moment, seat, (gone or come)[0])
        return f"offers to {seat}", _listed(gone), _listed(come), why, cause

    # ---- the account

    def _account(self, a: Moment, b: Moment) -> Found | None:
        x, y = _scores(self.old.lens, a.state), _scores(self.new.lens, b.state)
        if x == y:
            return None
        key = next(k for k in dict.fromkeys((*y, *x)) if x.get(k) != y.get(k))
        cited = next((c.clauses for c in self.new.lens.machine.scores if c.name == key[1]), ())
        old, new = (str(z.get(key, "nothing")) for z in (x, y))
        return f"{key[1]} of {key[0]}", old, new, "", ("", cited)

    # ---- why

    def _cause(self, a: Moment, b: Moment) -> Cause | None:
        """The first line of this step that the other version does not have."""
        for course, moment, lines in ((self.new, b, self.changed.new), (self.old, a, self.changed.old)):
            for number, _ in moment.trail:
                node = course.lens.machine.nodes[number]
                if _line(node.span) in lines:
                    return node.span.place, node.clauses
        return None


Cause = tuple[str, tuple[str, ...]]
Found = tuple[str, str, str, str, Cause]
"""What it is about, how it was and is, why, and the line that is the cause."""
NOWHERE: Cause = ("", ())


def _declared(lens: Lens, key: Form) -> Cause | None:
    """The declaration of a zone, counter, mark or pointer."""
    name, rules = key[0] if isinstance(key, tuple) else None, lens.rules
    stores = [zone.store for zone in rules.zones.values()]
    stores += [counter.store for counter in rules.counters.values()]
    stores += [mark.store for mark in rules.marks.values()]
    stores += [pointer.store for pointer in rules.pointers.values()]
    found = next((s for s in stores if lens.names.name(s.name) == name), None)
    return (found.span.place, found.clauses) if found is not None else None


def _told(lens: Lens, moment: Moment, at: int) -> str:
    """An event in words; nothing if there are not so many."""
    events: tuple[Event, ...] = moment.step.events
    if at >= len(events):
        return "nothing"
    return lens.game.views.text(moment.state, events[at], REFEREE) or "nothing"


def _emitter(lens: Lens, moment: Moment, at: int) -> Cause | None:
    """The line by which the event of that number came."""
    if at >= len(moment.step.events):
        return None
    running = [number for number, before in moment.trail if before <= at]
    node: m.Step | None = lens.machine.nodes[running[-1]] if running else None
    return (node.span.place, node.clauses) if node is not None else None


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


def _refusal(lens: Lens, moment: Moment, seat: str, words: str) -> tuple[str, Cause]:
    decision: Decision = next(d for d in moment.decisions if lens.seat(d.waiting.seat) == seat)
    reference = lens.game.reference
    reference.failure = None
    why, _ = lens.game.refusals.why(moment.state[:], decision.waiting, words)
    reason, _, cited = why.partition("  §")
    node = lens.machine.nodes[decision.waiting.node]
    place = (reference.failure[0] if reference.failure is not None else node).span.place
    return reason, (place, tuple(f"§{cited}".split()) if cited else decision.clauses)


def _scores(lens: Lens, s: array[int]) -> dict[tuple[str, str], int]:
    """Every line of every seat's account as it stands, as far as it can be said."""
    found: dict[tuple[str, str], int] = {}
    for seat in range(lens.machine.seats):
        try:
            lines = lens.game.executor.score(s, seat)
        except Fault:
            continue
        for code, value in lines:
            name = lens.names.name(f"{code.kind}:{code.name}").partition(":")[2]
            found[lens.seat(seat), name] = value
    return found


def _address(key: Form) -> str:
    if not isinstance(key, tuple):
        return f"{key}"
    name, of, at = key
    return " ".join(part for part in (f"{name}", of and f"of {of}", at and f"at {at}") if part)


def _said(value: Form) -> str:
    """What lies on a place, or a number, in words."""
    if value is None:
        return "nothing"
    if not isinstance(value, tuple):
        return str(value).lower()
    if len(value) == 4 and isinstance(value[0], tuple):
        return _lying(*value)
    return " ".join(map(str, _flat(value)))


def _lying(seen: Form, counted: Form, lying: Form, number: Form) -> str:
    assert isinstance(seen, tuple)
    if not seen:
        return f"{number} unseen" if counted else "unknown"
    what = ", ".join(map(str, lying)) if isinstance(lying, tuple) else str(lying)
    watchers = "all" if "spectators" in seen else " and ".join(map(str, seen))
    return f"{what}, seen by {watchers}"


def _flat(value: Form) -> Iterator[Form]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value
