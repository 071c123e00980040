"""Crazy Eights: OpenSpiel's hands one after the other, counted anew."""

from __future__ import annotations

import re
from collections.abc import Callable

from benchmarks.agree import ours
from benchmarks.agree.cards import SUITS, action_number, by_turns, one_by_one, rank_major
from benchmarks.agree.pairing import Key, Pairing
from benchmarks.agree.series import Series, SeriesState
from interpreter.match import Match

WORTH = dict(zip("23456789TJQKA", (2, 3, 4, 5, 6, 7, 50, 9, 10, 10, 10, 10, 1), strict=True))
ACTIONS = {"draw_one": 52, "pass_on": 53}
LINE = re.compile(r"Player (\d) (is dealt|starts drawing|draws|plays) ?(\S+)?")


def series(seats: int, goal: int) -> Callable[[], Series]:
    def made() -> Series:
        import pyspiel

        game = pyspiel.load_game(f"crazy_eights(players={seats},max_turns=10000)")
        return Series(
            seats,
            lambda *_: game.new_initial_state(),
            lambda totals, _: max(totals) >= goal,
            counted=lambda deal: left_over(str(deal), seats),
        )

    return made


def left_over(story: str, seats: int) -> tuple[float, ...]:
    """What is left in each hand, counted by rank: OpenSpiel counts the numbers of the cards in the pack."""
    hands: list[set[str]] = [set() for _ in range(seats)]
    drawing = False
    for player, verb, card in LINE.findall(story):
        if verb == "is dealt" or (verb == "draws" and drawing):
            hands[int(player)].add(card)
        elif verb == "plays":
            hands[int(player)].remove(card)
        drawing = verb == "starts drawing"
    return tuple(float(sum(WORTH[card[1]] for card in hand)) for hand in hands)


def key(_: Match, path: ours.Path) -> Key:
    action, *rest = path.words[0]
    if action in SUITS:
        return 54 + SUITS.index(action)
    return ACTIONS[action] if action in ACTIONS else rank_major(SUITS, rest[0])


def chance(state: SeriesState, outcomes: list[str]) -> int:
    """The dealer; five or seven cards each, those of the dealer last; then card by card."""
    seats = state.series.seats
    if not state.history():
        by_turns(outcomes, seats, 7 if seats == 2 else 5)
        return 52 + state.deals % seats
    return rank_major(SUITS, outcomes.pop(0))


def crazy_eights(seats: int, goal: int) -> Pairing:
    return Pairing(
        series(seats, goal),
        key,
        action_number,
        chance,
        ours.by_scores,
        one_by_one,
        ruleset="crazy_eights",
        seats=seats,
        options={"goal": goal, "one_more_pass": "true"},
    )


SHEDDING = {
    "crazy_eights": crazy_eights(seats=4, goal=100),
    "crazy_eights_2": crazy_eights(seats=2, goal=100),
    "crazy_eights_5": crazy_eights(seats=5, goal=60),
}
