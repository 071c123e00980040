"""Games with what is hidden, or chosen at the same time."""

from __future__ import annotations

from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.cards import RANKS, action_number, last_word, one_by_one
from benchmarks.agree.pairing import Key, Pairing, StateAround
from interpreter.match import Match

# ---- liar's dice


def bid(_: Match, path: ours.Path) -> Key:
    """`bid 2`, `5` as `2-5`."""
    if path.words[0][0] == "doubt":
        return "Liar"
    return f"{path.words[0][1]}-{path.words[1][0]}"


def one_die(_: Any, outcomes: list[str]) -> int:
    return int(outcomes.pop(0)) - 1


def all_but_the_loser(match: Match) -> tuple[float, ...]:
    """OpenSpiel calls one of the others the winner."""
    most = max(ours.by_scores(match))
    return tuple(0.0 if dice == most else -1.0 for dice in ours.by_scores(match))


def the_loser(state: Any) -> tuple[float, ...]:
    return tuple(min(0.0, n) for n in state.returns())


def liars_dice(seats: int, dice: int) -> Pairing:
    return Pairing(
        f"liars_dice(players={seats},numdice={dice})",
        bid,
        chance=one_die,
        result=all_but_the_loser,
        their_result=the_loser,
        ruleset="liars_dice",
        seats=seats,
        options={"dice": dice, "wild": 6, "one_round": "true"},
    )


# ---- goofspiel

ORDER = ("ace", *RANKS[:-1])


def number(word: str) -> int:
    return ORDER.index(word.rpartition("_")[2])


def goofspiel(seats: int) -> Pairing:
    return Pairing(
        f"turn_based_simultaneous_game(game=goofspiel(players={seats},returns_type=total_points))",
        lambda _, path: number(last_word(path)),
        action_number,
        lambda _, outcomes: number(outcomes.pop(0)),
        ours.by_scores,
        one_by_one,
        last_outcomes=1,
        ruleset="goofspiel",
        seats=seats,
    )


# ---- battleship

SIDE = 10
CELLS = SIDE * SIDE
WAYS = ("east", "north")
"""How OpenSpiel counts them: along a row first, then along a column."""


class Berths:
    """OpenSpiel's game, in which a berth is one action, with a cell and a way that are chosen one by one."""

    def __init__(self, shots: int) -> None:
        import pyspiel

        self.game = pyspiel.load_game(f"battleship(allow_repeated_shots=False,num_shots={shots})")

    def new_initial_state(self) -> BerthState:
        return BerthState(self.game.new_initial_state())


class BerthState(StateAround):
    """Actions are those of shots, or the cell of a berth; with a cell chosen, `CELLS` more for each way."""

    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self.cell: int | None = None

    def legal_actions(self) -> list[int]:
        actions = self.state.legal_actions()
        if self.cell is None:
            return sorted({action % CELLS for action in actions})
        return [action - self.cell for action in actions if action % CELLS == self.cell]

    def apply_action(self, action: int) -> None:
        berths = max(self.state.legal_actions()) >= CELLS
        if berths and self.cell is None:
            self.cell = action
            return
        self.state.apply_action(action + (self.cell or 0))
        self.cell = None


def cell_or_way(_: Match, path: ours.Path) -> Key:
    """Cells are counted row by row from below, so that what goes up with us goes down with OpenSpiel.

    With us, the waters of the second seat begin one column behind those of the first.
    """
    word = last_word(path)
    if word in WAYS:
        return CELLS * (1 + WAYS.index(word))
    return (int(word[1:]) - 1) * SIDE + (ord(word[0]) - ord("a")) % (SIDE + 1)


def difference(match: Match) -> tuple[float, ...]:
    one, other = ours.by_scores(match)
    return (one - other, other - one)


def battleship(shots: int) -> Pairing:
    return Pairing(
        lambda: Berths(shots),
        cell_or_way,
        action_number,
        result=difference,
        goes_on=one_by_one,
        ruleset="battleship",
        options={"shots": shots},
    )


# ---- blackjack

SUITS = ("clubs", "diamonds", "hearts", "spades")


def card_dealt(_: Any, outcomes: list[str]) -> int:
    """Cards are counted suit by suit."""
    word = outcomes.pop(0)
    return SUITS.index(word.partition("_")[0]) * 13 + number(word)


# ---- oshi-zumo


def oshi_zumo(half: int, purse: int) -> Pairing:
    return Pairing(
        f"turn_based_simultaneous_game(game=oshi_zumo(size={half},coins={purse},min_bid=1))",
        lambda _, path: int(last_word(path)),
        action_number,
        ruleset="oshi_zumo",
        options={"half": half, "purse": purse},
    )


HIDDEN = {
    "liars_dice": liars_dice(seats=2, dice=5),
    "liars_dice_1": liars_dice(seats=2, dice=1),
    "goofspiel": goofspiel(seats=2),
    "goofspiel_3": goofspiel(seats=3),
    "blackjack": Pairing(
        "blackjack",
        lambda _, path: ("hit", "pass").index(last_word(path)),
        action_number,
        card_dealt,
        ours.by_scores,
        seats=1,
        options={"naturals": "false"},
    ),
    "oshi_zumo": oshi_zumo(half=3, purse=50),
    "oshi_zumo_1": oshi_zumo(half=1, purse=12),
    "battleship": battleship(shots=100),
    "battleship_30": battleship(shots=30),
}
