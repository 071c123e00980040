"""Places on which much lies: numbers, marks, pointers and owners stand beside each other."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from interpreter.compile.program import compile_rules
from interpreter.game import Game
from tests.browser.table.stage import Stage
from tests.layout.made_up import looked

SQUARES = "boards:\n  place: {cell: square}\n"
BOARDS = {
    "graph": ("graph: [north, east, south], links: {north: [east], east: [south]}", "east", ""),
    "squares with names": (
        "graph: [north, east, south], links: {north: [east], east: [south]}",
        "east",
        SQUARES,
    ),
    "grid": ("grid: [2, 2]", "b2", ""),
    "hex": ("hex: [2, 2]", "b2", ""),
}
WOOL = "  wool: {at: place, range: 0..99, start: 12}\n"
ARMIES = "  armies: {of: seat, at: place, range: 0..20, start: 3}\n"
STORM = "  storm: {to: place, start: FIRST}\n"
OWNER = "  owner: {at: place, to: seat, start: A}\n"
THINGS = {
    "a number": f"counters:\n{WOOL}pointers:\n{STORM}",
    "an owner": f"pointers:\n{OWNER}{STORM}",
    "numbers": f"counters:\n{ARMIES}{WOOL}pointers:\n{STORM}",
    "all": f"counters:\n{ARMIES}{WOOL}pointers:\n{OWNER}{STORM}"
    "  capital: {of: seat, to: place, start: FIRST}\n  ware: {at: place, to: good, start: marble}\n",
}
GAME = """types:
  good: [marble, wine]
boards:
  place: {BOARD}
THINGSmarks:
  blocked: {at: place}
flow:
  turn:
    seat: rotates
    do: [block, {do one of: [go_on]}]
    then: turn
  final: {score: none}
"""
RULES = """procedure block
    for place
        set blocked at place

action go_on(place)
    clear blocked at place
"""
OVERLAPS = """() => [...document.querySelectorAll(".picture .cell")].map((cell) => {
    const boxes = [...cell.querySelectorAll(":scope > g > g")].map((one) => one.getBoundingClientRect());
    const before = (a, b) => a.right < b.left + 1 || a.bottom < b.top + 1;
    const apart = (a, b) => before(a, b) || before(b, a);
    return [boxes.length, boxes.flatMap((a, i) => boxes.slice(0, i).filter((b) => !apart(a, b))).length];
})"""


def crowded(board: str, things: str) -> Game:
    shape, first, look = BOARDS[board]
    text = GAME.replace("BOARD", shape).replace("THINGS", THINGS[things]).replace("FIRST", first)
    look += 'pointers:\n  storm: {icon: "☁"}\n' + ('counters:\n  wool: {icon: "●"}\n' if WOOL in text else "")
    rules = looked(text, look, demo_rules=RULES)
    return Game(rules, compile_rules(rules, None, {}))


@pytest.mark.parametrize("things", THINGS)
@pytest.mark.parametrize("board", BOARDS)
def test_what_lies_on_one_place_does_not_overlap(board: str, things: str, page: Page) -> None:
    Stage(page, crowded(board, things)).open()
    found = page.evaluate(OVERLAPS)
    assert max(number for number, _ in found) >= 3
    assert [over for _, over in found] == [0] * len(found)


def test_a_place_shows_what_the_look_writes_on_it(page: Page) -> None:
    """In the language of the page, also for those who hear it."""
    board = "boards:\n  place: {grid: [1, 2], table: places.csv, columns: {income: 0..9}}\n"
    text = f"labels: en.yaml\n{board}counters:\n  wool: {{at: place, range: 0..9}}\n"
    files = {"places_csv": "place,income\na1,3\nb1,5\n", "en_yaml": "a1: Alder\n"}
    rules = looked(text, 'boards:\n  place: {names: "{label}: {income}"}\n', **files)
    Stage(page, Game(rules, compile_rules(rules, None, {}))).open()
    assert page.locator(".cell .name").all_text_contents() == ["Alder: 3", "b1: 5"]
    assert page.locator(".cell").first.get_attribute("aria-label").startswith("Alder: 3")


@pytest.mark.parametrize("name", ["trajan", "constantinopolis"])
def test_own_things_stand_beside_a_wide_board(name: str, stage: Callable[..., Stage], page: Page) -> None:
    """Nobody scrolls past the board, what all share or what others have to what is one's own."""
    page.set_viewport_size({"width": 1440, "height": 900})
    stage(name, seats=2).play(90).play_until_asked().open()
    tops = {
        part: page.locator(part).first.evaluate("(one) => one.getBoundingClientRect().top")
        for part in (".wide > .picture", ".seat[data-own='true']", ".seat[data-own='false']", ".story")
    }
    own = page.locator(".seat[data-own='true'] :is(.picture, .sheet)").first.bounding_box()
    assert own is not None
    assert own["y"] + own["height"] < 600
    assert tops[".seat[data-own='true']"] < tops[".wide > .picture"] + 40
    assert tops[".seat[data-own='true']"] < tops[".seat[data-own='false']"] < tops[".story"]


def test_a_board_that_just_fits_is_seen_whole_on_a_phone(stage: Callable[..., Stage], page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    stage("backgammon").play(20).open()
    found = page.locator(".picture").first.evaluate("(one) => [one.scrollWidth, one.clientWidth]")
    assert found[0] <= found[1]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
