"""One file in two pages: nothing of either is lost, and the pages say what happened."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.studio.conftest import RunningStudio, go_to_line, shown

RULES = "pig.rules"
BOTH = "Put both together"


def add(page: Page, line: int, text: str) -> None:
    """Write something at the end of a line."""
    go_to_line(page, line)
    page.keyboard.press("End")
    page.keyboard.insert_text(text)


def save(page: Page) -> None:
    page.locator(".cm-content").press("Control+s")


def edited_in_both(studio: RunningStudio, page: Page, browser: Browser) -> tuple[Page, Locator]:
    """Another browser's page, which has edited what this one has saved, and its button for that."""
    one, other = shown(page, studio), shown(browser.new_context().new_page(), studio)
    add(one, 1, " first")
    add(other, 5, " # second")
    save(one)
    button = other.get_by_role("button", name=BOTH)
    button.wait_for()
    return other, button


def test_two_browsers_edit_one_file(studio: RunningStudio, game: Path, page: Page, browser: Browser) -> None:
    one, other = shown(page, studio), shown(browser.new_context().new_page(), studio)
    add(one, 1, " first")
    add(other, 5, " # second")
    save(one)
    expect(other.get_by_role("alert")).to_contain_text("was changed on the disk while it was edited here")
    other.get_by_role("button", name=BOTH).click()
    expect(other.get_by_text("Both changes stand in the text now")).to_be_visible()
    save(other)
    expect(other.get_by_text("pig.rules is saved")).to_be_visible()
    expect(one.get_by_text("pig.rules was changed by another page or editor")).to_be_visible()
    expect(one.locator(".cm-content")).to_contain_text("# second")
    text = (game / RULES).read_text("utf-8")
    assert " first\n" in text
    assert " # second\n" in text


def test_what_is_typed_while_texts_are_put_together_is_not_lost(
    studio: RunningStudio, page: Page, browser: Browser
) -> None:
    other, button = edited_in_both(studio, page, browser)
    other.locator(".cm-content").press("End")
    button.evaluate("one => { one.click(); document.execCommand('insertText', false, ' third'); }")
    expect(other.get_by_text("Both changes stand in the text now")).to_be_visible()
    for text in ("first", "# second third"):
        expect(other.locator(".cm-content")).to_contain_text(text)


def test_edits_of_one_line_are_not_put_together(studio: RunningStudio, page: Page, browser: Browser) -> None:
    one, other = shown(page, studio), shown(browser.new_context().new_page(), studio)
    add(one, 1, " first")
    add(other, 1, " second")
    save(one)
    other.get_by_role("button", name=BOTH).click()
    expect(other.get_by_text("Both have changed line 1")).to_be_visible()
    other.get_by_role("button", name="Take theirs").click()
    expect(other.locator(".cm-line").first).to_have_text(re.compile("first$"))


def test_each_of_two_tabs_that_were_closed_leaves_its_text(
    studio: RunningStudio, context: BrowserContext
) -> None:
    for line in (1, 5):
        page = shown(context.new_page(), studio)
        add(page, line, f" # {line}th")
        expect(page.get_by_role("tab", name="pig.rules •")).to_be_visible()
    for page in context.pages:
        page.close()
    later = shown(context.new_page(), studio)
    taken = later.get_by_role("button", name="Take it up")
    expect(taken).to_have_count(2)
    taken.first.click()
    taken.click()
    expect(later.get_by_role("alert")).to_contain_text("has another unsaved text, of an earlier session")
    later.get_by_role("button", name=BOTH).click()
    for line in (1, 5):
        expect(later.locator(".cm-content")).to_contain_text(f"# {line}th")


def test_the_editor_leaves_a_file_that_is_deleted(studio: RunningStudio, page: Page, game: Path) -> None:
    shown(page, studio)
    expect(page.locator(".cm-line").first).to_contain_text("Pig")
    (game / RULES).unlink()
    expect(page.get_by_text("pig.rules was deleted on the disk")).to_be_visible()
    expect(page.get_by_role("tab", name="game.yaml")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".cm-line").first).to_have_text("game: pig")
    add(page, 1, " # typed")
    expect(page.get_by_role("tab", name="game.yaml •")).to_be_visible()
    expect(page.get_by_role("tab", name=RULES)).to_have_count(0)


def test_without_files_there_is_nothing_to_write_into(studio: RunningStudio, page: Page, game: Path) -> None:
    shown(page, studio)
    for path in [path for path in game.rglob("*") if path.is_file()]:
        path.unlink()
    files = page.get_by_role("tablist", name="Files").get_by_role("tab")
    expect(files).to_have_count(0)
    expect(page.locator(".cm-content")).to_have_text("")
    page.locator(".cm-content").press("x")
    expect(page.locator(".cm-content")).to_have_text("")
    expect(files).to_have_count(0)


def test_a_file_that_is_deleted_and_comes_back_is_in_no_conflict(
    studio: RunningStudio, page: Page, game: Path, tmp_path: Path
) -> None:
    shown(page, studio)
    add(page, 1, " # mine")
    (game / RULES).rename(tmp_path / RULES)
    expect(page.get_by_role("alert")).to_contain_text("was deleted on the disk while it was edited here")
    (tmp_path / RULES).rename(game / RULES)
    expect(page.get_by_role("alert")).to_have_count(0)
    save(page)
    expect(page.get_by_text("pig.rules is saved")).to_be_visible()
    assert " # mine\n" in (game / RULES).read_text("utf-8")


def test_a_file_that_is_deleted_elsewhere_leaves_with_theirs(
    studio: RunningStudio, page: Page, game: Path
) -> None:
    shown(page, studio)
    add(page, 1, " # mine")
    expect(page.get_by_role("tab", name="pig.rules •")).to_be_visible()
    (game / RULES).unlink()
    expect(page.get_by_role("alert")).to_contain_text("was deleted on the disk")
    page.get_by_role("button", name="Take theirs").click()
    expect(page.get_by_role("tab", name=RULES)).to_have_count(0)
    expect(page.get_by_role("tab", name="game.yaml")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".cm-line").first).to_have_text("game: pig")
    page.reload()
    expect(page.locator(".cm-line").first).to_have_text("game: pig")
    expect(page.get_by_role("tab", name=RULES)).to_have_count(0)


def test_what_is_put_together_is_saved_at_once(
    studio: RunningStudio, page: Page, browser: Browser, game: Path
) -> None:
    other, button = edited_in_both(studio, page, browser)
    control_s = "new KeyboardEvent('keydown', { key: 's', ctrlKey: true, bubbles: true })"
    button.evaluate(f"one => {{ one.click(); document.body.dispatchEvent({control_s}); }}")
    expect(other.get_by_text("pig.rules is saved")).to_be_visible()
    text = (game / RULES).read_text("utf-8")
    assert " first\n" in text
    assert " # second\n" in text
