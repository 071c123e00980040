"""What a choice rules out: which pieces another seat did not hold, or its choice was not offered.

That somebody did not follow suit says that it holds no such card. This follows from the rules without a word
about suits: a piece beside the one that was chosen, and nothing else, and the choice is not offered any more.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from interpreter.beliefs.fates import Ban
from interpreter.beliefs.simulation import Course, Simulation
from interpreter.events import Moved
from interpreter.messages import Fault
from interpreter.reference import pieces
from interpreter.reference.pieces import Full
from interpreter.sights import SPECTATOR


def bans(simulation: Simulation, course: Course, number: int) -> Iterator[Ban]:
    """What the choice of a moment rules out, judged in one world before it."""
    moment = simulation.log.moments[number]
    if moment.seat == simulation.log.seat or moment.text is None:
        return
    for place, class_ in _left(simulation, number):
        where, alone = simulation.game.machine.places[place], course.state[:]
        pieces.clear(alone, where)
        if class_ >= 0:
            pieces.put(alone, where, class_)
        if not _is_offered(simulation, alone, number):
            continue
        for other in range(where.classes):
            beside = alone[:]
            try:
                pieces.put(beside, where, other)
            except Full:
                continue
            if other != class_ and not _is_offered(simulation, beside, number):
                yield Ban((number, -1, 0), place, other)


def _left(simulation: Simulation, number: int) -> Iterator[tuple[int, int]]:
    """The hidden places of the seat that chooses, each with the class chosen from it, -1 for none."""
    moment, game = simulation.log.moments[number], simulation.game
    entries = (*moment.now, *(moment.later or ()))
    chosen = next((entry for entry in entries if entry.text), None)
    moved = [event for event in (chosen.events if chosen is not None else ()) if isinstance(event, Moved)]
    for place, where in enumerate(game.machine.places):
        if game.views.owner(place) != moment.seat or where.classes < 2:
            continue
        if not game.views.may_see(place, simulation.log.seat):
            from_here = [event.class_ for event in moved[:1] if event.source == place]
            if from_here != [-1]:
                yield place, from_here[0] if from_here else -1


def _is_offered(simulation: Simulation, state: array[int], number: int) -> bool:
    """Whether the choice of a moment is offered in a position."""
    moment = simulation.log.moments[number]
    assert moment.text is not None
    try:
        for waiting in simulation.executor.waiting(state):
            decision = simulation.game.including(waiting, moment.text)
            fitting = simulation.fitting(state, decision, moment.text, SPECTATOR)
            if waiting.seat == moment.seat and any(fitting):
                return True
    except Fault:
        pass
    return False
