"""A file as the companion of a physical table: told by click and by keyboard, on a phone, with a reload."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from dsl.source import Source
from interpreter import companion_log
from interpreter.sights import SPECTATOR
from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.house import exported
from tests.games import game_of
from tests.serve.test_companions import Table

SETTLED = 400
"""Milliseconds after which the table takes a click."""
PHONE = {"width": 390, "height": 780}


def begin(page: Page, file: Path) -> None:
    """Opens a file, and begins a match at a physical table."""
    page.goto(file.as_uri())
    page.wait_for_selector(".table-root")
    page.get_by_label("More", exact=True).click()
    page.get_by_role("button", name="New match").click()
    dialog = page.get_by_role("dialog", name="New match")
    dialog.get_by_label(re.compile("from your own box")).check()
    expect(dialog.locator("select")).to_have_count(0)
    dialog.get_by_role("button", name="Begin").click()
    dialog.wait_for(state="hidden")


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="From your table")


def choose(page: Page, words: str, keyboard: bool) -> None:
    """Chooses where it lies, or out of a list by its name."""
    page.wait_for_timeout(SETTLED)
    search = page.locator(".prompt").get_by_role("searchbox")
    if search.count() and page.locator(f'.found [data-choices="{words}"]').count():
        if keyboard:
            search.focus()
            page.keyboard.type(words.split()[-1])
            page.keyboard.press("Enter")
        else:
            page.locator(f'.found [data-choices="{words}"]').click()
        return
    page.locator(f'[data-choices="{words}"]').first.click()


def answers(table: Table) -> list[str]:
    """What people tell of the last choice: all that chance brought (dice, in what is played here)."""
    return [step.text for step in table.steps if step.stream is not None]


def saved(page: Page, folder: Path) -> companion_log.Record:
    """The log that the page writes, read by the referee in Python."""
    page.get_by_label("More", exact=True).click()
    with page.expect_download() as download:
        page.locator("details.menu").get_by_role("button", name="Log", exact=True).click()
    path = folder / "told.log"
    download.value.save_as(path)
    log = companion_log.read(Source(str(path), path.read_text(encoding="utf-8")))
    return companion_log.resumed(game_of(log.game, log.seats), log)


def test_roma_is_followed_on_a_phone(people: People, tmp_path: Path) -> None:
    """Hidden cards by name, dice one after the other; a wrong die is corrected; a reload loses nothing."""
    page, table = people(accept_downloads=True, viewport=PHONE), Table("roma", 7)
    begin(page, exported("roma", tmp_path, "--companion"))
    for number in range(14):
        seat = table.truth.decisions()[0].waiting.seat
        choose(page, table.choose(seat), keyboard=number == 2)
        told = answers(table)
        if told and panel(page).count() == 0:
            expect(panel(page)).to_have_count(1)
        for index, text in enumerate(told):
            if index == 1:
                page.reload()
                expect(panel(page)).to_contain_text("Told so far")
            if index == 2:
                other = next(face for face in "123456" if face != told[1])
                panel(page).get_by_role("button", name="Take back the last answer").click()
                panel(page).locator(f'[data-outcome="{other}"]').click()
                panel(page).get_by_role("button", name="Take back the last answer").click()
                panel(page).locator(f'[data-outcome="{told[1]}"]').click()
            panel(page).locator("h2").focus()
            page.keyboard.press(text)
    expect(panel(page)).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    record = saved(page, tmp_path)
    assert record.companion.match.view(SPECTATOR) == table.truth.view(SPECTATOR)
    assert len(record.companion.turns) == 15


def test_a_contradiction_is_refused_with_a_reason_and_taken_back(people: People, tmp_path: Path) -> None:
    page = people(accept_downloads=True)
    begin(page, exported("kuhn_poker", tmp_path, "--companion"))
    expect(page.locator(".prompt [data-asked]")).to_contain_text("Player A")
    choose(page, "pass", keyboard=False)
    choose(page, "pass", keyboard=False)
    told: list[str] = []
    while panel(page).count():
        told.append(panel(page).locator("[data-outcome]").first.get_attribute("data-outcome") or "")
        panel(page).locator("[data-outcome]").first.click()
        page.wait_for_timeout(SETTLED)
        if len(told) > 1:
            expect(page.get_by_role("alert")).to_contain_text("cannot be")
            break
    assert told[0] == told[-1]
