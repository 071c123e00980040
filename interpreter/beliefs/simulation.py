"""The match again, moment by moment, in a world: what may have been chosen and drawn, if a log shall fit.

Every step is compared with the log of the seat at once, so that a world that does not fit ends early.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from interpreter import ir
from interpreter.beliefs.bounded import Bounded
from interpreter.beliefs.choice_words import ChoiceWords
from interpreter.beliefs.mistakes import check_weights
from interpreter.beliefs.opponents import UNIFORM, OpponentModel, Uniform
from interpreter.beliefs.seat_log import (
    Menu,
    Moment,
    SeatLog,
    Sight,
    asked_by,
    chosen_by,
    menu_of,
    result_of,
    told_by,
)
from interpreter.chance import merged
from interpreter.events import Event, Moved, Thrown
from interpreter.executor_protocol import Option, Waiting
from interpreter.formatting import outcome_name
from interpreter.game import Game, MatchStep
from interpreter.messages import Fault
from interpreter.opening import begin
from interpreter.redacted_log import Entry
from interpreter.reference.codes import CHANCE
from interpreter.sights import SPECTATOR

MENU = 64
"""How many options are as much work to read as a step is to run."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice in a world."""

    branch: int
    seat: int
    option: Option


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random outcome in a world."""

    stream: str
    text: str


Path: TypeAlias = "tuple[Path, Chosen | Drawn] | None"
"""The choices and outcomes of a world, the last one first."""


@dataclass(slots=True)
class Course:
    """A world in the middle of a moment, or behind it.

    `code` is that of its stop: at `CHANCE` an outcome is due. `now` and `later` count what has been told of
    what the log says of the moment. `begun` is the state before it. `waiting` are the decisions behind it.
    Behind its stop the state does not change any more.
    """

    state: array[int]
    path: Path
    code: int
    now: int
    later: int
    begun: array[int]
    waiting: Sequence[Waiting] = ()
    _key: bytes | None = None

    def key(self) -> bytes:
        """The state at the stop as bytes, made once."""
        if self._key is None:
            self._key = self.state.tobytes()
        return self._key


Told = tuple[tuple[Event, ...], str | None, str | None, str, str]
"""What a step tells: its events, and its seat, stream, words and branch."""
Way = tuple[Waiting, Option, float]
"""A choice that fits the log, and its chance by the model."""


class Spent(Exception):
    """The steps that a simulation may take are used up."""


class Simulation:
    """Plays the moments of a log again. It keeps nothing of a world, and counts its `steps`.

    A step is a run from a choice or an outcome to the next stop, or a menu of `MENU` options to be read.
    After `most` of them it raises `Spent`.
    """

    def __init__(self, game: Game, log: SeatLog, model: OpponentModel, most: int = 1 << 60) -> None:
        self.game, self.log, self.model = game, log, model
        self.steps, self.most = 0, most
        # the reference executor is quicker at single steps, the fast one at finding what is offered
        self.executor, self.views = game.reference, game.views
        self._offering = game.executor
        self._words = ChoiceWords(game)
        self._menus = Bounded[tuple[int, Sequence[Option], object], Menu]()
        self._choices = [moment.text for moment in log.moments]
        self._weighed = Bounded[tuple[object, ...], Sequence[float]]()
        self._read = Bounded[Told, Sequence[tuple[Entry, bool]]]()

    # ---- moments

    def opening(self) -> tuple[array[int], int]:
        """The state that the match began from, and the node to run from."""
        if self.log.opening is None:
            return self.executor.initial_state(), self.game.machine.start
        return begin(self.game, self.log.opening, lambda _: self.executor.initial_state())

    def begin(self) -> Course | None:
        """The start, up to its first random outcome; none if it does not fit."""
        state, node = self.opening()
        course = Course(state, None, 0, 0, 0, state[:])
        return self._run(course, 0, lambda: self.executor.advance(state, node))

    def ways(self, course: Course, number: int) -> list[Way]:
        """The choices that a moment can have begun with, each with its chance.

        Those of other seats have the chance that the model gives them. The seat's own choice was made: only
        which of several hidden pieces it was is open, or was until the piece came to light.
        """
        moment, state = self.log.moments[number], course.state
        own = moment.seat == self.log.seat
        found: list[Way] = []
        for waiting in course.waiting:
            if waiting.seat == moment.seat:
                waiting = self._including(waiting, self._choices[number])
                self._spend(len(waiting.options) // MENU)
                weights = self._weights(UNIFORM if own else self.model, state, waiting)
                text, viewer = self._choices[number], waiting.seat if own else SPECTATOR
                fits = self.fitting(state, waiting, text, viewer)
                chosen = [
                    (option, w) for option, w, fit in zip(waiting.options, weights, fits, strict=True) if fit
                ]
                total = self._offered_alike(state, waiting, weights, fits) if own else sum(weights)
                found += [(waiting, option, w / total) for option, w in chosen if w > 0]
        return found

    def _including(self, waiting: Waiting, text: str | None) -> Waiting:
        """A decision with a number among its options that was chosen, if it is one of very many."""
        return waiting if text is None else self.game.including(waiting, text)

    def _offered_alike(
        self, state: array[int], waiting: Waiting, weights: Sequence[float], fits: Sequence[bool]
    ) -> float:
        """The weight of all options that the seat itself read in its list as it read one that fits."""
        if UNIFORM.is_open(self.game, state, waiting):
            return sum(w for w, fit in zip(weights, fits, strict=True) if fit)
        read = [self._words.offered(state, waiting, option) for option in waiting.options]
        alike = {words for words, fit in zip(read, fits, strict=True) if fit}
        return sum(w for w, words in zip(weights, read, strict=True) if words in alike)

    def _weights(self, model: OpponentModel, state: array[int], waiting: Waiting) -> Sequence[float]:
        """What a model says of the options of a decision. Raises `Fault` if it gives no chances."""
        if isinstance(model, Uniform):
            return model.weights(self.game, state, waiting)
        if len(waiting.options) == 1:
            return (1.0,)
        seen = self.views.visible(state, waiting.seat), chosen_by(self.game, state, waiting.seat)
        key = (waiting.node, waiting.options, waiting.what, waiting.seat, seen)
        if key not in self._weighed:
            self._spend(getattr(model, "cost", 1))
            weights = model.weights(self.game, state, waiting)
            check_weights(weights, self.game.machine.decision(waiting.node).name, len(waiting.options))
            self._weighed[key] = weights
        return self._weighed[key]

    def choose(self, world: Course, number: int, waiting: Waiting, option: Option) -> Course | None:
        """A copy of a world that begins a moment with a choice; none if it does not fit the log."""
        state, own = world.state, waiting.seat == self.log.seat
        text = self._words.text(state, waiting, option, waiting.seat if own else SPECTATOR)
        seat = self.game.names.seat(waiting.seat)
        branch = seat if state[ir.FORKED] else ""
        t = state[:]
        course = Course(t, (world.path, Chosen(waiting.branch, waiting.seat, option)), 0, 0, 0, state)
        act = partial(self.executor.choose, t, waiting, option)
        return self._run(course, number, act, seat=seat, text=text, branch=branch)

    def outcomes(self, course: Course, number: int) -> list[tuple[int, float]]:
        """The outcomes that are due, each with its chance: all, or the one that the log names."""
        node = self._chance(course)
        weighted = self.executor.outcomes(course.state)
        if node.picked is not None:
            weighted = merged(weighted)
        total = sum([weight for _, weight in weighted])
        named = self._named(course, node, number)
        if named is not None:
            weighted = [(outcome, weight) for outcome, weight in weighted if outcome == named]
        return [(outcome, weight / total) for outcome, weight in weighted]

    def resolve(self, course: Course, number: int, outcome: int) -> Course | None:
        """A copy of a world with an outcome of the chance that is due; none if it does not fit the log."""
        node, t = self._chance(course), course.state[:]
        drawn = Drawn(self.game.machine.streams[node.stream], outcome_name(node, outcome))
        branch = self.game.names.seat(t[ir.RUNNING] - 1) if t[ir.FORKED] else ""
        found = Course(t, (course.path, drawn), course.code, course.now, course.later, course.begun)
        act = partial(self.executor.resolve_chance, t, outcome)
        return self._run(found, number, act, stream=drawn.stream, branch=branch)

    def _chance(self, course: Course) -> ir.Chance:
        return self.game.machine.node(course.state[ir.PC], ir.Chance)

    def _spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.most:
            raise Spent

    # ---- running, and what is told meanwhile

    def _run(
        self,
        course: Course,
        number: int,
        act: Callable[[], int],
        seat: str | None = None,
        stream: str | None = None,
        text: str = "",
        branch: str = "",
    ) -> Course | None:
        """Runs to the next stop; none if something is told that the log does not say."""
        self._spend(1)
        executor, events = self.executor, list[Event]()
        executor.sink = events
        try:
            course.code = act()
        except Fault:
            return None
        finally:
            executor.sink = None
        last = course.code != CHANCE
        told = self._with_tops(tuple(events), course) if last else tuple(events)
        moment = self.log.moments[number]
        if not self._tells(course, moment, (told, seat, stream, text, branch)):
            return None
        return course if not last or self._ends(course, moment) else None

    def _with_tops(self, events: tuple[Event, ...], course: Course) -> tuple[Event, ...]:
        if not self.views.tops:
            return events
        return self.views.with_tops(events, self.views.before(course.begun) or course.begun, course.state)

    def _tells(self, course: Course, moment: Moment, told: Told) -> bool:
        """Whether what a step tells is what comes next in the log."""
        for entry, late in self._entries(told):
            if not late:
                if course.now >= len(moment.now) or moment.now[course.now] != entry:
                    return False
                course.now += 1
            elif moment.later is not None:
                if course.later >= len(moment.later) or moment.later[course.later] != entry:
                    return False
                course.later += 1
        return True

    def _entries(self, told: Told) -> Sequence[tuple[Entry, bool]]:
        """What the seat reads of a step; kept, as the same happens in many worlds."""
        found = self._read.get(told)
        if found is None:
            events, seat, stream, text, branch = told
            step = MatchStep(seat, stream, "", events, "", open_text=text, branch=branch, own_text=text)
            found = self._read[told] = tuple(told_by(self.game, step, self.log.seat))
        return found

    def _ends(self, course: Course, moment: Moment) -> bool:
        """Whether all was told at the end of a moment, and the seat sees, is offered and refused the same."""
        if course.now < len(moment.now) or course.later < len(moment.later or ()):
            return False
        try:
            if not self._looks(course.state, moment.sight):
                return False
            waiting = course.waiting = self._offering.waiting(course.state)
            if not self._asks(course.state, waiting, moment.sight):
                return False
            return all(self._answers(course.state, waiting, moment, one.written) for one in moment.refused)
        except Fault:
            return False

    def _looks(self, state: array[int], seen: Sight) -> bool:
        """Whether the seat sees the same in a position."""
        return (
            (state[ir.PHASE], state[ir.ACTIVE]) == (seen.phase, seen.active)
            and self.views.visible(state, self.log.seat) == seen.visible
            and chosen_by(self.game, state, self.log.seat) == seen.chosen
            and result_of(self.game, state) == seen.result
        )

    def _asks(self, state: array[int], waiting: Sequence[Waiting], seen: Sight) -> bool:
        """Whether the same seats are asked the same, and the seat has the same menus."""
        if seen.asked is not None and asked_by(self.game, waiting) != seen.asked:
            return False
        return tuple([self._menu(state, w) for w in waiting if w.seat == self.log.seat]) == seen.menus

    def _menu(self, state: array[int], waiting: Waiting) -> Menu:
        """A decision as its seat reads it; kept where no piece is hidden from it, as it is the same then."""
        if not UNIFORM.is_open(self.game, state, waiting):
            return menu_of(self.game, state, waiting)
        key = (waiting.node, waiting.options, waiting.what)
        if key not in self._menus:
            self._menus[key] = menu_of(self.game, state, waiting)
        return self._menus[key]

    def _answers(self, state: array[int], waiting: Sequence[Waiting], moment: Moment, written: str) -> bool:
        """Whether the seat is given the same answer to a choice that is not offered."""
        wanted = next((one.why, one.hint) for one in moment.refused if one.written == written)
        own = [w for w in waiting if w.seat == self.log.seat]
        return any(self.game.refusals.why(state[:], w, written) == wanted for w in own)

    # ---- what the log says of a choice or an outcome

    def fitting(self, state: array[int], waiting: Waiting, text: str | None, viewer: int) -> Sequence[bool]:
        """For each option whether it reads as the log says; all do if it says nothing yet."""
        return self._words.fitting(state, waiting, text, viewer)

    def due(self, course: Course, number: int) -> tuple[int, Entry] | None:
        """What the log says next of the branch that a random outcome belongs to, with its index there."""
        moment, state = self.log.moments[number], course.state
        late = state[ir.FORKED] and state[ir.RUNNING] - 1 != self.log.seat
        entries, at = (moment.later or (), course.later) if late else (moment.now, course.now)
        return (at, entries[at]) if at < len(entries) else None

    def is_open(self, course: Course, number: int) -> bool:
        """Whether the log tells something of the random outcome that is due, without naming it."""
        node, due = self._chance(course), self.due(course, number)
        stream = self.game.machine.streams[node.stream]
        return due is not None and due[1].stream == stream and node.place is None and node.most is None

    def _named(self, course: Course, node: ir.Chance, number: int) -> int | None:
        """The outcome that the log names: the class of a piece that was drawn openly, or a face.

        A piece that is drawn moves at once, and so the first event of its step has its class.
        """
        stream = self.game.machine.streams[node.stream]
        match self.due(course, number):
            case (_, Entry(stream=told, events=(Moved(class_=class_), *_))) if told == stream:
                return class_ if node.place is not None and class_ >= 0 else None
            case (_, Entry(stream=told, events=(Thrown(face=face), *_))) if told == stream:
                return face if node.faces is not None and face >= 0 else None
        return None
