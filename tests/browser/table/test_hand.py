"""The hand on the table: reading, picking up, dragging, planning, zooming, and nothing out of sight."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import rulewright
from tests.browser.table.stage import Stage

Stages = Callable[..., Stage]
OFFERED = ".thing[data-state='offered']"
WIDTHS = {1440: 900, 820: 1180, 390: 740}
FEW = ("chess", "hearts", "trajan", "constantinopolis")
HIDDEN = """async () => {
    const lit = document.querySelectorAll(".thing[data-state='offered'], .actions button:not(.refused)");
    const bar = document.querySelector(".prompt-bar");
    const entries = await new Promise((resolve) => {
        const seen = [], observer = new IntersectionObserver((found) => {
            seen.push(...found);
            seen.length >= lit.length && (observer.disconnect(), resolve(seen));
        });
        lit.forEach((thing) => observer.observe(thing));
        lit.length || resolve([]);
    });
    const { top, bottom } = bar.getBoundingClientRect();
    const under = (box) => Math.max(0, Math.min(box.bottom, bottom) - Math.max(box.top, top)) / box.height;
    return entries.filter(({ target, intersectionRatio, boundingClientRect }) => {
        const covered = bar.contains(target) ? 0 : under(boundingClientRect);
        return boundingClientRect.width && intersectionRatio - covered < 0.2;
    }).length;
}"""
"""How many things that light up are, but for a sliver, out of sight."""
TOLD = """() => [...document.querySelectorAll(".out-of-sight button")]
    .reduce((sum, arrow) => sum + Number(arrow.dataset.number), 0)"""
"""How many things the arrows point to."""


def seats_of(name: str) -> int:
    """The fewest seats of a game."""
    for seats in (2, 3, 4, 1):
        try:
            rulewright.open_game(name, seats=seats)
        except Exception:
            continue
        return seats
    raise AssertionError(name)


def settle(page: Page) -> None:
    """Waits until nothing scrolls any more, and what is drawn has been measured."""
    page.evaluate(
        """() => new Promise((done) => {
            let before = "", still = 0;
            const look = () => {
                const now = [scrollX, scrollY, ...[...document.querySelectorAll(".picture, .prompt-bar")]
                    .map((one) => `${one.scrollLeft} ${one.scrollTop}`)].join();
                still = now === before ? still + 1 : 0;
                before = now;
                still > 5 ? done() : requestAnimationFrame(look);
            };
            look();
        })"""
    )


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in FEW else pytest.mark.long) for name in rulewright.bundled()],
)
def test_nothing_to_choose_is_out_of_sight_without_an_arrow(name: str, browser: Browser) -> None:
    """At three widths, at several moments, at the top and at the end of the page; each arrow leads there."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    played = Stage(page, name, seats_of(name)).play_until_asked().open()
    for step in (0, 9, 30):
        played.play(step).play_until_asked()
        played.show()
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            for end in (0, 1):
                page.evaluate(f"scrollTo(0, {end} * document.documentElement.scrollHeight)")
                settle(page)
                assert page.evaluate(HIDDEN) <= page.evaluate(TOLD), (width, step, end)
                arrow = page.locator(".out-of-sight button").first
                if arrow.count():
                    arrow.click()
                    settle(page)
                    assert page.evaluate(HIDDEN) < page.locator(f"{OFFERED}, .actions button").count()
                bar = page.locator(".prompt-bar").bounding_box()
                assert bar is not None
                assert 0 <= bar["y"] < height
        if played.match.over:
            break
    page.close()


def test_an_arrow_is_pressed_by_keys_and_leads_the_focus_there(stage: Stages, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 640})
    stage("roma").play(40).play_until_asked().open()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    arrow = page.locator(".out-of-sight .to-up")
    assert "can be chosen are further up" in (arrow.get_attribute("aria-label") or "")
    arrow.focus()
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("data-state", "offered")
    expect(page.locator(":focus")).to_be_in_viewport()


# ---- reading


def test_a_lit_card_is_read_by_resting_on_it_and_nothing_is_chosen(stage: Stages, page: Page) -> None:
    played = stage("roma").open()
    card = page.locator(f".as-hand {OFFERED}").first
    card.hover()
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("price in sestertii")
    expect(tip).to_contain_text("Clause §")
    expect(tip.locator(".does li")).to_contain_text("exchange two cards")
    page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    assert played.chosen == []


def test_a_lit_card_is_read_by_a_key(stage: Stages, page: Page) -> None:
    played = stage("roma").open()
    card = page.locator(f".as-hand {OFFERED}").first
    assert "price in sestertii:" in (card.get_attribute("aria-description") or "")
    card.focus()
    page.keyboard.press("i")
    window = page.locator(".details")
    expect(window).to_contain_text("price in sestertii")
    expect(window.locator(".close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(window).to_have_count(0)
    expect(card).to_be_focused()
    assert played.chosen == []


def test_a_lit_card_is_read_by_holding_it_with_a_finger(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 740}, has_touch=True, is_mobile=True)
    played = Stage(page, "roma").open()
    card = page.locator(f".as-hand {OFFERED}").first
    card.scroll_into_view_if_needed()
    box = card.bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 12}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    window = page.locator(".details")
    expect(window).to_contain_text("price in sestertii")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)
    expect(window).to_be_visible()
    large = window.locator(".piece .middle").first
    assert float(large.evaluate("(text) => parseFloat(getComputedStyle(text).fontSize)")) >= 14
    assert played.chosen == []
    page.close()


# ---- moves


def chosen(page: Page, number: int) -> None:
    """Waits until so many choices were made."""
    expect(page.locator("body")).to_have_attribute("data-chosen", str(number))


def square(page: Page, name: str) -> Locator:
    return page.locator(f".cell[aria-label^='{name}:']")


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: Locator, end: tuple[float, float]) -> None:
    """Pulls a thing with the mouse, as fast as it goes."""
    page.mouse.move(*middle(start))
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def test_a_move_is_two_clicks(stage: Stages, page: Page) -> None:
    played = stage("chess").open()
    square(page, "e2").click()
    expect(square(page, "e2")).to_have_attribute("aria-pressed", "true")
    square(page, "e4").click()
    chosen(page, 2)
    assert played.chosen == ["go A_pawn e2", "e4"]


def test_a_move_is_one_drag(stage: Stages, page: Page) -> None:
    played = stage("chess").open()
    drag(page, square(page, "e2"), middle(square(page, "e4")))
    chosen(page, 2)
    assert played.chosen == ["go A_pawn e2", "e4"]
    expect(page.locator(".dragged")).to_have_count(0)


def test_while_a_piece_is_dragged_it_shows_where_it_may_land(stage: Stages, page: Page) -> None:
    stage("chess").open()
    page.mouse.move(*middle(square(page, "g1")))
    page.mouse.down()
    page.mouse.move(*middle(square(page, "g4")), steps=4)
    expect(page.locator(".dragged")).to_be_visible()
    expect(page.locator(OFFERED)).to_have_count(2)
    page.mouse.up()


def test_what_is_dropped_elsewhere_goes_back(stage: Stages, page: Page) -> None:
    played = stage("chess").open()
    drag(page, square(page, "e2"), middle(square(page, "e5")))
    expect(page.locator(OFFERED)).to_have_count(10)
    assert [step.seat for step in played.match.steps if step.seat] == []
    expect(page.locator(".untaken")).to_have_count(0)


def test_another_piece_is_picked_without_a_step_back_and_the_same_is_put_down(
    stage: Stages, page: Page
) -> None:
    played = stage("chess").open()
    square(page, "e2").click()
    expect(square(page, "g1")).to_have_attribute("data-state", "instead")
    square(page, "g1").click()
    expect(square(page, "g1")).to_have_attribute("data-picked", "true")
    square(page, "f3").click()
    chosen(page, 3)
    assert played.chosen == ["go A_pawn e2", "go A_knight g1", "f3"]
    page.wait_for_timeout(400)
    square(page, "d2").click()
    expect(square(page, "d2")).to_have_attribute("data-picked", "true")
    page.wait_for_timeout(500)
    square(page, "d2").click()
    expect(page.locator("[data-picked]")).to_have_count(0)
    expect(square(page, "d2")).to_have_attribute("data-state", "offered")


def test_a_finger_drags_too(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 740}, has_touch=True, is_mobile=True)
    played = Stage(page, "chess").open()
    touch = page.context.new_cdp_session(page)
    (x, y), (u, v) = middle(square(page, "e2")), middle(square(page, "e4"))
    send = touch.send
    send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (0.3, 0.6, 1):
        point = {"x": x + part * (u - x), "y": y + part * (v - y)}
        send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    chosen(page, 2)
    assert played.chosen == ["go A_pawn e2", "e4"]
    page.close()


# ---- plans


def choose(played: Stage, *words: str) -> None:
    """Choices of the other seat, each with the name of the seat that it is of."""
    for each in words:
        played.match.choose(played.match.decisions()[0].seat, each)
    played.show()


def test_a_plan_is_made_when_its_turn_comes(stage: Stages, page: Page) -> None:
    played = stage("chess", seat=1).open()
    square(page, "e7").click()
    square(page, "e5").click()
    expect(page.locator(".prompt .chosen")).to_contain_text("Planned: e7")
    assert [square(page, name).get_attribute("data-planned") for name in ("e7", "e5")] == ["1", "2"]
    assert played.chosen == []
    choose(played, "go e2", "e4")
    chosen(page, 2)
    assert played.chosen == ["go B_pawn e7", "e5"]
    expect(page.locator("[data-planned]")).to_have_count(0)


def test_a_plan_that_is_not_offered_any_more_is_dropped_with_a_sign(stage: Stages, page: Page) -> None:
    played = stage("chess", seat=1).open()
    drag(page, square(page, "e7"), middle(square(page, "e4")))
    expect(square(page, "e4")).to_have_attribute("data-planned", "2")
    choose(played, "go e2", "e4")
    expect(page.locator(".untaken")).to_have_text("What was planned is not possible any more.")
    expect(page.locator(OFFERED)).to_have_count(10)
    expect(page.locator("[data-picked]")).to_have_count(0)
    assert [step.seat for step in played.match.steps if step.seat] == ["A", "A"]


def test_a_plan_is_cancelled_by_escape_and_never_made_of_what_belongs_to_the_other(
    stage: Stages, page: Page
) -> None:
    played = stage("chess", seat=1).open()
    square(page, "e7").click()
    expect(page.locator("[data-planned]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("[data-planned]")).to_have_count(0)
    square(page, "e2").click()
    expect(page.locator(".details")).to_be_visible()
    expect(page.locator("[data-planned]")).to_have_count(0)
    assert played.chosen == []


def test_where_something_is_hidden_or_random_nothing_is_planned(stage: Stages, page: Page) -> None:
    stage("backgammon", seat=1).play_until_asked().open()
    assert {name for name in rulewright.bundled() if _is_foreseen(name)} >= {"chess", "go", "hex", "kalah"}
    assert not any(_is_foreseen(name) for name in ("backgammon", "battleship", "roma", "gin_rummy"))


def _is_foreseen(name: str) -> bool:
    from rulewright.presentation.description import is_foreseen

    return is_foreseen(rulewright.open_game(name, seats=seats_of(name)))


# ---- how many clicks a turn takes


def click_through(played: Stage, page: Page, number: int) -> int:
    """The clicks that so many choices need, each on the last thing that lights up."""
    clicks = 0
    while len(played.chosen) < number:
        made = len(played.chosen)
        menu = page.locator(".details .choices button")
        lit = menu if menu.count() else page.locator(f"{OFFERED}, .actions button:not(.refused)")
        lit.last.dispatch_event("click")
        clicks += 1
        if not page.locator(".details .choices button").count():
            chosen(page, made + 1)
    return clicks


def test_three_cards_are_passed_by_three_clicks(stage: Stages, page: Page) -> None:
    played = stage("hearts").open()
    assert click_through(played, page, 3) == 3
    assert all(decision.waiting.seat != 0 or decision.name == "play" for decision in played.match.decisions())


def test_each_choice_of_a_turn_is_one_click(stage: Stages, page: Page) -> None:
    """Of a tray, of each marker, of what to do, of a thing for it: no click but for what the rules ask."""
    played = stage("trajan", seats=2).play(60).play_until("tray").open()
    assert click_through(played, page, 4) == 4


def test_the_last_of_several_is_chosen_by_itself_and_taken_back_with_the_one_before(
    stage: Stages, page: Page
) -> None:
    played = stage("trajan", seats=2).play(60)
    while len(played.play_until("marker").position["decisions"][0]["choices"]) != 2:
        played.play(1)
    played.open("sole")
    clicks = 0
    while played.position["decisions"] and _name(played) == "marker":
        page.locator(OFFERED).last.dispatch_event("click")
        clicks += 1
        page.wait_for_function("(clicks) => Number(document.body.dataset.chosen) >= clicks", arg=clicks)
        page.wait_for_timeout(200)
    assert clicks < len(played.chosen)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".asked")).to_contain_text("marker")
    assert page.locator(OFFERED).count() == 2
    page.wait_for_timeout(200)
    assert _name(played) == "marker"


def test_what_lies_in_a_tray_alone_goes_with_the_press_on_the_tray(stage: Stages, page: Page) -> None:
    """The marker of the tray is what the rules ask for next, and everybody knows that there is no other."""
    played = stage("trajan", seats=2).play(60).play_until("tray")
    while not (alone := _trays_with_one(played)):
        played.play(1).play_until("tray")
    played.open("sole")
    page.locator(f".thing[data-choices='{alone[0]}']").first.dispatch_event("click")
    page.wait_for_function("() => Number(document.body.dataset.chosen) >= 2")
    assert len(played.chosen) == 2
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".asked")).to_contain_text("tray")


def _trays_with_one(played: Stage) -> list[str]:
    """Words of trays whose markers are all alike, of those that are offered."""
    found = []
    for choice in played.match.decisions()[0].choices:
        played.match.choose(played.match.game.names.seat(played.seat), choice.text)
        (decision,) = played.match.decisions()
        if decision.name == "marker" and len(decision.choices) == 1:
            found.append(choice.text)
        played.match.undo()
    return found


def _name(played: Stage) -> str:
    """What the own seat is asked for."""
    node = played.position["decisions"][0]["node"]
    return str(played.description["decisions"][str(node)]["name"])


# ---- zooming


def test_a_board_is_zoomed_by_keys_by_buttons_and_by_the_wheel(stage: Stages, page: Page) -> None:
    played = stage("hex").play_until_asked().open()
    board = page.locator(".picture svg").first
    before = board.bounding_box()
    assert before is not None
    page.locator(OFFERED).first.focus()
    page.keyboard.press("+")
    page.get_by_role("button", name="Zoom in").click()
    frame = page.locator(".picture").first
    frame.dispatch_event("wheel", {"deltaY": -100, "ctrlKey": True, "clientX": 300, "clientY": 300})
    after = board.bounding_box()
    assert after is not None
    assert after["width"] == pytest.approx(before["width"] * 1.3**3, rel=0.02)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    settle(page)
    assert page.evaluate(HIDDEN) <= page.evaluate(TOLD)
    page.locator(OFFERED).nth(60).click()
    chosen(page, 1)
    assert len(played.chosen) == 1
    page.locator(OFFERED).first.focus()
    page.keyboard.press("0")
    assert board.bounding_box()["width"] == pytest.approx(before["width"], rel=0.02)  # type: ignore[index]
