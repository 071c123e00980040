"""Pairs of triggers whose order matters."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from time import thread_time

from dsl.diagnostics import Label
from dsl.rules import Trigger
from interpreter.compile.program import compile_rules, configure
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from validators.check import Check, CheckContext, Finding
from validators.witness import match_in_words

SECONDS = 0.4
"""How long each pair is played with each number of seats, after the fewest matches."""
FEWEST, MOST_STEPS = 4, 200
"""The matches that are always played for each pair; the most choices of a match."""


@dataclass(frozen=True)
class OrderOfTriggers(Finding):
    """Two triggers are fired by the same statement, and the outcome depends on which runs first.

    They run in the order in which they are written, so the order of two blocks in a file decides. The
    finding comes from playing the same choices with both orders until the positions differed; the given seed
    is that of the match.

    Example:

        when vp of seat is 0
            gain 1 vp of seat
        when vp of seat is 0
            end game

    Merge the triggers, in the order that the rulebook requires. If the written order is the one in the
    rulebook, `allow` it with the clause.
    """

    code = "V336"
    slug = "order-of-triggers"
    title = "`when {about}` at line {line} and `when {other}` at line {second}: the order decides the outcome"
    label = "this one runs first: {match}"
    advice = "merge the triggers, or `allow` the written order with its reason"

    other: str = ""
    line: int = 0
    second: int = 0
    match: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    rules = subject.rules
    for i, j in combinations(range(len(rules.triggers)), 2):
        for seats in subject.seats:
            seed = _diverging_seed(subject, i, j, seats)
            if seed is not None:
                one, other = rules.triggers[i], rules.triggers[j]
                yield OrderOfTriggers(
                    one.span,
                    _header(one),
                    (Label(other.span, "this one runs second"),),
                    other=_header(other),
                    line=_line(one),
                    second=_line(other),
                    match=match_in_words(seats, seed),
                )
                break


def _line(trigger: Trigger) -> int:
    return trigger.span.line


def _header(trigger: Trigger) -> str:
    """The text of a trigger."""
    return " ".join(trigger.span.text.split()).removeprefix("when ")


def _diverging_seed(subject: CheckContext, i: int, j: int, seats: int) -> int | None:
    """The seed of a match that changes when two triggers, placed before all others, are exchanged."""
    rules = subject.rules.configured(*configure(subject.rules, seats, {}))
    rest = [trigger for k, trigger in enumerate(rules.triggers) if k not in (i, j)]
    orders = [(rules.triggers[a], rules.triggers[b], *rest) for a, b in ((i, j), (j, i))]
    games = [
        Game(rs, compile_rules(rs, seats))
        for rs in (replace(rules, triggers=x, configurations=None) for x in orders)
    ]
    until, seed = thread_time() + SECONDS, 0
    while seed < FEWEST or thread_time() < until:
        subject.tick()
        if _diverge(games, seed):
            return seed
        seed += 1
    return None


def _diverge(games: list[Game], seed: int) -> bool:
    """Whether two matches with the same choices reach different positions."""
    chooser = random.Random(seed)
    one, other = (Match(game, seed=seed, keep_history=False) for game in games)
    try:
        one.start()
        other.start()
        for _ in range(MOST_STEPS):
            if one.over or other.over:
                return one.over != other.over or _result(one) != _result(other)
            waiting, there = one.waiting(), other.waiting()
            if [(w.seat, w.options) for w in waiting] != [(w.seat, w.options) for w in there]:
                return True
            if _position(one) != _position(other):
                return True
            at = chooser.randrange(len(waiting))
            option = chooser.choice(waiting[at].options)
            one.take(waiting[at], option)
            other.take(there[at], option)
    except Fault:
        return False
    return False


def _result(match: Match) -> tuple[list[str], list[array[int]]]:
    return list(match.winners()), _position(match)


def _position(match: Match) -> list[array[int]]:
    """The pieces and variables of a position, without the machine's own words."""
    machine, s = match.game.machine, match.state
    words = [s[w.base : w.base + w.size] for w in machine.variables.values()]
    return words + [s[p.base : p.base + p.words] for p in machine.places]


CHECK = Check(OrderOfTriggers, find, plays=True)
