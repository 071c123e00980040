"""A match that is played by chance: the position after the set-up, one turn, and the account at the end.

It is the same each time: a seed decides what is drawn and what is chosen. It ends early in games whose
choices are many.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from dsl import rules as r
from dsl.diagnostics import ErrorsReported
from dsl.domains import FlagType
from interpreter import events as ev, ir
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match, ScoreSheet
from interpreter.messages import Fault
from interpreter.redacted_log import entries
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.rulebook.phases import opening_phases
from rulewright.sentences.context import BookContext
from rulewright.story.names import TableNames
from rulewright.story.passages import Passage, passages

MOST_CHOICES, MOST_OPTIONS = 600, 2500
"""So many choices are made, and so many options looked at, before the match is broken off."""
MANY_OPTIONS, FEWEST_CHOICES = 100, 8
"""A match with so many options for each choice ends after the fewest choices."""
SEEDS = (1, 2, 3)
MOST_TURNS, MOST_LINES = 10, 14
"""So many turns are looked at for an example, which has so many lines at most."""
FEWEST_LINES = 2
"""An account of fewer lines needs no example."""
MOST_OF = 0.7
"""An account in which more of its lines count something is good enough."""


@dataclass(frozen=True, slots=True)
class SampleMatch:
    """A game and what happened in it.

    `first` is what everybody sees when the set-up is over: pieces and words, as `Preview` draws them. `turn`
    is told as the one sees it whose turn it is. `account` has a sheet for each seat, or nothing; `winners`
    are the seats that have won by it.
    """

    game: Game
    names: TableNames
    first: dict[str, Any]
    turn: tuple[Passage, ...]
    account: tuple[ScoreSheet, ...]
    winners: tuple[str, ...]


@dataclass
class _Played:
    """A match in the making: the number of the first step after its set-up, and what is seen then."""

    match: Match
    begun: int = 0
    first: dict[str, Any] | None = None


@dataclass
class PlayableGames:
    """The games of a book, each compiled when it is asked for."""

    ctx: BookContext
    compiled: dict[int, Game | None] = field(default_factory=dict)

    def of(self, seats: int) -> Game | None:
        """The game for a number of seats, with the labels of the book; nothing if it cannot be compiled."""
        if seats not in self.compiled:
            try:
                self.compiled[seats] = self._compiled(seats)
            except ErrorsReported:
                self.compiled[seats] = None
        return self.compiled[seats]

    def _compiled(self, seats: int) -> Game:
        config, lexicon = self.ctx.folding.config, self.ctx.lexicon
        chosen = ((config.rules.options[name], value) for name, value in config.options.items())
        options = {option.name: text_of(option, value) for option, value in chosen if config.is_fixed(option)}
        worded = replace(
            config.rules.configured(seats, dict(config.options)),
            labels=dict(lexicon.labels),
            language=lexicon.language,
            configurations=None,
        )
        return Game(worded, compile_rules(config.rules, seats, options))


def text_of(option: r.Option, value: int) -> str:
    """The value of an option as it is written."""
    if isinstance(option.type, FlagType):
        return "on" if value else "off"
    return option.text(value)


def sample_match(ctx: BookContext, games: PlayableGames) -> SampleMatch | None:
    """A match for as few players as can be, but not alone; nothing if none can be played."""
    counts = ctx.folding.config.counts
    game = games.of(next((n for n in counts if n > 1), counts[-1]))
    found = _tried(game) if game is not None else []
    if game is None or not found or found[0].first is None:
        return None
    names = TableNames.of(game)
    ended = [played.match for played in found if played.match.over]
    told = max(ended, key=_lines_told, default=None)
    sheets = tuple(told.accounts()) if told is not None and _lines_told(told) >= FEWEST_LINES else ()
    winners = tuple(told.winners()) if told is not None else ()
    return SampleMatch(game, names, found[0].first, _example(names, found[0]), sheets, winners)


def _tried(game: Game) -> list[_Played]:
    """Matches by one seed after the other, until most lines of an account count something."""
    found: list[_Played] = []
    for seed in SEEDS:
        played = _played(game, seed)
        if played is None:
            break
        found.append(played)
        if not played.match.over or _lines_told(played.match) > MOST_OF * counted_lines(game.rules):
            break
    return found


def counted_lines(rules: r.Rules) -> int:
    return sum(line.kind == "score" for line in rules.scores)


def _lines_told(match: Match) -> int:
    """How many lines of the account count something for somebody."""
    sheets = match.accounts()
    return sum(any(values) for values in zip(*([v for _, v, _ in s.lines] for s in sheets), strict=True))


def _played(game: Game, seed: int) -> _Played | None:
    """A match until its end, or as far as an example needs it. Nothing if the rules fail."""
    chooser, before = random.Random(seed), frozenset(opening_phases(game.rules))
    needs_end = counted_lines(game.rules) >= FEWEST_LINES
    try:
        played = _Played(Match(game, seed, keep_history=False).start())
        options = 0
        for number in range(MOST_CHOICES):
            match = played.match
            _note(played, before)
            turns = _turns(match, played.begun) if not needs_end and played.first is not None else ()
            many = options > min(MOST_OPTIONS, MANY_OPTIONS * max(number, FEWEST_CHOICES))
            if match.over or many or (number > MOST_TURNS and len(list(turns)) > MOST_TURNS):
                break
            waiting = chooser.choice(match.waiting())
            options += len(waiting.options)
            match.take(waiting, chooser.choice(waiting.options))
    except Fault:
        return None
    return played


def _note(played: _Played, before: frozenset[str]) -> None:
    """Keeps the position in which the set-up is over."""
    match = played.match
    game, s = match.game, match.state
    if played.first is None and not s[ir.FORKED] and game.machine.phases[s[ir.PHASE]] not in before:
        played.begun = len(match.steps) - 1
        played.first = {"places": game.views.pieces(s, SPECTATOR), "words": game.views.words(s, SPECTATOR)}


# ---- one turn


def _turns(match: Match, since: int) -> Iterator[tuple[int, int]]:
    """The numbers of the steps in which turns begin, each with the seat."""
    for number, step in enumerate(match.steps[since:], since):
        yield from ((number, e.seat) for e in step.events if isinstance(e, ev.Turned))


def _example(names: TableNames, played: _Played) -> tuple[Passage, ...]:
    """The passages of the turn, of the first ones, in which most happens; of the beginning without turns."""
    turns = list(_turns(played.match, max(0, played.begun)))[: MOST_TURNS + 1]
    told = [
        _one_turn(names, played.match, first, last, seat)
        for (first, seat), (last, _) in pairwise(turns)
        if first < last
    ]
    if not told:
        told = [_beginning(names, played)]
    fitting = [one for one in told if 0 < _length(one) <= MOST_LINES]
    return max(fitting, key=_length, default=())


def _one_turn(names: TableNames, match: Match, first: int, last: int, seat: int) -> tuple[Passage, ...]:
    """What is told from a step in which a turn begins to that in which the next one does."""
    told = passages(names, entries(match, seat, first, last + 1))
    begins = next((i for i, p in enumerate(told) if p.turn == seat), None)
    if begins is None:
        begins = 0 if told and told[0].seat == seat else 1
        return tuple(_before_next(told[begins:], seat))
    return tuple(_before_next(told[begins + 1 :], seat))


def _before_next(told: Sequence[Passage], seat: int) -> Iterator[Passage]:
    for passage in told:
        if passage.turn is not None and passage.turn != seat:
            return
        yield passage


def _beginning(names: TableNames, played: _Played) -> tuple[Passage, ...]:
    """The first passages after the set-up, as the first seat sees them."""
    result: list[Passage] = []
    for passage in passages(names, entries(played.match, 0, played.begun + 1)):
        if _length((*result, passage)) > MOST_LINES:
            break
        result.append(passage)
    return tuple(result)


def _length(told: Sequence[Passage]) -> int:
    return sum(bool(p.head) + len(p.facts) for p in told)


# ---- what everybody has


def belongings(games: PlayableGames, seats: int) -> dict[str, int]:
    """What each seat has in its zones and counters when the set-up is over; only what is certain."""
    game = games.of(seats)
    if game is None:
        return {}
    found: list[dict[str, int]] = []
    for seed in SEEDS[:2]:
        with suppress(Fault):
            match = _prepared(game, seed)
            if match is not None:
                found += [_of_seat(game, match, seat) for seat in range(seats)]
    if not found:
        return {}
    return {zone: n for zone, n in found[0].items() if n and all(one.get(zone) == n for one in found)}


def _prepared(game: Game, seed: int) -> Match | None:
    """A match whose set-up is over; nothing if that takes too long."""
    chooser, before = random.Random(seed), frozenset(opening_phases(game.rules))
    match = Match(game, seed, keep_history=False).start()
    for _ in range(MOST_CHOICES):
        if match.over:
            return None
        s = match.state
        if not s[ir.FORKED] and game.machine.phases[s[ir.PHASE]] not in before:
            return match
        waiting = chooser.choice(match.waiting())
        match.take(waiting, chooser.choice(waiting.options))
    return None


def _of_seat(game: Game, match: Match, seat: int) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for place, found in zip(game.machine.places, game.views.pieces(match.state, REFEREE), strict=True):
        decl = game.rules.zones.get(place.zone)
        if decl is not None and decl.var.of == "seat" and place.of == seat:
            number = found if isinstance(found, int) else len(found or ())
            numbers[place.zone] = numbers.get(place.zone, 0) + number
    words = iter(game.views.words(match.state, REFEREE))
    for layout in game.machine.variables.values():
        values = [next(words) for _ in range(layout.size)]
        if layout.kind == "counter" and layout.of == "seat" and layout.at is None:
            numbers[layout.name] = values[seat] or 0
    return numbers
