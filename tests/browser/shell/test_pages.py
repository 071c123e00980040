"""The pages of the shell: lobby, making a match, what stands around a table; by keyboard."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.shell.desk import (
    DESCRIPTION,
    GAME,
    ORIGIN,
    Desk,
    match_json,
    position_message,
    table_message,
    until,
)

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 360, "height": 740}


def at_match(desk: Desk, **changes: Any) -> Page:
    """The page of a match with three entries; `changes` are those of its table."""
    page = desk.open("/match/m1")
    until(page, lambda: bool(desk.heard and desk.heard[-1]))
    desk.tell(table_message(**changes))
    desk.tell(position_message(3))
    expect(page.locator(".the-table")).to_contain_text("3")
    return page


def check_access(page: Page) -> None:
    """Nothing that a checker of accessibility calls serious."""
    found = Axe().run(page)
    worst = [it for it in found.response["violations"] if it["impact"] in ("serious", "critical")]
    assert [(it["id"], [node["html"] for node in it["nodes"]]) for it in worst] == []


# ---- the lobby


def test_the_lobby_shows_games_and_matches(desk: Desk) -> None:
    mine = match_json(status="running", waiting=True)
    desk.answers["/api/matches"] = {"mine": [mine], "open": [match_json(match="m2")], "watch": []}
    page = desk.open()
    expect(page.get_by_role("link", name="Pebbles Take the last pebble. 2 to 3 players")).to_be_visible()
    expect(page.get_by_role("heading", name="Your matches")).to_be_visible()
    expect(page.locator(".match.due .chip")).to_have_text("Your turn")
    expect(page.get_by_role("heading", name="To watch")).to_have_count(0)
    check_access(page)


def test_the_lobby_names_matches_that_cannot_be_read(desk: Desk) -> None:
    desk.answers["/api/matches"] = {"mine": [], "open": [], "watch": [], "unreadable": ["m7"]}
    page = desk.open()
    card = page.locator("section[aria-labelledby=unreadable] .match")
    expect(card).to_contain_text("damaged")
    expect(card.locator("code")).to_have_text("m7")
    expect(card.get_by_role("link")).to_have_count(0)
    check_access(page)


DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    const how = { dataTransfer: data, bubbles: true, cancelable: true };
    const drop = (type) => dispatchEvent(new DragEvent(type, how));
    return [drop("dragover"), drop("drop")];
}"""


@pytest.mark.parametrize("path", ["/", "/game/pebbles", "/match/m1"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"rulewright": 1, "game": "pebbles"}\n', "the log of a match of pebbles, and a server opens none"),
        ("a shopping list", "This is no log of a match."),
    ],
)
def test_a_log_that_is_dropped_is_answered(desk: Desk, path: str, text: str, said: str) -> None:
    page = desk.open(path)
    expect(page.locator("main")).to_be_visible()
    assert page.evaluate(DROP, ["some.log", text]) == [False, False], "the browser would leave the page"
    expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
    assert page.url.endswith(path)


def test_sitting_down_at_an_open_table_leads_to_it(desk: Desk) -> None:
    desk.answers["/api/matches"] = {"mine": [], "open": [match_json()], "watch": []}
    page = desk.open()
    page.get_by_role("button", name="Sit down").click()
    expect(page).to_have_url(re.compile("/match/m1$"))
    assert ("POST", "/api/matches/m1/join", {"seat": None, "name": ""}) in desk.asked


def test_an_error_of_the_server_is_said_in_the_language_of_the_viewer(desk: Desk) -> None:
    page = desk.open()
    page.get_by_label("Settings").click()
    page.get_by_label("Language").select_option("hu")
    expect(page.get_by_role("heading", name="Beállítások")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "hu"
    page.keyboard.press("Escape")
    page.route("http://shell.test/api/matches/**", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("heading", name="Játékok")).to_be_visible()


# ---- making a match


def test_a_match_is_asked_for_as_the_form_says(desk: Desk) -> None:
    desk.answers["POST /api/matches"] = match_json()
    page = desk.open("/game/pebbles")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label(re.compile("^Players")).select_option("3")
    page.get_by_role("button", name="Friends, by link").click()
    page.get_by_label("Seat 3").select_option("open")
    page.get_by_label("Time for the match").check()
    page.get_by_label("Minutes for each player").fill("15")
    page.get_by_label("a long game").check()
    page.get_by_text("Rulings", exact=False).click()
    page.get_by_label("nobody has won").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page).to_have_url(re.compile("/match/m1$"))
    (body,) = [body for method, path, body in desk.asked if (method, path) == ("POST", "/api/matches")]
    assert body == {
        "game": "pebbles",
        "seats": 3,
        "options": {"long": "on", "ties": "nobody"},
        "name": "Ann",
        "players": ["me", "invited", "open"],
        "spectators": {"allowed": True, "delay": 0},
        "clock": {"kind": "match", "seconds": 900, "increment": 10, "expiry": "forfeit"},
        "chance": "system",
    }


SETS = {
    "name": "market",
    "values": ["wool", "salt", "silk", "amber"],
    "range": None,
    "default": "wool,salt,silk",
    "sets": {
        "2": {"size": [2, 2], "values": ["wool", "salt", "silk"], "default": "wool,salt"},
        "3": {"size": [2, 3], "values": ["wool", "salt", "silk", "amber"], "default": "wool,salt,silk"},
    },
    "clauses": ["§3"],
}
"""An option that holds a set, of another size with three players."""


@pytest.fixture
def market(desk: Desk) -> Desk:
    """A game with that option."""
    labels = {"en": {**GAME["labels"]["en"], "market": "goods for sale", "market.silk": "fine silk"}}
    desk.answers["GET /api/games/pebbles"] = GAME | {"options": [SETS], "labels": labels}
    desk.answers["POST /api/matches"] = match_json()
    return desk


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_set_is_chosen_by_keyboard(size: Any, market: Desk) -> None:
    """While it has another size, the form is not sent, and a box says why."""
    market.page.set_viewport_size(size)
    page = market.open("/game/pebbles")
    field = page.get_by_role("group", name="goods for sale")
    expect(field).to_contain_text("Choose 2 · 2 chosen")
    expect(field.get_by_role("checkbox", checked=True)).to_have_count(2)
    expect(field.get_by_role("checkbox")).to_have_count(3)
    field.get_by_label("salt").focus()
    page.keyboard.press("Tab")
    expect(field.get_by_label("fine silk")).to_be_focused()
    page.keyboard.press("Space")
    expect(field.get_by_role("status")).to_have_text("3 chosen")
    check_access(page)
    page.keyboard.press("Enter")
    expect(field.get_by_label("wool")).to_be_focused()
    assert field.get_by_label("wool").evaluate("it => it.validationMessage") == "Choose 2"
    assert [path for method, path, _ in market.asked if method == "POST"] == []
    page.keyboard.press("Space")
    expect(field.get_by_role("status")).to_have_text("2 chosen")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/match/m1$"))
    (body,) = [body for method, path, body in market.asked if (method, path) == ("POST", "/api/matches")]
    assert body["options"] == {"market": "salt,silk"}


def test_a_set_follows_the_number_of_players(market: Desk) -> None:
    """One that does not go with it, or was as proposed, is as proposed with so many."""
    page = market.open("/game/pebbles")
    field = page.get_by_role("group", name="goods for sale")
    players = page.get_by_label(re.compile("^Players"))
    players.select_option("3")
    expect(field).to_contain_text("Choose 2 to 3 · 3 chosen")
    field.get_by_label("amber").check()
    field.get_by_label("wool").uncheck()
    field.get_by_label("salt").uncheck()
    players.select_option("2")
    expect(field).to_contain_text("Choose 2 · 2 chosen")
    expect(field.get_by_label("wool")).to_be_checked()
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("/match/m1$"))
    (body,) = [body for method, path, body in market.asked if (method, path) == ("POST", "/api/matches")]
    assert body["options"] == {}


@pytest.mark.parametrize(
    ("language", "said"), [("hu", "Választandó: 2 · kiválasztva: 2"), ("ro", "De ales: 2 · alese: 2")]
)
def test_a_set_is_counted_in_the_language_of_the_viewer(language: str, said: str, market: Desk) -> None:
    market.page.add_init_script(
        f"localStorage.setItem('rulewright', JSON.stringify({{language: '{language}'}}))"
    )
    page = market.open("/game/pebbles")
    expect(page.locator("fieldset.set")).to_contain_text(said)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_partners_are_named_beside_the_seats(size: Any, desk: Desk) -> None:
    labels = {"en": GAME["labels"]["en"] | {"allies": "The Allies"}}
    teams = ["axis", "allies", "axis", "allies"]
    desk.answers["GET /api/games/pebbles"] = GAME | {"seats": [4, 4], "labels": labels, "teams": teams}
    desk.page.set_viewport_size(size)
    page = desk.open("/game/pebbles")
    named = ["axis", "The Allies", "axis", "The Allies"]
    expect(page.locator(".seat-rows > li > .team")).to_have_text(named)
    check_access(page)


def test_a_ruling_is_read_in_the_language_of_the_viewer_where_it_is_translated(desk: Desk) -> None:
    labels = {**GAME["labels"], "hu": GAME["labels"]["en"] | {"ties.nobody": "senki sem győzött"}}
    desk.answers["GET /api/games/pebbles"] = GAME | {"languages": ["en", "hu"], "labels": labels}
    desk.page.add_init_script("localStorage.setItem('rulewright', JSON.stringify({language: 'hu'}))")
    page = desk.open("/game/pebbles")
    page.locator("details.part summary").first.click()
    expect(page.get_by_label("senki sem győzött")).to_be_visible()
    expect(page.get_by_label("both have won")).to_be_visible()


def test_clauses_readings_and_reasons_are_read_in_the_language_of_the_viewer(desk: Desk) -> None:
    translated = {"readings": {"shared": "mindketten nyertek", "nobody": "senki"}, "why": "így barátságosabb"}
    desk.answers["GET /api/games/pebbles"] = GAME | {
        "languages": ["en", "hu"],
        "clauses": {**GAME["clauses"], "hu": {"§R1": "Döntetlen"}},
        "translations": {"hu": {"rulings": {"ties": translated}}},
        "provenance": [
            {
                "of": "size",
                "names": {"en": "size", "hu": "méret"},
                "status": "unconfirmed",
                "number": 1,
                "total": 2,
                "why": "remembered",
                "reasons": {"en": "remembered", "hu": "egy játékos emlékszik így"},
            }
        ],
    }
    desk.page.add_init_script("localStorage.setItem('rulewright', JSON.stringify({language: 'hu'}))")
    page = desk.open("/game/pebbles")
    page.locator("details.part summary").first.click()
    expect(page.get_by_label("mindketten nyertek")).to_be_visible()
    expect(page.locator(".rulings")).to_contain_text("így barátságosabb")
    expect(page.locator(".provenance")).to_contain_text("egy játékos emlékszik így")
    expect(page.locator(".provenance")).to_contain_text("méret:")
    expect(page.locator("button.clause", has_text="§R1")).to_have_attribute("title", "Döntetlen")
    expect(page.locator("body")).not_to_contain_text("it is friendlier")


def test_a_clause_opens_the_rules_there(desk: Desk) -> None:
    page = desk.open("/game/pebbles")
    page.get_by_text("Rulings", exact=False).click()
    page.get_by_role("button", name="§R1").click()
    expect(page.get_by_role("complementary", name="Rules")).to_contain_text("Take a pebble")
    page.get_by_role("link", name="§4").click()
    expect(page.locator("#clause-4")).to_have_class("shown")
    assert page.locator(".rulebook [href^=http], .rulebook style").count() == 0
    check_access(page)


# ---- a match


def test_a_game_that_nobody_serves_has_a_heading_and_a_way_back(context: BrowserContext) -> None:
    """The browser notes the answer as an error, so it is a page of its own."""
    desk = Desk(context.new_page())
    answer = {"error": {"code": "not-found", "text": "", "diagnostics": []}}
    desk.page.route(f"{ORIGIN}/api/games/nothing", lambda route: route.fulfill(status=404, json=answer))
    page = desk.open("/game/nothing")
    expect(page.get_by_role("heading", level=1)).to_have_text("This game cannot be opened")
    expect(page.get_by_role("alert").first).to_contain_text("no such game")
    check_access(page)
    page.get_by_role("link", name="To the lobby", exact=True).click()
    expect(page.get_by_role("heading", name="Games")).to_be_visible()


@pytest.mark.parametrize("code", [True, False])
def test_a_link_is_shown_as_a_code_too(code: bool, desk: Desk) -> None:
    path = "/api/matches/m1/seats/1/link"
    link = {"seat": 1, "link": "http://shell.test/seat/secret"}
    desk.answers[path] = link | {"code": f"{path}.svg?v=1" if code else None}
    page = desk.open("/match/m1")
    until(page, lambda: bool(desk.heard and desk.heard[-1]))
    desk.tell(table_message(status="open", seats=match_json()["seats"]))
    page.locator(".seat-rows > li").nth(1).get_by_role("button", name=re.compile("^Link,")).click()
    picture = page.get_by_role("img", name="Code of the link to the seat")
    if code:
        expect(picture).to_have_attribute("src", f"{path}.svg?v=1")
    else:
        expect(page.get_by_text("lacks the package segno")).to_be_visible()
        expect(picture).to_have_count(0)
    check_access(page)


def test_the_waiting_room_has_links_for_the_seats(desk: Desk) -> None:
    desk.answers["/api/matches/m1/seats/1/link"] = {"seat": 1, "link": "http://shell.test/seat/secret"}
    page = desk.open("/match/m1")
    until(page, lambda: bool(desk.heard and desk.heard[-1]))
    desk.tell(table_message(status="open", seats=match_json()["seats"]))
    page.locator(".seat-rows > li").nth(1).get_by_role("button", name=re.compile("^Link,")).click()
    expect(page.get_by_label("Link to the seat")).to_have_value("http://shell.test/seat/secret")
    check_access(page)


def test_the_waiting_room_names_partners(desk: Desk) -> None:
    team = {"lo": 0, "names": ["axis", "allies"]}
    desk.answers["/api/descriptions/d1"] = DESCRIPTION | {"teams": [0, 1], "types": {"team": team}}
    page = desk.open("/match/m1")
    until(page, lambda: bool(desk.heard and desk.heard[-1]))
    desk.tell(table_message(status="open", seats=match_json()["seats"]))
    expect(page.locator(".seat-rows > li > .team")).to_have_text(["axis", "allies"])
    check_access(page)


def test_one_is_told_of_ones_turn(desk: Desk) -> None:
    page = at_match(desk)
    assert page.title() == "● Your turn – Pebbles"
    desk.tell(position_message(4, 3, waiting=[1]))
    expect(page.locator(".turn .chip")).to_have_text("Ben to choose")
    assert page.title() == "Pebbles"
    desk.tell(position_message(5, 4))
    expect(page.locator("[aria-live]").first).to_contain_text("Your turn")
    check_access(page)


def test_clocks_tick_by_the_time_of_the_server(desk: Desk) -> None:
    now = 1_000_000
    seats = [{"left": 60_000, "deadline": now + 60_000}, {"left": 45_000, "deadline": None}]
    page = at_match(desk, clocks={"kind": "match", "now": now, "seats": seats})
    expect(page.get_by_role("timer").nth(1)).to_have_text("0:45")
    expect(page.get_by_role("timer").first).to_have_text("0:58", timeout=4000)


def test_the_loss_of_the_connection_is_shown_and_mended(desk: Desk) -> None:
    page = at_match(desk)
    desk.sockets[-1].close(code=1001)
    expect(page.get_by_text("Connecting again")).to_be_visible()
    until(page, lambda: len(desk.heard) > 1 and bool(desk.heard[1]))
    desk.tell(table_message())
    desk.tell(position_message(4, 3))
    expect(page.get_by_text("Connecting again")).to_have_count(0)


def test_a_proposal_is_agreed_to(desk: Desk) -> None:
    proposal = {"proposal": 7, "kind": "undo", "by": 1, "number": 2, "seq": None, "asked": [0], "agreed": []}
    page = at_match(desk, proposals=[proposal])
    expect(page.locator(".proposals")).to_contain_text("Ben would like to take back the last 2 choices.")
    page.get_by_role("button", name="Agree").click()
    until(page, lambda: bool(desk.requests("answer")))
    assert {**desk.requests("answer")[0], "id": ""} == {
        "type": "answer",
        "id": "",
        "proposal": 7,
        "agree": True,
    }


@pytest.mark.parametrize("secrets", [False, True])
def test_who_has_two_seats_is_led_to_the_one_that_is_asked(secrets: bool, context: BrowserContext) -> None:
    """At once in a game without secrets; else the seat is left, and the page covered meanwhile."""
    desk = Desk(context.new_page())
    desk.answers["/api/descriptions/d1"] = DESCRIPTION | {"secrets": secrets}
    seats = [
        {"seat": n, "kind": "person", "name": name, "mine": True} for n, name in enumerate(("Ann", "Ben"))
    ]
    desk.answers["/api/matches/m1"] = match_json(status="running", seats=seats, waiting=True)
    page = at_match(desk)
    desk.tell(table_message(asked=[1]))
    desk.tell(position_message(4, 0, waiting=[1]))
    until(page, lambda: len(desk.sockets) == 2)
    assert ("seat=1" in desk.sockets[1].url) is not secrets
    assert "seat=0" not in desk.sockets[1].url


def test_old_links_are_ended_only_after_a_question(desk: Desk) -> None:
    seats = [
        {"seat": n, "kind": "person", "name": name, "mine": n == 0} for n, name in enumerate(("Ann", "Ben"))
    ]
    desk.answers["/api/matches/m1"] = match_json(seats=seats)
    page = desk.open("/match/m1")
    until(page, lambda: bool(desk.heard and desk.heard[-1]))
    desk.tell(table_message(status="open"))
    button = page.locator(".seat-rows").get_by_role("button", name=re.compile("^New link, end the old ones"))

    def ended() -> bool:
        return any(method == "DELETE" and path.endswith("/seats/1/link") for method, path, _ in desk.asked)

    button.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Ben")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert not ended()
    button.click()
    dialog.get_by_role("button", name="New link, end the old ones").click()
    until(page, ended)


def test_a_seat_has_one_colour_on_all_pages(context: BrowserContext) -> None:
    desk = Desk(context.new_page())
    desk.answers["/api/matches"] = {"mine": [match_json()], "open": [], "watch": []}
    for path, disc in (("/", ".sitting .disc"), ("/game/pebbles", ".seat-rows .disc")):
        second = desk.open(path).locator(disc).nth(1)
        expect(second).to_have_css("background-color", "rgb(68, 85, 102)")
    page = at_match(desk)
    expect(page.locator(".player .disc").nth(1)).to_have_css("background-color", "rgb(68, 85, 102)")


def test_a_table_that_fails_takes_nothing_else_with_it(context: BrowserContext) -> None:
    desk = Desk(context.new_page())
    page = at_match(desk)
    desk.tell(position_message(4, 3, words=[-1]))
    expect(page.get_by_role("alert").filter(has_text="a table that fails")).to_be_visible()
    expect(page.locator(".player").first).to_be_visible()
    desk.tell(position_message(5, 4))
    expect(page.locator(".the-table")).to_contain_text("[5]")


def test_giving_up_is_asked_twice(desk: Desk) -> None:
    page = at_match(desk)
    page.get_by_label("More").click()
    page.get_by_role("button", name="Resign").click()
    assert desk.requests("resign") == []
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    until(page, lambda: len(desk.requests("resign")) == 1)


def test_the_replay_shows_former_positions(desk: Desk) -> None:
    def referee(_: int, message: dict[str, Any]) -> None:
        if message["type"] == "at":
            past = position_message(message["seq"], words=[100 + message["seq"]])["position"]
            desk.tell({"type": "answer", "id": message["id"], "position": past, "entries": []})

    page = at_match(desk)
    desk.on_message = referee
    page.keyboard.press("p")
    expect(page.locator(".the-table")).to_contain_text("103")
    page.get_by_label("Step of the match").press("Home")
    expect(page.locator(".the-table")).to_contain_text("100")
    check_access(page)
    page.get_by_role("button", name="To the present").click()
    expect(page.locator(".the-table")).to_contain_text("[3]")


def test_the_end_shows_winners_and_score_sheets(desk: Desk) -> None:
    page = at_match(desk, status="over")
    desk.tell(position_message(4, 3, over=True, winners=[1], waiting=[]))
    result = page.get_by_role("region", name="Result")
    expect(result.get_by_role("heading")).to_have_text("Ben has won")
    expect(result.get_by_role("row", name="points")).to_contain_text("4")
    expect(result.get_by_role("link", name="Log")).to_have_attribute("href", "/api/matches/m1/log")
    desk.answers["POST /api/matches/m1/rematch"] = match_json(match="m2")
    result.get_by_role("button", name="Rematch").click()
    expect(page).to_have_url(re.compile("/match/m2$"))


def test_outcomes_of_a_physical_table_are_tapped(desk: Desk) -> None:
    question = {"version": 7, "seat": 0, "stream": "die", "place": None, "possible": ["1", "6"], "told": []}
    question["given"] = 0

    def referee(_: int, message: dict[str, Any]) -> None:
        if message["type"] == "outcome":
            desk.tell({"type": "ack", "id": message["id"], "version": 8})
            desk.tell(table_message())

    page = at_match(desk)
    desk.on_message = referee
    desk.tell(table_message(question=question))
    expect(page.get_by_role("heading", name="What came: die?")).to_be_visible()
    check_access(page)
    page.get_by_role("button", name="6", exact=True).click()
    until(page, lambda: len(desk.requests("outcome")) == 1)
    assert desk.requests("outcome")[0]["text"] == "6"
    expect(page.get_by_role("heading", name="What came: die?")).to_have_count(0)


# ---- access


def test_by_keyboard_alone_from_the_lobby_into_a_match(desk: Desk) -> None:
    desk.answers["POST /api/matches"] = match_json()
    page = desk.open()
    expect(page.locator(".game")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".game > a")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Pebbles", level=1)).to_be_focused()
    page.get_by_role("button", name="Start").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/match/m1$"))


def test_a_dialog_gives_the_focus_back(desk: Desk) -> None:
    page = desk.open()
    page.get_by_label("Settings").focus()
    page.keyboard.press("Enter")
    check_access(page)
    page.keyboard.press("Escape")
    expect(page.get_by_label("Settings")).to_be_focused()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_wider_than_the_page_and_all_can_be_read(desk: Desk, size: Any, theme: Any) -> None:
    desk.page.set_viewport_size(size)
    desk.page.emulate_media(color_scheme=theme)
    desk.answers["/api/matches"] = {"mine": [match_json(waiting=True)], "open": [], "watch": []}
    for path in ("/", "/game/pebbles"):
        page = desk.open(path)
        expect(page.get_by_role("heading").first).to_be_attached()
        expect(page.locator(".spinner")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        check_access(page)
    page = at_match(desk)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_access(page)


# ---- words


@pytest.mark.parametrize(
    ("count", "said"), [(1, "1 spectator"), (2, "2 spectatori"), (20, "20 de spectatori")]
)
def test_plurals_are_those_of_the_language(desk: Desk, count: int, said: str) -> None:
    page = desk.open()
    page.get_by_label("Settings").click()
    page.get_by_label("Language").select_option("ro")
    expect(page.get_by_role("heading", name="Setări")).to_be_visible()
    page.keyboard.press("Escape")
    at_match(desk, watching=count)
    expect(page.get_by_text(said, exact=True)).to_be_visible()
