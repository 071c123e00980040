"""The log of a seat: all that it has been told, asked, offered and refused in a match, and its own choices.

It is a value. Two matches that a seat cannot tell apart have equal logs, so whatever is computed from a log
and the rules alone tells nothing that the seat may not know.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from numbers import Integral
from typing import Protocol

from dsl.source import NOWHERE
from interpreter import ir
from interpreter.beliefs.mistakes import unknown
from interpreter.beliefs.record import PositionRecord
from interpreter.events import ALL, Branched
from interpreter.executor_protocol import Waiting
from interpreter.game import Game, MatchRecord, MatchStep, Refused
from interpreter.messages import Fault, NoBeliefs
from interpreter.number_ranges import spoken
from interpreter.opening import Opening, begin
from interpreter.redacted_log import Entry, entry_of, step_rows
from interpreter.sights import SPECTATOR
from interpreter.unseen import as_offered

START = -1
"""Instead of a seat that has chosen: the match began."""

Menu = tuple[str, tuple[tuple[str, ...], ...]]
"""A decision of the seat: its name, and the words of its choices as the seat may read them."""


class Played(MatchRecord, Protocol):
    """A match that was played: what a log is made from."""

    @property
    def keep_history(self) -> bool: ...

    @property
    def opening(self) -> Opening | None: ...

    @property
    def refused(self) -> tuple[Refused, ...]: ...


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat sees while a match waits, or at its end.

    `asked` has the number of each seat that is asked, with the name of its decision; none if that does not
    count. `menus` are the seat's own. `visible` is as `Views` gives it, `chosen` is what was chosen of
    actions under way. `result` is the mask of winners, the number of the ending and the lines of all
    accounts: empty before the end.
    """

    asked: tuple[tuple[int, str], ...] | None
    menus: tuple[Menu, ...]
    visible: bytes
    chosen: tuple[tuple[str, int | None], ...]
    phase: int
    active: int
    result: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """What a choice, or the start, has led to, until the match waits again.

    `seat` is the number of the seat that has chosen, or `START`. `now` is what was told at once. `later` is
    what was told when all branches of `together` had ended, because it belongs to the branch of another seat;
    none if that has not been told yet. `refused` are the seat's own attempts then, with the answers.
    `branch`: the choice was made in a branch of `together`.
    """

    seat: int
    now: tuple[Entry, ...]
    later: tuple[Entry, ...] | None
    sight: Sight
    refused: tuple[Refused, ...] = ()
    branch: bool = False

    @property
    def text(self) -> str | None:
        """The choice as the seat may read it; none if it has not been told yet, or at the start."""
        return next((entry.text for entry in (*self.now, *(self.later or ())) if entry.text), None)


@dataclass(frozen=True, slots=True)
class SeatLog:
    """All that a seat, by its number, or the spectator (-1) knows of a match: its moments in order.

    `digest` is that of the rules. `opening` is the position that the match began from, which must be open to
    the seat.
    """

    seat: int
    digest: str
    moments: tuple[Moment, ...]
    opening: Opening | None = None

    @classmethod
    def of(cls, match: Played, seat: int) -> SeatLog:
        """The log of a seat in a match that was played, or replayed from its log.

        Raises `Fault` with `NoBeliefs` if the match has not begun, keeps no history, or began from a position
        that is partly hidden from the seat, and with `UnknownInBeliefs` if there is no such seat.
        """
        seats = match.game.machine.seats
        whole = isinstance(seat, Integral) and not isinstance(seat, bool)
        if not whole or not SPECTATOR <= seat < seats:
            there_are = f"there are 0 to {seats - 1}, and {SPECTATOR} who watches"
            raise unknown("seat", seat, [], there_are)
        if not match.steps:
            raise Fault(NoBeliefs(NOWHERE, "the match has not begun", "call `start()` first"))
        if not match.keep_history:
            raise Fault(NoBeliefs(NOWHERE, "the match keeps no history", "leave out `keep_history=False`"))
        _check_opening(match, seat)
        firsts = [0, *(first for _, first in match.history), len(match.steps)]
        states = [*(state for state, _ in match.history), match.state]
        own = match.game.names.seat(seat) if seat >= 0 else ""
        laps = [match.steps[first:last] for first, last in pairwise(firsts)]
        joined = _last_join(match, states)
        moments = tuple(
            _moment(match.game, seat, steps, state, number <= joined, _refused(match, own, number))
            for number, (steps, state) in enumerate(zip(laps, states, strict=True))
        )
        return cls(seat, match.game.machine.digest, moments, match.opening)

    def alone(self) -> SeatLog:
        """The log as if no other seat had chosen in the running `together`; the same if none is running."""
        running = [moment.later is None for moment in self.moments]
        if not any(running):
            return self
        first = running.index(True)
        kept = [m for m in self.moments[first:] if not m.branch or m.seat == self.seat]
        blind = (replace(moment, sight=replace(moment.sight, asked=None)) for moment in kept)
        return replace(self, moments=(*self.moments[:first], *blind))


def _check_opening(match: Played, seat: int) -> None:
    if match.opening is None:
        return
    views = match.game.views
    hidden = match.opening.prepared
    if not hidden:
        state, _ = begin(match.game, match.opening, lambda _: match.game.executor.initial_state())
        hidden = None in views.words(state, seat) or any(
            count and not isinstance(seen, list)
            for seen, count in zip(views.pieces(state, seat), _counts(match.game, state), strict=True)
        )
    if hidden:
        why = "it began from a position of which something is hidden from the seat"
        raise Fault(NoBeliefs(NOWHERE, why, "begin with the set-up of the game"))


def _counts(game: Game, state: array[int]) -> Iterator[int]:
    """How many pieces with a class lie on each place."""
    for place in game.machine.places:
        words = state[place.base : place.base + place.words]
        yield 0 if place.kind == ir.BLANK else sum(map(bool, words))


def _last_join(match: Played, states: Sequence[array[int]]) -> int:
    """The number of the last moment of which all is told: not those of the running `together`."""
    last = len(states) - 1
    if not match.state[ir.FORKED]:
        return last
    while last and states[last - 1][ir.FORKED]:
        joined, branches = _joined(match, last)
        if joined:
            # chance in the branches that have begun again in the same moment is not told yet
            return last - branches
        last -= 1
    return last - 1


def _joined(match: Played, moment: int) -> tuple[bool, bool]:
    """Whether all branches of `together` have ended in a moment, and something is in branches since."""
    first = match.history[moment - 1][1]
    last = match.history[moment][1] if moment < len(match.history) else len(match.steps)
    joined = branches = False
    for step in match.steps[first:last]:
        inside = bool(step.branch)
        for event in step.events:
            if isinstance(event, Branched):
                inside = event != ALL
                joined, branches = joined or not inside, branches and inside
            else:
                branches = branches or inside
    return joined, branches


def _refused(match: Played, seat: str, number: int) -> tuple[Refused, ...]:
    return tuple(one for one in match.refused if one.seat == seat and one.choices == number)


def _moment(
    game: Game,
    seat: int,
    steps: Sequence[MatchStep],
    state: array[int],
    told: bool,
    refused: tuple[Refused, ...],
) -> Moment:
    # odds and pools follow from what the seat knows, and are left out
    bare = [replace(step, node=None, odds=(), pools=()) for step in steps]
    found = [entry for step in bare for entry in told_by(game, step, seat)]
    chooser = steps[0].seat
    return Moment(
        START if chooser is None else game.seat_number(chooser),
        tuple(entry for entry, late in found if not late),
        tuple(entry for entry, late in found if late) if told else None,
        sight(game, state, seat, game.executor.waiting(state)),
        refused,
        bool(steps[0].branch),
    )


# ---- what a seat is told and sees


def told_by(game: Game, step: MatchStep, seat: int) -> Iterator[tuple[Entry, bool]]:
    """What a seat is told by a step, and whether only when all branches of `together` have ended."""
    told, held = game.views.tell(step_rows(game, step, seat), seat)
    for part in (*told, *game.views.parts(array("i", held))):
        yield entry_of(game, step, part, seat), part.late


def sight(game: Game, state: array[int], seat: int, waiting: Sequence[Waiting]) -> Sight:
    """What a seat sees in a position in which some decisions wait."""
    return Sight(
        asked_by(game, waiting),
        tuple(menu_of(game, state, w) for w in waiting if w.seat == seat),
        game.views.visible(state, seat),
        chosen_by(game, state, seat),
        state[ir.PHASE],
        state[ir.ACTIVE],
        result_of(game, state),
    )


def asked_by(game: Game, waiting: Sequence[Waiting]) -> tuple[tuple[int, str], ...]:
    """The seats that are asked, each with the name of its decision."""
    return tuple([(w.seat, game.machine.decision(w.node).name) for w in waiting])


def chosen_by(game: Game, state: array[int], seat: int) -> tuple[tuple[str, int | None], ...]:
    """What has been chosen of actions under way, as far as a seat sees it."""
    return tuple([(node.name, value) for node, value in game.views.chosen(state, seat)])


def menu_of(game: Game, state: array[int], waiting: Waiting) -> Menu:
    """A decision that waits, as the seat that makes it may read it."""
    decision = as_offered(PositionRecord(game, state), game.decision(waiting))
    numbers = tuple((*one.words, spoken([one.numbers])) for one in decision.ranges)
    return decision.name, (*(choice.words for choice in decision.choices), *numbers)


def result_of(game: Game, state: array[int]) -> tuple[int, ...]:
    """Who has won, how the match has ended and all lines of the accounts; empty before the end."""
    if not state[ir.STATUS]:
        return ()
    mc = game.machine
    lines = [value for seat in range(mc.seats) for _, value in game.executor.score(state, seat)]
    return (state[ir.WINNERS], state[mc.ended] if mc.ended else 0, *lines)
