"""What a referee may say of a match whose hidden pieces it does not know.

A hypothesis is a match in which all hidden pieces have the same class. It follows from what everybody has
seen alone, so whatever is computed from all hypotheses tells nothing of placeholders.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from copy import copy

from interpreter.game import Decision
from interpreter.match import Match
from interpreter.messages import Fault


def hypotheses(match: Match) -> list[Match]:
    """A match for each class that the pieces hidden from everybody can have; one if nothing is hidden."""
    state, classes = match.game.views.host.suppose(match.state, 0)
    states = (match.game.views.host.suppose(match.state, class_)[0] for class_ in range(1, classes))
    return [_with_state(match, one) for one in (state, *states)]


def _with_state(match: Match, state: array[int]) -> Match:
    found = copy(match)
    found.state = state
    return found


def possible_decisions(match: Match, seat: int) -> Iterator[tuple[Match, Decision]]:
    """The decisions of a seat in each hypothesis, as the seat may read them."""
    for found in hypotheses(match):
        try:
            decisions = found.offered_to(seat)
        except Fault:
            continue
        yield from ((found, decision) for decision in decisions)


def hypothesis_named(match: Match, written: str) -> Match:
    """The hypothesis in which all hidden pieces are what some words name; else the first one."""
    found = hypotheses(match)
    words = written.split()
    for declared in match.game.rules.components.values():
        for number, name in enumerate(declared.classes):
            if name in words and number < len(found):
                return found[number]
    return found[0]
