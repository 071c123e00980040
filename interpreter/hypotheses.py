"""What a referee may say of a match whose hidden pieces it does not know.

A hypothesis is a match in which all hidden pieces have the same class. It follows from what everybody has
seen alone, so whatever is computed from all hypotheses tells nothing of placeholders.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from interpreter import ir
from interpreter.game import Decision
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.reference import pieces
from interpreter.sights import SPECTATOR


def hypotheses(match: Match) -> list[Match]:
    """A match for each class that the pieces hidden from everybody can have; one if nothing is hidden."""
    views, places = match.game.views, match.game.machine.places
    hidden = [
        (place, i in views.tops)
        for i, place in enumerate(places)
        if place.kind != ir.BLANK and not views.sees(match.state, i, SPECTATOR)
    ]
    classes = max((place.classes for place, _ in hidden), default=1)
    return [_with_class(match, hidden, class_) for class_ in range(classes)]


def _with_class(match: Match, hidden: list[tuple[ir.Place, bool]], class_: int) -> Match:
    found = copy(match)
    found.state = match.state[:]
    for place, topmost in hidden:
        number, seen = pieces.count(found.state, place), pieces.top(found.state, place) if topmost else None
        pieces.clear(found.state, place)
        number -= seen is not None
        if number:
            pieces.put(found.state, place, class_ % place.classes, number)
        if seen is not None:
            pieces.put(found.state, place, seen)
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
