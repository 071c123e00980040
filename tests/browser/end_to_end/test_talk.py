"""Talk at a table in real browsers, marks and links of moments, the last turn again, dropped logs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands, sit_down
from tests.browser.end_to_end.house import House, exported
from tests.browser.end_to_end.test_access import PHONE, SMALL, check_axe, check_width

ALLOW = """async (rule) => {
    const headers = { "Content-Type": "application/json" };
    const path = `/api/matches/${location.pathname.split("/")[2]}/talk`;
    return (await fetch(path, { method: "POST", headers, body: JSON.stringify(rule) })).status;
}"""
DROP = """([text, name]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name));
    for (const type of ["dragover", "drop"]) {
        const settings = { dataTransfer: transfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent(type, settings));
    }
}"""


def two(house: House, people: People) -> tuple[Page, Page]:
    """A match with a choice by each, at which all may be said."""
    ann, ben = people(reduced_motion="reduce"), people(reduced_motion="reduce")
    sit_down(ann, house.url, "tic_tac_toe", [ben], 2)
    for number, page in enumerate((ann, ben)):
        page.wait_for_selector("[data-choices]")
        assert Hands(page, number).choose()
    ann.wait_for_function("() => document.querySelectorAll('[data-choices]').length === 7")
    assert ann.evaluate(ALLOW, {"allowed": "free"}) == 200
    return ann, ben


def test_what_is_said_is_told_in_each_language_and_counted(house: House, people: People) -> None:
    ann, ben = two(house, people)
    ben.get_by_role("button", name="Settings").click()
    ben.get_by_label("Language").first.select_option("hu")
    ben.keyboard.press("Escape")
    ann.keyboard.press("c")
    ann.get_by_role("button", name="Good luck!").press("Enter")
    ann.get_by_label("Write something").fill("<b>hi</b> \u202ethere")
    ann.keyboard.press("Enter")
    expect(ben.locator(".badge")).to_have_text("2")
    expect(ben.locator("[role=status]").last).to_contain_text("<b>hi</b> there")
    ben.get_by_role("button", name="Beszélgetés, 2 új üzenet").click()
    expect(ben.locator(".talk .text")).to_have_text(["Sok szerencsét!", "<b>hi</b> there"])
    expect(ben.locator(".badge")).to_have_count(0)
    check_axe(ben)
    ben.set_viewport_size(PHONE)  # type: ignore[arg-type]
    check_width(ben)
    assert ben.evaluate(SMALL) == []
    ben.get_by_text("Akit nem hallgatsz").click()
    ben.get_by_role("checkbox", name="Ann").check()
    expect(ben.locator(".talk .text")).to_have_count(0)
    assert ann.evaluate(ALLOW, {"allowed": "none"}) == 200
    expect(ben.locator(".talk-button button")).to_have_count(0)


def test_what_is_written_offline_is_sent_once(house: House, people: People) -> None:
    ann, ben = two(house, people)
    ann.keyboard.press("c")
    expect(ann.get_by_label("Write something")).to_be_visible()  # she knows by now that she may
    ann.context.set_offline(True)
    expect(ann.get_by_text("The connection is lost")).to_be_visible()
    ann.get_by_label("Write something").fill("still here")
    ann.keyboard.press("Enter")
    expect(ann.get_by_text("It is sent when the connection is back.")).to_be_visible()
    ann.wait_for_timeout(1500)
    ann.context.set_offline(False)
    expect(ann.locator(".talk li:not(.unsent) .text")).to_have_text(["still here"])
    expect(ann.locator(".unsent")).to_have_count(0)
    ben.keyboard.press("c")
    expect(ben.locator(".talk .text")).to_have_text(["still here"])


def test_marks_notes_and_a_link_belong_to_a_moment(house: House, people: People) -> None:
    ann, ben = two(house, people)
    ann.locator(".moment").first.press("Enter")
    ann.get_by_role("button", name="strong").press("Enter")
    expect(ben.locator(".marks")).to_contain_text("strong: Ann")
    ann.get_by_label("Note").fill("the middle first")
    ann.keyboard.press("Tab")
    check_axe(ann)
    ann.reload()
    expect(ann.locator(".note")).to_contain_text("the middle first")
    expect(ben.locator(".note")).to_have_count(0)
    before = ben.locator("[data-seq]").get_attribute("data-seq")
    ben.goto(f"{ann.url.split('#')[0].split('?')[0]}#step=1&seat=0")
    expect(ben.locator(".replay .number")).to_contain_text("1 of")
    expect(ben.locator(".replay")).to_be_visible()
    ben.get_by_role("button", name="To the present").click()
    expect(ben.locator("[data-seq]")).to_have_attribute("data-seq", before or "")


def test_the_last_turn_is_looked_at_again(house: House, people: People) -> None:
    ann, _ = two(house, people)
    ann.keyboard.press("l")
    expect(ann.locator(".replay")).to_be_visible()
    expect(ann.get_by_role("button", name="To the end")).to_be_disabled(timeout=10_000)
    check_axe(ann)
    ann.keyboard.press("p")
    expect(ann.locator(".replay")).to_have_count(0)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of a game."""
    path = tmp_path_factory.mktemp("logs") / "m.log"
    words = ["play", "tic_tac_toe", "--seats", "random,random", "--log", str(path), "--seed", "5"]
    subprocess.run([sys.executable, "-m", "rulewright", *words], check=True, capture_output=True)
    return path


def test_a_dropped_log_opens_or_it_is_said_why_not(people: People, log: Path, tmp_path: Path) -> None:
    page, text = people(), log.read_text()
    page.goto(exported("tic_tac_toe", tmp_path).as_uri())
    page.locator("#table .thing").first.wait_for()
    banners = page.locator(".banners")
    for dropped, said in [
        (
            text.replace('"choose": "place', '"choose": "placx', 1),
            "it was changed. The first difference is in line",
        ),
        (text.replace('"rulewright": 1', '"rulewright": 2'), "another version"),
        ("# rulewright notation 1\nA: place a1\n", "This is a notation"),
        ('{"a": 1}', "no log"),
        ("", "no log"),
        ('{"rulewright":1,"game":' + "[" * 100_000, "no log"),
        (text[:-40], "its end is damaged"),
    ]:
        page.evaluate(DROP, [dropped, "m.log"])
        expect(banners.locator(".banner").last).to_contain_text(said)
    expect(page.locator(".result")).to_be_visible()


def test_a_server_says_where_a_log_is_opened_and_copies_no_foreign_words(
    house: House, people: People, log: Path
) -> None:
    page = people()
    page.goto(house.url)
    page.get_by_role("heading", name="Games").wait_for()
    page.evaluate(DROP, [log.read_text(), "m.log"])
    expect(page.locator(".banners")).to_contain_text("rulewright export tic_tac_toe")
    page.evaluate(DROP, ['{"rulewright": 1, "game": "x; rm -rf ~"}\n', "m.log"])
    expect(page.locator(".banner").last).to_contain_text("no log")


def test_whose_work_it_is_is_said(house: House, people: People) -> None:
    page = people()
    page.goto(f"{house.url}/about")
    expect(page.get_by_role("link", name="preact", exact=True)).to_be_visible()
    check_axe(page)
