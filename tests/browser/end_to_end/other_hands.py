"""People who choose without a mouse: by keys alone, and from the tree of roles and names alone."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import ElementHandle, TimeoutError

from tests.browser.end_to_end.hands import PATIENCE, Hands

IS_NEAR = """(thing) => {
    const box = thing.closest("[data-roving]");
    return box ? box.contains(document.activeElement) : document.activeElement === thing;
}"""
"""Has the thing the focus, or another one among which arrow keys move?"""

ARROWS = """async (thing) => {
    const { nearest } = await import("/web/table/roving.js");
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const all = [...thing.closest("[data-roving]").querySelectorAll("[data-thing]")];
    const found = new Map([[document.activeElement, []]]);
    for (const [from, keys] of found) {
        for (const [key, way] of Object.entries(ways)) {
            const next = nearest(from, all.filter((each) => each !== from), way);
            if (next && !found.has(next)) {
                found.set(next, [...keys, key]);
            }
        }
    }
    return found.get(thing) ?? null;
}"""
"""The arrow keys that lead from what has the focus to a thing; null if none do."""

HAS_FOCUS = "(thing) => thing === document.activeElement"
GONE_MS = 3000
"""Milliseconds after which a button that was just read is taken to have gone."""
BUTTON = re.compile(r"""^ *- '?(?P<role>button|toolbar|dialog) "(?P<name>(?:[^"\\]|\\.)*)"(?P<more>.*)$""")


class Keys(Hands):
    """Tab and arrow keys lead to what is chosen, Enter chooses it."""

    def go_to(self, thing: ElementHandle, name: str) -> None:
        """Moves the focus to a thing."""
        if not self.look()["asking"]:
            self.page.keyboard.press("t")
        for _ in range(150):
            if thing.evaluate(IS_NEAR):
                break
            self.page.keyboard.press("Tab")
        else:
            raise AssertionError(f"Tab does not lead to {name!r}")
        if not thing.evaluate(HAS_FOCUS):
            keys = thing.evaluate(ARROWS)
            assert keys is not None, f"arrow keys do not lead to {name!r}"
            for key in keys:
                self.page.keyboard.press(key)
        assert thing.evaluate(HAS_FOCUS), name

    def touch(self, thing: ElementHandle, name: str) -> None:
        self.go_to(thing, name)
        self.page.keyboard.press("Enter")


class Names(Hands):
    """Chooses by roles and names of the accessibility tree alone, and knows nothing else of the page."""

    def offers(self) -> list[tuple[str, int]]:
        """The names of buttons that offer something; each with its number among equal names."""
        found: list[tuple[str, int]] = []
        within: list[tuple[int, str]] = []
        counted: dict[str, int] = {}
        asking = self.page.get_by_role("dialog").count() > 0
        for line in self.page.locator("#table").aria_snapshot().splitlines():
            indent = len(line) - len(line.lstrip())
            within = [each for each in within if each[0] < indent]
            match = BUTTON.match(line)
            if match is None:
                if re.match(r" *- (list|term|region)", line):
                    within.append((indent, "list" if "- list" in line else "region"))
                continue
            role, name = match["role"], match["name"].replace('\\"', '"').replace("''", "'")
            if role != "button":
                within.append((indent, role))
                continue
            number = counted.get(name, 0)
            counted[name] = number + 1
            roles = [each[1] for each in within]
            if "[disabled]" in match["more"] or "[pressed]" in match["more"]:
                continue
            if asking:
                lit = "dialog" in roles and "list" in roles
            else:
                told = re.search(r" — (choose: |\d+ choices)", name)
                lit = bool(told) or ("toolbar" in roles and not name.endswith("why not?"))
            if lit:
                found.append((name, number))
        return found

    def choose(self) -> str | None:
        for _ in range(60):
            before = self.seen()
            offers = self.offers()
            if not offers or before["over"]:
                return None
            name, number = self.random.choice(offers)
            button = self.page.get_by_role("button", name=name, exact=True).nth(number)
            try:
                button.press("Enter", timeout=GONE_MS)
            except TimeoutError:  # what was offered has gone, by a press that was still on its way
                continue
            end = time.monotonic() + PATIENCE
            while (now := self.seen())["seq"] == before["seq"]:
                if now["asking"] != before["asking"] or now["words"] != before["words"]:
                    break
                assert time.monotonic() < end, f"{name!r} has no effect"
                self.page.wait_for_timeout(10)
            else:
                self.chosen.append(name)
                return name
        raise AssertionError(f"presses lead to no choice: {offers}")


def told_words(position: dict[str, Any]) -> list[str]:
    """The words of all choices of a position."""
    return sorted({choice["words"] for decision in position["decisions"] for choice in decision["choices"]})
