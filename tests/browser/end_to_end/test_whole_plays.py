"""Every bundled game, played to its end by people at two browsers and a real server."""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import rulewright
from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands, play_out, sit_down
from tests.browser.end_to_end.house import House, replayed

SHORT = ("connect_four", "kuhn_poker", "leduc_poker", "roma", "tic_tac_toe")
NAMES = ("Ann", "Ben")
TOTALS = (
    """() => [...document.querySelectorAll(".result .accounts tr.sum td")].map((cell) => cell.textContent)"""
)


def fewest_seats(name: str) -> int:
    """The fewest seats that two people can sit at, or one person."""
    return next(n for n in (2, 3, 4, 1) if _opens(name, n))


def _opens(name: str, seats: int) -> bool:
    try:
        return bool(rulewright.open_game(name, seats=seats))
    except Exception:
        return False


def result(page: Page) -> dict[str, Any]:
    """The end, as a page shows it."""
    section = page.get_by_role("region", name="Result")
    return {"heading": section.get_by_role("heading").inner_text(), "totals": page.evaluate(TOTALS)}


def downloaded(page: Page, folder: Path) -> Path:
    """The log, by the link beside the result."""
    with page.expect_download() as download:
        page.get_by_role("region", name="Result").get_by_text("Log", exact=True).click()
    path = folder / "match.log"
    download.value.save_as(path)
    return path


def check_steps(told: dict[str, Any], seats: str, chosen: list[str]) -> None:
    """The log has the choices that the people on some seats made at the page, each once, in order."""
    kept = [step["text"] for step in told["steps"] if step["seat"] and step["seat"] in seats]
    assert len(kept) == len(chosen), "\n".join(unified_diff(kept, chosen, "kept", "pressed", lineterm=""))
    for words, pressed in zip(kept, chosen, strict=True):
        assert words == pressed or "?" in pressed


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in rulewright.bundled()],
)
def test_two_browsers_play_to_the_end(name: str, house: House, people: People, tmp_path: Path) -> None:
    seats = fewest_seats(name)
    ann, *guests = [people(accept_downloads=True) for _ in range(min(seats, 2))]
    address = sit_down(ann, house.url, name, guests, seats)
    mouse = 0.5 if name in SHORT else 0.1
    hands = [Hands(page, seed, mouse=mouse) for seed, page in enumerate((ann, *guests))]
    play_out(hands)
    shown = result(ann)
    assert all(result(page) == shown for page in guests)
    told = replayed(downloaded((ann, *guests)[-1], tmp_path))
    match = ann.evaluate(
        "async (id) => (await fetch(`/api/matches/${id}`)).json()", address.rsplit("/", 1)[1]
    )
    assert match["status"] == "over"
    winners = [match["seats"][seat]["name"] for seat in match["result"]["winners"]]
    assert [one for one in NAMES if one in shown["heading"]] == [one for one in winners if one in NAMES]
    assert told["winners"] == ["ABCDEFGH"[seat] for seat in match["result"]["winners"]]
    if shown["totals"]:
        totals = [int(re.sub(r"[^\d-]", "", text.replace("−", "-"))) for text in shown["totals"]]
        assert totals == [sheet["total"] for sheet in told["accounts"]]
    for seat, person in zip("AB", hands, strict=False):
        check_steps(told, seat, person.chosen)
