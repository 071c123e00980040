"""The phrasings of a game, played move by move side by side."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dsl.domains import NONE
from dsl.load import load
from dsl.rules import Rules
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.reference.codes import CHANCE
from tests.phrasings.phrasing import Phrasing

Move = tuple[Option, ...]
"""The options of decisions in a row, up to the first that changes what is compared."""
DEEPEST = 6
"""The most decisions of a move."""


@dataclass(frozen=True)
class Compiled:
    """A phrasing, read and compiled for its fewest seats."""

    phrasing: Phrasing
    rules: Rules
    machine: ir.Machine


def compiled(phrasing: Phrasing) -> Compiled:
    rules, report = load(phrasing.folder())
    assert not list(report), [m.message for m in report]
    return Compiled(phrasing, rules, compile_rules(rules, rules.seats[0]))


def shared(machines: Sequence[ir.Machine]) -> list[str]:
    """The counters, marks, pointers and zones that all have, of the same sizes.

    A zone with places for one piece counts as a pointer.
    """
    sizes = [_sizes(machine) for machine in machines]
    names = [name for name in sizes[0] if all(other.get(name) == sizes[0][name] for other in sizes)]
    assert names
    return names


def _sizes(machine: ir.Machine) -> dict[str, object]:
    words = {name: [(ir.SLOT, 1)] * v.size for name, v in machine.variables.items()}
    zones: dict[str, list[tuple[int, int]]] = {}
    for place in machine.places:
        zones.setdefault(place.zone, []).append((place.kind, place.words))
    return {**words, **zones}


def _turn(s: array[int]) -> bytes:
    """Whether and how the match has ended, and else whose turn it is."""
    return array("i", [s[ir.STATUS], s[ir.WINNERS], -1 if s[ir.STATUS] else s[ir.ACTIVE]]).tobytes()


Reader = Callable[["array[int]"], bytes]


def _words(base: int, size: int) -> Reader:
    return lambda s: s[base : base + size].tobytes()


def _value(address: int, lowest: int) -> Reader:
    """A pointer, counted from the first of its values."""
    return lambda s: array("i", [s[address] if s[address] == NONE else s[address] - lowest]).tobytes()


def _piece(base: int) -> Reader:
    """The class of the piece on a place for one, as a pointer to it would be."""
    return lambda s: array("i", [s[base] - 1 if s[base] else NONE]).tobytes()


def _readers(machine: ir.Machine, name: str) -> list[Reader]:
    """What reads a counter, mark, pointer or zone."""
    if name in machine.variables:
        words = machine.variables[name]
        lowest = words.ranges[0][0] if words.kind == "pointer" else 0
        if lowest:
            return [_value(words.base + k, lowest) for k in range(words.size)]
        return [_words(words.base, words.size)]
    places = [place for place in machine.places if place.zone == name]
    return [_piece(p.base) if p.kind == ir.SLOT else _words(p.base, p.words) for p in places]


class Side:
    """A match of one phrasing on the fast executor.

    `cut_alike`: decisions offer as much as elsewhere. `turns`: a move ends with the turn, whatever it has
    changed before.
    """

    def __init__(
        self, made: Compiled, names: Sequence[str], seed: int, cut_alike: bool = True, turns: bool = False
    ) -> None:
        self.phrasing = made.phrasing
        self.cut_alike = cut_alike
        self.turns = turns
        self.game = Game(made.rules, made.machine, "wasm")
        self.match = Match(self.game, seed=seed, keep_history=False)
        self._readers = [(name, reader) for name in names for reader in _readers(made.machine, name)]

    def key(self, s: array[int]) -> bytes:
        """What is compared of a state."""
        return _turn(s) + b"".join(reader(s) for _, reader in self._readers)

    def parts(self) -> dict[str, bytes]:
        """The same of the match, by name."""
        found = {"turn": _turn(self.match.state)}
        for name, read in self._readers:
            found[name] = found.get(name, b"") + read(self.match.state)
        return found

    def has_moved(self, before: bytes, after: bytes) -> bool:
        """Whether a move is complete, by what is compared before and after it."""
        number = len(_turn(self.match.state)) if self.turns else len(before)
        return before[:number] != after[:number]

    @property
    def now(self) -> bytes:
        return self.key(self.match.state)

    def waiting(self, number: int) -> Waiting:
        """One of the decisions that wait."""
        found = self.match.waiting()
        return found[number % len(found)]

    def moves(self, seat: int) -> Iterator[tuple[bytes, Move]]:
        """What a seat can do, and what is compared afterwards."""
        yield from self._moves(self.match.state, self.now, seat, ())

    def _moves(self, s: array[int], before: bytes, seat: int, made: Move) -> Iterator[tuple[bytes, Move]]:
        assert len(made) < DEEPEST, f"{self.phrasing}: a move of {made} changes nothing that is compared"
        waiting = self._of(self.game.executor.waiting(s), seat)
        for option in waiting.options:
            after = self.tried(s, waiting, option)
            key = self.key(after)
            if self.has_moved(before, key):
                yield key, (*made, option)
            else:
                yield from self._moves(after, before, seat, (*made, option))

    def tried(self, s: array[int], waiting: Waiting, option: Option) -> array[int]:
        """The state after an option, with the first of all random outcomes."""
        executor, after = self.game.executor, s[:]
        code = executor.choose(after, waiting, option)
        while code == CHANCE:
            code = executor.resolve_chance(after, executor.outcomes(after)[0][0])
        return after

    def take(self, seat: int, move: Move) -> list[int]:
        """Makes a move; how many options each of its decisions had."""
        offered = []
        for option in move:
            waiting = self._of(self.match.waiting(), seat)
            offered.append(len(waiting.options))
            self.match.take(waiting, option)
        return offered

    def like(self, seat: int, move: Move, key: bytes) -> Move | None:
        """A move that leads to a position; the same options as elsewhere, if they do."""
        s, made = self.match.state, 0
        for option in move:
            waiting = self._of(self.game.executor.waiting(s), seat)
            if option not in waiting.options:
                break
            s, made = self.tried(s, waiting, option), made + 1
        if made == len(move) and self.key(s) == key:
            return move
        return next((found for led, found in self.moves(seat) if led == key), None)

    @staticmethod
    def _of(waiting: Sequence[Waiting], seat: int) -> Waiting:
        return next(one for one in waiting if one.seat == seat)


def play(sides: Sequence[Side], chooser: random.Random, every: int, most: int) -> int:
    """Plays to the end, or so many moves; the number of moves.

    Before every so many moves all that can be done is compared, else what is done is found in each phrasing.
    Raises `AssertionError` where phrasings differ.
    """
    first, made = sides[0], 0
    for side in sides:
        side.match.start()
    same(sides)
    while not first.match.over and made < most:
        number = chooser.randrange(len(first.match.waiting()))
        seat = first.waiting(number).seat
        key, move = (
            _all_compared(sides, seat, chooser) if made % every == every - 1 else _one(first, seat, chooser)
        )
        alike, offered = [], []
        for side in sides:
            found = side.like(seat, move, key)
            assert found is not None, f"{side.phrasing}: {move} of {first.phrasing} is not offered"
            numbers = side.take(seat, found)
            if side.cut_alike:
                alike.append(side)
                offered.append(numbers)
        agree(alike, offered)
        made += 1
        same(sides)
    return made


def _all_compared(sides: Sequence[Side], seat: int, chooser: random.Random) -> tuple[bytes, Move]:
    found = [sorted(side.moves(seat)) for side in sides]
    agree(sides, [[key for key, _ in moves] for moves in found], [len(moves) for moves in found])
    return chooser.choice(found[0])


def _one(side: Side, seat: int, chooser: random.Random) -> tuple[bytes, Move]:
    """A random move of one side."""
    s, before, move = side.match.state, side.now, ()
    while True:
        waiting = side._of(side.game.executor.waiting(s), seat)
        option = chooser.choice(waiting.options)
        s, move = side.tried(s, waiting, option), (*move, option)
        if side.has_moved(before, key := side.key(s)):
            return key, move
        assert len(move) < DEEPEST


def same(sides: Sequence[Side]) -> None:
    """The same position, the same seats to choose, the same result."""
    parts = [side.parts() for side in sides]
    agree(sides, parts, [[name for name in one if one[name] != parts[0][name]] for one in parts])
    agree(sides, [[one.seat for one in side.match.waiting()] for side in sides])
    agree(sides, [(side.match.places(), side.match.outcome()) for side in sides])
    if sides[0].match.over:
        scores = [_scores(side.match) for side in sides]
        names = set.intersection(*map(set, scores))
        agree(sides, [{name: one[name] for name in names} for one in scores])


def _scores(match: Match) -> dict[tuple[str, str], int]:
    """By seat and line; the score lines that all phrasings have are compared."""
    return {(sheet.seat, name): value for sheet in match.accounts() for name, value, _ in sheet.lines}


def agree(sides: Sequence[Side], values: Sequence[object], shown: Sequence[object] | None = None) -> None:
    """All sides have the same value."""
    for side, value, told in zip(sides, values, shown or values, strict=True):
        assert value == values[0], f"{side.phrasing} has {told}, {sides[0].phrasing} {(shown or values)[0]}"
