"""Tables of games that are larger than those that come along."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from interpreter.game import Game
from tests.browser.table.large import LARGE, cards, land, stones
from tests.browser.table.stage import Stage

SLOWEST_MS = 500
"""Of the time of the page's own thread, which other programs do not lengthen."""
DRAW = """async (again) => {
    again ? window.again() : window.put(JSON.parse(await window.stage_state(0)));
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    document.body.getBoundingClientRect();
}"""


@pytest.mark.parametrize("make", LARGE.values(), ids=LARGE)
def test_a_large_game_is_drawn_soon(make: Callable[[], Game], page: Page) -> None:
    Stage(page, make()).play(12).play_until_asked().open()
    assert page.locator(".thing[data-state='offered']").count() > 40
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(it["value"] for it in metrics if it["name"] == "TaskDuration"))

    took = []
    for again in (False, True, False, True, False):
        before = spent()
        page.evaluate(DRAW, again)
        took.append(spent() - before)
    assert 0 < sorted(took)[1] < SLOWEST_MS, took


@pytest.mark.parametrize("make", [stones, land])
def test_places_of_a_large_board_can_be_hit_on_a_phone(make: Callable[[], Game], page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    Stage(page, make()).open()
    sizes = page.eval_on_selector_all(
        ".cell[data-state='offered'] > .outline",
        "all => all.map(e => Math.min(e.getBoundingClientRect().width, e.getBoundingClientRect().height))",
    )
    moved = page.locator(".picture").evaluate("it => it.scrollWidth > it.clientWidth + 1")
    assert min(sizes) >= (24 if moved else 16)  # a board that is seen whole can be zoomed
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_every_card_of_a_large_hand_can_be_read(page: Page) -> None:
    Stage(page, cards()).open()
    held = page.locator(".zone.as-hand .thing[data-state='offered']")
    expect(held).to_have_count(60)
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"
    assert held.locator(".piece").evaluate_all(cut) == []
