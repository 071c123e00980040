"""The tree of a game's positions: choices, chance with weights, and what each seat was told on the way.

A position is a value and is shared: children of one that is left again are kept, so that solvers that walk
the same tree again and again work out each position once or twice. What seats were told is worked out when
it is asked for.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from interpreter import ir
from interpreter.beliefs.record import PositionRecord
from interpreter.chance import merged
from interpreter.events import Event
from interpreter.executor_protocol import Option, Waiting
from interpreter.formatting import UNSEEN, outcome_name
from interpreter.game import Game, MatchStep
from interpreter.match import Match
from interpreter.redacted_log import choice_text, step_rows
from interpreter.reference.codes import CHANCE
from interpreter.unseen import as_offered
from interpreter.views import ToldPart, step_row
from interpreter.wasm.stops import NOT_MADE, SeatAsked, Stop, Stops
from rulewright.learn.rewards import RewardKind, Rewards
from rulewright.learn.space import DecisionIndex, Row, Space
from rulewright.library import open_game

MOST_BYTES: Final = 1 << 28
"""The memory that children may take which are kept."""
START = MatchStep(None, None, "", (), "")
Lines = tuple[str, ...]
Key = int | tuple[int, int] | tuple[tuple[int, int], ...]
"""An outcome of chance; a seat and its action; or several of them at the same time."""
NO_CHILDREN: Final[dict[Key, Position]] = {}
"""Those of a position that was left once."""
OUTCOME, NOTHING = -1, -2
"""Instead of a seat that chose: an outcome of chance; or nothing has happened since the parent."""
BEFORE = -1
"""Instead of the number of a step: what was held back before."""
MOST_MENUS: Final = 1 << 10
"""How many menus are kept whose actions were worked out."""


class Offers(NamedTuple):
    """The actions of a seat, in order, and for each what it may mean as numbered in a batch.

    `meant` is none where each action means what the catalogue says; several are meant by a piece that is
    not seen.
    """

    actions: list[int]
    meant: dict[int, tuple[int, ...]] | None = None


class Told(NamedTuple):
    """What a seat was told by a step, and what is held back until all branches of `together` have ended."""

    now: Lines
    later: Lines


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

    `begun` is the state before the last choice. `due` are actions of seats that have chosen at the same time
    and are yet to be carried out, `pick` what may be meant by an action, of which chance takes one.
    """

    state: array[int]
    chance: bool
    asked: tuple[SeatAsked, ...]
    """Who decides, if no chance is due: all that choose together."""
    parent: Position | None
    chooser: int
    """How the state was reached from that of the parent: the seat that chose, or `OUTCOME`, or `NOTHING`."""
    chosen: int
    """What it chose, as numbered in a batch, or the outcome."""
    begun: array[int]
    due: tuple[tuple[int, int], ...] = ()
    pick: tuple[SeatAsked, tuple[int, ...]] | None = None
    children: dict[Key, Position] | None = None
    offers: dict[int, Offers] | None = None
    strings: dict[int, str] | None = None
    returns: list[float] | None = None
    told: tuple[Told, ...] | None = None
    """For each seat what it was told since the parent."""
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
        self.stops = Stops(game)
        self._menus: dict[tuple[int, bytes], Offers] = {}
        self._fixed = _fixed_outcomes(game.machine)
        self._left = MOST_BYTES // (16 * game.machine.size + 2_000)
        state = game.executor.initial_state()
        before = Position(state, False, (), None, NOTHING, 0, state)
        before.told = (Told((), ()),) * self.seats
        self.root = _at_stop(before, NOTHING, 0, state, self.stops.first(state))
        self.root.setting = setting

    def __reduce__(self) -> tuple[object, ...]:
        return tree_of, (self.setting,)

    def __deepcopy__(self, memo: object) -> PositionTree:
        return self

    # ---- who acts

    def seats_asked(self, at: Position) -> list[int]:
        """The seats that decide: one, or where seats choose together all that wait."""
        if at.pick is not None:
            return []
        return [asked.seat for asked in (at.asked if self.together else at.asked[:1])]

    def actions(self, at: Position, seat: int) -> list[int]:
        """The actions that a seat is offered, in order."""
        return self.offers(at, seat).actions

    def offers(self, at: Position, seat: int) -> Offers:
        """The actions of a seat, and what they mean."""
        if at.offers is None:
            at.offers = {}
        found = at.offers.get(seat)
        if found is None:
            asked = _of_seat(at, seat)
            found = at.offers[seat] = self._offers(at, asked) if asked is not None else Offers([])
        return found

    def _offers(self, at: Position, asked: SeatAsked) -> Offers:
        index = self.space.decisions[asked.node]
        menu = self.stops.menu(at.state, asked)
        hidden = index.hidden.get(asked.seat)
        if hidden is not None and not set(self.stops.offered(asked, menu)).isdisjoint(hidden.tolist()):
            meant = self._numbered(at, self._waiting(at, asked), index)
            return Offers(sorted(meant), meant)
        found = self._menus.get((asked.node, menu))
        if found is None:
            actions = index.ids[self.stops.offered(asked, menu)].tolist()
            found = Offers(actions if index.ordered else sorted(set(actions)))
            if len(self._menus) < MOST_MENUS:
                self._menus[asked.node, menu] = found
        return found

    def _waiting(self, at: Position, asked: SeatAsked) -> Waiting:
        """What the referee knows of a decision."""
        found = self.executor.waiting(at.state)
        return next(w for w in found if (w.seat, w.node) == (asked.seat, asked.node))

    def _numbered(self, at: Position, waiting: Waiting, index: DecisionIndex) -> dict[int, tuple[int, ...]]:
        """Pieces that the seat does not see have numbers; each may be any of those on its place."""
        node = self.game.machine.decision(waiting.node)
        choices = as_offered(PositionRecord(self.game, at.state), self.game.decision(waiting)).choices
        groups: dict[object, list[int]] = {}
        for choice in choices:
            local = index.local_of(choice.option)
            groups.setdefault(self._group(index, choice.words, choice.option), []).append(local)
        found: dict[int, tuple[int, ...]] = {}
        for choice in choices:
            if UNSEEN in choice.words:
                key = self.space.ids[f"{node.name}: {' '.join(choice.words)}"]
                found[key] = tuple(groups[self._group(index, choice.words, choice.option)])
            else:
                local = index.local_of(choice.option)
                found[int(index.ids[local])] = (local,)
        return found

    def _meant(self, at: Position, asked: SeatAsked, action: int) -> tuple[int, ...]:
        """What an action that is offered may mean, as numbered in a batch."""
        meant = self.offers(at, asked.seat).meant
        if meant is not None:
            return meant[action]
        found = self.space.decisions[asked.node].locals[action]
        if len(found) > 1:
            offered = self.stops.offered(asked, self.stops.menu(at.state, asked))
            found = tuple(local for local in found if local in offered)
        return found[:1]

    def _group(self, index: DecisionIndex, words: Sequence[str], option: Option) -> object:
        return index.actions.places[index.local_of(option)], tuple(words[:-1]) if UNSEEN in words else option

    # ---- chance

    def outcomes(self, at: Position) -> list[tuple[int, float]]:
        """The outcomes that are due, numbered from 0 for each source, with their chances."""
        if at.pick is not None:
            means = at.pick[1]
            return [(i, 1 / len(means)) for i in range(len(means))]
        number = at.state[ir.PC]
        fixed = self._fixed.get(number)
        if fixed is not None:
            return fixed
        node = self._chance(at)
        low = node.low
        if isinstance(node.place, ir.Const):
            return _drawn(at.state, self.game.machine.places[node.place.value], low)
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
        found = at.children.get((seat, action)) if at.children is not None else None
        return found or self._kept(at, (seat, action), self._take(at, seat, action))

    def _take(self, at: Position, seat: int, action: int) -> Position:
        asked = _of_seat(at, seat)
        if asked is None:
            raise KeyError(action)
        means = self._meant(at, asked, action)
        if len(means) == 1:
            return self._choose(at, asked, means[0])
        return _fresh(at, parent=at, chooser=NOTHING, pick=(asked, means))

    def take_all(self, at: Position, actions: Sequence[tuple[int, int]]) -> Position:
        """Seats take actions at the same time, in order; where chance is due in between, the rest waits.

        An action that is not offered any more after those of others is left out: its seat is asked again.
        """
        (seat, action), *rest = actions
        found = at.children.get(tuple(actions)) if at.children is not None else None
        return found or self._kept(at, tuple(actions), self._go_on(self.take(at, seat, action), tuple(rest)))

    def _go_on(self, at: Position, due: tuple[tuple[int, int], ...]) -> Position:
        if not due or at.over:
            return at
        if at.chance or at.pick is not None:
            return _fresh(at, due=due)
        seat, action = due[0]
        if seat not in self.seats_asked(at) or action not in self.actions(at, seat):
            return self._go_on(at, due[1:])
        return self.take_all(at, due)

    def resolve(self, at: Position, outcome: int) -> Position:
        """An outcome of chance, by its number. What is due then is carried out."""
        found = at.children.get(outcome) if at.children is not None else None
        return found or self._kept(at, outcome, self._resolve(at, outcome))

    def _resolve(self, at: Position, outcome: int) -> Position:
        if at.pick is not None:
            asked, means = at.pick
            return self._go_on(self._choose(at, asked, means[outcome]), at.due)
        number = outcome + self._chance(at).low
        after = _at_stop(at, OUTCOME, number, at.begun, self.stops.resolve(at.state, number))
        return self._go_on(after, at.due) if at.due else after

    def _choose(self, at: Position, asked: SeatAsked, local: int) -> Position:
        return _at_stop(at, asked.seat, local, at.state, self.stops.choose(at.state, asked, local))

    def _kept(self, at: Position, key: Key, child: Position) -> Position:
        """A position that is reached from another; it is kept if that was left before, while there is room.

        So whoever walks the tree again and again finds it worked out, and a match leaves little behind.
        """
        child.origin = at, key
        if at.children is None:
            at.children = NO_CHILDREN
        elif self._left > 0:
            self._left -= 1
            if at.children is NO_CHILDREN:
                at.children = {}
            at.children[key] = child
        return child

    # ---- what seats know

    def information(self, at: Position, seat: int) -> str:
        """All that a seat has been told and has chosen, and what it sees now, as text (perfect recall)."""
        if at.strings is None:
            at.strings = {}
        if seat not in at.strings:
            self.tell(at)
            chain: list[Lines] = []
            position: Position | None = at
            while position is not None:
                assert position.told is not None
                chain.append(position.told[seat].now)
                position = position.parent
            lines = [line for told in reversed(chain) for line in told]
            at.strings[seat] = "\n".join([*lines, f"[{self._sight(at, seat)}]"])
        return at.strings[seat]

    def tell(self, at: Position) -> None:
        """Works out what seats were told on the way to a position; nobody had asked before."""
        untold: list[Position] = []
        position: Position | None = at
        while position is not None and position.told is None:
            untold.append(position)
            position = position.parent
        for each in reversed(untold):
            parent = each.parent
            assert parent is not None
            assert parent.told is not None
            if each.chooser == NOTHING and parent.parent is not None:
                each.told = tuple(Told((), told.later) for told in parent.told)
            else:
                step = self._step(each, parent)
                each.told = tuple(self._told(step, seat, told.later) for seat, told in enumerate(parent.told))

    def _step(self, at: Position, parent: Position) -> MatchStep:
        """The step that has led to a position, carried out again by the referee, with its events."""
        events: list[Event] = []
        state = parent.state[:]
        self.executor.sink = events
        try:
            step, code = self._again(at, parent, state)
        finally:
            self.executor.sink = None
        told = tuple(events)
        if self.views.tops and code != CHANCE:
            told = self.views.with_tops(told, self.views.before(at.begun) or at.begun, state)
        return replace(step, events=told)

    def _again(self, at: Position, parent: Position, state: array[int]) -> tuple[MatchStep, int]:
        """A step without its events, and the code of the stop to which it leads; the state changes."""
        names, mc = self.game.names, self.game.machine
        if at.chooser == NOTHING:
            return START, self.executor.advance(state, mc.start)
        if at.chooser == OUTCOME:
            branch = names.seat(state[ir.RUNNING] - 1) if state[ir.FORKED] else ""
            step = MatchStep(None, mc.streams[self._chance(parent).stream], "", (), "", branch=branch)
            return step, self.executor.resolve_chance(state, at.chosen)
        asked = _of_seat(parent, at.chooser)
        assert asked is not None
        waiting = self._waiting(parent, asked)
        option = self.stops.numbers(asked.node).options[at.chosen]
        open_text, own = (
            self.views.choice_text(parent.state, waiting, option, viewer) for viewer in (-1, asked.seat)
        )
        seat = names.seat(asked.seat)
        branch = seat if state[ir.FORKED] else ""
        step = MatchStep(seat, None, "", (), "", open_text=open_text, branch=branch, own_text=own)
        return step, self.executor.choose(state, waiting, option)

    def _told(self, step: MatchStep, seat: int, held: Lines) -> Told:
        """What a seat is told by a step, and what is held back.

        The lines that were held back before are told where their row, with the number `BEFORE`, is told.
        """
        before = step_row(BEFORE).tobytes() if held else b""
        parts, rest = self.views.tell(step_rows(self.game, step, seat), seat, before)
        later = self.views.parts(array("i", rest))
        return Told(self._lines(step, seat, parts, held), self._lines(step, seat, later, held))

    def _lines(self, step: MatchStep, seat: int, parts: Iterable[ToldPart], held: Lines) -> Lines:
        lines: list[str] = []
        for part in parts:
            if part.step == BEFORE:
                lines += held
                continue
            text = choice_text(self.game, step, seat) if part.first else ""
            lines += [f"{step.seat}: {text}"] if text else []
            lines += self.views.notated(part.events)
        return tuple(lines)

    def observation(self, at: Position, seat: int) -> Row:
        """[columns]: what a seat may see now, as environments give it."""
        node = self._node(at, seat)
        number = self.space.decisions[node].number if node >= 0 else 0
        return self.space.row(self.stops.observation(at.state, seat), number, at.over)

    def _node(self, at: Position, seat: int) -> int:
        """The decision that a seat is asked, -1 for none."""
        asked = _of_seat(at, seat) if seat in self.seats_asked(at) else None
        return asked.node if asked is not None else -1

    def _sight(self, at: Position, seat: int) -> str:
        """A hash of what a seat sees, and of what it is offered."""
        own = tuple(self.actions(at, seat)) if seat in self.seats_asked(at) else ()
        node = self._node(at, seat) if own else -1
        seen = (self.views.visible(at.state, seat), tuple(self.views.chosen(at.state, seat)), own, node)
        return hashlib.blake2b(repr(seen).encode(), digest_size=6).hexdigest()

    def reads(self, at: Position, chooser: int, action: int, seat: int) -> bool:
        """Whether a seat can read what another one chooses, word for word."""
        asked = _of_seat(at, chooser)
        assert asked is not None
        means = self._meant(at, asked, action)
        waiting = self._waiting(at, asked)
        option = self.stops.numbers(asked.node).options[means[0]]
        own, read = (self.views.choice_text(at.state, waiting, option, viewer) for viewer in (chooser, seat))
        return len(means) == 1 and own == read

    def returns(self, at: Position) -> list[float]:
        """What the end is worth to each seat."""
        if at.returns is None:
            at.returns = self._returns(at)
        return at.returns

    def _returns(self, at: Position) -> list[float]:
        won, totals = self.stops.results(at.state)
        if won == NOT_MADE:
            match = Match(self.game, keep_history=False)
            match.state = at.state
            return self.rewards.of_match(match)
        winners = np.array([won >> seat & 1 for seat in range(self.seats)], dtype=np.bool_)
        rewards: list[float] = self.rewards.of(totals, winners).tolist()
        return rewards

    def action_words(self, at: Position, seat: int, action: int) -> str:
        """An action, or with a seat below 0 an outcome of chance, in words."""
        if seat >= 0:
            return self.space.catalogue.actions[action]
        if at.pick is not None:
            return f"one of {len(at.pick[1])}"
        node = self._chance(at)
        return f"{self.game.machine.streams[node.stream]}: {outcome_name(node, action + node.low)}"


def _at_stop(parent: Position, chooser: int, chosen: int, begun: array[int], stop: Stop) -> Position:
    return Position(*stop, parent, chooser, chosen, begun)


def _of_seat(at: Position, seat: int) -> SeatAsked | None:
    """The decision of a seat that is asked at a position."""
    for asked in at.asked:
        if asked.seat == seat:
            return asked
    return None


def _drawn(state: array[int], pile: ir.Place, low: int) -> list[tuple[int, float]]:
    """The outcomes of drawing from a place that has a number of each class."""
    numbers = state[pile.base : pile.base + pile.classes]
    total = sum(numbers)
    return [(class_ - low, number / total) for class_, number in enumerate(numbers) if number]


def _fixed_outcomes(mc: ir.Machine) -> dict[int, list[tuple[int, float]]]:
    """The outcomes of the nodes of chance that throw a die: each face is as likely."""
    return {
        number: [(face - node.low, 1 / node.faces) for face in range(node.faces)]
        for number, node in enumerate(mc.nodes)
        if isinstance(node, ir.Chance) and node.faces is not None
    }


def _fresh(at: Position, **changes: Any) -> Position:
    """A copy with some changes, of which nothing has been worked out."""
    blank = dict.fromkeys(("children", "offers", "strings", "returns", "told", "origin"))
    return replace(at, **{**blank, **changes})
