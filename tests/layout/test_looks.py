"""What a look says of the ground of a board, the widths of its rows and columns, and signs."""

from __future__ import annotations

import base64
import re

import pytest

from dsl.diagnostics import ErrorsReported
from dsl.signs import OWN, outlines, sign_url
from interpreter.compile.program import compile_rules
from rulewright.layout.board_svg import pictures_svg
from rulewright.layout.compose import scene, scene_json
from rulewright.layout.coordinates import STEP
from tests.layout.made_up import looked

GRID = "boards:\n  field: {grid: [3, 5]}\nmarks:\n  wall: {at: field}\n"


def test_columns_and_rows_are_as_wide_as_their_bands() -> None:
    rules = looked(GRID, "boards:\n  field: {bands: [1, 0.25]}\n")
    board = scene(rules, 2).boards["field"]
    spans = [
        tuple(max(p[k] for p in shape) - min(p[k] for p in shape) for k in (0, 1))
        for shape in board.shapes.values()
    ]
    assert len(spans) == 15
    assert set(spans) == {(x, y) for x in (STEP, STEP / 4) for y in (STEP, STEP / 4)}
    first, second, third = (board.points[i] or (0.0, 0.0) for i in range(3))
    assert second[0] - first[0] == third[0] - second[0] == pytest.approx(0.625 * STEP)
    lefts = sorted({p[0] for shape in board.shapes.values() for p in shape})
    assert lefts[-1] - lefts[0] == pytest.approx(3.5 * STEP)


def test_a_pattern_of_colours_is_repeated_from_the_first_row() -> None:
    rules = looked(GRID, "boards:\n  field: {colours: [[red, blue], [blue, green, blue]]}\n")
    board = scene(rules, 2).boards["field"]
    named = [board.colours[tone] for tone in board.tones]
    red, blue, green = named[0], named[1], named[6]
    assert named[:5] == [red, blue, red, blue, red]
    assert named[5:10] == [blue, green, blue, blue, green]
    assert named[10:] == named[:5]


def test_the_ground_lies_behind_all_places() -> None:
    rules = looked(GRID, "boards:\n  field: {ground: brown}\n")
    board = scene(rules, 2).boards["field"]
    assert board.slab is not None
    for x, y in filter(None, board.points):
        assert board.slab.left < x - STEP / 2 < x + STEP / 2 < board.slab.left + board.slab.width
        assert board.slab.top < y - STEP / 2 < y + STEP / 2 < board.slab.top + board.slab.height
    assert board.slab.colour in pictures_svg({"field": board}, "field", lambda of, i: "")
    assert scene(looked(GRID, "areas: [board, shared, seat]\n"), 2).boards["field"].slab is None


TRACK = (
    "types:\n  place: [a, b]\ncomponents:\n  man: {of: seat, count: 2}\n"
    "zones:\n  yard: {holds: man, of: seat, seen_by: all, start: all}\n"
    "  stand: {holds: man, of: seat, at: place, seen_by: all}\n  lost: {holds: man, seen_by: all}\n"
)
FIELD = "boards:\n  place:\n    positions: {a: [2, 3], b: [4, 3]}\n"


def test_panels_and_spots_stand_in_the_steps_of_positions() -> None:
    look = FIELD + "    panels: [{box: [3, 2, 2, 1], colour: red}]\n"
    look += "    spots: {lost: [[5, 3]], yard: {A: [[2, 4], [4, 4]]}}\n"
    board = scene(looked(TRACK, look), 2).boards["place"]
    (left, top), panel = board.points[0] or (0.0, 0.0), board.panels[0]
    assert (panel.left, panel.top) == pytest.approx((left + STEP, top - STEP))
    assert (panel.width, panel.height, panel.colour) == (2 * STEP, STEP, "#c8372d")
    assert board.spots["lost", None] == (pytest.approx((left + 3 * STEP, top)),)
    assert board.spots["yard", 0][1] == pytest.approx((left + 2 * STEP, top + STEP))
    assert panel.colour in pictures_svg({"place": board}, "place", lambda of, i: "")


def test_a_seat_may_lie_and_look_otherwise_with_a_number_of_seats() -> None:
    look = FIELD + "    spots: {yard: {B of 2: [[5, 3]], B: [[2, 4]]}}\n"
    rules = looked(TRACK, "seats: {B: red, B of 2: blue}\n" + look)
    two, three = scene(rules, 2), scene(rules, 3)
    assert two.boards["place"].spots["yard", 1] != three.boards["place"].spots["yard", 1]
    assert two.seats.colours[1] != three.seats.colours[1]
    assert two.seats.colours[0] == three.seats.colours[0]


def test_dots_are_given_by_the_number_of_columns() -> None:
    for look, dots in (("[a1, e1]", (0, 4)), ("{5: [a1], 7: [nowhere]}", (0,)), ("{7: [nowhere]}", ())):
        found = scene(looked(GRID, f"boards:\n  field: {{dots: {look}}}\n"), 2)
        assert found.boards["field"].dots == dots


SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>'
PLACED = "positions: {1: [2, 1], 2: [3, 1.5], 3: [5, 3]}"
LINE = "boards:\n  field: {line: 3}\nmarks:\n  wall: {at: field}\n"


def test_a_picture_lies_where_the_look_says_in_the_steps_of_places() -> None:
    look = f"boards:\n  field: {{{PLACED}, picture: {{file: map.svg, box: [-1, 0, 8, 4.5]}}}}\n"
    board = scene(looked(LINE, look, map_svg=SVG), 2).boards["field"]
    it, corner = board.backdrop, board.points[0]
    assert it is not None
    assert corner is not None
    assert (corner[0] - it.left, corner[1] - it.top) == (3 * STEP, 1 * STEP)
    assert (it.width, it.height) == (8 * STEP, 4.5 * STEP)
    assert it.left > 0
    assert it.left + it.width < board.width
    assert it.top > 0
    assert it.top + it.height < board.height
    drawn = pictures_svg({"field": board}, "field", lambda of, i: "")
    assert f'<image x="{it.left:.1f}" y="{it.top:.1f}" width="{it.width:.1f}"' in drawn


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("picture: {file: map.svg, box: [0, 0, 8, 4]}", "cannot be drawn at a place of its own"),
        (f"{PLACED}, picture: {{file: map.svg, box: [0, 0, 8]}}", "must be left, top, width and height"),
        (f"{PLACED}, picture: {{file: map.svg, box: [0, 0, 0, 4]}}", "must be left, top, width and height"),
        (f"{PLACED}, picture: {{file: map.svg}}", "lacks `box`"),
        (f"{PLACED}, picture: {{file: map.svg, at: [0, 0]}}", "unknown key `at`"),
    ],
)
def test_a_picture_has_a_box_beside_positions(keys: str, said: str) -> None:
    with pytest.raises(ErrorsReported, match=said):
        looked(LINE, f"boards:\n  field: {{{keys}}}\n", map_svg=SVG)


def test_signs_are_single_outlines_that_the_page_knows() -> None:
    assert outlines().keys() >= OWN
    for name in outlines():
        svg = base64.b64decode(sign_url(name).partition(",")[2]).decode()
        assert re.fullmatch(r'<svg xmlns="[^"]+" viewBox="0 0 256 256"><path d="[^"]+"></path></svg>', svg), (
            name
        )


def test_values_have_icons_by_their_names() -> None:
    text = "types:\n  good: {values: [wood, clay]}\ncounters:\n  stock: {of: seat, at: good, range: 0..9}\n"
    rules = looked(text, "values:\n  good: {wood: sign log, clay: ▥}\n")
    assert scene_json(rules, compile_rules(rules))["icons"] == {"wood": sign_url("log"), "clay": "▥"}


def test_a_place_is_coloured_by_the_number_on_it() -> None:
    rules = looked(
        "boards:\n  field: {grid: [2, 2]}\ncounters:\n  tile: {at: field, range: 0..64}\n",
        "counters:\n  tile: {colours: {8: orange, 2: cream}}\n",
    )
    tile = scene(rules, 2).variables["tile"]
    (_, cream), (_, orange) = tile.colours
    assert [tile.shade(number) for number in (0, 1, 2, 7, 8, 64)] == [
        None,
        None,
        cream,
        cream,
        orange,
        orange,
    ]
    drawn = scene_json(rules, compile_rules(rules))["variables"]["tile"]
    assert drawn["colours"] == [[2, cream], [8, orange]]


def test_a_pointer_has_icons_by_what_it_points_to() -> None:
    rules = looked(
        "boards:\n  field: {grid: [2, 2]}\npointers:\n  stone: {at: field, to: seat}\n",
        "pointers:\n  stone: {icons: {A: sign times, B: ○}}\n",
    )
    drawn = scene_json(rules, compile_rules(rules))["variables"]["stone"]
    assert drawn["icons"] == {"0": sign_url("times"), "1": "○"}


@pytest.mark.parametrize(
    ("look", "code", "said"),
    [
        ("marks:\n  wall: {colours: {1: red}}\n", "D", "colours"),
        ("pointers:\n  stone: {icons: {C: x}}\n", "D", "C"),
        ("counters:\n  tile: {colours: {many: red}}\n", "D", "whole number"),
        ("counters:\n  tile: {colours: {1: crimson}}\n", "D086", "crimson"),
        ("boards:\n  field: {bands: []}\n", "D", "bands"),
        ("boards:\n  field: {bands: [1, 0]}\n", "D", "within"),
        ("boards:\n  field: {bands: [1], rows: [[a1]]}\n", "D", "bands"),
        ("boards:\n  field: {colours: [[red], [crimson]]}\n", "D086", "crimson"),
        ("boards:\n  field: {ground: crimson}\n", "D086", "crimson"),
        ("boards:\n  ring: {bands: [1, 2]}\n", "D100", "bands"),
        ("boards:\n  ring: {colours: [[red], [blue]]}\n", "D100", "rows of colours"),
        ("marks:\n  wall: {icon: sign swrod}\n", "D", "sword"),
        ("boards:\n  field: {panels: [{box: [0, 0, 1, 1], colour: red}]}\n", "D100", "positions"),
        ("boards:\n  field: {dots: [z9]}\n", "D", "z9"),
        ("values:\n  godo: {a: x}\n", "D", "godo"),
        ("values:\n  good: {clya: x}\n", "D", "clay"),
    ],
)
def test_looks_that_do_not_fit_are_refused(look: str, code: str, said: str) -> None:
    text = (
        "types:\n  good: {values: [wood, clay]}\n"
        "boards:\n  field: {grid: [3, 5]}\n  ring: {ring: [north, east, south, west]}\n"
        "marks:\n  wall: {at: field}\n  gate: {at: ring}\n"
        "counters:\n  tile: {at: field, range: 0..9}\n"
        "pointers:\n  stone: {at: field, to: seat}\n"
    )
    with pytest.raises(ErrorsReported) as raised:
        looked(text, look)
    (found,) = raised.value.report
    assert found.code.startswith(code)
    assert said in f"{found.message} {found.help}"
