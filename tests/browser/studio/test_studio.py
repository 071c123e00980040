"""The studio in a real browser: an editor beside a table, by mouse and by keys."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from rulewright.library import find
from rulewright.studio.server import FORBIDDEN
from tests.browser.studio.conftest import RunningStudio, replace_line, started

RULES = "pig.rules"
SLOW = 30_000
"""Milliseconds that a process which works beside the server may take to start."""


def throw(page: Page, times: int = 1) -> None:
    """Throw the die so often. A press right after a change counts for nothing."""
    for _ in range(times):
        page.wait_for_timeout(450)
        page.get_by_role("button", name="throw the die").first.click()


def begin(page: Page, seed: int) -> None:
    page.get_by_role("button", name="New match").click()
    page.get_by_label("seed").fill(str(seed))
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.get_by_test_id("steps")).to_contain_text("0 choices")


def test_another_match_tells_its_own_story(tmp_path: Path, page: Page) -> None:
    studio = started(Path(shutil.copytree(find("kuhn_poker"), tmp_path / "kuhn_poker")))
    try:
        page.goto(studio.address)
        told = set()
        for seed in range(8):
            begin(page, seed)
            expect(page.get_by_label("seed")).to_have_count(0)
            told.add(page.locator(".story .facts").first.inner_text())
        assert len(told) > 1
    finally:
        studio.kill()


def test_keys_wait_while_a_question_is_open(opened: Page) -> None:
    opened.locator(".cm-content").press("Alt+i")
    opened.get_by_role("dialog").wait_for()
    opened.keyboard.press("Alt+4")
    expect(opened.get_by_role("tab", name="Table")).to_have_attribute("aria-selected", "true")
    opened.keyboard.press("Escape")
    opened.keyboard.press("Alt+4")
    expect(opened.get_by_role("tab", name="Phases")).to_have_attribute("aria-selected", "true")


def test_a_mistake_is_underlined_listed_and_corrected(opened: Page) -> None:
    replace_line(opened, 9, "    roll dye")
    expect(opened.locator(".cm-lintRange-error")).to_have_text("dye")
    finding = opened.locator(".finding[data-severity=error]")
    expect(finding).to_contain_text("pig.rules:9")
    opened.get_by_role("button", name="Replace by `die`").first.click()
    expect(opened.locator(".cm-lintRange-error")).to_have_count(0)
    expect(opened.locator(".cm-line").nth(8)).to_have_text("    roll die")


def test_findings_do_not_hide_the_line_that_is_typed(opened: Page) -> None:
    opened.set_viewport_size({"width": 1400, "height": 560})
    replace_line(opened, 23, "score points = pints of me")
    expect(opened.locator(".finding[data-severity=error]").first).to_be_visible()
    bottom = "document.querySelector('{}').getBoundingClientRect().bottom"
    cursor, text = bottom.format(".cm-cursor-primary"), bottom.format(".cm-scroller")
    opened.wait_for_function(f"{cursor} <= {text}")


def test_the_match_follows_the_rules_or_says_where_it_parts(opened: Page) -> None:
    begin(opened, 11)
    throw(opened, 3)
    expect(opened.get_by_test_id("steps")).to_contain_text("3 choices")
    replace_line(opened, 14, "        pot += die.face + 1")
    expect(opened.locator(".note", has_text="played again")).to_be_visible()
    expect(opened.get_by_test_id("steps")).to_contain_text("3 choices")
    replace_line(opened, 8, "    needs points of me + pot < 1")
    parted = opened.locator(".parted")
    expect(parted).to_contain_text("A chose `throw`, but needs points of me + pot < 1")
    expect(parted).to_contain_text("Behind it: action throw")
    parted.get_by_role("button", name="pig.rules:8").click()
    expect(opened.locator(".cm-activeLine")).to_have_text("    needs points of me + pot < 1")
    parted.get_by_role("button", name="Rewind").click()
    expect(parted).to_have_count(0)
    expect(opened.get_by_test_id("steps")).to_contain_text("1 choice")


def test_it_saves_and_overwrites_nobody(opened: Page, game: Path) -> None:
    replace_line(opened, 1, "# mine")
    opened.keyboard.press("Control+s")
    expect(opened.get_by_text("pig.rules is saved")).to_be_visible()
    text = (game / RULES).read_text("utf-8")
    assert text.startswith("# mine\n")
    replace_line(opened, 1, "# mine again")
    (game / RULES).write_text(text.replace("# mine", "# theirs"), "utf-8")
    conflict = opened.get_by_role("alert").filter(has_text="changed on the disk")
    expect(conflict).to_be_visible()
    opened.keyboard.press("Control+s")
    opened.wait_for_timeout(300)
    assert (game / RULES).read_text("utf-8").startswith("# theirs\n")
    conflict.get_by_role("button", name="Keep mine").click()
    opened.keyboard.press("Control+s")
    expect(opened.get_by_text("pig.rules is saved").last).to_be_visible()
    expect(opened.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    assert (game / RULES).read_text("utf-8").startswith("# mine again\n")


def test_what_is_not_saved_is_not_called_saved(opened: Page, game: Path) -> None:
    replace_line(opened, 1, "# mine")
    (game / RULES).write_text("# theirs\n", "utf-8")
    expect(opened.get_by_role("alert").filter(has_text="changed on the disk")).to_be_visible()
    opened.keyboard.press("Control+s")
    expect(opened.get_by_text("nothing was overwritten")).to_be_visible()
    expect(opened.get_by_text("is saved", exact=False)).to_have_count(0)


def test_a_file_is_made(opened: Page, game: Path) -> None:
    for name in ("prices.txt", "../prices.csv"):
        opened.get_by_role("button", name="New file").click()
        opened.get_by_role("textbox", name="New file").fill(name)
        opened.keyboard.press("Enter")
        expect(opened.get_by_text(f"`{name}` is no file of a ruleset")).to_be_visible()
    opened.get_by_role("button", name="New file").click()
    opened.get_by_role("textbox", name="New file").fill("prices.csv")
    opened.keyboard.press("Enter")
    expect(opened.get_by_role("tab", name="prices.csv")).to_have_attribute("aria-selected", "true")
    opened.get_by_role("button", name="As text").click()
    opened.locator(".cm-content").click()
    opened.keyboard.type("number,price")
    opened.keyboard.press("Control+s")
    expect(opened.get_by_text("prices.csv is saved")).to_be_visible()
    assert (game / "prices.csv").read_text("utf-8") == "number,price"


def test_what_another_editor_writes_is_taken_over(opened: Page, game: Path) -> None:
    text = (game / RULES).read_text("utf-8")
    (game / RULES).write_text(text.replace("# Pig", "# Hog"), "utf-8")
    expect(opened.locator(".cm-line").first).to_contain_text("# Hog")


def with_unsaved_text(studio: RunningStudio, context: BrowserContext) -> Page:
    """A page with two choices and an unsaved line; its console may complain that nobody answers."""
    page = context.new_page()
    page.goto(studio.address)
    page.locator(".prompt").wait_for()
    begin(page, 11)
    throw(page, 2)
    replace_line(page, 1, "# unsaved")
    return page


def test_unsaved_text_and_the_match_survive_both_sides(
    studio: RunningStudio, context: BrowserContext
) -> None:
    page = with_unsaved_text(studio, context)
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_enabled()
    studio.kill()
    expect(page.get_by_role("status").filter(has_text="the server is gone")).to_be_visible()
    replace_line(page, 1, "# written while it was gone")
    again = started(studio.game, studio.port)
    try:
        page.close(run_before_unload=False)
        other = context.new_page()
        other.goto(again.address)
        other.get_by_role("button", name="Take it up").click()
        expect(other.locator(".cm-line").first).to_have_text("# written while it was gone")
        expect(other.get_by_test_id("steps")).to_contain_text("2 choices")
    finally:
        again.kill()


def test_a_page_that_is_open_takes_the_address_of_the_next_start(
    studio: RunningStudio, context: BrowserContext
) -> None:
    page = with_unsaved_text(studio, context)
    studio.kill()
    expect(page.get_by_role("status").filter(has_text="the server is gone")).to_be_visible()
    again = started(studio.game, studio.port)
    try:
        asked = page.get_by_role("status").filter(has_text="open the address")
        expect(asked).to_be_visible(timeout=SLOW)
        page.goto(again.address)
        expect(page.get_by_role("status").filter(has_text="connected")).to_be_visible()
        expect(page.locator(".cm-line").first).to_have_text("# unsaved")
        expect(page.get_by_test_id("steps")).to_contain_text("2 choices")
        page.keyboard.press("Control+s")
        expect(page.get_by_text("pig.rules is saved")).to_be_visible()
    finally:
        page.close(run_before_unload=False)
        again.kill()


def test_a_scenario_is_recorded_from_play(opened: Page, game: Path) -> None:
    begin(opened, 11)
    throw(opened, 2)
    opened.keyboard.press("Alt+5")
    opened.get_by_role("button", name="Record a scenario").click()
    expect(opened.get_by_text("It was run, and holds.")).to_be_visible()
    opened.get_by_label("name").fill("Two throws")
    opened.get_by_label("name").press("Tab")
    opened.get_by_label("pot: 6").uncheck()
    expect(opened.locator(".note pre")).not_to_contain_text("pot: 6")
    opened.get_by_role("button", name="Write it into the file").click()
    opened.keyboard.press("Control+s")
    expect(opened.get_by_text("scenarios/played.yaml is saved")).to_be_visible()
    text = (game / "scenarios" / "played.yaml").read_text("utf-8")
    assert text.startswith("- scenario: Two throws\n")
    assert "- A: throw\n    - A: throw\n" in text
    expect(opened.get_by_test_id("scenarios")).to_contain_text("19 scenarios, all hold", timeout=SLOW)


def test_a_scenario_has_the_name_that_was_typed_last(opened: Page) -> None:
    begin(opened, 11)
    throw(opened, 2)
    opened.keyboard.press("Alt+5")
    opened.get_by_role("button", name="Record a scenario").click()
    opened.get_by_label("name").fill("Two throws")
    opened.get_by_role("button", name="Write it into the file").click()
    expect(opened.locator(".cm-content")).to_contain_text("- scenario: Two throws")
    expect(opened.get_by_role("button", name="Record a scenario")).to_be_visible()


def test_a_single_scenario_is_counted_as_one(game: Path, page: Page) -> None:
    for path in (game / "scenarios").iterdir():
        path.unlink()
    single = game / "scenarios" / "single.yaml"
    single.write_text("- scenario: Nobody begins with points\n  then: {points of A: 0}\n", "utf-8")
    studio = started(game)
    try:
        page.goto(studio.address)
        page.locator(".prompt").wait_for()
        page.keyboard.press("Alt+5")
        said = page.get_by_test_id("scenarios")
        expect(said).to_have_text("1 scenario, which holds", timeout=SLOW)
        single.write_text(single.read_text("utf-8").replace("A: 0", "A: 1"), "utf-8")
        expect(page.get_by_test_id("scenarios")).to_contain_text(
            "1 of 1 scenario does not hold", timeout=SLOW
        )
    finally:
        studio.kill()


def test_the_phase_of_play_and_of_the_cursor_are_lit(opened: Page) -> None:
    replace_line(opened, 1, "# Pig")
    opened.keyboard.press("ArrowDown")
    opened.keyboard.press("Alt+4")
    expect(opened.locator("[data-node=phase_turn]")).to_have_class("lit-play", timeout=SLOW)
    opened.keyboard.press("Alt+1")
    opened.locator(".cm-line").nth(8).click()
    expect(opened.locator("[data-node=phase_turn]")).to_have_class("lit-play lit-cursor")


def test_play_comes_to_a_line(opened: Page) -> None:
    opened.locator(".cm-line").nth(17).click()
    opened.keyboard.press("Alt+p")
    expect(opened.get_by_text("The table shows line 18 of pig.rules")).to_be_visible(timeout=SLOW)
    expect(opened.locator(".story")).to_contain_text("hold")


def test_everything_can_be_done_by_keys_on_a_narrow_page(studio: RunningStudio, page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(studio.address)
    page.locator(".cm-content").wait_for()
    expect(page.locator("#panel")).to_be_hidden()
    for number, name in enumerate(
        ("Table", "Seats", "Phases", "Scenarios", "Changes", "Numbers", "Checks"), 2
    ):
        page.keyboard.press(f"Alt+{number}")
        expect(page.get_by_role("tabpanel", name=name)).to_be_focused()
        expect(page.locator(".editor-side")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    page.keyboard.press("Alt+1")
    expect(page.locator(".cm-content")).to_be_focused()
    expect(page.locator("#panel")).to_be_hidden()
    page.keyboard.press("Alt+2")
    page.wait_for_timeout(450)
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.startsWith('throw')"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("steps")).to_contain_text("1 choice")


@pytest.mark.parametrize("key", ["2", "5", "6", "7", "8", "0", "a"])
def test_panels_are_accessible(opened: Page, key: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    opened.keyboard.press(f"Alt+{key}")
    opened.wait_for_timeout(300)
    found = Axe().run(opened, options={"rules": {"color-contrast": {"enabled": False}}})
    serious = [v for v in found.response["violations"] if v["impact"] in ("serious", "critical")]
    assert serious == [], [(v["id"], [node["html"][:150] for node in v["nodes"]]) for v in serious]


def test_each_tab_has_its_own_match_after_a_reload(studio: RunningStudio, context: BrowserContext) -> None:
    """And a new tab has, of the matches of closed tabs, the one that was played last."""
    tabs = [context.new_page(), context.new_page()]
    for seed, tab in enumerate(tabs, 11):
        tab.goto(studio.address)
        tab.locator(".prompt").wait_for()
        begin(tab, seed)
    throw(tabs[0], 2)
    throw(tabs[1], 1)
    expect(tabs[0].get_by_test_id("steps")).to_contain_text("2 choices")
    expect(tabs[1].get_by_test_id("steps")).to_contain_text("1 choice")
    for tab, choices in zip(tabs, ("2 choices", "1 choice"), strict=True):
        tab.reload()
        expect(tab.get_by_test_id("steps")).to_contain_text(choices)
    tabs[0].close()
    other = context.new_page()
    other.goto(studio.address)
    expect(other.get_by_test_id("steps")).to_contain_text("2 choices")


def test_a_file_that_is_missing_is_made_from_the_finding(opened: Page, game: Path) -> None:
    opened.get_by_role("tab", name="game.yaml").click()
    opened.locator(".cm-content").press("Control+End")
    opened.keyboard.insert_text("\ntypes: {town: {table: towns.csv, columns: {size: 0..9}}}\n")
    opened.get_by_role("button", name="Make towns.csv").click()
    expect(opened.get_by_role("tab", name="towns.csv")).to_have_attribute("aria-selected", "true")
    opened.get_by_role("button", name="As text").click()
    opened.locator(".cm-content").click()
    opened.keyboard.insert_text("town,size\nrome,3\n")
    expect(opened.get_by_role("button", name="Make towns.csv")).to_have_count(0)
    opened.keyboard.press("Control+s")
    expect(opened.get_by_text("2 files are saved")).to_be_visible()
    assert (game / "towns.csv").read_text("utf-8") == "town,size\nrome,3\n"


def test_a_new_address_counts_while_the_old_one_is_being_refused(studio: RunningStudio, page: Page) -> None:
    """The server refuses the old address only after the page has the new one."""
    late: list[WebSocketRoute] = []
    old = studio.address.partition("#")[2]
    is_gone = False

    def passed_on(socket: WebSocketRoute) -> None:
        if is_gone and old in socket.url:
            late.append(socket)
        else:
            socket.connect_to_server()

    page.route_web_socket(re.compile("/socket"), passed_on)
    page.goto(studio.address)
    page.locator(".prompt").wait_for()
    is_gone = True
    studio.kill()
    expect(page.get_by_text("the server is gone")).to_be_visible()
    again = started(studio.game, studio.port)
    try:
        page.wait_for_timeout(500)
        page.evaluate("address => { location.hash = address; }", again.address.partition("#")[2])
        page.wait_for_timeout(200)
        late[-1].close(code=FORBIDDEN)
        expect(page.get_by_text("connected", exact=True)).to_be_visible()
    finally:
        again.kill()


def test_a_new_match_is_asked_about_in_sight(opened: Page) -> None:
    panel = opened.get_by_role("tabpanel")
    panel.evaluate("panel => { panel.style.maxHeight = '300px'; panel.scrollTop = 9999; }")
    opened.get_by_role("button", name="New match").click()
    expect(opened.get_by_role("button", name="Begin")).to_be_in_viewport()
