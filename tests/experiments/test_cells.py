"""Cells of tables that are numbers, in files and in `game.yaml`."""

from __future__ import annotations

import pytest

from dsl.diagnostics import DiagnosticError, ErrorsReported
from rulewright.experiments.numbers import Number, cells_of, find_number, with_numbers
from rulewright.experiments.rulesets import Ruleset, read_ruleset

GAME = """game: shop
title: Shop
seats: 2
rules: [shop.rules]
components:
  card: {rows: {smith: {cost: 3}, guard: {cost: 5}}, columns: {cost: 0..9}}
zones:
  shelf: {holds: card, seen_by: all, start: all}
types:
  bulk: {values: [large, small]}
  ware: {table: wares.csv, columns: {price: 0..9}}
counters:
  points: {of: seat, range: 0..99}
tables:
  fee: {over: 0..4, gives: 0..9, rows: {0: 0, 1..3: 4, 4: 9}}   # a tariff
  freight: {over: [bulk, 1..2], gives: -2..20, rows: {large: [2, -1], small: [5, 10]}}
  other: {over: bulk, gives: bulk, rows: [small, large]}
  fare: {over: bulk, gives: 0..9, table: fares.csv}
flow:
  turn: {seat: rotates, do: [take], then: final}
  final: {score: highest}
"""
FILES = {
    "game.yaml": GAME,
    "shop.rules": "action take_one(card from shelf)\n    gain card.cost + fee(2) points\n\n"
    "procedure take\n    do one of take_one\n\nscore points = points of me\n",
    "fares.csv": "bulk,fare\nlarge,7\nsmall,2\n",
    "wares.csv": "ware,price\nsilk,8\n",
}


@pytest.fixture(scope="module")
def shop() -> Ruleset:
    return Ruleset("shop", "d", tuple(sorted((path, text.encode()) for path, text in FILES.items())))


def test_cells_are_called_by_row_and_column_or_by_keys(shop: Ruleset) -> None:
    found = {cell.name: (cell.value, cell.place.table) for cell in cells_of(shop, shop.rules()) if cell.place}
    assert found == {
        "large.fare": (7, "fares.csv"),
        "small.fare": (2, "fares.csv"),
        "silk.price": (8, "wares.csv"),
        "smith.cost": (3, "card"),
        "guard.cost": (5, "card"),
        "fee.0": (0, "fee"),
        "fee.1..3": (4, "fee"),
        "fee.4": (9, "fee"),
        "freight.large.1": (2, "freight"),
        "freight.large.2": (-1, "freight"),
        "freight.small.1": (5, "freight"),
        "freight.small.2": (10, "freight"),
    }


def test_what_is_tried_keeps_to_what_the_table_gives(shop: Ruleset) -> None:
    bounds = {cell.name: (cell.low, cell.high) for cell in cells_of(shop, shop.rules())}
    assert bounds["fee.4"] == (4, 9)
    assert bounds["freight.large.2"] == (-2, 2)
    assert bounds["smith.cost"] == (0, 6)
    assert bounds["guard.cost"] == (2, 8)
    assert bounds["silk.price"] == (4, 9)


def test_several_cells_of_one_line_change_and_nothing_else(shop: Ruleset) -> None:
    rules = shop.rules()

    def numbers() -> dict[Number, int]:
        return {find_number(name, shop, rules, 2, {}): value for name, value in wanted.items()}

    wanted = {"freight.large.2": 11, "freight.small.1": 6, "fee.1..3": 0, "guard.cost": 9, "large.fare": 10}
    with pytest.raises(ErrorsReported):  # a fare is at most 9
        with_numbers(
            shop, {}, {find_number(name, shop, rules, 2, {}): value for name, value in wanted.items()}
        )
    wanted["large.fare"] = 8
    changed = with_numbers(shop, {}, numbers()).ruleset
    assert dict(changed.files)["game.yaml"].decode() == GAME.replace("[2, -1]", "[2, 11]").replace(
        "[5, 10]", "[6, 10]"
    ).replace("1..3: 4", "1..3: 0").replace("guard: {cost: 5}", "guard: {cost: 9}")
    assert dict(changed.files)["fares.csv"] == b"bulk,fare\nlarge,8\nsmall,2\n"
    assert changed.rules().tables["freight"].values == (2, 11, 6, 10)


def test_a_cell_that_is_not_there_is_guessed(shop: Ruleset) -> None:
    with pytest.raises(DiagnosticError) as stop:
        find_number("freight.large.3", shop, shop.rules(), 2, {})
    assert "did you mean `freight.large." in (stop.value.diagnostic.help or "")


@pytest.mark.parametrize("game", ["hedgerow", "crazy_eights"])
def test_each_cell_of_a_bundled_game_stands_where_it_is_said_to(game: str) -> None:
    ruleset = read_ruleset(game)
    files = dict(ruleset.files)
    for cell in cells_of(ruleset, ruleset.rules()):
        assert cell.place is not None
        text = files[cell.place.path].decode("utf-8")
        assert text[cell.place.start : cell.place.end] == str(cell.value)
        assert text[: cell.place.start].count("\n") + 1 == cell.place.line
