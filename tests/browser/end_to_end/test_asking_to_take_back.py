"""Taking back what others have answered already: they are asked, at two browsers."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands, sit_down
from tests.browser.end_to_end.house import House

OFFERED = """(number) => {
    const offered = [...document.querySelectorAll("[data-choices]")].map((it) => it.dataset.choices);
    return new Set(offered).size === number;
}"""


def test_the_other_player_is_asked_and_agrees(house: House, people: People) -> None:
    ann, ben = people(), people()
    sit_down(ann, house.url, "tic_tac_toe", [ben], 2)
    for page in (ann, ben):
        page.wait_for_function("() => document.querySelector('[data-choices]')")
        Hands(page).choose()
    ann.wait_for_function(OFFERED, arg=7)
    ann.get_by_role("button", name="Ask to take back").click()
    ben.get_by_role("button", name="Agree").click()
    ann.wait_for_function(OFFERED, arg=9)
    assert len(Hands(ann).look()["words"]) == 9
    assert not Hands(ben).look()["words"]


def test_what_was_picked_up_is_marked_again_when_its_target_is_taken_back(
    house: House, people: People
) -> None:
    ann = people()
    sit_down(ann, house.url, "chess", [], 2)
    picked = ann.locator("[data-picked]")
    for square in ("e2", "e4"):
        expect(picked).to_have_count(0 if square == "e2" else 1)
        ann.locator(f"[data-state='offered'][aria-label^='{square}:']").press("Enter")
    ann.wait_for_function("() => document.querySelectorAll('[data-choices]').length > 2")
    expect(picked).to_have_count(0)
    ann.get_by_role("button", name="Take back").click()
    expect(picked).to_have_attribute("aria-label", "e2: pawn of A")
    ann.wait_for_timeout(400)
    ann.get_by_role("button", name="Take back").click()
    expect(picked).to_have_count(0)
    expect(ann.locator("[data-state='offered'][aria-label^='e2:']")).to_be_visible()


def test_what_was_picked_up_is_marked_after_the_page_was_loaded_anew(house: House, people: People) -> None:
    ann = people()
    sit_down(ann, house.url, "chess", [], 2)
    ann.locator("[data-state='offered'][aria-label^='e2:']").press("Enter")
    picked = ann.locator("[data-picked]")
    expect(picked).to_have_attribute("aria-label", "e2: pawn of A")
    ann.reload()
    expect(picked).to_have_attribute("aria-label", "e2: pawn of A")
    expect(ann.locator("[data-state='offered'][aria-label^='e4']")).to_be_visible()
