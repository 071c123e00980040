"""A connection that is lost without a word is noticed at once; what is chosen meanwhile arrives once."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands, sit_down
from tests.browser.end_to_end.house import House

SOON = 15.0
"""Seconds in which the page must have noticed: it does within five, where the machine is not busy."""


class Swallower:
    """The network between a page and its server, which may lose everything and tell nobody."""

    def __init__(self, page: Page) -> None:
        self.swallows = False
        page.route_web_socket("**/socket*", self._connected)

    def _connected(self, socket: WebSocketRoute) -> None:
        if self.swallows:
            return
        server = socket.connect_to_server()
        socket.on_message(lambda text: self.swallows or server.send(text))
        server.on_message(lambda text: self.swallows or socket.send(text))


def cut_by_swallowing(page: Page) -> Callable[[bool], None]:
    network = Swallower(page)
    return lambda cut: setattr(network, "swallows", cut)


def cut_by_the_browser(page: Page) -> Callable[[bool], None]:
    return page.context.set_offline


@pytest.mark.parametrize("way", [cut_by_swallowing, cut_by_the_browser])
def test_a_silent_loss_is_noticed_and_loses_nothing(
    way: Callable[[Page], Callable[[bool], None]], house: House, people: People
) -> None:
    ann, ben = people(), people()
    cut = way(ann)
    sit_down(ann, house.url, "tic_tac_toe", [ben], 2)
    hands = [Hands(ann, 1), Hands(ben, 2)]
    for person in hands:
        person.page.wait_for_selector("[data-choices]")
        assert person.choose()
    ann.wait_for_function("() => document.querySelectorAll('[data-choices]').length === 7")
    cut(True)
    begun = time.monotonic()
    expect(ann.get_by_text("The connection is lost")).to_be_visible(timeout=1000 * SOON)
    assert time.monotonic() - begun < SOON
    before = hands[0].seen()
    thing = hands[0].lit()[0]
    words = thing.evaluate("(thing) => thing.dataset.choices")
    thing.press("Enter")
    expect(ann.get_by_text("What you have chosen is kept")).to_be_visible()
    expect(ann.locator("[data-pending]")).to_have_attribute("data-choices", words)
    ann.wait_for_timeout(5000)
    expect(ann.get_by_text("The connection is lost")).to_be_visible()
    assert not hands[1].look()["words"]
    cut(False)
    hands[0].wait_for_change(before, "a choice made while the connection was lost")
    expect(ann.get_by_text("The connection is lost")).to_be_hidden()
    expect(ann.locator("[data-pending]")).to_have_count(0)
    ben.wait_for_function("() => document.querySelectorAll('[data-choices]').length === 6")
    match = ann.url.rsplit("/", 1)[1]
    told = ben.evaluate(
        "async (id) => (await fetch(`/api/matches/${id}/log?seat=1`)).json()", match.split("?")[0]
    )
    assert [entry["words"] for entry in told["entries"] if entry["seat"] == 0].count(words) == 1


def test_a_quiet_table_is_not_taken_for_a_lost_one(house: House, people: People) -> None:
    ann, ben = people(), people()
    sit_down(ann, house.url, "tic_tac_toe", [ben], 2)
    ann.evaluate(
        """() => {
        window.lost = 0;
        const look = () => document.body.textContent.includes("The connection is lost") && window.lost++;
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    }"""
    )
    ann.wait_for_timeout(9000)
    assert ann.evaluate("window.lost") == 0
