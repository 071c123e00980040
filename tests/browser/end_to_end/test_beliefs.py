"""What could be known, below the replay: step by step after the end, for each seat."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands, play_out, sit_down
from tests.browser.end_to_end.house import House

PICTURES = os.environ.get("RULEWRIGHT_PICTURES")
"""A folder for pictures of the page, to look at."""


def pictured(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def looked_back(page: Page) -> None:
    """Opens the replay at its start, and what could be known."""
    page.get_by_role("button", name="Look back").click()
    summary = page.locator(".beliefs > summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".beliefs")).to_have_attribute("open", "")


@pytest.mark.parametrize("name", ["kuhn_poker", pytest.param("roma", marks=pytest.mark.long)])
def test_what_could_be_known_is_beside_the_replay(name: str, house: House, people: People) -> None:
    ann, ben = people(viewport={"width": 1280, "height": 900}), people()
    sit_down(ann, house.url, name, [ben], 2)
    play_out([Hands(page, seed, mouse=0.5) for seed, page in enumerate((ann, ben))])
    looked_back(ann)
    slider = ann.get_by_label("Step of the match")
    slider.focus()
    for _ in range(3):
        ann.keyboard.press("ArrowRight")
    believer = ann.locator(".believer[aria-busy=false]")
    expect(believer.locator(".chances li").first).to_be_visible(timeout=30_000)
    expect(believer).to_have_count(1)
    expect(believer.get_by_text("was there").first).to_be_visible()
    pictured(ann, f"{name}-one-seat")
    ann.get_by_label("Seen by").select_option("-2")
    expect(ann.locator(".believer[aria-busy=false]")).to_have_count(2, timeout=30_000)
    for seat, other in (("Ann", "Ben"), ("Ben", "Ann")):
        section = ann.get_by_role("region", name=f"What {seat} could know")
        expect(section.get_by_text(other).first).to_be_visible(timeout=30_000)
    pictured(ann, f"{name}-all-seats")
    ann.set_viewport_size({"width": 390, "height": 844})
    assert ann.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    pictured(ann, f"{name}-narrow")


def test_who_plays_is_told_nothing_before_the_end(house: House, people: People) -> None:
    ann, ben, eve = people(), people(), people()
    address = sit_down(ann, house.url, "leduc_poker", [ben], 2)
    eve.goto(address)
    eve.wait_for_selector(".table-root")
    for page in (ann, eve):
        page.get_by_role("button", name="Replay", exact=True).click()
    expect(eve.locator(".beliefs > summary")).to_be_visible()
    eve.locator(".beliefs > summary").click()
    expect(eve.locator(".believer .chances li").first).to_be_visible(timeout=30_000)
    expect(eve.get_by_text("was there")).to_have_count(0)
    expect(ann.locator(".replay")).to_be_visible()
    expect(ann.locator(".beliefs")).to_have_count(0)
    pictured(eve, "leduc-spectator")


def test_what_was_there_is_told_when_the_match_ends_meanwhile(house: House, people: People) -> None:
    ann, ben, eve = people(), people(), people()
    address = sit_down(ann, house.url, "kuhn_poker", [ben], 2)
    eve.goto(address)
    eve.wait_for_selector(".table-root")
    eve.get_by_role("button", name="Replay", exact=True).click()
    eve.locator(".beliefs > summary").click()
    expect(eve.locator(".believer .chances li").first).to_be_visible(timeout=30_000)
    play_out([Hands(page, seed) for seed, page in enumerate((ann, ben))])
    expect(eve.get_by_text("was there")).to_have_count(3, timeout=30_000)


def test_what_took_too_long_can_be_asked_again(house: House, people: People) -> None:
    ann, ben = people(), people()
    sit_down(ann, house.url, "kuhn_poker", [ben], 2)
    play_out([Hands(page, seed) for seed, page in enumerate((ann, ben))])
    ann.route("**/beliefs?*", lambda route: route.fulfill(json={"failed": ""}))
    looked_back(ann)
    again = ann.locator(".believer").get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    ann.unroute("**/beliefs?*")
    again.focus()
    ann.keyboard.press("Enter")
    expect(ann.locator(".believer .chances li").first).to_be_visible(timeout=30_000)
