"""What was asked for when a match was made: who may see it, watch it, and ask for hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.serve.store.storage import MatchRow, SeatRow

KINDS = {"human": "person", "bot": "bot", "open": "open", "invited": "invited"}
"""What a page calls the kinds of seats."""
ENDED = ("over", "abandoned")
"""The states of a match that goes on no more."""
STATUSES = {"waiting": "open", "running": "running", "over": "over", "abandoned": "abandoned"}
"""What a page calls the states of a match."""


def owner_of(row: MatchRow) -> str:
    """The visitor who made a match."""
    return str(row.set_up.get("owner", ""))


def visibility_of(row: MatchRow) -> str:
    """`open`, `invited` or `private`."""
    return str(row.set_up.get("visibility", "invited"))


def spectators_of(row: MatchRow) -> dict[str, Any]:
    """Whether spectators are allowed, and how many choices they are behind."""
    found = row.set_up.get("spectators") or {}
    return {"allowed": bool(found.get("allowed", True)), "delay": int(found.get("delay", 0))}


def hints_of(row: MatchRow) -> bool:
    """Whether players may ask for hints, as whoever made the match has said."""
    return bool(row.set_up.get("hints", True))


def delay_of(row: MatchRow) -> int:
    """How many choices spectators are behind."""
    return int(spectators_of(row)["delay"])


def may_watch(row: MatchRow, seats: Sequence[SeatRow], visitor: str) -> bool:
    """Whether a visitor without a seat may look: the owner always, others where they are allowed to."""
    if owner_of(row) == visitor:
        return True
    if visibility_of(row) == "private":
        return False
    free = row.status == "waiting" and any(seat.kind in ("open", "invited") for seat in seats)
    return spectators_of(row)["allowed"] or free


def seat_json(seat: SeatRow) -> dict[str, Any]:
    """A seat as everybody may see it."""
    return {"seat": seat.seat, "kind": KINDS[seat.kind], "name": seat.name or None, "bot": seat.strategy}
