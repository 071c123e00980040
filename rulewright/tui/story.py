"""The story of a match: its news, redacted for each watcher."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import assert_never

from interpreter import ir
from interpreter.events import (
    EVERYBODY,
    Branched,
    Changed,
    Ended,
    Entered,
    Event,
    Moved,
    Shown,
    Shuffled,
    Thrown,
    Told,
    Turned,
)
from interpreter.game import Game, MatchStep
from interpreter.match import Match
from interpreter.redacted_log import LogPart, parts
from interpreter.views import REFEREE, SPECTATOR
from rulewright.tui.sheets import is_shown
from rulewright.tui.styles import with_counts

TURN = "turn"

Choice = tuple[int, MatchStep, str, str]
"""The seat that has chosen, the step, the label of the decision, and a note for the seat itself."""
NewsItem = tuple[str, str]
"""A topic and a text. Adjacent items with the same topic are joined."""


@dataclass(frozen=True, slots=True)
class StoryEntry:
    """A choice, or its consequences in another branch. `first` is the number of steps before the choice.

    `own` is the seat that chose, or the seat of the branch. `chosen`: it contains a choice. `simultaneous`:
    it happened in a branch, so that others hear of it only afterwards. `joins`: it follows the last branch.
    `passing`: it tells of pieces that everybody saw for a moment, or of a turn that passed unasked.
    """

    first: int
    own: int | None
    chosen: bool
    simultaneous: bool
    joins: bool
    news: dict[int, tuple[str, ...]]
    passing: bool = False


class Story:
    """The news of a match for each watcher, and which of it each has read."""

    def __init__(self, match: Match, people: Sequence[int]) -> None:
        self.match = match
        self.watchers = (*people, SPECTATOR, REFEREE)
        self.entries: list[StoryEntry] = []
        self._delivered: dict[int, set[int]] = {who: set() for who in self.watchers}
        self._gone: dict[int, bool] = {}
        self._record_history()

    @property
    def game(self) -> Game:
        return self.match.game

    # ---- recording

    def _record_history(self) -> None:
        """Records the start, and the choices so far if the match was resumed."""
        stops = [*self.match.history, (self.match.state, len(self.match.steps))]
        self.record(0, None, stops[0][0], stops[0][1])
        for (before, first), (after, end) in pairwise(stops):
            self.record(first, before, after, end)
        for i, entry in enumerate(self.entries):
            if entry.chosen and entry.own in self._delivered:
                self._delivered[entry.own] = set(self._visible_until(i + 1, entry.own, entry.simultaneous))

    def record(
        self,
        first: int,
        before: array[int] | None,
        after: array[int],
        end: int | None = None,
        note: str = "",
    ) -> None:
        """Records the steps from `first` on, with the states before and after them.

        The note is shown only to the seat itself: that it had no alternative could reveal its secrets.
        """
        steps = self.match.steps[first:end]
        own = self.game.seat_number(steps[0].seat) if steps[0].seat is not None else None
        asked = self._asked(before, own) if before is not None and own is not None else ""
        for i, part in enumerate(_branches(self.match, steps)):
            choice = (own, steps[0], asked, note) if i == 0 and own is not None else None
            news = {who: self._news(who, choice, part.events, after) for who in self.watchers}
            seat = self.game.seat_number(part.branch) if part.branch else own if i == 0 else None
            passing = self._is_passing(part.events) or (bool(note) and steps[0].text == "pass")
            chosen, branch = choice is not None, bool(part.branch)
            self.entries.append(StoryEntry(first, seat, chosen, branch, part.joins, news, passing))

    def _is_passing(self, events: Iterable[Event]) -> bool:
        """Whether pieces were shown, or lay open for a moment that came from where they were hidden."""
        views, open_now, shown = self.game.views, set[int](), set[int]()
        for event in events:
            match event:
                case Shown(seat=seat, openly=True) if seat != EVERYBODY:
                    shown.add(seat)
                case Moved(source=source, to=to):
                    if source in open_now:
                        return True
                    if views.may_see(to, SPECTATOR) and not views.may_see(source, SPECTATOR):
                        open_now.add(to)
        return len(shown) > 1

    def _asked(self, before: array[int], seat: int) -> str:
        """The label of the decision of a seat."""
        waiting = next(w for w in self.game.executor.waiting(before[:]) if w.seat == seat)
        node = self.game.machine.decision(waiting.node)
        return self.game.names.label(node.name.rpartition(".")[2])

    def take_back(self) -> None:
        """Removes entries of steps that the match has taken back."""
        while self.entries and self.entries[-1].first >= len(self.match.steps):
            self.entries.pop()
        for delivered in self._delivered.values():
            delivered.intersection_update(range(len(self.entries)))

    def _news(
        self, who: int, choice: Choice | None, events: Iterable[Event], after: array[int]
    ) -> tuple[str, ...]:
        """`B: take money with 5 — B: coins 3 -> 8`, and a line for each turn that begins."""
        turns = _turns(self._items(who, events, after))
        lines = ["; ".join(grouped(turn)).replace("—; ", "— ", 1) for turn in turns]
        if choice is not None:
            own, step, asked, note = choice
            knows = who in (own, REFEREE)
            mine = step.own_text if knows else step.open_text
            text = self._choice(step.text if who == REFEREE else mine, asked)
            head = f"{self.game.names.label(step.seat or '')}: {text}{note if knows else ''}"
            lines[0] = f"{head} — {lines[0]}" if lines[0] else head
        return tuple(line for line in lines if line)

    def _choice(self, text: str, asked: str) -> str:
        """`lay Mill`; a number or an unknown value follows the label of the decision: `dice disc 4`."""
        words = text.split()
        named = " ".join(self.game.names.label(word) for word in words)
        alone = words[0] == "?" or words[0].removeprefix("-").isdigit()
        return f"{asked} {named}" if alone else named

    # ---- reading

    def unread(self, who: int) -> list[str]:
        """The lines that a watcher has not read yet."""
        delivered = self._delivered[who]
        found = [i for i in self._visible(who) if i not in delivered]
        delivered.update(found)
        self._gone[who] = any(self.entries[i].passing for i in found)
        return [line for i in found for line in self.entries[i].news[who]]

    def is_gone(self, who: int) -> bool:
        """Whether what was read last tells of something that the table does not show any more."""
        gone, self._gone[who] = self._gone.get(who, False), False
        return gone

    def all(self, who: int) -> list[str]:
        return [line for i in self._visible(who) for line in self.entries[i].news[who]]

    def last(self, who: int) -> list[str]:
        """The lines of the last choice, and of simultaneous choices that it has revealed."""
        first = next(i for i, entry in enumerate(self.entries) if entry.first == self.entries[-1].first)
        if any(entry.joins for entry in self.entries[first:]):
            while first and self.entries[first - 1].simultaneous:
                first -= 1
        return [line for entry in self.entries[first:] for line in entry.news[who]]

    def _visible(self, who: int) -> list[int]:
        """The entries that a watcher may see now; simultaneous ones of others only after they are over."""
        return self._visible_until(len(self.entries), who, bool(self.match.state[ir.FORKED]))

    def _visible_until(self, end: int, who: int, forked: bool) -> list[int]:
        """The entries among the first `end` that are visible; `forked`: during a simultaneous choice."""
        if not forked or who == REFEREE:
            return list(range(end))
        over = max((i for i in range(end) if self.entries[i].joins), default=0)
        return [
            i
            for i in range(end)
            if i < over or not self.entries[i].simultaneous or self.entries[i].own == who
        ]

    # ---- wording

    def _items(self, who: int, events: Iterable[Event], after: array[int]) -> Iterator[NewsItem]:
        for event in events:
            text = self.game.views.text(event, who)
            if text is not None and not self._is_omitted(who, event):
                yield from self._item(event, text)

    def _is_omitted(self, who: int, event: Event) -> bool:
        """Whether an event is left out: phases that rotate; names that are not shown; for
        all but the referee, also dice that move."""
        match event:
            case Changed(name=name) | Told(name=name):
                return not is_shown(self.game.rules, name)
            case Entered(phase=phase):
                return self.game.rules.phases[self.game.machine.phases[phase]].rotates
            case Moved(component=component, source=source, to=to):
                unspoken = not (self._is_zone_shown(source) and self._is_zone_shown(to))
                die = self.game.rules.components[component].die is not None
                return unspoken or (who != REFEREE and die)
            case Thrown() | Shown() | Shuffled() | Turned() | Ended() | Branched():
                return False
        assert_never(event)

    def _is_zone_shown(self, place: int) -> bool:
        return is_shown(self.game.rules, self.game.machine.places[place].zone)

    def _item(self, event: Event, text: str) -> Iterator[NewsItem]:
        names = self.game.names
        match event:
            case Thrown(component=component, face=face):
                die, shown = names.told(component), names.told(names.class_name(component, face))
                is_seen = text == f"{die} shows {shown}"
                yield (f"{die} shows", shown) if is_seen else (f"{die} is", "thrown")
            case Moved(number=number):
                what, _, route = text.partition(": ")
                yield from [(f"{route}:", self._piece(event, what))] * number
            case Changed():
                yield self._change(event)
            case Turned():
                yield TURN, text
            case Shown() | Told() | Shuffled() | Entered() | Ended() | Branched():
                yield "", text
            case _:
                assert_never(event)

    def _piece(self, event: Moved, what: str) -> str:
        """The piece that has moved, without its number."""
        names = self.game.names
        labels = [names.told(event.component)]
        if event.class_ >= 0:
            labels.append(names.told(names.class_name(event.component, event.class_)))
        return what if what in labels else what.removeprefix(f"{event.number} ")

    def _change(self, event: Changed) -> NewsItem:
        """`A in stock: food 3 -> 0`"""
        names, words = self.game.names, self.game.machine.variables[event.name]
        i, j = words.indices(event.word)
        of = names.told(names.index(words.of, i)) if words.of and i is not None else ""
        at = names.told(names.index(words.at, j)) if words.at and j is not None else ""
        label = names.told(words.name)
        change = self._value(words, event)
        if at:
            return f"{of} {label}:".strip(), f"{at} {change}".strip()
        return (f"{of}:" if of else ""), f"{label} {change}".strip()

    def _value(self, words: ir.VarLayout, event: Changed) -> str:
        if words.kind == "counter":
            return f"{event.old} -> {event.new}"
        if words.kind == "mark":
            return "" if event.new else "no more"
        return self.game.names.told(self.game.names.value(words.type, event.new))


def _branches(match: Match, steps: Sequence[MatchStep]) -> list[LogPart]:
    """The parts of some steps; adjacent parts of the same branch are joined."""
    found: list[LogPart] = []
    for part in (part for step in steps for part in parts(match, step)):
        last = found[-1] if found else None
        if last is not None and last.branch == part.branch and not part.joins:
            found[-1] = replace(last, events=(*last.events, *part.events))
        elif last is None or part.events or part.joins:
            found.append(part)
    return found


def _turns(items: Iterable[NewsItem]) -> list[list[NewsItem]]:
    """The items, split where a turn begins."""
    found: list[list[NewsItem]] = [[]]
    for item in items:
        if item[0] == TURN:
            found.append([])
        found[-1].append(item)
    return found


def grouped(items: Iterable[NewsItem]) -> list[str]:
    """The items as texts: adjacent ones with the same topic are joined, equal ones counted."""
    groups: list[tuple[str, list[str]]] = []
    for about, what in items:
        if groups and groups[-1][0] == about:
            groups[-1][1].append(what)
        else:
            groups.append((about, [what]))
    return [_group_text(about, whats) for about, whats in groups]


def _group_text(about: str, whats: list[str]) -> str:
    if about == TURN:
        return f"— {whats[0]} —"
    between = ", " if about else "; "
    return f"{about} {with_counts(whats, between)}".strip()
