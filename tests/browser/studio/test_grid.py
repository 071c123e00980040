"""A table in the studio as a grid: by keys, by a paste from a spreadsheet, with findings in the cells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from rulewright.editors.sheet_game import sheet_game
from tests.browser.studio.conftest import RunningStudio, started

TABLE = 'Name;Cost;Text\nToll House;3;"Pay; go"\nKikötő;2;\nSpy;1;Look\n'


@pytest.fixture
def cards(tmp_path: Path) -> Iterator[RunningStudio]:
    root = tmp_path / "cards"
    for path, data in sheet_game("cards", "Cards", "cards.csv", TABLE.encode("cp1250"), "").files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    found = started(root)
    yield found
    found.kill()


@pytest.fixture
def grid(cards: RunningStudio, page: Page) -> Page:
    page.set_viewport_size({"width": 1400, "height": 850})
    page.goto(cards.address)
    page.locator(".prompt").wait_for()
    page.get_by_role("tab", name="cards.csv").click()
    page.get_by_role("grid", name="cards.csv").wait_for()
    return page


def cell(page: Page, row: int, column: int):
    return page.locator(f'tr[aria-rowindex="{row}"] td[aria-colindex="{column}"]')


def saved(page: Page, cards: RunningStudio) -> str:
    page.keyboard.press("Control+s")
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    return (cards.game / "cards.csv").read_bytes().decode("cp1250")


def test_cells_are_edited_by_keys_and_keep_the_form_of_the_file(grid: Page, cards: RunningStudio) -> None:
    expect(cell(grid, 2, 3)).to_have_text("Pay; go")
    cell(grid, 2, 2).click()
    grid.keyboard.type("2")
    grid.keyboard.press("Enter")
    grid.keyboard.press("F2")
    grid.keyboard.type("5")
    grid.keyboard.press("Escape")
    grid.keyboard.press("ArrowRight")
    grid.keyboard.type('a; "b"')
    grid.keyboard.press("Tab")
    assert saved(grid, cards) == 'Name;Cost;Text\nToll House;2;"Pay; go"\nKikötő;2;"a; ""b"""\nSpy;1;Look\n'


def test_a_finding_stands_in_its_cell_until_it_is_corrected(grid: Page) -> None:
    cell(grid, 3, 2).click()
    grid.keyboard.type("many")
    grid.keyboard.press("Enter")
    expect(cell(grid, 3, 2)).to_have_attribute("aria-invalid", "true")
    cell(grid, 1, 1).click()
    grid.locator(".findings .finding").first.click()
    expect(cell(grid, 3, 2)).to_be_focused()
    expect(grid.locator(".grid-said")).to_contain_text("expected a whole number")
    grid.keyboard.press("Control+z")
    expect(cell(grid, 3, 2)).to_have_text("2")
    expect(cell(grid, 3, 2)).to_have_attribute("aria-invalid", "false")


def test_several_cells_are_pasted_from_a_spreadsheet(grid: Page, cards: RunningStudio) -> None:
    cell(grid, 4, 1).click()
    grid.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData("text/plain", 'Spy\\t0\\t"one\\ntwo"\\r\\nOwl\\t1\\tHoot\\r\\n');
            const about = { clipboardData: data, bubbles: true, cancelable: true };
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", about));
        }"""
    )
    expect(cell(grid, 5, 1)).to_have_text("Owl")
    assert saved(grid, cards).endswith('Spy;0;"one\ntwo"\nOwl;1;Hoot\n')
    grid.get_by_role("button", name="Undo").click()
    expect(cell(grid, 5, 1)).to_have_text("")
    grid.get_by_role("button", name="Redo").click()
    expect(cell(grid, 5, 1)).to_have_text("Owl")


def test_rows_and_columns_are_added_and_removed(grid: Page, cards: RunningStudio) -> None:
    grid.get_by_role("button", name="Add column").click()
    grid.get_by_role("textbox", name="New column").fill("Artist")
    grid.keyboard.press("Enter")
    expect(cell(grid, 1, 4)).to_have_text("Artist")
    cell(grid, 2, 1).click()
    grid.keyboard.press("Shift+ArrowDown")
    grid.get_by_role("button", name="Remove rows").click()
    assert saved(grid, cards) == "Name;Cost;Text;Artist\nSpy;1;Look;\n"


def test_the_same_table_is_there_as_text(grid: Page) -> None:
    grid.get_by_role("button", name="As text").click()
    expect(grid.locator(".cm-content")).to_contain_text("Toll House;3;")
    grid.get_by_role("button", name="As a grid").click()
    expect(cell(grid, 2, 1)).to_have_text("Toll House")
