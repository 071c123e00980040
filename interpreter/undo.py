"""Undo: choices can be taken back if nobody has learned anything since, or if the seats concerned agree."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from dsl.domains import PieceType
from interpreter import ir
from interpreter.events import ALL, Branched
from interpreter.game import Game, MatchRecord, MatchStep
from interpreter.views import step_row
from interpreter.wasm.host.codes import DRAWN, MAY_SHOW, NOTHING, OFFERED, VALUE


class UndoReason(StrEnum):
    """Why choices are not taken back. The last three are of a seat, which is named before them."""

    NOTHING = "nothing has been chosen yet"
    FEWER = "there are fewer choices than that"
    STILL = "others choose at the same time, and their choices are not known yet"
    AT_ONCE = "everybody has seen what was chosen at the same time, which cannot be unseen"
    CHANCE = "a random outcome has been seen since, which cannot be unseen"
    SHOWN = "something was revealed since, which cannot be unseen"
    MAY_BE_SHOWN = "somebody may have been shown something since, which cannot be unseen"
    UNCOVERED = "somebody has seen something new since, which cannot be unseen"
    CHOSEN_SINCE = "has chosen since"
    MADE_THE_LAST = "has made the last choice"
    FEWER_OF_SEAT = "has not made that many choices yet"

    @property
    def code(self) -> str:
        """Its name for programs and messages: `may-be-shown`."""
        return self.name.lower().replace("_", "-")


LEARNED = (
    None,
    UndoReason.AT_ONCE,
    UndoReason.SHOWN,
    UndoReason.MAY_BE_SHOWN,
    UndoReason.CHANCE,
    UndoReason.UNCOVERED,
)
"""By what a seat has learned from a choice: why it is not taken back."""


@dataclass(frozen=True, slots=True)
class UndoBlocker:
    """Why choices cannot be taken back freely, and the seats that would have to agree to it.

    If nobody could consent, it does not help: there are fewer choices than that. Some reasons are about a
    `seat`.
    """

    reason: UndoReason
    consent: frozenset[str] = frozenset()
    seat: str = ""

    @property
    def why(self) -> str:
        """The reason in a sentence."""
        return f"{self.seat} {self.reason}".strip()


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One choice: the states before and after it, and its steps, the choice itself and chance."""

    game: Game
    before: array[int]
    after: array[int]
    steps: Sequence[MatchStep]

    @property
    def seat(self) -> str:
        """The seat that chose."""
        seat = self.steps[0].seat
        assert seat is not None
        return seat

    def reveals(self) -> UndoReason | None:
        """What a seat has learned from it, as a reason; none if nobody has learned anything.

        It depends only on who is known to see which place, never on what lies there or on what is shown
        to a seat alone: otherwise the answer itself would reveal it.
        """
        rows, learned = self._rows(), self.game.views.host.learned
        found = learned(rows, self.before, self.after)
        if found == NOTHING and (offers := self._offers()):
            found = learned(rows + offers, self.before, self.after)
        return LEARNED[found]

    def _rows(self) -> array[int]:
        """The steps with their events."""
        rows = array("i")
        for number, step in enumerate(self.steps):
            seat = -1 if step.seat is None else self.game.seat_number(step.seat)
            value = step.stream is not None and self._is_value(step.stream)
            flags = DRAWN * (step.stream is not None) | VALUE * value | MAY_SHOW * step.may_show
            rows += step_row(number, seat=seat, flags=flags) + self.game.views.rows.write(step.events)
        return rows

    def _is_value(self, stream: str) -> bool:
        """Whether chance has chosen a value, which any change after it may show."""
        return stream not in self.game.rules.components and stream not in self.game.rules.zones

    def _offers(self) -> array[int]:
        """The seats that may now choose a piece of a place, with the place."""
        views, names, machine = self.game.views, self.game.names, self.game.machine
        offers = array("i")
        for waiting in self.game.executor.waiting(self.after[:]) if views.hides_pieces else ():
            node = machine.decision(waiting.node)
            for option in waiting.options:
                kind = names.value_type(node, option, waiting.what)
                if isinstance(kind, PieceType):
                    place = option[1] // machine.component_classes[kind.component]
                    offers.extend((OFFERED, waiting.seat, place, 0, 0, 0))
        return offers


def joined(steps: Sequence[MatchStep]) -> bool:
    """Whether a `together` has ended in some steps, even if another one has begun."""
    return any(ALL in step.events for step in steps)


def history_entries(match: MatchRecord) -> Iterator[HistoryEntry]:
    """The choices of a match, the last one first."""
    after, end = match.state, len(match.steps)
    for before, first in reversed(match.history):
        yield HistoryEntry(match.game, before, after, match.steps[first:end])
        after, end = before, first


def depth(match: MatchRecord) -> int:
    """How many choices the seat that made the last one can take back without consent."""
    number, seat = 0, ""
    for entry in history_entries(match):
        if entry.seat != (seat or entry.seat) or entry.reveals():
            break
        number, seat = number + 1, entry.seat
    return number


def branch_depth(match: MatchRecord, seat: int) -> int:
    """How many choices a seat can take back in a running `together` although others have chosen since.

    Branches do not read each other, so the choices of the others stay as they are. What a seat has learned,
    drawn, or done to the branches of others cannot be taken back.
    """
    own, number = match.game.names.seat(seat), 0
    for entry in history_entries(match):
        if not entry.before[ir.FORKED] or joined(entry.steps):
            break
        if entry.seat != own:
            continue
        events = (event for step in entry.steps for event in step.events)
        if any(isinstance(event, Branched) for event in events) or any(s.stream for s in entry.steps):
            break
        if entry.reveals():
            break
        number += 1
    return number


def undo_blocker(
    match: MatchRecord, number: int, people: Collection[str] | None = None
) -> UndoBlocker | None:
    """Why the last `number` choices cannot be taken back without consent; none if they can.

    Bots chose by the position alone: their choices are taken back with those before them, and they have no
    say. `people` are the seats that others than bots play; without it, all.
    """
    if not 0 < number <= len(match.history):
        return UndoBlocker(UndoReason.FEWER if match.history else UndoReason.NOTHING)
    taken = list(islice(history_entries(match), number))
    chosen = [entry.seat for entry in taken]
    others = [seat for seat in chosen if seat != chosen[-1]]
    names = match.game.names
    seats = frozenset(names.seat(i) for i in range(match.game.machine.seats))
    everybody = seats if people is None else frozenset(people)
    if others and match.state[ir.FORKED]:
        return UndoBlocker(UndoReason.STILL, everybody)
    learned = next((why for entry in taken if (why := entry.reveals())), None)
    if learned is not None:
        return UndoBlocker(learned, everybody)
    other = next((seat for seat in others if seat in everybody), None)
    if other is None:
        return None
    return UndoBlocker(UndoReason.CHOSEN_SINCE, everybody & set(chosen), other)
