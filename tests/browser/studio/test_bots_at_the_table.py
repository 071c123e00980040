"""Bots at the studio's table, in a real browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from rulewright.library import find
from tests.browser.studio.conftest import RunningStudio, go_to_line, started

SLOW = 60_000


@pytest.fixture
def four(tmp_path: Path) -> Iterator[RunningStudio]:
    found = started(Path(shutil.copytree(find("connect_four"), tmp_path / "connect_four")))
    yield found
    found.kill()


def shown(page: Page, studio: RunningStudio) -> Page:
    page.set_viewport_size({"width": 1400, "height": 900})
    page.goto(studio.address)
    page.locator(".prompt").wait_for()
    return page


def drop(page: Page) -> None:
    """Drop a disc into the fourth column."""
    page.wait_for_timeout(450)  # a press right after a change counts for nothing
    page.locator(".cell").nth(3).click()


def test_a_bot_answers_and_is_kept_over_a_reload(four: RunningStudio, page: Page) -> None:
    shown(page, four)
    page.get_by_label("who plays B").select_option("bot")
    strength = page.get_by_label("strength of B")
    expect(strength).to_have_attribute("aria-valuetext", re.compile("^random"))
    strength.press("ArrowRight")
    expect(strength).to_have_attribute(
        "aria-valuetext", re.compile(r"^easy, (at once|up to [\d.]+ s a choice)$"), timeout=SLOW
    )
    drop(page)
    expect(page.get_by_test_id("steps")).to_contain_text("2 choices", timeout=SLOW)
    page.reload()
    expect(page.get_by_label("who plays B")).to_have_value("bot")
    expect(page.get_by_label("strength of B")).to_have_value("1")
    expect(page.get_by_test_id("steps")).to_contain_text("2 choices")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_test_id("steps")).to_contain_text("0 choices")
    expect(page.get_by_test_id("bots")).to_have_text("")


def test_one_types_while_a_bot_thinks_and_holds_it(four: RunningStudio, page: Page) -> None:
    shown(page, four)
    page.get_by_label("who plays B").select_option("other")
    page.get_by_role("dialog").get_by_role("textbox").fill("search:600s")
    page.keyboard.press("Enter")
    drop(page)
    expect(page.get_by_test_id("bots")).to_have_text("B thinks…")
    page.locator(".cm-content").press("Control+Home")
    page.keyboard.insert_text("nonsense\n")
    expect(page.locator(".finding[data-severity=error]").first).to_be_visible()
    page.get_by_role("button", name="Hold the bots").click()
    expect(page.get_by_test_id("bots")).to_contain_text("the bots wait")
    drop(page)
    expect(page.get_by_test_id("steps")).to_contain_text("2 choices")


def test_no_bot_thinks_where_the_server_is_gone(four: RunningStudio, context: BrowserContext) -> None:
    page = shown(context.new_page(), four)
    page.get_by_label("who plays A").select_option("other")
    page.get_by_role("dialog").get_by_role("textbox").fill("search:600s")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("bots")).to_have_text("A thinks…")
    four.kill()
    expect(page.get_by_role("status").filter(has_text="the server is gone")).to_be_visible()
    expect(page.get_by_test_id("bots")).to_have_text("")
    for _ in range(2):
        page.get_by_role("button", name="Hold the bots").click()
    expect(page.get_by_text("the server cannot be reached")).to_have_count(1)


def test_what_is_no_bot_is_said(four: RunningStudio, page: Page) -> None:
    shown(page, four)
    page.get_by_label("who plays A").select_option("other")
    page.get_by_role("dialog").get_by_role("textbox").fill("search:often")
    page.keyboard.press("Enter")
    expect(page.locator(".notices")).to_contain_text("`often` is no budget of a bot")
    expect(page.get_by_label("who plays A")).to_have_value("")


def test_what_an_edit_changes_does_not_name_what_a_bot_hides(studio: RunningStudio, page: Page) -> None:
    shown(page, studio)
    page.get_by_role("button", name="New match").click()
    page.get_by_label("seed").fill("0")  # the first throw is no 1, after which the edit would change nothing
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.get_by_label("seed")).to_have_count(0)
    page.get_by_label("who plays B").select_option("bot")
    page.get_by_role("button", name="Hold the bots").click()
    throws = page.get_by_test_id("steps")
    page.wait_for_timeout(450)
    page.get_by_role("button", name="throw").first.click()
    expect(throws).to_contain_text("1 choice")
    go_to_line(page, 14)
    page.keyboard.press("End")
    page.keyboard.insert_text(" + 1")
    note = page.locator(".note", has_text="played again")
    expect(note.get_by_text("It differs after step 2.")).to_be_visible()
    referee = note.locator("details p")
    expect(referee).to_be_hidden()
    note.get_by_text("What, as the referee sees it").click()
    expect(referee).to_contain_text("after step 2: ")
    page.get_by_label("seen by").select_option("-2")
    expect(note).to_contain_text("It differs after step 2: ")
