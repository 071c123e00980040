"""The pairings, game by game: a table of names."""

from __future__ import annotations

import re
from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.boards import BOARDS
from benchmarks.agree.cards import CARDS, one_by_one
from benchmarks.agree.cribbage import CRIBBAGE
from benchmarks.agree.gin import GIN
from benchmarks.agree.hidden import HIDDEN
from benchmarks.agree.holdem import HOLDEM
from benchmarks.agree.pairing import PASS, Key, Pairing
from benchmarks.agree.shedding import SHEDDING
from benchmarks.agree.shogi_men import SHOGI
from benchmarks.agree.stones import STONES_THAT_MOVE
from benchmarks.agree.tiles import TILES
from interpreter import ir
from interpreter.executor_protocol import PASS as NO_MORE, Option, Waiting
from interpreter.match import Match
from interpreter.reference import pieces


def last_words(path: ours.Path) -> tuple[str, ...]:
    """All words of a choice, one after the other."""
    return tuple(word for words in path.words for word in words)


# ---- boards

WAIVING = ("pass", "forgo")
"""What the rulesets call having no move."""


def grid_number(columns: int, cell: str) -> int:
    """`b3` in a grid that is counted row by row."""
    return (int(cell[1:]) - 1) * columns + ord(cell[0]) - ord("a")


def action_number(_: Any, action: int) -> Key:
    return action


def placed(columns: int) -> Any:
    def key(_: Match, path: ours.Path) -> Key:
        words = last_words(path)
        return grid_number(columns, words[-1]) if words[0] not in WAIVING else PASS

    return key


def othello_action(_: Any, action: int) -> Key:
    return PASS if action == 64 else action


def column(_: Match, path: ours.Path) -> Key:
    """`drop 3` or `drop d`: columns are numbered from 1, or have letters."""
    word = last_words(path)[-1][:1]
    return int(word) - 1 if word.isdigit() else ord(word) - ord("a")


def from_to(_: Match, path: ours.Path) -> Key:
    """`step b2 b3`; A moves down the board of OpenSpiel."""
    places = [word for word in last_words(path) if len(word) == 2 and word[1].isdigit()]
    return "".join(places[-2:])


def upside_down(state: Any, action: int) -> Key:
    """`a7b6*` as `a2b3`: A moves up with us, the first player down with OpenSpiel."""
    text = state.action_to_string(state.current_player(), action).rstrip("*")
    return "".join(str(9 - int(c)) if c.isdigit() else c for c in text)


def amazons_square(_: Match, path: ours.Path) -> Key:
    """The square of each of the three decisions: an amazon, its target, its arrow."""
    return last_words(path)[-1]


def amazons_action(state: Any, action: int) -> Key:
    """`X From (7, 1)`: rows are counted from above."""
    row, column = re.findall(r"\d+", state.action_to_string(state.current_player(), action))
    return f"{chr(ord('a') + int(column) - 1)}{11 - int(row)}"


# ---- sowing


def kalah_pit(_: Match, path: ours.Path) -> Key:
    pit = last_words(path)[-1]
    return int(pit[1:]) + (7 if pit[0] == "b" else 0)


def oware_pit(_: Match, path: ours.Path) -> Key:
    """`sow b3`: OpenSpiel letters each row in its order of sowing."""
    return int(last_words(path)[-1][1:]) - 1


def oware_house(state: Any, action: int) -> Key:
    return action % 6


# ---- dice and cards


def pig_words(_: Match, path: ours.Path) -> Key:
    return {"throw": "roll", "hold": "stop"}[path.words[0][0]]


def one_die(_: Any, outcomes: list[str]) -> int:
    return int(outcomes.pop(0)) - 1


def poker_words(_: Match, path: ours.Path) -> Key:
    return path.words[0][0].capitalize()


RANKS = ("jack", "queen", "king")


def kuhn_card(_: Any, outcomes: list[str]) -> int:
    return RANKS.index(outcomes.pop(0))


def leduc_card(state: Any, outcomes: list[str]) -> int:
    """Any card of the rank that is still there: suits mean nothing."""
    rank = RANKS.index(outcomes.pop(0))
    return next(int(a) for a in state.legal_actions() if a // 2 == rank)


# ---- yacht

CATEGORIES = {
    "chance": "Chance",
    "four_of_a_kind": "Four of a Kind",
    "full_house": "Full House",
    "small_straight": "Small Straight",
    "large_straight": "Large Straight",
    "yacht": "Yacht",
}


def yacht_key(match: Match, path: ours.Path) -> Key:
    """The faces that are kept, in order, or the category."""
    if path.words[0][0] == "fill":
        name = path.words[0][1]
        return ("score", CATEGORIES.get(name, name.capitalize()))
    return ("keep", tuple(sorted(words[0] for words in path.words if words != ("pass",))))


def yacht_action(state: Any, action: int) -> Key:
    text = state.action_to_string(state.current_player(), action)
    if text.startswith("Score in "):
        return ("score", text.removeprefix("Score in "))
    dice = _shown_dice(state)
    again = {int(i) for i in text.partition(": ")[2].split(",") if i}
    return ("keep", tuple(sorted(face for i, face in enumerate(dice) if i not in again)))


def _shown_dice(state: Any) -> list[str]:
    line = next(line for line in str(state).splitlines() if line.startswith("Dice:"))
    return line.partition(":")[2].split()


def yacht_dice(state: Any, outcomes: list[str]) -> int:
    """The dice that are thrown, the first one counting least."""
    number = round(_log6(len(state.legal_actions())))
    faces = [int(outcomes.pop(0)) - 1 for _ in range(number)]
    return sum(face * 6**i for i, face in enumerate(faces))


def _log6(number: int) -> int:
    power = 0
    while 6**power < number:
        power += 1
    return power


def yacht_goes_on(match: Match, waiting: Waiting, option: Option) -> Match | None:
    """Dice are kept one by one until all are kept or no more is wanted."""
    node = match.game.machine.nodes[waiting.node]
    if isinstance(node, ir.Offer) or option == NO_MORE:
        return None
    behind = ours.taken(match, waiting, option)
    stays = not behind.over and not ours.outcomes(behind) and behind.state[ir.PC] == match.state[ir.PC]
    return behind if stays else None


# ---- nine men's morris

POINTS = [
    "a7",
    "d7",
    "g7",
    "b6",
    "d6",
    "f6",
    "c5",
    "d5",
    "e5",
    "a4",
    "b4",
    "c4",
    "e4",
    "f4",
    "g4",
    "c3",
    "d3",
    "e3",
    "b2",
    "d2",
    "f2",
    "a1",
    "d1",
    "g1",
]


def morris_key(_: Match, path: ours.Path) -> Key:
    points = [POINTS.index(word) for word in last_words(path) if word in POINTS]
    return f"Point {points[0]}" if len(points) == 1 else f"Move {points[0]} -> {points[1]}"


# ---- backgammon


def backgammon_key(_: Match, path: ours.Path) -> Key:
    """The board that comes of it, as the seats count it."""
    return backgammon_board(path.behind())


def backgammon_board(match: Match) -> Key:
    men = match.game.machine.variables["men"]
    return tuple(match.state[men.base : men.base + men.size])


def backgammon_action(state: Any, action: int) -> Key:
    before, behind = _their_board(state), _their_board(state.child(action))
    return PASS if before == behind else behind


def _their_board(state: Any) -> tuple[int, ...]:
    first = [state.board(0, i) for i in range(24)]
    second = [state.board(1, 23 - i) for i in range(24)]
    return tuple(_our_row(first, state.board(0, 100)) + _our_row(second, state.board(1, 100)))


def _our_row(points: list[int], bar: int) -> list[int]:
    """Off, the points from 1 to 24 as the seat counts them, the bar."""
    return [15 - bar - sum(points), *reversed(points), bar]


def backgammon_dice(state: Any, outcomes: list[str]) -> int:
    first, second = outcomes.pop(0), outcomes.pop(0)
    starts = "starts" in state.action_to_string(-1, 0)
    while starts and first == second:
        first, second = outcomes.pop(0), outcomes.pop(0)
    who = "" if not starts else "X" if first > second else "O"
    faces = sorted((first, second))
    return next(int(a) for a in state.legal_actions() if _is_roll(state.action_to_string(-1, a), who, faces))


def _is_roll(text: str, who: str, faces: list[str]) -> bool:
    return (not who or f" {who} starts" in text) and sorted(text[-3:-1]) == faces


def backgammon_goes_on(match: Match, waiting: Waiting, option: Option) -> Match | None:
    """Both numbers of a throw are one choice; a double is two choices."""
    behind = ours.taken(match, waiting, option)
    if behind.over or ours.outcomes(behind):
        return None
    still = backgammon_board(behind) == backgammon_board(match)
    return behind if still or _dice_left(behind) == 1 else None


def _dice_left(match: Match) -> int:
    first, number = match.game.machine.zone_places["dice"]
    places = match.game.machine.places[first : first + number]
    return sum(pieces.count(match.state, place) for place in places)


PAIRINGS = {
    "amazons": Pairing("amazons", amazons_square, amazons_action, goes_on=one_by_one),
    "tic_tac_toe": Pairing("tic_tac_toe", placed(3), action_number, small=True),
    "pig": Pairing("pig", pig_words, chance=one_die),
    "connect_four": Pairing("connect_four", column, action_number),
    "breakthrough": Pairing("breakthrough", from_to, upside_down),
    "kuhn_poker": Pairing("kuhn_poker", poker_words, chance=kuhn_card, result=ours.by_scores),
    "leduc_poker": Pairing("leduc_poker", poker_words, chance=leduc_card, result=ours.by_scores),
    "kalah": Pairing("mancala", kalah_pit, action_number),
    "oware": Pairing("oware", oware_pit, oware_house),
    "hex": Pairing("hex(board_size=11)", placed(11), action_number),
    "othello": Pairing("othello", placed(8), othello_action),
    "nine_mens_morris": Pairing("nine_mens_morris", morris_key),
    "yacht": Pairing("yacht", yacht_key, yacht_action, yacht_dice, goes_on=yacht_goes_on, in_any_order=True),
    "backgammon": Pairing(
        "backgammon", backgammon_key, backgammon_action, backgammon_dice, goes_on=backgammon_goes_on
    ),
}

PAIRINGS |= BOARDS | CARDS | CRIBBAGE | GIN | HIDDEN | HOLDEM | SHEDDING | SHOGI | STONES_THAT_MOVE | TILES
