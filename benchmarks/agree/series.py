"""Matches of several deals, made of OpenSpiel's games of a single deal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Totals = tuple[float, ...]


def no_shift(_deal: int) -> int:
    return 0


def by_returns(deal: Any) -> Totals:
    return tuple(deal.returns())


@dataclass(frozen=True)
class Series:
    """Deals, until the totals of the seats and the number of deals say that it is enough.

    `begun` gives the first state of a deal by its number, from 0, and the totals before it. `counted` says
    what the players get for a deal that is over. `shift` is the seat of the first player in a deal.
    """

    seats: int
    begun: Callable[[int, Totals], Any]
    enough: Callable[[Totals, int], bool]
    counted: Callable[[Any], Totals] = by_returns
    shift: Callable[[int], int] = no_shift

    def new_initial_state(self) -> SeriesState:
        totals = (0.0,) * self.seats
        return SeriesState(self, self.begun(0, totals), totals)


@dataclass
class SeriesState:
    """The deal that is played; it is asked what is not about the whole."""

    series: Series
    deal: Any
    totals: Totals
    deals: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.deal, name)

    def __str__(self) -> str:
        return f"deal {self.deals + 1}, totals before it {self.totals}\n{self.deal}"

    def current_player(self) -> int:
        player = int(self.deal.current_player())
        return player if player < 0 else (player + self.series.shift(self.deals)) % self.series.seats

    def apply_action(self, action: int) -> None:
        self.deal.apply_action(action)
        if not self.deal.is_terminal():
            return
        counted, shift, seats = (
            self.series.counted(self.deal),
            self.series.shift(self.deals),
            self.series.seats,
        )
        self.totals = tuple(n + counted[(seat - shift) % seats] for seat, n in enumerate(self.totals))
        if not self.is_terminal():
            self.deals += 1
            self.deal = self.series.begun(self.deals, self.totals)

    def is_terminal(self) -> bool:
        return bool(self.deal.is_terminal()) and self.series.enough(self.totals, self.deals + 1)

    def returns(self) -> Totals:
        return self.totals
