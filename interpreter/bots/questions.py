"""The decision that a bot is asked for, checked: whether it waits in the match, and whose it is."""

from __future__ import annotations

from typing import Any

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.bots.messages import NothingToDecide, NotWaiting
from interpreter.executor_protocol import Waiting
from interpreter.match import Match


def waiting_of(match: Match, seat: int | str) -> Waiting:
    """The decision of a seat, by its number or name.

    Raises `DiagnosticError` with `NothingToDecide` before the match has begun, after its end, for a seat that
    there is not, and for one that is not asked now.
    """
    names = _seats(_checked(match))
    number = names.index(seat) if isinstance(seat, str) and seat in names else seat
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(names):
        known = ", ".join(f"{name} is {i}" for i, name in enumerate(names))
        raise _nothing(f"there is no seat {seat!r}", f"seats go by number or name: {known}")
    all_waiting = match.waiting()
    for waiting in all_waiting:
        if waiting.seat == number:
            return waiting
    if match.over:
        raise _nothing("the match is over", "ask before its end")
    asked = " and ".join(names[waiting.seat] for waiting in all_waiting)
    raise _nothing(f"seat {names[number]} is not asked now", f"waiting for {asked}")


def check_waiting(match: Match, waiting: Waiting) -> None:
    """Raises `DiagnosticError` with `NotWaiting` for what is no decision that waits in the match."""
    names = _seats(_checked(match))
    if not isinstance(waiting, Waiting):
        raise _not_waiting(f"`{waiting!r}` is none", "take one of `match.waiting()`")
    now = match.waiting()
    if (waiting.seat, waiting.node, waiting.branch) in ((w.seat, w.node, w.branch) for w in now):
        return
    asked = " and ".join(names[other.seat] for other in now)
    hint = f"waiting for {asked}: take one of `match.waiting()`" if asked else "the match is over"
    seat = names[waiting.seat] if 0 <= waiting.seat < len(names) else str(waiting.seat)
    raise _not_waiting(f"that of seat {seat} is from another moment", hint)


def _checked(match: Any) -> Match:
    """The match, if it has begun."""
    if not isinstance(match, Match):
        hint = "give a `Match`, as `rulewright.Match(game, seed=7).start()`"
        raise _nothing(f"a {type(match).__name__} is no match", hint)
    state, nodes = match.state, match.game.machine.nodes
    if state[ir.STATUS] or state[ir.FORKED] or isinstance(nodes[state[ir.PC]], ir.Decide | ir.Offer):
        return match
    raise _nothing("the match has not begun", "call `match.start()` first")


def _seats(match: Match) -> list[str]:
    return [match.game.names.seat(seat) for seat in range(match.game.machine.seats)]


def _nothing(why: str, hint: str) -> DiagnosticError:
    return DiagnosticError(NothingToDecide(NOWHERE, why, hint))


def _not_waiting(why: str, hint: str) -> DiagnosticError:
    return DiagnosticError(NotWaiting(NOWHERE, why, hint))
