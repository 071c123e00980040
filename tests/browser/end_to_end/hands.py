"""Somebody at a page, who chooses at random among what lights up."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from playwright.sync_api import ElementHandle, Error, Page, TimeoutError

LOOK = """() => {
    const root = document.querySelector(".table-root");
    const all = [...(root?.querySelectorAll("[data-choices]") ?? [])];
    return {
        seq: Number(root?.dataset.seq ?? -1),
        words: [...new Set(all.flatMap((thing) => thing.dataset.choices.split("\\n")))].sort(),
        asking: root?.querySelector(".details .choices") != null,
        over: document.querySelector("section.result") !== null,
        cover: document.querySelector("dialog.cover[open]") !== null,
        notice: root?.querySelector(".notice")?.textContent ?? "",
    };
}"""
"""What a page shows; `words` are those of all choices that something on it stands for."""

LIT = """() => {
    const root = document.querySelector(".table-root");
    const asking = root?.querySelector(".details .choices");
    const buttons = ".prompt .actions button:not(.refused, :disabled, [aria-pressed='true'])";
    const lit = `.thing[data-state='offered'], ${buttons}`;
    const all = asking ? asking.querySelectorAll("button") : root?.querySelectorAll(lit);
    return [...(all ?? [])].filter((thing) => thing.checkVisibility());
}"""
"""What lights up on a page, or what its open window asks."""

FACTS = """(thing) => {
    const words = thing.dataset.choices?.split("\\n") ?? [];
    const slider = thing.closest(".stepper")?.querySelector("input");
    return {
        words: slider && words.length ? words[Number(slider.value)] : words.length === 1 ? words[0] : null,
        name: thing.getAttribute("aria-label") ?? thing.textContent.trim(),
    };
}"""
"""The choice that a press makes, or null if it makes none, and the name."""

POINT = """(thing) => {
    thing.scrollIntoView({ block: "nearest", inline: "nearest" });
    const at = (x, y) => thing.contains(document.elementFromPoint(x, y)) && [x, y];
    const find = () => {
        const { left, top, width, height } = thing.getBoundingClientRect();
        for (const [i, j] of [5, 3, 7, 1, 9].flatMap((i) => [5, 3, 7, 1, 9].map((j) => [i, j]))) {
            const found = at(left + width * i / 10, top + height * j / 10);
            if (found) {
                return found;
            }
        }
        return null;
    };
    return find() ?? (thing.scrollIntoView({ block: "center", inline: "center" }), find());
}"""
"""A point of a thing that nothing else lies over, brought into sight; null if there is none."""

SETTLING = 0.38
"""Seconds after a change in which the page takes clicks for slips."""
PATIENCE = 30.0


class Hands:
    """A person at a page. `mouse` is the probability of a click instead of the Enter key."""

    def __init__(self, page: Page, seed: int = 0, mouse: float = 0.0) -> None:
        self.page, self.random, self.mouse = page, Random(seed), mouse
        self.chosen: list[str] = []
        self._since = (self.look(), time.monotonic())

    def look(self) -> dict[str, Any]:
        """What the page shows."""
        found: dict[str, Any] = self.page.evaluate(LOOK)
        return found

    def seen(self) -> dict[str, Any]:
        """What the page shows; notes since when."""
        found = self.look()
        if found != self._since[0]:
            self._since = (found, time.monotonic())
        return found

    def lit(self) -> list[ElementHandle]:
        """What lights up."""
        listed = self.page.evaluate_handle(LIT)
        return [found for one in listed.get_properties().values() if (found := one.as_element())]

    def choose(self) -> str | None:
        """Makes one choice, by as many presses as it needs; None if nothing is asked. Returns its words."""
        for _ in range(200):
            things = self.lit()
            before = self.seen()  # after them: a position that comes in between is not what a press brings
            if not things or before["over"]:
                return None
            if words := self.press(self.random.choice(things), before):
                return words
        raise AssertionError("presses lead to no choice")

    def press(self, thing: ElementHandle, before: dict[str, Any]) -> str | None:
        """Presses one thing. Returns the words of the choice that it makes, when its result is there."""
        facts = thing.evaluate(FACTS)
        try:
            self.touch(thing, facts["name"])
        except Error as error:
            if "not attached" in str(error):  # somebody else has chosen in the meantime
                return None
            raise
        words: str | None = facts["words"]
        if words is None:
            return None
        self.wait_for_change(before, f"{facts['name']!r} ({words})")
        self.chosen.append(words)
        return words

    def touch(self, thing: ElementHandle, name: str) -> None:
        """Clicks on a thing, or gives it the focus and presses Enter."""
        if self.random.random() >= self.mouse:
            thing.press("Enter")
            return
        left = SETTLING - (time.monotonic() - self._since[1])
        if left > 0:
            self.page.wait_for_timeout(1000 * left)
        self.page.mouse.click(*self.resting(thing, name))

    def resting(self, thing: ElementHandle, name: str) -> list[float]:
        """A point of a thing, once the page does not scroll any more."""
        before = None
        for _ in range(100):
            point: list[float] = thing.evaluate(POINT)
            if not point and not thing.evaluate("(thing) => thing.isConnected"):
                raise Error("not attached")
            assert point, f"{name!r} cannot be clicked"
            if point == before:
                break
            before = point
            self.page.wait_for_timeout(60)
        return point

    def wait_for_change(self, before: dict[str, Any], what: str) -> None:
        """Waits until the page shows another position, or is covered for the next player: what is chosen at
        the same time is told later."""
        end = time.monotonic() + PATIENCE
        while (now := self.seen())["seq"] == before["seq"] and not now["cover"]:
            assert not now["notice"], f"{what}: {now['notice']}"
            assert time.monotonic() < end, f"{what} has no effect"
            self.page.wait_for_timeout(15)


def sit_down(host: Page, url: str, game: str, guests: list[Page], seats: int) -> str:
    """A new match: guests on the seats after the host, bots on all others. Returns its address."""
    host.goto(f"{url}/game/{game}")
    host.get_by_label("Your name").fill("Ann")
    players = host.get_by_role("combobox", name="Players")
    if players.count():
        players.select_option(str(seats))
    for seat in range(1, seats):
        kind = "open" if seat <= len(guests) else "bot:random"
        host.get_by_role("combobox", name=f"Seat {seat + 1}").select_option(kind)
    host.locator("form button[type=submit]").click()
    host.wait_for_url("**/match/*", timeout=90_000)
    for name, guest in zip(("Ben", "Eve", "Kim"), guests, strict=False):
        guest.goto(host.url)
        try:
            guest.get_by_label("Your name").fill(name)
        except TimeoutError as error:
            raise AssertionError(guest.locator("body").inner_text()) from error
        guest.get_by_role("button", name="Sit down").first.click()
    for page in (host, *guests):
        page.wait_for_selector(".table-root", timeout=60_000)
    return host.url


def play_out(people: list[Hands], most: int = 5000) -> None:
    """All choose, whoever is asked, until every page shows the end."""
    quiet = time.monotonic()
    for _ in range(most):
        if all(person.look()["over"] for person in people):
            return
        if [person for person in people if person.choose() is not None]:
            quiet = time.monotonic()
        else:
            assert time.monotonic() - quiet < PATIENCE, [person.look() for person in people]
            people[0].page.wait_for_timeout(20)
    raise AssertionError("the match does not end")
