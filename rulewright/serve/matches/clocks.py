"""Clocks: how much time each seat has left, computed from the times in the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from rulewright.serve.store.storage import LogRow

DAY = 86_400


@dataclass(frozen=True, slots=True)
class ClockRule:
    """How time is limited: not, per move, per match with an increment, or in days for correspondence.

    `seconds` are those of a move or of the whole match, or of the days; `increment` are added after each
    move. A move ends when its seat is not asked any more. `expiry` is what happens when the time of a seat
    runs out: it forfeits, or its choice is made as if it were absent.
    """

    kind: Literal["none", "move", "match", "days"] = "none"
    seconds: int = 0
    increment: int = 0
    expiry: Literal["forfeit", "absent"] = "forfeit"

    @property
    def wrong(self) -> str:
        """What is wrong with the rule; empty if nothing is."""
        if self.kind != "none" and not 0 < self.seconds <= 1_000 * DAY:
            return "a clock needs from one second to a thousand days"
        return "" if 0 <= self.increment <= DAY else "an increment has from 0 seconds to a day"


NO_CLOCK = ClockRule()


def clock_data(rule: ClockRule) -> dict[str, Any]:
    """A rule as plain JSON."""
    return asdict(rule)


def clock_rule(data: Mapping[str, Any]) -> ClockRule:
    """A rule from plain JSON."""
    return ClockRule(**data)


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of a seat: what was left in milliseconds when it began to run, and since when it runs, if it
    does."""

    left: int
    since: int | None = None

    @property
    def deadline(self) -> int | None:
        """The server's time at which it runs out, in milliseconds since 1970."""
        return None if self.since is None else self.since + self.left

    def left_at(self, now: int) -> int:
        """What is left at a time, in milliseconds; at least 0."""
        return max(0, self.left if self.since is None else self.left - (now - self.since))


def clocks_of(rule: ClockRule, seats: int, rows: Iterable[LogRow]) -> tuple[SeatClock, ...]:
    """The clock of each seat after the rows of a log; none without a limit."""
    if rule.kind == "none":
        return ()
    clocks: tuple[SeatClock, ...] = tuple(SeatClock(rule.seconds * 1000) for _ in range(seats))
    for row in rows:
        clocks = clocks_after(rule, clocks, row)
    return clocks


def clocks_after(rule: ClockRule, clocks: Sequence[SeatClock], row: LogRow) -> tuple[SeatClock, ...]:
    """The clocks after one more row, whose `asked` names the seats that are asked from then on."""
    asked = row.data.get("asked")
    if row.kind == "clock" and row.data["event"] == "expired":
        return tuple(
            replace(clock, since=row.at, left=0 if rule.kind == "match" else rule.seconds * 1000)
            if seat == row.seat
            else clock
            for seat, clock in enumerate(clocks)
        )
    if asked is None or not clocks:
        return tuple(clocks)
    again = row.kind == "clock" and row.data["event"] == "restarted"
    return tuple(_after(rule, clock, seat in asked, row, again) for seat, clock in enumerate(clocks))


def _after(rule: ClockRule, clock: SeatClock, asked: bool, row: LogRow, again: bool) -> SeatClock:
    if clock.since is None:
        return replace(clock, since=row.at) if asked else clock
    if asked:
        return replace(clock, since=row.at, left=_full(rule, clock)) if again else clock
    if rule.kind != "match":
        return SeatClock(rule.seconds * 1000)
    return SeatClock(clock.left_at(row.at) + rule.increment * 1000)


def _full(rule: ClockRule, clock: SeatClock) -> int:
    """What a seat has when its clock begins again within a move."""
    return clock.left if rule.kind == "match" else rule.seconds * 1000
