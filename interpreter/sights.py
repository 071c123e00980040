"""Who sees and who counts what, by the declarations: the only place that reads what they mean.

The compiler writes it into a machine as sets of viewers, which all others read, in whatever language.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dsl import rules as r
from interpreter import ir

SPECTATOR = -1
REFEREE = -2


def reaches(sight: r.Sight, owner: int | None, seat: int, teams: Sequence[int]) -> bool:
    """Whether a seat is among those who see, or count, what an owner has; a spectator, -1, is nobody."""
    match sight:
        case "all":
            return True
        case "owner":
            return owner == seat
        case "team":
            return seat >= 0 and owner is not None and teams[owner] == teams[seat]
        case "others":
            return seat >= 0 and owner != seat
        case "nobody" | "count" | "top":
            return False
    assert_never(sight)


def sights(rules: r.Rules, places: Sequence[ir.Place], seats: int) -> tuple[ir.PlaceViewers, ...]:
    """Who sees and who counts the pieces of each place."""
    return tuple(_sight(rules, place, seats) for place in places)


def _sight(rules: r.Rules, place: ir.Place, seats: int) -> ir.PlaceViewers:
    zone = rules.zones.get(place.zone)
    if zone is None:
        return ir.PlaceViewers(everybody := viewers("all", None, rules, seats), everybody)
    owner = place.of if zone.var.of == "seat" else None
    seen = viewers(zone.seen_by, owner, rules, seats)
    counted = viewers("all" if zone.seen_by == "count" else zone.counted_by, owner, rules, seats)
    return ir.PlaceViewers(seen, seen | counted, owner, zone.seen_by == "top")


def viewers(sight: r.Sight, owner: int | None, rules: r.Rules, seats: int) -> int:
    """Those who see what an owner has, as `ir.viewer_bit`s; the referee among them."""
    reached = (seat for seat in (SPECTATOR, *range(seats)) if reaches(sight, owner, seat, rules.teams))
    return sum(map(ir.viewer_bit, reached), ir.viewer_bit(REFEREE))
