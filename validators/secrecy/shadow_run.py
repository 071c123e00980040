"""A shadow run: a recorded run in an indistinguishable state, with the same choices and outcomes."""

from __future__ import annotations

import random
from array import array
from dataclasses import dataclass, field

from dsl.domains import NONE
from interpreter import ir
from interpreter.events import Event, Moved
from interpreter.executor_protocol import Option, Waiting
from interpreter.formatting import outcome_name
from interpreter.game import Game, MatchStep
from interpreter.match import Match
from interpreter.messages import Fault
from validators.secrecy.indistinguishable_states import Known, Token, classes_at
from validators.secrecy.recorded_run import Chosen, Draw, RecordedRun, Step, place_of
from validators.secrecy.visibility import Visibility


class RunsDiverged(Exception):
    """The step is not possible in the other state, or differs in a way that the watcher may see."""


@dataclass
class _OracleMatch(Match):
    """A match with outcomes of chance from an oracle."""

    oracle: ShadowRun | None = None

    def draw(self) -> tuple[int, MatchStep]:
        node = self.game.machine.node(self.state[ir.PC], ir.Chance)
        assert self.oracle is not None
        weighted = self.game.executor.outcomes(self.state)
        outcome = self.oracle.outcome(node, [o for o, _ in weighted])
        return outcome, self.drawn(node, outcome_name(node, outcome), False, weighted)


@dataclass
class ShadowRun:
    """Follows one recorded run in another state, for one watcher."""

    run: RecordedRun
    visibility: Visibility
    watcher: int
    known: Known
    chooser: random.Random
    laid_open: frozenset[int] = frozenset()
    match: _OracleMatch = field(init=False)
    step: Step | None = None
    free: bool = False
    drawn: int = 0

    def begin(self, s: array[int]) -> Match:
        """The match in the other state."""
        self.match = _OracleMatch(self.game, self.run.match.seed, oracle=self)
        self.match.state, self.match.steps = s, self.run.moments[0].steps[:]
        return self.match

    @property
    def game(self) -> Game:
        return self.run.game

    def follow(self, number: int) -> None:
        """Takes a step of the run. Raises `RunsDiverged` if that is not possible."""
        step = self.run.steps[number]
        self.step, self.drawn, self.free = step, 0, self.run.hidden_from(number, self.watcher)
        first, before = len(self.match.steps), self.match.state[:]
        try:
            if step.choice is None:
                self.match.start()
            else:
                self.match.take(*self._choice(step, step.choice))
        except Fault:
            raise RunsDiverged from None
        if any(self._numbers(before, e) for x in self.match.steps[first:] for e in x.events):
            raise RunsDiverged
        if self.free and self._asked(self.match) != self._asked(self.run.moments[number + 1]):
            raise RunsDiverged

    def _choice(self, step: Step, choice: Chosen) -> tuple[Waiting, Option]:
        waiting = next((w for w in self.match.waiting() if self._same(w, choice.waiting)), None)
        if waiting is None:
            raise RunsDiverged
        return waiting, self._option(waiting, step, choice)

    def _same(self, one: Waiting, other: Waiting) -> bool:
        return (one.seat, one.node, one.branch) == (other.seat, other.node, other.branch)

    def _asked(self, match: Match) -> list[tuple[int, int]]:
        return [(w.seat, w.node) for w in match.waiting()]

    def _numbers(self, s: array[int], event: Event) -> bool:
        """Whether an event shows the watcher a number of pieces that the recorded run does not show."""
        if not isinstance(event, Moved) or event.source in self.known.counted:
            return False
        return event.to in self.known.counted or self.visibility.counts(s, event.to, self.watcher)

    # ---- choices

    def _option(self, waiting: Waiting, step: Step, choice: Chosen) -> Option:
        """The same option; if the watcher does not see which, any that looks the same to it."""
        place = place_of(self.game, choice.waiting, choice.option)
        if self.free or (self._is_kept(choice) and not self._is_laid_open(step, choice, place)):
            found = list(waiting.options)
        elif place is None or self._sees(place) or self._learns(step):
            found = [o for o in waiting.options if o == choice.option]
        else:
            spare = self._spare(place, step.near, step.clock)
            classes = self._classes(place)
            found = [
                o
                for o in waiting.options
                if o[0] == choice.option[0] and o[1] != NONE and o[1] // classes == place
                if o[1] % classes in spare and place_of(self.game, waiting, o) == place
            ]
        if not found:
            raise RunsDiverged
        return self.chooser.choice(found)

    def _is_kept(self, choice: Chosen) -> bool:
        """Whether another seat has chosen secretly, and the watcher is shown no value within the run."""
        node = self.game.machine.decision(choice.waiting.node)
        secret = isinstance(node, ir.Decide) and node.secret and choice.waiting.seat != self.watcher
        return secret and not self.known.words

    def _is_laid_open(self, step: Step, choice: Chosen, place: int | None) -> bool:
        """Whether rules show the watcher what another seat has chosen secretly: within the run, that it is
        nothing, or a piece that moves before its eyes; or a value, once all have chosen at once.
        """
        if choice.option[1] == NONE:
            return True
        if place is None or step.token is None:
            return bool(self.match.state[ir.FORKED]) and choice.waiting.node in self.laid_open
        return step.token.is_seen_elsewhere(self.watcher, place, step.clock)

    def _sees(self, place: int) -> bool:
        return self.visibility.sees(self.match.state, place, self.watcher)

    def _learns(self, step: Step) -> bool:
        """Whether the watcher sees the chosen piece before the end of the run."""
        return step.token is None or self._comes_to_see(step.token, step.clock)

    def _comes_to_see(self, token: Token, clock: int) -> bool:
        """Whether the watcher sees a piece after a time: before, it may be confused with equal ones."""
        return token.seen.get(self.watcher, -1) > clock

    def _classes(self, place: int) -> int:
        zone = self.game.machine.places[place].zone
        return self.game.machine.component_classes[self.game.machine.place_components[zone]]

    def _spare(self, place: int, tokens: tuple[Token, ...], clock: int) -> set[int]:
        """The classes on a place of which some pieces stay unseen by the watcher."""
        lying = classes_at(self.game, self.match.state, place)
        for token in tokens:
            if self._comes_to_see(token, clock) and token.class_ in lying:
                lying.remove(token.class_)
        return set(lying)

    # ---- chance

    def outcome(self, node: ir.Chance, possible: list[int]) -> int:
        """The same outcome; if the watcher does not see it, any.

        Raises `RunsDiverged` if it is not possible.
        """
        step, number = self.step, self.drawn
        self.drawn += 1
        if self.free or step is None or number >= len(step.draws):
            return self.chooser.choice(possible)
        draw = step.draws[number]
        same = [o for o in possible if outcome_name(node, o) == draw.outcome]
        if node.faces is not None:
            place = draw.thrown
            hidden = place is not None and not self._sees(place) and place not in self.known.fixed
            same = possible if hidden else same
        elif node.place is not None and not self._is_seen(draw):
            spare = self._spare(draw.source, draw.beside, draw.clock)
            same = [o for o in possible if o in spare]
        if not same:
            raise RunsDiverged
        return self.chooser.choice(same)

    def _is_seen(self, draw: Draw) -> bool:
        return draw.token is None or self._comes_to_see(draw.token, draw.clock)
