"""Several people at one device of a server: nothing of a seat is on the page when another one is asked."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands
from tests.browser.end_to_end.house import House

MAKE = """async (body) => {
    const headers = { "Content-Type": "application/json" };
    const made = await fetch("/api/matches", { method: "POST", headers, body: JSON.stringify(body) });
    return (await made.json()).match;
}"""
THINGS = """() => [...document.querySelectorAll(".table-root .thing")]
    .map((thing) => thing.getAttribute("aria-label") ?? thing.textContent.trim()).sort()"""
"""What lies on the table of a page, by its names; a screen reader reads no more."""
COVERED = """() => {
    const cover = document.querySelector("dialog.cover:modal");
    const { width, height } = cover.getBoundingClientRect();
    const ground = getComputedStyle(cover).backgroundColor;
    return width >= innerWidth && height >= innerHeight && !/rgba|transparent/.test(ground);
}"""


def at_one_device(page: Page, house: House, game: str, players: list[str], **more: Any) -> str:
    """A match of several people at one page. Returns its address."""
    page.goto(house.url)
    match = page.evaluate(MAKE, {"game": game, "seats": len(players), "players": players, **more})
    page.goto(f"{house.url}/match/{match}")
    page.wait_for_selector(".table-root", timeout=30_000)
    return page.url


def cover(page: Page, name: str) -> None:
    """The page is covered until a player is there."""
    expect(page.get_by_role("button", name=f"I am {name}")).to_be_visible()
    page.wait_for_selector(".table-root")
    assert page.evaluate(COVERED)


def shows_what_all_see(page: Page, watcher: Page) -> None:
    """Under its cover a page has what a spectator has."""
    for _ in range(50):
        if page.evaluate(THINGS) == watcher.evaluate(THINGS):
            break
        page.wait_for_timeout(50)
    assert page.evaluate(THINGS) == watcher.evaluate(THINGS)


def sit(page: Page) -> str:
    """Whoever is waited for takes the device. Returns who that is."""
    button = page.get_by_role("button", name="I am")
    name = button.inner_text().removeprefix("I am ")
    button.click()
    page.wait_for_selector("[data-choices]")
    return name


@pytest.mark.parametrize("game", ["kuhn_poker", "gin_rummy"])
def test_each_hand_over_is_covered(game: str, house: House, people: People) -> None:
    device, watcher = people(), people()
    address = at_one_device(device, house, game, ["me", "me"])
    watcher.goto(address)
    watcher.wait_for_selector(".table-root", timeout=30_000)
    hands = Hands(device, 5)
    seen = []
    for _ in range(5):
        device.wait_for_selector("dialog.cover[open], section.result")
        if hands.look()["over"]:
            break
        cover(device, "")
        shows_what_all_see(device, watcher)
        name = sit(device)
        assert device.evaluate(THINGS) != watcher.evaluate(THINGS), "the own hand is seen"
        seen.append(name)
        while hands.look()["words"] and not hands.look()["cover"]:
            hands.choose()
            device.wait_for_timeout(100)
    assert len(set(seen)) == 2


def test_nothing_leads_back_to_the_hand_of_another(house: House, people: People) -> None:
    """Reloading, going away and back, another seat from the list, and the end of the connection."""
    device, watcher = people(), people()
    address = at_one_device(device, house, "leduc_poker", ["me", "me"])
    watcher.goto(address)
    watcher.wait_for_selector(".table-root", timeout=30_000)
    sit(device)
    Hands(device, 1).choose()
    cover(device, "")
    for again in (
        device.reload,
        lambda: device.goto(f"{address}?seat=0"),
        lambda: (device.goto(house.url), device.go_back()),
    ):
        again()
        cover(device, "")
        shows_what_all_see(device, watcher)
    device.keyboard.press("Escape")
    device.keyboard.press("Escape")
    cover(device, "")
    asked = sit(device)
    device.reload()
    cover(device, asked)
    shows_what_all_see(device, watcher)
    sit(device)
    device.get_by_role("button", name="Seats and links").click()
    device.get_by_role("button", name="Play this seat").first.click()
    expect(device.get_by_role("button", name="I am")).to_be_visible()
    shows_what_all_see(device, watcher)
    device.get_by_role("button", name="I am").click()
    device.wait_for_function("() => !document.querySelector('dialog.cover')")
    device.wait_for_selector(".table-root")
    assert device.evaluate(THINGS) != watcher.evaluate(THINGS)


def test_who_gives_up_hands_the_device_over(house: House, people: People) -> None:
    device, watcher = people(), people()
    address = at_one_device(device, house, "hearts", ["me"] * 4)
    watcher.goto(address)
    watcher.wait_for_selector(".table-root", timeout=30_000)
    first = sit(device)
    device.get_by_title("More", exact=True).click()
    device.get_by_role("button", name="Resign").click()
    device.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(device.get_by_role("button", name="I am")).to_be_visible()
    assert first not in device.get_by_role("button", name="I am").inner_text()
    shows_what_all_see(device, watcher)


def test_an_open_game_goes_from_seat_to_seat_by_itself(house: House, people: People) -> None:
    device = people()
    at_one_device(device, house, "tic_tac_toe", ["me", "me"])
    hands = Hands(device, 3)
    while not hands.look()["over"]:
        device.wait_for_selector("[data-choices], section.result")
        hands.choose()
        assert not hands.look()["cover"]
    assert len(hands.chosen) >= 5
