"""Worlds by dealing: what a seat does not see is dealt anew, each arrangement as likely as any other."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from dsl.domains import NONE, EnumType
from interpreter import ir
from interpreter.bots.alone import alone
from interpreter.events import Moved
from interpreter.executor_protocol import Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.reference import pieces


@dataclass(frozen=True, slots=True)
class DealtWorlds:
    """Deals hidden pieces among the places where they may lie, and hidden values within their ranges.

    Where pieces may lie follows from what has moved unseen. It is not asked what the choices of others say
    about them, so these worlds are not drawn by their true weights.
    """

    def draw(self, match: Match, waiting: Waiting, number: int, seed: int) -> Sequence[array[int]]:
        state = alone(match, waiting.seat)
        if state is None:
            return []
        base = match.game.machine.stream_base
        state[base : base + len(match.game.machine.streams)] = array(
            "i", bytes(4 * len(match.game.machine.streams))
        )
        return _deals(_Deal(match.game, state, waiting.seat, _mixed(match, waiting.seat)), number, seed)


def dealt(game: Game, state: array[int], seat: int, number: int, seed: int) -> list[array[int]]:
    """So many deals of a position of which nobody knows how it came about; one if nothing is hidden.

    All that the seat does not see of a component may lie wherever it sees none of it. States that it cannot
    tell apart give the same deals.
    """
    return _deals(_Deal(game, state, seat, [0] * len(game.machine.places)), number, seed)


def _deals(deal: _Deal, number: int, seed: int) -> list[array[int]]:
    if not deal.hides:
        return [deal.state]
    return [deal.world(random.Random(f"{seed} {i}")) for i in range(number)]


@dataclass(slots=True)
class _Group:
    """Hidden pieces of one component that may have changed places: what they are, and where they lie."""

    pool: list[int] = field(default_factory=list)
    die: int = 0
    places: list[tuple[int, int, int | None]] = field(default_factory=list)
    """Each place with the number of its pieces to deal, and the class of the topmost one if all see it."""
    loose: dict[int, int] = field(default_factory=dict)
    """Places whose pieces the seat cannot count, with the room of each."""
    scattered: int = 0


class _Deal:
    """What a seat does not see of one position."""

    def __init__(self, game: Game, state: array[int], seat: int, mixed: list[int]) -> None:
        self.game, self.machine, self.views = game, game.machine, game.views
        self.state, self.seat = state, seat
        self.groups = self._groups(mixed)
        self.words = list(self._hidden_words())

    @cached_property
    def held(self) -> list[int]:
        """The words in which triggers have noted a condition as it is; others wait to be noted."""
        conditions = [t for t in self.machine.triggers if t.condition is not None]
        primed = self.state[:]
        if conditions:
            self.game.reference.prime_triggers(primed)
        return [
            word
            for trigger in conditions
            for word in range(trigger.held, trigger.held + len(trigger.bindings))
            if self.state[word] == primed[word]
        ]

    @property
    def hides(self) -> bool:
        return bool(self.groups or self.words)

    def world(self, chooser: random.Random) -> array[int]:
        """One deal."""
        state = self.state[:]
        forked = bool(state[ir.FORKED])
        kept = [p for g in self.groups for p, _, _ in g.places if self._unchanged(p)] if forked else []
        for group in self.groups:
            self._deal(state, group, chooser)
        for p in kept:
            where = self.machine.places[p]
            self._save(state, where.base, where.base + where.words)
        for address, values in self.words:
            same = forked and state[address] == state[self._saved(address)]
            state[address] = chooser.choice(values)
            if same:
                self._save(state, address, address + 1)
        self._update_triggers(state)
        return state

    # ---- pieces

    def _groups(self, mixed: list[int]) -> list[_Group]:
        groups: dict[tuple[int, str, bool], _Group] = {}
        for p, where in enumerate(self.machine.places):
            if self.views.sees(self.state, p, self.seat):
                continue
            component = self.machine.place_components[where.zone]
            blank = where.kind == ir.BLANK
            group = groups.setdefault((mixed[p], component, blank), _Group())
            top = self.views.top(self.state, p) if p in self.views.tops else None
            classes = _classes_at(self.state, where)[: None if top is None else -1]
            if self.game.rules.components[component].die is not None and not blank:
                group.die = self.machine.component_classes[component]
            group.pool += classes
            if self.views.counts(self.state, p, self.seat):
                group.places.append((p, len(classes), top))
            else:
                group.places.append((p, 0, top))
                group.scattered += len(classes)
                group.loose[p] = _room(where)
        for group in groups.values():
            group.pool.sort()
        return [group for group in groups.values() if group.pool or group.loose]

    def _deal(self, world: array[int], group: _Group, chooser: random.Random) -> None:
        pool = [chooser.randrange(group.die) for _ in group.pool] if group.die else group.pool[:]
        chooser.shuffle(pool)
        number = {p: n for p, n, _ in group.places}
        for _ in range(group.scattered):
            rooms = [p for p, room in group.loose.items() if number[p] < room]
            number[chooser.choice(rooms)] += 1
        for p, _, top in group.places:
            where = self.machine.places[p]
            pieces.clear(world, where)
            for _ in range(number[p]):
                pieces.put(world, where, pool.pop())
            if top is not None:
                pieces.put(world, where, top)

    # ---- values

    def _hidden_words(self) -> Iterator[tuple[int, Sequence[int]]]:
        """The words that the seat does not see, with the values that they may have.

        A pointer that is none stays so: whether something was chosen is known from the course of the match.
        """
        for name in self.game.rules.hidden_words:
            words = self.machine.variables[name]
            for address in range(words.base, words.base + words.size):
                if self.state[address] != NONE and not self.views.reads(self.state, address, self.seat):
                    yield address, self._values(words, address)

    def _values(self, words: ir.VarLayout, address: int) -> Sequence[int]:
        if isinstance(words.type, EnumType):
            return self.game.rules.types[words.type.type].present(self.machine.seats)
        lo, hi = words.bounds(address)
        return range(lo, hi + 1)

    # ---- what follows from them

    def _saved(self, address: int) -> int:
        return self.machine.saved + address - self.machine.saved_from

    def _save(self, world: array[int], first: int, last: int) -> None:
        """What others see of words while seats choose together becomes what they are."""
        world[self._saved(first) : self._saved(last)] = world[first:last]

    def _unchanged(self, p: int) -> bool:
        """Whether a place is as it was before the running `together`."""
        where, s = self.machine.places[p], self.state
        first, last = where.base, where.base + where.words
        return s[first:last] == s[self._saved(first) : self._saved(last)]

    def _update_triggers(self, world: array[int]) -> None:
        """The conditions that triggers have noted, as they are in this world."""
        if not self.held:
            return
        other = world[:]
        self.game.reference.prime_triggers(other)
        for word in self.held:
            world[word] = other[word]


def _classes_at(s: array[int], where: ir.Place) -> list[int]:
    """The classes of the pieces on a place, from bottom to top; pieces without a class have 0."""
    base = where.base
    match where.kind:
        case ir.SLOT:
            return [s[base] - 1] if s[base] else []
        case ir.COUNTS:
            return [c for c in range(where.classes) for _ in range(s[base + c])]
        case ir.ORDERED:
            return [c - 1 for c in s[base + 1 : base + 1 + s[base]]]
    return [0] * s[base]


def _room(where: ir.Place) -> int:
    """How many pieces fit on a place."""
    if where.kind == ir.SLOT:
        return 1
    return where.capacity if where.limited or where.kind == ir.ORDERED else 1 << 30


def _mixed(match: Match, seat: int) -> list[int]:
    """For each place the first of those with which it may have exchanged pieces that the seat did not see.

    By chance or by a choice, which move one piece, perhaps on and on. What else moves is moved by the rules,
    as when tiles are sorted into stacks, and the seat knows what it was. Of a position that was set up
    nothing is known.
    """
    views = match.game.views
    places = range(len(match.game.machine.places))
    if match.opening is not None and not match.opening.carried:
        return [0 for _ in places]
    hidden = {p for p in places if not views.may_see(p, seat)}
    firsts = list(places)

    def root(p: int) -> int:
        while firsts[p] != p:
            p = firsts[p]
        return p

    for step in match.steps if hidden else ():
        if step.stream is None and step.seat is None:
            continue
        way: list[int] = []
        for event in step.events:
            if not isinstance(event, Moved) or not {event.source, event.to} <= hidden:
                continue
            if not way or event.source in way:
                firsts[root(event.to)] = root(event.source)
                way.append(event.to)
    return [root(p) for p in places]
