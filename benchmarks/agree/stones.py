"""The pairings of games in which numbered, ranked or turned stones move."""

from __future__ import annotations

import re
from itertools import permutations
from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.chess_men import WhiteFirst
from benchmarks.agree.comparison import Uncovered
from benchmarks.agree.pairing import PASS, Key, Pairing, StateAround
from interpreter import ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match


def places(path: ours.Path) -> list[str]:
    """The places of a board with letters and numbers that a choice names."""
    return [word for words in path.words for word in words if re.fullmatch(r"[a-z]\d+", word)]


# ---- EinStein würfelt nicht: our first seat is their second player, in the other corner

NUMBERS = range(1, 7)
WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class SecondFirst:
    """The second player begins there."""

    def new_initial_state(self) -> WhiteFirst:
        import pyspiel

        return WhiteFirst(pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state())


def einstein_square(row: int, column: int) -> str:
    return f"{'abcde'[4 - column]}{5 - row}"


def numbered_stone(_: Match, path: ours.Path) -> Key:
    """`go A_3`, `c4` as `3c4`."""
    return path.words[0][1].partition("_")[2] + path.words[1][-1]


def their_numbered_stone(state: Any, action: int) -> Key:
    """`W3-up*`, and where it stands."""
    text = str(state.action_to_string(1 - state.current_player(), action))
    row, column = divmod(action // 12, 5)
    slant = -1 if text[0] == "W" else 1
    down, right = WAYS.get(text[3:].rstrip("*"), (slant, slant))
    return text[1] + einstein_square(row + down, column + right)


def einstein_chance(state: Any, outcomes: list[str]) -> int:
    """Theirs places all stones of a player at once, ours number by number with the seats in turn."""
    placed = len(state.history())
    if placed > 1:
        return int(outcomes.pop(0)) - 1
    corner = [(r, c) for r in range(5) for c in range(5) if (r + c <= 2 if placed == 0 else r + c >= 6)]
    squares = outcomes[1 - placed : 12 : 2]
    order = tuple(squares.index(einstein_square(r, c)) + 1 for r, c in corner)
    if placed == 1:
        del outcomes[:12]
    return list(permutations(NUMBERS)).index(order)


# ---- Pentago: their first row is above, ours below, so that a turn goes the other way round

QUARTERS = ("south_west", "south_east", "north_east", "north_west")


def stone_and_turn(_: Match, path: ours.Path) -> Key:
    turn, quarter = path.words[1]
    number = 2 * QUARTERS.index(quarter) + (turn == "counterclockwise_turn")
    return path.words[0][-1] + chr(ord("s") + number)


def until_the_turn(match: Match, waiting: Waiting, option: Option) -> Match | None:
    node = match.game.machine.nodes[waiting.node]
    assert isinstance(node, ir.Decide | ir.Offer)
    if match.game.names.choice(node, option, waiting.what)[0] != "place":
        return None
    return ours.taken(match, waiting, option)


# ---- Xiangqi


class FiveHundred(StateAround):
    """Their state, which is drawn after five hundred moves."""

    def is_terminal(self) -> bool:
        over = bool(self.state.is_terminal())
        if over and not any(self.state.returns()):
            raise Uncovered("five hundred moves are a draw there")
        return over


class Xiangqi:
    def new_initial_state(self) -> FiveHundred:
        import pyspiel

        return FiveHundred(pyspiel.load_game("xiangqi").new_initial_state())


def from_to(_: Match, path: ours.Path) -> Key:
    return "-".join(places(path))


def their_points(state: Any, action: int) -> Key:
    """`C(7,1)-(7,4)` as `b3-e3`: lines are counted from above there."""
    row, column, to_row, to_column = map(int, re.findall(r"\d+", their_text(state, action)))
    return f"{'abcdefghi'[column]}{10 - row}-{'abcdefghi'[to_column]}{10 - to_row}"


def their_text(state: Any, action: int) -> str:
    return str(state.action_to_string(state.current_player(), action))


# ---- Banqi

STONES = ("general", "advisor", "elephant", "chariot", "horse", "cannon", "soldier")


def their_squares(state: Any, action: int) -> Key:
    """`Flip(1,2)` as `c2`, `H(1,2)-(2,2)` as `c2-c3`."""
    numbers = [int(n) for n in re.findall(r"\d+", their_text(state, action))]
    return "-".join(
        f"{'abcdefgh'[column]}{row + 1}" for row, column in zip(numbers[::2], numbers[1::2], strict=True)
    )


def stone_turned_up(_: Any, outcomes: list[str]) -> int:
    colour, _, kind = outcomes.pop(0).partition("_")
    return STONES.index(kind) + (7 if colour == "black" else 0)


# ---- Chinese Checkers: where a peg ends is one choice of ours, and jump by jump theirs

HOLES = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
FIRST_LETTERS = "mlkjeeeeedcbaeeee"
"""Of the rows from below. Their star stands on its head."""


def hole_name(number: int) -> str:
    """Their holes are counted row by row from above, ours from below and from the other side."""
    row = 0
    while number >= HOLES[row]:
        number -= HOLES[row]
        row += 1
    return f"{chr(ord(FIRST_LETTERS[row]) + HOLES[row] - 1 - number)}{row + 1}"


class WholeTurns:
    """Their game; an action is 121 times the number of the hole where a peg begins, and where it ends."""

    def __init__(self, seats: int) -> None:
        import pyspiel

        self.game = pyspiel.load_game(f"chinese_checkers(players={seats},max_moves={MOST_TURNS})")

    def new_initial_state(self) -> WholeTurn:
        return WholeTurn(self.game.new_initial_state())


class WholeTurn(StateAround):
    def __init__(self, state: Any) -> None:
        super().__init__(state)
        self.ends: dict[int, Any] = {}

    def legal_actions(self) -> list[int]:
        if self.state.legal_actions() == [STOP]:
            return [STOP]
        if not self.ends:
            for action in self.state.legal_actions():
                self._follow(action // 6, self.state, action)
        return list(self.ends)

    def _follow(self, start: int, state: Any, action: int) -> None:
        """A step or a jump, and all jumps that may come after it, each hole once."""
        text = state.action_to_string(state.current_player(), action)
        end = start * 121 + int(re.split("[-=]>", text)[1])
        if end in self.ends:
            return
        behind = state.child(action)
        mine = not behind.is_terminal() and STOP in behind.legal_actions() and "hopping" in str(behind)
        self.ends[end] = behind.child(STOP) if mine else behind
        if mine:
            for further in behind.legal_actions():
                if further != STOP:
                    self._follow(start, behind, further)

    def apply_action(self, action: int) -> None:
        self.legal_actions()
        self.state = self.state.child(STOP) if action == STOP else self.ends[action]
        self.ends = {}


STOP = 726
MOST_TURNS = 100


def hole_to_hole(_: Match, path: ours.Path) -> Key:
    return "-".join(places(path))


def their_holes(_: Any, action: int) -> Key:
    return PASS if action == STOP else "-".join(map(hole_name, divmod(action, 121)))


def winner_takes_all(match: Match) -> tuple[float, ...]:
    """What each of the others loses is the winner's."""
    names = [match.game.names.seat(i) for i in range(match.game.machine.seats)]
    winners = match.winners()
    if len(winners) != 1:
        return tuple(0.0 for _ in names)
    return tuple(len(names) - 1.0 if name in winners else -1.0 for name in names)


def peg_and_target(match: Match, waiting: Waiting, option: Option) -> Match | None:
    """The target is chosen after the peg."""
    node = match.game.machine.nodes[waiting.node]
    return ours.taken(match, waiting, option) if isinstance(node, ir.Offer) else None


def chinese_checkers(seats: int) -> Pairing:
    return Pairing(
        lambda: WholeTurns(seats),
        hole_to_hole,
        their_holes,
        result=winner_takes_all,
        goes_on=peg_and_target,
        ruleset="chinese_checkers",
        seats=seats,
        options={"most_turns": MOST_TURNS},
    )


STONES_THAT_MOVE = {
    "einstein_wuerfelt_nicht": Pairing(
        SecondFirst,
        numbered_stone,
        their_numbered_stone,
        einstein_chance,
        options={"placing": "drawn"},
    ),
    "pentago": Pairing(
        "pentago", stone_and_turn, goes_on=until_the_turn, options={"before_the_turn": "false"}
    ),
    "xiangqi": Pairing(Xiangqi, from_to, their_points, options={"repetitions": 1000, "quiet_moves": 500}),
    "chinese_checkers": chinese_checkers(2),
    "chinese_checkers_3": chinese_checkers(3),
    "chinese_checkers_4": chinese_checkers(4),
    "chinese_checkers_6": chinese_checkers(6),
    "banqi": Pairing("banqi", from_to, their_squares, stone_turned_up),
}
