"""Columns of a board that its look writes on its places."""

from __future__ import annotations

import pytest

from dsl.diagnostics import ErrorsReported
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from rulewright.layout.board_svg import shared_picture
from rulewright.layout.captions import in_words
from rulewright.layout.compose import scene, scene_json
from tests.layout.made_up import looked

GAME = """labels: en.yaml
types: {ware: [wool, salt]}
boards:
  region:
    graph: regions.csv
    columns: {income: 0..9, ware: ware or none, port: flag}
    links: {north: [east], east: [south]}
counters:
  armies: {at: region, range: 0..9}
"""
ROWS = "region,income,ware,port\nnorth,3,wool,true\neast,0,,false\nsouth,12,salt,false\n".replace("12", "9")
LABELS = "north: Northland\nwool: Wool\nport: harbour\n"
LOOK = 'boards:\n  region: {names: "NAMES"}\n'


def made(names: str) -> Game:
    rules = looked(GAME, LOOK.replace("NAMES", names), regions_csv=ROWS, en_yaml=LABELS)
    return Game(rules, compile_rules(rules, None, {}))


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ("{label} {income}", ["Northland 3", "east 0", "south 9"]),
        ("{label} ({ware})", ["Northland (Wool)", "east ()", "south (salt)"]),
        ("{income}{port}", ["3harbour", "0", "9"]),
    ],
)
def test_columns_stand_in_place_of_names(names: str, shown: list[str]) -> None:
    game = made(names)
    board = scene(game.rules, 2).boards["region"]
    assert board.named
    assert [in_words(parts, game.names.label) for parts in board.captions] == shown


def test_all_drawings_have_them() -> None:
    game = made("{label}: {income}")
    assert scene_json(game.rules, game.machine)["boards"]["region"]["captions"][0] == ["north", ": ", "3"]
    assert ">north: 3<" in shared_picture(game.rules, "region", 2)


@pytest.mark.parametrize(
    ("names", "told"), [("{incone}", "unknown column `incone` of `region`"), ("{income", "single brace")]
)
def test_a_wrong_text_is_refused(names: str, told: str) -> None:
    with pytest.raises(ErrorsReported, match=told):
        made(names)


@pytest.mark.parametrize(("names", "named"), [("true", True), ("false", False)])
def test_names_are_shown_or_not(names: str, *, named: bool) -> None:
    rules = looked(GAME, f"boards:\n  region: {{names: {names}}}\n", regions_csv=ROWS, en_yaml=LABELS)
    board = scene(rules, 2).boards["region"]
    assert (board.named, board.captions) == (named, ())
