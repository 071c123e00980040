"""Ends of matches before their rules have ended them, as a log says them in its header."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

EndedBy = Literal["resignation", "clock", "agreement", "owner"]
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class EarlyEnd:
    """What has ended a match: a resignation, the clock, an agreement or the owner of its table.

    `seat` has given up, or was late; `winners` have won by that. `steps` are the choices and outcomes of the
    match at that time: one that has gone on since was not ended.
    """

    by: EndedBy
    seat: str | None
    winners: tuple[str, ...]
    steps: int


def plain(end: EarlyEnd) -> dict[str, Any]:
    """An end as JSON."""
    seat = {} if end.seat is None else {"seat": end.seat}
    return {"by": end.by, **seat, "winners": list(end.winners), "steps": end.steps}


def read_end(found: object) -> EarlyEnd:
    """An end from JSON. Raises `ValueError` if it is none."""
    match found:
        case {"by": by, "winners": list(winners), "steps": int(steps), **rest} if by in get_args(EndedBy):
            seat: Any = rest.pop("seat", None)
            names = [*winners, *([] if seat is None else [seat])]
            plain_number = not isinstance(steps, bool)
            if not rest and plain_number and all(map(_is_name, names)) and isinstance(seat, str | None):
                return EarlyEnd(by, seat, tuple(winners), steps)
    raise ValueError("no end of a match")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_NAME
