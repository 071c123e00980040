"""Cribbage, with the points of both seats compared at each choice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.cards import RANKS, SUITS
from benchmarks.agree.comparison import Uncovered
from benchmarks.agree.pairing import PASS, Key, Pairing
from interpreter import ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match

GOAL = 121
GO = 2756
ORDER = ("ace", *RANKS[:-1])

Points = tuple[float, ...]


class Cribbage:
    """OpenSpiel's game, whose end is counted as the rules say: the first to have 121 points has won."""

    def new_initial_state(self) -> CribbageState:
        import pyspiel

        return CribbageState(pyspiel.load_game("cribbage").new_initial_state())


@dataclass
class CribbageState:
    """Theirs, the seat that has played last, and the points at the end."""

    state: Any
    last: int = 0
    end: Points = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def __str__(self) -> str:
        return str(self.state)

    def shown(self, name: str) -> list[int]:
        """The numbers behind a name in the picture of their position."""
        found = re.search(rf"^{name}:((?: \d+)+)$", str(self.state), re.MULTILINE)
        assert found, name
        return [int(n) for n in found[1].split()]

    def points(self) -> Points:
        return tuple(map(float, self.shown("Scores")))

    def apply_action(self, action: int) -> None:
        before, (dealer,), (deal,) = self.points(), self.shown("Dealer"), self.shown("Round")
        if not self.state.is_chance_node() and action != GO:
            self.last = self.state.current_player()
        self.state.apply_action(action)
        if self.state.is_terminal():
            counted = self.shown("Round") != [deal]
            self.end = self.first_there(before, dealer, action) if counted else self.points()

    def first_there(self, before: Points, dealer: int, action: int) -> Points:
        """The points when the first has 121; theirs are those after both hands and the crib are counted."""
        after, other = self.points(), 1 - dealer
        if self.last == dealer and action != GO:
            raise Uncovered("OpenSpiel does not tell what the last card has brought before the count")
        played = before[dealer] + (self.last == dealer)
        if played >= GOAL:
            after = tuple(before[other] if seat == other else played for seat in (0, 1))
        elif after[other] >= GOAL:
            after = tuple(after[other] if seat == other else played for seat in (0, 1))
        return after

    def returns(self) -> Points:
        return tuple(min(GOAL, n) for n in self.end)


def number(word: str) -> int:
    suit, _, rank = word.rpartition("_")
    return SUITS.index(suit) * 13 + ORDER.index(rank)


def key(match: Match, path: ours.Path) -> Key:
    """The points of both, and the card that is played or the two that are laid away."""
    return ours.by_scores(match), frozenset(number(words[-1]) for words in path.words)


def their_key(state: CribbageState, action: int) -> Key:
    if action == GO:
        return PASS
    return state.points(), frozenset([action] if action < 52 else divmod(action - 52, 52))


def goes_on(match: Match, waiting: Waiting, option: Option) -> Match | None:
    """A card that is laid away goes on with the second one."""
    if isinstance(match.game.machine.nodes[waiting.node], ir.Offer):
        return None
    behind = ours.taken(match, waiting, option)
    half = not behind.over and not ours.outcomes(behind) and ours.seat(behind) == waiting.seat
    return behind if half else None


CRIBBAGE = {
    "cribbage": Pairing(
        Cribbage,
        key,
        their_key,
        lambda _, outcomes: number(outcomes.pop(0)),
        ours.by_scores,
        goes_on,
        options={"four_in_the_crib": "true"},
    )
}
