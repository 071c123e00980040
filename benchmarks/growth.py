"""How the time of a decision grows with the game: the same small games with more and more of everything."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import rulewright
from benchmarks.contestants import ours
from benchmarks.contestants.contestant import Play, Unavailable
from benchmarks.games import Entry
from benchmarks.slices import Pace, Task, interleave, one_core
from benchmarks.table import Cell, Table
from interpreter.game import Game

CELLS = (4, 8, 12, 16, 24)
"""Sides of the boards."""

CARDS = (16, 64, 144, 256, 576)
"""Numbers of cards: as many as there are cells."""

COLUMNS = (
    "what there is more of",
    "number",
    "bytes of state",
    "executor",
    "decisions/playout",
    "ns/decision",
)

BOARD = """\
game: filling
title: Filling a board
seats: 2
rules: [filling.rules]
longest: {longest}

boards:
  cell: {{grid: [{side}, {side}]}}

pointers:
  stone: {{at: cell, to: seat}}

flow:
  turn: {{seat: rotates, do: [{{do one of: [place]}}], then: {{full: end, otherwise: turn}}}}
  end: {{score: highest}}
"""

BOARD_RULES = """\
action place(cell where stone at cell is none)
    stone at cell = me

value full = all(stone at cell exists for cell)

score stones = count(cell where stone at cell is me)
"""

HANDS = """\
game: emptying
title: Emptying hands
seats: 2
rules: [emptying.rules]
longest: {longest}

components:
  card: {{table: cards.csv, columns: {{worth: 0..9}}}}

zones:
  deck: {{holds: card, order: shuffled, seen_by: count, start: all}}
  hand: {{holds: card, of: seat, seen_by: owner}}
  table: {{holds: card, of: seat, seen_by: all}}

flow:
  deal: {{do: [deal], then: turn}}
  turn: {{seat: rotates, do: [{{do one of: [play]}}], then: {{played_out: end, otherwise: turn}}}}
  end: {{score: highest}}
"""

HANDS_RULES = """\
procedure deal
    each seat in turn
        move {half} from deck to hand of me

action play(card from hand of me)
    move card to table of me

value played_out = all(hand of seat is empty for seat)

score worth = sum(card.worth for card in table of me)
"""


def measure(_: Sequence[Entry], pace: Pace) -> list[Table]:
    table = Table("growth", "Growth of time with the number of components", COLUMNS)
    with tempfile.TemporaryDirectory() as folder, one_core():
        for name, write, sizes in (("cells", _board, CELLS), ("cards", _hands, CARDS)):
            for size in sizes:
                game = write(Path(folder) / f"{name}{size}", size)
                table.rows += _measured(name, size**2 if name == "cells" else size, game, pace)
    table.notes.append(
        "two games made for this: stones put on free cells until none is free, all cards played"
    )
    return [table]


def _measured(name: str, number: int, game: Game, pace: Pace) -> list[tuple[Cell, ...]]:
    """One row for each executor that is there."""
    plays: dict[str, Play] = {"reference": ours.reference_play(game)}
    with suppress(Unavailable):
        plays["wasm"] = ours.fast_play(game)
    tasks = [Task(executor, _decisions(play)) for executor, play in plays.items()]
    interleave(tasks, pace)
    size = 4 * game.machine.size
    each = [play(1).decisions for play in plays.values()]
    return [
        (name, number, size, task.name, made, 1e9 / task.rate) for task, made in zip(tasks, each, strict=True)
    ]


def _decisions(play: Play) -> Callable[[int], float]:
    return lambda number: play(number).decisions or 0


def _board(folder: Path, side: int) -> Game:
    text = BOARD.format(side=side, longest=side * side)
    return _game(folder, {"game.yaml": text, "filling.rules": BOARD_RULES})


def _hands(folder: Path, number: int) -> Game:
    rows = [f"c{i},{i % 10}" for i in range(number)]
    files = {
        "game.yaml": HANDS.format(longest=number),
        "emptying.rules": HANDS_RULES.format(half=number // 2),
        "cards.csv": "\n".join(["card,worth", *rows]) + "\n",
    }
    return _game(folder, files)


def _game(folder: Path, files: dict[str, str]) -> Game:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return rulewright.open_game(str(folder))
