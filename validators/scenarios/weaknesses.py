"""Weaknesses of assertions that hold: reasons why they might hold by accident."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.wording import listed
from interpreter.opening import ORDERED
from interpreter.position import Position
from validators.scenarios.findings import Doubt, NoTurn, OfferedOfSeveral, OrderUnsaid, SeatNotAsked
from validators.scenarios.look import Look
from validators.scenarios.scenario import Active, Assertion, NotOffered, Offered, Sees, Value


def doubts(assertion: Assertion, look: Look) -> Iterator[Doubt]:
    """Why an assertion might hold by accident in the current position."""
    match assertion.claim:
        case Value(question=address, items=items, order="unsaid"):
            yield from _order(assertion, look, address, address, items)
        case Sees(seat=seat, address=address, items=items, order="unsaid"):
            if isinstance(look.sight(seat, address), list):
                yield from _order(assertion, look, address, f"{seat} sees {address}", items)
        case Offered(seat=None):
            asked = look.asked()
            if len(asked) > 1:
                yield OfferedOfSeveral(assertion.span, listed(asked, "and"), asked[0])
        case NotOffered(seat=seat):
            if not look.decisions(seat):
                who = ", ".join(look.asked())
                hint = f"{who} has to choose" if who else "the game is over"
                yield SeatNotAsked(assertion.span, seat or "anybody", hint)
        case Active():
            in_turn = Position(look.game).takes_turns(look.phase) or look.steps() & look.table.steps.turns
            if not look.match.over and not in_turn:
                yield NoTurn(assertion.span, look.phase, ", ".join(look.asked()) or "none")


def _order(
    assertion: Assertion, look: Look, address: str, key: str, items: tuple[str, ...]
) -> Iterator[Doubt]:
    place = look.place(address)
    if place is not None and len(set(items)) > 1 and look.order(place) in ORDERED:
        yield OrderUnsaid(assertion.span, look.game.machine.places[place].zone, key)
