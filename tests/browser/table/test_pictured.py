"""What a look says, as the page draws it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.table.pictured import pictured, tricks
from tests.browser.table.stage import Stage

OVERLAPPING = """(cards) => cards.flatMap((card) => {
    const boxes = (part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return [...range.getClientRects()];
    };
    const common = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
    const over = (a, b) => common(a, b, "left", "right") > 1 && common(a, b, "top", "bottom") > 4;
    const meet = (one, other) => boxes(one).some((a) => boxes(other).some((b) => over(a, b)));
    const parts = [...card.querySelectorAll(".corner, .top, .middle, .body, .bottom")];
    return parts.flatMap((one, i) => parts.slice(i + 1).filter((other) => meet(one, other))
        .map((other) => `${one.innerText} / ${other.innerText}`));
})"""
LOADED = (
    "(all) => all.map((one) => [one.complete && one.naturalWidth > 0, one.getBoundingClientRect().width > 4])"
)
DECODED = """async (all) => Promise.all(all.map(async (one) => {
    const image = new Image();
    image.src = one.getAttribute("href");
    await image.decode();
    return image.naturalWidth > 0 && one.getBoundingClientRect().width > 4;
}))"""


def test_pictures_of_a_look_are_drawn(page: Page) -> None:
    Stage(page, pictured()).open()
    images = page.locator("img.icon, img.emblem")
    kinds = [
        page.locator(css).count() for css in (".zone h4 img.icon", ".seat .value img.icon", "img.emblem")
    ]
    assert kinds[:2] == [1, 2]
    assert images.evaluate_all(LOADED) == [[True, True]] * images.count()
    drawn = page.locator(".ground image, .token image")
    assert drawn.count() == 2
    assert drawn.evaluate_all(DECODED) == [True, True]


def test_a_card_shows_its_picture(page: Page) -> None:
    Stage(page, pictured()).open()
    cards = page.locator(".zone .piece.shape-card:not(.back)")
    drawn = {card.locator(".middle").inner_text(): card.locator("img.emblem").count() for card in cards.all()}
    assert len(drawn) == 4
    assert {name for name, number in drawn.items() if number} == set(drawn) & {"knight", "baker"} != set()


def test_a_heap_is_dots_and_its_number(page: Page) -> None:
    shown = Stage(page, pictured()).open()
    heap = page.locator(".cell .heap").first
    expect(heap.locator("circle")).to_have_count(9)
    expect(heap.locator(".heap-number")).to_have_text("12")
    page.locator(".cell[data-state='offered']").first.press("Enter")
    page.wait_for_selector("body[data-chosen='1']")
    assert len(shown.chosen) == 1
    made = sum(step.seat is not None for step in shown.match.steps)
    assert sum(map(int, page.locator(".heap-number").all_text_contents())) == 9 * 12 - made


def test_a_track_at_zero_is_empty(page: Page) -> None:
    shown = Stage(page, pictured()).open()
    track = page.locator(".seat[data-own='true'] .track")
    expect(track.locator("i")).to_have_count(9)
    expect(track.locator("i[data-on='true']")).to_have_count(0)
    gold = next(each for each in shown.description["variables"] if each["name"] == "gold")
    position = shown.position
    position["words"][gold["first"]] = 2
    page.evaluate("found => window.put({ position: found, entries: [] })", position)
    expect(track.locator("i[data-on='true']")).to_have_count(2)


def top(one: Locator) -> float:
    box = one.bounding_box()
    assert box
    return box["y"]


def left(one: Locator) -> float:
    box = one.bounding_box()
    assert box
    return box["x"]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("areas", ["", "seat, shared, board"])
def test_areas_come_in_the_order_of_the_look(width: int, areas: str, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    Stage(page, pictured(areas)).open()
    board, shared = page.locator(".middle > .picture"), page.locator(".middle > .shared")
    own = page.locator(".seat[data-own='true']")
    assert (top(shared) < top(board)) == bool(areas)
    if width == 390:
        assert (top(own) < top(board)) == bool(areas)
    else:
        assert (left(own) < left(board)) == bool(areas)


@pytest.mark.parametrize("area", ["shared", "board"])
def test_what_is_a_seats_lies_before_all_where_the_look_says_so(area: str, page: Page) -> None:
    Stage(page, tricks(area)).play(2).open()
    shared = page.locator(".middle > .shared")
    laid = shared.locator(".round-place[data-empty='false']")
    labels = laid.evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))")
    assert labels == ["trick of A", "trick of B"]
    values = [" ".join(text.split()) for text in shared.locator(".value").all_inner_texts()]
    for seat in "ABCD":
        assert f"tricks of {seat} 3" in values
        assert f"✓ {seat}: passed" in values
        assert f"asked of {seat} spades" in values
    expect(page.locator(".seat .value:not([data-place]), .seat .as-slots")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "face",
    [
        '{corner: "{rank}", middle: "{suit}"}',
        '{corner: "{label}", bottom: "{rank}"}',
        '{corner: "{rank}", top: "{suit}", middle: "{label}"}',
        '{corner: "{rank}", body: "{suit}", bottom: "{label}"}',
    ],
)
def test_parts_of_a_face_do_not_overlap(face: str, width: int, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    Stage(page, tricks(face=face)).play(3).open()
    cards = page.locator(".shape-card:not(.back)")
    assert cards.count() == 4
    assert cards.evaluate_all(OVERLAPPING) == []


def test_counters_of_a_team_have_their_names(page: Page) -> None:
    Stage(page, tricks()).open()
    slots = page.locator(".sheet .slot-head")
    expect(slots).to_have_count(2)
    read = [" ".join(text.split()) for text in slots.all_inner_texts()]
    assert read == ["axis points 2", "allies points 2"]


def test_a_mark_of_a_seat_is_told_of_the_seat(page: Page) -> None:
    Stage(page, tricks()).open()
    assert "A: passed" in page.locator(".story").inner_text()


def test_a_place_has_the_colour_of_the_number_on_it_and_none_below_the_first(page: Page) -> None:
    shown = Stage(page, "twenty_forty_eight").play(40).play_until_asked().open()
    tile = next(each for each in shown.description["variables"] if each["name"] == "tile")
    numbers = shown.position["words"][tile["first"] : tile["first"] + 16]
    texts = page.locator(".cell .number text").all_text_contents()
    assert sorted(map(int, texts)) == sorted(filter(None, numbers))
    tones = {
        cell.locator(".number text").text_content(): cell.evaluate(
            "(one) => one.style.getPropertyValue('--tone')"
        )
        for cell in page.locator(".cell:has(.number)").all()
    }
    assert len(set(tones.values())) == len(tones) > 2


def test_crosses_and_rings_are_in_the_colours_of_their_seats(page: Page) -> None:
    Stage(page, "tic_tac_toe").play(4).open()
    signs = page.locator(".cell .drawn-sign")
    expect(signs).to_have_count(4)
    looks = signs.evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).fill + one.querySelector('path').getAttribute('d'))"
    )
    assert sorted(looks.count(look) for look in set(looks)) == [2, 2]
    expect(page.locator(".cell .stone")).to_have_count(0)
