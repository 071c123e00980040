"""The page that `rulewright check --html` writes."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dsl.load import Folder, load
from rulewright.layout.board_svg import shared_picture
from rulewright.library import bundled, read_rules
from rulewright.pages.boards import facts
from rulewright.pages.report import page
from validators.check import CheckContext
from validators.checks import CHECKS
from validators.run_checks import CheckRun, run_checks

VOID = {"meta", "path", "rect", "circle", "marker", "line", "polygon", "ellipse"}
CHECKED = Path(__file__).parent.parent / "diagnostics" / "check"


class Balanced(HTMLParser):
    """Every element that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def parsed(text: str) -> Balanced:
    found = Balanced()
    found.feed(text)
    assert found.open == []
    return found


def page_of(name: str) -> str:
    """With the findings that a game allows; the other checks have found none when all games were checked."""
    rules = read_rules(name)[0]
    codes = {allowed.code for allowed in rules.allowed}
    checks = [check for check in CHECKS if check.code in codes]
    return page(name, rules, [], run_checks(CheckContext(rules), plays=False, checks=checks))


@pytest.mark.parametrize("name", bundled())
def test_every_bundled_game_has_a_page(name: str) -> None:
    text = page_of(name)
    parsed(text)
    rules = read_rules(name)[0]
    assert f"<h2>Findings</h2>{'<article' if rules.allowed else '<p>None.</p>'}" in text
    for check in CHECKS:
        assert f"<td>{check.code}</td>" in text
    for table in rules.tables:
        assert f"<h3>{table}" in text
    assert "not asked" in text


def test_pages_need_nothing_from_elsewhere() -> None:
    text = page_of("nine_mens_morris")
    assert not re.search(r'(src|href)="', text)
    assert "<script" not in text


def test_what_is_allowed_stands_with_its_reason() -> None:
    text = page_of("kalah")
    assert "nothing found, 1 finding allowed" in text
    assert "<b>allowed:</b> every sowing brings seeds nearer to a store, and none leaves it" in text


def test_findings_show_their_place_and_their_way() -> None:
    folder = Folder("demo", lambda path: (CHECKED / "V304-turns-without-progress" / path).read_bytes())
    rules = load(folder)[0]
    text = page("demo", rules, [], run_checks(CheckContext(rules), plays=False))
    parsed(text)
    assert "1 to look at" in text
    assert "<mark>turn</mark>" in text
    assert text.count("<li>") == 3
    assert "<code>wait</code> is chosen" in text


def test_names_cannot_write_elements() -> None:
    text = page("<b>&", None, [], CheckRun())
    assert "<h1>&lt;b&gt;&amp;</h1>" in text


def test_boards_in_numbers() -> None:
    rules = read_rules("nine_mens_morris")[0]
    point = rules.types["point"]
    known = facts(point, 2)
    assert (known.places, known.links, known.parts, known.diameter) == (24, 32, 1, 6)
    assert (known.fewest, known.most) == (2, 4)
    drawn = shared_picture(rules, "point", 2)
    assert drawn.count("<circle") == 24
    assert drawn.count("<path") == 32


def test_one_page_shows_one_game(run, tmp_path: Path) -> None:
    result = run("check", "pig", "--fast", "--html", str(tmp_path / "pig.html"))
    assert result.exit_code == 0
    assert (tmp_path / "pig.html").read_text("utf-8").startswith("<!doctype html>")
    result = run("check", "pig", "yacht", "--html", str(tmp_path / "both.html"))
    assert result.exit_code == 2
    assert "a page shows one game" in result.output
    assert not (tmp_path / "both.html").exists()
