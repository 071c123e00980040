"""A recorded run: a few random steps, with what each watcher learns about pieces in it."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dsl.diagnostics import InternalError
from dsl.domains import PieceType
from interpreter import ir
from interpreter.events import (
    EVERYBODY,
    KINDS,
    Branched,
    Changed,
    Event,
    Moved,
    Shown,
    Shuffled,
    Thrown,
    Told,
)
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game, MatchStep
from interpreter.ir.effects import place_access
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.undo import joined
from validators.secrecy.indistinguishable_states import Known, Token, Tokens, tokens_of
from validators.secrecy.visibility import SPECTATOR, Visibility

START = MatchStep(None, None, "start", (), "")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice at a decision."""

    waiting: Waiting
    option: Option


@dataclass(frozen=True, slots=True)
class Draw:
    """A random outcome. If it draws a piece: the token, its place, and all tokens there before it.

    `clock` is the time before it, `thrown` the place of a die that it throws.
    """

    outcome: str
    clock: int
    token: Token | None
    source: int
    beside: tuple[Token, ...]
    thrown: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """One choice of a run, or the set-up, which has no choice, with the random outcomes after it.

    `token` is the chosen piece, `near` the tokens on its place, `clock` the time of the choice. `joins`: all
    branches of `together` have finished in this step.
    """

    choice: Chosen | None
    token: Token | None
    near: tuple[Token, ...]
    clock: int
    draws: tuple[Draw, ...]
    joins: bool


class RecordedRun:
    """Plays at random from a position and tracks every piece. `moments` are copies of the match at each stop.

    Without a position, the first step is the set-up, and the first moment is before it. `at_table`: what all
    seats see at one time, the spectator has seen too.
    """

    def __init__(
        self,
        game: Game,
        visibility: Visibility,
        seed: int,
        s: array[int] | None,
        length: int,
        chooser: random.Random,
        at_table: bool = False,
    ):
        self.game, self.visibility, self.machine = game, visibility, game.machine
        self.at_table = at_table
        self.match = Match(game, seed)
        if s is not None:
            self.match.state, self.match.steps = s[:], [START]
        self.tokens = tokens_of(game, self.match.state)
        self._where: Tokens = {p: list(found) for p, found in self.tokens.items()}
        self._touched: list[tuple[int, int]] = []
        self._ordered: set[int] = set()
        self._taken_below = _taken_below(self.machine)
        self._clock = 0
        self._staying: list[list[Token]] = []
        self._shown: dict[int, set[int]] = {}
        self._seen_places: dict[int, set[int]] = {seat: set() for seat in self.watchers}
        self._told: dict[int, set[int]] = {seat: set() for seat in self.watchers}
        self.moments = [self._moment()]
        self.steps: list[Step] = []
        self._see_all()
        if s is None:
            self._step(self.match.start, None, None, ())
        for _ in range(length):
            if not self._play(chooser):
                break

    @property
    def watchers(self) -> range:
        return range(SPECTATOR, self.machine.seats)

    # ---- playing

    def _play(self, chooser: random.Random) -> bool:
        if self.match.over:
            return False
        waiting = chooser.choice(self.match.waiting())
        if not waiting.options:
            return False
        option = chooser.choice(waiting.options)
        place, chosen = place_of(self.game, waiting, option), self._chosen(waiting, option)
        near = tuple(self._where[place]) if place is not None else ()
        try:
            self._step(lambda: self.match.take(waiting, option), Chosen(waiting, option), chosen, near)
        except Fault:
            return False
        return True

    def _step(
        self,
        act: Callable[[], object],
        choice: Chosen | None,
        token: Token | None,
        near: tuple[Token, ...],
    ) -> None:
        """Raises `Fault` before anything is recorded."""
        first = len(self.match.steps)
        act()
        self._follow(first, choice, token, near)
        self._clock += 1
        self.moments.append(self._moment())
        self._see_all()

    def _moment(self) -> Match:
        """A copy of the match."""
        found = Match(self.game, self.match.seed)
        found.state = self.match.state[:]
        found.steps, found.history = self.match.steps[:], self.match.history[:]
        return found

    def _chosen(self, waiting: Waiting, option: Option) -> Token | None:
        """The piece that an option names."""
        place = place_of(self.game, waiting, option)
        if place is None:
            return None
        class_ = option[1] % self.machine.component_classes[self._component(place)]
        return next((x for x in reversed(self._where[place]) if x.class_ == class_), None)

    def _component(self, place: int) -> str:
        return self.machine.place_components[self.machine.places[place].zone]

    # ---- tracking of pieces

    def _follow(
        self, first: int, choice: Chosen | None, token: Token | None, near: tuple[Token, ...]
    ) -> None:
        clock, draws, steps = self._clock, list[Draw](), self.match.steps[first:]
        self._shown.clear()
        for step in steps:
            if step.stream is not None:
                draws.append(self._draw(step))
            for number, event in enumerate(step.events):
                self._clock += 1
                self._staying = self._staying or self._exchanged(step.events[number:])
                self._happens(event, [draw.outcome for draw in draws])
                self._staying = self._staying[1:]
        self.steps.append(Step(choice, token, near, clock, tuple(draws), joined(steps)))

    def _exchanged(self, events: Sequence[Event]) -> list[list[Token]]:
        """If two places exchange all their pieces now: for each move which tokens cannot be meant by it."""
        found: list[Moved] = []
        for event in events:
            if not isinstance(event, Moved) or {event.source, event.to} != _pair(found or [event]):
                break
            found.append(event)
        pair = _pair(found)
        leaving = {p: sum(e.number for e in found if e.source == p) for p in pair}
        if not all(leaving.values()) or any(n != len(self._where[p]) for p, n in leaving.items()):
            return []
        before = {p: list(self._where[p]) for p in pair}
        return [before[e.to] for e in found]

    def _draw(self, step: MatchStep) -> Draw:
        thrown = next((e.place for e in step.events if isinstance(e, Thrown)), None)
        moved = next((e for e in step.events if isinstance(e, Moved)), None)
        if moved is None:
            return Draw(step.text, self._clock, None, -1, (), thrown)
        beside = self._where[moved.source]
        token = next((x for x in reversed(beside) if x.class_ == moved.class_), None)
        return Draw(step.text, self._clock, token, moved.source, tuple(beside), thrown)

    def _happens(self, event: Event, outcomes: Sequence[str]) -> None:
        match event:
            case Moved(class_=class_, number=number, source=source, to=to):
                self._moves(class_, number, source, to)
            case Thrown(place=place):
                self._see(place)
            case Shuffled(place=place):
                self._shuffled(place, outcomes)
            case Shown(seat=seat) if seat == EVERYBODY:
                self._see_tops()
            case Shown(seat=seat, pieces=found):
                empty = (p for p in self.machine.shown if not self._where[p])  # perhaps shown: none is named
                for place in {*(place for place, _, _ in found or ()), *empty}:
                    self._is_shown(place, seat)
            case Told(seat=seat, word=word):
                for watcher in self.watchers if seat < 0 else (seat,):
                    self._told[watcher].add(word)
            case Changed(name=name, word=word) if name in self.game.rules.hidden_words:
                self._written(name, word)
            case Changed() | Branched():
                pass
            case _ if not KINDS[type(event)].is_public:
                raise InternalError(f"who learns what of {event}?")

    def _is_shown(self, place: int, seat: int) -> None:
        """A place is shown to a seat; at the table also to the spectator, once all seats see it."""
        self._shown.setdefault(place, set()).add(seat)
        others = (s for s in range(self.machine.seats) if s not in self._shown[place])
        told = self.at_table and all(self.visibility.declared(place, other) for other in others)
        for watcher in (seat, SPECTATOR) if told else (seat,):
            self._seen_places[watcher].add(place)
            for token in self._where[place]:
                token.see(watcher, place, self._clock)

    def _written(self, name: str, word: int) -> None:
        """A hidden value is written: those who see it have learned it, as if it had been shown to them."""
        words = self.machine.variables[name]
        for watcher in self.watchers:
            if self.visibility.reads(self.match.state, words, word - words.base, watcher):
                self._told[watcher].add(word)

    def _shuffled(self, place: int, outcomes: Sequence[str]) -> None:
        """Exchanges the tokens of an ordered place as the outcomes say, from the top down.

        So another state with the same outcomes has corresponding pieces at the same positions.
        """
        if self.machine.places[place].kind == ir.ORDERED:
            tokens = self._where[place]
            for at, other in zip(range(len(tokens) - 1, 0, -1), outcomes[1 - len(tokens) :], strict=True):
                tokens[at], tokens[int(other)] = tokens[int(other)], tokens[at]

    def _moves(self, class_: int, number: int, source: int, to: int) -> None:
        self._touched.append((source, to))
        if self.machine.places[to].kind == ir.ORDERED:
            self._ordered.add(to)
        for _ in range(number):
            at = self._where[source]
            found = self._leaving(source, class_)
            token = at.pop(found) if found is not None else Token(class_, source)
            self._where[to].append(token)
            self._see(source)
            self._see(to)
            for seat in self.watchers:
                if self._sees(source, seat) or self._sees(to, seat):
                    token.see(seat, to, self._clock)

    def _leaving(self, place: int, class_: int) -> int | None:
        """Which token of a class leaves a place: the last one that has not come by an exchange of all."""
        at, came = self._where[place], self._staying[0] if self._staying else []
        numbers = (i for i in range(len(at) - 1, -1, -1) if at[i].class_ == class_)
        return next((i for i in numbers if not any(at[i] is token for token in came)), None)

    def _see(self, place: int) -> None:
        """Records that whoever sees a place has seen it."""
        for seat in self.watchers:
            if self._sees(place, seat):
                self._seen_places[seat].add(place)

    def _sees(self, place: int, watcher: int) -> bool:
        """Whether a watcher sees a place now, or hears of it from those at the table, who all do."""
        seats = range(self.machine.seats) if self.at_table and watcher == SPECTATOR else (watcher,)
        return all(self.visibility.sees(self.match.state, place, seat) for seat in seats)

    def _see_all(self) -> None:
        """Records at a stop what every watcher sees."""
        self._see_tops()
        for place, tokens in self._where.items():
            for seat in self.watchers:
                if self._sees(place, seat):
                    self._seen_places[seat].add(place)
                    for token in tokens:
                        token.see(seat, place, self._clock)

    def _see_tops(self) -> None:
        """Records that all see the topmost piece of some places."""
        for place, tokens in self._where.items():
            if tokens and self.visibility.is_open_top(place):
                for seat in self.watchers:
                    tokens[-1].see(seat, place, self._clock)

    # ---- what a watcher learns

    def known(self, seat: int) -> Known:
        """What must be the same in every state that this watcher cannot distinguish."""
        bared, counted = self._seen_places[seat], set(self._seen_places[seat])
        counted |= {p for p in self.tokens if self.visibility.counts(self.moments[0].state, p, seat)}
        known = self._joined(counted)
        fixed = {p for p in self.tokens if p in self._ordered and self.machine.places[p].kind == ir.ORDERED}
        dice = self._joined(set(bared))
        fixed |= {p for p in dice if self.game.rules.components[self._component(p)].die is not None}
        for p in fixed:
            for token in self._where[p]:
                token.see(seat, p, self._clock + 1)
        for p in {source for source, _ in self._touched}:
            if self.machine.places[p].zone in self._taken_below:
                for token in self.tokens[p]:
                    token.see(seat, p, self._clock + 1)
        return Known(self.tokens, frozenset(fixed), frozenset(known), frozenset(self._told[seat]))

    def _joined(self, places: set[int]) -> set[int]:
        """Some places, with all those connected to them by moves of pieces."""
        found, size = set(places), -1
        while size != len(found):
            size = len(found)
            for pair in self._touched:
                if found.intersection(pair):
                    found.update(pair)
        return found

    def hidden_from(self, number: int, seat: int) -> bool:
        """Whether a watcher does not see a step within the run: one in another branch of `together`."""
        choice = self.steps[number].choice
        if choice is None or choice.waiting.seat == seat:
            return False
        known = any(step.joins for step in self.steps[number:])
        return bool(self.moments[number].state[ir.FORKED]) and not known


def _pair(moves: Sequence[Moved]) -> set[int]:
    return {place for move in moves[:1] for place in (move.source, move.to)}


def _taken_below(machine: ir.Machine) -> frozenset[str]:
    """The zones from whose bottom pieces are moved: no event says from which end one has left."""
    below = (node for node in machine.nodes if isinstance(node, ir.MoveSome) and node.below)
    return frozenset(zone for node in below for zone, _ in place_access(machine, node.source))


def place_of(game: Game, waiting: Waiting, option: Option) -> int | None:
    """The place of the piece that an option names; none if it names no piece."""
    node = game.machine.decision(waiting.node)
    kind = game.names.value_type(node, option, waiting.what)
    if not isinstance(kind, PieceType):
        return None
    return option[1] // game.machine.component_classes[kind.component]
