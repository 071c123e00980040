"""Clicks that follow each other quickly: none is lost, whether or not the choice before is acknowledged."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import rulewright
from interpreter.game import Game
from interpreter.match import Match
from rulewright.presentation.description import describe
from rulewright.presentation.position import position
from tests.browser.end_to_end.hands import LIT, sit_down
from tests.browser.end_to_end.house import House, exported

PAUSE = 0.15
"""Seconds between clicks."""
NUMBERS = [40, pytest.param(1000, marks=pytest.mark.long)]
POINT = """(key) => {
    const things = [...document.querySelectorAll(".table-root [data-thing]")];
    const thing = things.find((one) => one.dataset.thing === key);
    const { left, top, width, height } = thing.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
}"""


def thing_of(game: Game, choice: dict[str, Any]) -> str | None:
    """The key of the cell on which a choice lies; None if it lies on no cell."""
    value = choice["value"]
    if value is None or value[0] not in ("piece", "enum"):
        return None
    if value[0] == "enum":
        return f"value square {value[2]}" if value[1] == "square" else None
    at = describe(game)["places"][value[1]]["at"]
    return None if at is None else f"value square {at}"


def moves(game: Game, number: int, seed: int) -> Iterator[tuple[str, str]]:
    """The cells and the words of random choices in one match that go on boards alone."""
    random, match = Random(seed), Match(game, seed=seed).start()
    for _ in range(number):
        if match.over:
            return
        seat = match.waiting()[0].seat
        (decision,) = position(match, seat)["decisions"]
        found = [(key, choice["words"]) for choice in decision["choices"] if (key := thing_of(game, choice))]
        if not found:
            return
        key, words = random.choice(found)
        match.choose(match.game.names.seat(seat), words)
        yield key, words


class Clock:
    """Clicks at a steady pace, and says how many there were."""

    def __init__(self, page: Page) -> None:
        self.page, self.next, self.clicks = page, 0.0, 0

    def wait(self) -> None:
        """Waits until the next click is due."""
        if (left := self.next - time.monotonic()) > 0:
            self.page.wait_for_timeout(1000 * left)

    def click(self, point: tuple[float, float]) -> None:
        self.wait()
        self.next = time.monotonic() + PAUSE
        self.page.mouse.click(*point)
        self.clicks += 1


@pytest.mark.parametrize("number", NUMBERS)
def test_two_people_at_one_file_lose_no_click(number: int, people: Any, tmp_path: Path) -> None:
    """They play from memory: nobody looks whether the table is ready for the next click."""
    game = rulewright.open_game("chess")
    page: Page = people(viewport={"width": 1366, "height": 768})
    page.goto(exported("chess", tmp_path).as_uri())
    page.wait_for_selector(".table-root")
    clock, seed, done = Clock(page), 0, 0
    while done < number:
        page.get_by_label("More", exact=True).click()
        page.get_by_role("button", name="New match").click()
        page.get_by_label("Seat 2").select_option("human")
        page.get_by_role("button", name="Begin").click()
        page.wait_for_selector(".table-root .thing[data-state='offered']")
        understood(page)
        before = seq(page)
        points: dict[str, tuple[float, float]] = {}
        expected = list(moves(game, number - done, seed))
        for key, _ in expected:
            point = points.get(key) or tuple(page.evaluate(POINT, key))
            points[key] = point
            clock.click(point)
        page.wait_for_timeout(100)
        done, seed = done + len(expected), seed + 1
        assert seq(page) == before + len(expected)
        assert not page.locator(".untaken").count()
    assert clock.clicks == number


@pytest.mark.parametrize("number", NUMBERS)
def test_at_a_server_no_click_is_lost(number: int, house: House, people: Any) -> None:
    """Against a bot that answers at once: as soon as something lights up it is clicked."""
    page: Page = people(viewport={"width": 1366, "height": 768})
    clock, random = Clock(page), Random(number)
    while clock.clicks < number:
        sit_down(page, house.url, "chess", [], 2)
        understood(page)
        while clock.clicks < number:
            clock.wait()
            if (thing := lit_alone(page, random)) is None:
                break
            before = seq(page)
            clock.click(thing)
            waited = time.monotonic()
            while seq(page) == before:
                assert time.monotonic() - waited < 30, f"click {clock.clicks} was lost"
                page.wait_for_timeout(5)
    assert clock.clicks == number
    assert not page.locator(".untaken").count()


def seq(page: Page) -> int:
    return int(page.evaluate("document.querySelector('.table-root').dataset.seq"))


def understood(page: Page) -> None:
    """Puts away what is explained in a first match, and only there: the board has its place."""
    if (guide := page.locator(".guide button")).count():
        guide.last.click()


def lit_alone(page: Page, random: Random) -> tuple[float, float] | None:
    """The middle of something that lights up, once something does; None at the end, and for buttons."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = page.evaluate_handle(LIT).get_properties().values()
        things = [one for each in found if (one := each.as_element())]
        lit = [one for one in things if one.get_attribute("data-thing")]
        if lit and len(lit) == len(things):
            box = random.choice(lit).bounding_box()
            assert box is not None
            return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if things or "The match is over" in page.locator(".asked").inner_text():
            return None
        page.wait_for_timeout(5)
    raise AssertionError("nobody is asked")


LATE = """
const Real = WebSocket;
window.WebSocket = class extends Real {
    set onmessage(hear) {
        super.onmessage = (event) => setTimeout(() => hear(event), 800);
    }
};"""
"""What the server says is heard 800 ms later."""


def test_a_click_before_the_acknowledgement_waits_for_it(house: House, people: Any) -> None:
    """All squares are clicked before anything is known of the first choice. The third click comes after the
    whole move: nothing is asked any more that it could answer, and it is shown not to be taken."""
    page: Page = people(viewport={"width": 1366, "height": 768})
    page.add_init_script(LATE)
    sit_down(page, house.url, "chess", [], 2)
    page.wait_for_selector(".thing[data-state='offered']")
    clock, before = Clock(page), seq(page)
    for name in ("e2", "e4", "d2"):
        box = page.locator(f".table-root .thing[aria-label^='{name}:']").bounding_box()
        assert box is not None
        clock.click((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    assert seq(page) == before
    expect(page.locator(".untaken")).to_be_visible()
    expect(page.locator(".story")).to_contain_text("e4")
    assert not page.locator(".details").count()
