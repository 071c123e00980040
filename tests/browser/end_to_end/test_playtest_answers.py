"""A designer's playtests: what three browsers ask about shows the clause that nobody understands, and what
a change of it has moved.

The clause is planted in the rules of `hedgerow`: of its refusals the players ask five times as often as of
any other.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from rulewright.main import main
from rulewright.matches.playtests import read_folder
from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands, sit_down
from tests.browser.end_to_end.house import House

GAME = Path(__file__).parent / "hedgerow"
QUESTIONS = ("How clear were the rules, from 1 to 5?", "What was unclear?")
PLANTED, CONFUSING = "§2.3", "plant a bush"
CLAUSES = {"plant a bush": PLANTED, "sell berries": "§2.4", "trim a bush": "§2.5"}
FEW = 5
"""Of so many refusals of an action one is asked about, of the planted clause all."""
MOST_SECONDS = 10.0
"""Of the processor, for a report."""
OLD = "    needs any(seat where berries of seat > berries of me)            §2.3\n"


class Tablemates:
    """Three people at their browsers, who choose at random and ask why not.

    `confused`: what the planted clause is about they ask about each time. `seen` are refusals by action.
    """

    def __init__(self, house: House, pages: Sequence[Page], seed: int, confused: bool) -> None:
        self.house, self.pages, self.random, self.confused = house, pages, Random(seed), confused
        self.seen: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.marks = self.answers = 0

    def play(self, clear: int, third_agrees: bool = True) -> None:
        """A match from the table to the answers; the rules are found so clear."""
        host, *guests = self.pages
        sit_down(host, self.house.url, "hedgerow", list(guests), 3)
        agree = [host, guests[0], *guests[1:]] if third_agrees else [host, guests[0]]
        for page in self.pages:
            answer = "I agree" if page in agree else "No, thank you"
            page.get_by_role("button", name=answer).press("Enter")
            expect(page.get_by_role("dialog")).to_have_count(0)
        hands = [Hands(page, self.random.randrange(1000)) for page in self.pages]
        while not hands[0].look()["over"]:
            for hand in hands:
                if hand.lit():
                    self.wonder(hand.page, hand.page in agree)
                    hand.choose()
        for page in agree:
            self.answer(page, clear)

    def wonder(self, page: Page, recorded: bool) -> None:
        """Asks why something cannot be chosen, now and then, and marks the first time it is the planted."""
        for action in CLAUSES:
            refused = page.locator(".prompt button.refused", has_text=action)
            if not refused.count():
                continue
            self.seen[action] += recorded
            if self.seen[action] % (1 if action == CONFUSING and self.confused else FEW):
                continue
            refused.press("Enter")
            expect(page.locator(".why").first).not_to_contain_text("…")
            page.keyboard.press("Escape")
            expect(page.locator(".why")).to_have_count(0)
            self.asked[CLAUSES[action]] += recorded
            if recorded and action == CONFUSING and self.asked[PLANTED] % 5 == 1:
                self.mark(page)

    def mark(self, page: Page) -> None:
        page.get_by_role("button", name="Playtest").press("Enter")
        page.get_by_label("What is unclear").fill("whose wind?")
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog").get_by_role("listitem").last).to_have_text("whose wind?")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        self.marks += 1

    def answer(self, page: Page, clear: int) -> None:
        """Answers the questions that open by themselves after the end."""
        for question, text in zip(
            QUESTIONS, (str(clear + self.random.randrange(2)), "planting"), strict=True
        ):
            page.get_by_label(question).fill(text)
            with page.expect_response("**/playtest") as response:
                page.keyboard.press("Enter")
            assert response.value.ok
            self.answers += 1
        page.keyboard.press("Escape")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "questions.txt").write_text("\n".join(QUESTIONS))
    return Path(shutil.copytree(GAME, tmp_path / "hedgerow"))


@pytest.fixture
def house(game: Path, tmp_path: Path) -> Iterator[House]:
    words = ("--playtest", str(tmp_path / "tests"), "--questions", str(tmp_path / "questions.txt"))
    house = House(tmp_path / "data", str(game), *words)
    yield house
    house.stop()
    assert house.errors() == ""


def report(*words: str) -> str:
    """What `rulewright analyse --logs` says, within the time that a designer waits for it."""
    begun = os.times()
    result = CliRunner().invoke(main, ["analyse", "hedgerow", "--logs", "tests", *words])
    now = os.times()
    assert result.exit_code == 0, result.output
    assert now.user + now.system - begun.user - begun.system <= MOST_SECONDS
    return result.output


def clauses(found: dict[str, Any]) -> Counter[str]:
    return Counter({one["clause"]: one["asked"] for one in found["clauses"]})


@pytest.mark.long
def test_the_clause_that_confuses_is_named_and_its_change_is_seen(
    game: Path, house: House, people: People
) -> None:
    _a_week(game, house, people, matches=2, again=2)


@pytest.mark.long
def test_twenty_matches_name_the_clause_and_six_more_show_that_it_is_mended(
    game: Path, house: House, people: People
) -> None:
    text = _a_week(game, house, people, matches=20, again=6)
    assert f"  fell: held up at {PLANTED} Planting: " in text
    assert f"  rose: answers to “{QUESTIONS[0]}”: median " in text


def _a_week(game: Path, house: House, people: People, matches: int, again: int) -> str:
    """Matches, a report, a change of the rules, matches, and the last report."""
    pages = [people(reduced_motion="reduce") for _ in range(3)]
    before = Tablemates(house, pages, seed=7, confused=True)
    for number in range(matches):
        before.play(clear=2, third_agrees=number % 4 != 3)
    first = report().splitlines()
    assert first[0].startswith(f"Hedgerow: {matches} matches of rules ")
    assert first[1].startswith(f"most refused or asked about: {PLANTED} Planting: no refusals, ")
    found = json.loads(report("--json"))
    assert found["unread"] == []
    assert clauses(found["all"]) == before.asked
    others = [before.asked[clause] for clause in CLAUSES.values() if clause != PLANTED]
    assert before.asked[PLANTED] > 4 * max(others)
    assert len(found["all"]["marks"]) == before.marks
    clear, unclear = found["all"]["answers"]
    assert clear["numbers"] + len(unclear["texts"]) == before.answers
    rules = game / "hedgerow.rules"
    text = rules.read_text("utf-8")
    assert OLD in text
    rules.write_text(text.replace(OLD, ""), "utf-8")
    after = Tablemates(house, pages, seed=8, confused=False)
    for _ in range(again):
        after.play(clear=4)
    assert len(read_folder(Path("tests"))[0]) == matches + again
    found = json.loads(report("--json"))
    (comparison,) = found["comparisons"]
    assert comparison["new"] == list(found["versions"])[1]
    assert clauses(found["versions"][comparison["new"]]) == after.asked
    moved = {(one["what"], one["name"]): one for one in comparison["changes"]}
    assert moved["clause", PLANTED]["new"] < moved["clause", PLANTED]["old"]
    assert moved["answer", QUESTIONS[0]]["new"] > moved["answer", QUESTIONS[0]]["old"]
    return report()
