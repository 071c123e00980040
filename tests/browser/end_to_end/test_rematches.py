"""A rematch is agreed to at two browsers, and both go there when it begins."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands, sit_down
from tests.browser.end_to_end.house import House


def give_up(page: Page) -> None:
    page.get_by_title("More", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def test_both_go_to_the_rematch_when_both_want_it(house: House, people: People) -> None:
    ann, ben = people(), people()
    address = sit_down(ann, house.url, "tic_tac_toe", [ben], 2)
    give_up(ann)
    for page in (ann, ben):
        expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    ann.get_by_role("button", name="Rematch").click()
    expect(ben.locator(".proposals")).to_contain_text("Ann would like a rematch")
    expect(ann.get_by_role("button", name="Withdraw")).to_be_visible()
    expect(ann.get_by_role("button", name="Rematch")).to_be_hidden()
    ben.get_by_role("button", name="No", exact=True).click()
    expect(ann.get_by_text("Ben does not want a rematch")).to_be_visible()
    ben.get_by_role("button", name="Rematch").click()
    ann.get_by_role("button", name="Agree").click()
    for page in (ann, ben):
        page.wait_for_function("(old) => !location.href.startsWith(old)", arg=address.split("?")[0])
        page.wait_for_selector(".table-root")
    assert ann.url == ben.url
    assert Hands(ben).choose(), "the seats are rotated"


def test_against_bots_it_begins_at_once_and_take_back_is_granted(house: House, people: People) -> None:
    ann = people()
    address = sit_down(ann, house.url, "connect_four", [], 2)
    hands = Hands(ann, 4)
    first = hands.choose()
    ann.wait_for_function("() => document.querySelectorAll('.story li').length >= 2")
    back = ann.get_by_role("button", name="Take back")
    expect(back).to_be_visible()
    ann.wait_for_timeout(400)
    before = hands.seen()
    back.click()
    hands.wait_for_change(before, "taking back")
    assert first in hands.look()["words"]
    expect(back).to_be_hidden()
    hands.choose()
    expect(back).to_be_visible()
    give_up(ann)
    expect(ann.get_by_role("region", name="Result")).to_be_visible()
    expect(back).to_be_hidden()
    ann.get_by_role("button", name="Rematch").click()
    ann.wait_for_function("(old) => !location.href.startsWith(old)", arg=address.split("?")[0])
    ann.wait_for_selector(".table-root")
