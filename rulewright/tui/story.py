"""The story of a match: its news, redacted for each watcher."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter import ir
from interpreter.events import EVERYBODY, Moved, Shown
from interpreter.game import Game
from interpreter.match import Match
from interpreter.redacted_log import Entry, entries
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.story.lines import one_line
from rulewright.story.names import TableNames
from rulewright.story.passages import Passage, passages
from rulewright.tui.words import terminal_messages


class Story:
    """The news of a match for each watcher, and which of it each has read."""

    def __init__(self, match: Match, people: Sequence[int]) -> None:
        self.match = match
        self.names = TableNames(match.game, terminal_messages(match.game))
        self._notes: dict[int, str] = {}
        self._told: dict[int, tuple[int, list[Entry]]] = {}
        self._gone: dict[int, bool] = {}
        self._read = {who: self._heard(who) for who in people}
        self._before = self._now = len(self._entries(SPECTATOR))

    @property
    def game(self) -> Game:
        return self.match.game

    def record(self, first: int, note: str = "") -> None:
        """Records the steps from `first` on.

        The note is shown only to the seat itself: that it had no alternative could reveal its secrets.
        """
        self._notes[first] = note
        self._before, self._now = self._now, len(self._entries(SPECTATOR))

    def take_back(self) -> None:
        """Forgets the steps that the match has taken back."""
        self._told.clear()
        self._notes = {step: note for step, note in self._notes.items() if step < len(self.match.steps)}
        self._read = {who: min(read, len(self._entries(who))) for who, read in self._read.items()}
        self._before = self._now = len(self._entries(SPECTATOR))

    # ---- reading

    def unread(self, who: int) -> list[str]:
        """The lines that a watcher has not read yet; not of a move that is still being made."""
        read, told = self._read.get(who, 0), self._entries(who)
        found = passages(self.names, told[read:])
        if found and self._is_being_made(found[-1]):
            del told[read + found.pop().first :]
        self._read[who] = len(told)
        self._gone[who] = self._passes(told[read:])
        return self._lines(who, told[read:], found)

    def is_gone(self, who: int) -> bool:
        """Whether what was read last tells of something that the table does not show any more."""
        return self._gone.pop(who, False)

    def all(self, who: int) -> list[str]:
        told = self._entries(who)
        return self._lines(who, told, passages(self.names, told))

    def last(self) -> list[str]:
        """What everybody was told after the last choice, and of simultaneous choices that it has revealed."""
        told = self._entries(SPECTATOR)[self._before :]
        return self._lines(SPECTATOR, told, passages(self.names, told))

    def _entries(self, who: int) -> list[Entry]:
        """What a watcher has been told. It is kept up to where nobody chose at the same time as others."""
        steps, told = self._told.get(who, (0, []))
        told = told + entries(self.match, who, steps)
        if not self.match.state[ir.FORKED]:
            self._told[who] = len(self.match.steps), told
        return [*told]

    def _heard(self, who: int) -> int:
        """How much a seat has been told up to its own last choice, if the match was resumed."""
        firsts = [first for _, first in self.match.history]
        own = [
            i for i, first in enumerate(firsts) if self.match.steps[first].seat == self.game.names.seat(who)
        ]
        if not own:
            return 0
        return len(entries(self.match, who, 0, [*firsts, len(self.match.steps)][own[-1] + 1]))

    def _is_being_made(self, passage: Passage) -> bool:
        """Whether the seat of a passage without consequences is asked for more."""
        if passage.facts or passage.turn or self.match.over or self.match.state[ir.FORKED]:
            return False
        asked = [waiting for waiting in self.match.waiting() if waiting.seat == passage.seat]
        return any(isinstance(self.game.machine.decision(waiting.node), ir.Decide) for waiting in asked)

    def _lines(self, who: int, told: Sequence[Entry], found: Iterable[Passage]) -> list[str]:
        """`B: take money with 5 (the only choice) — coins: 3 → 8`."""
        notes = ((p, self._notes.get(told[p.first].step, "") if told else "") for p in found)
        return [one_line(p, note if who in (p.seat, REFEREE) and not p.turn else "") for p, note in notes]

    def _passes(self, told: Iterable[Entry]) -> bool:
        """Whether pieces were shown, or lay open for a moment, or a turn passed unasked."""
        views, open_now, shown = self.game.views, set[int](), set[int]()
        for entry in told:
            if entry.text:
                open_now, shown = set(), set()
            if entry.text == "pass" and self._notes.get(entry.step):
                return True
            for event in entry.events:
                match event:
                    case Shown(seat=seat, openly=True) if seat != EVERYBODY:
                        shown.add(seat)
                    case Moved(source=source, to=to):
                        if source in open_now:
                            return True
                        if views.may_see(to, SPECTATOR) and not views.may_see(source, SPECTATOR):
                            open_now.add(to)
            if len(shown) > 1:
                return True
        return False
