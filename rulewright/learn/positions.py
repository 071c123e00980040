"""The tree of a game's positions: choices, chance with weights, and what each seat has been told on the way.

A position is a value and is shared: its children are kept, so that solvers that walk the same tree again and
again work out each position once.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Final

from interpreter import ir
from interpreter.beliefs.record import PositionRecord
from interpreter.chance import merged
from interpreter.events import Event
from interpreter.executor_protocol import Option, Waiting
from interpreter.formatting import UNSEEN, outcome_name
from interpreter.game import Game, MatchStep
from interpreter.match import Match
from interpreter.redacted_log import parts
from interpreter.reference.codes import CHANCE
from interpreter.unseen import as_offered
from interpreter.wasm.batch import Batch
from rulewright.learn.play import DecisionIndex, Row, Space
from rulewright.learn.rewards import RewardKind, Rewards
from rulewright.library import open_game

MOST_BYTES: Final = 1 << 28
"""The memory that children may take which are kept."""
START = MatchStep(None, None, "", (), "")
Lines = tuple[str, ...]
Offers = dict[int, tuple[Option, ...]]
"""For each action the options that it may mean: several for a piece that is not seen."""


Key = int | tuple[int, int] | tuple[tuple[int, int], ...]
"""An outcome of chance; a seat and its action; or several of them at the same time."""


@dataclass(frozen=True, slots=True)
class TreeSetting:
    """What a tree is made of: a game by name or path, seats, options, a preset, rewards.

    Without `together`, seats that choose together act one after the other, unseen.
    """

    game: str
    seats: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    small: str | None = None
    reward: RewardKind = "win"
    together: bool = True


@lru_cache(maxsize=8)
def tree_of(setting: TreeSetting) -> PositionTree:
    """The tree of a game; those used last are kept. Raises `ErrorsReported` or `DiagnosticError`."""
    options = dict(setting.options)
    game = open_game(setting.game, setting.seats, options, executor="wasm", small=setting.small)
    return PositionTree(game, setting)


def _reached(setting: TreeSetting, route: Sequence[Key]) -> Position:
    """The position to which a route leads from the start."""
    tree = tree_of(setting)
    at = tree.root
    for key in route:
        at = tree.follow(at, key)
    return at


@dataclass(eq=False, slots=True)
class Position:
    """A stop of a match: a decision, an outcome of chance that is due, or the end.

    `told` is what each seat was told since the parent, `held` what it will be told when all branches of
    `together` have ended. `begun` is the state before the last choice. `due` are actions of seats that have
    chosen at the same time and are yet to be carried out, `pick` options of which chance takes one.
    """

    state: array[int]
    chance: bool
    parent: Position | None
    told: tuple[Lines, ...]
    held: tuple[Lines, ...]
    begun: array[int]
    due: tuple[tuple[int, int], ...] = ()
    pick: tuple[Waiting, tuple[Option, ...]] | None = None
    children: dict[Key, Position] = field(default_factory=dict)
    offers: dict[int, Offers] | None = None
    waiting: tuple[Waiting, ...] = ()
    strings: dict[int, str] = field(default_factory=dict)
    returns: list[float] | None = None
    origin: tuple[Position, Key] | None = None
    """The position from which it was first reached, and how."""
    setting: TreeSetting | None = None
    """Of the start: what the tree was made of."""

    def __reduce__(self) -> tuple[object, ...]:
        route: list[Key] = []
        at = self
        while at.origin is not None:
            at, key = at.origin
            route.append(key)
        return _reached, (at.setting, tuple(reversed(route)))

    def __deepcopy__(self, memo: object) -> Position:
        return self

    @property
    def over(self) -> bool:
        return bool(self.state[ir.STATUS])


class PositionTree:
    """The positions of a game under a catalogue, from its start."""

    def __init__(self, game: Game, setting: TreeSetting) -> None:
        self.setting, game = setting, game.in_parts
        self.game, self.executor, self.views = game, game.executor, game.views
        self.space = Space.of(game)
        self.rewards = Rewards(game, setting.reward)
        self.together = setting.together
        self.seats = game.machine.seats
        self._left = MOST_BYTES // (16 * game.machine.size + 2_000)
        state = self.executor.initial_state()
        blank: tuple[Lines, ...] = ((),) * self.seats
        before = Position(state, False, None, blank, blank, state[:])
        start = game.machine.start
        self.root = self._run(before, state, state[:], lambda s: self.executor.advance(s, start), START)
        self.root.setting = setting

    def __reduce__(self) -> tuple[object, ...]:
        return tree_of, (self.setting,)

    def __deepcopy__(self, memo: object) -> PositionTree:
        return self

    # ---- who acts

    def seats_asked(self, at: Position) -> list[int]:
        """The seats that decide: one, or where seats choose together all that wait."""
        if at.over or at.chance or at.pick is not None:
            return []
        found = list(dict.fromkeys(waiting.seat for waiting in self._waiting(at)))
        return found if self.together else found[:1]

    def _waiting(self, at: Position) -> tuple[Waiting, ...]:
        if not at.waiting:
            at.waiting = self.executor.waiting(at.state)
        return at.waiting

    def offers(self, at: Position, seat: int) -> Offers:
        """The actions of a seat, in order, with the options that each may mean."""
        if at.offers is None:
            at.offers = {}
        if seat not in at.offers:
            waiting = [w for w in self._waiting(at) if w.seat == seat]
            at.offers[seat] = self._offers(at, waiting[0]) if waiting else {}
        return at.offers[seat]

    def _offers(self, at: Position, waiting: Waiting) -> Offers:
        index = self.space.decisions[waiting.node]
        found: Offers = {int(index.ids[index.local_of(option)]): (option,) for option in waiting.options}
        if waiting.seat in index.hidden and self._hides(at, waiting):
            found = self._numbered(at, waiting, index)
        return dict(sorted(found.items()))

    def _hides(self, at: Position, waiting: Waiting) -> bool:
        node = self.game.machine.decision(waiting.node)
        return any(
            self.views.hides_words(at.state, node, option, waiting.what, waiting.seat)
            for option in waiting.options
        )

    def _numbered(self, at: Position, waiting: Waiting, index: DecisionIndex) -> Offers:
        """Pieces that the seat does not see have numbers; each may be any of those on its place."""
        node = self.game.machine.decision(waiting.node)
        choices = as_offered(PositionRecord(self.game, at.state), self.game.decision(waiting)).choices
        groups: dict[object, list[Option]] = {}
        for choice in choices:
            groups.setdefault(self._group(index, choice.words, choice.option), []).append(choice.option)
        found: Offers = {}
        for choice in choices:
            if UNSEEN in choice.words:
                key = self.space.ids[f"{node.name}: {' '.join(choice.words)}"]
                found[key] = tuple(groups[self._group(index, choice.words, choice.option)])
            else:
                found[int(index.ids[index.local_of(choice.option)])] = (choice.option,)
        return found

    def _group(self, index: DecisionIndex, words: Sequence[str], option: Option) -> object:
        return index.actions.places[index.local_of(option)], tuple(words[:-1]) if UNSEEN in words else option

    # ---- chance

    def outcomes(self, at: Position) -> list[tuple[int, float]]:
        """The outcomes that are due, numbered from 0 for each source, with their chances."""
        if at.pick is not None:
            options = at.pick[1]
            return [(i, 1 / len(options)) for i in range(len(options))]
        low = self._chance(at).low
        weighted = merged(self.executor.outcomes(at.state))
        total = sum(weight for _, weight in weighted)
        return sorted((outcome - low, weight / total) for outcome, weight in weighted if weight)

    def _chance(self, at: Position) -> ir.Chance:
        return self.game.machine.node(at.state[ir.PC], ir.Chance)

    @property
    def most_outcomes(self) -> int:
        """More than the greatest number of an outcome."""
        mc = self.game.machine
        pieces = max(mc.totals.values(), default=1)
        classes = max(mc.component_classes.values(), default=1)
        most = 1
        for node in mc.nodes:
            if isinstance(node, ir.Chance):
                most = max(most, node.faces or 0, len(node.names))
                most = max(most, classes if node.place is not None else 0)
                most = max(most, pieces if node.most is not None else 0)
        return most

    # ---- continuing

    def follow(self, at: Position, key: Key) -> Position:
        """Where an outcome, an action of a seat, or actions of several lead."""
        if isinstance(key, int):
            return self.resolve(at, key)
        if isinstance(key[0], int):
            seat, action = key
            assert isinstance(seat, int)
            assert isinstance(action, int)
            return self.take(at, seat, action)
        return self.take_all(at, [pair for pair in key if isinstance(pair, tuple)])

    def take(self, at: Position, seat: int, action: int) -> Position:
        """A seat takes an action that it is offered. Raises `KeyError` if it is not."""
        return self._child(at, (seat, action), lambda: self._take(at, seat, action))

    def _take(self, at: Position, seat: int, action: int) -> Position:
        options = self.offers(at, seat)[action]
        waiting = next(w for w in self._waiting(at) if w.seat == seat)
        if len(options) == 1:
            return self._choose(at, waiting, options[0])
        return _fresh(at, parent=at, told=((),) * self.seats, pick=(waiting, options))

    def take_all(self, at: Position, actions: Sequence[tuple[int, int]]) -> Position:
        """Seats take actions at the same time, in order; where chance is due in between, the rest waits.

        An action that is not offered any more after those of others is left out: its seat is asked again.
        """
        (seat, action), *rest = actions
        after = self.take(at, seat, action)
        return self._child(at, tuple(actions), lambda: self._go_on(after, tuple(rest)))

    def _go_on(self, at: Position, due: tuple[tuple[int, int], ...]) -> Position:
        if not due or at.over:
            return at
        if at.chance or at.pick is not None:
            return _fresh(at, due=due)
        seat, action = due[0]
        if seat not in self.seats_asked(at) or action not in self.offers(at, seat):
            return self._go_on(at, due[1:])
        return self.take_all(at, due)

    def resolve(self, at: Position, outcome: int) -> Position:
        """An outcome of chance, by its number. What is due then is carried out."""
        return self._child(at, outcome, lambda: self._resolve(at, outcome))

    def _resolve(self, at: Position, outcome: int) -> Position:
        if at.pick is not None:
            waiting, options = at.pick
            return self._go_on(self._choose(at, waiting, options[outcome]), at.due)
        chance = self._chance(at)
        branch = self.game.names.seat(at.state[ir.RUNNING] - 1) if at.state[ir.FORKED] else ""
        step = MatchStep(None, self.game.machine.streams[chance.stream], "", (), "", branch=branch)
        number = outcome + chance.low
        state = at.state[:]
        after = self._run(at, at.begun, state, lambda s: self.executor.resolve_chance(s, number), step)
        return self._go_on(after, at.due)

    def _choose(self, at: Position, waiting: Waiting, option: Option) -> Position:
        names, node = self.game.names, self.game.machine.decision(waiting.node)
        seat = names.seat(waiting.seat)
        text, own = (
            self.views.choice_text(at.state, node, option, waiting.what, viewer)
            for viewer in (-1, waiting.seat)
        )
        branch = seat if at.state[ir.FORKED] else ""
        step = MatchStep(seat, None, "", (), "", open_text=text, branch=branch, own_text=own)
        state = at.state[:]
        return self._run(at, at.state, state, lambda s: self.executor.choose(s, waiting, option), step)

    def _child(self, at: Position, key: Key, made: Callable[[], Position]) -> Position:
        found = at.children.get(key)
        if found is None:
            found = made()
            found.origin = at, key
            if self._left > 0:
                self._left -= 1
                at.children[key] = found
        return found

    def _run(
        self,
        at: Position,
        begun: array[int],
        state: array[int],
        act: Callable[[array[int]], int],
        step: MatchStep,
    ) -> Position:
        """Runs to the next stop, and notes what each seat is told."""
        events: list[Event] = []
        self.executor.sink = events
        try:
            code = act(state)
        finally:
            self.executor.sink = None
        told = tuple(events)
        if self.views.tops and code != CHANCE:
            told = self.views.with_tops(told, self.views.before(begun) or begun, state)
        step = replace(step, events=told)
        lines = [self._told(step, seat, at.held[seat]) for seat in range(self.seats)]
        now, held = tuple(x for x, _ in lines), tuple(x for _, x in lines)
        return Position(state, code == CHANCE, at, now, held, begun)

    # ---- what seats know

    def _told(self, step: MatchStep, seat: int, held: Lines) -> tuple[Lines, Lines]:
        """What a seat is told by a step, and what is held back until all branches have ended."""
        own = self.game.names.seat(seat)
        now: list[str] = []
        later = list(held)
        for number, part in enumerate(parts(PositionRecord(self.game, array("i"), [step]), step)):
            if part.joins:
                now += later
                later = []
            text = (step.own_text if step.seat == own else step.open_text) if number == 0 else ""
            found = [f"{step.seat}: {text}"] if text else []
            found += self.views.notated(self.views.redacted(part.events, seat))
            (now if part.branch in ("", own) else later).extend(found)
        return tuple(now), tuple(later)

    def information(self, at: Position, seat: int) -> str:
        """All that a seat has been told and has chosen, and what it sees now, as text (perfect recall)."""
        if seat not in at.strings:
            chain: list[Lines] = []
            position: Position | None = at
            while position is not None:
                if position.told[seat]:
                    chain.append(position.told[seat])
                position = position.parent
            lines = [line for told in reversed(chain) for line in told]
            at.strings[seat] = "\n".join([*lines, f"[{self._sight(at, seat)}]"])
        return at.strings[seat]

    def observation(self, at: Position, seat: int) -> Row:
        """[columns]: what a seat may see now, as environments give it."""
        self._batch.put(0, at.state)
        asked = seat in self.seats_asked(at)
        node = next((w.node for w in at.waiting if w.seat == seat), -1) if asked else -1
        number = self.space.decisions[node].number if node >= 0 else 0
        return self.space.row(self._batch.observe(0, seat), number, at.over)

    @cached_property
    def _batch(self) -> Batch:
        """A match that takes up positions, to observe them."""
        return Batch(self.game, 1)

    def _sight(self, at: Position, seat: int) -> str:
        """A hash of what a seat sees, and of what it is offered."""
        own = tuple(self.offers(at, seat)) if seat in self.seats_asked(at) else ()
        node = next((w.node for w in at.waiting if w.seat == seat), -1) if own else -1
        seen = (self.views.visible(at.state, seat), tuple(self.views.chosen(at.state, seat)), own, node)
        return hashlib.blake2b(repr(seen).encode(), digest_size=6).hexdigest()

    def reads(self, at: Position, chooser: int, action: int, seat: int) -> bool:
        """Whether a seat can read what another one chooses, word for word."""
        options = self.offers(at, chooser)[action]
        waiting = next(w for w in self._waiting(at) if w.seat == chooser)
        node = self.game.machine.decision(waiting.node)
        own, read = (
            self.views.choice_text(at.state, node, options[0], waiting.what, viewer)
            for viewer in (chooser, seat)
        )
        return len(options) == 1 and own == read

    def returns(self, at: Position) -> list[float]:
        """What the end is worth to each seat."""
        if at.returns is None:
            match = Match(self.game, keep_history=False)
            match.state = at.state
            at.returns = self.rewards.of_match(match)
        return at.returns

    def action_words(self, at: Position, seat: int, action: int) -> str:
        """An action, or with a seat below 0 an outcome of chance, in words."""
        if seat >= 0:
            return self.space.catalogue.actions[action]
        if at.pick is not None:
            return f"one of {len(at.pick[1])}"
        node = self._chance(at)
        return f"{self.game.machine.streams[node.stream]}: {outcome_name(node, action + node.low)}"


def _fresh(at: Position, **changes: Any) -> Position:
    """A copy with some changes, of which nothing has been worked out."""
    return replace(at, children={}, offers=None, waiting=(), strings={}, returns=None, origin=None, **changes)
