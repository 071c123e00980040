"""The lobby helps to choose: search, filters, a match at once, matches that are dismissed, hints."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.shell.desk import (
    DESCRIPTION,
    GAME,
    Desk,
    match_json,
    position_message,
    table_message,
    until,
)
from tests.browser.shell.test_pages import check_access


def game(number: int, **changes: Any) -> dict[str, Any]:
    named = {"game": f"game_{number}", "title": f"Game {number}", "words": f"game {number} jatek kartyajatek"}
    return GAME | named | {"says": {"en": f"Line {number}."}} | changes


@pytest.fixture
def shelf(desk: Desk) -> Desk:
    """A lobby with so many games that they are searched."""
    games = [game(n, seats=[2], lengths=[[2, 9, n]], weight="light") for n in range(13)]
    games += [
        game(
            40, seats=[3, 4, 5], lengths=[[3, 9, 45], [4, 9, 50], [5, 9, 55]], weight="heavy", tags=["cards"]
        )
    ]
    games += [game(41, seats=[1], lengths=[], weight=None, tags=[])]
    desk.answers["/api/games"] = {"games": games}
    return desk


def titles(page: Page) -> list[str]:
    return page.locator(".games strong").all_inner_texts()


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, {"width": 390, "height": 844}])
def test_games_are_found_by_words_and_filters_and_keys(size: Any, shelf: Desk) -> None:
    shelf.page.set_viewport_size(size)
    page = shelf.open()
    status = page.locator(".finding [role=status]")
    expect(status).to_have_text("15 games")
    page.get_by_role("searchbox").fill("KÁRTYAJÁTÉK 40")
    expect(status).to_have_text("1 game")
    assert titles(page) == ["Game 40"]
    page.get_by_role("searchbox").fill("")
    if size["width"] < 640:
        page.locator("summary", has_text="Filters").press("Enter")
    page.get_by_label("Players").select_option("4")
    assert titles(page) == ["Game 40"]
    page.get_by_label("Length").select_option("short")
    expect(page.get_by_text("No game fits.")).to_be_visible()
    check_access(page)
    page.get_by_role("button", name="Show all").press("Enter")
    expect(status).to_have_text("15 games")
    page.get_by_label("Weight").select_option("light")
    page.get_by_label("Order").select_option("minutes")
    assert titles(page) == [f"Game {n}" for n in range(13)]
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_of_which_game_not_all_is_as_printed_stands_at_it(desk: Desk) -> None:
    rows = {
        "of": "tile",
        "names": {"en": "tile"},
        "status": "unconfirmed",
        "number": 1,
        "total": 1,
        "why": "so",
        "reasons": {"en": "so"},
    }
    desk.answers["/api/games"] = {"games": [game(1), game(2, provenance=[rows])]}
    marked = desk.open().locator(".games .about", has_text="not all as printed")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("Game 2")


def test_a_match_against_a_bot_begins_at_once(desk: Desk) -> None:
    desk.answers["/api/matches"] = {"mine": [], "open": [], "watch": []}
    page = desk.open()
    page.get_by_role("button", name="Play against a bot: Pebbles").click()
    until(page, lambda: any(method == "POST" for method, _, _ in desk.asked))
    ((_, path, body),) = [one for one in desk.asked if one[0] == "POST"]
    assert path == "/api/matches"
    assert body["players"] == ["me", "bot:medium"]
    assert body["game"] == "pebbles"


def test_only_matches_of_nobody_else_can_be_dismissed(desk: Desk) -> None:
    bot = {"seat": 1, "kind": "bot", "name": None, "bot": "easy", "mine": False, "present": False}
    mine = match_json()["seats"][0]
    alone = [match_json(match=f"b{n}", status="running", seats=[mine, bot]) for n in range(2)]
    desk.answers["/api/matches"] = {"mine": [*alone, match_json(status="running")], "open": [], "watch": []}
    page = desk.open()
    expect(page.get_by_role("button", name="Dismiss: Pebbles")).to_have_count(2)
    page.get_by_role("button", name="Dismiss all unfinished").click()
    check_access(page)
    page.get_by_role("dialog").get_by_role("button", name="Dismiss", exact=True).last.click()
    until(page, lambda: len([one for one in desk.asked if one[0] == "POST"]) == 2)
    assert [path for method, path, _ in desk.asked if method == "POST"] == [
        "/api/matches/b0/dismiss",
        "/api/matches/b1/dismiss",
    ]


DECISION = {
    "name": "take",
    "node": 3,
    "self": None,
    "clauses": ["§4"],
    "passing": False,
    "choices": [
        {"words": f"take {n}", "action": "take", "arguments": [], "value": ["int", n]} for n in (1, 2, 3)
    ],
}


def at_turn(desk: Desk, **changes: Any) -> Page:
    described = {"decisions": {"3": {}}, "helps": {"en": {"take": "One, two or three."}}, "types": {}}
    described |= {"components": {}, "places": [], "routines": {}, "tables": {}, "streams": [], "clauses": {}}
    desk.answers["/api/descriptions/d1"] = DESCRIPTION | described
    page = desk.open("/match/m1")
    until(page, lambda: bool(desk.heard and desk.heard[-1]))
    desk.tell(table_message(**changes))
    desk.tell(position_message(3, decisions=[DECISION]))
    return page


def test_what_lights_up_is_explained_once_and_can_be_switched_off(desk: Desk) -> None:
    page = at_turn(desk)
    expect(page.locator(".guide")).to_contain_text("One, two or three.")
    check_access(page)
    page.get_by_role("button", name="Understood").click()
    expect(page.locator(".guide")).to_have_count(0)
    page.reload()
    page = at_turn(desk)
    expect(page.locator(".the-table")).to_contain_text("3")
    expect(page.locator(".guide")).to_have_count(0)
    page.evaluate("localStorage.removeItem('rulewright-met')")
    page = at_turn(desk)
    page.get_by_role("button", name="Show none of these").click()
    page.evaluate("localStorage.removeItem('rulewright-met')")
    page = at_turn(desk)
    expect(page.locator(".the-table")).to_contain_text("3")
    expect(page.locator(".guide")).to_have_count(0)
