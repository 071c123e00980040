"""A playtest in real browsers: consent, a marked moment, a question at the end, withdrawal."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from rulewright.matches.playtests import read_folder
from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands, sit_down
from tests.browser.end_to_end.house import House
from tests.browser.end_to_end.test_access import check_axe


def test_a_player_agrees_marks_answers_and_withdraws(tmp_path: Path, people: People) -> None:
    records, questions = tmp_path / "records", tmp_path / "questions.txt"
    questions.write_text("Was it fun?\n")
    (tmp_path / "data").mkdir()
    house = House(tmp_path / "data", "tic_tac_toe", "--playtest", str(records), "--questions", str(questions))
    try:
        ann, ben = people(reduced_motion="reduce"), people(reduced_motion="reduce")
        sit_down(ann, house.url, "tic_tac_toe", [ben], 2)
        expect(ann.get_by_text("without your name")).to_be_visible()
        check_axe(ann)
        ann.get_by_role("button", name="I agree").press("Enter")
        ben.get_by_role("button", name="No, thank you").press("Enter")
        expect(ann.get_by_role("dialog")).to_have_count(0)
        pages = (Hands(ann, 0), Hands(ben, 1))
        for hands, page in zip(pages, (ann, ben), strict=True):
            page.wait_for_selector("[data-choices]")
            assert hands.choose()
        ann.get_by_role("button", name="Playtest").press("Enter")
        ann.get_by_label("What is unclear").fill("odd")
        ann.keyboard.press("Enter")
        expect(ann.get_by_role("dialog").get_by_role("listitem")).to_have_text(["odd"])
        check_axe(ann)
        ann.keyboard.press("Escape")
        while not any(hands.page.locator("section.result").count() for hands in pages):
            for hands in pages:
                hands.choose()
        ann.get_by_label("Was it fun?").fill("Yes")
        ann.keyboard.press("Enter")
        expect(ann.get_by_text("Saved")).to_be_attached()
        (record,) = read_folder(records)[0].values()
        assert [one.text for one in (*record.of("mark"), *record.of("answer"))] == ["odd", "Yes"]
        ann.get_by_role("button", name="Withdraw").press("Enter")
        expect(ann.get_by_role("dialog")).to_have_count(0)
        assert read_folder(records) == ({}, [])
        ann.get_by_role("button", name="Playtest").press("Enter")
        expect(ann.get_by_text("without your name")).to_be_visible()
        ann.get_by_role("button", name="Delete all of this match").press("Enter")
        sure = ann.get_by_role("dialog", name="Delete all of this match")
        sure.get_by_role("button", name="Delete all of this match").press("Enter")
        expect(ann.get_by_role("dialog")).to_have_count(0)
        ben.get_by_role("button", name="Playtest").press("Enter")
        expect(ben.get_by_role("button", name="Delete all of this match")).to_have_count(0)
    finally:
        house.stop()
