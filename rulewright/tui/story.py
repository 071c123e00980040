"""The story of a match: its news, redacted for each watcher."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from interpreter import ir
from interpreter.events import EVERYBODY, Event, Moved, Shown
from interpreter.game import Game, MatchStep
from interpreter.match import Match
from interpreter.redacted_log import Entry, LogPart, entry_of, parts
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.story.lines import one_line
from rulewright.story.names import TableNames
from rulewright.story.passages import passages
from rulewright.tui.words import terminal_messages


@dataclass(frozen=True, slots=True)
class StoryEntry:
    """A choice, or its consequences in another branch. `first` is the number of steps before the choice.

    `own` is the seat that chose, or the seat of the branch. `chosen`: it contains a choice. `simultaneous`:
    it happened in a branch, so that others hear of it only afterwards. `joins`: it follows the last branch.
    `told` and `notes` are what each watcher reads of it. `passing`: it tells of pieces that everybody saw for
    a moment, or of a turn that passed unasked.
    """

    first: int
    own: int | None
    chosen: bool
    simultaneous: bool
    joins: bool
    told: dict[int, Entry | None]
    notes: dict[int, str]
    passing: bool = False


class Story:
    """The news of a match for each watcher, and which of it each has read."""

    def __init__(self, match: Match, people: Sequence[int]) -> None:
        self.match = match
        self.watchers = (*people, SPECTATOR, REFEREE)
        self.entries: list[StoryEntry] = []
        self._delivered: dict[int, set[int]] = {who: set() for who in self.watchers}
        self._gone: dict[int, bool] = {}
        self.names = TableNames(match.game, terminal_messages(match.game))
        self._record_history()

    @property
    def game(self) -> Game:
        return self.match.game

    # ---- recording

    def _record_history(self) -> None:
        """Records the start, and the choices so far if the match was resumed."""
        firsts = [first for _, first in self.match.history]
        for first, end in pairwise([0, *firsts, len(self.match.steps)]):
            self.record(first, end)
        for i, entry in enumerate(self.entries):
            if entry.chosen and entry.own in self._delivered:
                self._delivered[entry.own] = set(self._visible_until(i + 1, entry.own, entry.simultaneous))

    def record(self, first: int, end: int | None = None, note: str = "") -> None:
        """Records the steps from `first` on.

        The note is shown only to the seat itself: that it had no alternative could reveal its secrets.
        """
        steps = self.match.steps[first:end]
        own = self.game.seat_number(steps[0].seat) if steps[0].seat is not None else None
        for i, part in enumerate(_branches(self.match, steps)):
            chosen = i == 0 and own is not None
            told = {who: entry_of(self.match, first, part, who, i == 0) for who in self.watchers}
            notes = {who: note for who in self.watchers if who in (own, REFEREE)}
            seat = self.game.seat_number(part.branch) if part.branch else own if i == 0 else None
            passing = self._is_passing(part.events) or (bool(note) and steps[0].text == "pass")
            branched = bool(part.branch)
            self.entries.append(StoryEntry(first, seat, chosen, branched, part.joins, told, notes, passing))

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

    def take_back(self) -> None:
        """Removes entries of steps that the match has taken back."""
        while self.entries and self.entries[-1].first >= len(self.match.steps):
            self.entries.pop()
        for delivered in self._delivered.values():
            delivered.intersection_update(range(len(self.entries)))

    # ---- reading

    def unread(self, who: int) -> list[str]:
        """The lines that a watcher has not read yet."""
        delivered = self._delivered[who]
        found = [i for i in self._visible(who) if i not in delivered]
        delivered.update(found)
        self._gone[who] = any(self.entries[i].passing for i in found)
        return self._lines(who, found)

    def is_gone(self, who: int) -> bool:
        """Whether what was read last tells of something that the table does not show any more."""
        gone, self._gone[who] = self._gone.get(who, False), False
        return gone

    def all(self, who: int) -> list[str]:
        return self._lines(who, self._visible(who))

    def last(self, who: int) -> list[str]:
        """The lines of the last choice, and of simultaneous choices that it has revealed."""
        first = next(i for i, entry in enumerate(self.entries) if entry.first == self.entries[-1].first)
        if any(entry.joins for entry in self.entries[first:]):
            while first and self.entries[first - 1].simultaneous:
                first -= 1
        return self._lines(who, range(first, len(self.entries)))

    def _lines(self, who: int, numbers: Iterable[int]) -> list[str]:
        """What a watcher reads of some entries: `B: take money with 5 — coins: 3 → 8`."""
        read = [(self.entries[i], entry) for i in numbers if (entry := self.entries[i].told[who]) is not None]
        told = passages(self.names, [entry for _, entry in read])
        return [one_line(passage, read[passage.first][0].notes.get(who, "")) for passage in told]

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
