"""Every bundled game played to its end by two people, one at a wide page and one at a telephone, who click
only on what they see, in each language of the page.

One game in one language: `pytest -n 0 -m "" tests/browser/end_to_end/test_every_table.py -k "chess and hu"`;
`-s` shows how many clicks it took.
"""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket

import rulewright
from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.eyes import TEXTS, Eyes, foreign_words, words_of
from tests.browser.end_to_end.hands import PATIENCE
from tests.browser.end_to_end.house import House
from tests.browser.end_to_end.test_in_sight import LOST, SETTLED
from tests.browser.end_to_end.test_whole_plays import TOTALS, fewest_seats

LOCALES = {"en": "en-GB", "hu": "hu-HU", "ro": "ro-RO"}
SAMPLES = ("kuhn_poker hu", "tic_tac_toe ro")
WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
STARTING_MS = 90_000
"""A busy machine compiles a large game for a long time."""
OFTEN = 12
"""So many choices of a person come between two at which the whole page is looked at; it is at the first of
each kind of question, too."""


class Guest:
    """A person at a page: chooses, and looks whether the page is as it should be."""

    def __init__(self, page: Page, seed: int, foreign: set[str]) -> None:
        self.page, self.foreign = page, foreign
        self.hands = Eyes(page, seed)
        self.told: dict[str, Any] = {}
        self.questions: dict[int | None, int] = {}
        self.complaints: list[str] = []
        page.on("websocket", lambda socket: self._hear(socket))

    def _hear(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._note)

    def _note(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "position":
            self.told = message["position"]

    def choose(self) -> bool:
        """Makes a choice if one is asked for."""
        if not self.hands.look()["words"] and not self.hands.lit():
            return False
        node = next((it["node"] for it in self.told.get("decisions", ())), None)
        if self.questions.setdefault(node, 0) % OFTEN == 0:
            self.examine()
        self.questions[node] += 1
        return self.hands.choose() is not None

    def examine(self) -> None:
        """What can be chosen is there, in sight or pointed to; nothing is wider than the page, or foreign."""
        seq = self.told.get("seq")
        self.page.evaluate(SETTLED)
        words, lost = set(self.hands.look()["words"]), self.page.evaluate(LOST)
        asked = [choice["words"] for it in self.told.get("decisions", ()) for choice in it["choices"]]
        if self.told.get("seq") == seq:
            self.complain([f"lights up nowhere: {each}" for each in sorted(set(asked) - words)])
            self.complain([f"no arrow leads there: {each[:200]}" for each in lost])
        self.check_page()

    def check_page(self) -> None:
        if not self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            self.complain(["the page scrolls sideways"])
        lines = self.page.evaluate(TEXTS).splitlines()
        self.complain([f"foreign: {line}" for line in lines if words_of(line) & self.foreign])

    def complain(self, found: list[str]) -> None:
        """Notes what is wrong, once; the match goes on."""
        self.complaints += [each for each in dict.fromkeys(found) if each not in self.complaints]


def begin(host: Page, guests: list[Page], url: str, game: str, seats: int) -> str:
    """A new match of people, and bots on all seats after theirs. Returns its number."""
    players = ["me", *["open"] * len(guests), *["bot:random"] * (seats - 1 - len(guests))]
    asked = {"game": game, "seats": seats, "options": {}, "name": "Zyx", "clock": None, "chance": "system"}
    watching = {"players": players, "spectators": {"allowed": False, "delay": 0}}
    headers = {"Origin": url}
    made = host.request.post(
        f"{url}/api/matches", data=asked | watching, headers=headers, timeout=STARTING_MS
    )
    assert made.ok, made.text()
    number: str = made.json()["match"]
    for page in (host, *guests):
        page.goto(f"{url}/match/{number}", timeout=STARTING_MS)
        if page is not host:
            page.locator("input[autocomplete=nickname]").fill("Xyz")
            page.locator(".seat-rows .do .main").first.click()
    for page in (host, *guests):
        page.wait_for_selector(".table-root", timeout=STARTING_MS)
    return number


def play(people: list[Guest], most: int = 8000) -> None:
    """All choose, whoever is asked, until every page shows the end."""
    quiet = time.monotonic()
    for _ in range(most):
        if all(person.hands.look()["over"] for person in people):
            return
        if sum(person.choose() for person in people):
            quiet = time.monotonic()
        else:
            assert time.monotonic() - quiet < PATIENCE, [person.hands.look() for person in people]
            people[0].page.wait_for_timeout(20)
    raise AssertionError("the match does not end")


CASES = [f"{name} {tag}" for name in rulewright.bundled() for tag in LOCALES]


@pytest.mark.parametrize(
    "case", [pytest.param(it, marks=() if it in SAMPLES else pytest.mark.long, id=it) for it in CASES]
)
def test_a_game_is_played_by_what_is_seen(case: str, house: House, people: People) -> None:
    name, tag = case.split()
    seats = fewest_seats(name)
    sizes = [WIDE, PHONE] if seats > 1 else [PHONE]
    pages = [people(locale=LOCALES[tag], reduced_motion="reduce", **size) for size in sizes]
    foreign = foreign_words(name, tag, seats) if tag != "en" else set()
    guests = [Guest(page, seed, foreign) for seed, page in enumerate(pages)]
    number = begin(pages[0], pages[1:], house.url, name, seats)
    assert {page.evaluate("document.documentElement.lang") for page in pages} == {tag}
    play(guests)
    match = pages[0].evaluate("async (id) => (await fetch(`/api/matches/${id}`)).json()", number)
    assert match["status"] == "over"
    scored = rulewright.open_game(name, seats=seats).rules.scores
    for guest in guests:
        end = guest.page.locator("section.result")
        assert end.locator("h2").inner_text()
        assert len(guest.page.evaluate(TOTALS)) == (seats if scored else 0), "the account"
        guest.check_page()
        assert guest.complaints == []
    clicks = [guest.hands.clicks for guest in guests]
    print(f"{case}: clicks {clicks}, arrows {[guest.hands.arrows for guest in guests]}")
