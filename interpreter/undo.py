"""What may be taken back: choices since which nobody has learned anything; more, if those concerned agree."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from interpreter import ir
from interpreter.events import ALL, Branched, Event, Moved, Shown, Shuffled, Thrown
from interpreter.game import Game, MatchRecord, MatchStep

NOTHING = "nothing has been chosen yet"
FEWER = "there are fewer choices than that"
STILL = "others choose at the same time, and their choices are not known yet"
AT_ONCE = "everybody has seen what was chosen at the same time, which cannot be unseen"
CHANCE = "a random outcome has been seen since, which cannot be unseen"
SHOWN = "something was revealed since, which cannot be unseen"
UNCOVERED = "somebody has seen something new since, which cannot be unseen"


@dataclass(frozen=True, slots=True)
class UndoBlocker:
    """Why choices cannot simply be taken back, and the seats that would have to agree to it.

    Where no seat is named, no agreement helps: there are not so many choices.
    """

    why: str
    consent: frozenset[str]


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One choice with all that came of it: the states around it, and its steps."""

    game: Game
    before: array[int]
    after: array[int]
    steps: Sequence[MatchStep]

    @property
    def seat(self) -> str:
        """Who chose."""
        seat = self.steps[0].seat
        assert seat is not None
        return seat

    def reveals(self) -> str:
        """What somebody has learned from it that cannot be unlearned; empty if nobody has.

        It asks who sees which place, never what lies there: else the answer would tell it.
        """
        if self.game.machine.seats > 1 and self.before[ir.FORKED] and joined(self.steps):
            return AT_ONCE
        if any(isinstance(event, Shown) for step in self.steps for event in step.events):
            return SHOWN
        if not (self._uncovers() or self._offers_unseen()):
            return ""
        return CHANCE if any(step.stream for step in self.steps) else UNCOVERED

    def _uncovers(self) -> bool:
        return any(
            self._tells(event, step.stream is not None) for step in self.steps for event in step.events
        )

    def _tells(self, event: Event, by_chance: bool) -> bool:
        """Whether some seat comes to see or to count pieces, or the outcome of a throw or a shuffle."""
        seats, views = self._lookers(), self.game.views
        match event:
            case Moved(source=source, to=to):
                return any(
                    (views.sees(self.after, to, seat) and not views.sees(self.before, source, seat))
                    or (views.counts(self.after, to, seat) and not views.counts(self.before, source, seat))
                    for seat in seats
                )
            case Thrown(place=place) | Shuffled(place=place):
                return by_chance and any(views.sees(self.after, place, seat) for seat in seats)
        return False

    def _lookers(self) -> list[int]:
        """Who looks on while it happens: all, but in `together` only the seats whose branches have run."""
        names, seats = self.game.names, range(self.game.machine.seats)
        if not (self.before[ir.FORKED] and self.after[ir.FORKED]):
            return list(seats)
        ran = {e.seat for step in self.steps for e in step.events if isinstance(e, Branched)}
        return [seat for seat in seats if seat in ran or names.seat(seat) == self.seat]

    def _offers_unseen(self) -> bool:
        """Whether somebody may now choose among pieces that it could not see before."""
        views, names, machine = self.game.views, self.game.names, self.game.machine
        for waiting in self.game.executor.waiting(self.after[:]):
            node = machine.decision(waiting.node)
            for option in waiting.options:
                kind = names.value_type(node, option, waiting.what)
                if views.is_secret(self.after, kind, option[1], waiting.seat):
                    return True
        return False


def joined(steps: Sequence[MatchStep]) -> bool:
    """Whether all who chose at once have finished in some steps, even if they have begun anew."""
    return any(ALL in step.events for step in steps)


def history_entries(match: MatchRecord) -> Iterator[HistoryEntry]:
    """The choices of a match, the last one first."""
    after, end = match.state, len(match.steps)
    for before, first in reversed(match.history):
        yield HistoryEntry(match.game, before, after, match.steps[first:end])
        after, end = before, first


def depth(match: MatchRecord) -> int:
    """How many choices can be taken back by the seat that made them, without asking anybody."""
    number, seat = 0, ""
    for lap in history_entries(match):
        if lap.seat != (seat or lap.seat) or lap.reveals():
            break
        number, seat = number + 1, lap.seat
    return number


def undo_blocker(match: MatchRecord, number: int) -> UndoBlocker | None:
    """What stands against taking back so many choices; nothing if the seat that made them simply may."""
    if not 0 < number <= len(match.history):
        return UndoBlocker(FEWER if match.history else NOTHING, frozenset())
    taken = list(islice(history_entries(match), number))
    chosen = [lap.seat for lap in taken]
    other = next((seat for seat in chosen if seat != chosen[-1]), None)
    names = match.game.names
    everybody = frozenset(names.seat(i) for i in range(match.game.machine.seats))
    if other is not None and match.state[ir.FORKED]:
        return UndoBlocker(STILL, everybody)
    reveals = next((why for lap in taken if (why := lap.reveals())), "")
    if reveals:
        return UndoBlocker(reveals, everybody)
    return UndoBlocker(f"{other} has chosen since", frozenset(chosen)) if other is not None else None
