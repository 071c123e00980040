"""From the rules to what people say of them: analysis, comparison of versions, and tables for testers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from dsl.load import load
from rulewright.library import folder
from rulewright.matches.playtests import Happening, PlaytestRecord, written
from tests.browser.studio.conftest import RunningStudio, replace_line
from tests.browser.studio.test_panels import SLOW, at_cursor, served, shown

LONG = 4 * SLOW
NARROW, WIDE = {"width": 390, "height": 780}, {"width": 1400, "height": 850}


@pytest.fixture
def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningStudio]:
    """A studio with a game that is committed, and data of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    studio = served("pig", tmp_path)
    yield studio
    studio.process.terminate()
    studio.process.wait(30)


@pytest.fixture
def pig(studio: RunningStudio, page: Page) -> Page:
    return shown(studio, page)


def panel(page: Page, key: str, name: str) -> Locator:
    page.keyboard.press(f"Alt+{key}")
    return page.get_by_role("tabpanel", name=name)


def amount(where: Locator, name: str, value: int) -> None:
    """Write a number beside its slider, by keys."""
    box = where.get_by_label(f"{name}, as a number")
    box.fill(str(value))
    box.press("Enter")


def test_matches_of_bots_lead_to_the_lines_that_matter(pig: Page) -> None:
    analysis = panel(pig, "a", "Analysis")
    slider = analysis.get_by_label("matches of each part", exact=True)
    slider.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "10")
    amount(analysis, "matches of each part", 80)
    analysis.get_by_role("button", name="Analyse").press("Enter")
    expect(analysis.get_by_role("progressbar")).to_be_visible()
    expect(analysis).to_contain_text("80 matches", timeout=LONG)
    finding = analysis.locator(".finding", has_text="goal = 90")
    expect(finding).to_contain_text("decisions shorter", timeout=LONG)
    analysis.get_by_role("button", name="Save the page").wait_for(timeout=LONG)
    with pig.expect_download() as kept:
        analysis.get_by_role("button", name="Save the page").press("Enter")
    assert kept.value.suggested_filename == "pig-analysis.html"
    finding.press("Enter")
    expect(at_cursor(pig)).to_contain_text("goal: {range: 10..900")


def test_an_analysis_is_stopped_and_what_it_found_stays(pig: Page) -> None:
    pig.set_viewport_size(NARROW)
    analysis = panel(pig, "a", "Analysis")
    amount(analysis, "matches of each part", 10_000)
    analysis.get_by_role("button", name="Analyse").click()
    expect(analysis.get_by_text(re.compile(r"^\d+ matches$"))).to_be_visible(timeout=LONG)
    analysis.get_by_role("button", name="Stop").click()
    expect(analysis).to_contain_text("It was stopped: this is what was finished.")
    expect(analysis.get_by_text("decisions, median")).to_be_visible()
    expect(analysis).not_to_contain_text("Files were edited since")
    pig.keyboard.press("Alt+1")
    replace_line(pig, 14, "pot += die.face + 1")
    expect(panel(pig, "a", "Analysis")).to_contain_text("Files were edited since", timeout=SLOW)
    assert pig.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_records_of_people_lead_to_the_clause_that_confuses(
    studio: RunningStudio, pig: Page, tmp_path: Path
) -> None:
    records, rules = tmp_path / "records", load(folder(studio.game))[0]
    records.mkdir()
    for number in range(2):
        happened = (
            Happening("refused", 0, "hold", ("§2.4",), "pot > 0"),
            Happening("answer", 0, text="Yes & no"),
        )
        record = PlaytestRecord("pig", rules.digest, 2, "", (0,), 5.0, (0,), ("Fun?",), happened)
        (records / f"playtest-{number}.jsonl").write_text(written(record), "utf-8")
    analysis = panel(pig, "a", "Analysis")
    analysis.get_by_label("records in the folder").fill(str(tmp_path / "nothing"))
    pig.keyboard.press("Enter")
    expect(analysis.get_by_role("alert")).to_contain_text("there is no such folder", timeout=SLOW)
    analysis.get_by_label("records in the folder").fill(str(records))
    pig.keyboard.press("Enter")
    expect(analysis).to_contain_text("2 matches of the present rules", timeout=SLOW)
    expect(analysis).to_contain_text("Yes & no")
    analysis.locator(".finding", has_text="§2.4").press("Enter")
    expect(at_cursor(pig)).to_contain_text("§2.4")


def test_versions_are_compared_by_meaning_and_by_matches(pig: Page) -> None:
    replace_line(pig, 21, "value somebody_there = any(seat where points of seat >= 20)   §3.1")
    changes = panel(pig, "6", "Changes")
    changes.get_by_label("compared with").select_option("other")
    asked = pig.get_by_role("dialog").get_by_role("textbox")
    asked.fill("@nowhere")
    asked.press("Enter")
    expect(changes).to_contain_text("There is nothing to compare with", timeout=SLOW)
    expect(changes).to_contain_text("@nowhere")
    changes.get_by_label("compared with").select_option("what is saved")
    expect(changes.locator("[data-sign='+']")).to_contain_text(">= 20", timeout=SLOW)
    expect(changes).to_contain_text("1 thing has changed in meaning since what is saved")
    amount(changes, "pairs at most", 400)
    margin = changes.get_by_label("a difference of the win share that matters, in %")
    for key, value in (("ArrowRight", "3 %"), ("ArrowLeft", "2 %"), ("Home", "1 %"), ("ArrowRight", "2 %")):
        margin.press(key)
        expect(margin).to_have_attribute("aria-valuetext", value)
    changes.get_by_role("button", name="Play both").press("Enter")
    expect(changes).to_contain_text("the new side differs: ", timeout=LONG)
    expect(changes.get_by_role("row", name=re.compile("^length"))).to_be_visible()
    expect(changes.get_by_role("button", name="Stop")).to_have_count(0, timeout=LONG)


def test_a_table_for_testers_says_which_rules_it_plays(
    studio: RunningStudio, pig: Page, browser: Browser, tmp_path: Path
) -> None:
    publish = panel(pig, "0", "Publish")
    publish.get_by_label("records in the folder").fill(str(tmp_path / "records"))
    publish.get_by_label("questions after the match").fill("Was it fun?")
    publish.get_by_role("button", name="Open a table").press("Enter")
    room = publish.locator(".rooms li")
    expect(room).to_contain_text("0 of 2 seats taken", timeout=LONG)
    expect(room).to_contain_text("as saved")
    digest = room.locator(".chip").inner_text().split(",")[0].removeprefix("rules ")
    link = room.get_by_role("link").get_attribute("href")
    assert link is not None
    testers = [browser.new_context().new_page() for _ in range(2)]
    for tester in testers:
        tester.goto(link)
        tester.get_by_role("button", name="Sit down").first.click(timeout=SLOW)
    expect(testers[0].get_by_text("without your name")).to_be_visible(timeout=SLOW)
    expect(testers[0].get_by_text(f"Version of the rules: {digest}")).to_be_visible()
    testers[0].get_by_role("button", name="I agree").click()
    expect(room).to_contain_text("2 of 2 seats taken", timeout=SLOW)
    replace_line(pig, 14, "pot += die.face + 1")
    expect(publish).to_contain_text("What is not saved is not in it")
    pig.keyboard.press("Control+s")
    expect(room).to_contain_text("from before the last changes", timeout=SLOW)
    publish.get_by_role("button", name="Open another table").press("Enter")
    expect(room).to_have_count(2, timeout=LONG)
    expect(room.first).to_contain_text("as saved")
    expect(room.last).to_contain_text(f"rules {digest}, from before")
    publish.get_by_role("button", name="End the server for testers").press("Enter")
    expect(room).to_have_count(0, timeout=SLOW)
    for tester in testers:
        tester.context.close()
