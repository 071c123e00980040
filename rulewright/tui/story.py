"""What has happened, told to each seat as far as it may know it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import assert_never

from interpreter import ir
from interpreter.events import (
    Branched,
    Changed,
    Ended,
    Entered,
    Event,
    Moved,
    Shown,
    Shuffled,
    Thrown,
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
"""Who has chosen, the step, what was asked, and a note for the seat itself."""
NewsItem = tuple[str, str]
"""A piece of news: what it is about, and what of it. Neighbours about the same are told in one."""


@dataclass(frozen=True, slots=True)
class StoryEntry:
    """A choice of a match, or what came of it for another. `first` is the number of steps before the choice.

    `own` is who made it, or whose branch it is of; `chosen`: somebody has chosen it. `simultaneous`: it was done
    while others acted at the same time, who hear of it only afterwards. `joins`: all had finished before it.
    """

    first: int
    own: int | None
    chosen: bool
    simultaneous: bool
    joins: bool
    news: dict[int, tuple[str, ...]]


class Story:
    """The course of one match for everybody who watches it."""

    def __init__(self, match: Match, people: Sequence[int]) -> None:
        self.match = match
        self.watchers = (*people, SPECTATOR, REFEREE)
        self.entries: list[StoryEntry] = []
        self._delivered: dict[int, set[int]] = {who: set() for who in self.watchers}
        self._record_history()

    @property
    def game(self) -> Game:
        return self.match.game

    # ---- hearing

    def _record_history(self) -> None:
        """What the match has seen before: its start, and every choice of it if it is resumed."""
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
        """Notes the steps from `first` on, with the states before and after them.

        The note is for the seat itself: that it had no alternative would tell others of its secrets.
        """
        steps = self.match.steps[first:end]
        own = self.game.seat_number(steps[0].seat) if steps[0].seat is not None else None
        asked = self._asked(before, own) if before is not None and own is not None else ""
        for i, part in enumerate(_branches(self.match, steps)):
            choice = (own, steps[0], asked, note) if i == 0 and own is not None else None
            news = {who: self._news(who, choice, part.events, after) for who in self.watchers}
            seat = self.game.seat_number(part.branch) if part.branch else own if i == 0 else None
            self.entries.append(
                StoryEntry(first, seat, choice is not None, bool(part.branch), part.joins, news)
            )

    def _asked(self, before: array[int], seat: int) -> str:
        """The label of what a seat was asked for."""
        waiting = next(w for w in self.game.executor.waiting(before[:]) if w.seat == seat)
        node = self.game.machine.decision(waiting.node)
        return self.game.names.label(node.name.rpartition(".")[2])

    def take_back(self) -> None:
        """Forgets what the match has taken back."""
        while self.entries and self.entries[-1].first >= len(self.match.steps):
            self.entries.pop()
        for delivered in self._delivered.values():
            delivered.intersection_update(range(len(self.entries)))

    def _news(
        self, who: int, choice: Choice | None, events: Iterable[Event], after: array[int]
    ) -> tuple[str, ...]:
        """`B: take money with 5 — B: coins 3 -> 8`, and a line for every turn that begins."""
        turns = _turns(self._items(who, events, after))
        lines = ["; ".join(grouped(turn)).replace("—; ", "— ", 1) for turn in turns]
        if choice is not None:
            own, step, asked, note = choice
            knows = who in (own, REFEREE)
            mine = step.own_text if knows else step.open_text
            text = self._choice(step.text if who == REFEREE else mine, asked)
            head = f"{step.seat}: {text}{note if knows else ''}"
            lines[0] = f"{head} — {lines[0]}" if lines[0] else head
        return tuple(line for line in lines if line)

    def _choice(self, text: str, asked: str) -> str:
        """`lay Mill`; a bare number, and what is not told, with what was asked for: `dice disc 4`"""
        words = text.split()
        named = " ".join(self.game.names.label(word) for word in words)
        alone = words[0] == "?" or words[0].removeprefix("-").isdigit()
        return f"{asked} {named}" if alone else named

    # ---- telling

    def unread(self, who: int) -> list[str]:
        """The lines that a watcher has not heard yet."""
        delivered = self._delivered[who]
        found = [i for i in self._visible(who) if i not in delivered]
        delivered.update(found)
        return [line for i in found for line in self.entries[i].news[who]]

    def all(self, who: int) -> list[str]:
        return [line for i in self._visible(who) for line in self.entries[i].news[who]]

    def last(self, who: int) -> list[str]:
        """The lines about the last choice, and about what was done at once and has become known by it."""
        first = next(i for i, entry in enumerate(self.entries) if entry.first == self.entries[-1].first)
        if any(entry.joins for entry in self.entries[first:]):
            while first and self.entries[first - 1].simultaneous:
                first -= 1
        return [line for entry in self.entries[first:] for line in entry.news[who]]

    def _visible(self, who: int) -> list[int]:
        """What a watcher may hear now; what others do at the same time waits until it is over."""
        return self._visible_until(len(self.entries), who, bool(self.match.state[ir.FORKED]))

    def _visible_until(self, end: int, who: int, forked: bool) -> list[int]:
        """What it could hear when so much had happened; `forked`: while others acted at the same time."""
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
            text = self.game.views.text(after, event, who)
            if text is not None and not self._is_omitted(who, event):
                yield from self._item(event, text)

    def _is_omitted(self, who: int, event: Event) -> bool:
        """A phase that comes with every turn, what has no words for people, and, for those who see the
        board, dice laid aside."""
        match event:
            case Changed(name=name):
                return who != REFEREE and not is_shown(self.game.rules, name)
            case Entered(phase=phase):
                return self.game.rules.phases[self.game.machine.phases[phase]].rotates
            case Moved(component=component, source=source, to=to):
                unspoken = any(not self._is_zone_shown(place) for place in (source, to) if place >= 0)
                return who != REFEREE and (unspoken or self.game.rules.components[component].die is not None)
            case Thrown() | Shown() | Shuffled() | Turned() | Ended() | Branched():
                return False
        assert_never(event)

    def _is_zone_shown(self, place: int) -> bool:
        return is_shown(self.game.rules, self.game.machine.places[place].zone)

    def _item(self, event: Event, text: str) -> Iterator[NewsItem]:
        names = self.game.names
        match event:
            case Thrown(component=component, face=face):
                about, shown = (
                    f"{names.label(component)} shows",
                    names.label(names.class_name(component, face)),
                )
                yield (
                    (about, shown)
                    if text == f"{about} {shown}"
                    else (f"{names.label(component)} is", "thrown")
                )
            case Moved(number=number):
                what, _, route = text.partition(": ")
                yield from [(f"{route}:", self._piece(event, what))] * number
            case Changed():
                yield self._change(event)
            case Turned():
                yield TURN, text
            case Shown() | Shuffled() | Entered() | Ended() | Branched():
                yield "", text
            case _:
                assert_never(event)

    def _piece(self, event: Moved, what: str) -> str:
        """What has moved, without its number."""
        names = self.game.names
        labels = [names.label(event.component)]
        if event.class_ >= 0:
            labels.append(names.label(names.class_name(event.component, event.class_)))
        return what if what in labels else what.removeprefix(f"{event.number} ")

    def _change(self, event: Changed) -> NewsItem:
        """`A in stock: food 3 -> 0`"""
        names, words = self.game.names, self.game.machine.variables[event.name]
        i, j = words.indices(event.word)
        of = names.label(names.index(words.of, i)) if words.of and i is not None else ""
        at = names.label(names.index(words.at, j)) if words.at and j is not None else ""
        label = names.label(words.name)
        change = self._value(words, event)
        if at:
            return f"{of} {label}:".strip(), f"{at} {change}".strip()
        return (f"{of}:" if of else ""), f"{label} {change}".strip()

    def _value(self, words: ir.VarLayout, event: Changed) -> str:
        if words.kind == "counter":
            return f"{event.old} -> {event.new}"
        if words.kind == "mark":
            return "" if event.new else "no more"
        return self.game.names.label(self.game.names.value(words.type, event.new))


def _branches(match: Match, steps: Sequence[MatchStep]) -> list[LogPart]:
    """What some steps have brought about; what one branch did in one go stands in one part."""
    found: list[LogPart] = []
    for part in (part for step in steps for part in parts(match, step)):
        last = found[-1] if found else None
        if last is not None and last.branch == part.branch and not part.joins:
            found[-1] = replace(last, events=(*last.events, *part.events))
        elif last is None or part.events or part.joins:
            found.append(part)
    return found


def _turns(items: Iterable[NewsItem]) -> list[list[NewsItem]]:
    """The news, cut where a turn begins."""
    found: list[list[NewsItem]] = [[]]
    for item in items:
        if item[0] == TURN:
            found.append([])
        found[-1].append(item)
    return found


def grouped(items: Iterable[NewsItem]) -> list[str]:
    """Each piece of news once: neighbours about the same thing together, equal ones counted."""
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
