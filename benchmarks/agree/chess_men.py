"""Chess: our moves in the long notation, for OpenSpiel and for python-chess."""

from __future__ import annotations

from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.pairing import Key, Pairing
from interpreter import ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match

CASTLING = {("east", 0): "e1g1", ("west", 0): "e1c1", ("east", 1): "e8g8", ("west", 1): "e8c8"}
PROMOTED = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}


def move(match: Match, path: ours.Path) -> Key:
    """`go A_pawn e7`, `e8`, `queen` as `e7e8q`."""
    words = [word for words in path.words for word in words]
    if words[0] == "castle":
        return CASTLING[words[1], ours.seat(match)]
    squares = "".join(word for word in words if len(word) == 2 and word[1].isdigit())
    if words[0] == "take_in_passing":
        squares += passed_over(match)
    return squares + PROMOTED.get(words[-1], "")


def passed_over(match: Match) -> str:
    """The square behind the pawn that has gone two squares."""
    seat = ours.seat(match)
    number = match.state[match.game.machine.variables["passing"].base + seat]
    return "abcdefgh"[number % 8] + "63"[seat]


def goes_on(match: Match, waiting: Waiting, option: Option) -> Match | None:
    """A promotion is part of the move."""
    node = match.game.machine.nodes[waiting.node]
    assert isinstance(node, ir.Decide | ir.Offer)
    words = match.game.names.choice(node, option, waiting.what)
    if words[0] != "go" and words[-1][-1] not in "18":
        return None
    behind = ours.taken(match, waiting, option)
    return behind if not behind.over and ours.seat(behind) == waiting.seat else None


def their_move(state: Any, action: int) -> Key:
    import pyspiel

    return str(pyspiel.chess.action_to_move(action, state.board()).to_lan())


class Board:
    """A state of python-chess, in the form of OpenSpiel's: its actions are the places of its legal moves."""

    def __init__(self) -> None:
        import chess

        self.board = chess.Board()
        self._look()

    def _look(self) -> None:
        self.moves = [move.uci() for move in self.board.legal_moves]

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else list(range(len(self.moves)))

    def action_to_string(self, _: int, action: int) -> str:
        return self.moves[action]

    def apply_action(self, action: int) -> None:
        self.board.push_uci(self.moves[action])
        self._look()

    def is_chance_node(self) -> bool:
        return False

    def is_terminal(self) -> bool:
        board = self.board
        drawn = board.is_insufficient_material() or board.is_repetition(3) or board.halfmove_clock >= 100
        return not self.moves or drawn

    def current_player(self) -> int:
        return 0 if self.board.turn else 1

    def returns(self) -> tuple[float, ...]:
        if not self.board.is_checkmate():
            return (0.0, 0.0)
        return (-1.0, 1.0) if self.board.turn else (1.0, -1.0)

    def history(self) -> list[str]:
        return [move.uci() for move in self.board.move_stack]

    def __str__(self) -> str:
        return str(self.board)


class PythonChess:
    """The game of python-chess."""

    def new_initial_state(self) -> Board:
        return Board()


class WhiteFirst:
    """A state of OpenSpiel's chess, in which White is player 1; here White is player 0."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def current_player(self) -> int:
        return 1 - int(self.state.current_player())

    def returns(self) -> list[float]:
        return list(reversed(self.state.returns()))

    def __str__(self) -> str:
        return str(self.state)


class OpenSpielChess:
    def new_initial_state(self) -> WhiteFirst:
        import pyspiel

        return WhiteFirst(pyspiel.load_game("chess").new_initial_state())


CHESS = {
    "chess": Pairing(OpenSpielChess, move, their_move, goes_on=goes_on),
    "chess_python": Pairing(PythonChess, move, goes_on=goes_on, ruleset="chess"),
}
