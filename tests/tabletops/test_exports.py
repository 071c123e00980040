"""Exports to other tables: pictures, and files whose structure is that of real saves."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator
from PIL import Image

from dsl.pictures import data_url
from rulewright.printing.canvas import Canvas
from rulewright.tabletops.pictures import COLUMNS, DPI, INCH, LARGEST, ROWS, Rendered, columns_and_scale
from tests.tabletops.conftest import NUMBER, Run, read

SCHEMAS = Path(__file__).parent / "schemas"
SIZES = st.tuples(st.floats(10, 200), st.floats(10, 200))


def fits(name: str, data: Any) -> None:
    """Whether data have the structure of what real saves hold, as far as it is written down here."""
    schema = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    found = [
        f"{list(error.path)}: {error.message[:200]}"
        for error in Draft202012Validator(schema).iter_errors(data)
    ]
    assert not found, found[:5]


@given(st.integers(1, COLUMNS * ROWS), SIZES)
def test_a_sheet_is_no_larger_than_it_may_be(number: int, size: tuple[float, float]) -> None:
    columns, scale = columns_and_scale(number, size)
    rows = -(-number // columns)
    assert columns <= COLUMNS
    assert rows <= ROWS
    assert columns * int(size[0] * scale) <= LARGEST
    assert rows * int(size[1] * scale) <= LARGEST
    assert 0 < scale <= DPI / INCH


def test_each_card_is_a_picture(run: Run, deck: Path) -> None:
    result = run("export", str(deck), "--to", "images", "--into", "out", "--dpi", "150")
    assert result.exit_code == 0, result.output
    cards = sorted(Path("out/card").iterdir())
    assert len(cards) == NUMBER
    with Image.open("out/card/card_4.png") as card:
        assert card.size == (int(44 * 150 / INCH), int(68 * 150 / INCH))
        assert card.getpixel((5, 200)) == pytest.approx((0x20, 0x60, 0xA0), abs=4)
        assert (0xCC, 0, 0) in {colour for _, colour in card.getcolors(1 << 20) or ()}
    with Image.open("out/card-1.png") as sheet:
        assert max(sheet.size) <= LARGEST
    with Image.open("out/goal/coast.png") as goal:
        assert goal.getpixel((0, 0))[3] == 0
        assert goal.getpixel((goal.width // 2, goal.height // 2))[3] == 255


@pytest.fixture
def save(run: Run, deck: Path) -> Any:
    result = run(
        "export", str(deck), "--to", "tts", "--into", "out", "--address", "https://x.org/g", "--seats", "3"
    )
    assert result.exit_code == 0, result.output
    return read(Path("out/shores.json"))


def test_a_save_of_tabletop_simulator(save: Any) -> None:
    fits("tts", save)
    ids = [it["GUID"] for it in every(save["ObjectStates"])]
    assert len(set(ids)) == len(ids)
    sheets = {}
    for card in every(save["ObjectStates"]):
        for key, sheet in card.get("CustomDeck", {}).items():
            assert sheets.setdefault(key, sheet) == sheet
            assert Path("out", sheet["FaceURL"].removeprefix("https://x.org/g/")).exists()
            assert Path("out", sheet["BackURL"].removeprefix("https://x.org/g/")).exists()
        if "CardID" in card:
            number, index = divmod(card["CardID"], 100)
            sheet = card["CustomDeck"][str(number)]
            assert index < sheet["NumWidth"] * sheet["NumHeight"]


def test_the_rules_are_noted_as_plain_text(save: Any) -> None:
    notes = save["TabStates"]["0"]["body"]
    assert "1 In short" in notes
    assert not re.search(r"<\w|\]\(|\*\*|```|\|", notes)


def test_what_is_secret_is_in_hands_or_face_down(save: Any) -> None:
    objects = save["ObjectStates"]
    zones = {it["Nickname"]: it for it in objects if it["Name"] == "HandTrigger"}
    assert [zone["FogColor"] for zone in zones.values()] == ["White", "Red", "Yellow"]
    held = [it for it in objects if it["Name"] == "CardCustom" and inside(it, zones.values())]
    assert len(held) == 3 * 5
    piles = {it["Nickname"]: it for it in objects if it["Name"] == "DeckCustom"}
    assert piles["deck"]["Transform"]["rotZ"] == piles["goals"]["Transform"]["rotZ"] == 180
    assert len(piles["deck"]["DeckIDs"]) == NUMBER + 1 - 15 - 6
    market = [it for it in objects if it["Name"] == "CardCustom" and not inside(it, zones.values())]
    assert len(market) == 6
    assert {it["Transform"]["rotZ"] for it in market} == {0}
    assert len({(it["Transform"]["posX"], it["Transform"]["posZ"]) for it in market}) == 6


def test_tokens_boards_dice_and_counters(save: Any) -> None:
    objects = save["ObjectStates"]
    bags = {it["Nickname"]: it for it in objects if it["Name"] == "Bag"}
    assert len(bags["supply"]["ContainedObjects"]) == 30 - 9
    assert sum(it["Nickname"] == "coin (B)" for it in objects) == 3
    assert sum(it.get("Locked", False) for it in objects if it["Name"] == "Custom_Tile") == 1
    assert sum(it["Name"] == "Counter" for it in objects) == 3
    sides = [it for it in objects if it["Name"] == "Die_6"]
    assert len(sides) in (0, 2)


def inside(card: Any, zones: Any) -> bool:
    """Whether a card lies in one of some zones, whose sides are along the axes or turned."""
    x, z = card["Transform"]["posX"], card["Transform"]["posZ"]
    return any(
        (x - zone["Transform"]["posX"]) ** 2 + (z - zone["Transform"]["posZ"]) ** 2
        < (zone["Transform"]["scaleX"] / 2) ** 2
        for zone in zones
    )


def every(objects: Any) -> Any:
    for it in objects:
        yield it
        yield from every(it.get("ContainedObjects", ()))


def test_pictures_lie_beside_the_save_without_an_address(run: Run, deck: Path) -> None:
    run("export", str(deck), "--to", "tts", "--into", "out")
    url = next(it for it in read(Path("out/shores.json"))["ObjectStates"] if "CustomDeck" in it)
    assert next(iter(url["CustomDeck"].values()))["FaceURL"].startswith("file:///")


def test_a_package_of_tabletop_playground(run: Run, deck: Path) -> None:
    result = run("export", str(deck), "--to", "playground", "--into", "out")
    assert result.exit_code == 0, result.output
    templates = {path.stem: read(path) for path in Path("out/Templates").iterdir()}
    for key, template in templates.items():
        fits("playground-template", template)
        assert template["GUID"] == key
        assert Path("out/Textures", template["FrontTexture"]).exists()
        assert not template["BackTexture"] or Path("out/Textures", template["BackTexture"]).exists()
    state = read(Path("out/States/start.vts"))
    fits("playground-state", state)
    assert state["requiredPackages"][0]["guid"] == read(Path("out/manifest.json"))["GUID"]
    for thing in state["objects"]:
        for card in (
            {"templateId": thing["templateId"], "index": thing["atlasIndex"]},
            *thing["stackSerialization"],
        ):
            assert card["index"] in templates[card["templateId"]]["Indices"]
    assert max(len(thing["stackSerialization"]) for thing in state["objects"]) == NUMBER + 1 - 10 - 6 - 1


def test_the_lists_of_screentop(run: Run, deck: Path) -> None:
    result = run("export", str(deck), "--to", "screentop", "--into", "out")
    assert result.exit_code == 0, result.output
    assets = read(Path("out/Assets.json"))
    fits("screentop", {path.stem.split(" - ")[-1]: read(path) for path in Path("out").glob("*.json")})
    assert all(Path("out", f"{asset['name']}.png").exists() for asset in assets.values())
    components = read(Path("out/Components.json"))
    variants = {
        components[path.stem.split(" - ")[1]]["name"]: {it["name"] for it in read(path).values()}
        for path in Path("out").glob("Components - *.json")
    }
    for thing in read(Path("out/Surfaces - Objects.json")).values():
        if thing["kind"] == "TILE":
            assert thing["variant"] in variants[thing["component"]]


def test_the_same_seed_deals_the_same(run: Run, deck: Path) -> None:
    (deck / "look.yaml").write_text("pieces: {card: {shape: card}}\n", "utf-8")
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        run("export", str(deck), "--to", "tts", "--address", "https://x.org/", "--into", name, "--seed", seed)
    a, b, c = (Path(name, "shores.json").read_bytes() for name in "abc")
    assert a == b != c


def test_no_folder_is_replaced_unasked(run: Run, deck: Path) -> None:
    Path("out").mkdir()
    Path("out/mine.txt").write_text("mine", "utf-8")
    words = ("export", str(deck), "--to", "tts", "--into", "out")
    assert "error[C480]" in run(*words).output
    assert run(*words, "--overwrite").exit_code == 0
    assert Path("out/mine.txt").read_text("utf-8") == "mine"
    assert Path("out/shores.json").exists()


def test_who_would_share_a_hand_is_told(run: Run, deck: Path) -> None:
    text = (deck / "game.yaml").read_text("utf-8")
    text = text.replace("seats: 2..4", "seats: 2..12").replace("count: 30", "count: 36")
    (deck / "game.yaml").write_text(text.replace("kinds: land, count: 2", "kinds: land, count: 12"), "utf-8")
    (deck / "look.yaml").write_text("pieces: {card: {shape: card}}\n", "utf-8")
    words = ("export", str(deck), "--to", "tts", "--overwrite", "--into", "out", "--seats")
    assert "  10 can sit there: K and L share hands\n" in run(*words, "12").output
    assert "share" not in run(*words, "10").output


def test_a_file_is_no_folder(run: Run, deck: Path) -> None:
    Path("out").write_text("mine", "utf-8")
    for more in ((), ("--overwrite",)):
        result = run("export", str(deck), "--to", "images", "--into", "out", *more)
        assert "help: it is no folder: choose another name" in result.output
    assert Path("out").read_text("utf-8") == "mine"
    for into, why in (("-", "standard output"), ("", "already exists")):
        assert why in run("export", str(deck), "--to", "images", "--into", into).output


@pytest.mark.parametrize(("table", "address"), [("tts", "x.org"), ("tts", ""), ("images", "https://x.org/")])
def test_an_address_is_where_pictures_are_found(run: Run, table: str, address: str) -> None:
    result = run("export", "hex", "--to", table, "--into", "out", "--address", address)
    assert result.exit_code == 2
    assert "--address: " in result.output


def test_a_text_in_too_little_room_is_told(run: Run, deck: Path) -> None:
    text = (deck / "look.yaml").read_text("utf-8")
    (deck / "look.yaml").write_text(text.replace("[4, 3, 30, 8]", "[4, 3, 5, 2]"), "utf-8")
    for words in (
        ("export", "--to", "images", "--into", "out"),
        ("print", "--only", "cards", "--into", "out.pdf"),
    ):
        result = run(words[0], str(deck), *words[1:])
        assert result.exit_code == 0, result.output
        assert "box 3 of `Card 10` has its text in" in result.output


GOLDEN = """\
error[C469]: `bare` has nothing to make pictures of
  --> command line:1:19
   |
 1 | rulewright export bare --to images --into out
   |                   ^^^^
  help: give it components or boards, and a look that does not hide them
"""


def test_what_has_no_pictures(run: Run) -> None:
    bare = Path("bare")
    bare.mkdir()
    (bare / "game.yaml").write_text(
        dedent(
            """\
            game: bare
            seats: 1
            rules: [bare.rules]
            flow: {only: {score: highest}}
            """
        ),
        "utf-8",
    )
    (bare / "bare.rules").write_text("score none_yet = 0\n", "utf-8")
    result = run("export", "bare", "--to", "images", "--into", "out")
    assert result.output == GOLDEN
    assert not Path("out").exists()


def test_the_libraries_are_needed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("rulewright.commands.export"), "find_spec", lambda name: None)
    result = run("export", "hex", "--to", "images", "--into", "out")
    assert result.exit_code == 2
    assert "error[C468]: the library `fpdf2` is not installed" in result.output
    assert 'pip install "rulewright[images]"' in result.output


def test_only_a_page_has_a_companion(run: Run) -> None:
    result = run("export", "hex", "--to", "tts", "--into", "out", "--companion")
    assert result.exit_code == 2
    assert "only a game as one HTML file has them" in result.output


@pytest.mark.parametrize(
    ("game", "table"),
    [("hearts", "tts"), ("backgammon", "playground"), ("roma", "tts"), ("roma", "screentop")],
)
def test_bundled_games_lie_on_other_tables(game: str, table: str, run: Run) -> None:
    result = run("export", game, "--to", table, "--into", "out")
    assert result.exit_code == 0, result.output
    if table == "tts":
        fits("tts", read(Path("out", f"{game}.json")))


@pytest.mark.parametrize("words", [("--seed", "3"), ("--dpi", "150"), ("--font", "a.ttf")])
def test_only_other_tables_are_dealt_and_drawn(run: Run, words: tuple[str, ...]) -> None:
    result = run("export", "hex", "--into", "out.html", *words)
    assert result.exit_code == 2
    assert f"{words[0]}: " in result.output
    assert not Path("out.html").exists()


def test_counters_that_a_table_does_not_have_are_told(run: Run, deck: Path) -> None:
    for table, told in {"playground": 1, "screentop": 1, "tts": 0}.items():
        result = run("export", str(deck), "--to", table, "--into", table)
        assert result.exit_code == 0, result.output
        assert result.output.count("has no counters: ") == told


@pytest.mark.parametrize("fill", ["", ' fill="#ff0000"'])
def test_what_no_fill_is_said_of_is_black(fill: str) -> None:
    """As SVG says; the library of the printer fills nothing by itself."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0H10V10H0Z"{fill}/></svg>'
    canvas = Canvas((10.0, 10.0), "x", (), both_sides=False)
    canvas.pdf.add_page(format=(10, 10))
    canvas.picture((1.0, 1.0, 8.0, 8.0), data_url(svg.encode()))
    drawn = Rendered(canvas).picture(canvas.pdf.pages_count - 1, (100, 100))
    assert drawn.getpixel((50, 50)) == ((255, 0, 0) if fill else (0, 0, 0))
    assert drawn.getpixel((3, 3)) == (255, 255, 255)
