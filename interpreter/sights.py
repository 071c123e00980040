"""Who sees and who counts the pieces on places, by the declarations of their zones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dsl import rules as r
from interpreter import ir


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


def sights(rules: r.Rules, places: Sequence[ir.Place], seats: int) -> tuple[tuple[int, int], ...]:
    """For each place the seats that see its pieces and those that count them, as bits."""
    return tuple(_sights(rules, place, range(seats)) for place in places)


def _sights(rules: r.Rules, place: ir.Place, seats: range) -> tuple[int, int]:
    zone = rules.zones.get(place.zone)
    if zone is None:
        return (1 << len(seats)) - 1, (1 << len(seats)) - 1
    owner = place.of if zone.var.of == "seat" else None
    seen = [seat for seat in seats if reaches(zone.seen_by, owner, seat, rules.teams)]
    counted = [seat for seat in seats if reaches(zone.counted_by, owner, seat, rules.teams)]
    counted = list(seats) if zone.seen_by == "count" else [*seen, *counted]
    return _bits(seen), _bits(counted)


def _bits(seats: Sequence[int]) -> int:
    return sum(1 << seat for seat in set(seats))
