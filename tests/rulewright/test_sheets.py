"""`rulewright new --from` and `rulewright sheets`: tables from spreadsheets, and from an address."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from dsl.domains import NONE
from dsl.load import load
from rulewright.library import folder, read_rules
from tests.sheets.workbooks import ods, xlsx

ROWS = [
    ["My cards, v3"],
    [],
    ["Card name", "Cost", "Suit", "Rare", "Qty", "Rules text", "Value", "Card name HU"],
    ["Toll House", 3, "Red", "x", 2, "Pay 1: draw.", 5, "Vámház"],
    ["Kikötő", 2, "Blue", None, 1, "Draw, then pay.", 3, "Kikötő"],
    ["If", 0, "Red", None, 1, None, 1, "Ha"],
    ["Spy", 1, None, "x", 3, "Look at a hand.", 1, "Kém"],
    ["Move!", 1, "Blue", None, 3, "Go.", -1, "Menj"],
]


def as_csv(separator: str) -> bytes:
    return "\n".join(separator.join("" if c is None else str(c) for c in row) for row in ROWS).encode(
        "utf-16"
    )


@pytest.mark.parametrize("table", ["cards.csv", "cards.xlsx", "cards.ods"])
@pytest.mark.parametrize("command", ["check", "simulate -n 20 --checked"])
def test_a_game_begins_with_a_table(table: str, command: str, run, tmp_path: Path) -> None:
    if table != "cards.csv":
        pytest.importorskip("python_calamine")
    data = {"cards.csv": as_csv(";"), "cards.xlsx": xlsx(ROWS), "cards.ods": ods(ROWS)}[table]
    (tmp_path / table).write_bytes(data)
    made = run("new", "mine", "--from", table)
    assert made.exit_code == 0, made.output
    assert (tmp_path / "mine" / table).read_bytes() == data
    assert "rulewright test mine" not in made.output  # it has no scenarios
    name, *options = command.split()
    done = run(name, "mine", *options)
    assert done.exit_code == 0, done.output


def test_columns_are_declared_as_what_is_in_them(run, tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_bytes(as_csv("\t"))
    assert run("new", "mine", "--from", "cards.csv").exit_code == 0
    rules, _ = read_rules(str(tmp_path / "mine"))
    card = rules.components["card"]
    assert card.classes == ("toll_house", "kikoto", "If", "Spy", "move_")
    assert card.copies == (2, 1, 1, 3, 3)
    assert str(card.columns["cost"].type) == "a number of 0..3"
    assert card.columns["rare"].values == (1, 0, 0, 1, 0)
    assert rules.types["suit"].names == ("red", "blue")
    assert card.columns["suit"].values[3] == NONE
    assert card.columns["value_2"].values == (5, 3, 1, 1, -1)
    assert rules.text_columns == {"card": {"rules_text": "card"}}
    assert rules.labels["kikoto"] == "Kikötő"
    assert rules.in_language("hu").labels["toll_house"] == "Vámház"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "D012"),
        (b"Name,Cost\n", "D012"),
        (b'"open', "D012"),
        (b"\xd0\xcf\x11\xe0", "D138"),
        (b"\0\0\1", "D002"),
    ],
)
def test_what_is_no_table_begins_no_game(data: bytes, code: str, run, tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_bytes(data)
    result = run("new", "mine", "--from", "cards.csv")
    assert result.exit_code == 2 or result.exit_code == 1
    assert code in result.output
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    "title",
    ["Cost: all", 'a"b', "#", "- x", "{y}", "yes", "Ω≈ç", "take", "deck", "size", "'", "x" * 400, "A,B"],
)
def test_any_title_can_be_declared(title: str, run, tmp_path: Path) -> None:
    """Of a title without a letter or digit nothing is declared; its column is left out."""
    quoted = '"' + title.replace('"', '""') + '"'
    (tmp_path / "cards.csv").write_text(f"Name,{quoted},Text\nOne,1,a\nTwo,2,b\n", encoding="utf-8")
    assert run("new", "mine", "--from", "cards.csv").exit_code == 0
    done = run("check", "mine", "--fast")
    assert done.exit_code == 0, done.output


PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
ILLUSTRATED = """Name,Cost,Rules text,Art
Mill,1,Take {coin}{ore}: go.,mill.svg
Mine,2,Stay.,art/mine.svg
Moor,3,,
"""


@pytest.mark.parametrize("there", [("mill.svg", "art/mine.svg"), ("mill.svg",), ()])
def test_pictures_beside_a_table_come_with_it(there: tuple[str, ...], run, tmp_path: Path) -> None:
    """Their column is one of text; the faces show them if none is missing."""
    (tmp_path / "sheet").mkdir()
    (tmp_path / "sheet" / "cards.csv").write_text(ILLUSTRATED, encoding="utf-8")
    for name in there:
        (tmp_path / "sheet" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "sheet" / name).write_text(PICTURE, encoding="utf-8")
    assert run("new", "mine", "--from", "sheet/cards.csv").exit_code == 0
    done = run("check", "mine", "--fast")
    assert done.exit_code == 0, done.output
    made = {path.relative_to(tmp_path / "mine").as_posix() for path in (tmp_path / "mine").rglob("*.svg")}
    assert made == set(there)
    rules, _ = read_rules(str(tmp_path / "mine"))
    assert set(rules.text_columns["card"]) == {"rules_text", "art"}
    boxes = rules.look.pieces["card"].boxes
    assert bool(boxes) == (len(there) == 2)
    if boxes:
        assert len(boxes[0].pictures) == 2
        assert set(rules.look.icons) == {"coin", "ore"}


def test_pictures_elsewhere_are_left_there(run, tmp_path: Path) -> None:
    (tmp_path / "sheet").mkdir()
    (tmp_path / "secret.svg").write_text(PICTURE, encoding="utf-8")
    (tmp_path / "sheet" / "link.svg").symlink_to(tmp_path / "secret.svg")
    for art in ("../secret.svg", "link.svg", str(tmp_path / "secret.svg")):
        (tmp_path / "sheet" / "cards.csv").write_text(f"Name,Art\nOne,{art}\nTwo,{art}\n", "utf-8")
        assert run("new", "mine", "--from", "sheet/cards.csv").exit_code == 0
        assert list((tmp_path / "mine").rglob("*.svg")) == []
        shutil.rmtree(tmp_path / "mine")


# ---- published at an address

TABLE = b"name,cost\nsmith,3\nguard,2\n"


class Site(HTTPServer):
    """Answers by path; counts what was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.asked: list[str] = []


class Answers(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        moved = {"/moved": "/cards", "/round": "/round", "/file": "file:///etc/passwd"}.get(self.path)
        self.send_response(302 if moved else 403 if self.path == "/closed" else 200)
        if moved:
            self.send_header("Location", moved)
        self.end_headers()
        body = {"/page": b"<!DOCTYPE html><p>Sign in</p>", "/huge": b"a,b\n" * 200_000, "/empty": b""}
        self.wfile.write(body.get(self.path, TABLE))

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    found = Site()
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


@pytest.fixture
def listed(game: Path, site: Site) -> Callable[[str], None]:
    """Lists a table at a path of the site."""

    def listed(path: str) -> None:
        entry = f"# ours\nprices.csv: http://127.0.0.1:{site.server_port}{path}  # of the web\n"
        (game / "sheets.yaml").write_text(entry)

    return listed


@pytest.mark.parametrize("path", ["/cards", "/moved"])
def test_a_published_table_is_kept(path: str, listed, game: Path, run, site: Site) -> None:
    listed(path)
    assert "not fetched yet" in run("sheets", "dice").output
    assert site.asked == []
    assert run("sheets", "dice", "--refresh", "--http").exit_code == 0
    assert (game / "prices.csv").read_bytes() == TABLE
    text = (game / "sheets.yaml").read_text()
    assert text.startswith("# ours\n")
    assert "sha256: " in text
    assert text.endswith("  # of the web\n")
    assert "as it was fetched" in run("sheets", "dice").output


def test_what_was_edited_here_is_not_lost(listed, game: Path, run) -> None:
    listed("/cards")
    run("sheets", "dice", "--refresh", "--http")
    (game / "prices.csv").write_bytes(TABLE + b"spy,1\n")
    assert "edited here" in run("sheets", "dice").output
    refused = run("sheets", "dice", "--refresh", "--http")
    assert "error[C463]: `prices.csv` was not fetched: it was edited here since" in refused.output
    assert (game / "prices.csv").read_bytes().endswith(b"spy,1\n")
    assert run("sheets", "dice", "--refresh", "--http", "--overwrite").exit_code == 0
    assert (game / "prices.csv").read_bytes() == TABLE


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/page", "there is a page for people"),
        ("/huge", "it has more than 500,000 bytes"),
        ("/closed", "the address answers 403"),
        ("/file", "is not allowed"),
        ("/round", "the address answers 302"),
        ("/empty", "what is there has no rows"),
    ],
)
def test_what_is_no_table_is_not_kept(path: str, why: str, listed, game: Path, run) -> None:
    listed(path)
    result = run("sheets", "dice", "--refresh", "--http")
    assert result.exit_code == 2
    assert "C463" in result.output
    assert why in result.output
    assert not (game / "prices.csv").exists()


def test_only_encrypted_addresses_are_fetched_unless_asked(listed, site: Site, run) -> None:
    listed("/cards")
    result = run("sheets", "dice", "--refresh")
    assert "is no address that is fetched" in result.output
    assert site.asked == []


@pytest.mark.parametrize(
    "entry",
    [
        "../a.csv: https://x.org/",
        "a/b.csv: https://x.org/",
        "game.yaml: https://x.org/",
        ".x.csv: https://x.org/",
        "a.csv: [1]",
        "- a",
    ],
)
def test_a_list_of_addresses_names_tables_of_the_folder(entry: str, game: Path, run) -> None:
    (game / "sheets.yaml").write_text(entry + "\n")
    result = run("sheets", "dice", "--refresh")
    assert result.exit_code in (1, 2)
    assert "D010" in result.output or "error[D" in result.output


def test_a_link_is_not_written_through(listed, game: Path, run, tmp_path: Path) -> None:
    listed("/cards")
    (tmp_path / "other.csv").write_text("mine")
    (game / "prices.csv").symlink_to(tmp_path / "other.csv")
    assert run("sheets", "dice", "--refresh", "--http", "--overwrite").exit_code == 2
    assert (tmp_path / "other.csv").read_text() == "mine"


def test_rules_are_read_without_the_network(listed, game: Path, run, site: Site) -> None:
    listed("/cards")
    assert run("check", "dice", "--fast").exit_code == 0
    assert load(folder(game))[0].name == "dice"
    assert site.asked == []
