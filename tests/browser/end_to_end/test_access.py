"""Every bundled game without a mouse, without eyes, on a telephone, in light and dark."""

from __future__ import annotations

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, WebSocket

import rulewright
from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import POINT, Hands, play_out, sit_down
from tests.browser.end_to_end.house import House
from tests.browser.end_to_end.other_hands import Keys, Names, told_words
from tests.browser.end_to_end.test_whole_plays import fewest_seats

SAMPLES = ("kuhn_poker", "roma", "trajan")
TO_THE_END = ("connect_four", "kuhn_poker", "leduc_poker", "tic_tac_toe")
PHONE = {"width": 360, "height": 740}
SMALL = """() => [...document.querySelectorAll("button, summary, select, input, a.button, [role=button]")]
    .filter((each) => each.checkVisibility() && !each.closest(".unseen"))
    .map((each) => [each.outerHTML.slice(0, 160), each.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 23.5 && width > 0)
    .map(([text, { width, height }]) => `${width.toFixed(1)} x ${height.toFixed(1)}: ${text}`)"""
"""Targets that are smaller than 24 pixels."""
AMBIGUOUS = """() => {
    const found = new Map();
    for (const thing of document.querySelectorAll(".table-root .thing[data-choices]")) {
        const name = thing.getAttribute("aria-label");
        found.set(name, (found.get(name) ?? new Set()).add(thing.dataset.choices));
    }
    return [...found].filter(([, choices]) => choices.size > 1).map(([name]) => name);
}"""
"""Names that several things have which stand for different choices."""


def every(samples: tuple[str, ...] = SAMPLES) -> list[Any]:
    """All bundled games; those that are no samples are long."""
    long = pytest.mark.long
    return [pytest.param(name, marks=() if name in samples else long) for name in rulewright.bundled()]


def check_axe(page: Page) -> None:
    """Nothing serious or critical, neither in light nor in dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(350)  # colours change slowly
        found = Axe().run(page).response["violations"]
        worst = [it for it in found if it["impact"] in ("serious", "critical")]
        told = [
            (it["id"], node["html"][:300], node.get("failureSummary")) for it in worst for node in it["nodes"]
        ]
        assert told == [], scheme


def check_width(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def check_lit(hands: Hands) -> None:
    """All that lights up has a point that can be touched, wherever the page was scrolled to."""
    hands.page.evaluate("scrollTo(0, 1e6)")
    hands.page.wait_for_timeout(50)
    for thing in hands.lit():
        assert thing.evaluate(POINT), thing.evaluate("(thing) => thing.outerHTML.slice(0, 200)")


def play_some(hands: Hands, turns: int) -> None:
    """Makes so many choices, or fewer if the match ends."""
    made = 0
    for _ in range(turns * 100):
        if made == turns or hands.look()["over"]:
            return
        if hands.choose() is None:
            hands.page.wait_for_timeout(30)
        else:
            made += 1
    raise AssertionError("nothing is asked any more")


def until_asked(hands: Hands) -> bool:
    """Waits until something is asked; false at the end of the match."""
    for _ in range(200):
        now = hands.look()
        if now["words"] or now["over"]:
            return bool(now["words"])
        hands.page.wait_for_timeout(30)
    raise AssertionError("nothing is asked any more")


@pytest.mark.parametrize("name", every())
def test_keys_alone_lead_everywhere(name: str, house: House, people: People) -> None:
    page = people(reduced_motion="reduce")
    last: list[dict[str, Any]] = []

    def hear(socket: WebSocket) -> None:
        socket.on("framereceived", note)

    def note(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "position":
            last[:] = [message["position"]]

    page.on("websocket", hear)
    sit_down(page, house.url, name, [], fewest_seats(name))
    hands = Keys(page, 41)
    if name in TO_THE_END:
        play_out([hands])
        return
    for _ in range(10):
        if until_asked(hands):
            page.wait_for_timeout(50)
            assert hands.look()["words"] == told_words(last[0])
            assert page.evaluate(AMBIGUOUS) == []
            play_some(hands, 1)


@pytest.mark.parametrize("name", every())
def test_roles_and_names_suffice(name: str, house: House, people: People) -> None:
    page = people(reduced_motion="reduce")
    sit_down(page, house.url, name, [], fewest_seats(name))
    hands = Names(page, 43)
    if name in TO_THE_END:
        play_out([hands])
    else:
        play_some(hands, 10)


@pytest.mark.parametrize("name", every())
def test_all_is_large_enough_and_can_be_reached(name: str, house: House, people: People) -> None:
    page = people(reduced_motion="reduce", has_touch=True)
    sit_down(page, house.url, name, [], fewest_seats(name))
    hands = Hands(page, 44)
    for _ in range(2):
        for size in ({"width": 1280, "height": 800}, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            if until_asked(hands):
                check_width(page)
                check_lit(hands)
                assert page.evaluate(SMALL) == [], size
        play_some(hands, 8)


def test_a_mark_in_the_lobby_is_as_wide_as_its_text(house: House, people: People) -> None:
    page = people()
    page.goto(house.url)
    mark = page.locator(".game", has_text="Augustus").locator(".chip")
    mark.wait_for()
    found = mark.evaluate("(one) => [one.getBoundingClientRect().width, one.parentElement.clientWidth]")
    assert found[0] < 0.85 * found[1]


@pytest.mark.parametrize("name", every())
def test_axe_finds_nothing_serious(name: str, house: House, people: People) -> None:
    page, guest = people(reduced_motion="reduce"), people()
    page.goto(f"{house.url}/game/{name}")
    page.get_by_role("button", name="Anybody").click()
    check_axe(page)
    sit_down(page, house.url, name, [], fewest_seats(name))
    hands = Hands(page, 45)
    play_some(hands, 6)
    until_asked(hands)
    check_axe(page)
    if name in SAMPLES[:2]:
        play_out([hands])
        check_axe(page)
    if name == SAMPLES[0]:
        page.goto(house.url)
        page.get_by_role("heading", name="Games").wait_for()
        check_axe(page)
        page.goto(f"{house.url}/game/{name}")
        page.get_by_role("button", name="Anybody").click()
        page.locator("form button[type=submit]").click()
        page.wait_for_url("**/match/*")
        check_axe(page)
        guest.goto(page.url)
        guest.get_by_role("button", name="Sit down").wait_for()
        check_axe(guest)


def test_axe_finds_nothing_serious_in_what_opens(house: House, people: People) -> None:
    """The line for a first match, hints, arrows, a tip and a window of a thing, a move that is planned,
    settings with sounds, keys, the menu, seats and links."""
    ann, ben = people(reduced_motion="reduce"), people(reduced_motion="reduce")
    sit_down(ann, house.url, "tic_tac_toe", [ben], 2)
    until_asked(Hands(ann, 47))
    ann.locator(".guide").wait_for()
    ann.get_by_role("button", name="Hint", exact=True).press("Enter")
    ann.locator(".hint li").first.wait_for(timeout=60_000)
    ann.set_viewport_size({"width": 390, "height": 400})
    ann.evaluate("scrollTo(0, 1e6)")
    ann.locator(".out-of-sight button").first.wait_for()
    check_axe(ann)
    ann.set_viewport_size({"width": 1280, "height": 800})
    lit = ann.locator(".thing[data-state='offered']").first
    lit.hover()
    ann.locator(".tip").wait_for()
    check_axe(ann)
    lit.press("i")
    ann.locator(".details").wait_for()
    check_axe(ann)
    ann.keyboard.press("Escape")
    play_some(Hands(ann, 47), 1)
    until_asked(Hands(ben, 48))
    ann.locator(".cell[data-state='plain']").last.dispatch_event("click")
    ann.locator("[data-planned]").wait_for()
    check_axe(ann)
    for name in ("Settings", "Help", "Seats and links"):
        ann.get_by_role("button", name=name, exact=True).click()
        ann.locator("dialog[open]").wait_for()
        check_axe(ann)
        ann.keyboard.press("Escape")
        ann.locator("dialog[open]").wait_for(state="hidden")
    ann.locator(".menu > summary").click()
    check_axe(ann)
