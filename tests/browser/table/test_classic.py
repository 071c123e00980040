"""Classic games as people know them: sides, men, ships, what is folded."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table.stage import Stage

Stages = Callable[..., Stage]


def height(page: Page, place: str) -> float:
    """How far down a square is drawn."""
    box = page.locator(f".cell[aria-label^='{place}:']").first.bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize(("seat", "below"), [(0, "a1"), (1, "a8")])
def test_ones_own_side_is_below_until_the_board_is_turned(
    stage: Stages, page: Page, seat: int, below: str
) -> None:
    above = {"a1": "a8", "a8": "a1"}[below]
    stage("chess", seat=seat).open()
    assert height(page, below) > height(page, above)
    page.get_by_role("button", name="Turn the board").click()
    assert height(page, below) < height(page, above)


def test_men_are_drawn_and_have_names(stage: Stages, page: Page) -> None:
    stage("chess").open()
    expect(page.locator(".cell .figure")).to_have_count(32)
    expect(page.locator(".cell[aria-label^='e1: king of A']")).to_have_count(1)


def test_what_only_the_rules_remember_is_folded(stage: Stages, page: Page) -> None:
    stage("chess").open()
    line = page.locator(".remembered li", has_text="right to castle").first
    expect(line).to_be_hidden()
    page.get_by_text("What the rules remember").click()
    expect(line).to_be_visible()


def test_a_ship_covers_its_places(stage: Stages, page: Page) -> None:
    stage("battleship").play(20).open()
    expect(page.locator(".hull")).to_have_count(17)


def test_other_hands_are_numbers(stage: Stages, page: Page) -> None:
    stage("hearts", seats=4).play_until_asked().open()
    others = page.locator(".seat[data-own='false']")
    expect(others.locator(".zone.as-hand")).to_have_count(0)
    expect(others.first.locator("header")).to_contain_text("hand 13")


def test_grooves_are_narrower_than_squares(stage: Stages, page: Page) -> None:
    stage("quoridor").open()
    square, groove = (
        page.locator(f".cell[aria-label^='{place}'] > .outline").first.bounding_box()
        for place in ("a1", "b1")
    )
    assert square is not None
    assert groove is not None
    assert groove["width"] < 0.4 * square["width"]
    assert groove["height"] == pytest.approx(square["height"], abs=1)


def test_a_lane_tells_where_all_seats_are(stage: Stages, page: Page) -> None:
    stage("cribbage").open()
    expect(page.get_by_role("img", name="points of A 0, points of B 0")).to_be_visible()
    expect(page.locator(".lane .seat-sign")).to_have_count(2)


def test_signs_are_drawn_in_the_colour_of_their_text(stage: Stages, page: Page) -> None:
    stage("henhouse").open()
    expect(page.locator(".as-hand svg.emblem.outlined").first).to_be_visible()
    expect(page.locator(".value svg.icon.outlined").first).to_be_visible()
