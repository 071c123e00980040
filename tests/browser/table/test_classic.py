"""Classic games as people know them: sides, men, ships, what is folded."""

from __future__ import annotations

import itertools
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


def test_what_is_not_written_yet_is_no_zero(stage: Callable[..., Stage], page: Page) -> None:
    """Of a category that is filled with nothing a zero is written, beside its tick."""
    played = stage("yacht", seats=2).play(60).play_until_asked().open()
    assert played
    cells = page.locator(".ledger td[data-word]")
    texts = [text.strip() for text in cells.all_text_contents()]
    assert "" in texts
    assert all(text == "" or text.endswith("✓") for text in texts)


def test_a_board_on_which_nothing_is_chosen_is_small(stage: Callable[..., Stage], page: Page) -> None:
    """It stands beside the other one where there is room."""
    page.set_viewport_size({"width": 1440, "height": 900})
    stage("ultimate_tic_tac_toe").play(9).play_until_asked().open()
    board, told = (it.bounding_box() for it in page.locator(".picture svg[viewBox]").all()[:2])
    assert board is not None
    assert told is not None
    assert told["width"] < board["width"] / 2
    assert told["x"] > board["x"] + board["width"] / 2
    assert told["y"] + told["height"] < 900


def test_a_sign_stands_for_a_name_that_would_be_too_small(stage: Callable[..., Stage], page: Page) -> None:
    stage("trajan", seats=2).open()
    tiles = page.locator(".cell[aria-label*='stairs'] .on-board")
    assert tiles.count() > 0
    assert all(text.strip().isdigit() for text in tiles.all_text_contents())
    assert tiles.first.locator("path").count() == 1


SHOWN = """all => all.filter(card => {
    const { left, top, width, height } = card.getBoundingClientRect();
    return !card.contains(document.elementFromPoint(left + 0.1 * width, top + 0.12 * height));
}).map(card => card.textContent)"""
"""Cards whose corner lies under something."""


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_cards_of_a_column_overlap_and_can_be_told(width: int, stage: Stages, page: Page) -> None:
    """All columns stand side by side; of each card rank and suit are seen, and there is room for a finger."""
    page.set_viewport_size({"width": width, "height": 1000})
    stage("klondike").play(30).play_until_asked().open()
    slots = page.locator(".slotted .slots").last.locator("> .slot")
    boxes = [box for box in (slot.bounding_box() for slot in slots.all()) if box]
    assert len(boxes) == 7
    assert len({round(box["y"]) for box in boxes}) == 1
    column = slots.first.locator(".thing:has(.pack)")
    tops = [box["y"] for box in (card.bounding_box() for card in column.all()) if box]
    high = column.first.bounding_box()
    assert high is not None
    assert len(tops) == 4
    steps = [after - before for before, after in itertools.pairwise(tops)]
    assert all(23.5 <= step < 0.6 * high["height"] for step in steps)
    assert page.locator(".slotted .thing:has(.pack)").evaluate_all(SHOWN) == []


@pytest.mark.parametrize("width", [390, 820])
def test_a_hand_of_cards_is_one_line(width: int, stage: Stages, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 1000})
    stage("hearts", seats=4).open()
    hand = page.locator(".as-hand .thing:has(.pack)")
    expect(hand).to_have_count(13)
    boxes = [box for box in (card.bounding_box() for card in hand.all()) if box]
    assert len({round(box["y"]) for box in boxes}) == 1
    assert all(after["x"] - before["x"] >= 23.5 for before, after in itertools.pairwise(boxes))
    assert hand.evaluate_all(SHOWN) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("name", ["go", "chinese_checkers"])
def test_a_board_that_fits_nearly_is_seen_whole_and_can_be_enlarged(
    name: str, stage: Stages, page: Page
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    stage(name).open()
    picture = page.locator(".picture").first
    overlap = "picture => picture.scrollWidth - picture.clientWidth"
    assert picture.evaluate(overlap) <= 1
    outline = picture.locator(".cell > .outline").first
    assert outline.evaluate("it => it.getBoundingClientRect().width") >= 15
    for _ in range(2):
        page.get_by_role("button", name="Zoom in").click()
    assert outline.evaluate("it => it.getBoundingClientRect().width") >= 24
    assert picture.evaluate(overlap) > 1


def test_a_move_is_one_line_of_the_story(stage: Stages, page: Page) -> None:
    """Who has moved stands before what has moved, where that says all."""
    page.set_viewport_size({"width": 1440, "height": 900})
    stage("chess").play(8).play_until_asked().open()
    last = page.locator(".story li").first
    head = last.locator(".head").bounding_box()
    fact = last.locator(".facts").bounding_box()
    assert head is not None
    assert fact is not None
    assert abs(head["y"] - fact["y"]) < 6
    assert fact["x"] > head["x"]


def test_tokens_wait_in_their_yard_on_the_board(stage: Stages, page: Page) -> None:
    stage("ludo", seats=2).open()
    waiting = page.locator(".picture g[role=group][aria-label^=yard]")
    expect(waiting).to_have_count(2)
    expect(waiting.first.locator(".beside")).to_have_count(4)
    expect(page.locator(".picture g[role=group][aria-label^=home] .spot")).to_have_count(2)
    expect(page.locator(".seat .empty-zones")).to_have_count(0)


@pytest.mark.parametrize(("seat", "own"), [(0, "rotate(0)"), (1, "rotate(360)")])
def test_men_that_point_ahead_point_away_from_their_seat(
    stage: Stages, page: Page, seat: int, own: str
) -> None:
    stage("shogi", seat=seat).open()
    turns = page.locator(".cell .on-board > g[transform]")
    found = [each.get_attribute("transform") for each in turns.all()]
    assert sorted(found) == sorted([own, "rotate(180)"] * 20)


def test_chips_stand_round_a_table_and_scores_have_a_minus_sign(stage: Stages, page: Page) -> None:
    stage("texas_holdem", seats=6).play(27).play_until_asked().open()
    expect(page.locator(".round-place .value:not(.mark)")).to_have_count(12)
    expect(page.locator(".round-place .value.mark")).to_have_count(1)
    scores = page.locator(".score-button b").all_inner_texts()
    assert any(score.startswith("−") for score in scores)
    assert not any("-" in score for score in scores)


def test_stones_that_lie_face_down_are_stones(stage: Stages, page: Page) -> None:
    stage("banqi").open()
    expect(page.locator(".cell .stone")).to_have_count(32)


def test_an_empty_stock_is_a_frame(stage: Stages, page: Page) -> None:
    stage("klondike").play(90).open()
    expect(page.locator(".zone.as-pile .piece.none")).to_have_count(1)
