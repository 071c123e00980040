"""Matches that do not end if somebody stays away."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from dsl.diagnostics import Label
from dsl.wording import plural
from interpreter import ir
from interpreter.absent import default_option
from interpreter.chance import Choosing
from interpreter.executor_protocol import PASS, Option, Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault, RunsForEver, TooLong
from validators.check import Check, CheckContext, Finding
from validators.checks import pass_for_ever

LONGEST = 20_000
"""The most choices of a match, unless the game has a lower limit."""
SEED = 0
SHOWN = 8
"""How many of the last choices are shown, each once."""


@dataclass(frozen=True)
class AbsentSeats(Finding):
    """A match does not end if a seat stays away, or if all do.

    For a seat that stays away a default is chosen: what `absent` in `game.yaml` says, else pass, else any
    choice. Matches are played that way with each seat away in turn, and with all of them, while the others
    choose at random. One has not ended after as many choices as `longest` allows, or 20,000.

    Example:

        flow:
          turn: {seat: rotates, do: [{may do: [build]}], then: {game_over: final, otherwise: turn}}

    Everybody passes, and nothing is ever built. Say what is chosen instead, `absent: {build: any}`, or let
    the game end when nobody acts.
    """

    code = "V341"
    slug = "absent-seats"
    title = "a match of {seats} with {who} away has not ended after {number} choices"
    label = "asked here most often"
    advice = "declare under `absent` what is chosen, as for `{about}`, or end the game when nobody acts"

    who: str = ""
    seats: str = ""
    number: int = 0


def find(subject: CheckContext) -> Iterator[Finding]:
    if subject.trapped or _passes_for_ever(subject):
        return
    for machine, everybody_only in _machines(subject):
        game = Game(subject.rules, machine)
        everybody = frozenset(range(machine.seats))
        one_by_one = () if everybody_only else (frozenset({seat}) for seat in sorted(everybody))
        for away in dict.fromkeys((everybody, *one_by_one)):
            played = _play(subject, game, away)
            if played.endless and not _play(subject, game, frozenset()).endless:
                yield _finding(game, away, played)
                return


def _machines(subject: CheckContext) -> Iterator[tuple[ir.Machine, bool]]:
    """The fewest seats, of which each is away once, and the most, who are only away all at once.

    With a single seat, all are away: then the fewest of several follow.
    """
    fewest, *more = subject.machines
    yield fewest, False
    if more and fewest.seats == 1:
        yield more.pop(0), False
    if more:
        yield more[-1], True


def _passes_for_ever(subject: CheckContext) -> bool:
    """Whether it is reported, and not allowed, that all may pass for ever: the same mistake."""
    allowed = {(entry.code, entry.about) for entry in subject.rules.allowed}
    return any((found.code, found.about) not in allowed for found in pass_for_ever.find(subject))


@dataclass
class _Played:
    """A match with some seats away: whether it did not end, and where those chose, or passed."""

    endless: bool = False
    number: int = 0
    asked: Counter[int] = field(default_factory=Counter)
    passed: Counter[int] = field(default_factory=Counter)
    last: deque[tuple[Waiting, Option]] = field(default_factory=lambda: deque(maxlen=SHOWN))


def _play(subject: CheckContext, game: Game, away: frozenset[int]) -> _Played:
    """Plays a match. One that stops with another fault is not endless: that is reported by others."""
    match = Match(game, seed=SEED, keep_history=False)
    below, played = Choosing(SEED).below, _Played()
    try:
        match.start()
        while not match.over:
            subject.tick()
            if played.number >= LONGEST:
                played.endless = True
                break
            waiting = match.waiting()
            one = waiting[below(len(waiting))]
            if one.seat in away:
                option = default_option(match, one)
                (played.passed if option == PASS else played.asked)[one.node] += 1
                played.last.append((one, option))
            else:
                option = one.options[below(len(one.options))]
            match.take(one, option)
            played.number += 1
    except Fault as fault:
        played.endless = isinstance(fault.diagnostic, TooLong | RunsForEver)
    return played


def _finding(game: Game, away: frozenset[int], played: _Played) -> AbsentSeats:
    names = game.names
    often = played.passed or played.asked
    node = game.machine.decision(max(often, key=lambda number: often[number]))
    seats = [names.seat(seat) for seat in sorted(away)]
    path = (
        Label(
            game.machine.decision(one.node).span,
            f"`{' '.join(names.choice(game.machine.decision(one.node), option, one.what))}` is chosen",
        )
        for one, option in played.last
    )
    return AbsentSeats(
        node.span,
        node.name,
        tuple(dict.fromkeys(path)),
        who="everybody" if len(seats) == game.machine.seats > 1 else seats[0],
        seats=plural(game.machine.seats, "seat"),
        number=played.number,
    )


CHECK = Check(AbsentSeats, find, plays=True)
