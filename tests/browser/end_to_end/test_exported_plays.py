"""Every bundled game as one file, played to its end from the disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

import rulewright
from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import PATIENCE, Hands
from tests.browser.end_to_end.house import exported, replayed
from tests.browser.end_to_end.test_whole_plays import check_steps, downloaded, result

SHORT = ("kuhn_poker", "leduc_poker", "tic_tac_toe")
SLOW_TO_END = ("augustus", "backgammon", "nine_mens_morris", "trajan")
"""Of these one person plays against a bot, who chooses faster than hands do."""


def begin(page: Page, people: int) -> None:
    """Begins a new match of so many people, and bots on the other seats."""
    page.get_by_title("More", exact=True).click()
    page.get_by_role("button", name="New match").click()
    dialog = page.get_by_role("dialog", name="New match")
    selects = dialog.locator(".seat-rows select")
    selects.first.wait_for()
    for seat in range(selects.count()):
        selects.nth(seat).select_option("human" if seat < people else "random")
    dialog.get_by_role("button", name="Begin").click()
    dialog.wait_for(state="hidden")
    page.wait_for_selector(".table-root", timeout=20_000)


def play_at_one_screen(hands: Hands) -> None:
    """Chooses for everybody, who hand over the screen where something is hidden, until the end."""
    waited = 0.0
    for _ in range(20_000):
        now = hands.look()
        if now["over"]:
            return
        if now["cover"]:
            hands.page.get_by_role("button", name="I am").click()
        elif hands.choose() is None:
            assert waited < PATIENCE, hands.look()
            waited += 0.02
            hands.page.wait_for_timeout(20)
            continue
        waited = 0.0
    raise AssertionError("the match does not end")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in rulewright.bundled()],
)
def test_a_file_is_played_to_the_end(name: str, people: People, tmp_path: Path) -> None:
    page = people(accept_downloads=True)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    file = exported(name, tmp_path)
    page.goto(file.as_uri())
    page.wait_for_selector(".table-root")
    one = name in SLOW_TO_END
    begin(page, 1 if one else 2)
    hands = Hands(page, 3, mouse=0.3 if name in SHORT else 0.05)
    play_at_one_screen(hands)
    assert [url for url in requests if not url.startswith(("blob:", "data:"))] == [file.as_uri()]
    shown = result(page)
    told = replayed(downloaded(page, tmp_path))
    assert told["over"]
    assert bool(told["winners"]) == (shown["heading"] != "Nobody has won")
    check_steps(told, "A" if one else "AB", hands.chosen)
