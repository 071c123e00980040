"""Undo: choices can be taken back if nobody has learned anything since, or if the seats concerned agree."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice, takewhile

from dsl.domains import PieceType
from interpreter import ir
from interpreter.events import ALL
from interpreter.game import Game, MatchRecord, MatchStep
from interpreter.views import step_row
from interpreter.wasm.host import codes
from interpreter.wasm.host.codes import (
    DRAWN,
    ENDS,
    GOES_ON,
    MAY_SHOW,
    NOTHING,
    OFFERED,
    REASON_BITS,
    VALUE,
    WAY_BITS,
)


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


REASONS = (
    None,
    UndoReason.AT_ONCE,
    UndoReason.SHOWN,
    UndoReason.MAY_BE_SHOWN,
    UndoReason.CHANCE,
    UndoReason.UNCOVERED,
    UndoReason.STILL,
    UndoReason.CHOSEN_SINCE,
)
"""By their numbers in `interpreter.wasm.host.codes`."""


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
        return REASONS[found]

    def in_branch(self, seat: int) -> int:
        """Whether a seat may take back choices of its branch of `together` up to this one, as a code."""
        found = self.game.views.host.branch(self._rows(), self.before, seat)
        return ENDS if found == GOES_ON and self.reveals() else found

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
    return sum(1 for _ in takewhile(lambda found: not found, _blocked(match, _bits(match, None))))


def branch_depth(match: MatchRecord, seat: int) -> int:
    """How many choices a seat can take back in a running `together` although others have chosen since.

    What a seat has learned, drawn, or done to the branches of others cannot be taken back.
    """
    number = 0
    for entry in history_entries(match):
        found = entry.in_branch(seat)
        if found == ENDS:
            break
        number += found == GOES_ON
    return number


def undo_blocker(
    match: MatchRecord, number: int, people: Collection[str] | None = None
) -> UndoBlocker | None:
    """Why the last `number` choices cannot be taken back without consent; none if they can.

    `people` are the seats that others than bots play; without it, all.
    """
    if not 0 < number <= len(match.history):
        return UndoBlocker(UndoReason.FEWER if match.history else UndoReason.NOTHING)
    reason, seats = _in_the_way(_blocker(match, number, _bits(match, people)))
    if reason is None:
        return None
    consent = frozenset(match.game.names.seat(i) for i in seats)
    if reason is not UndoReason.CHOSEN_SINCE:
        return UndoBlocker(reason, consent)
    *later, first = (entry.seat for entry in islice(history_entries(match), number))
    return UndoBlocker(reason, consent, next(seat for seat in later if seat != first and seat in consent))


@dataclass(frozen=True, slots=True)
class WayBack:
    """What a viewer may take back: so many choices freely, or all up to its own last one if others agree."""

    free: int = 0
    ask: int = 0
    why: UndoReason | None = None
    consent: tuple[int, ...] = ()


def way_back(match: MatchRecord, viewer: int, people: Collection[int] | None = None) -> WayBack:
    """How a viewer may take back the choices up to its own last one.

    `people` are the seats that others than bots play, and that have not given up; without it, all.
    """
    own = match.game.names.seat(viewer) if viewer >= 0 else ""
    choosers = [match.steps[first].seat for _, first in reversed(match.history)]
    number = choosers.index(own) + 1 if own in choosers else 0
    asked = _bits(match, None) if people is None else sum(1 << seat for seat in set(people))
    waits = number and not (match.state[ir.STATUS] or match.state[ir.FORKED])
    found = _blocker(match, number, asked) if waits else 0
    way = match.game.views.host.way_back(match.state, viewer, asked, number, found)
    match way & (1 << WAY_BITS) - 1:
        case codes.IN_BRANCH:
            return WayBack(free=branch_depth(match, viewer))
        case codes.FREELY:
            return WayBack(free=depth(match))
        case codes.ASKING:
            why, consent = _in_the_way(way >> WAY_BITS)
            return WayBack(ask=number, why=why, consent=consent)
    return WayBack()


def _in_the_way(found: int) -> tuple[UndoReason | None, tuple[int, ...]]:
    """What the host says in words: the reason, and the seats that have to agree."""
    reason, seats = found & (1 << REASON_BITS) - 1, found >> REASON_BITS
    return REASONS[reason], tuple(seat for seat in range(seats.bit_length()) if seats >> seat & 1)


def _blocker(match: MatchRecord, number: int, people: int) -> int:
    """What the host says of taking back the last `number` choices."""
    return next(islice(_blocked(match, people), number - 1, None))


def _blocked(match: MatchRecord, people: int) -> Iterator[int]:
    """What the host says of taking back the last choice, the last two, and so on; `people` as bits."""
    seats = learned = 0
    for entry in history_entries(match):
        own = match.game.seat_number(entry.seat)
        seats |= 1 << own
        learned = learned or REASONS.index(entry.reveals())
        yield match.game.views.host.undo(seats, own, learned, people, match.state[ir.FORKED])


def _bits(match: MatchRecord, people: Collection[str] | None) -> int:
    if people is None:
        return (1 << match.game.machine.seats) - 1
    return sum(1 << match.game.seat_number(seat) for seat in set(people))
