"""Where places lie, as what things are drawn, and in which colours."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dsl.declare.look import WAYS
from dsl.domains import NONE
from dsl.signs import sign_url
from interpreter.compile.program import compile_rules
from interpreter.match import Match
from rulewright.layout.board_svg import pictures_svg, shared_picture
from rulewright.layout.colours import PALE, STRONG, Tone, contrast, on_dark
from rulewright.layout.compose import scene, scene_json, seat_colours
from rulewright.layout.heart import heart_svg
from rulewright.layout.preview_faces import PARTS, written
from rulewright.layout.scene import BoardScene, Point
from rulewright.layout.signs import signs
from rulewright.library import bundled, open_game, read_rules
from rulewright.presentation.position import position
from tests.games import EACH_TIME
from tests.layout.made_up import land_of_hexagons, looked, rules_of, written as linked

GRIDS = (
    "boards:\n  town: {grid: [4, 6]}\n  field: {grid: [5, 3]}\n"
    "pointers:\n  a: {at: town, to: seat}\n  b: {at: field, to: seat}\n"
)


def points(board: BoardScene) -> list[Point]:
    return [point for point in board.points if point is not None]


def test_hexagons_with_corners_and_roads_share_a_picture() -> None:
    rules = land_of_hexagons()
    found = scene(rules, 2)
    assert found.groups == (("land", "corner", "road"),)
    land, corner, road = (found.boards[name] for name in found.groups[0])
    assert (len(land.points), len(corner.points), len(road.points)) == (19, 54, 72)
    assert len({(board.width, board.height) for board in (land, corner, road)}) == 1
    apart = land.size / 3**0.5
    touching = Counter(sum(dist(at, cell) < apart + 1 for cell in points(land)) for at in points(corner))
    assert touching == {1: 18, 2: 12, 3: 24}
    columns = rules.types["corner"].columns.values()
    for i, at in enumerate(points(corner)):
        named = {c.values[i] - rules.types["land"].lo for c in columns if c.values[i] != NONE}
        assert named == {j for j, cell in enumerate(points(land)) if dist(at, cell) < apart + 1}
    ends = rules.types["road"].columns.values()
    for i, at in enumerate(points(road)):
        a, b = (corner.points[c.values[i] - rules.types["corner"].lo] for c in ends)
        assert a is not None
        assert b is not None
        assert dist(a, b) == pytest.approx(apart, abs=1)
        assert at == pytest.approx(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), abs=1e-6)
    assert len(road.shapes) == 72


def test_corners_edges_and_routes_that_boards_declare() -> None:
    """All of them in one picture: corners where their cells meet, edges and routes as bars between."""
    rules = rules_of(
        "boards:\n  tile: {hex: {rows: [2, 3, 2]}, corners: node, edges: path}\n"
        "  city: {graph: [rome, ostia, veii]}\n"
        "  route: {edges_of: city, ends: [one, other], rows: {a: {one: rome, other: ostia}, "
        "b: {one: ostia, other: rome}, c: {one: rome, other: veii}}}\n"
        "pointers:\n  hut: {at: node, to: seat}\n  road: {at: path, to: seat}\n"
        "  owner: {at: route, to: seat}\n"
    )
    found = scene(rules, 2)
    assert found.groups == (("tile", "node", "path"), ("city", "route"))
    tile, node, path, city, route = (found.boards[name] for group in found.groups for name in group)
    apart = tile.size / 3**0.5
    for i, at in enumerate(points(node)):
        near = {j for j, cell in enumerate(points(tile)) if dist(at, cell) < apart + 1}
        assert near == set(rules.types["node"].incident["places"].rows[i])
    for i, at in enumerate(points(path)):
        a, b = (node.points[v] for v in rules.types["path"].incident["ends"].rows[i])
        assert a is not None
        assert b is not None
        assert at == pytest.approx(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), abs=1e-6)
    assert (len(path.shapes), node.lines, city.lines, node.named) == (30, (), (), False)
    assert not tile.named
    assert {text for _, _, text in tile.rims} == {part for name in rules.types["tile"].names for part in name}
    one, twin, _ = points(route)
    assert 10 < dist(one, twin) < 40


def test_no_two_places_coincide_in_any_game() -> None:
    for name in EACH_TIME:
        for board, drawn in scene(read_rules(name)[0], read_rules(name)[0].seats[1]).boards.items():
            for a, b in combinations(points(drawn), 2):
                assert dist(a, b) > 0.4 * 60, (name, board)
            assert all(0 <= x <= drawn.width and 0 <= y <= drawn.height for x, y in points(drawn))


def test_a_large_grid_and_a_long_ring_keep_their_neighbours() -> None:
    rules = rules_of(
        "boards:\n  cell: {grid: [15, 15]}\n  square: {ring: 40}\n"
        "pointers:\n  a: {at: cell, to: seat}\n  b: {at: square, to: seat}\n"
    )
    found = scene(rules, 2)
    for name in ("cell", "square"):
        drawn, decl = found.boards[name], rules.types[name]
        for i, near in enumerate(decl.links):
            for other in near:
                here, there = drawn.points[i], drawn.points[other - decl.lo]
                assert here is not None
                assert there is not None
                assert dist(here, there) == pytest.approx(60)
    assert found.boards["square"].width == found.boards["square"].height


def test_a_map_without_crossing_lines() -> None:
    dice = random.Random(5)
    names = [f"p{i}" for i in range(40)]
    links = {a: [names[i + 1]] if i % 8 != 7 and i < 39 else [] for i, a in enumerate(names)}
    for i in range(32):
        if dice.random() < 0.6:
            links[names[i]].append(names[i + 8])
    area = f"{{graph: [{', '.join(names)}], links: {linked(links)}}}"
    drawn = scene(rules_of(f"boards:\n  area: {area}\nmarks:\n  m: {{at: area}}\n"), 2).boards["area"]
    lines = [(drawn.points[a], drawn.points[b]) for a, b in drawn.lines]
    assert len(lines) == sum(map(len, links.values()))
    for (a, b), (c, d) in combinations(lines, 2):
        if len({a, b, c, d}) == 4:
            assert not crosses(a, b, c, d)


def crosses(a: Point | None, b: Point | None, c: Point | None, d: Point | None) -> bool:
    assert None not in (a, b, c, d)

    def side(p: Point, q: Point, of: Point) -> float:
        return (q[0] - p[0]) * (of[1] - p[1]) - (q[1] - p[1]) * (of[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0  # type: ignore[arg-type]


def test_boards_that_a_table_links_stand_side_by_side() -> None:
    apart = scene(rules_of(GRIDS), 2)
    assert apart.groups == (("town",), ("field",))
    rows = ", ".join("a1" for _ in range(24))
    joined = scene(rules_of(GRIDS + f"tables:\n  road: {{over: town, gives: field, rows: [{rows}]}}\n"), 2)
    assert joined.groups == (("town", "field"),)
    town, field = joined.boards["town"], joined.boards["field"]
    assert max(x for x, _ in points(town)) + 60 < min(x for x, _ in points(field))
    picture = ElementTree.fromstring(pictures_svg(joined.boards, "both", lambda board, i: f"{board} {i}"))
    assert len(picture.findall("{http://www.w3.org/2000/svg}g")) == 24 + 15


def test_sides_that_belong_to_seats_are_in_the_still_picture() -> None:
    rules = read_rules("hex")[0]
    picture = ElementTree.fromstring(shared_picture(rules, "cell", 2))
    sides = [path for path in picture.iter() if path.get("stroke-width") == "10"]
    colours = seat_colours(rules, 2)["colours"]
    assert [path.get("stroke") for path in sides] == [
        colours[it.seat] for it in scene(rules, 2).boards["cell"].borders
    ]
    assert {path.get("stroke") for path in sides} == set(colours)


# ---- zones, variables, faces


def test_zones_lie_where_they_belong() -> None:
    drawn = scene(read_rules("roma")[0], 2)
    assert (drawn.zones["hand"].kind, drawn.zones["hand"].area) == ("hand", "seat")
    assert (drawn.zones["deck"].kind, drawn.zones["deck"].area) == ("pile", "shared")
    assert (drawn.zones["slot"].area, drawn.zones["slot"].board) == ("board", "disc")
    augustus = scene(read_rules("augustus")[0], 2)
    assert augustus.zones["posted"].area == "piece"
    assert augustus.zones["chain"].kind == "hidden"
    trajan = scene(read_rules("trajan")[0], 2)
    assert trajan.boards["tray"].own
    assert not trajan.boards["lot"].own
    assert trajan.variables["leader"].board == "province"


def test_the_same_game_without_its_look() -> None:
    """The digest of the rules does not depend on the look, nor does play."""
    text = "boards:\n  field: {grid: [2, 2]}\npointers:\n  stone: {at: field, to: seat}\n"
    plain, fine = (
        rules_of(text),
        looked(text, "boards:\n  field: {cell: circle, own: true}\nseats: {B: pink}\n"),
    )
    assert plain.digest == fine.digest
    assert fine.look.boards["field"].cell == "circle"
    other = rules_of(text.replace("[2, 2]", "[2, 3]"))
    assert other.digest != plain.digest
    assert (
        compile_rules(plain).nodes == compile_rules(fine).nodes
        or compile_rules(plain).size == compile_rules(fine).size
    )


def test_what_a_look_says() -> None:
    text = (
        "types:\n  stage: 0..9\nboards:\n  field: {grid: [2, 2]}\n"
        "components:\n  card: {table: cards.csv, columns: {cost: 0..9}}\n"
        "zones:\n  deck: {holds: card, order: shuffled, seen_by: count, start: all}\n"
        "counters:\n  vp: {of: seat, range: 0..9}\npointers:\n  stone: {at: field, to: seat}\n"
    )
    look = (
        "boards:\n  stage: {rows: [[0, 1, 2, 3, 4], [9, 8, 7, 6, 5]]}\n"
        '  field: {colours: [white, "#333"], places: {b2: red}, picture: map.svg}\n'
        "together: [[field, stage]]\ncounters:\n  vp: {board: stage, icon: ★}\nzones:\n  deck: hidden\n"
        'pieces:\n  card: {face: {top: "{cost}"}, colours: {two: "#123456"}, icons: {one: map.svg}}\n'
        "seats: {B: green}\nareas: [seat, board, shared]\n"
    )
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0" fill="url(#a)"/></svg>'
    rules = looked(text, look, cards_csv="card,cost\none,1\ntwo,2\n", map_svg=svg)
    found = scene_json(rules, compile_rules(rules))
    assert [set(group) for group in found["groups"]] == [{"field", "stage"}]
    assert found["boards"]["field"]["tones"] == [1, 0, 0, 2]
    assert found["boards"]["field"]["backdrop"][4].startswith("data:image/svg+xml;base64,")
    assert found["variables"]["vp"] == {"as": "track", "area": "board", "board": "stage", "icon": "★"}
    assert found["zones"]["deck"]["as"] == "hidden"
    card = found["faces"]["card"]
    assert card["template"] == {"top": "{cost}"}
    assert card["colours"]["two"] == "#123456"
    assert card["ink"]["two"] == "#ffffff"
    assert card["icons"]["one"] == found["boards"]["field"]["backdrop"][4]
    assert found["seats"]["colours"][1] == "#2e9e5b"
    assert found["areas"] == ["seat", "board", "shared"]


SEATED = """components:
  card: {table: cards.csv, columns: {suit: suit, worth: 0..9}}
types:
  suit: [diamonds, spades]
zones:
  trick: {holds: card, of: seat, size: 1, seen_by: all}
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
counters:
  tricks: {of: seat, range: 0..90, start: 7}
pointers:
  pawn: {of: seat, to: field, start: a1}
boards:
  field: {grid: [2, 2]}
flow:
  set_up: {do: [deal], then: last}
  last: {score: none}
"""
DEALT = "procedure deal\n    each seat in turn\n        move 1 from deck to trick of me\n"


@pytest.mark.parametrize("area", ["shared", "board"])
def test_what_is_a_seats_can_lie_before_all(area: str) -> None:
    look = (
        f"zones:\n  trick: {{area: {area}}}\n  deck: hidden\ncounters:\n  tricks: {{area: {area}}}\n"
        "pointers:\n  pawn: {area: shared}\n"
    )
    rules = looked(SEATED, look, demo_rules=DEALT, cards_csv="card,suit,worth\none,spades,1\ntwo,spades,2\n")
    drawn = scene_json(rules, compile_rules(rules))
    assert drawn["zones"]["trick"] == {"as": "slots", "area": "shared"}
    assert drawn["variables"]["tricks"]["area"] == "shared"
    assert drawn["variables"]["pawn"] == {"as": "pointer", "area": "shared"}


def _boxes(svg: str) -> list[tuple[float, float, float, float]]:
    """About where each text of a picture is drawn."""
    found = []
    for each in ElementTree.fromstring(f"<svg>{svg}</svg>").iter("text"):
        x, y, size = (float(each.attrib[key]) for key in ("x", "y", "font-size"))
        wide = len(each.text or "") * size * 0.55
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[each.attrib["text-anchor"]]
        found.append((left, y - size * 0.8, left + wide, y))
    return found


@pytest.mark.parametrize("parts", [("corner", "top"), ("corner", "middle", "body", "bottom"), tuple(PARTS)])
@pytest.mark.parametrize("words", ["7", "spades", "the queen of spades with her long train"])
@pytest.mark.parametrize("height", [58.0, 90.0])
def test_parts_of_a_still_face_do_not_overlap(parts: tuple[str, ...], words: str, height: float) -> None:
    boxes = _boxes(written(dict.fromkeys(parts, words), 66.0, height, "#000000"))
    assert len(boxes) >= len(parts)
    for a, b in combinations(boxes, 2):
        assert min(a[2], b[2]) - max(a[0], b[0]) <= 1 or min(a[3], b[3]) - max(a[1], b[1]) <= 1
    assert all(top >= -1 and bottom <= height for _, top, _, bottom in boxes)


def test_sides_of_a_board_belong_to_seats() -> None:
    board = scene(read_rules("hex")[0], 2).boards["cell"]
    assert [border.seat for border in board.borders] == [0, 0, 1, 1]
    first, last = board.points[0], board.points[-1]
    assert first
    assert last
    bottom, top, left, right = board.borders
    assert max(y for _, y in bottom.line) == pytest.approx(first[1] + 34.6, abs=0.1)
    assert min(y for _, y in top.line) == pytest.approx(last[1] - 34.6, abs=0.1)
    assert min(x for x, _ in left.line) == pytest.approx(first[0] - 30)
    assert max(x for x, _ in right.line) == pytest.approx(last[0] + 30)
    steps = [dist(a, b) for it in board.borders for a, b in pairwise(it.line)]
    assert {round(step, 1) for step in steps} <= {0.0, 34.6}, "along the edges of cells, without a gap"
    assert all(0 < x < board.width and 0 < y < board.height for x, y in (it.sign for it in board.borders))


def test_sides_of_squares_are_straight() -> None:
    text = "boards:\n  field: {grid: [3, 4]}\npointers:\n  stone: {at: field, to: seat}\n"
    look = "boards:\n  field: {borders: {A: [bottom, top], B: [left, right]}}\n"
    rules = looked(text, look)
    lines = [border.line for border in scene(rules, 2).boards["field"].borders]
    counted = [(len({x for x, _ in line}), len({y for _, y in line})) for line in lines]
    assert counted == [(5, 1), (5, 1), (1, 4), (1, 4)]


def test_a_place_stands_for_a_value_of_another_type() -> None:
    rules = read_rules("connect_four")[0]
    found = scene_json(rules, compile_rules(rules))["boards"]["cell"]["stands"]
    lo = rules.types["column"].lo
    assert found["0"] == [["column", lo]]
    assert found["41"] == [["column", lo + 6]]
    assert len(found) == 42


def test_a_seat_that_counts_from_the_other_side() -> None:
    board = scene(read_rules("backgammon")[0], 2).boards["place"]
    first, second = board.seat_points
    assert first[24] == pytest.approx(second[1])
    assert first[13] == pytest.approx(second[12])
    assert first[6] == pytest.approx(second[19])


@pytest.mark.parametrize("tone", [*STRONG, *PALE], ids=lambda tone: tone.light)
def test_text_can_be_read_on_every_colour(tone: Tone) -> None:
    assert contrast(tone.light, tone.ink) >= 4.5


def test_colours_keep_away_from_the_dark_page() -> None:
    for colour in ("#000000", "#22262b", "#1f4e8c", "#ffffff", "#7a2320"):
        assert contrast(on_dark(colour), "#161b22") >= 2


def test_signs_are_short_and_differ() -> None:
    found = signs(["gold_mine", "gold", "garden", "grange", "1", "12"])
    assert found["gold_mine"] == "GM"
    assert found["12"] == "12"
    assert len(set(found.values())) == 6
    assert max(map(len, found.values())) <= 3
    cards = signs(["clubs_two", "clubs_three", "clubs_four", "clubs_five"])
    assert [*cards.values()] == ["CT", "CTh", "CF", "CFi"]  # each says the rank


@pytest.mark.parametrize("name", bundled())
def test_every_game_has_a_scene_and_a_heart(name: str) -> None:
    game = open_game(name)
    found = scene_json(game.rules, game.machine)
    assert json.loads(json.dumps(found)) == found
    assert set(found["zones"]) == set(game.rules.zones)
    assert set(found["variables"]) == {*game.rules.counters, *game.rules.marks, *game.rules.pointers}
    for component, face in found["faces"].items():
        assert set(face["colours"]) == set(game.rules.components[component].classes)
    match = Match(game, seed=5).start()
    for _ in range(6):
        if not match.over:
            decision = match.decisions()[0]
            match.choose(decision.seat, decision.choices[0].text)
    heart = list(ElementTree.fromstring(heart_svg(game, position(match, -1))).iter())
    drawn = [e for e in heart if e.tag.split("}")[-1] in ("rect", "circle", "polygon", "path", "image")]
    assert len(drawn) >= 3
    assert all("seat" not in (e.text or "") and "data:" not in (e.text or "") for e in heart)


def test_signs_of_a_still_picture_have_the_colour_of_what_is_written() -> None:
    game = open_game("poacher")
    heart = heart_svg(game, position(Match(game, seed=5).start(), 0))
    assert sign_url("bell", "#8a5a00") in heart
    assert sign_url("bell") not in heart


def test_every_way_of_drawing_is_documented() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "looks.md").read_text("utf-8")
    told = next(line for line in page.splitlines() if line.startswith("| `as` |"))
    assert [way for ways in WAYS.values() for way in ways if f"`{way}`" not in told] == []


def test_a_board_only_tells_something_where_nothing_lies_or_is_chosen() -> None:
    game = open_game("ultimate_tic_tac_toe")
    boards = scene_json(game.rules, game.machine)["boards"]
    assert {name: board.get("told", False) for name, board in boards.items()} == {
        "cell": False,
        "field": True,
    }
