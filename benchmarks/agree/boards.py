"""The pairings of board games, game by game."""

from __future__ import annotations

from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.chess_men import CHESS
from benchmarks.agree.pairing import PASS, Key, Pairing, StateAround
from interpreter.match import Match


def number(columns: int, place: str) -> int:
    """The number of `b3` in a grid that is counted row by row."""
    return (int(place[1:]) - 1) * columns + ord(place[0]) - ord("a")


def placed(columns: int) -> Any:
    def key(_: Match, path: ours.Path) -> Key:
        (words,) = path.words
        return PASS if words[0] == "forgo" else number(columns, words[-1])

    return key


def their_number(columns: int) -> Any:
    return lambda _, action: PASS if action == columns * columns else action


def go(lines: int) -> Pairing:
    """OpenSpiel forbids a ko alone, and draws when a position comes again."""
    options = {"lines": lines, "repetition": "no_result"}
    theirs = f"go(board_size={lines})"
    return Pairing(theirs, placed(lines), their_number(lines), ruleset="go", options=options)


def cell_name(_: Match, path: ours.Path) -> Key:
    return path.words[0][-1]


def their_cell(state: Any, action: int) -> Key:
    """`x(a1)` or `a1`."""
    text = str(state.action_to_string(state.current_player(), action))
    return text.partition("(")[2].rstrip(")") or text


def rows_from_above(rows: int) -> Any:
    def key(state: Any, action: int) -> Key:
        name = str(their_cell(state, action))
        return f"{name[0]}{rows + 1 - int(name[1:])}"

    return key


def line_drawn(_: Match, path: ours.Path) -> Key:
    """`draw_line b1_to_north` as `(h,1,1)`: horizontal or vertical, the row, the column."""
    box, _, side = path.words[0][-1].partition("_to_")
    row, column = int(box[1:]) - 1, ord(box[0]) - ord("a")
    if side in ("north", "south"):
        return f"h,{row + (side == 'north')},{column}"
    return f"v,{row},{column + (side == 'east')}"


def their_line(state: Any, action: int) -> Key:
    return str(state.action_to_string(state.current_player(), action)).partition("(")[2].rstrip(")")


NIM_ROWS = ("first", "second", "third", "fourth")


def matches_taken(_: Match, path: ours.Path) -> Key:
    return f"pile:{NIM_ROWS.index(path.words[0][-1]) + 1}, take:{path.words[1][-1]};"


class FieldAndCell(StateAround):
    """A state of OpenSpiel's ultimate tic-tac-toe, where a field and a cell of it are one action: 9 * 9."""

    def legal_actions(self) -> list[int]:
        found = []
        for action in self.state.legal_actions():
            if not self.asks_for_field():
                found.append(9 * self.field() + action)
                continue
            behind = self.state.child(action)
            found += [9 * action + cell for cell in behind.legal_actions()]
        return found

    def apply_action(self, action: int) -> None:
        if self.asks_for_field():
            self.state.apply_action(action // 9)
        self.state.apply_action(action % 9)

    def asks_for_field(self) -> bool:
        return self.field() < 0

    def field(self) -> int:
        told = str(self.state).rpartition("Forced board: ")[2].split()[0]
        return int(told) if told.isdigit() else -1


class UltimateTicTacToe:
    def new_initial_state(self) -> FieldAndCell:
        import pyspiel

        return FieldAndCell(pyspiel.load_game("ultimate_tic_tac_toe").new_initial_state())


def ultimate_cell(_: Match, path: ours.Path) -> Key:
    """The field and the cell in it, both counted row by row."""
    name = path.words[0][-1]
    row, column = int(name[1:]) - 1, ord(name[0]) - ord("a")
    return 9 * (3 * (row // 3) + column // 3) + 3 * (row % 3) + column % 3


def named_cell(columns: int) -> Any:
    return lambda _, path: number(columns, path.words[0][-1])


def same_number(_: Any, action: int) -> Key:
    return action


def from_to(_: Match, path: ours.Path) -> Key:
    """`go c3`, `d4` as `c3d4`."""
    return "".join(words[-1] for words in path.words)


def their_from_to(state: Any, action: int) -> Key:
    """`c3d4`, `b1-b3` or `c1xa3`."""
    text = str(state.action_to_string(state.current_player(), action))
    return text.replace("-", "").replace("x", "")


def wall_or_square(_: Match, path: ours.Path) -> Key:
    """`go i3` as `e8`, `build j10`, `across` as `e4h`: there squares alone are counted, rows from above."""
    name = path.words[0][-1]
    column, row = "abcdefghi"[(ord(name[0]) - ord("a")) // 2], int(name[1:])
    if len(path.words) == 1:
        return f"{column}{9 - row // 2}"
    return f"{column}{9 - row // 2}{'h' if path.words[1][-1] == 'across' else 'v'}"


BOARDS: dict[str, Pairing] = {
    **CHESS,
    "go": go(19),
    "go_9": go(9),
    "game_of_y": Pairing("y(board_size=13)", cell_name, their_cell),
    "havannah": Pairing("havannah(board_size=8)", cell_name, rows_from_above(15)),
    "havannah_4": Pairing(
        "havannah(board_size=4)", cell_name, rows_from_above(7), ruleset="havannah", options={"side": 4}
    ),
    "dots_and_boxes": Pairing("dots_and_boxes(num_rows=4,num_cols=4)", line_drawn, their_line),
    "ultimate_tic_tac_toe": Pairing(UltimateTicTacToe, ultimate_cell, same_number),
    "phantom_tic_tac_toe": Pairing("phantom_ttt", named_cell(3), same_number),
    "dark_hex": Pairing("dark_hex(num_rows=4,num_cols=4)", named_cell(4), same_number),
    "checkers": Pairing("checkers", from_to, their_from_to),
    "lines_of_action": Pairing("lines_of_action", from_to, their_from_to, options={"repetitions": 2}),
    "clobber": Pairing("clobber(rows=5,columns=6)", from_to, their_from_to),
    "gomoku": Pairing("mnk(m=15,n=15,k=5)", placed(15), same_number),
    "gomoku_4": Pairing(
        "mnk(m=7,n=6,k=4)",
        placed(7),
        same_number,
        ruleset="gomoku",
        options={"rows": 6, "columns": 7, "goal": 4},
    ),
    "quoridor": Pairing("quoridor", wall_or_square),
    "nim": Pairing("nim", matches_taken),
    "nim_normal": Pairing(
        "nim(is_misere=false)", matches_taken, ruleset="nim", options={"last_loses": "false"}
    ),
}
