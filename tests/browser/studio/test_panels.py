"""The panels beside the editor, each as somebody who makes a game uses it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from rulewright.library import find
from tests.browser.studio.conftest import RunningStudio, replace_line, started

SLOW = 60_000
"""Milliseconds that a process which works beside the server may take on a busy machine."""
HOLD_NEEDS = 17
GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org")


def served(game: str, where: Path, *appended: tuple[str, str]) -> RunningStudio:
    """A studio with a copy of a bundled game, committed, with texts at the ends of some files."""
    folder = Path(shutil.copytree(find(game), where / game))
    for path, text in appended:
        (folder / path).write_text((folder / path).read_text("utf-8") + text, "utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *words], cwd=folder, check=True)
    return started(folder)


@pytest.fixture(scope="module")
def pigs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    """One server for several tests: each has a page of its own, and none saves."""
    studio = served("pig", tmp_path_factory.mktemp("pigs"))
    yield studio
    studio.kill()


@pytest.fixture
def pig(pigs: RunningStudio, page: Page) -> Page:
    return shown(pigs, page)


def shown(studio: RunningStudio, page: Page) -> Page:
    page.set_viewport_size({"width": 1400, "height": 850})
    page.goto(studio.address)
    page.locator(".prompt").wait_for(timeout=SLOW)
    return page


def at_cursor(page: Page) -> Locator:
    return page.locator(".cm-activeLine")


def throw(page: Page) -> None:
    page.wait_for_timeout(450)  # a press right after a change counts for nothing
    page.get_by_role("button", name="throw the die").first.click()


# ---- what has changed


def test_a_changed_line_says_what_it_means(pig: Page) -> None:
    replace_line(pig, 14, "pot += die.face + 1")
    replace_line(pig, 1, "# Hog")
    mark = pig.locator(".changed-line")
    expect(mark).to_have_count(2, timeout=SLOW)
    expect(mark.first).to_have_attribute("title", "changed since the last commit, with no change in meaning")
    mark.last.click()
    asked = pig.get_by_role("dialog")
    expect(asked).to_contain_text("Changed since the last commit: action throw changed")
    expect(asked.locator("pre")).to_contain_text("pot += die.face")
    pig.keyboard.press("Escape")
    pig.keyboard.press("Alt+6")
    panel = pig.get_by_role("tabpanel")
    expect(panel.get_by_role("status")).to_contain_text("1 thing has changed in meaning")
    expect(panel.locator("[data-sign='+']")).to_have_text("+ pot += die.face + 1")
    expect(panel.locator("li", has_text="§2.2").last).to_contain_text("is cited by")
    panel.get_by_role("button", name="throw", exact=True).click()
    expect(at_cursor(pig)).to_contain_text("action throw")


def test_changed_lines_are_marked_where_the_committed_rules_cannot_be_read(game: Path, page: Page) -> None:
    """Without what they mean."""
    text = (game / "pig.rules").read_text("utf-8")
    (game / "pig.rules").write_text(text.replace("gain pot points", "gain pott points"), "utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *words], cwd=game, check=True)
    (game / "pig.rules").write_text(text, "utf-8")
    studio = started(game)
    try:
        page.goto(studio.address)
        mark = page.locator(".changed-line")
        expect(mark).to_have_count(1, timeout=SLOW)
        expect(mark).to_have_attribute("title", "changed since the last commit")
    finally:
        studio.kill()


# ---- why something is not offered


def test_a_line_says_why_it_refuses(pig: Page) -> None:
    replace_line(pig, HOLD_NEEDS, "needs pot > 50")
    expect(pig.locator(".note", has_text="played again")).to_be_visible(timeout=SLOW)
    pig.locator(".cm-content").press("Alt+w")
    asked = pig.get_by_role("dialog")
    expect(asked).to_contain_text("hold is not offered:")
    refusal = asked.locator(".finding[data-severity=error]")
    expect(refusal).to_contain_text("this line")
    expect(refusal).to_contain_text("but the points at stake are 0")
    refusal.click()
    expect(asked).to_be_hidden()
    expect(at_cursor(pig)).to_have_text("    needs pot > 50")


def test_a_part_of_an_action_is_asked_for(tmp_path: Path, page: Page) -> None:
    studio = served("liars_dice", tmp_path)
    try:
        shown(studio, page)
        page.wait_for_timeout(450)  # a press right after a change counts for nothing
        page.get_by_role("button", name="bid 1", exact=True).click()
        expect(page.get_by_test_id("steps")).to_contain_text("1 choice")
        page.locator(".cm-content").press("Control+Home")
        lines = (studio.game / "liars_dice.rules").read_text("utf-8").splitlines()
        for _ in range(lines.index("    called = face")):
            page.keyboard.press("ArrowDown")
        page.locator(".cm-content").press("Alt+w")
        expect(page.get_by_role("dialog")).to_contain_text("bid is being chosen: now its face is asked for.")
    finally:
        studio.kill()


# ---- clauses and their lines


def test_clauses_lead_to_lines_and_lines_to_clauses(pig: Page) -> None:
    pig.keyboard.press("Alt+9")
    panel = pig.get_by_role("tabpanel")
    panel.get_by_placeholder("§2.1, or words").fill("§2.3", timeout=SLOW)
    clause = panel.locator(".traced").last
    clause.locator("summary").click()
    clause.get_by_role("button", name="pig.rules:11").click()
    expect(at_cursor(pig)).to_contain_text("pot = 0")
    here = panel.get_by_role("heading", name="At the cursor, line 11 of pig.rules")
    expect(here).to_be_visible()
    expect(panel.locator(".traced").first).to_contain_text("§2.3")
    asserted = panel.locator(".places", has_text="asserted by").first.get_by_role("button").first
    name = asserted.inner_text()
    asserted.click()
    expect(at_cursor(pig)).to_contain_text(name)
    expect(panel.locator(".traced").first).to_contain_text("§2.3")


# ---- the drawing


def test_the_drawing_is_zoomed_and_moved(pig: Page) -> None:
    pig.keyboard.press("Alt+4")
    drawing = pig.get_by_role("region", name="the drawing")
    picture = drawing.locator("svg")
    whole = picture.evaluate("svg => svg.clientWidth", timeout=SLOW)
    for _ in range(6):
        pig.get_by_role("button", name="larger").click()
    expect(pig.get_by_role("button", name="381 %")).to_be_visible()
    assert picture.evaluate("svg => svg.clientWidth") > 2 * whole
    box = drawing.bounding_box()
    assert box is not None
    pig.mouse.move(box["x"] + 200, box["y"] + 150)
    pig.mouse.down()
    pig.mouse.move(box["x"] + 120, box["y"] + 110, steps=4)
    pig.mouse.up()
    assert drawing.evaluate("box => [box.scrollLeft, box.scrollTop]") == [80, 40]
    line = at_cursor(pig).inner_text()
    pig.keyboard.down("Control")
    pig.mouse.wheel(0, 100)
    pig.keyboard.up("Control")
    expect(pig.get_by_role("button", name="318 %")).to_be_visible()
    drawing.press("0")
    expect(pig.get_by_role("button", name="whole")).to_be_visible()
    assert at_cursor(pig).inner_text() == line
    drawing.locator("[data-node=phase_final]").click()
    expect(at_cursor(pig)).to_contain_text("final: {score: highest}")


# ---- when the rules cannot follow the match


def part(pig: Page) -> Locator:
    for _ in range(2):
        throw(pig)
    expect(pig.get_by_test_id("steps")).to_contain_text("2 choices")
    replace_line(pig, 8, "needs points of me + pot < 1")
    parted = pig.locator(".parted")
    expect(parted).to_contain_text("cannot follow the match", timeout=SLOW)
    return parted


def begin(page: Page, seed: int) -> None:
    page.get_by_role("button", name="New match").click()
    page.get_by_label("seed").fill(str(seed))
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.get_by_label("seed")).to_have_count(0)


def test_one_stays_under_the_old_rules_or_begins_anew(pig: Page) -> None:
    begin(pig, 11)
    parted = part(pig)
    parted.get_by_role("button", name="Stay under the old rules").click()
    expect(parted).to_contain_text("goes on under the rules from before")
    throw(pig)
    expect(pig.get_by_test_id("steps")).to_contain_text("3 choices")
    parted.get_by_role("button", name="Begin anew").click()
    expect(parted).to_have_count(0)
    expect(pig.get_by_test_id("steps")).to_contain_text("0 choices")


# ---- counterexamples


def test_a_counterexample_is_played_where_it_happens(tmp_path: Path, page: Page) -> None:
    studio = served("kuhn_poker", tmp_path, ("kuhn_poker.rules", "\nnever chips of A is 0\n"))
    try:
        shown(studio, page)
        page.keyboard.press("Alt+8")
        page.get_by_role("button", name="Explore every position").click()
        page.get_by_role("button", name="Open the position").first.click(timeout=SLOW)
        expect(page.get_by_text("The table shows the position of the finding")).to_be_visible()
        expect(page.get_by_test_id("steps")).to_contain_text("1 choice")
        expect(page.locator(".story")).to_contain_text("bet")
    finally:
        studio.kill()


# ---- numbers


def tried(page: Page, name: str, value: int) -> Locator:
    """Another value of a number is simulated; the region that tells of it."""
    box = page.get_by_label(f"{name}, as a number")
    box.fill(str(value))
    box.press("Enter")
    told = page.get_by_role("region", name="Simulation")
    expect(told).to_contain_text(f"{name} = {value}", timeout=SLOW)
    return told


def test_a_cell_of_a_table_is_tried_and_written(tmp_path: Path, page: Page) -> None:
    studio = served("hedgerow", tmp_path)
    try:
        shown(studio, page)
        page.keyboard.press("Alt+7")
        page.locator("summary", has_text="plants.csv").click(timeout=SLOW)
        boxes = page.locator(".cells[open] .slider input[type=number]")
        assert len(set(boxes.evaluate_all("all => all.map((one) => one.getBoundingClientRect().x)"))) == 1
        told = tried(page, "foxglove.worth", 1)
        assert len(set(boxes.evaluate_all("all => all.map((one) => one.getBoundingClientRect().x)"))) == 1
        expect(told).to_be_in_viewport()
        expect(told).to_contain_text(re.compile(r"\d+ pairs"), timeout=SLOW)
        broken = told.locator(".finding").first
        expect(broken).to_be_visible(timeout=SLOW)
        expect(told).not_to_contain_text(re.compile(r"[+-]0\.0+(?!\d)"))
        page.get_by_role("button", name="Write it into the rules").click()
        broken.click()
        expect(page.get_by_role("tab", name="scenarios/counting.yaml")).to_have_attribute(
            "aria-selected", "true"
        )
        page.get_by_role("tab", name="plants.csv").click()
        expect(page.locator(".cm-line", has_text="foxglove")).to_have_text("foxglove,10,1,§4.4")
        page.keyboard.press("Control+s")
        expect(page.get_by_text("plants.csv is saved")).to_be_visible()
    finally:
        studio.kill()


def test_scenarios_that_fail_are_counted_wherever_one_looks(pig: Page) -> None:
    tab = pig.get_by_role("tab", name=re.compile("^Scenarios"))
    found = pig.locator(".findings-head")
    expect(tab).to_have_text("Scenarios")
    expect(found).to_have_text("No findings")
    replace_line(pig, HOLD_NEEDS, "needs pot > 90")
    expect(tab).to_have_text(re.compile(r"^Scenarios \d+$"), timeout=SLOW)
    expect(found).to_have_text(re.compile(r"; \d+ scenarios do not hold$"))
    pig.locator(".cm-content").press("Control+z")
    expect(tab).to_have_text("Scenarios", timeout=SLOW)
    expect(found).to_have_text("No findings")


def test_the_game_leaves_as_one_file(pig: Page, tmp_path: Path) -> None:
    pig.keyboard.press("Alt+0")
    panel = pig.get_by_role("tabpanel", name="Publish")
    with pig.expect_download(timeout=4 * SLOW) as kept:
        panel.get_by_role("button", name="Make pig.html").click()
    kept.value.save_as(tmp_path / "pig.html")
    assert kept.value.suggested_filename == "pig.html"
    assert (tmp_path / "pig.html").read_text("utf-16").startswith("<!doctype html>")
    replace_line(pig, HOLD_NEEDS, "needs pot > 1")
    expect(panel).to_contain_text("What is not saved is not in it: pig.rules")


def test_numbers_come_when_a_mistake_is_mended(pig: Page) -> None:
    replace_line(pig, HOLD_NEEDS, "needs pott > 0")
    expect(pig.locator(".finding[data-severity=error]").first).to_be_visible()
    pig.keyboard.press("Alt+7")
    panel = pig.get_by_role("tabpanel")
    expect(panel).to_contain_text("The numbers are shown when the rules have no mistakes")
    pig.locator(".cm-content").press("Control+z")
    expect(panel.get_by_role("slider").first).to_be_visible(timeout=SLOW)


def test_a_number_of_a_table_in_the_game_is_tried_and_written(tmp_path: Path, page: Page) -> None:
    studio = served("hedgerow", tmp_path)
    try:
        shown(studio, page)
        page.keyboard.press("Alt+7")
        page.locator("summary", has_text="brambles").click(timeout=SLOW)
        tried(page, "brambles.2", 5)
        page.get_by_role("button", name="Write it into the rules").click()
        expect(page.get_by_text("brambles.2 is 5 in game.yaml now")).to_be_visible()
        page.keyboard.press("Control+s")
        expect(page.get_by_text("game.yaml is saved")).to_be_visible()
        assert "{0: 0, 1: 1, 2: 5, 3: 6," in (studio.game / "game.yaml").read_text("utf-8")
    finally:
        studio.kill()
