"""How boards are drawn at the table, from their declarations alone, and what is typed for a place."""

from __future__ import annotations

import io
from pathlib import Path
from textwrap import dedent

import pytest
from rich.console import Console
from rich.text import Text

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import Choice, Game
from interpreter.match import Match
from rulewright.library import open_game
from rulewright.tui.board import board
from rulewright.tui.board_picture import board_pictures
from rulewright.tui.grids import grids
from rulewright.tui.menu import keys_of, menu_of, shown
from rulewright.tui.public_values import PublicValues
from rulewright.tui.story import Story
from rulewright.tui.view_model import ViewModel
from tests.layout.made_up import land_of_hexagons

PLACES = """\
game: places
seats: 2
rules: [places.rules]
labels: labels.yaml
boards:
BOARD
POINTER
flow:
  turn: {seat: rotates, do: [{may keep doing: [put]}], then: turn}
  final: {score: highest}
"""
PUT = """\
action put(spot where token at spot is none)
    token at spot = me
    count_them += 1
score tokens = count(spot where token at spot is me)
"""


def opened(folder: Path, shape: str, labels: str = "put: put") -> Game:
    words = "pointers:\n  token: {at: spot, to: seat}\ncounters:\n  count_them: {range: 0..9}"
    text = PLACES.replace("BOARD", f"  spot: {shape}").replace("POINTER", words)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    (folder / "places.rules").write_text(PUT, encoding="utf-8")
    (folder / "labels.yaml").write_text(labels, encoding="utf-8")
    return open_game(str(folder))


def played(game: Game, *spots: str) -> Match:
    match = Match(game, seed=1).start()
    for spot in spots:
        match.choose("A", f"put {spot}")
    return match


def drawn(match: Match, width: int = 80) -> str:
    """The board as A sees it, without the lines that say other things."""
    model = ViewModel(match.game, match.view(0), ["human", "human"], PublicValues(match.game), match.state)
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None)
    console.print(board(model, console, width))
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "\n".join(lines[lines.index("token") + 1 :]) + "\n"


def test_a_grid_is_drawn_with_north_above(tmp_path: Path) -> None:
    match = played(opened(tmp_path, "{grid: [3, 4]}"), "a1", "d3")
    assert drawn(match) == dedent(
        """\
        3 · · · A
        2 · · · ·
        1 A · · ·
          a b c d
        """
    )


def test_a_hexagonal_board_is_a_rhombus(tmp_path: Path) -> None:
    """Each row lies half a place further east than the one south of it."""
    match = played(opened(tmp_path, "{hex: [3, 4]}"), "a1", "b1", "d3")
    assert drawn(match).splitlines() == [
        "       a b c d",
        "    3 · · · A",
        "   2 · · · ·",
        "  1 A A · ·",
        "   a b c d",
    ]


def test_points_named_like_squares_lie_as_their_names_say(tmp_path: Path) -> None:
    shape = "{graph: [a3, c3, b2, a1, c1], links: {b2: [a1, a3, c1, c3]}}"
    assert drawn(played(opened(tmp_path, shape), "b2")).splitlines() == [
        "3 ·   ·",
        "2   A",
        "1 ·   ·",
        "  a b c",
    ]


def test_a_ring_goes_round_against_the_clock(tmp_path: Path) -> None:
    match = played(opened(tmp_path, "{ring: [one, two, three, four, five]}"), "one", "four")
    assert [line.split() for line in drawn(match).splitlines()] == [
        ["five", "four"],
        ["·", "A"],
        ["A", "·", "·"],
        ["one", "two", "three"],
    ]


def test_a_drawn_grid_of_many_columns_is_a_plan(tmp_path: Path) -> None:
    """Too wide for a picture with notes below names; a list is what is left where even a plan is too wide."""
    game = opened(tmp_path, "{grid: [2, 9], drawn: whole}")
    match = played(game, "a1", "i2")
    model = ViewModel(game, match.view(0), ["human", "human"], PublicValues(game), match.state)
    plan, *_ = board_pictures(model, 79)
    assert [line.split() for line in str(plan).splitlines()[1:]] == [
        ["a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2", "token", "A"],
        ["token", "A", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1"],
    ]
    short, *_ = board_pictures(model, 20)
    assert not isinstance(short, Text)


@pytest.mark.parametrize("shape", ["{ring: [one, two, three, four, five]}", "{hex: [3, 9]}"])
def test_a_board_without_room_is_a_list(tmp_path: Path, shape: str) -> None:
    game = opened(tmp_path, shape)
    spot = "one" if "ring" in shape else "a1"
    assert drawn(played(game, spot), width=12).split() == [spot, "A"]


def test_squares_are_typed_by_their_name(tmp_path: Path) -> None:
    match = played(opened(tmp_path, "{grid: [2, 2]}"), "a1")
    menu = menu_of(match.game, match.decisions()[0])
    assert [(item.key, item.choice.text) for item in menu.items] == [
        ("b1", "put b1"), ("a2", "put a2"), ("b2", "put b2"), ("0", "pass"),
    ]  # fmt: skip
    assert all(item.row == () for item in menu.items)


@pytest.mark.parametrize(
    ("texts", "keys"),
    [
        (["place d6", "place e6", "swap"], ["d6", "e6", "swap"]),
        (["move a1", "turn a1", "move a2"], ["1", "2", "3"]),
        (["move a1 a2", "pass"], ["1", "0"]),
    ],
)
def test_a_square_is_a_key_where_it_says_enough(texts: list[str], keys: list[str]) -> None:
    choices = [Choice((0, i), tuple(text.split()), text) for i, text in enumerate(texts)]
    assert keys_of(choices) == keys


def test_many_squares_are_offered_as_runs(tmp_path: Path) -> None:
    """Where the list of them has no room."""
    match = played(opened(tmp_path, "{grid: [3, 9]}"), "a1", "d2", "b3", "d3")
    menu = menu_of(match.game, match.decisions()[0])
    console = Console(file=io.StringIO(), width=40, color_system=None)
    for height, wanted in ((9, "b1  e1  h1  b2"), (4, "put   b1–i1   a2–c2   e2–i2   a3   c3")):
        with console.capture() as said:
            console.print(shown(menu, console, 40, height))
        assert wanted in said.get()


def test_an_empty_label_hides_bookkeeping(tmp_path: Path) -> None:
    for labels, told in (("count_them: number", True), ('count_them: ""', False)):
        match = played(opened(tmp_path, "{grid: [2, 2]}", labels), "a1")
        model = ViewModel(
            match.game, match.view(0), ["human", "human"], PublicValues(match.game), match.state
        )
        assert ("count_them" in [variable.name for variable in model.variables()]) is told
        assert ("number: 0 → 1" in " ".join(Story(match, [0]).all(0))) is told


PRICES = """\
game: prices
seats: 2
rules: [prices.rules]
labels: labels.yaml
types: {ware: {rows: {wood: {worth: 2}, cloth: {worth: 5}}, columns: {worth: 0..9}}}
components: {token: {kinds: ware, count: 2}}
zones:
  box: {holds: token, seen_by: all, start: all}
  yard: {holds: token, of: seat, seen_by: all}
flow: {market: {do: [trade], then: final}, final: {score: highest}}
"""
TRADE = """\
procedure trade
    each seat together
        choose ware
value buying(ware) = ware.worth + 1
value selling(ware) = ware.worth
value left(ware) = count(token in box where token.ware is ware)
value hidden(ware) = ware.worth
score tokens = size(yard of me)
"""


def test_what_is_computed_about_the_values_of_a_type_is_a_table_also_at_once(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(PRICES, encoding="utf-8")
    (tmp_path / "prices.rules").write_text(TRADE, encoding="utf-8")
    labels = "buying: to buy\nselling: to sell\nleft: left\n"
    (tmp_path / "labels.yaml").write_text(labels, encoding="utf-8")
    match = Match(open_game(str(tmp_path)), seed=1).start()
    model = ViewModel(match.game, match.view(0), ["human", "human"], PublicValues(match.game), match.state)
    out = io.StringIO()
    console = Console(file=out, width=80, color_system=None)
    console.print(board(model, console, 80))
    table = [line.split() for line in out.getvalue().splitlines()]
    assert ["wood", "cloth"] in table
    assert ["to", "buy", "3", "6"] in table
    assert ["to", "sell", "2", "5"] in table
    assert ["left", "2", "2"] in table
    assert not any("hidden" in line for line in table)


def test_while_all_do_something_together_it_is_nobodys_turn(tmp_path: Path) -> None:
    turns = "{each seat in turn: [{may do: [rest]}]}"
    (tmp_path / "game.yaml").write_text(
        PRICES.replace("do: [trade]", f"do: [{turns}, trade]"), encoding="utf-8"
    )
    (tmp_path / "prices.rules").write_text(TRADE + "action rest\n    nothing\n", encoding="utf-8")
    (tmp_path / "labels.yaml").write_text("{}", encoding="utf-8")
    match, active = Match(open_game(str(tmp_path)), seed=1).start(), []
    for seat in ("A", "B", None):
        model = ViewModel(
            match.game, match.view(0), ["human", "human"], PublicValues(match.game), match.state
        )
        active.append([model.seat_title(number) for number in model.seats])
        if seat is not None:
            match.choose(seat, "pass")
    assert active == [["▶A", "B"], ["A", "▶B"], ["A", "B"]]


# ---- boards that are drawn whole

WHOLE = """\
game: places
seats: 2
rules: [places.rules]
labels: labels.yaml
boards:
BOARD
types: {sort: [red, blue]}
components:
  chip: {kinds: sort, count: 4}
  cube: {count: 9}
zones:
  box: {holds: chip, seen_by: all, start: all}
  heap: {holds: cube, seen_by: all, start: all}
  ground: {holds: chip, at: spot, size: 1, seen_by: all}
  house: {holds: cube, of: seat, at: spot, seen_by: all}
counters:
  gold: {at: spot, range: 0..9}
  count_them: {range: 0..99}
marks: {seized: {of: seat, at: spot}}
pointers:
  pawn: {of: seat, to: spot}
  sun: {to: spot}
flow:
  turn: {do: [{may keep doing: [settle]}], then: turn}
  final: {score: highest}
"""
SETTLE = """\
action settle(spot)
    move 1 from those(chip in box where chip is red) to ground at spot
    move 2 from heap to house of A at spot
    move 1 from heap to house of B at spot
    gold at spot = 4
    set seized of B at spot
    pawn of A = spot
    pawn of B = spot
    sun = spot
score gold = gold at SPOT
"""


def settled(folder: Path, shape: str, spot: str, width: int = 80) -> list[str]:
    """What is drawn of a board on which everything lies on one place."""
    labels = "{settle: settle, box: '', heap: '', sort: '', count_them: ''}"
    (folder / "game.yaml").write_text(WHOLE.replace("BOARD", f"  spot: {shape}"), encoding="utf-8")
    (folder / "places.rules").write_text(SETTLE.replace("SPOT", spot), encoding="utf-8")
    (folder / "labels.yaml").write_text(labels, encoding="utf-8")
    match = Match(open_game(str(folder)), seed=1).start()
    match.choose("A", f"settle {spot}")
    model = ViewModel(match.game, match.view(0), ["human", "human"], PublicValues(match.game), match.state)
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None)
    console.print(*board_pictures(model, width), sep="\n")
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_a_whole_grid_tells_all_of_a_place(tmp_path: Path) -> None:
    assert settled(tmp_path, "{grid: [2, 2], drawn: whole}", "b1") == [
        "spot",
        "a2   b2",
        "a1   b1",
        "     red",
        "     house A×2 B",
        "     gold 4",
        "     seized B",
        "     pawn A B",
        "     sun",
    ]


def test_a_whole_graph_is_a_map_with_lines(tmp_path: Path) -> None:
    rows = "[[none, gaul, none], [spain, none, rome], [none, none, egypt]]"
    links = "{rome: [gaul, egypt], gaul: [spain]}"
    shape = f"{{graph: [rome, gaul, spain, egypt], links: {links}, drawn: {rows}}}"
    assert settled(tmp_path, shape, "egypt") == [
        "spot",
        "        gaul",
        "      ╱      ╲",
        "spain          rome",
        "                │",
        "               egypt",
        "               red",
        "               house A×2 B",
        "               gold 4",
        "               seized B",
        "               pawn A B",
        "               sun",
    ]


def test_crossing_and_level_lines(tmp_path: Path) -> None:
    rows = "[[one, two], [three, four]]"
    links = "{one: [two, four], two: [three], three: [four]}"
    lines = settled(tmp_path, f"{{graph: [one, two, three, four], links: {links}, drawn: {rows}}}", "one")
    assert lines[1].startswith("one ")
    assert lines[1].split() == ["one", "─────────", "two"]
    assert lines[8].split() == ["╳"]
    assert lines[9] == "three ─────── four"


def test_a_whole_ring_goes_clockwise_for_each_seat(tmp_path: Path) -> None:
    lines = settled(tmp_path, "{ring: [one, two, three, four, five], drawn: whole}", "five")
    assert lines == [
        "A spot",
        "one ─ two ────── three",
        "    ╲             │",
        "      five ───── four",
        "      red",
        "      house ×2",
        "      gold 4",
        "      pawn",
        "      sun",
        "B spot",
        "one ─ two ──── three",
        "    ╲           │",
        "      five ─── four",
        "      red",
        "      house",
        "      gold 4",
        "      seized",
        "      pawn",
        "      sun",
    ]


def test_a_whole_board_without_room_is_a_list(tmp_path: Path) -> None:
    links = "{rome: [gaul], gaul: [spain]}"
    shape = f"{{graph: [rome, gaul, spain], links: {links}, drawn: [[rome, gaul, spain]]}}"
    lines = " ".join(settled(tmp_path, shape, "gaul", width=28)).split()
    assert lines[:4] == ["spot", "rome", "–", "gaul"]
    assert "rome," in lines


def test_a_map_is_a_plan_of_its_places(tmp_path: Path) -> None:
    """Neighbours stand side by side or below each other, wherever the layout puts them."""
    shape = "{graph: [north, west, east, south], links: {north: [west, east], south: [west, east]}}"
    lines = drawn(played(opened(tmp_path, shape), "west")).splitlines()
    words = [line.split() for line in lines]
    assert sorted(word for row in words for word in row) == ["A", "east", "north", "south"]


def test_boards_of_one_picture_are_one_plan() -> None:
    rules = land_of_hexagons()
    match = Match(Game(rules, compile_rules(rules)), seed=1)
    model = ViewModel(match.game, match.view(0), ["human", "human"], PublicValues(match.game), match.state)
    (plan,) = grids(model, 120)
    assert isinstance(plan, Text)
    title, *rows = plan.plain.split("\n")
    assert title == "robbed, town, paved"
    words = [row.split() for row in rows]
    assert sum(map(len, words)) == 19 + 54 + 72
    assert [word for word in words[3] if word.startswith("h")] == ["h0", "h1", "h2"]
    (dots,) = grids(model, 40)
    assert isinstance(dots, Text)
    assert dots.plain.count("·") == 19 + 54 + 72


def test_a_long_ring_goes_around_a_square(tmp_path: Path) -> None:
    match = played(opened(tmp_path, "{ring: 40}"), "1", "11")
    rows = drawn(match, width=50).splitlines()
    assert len(rows) == 11
    assert rows[0].split()[0] == rows[0].split()[10] == "A"
    assert [len(row.split()) for row in rows] == [11, *[2] * 9, 11]


def test_hexagons_with_places_left_out_are_a_slanting_plan(tmp_path: Path) -> None:
    match = played(opened(tmp_path, "{hex: {side: 2}, without: [b2]}"), "a3", "b1")
    assert "A" in drawn(match)
    assert drawn(match).count("·") == 4


def test_corners_and_edges_are_in_the_picture_of_their_fields(tmp_path: Path) -> None:
    text = """\
        game: places
        seats: 2
        rules: [places.rules]
        boards: {tile: {hex: {rows: [1, 2]}, corners: node, edges: path, drawn: whole}}
        pointers: {hut: {at: node, to: seat}, road: {at: path, to: seat}, wolf: {to: tile, start: a1}}
        flow:
          turn: {seat: rotates, do: [{may keep doing: [settle, pave]}], then: turn}
          final: {score: none}
    """
    (tmp_path / "game.yaml").write_text(dedent(text), encoding="utf-8")
    rules = "action settle(node)\n    hut at node = me\naction pave(path)\n    road at path = me\n"
    (tmp_path / "places.rules").write_text(rules, encoding="utf-8")
    match = Match(open_game(str(tmp_path)), seed=1).start()
    for choice in ("settle a1_north", "pave a1_to_east", "pave a1_to_southwest"):
        match.choose("A", choice)
    assert picture(match, "tile, node, path", 50) == dedent(
        """\
               ·
             ·   ·
            ·      ·
            ·  a2  ·
            A      ·
          ·  ·   ·  ·
        ·      ·      ·
        · wolf A  b1  ·
        ·      ·      ·
          A  ·   ·  ·
            ·      ·
        """
    )


def picture(match: Match, title: str, width: int) -> str:
    model = ViewModel(match.game, match.view(0), ["human", "human"], PublicValues(match.game), match.state)
    out = io.StringIO()
    for one in board_pictures(model, width):
        Console(file=out, width=width, color_system=None).print(one)
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert lines[0] == title
    return "\n".join(lines[1:]) + "\n"


# ---- several variables on one board


MAP = """\
game: map
seats: 2
rules: [map.rules]
labels: {en: en.yaml}
look: look.yaml
boards:
  land: {hex: {side: 2}}
pointers:
  army: {at: land, to: seat}
  flag: {at: land, to: seat}
  camp: {at: land, to: seat}
  spy: {at: land, to: seat}
  goal: {of: seat, at: land, to: land}
counters:
  marches: {range: 0..99}
flow:
  turn: {seat: rotates, do: [{do one of: [march, rest]}], then: {marches > 90: final, otherwise: turn}}
  final: {score: highest}
"""
MAP_RULES = """\
action march(land where army at land is none, there from neighbours(land))
    army at land = me
    goal of me at land = there
    spy at there = me
    marches += 1
    if marches > 1
        flag at land = me
action rest
    nothing
score armies = count(land where army at land is me)
"""


def on_the_map(*choices: str) -> str:
    files = {
        "game.yaml": MAP,
        "map.rules": MAP_RULES,
        "en.yaml": "march: march\n",
        "look.yaml": "boards:\n  land: {places: {b2: gold}}\npointers:\n  spy: hidden\n",
    }
    rules, _ = load(Folder("map", lambda name: files[name].encode()))
    match = Match(Game(rules, compile_rules(rules)), seed=1).start()
    for seat, choice in zip("ABAB", choices, strict=False):
        for word in choice.split(", "):
            match.choose(seat, word)
    model = ViewModel(match.game, match.view(0), ["human", "human"], PublicValues(match.game), match.state)
    out = io.StringIO()
    console = Console(file=out, width=80, color_system=None)
    console.print(board(model, console, 80))
    return out.getvalue()


def test_a_map_is_drawn_although_each_seat_has_something_of_its_own_on_it() -> None:
    said = [line.strip() for line in on_the_map("march a2, a3").splitlines()]
    assert "2 A ○ ·" in said
    assert any("goal  A ▶B" in line for line in said)


def test_empty_boards_are_drawn_only_if_nothing_else_shows_them() -> None:
    one, two = on_the_map("march a2, a3"), on_the_map("march a2, a3", "march c1, c2")
    assert "army" in one
    assert "flag" not in one
    assert "flag" in two
    assert "camp" not in two


def test_what_the_look_hides_is_not_drawn() -> None:
    assert "spy" not in on_the_map("march a2, a3")


ROW = """\
game: row
seats: 2
rules: [row.rules]
types:
  sort: [architectus, consul]
boards:
  disc: {line: 1..6}
components:
  card: {kinds: sort, count: 12}
zones:
  box: {holds: card, seen_by: all, start: all}
  table: {holds: card, of: seat, at: disc, size: 1, seen_by: all}
flow:
  turn: {seat: rotates, do: [{do one of: [put]}], then: turn}
  final: {score: highest}
"""
ROW_RULES = """\
action put(card from box, disc where table of me at disc is none)
    move card to table of me at disc
score cards = count(disc where table of me at disc exists)
"""


@pytest.mark.parametrize("width", [80, 40])
def test_no_word_is_cut_in_two_where_there_are_many_places(width: int) -> None:
    files = {"game.yaml": ROW, "row.rules": ROW_RULES}
    rules, _ = load(Folder("row", lambda name: files[name].encode()))
    match = Match(Game(rules, compile_rules(rules)), seed=1).start()
    for number in range(1, 6):
        for seat in "AB":
            match.choose(seat, "put architectus")
            match.choose(seat, str(number))
    model = ViewModel(match.game, match.view(0), ["human", "human"], PublicValues(match.game), match.state)
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None)
    console.print(board(model, console, width))
    assert out.getvalue().count("architectus") == 11
