"""The position that a seat may know of while seats choose together: as if it alone had chosen."""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.reference.codes import STOP
from interpreter.undo import joined


def alone(match: Match, seat: int) -> array[int] | None:
    """The state in which a seat decides, without what others have chosen in a running `together`.

    None where that is not known: if chance has followed a choice of the seat, or if the match keeps no
    history and seats choose together.
    """
    if not match.state[ir.FORKED]:
        return match.state[:]
    if not match.keep_history:
        return None
    since = _begun(match)
    if since == len(match.history):
        return match.state[:]
    state = match.history[since][0][:]
    own = match.game.names.seat(seat)
    for _, first in match.history[since:]:
        step = match.steps[first]
        if step.seat == own and not _choose(match.game, state, seat, step.text):
            return None
    return state


def _begun(match: Match) -> int:
    """How many choices were made before the running `together` began."""
    since, end = len(match.history), len(match.steps)
    while since:
        before, first = match.history[since - 1]
        if not before[ir.FORKED] or joined(match.steps[first:end]):
            break
        since, end = since - 1, first
    return since


def _choose(game: Game, state: array[int], seat: int, text: str) -> bool:
    """Makes a choice of a seat again; whether the next stop is a decision."""
    found = _option(game, state, seat, text)
    return found is not None and game.executor.choose(state, *found) == STOP


def _option(game: Game, state: array[int], seat: int, text: str) -> tuple[Waiting, Option] | None:
    for waiting in game.executor.waiting(state):
        if waiting.seat != seat:
            continue
        node = game.machine.decision(waiting.node)
        for option in game.including(waiting, text).options:
            if " ".join(game.names.choice(node, option, waiting.what)) == text:
                return waiting, option
    return None
