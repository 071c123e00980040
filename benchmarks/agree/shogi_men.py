"""Shogi: our moves in the notation of its programs, for python-shogi."""

from __future__ import annotations

from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.pairing import Key, Pairing
from interpreter import ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match

LETTERS = {"pawn": "P", "lance": "L", "knight": "N", "silver": "S", "gold": "G", "bishop": "B", "rook": "R"}
COLUMNS, ROWS = (
    dict(zip("abcdefghi", "987654321", strict=True)),
    dict(zip("123456789", "ihgfedcba", strict=True)),
)


def square(word: str) -> str:
    """`b2` as `8h`: columns are counted from the right, rows have letters from above."""
    return COLUMNS[word[0]] + ROWS[word[1]]


def is_square(word: str) -> bool:
    return len(word) == 2 and word[0] in COLUMNS and word[1] in ROWS


def move(_: Match, path: ours.Path) -> Key:
    """`go A_pawn g3`, `g4` as `3g3f`; `drop A_pawn A`, `e5` as `P*5e`; with `promote` a `+` behind it."""
    words = [word for words in path.words for word in words]
    squares = [square(word) for word in words if is_square(word)]
    if words[0] == "drop":
        kind = next(word.partition("_")[2] for word in words if word.partition("_")[2] in LETTERS)
        return f"{LETTERS[kind]}*{squares[-1]}"
    return "".join(squares) + ("+" if words[-1] == "promote" or must_promote(words) else "")


def must_promote(words: list[str]) -> bool:
    """Whether a man that has gone there could not go on; nobody is asked then."""
    if not is_square(words[-1]):
        return False
    seat, _, kind = words[1].partition("_")
    rows_left = 9 - int(words[-1][1]) if seat == "A" else int(words[-1][1]) - 1
    return rows_left < {"pawn": 1, "lance": 1, "knight": 2}.get(kind, 0)


def goes_on(match: Match, waiting: Waiting, option: Option) -> Match | None:
    """A promotion is part of the move."""
    node = match.game.machine.nodes[waiting.node]
    assert isinstance(node, ir.Decide | ir.Offer)
    words = match.game.names.choice(node, option, waiting.what)
    if words[0] == "drop":
        return ours.taken(match, waiting, option)
    if words[0] in ("promote", "stay"):
        return None
    behind = ours.taken(match, waiting, option)
    if words[0] == "go":
        return behind
    following = None if behind.over else behind.game.machine.nodes[ours.asked(behind).node]
    return behind if isinstance(following, ir.Decide) and ours.seat(behind) == waiting.seat else None


class Board:
    """A state of python-shogi, in the form of OpenSpiel's: its actions are the places of its legal moves."""

    def __init__(self, most_moves: int) -> None:
        import shogi

        self.board, self.most_moves = shogi.Board(), most_moves
        self._look()

    def _look(self) -> None:
        self.moves = [move.usi() for move in self.board.legal_moves]

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else list(range(len(self.moves)))

    def action_to_string(self, _: int, action: int) -> str:
        return self.moves[action]

    def apply_action(self, action: int) -> None:
        self.board.push_usi(self.moves[action])
        self._look()

    def is_chance_node(self) -> bool:
        return False

    def is_terminal(self) -> bool:
        long = len(self.board.move_stack) >= self.most_moves
        return not self.moves or long or self.board.is_fourfold_repetition()

    def current_player(self) -> int:
        return int(self.board.turn)

    def returns(self) -> tuple[float, ...]:
        if self.moves:
            return (0.0, 0.0)
        return (-1.0, 1.0) if self.board.turn == 0 else (1.0, -1.0)

    def history(self) -> list[str]:
        return [move.usi() for move in self.board.move_stack]

    def __str__(self) -> str:
        return str(self.board)


class PythonShogi:
    """The game of python-shogi, with so many moves at most."""

    def __init__(self, most_moves: int) -> None:
        self.most_moves = most_moves

    def new_initial_state(self) -> Any:
        return Board(self.most_moves)


SHOGI = {"shogi": Pairing(lambda: PythonShogi(512), move, goes_on=goes_on)}
"""The pairing, by name."""
