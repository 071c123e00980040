"""Bit boards of zones whose places have room for one piece: they follow moves, and conditions read them."""

from __future__ import annotations

import pytest

from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.wasm.build_config import CHECKED, FAST, FLAT, PLAYOUT
from interpreter.wasm.emit.bit_boards import board_bytes, boards, first_byte, piece_bytes, piece_sets
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower.control import small_boards
from interpreter.wasm.runtime import playouts
from tests.wasm.batches import Rows
from tests.wasm.lockstep import Pair, small_rules
from tests.wasm.rollouts import Rollouts, lower, reference_row, reference_rows, same

YAML = """
longest: 200
types: {kind: {values: [pawn, rook]}, man: {product: [seat, kind]}, slot: 1..6}
boards: {cell: {grid: [4, 5], neighbours: all, directions: way}}
components: {piece: {kinds: man, count: 6}}
zones:
  stand: {holds: piece, at: cell, size: 1, seen_by: all}
  tray: {holds: piece, of: seat, at: slot, size: 1, seen_by: all}
  box: {holds: piece, at: man, seen_by: all, start: all}
  sack: {holds: piece, order: bag, seen_by: count}
counters: {turns: {range: 0..24}, points: {of: seat, range: 0..1000}}
"""
FLOW = """
flow:
  turn:
    seat: rotates
    do: [{do one of: [place, go, store, back, give, sink], otherwise: [wait]}, go_on]
    then: {done: fin, otherwise: turn}
  fin: {score: highest}
"""
RULES = """
action place(cell where stand at cell is none, kind)
    needs box at ((me, kind)) is not empty
    move 1 from box at ((me, kind)) to stand at cell
    needs count(x in neighbours(cell) where stand at x exists and (stand at x).seat is me) <= 2
action go(cell where holds(cell, me), there from neighbours(cell) where not holds(there, me))
    if holds(there, opponent)
        move all from stand at there to sack
    move all from stand at cell to stand at there
    needs not any(x in those(y in ray(there, north) while stand at y exists) where rook_at(x))
    gain size(those(x in stand where x.seat is me)) points
action store(piece from those(x in stand where x.kind is pawn), slot where tray of me at slot is none)
    needs piece.seat is me
    move piece to tray of me at slot
    if count(x in slot where tray of opponent at x exists) >= 2
        gain 3 points
action back(slot where tray of me at slot exists, cell where stand at cell is none)
    move all from tray of me at slot to stand at cell
    if all(stand at x is none for x in neighbours(cell))
        gain 1 points
action give(slot, other: slot)
    needs tray of me at slot exists
    needs tray of opponent at other exists
    needs turns mod 3 is 0
    swap tray of me at slot with tray of opponent at other
action sink(cell where holds(cell, opponent))
    needs turns mod 7 is 3
    move all from stand at cell to sack
    move 1 from sack to stand at cell
procedure wait
    gain 1 points
procedure go_on
    turns += 1
    gain size(those(x in stand where x.kind is rook and x.cell.row > 1)) points
value holds(cell, seat) = stand at cell exists and (stand at cell).seat is seat
value rook_at(cell) = stand at cell exists and (stand at cell).kind is rook
value done = turns >= 24
score gained = points of me
"""
CROWDED = """
action place(cell, kind)
    move 1 from box at ((me, kind)) to stand at cell
"""


def agree(rules, seeds=range(3)) -> None:  # type: ignore[no-untyped-def]
    """By choices, by playouts and side by side; what is kept beside the state follows it."""
    machine = compile_rules(rules)
    Pair(rules, machine).play(1)
    rows = [reference_row(rules, machine, seed) for seed in seeds]
    for config in (PLAYOUT, FAST, CHECKED):
        rollouts = Rollouts(machine, config)
        for seed, row in zip(seeds, rows, strict=True):
            assert row is not None
            same(rollouts, seed, [row])
    kept = boards(machine)
    first = first_byte(machine)
    sets = piece_sets(machine, first + sum(board.bytes for board in kept.values()))
    for config in (FAST, FLAT):
        rollouts = Rollouts(machine, config)
        for seed in seeds:
            rollouts.run(seed, 1)
            state = rollouts.state()
            wanted = board_bytes(kept, state) + piece_bytes(machine, sets, state)
            assert rollouts.instance.read_bytes(rollouts.map["state"] + first, len(wanted)) == wanted


def test_boards_follow_moves() -> None:
    rules = small_rules(YAML, RULES, FLOW)
    machine = compile_rules(rules)
    kept = {name: (board.rows, board.size, board.values) for name, board in boards(machine).items()}
    assert kept == {"zone stand": (1, 20, 5), "zone tray": (2, 6, 5)}
    agree(rules)
    Rows(Game(rules, machine), 2, 7).play(12)


@pytest.mark.parametrize("fewest", [0, 100])
def test_boards_in_locals(fewest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless a function for any place may change them meanwhile, as where places are exchanged."""
    monkeypatch.setattr(playouts, "FEWEST_CHOSEN", fewest)
    rules = small_rules(YAML, RULES, FLOW)
    machine = compile_rules(rules)
    assert small_boards(ModuleBuilder(machine, FAST)) == {"zone stand"}
    rows = reference_rows(rules, machine, range(2))
    same(Rollouts(machine, FAST, lower(machine, FAST)), 0, rows)


def test_a_place_that_is_full_faults() -> None:
    flow = "flow: {turn: {seat: rotates, do: [{do one of: [place]}], then: turn}, fin: {score: none}}\n"
    zones = YAML.replace("points: {of: seat, range: 0..1000}", "more: {range: 0..9}")
    agree(small_rules(zones, CROWDED, flow), range(3))
