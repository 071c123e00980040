"""Whatever can be chosen is in sight on the whole page, or an arrow leads towards it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket

from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands
from tests.browser.end_to_end.house import House
from tests.browser.end_to_end.other_hands import told_words
from tests.browser.end_to_end.test_access import play_some, until_asked
from tests.browser.end_to_end.test_whole_plays import fewest_seats

TABLES = [
    ("trajan", 1440, 900),
    ("constantinopolis", 820, 1180),
    ("roma", 820, 1180),
    ("fenways", 390, 844),
    ("battleship", 390, 844),
    ("hearts", 390, 844),
]
PATIENCE_MS = 90_000
"""A busy machine compiles a large game for a long time."""
LOST = """() => {
    const arrows = [...document.querySelectorAll(".out-of-sight button")];
    const ways = new Set(arrows.map((arrow) => arrow.className.replace("to-", "")));
    const spots = [0.1, 0.3, 0.5, 0.7, 0.9];
    const shows = (thing, hit) => thing.contains(hit) || arrows.some((arrow) => arrow.contains(hit));
    const isSeen = (thing, { left, top, width, height }) => spots.some((i) => spots.some((j) =>
        shows(thing, document.elementFromPoint(left + i * width, top + j * height))));
    const isPointedTo = ({ left, top, width, height }) => {
        const [x, y] = [left + width / 2 - innerWidth / 2, top + height / 2 - innerHeight / 2];
        return (width > 0 && ((y > 0 && ways.has("down")) || (y < 0 && ways.has("up"))
            || (x > 0 && ways.has("right")) || (x < 0 && ways.has("left"))));
    };
    const offered = ".table-root .thing[data-state='offered'], .prompt .actions button:not(.refused)";
    const all = [...document.querySelectorAll(offered)];
    const lit = all.map((thing) => [thing, thing.getBoundingClientRect()]);
    const unseen = lit.filter(([thing, box]) => !isSeen(thing, box));
    const told = arrows.reduce((sum, arrow) => sum + Number(arrow.dataset.number), 0);
    const lost = unseen.filter(([, box]) => !isPointedTo(box)).map(([thing]) => thing.outerHTML);
    return unseen.length > told ? [...lost, `out of sight: ${unseen.length}, told: ${told}`] : lost;
}"""
"""What lights up, no point of which can be pressed, under no arrow, and to which no arrow points."""
SETTLED = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)));
})"""


def begin(page: Page, url: str, game: str) -> None:
    """A new match against bots that choose at random."""
    seats = fewest_seats(game)
    asked = {"game": game, "seats": seats, "options": {}, "name": "Ann", "clock": None, "chance": "system"}
    players = {"players": ["me", *["bot:random"] * (seats - 1)], "spectators": {"allowed": False, "delay": 0}}
    headers = {"Origin": url}
    made = page.request.post(f"{url}/api/matches", data=asked | players, headers=headers, timeout=PATIENCE_MS)
    assert made.ok, made.text()
    page.goto(f"{url}/match/{made.json()['match']}", timeout=PATIENCE_MS)
    page.wait_for_selector(".table-root", timeout=PATIENCE_MS)


@pytest.mark.parametrize(("name", "width", "height"), TABLES, ids=[f"{it[0]} {it[1]}" for it in TABLES])
def test_what_can_be_chosen_is_in_sight_or_pointed_to(
    name: str, width: int, height: int, house: House, people: People
) -> None:
    """From wherever the last choice has left the page, from its top, and from its end."""
    page = people(reduced_motion="reduce", viewport={"width": width, "height": height})
    last: list[dict[str, Any]] = []

    def note(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "position":
            last[:] = [message["position"]]

    def hear(socket: WebSocket) -> None:
        socket.on("framereceived", note)

    page.on("websocket", hear)
    begin(page, house.url, name)
    hands = Hands(page, 46)
    for _ in range(8):
        if not until_asked(hands):
            break
        page.wait_for_timeout(50)
        assert hands.look()["words"] == told_words(last[0])
        for end in (None, 0, 1):
            if end is not None:
                page.evaluate(f"scrollTo(0, {end} * document.documentElement.scrollHeight)")
            page.evaluate(SETTLED)
            assert page.evaluate(LOST) == [], end
        play_some(hands, 3)
