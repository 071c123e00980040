"""Positions that a seat knows although pieces are hidden from it: between two deals, or before a last card.

What comes after such a position does not depend on how it came about: a hidden process begins anew there, as
a regenerative process does (Smith 1955). So nothing before it has to be sampled.
"""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.beliefs.flows import PieceCounter
from interpreter.game import Game
from interpreter.reference import pieces
from interpreter.views import COVERED


def is_known(game: Game, s: array[int], seat: int) -> bool:
    """Whether what a seat sees, and which pieces there are, leave only one position.

    Of each component at most one place hides pieces, in no order, or all that are hidden are alike. Values
    that frames hold are not looked at: they are equal in all worlds that are compared.
    """
    machine = game.machine
    recorded = any(not history.scratch for history in machine.histories)
    if s[ir.FORKED] or recorded or None in game.views.words(s, seat):
        return False
    hiding: dict[str, list[int]] = {}
    for i, seen in enumerate(game.views.pieces(s, seat)):
        if seen is None:
            return False
        place = machine.places[i]
        is_open = isinstance(seen, list) and COVERED not in seen
        if not is_open and place.kind != ir.BLANK and place.classes > 1 and pieces.count(s, place):
            hiding.setdefault(machine.place_components[place.zone], []).append(i)
    return all(_follows(game, s, component, places) for component, places in hiding.items())


def holds_no_values(game: Game, s: array[int]) -> bool:
    """Whether no routine is under way that could hold a value, or the match is over and none counts."""
    machine = game.machine
    return bool(s[ir.STATUS]) or not any(s[machine.stack : machine.stack + machine.stack_size])


def _follows(game: Game, s: array[int], component: str, places: list[int]) -> bool:
    """Whether there is only one way in which the hidden pieces of a component can lie on some places."""
    if game.rules.components[component].die is not None:
        return False
    counted = PieceCounter(game)
    classes = set().union(*(counted(s, place) for place in places))
    return len(classes) == 1 or (len(places) == 1 and game.machine.places[places[0]].kind == ir.COUNTS)
