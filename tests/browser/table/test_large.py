"""Tables of games that are larger than those that come along."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from interpreter.game import Game
from tests.browser.table.large import LARGE, cards, land, stones
from tests.browser.table.stage import Stage

SLOWEST_MS = 500
"""On an idle machine it is less than a fifth of this."""
MEASURE = """async () => {
    const state = JSON.parse(await window.stage_state(0));
    const found = [];
    for (let i = 0; i < 5; i += 1) {
        const start = performance.now();
        i % 2 ? window.again() : window.put(structuredClone(state));
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
        document.body.getBoundingClientRect();
        found.push(performance.now() - start);
    }
    return found.sort((a, b) => a - b)[1];
}"""


@pytest.mark.parametrize("make", LARGE.values(), ids=LARGE)
def test_a_large_game_is_drawn_soon(make: Callable[[], Game], page: Page) -> None:
    Stage(page, make()).play(12).play_until_asked().open()
    assert page.locator(".thing[data-state='offered']").count() > 40
    assert page.evaluate(MEASURE) < SLOWEST_MS


@pytest.mark.parametrize("make", [stones, land])
def test_places_of_a_large_board_can_be_hit_on_a_phone(make: Callable[[], Game], page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    Stage(page, make()).open()
    sizes = page.eval_on_selector_all(
        ".cell[data-state='offered'] > .outline",
        "all => all.map(e => Math.min(e.getBoundingClientRect().width, e.getBoundingClientRect().height))",
    )
    assert min(sizes) >= 24
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_every_card_of_a_large_hand_can_be_read(page: Page) -> None:
    Stage(page, cards()).open()
    held = page.locator(".zone.as-hand .thing[data-state='offered']")
    expect(held).to_have_count(60)
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"
    assert held.locator(".piece").evaluate_all(cut) == []
