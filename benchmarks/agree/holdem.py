"""Texas hold'em: OpenSpiel's hands one after the other, with the chips that are left from the last one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.cards import SUITS, one_by_one, rank_major
from benchmarks.agree.comparison import Uncovered
from benchmarks.agree.pairing import PASS, Key, Pairing
from interpreter.match import Match

BLINDS = (1, 2)


@lru_cache(maxsize=4096)
def loaded(chips: tuple[int, ...]) -> Any:
    import pyspiel

    seats = len(chips)
    first = "1 2 2 2" if seats == 2 else f"{3 % seats or seats} 1 1 1"
    blinds = " ".join(map(str, (*BLINDS, *([0] * (seats - 2)))))
    return pyspiel.load_game(
        "universal_poker(betting=nolimit,bettingAbstraction=fullgame,numRounds=4,numSuits=4,numRanks=13,"
        f"numHoleCards=2,numBoardCards=0 3 1 1,numPlayers={seats},blind={blinds},firstPlayer={first},"
        f"stack={' '.join(map(str, chips))})"
    )


@dataclass(frozen=True)
class Holdem:
    seats: int
    stack: int
    hands: int

    def new_initial_state(self) -> HoldemState:
        return HoldemState(self, [float(self.stack)] * self.seats).begun()


@dataclass
class HoldemState:
    """A hand: `order` has our seats as theirs are numbered, the small blind first."""

    match: Holdem
    chips: list[float]
    button: int = 0
    played: int = 0
    order: list[int] = field(default_factory=list)
    hand: Any = None
    folded: set[int] = field(default_factory=set)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.hand, name)

    def __str__(self) -> str:
        return (
            f"hand {self.played}, button {self.button}, chips {self.chips}, order {self.order}\n{self.hand}"
        )

    def begun(self) -> HoldemState:
        count = self.match.seats
        ring = [seat for i in range(count) if self.chips[seat := (self.button + 1 + i) % count] > 0]
        self.order = [self.button, ring[0]] if len(ring) == 2 else ring
        self.played += 1
        chips = tuple(int(self.chips[seat]) for seat in self.order)
        if any(chips[i] < BLINDS[i] for i in (0, 1)):
            raise Uncovered("OpenSpiel has no blind for which somebody has not enough")
        self.hand, self.folded = loaded(chips).new_initial_state(), set()
        return self

    def current_player(self) -> int:
        return self.order[int(self.hand.current_player())]

    def apply_action(self, action: int) -> None:
        if action == 0 and not self.hand.is_chance_node():
            self.folded.add(self.hand.current_player())
        self.hand.apply_action(action)
        if not self.hand.is_terminal():
            return
        if self.shares_odd_pots():
            raise Uncovered("OpenSpiel divides chips")
        if not self.over_after():
            self.chips = self.results()
            count = self.match.seats
            ring = (seat for i in range(count) if self.chips[seat := (self.button + 1 + i) % count] > 0)
            self.button = next(ring)
            self.begun()

    def is_terminal(self) -> bool:
        return bool(self.hand.is_terminal()) and self.over_after()

    def over_after(self) -> bool:
        left = [chips for chips in self.results() if chips > 0]
        return self.played == self.match.hands or len(left) == 1

    def shares_odd_pots(self) -> bool:
        """Whether some pot was shared, and not every pot can be."""
        spent = [int(n) for n in re.findall(r"P\d: (\d+)", str(self.hand).partition("Spent:")[2])]
        stakes = {seat: stake for seat, stake in enumerate(spent) if seat not in self.folded}
        edges = [0, *sorted(set(stakes.values()))]
        pots = [sum(max(0, min(s, b) - a) for s in spent) for a, b in pairwise(edges)]
        rivals = [[seat for seat, stake in stakes.items() if stake >= edge] for edge in edges[1:]]
        won = [a + b for a, b in zip(spent, self.hand.returns(), strict=True)]
        whole = any(
            won
            == [sum(p for p, w in zip(pots, winners, strict=True) if w == seat) for seat in range(len(won))]
            for winners in product(*rivals)
        )
        return not whole and any(pot % 6 for pot in pots)

    def results(self) -> list[float]:
        chips = list(self.chips)
        for seat, won in zip(self.order, self.hand.returns(), strict=True):
            chips[seat] += won
        return chips

    def returns(self) -> tuple[float, ...]:
        return tuple(chips - self.match.stack for chips in self.results())


def given(pots: list[int], winners: tuple[int, ...], count: int) -> list[int]:
    """What each seat gets if each pot goes to one of them."""
    return [sum(pot for pot, seat in zip(pots, winners, strict=True) if seat == n) for n in range(count)]


def raised_to(match: Match, path: ours.Path) -> Key:
    """What will have been put in, as OpenSpiel names a raise."""
    action, *amount = path.words[0]
    if action != "raise_by":
        return {"fold": 0, "call": 1}[action]
    staked = match.game.machine.variables["staked"]
    return max(BLINDS[1], *match.state[staked.base : staked.base + staked.size]) + int(amount[0])


def their_action(state: HoldemState, action: int) -> Key:
    """Theirs asks whoever owes nothing, and has nobody left to bet against, for a check."""
    return PASS if state.legal_actions() == [1] else action


def card(_: Any, outcomes: list[str]) -> int:
    return rank_major(SUITS, outcomes.pop(0))


def holdem(seats: int, stack: int, hands: int) -> Pairing:
    return Pairing(
        lambda: Holdem(seats, stack, hands),
        raised_to,
        their_action,
        card,
        ours.by_scores,
        one_by_one,
        ruleset="texas_holdem",
        seats=seats,
        options={"stack": stack, "hands": hands, "short_raise": "open"},
    )


HOLDEM = {
    "texas_holdem": holdem(seats=6, stack=20, hands=5),
    "texas_holdem_2": holdem(seats=2, stack=20, hands=10),
    "texas_holdem_3": holdem(seats=3, stack=30, hands=10),
    "texas_holdem_deep": holdem(seats=4, stack=100, hands=2),
}
