"""What people read at the table: what a choice is for, numbers of cards, words, the story, scores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.table.stage import Stage

Stages = Callable[..., Stage]
GENERALITY = Path(__file__).parents[2] / "generality"
PAIRS = {
    "game.yaml": """game: pairs
title: Pairs
seats: 4
rules: [pairs.rules]
teams: {axis: [A, C], allies: [B, D]}
counters:
  hoard: {of: seat, range: 0..9, start: 3, seen_by: owner}
  plan: {of: seat, range: 0..9, start: 2, seen_by: team}
  tricks: {of: team, range: 0..9}
flow:
  turn: {seat: rotates, do: [act], then: {is_won: final, otherwise: turn}}
  final: {score: highest}
""",
    "pairs.rules": """procedure act
    do one of take

action take
    tricks of me.team += 1

value is_won = any(seat where tricks of seat.team >= 2)

score points = tricks of me.team
""",
}
"""Two against two, with what only its owner sees, and what only a team sees."""
WORDS_IN_LINES = """
(card) => {
    const range = document.createRange(), broken = [];
    const nodes = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
        for (const { index, 0: word } of nodes.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
            range.setStart(nodes.currentNode, index);
            range.setEnd(nodes.currentNode, index + word.length);
            if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) {
                broken.push(word);
            }
        }
    }
    return broken;
}
"""


def test_a_choice_says_what_it_is_for(stage: Stages, page: Page) -> None:
    stage("roma").open()
    expect(page.locator(".asked")).to_have_text("Choose: card — exchange two cards")


def test_a_single_action_that_asks_for_more_ends_in_dots_too(stage: Stages, page: Page) -> None:
    stage("hex").play(4).open()
    expect(page.locator(".asked")).to_have_text("Choose: place on…")


def test_an_action_that_asks_for_more_ends_in_dots(stage: Stages, page: Page) -> None:
    stage("roma").play_until("actions").open()
    more = page.locator(".actions button[aria-pressed]")
    texts = [text.split("…") for text in more.all_inner_texts()]
    assert texts
    assert all(len(parts) == 2 for parts in texts)


def corner(part: Locator, card: Locator) -> tuple[bool, bool]:
    """Whether a part lies in the upper half of a card, and in its right one."""
    small, large = part.bounding_box(), card.bounding_box()
    assert small is not None
    assert large is not None
    return (
        small["y"] + small["height"] / 2 < large["y"] + large["height"] / 2,
        small["x"] + small["width"] / 2 > large["x"] + large["width"] / 2,
    )


def test_a_number_stands_in_the_same_corner_in_the_hand_and_on_the_board(stage: Stages, page: Page) -> None:
    stage("roma").play(40).play_until_asked().open()
    in_hand = page.locator(".as-hand .shape-card:not(.back)").first
    on_board = page.locator(".on-board:has(.sign + .sign + .sign)").first
    places = [
        [corner(in_hand.locator(part), in_hand) for part in (".corner", ".bottom")],
        [corner(sign, on_board) for sign in on_board.locator(".sign").all()[-2:]],
    ]
    assert places[0] == places[1] == [(True, True), (False, False)]


@pytest.mark.parametrize(
    ("game", "width", "choices", "word"),
    [
        ("augustus", 1280, 60, "hadijelvény"),
        ("augustus", 390, 20, "hadijelvény"),
        ("constantinopolis", 1280, 90, "Parvus"),
    ],
)
def test_no_word_of_a_card_is_broken(
    game: str, width: int, choices: int, word: str, browser: Browser
) -> None:
    page = browser.new_page(locale="hu", viewport={"width": width, "height": 800})
    Stage(page, game, 2).play(choices).play_until_asked().open("language=hu")
    cards = page.locator(".shape-card:not(.back)")
    assert word in " ".join(cards.all_inner_texts())
    assert [cards.nth(i).evaluate(WORDS_IN_LINES) for i in range(cards.count())] == [[]] * cards.count()
    page.close()


def test_a_score_is_explained_by_the_rulebook_and_not_by_code(stage: Stages, page: Page) -> None:
    stage("roma").open()
    page.locator(".seat header").first.get_by_role("button", name="Score").click()
    sheet = page.locator(".score-sheet")
    expect(sheet).to_contain_text("victory points")
    expect(sheet.locator(".line-text")).not_to_have_text("")
    assert "of me" not in sheet.inner_text()


def test_what_goes_to_a_supply_is_told_once(stage: Stages, page: Page) -> None:
    stage("roma").play(60).open()
    told = page.locator(".facts").all_inner_texts()
    assert any("victory points: " in text for text in told)
    assert not any("supply of victory points" in text for text in told)


def test_own_cards_that_lie_face_down_look_so(stage: Stages, page: Page) -> None:
    found = stage("roma").play_until("disc")
    found.open()
    for _ in range(2):
        page.locator(".thing[data-state='offered']").first.click()
        page.wait_for_timeout(500)
        if page.locator(".details .choices button").count():
            page.locator(".details .choices button").first.click()
    expect(page.locator(".on-board.covered").first).to_be_visible()


def test_empty_places_of_passage_are_not_listed(stage: Stages, page: Page) -> None:
    stage("roma").open()
    told = " ".join(page.locator(".empty-zones").all_inner_texts())
    assert "unused dice" in told
    assert "cards to give away" not in told


@pytest.mark.parametrize(("name", "width"), [("trajan", 390), ("fenways", 390)])
def test_a_picture_that_is_wider_than_its_frame_has_shades_that_end_with_it(
    name: str, width: int, browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, has_touch=True, is_mobile=True)
    Stage(page, name, 3).play(10).open()
    picture = page.locator(".picture").first
    assert picture.evaluate("(it) => it.scrollWidth > it.clientWidth + 20")
    shades = picture.evaluate("(it) => getComputedStyle(it).backgroundAttachment.split(', ')")
    assert shades == ["local", "local", "scroll", "scroll"], "what covers the shades moves with the picture"
    page.close()


def test_a_board_of_thin_lines_fits_its_column(browser: Browser) -> None:
    """What is near a line stands for it, so that fingers need no larger one."""
    fits = "(it) => it.scrollWidth <= it.clientWidth"
    for touch in (False, True):
        page = browser.new_page(viewport={"width": 1000, "height": 900}, has_touch=touch, is_mobile=touch)
        Stage(page, "fenways", 3).play(10).open()
        assert page.locator(".middle > .picture").evaluate(fits)
        page.close()


def test_teams_and_what_is_hidden_are_told(tmp_path: Path, stage: Stages, page: Page) -> None:
    for name, text in PAIRS.items():
        (tmp_path / name).write_text(text)
    found = stage(str(tmp_path), seats=4)
    found.open()
    seats = [page.locator(f".seat[data-seat='{n}']") for n in range(4)]
    assert [seat.locator(".team").inner_text() for seat in seats] == ["axis", "allies"] * 2
    values = [[" ".join(it.split()) for it in seat.locator(".value").all_inner_texts()] for seat in seats]
    assert values == [
        ["hoard 3", "plan 2"],
        ["hoard ?", "plan ?"],
        ["hoard ?", "plan 2"],
        ["hoard ?", "plan ?"],
    ]
    found.play(3).show()
    expect(page.locator(".asked")).to_have_text("The match is over. Winners: axis (A and C)")


def test_the_top_of_a_pile_and_shown_values_are_seen(stage: Stages, page: Page) -> None:
    """The topmost stone with the number of all, the story of what came to light, and values of the look."""
    on_stage = stage(str(GENERALITY / "quarry"), seats=2).open()
    assert page.locator(".pile .depth").all_inner_texts()[:3] == ["9", "9", "9"]
    expect(page.locator(".shared .values").first).to_contain_text("leader A")
    top = on_stage.match.view(0).zones["face at east"]
    assert isinstance(top, list)
    assert top[0] == "?"
    on_stage.match.choose("A", "build east")
    on_stage.show()
    values = page.locator(".seat[data-seat='0'] .values").first
    expect(values).to_contain_text("stones up 1")
    expect(values).to_contain_text(f"next stone {top[-1]}")
    expect(page.locator(".seat[data-seat='1'] .score, .seat[data-seat='1'] header").first).to_contain_text(
        "Score 0"
    )
    expect(page.locator(".table-root")).to_contain_text(f"On top of tower: {top[-1]}")
