"""2048: OpenSpiel's tiles, with the moves that the rules allow.

OpenSpiel forgets only when a move is made which tiles have merged in the last one, and so it leaves out some
moves: those that would do no more than merge a tile with one that has just come of merging. What may be moved
is found out here, on its board; it carries out such a move as any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from benchmarks.agree import ours
from benchmarks.agree.cards import action_number, last_word, one_by_one
from benchmarks.agree.pairing import Key, Pairing
from interpreter.match import Match

DIRECTIONS = ("north", "east", "south", "west")


@dataclass(frozen=True)
class Tiles:
    goal: int

    def new_initial_state(self) -> TilesState:
        import pyspiel

        return TilesState(pyspiel.load_game(f"2048(max_tile={self.goal})").new_initial_state())


@dataclass
class TilesState:
    state: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def __str__(self) -> str:
        return str(self.state)

    def legal_actions(self) -> list[int]:
        if self.state.is_chance_node():
            return list(self.state.legal_actions())
        rows = [[int(n) for n in line.split()] for line in str(self.state).splitlines() if line.strip()]
        columns = [list(column) for column in zip(*rows, strict=True)]
        lines = (columns, [row[::-1] for row in rows], [column[::-1] for column in columns], rows)
        return [action for action, way in enumerate(lines) if any(map(slides, way))]


def slides(line: list[int]) -> bool:
    """Whether something happens when the tiles of a line slide towards its beginning."""
    return any(tile and before in (0, tile) for before, tile in pairwise(line))


def slide(_: Match, path: ours.Path) -> Key:
    return DIRECTIONS.index(last_word(path))


def new_tile(_: Any, outcomes: list[str]) -> int:
    """A square and a number; rows are counted from above."""
    square, tile = outcomes.pop(0), outcomes.pop(0)
    return (4 - int(square[1])) * 8 + "abcd".index(square[0]) * 2 + (tile == "4")


def tiles(goal: int) -> Pairing:
    return Pairing(
        lambda: Tiles(goal),
        slide,
        action_number,
        new_tile,
        ours.by_scores,
        one_by_one,
        ruleset="twenty_forty_eight",
        seats=1,
        options={"goal": goal},
    )


TILES = {"twenty_forty_eight": tiles(2048), "twenty_forty_eight_64": tiles(64)}
