"""Connections that are cut, servers that are killed, pages that are reloaded: nothing is lost or doubled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.end_to_end.conftest import People
from tests.browser.end_to_end.hands import Hands, play_out, sit_down
from tests.browser.end_to_end.house import House, replayed
from tests.browser.end_to_end.test_whole_plays import check_steps, downloaded, result


class Wire:
    """The connection of a page to its server. `cut` says what happens to the next choice:
    `before` it is sent the connection is gone, `after` it, nothing that the server answers arrives."""

    def __init__(self, page: Page) -> None:
        self.cut: str | None = None
        self.cuts = 0
        page.route_web_socket("**/socket*", self._connected)

    def _connected(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        deaf = False

        def out(text: str | bytes) -> None:
            nonlocal deaf
            cut, chosen = self.cut, json.loads(text)["type"] == "choose"
            if cut is None or not chosen:
                server.send(text)
                return
            self.cut = None
            self.cuts += 1
            if cut == "after":
                deaf = True
                server.send(text)
            else:
                socket.close(code=4000)
                server.close(code=4000)

        def back(text: str | bytes) -> None:
            if not deaf:
                socket.send(text)
            elif json.loads(text)["type"] == "ack":
                socket.close(code=4000)
                server.close(code=4000)

        socket.on_message(out)
        server.on_message(back)


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server that may be killed."""
    folder = tmp_path / "house"
    folder.mkdir()
    house = House(folder, "connect_four")
    yield house
    house.kill()


def check_end(ann: Page, ben: Page, hands: list[Hands], folder: Path) -> None:
    """Both see the same end; the log has what they chose."""
    for _ in range(50):  # the last position may be on its way
        if result(ann) == result(ben):
            break
        ann.wait_for_timeout(100)
    assert result(ann) == result(ben)
    told = replayed(downloaded(ann, folder))
    for seat, person in zip("AB", hands, strict=True):
        check_steps(told, seat, person.chosen)


@pytest.mark.parametrize("name", ["connect_four", "leduc_poker"])
def test_cut_wires_lose_and_double_nothing(name: str, house: House, people: People, tmp_path: Path) -> None:
    ann, ben = people(), people()
    wires = [Wire(ann), Wire(ben)]
    sit_down(ann, house.url, name, [ben], 2)
    hands = [Hands(ann, 11), Hands(ben, 12)]
    for round_ in range(4):
        for wire in wires:
            wire.cut = ("before", "after")[round_ % 2]
        for person in hands:
            person.choose()
    assert sum(wire.cuts for wire in wires) >= (4 if name == "connect_four" else 2)
    for wire in wires:
        wire.cut = None
    play_out(hands)
    check_end(ann, ben, hands, tmp_path)


def test_a_server_that_is_killed_takes_nothing_with_it(
    own_house: House, people: People, tmp_path: Path
) -> None:
    ann, ben = people(), people()
    sit_down(ann, own_house.url, "connect_four", [ben], 2)
    hands = [Hands(ann, 21), Hands(ben, 22)]
    for person in hands:
        assert person.choose()
    own_house.kill()
    expect(ann.get_by_text("The connection is lost")).to_be_visible()
    waiting = hands[0].seen()
    assert waiting["words"]
    things = hands[0].lit()
    facts = things[0].evaluate("(thing) => thing.dataset.choices")
    things[0].focus()
    ann.keyboard.press("Enter")  # chosen while nobody listens
    own_house.start()
    hands[0].wait_for_change(waiting, "a choice made while the server was gone")
    hands[0].chosen.append(facts)
    play_out(hands)
    check_end(ann, ben, hands, tmp_path)
    assert own_house.errors() == ""


@pytest.mark.parametrize("name", ["roma", pytest.param("constantinopolis", marks=pytest.mark.long)])
def test_a_page_that_is_loaded_again_shows_the_same(name: str, house: House, people: People) -> None:
    ann, ben = people(), people()
    sit_down(ann, house.url, name, [ben], 2)
    hands = [Hands(ann, 31), Hands(ben, 32)]
    story = "() => [...document.querySelectorAll('.story li')].map((line) => line.textContent)"
    for _ in range(3):
        for person in hands:
            person.choose()
            person.choose()
        ben.wait_for_timeout(200)
        before = [(person.look(), person.page.evaluate(story)) for person in hands]
        for person in hands:
            person.page.reload()
            person.page.wait_for_selector(".table-root")
        ben.wait_for_timeout(300)
        assert all(lines for _, lines in before)
        assert [(person.look(), person.page.evaluate(story)) for person in hands] == before
