"""The companion of a physical table in a browser, over a real server: told by click and by keyboard."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import BrowserContext, Page, expect

import rulewright
from interpreter.match import Match
from tests.serve.clients import serving

SETTLED = 450
"""Milliseconds after which the table takes a click."""


@contextmanager
def running(folder: Path, *games: str) -> Iterator[str]:
    """A server on a thread. Yields its address."""
    ready, stop = threading.Event(), threading.Event()
    found: list[str] = []

    async def main() -> None:
        async with serving(folder, *games) as served:
            found.append(served.url)
            ready.set()
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    try:
        assert ready.wait(30)
        yield found[0]
    finally:
        stop.set()
        thread.join(30)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("served"), "roma", "pig", "roll_through_the_ages") as url:
        yield url


def begin(page: Page, address: str, game: str) -> None:
    """Make a companion table by the form, in English."""
    page.goto(f"{address}/game/{game}")
    page.get_by_role("button", name="A physical table").click()
    expect(page.get_by_text("Minutes for each player")).to_have_count(0)
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".prompt [data-asked]")).to_be_visible()


@pytest.fixture
def context(browser: object) -> Iterator[BrowserContext]:
    context = browser.new_context(locale="en", viewport={"width": 1280, "height": 900})  # type: ignore[attr-defined]
    yield context
    context.close()


def test_the_first_turns_of_roma(page: Page, address: str) -> None:
    """Hidden cards are chosen by name, one by keyboard and then by click; two pages show the same."""
    begin(page, address, "roma")
    truth, random = Match(rulewright.open_game("roma"), seed=7).start(), Random(7)
    cards, named = truth.game.rules.components["card"].classes, 0
    for _ in range(12):
        decision = truth.decisions()[0]
        words = random.choice(decision.choices).text
        page.wait_for_timeout(SETTLED)
        if words not in cards:
            page.locator(f'[data-choices="{words}"]').first.click()
        elif named == 0:
            search = page.get_by_role("searchbox")
            search.focus()
            page.keyboard.type(words)
            expect(page.locator(".found button.main")).to_have_attribute("data-choices", words)
            page.keyboard.press("Enter")
        else:
            page.locator(f'.found [data-choices="{words}"]').click()
        named += words in cards
        truth.choose(decision.seat, words)
        page.wait_for_timeout(100)
        expect(page.locator(".prompt-bar .notice")).to_have_count(0)
    assert named >= 4
    other = page.context.new_page()
    other.goto(f"{page.url.partition('?')[0]}?seat=1")
    expect(other.locator(".prompt [data-asked]")).to_have_text(
        page.locator(".prompt [data-asked]").inner_text()
    )


def test_a_die_is_told_and_taken_back(page: Page, address: str) -> None:
    """The question survives a reload; a wrong die is told again; a choice is taken back without consent."""
    begin(page, address, "pig")
    page.wait_for_timeout(SETTLED)
    throw = page.locator(".prompt button[data-choices]").first
    throw.click()
    panel = page.get_by_role("region", name="From your table")
    expect(panel.locator("[data-outcome]")).to_have_count(6)
    page.reload()
    panel.locator('[data-outcome="4"]').click()
    expect(panel).to_have_count(0)
    page.wait_for_timeout(SETTLED)
    page.get_by_role("button", name="Take back").click()
    expect(panel.locator("h2")).to_be_focused()
    page.keyboard.press("6")
    expect(panel).to_have_count(0)
    expect(page.locator("#table")).to_contain_text("6")
    for _ in range(2):
        page.wait_for_timeout(SETTLED)
        page.get_by_role("button", name="Take back").click()
        panel.get_by_role("button", name="Cancel the choice").click()
        expect(panel).to_have_count(0)
        expect(throw).to_be_visible()
        page.wait_for_timeout(SETTLED)
        throw.click()
        panel.locator('[data-outcome="5"]').click()
        expect(panel).to_have_count(0)


def test_dice_are_tapped_without_waiting(page: Page, address: str) -> None:
    """Of several dice each is told in its turn, though the server has not answered to the one before."""
    page.goto(f"{address}/game/roll_through_the_ages")
    page.get_by_role("button", name="A physical table").click()
    page.get_by_role("button", name="Start").click()
    panel = page.get_by_role("region", name="From your table")
    panel.locator("[data-outcome]").first.wait_for()
    tap = 'document.querySelectorAll(".companion [data-outcome]")[i].click()'
    page.evaluate(f"() => [0, 1, 5].forEach((i) => {tap})")
    expect(panel).to_have_count(0)
    expect(page.locator(".story")).to_contain_text("coins")
    expect(page.locator(".story")).to_contain_text("3 food")
